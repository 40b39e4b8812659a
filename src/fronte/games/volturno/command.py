"""5: command. Who is within reach of his commander, and who is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.event import Event
from fronte.games.volturno.counters import HALVES, SIDES
from fronte.games.volturno.reaction_zones import zone_of
from fronte.games.volturno.state import State

if TYPE_CHECKING:
    from fronte.games.volturno.printed import VolturnoPrinted

REMEMBERED = 256
"""So many answers are kept: more than a turn asks for, since commanders mostly stay where no enemy comes near."""


def radius(rules: VolturnoPrinted, state: State, leader: int, points: int) -> dict[int, int]:
    """5.2, 5.2.1: the hexes to which a commander can trace so many halves of a point, and what each costs.

    5.2.2: not over water without a bridge (by option not on from a hex beside it either), nor through an enemy zone
    in a hex without a unit of his own side. Remembered, since the same is asked many times before anything changes
    near him; not to be changed by who asks.
    """
    side, ways = rules.side[leader], rules.ground.command_ways
    barred = zone_of(rules, state, 1 - side) & ~state.occ[side]
    if not rules.trace_through_enemy:
        barred |= state.occ[1 - side]
    per_hex, per_road = rules.command_cost
    start, ends = state.at[leader], rules.ground.command_ends
    least = min(per_hex, per_road)
    barred &= rules.grid.within(start, points // least)  # farther away it does not matter
    asked = (start, points, barred)
    found = rules.traced.get(asked)
    if found is not None:
        return found
    cost = {start: 0}
    shut: list[int] = []
    buckets: list[list[int]] = [[] for _ in range(points + 1)]
    buckets[0].append(start)
    for spent, bucket in enumerate(buckets[: max(0, points - least + 1)]):  # from the others nothing is left
        for here in bucket:
            if cost[here] != spent or (ends >> here & 1 and here != start):
                continue
            for there, half in ways[here]:
                total = spent + (per_road if half else per_hex)
                if total > points:
                    continue
                known = cost.get(there)
                if known is None:
                    if barred >> there & 1:
                        cost[there] = 0  # nothing is cheaper, so that it is not looked at again
                        shut.append(there)
                        continue
                elif known <= total:
                    continue
                cost[there] = total
                buckets[total].append(there)
    for h in shut:
        del cost[h]
    if len(rules.traced) >= REMEMBERED:
        rules.traced.clear()
    rules.traced[asked] = cost
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


def check_command(rules: VolturnoPrinted, state: State, out: list[Event]) -> None:
    """4.B1, 5.1: mark every unit that is out of its commander's reach; this holds for the whole turn."""
    state.ooc = 0
    for formation, units in enumerate(rules.members):
        leader = rules.leader_of[formation]
        there = [unit for unit in units if state.at[unit] >= 0]
        if not there:
            continue
        reach = radius(rules, state, leader, rules.command_radius) if state.at[leader] >= 0 else {}
        for unit in there:
            if state.at[unit] not in reach:
                state.ooc |= 1 << unit
    for side, name in enumerate(SIDES):
        count = sum(1 for unit in rules.units_of_side[side] if state.ooc >> unit & 1)
        out.append(Event("command", ("4.B1", "5.1"), {"side": name, "out": count}))
