"""24.1, 24.3: which seat decides what. A seat is a person, a force the colour of a unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fronte.engine.frames import NUMBER, Argument

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


def active_seat(rules: CaporettoPrinted, state: State) -> int:
    """4.0: the seat of the force that acts, or reacts."""
    return seat_of(rules, state.active)


def other_seat(rules: CaporettoPrinted, state: State) -> int:
    """4.0, 24.3.start, 24.3.e1: who is not acting. He decides for whatever is attacked, also for units of another force
    in common hexes: of two people it is always the other one."""
    return 1 - active_seat(rules, state)


def decider(rules: CaporettoPrinted, state: State, units: Sequence[int]) -> int:
    """4.0, 24.3.start, 24.3.e1: who decides for units of one side while somebody acts: he does for his own, else the
    other one; for the Vicenza alone its own player, unless by `vicenza_defence` it is his opponent."""
    if rules.option["vicenza_defence"] == "owner" and all(rules.crossing >> unit & 1 for unit in units):
        return seat_of(rules, rules.force[units[0]])
    own = rules.side[units[0]] == rules.scene.force_side[state.active]
    return active_seat(rules, state) if own else other_seat(rules, state)


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
