"""What makes any board a sound map: its grid, its hexsides, its rivers, its names and its picture."""

from __future__ import annotations

from collections import Counter

import pytest
from boardfiles import BOARDS, BoardFiles

GRIDS = {
    "altipiani": {"columns": [10, 39], "rows": [1, 22], "odd_columns_lower": True},
    "caporetto": {"columns": [6, 63], "rows": [1, 32], "odd_columns_lower": False},
    "isonzo": {"columns": [8, 34], "rows": [1, 18], "odd_columns_lower": True},
    "volturno": {
        "columns": [1, 79],
        "rows": [1, 40],
        "odd_columns_lower": True,
        "sheets": [[1, 46, 5, 32], [47, 79, 1, 40]],
    },
}
RIVERS = [(game, name) for game, board in BOARDS.items() for name in board.rivers()]


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> BoardFiles:
    return BOARDS[request.param]


def test_every_hex_of_the_grid_is_there_once_and_in_order(board: BoardFiles) -> None:
    assert board.about["grid"] == GRIDS[board.game]
    assert [row["hex"] for row in board.hex_rows] == board.expected_hexes()


def test_hexsides_join_neighbours_once_and_in_order(board: BoardFiles) -> None:
    pairs = [(row["a"], row["b"]) for row in board.side_rows]
    assert pairs == sorted(set(pairs))
    for a, b in pairs:
        assert a < b
        assert b in board.neighbours(a), (a, b)


@pytest.mark.parametrize(("game", "name"), RIVERS)
def test_river_is_one_unbroken_chain(game: str, name: str) -> None:
    board = BOARDS[game]
    sides = board.river(name)
    assert len(board.river_parts(sides)) == 1
    assert len(board.loose_ends(sides)) == 2


def test_names_are_unique(board: BoardFiles) -> None:
    names = Counter(row["name"] for row in board.hex_rows if row["name"])
    assert max(names.values()) == 1


def test_the_picture_is_there_and_small(board: BoardFiles) -> None:
    picture, grid = board.about["picture"], board.about["grid"]
    size = (board.folder / picture["file"]).stat().st_size
    assert 30_000 < size < 600_000
    assert picture["dx"] == pytest.approx(picture["dy"] * 3**0.5 / 2, rel=1e-3)
    (c0, c1), (r0, r1) = grid["columns"], grid["rows"]
    assert picture["x0"] + picture["dx"] * (c1 - c0) < picture["width"]
    assert picture["y0"] + picture["dy"] * (r1 - r0 + 0.5) < picture["height"]
