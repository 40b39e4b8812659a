"""What Altipiani adds to the state: steps lost, replacement points, and what the optional rules remember."""

from __future__ import annotations

from typing import Self

from fronte.games.inferno.state import State


class AltipianiState(State):
    """A position of Inferno sugli Altipiani."""

    __slots__ = ("brusilov", "improved", "lost", "replacements", "roused")

    def __init__(self, units: int, hexes: int) -> None:
        super().__init__(units, hexes)
        self.lost = [0, 0]
        """14.0.c: combat steps that each side has lost."""
        self.replacements = [0, 0]
        """15.1: replacement points of each side."""
        self.brusilov = False
        """15.1.d: the Russians attack, and A-H gets no more replacements."""
        self.improved = False
        """15.2: Italian units defend better."""
        self.roused = 0
        """12.4.c: frozen units that have been attacked, a mask over units."""

    def copy(self) -> Self:
        """A state of its own."""
        twin = super().copy()
        twin.lost = self.lost[:]
        twin.replacements = self.replacements[:]
        twin.brusilov = self.brusilov
        twin.improved = self.improved
        twin.roused = self.roused
        return twin
