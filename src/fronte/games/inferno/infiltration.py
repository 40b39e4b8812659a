"""Infiltration (chapter 12.4 of Isonzo; Altipiani has none): what these units may do and others may not.

That some of them recover is an option of Isonzo (`infiltration_recovers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fronte.games.inferno.state import State
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def slips_through(rules: Inferno, state: State, unit: int, a: int, b: int) -> bool:
    """12.4.a: does the unit go between two hexes in the zone of the same enemy unit? That costs it less."""
    if not rules.infiltrates[unit]:
        return False
    enemy = 1 - rules.side[unit]
    both = rules.board.grid.ring[a] & rules.board.grid.ring[b] & state.zocs[enemy]
    reach = rules.board.zoc_from[enemy]
    return any(reach[h] >> a & 1 and reach[h] >> b & 1 for h in bits(both))


def uses_any_road(rules: Inferno, unit: int) -> bool:
    """12.4.b: enemy zones do not bar roads to it."""
    return rules.infiltrates[unit]


def ignores_trenches(rules: Inferno, unit: int) -> bool:
    """12.4.c: connected enemy trenches (6.3.1) do not stop it."""
    return rules.infiltrates[unit]


def takes_part(rules: Inferno, units: Iterable[int]) -> bool:
    """12.4.d, 12.4.e: is it a flank attack because of these attackers, without the loss modifier of a trench?"""
    return any(rules.infiltrates[unit] for unit in units)


def suffers_first(rules: Inferno, units: Iterable[int], attacking: bool) -> tuple[int, ...]:
    """12.4.f: those of the attackers who bear the first reductions."""
    return tuple(unit for unit in units if attacking and rules.infiltrates[unit])


def has_suffered_first(units: Sequence[int], hits: Sequence[int], first: Sequence[int]) -> bool:
    """12.4.f: do the first reductions fall on these units, as far as there are enough for all of them?"""
    struck = sum(1 for unit, taken in zip(units, hits, strict=True) if taken and unit in first)
    return struck >= min(len(first), sum(hits))
