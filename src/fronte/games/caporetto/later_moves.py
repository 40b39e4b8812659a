"""4.0-9, 4.0-10: guns on the move, then units that were not activated, each force in its turn (10.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from fronte.engine.decision import AUTO, Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.games.caporetto import engineers, marching, sectors
from fronte.games.caporetto.moving import Detach, Done, Exit, March, Move, Moving
from fronte.games.caporetto.seating import FORCE, foe, force_fault, forces_in_order, of_its_force, seat_of
from fronte.games.caporetto.state import State
from fronte.games.caporetto.terrain import ITALIAN
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
GUNS, OTHERS = "gun_movement", "movement"
"""4.0: the two phases."""


def begin(rules: Caporetto, state: State) -> None:
    """4.0-9, 4.0-10: each force moves, those of the AHG first. Whom fire has stopped in a common hex is taken home when
    the phase is over (24.3.common)."""
    if rules.scene.sectors:
        state.frames.append(Frame("go_home", AUTO))
    state.frames += [Frame("later_turn", AUTO, (force,)) for force in reversed(in_turn(rules, state))]


def in_turn(rules: Caporetto, state: State) -> list[int]:
    """4.0, 24.2: the AHG first, and of each side first the force in the sector that was drawn for this turn (ours)."""
    scene = rules.scene

    def comes_second(force: int) -> bool:
        wing = force if scene.force_side[force] != ITALIAN else foe(rules, force)
        return scene.force_wing[wing] != state.drawn

    forces = forces_in_order(rules)
    if not scene.sectors:
        return forces
    return sorted(forces, key=lambda force: (scene.force_side[force], comes_second(force), force))


@CHAPTER.step(
    "4.P9",
    "4.P10",
    on="next_phase go_home later_turn",
    secrets=open_to_all,
    takes=(FORCE,),
    fault=force_fault,
    once=False,
    phases=f"{GUNS} {OTHERS}",
)
def later_turn(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0-9, 4.0-10: a force moves, if anybody of it can."""
    (force,) = frame.args
    state.active, state.step = force, ""
    marching.forget(state)
    name = "move_guns" if state.phase == GUNS else "move_others"
    asked = Frame(name, seat_of(rules, force), (force,))
    choice = rules.choices[name]
    assert isinstance(choice, Moving)
    if not choice.is_idle(rules, state, asked):
        state.frames.append(asked)


class LaterMoves(Moving):
    """10.3: moves of a force outside of actions: no assaults, nobody into a hex of enemy guns; away from enemies twice
    as far (10.3.2)."""

    verbs: ClassVar[tuple[type[Action], ...]] = (Move, March, Detach, Exit, Done)

    def force(self, rules: Caporetto, state: State, frame: Frame) -> int:
        return int(frame.args[0])

    def turn_to(self, rules: Caporetto, state: State, units: Sequence[int], out: list[Event]) -> None:
        """10.0.6, 10.4: others move now: the forced march of who moved before is over."""
        if not marching.is_open(state, units):
            marching.close(state)
            marching.tire(rules, state, out, [unit for unit in bits(state.weary) if unit not in units])

    def idleness(self, movers: int) -> float:
        """At random a force of two hundred does not move all of them."""
        return max(1 / (movers + 1), 0.12)


@CHAPTER.choice(on="next_phase go_home later_turn", seats=of_its_force, takes=(FORCE,), phases=GUNS)
class MoveGuns(LaterMoves):
    """4.0-9, 18.1: guns in movement mode move."""

    name = "move_guns"
    rules = ("4.P9", "10.3.1", "10.3.2", "18.4")

    def able(self, rules: Caporetto, state: State, frame: Frame) -> int:
        found: int = rules.guns & rules.of_force[frame.args[0]] & ~state.emplaced & ~state.moved & ~state.activated
        return found & state.present

    def why_not_able(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> Refusal:
        data = {"unit": rules.ids[unit]}
        if not rules.guns >> unit & 1:
            return Refusal("4.P9", "only_guns_move", data)
        if state.emplaced >> unit & 1:
            return Refusal("18.1", "in_battery", data)
        return Refusal("12.2.10.S", "suppressed_already", data)


@CHAPTER.choice(on="next_phase go_home later_turn", seats=of_its_force, takes=(FORCE,), phases=OTHERS)
class MoveOthers(LaterMoves):
    """4.0-10, 10.3.1: units that were not activated this turn move, those out of command too."""

    name = "move_others"
    rules = ("4.P10", "10.3.1", "10.3.2", "10.4")

    def able(self, rules: Caporetto, state: State, frame: Frame) -> int:
        return self._free(rules, state, frame.args[0]) & state.present

    def is_able(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> bool:
        return state.at[unit] >= 0 and bool(self._free(rules, state, frame.args[0]) >> unit & 1)

    def _free(self, rules: Caporetto, state: State, force: int) -> int:
        """10.3.1, 24.9.e4: who may move, if it is on the map."""
        found = rules.combat & rules.of_force[force] & ~rules.flamethrowers & ~state.activated & ~state.moved
        if may_not_yet(rules, state, force):
            found &= rules.independents | _attacked(rules, state)
        return found & ~(sectors.held_back(rules, state) | engineers.bridging(state))

    def why_not_able(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> Refusal:
        data = {"unit": rules.ids[unit]}
        if rules.guns >> unit & 1:
            return Refusal("4.P9", "guns_moved_before", data)
        if state.activated >> unit & 1:
            return Refusal("10.3.1", "was_activated", data)
        return Refusal("24.9.e4", "not_attacked", data)

    def crowded(self, rules: Caporetto, state: State, frame: Frame) -> list[int]:
        """5.1, 11.2: also the hexes in which reinforcements of this turn stand too close."""
        found = super().crowded(rules, state, frame)
        force = self.force(rules, state, frame)
        came = {state.at[unit] for unit in bits(state.arrived & rules.of_force[force])} - {*found}
        return found + [h for h in sorted(came) if h >= 0 and self.is_too_full(rules, state, h, force)]


def may_not_yet(rules: Caporetto, state: State, force: int) -> bool:
    """24.9.e4: are the Italians in the turn in which only some of them may move?"""
    first = state.turn == rules.scene.first_turn and rules.scene.opening.move_if_attacked
    return first and rules.scene.force_side[force] == ITALIAN


def _attacked(rules: Caporetto, state: State) -> int:
    """24.9.e4: the units of formations that were assaulted or bombarded this turn and have not reacted."""
    found = 0
    for formation in bits(state.attacked & ~state.done):
        found |= rules.formations[formation].mask
    return found
