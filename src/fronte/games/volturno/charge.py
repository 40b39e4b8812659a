"""10: charge. Cavalry rides through its front over clear ground, fights, and may go on; then it is exhausted.

While a charge lasts, one of its frames lies on the stack (`RIDING`); what the enemy does in between lies above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.common.positions import HEX, HEXES, UNIT
from fronte.games.volturno import assault, cohesion, movement, special
from fronte.games.volturno.assault import is_taken, target_of
from fronte.games.volturno.counters import HALVES, SIDES
from fronte.games.volturno.fog import tell, who_knows
from fronte.games.volturno.movement import CHARGE, KEPT, LONGEST
from fronte.games.volturno.panels import CHARGE_ON
from fronte.games.volturno.reaction_zones import in_enemy_zone, is_in_front, zone_of
from fronte.games.volturno.retreats import AMID
from fronte.games.volturno.state import NOBODY, State, end_action, place
from fronte.hexes import bits, mask_of, trace
from fronte.hexes.grid import OFF_MAP

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
RIDING = ("onset", "call_off", "called_off", "ridden", "onward", "spent")
"""The frames that lie on the stack while a unit charges, with the unit first."""
MOST_MARKERS = 8
MOST_LEFT = 40
WHO = Argument("unit", UNIT)
TARGET = Argument("target", HEX)
MARKER = Argument("marker", NUMBER, 0, MOST_MARKERS - 1)
REACTED = Argument("reacted", NUMBER, 0, 1)
RESCUE = Argument("rescue", NUMBER, 0, 1)
"""11.4.1.p1: whether those have been asked who are next to lone guns."""


class Charge(Action, frozen=True):
    """10.1.2: a unit charges a hex, riding through these hexes to the one with the marker."""

    form = "charge {unit} at {target}[ by {path:-}]"
    odds = True
    unit: str
    target: str
    path: tuple[str, ...] = ()


class Halt(Action, frozen=True):
    """10.2.1: the charge is not carried on."""

    form = "halt"


class CallOff(Action, frozen=True):
    """10.2.2: the cavalry tries to call its charge off."""

    form = "calloff"
    odds = True


class RideOn(Action, frozen=True):
    """10.2.2: it does not."""

    form = "rideon"
    odds = True


class CounterCharge(Action, frozen=True):
    """10.4, 12.2.3: cavalry checks, and if it passes charges the hex of the unit that caused the reaction."""

    form = "countercharge {unit}[ by {path:-}]"
    odds = True
    unit: str
    path: tuple[str, ...] = ()


# 10, 10.1: who can charge what


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
    return why or _why_not_there(rules, state, unit, action, True)


def _why_not_there(rules: Volturno, state: State, unit: int, action: Charge, spaced: bool) -> Refusal | None:
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


# 10.1.2: the charge


def begin(rules: Volturno, state: State, unit: int, action: Charge, out: list[Event]) -> None:
    """10.1.2: it rides for the marker, and the enemy may react at each hex."""
    *path, target = (rules.grid.index[name] for name in (*action.path, action.target))
    number = marker_at(rules, state, path[-1] if path else state.at[unit], target)
    state.steps, state.bound = int(not path), 0
    state.far |= 1 << unit
    tell(rules, state, unit, "charges", ("10.1.2",), {"target": action.target}, out)
    state.frames.append(Frame("onset", AUTO, (unit, target, number, 0, 0)))
    if path:
        state.frames.append(Frame("march", AUTO, (unit, tuple(path), KEPT, 0)))


def note_reaction(state: State, unit: int) -> None:
    """10.2.2: somebody has reacted to a charge."""
    for place_, frame in enumerate(state.frames):
        if frame.name in ("onset", "ridden") and frame.args[0] == unit:
            state.frames[place_] = Frame(frame.name, frame.seat, (*frame.args[:-1], 1))


def fear(rules: Volturno, state: State, unit: int, reactor: int) -> int:
    """12.2.3, 13.1.ex: what a charge at its own hex adds to the check of infantry that reacts to the charging unit."""
    aimed = any(f.name == "onset" and f.args[:2] == (unit, state.at[reactor]) for f in state.frames)
    afraid = aimed and rules.counters[reactor].is_infantry
    return int(rules.tables["cohesion_modifiers"]["charged"]) if afraid else 0


def _charger(rules: Volturno, state: State, frame: Frame) -> str:
    unit = frame.args[0]
    if not rules.counters[unit].is_cavalry:
        return "cavalry alone charges (10)"
    if frame.args[1 if frame.name == "onward" else 2] >= len(state.markers):
        return "there is no such marker (7.1)"
    if frame.name in ("call_off", "onward") and state.mover != unit:
        return "it is not the unit that acts"
    return "" if rules.side[unit] == state.active else "it is not a unit of the side that acts"


def _rider(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if rules.counters[frame.args[0]].is_cavalry else "cavalry alone charges (10)"


@CHAPTER.step(
    "10.1.2", on="act spent", secrets=open_to_all, takes=(WHO, TARGET, MARKER, RESCUE, REACTED), fault=_charger
)
def onset(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """10.1.2, 10.2.2, 7.1.5: in the charge hex it fights, or calls off if somebody has reacted, to save lone guns too
    (11.4.1.p1). A target that is gone may have left it another marker; who was driven off has done."""
    unit, target, _, asked, reacted = frame.args
    if state.at[unit] < 0:
        return
    number = marker_at(rules, state, state.at[unit], target)
    if state.mover != unit:
        finish(state, unit)
    elif number >= 0 and state.occ[1 - rules.side[unit]] >> target & 1:
        if not asked and assault.is_only_guns(rules, state, target):
            state.frames.append(Frame("onset", AUTO, (*frame.args[:3], 1, reacted)))
            assault.call_rescue(rules, state, unit, target)
            return
        state.fulfilled |= 1 << number
        if reacted:
            state.frames.append(Frame("call_off", rules.side[unit], (unit, target, number)))
        else:
            clash(rules, state, unit, target, number)
    elif any(True for _ in markers_for(rules, state, unit, spaced=False)):
        state.frames.append(Frame("onward", rules.side[unit], (unit, frame.args[2], 0)))
    else:
        finish(state, unit)


def finish(state: State, unit: int) -> None:
    """10.3: the charge is over."""
    if state.mover == unit:
        end_action(state)
    state.frames.append(Frame("spent", AUTO, (unit, 0)))


@CHAPTER.choice(on="act spent", seats=anybody, takes=(WHO, TARGET, MARKER), fault=_charger)
class CallOffChoice(Choice["Volturno", State]):
    """10.2.2: the defender has reacted; does the cavalry try to call its charge off?"""

    name = "call_off"
    rules = ("10.2.2",)
    verbs = (RideOn, CallOff)
    panel = CHARGE_ON

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        yield RideOn()
        yield CallOff()

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        return None

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        unit, target, number = frame.args
        if isinstance(action, RideOn):
            clash(rules, state, unit, target, number)
            return
        state.frames.append(Frame("called_off", AUTO, (unit, target, number, state.level[unit])))
        cohesion.call_check(state, unit, "call_off")

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]], "hex": rules.grid.ids[frame.args[1]]}


@CHAPTER.step(
    "10.2.2",
    on="act spent",
    secrets=open_to_all,
    takes=(WHO, TARGET, MARKER, Argument("level", NUMBER, 0, 3)),
    fault=_charger,
)
def called_off(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """10.2.2: a check that was passed ends the charge; after one that was not the combat is fought all the same."""
    unit, target, number, level = frame.args
    if state.at[unit] < 0:
        return
    if state.level[unit] == level:
        tell(rules, state, unit, "charge_called_off", ("10.2.2",), {}, out)
        finish(state, unit)
    else:
        clash(rules, state, unit, target, number)


def clash(rules: Volturno, state: State, unit: int, target: int, number: int) -> None:
    """10.1.2, 10.2: the combat; what the hex it fights for would cost is paid."""
    left = state.left - movement.step_cost(rules, state, unit, state.at[unit], target)
    state.frames.append(Frame("ridden", AUTO, (unit, target, number, max(0, left), 0)))
    assault.engage(rules, state, unit, target, "charge")


# 10.2: going on


@CHAPTER.step(
    "10.2",
    "10.2.1",
    on="act spent",
    secrets=open_to_all,
    takes=(WHO, TARGET, MARKER, Argument("left", NUMBER, 0, MOST_LEFT), REACTED),
    fault=_charger,
)
def ridden(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """10.2, 10.2.1: who has won, is in good order and has points left may go on; else the charge is over."""
    unit, target, number, left, reacted = frame.args
    if state.at[unit] < 0:
        return
    if state.at[unit] != target or state.level[unit] or not left:
        finish(state, unit)
        return
    state.mover, state.origin, state.left = unit, state.at[unit], left
    if any(not is_taken(rules, state, CHARGE, *pair, number) for pair in attacks(rules, state, unit, spaced=False)):
        state.frames.append(Frame("onward", rules.side[unit], (unit, number, 1 + reacted)))
    else:
        finish(state, unit)


@CHAPTER.choice(on="act spent", seats=anybody, takes=(WHO, MARKER, Argument("free", NUMBER, 0, 2)), fault=_charger)
class OnwardChoice(Choice["Volturno", State]):
    """10.2: whom the cavalry charges next, if anybody; the marker goes with it. Without a combat won (7.1.5) it can
    only follow a marker that lies there."""

    name = "onward"
    rules = ("10.2", "10.2.1")
    verbs = (Charge, Halt)
    panel = CHARGE_ON

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        yield Halt()
        unit, number, free = frame.args
        if free:
            zones = zone_of(rules, state, 1 - rules.side[unit])
            _, before = ride(rules, state, unit, zones)
            found = [
                pair
                for pair in attacks(rules, state, unit, spaced=False)
                if not is_taken(rules, state, CHARGE, *pair, number)
            ]
            ways = [(target, trace(before, at)) for at, target in found]
        else:
            laid = markers_for(rules, state, unit, spaced=False)
            ways = [(target_of(rules, state.markers[one]), way) for one, way in laid]
        for target, way in ways:
            yield Charge(rules.ids[unit], rules.grid.ids[target], rules.hex_ids(way))

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Halt):
            return None
        assert isinstance(action, Charge)
        unit, number, free = frame.args
        if action.unit != rules.ids[unit]:
            return Refusal("10.2", "not_charging", {"unit": action.unit})
        if not free:
            return _why_not_there(rules, state, unit, action, False)
        found = rules.hexes((*action.path, action.target))
        if isinstance(found, Refusal):
            return found
        at = found[-2] if len(found) > 1 else state.at[unit]
        if is_taken(rules, state, CHARGE, at, found[-1], number):
            return Refusal("7.1.2", "marker_there", {"hex": rules.grid.ids[at]})
        kept, state.markers = state.markers, moved_marker(rules, state, unit, number, found)
        why = why_no_ride(rules, state, unit, found[:-1], found[-1], False)
        state.markers = kept
        return why

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        unit, number, free = frame.args
        if isinstance(action, Halt):
            finish(state, unit)
            return
        assert isinstance(action, Charge)
        if free:
            state.markers = moved_marker(
                rules, state, unit, number, [rules.grid.index[h] for h in (*action.path, action.target)]
            )
        begin(rules, state, unit, action, out)
        if free > 1:
            note_reaction(state, unit)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]], "left": state.left}


def moved_marker(
    rules: Volturno, state: State, unit: int, number: int, way: list[int]
) -> tuple[tuple[int, int, int, int], ...]:
    """10.2: the markers with the one of the charge moved to the hex before the last of this way, pointing at that. It
    stays with the unit that was named for it (7.1.3), whoever charged by it."""
    at, target = way[-2] if len(way) > 1 else state.at[unit], way[-1]
    if target not in rules.grid.adjacent[at]:
        return state.markers
    marker = (CHARGE, at, rules.ground.facings.toward(at, target), state.markers[number][3])
    return (*state.markers[:number], marker, *state.markers[number + 1 :])


# 10.3: the end


@CHAPTER.step(
    "10.3",
    "10.4.1",
    on=AMID,
    secrets=open_to_all,
    takes=(WHO, Argument("must", NUMBER, 0, 1)),
    fault=_rider,
    once=False,
)
def spent(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """10.3, 10.4.1: the cavalry is exhausted and may move once more; after a counter-charge, or one met, it must. Who
    has reacted in the action of another unit (11.3.6) leaves that open."""
    unit, must = frame.args
    if state.at[unit] < 0:
        return
    exhaust(rules, state, unit, out)
    met = any(f.name == "spent" and rules.side[f.args[0]] != rules.side[unit] for f in state.frames)
    if rules.side[unit] == state.active and state.mover in (NOBODY, unit):
        state.mover, state.origin = unit, state.at[unit]
        state.left, state.steps, state.bound = movement.allowance(rules, state, unit), 0, 0
    state.frames.append(Frame("ride_off", rules.side[unit], (unit, int(must or met))))


def exhaust(rules: Volturno, state: State, unit: int, out: list[Event]) -> None:
    """10.3, 10.3.1: exhausted; and a turn with a charge in it is no turn of rest, moved or not."""
    state.moved |= 1 << unit
    if not state.exhausted >> unit & 1:
        state.exhausted |= 1 << unit
        tell(rules, state, unit, "exhausted", ("10.3",), {}, out)


# 10.4: counter-charge


def why_no_countercharge(rules: Volturno, state: State, unit: int, reactor: int, path: list[int]) -> Refusal | None:
    """10.4, 12.2.3.p2, 12.2.4.p1: as a charge, without a marker and a hex between; by option only next to it."""
    why = why_cannot(rules, state, reactor)
    if why is None and rules.is_night(state.turn) and rules.option["night_reaction_combat"] == "forbid":
        why = Refusal("15.2.p3", "no_attack_at_night", {"unit": rules.ids[reactor]})
    if why is None and path and rules.option["countercharge_range"] == "adjacent":
        why = Refusal(
            "12.2.3.p2", "cannot_counter", {"unit": rules.ids[reactor], "hex": rules.grid.ids[state.at[unit]]}
        )
    return why or why_no_ride(rules, state, reactor, path, state.at[unit], False, movement.NO_MARKER)


def countercharges(rules: Volturno, state: State, unit: int, reactor: int) -> Iterator[CounterCharge]:
    """10.4: the counter-charges that a unit can make, by the cheapest way to each hex next to the enemy."""
    if not can_charge(rules, state, reactor):
        return
    side, target = rules.side[reactor], state.at[unit]
    start, left = state.at[reactor], movement.left_of(rules, state, reactor)
    found = [
        at
        for at in aims(rules, state, reactor, target)
        if (at == start or is_in_front(rules, state, reactor, at))
        and why_no_aim(rules, state, reactor, at, target, False, left) is None
    ]
    if not found:
        return
    opened = 0 if rules.is_night(state.turn) else zone_of(rules, state, 1 - side)
    far = rules.option["countercharge_range"] == "as-charge"
    away = far and found != [start]
    cost, before = ride(rules, state, reactor, opened, opened, goal=target) if away else ({start: 0}, {})
    for at in found:
        way = trace(before, at) if at in cost else []
        if at in cost and why_no_countercharge(rules, state, unit, reactor, way) is None:
            yield CounterCharge(rules.ids[reactor], rules.hex_ids(way))


@CHAPTER.step(
    "12.2.3",
    "10.4",
    on="watch",
    secrets=open_to_all,
    takes=(WHO, TARGET, Argument("level", NUMBER, 0, 3), Argument("path", HEXES, 0, LONGEST)),
    fault=_rider,
)
def counter_charge(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.2.3, 12.2.4: a unit that has passed its check, so that it has lost nothing, rides and fights; nobody of the
    active side reacts to it."""
    unit, target, level, path = frame.args
    side = rules.side[unit]
    if state.at[unit] < 0 or state.level[unit] != level or not state.occ[1 - side] >> target & 1:
        return
    tell(rules, state, unit, "charges", ("12.2.4",), {"target": rules.grid.ids[target]}, out)
    state.frames.append(Frame("counter_ridden", AUTO, (unit,)))
    state.frames.append(Frame("counter_onset", AUTO, (unit, target)))
    go(rules, state, unit, path, KEPT, out)


def go(rules: Volturno, state: State, unit: int, path: tuple[int, ...], facing: int, out: list[Event]) -> None:
    """10.4, 12.2.4: a unit of the side that does not act rides along a way; nobody reacts to it."""
    for there in path:
        here, before = state.at[unit], who_knows(rules, state, unit)
        state.facing[unit] = movement.facing_on_entry(rules, state, unit, here, there, facing)
        place(state, unit, there, rules.side[unit])
        state.moved |= 1 << unit
        data = {"path": [rules.grid.ids[here], rules.grid.ids[there]]}
        tell(rules, state, unit, "moved", ("10.4",), data, out, before)
        movement.entered(rules, state, unit, out)


@CHAPTER.step("12.2.4", on="counter_ridden", secrets=open_to_all, takes=(WHO, TARGET), fault=_rider)
def counter_onset(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.2.4: the counter-charge comes to blows."""
    unit, target = frame.args
    if state.at[unit] >= 0 and state.occ[1 - rules.side[unit]] >> target & 1:
        assault.engage(rules, state, unit, target, "charge_counter")


@CHAPTER.step("12.2.4", "10.4.1", on=AMID, secrets=open_to_all, takes=(WHO,), fault=_rider)
def counter_ridden(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """10.4.1, 12.2.4: the counter-charge is over; its exhausted move comes after that of a charge that it met."""
    (unit,) = frame.args
    if state.at[unit] < 0:
        return
    exhaust(rules, state, unit, out)
    lowest = next((n for n, f in enumerate(state.frames) if f.name in RIDING and f.name != "spent"), len(state.frames))
    state.frames.insert(lowest, Frame("spent", AUTO, (unit, 1)))
