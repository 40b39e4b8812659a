"""5: command. Who is within reach of his commander, and who is not."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from fronte.engine.event import Event
from fronte.games.volturno.counters import HALVES, SIDES
from fronte.games.volturno.reaction_zones import zone_of
from fronte.games.volturno.state import State

if TYPE_CHECKING:
    from fronte.games.volturno.printed import VolturnoPrinted

REMEMBERED = 64
"""So many answers are kept: more than are asked for between two steps."""


def radius(rules: VolturnoPrinted, state: State, leader: int, points: int) -> dict[int, int]:
    """5.2, 5.2.1: the hexes to which a commander can trace so many halves of a point, and what each costs.

    Remembered, since the same is asked many times before anything moves; not to be changed by who asks.
    """
    start, barred = state.at[leader], _barred(rules, state, rules.side[leader])
    asked = (start, points, barred)
    found = rules.traced.get(asked)
    if found is None:
        found = _traced(rules, start, points, barred)
        if len(rules.traced) >= REMEMBERED:
            rules.traced.clear()
        rules.traced[asked] = found
    return found


def _barred(rules: VolturnoPrinted, state: State, side: int) -> int:
    """5.2.2: where command is not traced: in an enemy zone without a unit of his own side, nor through enemies."""
    barred = zone_of(rules, state, 1 - side) & ~state.occ[side]
    return barred if rules.trace_through_enemy else barred | state.occ[1 - side]


def _traced(
    rules: VolturnoPrinted, start: int, points: int, barred: int, wanted: Collection[int] = ()
) -> dict[int, int]:
    """5.2.2: what each hex costs; not over water without a bridge (by option not on from a hex beside it either). Where
    hexes are wanted, the others are left out that cost more than these."""
    ways, ends, (per_hex, per_road) = rules.ground.command_ways, rules.ground.command_ends, rules.command_cost
    cost, shut, missing = {start: 0}, list[int](), set(wanted)
    buckets: list[list[int]] = [[] for _ in range(points + 1)]
    buckets[0].append(start)
    for spent, bucket in enumerate(buckets):
        if missing:
            missing.difference_update(bucket)
            if not missing:
                break
        for here in bucket:
            if cost[here] != spent or (ends >> here & 1 and here != start):
                continue
            for there, half in ways[here]:
                total = spent + (per_road if half else per_hex)
                known = cost.get(there)
                if known is None:
                    if barred >> there & 1:
                        cost[there] = 0  # nothing is cheaper, so that it is not looked at again
                        shut.append(there)
                        continue
                elif known <= total:
                    continue
                if total <= points:
                    cost[there] = total
                    buckets[total].append(there)
    for h in shut:
        del cost[h]
    return cost


def in_reach_of_chief(rules: VolturnoPrinted, state: State, leader: int) -> bool:
    """2.2.2, 6.1.4: a formation commander within the radius of his commander in chief."""
    chief = rules.chief[rules.side[leader]]
    return chief >= 0 and is_near(rules, state, chief, leader, rules.counters[chief].command)


def is_near(rules: VolturnoPrinted, state: State, one: int, other: int, points: int) -> bool:
    """Is a commander within so many points of another, traced as 5.2 says, or in hexes by option?"""
    there = state.at[other]
    if state.at[one] < 0 or there < 0:
        return False
    away = rules.grid.distance(state.at[one], there)
    if rules.option["cic_radius_metric"] == "hexes":
        return away <= points
    if away * min(rules.command_cost) > points * HALVES:
        return False  # farther than any road could bring him
    return there in radius(rules, state, one, points * HALVES)


def _in_reach(rules: VolturnoPrinted, state: State, leader: int, hexes: set[int]) -> Collection[int]:
    """5.1: those of some hexes, and others, that are in the radius of a commander."""
    start, points = state.at[leader], rules.command_radius
    far = points // min(rules.command_cost)  # no road brings him farther
    near = [h for h in hexes if rules.grid.distance(start, h) <= far]
    return _traced(rules, start, points, _barred(rules, state, rules.side[leader]), near) if near else ()


def check_command(rules: VolturnoPrinted, state: State, out: list[Event]) -> None:
    """4.B1, 5.1: mark every unit that is out of its commander's reach; this holds for the whole turn."""
    state.ooc = 0
    for formation, units in enumerate(rules.members):
        leader = rules.leader_of[formation]
        there = [unit for unit in units if state.at[unit] >= 0]
        if not there:
            continue
        reached = _in_reach(rules, state, leader, {state.at[unit] for unit in there}) if state.at[leader] >= 0 else ()
        for unit in there:
            if state.at[unit] not in reached:
                state.ooc |= 1 << unit
    for side, name in enumerate(SIDES):
        count = sum(1 for unit in rules.units_of_side[side] if state.ooc >> unit & 1)
        out.append(Event("command", ("4.B1", "5.1"), {"side": name, "out": count}))
