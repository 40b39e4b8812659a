"""10.1.2 to 10.3: a charge: it fights, may be called off, may go on; then the cavalry is exhausted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.common.positions import HEX, UNIT
from fronte.games.volturno import assault, charge, cohesion, movement
from fronte.games.volturno.assault import is_taken, target_of
from fronte.games.volturno.charge import MOST_MARKERS, Charge
from fronte.games.volturno.fog import tell
from fronte.games.volturno.movement import CHARGE, KEPT
from fronte.games.volturno.panels import CHARGE_ON
from fronte.games.volturno.reaction_zones import zone_of
from fronte.games.volturno.retreats import AMID
from fronte.games.volturno.state import NOBODY, State, end_action
from fronte.hexes import trace

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
MOST_LEFT = 40
WHO = Argument("unit", UNIT)
TARGET = Argument("target", HEX)
MARKER = Argument("marker", NUMBER, 0, MOST_MARKERS - 1)
REACTED = Argument("reacted", NUMBER, 0, 1)
RESCUE = Argument("rescue", NUMBER, 0, 1)
"""11.4.1.p1: whether those have been asked who are next to lone guns."""


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


# 10.1.2: the charge


def begin(rules: Volturno, state: State, unit: int, action: Charge, out: list[Event]) -> None:
    """10.1.2: it rides for the marker, and the enemy may react at each hex."""
    *path, target = (rules.grid.index[name] for name in (*action.path, action.target))
    number = charge.marker_at(rules, state, path[-1] if path else state.at[unit], target)
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


def _charger(rules: Volturno, state: State, frame: Frame) -> str:
    unit = frame.args[0]
    if not rules.counters[unit].is_cavalry:
        return "cavalry alone charges (10)"
    if frame.args[1 if frame.name == "onward" else 2] >= len(state.markers):
        return "there is no such marker (7.1)"
    if frame.name in ("call_off", "onward") and state.mover != unit:
        return "it is not the unit that acts"
    return "" if rules.side[unit] == state.active else "it is not a unit of the side that acts"


def why_no_rider(rules: Volturno, state: State, frame: Frame) -> str:
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
    number = charge.marker_at(rules, state, state.at[unit], target)
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
    elif any(True for _ in charge.markers_for(rules, state, unit, spaced=False)):
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
    if any(
        not is_taken(rules, state, CHARGE, *pair, number) for pair in charge.attacks(rules, state, unit, spaced=False)
    ):
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
            _, before = charge.ride(rules, state, unit, zones)
            found = [
                pair
                for pair in charge.attacks(rules, state, unit, spaced=False)
                if not is_taken(rules, state, CHARGE, *pair, number)
            ]
            ways = [(target, trace(before, at)) for at, target in found]
        else:
            laid = charge.markers_for(rules, state, unit, spaced=False)
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
            return charge.why_not_there(rules, state, unit, action, False)
        found = rules.hexes((*action.path, action.target))
        if isinstance(found, Refusal):
            return found
        at = found[-2] if len(found) > 1 else state.at[unit]
        if is_taken(rules, state, CHARGE, at, found[-1], number):
            return Refusal("7.1.2", "marker_there", {"hex": rules.grid.ids[at]})
        kept, state.markers = state.markers, moved_marker(rules, state, unit, number, found)
        why = charge.why_no_ride(rules, state, unit, found[:-1], found[-1], False)
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
    fault=why_no_rider,
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
