"""8: movement. Steps, costs, facing, columns and guns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fronte.engine.decision import AUTO, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter
from fronte.games.common.positions import HEXES, UNIT
from fronte.games.volturno import commanders, special
from fronte.games.volturno.cohesion import call_check
from fronte.games.volturno.counters import COMPASS, GARIBALDINI, HALVES, LIGHT, RUIZ, SIDES
from fronte.games.volturno.fog import FOLLOWS, MARKERS, note_contact, shown_from, tell, who_knows
from fronte.games.volturno.reaction_zones import in_enemy_zone, look, projecting, zone_of
from fronte.games.volturno.state import NOBODY, State, place
from fronte.games.volturno.terrain import CLOSED, STREAM
from fronte.hexes import bits, trace
from fronte.hexes.facing import turn
from fronte.hexes.grid import OFF_MAP

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
T = TypeVar("T")
AS_IT_GOES, KEPT = FOLLOWS, -2
"""A facing that follows the steps, and one that does not change (10.1.2)."""
ASSAULT, CHARGE = range(len(MARKERS))
NO_MARKER = -1
LONGEST = 40
"""More hexes than any unit enters in a move."""
_NOBODY_THERE: Mapping[int, Sequence[int]] = {}
STOP = -1
"""In place of targets: whoever comes here goes no farther."""
FULL, OFF_ROAD, ON_ROAD = range(3)
FORMS = ("line", "column")
UNIT_ARG = Argument("unit", UNIT)


# Costs


def is_column(state: State, unit: int) -> bool:
    """8.3, 8.4: in column, or limbered."""
    return bool(state.column >> unit & 1)


def in_other_form(state: State, unit: int, find: Callable[[], T]) -> T:
    """8.3.p1: what is found if a unit first forms column, or leaves it, as it may when its action begins."""
    state.column ^= 1 << unit
    try:
        return find()
    finally:
        state.column ^= 1 << unit


def road_rate(rules: Volturno, state: State, unit: int, way: int, there: int) -> int:
    """8.3, 8.3.2, 8.5: what a step along a road or path costs; 0 if there is none, or if it is too full."""
    rate = rules.ground.road_cost[way]
    if not rate or unit in rules.leader_set:
        return rate
    if not state.column >> unit & 1:
        return CLOSED
    stack = state.stacks.get(there)
    if stack and rules.side[stack[0]] == rules.side[unit]:  # 11.1.p1: enemies there are attacked, not joined
        stacking = rules.stacking
        if sum([stacking[other] for other in stack if other != unit]) + stacking[unit] > rules.most_on_road:
            return CLOSED
    return rate


def step_cost(rules: Volturno, state: State, unit: int, here: int, there: int) -> int:
    """8.p1: halves of a point for a step; 0 where the way is closed to it. Guns move limbered only (8.4)."""
    column = state.column >> unit & 1
    if not column and unit in rules.gun_set:
        return CLOSED
    ground = rules.ground
    way = ground.way(here, there)
    return road_rate(rules, state, unit, way, there) or ground.cost[rules.foot[unit][column]][way]


def allowance(rules: Volturno, state: State, unit: int) -> int:
    """2.1.3, 6.2: its movement in halves; a cautious commander lets his units move half."""
    points = rules.points[unit]
    cautious = state.row == "cautious" and rules.is_acting(state) and rules.side[unit] == state.active
    return points // 2 if cautious else points


def left_of(rules: Volturno, state: State, unit: int) -> int:
    """The halves that a unit can still spend."""
    return state.left if state.mover == unit else allowance(rules, state, unit)


def origin(state: State, unit: int) -> int:
    """5.1.1, 15.8.1: the hex in which the action of a unit began, or would begin now."""
    return state.origin if state.mover == unit else state.at[unit]


# Steps


def why_no_entry(rules: Volturno, state: State, unit: int, there: int) -> Refusal | None:
    """8.p2, 3.1.2, 6.3.1, 15.6, gap.map-edge: why a unit cannot be in a hex, whatever it costs."""
    side = rules.side[unit]
    if not rules.ground.extent >> there & 1:
        return Refusal("gap.map-edge", "off_the_field", _hex(rules, there))
    if state.occ[1 - side] >> there & 1:
        return Refusal("8.p2", "enemy_there", _hex(rules, there))
    if unit in rules.leader_set:
        if in_enemy_zone(rules, state, side, there) and not state.occ[side] >> there & 1:
            return Refusal("3.1.2.p2", "leader_in_zone", _hex(rules, there))
        return None
    if side == GARIBALDINI and rules.ground.capua >> there & 1:
        return Refusal("15.6", "capua_closed", _hex(rules, there))
    stack = state.stacks.get(there)
    if stack:
        stacking = rules.stacking
        others = sum([stacking[other] for other in stack if other != unit])
        if others and others + stacking[unit] > rules.most_stacked:
            return Refusal("6.3.1", "full", _hex(rules, there))
    return None


def _hex(rules: Volturno, h: int) -> dict[str, Any]:
    return {"hex": rules.grid.ids[h]}


def marker_for(state: State, unit: int) -> int:
    """gap.marker-kind, 10.3.p1: the kind of marker on which a unit that does not charge may enter an enemy zone; who
    moves as Exhausted has none."""
    spent = state.exhausted >> unit & 1 and any(f.name == "ride_off" and f.args[0] == unit for f in state.frames)
    return NO_MARKER if spent else ASSAULT


def why_no_zone(rules: Volturno, state: State, unit: int, there: int, kind: int = ASSAULT) -> Refusal | None:
    """3.1.2, 8.p5, 15.2.p4: an enemy zone is entered where an Assault or Charge marker lies, and never at night; each
    marker is for its own attack (gap.marker-kind)."""
    if unit in rules.leader_set or not in_enemy_zone(rules, state, rules.side[unit], there):
        return None
    if rules.is_night(state.turn):
        return Refusal("15.2.p4", "zone_at_night", _hex(rules, there))
    if (kind == NO_MARKER and rules.spent_pass) or opened_to(rules, state, unit, kind) >> there & 1:
        return None
    marked = kind != NO_MARKER and any(marker[1] == there for marker in state.markers)
    return Refusal("gap.marker-kind" if marked else "3.1.2", "in_zone", _hex(rules, there))


def opened_to(rules: Volturno, state: State, unit: int, kind: int) -> int:
    """gap.marker-kind: the hexes of markers that a unit can use: it can make the attack from there, or nobody is left
    to be attacked (7.1.5)."""
    found = 0
    if kind == NO_MARKER or unit in rules.gun_set:
        return found
    shoots = rules.counters[unit].kind == LIGHT and not state.out >> unit & 1
    for number, h, direction, _ in state.markers:
        if number == kind:
            target = rules.grid.neighbours[h][direction]
            empty = target < 0 or not state.occ[1 - rules.side[unit]] >> target & 1
            if empty or shoots or step_cost(rules, state, unit, h, target):
                found |= 1 << h
    return found


def goals(rules: Volturno, state: State, side: int, h: int, kind: int = ASSAULT) -> int:
    """7.1: the hexes with enemies at which the markers of a kind in a hex point."""
    found = 0
    for marker in state.markers:
        if marker[1] == h and marker[0] == kind and rules.grid.neighbours[h][marker[2]] >= 0:
            found |= 1 << rules.grid.neighbours[h][marker[2]]
    return found & state.occ[1 - side]


def is_bound(rules: Volturno, state: State, unit: int) -> int:
    """7.1.p2: the hexes one of which a unit under way still has to attack; none once their units are gone (8.7.3)."""
    return state.bound & state.occ[1 - rules.side[unit]] if state.mover == unit and state.steps else 0


def bound_in(rules: Volturno, state: State, side: int, h: int, bound: int, kind: int = ASSAULT) -> int:
    """3.1.2.p1, 7.1.p2: to what who enters a hex is bound there: to the targets of its markers, in an enemy zone; of
    those he was bound to before, unless an option lets any marker be passed."""
    if not in_enemy_zone(rules, state, side, h):
        return 0
    found = goals(rules, state, side, h, kind)
    return found & bound if bound and rules.passing != "true" else found


def why_no_passing(rules: Volturno, state: State, side: int, here: int, there: int, bound: int) -> Refusal | None:
    """3.1.2.p1: who has come into an enemy zone on a marker goes on to a marker for the same units, and no farther."""
    if not bound or (rules.passing != "false" and bound_in(rules, state, side, there, bound)):
        return None
    return Refusal("3.1.2.p1", "stops_there", {"hex": rules.grid.ids[here]})


def why_no_step(
    rules: Volturno, state: State, unit: int, here: int, there: int, left: int, first: bool, kind: int = ASSAULT
) -> Refusal | None:
    """8: why a unit cannot take a step; `first`: it has not moved yet, so that one hex is always possible (8.1)."""
    if there not in rules.grid.adjacent[here]:
        return Refusal("8", "not_adjacent", _hex(rules, there))
    why = why_no_entry(rules, state, unit, there) or why_no_zone(rules, state, unit, there, kind)
    if why is not None:
        return why
    cost = step_cost(rules, state, unit, here, there)
    if not cost:
        return why_closed(rules, state, unit, here, there)
    if cost > left and not (first and left > 0):
        return Refusal("8.p3", "too_dear", {**_hex(rules, there), "need": cost, "have": left})
    return None


def why_closed(rules: Volturno, state: State, unit: int, here: int, there: int) -> Refusal:
    """Why a way is closed to a unit."""
    counter, data = rules.counters[unit], {"hex": rules.grid.ids[there], "unit": rules.ids[unit]}
    way = rules.ground.way(here, there)
    if counter.is_artillery and not is_column(state, unit):
        return Refusal("8.4", "not_limbered", data)
    if rules.ground.bridge[way] and is_column(state, unit):
        return Refusal("8.3.2.p1", "bridge_full", data)
    if rules.ground.water[way] == STREAM:
        return Refusal("14.1.p2", "no_ford", data)
    if rules.ground.water[way]:
        return Refusal("14.1", "no_bridge", data)
    return Refusal("8.1", "forbidden", data)


class Going(NamedTuple):
    """What a unit finds on its way: the steps of its kind by hex, the hexes that enemies or rules close to it, and the
    enemy zones in which it stops, but for markers that lead on to their targets; and the targets it has already."""

    leads: list[tuple[tuple[int, int, int], ...]]
    closed: int
    zones: int
    links: Mapping[int, int]
    bound: int


def going(rules: Volturno, state: State, unit: int, opened: int = 0) -> Going:
    """8.p2, 8.p5, 3.1.2, 15.6: where a unit could go now, whatever it has left; `opened` are hexes that are looked at
    as if markers lay there."""
    side, ground = rules.side[unit], rules.ground
    leads = ground.leads[rules.foot[unit][state.column >> unit & 1]]
    zones, closed = zone_of(rules, state, 1 - side), state.occ[1 - side]
    if unit in rules.leader_set:
        return Going(leads, closed | zones & ~state.occ[side], 0, {}, 0)
    kind = marker_for(state, unit)
    if unit in rules.gun_set or rules.is_night(state.turn):
        opened = 0
    elif kind == NO_MARKER:
        opened = zones if rules.spent_pass else 0
    elif state.markers:
        opened |= opened_to(rules, state, unit, kind)
    closed |= zones & ~opened
    if side == GARIBALDINI:
        closed |= ground.capua
    if kind == NO_MARKER:
        return Going(leads, closed, 0, {}, 0)
    links = _links(rules, state, side, zones) if state.markers else {}
    return Going(leads, closed, zones, links, is_bound(rules, state, unit))


def _links(rules: Volturno, state: State, side: int, zones: int) -> dict[int, int]:
    """3.1.2.p1: the hexes of markers in enemy zones, and the targets of each; all where any marker may be passed."""
    found = {h: goals(rules, state, side, h) for k, h, _, _ in state.markers if k == ASSAULT and zones >> h & 1}
    if rules.passing == "true":
        everything = 0
        for mask in found.values():
            everything |= mask
        found = {h: everything if mask else 0 for h, mask in found.items()}
    return found


def room(rules: Volturno, state: State, unit: int, stack: Sequence[int]) -> int:
    """6.3.1, 8.3.2: is there room for a unit with these: none at all, only beside the road, or on the road too?"""
    stacking, total = rules.stacking, rules.stacking[unit]
    if not total:
        return ON_ROAD
    for other in stack:
        total += stacking[other]
    return FULL if total > rules.most_stacked else OFF_ROAD if total > rules.most_on_road else ON_ROAD


def first_steps(
    rules: Volturno, state: State, unit: int, opened: int = 0, roomy: bool = False
) -> list[tuple[int, int]]:
    """8, 8.1: the hexes into which a unit could go from where it is, each with its price, whatever it has left."""
    if unit in rules.gun_set and not state.column >> unit & 1:
        return []
    return _first_steps(rules, state, unit, going(rules, state, unit, opened), roomy)


def _first_steps(rules: Volturno, state: State, unit: int, ahead: Going, roomy: bool) -> list[tuple[int, int]]:
    leads, closed, _, links, held = ahead
    found: list[tuple[int, int]] = []
    if held and rules.passing == "false":
        return found
    stacks = _NOBODY_THERE if roomy else state.stacks
    for there, price, wide in leads[state.at[unit]]:
        if closed >> there & 1 or (held and held & ~links.get(there, 0)):
            continue
        if there in stacks:
            free = room(rules, state, unit, stacks[there])
            price = price if free == ON_ROAD else wide if free == OFF_ROAD else CLOSED
        if price:
            found.append((there, price))
    return found


def is_fresh(state: State, unit: int) -> bool:
    """8.1: has a unit not moved in its action, so that one hex is always possible, if it has anything left?"""
    return state.mover != unit or not state.steps


def spread(
    rules: Volturno, state: State, unit: int, opened: int = 0, roomy: bool = False, toward: int = 0, spare: int = 0
) -> tuple[dict[int, int], dict[int, int]]:
    """8, 8.1: what each hex in reach costs a unit, and the hex before it on the cheapest way; one hex is always
    possible. `roomy`: friends will make room (7.1.3). With a mask of goals only such hexes are looked at as may lead to
    one of them, or for this much more (`spare`).

    To ask for a single hex `comes_to` is quicker.
    """
    if unit in rules.gun_set and not state.column >> unit & 1:
        return {}, {}
    left, start, stacks = left_of(rules, state, unit), state.at[unit], _NOBODY_THERE if roomy else state.stacks
    ahead = going(rules, state, unit, opened)
    leads, closed, zones, links, bound = ahead
    least = rules.ground.least[rules.foot[unit][state.column >> unit & 1]]
    near = rules.grid.near(toward, (left + spare) // least) if toward else ()
    passes = rules.passing != "false"
    cost = {start: 0}
    before: dict[int, int] = {}
    shut: list[int] = []
    crowded: set[int] = set()
    buckets: list[list[int]] = [[] for _ in range(left + 1)]
    buckets[0].append(start)
    for spent, bucket in enumerate(buckets[: max(0, left - least + 1)]):  # from the others no step is left
        for here in bucket:
            if cost[here] != spent:
                continue
            ways = leads[here]
            if here == start or zones >> here & 1:
                # 3.1.2.p1: from a marker's hex in an enemy zone one goes on to a marker for the same units, if at all
                held = bound if here == start else links.get(here, STOP)
                if held:
                    ways = tuple([way for way in ways if passes and not held & ~links.get(way[0], 0)])
            for there, price, wide in ways:
                total = spent + price
                if total > left:
                    continue
                known = cost.get(there)
                if known is not None:
                    if known <= total:
                        continue
                else:
                    free = FULL if closed >> there & 1 else ON_ROAD
                    if free and there in stacks:
                        free = room(rules, state, unit, stacks[there])
                    if not free:
                        cost[there] = 0  # nothing is cheaper, so that it is not looked at again
                        shut.append(there)
                        continue
                    if free == OFF_ROAD:
                        crowded.add(there)
                if there in crowded:
                    total = spent + wide
                    if not wide or (known is not None and known <= total):
                        continue
                if total <= left and (not near or near[(left - total + spare) // least] >> there & 1):
                    cost[there] = total
                    before[there] = here
                    buckets[total].append(there)
    for h in shut:
        del cost[h]
    if left > 0 and is_fresh(state, unit):
        for there, _ in _first_steps(rules, state, unit, ahead, roomy):
            if there not in cost:
                cost[there], before[there] = left, start
    del cost[start]
    return cost, before


def comes_to(
    rules: Volturno, state: State, unit: int, goal: int, opened: int = 0, roomy: bool = False, spare: int = 0
) -> bool:
    """8, 8.1: could a unit come to this hex, and have so much left? What `spread` would find, sought first where the
    ground leads there soonest."""
    start, left, column = state.at[unit], left_of(rules, state, unit), state.column >> unit & 1
    if left <= 0 or (unit in rules.gun_set and not column):
        return False
    foot, most = rules.foot[unit][column], left - spare
    toward = rules.ground.toward(foot, goal, rules.most_points[foot])
    away = toward[start]
    beside = not spare and rules.grid.ring[start] >> goal & 1 and is_fresh(state, unit)
    if away > most and not beside:
        return False
    ahead = going(rules, state, unit, opened)
    leads, closed, zones, links, bound = ahead
    if closed >> goal & 1:
        return False
    if beside and any(there == goal for there, _ in _first_steps(rules, state, unit, ahead, roomy)):
        return True
    passes, stacks = rules.passing != "false", _NOBODY_THERE if roomy else state.stacks
    cost = {start: 0}
    done: set[int] = set()
    buckets: list[list[int]] = [[] for _ in range(most - away + 1)]
    """Hexes by how much more a way over them would cost than if nobody were there."""
    if buckets:
        buckets[0].append(start)
    for bucket in buckets:
        while bucket:
            here = bucket.pop()
            if here in done:
                continue
            done.add(here)
            held = bound if here == start else links.get(here, STOP) if zones >> here & 1 else 0
            if held and not passes:
                continue
            spent = cost[here]
            for there, price, wide in leads[here]:
                known = cost.get(there)
                if known is not None and known <= spent + price:
                    continue
                if closed >> there & 1 or (held and held & ~links.get(there, 0)):
                    continue
                if there in stacks:
                    free = room(rules, state, unit, stacks[there])
                    price = price if free == ON_ROAD else wide if free == OFF_ROAD else CLOSED
                    if not price or (known is not None and known <= spent + price):
                        continue
                whole = spent + price + toward[there]
                if whole <= most:
                    if there == goal:
                        return True
                    cost[there] = spent + price
                    buckets[whole - away].append(there)
    return False


def stroll(rules: Volturno, state: State, unit: int, rng: Random, goal: int = OFF_MAP) -> list[int]:
    """A legal way at random, drawn without searching for all of them; it does not turn back, and goes nearer to the
    goal, if there is one, where it can."""
    left, here = left_of(rules, state, unit), state.at[unit]
    if left <= 0 or (unit in rules.gun_set and not is_column(state, unit)):
        return []
    leads, closed, zones, links, held = going(rules, state, unit)
    passes = rules.passing != "false"
    stacks, ring = state.stacks, rules.grid.ring
    path: list[int] = []
    first, behind, distance = is_fresh(state, unit), 0, rules.grid.distance
    for _ in range(rng.randrange(1, 2 + left // HALVES)):
        ways = leads[here]
        if not ways or (held and not passes):
            break
        there, price, wide = rng.choice(ways)
        if goal >= 0:
            away = distance(there, goal)
            for way in ways:
                far = distance(way[0], goal)
                if far < away and not closed >> way[0] & 1:
                    (there, price, wide), away = way, far
        if (closed | behind) >> there & 1 or (held and held & ~links.get(there, 0)):
            continue
        if there in stacks:
            free = room(rules, state, unit, stacks[there])
            price = price if free == ON_ROAD else wide if free == OFF_ROAD else CLOSED
        if not price or (price > left and not first):
            continue
        path.append(there)
        left, first, behind = left - price, False, ring[here] | 1 << here
        here = there
        held = links.get(here, STOP) if zones >> here & 1 else 0
        if left <= 0:
            break
    return path


def reach(rules: Volturno, state: State, unit: int, goal: int = OFF_MAP) -> dict[int, tuple[int, list[int]]]:
    """8: where a unit can go by its cheapest way, what it has left there, and the way; with a goal only there, and to
    the hexes on that way."""
    left = left_of(rules, state, unit)
    cost, before = spread(rules, state, unit, toward=1 << goal if goal != OFF_MAP else 0)
    hexes = cost if goal == OFF_MAP else trace(before, goal)
    return {h: (left - cost[h], trace(before, h)) for h in hexes}


# 8.2: facing


def facing_on_entry(rules: Volturno, state: State, unit: int, here: int, there: int, wanted: int) -> int:
    """8.2, 8.2.p3, 8.3.3: who enters a hex with friends faces as they do; in column along a road one of three ways."""
    if wanted == KEPT:
        return state.facing[unit]
    along = rules.ground.facings.toward(here, there)
    friends = state.stacks.get(there)
    by_road = road_rate(rules, state, unit, rules.ground.way(here, there), there)
    if by_road and not (friends and rules.one_facing):
        return wanted if wanted != AS_IT_GOES and turn(wanted, along) <= 1 else along
    if friends:  # 3.1.p1: where they look different ways the owner picks one of theirs
        found = [state.facing[friend] for friend in friends]
        return wanted if wanted in found else found[-1]
    return along if wanted == AS_IT_GOES else wanted


# A move, hex by hex


def _in_play(rules: Volturno, state: State, frame: Frame) -> str:
    unit = frame.args[0]
    if state.at[unit] < 0:
        return "the unit is off the map"
    return "" if unit == state.mover else "it is not the unit that moves"


def _shown(rules: Volturno, state: State, frame: Frame) -> int:
    """8.6: who comes next to strangers sees who they are, and cannot take that back."""
    unit, path = frame.args[:2]
    return shown_from(rules, state, unit, path[0]) if path and state.at[unit] >= 0 else NOBODY


@CHAPTER.step(
    "8",
    "12.1.t3",
    on="act stragglers ride_off onset",
    secrets=_shown,
    takes=(
        UNIT_ARG,
        Argument("path", HEXES, 0, LONGEST),
        Argument("facing", NUMBER, KEPT, 5),
        Argument("asked", NUMBER, 0, 1),
    ),
    fault=_in_play,
)
def march(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """8, gap.action-decline: one hex after the other; who loses the unit from his zone is asked before, who gains or
    keeps it after."""
    unit, path, facing, asked = frame.args
    if state.at[unit] < 0 or state.mover != unit or not path:
        return
    here, there = state.at[unit], path[0]
    kind = CHARGE if facing == KEPT else marker_for(state, unit)
    if why_no_step(rules, state, unit, here, there, state.left, not state.steps, kind) is not None:
        return
    if not asked and rules.is_acting(state) and leaving(rules, state, unit, there):
        state.frames += (
            Frame("march", AUTO, (unit, path, facing, 1)),
            Frame("watch", AUTO, (unit, "leave", there, (), ())),
        )
        return
    if len(path) > 1:
        state.frames.append(Frame("march", AUTO, (unit, path[1:], facing, 0)))
    step(rules, state, unit, there, facing, out)


def leaving(rules: Volturno, state: State, unit: int, there: int) -> list[int]:
    """12.1.t3: the enemies from whose zone a unit would go."""
    zone = rules.ground.zone
    return [
        other
        for other in projecting(rules, state, 1 - rules.side[unit], state.at[unit])
        if not zone[state.at[other]] >> there & 1
    ]


def is_ford(rules: Volturno, state: State, unit: int, here: int, there: int) -> bool:
    """14.1.p1: would a unit cross a stream here without a bridge?"""
    way = rules.ground.way(here, there)
    return rules.ground.water[way] == STREAM and not road_rate(rules, state, unit, way, there)


def step(rules: Volturno, state: State, unit: int, there: int, facing: int, out: list[Event]) -> None:
    """8: a unit enters a hex; the ford is checked before anybody reacts, since it is part of the step (14.1.p1)."""
    here, side, ids = state.at[unit], rules.side[unit], rules.grid.ids
    cost = step_cost(rules, state, unit, here, there)
    fords = is_ford(rules, state, unit, here, there)
    before = who_knows(rules, state, unit)
    state.facing[unit] = facing_on_entry(rules, state, unit, here, there, facing)
    place(state, unit, there, side)
    if rules.faces_marker and facing != KEPT:
        face_target(rules, state, unit)
    spend(rules, state, unit, min(cost, state.left))
    kind = CHARGE if facing == KEPT else marker_for(state, unit)
    state.bound = bound_in(rules, state, side, there, is_bound(rules, state, unit), kind)
    state.steps += 1
    state.moved |= 1 << unit
    state.threatened &= ~(1 << unit)
    tell(rules, state, unit, "moved", ("8",), {"path": [ids[here], ids[there]]}, out, before)
    entered(rules, state, unit, out)
    if rules.is_acting(state) and projecting(rules, state, 1 - side, there):
        state.frames.append(Frame("watch", AUTO, (unit, "enter", there, (), ())))
    if fords:
        call_check(state, unit, "ford")


def face_target(rules: Volturno, state: State, unit: int) -> None:
    """8.2.p3, attacker_faces_marker: who comes to a marker looks where it points, at best at its own."""
    here = state.at[unit]
    found = [(marker[3] == unit, marker[2]) for marker in state.markers if marker[1] == here]
    if found and not rules.counters[unit].is_artillery:
        look(rules, state, unit, max(found, key=lambda one: one[0])[1])


def spend(rules: Volturno, state: State, unit: int, halves: int) -> None:
    """8.p3, 13.3: points are spent; who has spent more than half of what is printed does not recover."""
    state.left -= halves
    whole = allowance(rules, state, unit)
    if 2 * (whole - state.left) > rules.points[unit]:
        state.far |= 1 << unit


def entered(rules: Volturno, state: State, unit: int, out: list[Event]) -> None:
    """1.3.p1, 2.2.p4, 15.3: a hex changes hands, a lone commander is driven off, somebody may be seen."""
    side, h = rules.side[unit], state.at[unit]
    if not state.control[side] >> h & 1:
        state.control[side] |= 1 << h
        state.control[1 - side] &= ~(1 << h)
        if h in rules.objectives:
            data = {"hex": rules.grid.ids[h], "side": SIDES[side], "vp": rules.objectives[h]}
            out.append(Event("taken", ("1.3.p1",), data))
    for leader in rules.leaders_of_side[1 - side]:
        if state.at[leader] == h:
            commanders.displace(rules, state, leader, out)
    if not rules.rehides:
        note_contact(rules, state, unit)
    special.look_out(rules, state, out, (unit,))
    if rules.counters[unit].formation == RUIZ:
        special.note_arrival(rules, state, out)


def read_facing(word: str) -> int | None:
    """3.1: the facing that a word means, AS_IT_GOES for none; None if it means no hexside."""
    if not word:
        return AS_IT_GOES
    return COMPASS.index(word) if word in COMPASS else None


def why_not_facing(rules: Volturno, state: State, unit: int, word: str, rule: str) -> Refusal | None:
    """3.1: why a unit cannot turn so: there is no such hexside, or it looks there already; commanders look nowhere."""
    if unit in rules.leader_set:
        return Refusal("3.1", "no_front", {"unit": rules.ids[unit]})
    if word not in COMPASS:
        return Refusal("3.1", "no_facing", {"facing": word})
    return Refusal(rule, "faces_so", {"unit": rules.ids[unit]}) if COMPASS.index(word) == state.facing[unit] else None


def why_not_formed(rules: Volturno, state: State, unit: int, into: str) -> Refusal | None:
    """8.3.p1: why a unit cannot form so whenever it is: there is no such form, or it is in it."""
    if into not in FORMS:
        return Refusal("8.3.p1", "no_such_form", {"name": into})
    formed = (into == "column") == is_column(state, unit)
    return Refusal("8.3.p1", "formed_so", {"unit": rules.ids[unit]}) if formed else None


def nearest_enemy(rules: Volturno, state: State, side: int, h: int) -> int:
    """6.2: how many hexes away the nearest enemy unit is; far where there is none."""
    enemies = state.occ[1 - side]
    if rules.grid.ring[h] & enemies:
        return 1
    known = rules.nearest_known.get((enemies, h))
    if known is None:
        distance = rules.grid.distance
        far = min([distance(h, other) for other in bits(enemies)], default=LONGEST * HALVES * 10)
        known = rules.nearest_known.keep((enemies, h), far)
    return known
