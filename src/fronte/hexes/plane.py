"""A grid spread out on a plane of half rows, where a step is the same shift of a mask from every hex.

Bit i of a mask of the plane stands for a place, not for hex i. Every second place is empty, and there is so much room
between the columns that two steps on the map never have the same shift, and none off its edge ends in another column.
"""

from __future__ import annotations

from collections.abc import Iterable

from fronte.hexes.grid import Grid
from fronte.hexes.mask import bits, mask_of


class Plane:
    """Where the hexes of a grid lie on the plane, and shifts of steps."""

    def __init__(self, grid: Grid) -> None:
        columns, halves = [c for c, _ in grid.place], [d for _, d in grid.place]
        left, top = min(columns, default=0), min(halves, default=0)
        self.stride = 2 * (max(halves, default=0) - top) + 5
        self.spot = [(c - left + 1) * self.stride + d - top + 2 for c, d in grid.place]
        """For each hex its place on the plane."""
        self.size = (max(columns, default=0) - left + 3) * self.stride
        self.bit = [0] * self.size
        """For each place the mask of the hex that lies there; 0 off the map."""
        for h, spot in enumerate(self.spot):
            self.bit[spot] = 1 << h

    def spread(self, hexes: int) -> int:
        """A mask of hexes as a mask of the plane."""
        return mask_of(self.spot[h] for h in bits(hexes))

    def gather(self, places: Iterable[int]) -> int:
        """The mask of the hexes that lie in these places."""
        mask = 0
        for place in places:
            mask |= self.bit[place]
        return mask


def shift_of(step: tuple[int, int], stride: int) -> int:
    """How far a step of so many columns and half rows leads on a plane with so many places to a column."""
    return step[0] * stride + step[1]


def back(mask: int, shift: int) -> int:
    """From where a step of this shift leads into a mask of the plane."""
    return mask >> shift if shift >= 0 else mask << -shift
