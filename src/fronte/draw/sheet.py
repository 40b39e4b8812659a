"""A board read for drawing: the rows of its files and where its hexes lie on the sheet."""

from __future__ import annotations

import csv
import math
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fronte.hexes.grid import is_low

Point = tuple[float, float]
Row = dict[str, str]


@dataclass(frozen=True)
class Sheet:
    """The board's files, and the pixel geometry of the picture under the hexes."""

    about: dict[str, Any]
    hexes: list[Row]
    sides: list[Row]
    picture: bytes

    @cached_property
    def size(self) -> float:
        """The height of a hex: the unit in which everything on the sheet is measured."""
        return float(self.about["picture"]["dy"])

    @cached_property
    def rows(self) -> dict[str, Row]:
        """The row of each hex."""
        return {row["hex"]: row for row in self.hexes}

    def centre(self, hex_id: str) -> Point:
        """The centre of a hex in pixels."""
        grid, picture = self.about["grid"], self.about["picture"]
        column, row = int(hex_id[:2]), int(hex_id[2:])
        x = picture["x0"] + picture["dx"] * (column - grid["columns"][0])
        y = picture["y0"] + picture["dy"] * (row - grid["rows"][0] + self.drop(column))
        return x, y

    def drop(self, column: int) -> float:
        """How much lower the hexes of this column lie than their rows say, in hexes."""
        return 0.5 if is_low(column, self.about["grid"]["odd_columns_lower"]) else 0.0

    def corners(self, hex_id: str) -> list[Point]:
        """The six corners of a hex, clockwise from the upper left."""
        x, y = self.centre(hex_id)
        across, high = self.about["picture"]["dx"] * 2 / 3, self.size / 2
        half = across / 2
        return [
            (x - half, y - high), (x + half, y - high), (x + across, y),
            (x + half, y + high), (x - half, y + high), (x - across, y),
        ]  # fmt: skip

    def side(self, a: str, b: str) -> tuple[Point, Point]:
        """The two ends of the hexside between neighbours."""
        (ax, ay), (bx, by) = self.centre(a), self.centre(b)
        middle = ((ax + bx) / 2, (ay + by) / 2)
        near = sorted(self.corners(a), key=lambda p: math.dist(p, middle))[:2]
        p, q = sorted(near)
        return p, q

    def middle(self, a: str, b: str) -> Point:
        """The middle of a hexside."""
        return between(self.centre(a), self.centre(b), 0.5)


def between(p: Point, q: Point, share: float) -> Point:
    """The point so far on the way from p to q."""
    return p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share


def read_sheet(folder: Path) -> Sheet:
    """The files of a board: board.toml, its hexes and hexsides, its picture."""
    about = tomllib.loads((folder / "board.toml").read_text(encoding="utf-8"))
    files = about.get("files", {})
    hexes = read_rows(folder / files.get("hexes", "hexes.csv"))
    sides = read_rows(folder / files.get("hexsides", "hexsides.csv"))
    return Sheet(about, hexes, sides, (folder / about["picture"]["file"]).read_bytes())


def read_rows(path: Path) -> list[Row]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
