"""7: the Action Phase of a formation. Each of its units does one thing, one after the other; commanders ride about.

The action of a unit is open (`State.mover`) until it has nothing left to do or another unit acts. So a move may be
given in one order or hex by hex, and what happened on the way is known before the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine import panel
from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody
from fronte.games.common.positions import UNIT
from fronte.games.volturno import assault, charge, cohesion, declarations, fire, movement, reserve, retreats, ruiz
from fronte.games.volturno.counters import COMPASS, FORMATIONS, HORSE, LIGHT, RUIZ, SIDE_OF
from fronte.games.volturno.fog import tell, who_knows
from fronte.games.volturno.reaction_zones import in_enemy_zone, look, reaches
from fronte.games.volturno.state import NOBODY, State, end_action, place, set_column, units_in
from fronte.hexes.grid import OFF_MAP

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
TRIES = 4
"""How often a random way is drawn."""
WANDERING = 0.3
"""How often it leads nowhere."""
EAGER = 0.3
"""How often in random play somebody sees to a declared attack."""
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


class BreakOff(Action, frozen=True):
    """13.1.3: a unit that has lost a level breaks off and retires a hex; without one it surrenders, or stays where a
    marker alone is in its way (11.3.3)."""

    form = "breakoff[ to {to}]"
    to: str = ""


class GoOn(Action, frozen=True):
    """13.1.3: it goes on all the same."""

    form = "goon"


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
        if h >= 0 and not state.ooc >> unit & 1 and in_enemy_zone(rules, state, side, h):
            state.threatened |= 1 << unit
    state.frames.append(Frame("act", side, (formation,)))
    if declarations.may_declare(rules, state):
        state.frames.append(Frame("declare", side))


def close(rules: Volturno, state: State, formation: int, out: list[Event]) -> None:
    """4.B2.c, 4.B2.c1: units in command recover, the markers are taken away."""
    close_unit(rules, state)
    idle = rules.member_mask[formation] & ~state.ooc & ~state.called
    there = [u for u in units_in(idle) if state.at[u] >= 0]
    cohesion.recover(rules, state, there, "13.3", out)
    state.formation, state.row, state.markers, state.threatened = NOBODY, "", (), 0
    state.fulfilled, state.along, state.aimed = 0, 0, ()


def close_unit(rules: Volturno, state: State) -> None:
    """7: the action of the unit that was acting is over."""
    end_action(state)


def open_unit(rules: Volturno, state: State, unit: int) -> None:
    """7.2: a unit begins its one action; that of another is thereby over."""
    if state.mover != unit:
        state.left, state.steps = movement.allowance(rules, state, unit), 0
        state.mover, state.origin = unit, state.at[unit]
    state.acted |= 1 << unit


# What acting units may do, in an activation and out of command


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
        if committed(rules, state) or leaving(rules, state) or marching(rules, state):
            return [state.mover]
        able = self.able(rules, state, frame)
        return able if state.mover == NOBODY else [state.mover, *(u for u in able if u != state.mover)]

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

    def ways(self, rules: Volturno, state: State, unit: int) -> dict[int, tuple[int, list[int]]]:
        """Where a unit may go by its cheapest way."""
        if why_no_march(rules, state, unit) is not None:
            return {}
        found = movement.reach(rules, state, unit)
        return {h: found[h] for h in sorted(found) if why_no_end(rules, state, unit, h) is None}

    def sample(self, rules: Volturno, state: State, frame: Frame, rng: Random) -> Action:
        """Some unit does something; of moves one facing in seven is asked for."""
        units = self.movers(rules, state, frame)
        rng.shuffle(units)
        for unit in units[:3]:
            way = self._some_way(rules, state, unit, rng) if rng.random() < 0.7 else []
            if way:
                facing = rng.choice(("", *COMPASS)) if unit not in rules.leader_set else ""
                return Move(rules.ids[unit], rules.hex_ids(way), facing)
            other = list(self._but_moves(rules, state, unit))
            if other:
                return rng.choice(other)
        rest = list(self.more(rules, state, frame)) or list(self.legal(rules, state, frame))
        return rng.choice(rest)

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
        if action.facing not in COMPASS or COMPASS.index(action.facing) == state.facing[unit]:
            return Refusal("3.1", "no_facing", {"facing": action.facing})
        return why_no_turn(rules, state, unit)

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
            return Refusal("gap.leader-move", "leader_waits", data)
        if state.acted >> unit & 1:
            return Refusal("7.2", "has_acted", data)
        return self.why_not_able(rules, state, unit)

    def why_not_able(self, rules: Volturno, state: State, unit: int) -> Refusal:
        """Why a unit that has not acted cannot do so here."""
        return Refusal("4.D", "in_command", {"unit": rules.ids[unit]})

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
                ride(rules, state, unit, path[-1], out)
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
            close_unit(rules, state)

    def offer(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        units = {}
        for unit in self.movers(rules, state, frame):
            ways = {
                rules.grid.ids[h]: {"left": left, "path": list(rules.hex_ids(way))}
                for h, (left, way) in self.ways(rules, state, unit).items()
            }
            units[rules.ids[unit]] = {"left": movement.left_of(rules, state, unit), "reach": ways}
        actions = [
            msgspec.to_builtins(action) for action in self.legal(rules, state, frame) if not isinstance(action, Move)
        ] or [msgspec.to_builtins(action) for action in self.legal(rules, state, frame)]
        return {"move": "move", "units": units, "actions": actions, "facings": list(COMPASS)}


def why_no_march(rules: Volturno, state: State, unit: int) -> Refusal | None:
    """6.2, 12.1: a unit of a commander who holds does not march, but out of an enemy zone; guns limber first."""
    data = {"unit": rules.ids[unit]}
    if rules.counters[unit].is_artillery and not movement.is_column(state, unit):
        return Refusal("8.4", "not_limbered", data)
    if unit in rules.leader_set:
        return None
    if why_no_march_by_row(rules, state, unit):
        return Refusal("table.initiative", "holds", data)
    if rules.passing == "false" and movement.is_bound(rules, state, unit):
        return Refusal("3.1.2.p1", "stops_there", {"hex": rules.grid.ids[state.at[unit]]})
    return None


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
    if state.row not in ("retire", "fall_back"):
        return None
    now, then = (movement.nearest_enemy(rules, state, side, at) for at in (here, h))
    if then < now or (state.row == "fall_back" and now <= CLOSE and then == now):
        return Refusal("table.initiative", "nearer_to_enemy", data)
    return None


def why_no_form(rules: Volturno, state: State, unit: int, into: str) -> Refusal | None:
    """8.3.p1, 8.4.p2, 8.4.1: at the start of the action; guns pay two points, and may unlimber at its end too."""
    data = {"unit": rules.ids[unit]}
    column = movement.is_column(state, unit)
    if into not in ("column", "line") or (into == "column") == column:
        return Refusal("8.3.p1", "no_form", data)
    counter = rules.counters[unit]
    if state.row == "hold" and rules.is_acting(state) and not state.threatened >> unit & 1:
        return Refusal("table.initiative", "holds", data)
    if counter.is_artillery:
        if state.mover == unit and into == "column":
            return Refusal("8.4", "no_form", data)
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
        close_unit(rules, state)


def why_no_turn(rules: Volturno, state: State, unit: int) -> Refusal | None:
    """8.2.p2, 8.2.p3, 8.3.3.p1: not in column after a move, nor where the friends it came to face another way."""
    data = {"unit": rules.ids[unit]}
    if unit in rules.leader_set:
        return Refusal("3.1", "no_facing", {"facing": ""})
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
    if state.row == "fall_back":  # 6.2: and not to any hex
        return _can_fall_back(rules, state, unit)
    if unit not in rules.gun_set or movement.is_column(state, unit):
        first = left > 0 and (state.mover != unit or not state.steps)
        return any(first or price <= left for _, price in movement.first_steps(rules, state, unit))
    if left <= rules.ground.limber:
        return False
    was, state.column = state.column, state.column | 1 << unit
    found = bool(movement.first_steps(rules, state, unit))
    state.column = was
    return found


def _can_fall_back(rules: Volturno, state: State, unit: int) -> bool:
    """3.2, 6.2: is there a hex farther from the enemy that a unit can reach, as it stands or when it has formed?"""

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
    return state.mover != NOBODY and not state.steps and bound_to_leave(rules, state, state.mover)


def marching(rules: Volturno, state: State) -> bool:
    """15.8.1: a unit that has formed for its march marches before another does anything."""
    return state.mover != NOBODY and not state.steps and must_march(rules, state, state.mover)


def committed(rules: Volturno, state: State) -> bool:
    """7.1.p2: a unit that has come into an enemy zone on a marker attacks before anything else is done."""
    unit = state.mover
    if unit == NOBODY or not state.steps or not in_enemy_zone(rules, state, rules.side[unit], state.at[unit]):
        return False
    light = rules.counters[unit].kind == LIGHT
    return any(
        movement.step_cost(rules, state, unit, state.at[unit], h)
        or (light and fire.why_no_shot(rules, state, unit, h) is None)
        for h in assault.targets(rules, state, unit)
    )


def ride(rules: Volturno, state: State, leader: int, to: int, out: list[Event]) -> None:
    """8.5, gap.leader-move: a commander rides once a turn; it is no action, and nobody reacts."""
    here, before = state.at[leader], who_knows(rules, state, leader)
    state.at[leader] = to
    state.led |= 1 << leader
    data = {"path": [rules.grid.ids[here], rules.grid.ids[to]]}
    tell(rules, state, leader, "rode", ("8.5",), data, out, before)


# The Action Phase


def _commands(rules: Volturno, state: State, frame: Frame) -> tuple[int, ...]:
    return (SIDE_OF[frame.args[0]],)


def _acts(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if frame.args[0] == state.formation else "it is not the formation that acts"


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
        idle = (rules.member_mask[formation] & ~state.ooc | state.along) & ~state.acted
        found = [unit for unit in units_in(idle) if state.at[unit] >= 0]
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
        if action is None:
            action = super().sample(rules, state, frame, rng)
        if self._why_waits(rules, state, frame, action) is None:
            return action
        return rng.choice(list(self.legal(rules, state, frame)))

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
        return Refusal("7.1.4", "marker_waits", {"unit": rules.ids[unit]})

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
        found, number = super().ways(rules, state, unit), self._duty(rules, state, state.frames[-1], unit)
        if number == NOBODY:
            return found
        _, way = found.get(state.markers[number][1], (0, []))  # nowhere, if it has to form first or to charge

        def serves(h: int) -> bool:
            move = Move(rules.ids[unit], rules.hex_ids(found[h][1]))
            return self._sees_to(rules, state, unit, number, move)

        return {h: found[h] for h in sorted(way) if h in found and serves(h)}

    def _but_moves(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        for action in super()._but_moves(rules, state, unit):
            if self._why_waits(rules, state, state.frames[-1], action) is None:
                yield action

    def _attack(self, rules: Volturno, state: State, frame: Frame, rng: Random) -> Action | None:
        """Somebody carries out a declared attack, or goes where it is made from."""
        _, at, _, unit = rng.choice(state.markers)
        if unit not in self.movers(rules, state, frame):
            return None
        found = [one for one in self.of_unit(rules, state, unit) if isinstance(one, assault.Assault | charge.Charge)]
        if found:
            return rng.choice(found)
        ways = self.ways(rules, state, unit) if state.at[unit] != at else {}
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
        if bound != NOBODY:
            return Refusal("7.1.4", "marker_waits", {"unit": rules.ids[bound]})
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
        why = self.why_idle(rules, state, frame, unit) or why_no_march(rules, state, unit)
        why = why or reserve.why_no_train(rules, state, unit, action)
        return why or why_no_end(rules, state, unit, rules.grid.index[action.to])

    def why_not_able(self, rules: Volturno, state: State, unit: int) -> Refusal:
        data = {"unit": rules.ids[unit]}
        if rules.counters[unit].formation != state.formation:
            return Refusal("6.1", "not_its_formation", data)
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
            charge.begin(rules, state, unit, action, out)
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


# 13.1.3: breaking off


def havens(rules: Volturno, state: State, unit: int) -> list[int]:
    """13.1.3, 11.3: the hexes into which a unit retires; to its rear if it was stopped in an assault (11.3.p0)."""
    return retreats.retreat_hexes(rules, state, unit, (), _rear(rules, state, unit))[0]


def _rear(rules: Volturno, state: State, unit: int) -> int:
    """11.3.p0: the rear hexes of who has come to attack; where all is front they lie away from his target."""
    here, goals = state.at[unit], assault.targets(rules, state, unit)
    overruns = any(f.name in ("storm", "overrun") and f.args[0] == unit for f in state.frames)
    if charge.is_charging(state, unit):
        return state.facing[unit]
    if not goals or not (state.steps or overruns):
        return retreats.ALL_ROUND
    facings = rules.ground.facings
    return facings.toward(here, goals[0]) if facings.all_round >> here & 1 else state.facing[unit]


def _mover(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if frame.args[0] == state.mover else "it is not the unit that acts"


@CHAPTER.choice(
    on="act march watch storm overrun displaced onset ride_off ridden counter_ridden",
    seats=anybody,
    takes=(Argument("unit", UNIT),),
    fault=_mover,
)
class BreakOffChoice(Choice["Volturno", State]):
    """13.1.3: a unit that loses a level in its action may break it off; it then retires a hex (11.3)."""

    name = "break_off"
    rules = ("13.1.3",)
    verbs = (GoOn, BreakOff)

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        yield GoOn()
        for name in rules.hex_ids(havens(rules, state, frame.args[0])) or ("",):
            yield BreakOff(name)

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, GoOn):
            return None
        assert isinstance(action, BreakOff)
        hexes = rules.hex_ids(havens(rules, state, frame.args[0])) or ("",)
        return None if action.to in hexes else Refusal("11.3", "no_haven", {"name": action.to})

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, GoOn):
            return
        assert isinstance(action, BreakOff)
        (unit,) = frame.args
        break_off(rules, state, unit, rules.grid.index.get(action.to, -1), out)
        state.frames.append(Frame("look_about", AUTO, (unit,)))

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]], "level": state.level[frame.args[0]]}


def break_off(rules: Volturno, state: State, unit: int, to: int, out: list[Event]) -> None:
    """13.1.3, 11.3.5, 11.3.6: it retires with its commanders and is reacted to; its action is over."""
    side, rear = rules.side[unit], _rear(rules, state, unit)
    if charge.is_charging(state, unit):
        charge.exhaust(rules, state, unit, out)
    retreats.forget(state, unit, ("march", "watch", "storm", "overrun", "onset", "ridden", "ride_off"))
    close_unit(rules, state)
    if rear != retreats.ALL_ROUND:  # 13.3: who only moved recovers by what it has spent
        state.far |= 1 << unit
    state.threatened &= ~(1 << unit)
    leaders = tuple(retreats.leaders_in(rules, state, state.at[unit], side))
    frame = Frame("fall_away", AUTO, (unit, 1, (), rear, leaders, ()))
    if to < 0:
        retreats.fall_away(rules, state, frame, out)
    else:
        retreats.go_back(rules, state, frame, to, out, ("broke_off", "13.1.3"))


# 10.3: the exhausted move


def _is_spent(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if state.exhausted >> frame.args[0] & 1 else "it is not exhausted (10.3)"


@CHAPTER.choice(
    on=retreats.AMID,
    seats=anybody,
    takes=(Argument("unit", UNIT), Argument("must", NUMBER, 0, 1)),
    fault=_is_spent,
    phases="activation",
)
class RideOff(Acting):
    """10.3, 10.3.p1, 10.4.1: cavalry that has charged moves once more, out of enemy zones; a turn in place ends it. Who
    has counter-charged in the action of another unit goes in one order, for nobody reacts to it (12.2.4)."""

    name = "ride_off"
    rules = ("10.3", "10.4.1")
    verbs = (Move, Turn, Done)
    panel = panel.MOVE

    def able(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        return [frame.args[0]]

    def movers(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        return self.able(rules, state, frame)

    def ways(self, rules: Volturno, state: State, unit: int) -> dict[int, tuple[int, list[int]]]:
        side = rules.side[unit]
        found = movement.reach(rules, state, unit)
        return {h: found[h] for h in sorted(found) if not in_enemy_zone(rules, state, side, h)}

    def _some_way(self, rules: Volturno, state: State, unit: int, rng: Random) -> list[int]:
        ways = list(self.ways(rules, state, unit).values())
        return rng.choice(ways)[1] if ways else []

    def _but_moves(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        if self._why_not_done(rules, state, state.frames[-1]) is None:
            for facing, word in enumerate(COMPASS):
                if facing != state.facing[unit] and self._why_no_turn(rules, state, unit) is None:
                    yield Turn(rules.ids[unit], word)

    def _why_no_turn(self, rules: Volturno, state: State, unit: int) -> Refusal | None:
        """8.2.p3, 8.3.3.p1: as after any move."""
        return why_no_turn(rules, state, unit) if state.mover == unit and state.steps else None

    def more(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        if self._why_not_done(rules, state, frame) is None:
            yield Done()

    def _why_not_done(self, rules: Volturno, state: State, frame: Frame) -> Refusal | None:
        """10.4.1, 10.3.p1: who must move does if it can; who has moved does not end in an enemy zone."""
        unit, must = frame.args
        went = state.mover == unit and state.steps
        owes = in_enemy_zone(rules, state, rules.side[unit], state.at[unit]) if went else must
        if owes and self.ways(rules, state, unit):
            return Refusal("10.3.p1" if went else "10.4.1", "must_ride_off", {"unit": rules.ids[unit]})
        return None

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        unit = frame.args[0]
        why = None if isinstance(action, Move) else self._why_not_done(rules, state, frame)
        if why is not None or isinstance(action, Done):
            return why
        if isinstance(action, Turn) and action.unit == rules.ids[unit] and action.facing in COMPASS:
            same = COMPASS.index(action.facing) == state.facing[unit]
            return (
                Refusal("3.1", "no_facing", {"facing": action.facing})
                if same
                else self._why_no_turn(rules, state, unit)
            )
        return super().why_not(rules, state, frame, action)

    def why_idle(self, rules: Volturno, state: State, frame: Frame, unit: int) -> Refusal | None:
        return None if unit == frame.args[0] else Refusal("10.3", "not_charging", {"unit": rules.ids[unit]})

    def why_no_move(self, rules: Volturno, state: State, unit: int, path: list[int], facing: str) -> Refusal | None:
        """10.3.p1: whatever its commander wants, but not into an enemy zone, nor to an end in one."""
        if not path or movement.read_facing(facing) is None:
            return Refusal("8", "no_path", {}) if not path else Refusal("3.1", "no_facing", {"facing": facing})
        here, left = state.at[unit], movement.left_of(rules, state, unit)
        first = state.mover != unit or not state.steps
        for there in path:
            why = movement.why_no_step(rules, state, unit, here, there, left, first, movement.NO_MARKER)
            if why is not None:
                return why
            left, here, first = max(0, left - movement.step_cost(rules, state, unit, here, there)), there, False
        ends = in_enemy_zone(rules, state, rules.side[unit], here)
        return Refusal("10.3.p1", "in_zone", {"hex": rules.grid.ids[here]}) if ends else None

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        unit = frame.args[0]
        ours = state.mover == unit
        if isinstance(action, Move) and ours:
            super().apply(rules, state, frame, action, out)
            return
        state.frames.pop()
        if isinstance(action, Move):
            path = tuple(rules.grid.index[name] for name in action.path)
            charge.go(rules, state, unit, path, movement.read_facing(action.facing) or 0, out)
        elif isinstance(action, Turn):
            look(rules, state, unit, COMPASS.index(action.facing))
            tell(rules, state, unit, "turned", ("8.2.p2",), {"facing": action.facing}, out)
        if ours:
            close_unit(rules, state)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]]}
