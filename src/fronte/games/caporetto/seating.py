"""24.1, 24.3: which seat decides what. A seat is a person, a force the colour of a unit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fronte.engine.frames import NUMBER, Argument
from fronte.games.caporetto.terrain import COMMON

if TYPE_CHECKING:
    from fronte.engine.decision import Frame
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

FORCE = Argument("force", NUMBER, 0, 3)
"""24.1: in phases of both sides a frame is about one force: its first argument."""


def seat_of(rules: CaporettoPrinted, force: int) -> int:
    """24.1: the seat that commands a force."""
    return rules.scene.seat_of[force]


def of_its_force(rules: CaporettoPrinted, state: State, frame: Frame) -> tuple[int, ...]:
    """24.1: who owes a decision about a force."""
    force = frame.args[0]
    return (seat_of(rules, force),) if force < len(rules.scene.forces) else ()


def force_fault(rules: CaporettoPrinted, state: State, frame: Frame) -> str:
    """What is wrong with the force of a frame: the scenario has to have it."""
    return "" if frame.args[0] < len(rules.scene.forces) else "there is no such force"


def active_seat(rules: CaporettoPrinted, state: State) -> int:
    """4.0: the seat of the force that acts, or reacts."""
    return seat_of(rules, state.active)


def other_seat(rules: CaporettoPrinted, state: State) -> int:
    """4.0: who is not acting: of two people it is always the other one."""
    return 1 - active_seat(rules, state)


def decider(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """24.1, 24.3.start, 24.3.e1: who decides for a unit in combat: whoever commands it, the Vicenza before his own wing
    of the 14th Army too. Of those who begin in a common hex it is the opponent of who attacks them."""
    owner = seat_of(rules, rules.force[unit])
    return 1 - owner if is_handed_over(rules, state, unit) else owner


def is_handed_over(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """24.3.start, `vicenza_defence`: do those attack a unit who command it, so that the other one decides for it? Of
    those who begin in a common hex, and fall back from it; by the option of the Vicenza until it has crossed the
    line."""
    if not rules.scene.sectors or not (state.phase == "action" or state.step == "preparation"):
        return False
    if rules.side[unit] == rules.scene.force_side[state.active]:
        return False
    if seat_of(rules, rules.force[unit]) != active_seat(rules, state):
        return False
    begun, here = rules.begins[unit], state.at[unit]
    if begun >= 0 and rules.ground.sector[COMMON] >> begun & 1:
        return here == begun or bool(state.retreated >> unit & 1)
    if rules.option["vicenza_defence"] == "owner" or not rules.crossing >> unit & 1:
        return False
    return here >= 0 and not rules.home(unit) >> here & 1


def decides(rules: CaporettoPrinted, state: State, units: Iterable[int]) -> int:
    """24.3, 12.1.5.D, 12.3.4: who decides what some units do or suffer together. Where the Vicenza is beside Italians
    of the other player it is he who is not acting (ours)."""
    found = {decider(rules, state, unit) for unit in units}
    return found.pop() if len(found) == 1 else other_seat(rules, state)


def foe(rules: CaporettoPrinted, force: int) -> int:
    """24.1: the force that opposes another in its sector."""
    scene = rules.scene
    return next(
        other
        for other, side in enumerate(scene.force_side)
        if side != scene.force_side[force] and rules.homes[other] == rules.homes[force]
    )


def forces_in_order(rules: CaporettoPrinted) -> list[int]:
    """4.0: all forces, those of the AHG first."""
    return sorted(range(len(rules.scene.forces)), key=lambda force: (rules.scene.force_side[force], force))
