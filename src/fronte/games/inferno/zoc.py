"""Chapter 6, zones of control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.games.inferno.infiltration import slips_through
from fronte.games.inferno.state import UNKNOWN, State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def zoc(rules: Inferno, state: State, side: int) -> int:
    """6, 6.1: the hexes in the zone of control of a side."""
    known = state.zoc[side]
    if known == UNKNOWN:
        known = zoc_of(rules, side, state.zocs[side])
        state.zoc[side] = known
    return known


def zoc_of(rules: Inferno, side: int, hexes: int) -> int:
    """6.1: the zone of control of units of a side that stand in these hexes."""
    return rules.board.zone[side](hexes)


def supply_barrier(rules: Inferno, state: State, side: int) -> int:
    """6.2, 11.3: hexes through which a side cannot trace supply: enemies, and enemy zones where it has no unit."""
    return state.occ[1 - side] | (zoc(rules, state, 1 - side) & ~state.occ[side])


def road_barrier(rules: Inferno, state: State, side: int) -> int:
    """4.5.1/6.3.a: hexes where a side cannot use roads: enemy zones, or by option hexes next to any enemy unit."""
    if not rules.roads_shun_enemies:
        return zoc(rules, state, 1 - side)
    return rules.board.beside(state.occ[1 - side])


def enter_exit_cost(rules: Inferno, state: State, unit: int, a: int, b: int, enemy_zoc: int) -> int:
    """6.3: what enemy zones add to a step from a to b. Friends do not negate them (6.3.a/6.3)."""
    leaving, entering = enemy_zoc >> a & 1, enemy_zoc >> b & 1
    if leaving and entering:
        if slips_through(rules, state, unit, a, b):
            return rules.mp["enter_ezoc"]
        return rules.mp["ezoc_to_ezoc"]
    if leaving:
        return rules.mp["exit_ezoc"]
    return rules.mp["enter_ezoc"] if entering else 0
