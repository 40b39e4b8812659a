"""The printed board as planes: terrain, heights, trenches, flags, objectives, and what is on the six hexsides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fronte.hexes.grid import DIRECTIONS, OFF_MAP

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

BRIDGE, DESTROYED, PONTOON = 1, 2, 3
ROUTES = ("road", "trail", "railway")


class Ground:
    """What never changes, from one seat's side of the table; and how hexes lie in a plane."""

    def __init__(self, rules: Inferno, seat: int) -> None:
        self.rules, self.seat = rules, seat
        grid = rules.board.grid
        left, top = min(grid.column), min(grid.row)
        self.shape = (max(grid.row) - top + 1, max(grid.column) - left + 1)
        self.cells = [(row - top, column - left) for row, column in zip(grid.row, grid.column, strict=True)]
        """The place of each hex in a plane: row and column. Every second column lies half a hex lower on the map."""
        self._flat = np.array([row * self.shape[1] + column for row, column in self.cells])
        self._bytes = (grid.size + 7) // 8
        named = dict(self._hexes()) | dict(self._sides())
        self.names = tuple(named)
        self.planes: NDArray[np.int8] = np.stack(list(named.values()))
        board = rules.board
        self.bridges = dict.fromkeys(map(board.hexside_name, board.bridges), BRIDGE)
        """The printed bridges."""

    def paint(self, plane: NDArray[np.int8], mask: int) -> None:
        """Write a set of hexes into a plane."""
        packed = np.frombuffer(mask.to_bytes(self._bytes, "little"), np.uint8)
        plane.reshape(-1)[self._flat] = np.unpackbits(packed, count=len(self._flat), bitorder="little")

    def _of(self, values: Iterable[int]) -> NDArray[np.int8]:
        plane = np.zeros(self.shape, np.int8)
        plane.reshape(-1)[self._flat] = np.fromiter(values, np.int8, len(self._flat))
        return plane

    def _of_mask(self, mask: int) -> NDArray[np.int8]:
        plane = np.zeros(self.shape, np.int8)
        self.paint(plane, mask)
        return plane

    def _hexes(self) -> Iterable[tuple[str, NDArray[np.int8]]]:
        board, seat = self.rules.board, self.seat
        yield "on the map", self._of_mask(board.grid.everything)
        for terrain in board.terrains:
            yield terrain, self._of(name == terrain for name in board.terrain)
        yield "level", self._of(board.level)
        yield "stacking", self._of(board.stacking)
        for owner, side in (("own", seat), ("enemy", 1 - seat)):
            yield f"{owner} trench", self._of_mask(board.trench[side])
            yield f"{owner} flag", self._of_mask(board.flags[side])
        worth = self.rules.setting.objectives
        yield "objective", self._of(worth.get(name, 0) for name in board.grid.ids)

    def _sides(self) -> Iterable[tuple[str, NDArray[np.int8]]]:
        """For each direction: the water on the hexside (1 stream, 2 river, 3 Isonzo), and the routes across (bits)."""
        board = self.rules.board
        for direction in range(DIRECTIONS):
            sides = [self._side(h, direction) for h in range(board.grid.size)]
            yield f"water {direction}", self._of(board.sides[n].water if n >= 0 else 0 for n in sides)
            yield f"routes {direction}", self._of(self._routes(n) for n in sides)

    def _side(self, h: int, direction: int) -> int:
        there = self.rules.board.grid.neighbours[h][direction]
        return self.rules.board.side_at.get((h, there), -1) if there != OFF_MAP else -1

    def _routes(self, number: int) -> int:
        if number < 0:
            return 0
        side = self.rules.board.sides[number]
        return sum(1 << k for k, route in enumerate(ROUTES) if getattr(side, route))

    def cross(self, planes: NDArray[np.int8], hexside: str, what: int) -> None:
        """Write into the planes of crossings, one for each direction, what lies on a hexside."""
        board = self.rules.board
        side = board.sides[board.hexside(hexside)]
        for here, there in ((side.a, side.b), (side.b, side.a)):
            direction = board.grid.neighbours[here].index(there)
            planes[(direction, *self.cells[here])] = what
