"""7.1.4: who alone can carry out a declared attack is told so, whatever he asks for."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from eager import eager

import fronte
from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.engine.whynot import WhyNot
from fronte.games.volturno.assault import target_of


@cache
def bound() -> tuple[tuple[Match, str, str], ...]:
    """Matches in which a unit has to see to a marker, and a hex next to it to which it may not go for that."""
    found: list[tuple[Match, str, str]] = []
    for seed in range(20):
        match, rng = Match.begin(fronte.ruleset("volturno", "short"), seed_bytes(seed)), Random(seed)
        while match.decision is not None and len(match.entries) < 250 and len(found) < 4:
            if match.decision.kind == "act":
                found += [(match.copy(), *one) for one in barred(match)[:1]]
            match.play(eager(match, rng))
    return tuple(found)


def barred(match: Match) -> list[tuple[str, str]]:
    rules: Any = match.rules
    if not match.state.markers:
        return []
    steps = [
        (unit, h)
        for unit in match.offer["units"]
        for h in rules.hex_ids(rules.grid.adjacent[match.state.at[rules.number[unit]]])
    ]
    why = [match.why_not({"do": "move", "unit": unit, "path": [h]}) for unit, h in steps]
    return [one for one, said in zip(steps, why, strict=True) if said is not None and said.key == "marker_waits"]


def test_a_hex_that_it_may_not_go_to_is_refused_with_the_true_reason() -> None:
    assert bound()
    for match, unit, h in bound():
        assert match.decision is not None
        why = match.why_not_there(match.decision.seat, unit, h)
        assert isinstance(why, WhyNot)
        assert [(one.refusal.key, one.refusal.rule) for one in why.own.obstacles] == [("marker_waits", "7.1.4")]
        assert why.gone == 0


def test_the_attack_that_is_owed_is_named() -> None:
    for match, unit, h in bound():
        rules: Any = match.rules
        why = match.why_not({"do": "move", "unit": unit, "path": [h]})
        assert why is not None
        assert why.data["hex"] in {rules.grid.ids[target_of(rules, marker)] for marker in match.state.markers}
        assert why.data["hex"] in rules.texts("it").refusal(why)
