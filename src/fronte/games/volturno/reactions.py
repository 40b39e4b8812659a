"""12: reactions. Before and after each hex, and after a shot, the other side may interrupt.

A window is a step (`watch`) that asks (`react`) as long as somebody could still react; after each reaction it is there
again, so that everybody is judged anew by what has changed (12.1.3.p1), and it closes by itself when nobody is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.common.positions import HEX, HEXES, UNIT, UNITS, WORD
from fronte.games.common.windows import unspent
from fronte.games.volturno import assault, charge, charging, counter_charges, fire, movement, withdrawals
from fronte.games.volturno.cohesion import call_check
from fronte.games.volturno.counters import COMPASS, FIELD, GARIBALDINI, HALVES
from fronte.games.volturno.fog import label, tell
from fronte.games.volturno.panels import REACT
from fronte.games.volturno.reaction_zones import is_in_front, look, projecting
from fronte.games.volturno.retreats import AMID, BY_ACTIVE, note_emptied
from fronte.games.volturno.state import State, set_column

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
TRIGGERS = {
    "fire": "12.1.t1",
    "enter": "12.1.t2",
    "leave": "12.1.t3",
    "retreat": "11.3.6",
    "rescue": "11.4.1.p1",
    "assault": "gap.static-assault",
}
"""What is reacted to, and the rule; who keeps the enemy in his zone (12.1.t4) reacts with those who gain him."""
MOST = 20
TAKES = (
    Argument("unit", UNIT),
    Argument("trigger", WORD),
    Argument("hex", HEX),
    Argument("fired", HEXES, 0, MOST),
    Argument("spent", UNITS, 0, MOST),
)
"""The unit that is reacted to, why and where; the hexes from which was fired at it, and who has reacted. The unit
itself is among these when who is fired at has changed its form besides reacting (exit_column_reaction)."""


class Shoot(Action, frozen=True):
    """12.2.2: a unit fires at the one that caused the reaction."""

    form = "shoot {unit}"
    odds = True
    unit: str


class Face(Action, frozen=True):
    """12.2.1: a unit turns, and checks."""

    form = "face {unit} {facing}"
    odds = True
    unit: str
    facing: str


class Change(Action, frozen=True):
    """12.1.t1, 8.4: a unit leaves column; guns limber or unlimber."""

    form = "change {unit} {into}"
    unit: str
    into: str


class Counter(Action, frozen=True):
    """12.2.3: a unit checks, and if it passes assaults the hex of the one that caused the reaction."""

    form = "counter {unit}"
    odds = True
    unit: str


class Hold(Action, frozen=True):
    """12.1.2: nobody (more) reacts."""

    form = "hold"
    odds = True


def watchers(rules: Volturno, state: State, frame: Frame) -> list[int]:
    """12.1, 12.1.3.p1: those who may still react: the unit fired at, or those into whose zone the enemy has come or
    from whose zone he is about to go."""
    unit, trigger, h, _, _ = frame.args
    if state.at[unit] < 0:
        return []
    if trigger == "fire":
        return unspent(frame, state.stacks.get(h, ()))
    if trigger == "leave":  # who has been driven off is not on its way any more
        return unspent(frame, movement.leaving(rules, state, unit, h)) if state.mover == unit else []
    if trigger == "rescue":
        return [reactor for reactor in _rescuers(rules, state, frame) if _can_strike(rules, state, frame, reactor)]
    if state.at[unit] != h:
        return []
    found = unspent(frame, projecting(rules, state, 1 - rules.side[unit], h))
    if fires_only(rules, state, frame):
        return [reactor for reactor in found if why_no_shot(rules, state, frame, reactor) is None]
    return found


def fires_only(rules: Volturno, state: State, frame: Frame) -> bool:
    """11.3.6: by an option the active side reacts to retreats by fire alone."""
    unit, trigger = frame.args[:2]
    by_active = trigger == "retreat" and rules.side[unit] != state.active
    return by_active and bool(rules.option[BY_ACTIVE] == "fire-only")


def _rescuers(rules: Volturno, state: State, frame: Frame) -> list[int]:
    """11.4.1.p1: friends next to lone guns, with a zone on the attacker or not, while he is still about it."""
    unit, _, h = frame.args[:3]
    if state.mover != unit:
        return []
    side = 1 - rules.side[unit]
    near = [other for there in rules.grid.adjacent[h] for other in state.stacks.get(there, ())]
    return unspent(frame, [other for other in near if rules.side[other] == side])


def _can_strike(rules: Volturno, state: State, frame: Frame, reactor: int) -> bool:
    """11.4.1.p1: fire, counter-attack and counter-charge are what can save guns."""
    shot = why_no_shot(rules, state, frame, reactor)
    if shot is None or why_no_counter(rules, state, frame, reactor) is None:
        return True
    return any(True for _ in counter_charges.countercharges(rules, state, frame.args[0], reactor))


def reactions(rules: Volturno, state: State, frame: Frame, reactor: int) -> Iterator[Action]:
    """12.2: all that a unit can do in reaction."""
    unit = frame.args[0]
    name = rules.ids[reactor]
    if why_no_shot(rules, state, frame, reactor) is None:
        yield Shoot(name)
    if fires_only(rules, state, frame):
        return
    if why_no_counter(rules, state, frame, reactor) is None:
        yield Counter(name)
    yield from counter_charges.countercharges(rules, state, unit, reactor)
    if frame.args[1] == "rescue":
        return
    into = "line" if movement.is_column(state, reactor) else "column"
    if why_no_change(rules, state, frame, reactor, into) is None:
        yield Change(name, into)
    if why_no_withdrawal(rules, state, frame, reactor) is None:
        companies = withdrawals.companies(rules, state, reactor)
        for h in withdrawals.places(rules, state, reactor, (), state.at[unit]):
            for along in companies:
                yield withdrawals.Withdraw(name, rules.grid.ids[h], along)
    for facing, word in enumerate(COMPASS):
        if facing != state.facing[reactor]:
            yield Face(name, word)


def why_no_shot(rules: Volturno, state: State, frame: Frame, reactor: int) -> Refusal | None:
    """9.p2, 9.p3, 9.1.2, 9.2.1.p1, 12.2.2: through the front, in range, and one unit of a hex at a time."""
    unit, _, _, fired, _ = frame.args
    data = {"unit": rules.ids[reactor], "hex": rules.grid.ids[state.at[unit]]}
    if not is_in_front(rules, state, reactor, state.at[unit]):
        return Refusal("9.p3", "not_in_front", data)
    why = fire.why_no_shot(rules, state, reactor, state.at[unit])
    if why is not None:
        return why
    if state.at[reactor] in fired:
        return Refusal("9.2.1.p1", "hex_has_fired", data)
    return None


def why_no_counter(rules: Volturno, state: State, frame: Frame, reactor: int) -> Refusal | None:
    """12.2.3, 12.2.3.p2, 15.2.p3: infantry and cavalry, against a hex next to them that they could enter."""
    here, there = state.at[reactor], state.at[frame.args[0]]
    data = {"unit": rules.ids[reactor], "hex": rules.grid.ids[there]}
    if not assault.can_assault(rules, reactor):
        return Refusal("12.2.3", "cannot_assault", data)
    if rules.is_night(state.turn) and rules.option["night_reaction_combat"] == "forbid":
        return Refusal("15.2.p3", "no_attack_at_night", data)
    near = there in rules.grid.adjacent[here]
    if not near or not movement.step_cost(rules, state, reactor, here, there):
        return Refusal("12.2.3.p2", "cannot_counter", data)
    if rules.is_night(state.turn) and rules.option["night_reaction_combat"] == "forbid":
        return Refusal("15.2.p3", "no_attack_at_night", data)
    if rules.side[reactor] == GARIBALDINI and rules.ground.capua >> there & 1:
        return Refusal("15.6", "capua_closed", data)
    return None


def why_no_change(rules: Volturno, state: State, frame: Frame, reactor: int, into: str) -> Refusal | None:
    """12.1.t1, 8.3.6, 8.4: column is left in reaction to fire alone; unlimbered guns may limber in any."""
    data, why = {"unit": rules.ids[reactor]}, movement.why_not_formed(rules, state, reactor, into)
    if why is not None:
        return why
    guns, fired_at = rules.counters[reactor].is_artillery, frame.args[1] == "fire"
    if into == "column" and not guns:
        return Refusal("12.1.t1", "no_form", data)
    if frame.args[0] in frame.args[-1]:
        return Refusal("12.1.2", "no_form", data)
    return None if fired_at or into == "column" else Refusal("8.3.6", "no_form", data)


def why_no_withdrawal(rules: Volturno, state: State, frame: Frame, reactor: int) -> Refusal | None:
    """12.2.5.p2, 12.2.5.p4: unlimbered field guns never do, nor who has no hex farther away."""
    data = {"unit": rules.ids[reactor], "hex": ""}
    if rules.counters[reactor].kind == FIELD and not movement.is_column(state, reactor):
        return Refusal("12.2.5.p4", "guns_stay", data)
    if not withdrawals.places(rules, state, reactor, (), state.at[frame.args[0]]):
        return Refusal("12.2.5.p2", "no_withdrawal", data)
    return None


def _fault(rules: Volturno, state: State, frame: Frame) -> str:
    unit, trigger = frame.args[:2]
    if trigger not in TRIGGERS:
        return f"{trigger} is nothing to react to"
    own = rules.side[unit] == state.active or trigger == "retreat"
    return "" if own else "it is not a unit of the side that acts"


@CHAPTER.step(
    "12.1",
    on=AMID,
    secrets=open_to_all,
    takes=TAKES,
    fault=_fault,
    once=False,
    phases="activation",
)
def watch(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.1: the other side is asked if anybody there can react."""
    if watchers(rules, state, frame):
        state.frames.append(Frame("react", 1 - rules.side[frame.args[0]], frame.args))


@CHAPTER.choice(on=AMID, seats=anybody, takes=TAKES, fault=_fault, phases="activation")
class React(Choice["Volturno", State]):
    """12.1.3: who reacts next and how, in the order that the reacting side likes."""

    name = "react"
    rules = ("12.1.3", "12.2")
    verbs = (Shoot, Counter, counter_charges.CounterCharge, Face, withdrawals.Withdraw, Change, Hold)
    panel = REACT

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        yield Hold()
        for reactor in watchers(rules, state, frame):
            yield from reactions(rules, state, frame, reactor)

    def sample(self, rules: Volturno, state: State, frame: Frame, rng: Random) -> Action:
        """Nobody, or something that one of them can do; what the others can is not looked for."""
        found: list[Action] = [Hold()]
        able = watchers(rules, state, frame)
        if able:
            found += reactions(rules, state, frame, rng.choice(able))
        return rng.choice(found)

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Hold):
            return None
        name: str = getattr(action, "unit", "")
        reactor = rules.number.get(name, -1)
        if reactor < 0:
            return rules.unknown_unit(name)
        if reactor not in watchers(rules, state, frame):
            spent = reactor in frame.args[-1] and frame.args[1] in ("enter", "leave", "assault")
            if spent:
                return Refusal("12.1.2", "has_reacted", {"unit": name})
            if frame.args[1] in ("retreat", "rescue"):
                return Refusal(TRIGGERS[frame.args[1]], "cannot_react", {"unit": name})
            return Refusal("12.1", "not_concerned", {"unit": name})
        return self._why_not_so(rules, state, frame, reactor, action)

    def _why_not_so(self, rules: Volturno, state: State, frame: Frame, reactor: int, action: Action) -> Refusal | None:
        bound = frame.args[1] == "rescue" and not isinstance(action, Shoot | Counter | counter_charges.CounterCharge)
        if bound or (fires_only(rules, state, frame) and not isinstance(action, Shoot)):
            return Refusal(TRIGGERS[frame.args[1]], "cannot_react", {"unit": rules.ids[reactor]})
        if isinstance(action, Shoot):
            return why_no_shot(rules, state, frame, reactor)
        if isinstance(action, Face):
            return movement.why_not_facing(rules, state, reactor, action.facing, "12.2.1")
        if isinstance(action, Counter):
            return why_no_counter(rules, state, frame, reactor)
        if isinstance(action, counter_charges.CounterCharge):
            path = rules.hexes(action.path)
            if isinstance(path, Refusal):
                return path
            return counter_charges.why_no_countercharge(rules, state, frame.args[0], reactor, path)
        if isinstance(action, Change):
            return why_no_change(rules, state, frame, reactor, action.into)
        assert isinstance(action, withdrawals.Withdraw)
        why = why_no_withdrawal(rules, state, frame, reactor)
        hexes = rules.hex_ids(withdrawals.places(rules, state, reactor, (), state.at[frame.args[0]]))
        if why is None and action.to not in hexes:
            why = Refusal("12.2.5.p2", "no_withdrawal", {"unit": action.unit, "hex": action.to})
        return why or withdrawals.why_not_along(rules, state, reactor, action)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Hold):
            out.append(Event("nobody_reacts", ("12.1.2",), {"side": rules.seats[frame.seat]}))
            return
        reactor = rules.number[getattr(action, "unit", "")]
        unit, trigger, h, fired, spent = frame.args
        charging.note_reaction(state, unit)
        afraid = charge.fear(rules, state, unit, reactor)
        if isinstance(action, Shoot):
            fired = (*fired, state.at[reactor])
        free = isinstance(action, Change) and trigger == "fire" and rules.free_change
        state.frames.append(Frame("watch", AUTO, (unit, trigger, h, fired, (*spent, unit if free else reactor))))
        if isinstance(action, Shoot):
            fire.shoot(state, reactor, unit, reaction=True)
        elif isinstance(action, Face):
            look(rules, state, reactor, COMPASS.index(action.facing))
            tell(rules, state, reactor, "turned", ("12.2.1",), {"facing": action.facing}, out)
            call_check(state, reactor, "face", afraid)
        elif isinstance(action, Counter):
            state.frames.append(Frame("strike_back", AUTO, (reactor, state.at[unit], state.level[reactor])))
            call_check(state, reactor, "counter", afraid)
        elif isinstance(action, counter_charges.CounterCharge):
            path = tuple(rules.grid.index[name] for name in action.path)
            state.frames.append(Frame("counter_charge", AUTO, (reactor, state.at[unit], state.level[reactor], path)))
            call_check(state, reactor, "counter", afraid)
        elif isinstance(action, Change):
            set_column(state, reactor, rules.side[reactor], action.into == "column")
            tell(rules, state, reactor, "formed", (TRIGGERS[trigger],), {"into": action.into}, out)
        else:
            assert isinstance(action, withdrawals.Withdraw)
            along = tuple(rules.number[name] for name in action.along)
            args = (reactor, rules.grid.index[action.to], state.level[reactor], along)
            state.frames.append(Frame("recoil", AUTO, args))
            call_check(state, reactor, "reaction_withdrawal", swiftness(rules, unit, reactor) + afraid)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        unit, trigger, h = frame.args[:3]
        named = label(rules, state, frame.seat, unit)
        told = {"unit": "" if named.startswith("?") else named, "hex": rules.grid.ids[h], "trigger": trigger}
        return told | {"from": rules.hex_id(state.at[unit])}


@CHAPTER.step(
    "12.2.5",
    on="watch",
    secrets=open_to_all,
    takes=(
        Argument("unit", UNIT),
        Argument("hex", HEX),
        Argument("level", NUMBER, 0, 3),
        Argument("leaders", UNITS, 0, MOST),
    ),
)
def recoil(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.2.5, 12.2.5.p1: after its check a unit withdraws, also if it has failed (unless an option keeps it)."""
    unit, to, level, along = frame.args
    if state.at[unit] < 0:
        return
    if state.level[unit] != level and rules.option["reaction_withdrawal_fail"] == "stays":
        tell(rules, state, unit, "cannot_withdraw", ("12.2.5.p1",), {}, out)
        return
    here = state.at[unit]
    fords = movement.is_ford(rules, state, unit, here, to)
    withdrawals.fall_back(rules, state, unit, to, "12.2.5", out)
    note_emptied(state, here, rules.side[unit])
    withdrawals.follow(rules, state, unit, along, out)
    if fords:
        call_check(state, unit, "ford")  # 14.1.p1


def swiftness(rules: Volturno, unit: int, reactor: int) -> int:
    """12.2.5: what the difference of their allowances adds to the check of who withdraws."""
    found = (rules.counters[unit].points - rules.counters[reactor].points) // HALVES
    return found if rules.option["withdrawal_ma_drm_negative"] else max(0, found)
