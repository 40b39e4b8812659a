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
from fronte.ai.inferno import planner as inferno
from fronte.ai.inferno.steady.weights import FIRST, unthinking_of, weights_of
from fronte.ai.volturno.planner import policy_of
from fronte.ai.volturno.steady import Steady as VolturnoSteady


def unthinking(game: str, scenario: str, seat: int) -> Player:
    """Who plays the first intention of the planner and nothing else."""
    if game == "volturno":
        return VolturnoSteady(Random(seat), {seat: policy_of(fronte.ruleset(game, scenario)).usual(seat).weights})
    return CaporettoSteady(Random(seat))


@pytest.mark.parametrize(("which", "scenario"), [("volturno", "short"), ("caporetto", "maggiore")])
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


def test_weights_of_its_own_hold_where_those_of_its_game_do() -> None:
    steady = weights_of("isonzo", "historical")
    own = unthinking_of("isonzo", "historical")
    assert own != steady and own == unthinking_of("isonzo", "surprise") and own.keys() == steady.keys()
    assert unthinking_of("isonzo", "canale") == weights_of("isonzo", "canale"), "it has a table of its own"
    assert unthinking_of("isonzo", "historical", FIRST) == weights_of("isonzo", "historical", FIRST)


def test_players_that_are_kept_to_be_played_against_have_none_of_it() -> None:
    rules = fronte.ruleset("isonzo")
    now, *before = (of(rules) for of in (inferno.policy_of, inferno.line_policy_of, inferno.first_policy_of))
    assert now.first != now.base and all(policy.first == policy.base for policy in before)
