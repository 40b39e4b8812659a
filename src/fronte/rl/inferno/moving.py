"""The Movement Phase in small choices: a unit, then where it goes hex by hex; recovery, a counter to show, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Action
from fronte.games.inferno.effectiveness import why_no_recovery
from fronte.games.inferno.movement import End, Move, Recover, Show, is_fresh, points_left, step_cost
from fronte.games.inferno.stacking import top_order
from fronte.games.inferno.state import DONE as MOVE_OVER
from fronte.games.inferno.state import RECOVERED, RESERVE, State
from fronte.games.inferno.zoc import road_barrier, zoc
from fronte.hexes import bits, mask_of
from fronte.rl.alphabet import DONE
from fronte.rl.dialogue import Dialogue, pick
from fronte.rl.inferno.alphabet import InfernoAlphabet
from fronte.rl.inferno.watch import Changes

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


class Walk:
    """4.2: a unit on its way: the steps it could take next, as `why_not_path` judges a path."""

    def __init__(self, rules: Inferno, state: State, unit: int) -> None:
        self.rules, self.state, self.unit = rules, state, unit
        side = rules.side[unit]
        self.ezoc = zoc(rules, state, 1 - side)
        self.roadblock = road_barrier(rules, state, side)
        self.here = state.at[unit]
        self.left = points_left(rules, state, unit)
        self.fresh = is_fresh(rules, state, unit)

    def steps(self) -> dict[int, int]:
        """4.1, 4.3, 14.2.b: every hex the unit may enter next and the sixths left there; -1 where its move is over."""
        rules, state, unit, here, left = self.rules, self.state, self.unit, self.here, self.left
        fresh, ezoc, roadblock = self.fresh, self.ezoc, self.roadblock
        edges, across = rules.board.land[here], rules.board.across[here]
        found: dict[int, int] = {}
        if across:
            whole = [edge for edge in across if rules.takes_whole_move(state, unit, here, edge, roadblock)]
            edges += tuple(edge for edge in across if edge not in whole)
            if fresh:
                for edge in whole:
                    if rules.why_no_step(state, unit, here, edge, roadblock) is None:
                        found[edge.to] = -1
        for edge in edges:
            if rules.why_no_step(state, unit, here, edge, roadblock) is None:
                cost = step_cost(rules, state, unit, here, edge, ezoc, roadblock)
                if cost <= left:
                    found[edge.to] = left - cost
                elif fresh:
                    found[edge.to] = -1
        return found

    def go(self, h: int, left: int) -> None:
        """Take a step."""
        self.here, self.left, self.fresh = h, left, False


def can_step(rules: Inferno, state: State, unit: int, roadblock: int) -> bool:
    """4.3: is there any step for this unit? One that has spent no points yet may take any that is not barred."""
    here, edges = state.at[unit], rules.board.edges[state.at[unit]]
    open_ = (edge for edge in edges if rules.why_no_step(state, unit, here, edge, roadblock) is None)
    if is_fresh(rules, state, unit):
        return next(open_, None) is not None
    ezoc, left = zoc(rules, state, 1 - rules.side[unit]), points_left(rules, state, unit)
    return any(
        step_cost(rules, state, unit, here, edge, ezoc, roadblock) <= left
        and not rules.takes_whole_move(state, unit, here, edge, roadblock)
        for edge in open_
    )


def may_walk(rules: Inferno, state: State, unit: int) -> bool:
    """4.4: by option a unit that has recovered does nothing else."""
    return rules.recovery_then_move or not state.flags[unit] & RECOVERED


def may_recover(rules: Inferno, state: State, unit: int) -> bool:
    """10.3: can this unit recover now?"""
    if not state.ce[unit]:
        return False
    return why_no_recovery(rules, state, unit, points_left(rules, state, unit)) is None


class Movers:
    """Who can still do something in a Movement Phase. From one action to the next only what may have changed is asked
    again: units that changed, their neighbours where friends screen a hex (6.4), all when enemies or crossings did."""

    def __init__(self, rules: Inferno, alphabet: InfernoAlphabet) -> None:
        self.rules, self.alphabet = rules, alphabet
        self._able = [False] * len(rules.ids)
        self._shown: dict[int, list[int]] = {}
        self._side: list[int] = []
        self._ground: tuple[int, ...] = ()
        self._units = self._hexes = 0
        self._mover = -1

    def note(self, changes: Changes) -> None:
        """Something has happened."""
        self._units |= changes.units
        self._hexes |= changes.hexes

    def refresh(self, state: State, version: int) -> None:
        """Bring everything up to date. `version` counts the changes of bridges, points and the like."""
        enemy = 1 - state.active
        ground = (state.turn, state.active, state.occ[enemy], state.fight[enemy], state.zocs[enemy], version)
        if ground != self._ground:
            self._ground = ground
            self._side = self.rules.of_side[state.active]
            self._shown.clear()
            units, hexes = mask_of(self._side), state.occ[state.active]
        else:
            units, hexes = self._to_ask(state), self._hexes
        roadblock, freezes = road_barrier(self.rules, state, state.active), self.rules.freezes(state)
        for unit in bits(units):
            self._able[unit] = self._can_act(state, unit, roadblock, freezes)
        for h in bits(hexes):
            self._look_at_stack(state, h)
        self._units = self._hexes = 0
        self._mover = state.mover

    def _to_ask(self, state: State) -> int:
        """The units whose answer may have changed."""
        units = self._units | mask_of(unit for unit in (self._mover, state.mover) if unit >= 0)
        if self.rules.friends_screen:
            near = self._hexes
            for h in bits(self._hexes):
                near |= self.rules.board.grid.ring[h]
            for h in bits(near & state.occ[state.active]):
                units |= mask_of(state.stacks[h])
        return units

    def _can_act(self, state: State, unit: int, roadblock: int, freezes: bool) -> bool:
        rules = self.rules
        if state.at[unit] < 0 or state.flags[unit] & (MOVE_OVER | RESERVE) or rules.side[unit] != state.active:
            return False
        if freezes and rules.frozen(state, unit) is not None:
            return False
        if may_walk(rules, state, unit) and can_step(rules, state, unit, roadblock):
            return True
        return may_recover(rules, state, unit)

    def _look_at_stack(self, state: State, h: int) -> None:
        """5.3: of the units with the largest attack any other may be shown."""
        stack = state.stacks[h]
        if h in self._shown:
            del self._shown[h]
        if len(stack) > 1 and self.rules.side[stack[0]] == state.active:
            order = {unit: top_order(self.rules, state, unit) for unit in stack}
            top = max(stack, key=order.__getitem__)
            others = [unit for unit in stack if unit != top and order[unit][:2] == order[top][:2]]
            if others:
                self._shown[h] = others

    def first_choices(self) -> list[int]:
        """What can be chosen first: a unit, another counter to show, the end."""
        first_unit, verb = self.alphabet.first_unit, self.alphabet.verb
        choices = [first_unit + unit for unit in self._side if self._able[unit]]
        if self._shown:
            choices.append(verb["show"])
        choices.append(verb["end"])
        return choices

    def to_show(self) -> list[int]:
        """5.3: the units that could lie on top of their stacks instead."""
        return [unit for units in self._shown.values() for unit in units]


def movement(rules: Inferno, state: State, alphabet: InfernoAlphabet, movers: Movers) -> Dialogue:
    """3.1.A-3: the small choices of a Movement Phase. The movers must be up to date."""
    chosen = yield movers.first_choices()
    if chosen == alphabet.verb["end"]:
        guns = rules.may_unlimber(state, state.active)
        keep = yield from pick([alphabet.first_unit + gun for gun in guns])
        return End(rules.unit_ids([guns[k] for k in keep]))
    if chosen == alphabet.verb["show"]:
        chosen = yield [alphabet.first_unit + unit for unit in movers.to_show()]
        return Show(rules.ids[chosen - alphabet.first_unit])
    return (yield from _unit(rules, state, alphabet, chosen - alphabet.first_unit))


def _unit(rules: Inferno, state: State, alphabet: InfernoAlphabet, unit: int) -> Dialogue:
    """4, 10.3: what one unit does."""
    first_hex, recover = alphabet.first_hex, alphabet.verb["recover"]
    walk = Walk(rules, state, unit)
    steps = walk.steps() if may_walk(rules, state, unit) else {}
    choices = [first_hex + h for h in steps]
    if may_recover(rules, state, unit):
        choices.append(recover)
    path: list[int] = []
    while True:
        chosen = yield choices
        if chosen == recover:
            return Recover(rules.ids[unit])
        if chosen == DONE:
            return _move(rules, unit, path)
        h = chosen - first_hex
        path.append(h)
        if steps[h] < 0:
            return _move(rules, unit, path)
        walk.go(h, steps[h])
        steps = walk.steps()
        choices = [first_hex + h for h in steps]
        choices.append(DONE)


def _move(rules: Inferno, unit: int, path: list[int]) -> Action:
    return Move(rules.ids[unit], rules.hex_ids(path))
