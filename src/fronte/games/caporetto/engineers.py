"""17.1, 19, 21.1: engineers. Trenches that are repaired, bridges that are blown, repaired and built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.event import Event
from fronte.games.caporetto.state import State, forget_zones, zone_of
from fronte.games.caporetto.terrain import AHG, ISONZO, ITALIAN
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted

Span = tuple[int, int]
"""The two hexes of a bridge, or twice that of a trench: what engineers work at."""


def idle(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """17.3, 19.3: the engineers of a force on the map that do not work yet."""
    mine = rules.engineers & rules.of_force[force] & ~state.working
    return [unit for unit in bits(mine) if state.at[unit] >= 0]


# 17.1 to 17.3: trenches


def is_damaged(rules: CaporettoPrinted, state: State, side: int, h: int) -> bool:
    """17.1, 17.8: has a side a trench in this hex, or along one of its hexsides, that is below its printed level?"""
    if rules.ground.trench[side] & state.lowered & 1 << h:
        return True
    return any(
        trench.hex == h and trench.owner == side and level < trench.level
        for trench, level in zip(rules.ground.side_trenches, state.side_trenches, strict=True)
    )


def can_repair_trench(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """17.1: an engineer in a hex with a damaged trench of its own side."""
    return bool(rules.engineers >> unit & 1) and is_damaged(rules, state, rules.side[unit], state.at[unit])


def repair_price(rules: CaporettoPrinted, side: int, hexes: int) -> int:
    """17.2, 24.9.3: logistic points for repairs in so many hexes; the AHG pays nothing."""
    return 0 if side == AHG else -(-hexes // rules.tables.number("logistics", "repair_each"))


# 19.2: bridges are blown


def can_blow(rules: CaporettoPrinted, state: State, unit: int, bridge: int) -> bool:
    """19.2, 25.9.1: may a pontoon engineer try to blow a bridge? It is within two hexes of it, and what lies between is
    free of enemies and their zones, or held by a friend."""
    if not rules.pontoons >> unit & 1 or not state.standing >> bridge & 1:
        return False
    if not rules.scene.opening.demolition and state.turn == rules.scene.first_turn:
        return False
    here, one = state.at[unit], rules.ground.bridges[bridge]
    far = min(rules.grid.distance(here, end) for end in (one.a, one.b))
    if far <= 1:
        return True
    if far > rules.bridge_reach:
        return False
    side = rules.side[unit]
    friends = state.occ[side] | state.guns[side]
    shut = state.occ[1 - side] | state.guns[1 - side] | zone_of(rules, state, 1 - side) & ~friends
    ends = 1 << one.a | 1 << one.b
    between = rules.grid.ring[here] & rules.ground.around(ends) & rules.ground.extent
    return bool(between & ~shut)


def blows(rules: CaporettoPrinted, die: int) -> bool:
    """19.2: on a 1 to 4."""
    return die <= rules.bridge_blown


def blow(rules: CaporettoPrinted, state: State, bridge: int, rule: str, out: list[Event]) -> None:
    """19.2, 19.2.2: it is gone, with its road and the zones over it."""
    state.standing &= ~(1 << bridge)
    forget_zones(state)
    one = rules.ground.bridges[bridge]
    out.append(Event("bridge_blown", (rule,), {"hexes": [rules.grid.ids[one.a], rules.grid.ids[one.b]]}))


def charged(rules: CaporettoPrinted, state: State, unit: int, h: int) -> list[int]:
    """19.2.1: the bridges for which a die is thrown, since the first unit of the AHG has moved to one of their ends, or
    by option next to one."""
    if rules.side[unit] != AHG:
        return []
    near = rules.grid.ring[h] if rules.option["bridge_adjacent"] == "ring" else 0
    near |= 1 << h
    return [
        number
        for number, bridge in enumerate(rules.ground.bridges)
        if bridge.charged
        and not state.tested >> number & 1
        and state.standing >> number & 1
        and near & (1 << bridge.a | 1 << bridge.b)
    ]


def approach(rules: CaporettoPrinted, state: State, bridge: int, die: int, out: list[Event]) -> None:
    """19.2.1: on a 1 to 3 it goes up; one die for each bridge and game."""
    state.tested |= 1 << bridge
    if die <= rules.bridge_approach:
        blow(rules, state, bridge, "19.2.1", out)


# 19.3: bridges are repaired and built


def spans(rules: CaporettoPrinted, state: State, unit: int) -> list[Span]:
    """19.3, 21.1: the bridges at which an engineer could begin to work: at one of its ends, with no enemy at the other.

    All repair bridges of other rivers, pontoon engineers those of the Isonzo too; and these may build new ones there,
    unless an option forbids it.
    """
    ground, here = rules.ground, state.at[unit]
    pontoon = rules.pontoons >> unit & 1
    side = rules.side[unit]
    enemies = state.occ[1 - side] | state.guns[1 - side]
    taken = {(min(a, b), max(a, b)) for _, a, b in state.works}
    found = []
    for way, there in ground.ways_from(here):
        span = (min(here, there), max(here, there))
        if not ground.water[way] or enemies >> there & 1 or span in taken or not ground.extent >> there & 1:
            continue
        isonzo, bridge = ground.water[way] == ISONZO, ground.bridge[way]
        if bridge >= 0:
            broken = not state.standing >> bridge & 1
            if broken and (pontoon or not isonzo):
                found.append(span)
        elif isonzo and pontoon and rules.option["new_bridges"] and span not in state.built:
            found.append(span)
    return found


def begin_work(rules: CaporettoPrinted, state: State, unit: int, span: Span, out: list[Event]) -> None:
    """17.3, 19.3: an engineer is turned to its working side."""
    state.working |= 1 << unit
    state.works = (*state.works, (unit, *span))
    rule = "17.3" if span[0] == span[1] else "19.3"
    out.append(Event("works", (rule,), {"unit": rules.ids[unit], "hexes": [rules.grid.ids[h] for h in span]}))


def stop_work(rules: CaporettoPrinted, state: State, unit: int, out: list[Event]) -> None:
    """17.3, 19.3: it has moved away, assaulted, been assaulted or hit: what it worked at is lost."""
    if not state.working >> unit & 1:
        return
    state.working &= ~(1 << unit)
    state.works = tuple([work for work in state.works if work[0] != unit])
    out.append(Event("work_stopped", ("17.3",), {"unit": rules.ids[unit]}))


def finish_trenches(rules: CaporettoPrinted, state: State, force: int, out: list[Event]) -> None:
    """4.0-5.1, 17.3: trenches at which engineers have worked since the last turn gain a level."""
    for unit, h, other in state.works:
        if h == other and rules.force[unit] == force:
            _restore(rules, state, rules.side[unit], h)
            _rest(state, unit)
            out.append(Event("trench_repaired", ("17.3",), {"hex": rules.grid.ids[h]}))


def _restore(rules: CaporettoPrinted, state: State, side: int, h: int) -> None:
    """17.1: one level, never above what is printed; along hexsides each of the hex's own."""
    state.lowered &= ~(1 << h)
    state.side_trenches = tuple(
        [
            min(trench.level, level + 1) if trench.hex == h and trench.owner == side else level
            for trench, level in zip(rules.ground.side_trenches, state.side_trenches, strict=True)
        ]
    )
    forget_zones(state)


def finish_bridges(rules: CaporettoPrinted, state: State, force: int, out: list[Event]) -> None:
    """4.0-5.4, 19.3: bridges at which engineers have worked since the last turn are complete, unless an enemy is at the
    other end."""
    for unit, a, b in state.works:
        if a == b or rules.force[unit] != force:
            continue
        side = rules.side[unit]
        enemies = state.occ[1 - side] | state.guns[1 - side]
        _rest(state, unit)
        if enemies & (1 << a | 1 << b):
            out.append(Event("work_stopped", ("19.3",), {"unit": rules.ids[unit]}))
            continue
        bridge = rules.ground.bridge[rules.ground.way(a, b)]
        if bridge >= 0:
            state.standing |= 1 << bridge
        else:
            state.built = (*state.built, (a, b))
        forget_zones(state)
        out.append(Event("bridge_ready", ("19.3",), {"hexes": [rules.grid.ids[a], rules.grid.ids[b]]}))


def _rest(state: State, unit: int) -> None:
    state.working &= ~(1 << unit)
    state.works = tuple([work for work in state.works if work[0] != unit])


def may_begin_building(rules: CaporettoPrinted, state: State) -> int:
    """25.8: the engineer that may begin the game at work on its bridge, if no Italian is beyond; -1 for none."""
    scene = rules.scene
    if not scene.builder or state.occ[ITALIAN] >> scene.building_empty & 1:
        return -1
    return rules.number[scene.builder]
