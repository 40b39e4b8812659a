"""What the panels of this game are offered, in games played by chance: it has its shape, and what it calls best is
allowed."""

from __future__ import annotations

from random import Random

import pytest

import fronte
from fronte.engine import panel
from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.games.caporetto import command, panels

OWN = {name for name in panels.PANELS if name.startswith("caporetto.")}


@pytest.mark.parametrize("seed", range(4))
def test_offers_have_the_shape_of_their_panels(seed: int) -> None:
    rules = fronte.ruleset("caporetto", "maggiore")
    match, rng, seen = Match.begin(rules, seed_bytes(seed)), Random(seed), set[str]()
    while match.result is None and match.decision is not None:
        if match.decision.panel in OWN:
            seen.add(match.decision.panel)
            offer = panel.checked(rules.panels, match.decision.panel, match.offer)
            if isinstance(offer, panels.Wave | panels.Losses):
                assert match.why_not(offer.best) is None
            if isinstance(offer, panels.Headquarters):
                assert list(offer.commands) == [action["hex"] for action in offer.actions]
                assert min(offer.commands.values()) > 0
        match.play(match.sample(rng))
    assert {panels.PLAN, panels.ACTIVATE, panels.HEADQUARTERS} <= seen


def test_a_headquarters_is_told_whom_it_would_command() -> None:
    """7.1, 7.6: the numbers of the offer are those of the range."""
    rules = fronte.ruleset("caporetto", "maggiore")
    match, rng = Match.begin(rules, seed_bytes(1)), Random(1)
    while match.decision is not None and match.decision.kind != "place_hq":
        match.play(match.sample(rng))
    (formation,) = match.state.frames[-1].args
    told = match.offer["commands"]
    found = {
        name: (command.in_command(rules, match.state, formation, rules.grid.index[name]) & ~match.state.ooc).bit_count()
        for name in told
    }
    assert told == found


def test_a_turn_that_is_not_on_the_track_has_no_day() -> None:
    """2.1.1: the rooms ask until there is none."""
    rules = fronte.ruleset("caporetto", "historical")
    days = [span for turn in range(1, 9) if (span := rules.span(turn)) is not None]
    assert [first.day for first, last in days if first == last] == [24, 24, 25, 25, 26, 26, 27, 27]
    assert rules.span(0) is None
    assert rules.span(9) is None
