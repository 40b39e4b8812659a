"""7: the Action Phase of a formation. Each of its units does one thing, one after the other; commanders ride about."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter
from fronte.games.volturno import assault, charge, charging, cohesion, declarations, fire, movement, reserve
from fronte.games.volturno.acting import (
    CLOSE,
    Acting,
    Done,
    Form,
    Move,
    Turn,
    bound_to_leave,
    can_leave,
    committed,
    is_duty,
    leaving,
    must_march,
    open_unit,
    why_no_duty,
    why_no_end,
    why_no_march,
)
from fronte.games.volturno.counters import FORMATIONS, LIGHT, SIDE_OF
from fronte.games.volturno.reaction_zones import in_enemy_zone, look, reaches
from fronte.games.volturno.state import NOBODY, State, end_action, place, units_in

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
EAGER = 0.3
"""How often in random play somebody sees to a declared attack."""


# Beginning and end of an activation


def mark_activated(rules: Volturno, state: State, formation: int) -> None:
    """6.1.p2, 6.1.2, 8.6.p4: once a turn; the Orders marker has served; the commander is turned up."""
    state.activated |= 1 << formation
    state.orders[formation] = 0
    state.shown |= 1 << rules.leader_of[formation]


def begin(rules: Volturno, state: State, formation: int, row: str, out: list[Event]) -> None:
    """7, 3.2: the Action Phase of a formation begins; who stands in an enemy zone will have to attack or to leave."""
    mark_activated(rules, state, formation)
    side = SIDE_OF[formation]
    state.formation, state.row, state.active = formation, row, side
    members = rules.member_mask[formation]
    state.acted &= ~members | state.called  # 15.5.p1: who was taken along has had its action
    state.far &= ~members
    state.threatened, state.aimed = 0, ()
    for unit in rules.members[formation]:
        h = state.at[unit]
        if h >= 0 and not (state.ooc | state.called) >> unit & 1 and in_enemy_zone(rules, state, side, h):
            state.threatened |= 1 << unit
    state.frames.append(Frame("act", side, (formation,)))
    if declarations.may_declare(rules, state):
        state.frames.append(Frame("declare", side))


def close(rules: Volturno, state: State, formation: int, out: list[Event]) -> None:
    """4.B2.c, 4.B2.c1: units in command recover, the markers are taken away."""
    end_action(state)
    idle = rules.member_mask[formation] & ~state.ooc & ~state.called
    there = [u for u in units_in(idle) if state.at[u] >= 0]
    cohesion.recover(rules, state, there, "13.3", out)
    state.formation, state.row, state.markers, state.threatened = NOBODY, "", (), 0
    state.fulfilled, state.along, state.aimed = 0, 0, ()


def _commands(rules: Volturno, state: State, frame: Frame) -> tuple[int, ...]:
    return (SIDE_OF[frame.args[0]],)


def _acts(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if frame.args[0] == state.formation else "it is not the formation that acts"


def _why_due(rules: Volturno, state: State, unit: int, number: int) -> Refusal:
    """7.1.4: a declared attack is not left undone by who can carry it out."""
    target = rules.grid.ids[assault.target_of(rules, state.markers[number])]
    return Refusal("7.1.4", "marker_waits", {"unit": rules.ids[unit], "hex": target})


@CHAPTER.choice(
    on="next_go",
    seats=_commands,
    takes=(Argument("formation", NUMBER, 0, len(FORMATIONS) - 1),),
    fault=_acts,
    phases="activation",
)
class Act(Acting):
    """4.B2.b, 7.2: what the units of the active formation do."""

    name = "act"
    rules = ("4.B2.b", "7.2")
    verbs = (Move, Form, Turn, fire.Fire, assault.Assault, charge.Charge, reserve.Call, reserve.Train, Done)
    panel = panel.MOVE

    def able(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        (formation,) = frame.args
        idle, at = declarations.named_ones(rules, state) & ~state.acted, state.at
        units = units_in(idle) if idle & state.along else rules.members[formation]
        found = [unit for unit in units if idle >> unit & 1 and at[unit] >= 0]
        return found + [leader for leader in self._riders(rules, formation) if not state.led >> leader & 1]

    def _riders(self, rules: Volturno, formation: int) -> list[int]:
        """gap.leader-move: the commander of the formation, and the one in chief in any activation of his side."""
        chief = rules.chief[SIDE_OF[formation]]
        now = chief >= 0 and rules.option["cic_move_timing"] == "any-own-activation"
        return [rules.leader_of[formation], *([chief] if now else [])]

    def of_unit(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        owes = bound_to_leave(rules, state, unit)
        for h in assault.targets(rules, state, unit):
            action = assault.Assault(rules.ids[unit], rules.grid.ids[h])
            if assault.why_no_assault(rules, state, unit, action) is None and not (
                owes and not reaches(rules, state, h, state.at[unit])
            ):
                yield action
        yield from charge.charges(rules, state, unit)
        bound = movement.is_bound(rules, state, unit) or rules.grid.everything
        for shot in fire.shots(rules, state, unit):
            h = rules.grid.index[shot.target]
            if bound >> h & 1 and (not owes or is_duty(rules, state, unit, h)):
                yield shot
        if why_no_march(rules, state, unit) is None:
            for train in reserve.trains(rules, state, unit):
                if why_no_end(rules, state, unit, rules.grid.index[train.to]) is None:
                    yield train

    def sample(self, rules: Volturno, state: State, frame: Frame, rng: Random) -> Action:
        """As others do; but units that are named for a marker often see to it, or hardly anybody ever would."""
        action = self._attack(rules, state, frame, rng) if state.markers and rng.random() < EAGER else None
        return action or super().sample(rules, state, frame, rng)

    def _some(self, rules: Volturno, state: State, frame: Frame, unit: int, rng: Random) -> Action | None:
        """7.1.4: who alone can carry out a declared attack does something that sees to it."""
        number = self._duty(rules, state, frame, unit)
        if number == NOBODY:
            return super()._some(rules, state, frame, unit, rng)
        found = list(self._all_due(rules, state, unit, number))
        return rng.choice(found) if found else None

    # 7.1.4: who alone can carry out a declared attack

    def _duty(self, rules: Volturno, state: State, frame: Frame, unit: int) -> int:
        """7.1.4: the marker to which this unit has to see, as nobody else can; NOBODY if there is none."""
        if not state.markers or unit in rules.leader_set or movement.is_bound(rules, state, unit):
            return NOBODY
        number = declarations.alone(rules, state, unit, self.able(rules, state, frame))
        if number != NOBODY and state.at[unit] == state.markers[number][1]:
            zone = reaches(rules, state, assault.target_of(rules, state.markers[number]), state.at[unit])
            if why_no_duty(rules, state, unit, zone) is not None:
                return NOBODY  # 3.2: it may not make this attack, and leaves
        return number

    def _why_waits(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        """7.1.4: why somebody does not do this: a declared attack could not be made any more."""
        unit = rules.number.get(getattr(action, "unit", ""), -1)
        if unit < 0 or isinstance(action, assault.Assault | charge.Charge | reserve.Call):
            return None
        number = self._duty(rules, state, frame, unit)
        if number == NOBODY or self._sees_to(rules, state, unit, number, action):
            return None
        return _why_due(rules, state, unit, number)

    def _sees_to(self, rules: Volturno, state: State, unit: int, number: int, action: Action) -> bool:
        """7.1.4, 7.1.p3: does it attack with this, or could it still attack afterwards?"""
        if isinstance(action, fire.Fire):
            return rules.counters[unit].kind == LIGHT and state.at[unit] == state.markers[number][1]
        if not isinstance(action, Move | Form):
            return False
        then = state.copy()
        open_unit(rules, then, unit)
        if isinstance(action, Form):
            then.column ^= 1 << unit
        else:
            for name in action.path:
                here, there = then.at[unit], rules.grid.index[name]
                then.left -= min(then.left, movement.step_cost(rules, then, unit, here, there))
                place(then, unit, there, rules.side[unit])
                then.steps += 1
        return declarations.carries_out(rules, then, unit, number)

    def ways(self, rules: Volturno, state: State, unit: int) -> dict[int, tuple[int, list[int]]]:
        """7.1.4: who alone can carry out a declared attack goes to where it is made from."""
        number = self._duty(rules, state, state.frames[-1], unit)
        return super().ways(rules, state, unit) if number == NOBODY else self._ways_due(rules, state, unit, number)

    def _ways_due(self, rules: Volturno, state: State, unit: int, number: int) -> dict[int, tuple[int, list[int]]]:
        """7.1.4: to where the attack is made from, and as far on the cheapest way there as it likes; nowhere, if it has
        to form first or to charge."""
        kind, at, _, _ = state.markers[number]
        target = assault.target_of(rules, state.markers[number])
        if kind == movement.CHARGE or not movement.step_cost(rules, state, unit, at, target):
            return {}
        found = self.ways_to(rules, state, unit, at)
        return found if at in found else {}

    def _all_of(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        number = self._duty(rules, state, state.frames[-1], unit)
        if number != NOBODY:
            return self._all_due(rules, state, unit, number)
        ways, name = super().ways(rules, state, unit).values(), rules.ids[unit]
        return chain((Move(name, rules.hex_ids(way)) for _, way in ways), self._but_moves(rules, state, unit))

    def _all_due(self, rules: Volturno, state: State, unit: int, number: int) -> Iterator[Action]:
        """7.1.4: what a unit may do that has to see to a marker."""
        for _, way in self._ways_due(rules, state, unit, number).values():
            yield Move(rules.ids[unit], rules.hex_ids(way))
        yield from self._deeds_due(rules, state, unit, number)

    def _deeds_due(self, rules: Volturno, state: State, unit: int, number: int) -> Iterator[Action]:
        for action in self._but_moves(rules, state, unit):
            attacks = isinstance(action, assault.Assault | charge.Charge)
            if attacks or self._sees_to(rules, state, unit, number, action):
                yield action

    def besides(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        """7.1.4: who alone can carry out a declared attack does nothing else."""
        number = self._duty(rules, state, state.frames[-1], unit)
        free = number == NOBODY
        return super().besides(rules, state, unit) if free else self._deeds_due(rules, state, unit, number)

    def _attack(self, rules: Volturno, state: State, frame: Frame, rng: Random) -> Action | None:
        """Somebody carries out a declared attack, or goes where it is made from."""
        _, at, _, unit = rng.choice(state.markers)
        if unit not in self.movers(rules, state, frame):
            return None
        found = [one for one in self.of_unit(rules, state, unit) if isinstance(one, assault.Assault | charge.Charge)]
        if found:
            return rng.choice(found)
        if state.at[unit] == at:
            return None
        number = self._duty(rules, state, frame, unit)
        free = number == NOBODY
        ways = self.ways_to(rules, state, unit, at) if free else self._ways_due(rules, state, unit, number)
        return Move(rules.ids[unit], rules.hex_ids(ways[at][1])) if at in ways else None

    def more(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        if not committed(rules, state):
            for unit in reserve.callable_ones(rules, state):
                yield reserve.Call(rules.ids[unit])
        if self._why_not_done(rules, state, frame) is None:
            yield Done()

    def _why_not_done(self, rules: Volturno, state: State, frame: Frame) -> Refusal | None:
        """3.2, 6.2: an activation does not end while a unit has to leave, or to fall back, and can."""
        if committed(rules, state):
            return Refusal("7.1.p2", "must_attack_now", {"unit": rules.ids[state.mover]})
        if leaving(rules, state):
            return Refusal("3.2", "attack_or_leave", {"unit": rules.ids[state.mover]})
        for unit in units_in(state.threatened & ~state.acted):
            if can_leave(rules, state, unit):
                return Refusal("3.2", "attack_or_leave", {"unit": rules.ids[unit]})
        open_one = [state.mover] if state.mover != NOBODY else []
        bound = declarations.owed(rules, state, [*open_one, *self.able(rules, state, frame)])
        if bound is not None:
            return _why_due(rules, state, *bound)
        for unit in [*self.able(rules, state, frame), *open_one]:
            if must_march(rules, state, unit):
                return Refusal("15.8.1", "must_march", {"unit": rules.ids[unit]})
        if state.row == "fall_back":
            for unit in self.able(rules, state, frame):
                if (
                    unit in rules.leader_set
                    or movement.nearest_enemy(rules, state, rules.side[unit], state.at[unit]) > CLOSE
                ):
                    continue
                if self.ways(rules, state, unit):
                    return Refusal("table.initiative", "must_fall_back", {"unit": rules.ids[unit]})
        return None

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Done):
            return self._why_not_done(rules, state, frame)
        return self._why_not_so(rules, state, frame, action) or self._why_waits(rules, state, frame, action)

    def _why_not_so(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if not isinstance(action, fire.Fire | assault.Assault | charge.Charge | reserve.Call | reserve.Train):
            return super().why_not(rules, state, frame, action)
        unit = rules.number.get(action.unit, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        if isinstance(action, reserve.Call):
            if committed(rules, state):
                return Refusal("7.1.p2", "must_attack_now", {"unit": rules.ids[state.mover]})
            return reserve.why_no_call(rules, state, unit)
        if isinstance(action, reserve.Train):
            return self._why_no_train(rules, state, frame, unit, action)
        why = self.why_idle(rules, state, frame, unit)
        h = rules.grid.index.get(action.target, -1)
        if isinstance(action, assault.Assault):
            why = why or assault.why_no_assault(rules, state, unit, action)
            return why or why_no_duty(rules, state, unit, reaches(rules, state, h, state.at[unit]))
        if isinstance(action, charge.Charge):
            return why or charge.why_no_charge(rules, state, unit, action)
        bound = movement.is_bound(rules, state, unit)
        if why is None and h >= 0 and bound and not bound >> h & 1:
            why = Refusal("7.1.p3", "must_attack_now", {"unit": action.unit})
        if why is None and h >= 0:
            why = why_no_duty(rules, state, unit, is_duty(rules, state, unit, h))
        return why or fire.why_no_fire(rules, state, unit, action)

    def _why_no_train(
        self, rules: Volturno, state: State, frame: Frame, unit: int, action: reserve.Train
    ) -> Refusal | None:
        """15.5.p2: it goes by train as it would march: when it acts, limbered, and to where it may end."""
        why = self.why_idle(rules, state, frame, unit) or reserve.why_no_train(rules, state, unit, action)
        why = why or why_no_march(rules, state, unit)
        return why or why_no_end(rules, state, unit, rules.grid.index[action.to])

    def why_not_able(self, rules: Volturno, state: State, unit: int) -> Refusal:
        data = {"unit": rules.ids[unit]}
        if rules.counters[unit].formation != state.formation:
            return Refusal("6.1", "not_its_formation", data)
        if state.called >> unit & 1:
            return Refusal("15.5.p1", "was_called", data)
        return Refusal("4.B2.p6", "out_of_command", data)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Done):
            state.frames.pop()
            (formation,) = frame.args
            close(rules, state, formation, out)
            out.append(Event("activation_done", ("4.B2.c",), {"formation": FORMATIONS[formation]}))
        elif isinstance(action, reserve.Call):
            reserve.call(rules, state, rules.number[action.unit], out)
        elif isinstance(action, reserve.Train):
            unit = rules.number[action.unit]
            open_unit(rules, state, unit)
            reserve.ride_train(rules, state, unit, rules.grid.index[action.to], action.facing, out)
        elif isinstance(action, assault.Assault):
            unit = rules.number[action.unit]
            open_unit(rules, state, unit)
            if rules.faces_marker:
                look(rules, state, unit, rules.ground.facings.toward(state.at[unit], rules.grid.index[action.target]))
            assault.begin(rules, state, unit, action, out)
        elif isinstance(action, charge.Charge):
            unit = rules.number[action.unit]
            open_unit(rules, state, unit)
            charging.begin(rules, state, unit, action, out)
        elif isinstance(action, fire.Fire):
            unit = rules.number[action.unit]
            open_unit(rules, state, unit)
            state.far |= 1 << unit
            fire.open_fire(rules, state, unit, action, out)
        else:
            super().apply(rules, state, frame, action, out)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        card = rules.roster(state, frame.args[0])
        return {"formation": FORMATIONS[frame.args[0]], "row": state.row, "card": card}
