"""Grids of hexes in columns, with the printed CCRR numbers as names.

Columns are vertical. On one map every second column lies half a hex lower (towards higher row numbers) than its
neighbours; which columns do is a property of the map, not of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from fronte.hexes.mask import bits
from fronte.hexes.spread import Spread

OFF_MAP = -1
"""What `Grid.neighbours` holds where the map ends."""

STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The directions in order: up, upper right, lower right, down, lower left, upper left, as columns and half rows."""

DIRECTIONS = len(STEPS)

REMEMBERED = 256
"""Of so many sets of hexes it is remembered what is near to them."""


def is_low(column: int, odd_columns_lower: bool) -> bool:
    """Does this column lie half a hex lower than its neighbours, on a map where the odd ones do or do not?"""
    return (column % 2 == 1) == odd_columns_lower


@lru_cache(maxsize=128)
def _offsets(reach: int) -> tuple[tuple[int, int, int], ...]:
    """The steps to the places at most so many hexes away, as columns and half rows, each with its distance."""
    return tuple(
        (across, down, max(abs(across), (abs(across) + abs(down)) // 2))
        for across in range(-reach, reach + 1)
        for down in range(abs(across) - 2 * reach, 2 * reach - abs(across) + 1, 2)
    )


class Grid:
    """A set of hexes with neighbours and distances. Hexes are small integers, in the order of their names."""

    def __init__(self, ids: Iterable[str], odd_columns_lower: bool = True) -> None:
        self.ids: tuple[str, ...] = tuple(sorted(set(ids)))
        self.odd_columns_lower = odd_columns_lower
        self.index: dict[str, int] = {name: i for i, name in enumerate(self.ids)}
        self.size = len(self.ids)
        self.everything = (1 << self.size) - 1
        self.column = [int(name[:-2]) for name in self.ids]
        self.row = [int(name[-2:]) for name in self.ids]
        self.place: list[tuple[int, int]] = [
            (c, 2 * r + self.is_low(c)) for c, r in zip(self.column, self.row, strict=True)
        ]
        """Where each hex lies: column, and half rows downwards. A direction is the same step from every hex."""
        self.at: dict[tuple[int, int], int] = {place: i for i, place in enumerate(self.place)}
        """The hex that lies in a place."""
        self.neighbours: list[tuple[int, ...]] = [self._around(i) for i in range(self.size)]
        """For each hex its six neighbours by direction, OFF_MAP where there is none."""
        self.adjacent: list[tuple[int, ...]] = [tuple(n for n in six if n != OFF_MAP) for six in self.neighbours]
        self.ring: list[int] = [sum(1 << n for n in around) for around in self.adjacent]
        """For each hex the mask of its neighbours."""
        self._within: dict[tuple[int, int], int] = {}
        self._near: dict[int, list[int]] = {}

    @classmethod
    def rectangle(cls, columns: tuple[int, int], rows: tuple[int, int], odd_columns_lower: bool = True) -> Grid:
        """All hexes from the first to the last column and row, both included."""
        names = (f"{c:02d}{r:02d}" for c in range(columns[0], columns[1] + 1) for r in range(rows[0], rows[1] + 1))
        return cls(names, odd_columns_lower)

    def is_low(self, column: int) -> bool:
        """Does this column lie half a hex lower than its neighbours?"""
        return is_low(column, self.odd_columns_lower)

    def _around(self, i: int) -> tuple[int, ...]:
        c, d = self.place[i]
        return tuple(self.at.get((c + across, d + down), OFF_MAP) for across, down in STEPS)

    @cached_property
    def edge(self) -> int:
        """Hexes on the edge of the map: those with a missing neighbour."""
        return sum(1 << i for i, six in enumerate(self.neighbours) if OFF_MAP in six)

    @cached_property
    def around(self) -> Spread:
        """The neighbours of many hexes at once."""
        return Spread(self.ring)

    @cached_property
    def span(self) -> int:
        """A distance that no two hexes exceed."""
        return max(self.column) - min(self.column) + max(self.row) - min(self.row) + 1

    def distance(self, a: int, b: int) -> int:
        """How many hexes lie on the way from a to b, b counted."""
        (ca, da), (cb, db) = self.place[a], self.place[b]
        across, down = abs(ca - cb), abs(da - db)
        return across if down <= across else (across + down) // 2

    def disc(self, centre: int, reach: int) -> list[int]:
        """The hexes at most `reach` hexes from the centre as a line is measured, over gaps in the map too."""
        if reach >= self.span:
            return list(range(self.size))
        return [h for h, _ in self.around_at(centre, reach)]

    def around_at(self, centre: int, reach: int) -> Iterator[tuple[int, int]]:
        """The same one by one, each with its distance."""
        c, d = self.place[centre]
        at = self.at.get
        for across, down, distance in _offsets(reach):
            h = at((c + across, d + down), OFF_MAP)
            if h >= 0:
                yield h, distance

    def within(self, centre: int, reach: int) -> int:
        """The mask of the hexes at most `reach` hexes from the centre, itself included."""
        key = (centre, reach)
        found = self._within.get(key)
        if found is None:
            found = border = 1 << centre
            for _ in range(reach):
                next_to = 0
                for i in bits(border):
                    next_to |= self.ring[i]
                border = next_to & ~found
                found |= border
            self._within[key] = found
        return found

    def near(self, hexes: int, reach: int) -> list[int]:
        """By distance, up to this one and perhaps beyond it, the masks of the hexes at most so far from any of these.

        Remembered, as of the same hexes much is asked; not to be changed by who asks.
        """
        found = self._near.get(hexes)
        if found is None:
            if len(self._near) >= REMEMBERED:
                self._near.clear()
            found = self._near[hexes] = [hexes]
        while len(found) <= reach:
            found.append(found[-1] | self.around(found[-1]))
        return found
