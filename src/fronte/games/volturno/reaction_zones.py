"""3: zones of reaction, fronts and rears."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.games.volturno.state import UNKNOWN, State

if TYPE_CHECKING:
    from fronte.games.volturno.printed import VolturnoPrinted


def zone_of(rules: VolturnoPrinted, state: State, side: int) -> int:
    """3, 3.p2: the hexes in a zone of reaction of a side; units in column have none."""
    found = state.zor[side]
    if found == UNKNOWN:
        found, zone, column = 0, rules.ground.zone, state.column
        for unit in rules.units_of_side[side]:
            h = state.at[unit]
            if h >= 0 and not column >> unit & 1:
                found |= zone[h]
        state.zor[side] = found
    return found


def in_enemy_zone(rules: VolturnoPrinted, state: State, side: int, h: int) -> bool:
    """3.1.2: is this hex in a zone of the other side?"""
    return bool(zone_of(rules, state, 1 - side) >> h & 1)


def projecting(rules: VolturnoPrinted, state: State, side: int, h: int) -> list[int]:
    """12.1: the units of a side into whose zone of reaction this hex falls, hex by hex and as they lie."""
    found = []
    zone = rules.ground.zone
    for other in rules.grid.adjacent[h]:
        if state.occ[side] >> other & 1 and zone[other] >> h & 1:
            found += [unit for unit in state.stacks[other] if not state.column >> unit & 1]
    return found


def reaches(rules: VolturnoPrinted, state: State, source: int, h: int) -> bool:
    """3.2: does a zone reach from one hex into another?"""
    stack = state.stacks.get(source, ())
    return bool(rules.ground.zone[source] >> h & 1) and any(not state.column >> unit & 1 for unit in stack)


def is_in_front(rules: VolturnoPrinted, state: State, unit: int, h: int) -> bool:
    """3.1.1, 3.1.1.p1, gap.front-arc: is this hex, near or far, before a unit?"""
    return rules.ground.facings.is_before(state.at[unit], state.facing[unit], h)


def look(rules: VolturnoPrinted, state: State, unit: int, facing: int) -> None:
    """3.1, 3.1.p1: a unit turns; where a hex has one facing (an option) all that are in it turn."""
    state.facing[unit] = facing
    if rules.one_facing:
        for other in state.stacks.get(state.at[unit], ()):
            state.facing[other] = facing


def is_adjacent_to_enemy(rules: VolturnoPrinted, state: State, unit: int) -> bool:
    """8.6, 13.3: next to an enemy combat unit, zone or not."""
    return bool(rules.grid.ring[state.at[unit]] & state.occ[1 - rules.side[unit]])
