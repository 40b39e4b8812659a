"""Standing orders for one hex alone: there they answer, elsewhere the seat is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import fronte
from fronte.engine import standing
from fronte.games.caporetto import marching
from fronte.games.volturno import reactions


def target(match: fronte.Match) -> set[str]:
    return {match.rules.hex_id(match.state.battle.target)}  # type: ignore[attr-defined]


def watching(match: fronte.Match) -> set[str]:
    found = reactions.watchers(match.rules, match.state, match.state.frames[-1])  # type: ignore[arg-type]
    return {match.rules.grid.ids[match.state.at[unit]] for unit in found}


def firing(match: fronte.Match) -> set[str]:
    rules: Any = match.rules
    return {rules.hex_id(match.state.at[unit]) for unit in marching.firers(rules, match.state, match.state.frames[-1])}


def assaulted(match: fronte.Match) -> set[str]:
    return {match.rules.grid.ids[match.state.frames[-1].args[0]]}


def asked(game: str, scenario: str, kind: str, hexes: Callable[[fronte.Match], set[str]]) -> fronte.Match:
    """A match in which such a question is open, and is about one hex or two."""
    for seed in range(12):
        match, rng = fronte.new(game, scenario, seed), Random(seed)
        while match.decision is not None and len(match.entries) < 900:
            if match.decision.kind == kind and 0 < len(hexes(match)) <= 2:
                return match
            match.play(match.sample(rng))
    raise AssertionError(f"{kind} is never asked")


@pytest.mark.parametrize(
    ("which", "part", "kind", "hexes", "orders"),
    [
        ("isonzo", "", "support", target, ("all", "none")),
        ("altipiani", "", "support", target, ("all", "none")),
        ("volturno", "", "react", watching, ("hold",)),
        ("caporetto", "cividale", "infiltration", firing, ("fire", "hold")),
        ("caporetto", "cividale", "withdraw", assaulted, ("remain", "leave")),
    ],
)
def test_an_order_for_one_hex(
    which: str, part: str, kind: str, hexes: Callable[[fronte.Match], set[str]], orders: tuple[str, ...]
) -> None:
    match = asked(which, part, kind, hexes)
    frame, here = match.state.frames[-1], sorted(hexes(match))
    elsewhere = next(name for name in match.rules.grid.index if name not in here)

    def answered(order: str) -> Any:
        return standing.answered(match.rules, match.state, frame, order)

    for order in orders:
        assert answered(f"{order} at={elsewhere}") is None
        given = [answered(f"{order} at={name}") for name in here]
        action = next((one for one in given if one is not None), None)
        if len(here) == 1 or kind != "react":
            assert action is not None and match.why_not(action) is None
        assert answered(f"{order} at={elsewhere}; {order}") == answered(order)
