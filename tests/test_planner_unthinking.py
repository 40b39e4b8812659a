"""A planner that has no time to think does what its first intention would do, decision by decision.

What a plan is worth is found out by playing it out as steady would carry it out; at the table it has to be carried out
in the same way, from the same picture of the position, or the playouts are about something else.
"""

from __future__ import annotations

from random import Random

import pytest

import fronte
from fronte.ai import Player, Seat, player
from fronte.ai.caporetto.steady import Steady as CaporettoSteady
from fronte.ai.volturno.planner import policy_of
from fronte.ai.volturno.steady import Steady as VolturnoSteady


def unthinking(game: str, scenario: str, seat: int) -> Player:
    """Who plays the first intention of the planner and nothing else."""
    if game == "volturno":
        return VolturnoSteady(Random(seat), {seat: policy_of(fronte.ruleset(game, scenario)).usual(seat).weights})
    return CaporettoSteady(Random(seat))


@pytest.mark.parametrize(("which", "scenario"), [("volturno", "short"), ("caporetto", "cividale")])
def test_it_plays_as_its_first_intention(which: str, scenario: str) -> None:
    match = fronte.new(which, scenario, 7800)
    seats = [Seat(match, name) for name in match.rules.seats]
    hands = [unthinking(which, scenario, seat) for seat in range(2)]
    planners = [player("planner:1p", name, game=which) for name in match.rules.seats]
    other = []
    for line in range(150):
        wanted, done = (who[match.seat](seats[match.seat]) for who in (hands, planners))
        if wanted != done:
            other.append((line, match.decision and match.decision.kind, wanted, done))
        match.play(wanted)
    assert len(other) <= 1, other
