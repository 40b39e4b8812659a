"""Caporetto with nobody on the map, places on its board of which something is true, and units put there by name."""

from __future__ import annotations

from collections.abc import Callable

from caporetto_positions import field

from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.games.caporetto.printed import CaporettoPrinted
from fronte.games.caporetto.state import State, put
from fronte.hexes.grid import DIRECTIONS

__all__ = ["PLAIN", "around", "deploy", "field", "kinds", "rule_of", "ways"]

PLAIN = "2102"
"""A hex with six neighbours, all of them clear and of one level, with nothing between them."""


def ways(rules: CaporettoPrinted, fits: Callable[[int, int, int], bool]) -> list[tuple[int, int]]:
    """The ways, as two hexes, of which something is true: by way, from and to."""
    found = []
    for way in range(rules.grid.size * DIRECTIONS):
        here, there = way // DIRECTIONS, rules.grid.neighbours[way // DIRECTIONS][way % DIRECTIONS]
        inside = there >= 0 and rules.ground.extent >> there & 1 and rules.ground.extent >> here & 1
        if inside and fits(way, here, there):
            found.append((here, there))
    assert found
    return found


def around(rules: CaporettoPrinted, centre: str = PLAIN) -> tuple[int, ...]:
    """A hex and its six neighbours: 0 is itself, 1 to 6 are the directions."""
    h = rules.grid.index[centre]
    return h, *rules.grid.neighbours[h]


def deploy(rules: CaporettoPrinted, state: State, h: int, *names: str) -> list[int]:
    """Put units into a hex, as they are printed."""
    units = [rules.number[name] for name in names]
    for unit in units:
        put(rules, state, unit, h)
        state.lost[unit] = state.dp[unit] = 0
    return units


def kinds(out: list[Event]) -> list[str]:
    """What has happened, by the names of events."""
    return [event.kind for event in out]


def rule_of(refusal: Refusal | None) -> str:
    """The rule by which something is refused; empty if it is not."""
    return refusal.rule if refusal else ""
