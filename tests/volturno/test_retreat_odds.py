"""11.3.6: whoever goes back is told of each hex what can befall it there."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from eager import eager

from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.games.registry import ruleset
from fronte.games.volturno.breaking_off import BreakOff
from fronte.games.volturno.reactions import Counter, Shoot
from fronte.games.volturno.retreats import Retreat


def going_back(seeds: int) -> Iterator[Match]:
    """Matches with open counters, at questions of where to go back: both sides know the same."""
    for seed in range(seeds):
        match = Match.begin(ruleset("volturno", "short", {"open_counters": "true"}), seed_bytes(seed))
        rng = Random(seed)
        while match.decision is not None:
            if match.decision.kind in ("retreat", "break_off"):
                yield match
            match.play(eager(match, rng))


def is_met(match: Match, unit: int, h: int) -> bool:
    """Does the enemy come to choose whether he fires at or attacks the unit that has gone back to this hex?"""
    frame = match.state.frames[-1] if match.state.frames else None
    if frame is None or frame.name != "react" or frame.args[:3] != (unit, "retreat", h):
        return False
    return any(isinstance(one, Shoot | Counter) for one in match.legal())


def test_each_hex_is_told_as_safe_or_under_fire_as_it_turns_out() -> None:
    found = {True: 0, False: 0}
    for match in going_back(8):
        rules: Any = match.rules
        unit = match.state.frames[-1].args[0]
        for action in match.legal():
            if not isinstance(action, Retreat | BreakOff) or not action.to:
                continue
            told: Any = match.odds(action)
            assert all(sum(row.counts) == told.of for row in told.rows)
            if any(fact.key == "ford" for fact in told.facts):
                continue  # the check of the ford may rout it before anybody fires
            after = match.copy()
            after.play(action)
            safe = told.facts[-1].key == "unharmed"
            assert safe != is_met(after, unit, rules.grid.index[action.to]), action
            found[safe] += 1
    assert min(found.values()) > 3, found
