"""Facing: a thing in a hex points at one of its six sides, and has hexes before it, beside it and behind it.

Facings are the directions of `grid`, 0 to 5. The masks by hex and facing end where the map does.
"""

from __future__ import annotations

from fronte.hexes.grid import DIRECTIONS, OFF_MAP, Grid
from fronte.hexes.mask import mask_of


def turn(one: int, other: int) -> int:
    """How many hexsides lie between two facings, the shorter way round: 0 to 3."""
    return min((one - other) % DIRECTIONS, (other - one) % DIRECTIONS)


def opposite(facing: int) -> int:
    """The facing the other way."""
    return (facing + DIRECTIONS // 2) % DIRECTIONS


def bearings(grid: Grid, a: int, b: int) -> tuple[int, ...]:
    """By which sides the line to another hex leaves this one: two where it runs out through a corner."""
    (ca, da), (cb, db) = grid.place[a], grid.place[b]
    across, down = 3 * (cb - ca), db - da
    # One of six sectors, whose borders lead through the corners; both of two sectors have the border between them.
    sectors = (
        -down >= abs(across),
        down <= 0 and across >= -down,
        down >= 0 and across >= down,
        down >= abs(across),
        down >= 0 and -across >= down,
        down <= 0 and -across >= -down,
    )
    return tuple(direction for direction, inside in enumerate(sectors) if inside and a != b)


class Facing:
    """Front, flanks and rear of every hex by facing.

    `front` of the six hexsides are before a thing, `flank` beside it (half of them on either hand), the others behind.
    In the hexes of `all_round` everything is front.
    """

    def __init__(self, grid: Grid, front: int = 3, flank: int = 0, all_round: int = 0) -> None:
        if front not in (1, 3, 5) or flank not in range(0, DIRECTIONS - front + 1, 2):
            raise ValueError("front must be an odd number of hexsides, flank an even one, of six in all")
        self.grid, self.all_round = grid, all_round
        self._ahead = front // 2
        self.front = self._masks(0, self._ahead)
        """For each hex and facing the mask of the neighbours in front."""
        self.flank = self._masks(self._ahead + 1, self._ahead + flank // 2)
        """Likewise those on both flanks."""
        self.rear = self._masks(self._ahead + flank // 2 + 1, DIRECTIONS // 2)
        """Likewise those behind."""
        self._sectors: dict[int, tuple[int, ...]] = {}
        sides = range(DIRECTIONS)
        self._before = [mask_of(side for side in sides if turn(facing, side) <= self._ahead) for facing in sides]
        """For each facing the mask of the sides in front."""
        self._bearings: dict[tuple[int, int], int] = {}
        """By the way from one hex to another the mask of the sides by which it leaves."""

    def _masks(self, least: int, most: int) -> list[tuple[int, ...]]:
        """For each hex and facing the neighbours that lie so many hexsides away from it."""
        sides = range(DIRECTIONS)
        chosen = [[side for side in sides if least <= turn(facing, side) <= most] for facing in sides]
        out = []
        for h, six in enumerate(self.grid.neighbours):
            if self.all_round >> h & 1:
                out.append((self.grid.ring[h] if least == 0 else 0,) * DIRECTIONS)
                continue
            bit = [1 << other if other != OFF_MAP else 0 for other in six]
            out.append(tuple([sum([bit[side] for side in some]) for some in chosen]))
        return out

    def toward(self, a: int, b: int) -> int:
        """The facing from a hex to its neighbour."""
        return self.grid.neighbours[a].index(b)

    def is_before(self, a: int, facing: int, b: int) -> bool:
        """Is hex b, near or far, before a thing that faces so in hex a?

        The line to it has to leave by a side of the front, or through the corner where the front ends.
        """
        if self.all_round >> a & 1:
            return a != b
        (ca, da), (cb, db) = self.grid.place[a], self.grid.place[b]
        sides = self._bearings.get((cb - ca, db - da))
        if sides is None:
            sides = self._bearings[cb - ca, db - da] = mask_of(bearings(self.grid, a, b))
        return bool(sides & self._before[facing])

    def field(self, a: int, facing: int) -> int:
        """The mask of all hexes before a thing that faces so, to the edge of the map."""
        if self.all_round >> a & 1:
            return self.grid.everything & ~(1 << a)
        sectors = self._sectors.get(a)
        if sectors is None:
            members: list[list[int]] = [[] for _ in range(DIRECTIONS)]
            for b in range(self.grid.size):
                for side in bearings(self.grid, a, b):
                    members[side].append(b)
            sectors = self._sectors[a] = tuple(map(mask_of, members))
        found = 0
        for side, sector in enumerate(sectors):
            if turn(facing, side) <= self._ahead:
                found |= sector
        return found

    def ahead(self, a: int, facing: int) -> list[int]:
        """The hexes straight ahead, nearest first, to the edge of the map."""
        found: list[int] = []
        here = self.grid.neighbours[a][facing]
        while here != OFF_MAP:
            found.append(here)
            here = self.grid.neighbours[here][facing]
        return found
