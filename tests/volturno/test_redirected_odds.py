"""7.1.5: where a marker could lie and point now is told with what an attack from there would bring."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from eager import eager

from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.games.registry import ruleset
from fronte.games.volturno.assault import Assault
from fronte.games.volturno.declarations import Redirect


def test_a_redirected_marker_has_the_odds_of_the_attack_that_follows() -> None:
    same = asked = 0
    for seed in range(30):
        match = Match.begin(ruleset("volturno", "short", {"open_counters": "true"}), seed_bytes(seed))
        rules: Any = match.rules
        rng = Random(seed)
        while match.decision is not None:
            for action in match.legal() if match.decision.kind == "redirect" else ():
                owner = match.state.markers[match.state.frames[-1].args[0]][3]
                told: Any = match.odds(action) if isinstance(action, Redirect) and action.target else None
                if told is not None and told.of:
                    assert all(sum(row.counts) == told.of for row in told.rows)
                    asked += 1
                    after = match.copy()
                    after.play(action)
                    same += agrees(after, told, Assault(rules.ids[owner], action.target))
            match.play(eager(match, rng))
        if same > 3:
            break
    assert asked > same > 3


def agrees(match: Match, told: Any, attack: Assault) -> bool:
    """Can whoever laid the marker attack from it at once, and is that told alike?"""
    if match.decision is None or match.decision.kind != "act" or match.why_not(attack) is not None:
        return False
    assert won(match.odds(attack)) == won(told)
    return True


def won(sheet: Any) -> list[Fraction]:
    return next([Fraction(n, sheet.of) for n in row.counts] for row in sheet.rows if row.what == "victory")
