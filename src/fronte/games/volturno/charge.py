"""10, 10.1: charge: who can charge what, and the way there. Cavalry rides through its front over clear ground.

While a charge lasts, one of its frames lies on the stack (`RIDING`); what the enemy does in between lies above it.
`charging` has these frames, `counter_charges` those of chapter 10.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from fronte.engine.decision import Action, Refusal
from fronte.games.volturno import movement, special
from fronte.games.volturno.assault import target_of
from fronte.games.volturno.counters import HALVES, SIDES
from fronte.games.volturno.movement import CHARGE
from fronte.games.volturno.reaction_zones import in_enemy_zone, is_in_front, zone_of
from fronte.games.volturno.state import State
from fronte.hexes import bits, mask_of, trace
from fronte.hexes.grid import OFF_MAP

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

RIDING = ("onset", "call_off", "called_off", "ridden", "onward", "spent")
"""The frames that lie on the stack while a unit charges, with the unit first."""
MOST_MARKERS = 8


class Charge(Action, frozen=True):
    """10.1.2: a unit charges a hex, riding through these hexes to the one with the marker."""

    form = "charge {unit} at {target}[ by {path:-}]"
    odds = True
    unit: str
    target: str
    path: tuple[str, ...] = ()


def can_charge(rules: Volturno, state: State, unit: int) -> bool:
    """10, 15.4: cavalry that is not exhausted; Garibaldian never."""
    return unit in rules.chargers and not state.exhausted >> unit & 1


def why_cannot(rules: Volturno, state: State, unit: int) -> Refusal | None:
    """10, 15.4: why a unit never charges, or not now."""
    counter, data = rules.counters[unit], {"unit": rules.ids[unit]}
    if not counter.is_cavalry or state.exhausted >> unit & 1:
        return Refusal("10", "cannot_charge", data)
    return Refusal("15.4", "cannot_charge", data) if SIDES[counter.side] in rules.barred_from_charging else None


def is_charging(state: State, unit: int) -> bool:
    """10: is this unit in the middle of a charge or a counter-charge?"""
    return any(f.name in (*RIDING, "counter_ridden") and f.args[0] == unit for f in state.frames)


def is_clear(rules: Volturno, here: int, there: int) -> bool:
    """10.1.1, 14.p1: clear ground in the hex and at its side; slopes and water are not."""
    way = rules.ground.way(here, there)
    return rules.ground.terrain[there] == "clear" and not rules.ground.slope[way] and not rules.ground.water[way]


def aims(rules: Volturno, state: State, unit: int, target: int) -> list[int]:
    """10.1.1, 10.1.2: the hexes next to a target from which who charges with this facing would fall upon it."""
    front, facing = rules.ground.facings.front, state.facing[unit]
    return [at for at in rules.grid.adjacent[target] if front[at][facing] >> target & 1 and is_clear(rules, at, target)]


def ride(
    rules: Volturno,
    state: State,
    unit: int,
    opened: int,
    through: int = 0,
    roomy: bool = False,
    turning: bool = False,
    anywhere: bool = False,
    goal: int = OFF_MAP,
) -> tuple[dict[int, int], dict[int, int]]:
    """10.1.1, 10.1.2: what each hex costs a unit that charges, and the hex before it.

    Hexes in enemy zones are entered where they are `opened`, and left again only from `through`. `roomy`: friends will
    make room (7.1.3). `turning` and `anywhere` leave out the front and the ground, to tell what is in the way. With a
    goal only what may lead there is looked at, until it is known how all hexes are reached from which it is charged.
    """
    start, side, front = state.at[unit], rules.side[unit], rules.ground.facings.front
    left, grid = movement.left_of(rules, state, unit), rules.grid
    least = rules.ground.least[rules.foot[unit][state.column >> unit & 1]]
    zones = zone_of(rules, state, 1 - side)
    clear = rules.ground.extent & ~(state.occ[1 - side] | zones & ~opened)
    cost = {start: 0}
    before: dict[int, int] = {}
    missing = set(aims(rules, state, unit, goal)) if goal != OFF_MAP else {OFF_MAP}
    buckets: list[list[int]] = [[] for _ in range(left + 1)]
    buckets[0].append(start)
    for spent, bucket in enumerate(buckets):
        missing.difference_update(bucket)
        if not missing:
            break
        for here in bucket:
            if cost[here] != spent or (here != start and zones & ~through & 1 << here):
                continue
            for there in bits((grid.ring[here] if turning else front[here][state.facing[unit]]) & clear):
                if cost.get(there, left) < spent + least or not (anywhere or is_clear(rules, here, there)):
                    continue
                price = movement.step_cost(rules, state, unit, here, there) or (HALVES if anywhere else 0)
                total, far = spent + price, left
                if goal != OFF_MAP:
                    far -= least * grid.distance(there, goal)
                full = not roomy and rules.stacked(state, there) + rules.stacking[unit] > rules.most_stacked
                if price and total <= far and total < cost.get(there, total + 1) and not full:
                    cost[there], before[there] = total, here
                    buckets[total].append(there)
    return cost, before


def why_no_aim(
    rules: Volturno, state: State, unit: int, at: int, target: int, spaced: bool, left: int
) -> Refusal | None:
    """10.1, 10.1.p1, 10.1.1: why a hex cannot be charged by way of this one, however it is reached: sight, room to
    gather way (`spaced`), front, ground, and what is left there."""
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[target]}
    start = state.at[unit]
    if target not in rules.grid.adjacent[at]:
        return Refusal("7.1", "not_adjacent", data)
    if not state.occ[1 - rules.side[unit]] >> target & 1:
        return Refusal("7.1", "nobody_there", data)
    if spaced and rules.grid.distance(start, target) < 2:
        return Refusal("10.1.1.p1", "too_near_to_charge", data)
    if at != start and not special.sees(rules, state, start, at, special.sight_of(rules, state.turn)):
        return Refusal("10.1.p1", "no_sight", {**data, "hex": rules.grid.ids[at]})
    if not rules.ground.facings.front[at][state.facing[unit]] >> target & 1:
        return Refusal("10.1.2", "not_in_front", data)
    if not is_clear(rules, at, target):
        return Refusal("10.1.1", "not_clear", data)
    if movement.step_cost(rules, state, unit, at, target) > left:
        return Refusal("10.1", "charge_too_far", data)
    return None


def attacks(rules: Volturno, state: State, unit: int, spaced: bool = True) -> Iterator[tuple[int, int]]:
    """7.1.3, 10.1: the hexes from which a unit could charge, with the targets."""
    if not can_charge(rules, state, unit):
        return
    side, all_left = rules.side[unit], movement.left_of(rules, state, unit)
    least = rules.ground.least[rules.foot[unit][state.column >> unit & 1]]
    start, before = state.at[unit], partial(is_in_front, rules, state, unit)  # it rides through its front only
    near = state.occ[1 - side] & rules.grid.within(start, max(1, all_left // least))
    found = [
        (at, target)
        for target in bits(near)
        for at in aims(rules, state, unit, target)
        if (at == start or before(at)) and why_no_aim(rules, state, unit, at, target, spaced, all_left) is None
    ]
    cost = ride(rules, state, unit, zone_of(rules, state, 1 - side), roomy=spaced)[0] if found else {}
    for at, target in found:
        if at in cost and why_no_aim(rules, state, unit, at, target, spaced, all_left - cost[at]) is None:
            yield at, target


def attacks_formed(rules: Volturno, state: State, unit: int) -> list[tuple[int, int]]:
    """7.1.3, 8.3.p1, 8.3.4: as it stands, and as who forms column or line when its action begins."""
    found = list(attacks(rules, state, unit))
    if can_charge(rules, state, unit) and state.mover != unit:
        formed = movement.in_other_form(state, unit, lambda: list(attacks(rules, state, unit)))
        found += [pair for pair in formed if pair not in found]
    return found


def why_no_marker(rules: Volturno, state: State, unit: int, at: int, target: int) -> Refusal | None:
    """7.1.3, 8.3.p1: why a Charge marker cannot be laid for this unit, in whatever form it rides."""
    why = _why_no_marker(rules, state, unit, at, target)
    if why is None or state.mover == unit:
        return why
    formed = movement.in_other_form(state, unit, lambda: _why_no_marker(rules, state, unit, at, target))
    return None if formed is None else why


def _why_no_marker(rules: Volturno, state: State, unit: int, at: int, target: int) -> Refusal | None:
    """10.1, 10.1.1, 10.1.2: why not, as it stands."""
    zones = zone_of(rules, state, 1 - rules.side[unit])
    left, data = movement.left_of(rules, state, unit), {"unit": rules.ids[unit], "hex": rules.grid.ids[at]}
    why = why_cannot(rules, state, unit) or why_no_aim(rules, state, unit, at, target, True, left)
    if why is not None:
        return why
    cost, _ = ride(rules, state, unit, zones, roomy=True)
    if at in cost:
        return why_no_aim(rules, state, unit, at, target, True, left - cost[at])
    if at in ride(rules, state, unit, zones, roomy=True, turning=True)[0]:
        return Refusal("10.1.2", "cannot_charge_from", data)
    hindered = at in ride(rules, state, unit, zones, roomy=True, anywhere=True)[0]
    return Refusal("10.1.1" if hindered else "10.1", "cannot_charge_from", data)


def markers_for(rules: Volturno, state: State, unit: int, spaced: bool = True) -> Iterator[tuple[int, list[int]]]:
    """10.1, 7.1.4: the Charge markers, by their order, for which a unit can ride now, each with the cheapest way."""
    if not can_charge(rules, state, unit):
        return
    left = movement.left_of(rules, state, unit)
    for number, marker in enumerate(state.markers):
        if marker[0] != CHARGE:
            continue
        target, at = target_of(rules, marker), marker[1]
        if target < 0 or at not in aims(rules, state, unit, target):
            continue
        opened, through = _marked(rules, state, target)
        cost, before = ride(rules, state, unit, opened, through, goal=target)
        if at in cost and why_no_aim(rules, state, unit, at, target, spaced, left - cost[at]) is None:
            yield number, trace(before, at)


def markers_formed(rules: Volturno, state: State, unit: int) -> set[int]:
    """7.1.4, 8.3.p1: the Charge markers, by their order, for which a unit can ride now or when it has formed."""

    def found() -> set[int]:
        return {number for number, _ in markers_for(rules, state, unit)}

    return found() | movement.in_other_form(state, unit, found) if state.mover != unit else found()


def _marked(rules: Volturno, state: State, target: int) -> tuple[int, int]:
    """3.1.2.p1: the marker hexes that may be entered on the way to a target, and those that may be left again."""
    opened = mask_of(m[1] for m in state.markers if m[0] == CHARGE)
    same = mask_of(m[1] for m in state.markers if m[0] == CHARGE and target_of(rules, m) == target)
    return opened, {"false": 0, "true": opened}.get(rules.passing, same)


def why_no_ride(
    rules: Volturno, state: State, unit: int, path: list[int], target: int, spaced: bool, kind: int = CHARGE
) -> Refusal | None:
    """10.1, 10.1.1, 10.1.2: why a unit cannot charge along this way; NO_MARKER: in reaction no marker is needed."""
    here, left = state.at[unit], movement.left_of(rules, state, unit)
    opened, through = _marked(rules, state, target)
    for there in path:
        data = {"unit": rules.ids[unit], "hex": rules.grid.ids[there]}
        if there not in rules.grid.adjacent[here]:
            return Refusal("8", "not_adjacent", data)
        if not rules.ground.facings.front[here][state.facing[unit]] >> there & 1:
            return Refusal("10.1.2", "not_in_front", data)
        if not is_clear(rules, here, there):
            return Refusal("10.1.1", "not_clear", data)
        why = movement.why_no_entry(rules, state, unit, there)
        if why is not None:
            return why
        if in_enemy_zone(rules, state, rules.side[unit], there):
            if rules.is_night(state.turn):
                return Refusal("15.2.p4", "zone_at_night", data)
            on_way = there != path[-1]
            if kind == CHARGE and not (through if on_way else opened) >> there & 1:
                return Refusal("3.1.2.p1" if opened >> there & 1 else "3.1.2", "in_zone", data)
        left -= movement.step_cost(rules, state, unit, here, there)
        if left < 0:
            return Refusal("10.1", "charge_too_far", data)
        here = there
    return why_no_aim(rules, state, unit, here, target, spaced, left)


def why_no_charge(rules: Volturno, state: State, unit: int, action: Charge) -> Refusal | None:
    """10, 10.1, 7.2: why a unit cannot charge so as its action."""
    why = why_cannot(rules, state, unit)
    if why is None and state.mover == unit and state.steps:
        why = Refusal("7.2", "moved_already", {"unit": action.unit})
    return why or why_not_there(rules, state, unit, action, True)


def why_not_there(rules: Volturno, state: State, unit: int, action: Charge, spaced: bool) -> Refusal | None:
    found = rules.hexes((*action.path, action.target))
    if isinstance(found, Refusal):
        return found
    *path, target = found
    why = why_no_ride(rules, state, unit, path, target, spaced)
    if why is None and marker_at(rules, state, path[-1] if path else state.at[unit], target) < 0:
        why = Refusal("10.1", "no_charge_marker", {"unit": action.unit, "hex": action.target})
    return why


def marker_at(rules: Volturno, state: State, at: int, target: int) -> int:
    """10.1: the number of the Charge marker in a hex that points at a target; -1 if there is none."""
    for number, marker in enumerate(state.markers):
        if marker[:2] == (CHARGE, at) and target_of(rules, marker) == target:
            return number
    return -1


def charges(rules: Volturno, state: State, unit: int) -> Iterator[Charge]:
    """10: the charges that a unit can make as its action, each by its cheapest way."""
    if state.mover == unit and state.steps:
        return
    for number, path in markers_for(rules, state, unit):
        target = target_of(rules, state.markers[number])
        yield Charge(rules.ids[unit], rules.grid.ids[target], rules.hex_ids(path))


def fear(rules: Volturno, state: State, unit: int, reactor: int) -> int:
    """12.2.3, 13.1.ex: what a charge at its own hex adds to the check of infantry that reacts to the charging unit."""
    aimed = any(f.name == "onset" and f.args[:2] == (unit, state.at[reactor]) for f in state.frames)
    afraid = aimed and rules.counters[reactor].is_infantry
    return int(rules.tables["cohesion_modifiers"]["charged"]) if afraid else 0
