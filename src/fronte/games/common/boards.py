"""Reading boards and counters: what every game's files have in common, with errors by file and line.

A family names the columns of its files, reads from each line what it needs, and leaves to these functions what every
line must be: a hex of the board, a hexside between neighbours, a counter with a name of its own, each of them once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from fronte.engine.given import PositionError
from fronte.engine.pack import Pack, PackError, Row, value
from fronte.hexes import Grid

C = TypeVar("C")


def read_hexes(pack: Pack, columns: Sequence[str]) -> tuple[Grid, list[Row]]:
    """The lines of a board's hexes, each hex once, and the grid they make."""
    grid = pack.toml("board.toml")
    value(grid, "board.toml", "grid", lambda found: isinstance(found, dict), "a table")
    rows = pack.csv("hexes.csv", columns)
    seen: set[str] = set()
    for row in rows:
        if not (len(row["hex"]) == 4 and row["hex"].isdigit()):
            raise row.error(f"hex is {row['hex']!r}, not a number of four digits")
        if row["hex"] in seen:
            raise row.error(f"hex {row['hex']} is there twice")
        seen.add(row["hex"])
    if not rows:
        raise PackError("hexes.csv", 1, "the board has no hexes")
    return Grid(seen, bool(grid["grid"].get("odd_columns_lower", True))), rows


def read_hexsides(pack: Pack, columns: Sequence[str], grid: Grid) -> Iterator[tuple[Row, int, int]]:
    """The lines of a board's hexsides with the two hexes each of them names, which must be neighbours; each once."""
    seen: set[frozenset[int]] = set()
    for row in pack.csv("hexsides.csv", columns):
        a, b = _ends(grid, row)
        if frozenset((a, b)) in seen:
            raise row.error(f"hexside {row['a']}/{row['b']} is there twice")
        seen.add(frozenset((a, b)))
        yield row, a, b


def _ends(grid: Grid, row: Row) -> tuple[int, int]:
    for column in ("a", "b"):
        if row[column] not in grid.index:
            raise row.error(f"{column} is {row[column]!r}, not a hex of the board")
    a, b = grid.index[row["a"]], grid.index[row["b"]]
    if b not in grid.adjacent[a]:
        raise row.error(f"{row['a']} and {row['b']} are not adjacent")
    return a, b


def read_counters(pack: Pack, columns: Sequence[str], make: Callable[[Row], C], rule: str = "") -> tuple[C, ...]:
    """The counters of a pack as a family makes them, each with an id of its own; errors name the unit and the rule."""
    cited = f" ({rule})" if rule else ""
    found: dict[str, C] = {}
    for row in pack.csv("units.csv", columns):
        name = row["id"]
        if not name or any(c in name for c in " ,="):
            raise row.error(f"the id {name!r} must be one word{cited}")
        try:
            counter = make(row)
        except PackError as wrong:
            raise row.error(f"unit {name}: {wrong.why}{cited}") from None
        except PositionError as wrong:
            raise row.error(f"unit {name}: {wrong}{cited}") from None
        if name in found:
            raise row.error(f"the id {name} is used twice{cited}")
        found[name] = counter
    return tuple(found.values())
