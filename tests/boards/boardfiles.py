"""The files of a board, read with the standard library alone, and a few questions about them."""

from __future__ import annotations

import csv
import tomllib
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

GAMES = Path(__file__).resolve().parents[2] / "src" / "fronte" / "games"
Row = dict[str, str]
Side = tuple[str, str]


class BoardFiles:
    """hexes.csv by hex, hexsides.csv by pair of hexes, board.toml as it is."""

    def __init__(self, game: str) -> None:
        self.game, self.folder = game, GAMES / game / "data"
        self.about: dict[str, Any] = tomllib.loads((self.folder / "board.toml").read_text(encoding="utf-8"))
        self.hex_rows = self._read("hexes.csv")
        self.side_rows = self._read("hexsides.csv")
        self.hexes = {row["hex"]: row for row in self.hex_rows}
        self.sides = {(row["a"], row["b"]): row for row in self.side_rows}

    def _read(self, name: str) -> list[Row]:
        with (self.folder / name).open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))

    def around(self, hex_id: str) -> list[str]:
        """The six neighbours, on the board or not."""
        column, row = int(hex_id[:2]), int(hex_id[2:])
        low = (column % 2 == 1) == self.about["grid"]["odd_columns_lower"]
        up, down = (row, row + 1) if low else (row - 1, row)
        cells = [(column, row - 1), (column + 1, up), (column + 1, down)]
        cells += [(column, row + 1), (column - 1, down), (column - 1, up)]
        return [f"{c:02d}{r:02d}" for c, r in cells]

    def neighbours(self, hex_id: str) -> list[str]:
        """The neighbours on the board."""
        return [n for n in self.around(hex_id) if n in self.hexes]

    def place(self, name: str) -> Row:
        """The only hex of this name."""
        (row,) = [row for row in self.hex_rows if row["name"] == name]
        return row

    def side(self, a: str, b: str) -> Row:
        """The row of a hexside; empty where it has none."""
        return self.sides.get((min(a, b), max(a, b)), {})

    def on_edge(self, hex_id: str) -> bool:
        """Does the hex lie on the edge of the board?"""
        return len(self.neighbours(hex_id)) < 6

    def expected_hexes(self) -> list[str]:
        """All hexes of the grid, in order."""
        grid = self.about["grid"]
        sheets = grid.get("sheets", [[*grid["columns"], *grid["rows"]]])
        return sorted(
            f"{c:02d}{r:02d}" for c0, c1, r0, r1 in sheets for c in range(c0, c1 + 1) for r in range(r0, r1 + 1)
        )

    def reach(self, start: Iterable[str], passes: Callable[[str, str], bool]) -> set[str]:
        """All hexes reached from the start over steps that pass."""
        seen = set(start)
        queue = deque(sorted(seen))
        while queue:
            a = queue.popleft()
            for b in self.neighbours(a):
                if b not in seen and passes(a, b):
                    seen.add(b)
                    queue.append(b)
        return seen

    def joined_by(self, *kinds: str) -> Callable[[str, str], bool]:
        """A test for steps along routes of these kinds, over bridges that stand."""

        def passes(a: str, b: str) -> bool:
            row = self.side(a, b)
            return any(row.get(kind) for kind in kinds) and not row.get("destroyed")

        return passes

    def corners(self, side: Side) -> tuple[frozenset[str], frozenset[str]]:
        """The two ends of a hexside, each as the three hexes (on the board or not) that meet there."""
        a, b = side
        both = [n for n in self.around(a) if n in self.around(b)]
        return frozenset({a, b, both[0]}), frozenset({a, b, both[1]})

    def rivers(self) -> list[str]:
        """The names of all waters on hexsides."""
        return sorted({row["name"] for row in self.side_rows if row["water"]})

    def river(self, name: str) -> list[Side]:
        """The hexsides of a water."""
        return [side for side, row in self.sides.items() if row["name"] == name]

    def river_parts(self, sides: list[Side]) -> list[list[Side]]:
        """The connected parts of a set of hexsides."""
        rest = sorted(sides)
        parts = []
        while rest:
            part = [rest.pop(0)]
            for side in part:
                ends = set(self.corners(side))
                touching = [s for s in rest if ends & set(self.corners(s))]
                part += touching
                rest = [s for s in rest if s not in touching]
            parts.append(part)
        return parts

    def loose_ends(self, sides: list[Side]) -> list[frozenset[str]]:
        """The corners where a chain of hexsides begins or ends."""
        count: dict[frozenset[str], int] = {}
        for side in sides:
            for corner in self.corners(side):
                count[corner] = count.get(corner, 0) + 1
        return [corner for corner, n in count.items() if n == 1]

    def at_edge(self, corner: frozenset[str]) -> bool:
        """Is this corner on the outline of the board?"""
        return any(h not in self.hexes for h in corner)


BOARDS = {file.parts[-3]: BoardFiles(file.parts[-3]) for file in sorted(GAMES.glob("*/data/board.toml"))}
"""Every board that there is, by its game."""
