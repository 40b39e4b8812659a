"""10: moves as a decision: who may go where, with whom, and when a step or a phase of movement may end.

What is moved and why another may not is for whoever moves: step A of an action (`acting`), guns, and units that were
not activated (`later_moves`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine import panel
from fronte.engine.decision import Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.rules import Way
from fronte.games.caporetto import (
    engineers,
    losses,
    marching,
    morale,
    movement,
    sectors,
    stacking,
    strolls,
)
from fronte.games.caporetto.ending import Ending, friends, too_full
from fronte.games.caporetto.marching import has_begun, is_open, left_of, manner_of
from fronte.games.caporetto.movement import Going
from fronte.games.caporetto.state import State
from fronte.games.caporetto.ways import Ways, leg, single_steps, walk, ways
from fronte.hexes import bits, mask_of, nth

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

COUNTRY, ROAD = "country", "road"
"""10.0.4.e3, 10.2.5: by which way: leaving the roads out, or along them."""
MOST_TOLD = 50_000
"""So many characters of ways are told at once. Of whoever comes after only the next hexes are told; all that he can do
is told once he has set out."""
LEAST_TOLD = 6_000
"""So many of each who has set out, in any case."""
TOGETHER = ("move", "assault")
"""10.0.6, 10.2.3: what units of one hex do together."""
PER_UNIT, PER_HEX, PER_STEP = 220, 34, 7
"""How many characters a unit takes of which only the next hexes are told, a hex in reach, and each hex of a way."""


class Move(Action, frozen=True):
    """10.0: a unit, or a stack, goes along a path of adjacent hexes; across country it leaves the roads out."""

    form = "move {unit} {path:-}[ with {along}][ by {by}]"
    words = MappingProxyType({"by": COUNTRY})
    unit: str
    path: tuple[str, ...]
    along: tuple[str, ...] = ()
    by: str = ""


class March(Action, frozen=True):
    """10.4: a unit makes a forced march: half as far again, for a point of disorganisation."""

    form = "march {unit}"
    unit: str


class Detach(Action, frozen=True):
    """21.10.e2: a German battalion that has not moved detaches companies."""

    form = "detach {unit} {number}"
    unit: str
    number: int


class Exit(Action, frozen=True):
    """21.9: a unit leaves the map by a road over its south-western edge."""

    form = "exit {unit}"
    unit: str


class Done(Action, frozen=True):
    """4.0: nobody moves any more here."""

    form = "done"


def path_through(rules: Caporetto, state: State, unit: str, via: Sequence[str]) -> Way | Refusal:
    """10: the cheapest way of a unit through these hexes, for whoever plans a move."""
    frame = state.frames[-1] if state.frames else None
    choice = rules.choices[frame.name] if frame is not None and frame.name in rules.choices else None
    number, hexes = rules.number.get(unit, -1), rules.hexes(via)
    if isinstance(hexes, Refusal):
        return hexes
    if number < 0:
        return rules.unknown_unit(unit)
    if frame is None or not isinstance(choice, Moving) or state.at[number] < 0:
        return Refusal("10.0", "does_not_move_now", {"unit": unit})
    path, start, units = list[int](), state.at[number], (number,)
    for goal in hexes:
        path += leg(rules, state, units, path, start, goal)
        start = goal
    refusal = choice.why_not(rules, state, frame, Move(unit, rules.hex_ids(path)))
    if refusal is not None:
        return refusal
    return Way(rules.hex_ids(path), walk(rules, state, units, path, across=False).left)


def drawn(units: int, rng: Random) -> int:
    """One of these units at random."""
    return nth(units, rng.randrange(units.bit_count()))


# The decision


class Moving(Ending):
    """10: moves of units that may move; what else there is to do is added by who may."""

    panel = panel.MOVE

    # Who

    def why_not_able(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> Refusal:
        """Why a unit of this force that has not moved cannot do so here."""
        raise NotImplementedError

    def movers(self, rules: Caporetto, state: State, frame: Frame) -> list[int]:
        """Those that can move, first who has set out."""
        going = state.moving & ~state.activated
        return [*bits(going), *bits(self.can_move(rules, state, frame) & ~going)]

    def can_move(self, rules: Caporetto, state: State, frame: Frame) -> int:
        """Those that can move: who has set out, alone if he may not stay where he is, and who is able to."""
        going = state.moving & ~state.activated
        if going and self.why_not_leave(rules, state, frame) is not None:
            return going
        return going | self.able(rules, state, frame)

    def stacks(self, rules: Caporetto, state: State, movers: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """10.0: who can go together: all that are in a hex and have set out, or all that have not."""
        for opened in (True, False):
            together: dict[int, list[int]] = {}
            for unit in movers:
                if is_open(state, (unit,)) == opened:
                    together.setdefault(state.at[unit], []).append(unit)
            yield from (tuple(units) for units in together.values() if len(units) > 1)

    # What is listed

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        movers = self.movers(rules, state, frame)
        for unit in movers:
            yield from self.moves(rules, state, frame, (unit,))
            yield from self.of_unit(rules, state, frame, unit)
        for units in self.stacks(rules, state, movers):
            yield from self.moves(rules, state, frame, units)
        yield from self.more(rules, state, frame)
        if self.why_not_done(rules, state, frame) is None:
            yield Done()

    def is_idle(self, rules: Caporetto, state: State, frame: Frame) -> bool:
        """Is there nothing to decide, since nobody can do anything? What is found soonest is looked for first."""
        movers = self.can_move(rules, state, frame)
        if any(marching.why_not_forced(rules, state, unit) is None for unit in bits(movers)):
            return False
        if any(self.can_step(rules, state, frame, unit) for unit in bits(movers)):
            return False
        return next(self.legal(rules, state, frame), None) == Done()

    def more(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        """What can be done besides moving."""
        yield from ()

    def moves(self, rules: Caporetto, state: State, frame: Frame, units: Sequence[int]) -> Iterator[Action]:
        """10: every hex in reach by its cheapest way, and every single step."""
        name, along = rules.ids[units[0]], rules.unit_ids(units[1:])
        here, direct = state.at[units[0]], set[tuple[str, ...]]()
        for found in self.reached(rules, state, frame, units):
            for way in found.named(rules.grid.ids):
                if len(way) == 1:
                    direct.add(way)
                yield Move(name, way, along)
        going = movement.going(rules, state, units, manner_of(state, units))
        for there in rules.grid.adjacent[here]:
            if going.closed >> there & 1:
                continue
            path = (rules.grid.ids[there],)
            if path not in direct and self.judged(rules, state, frame, units, (there,), "") is None:
                yield Move(name, path, along)
            if self._is_watched(rules, state, units, here, there, going):
                if self.judged(rules, state, frame, units, (there,), COUNTRY) is None:
                    yield Move(name, path, along, COUNTRY)

    def reached(self, rules: Caporetto, state: State, frame: Frame, units: Sequence[int]) -> Iterator[Ways]:
        """Where units may go and stay, in the order of hexes."""
        small = len(units) == 1 and not rules.scene.sectors and self.ends_anywhere(state)
        for found in ways(rules, state, units):
            left = {
                h: found.left[h]
                for h in sorted(found.left)
                if (small and h not in state.stacks)
                or self.why_no_end(rules, state, frame, units, h, found.left[h]) is None
            }
            yield Ways(left, found.before)

    def ends_anywhere(self, state: State) -> bool:
        """May one unit end its move in any hex in which nobody is?"""
        return True

    def _is_watched(
        self, rules: Caporetto, state: State, units: Sequence[int], here: int, there: int, going: Going
    ) -> bool:
        """10.0.4.e3: would these go along a road before the eyes of an enemy?"""
        if not rules.grid.ring[here] & rules.grid.ring[there] & state.occ[1 - rules.side[units[0]]]:
            return False
        if not movement.toll(rules, state, units, here, there, going).by_road:
            return False
        return bool(movement.watchers(rules, state, units, here, there))

    def of_unit(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> Iterator[Action]:
        """10.4, 21.9, 21.10.e2: what a unit can do besides going somewhere."""
        name = rules.ids[unit]
        if marching.why_not_forced(rules, state, unit) is None:
            yield March(name)
        if self.why_no_exit(rules, state, frame, unit) is None:
            yield Exit(name)
        if not has_begun(state, unit):
            for number in range(1, losses.most_detached(rules, state, unit) + 1):
                yield Detach(name, number)

    # Judging

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Done):
            return self.why_not_done(rules, state, frame)
        name: str = getattr(action, "unit", "")
        units = rules.units((name, *getattr(action, "along", ())))
        if isinstance(units, Refusal):
            return units
        for unit in units:
            why = self.why_idle(rules, state, frame, unit)
            if why is not None:
                return why
        if isinstance(action, Move):
            path = rules.hexes(action.path)
            return path if isinstance(path, Refusal) else self.judged(rules, state, frame, units, path, action.by)
        (unit,) = units
        if isinstance(action, March):
            return marching.why_not_forced(rules, state, unit)
        if isinstance(action, Exit):
            return self.why_no_exit(rules, state, frame, unit)
        assert isinstance(action, Detach)
        most = 0 if has_begun(state, unit) else losses.most_detached(rules, state, unit)
        if not 1 <= action.number <= most:
            return Refusal("21.10.e2", "detaches_fewer", {"unit": name, "most": most})
        return None

    def judged(
        self, rules: Caporetto, state: State, frame: Frame, units: Sequence[int], path: Sequence[int], by: str
    ) -> Refusal | None:
        """10.0: why units that may move cannot go together along a path."""
        if not path:
            return Refusal("10.0", "no_path", {})
        if by not in ("", COUNTRY):
            return Refusal("10.0.4", "no_such_way", {"by": by})
        if len(units) > 1 and len({state.at[unit] for unit in units}) > 1:
            return Refusal("10.0", "not_together", {"units": rules.unit_ids(units)})
        if len(units) > 1 and len({is_open(state, (unit,)) for unit in units}) > 1:
            return Refusal("10.0", "not_picked_up", {"units": rules.unit_ids(units)})
        walked = walk(rules, state, units, path, across=by == COUNTRY)
        if walked.refusal is not None:
            return walked.refusal
        return self.why_no_end(rules, state, frame, units, path[-1], walked.left)

    def why_idle(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> Refusal | None:
        """10.0.6, 21.4: why a unit does not move now."""
        going = state.moving & ~state.activated
        if going >> unit & 1:
            return None
        if self.is_able(rules, state, frame, unit):
            return self.why_not_leave(rules, state, frame)
        data = {"unit": rules.ids[unit]}
        if rules.force[unit] != self.force(rules, state, frame):
            return Refusal("10.0", "not_yours", data)
        if state.at[unit] < 0:
            return Refusal("10.0", "off_the_map", data)
        if rules.flamethrowers >> unit & 1:
            return Refusal("21.4", "goes_with_bearer", data)
        if state.moved >> unit & 1:
            return Refusal("10.0.6", "has_moved", data)
        if engineers.bridging(state) >> unit & 1:
            return Refusal("19.3", "at_work", data)
        if sectors.is_bound(rules, state, unit):
            return Refusal("24.3.start", "bound_to_hex", data)
        if sectors.is_frozen(rules, state, unit):
            return Refusal("24.9.2", "does_not_move", data)
        return self.why_not_able(rules, state, frame, unit)

    def why_no_exit(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> Refusal | None:
        """21.9: why a unit cannot leave the map now."""
        units = (unit,)
        strategic = marching.may_be_strategic(rules, state, units)
        manner, left = manner_of(state, units, strategic=strategic), left_of(rules, state, units, strategic)
        if movement.can_exit(rules, state, units, left, manner):
            return None
        return Refusal("21.9", "no_way_out", {"unit": rules.ids[unit], "hex": rules.hex_id(state.at[unit])})

    def why_not_leave(self, rules: Caporetto, state: State, frame: Frame) -> Refusal | None:
        """24.3.common: why those who have set out must go on before anybody else moves."""
        if not rules.scene.sectors:
            return None
        for unit in bits(state.moving & ~state.activated):
            if sectors.is_common(rules, state.at[unit]) and self.can_go(rules, state, frame, unit):
                return Refusal("24.3.common", "must_go_on", {"unit": rules.ids[unit]})
        return None

    def can_go(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> bool:
        """10: is there a hex to which a unit could go now? The next ones are looked at first, and everywhere those with
        nobody in them, where nobody has to make room."""
        if self.can_step(rules, state, frame, unit):
            return True
        reached = [(h, left) for found in ways(rules, state, (unit,)) for h, left in found.left.items()]
        reached.sort(key=lambda one: one[0] in state.stacks)
        return any(self.why_no_end(rules, state, frame, (unit,), h, left) is None for h, left in reached)

    def can_step(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> bool:
        """10: could a unit go to one of the next hexes?"""
        near = sorted(rules.grid.adjacent[state.at[unit]], key=state.stacks.__contains__)
        return any(self.judged(rules, state, frame, (unit,), (h,), "") is None for h in near)

    # The end

    def why_not_done(self, rules: Caporetto, state: State, frame: Frame) -> Refusal | None:
        """11.2, 24.3, 24.3.common, 21.7.e1: why this is not over: somebody may not stay where he is, and could go."""
        why = self.why_not_leave(rules, state, frame)
        if why is not None:
            return why
        why = self.why_too_full(rules, state, frame)
        if why is not None:
            return why
        able = self.able(rules, state, frame)
        if rules.scene.sectors:
            going = able | state.moving & ~state.activated
            for unit in bits(sectors.astray(rules, state, going, self.force(rules, state, frame)) & ~state.moved):
                if self.can_go(rules, state, frame, unit):
                    if not rules.ground.extent >> state.at[unit] & 1:
                        return Refusal("21.7.e1", "must_cross", {"unit": rules.ids[unit]})
                    return Refusal("24.3", "must_return", {"unit": rules.ids[unit]})
        return None

    def why_too_full(self, rules: Caporetto, state: State, frame: Frame) -> Refusal | None:
        """11.2: why neither the step is over nor a combat begins: a hex is too full, and somebody could leave it."""
        crowded = self.crowded(rules, state, frame)
        once = self.remembering() if crowded else self
        for h in crowded:
            if any(once.can_go(rules, state, frame, unit) for unit in self._leavers(rules, state, frame, h)):
                return Refusal("11.2", "still_too_full", {"hex": rules.hex_id(h)})
        return None

    def urgent(self, rules: Caporetto, state: State, frame: Frame) -> list[int]:
        """11.2, 24.3: who must not stay where he is, as far as he can go: the step waits for them."""
        going = self.can_move(rules, state, frame)
        found = list(bits(sectors.astray(rules, state, going, self.force(rules, state, frame))))
        if rules.scene.sectors:
            found += [unit for unit in bits(going) if sectors.is_common(rules, state.at[unit])]
        for h in self.crowded(rules, state, frame):
            found += self._leavers(rules, state, frame, h)
        return [unit for unit in dict.fromkeys(found) if going >> unit & 1]

    def finish(self, rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
        """10.4, 11.6: nobody moves any more: forced marches are paid for, and where fire has stopped somebody in a hex
        that is too full each unit in it takes a point; with reinforcements in it that is at the end of the turn (5.1).
        """
        force = self.force(rules, state, frame)
        for h in self.crowded(rules, state, frame):
            units = friends(rules, state, h, force)
            if not state.arrived & mask_of(units) and stacking.is_crowd(too_full(rules, state, h, units)):
                morale.crowd(rules, state, units, out)
        marching.forget(state)
        marching.tire(rules, state, out)

    # Carrying out

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Done):
            state.frames.pop()
            self.finish(rules, state, frame, out)
            return
        unit = rules.number[getattr(action, "unit", "")]
        if isinstance(action, Move):
            units = (unit, *(rules.number[name] for name in action.along))
            path = [rules.grid.index[name] for name in action.path]
            self.turn_to(rules, state, units, out)
            marching.set_out(rules, state, units, path, manner_of(state, units, action.by == COUNTRY), out)
        elif isinstance(action, March):
            marching.force(rules, state, (unit,), out)
        elif isinstance(action, Exit):
            self.turn_to(rules, state, (unit,), out)
            losses.leave_map(rules, state, unit, out)
        else:
            assert isinstance(action, Detach)
            losses.detach(rules, state, unit, action.number, out)

    def turn_to(self, rules: Caporetto, state: State, units: Sequence[int], out: list[Event]) -> None:
        """10.0.6: these move now; the move of others is over."""
        if not is_open(state, units):
            marching.close(state)

    # At random

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        """Some unit goes some way or does something, or all is done; drawn without looking at everything."""
        movers = self.can_move(rules, state, frame)
        draw = rng.random()
        if draw < self.idleness(movers.bit_count()):
            if self.why_not_done(rules, state, frame) is None:
                return Done()
            movers = mask_of(self.urgent(rules, state, frame)) or movers
        if draw > 0.8:
            found = self.something(rules, state, frame, movers, rng)
            if found is not None:
                return found
        for _ in range(3) if movers else ():
            found = self.some_move(rules, state, frame, (drawn(movers, rng),), rng)
            if found is not None:
                return found
        if self.why_not_done(rules, state, frame) is None:
            return Done()
        waited_for = self.urgent(rules, state, frame)
        rng.shuffle(waited_for)
        for unit in waited_for:
            moves = list(self.moves(rules, state, frame, (unit,)))
            if moves:
                return rng.choice(moves)
        return rng.choice(self.listed(rules, state, frame))

    def idleness(self, movers: int) -> float:
        """How often nothing more is done where so many could move."""
        return 1 / (movers + 1)

    def something(self, rules: Caporetto, state: State, frame: Frame, movers: int, rng: Random) -> Action | None:
        """Something but a move of one unit; None if nothing is found."""
        if not movers:
            return None
        unit = drawn(movers, rng)
        beside = list(bits(movers & mask_of(state.stacks[state.at[unit]])))
        together = next((units for units in self.stacks(rules, state, beside) if unit in units), ())
        if together and rng.random() < 0.5:
            return self.some_move(rules, state, frame, together, rng)
        found = list(self.of_unit(rules, state, frame, unit))
        return rng.choice(found) if found else None

    def some_move(
        self, rules: Caporetto, state: State, frame: Frame, units: Sequence[int], rng: Random
    ) -> Action | None:
        """A way at random, as far as it may lead; None if it leads nowhere. Seldom to where others have to leave."""
        way, force = strolls.stroll(rules, state, units, rng), rules.force[units[0]]
        polite = rng.random() < 0.95
        while way:
            h, left = way[-1]
            if polite and h in state.stacks and too_full(rules, state, h, (*friends(rules, state, h, force), *units)):
                way.pop()
                continue
            if self.why_no_end(rules, state, frame, units, h, left) is None:
                return Move(rules.ids[units[0]], rules.hex_ids([h for h, _ in way]), rules.unit_ids(units[1:]))
            way.pop()
        return None

    # What is told

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        force = self.force(rules, state, frame)
        open_units = rules.unit_ids(bits(state.moving & ~state.activated))
        return {"force": rules.scene.forces[force], "turn": state.turn, "moving": list(open_units)}

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return self.remembering()._offer(rules, state, frame)

    def _offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        movers = self.movers(rules, state, frame)
        units, told = dict[str, dict[str, Any]](), PER_UNIT * len(movers)
        actions: list[Action] = []
        for unit in movers:
            reached, whole = self._told(rules, state, frame, unit, MOST_TOLD - told)
            if reached is None:
                told += MOST_TOLD  # nor of anybody who comes after
                reached = self._next_to(rules, state, frame, unit)
            else:
                told += sum(PER_HEX + PER_STEP * len(one["path"]) for one in reached.values())
            besides = self.of_unit(rules, state, frame, unit)
            # of whom little is told at least whom he can assault
            actions += besides if whole else [one for one in besides if "target" in one.__struct_fields__]
            left = left_of(rules, state, (unit,), marching.may_be_strategic(rules, state, (unit,)))
            units[rules.ids[unit]] = {"left": max(0, left), "reach": reached, **({} if whole else {"part": True})}
        actions += self.more(rules, state, frame)
        if self.why_not_done(rules, state, frame) is None:
            actions.append(Done())
        if not actions:  # then somebody has to go on
            named = {rules.ids[unit]: units[rules.ids[unit]] for unit in self.urgent(rules, state, frame)}
            actions = [
                Move(name, tuple(one["path"])) for name, found in named.items() for one in found["reach"].values()
            ]
        return {
            "move": "move",
            "along": TOGETHER,
            "units": units,
            "actions": [msgspec.to_builtins(action) for action in actions],
            **({"more": True} if told > MOST_TOLD else {}),
        }

    def _told(
        self, rules: Caporetto, state: State, frame: Frame, unit: int, most: int
    ) -> tuple[dict[str, Any] | None, bool]:
        """Where a unit can go, with the ways, if that takes no more than so many characters; of who has set out what is
        nearest. And is that all?"""
        opened = is_open(state, (unit,))
        if most <= 0 and not opened:
            return None, False
        found: list[tuple[int, int, list[int]]] = []
        for one in self.reached(rules, state, frame, (unit,)):
            found += [(h, left, one.way(h)) for h, left in one.left.items()]
        size = sum([PER_HEX + PER_STEP * len(path) for _, _, path in found])
        if size > most and not opened:
            return None, False
        whole = size <= most
        if not whole:
            found.sort(key=lambda one: len(one[2]))
            while size > max(most, LEAST_TOLD):
                size -= PER_HEX + PER_STEP * len(found.pop()[2])
        ids = rules.grid.ids
        told = {ids[h]: {"left": max(0, left), "path": list(rules.hex_ids(path))} for h, left, path in found}
        return told, whole

    def _next_to(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> dict[str, Any]:
        """The hexes next to a unit to which it can go."""
        found = {}
        for h, walked in single_steps(rules, state, (unit,), rules.grid.adjacent[state.at[unit]]):
            if walked.refusal is None and self.why_no_end(rules, state, frame, (unit,), h, walked.left) is None:
                name = rules.grid.ids[h]
                found[name] = {"left": max(0, walked.left), "path": [name]}
        return found
