"""Tiny boards of the casebook: from a few lines of a case to the files of a pack, with columns offset either way.

A family says which columns its files have and what stands in a line when a case does not say it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from fronte.hexes import Grid

Fill = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""What stands in the line of a hex, a hexside or a unit: from its name and from what a case says of it."""


class CaseError(ValueError):
    """A case file that says something impossible."""


def tiny_grid(board: Mapping[str, Any]) -> Grid:
    """The hexes from the first to the last that `span` names."""
    span = str(board.get("span", ""))
    match = re.fullmatch(r"(\d\d)(\d\d)-(\d\d)(\d\d)", span)
    if not match:
        raise CaseError(f"board.span is {span!r}; it must be the first and last hex, such as '2210-2513'")
    c0, r0, c1, r1 = map(int, match.groups())
    odd_columns_lower = board.get("odd_columns_lower", True)
    if not isinstance(odd_columns_lower, bool):
        raise CaseError("board.odd_columns_lower is either true or false")
    return Grid.rectangle((c0, c1), (r0, r1), odd_columns_lower)


def board_toml(grid: Grid) -> str:
    """What a board says of its grid."""
    return f"[grid]\nodd_columns_lower = {str(grid.odd_columns_lower).lower()}\n"


def hexes_csv(board: Mapping[str, Any], grid: Grid, columns: Sequence[str], fill: Fill) -> str:
    """Every hex of the grid, and what `board.hex` says of some."""
    given = board.get("hex", {})
    for name in given:
        if name not in grid.index:
            raise CaseError(f"board.hex.{name}: not within the span of the board")
    fields = set(columns) - {"hex", "source"}
    rows = []
    for name in grid.ids:
        data = given.get(name, {})
        only(f"board.hex.{name}", data, fields)
        rows.append({"hex": name} | _cells(fill(name, data)))
    return _csv(columns, rows)


def hexsides_csv(board: Mapping[str, Any], columns: Sequence[str], fields: Collection[str], fill: Fill) -> str:
    """The hexsides of `board.side`, each written as 1912/1913 in either order; `fields` is what may be said of one."""
    rows = []
    for name, data in board.get("side", {}).items():
        only(f"board.side.{name}", data, fields)
        ends = sorted(name.split("/"))
        if len(ends) != 2:
            raise CaseError(f"board.side.{name}: a hexside is written as 1912/1913")
        rows.append({"a": ends[0], "b": ends[1]} | _cells(fill("/".join(ends), data)))
    return _csv(columns, rows)


def units_csv(
    units: Mapping[str, Mapping[str, Any]], columns: Sequence[str], fields: Collection[str], fill: Fill
) -> str:
    """The counters of a case; `fields` is what may be said of one, also of how it stands in play."""
    rows = []
    for name, data in units.items():
        only(f"units.{name}", data, fields)
        rows.append({"id": name} | _cells(fill(name, data)))
    return _csv(columns, rows)


def only(where: str, data: Mapping[str, Any], fields: Collection[str]) -> None:
    """Refuse words that are not known here."""
    unknown = sorted(set(data) - set(fields))
    if unknown:
        raise CaseError(f"{where}: unknown {', '.join(unknown)}; known are {', '.join(sorted(fields))}")


def _cells(data: Mapping[str, Any]) -> dict[str, str]:
    return {field: ("1" if value else "") if isinstance(value, bool) else str(value) for field, value in data.items()}


def _csv(columns: Sequence[str], rows: Sequence[dict[str, str]]) -> str:
    """Lines of a file; what is not said is empty, but where a file tells sources it is printed matter."""
    blank = {column: "printed" if column == "source" else "" for column in columns}
    out = io.StringIO()
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    writer.writerows(blank | row for row in rows)
    return out.getvalue()
