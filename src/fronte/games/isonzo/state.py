"""What Isonzo adds to the state: bridges, pontoons, crossings of the river, points and the score's other parts."""

from __future__ import annotations

from typing import Self

from fronte.games.inferno.state import State


class IsonzoState(State):
    """A position of Inferno sull'Isonzo."""

    __slots__ = ("broken", "crossed", "points", "pontoons", "released", "returned", "returns", "tried")

    def __init__(self, units: int, hexes: int) -> None:
        super().__init__(units, hexes)
        self.broken = 0
        """14.4: the destroyed bridges, a mask over their numbers."""
        self.tried = [0, 0]
        """14.4.b: for each side the bridge hexes where it could try demolition this player turn."""
        self.pontoons: dict[int, int] = {}
        """12.2: engineers on their bridge side, and the hexsides they lie on."""
        self.crossed: dict[int, int] = {}
        """14.2.a: slots of Isonzo hexsides used this turn, and by which unit."""
        self.points = 0
        """13.1.b: Ris/Rimp points."""
        self.released = 0
        """15.d: reserve units released."""
        self.returned = 0
        """15.d: A-H emergency reinforcements."""
        self.returns = 0
        """13.2: emergency reinforcements of this turn."""

    def copy(self) -> Self:
        """A state of its own."""
        twin = super().copy()
        twin.broken = self.broken
        twin.tried = self.tried[:]
        twin.pontoons = self.pontoons.copy()
        twin.crossed = self.crossed.copy()
        twin.points = self.points
        twin.released = self.released
        twin.returned = self.returned
        twin.returns = self.returns
        return twin
