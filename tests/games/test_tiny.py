"""Tiny boards of the casebook: a few lines become the files of a pack, with columns offset either way."""

from __future__ import annotations

from typing import Any

import pytest

from fronte.engine.pack import Pack
from fronte.games.common.boards import read_counters, read_hexes, read_hexsides
from fronte.games.common.tiny import CaseError, board_toml, hexes_csv, hexsides_csv, tiny_grid, units_csv

HEXES = ("hex", "terrain", "source")
SIDES = ("a", "b", "ford")
UNITS = ("id", "kind")
BOARD: dict[str, Any] = {
    "span": "0101-0202",
    "hex": {"0102": {"terrain": "wood"}},
    "side": {"0202/0101": {"ford": True}},
}


def files(board: dict[str, Any], units: dict[str, Any]) -> dict[str, str]:
    grid = tiny_grid(board)
    return {
        "board.toml": board_toml(grid),
        "hexes.csv": hexes_csv(board, grid, HEXES, lambda name, data: {"terrain": "clear", **data}),
        "hexsides.csv": hexsides_csv(board, SIDES, ("ford",), lambda name, data: data),
        "units.csv": units_csv(units, UNITS, ("kind", "at"), lambda name, data: {"kind": data.get("kind", "company")}),
    }


@pytest.mark.parametrize("lower", [True, False])
def test_a_tiny_board_can_be_read_in_either_parity(lower: bool) -> None:
    side = "0202/0101" if lower else "0201/0102"
    board = BOARD | {"odd_columns_lower": lower, "side": {side: {"ford": True}}}
    pack = Pack((), files(board, {"one": {"at": "0101"}, "two": {"kind": "gun"}}))
    grid, rows = read_hexes(pack, HEXES)
    assert grid.odd_columns_lower == lower
    assert [(row["hex"], row["terrain"], row["source"]) for row in rows] == [
        ("0101", "clear", "printed"),
        ("0102", "wood", "printed"),
        ("0201", "clear", "printed"),
        ("0202", "clear", "printed"),
    ]
    ((row, a, b),) = read_hexsides(pack, SIDES, grid)
    assert ([grid.ids[a], grid.ids[b]], row.flag("ford")) == (sorted(side.split("/")), True)
    assert read_counters(pack, UNITS, dict) == ({"id": "one", "kind": "company"}, {"id": "two", "kind": "gun"})


@pytest.mark.parametrize(
    ("board", "units", "why"),
    [
        ({"span": "22"}, {}, "board.span is '22'; it must be the first and last hex"),
        ({"odd_columns_lower": "no"}, {}, "board.odd_columns_lower is either true or false"),
        ({"hex": {"0901": {}}}, {}, "board.hex.0901: not within the span of the board"),
        ({"hex": {"0101": {"colour": "red"}}}, {}, "board.hex.0101: unknown colour; known are terrain"),
        ({"side": {"0101": {}}}, {}, "board.side.0101: a hexside is written as 1912/1913"),
        ({"side": {"0101/0102": {"dam": 1}}}, {}, "board.side.0101/0102: unknown dam; known are ford"),
        ({}, {"one": {"colour": "red"}}, "units.one: unknown colour; known are at, kind"),
    ],
)
def test_what_cannot_be_is_an_error_of_the_case(board: dict[str, Any], units: dict[str, Any], why: str) -> None:
    with pytest.raises(CaseError) as wrong:
        files(BOARD | board, units)
    assert str(wrong.value).startswith(why)
