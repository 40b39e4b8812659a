"""One position of the probe game: columns by piece, which grow when a patrol is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Frame
from fronte.games.common.places import put

if TYPE_CHECKING:
    from .game import Probe

GONE = -1
"""Where a piece is that has left play."""


class State:
    """Plain data; a copy is a handful of list copies."""

    def __init__(self) -> None:
        self.turn = 1
        self.phase = "plan"
        self.active = 0
        self.at: list[int] = []
        self.facing: list[int] = []
        self.column: list[bool] = []
        self.hits: list[int] = []
        self.acted: list[bool] = []
        self.made: list[tuple[str, int]] = []
        """Patrols: their names and the numbers of their forces. Their other columns follow those of printed pieces."""
        self.stacks: list[tuple[int, ...]] = []
        """The pieces in each hex in the order in which they came, the last on top."""
        self.occ = [0, 0]
        """For each seat the hexes with any piece that it commands."""
        self.plans: list[int] = [-1, -1]
        """The force that each seat has planned for; open to both in the action phase alone."""
        self.done = 0
        """The forces that have been activated this turn, as a mask."""
        self.passed = 0
        self.left = 0
        """Quarters of a movement point that the marching piece still has."""
        self.outcome = ""
        self.frames: list[Frame] = []
        self.seed = b""
        self.rolled = 0
        self.forced: tuple[int, ...] = ()

    def copy(self) -> State:
        """A state of its own."""
        twin = State()
        for name, value in vars(self).items():
            setattr(twin, name, value.copy() if isinstance(value, list | dict) else value)
        return twin


def place(rules: Probe, state: State, piece: int, to: int) -> None:
    """Put a piece on top of a hex, or out of play."""
    put(state, piece, to, lambda other: rules.seat_of(state, other), on_top=True)
