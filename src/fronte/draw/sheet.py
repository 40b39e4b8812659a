"""A board read for drawing: the rows of its files and where its hexes lie on the sheet."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fronte.engine.look import PLAIN, Look, look_of
from fronte.engine.pack import Pack, PackError
from fronte.hexes.grid import is_low

from .tokens import TOKENS

Point = tuple[float, float]
Row = dict[str, str]


@dataclass(frozen=True)
class Sheet:
    """The board's files, and the pixel geometry of the picture under the hexes."""

    about: dict[str, Any]
    hexes: list[Row]
    sides: list[Row]
    picture: bytes
    look: Look = PLAIN
    inks: dict[str, str] = field(default_factory=dict)
    """The colour of each force's signs on the map."""

    @cached_property
    def size(self) -> float:
        """The height of a hex: the unit in which everything on the sheet is measured."""
        return float(self.about["picture"]["dy"])

    @cached_property
    def rows(self) -> dict[str, Row]:
        """The row of each hex."""
        return {row["hex"]: row for row in self.hexes}

    @cached_property
    def by_side(self) -> dict[tuple[str, str], Row]:
        """The row of each hexside that has one, by its hexes in either order."""
        found = {(row["a"], row["b"]): row for row in self.sides}
        return found | {(b, a): row for (a, b), row in found.items()}

    def ink(self, force: str) -> str:
        """The colour of a force's works."""
        return self.inks.get(force, TOKENS["nobody"])

    def terrain(self, row: Row) -> str:
        """The ground of a hex in a word that the painter knows."""
        kind = row.get("terrain", "")
        return self.look.board.terrain.get(kind, kind)

    def water(self, row: Row) -> str:
        """The water along a hexside in a word that the painter knows."""
        kind = row.get("water", "")
        return self.look.board.water.get(kind, kind)

    def is_town(self, row: Row) -> bool:
        """Is this a place of more than local weight?"""
        if any(row.get(column) for column in self.look.board.town):
            return True
        return row.get("settlement") in ("town", "city") or row.get("mark") == "city"

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


def nearest(sheet: Sheet, at: Point) -> Row | None:
    """The row of the hex with its centre at this point, if the board has one."""
    grid, picture = sheet.about["grid"], sheet.about["picture"]
    column = round((at[0] - picture["x0"]) / picture["dx"]) + grid["columns"][0]
    across = round((at[1] - picture["y0"]) / picture["dy"] - sheet.drop(column)) + grid["rows"][0]
    return sheet.rows.get(f"{column:02d}{across:02d}")


PLAIN_HEX = {"x0": 72.0, "y0": 72.0, "dx": 83.138, "dy": 96.0}
"""Where hexes lie on a board that has no picture: a hex is 96 pixels high."""


def about_board(pack: Pack) -> dict[str, Any]:
    """What `board.toml` says; a board that says nothing of a picture or of its extent is a plain sheet of its hexes."""
    about = pack.toml("board.toml")
    grid = {"odd_columns_lower": True} | about.get("grid", {})
    names = [row["hex"] for row in read_rows(pack, about.get("files", {}).get("hexes", "hexes.csv"))]
    columns, rows = ([int(name[part]) for name in names] for part in (slice(2), slice(2, None)))
    grid = {"columns": [min(columns), max(columns)], "rows": [min(rows), max(rows)]} | grid
    if "picture" in about:
        return about | {"grid": grid}
    (first, last), (top, low), hexes = grid["columns"], grid["rows"], PLAIN_HEX
    width = round(2 * hexes["x0"] + hexes["dx"] * (last - first))
    height = round(2 * hexes["y0"] + hexes["dy"] * (low - top + 0.5))
    return about | {"grid": grid, "picture": {"file": "", "width": width, "height": height, **hexes}}


def read_sheet(pack: Pack) -> Sheet:
    """The files of a board: board.toml, its hexes and hexsides, its picture, and how they look."""
    about = about_board(pack)
    files = about.get("files", {})
    hexes, sides = (read_rows(pack, files.get(name, f"{name}.csv")) for name in ("hexes", "hexsides"))
    look = look_of(pack)
    inks = {force: how.ink for force, how in look.force.items() if how.ink}
    inks |= {force: side["ink"] for force, side in _forces(pack).items() if side.get("ink")}
    file = about["picture"]["file"]
    return Sheet(about, hexes, sides, pack.path(file).read_bytes() if file else b"", look, inks)


def _forces(pack: Pack) -> dict[str, Any]:
    """What `pack.toml` says of the forces; nothing for a board whose game is not there yet."""
    try:
        return dict(pack.toml("pack.toml").get("sides", {}))
    except PackError:
        return {}


def read_rows(pack: Pack, name: str) -> list[Row]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(pack.text(name))))
