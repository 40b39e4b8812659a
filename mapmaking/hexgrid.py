"""Numbered hex grids with flat-topped hexes: ids CCRR, columns to the right, rows downwards.

The hex plane measures in hexes: two centres in one column are 1 apart, y grows downwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .geo import Array

COLUMN = math.sqrt(3) / 2
SIDE = 1 / math.sqrt(3)
Corner = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """Columns and rows of a board; in the low columns hexes lie half a hex further down."""

    first_column: int
    last_column: int
    first_row: int
    last_row: int
    odd_columns_lower: bool = True
    # rectangles (first column, last column, first row, last row) where the board is not one rectangle
    sheets: tuple[tuple[int, int, int, int], ...] = ()

    def low(self, column: int) -> bool:
        """Is this column shifted down by half a hex?"""
        return (column % 2 == 1) == self.odd_columns_lower

    @cached_property
    def ids(self) -> list[str]:
        """All hexes, sorted."""
        sheets = self.sheets or ((self.first_column, self.last_column, self.first_row, self.last_row),)
        return sorted(
            f"{c:02d}{r:02d}"
            for first, last, top, bottom in sheets
            for c in range(first, last + 1)
            for r in range(top, bottom + 1)
        )

    @cached_property
    def known(self) -> frozenset[str]:
        """All hexes, for membership."""
        return frozenset(self.ids)

    def centre(self, hex_id: str) -> Array:
        """The centre of a hex in the hex plane (also for hexes off the board)."""
        c, r = int(hex_id[:2]), int(hex_id[2:])
        return np.array([c * COLUMN, r + (0.5 if self.low(c) else 0.0)])

    @cached_property
    def centres(self) -> Array:
        """Centres of all hexes, in the order of `ids`."""
        return np.array([self.centre(h) for h in self.ids])

    def around(self, hex_id: str) -> list[str]:
        """The six neighbours, clockwise from the one above, on the board or not."""
        c, r = int(hex_id[:2]), int(hex_id[2:])
        up, down = (r, r + 1) if self.low(c) else (r - 1, r)
        cells = [(c, r - 1), (c + 1, up), (c + 1, down), (c, r + 1), (c - 1, down), (c - 1, up)]
        return [f"{a:02d}{b:02d}" for a, b in cells]

    def neighbours(self, hex_id: str) -> list[str]:
        """The neighbours that are on the board."""
        return [n for n in self.around(hex_id) if n in self.known]

    def corner_points(self, hex_id: str) -> Array:
        """The six corners; the side towards `around()[i]` joins corners i and i + 1."""
        angles = np.radians([-120, -60, 0, 60, 120, 180])
        return self.centre(hex_id) + SIDE * np.stack([np.cos(angles), np.sin(angles)], axis=1)

    def side(self, a: str, b: str) -> Array:
        """Both ends of the hexside between two neighbours."""
        i = self.around(a).index(b)
        points = self.corner_points(a)
        return np.array([points[i], points[(i + 1) % 6]])

    @cached_property
    def sides(self) -> list[tuple[str, str]]:
        """All hexsides between two hexes of the board, a < b."""
        return [(a, b) for a in self.ids for b in self.neighbours(a) if a < b]

    @cached_property
    def corners(self) -> dict[Corner, dict[Corner, tuple[str, str]]]:
        """The graph of hex corners: which corners are joined, and by which hexside of the board."""
        graph: dict[Corner, dict[Corner, tuple[str, str]]] = {}
        for a, b in self.sides:
            p, q = (corner_key(point) for point in self.side(a, b))
            graph.setdefault(p, {})[q] = (a, b)
            graph.setdefault(q, {})[p] = (a, b)
        return graph

    def hex_at(self, point: Array) -> str:
        """The hex of the board whose centre is nearest."""
        return self.ids[int(np.argmin(((self.centres - point) ** 2).sum(axis=1)))]

    def samples(self, hex_id: str, fine: int = 11) -> Array:
        """Points spread evenly over a hex."""
        return self.centre(hex_id) + unit_samples(fine)


def corner_key(point: Array) -> Corner:
    """A corner as whole numbers, so that neighbours agree on it."""
    return round(float(point[0]) / SIDE * 4), round(float(point[1]) * 8)


def corner_point(key: Corner) -> Array:
    """The place of a corner in the hex plane."""
    return np.array([key[0] * SIDE / 4, key[1] / 8])


def unit_samples(fine: int) -> Array:
    """An even scatter of points inside the hex around the origin."""
    axis = np.linspace(-0.5, 0.5, fine)
    x, y = np.meshgrid(axis * 2 * SIDE, axis)
    inside = np.abs(y) + np.abs(x) * math.sqrt(3) < 1.0
    return np.stack([x[inside], y[inside]], axis=1)
