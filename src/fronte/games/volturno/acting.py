"""7, 8: what a unit may do whose action is open, in an activation or out of command: move, form, turn.

The action of a unit is open (`State.mover`) until it has nothing left to do or another unit acts. So a move may be
given in one order or hex by hex, and what happened on the way is known before the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.games.volturno import assault, commanders, fire, movement, ruiz
from fronte.games.volturno.counters import COMPASS, HORSE, LIGHT, RUIZ
from fronte.games.volturno.fog import tell
from fronte.games.volturno.reaction_zones import in_enemy_zone, look, reaches
from fronte.games.volturno.state import NOBODY, State, end_action, set_column
from fronte.hexes.grid import OFF_MAP

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

TRIES = 4
"""How often a random way is drawn."""
WANDERING = 0.3
"""How often it leads nowhere."""
GOING_BACK = ("retire", "fall_back")
"""6.2: rows under which nobody ends nearer to the enemy."""
CLOSE = 3
"""6.2: so near to an enemy a unit of a commander who falls back has to go away from him."""


class Move(Action, frozen=True):
    """8: a unit or a commander goes along a path; the facing is the one it takes on the way (8.2)."""

    form = "move {unit} {path:-}[ facing {facing}]"
    unit: str
    path: tuple[str, ...]
    facing: str = ""


class Form(Action, frozen=True):
    """8.3.p1, 8.4.p2: a unit forms column or line; guns limber or unlimber."""

    form = "form {unit} {into}"
    unit: str
    into: str


class Turn(Action, frozen=True):
    """8.2.p2: a unit turns where it stands, and its action is over."""

    form = "turn {unit} {facing}"
    unit: str
    facing: str


class Done(Action, frozen=True):
    """4.B2.c: nothing more is done."""

    form = "done"


def open_unit(rules: Volturno, state: State, unit: int) -> None:
    """7.2: a unit begins its one action; that of another is thereby over."""
    if state.mover != unit:
        state.left, state.steps = movement.allowance(rules, state, unit), 0
        state.mover, state.origin = unit, state.at[unit]
    state.acted |= 1 << unit


class Acting(Choice["Volturno", State]):
    """8: moves, forms and turns of units that may act; what else there is to do is added by who may."""

    def able(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        """The units that have not begun their action."""
        raise NotImplementedError

    def more(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        """What can be done besides."""
        yield Done()

    def of_unit(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        """What a unit can do besides moving."""
        yield from ()

    def movers(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        """Those that can do something: the one whose action is open first; alone if it is bound to attack."""
        mover = state.mover
        if mover == NOBODY:
            return self.able(rules, state, frame)
        if committed(rules, state) or leaving(rules, state) or marching(rules, state):
            return [mover]
        return [mover, *(u for u in self.able(rules, state, frame) if u != mover)]

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        for unit in self.movers(rules, state, frame):
            yield from self._all_of(rules, state, unit)
        yield from self.more(rules, state, frame)

    def _all_of(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        name = rules.ids[unit]
        for _, way in self.ways(rules, state, unit).values():
            yield Move(name, rules.hex_ids(way))
        yield from self._but_moves(rules, state, unit)

    def _but_moves(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        if unit in rules.leader_set:
            return
        name = rules.ids[unit]
        into = "line" if movement.is_column(state, unit) else "column"
        if why_no_form(rules, state, unit, into) is None:
            yield Form(name, into)
        if why_no_turn(rules, state, unit) is None:
            for facing, word in enumerate(COMPASS):
                if facing != state.facing[unit]:
                    yield Turn(name, word)
        yield from self.of_unit(rules, state, unit)

    def besides(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        """All that a unit may do now but move."""
        return self._but_moves(rules, state, unit)

    def ways(self, rules: Volturno, state: State, unit: int) -> dict[int, tuple[int, list[int]]]:
        """Where a unit may go by its cheapest way."""
        return self.ways_to(rules, state, unit, OFF_MAP)

    def ways_to(self, rules: Volturno, state: State, unit: int, goal: int) -> dict[int, tuple[int, list[int]]]:
        """The same of one goal, and of the hexes on the cheapest way there."""
        if why_no_march(rules, state, unit) is not None:
            return {}
        found = movement.reach(rules, state, unit, goal)
        return {h: found[h] for h in sorted(found) if why_no_end(rules, state, unit, h) is None}

    def sample(self, rules: Volturno, state: State, frame: Frame, rng: Random) -> Action:
        """Some unit does something; of moves one facing in seven is asked for."""
        units = self.movers(rules, state, frame)
        rng.shuffle(units)
        for unit in units[:3]:
            action = self._some(rules, state, frame, unit, rng)
            if action is not None:
                return action
        rest = list(self.more(rules, state, frame)) or list(self.legal(rules, state, frame))
        return rng.choice(rest)

    def _some(self, rules: Volturno, state: State, frame: Frame, unit: int, rng: Random) -> Action | None:
        """Something that a unit does; None if nothing is found."""
        way = self._some_way(rules, state, unit, rng) if rng.random() < 0.7 else []
        if way:
            facing = rng.choice(("", *COMPASS)) if unit not in rules.leader_set else ""
            return Move(rules.ids[unit], rules.hex_ids(way), facing)
        other = list(self._but_moves(rules, state, unit))
        return rng.choice(other) if other else None

    def _some_way(self, rules: Volturno, state: State, unit: int, rng: Random) -> list[int]:
        """A way at random; where some ends are forbidden a few are drawn."""
        if why_no_march(rules, state, unit) is not None:
            return []
        for _ in range(TRIES):
            way = movement.stroll(rules, state, unit, rng, self._goal(rules, state, unit, rng))
            if way and why_no_end(rules, state, unit, way[-1]) is None:
                return way
        return []

    def _goal(self, rules: Volturno, state: State, unit: int, rng: Random) -> int:
        """Where a random way leads: often towards some enemy not too far away, or nowhere; commanders go to units they
        command, and who is out of command to his commander."""
        if rng.random() < WANDERING:
            return OFF_MAP
        formation = rules.counters[unit].formation
        if unit in rules.leader_set:
            led = rules.members[formation] if formation >= 0 else rules.units_of_side[rules.side[unit]]
            return state.at[rng.choice(led)]
        if not rules.is_acting(state):
            return state.at[rules.leader_of[formation]]
        others = rules.units_of_side[1 - rules.side[unit]]
        seen = [state.at[rng.choice(others)] for _ in range(3)]
        here = state.at[unit]
        return min([h for h in seen if h >= 0], key=lambda h: rules.grid.distance(here, h), default=OFF_MAP)

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        name: str = getattr(action, "unit", "")
        unit = rules.number.get(name, -1)
        if unit < 0:
            return rules.unknown_unit(name)
        why = self.why_idle(rules, state, frame, unit)
        if why is not None:
            return why
        if isinstance(action, Move):
            path = rules.hexes(action.path)
            return path if isinstance(path, Refusal) else self.why_no_move(rules, state, unit, path, action.facing)
        if isinstance(action, Form):
            return why_no_form(rules, state, unit, action.into)
        assert isinstance(action, Turn)
        return movement.why_not_facing(rules, state, unit, action.facing, "3.1") or why_no_turn(rules, state, unit)

    def why_idle(self, rules: Volturno, state: State, frame: Frame, unit: int) -> Refusal | None:
        """4.B2.p6, 7.2: why a unit does not act now."""
        if unit in self.movers(rules, state, frame):
            return None
        data = {"unit": rules.ids[unit]}
        if rules.side[unit] != frame.seat:
            return Refusal("1", "not_yours", data)
        if state.at[unit] < 0:
            return Refusal("2.4.p2", "gone", data)
        if committed(rules, state):
            return Refusal("7.1.p2", "must_attack_now", {"unit": rules.ids[state.mover]})
        if leaving(rules, state):
            return Refusal("3.2", "attack_or_leave", {"unit": rules.ids[state.mover]})
        if marching(rules, state):
            return Refusal("15.8.1", "must_march", {"unit": rules.ids[state.mover]})
        if unit in rules.leader_set:
            if state.led >> unit & 1:
                return Refusal("gap.leader-move", "has_ridden", data)
            return _why_he_waits(rules, unit)
        if state.acted >> unit & 1:
            return Refusal("7.2", "has_acted", data)
        return self.why_not_able(rules, state, unit)

    def why_not_able(self, rules: Volturno, state: State, unit: int) -> Refusal:
        """Why a unit that has not acted cannot do so here."""
        raise NotImplementedError

    def why_no_move(self, rules: Volturno, state: State, unit: int, path: list[int], facing: str) -> Refusal | None:
        """8: each hex must be free for it and be paid for."""
        if not path:
            return Refusal("8", "no_path", {})
        if movement.read_facing(facing) is None:
            return Refusal("3.1", "no_facing", {"facing": facing})
        why = why_no_march(rules, state, unit)
        if why is not None:
            return why
        here, left = state.at[unit], movement.left_of(rules, state, unit)
        first, bound = state.mover != unit or not state.steps, movement.is_bound(rules, state, unit)
        side, leader = rules.side[unit], unit in rules.leader_set
        for there in path:
            why = movement.why_no_step(rules, state, unit, here, there, left, first)
            why = why or movement.why_no_passing(rules, state, side, here, there, bound)
            if why is not None:
                return why
            bound = 0 if leader else movement.bound_in(rules, state, side, there, bound)
            left, here, first = max(0, left - movement.step_cost(rules, state, unit, here, there)), there, False
        return why_no_end(rules, state, unit, here)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        unit = rules.number[getattr(action, "unit", "")]
        if isinstance(action, Move):
            path = tuple(rules.grid.index[name] for name in action.path)
            if unit in rules.leader_set:
                commanders.ride(rules, state, unit, path[-1], out)
                return
            open_unit(rules, state, unit)
            facing = movement.read_facing(action.facing)
            state.frames.append(Frame("march", AUTO, (unit, path, facing, 0)))
        elif isinstance(action, Form):
            acted = state.acted
            open_unit(rules, state, unit)
            form(rules, state, unit, action.into, out)
            if action.into == "line" and rules.is_acting(state) and not rules.counters[unit].is_artillery:
                state.acted = acted  # 8.3.6: to leave column when it is activated is no action yet
        else:
            assert isinstance(action, Turn)
            open_unit(rules, state, unit)
            look(rules, state, unit, COMPASS.index(action.facing))
            tell(rules, state, unit, "turned", ("8.2.p2",), {"facing": action.facing}, out)
            end_action(state)

    def offer(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        units, others = dict[str, Any](), list[Action]()
        for unit in self.movers(rules, state, frame):
            others += self.besides(rules, state, unit)
            ways = {
                rules.grid.ids[h]: {"left": left, "path": list(rules.hex_ids(way))}
                for h, (left, way) in self.ways(rules, state, unit).items()
            }
            units[rules.ids[unit]] = {"left": movement.left_of(rules, state, unit), "reach": ways}
        others += self.more(rules, state, frame)
        actions = [msgspec.to_builtins(action) for action in others if not isinstance(action, Move)]
        return {"move": "move", "units": units, "actions": actions, "facings": list(COMPASS)}


def why_no_march(rules: Volturno, state: State, unit: int) -> Refusal | None:
    """6.2, 12.1: a unit of a commander who holds does not march, but out of an enemy zone; guns limber first."""
    data = {"unit": rules.ids[unit]}
    if unit in rules.gun_set and not state.column >> unit & 1:
        return Refusal("8.4", "not_limbered", data)
    if unit in rules.leader_set:
        return None
    if why_no_march_by_row(rules, state, unit):
        return Refusal("table.initiative", "holds", data)
    if rules.passing == "false" and movement.is_bound(rules, state, unit):
        return Refusal("3.1.2.p1", "stops_there", {"hex": rules.grid.ids[state.at[unit]]})
    return None


def _why_he_waits(rules: Volturno, unit: int) -> Refusal:
    """gap.leader-move: when a commander who does not ride now does, as an option has it for those in chief."""
    data = {"unit": rules.ids[unit]}
    timing = rules.option["cic_move_timing"] if unit == rules.chief[rules.side[unit]] else ""
    if timing == "start-of-phase-b":
        return Refusal("gap.leader-move", "chief_rides_first", data)
    if timing == "phase-d":
        return Refusal("gap.leader-move", "chief_rides_last", data)
    return Refusal("gap.leader-move", "leader_waits", data)


def why_no_march_by_row(rules: Volturno, state: State, unit: int) -> bool:
    """6.2: a commander who holds lets nobody leave but who must (3.2)."""
    return state.row == "hold" and not state.threatened >> unit & 1 and rules.is_acting(state)


def why_no_end(rules: Volturno, state: State, unit: int, h: int) -> Refusal | None:
    """5.1.1, 6.2, 15.8.1: where a move may not end: away from the commander out of command, nearer to the enemy for
    who retires or falls back, away from its goal for the column of Ruiz."""
    if unit in rules.leader_set:
        return ruiz.why_no_end(rules, state, unit, h)
    if not rules.is_acting(state):
        leader = state.at[rules.leader_of[rules.counters[unit].formation]]
        if rules.grid.distance(h, leader) >= rules.grid.distance(movement.origin(state, unit), leader):
            return Refusal("5.1.1", "not_nearer", {"hex": rules.grid.ids[h]})
        return ruiz.why_no_end(rules, state, unit, h)
    return why_no_end_by_row(rules, state, unit, h) or ruiz.why_no_end(rules, state, unit, h)


def why_no_end_by_row(rules: Volturno, state: State, unit: int, h: int) -> Refusal | None:
    """6.2: nearer to the enemy than it began no unit ends whose commander retires or falls back."""
    side, here, data = rules.side[unit], movement.origin(state, unit), {"hex": rules.grid.ids[h]}
    if state.row not in GOING_BACK:
        return None
    now, then = (movement.nearest_enemy(rules, state, side, at) for at in (here, h))
    if then < now or (state.row == "fall_back" and now <= CLOSE and then == now):
        return Refusal("table.initiative", "nearer_to_enemy", data)
    return None


def why_no_form(rules: Volturno, state: State, unit: int, into: str) -> Refusal | None:
    """8.3.p1, 8.4.p2, 8.4.1: at the start of the action; guns pay two points, and may unlimber at its end too, but not
    instead of what they have to do (3.2, 15.8.1)."""
    data = {"unit": rules.ids[unit]}
    why = movement.why_not_formed(rules, state, unit, into)
    if why is not None:
        return why
    counter = rules.counters[unit]
    if state.row == "hold" and rules.is_acting(state) and not state.threatened >> unit & 1:
        return Refusal("table.initiative", "holds", data)
    if counter.is_artillery:
        if state.mover == unit and into == "column":
            return Refusal("8.4", "no_form", data)
        if into == "line" and bound_to_leave(rules, state, unit):
            return Refusal("3.2", "attack_or_leave", data)
        if into == "line" and must_march(rules, state, unit):
            return Refusal("15.8.1", "must_march", data)
        if into == "line" and counter.kind == HORSE and state.mover == unit and state.steps:
            return None
        left = movement.left_of(rules, state, unit)
        if left < rules.ground.limber:
            return Refusal("8.4.p2", "too_dear_to_form", {**data, "need": rules.ground.limber, "have": left})
        return None
    return Refusal("8.3.p1", "only_at_start", data) if state.mover == unit else None


def form(rules: Volturno, state: State, unit: int, into: str, out: list[Event]) -> None:
    """8.3.p1, 8.4.p2: the marker is laid or taken away; guns that unlimber have done."""
    counter = rules.counters[unit]
    if counter.is_artillery:
        free = into == "line" and counter.kind == HORSE and state.steps
        movement.spend(rules, state, unit, 0 if free else rules.ground.limber)
    set_column(state, unit, counter.side, into == "column")
    rule = "8.4.p2" if counter.is_artillery else "8.3.p1"
    tell(rules, state, unit, "formed", (rule,), {"into": into}, out)
    if counter.is_artillery and into == "line":
        end_action(state)


def why_no_turn(rules: Volturno, state: State, unit: int) -> Refusal | None:
    """8.2.p2, 8.2.p3, 8.3.3.p1: not in column after a move, nor where the friends it came to face another way."""
    data = {"unit": rules.ids[unit]}
    if bound_to_leave(rules, state, unit):
        return Refusal("3.2", "attack_or_leave", data)
    if must_march(rules, state, unit):
        return Refusal("15.8.1", "must_march", data)
    if state.mover != unit or not state.steps:
        return None
    if committed(rules, state):
        return Refusal("7.1.p2", "must_attack_now", data)
    if movement.is_column(state, unit):
        return Refusal("8.3.3.p1", "column_keeps_facing", data)
    if len(state.stacks[state.at[unit]]) > 1:
        return Refusal("8.2.p3", "faces_as_friends", data)
    return None


def can_leave(rules: Volturno, state: State, unit: int) -> bool:
    """3.2, 3.2.p2: is there a hex into which a unit could move? Guns limber first."""
    left = movement.left_of(rules, state, unit)
    if state.row in GOING_BACK:  # 6.2: and not to any hex
        return _can_go_back(rules, state, unit)
    if unit not in rules.gun_set or movement.is_column(state, unit):
        first = left > 0 and (state.mover != unit or not state.steps)
        return any(first or price <= left for _, price in movement.first_steps(rules, state, unit))
    if left <= rules.ground.limber:
        return False
    was, state.column = state.column, state.column | 1 << unit
    found = bool(movement.first_steps(rules, state, unit))
    state.column = was
    return found


def _can_go_back(rules: Volturno, state: State, unit: int) -> bool:
    """3.2, 6.2: is there a hex that a unit can reach, as it stands or when it has formed, and in which it may end?"""

    def found() -> bool:
        return any(why_no_end_by_row(rules, state, unit, h) is None for h in movement.spread(rules, state, unit)[0])

    if unit not in rules.gun_set or movement.is_column(state, unit):
        return found()
    return movement.left_of(rules, state, unit) > rules.ground.limber and movement.in_other_form(state, unit, found)


def bound_to_leave(rules: Volturno, state: State, unit: int) -> bool:
    """3.2: it began in an enemy zone and can leave it, so it does that or attacks."""
    return bool(state.threatened >> unit & 1) and can_leave(rules, state, unit)


def why_no_duty(rules: Volturno, state: State, unit: int, fulfils: bool) -> Refusal | None:
    """3.2: who has to attack the enemy in whose zone it began, or to leave, does nothing else."""
    if fulfils or not bound_to_leave(rules, state, unit):
        return None
    return Refusal("3.2", "attack_or_leave", {"unit": rules.ids[unit]})


def is_duty(rules: Volturno, state: State, unit: int, h: int) -> bool:
    """3.2, 3.2.p2, 7.1.p3: is fire into this hex an attack on who has a zone on the unit? Light infantry fires from a
    marker that points there; guns by option."""
    if not reaches(rules, state, h, state.at[unit]):
        return False
    if rules.counters[unit].is_artillery:
        return bool(rules.option["artillery_fire_satisfies_ezor"])
    return h in assault.targets(rules, state, unit)


def must_march(rules: Volturno, state: State, unit: int) -> bool:
    """15.8.1: has a unit of the active Ruiz column to go nearer to Caserta Vecchia, and can it?"""
    if rules.counters[unit].formation != RUIZ or not rules.is_acting(state) or why_no_march_by_row(rules, state, unit):
        return False
    return ruiz.must_march(rules, state, unit, lambda h: why_no_end_by_row(rules, state, unit, h) is None)


def leaving(rules: Volturno, state: State) -> bool:
    """3.2: a unit that has formed, and has yet to leave the enemy zone or to attack, does so before another acts."""
    return has_begun(state) and bound_to_leave(rules, state, state.mover)


def has_begun(state: State) -> bool:
    """7.2, 8.3.6: has a unit begun its action without a step? To leave column when it is activated is none yet."""
    return state.mover != NOBODY and not state.steps and bool(state.acted >> state.mover & 1)


def marching(rules: Volturno, state: State) -> bool:
    """15.8.1: a unit that has formed for its march marches before another does anything."""
    return has_begun(state) and must_march(rules, state, state.mover)


def committed(rules: Volturno, state: State) -> bool:
    """7.1.p2: a unit that has come into an enemy zone on a marker attacks before anything else is done."""
    unit = state.mover
    if unit == NOBODY or not state.steps:
        return False
    if not in_enemy_zone(rules, state, rules.side[unit], state.at[unit]) and not movement.is_bound(rules, state, unit):
        return False
    light = rules.counters[unit].kind == LIGHT
    return any(
        movement.step_cost(rules, state, unit, state.at[unit], h)
        or (light and fire.why_no_shot(rules, state, unit, h) is None)
        for h in assault.targets(rules, state, unit)
    )
