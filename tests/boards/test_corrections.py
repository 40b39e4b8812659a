"""What was judged by hand for a board, in `mapmaking/*.corrections.toml`, is what its files say.

The files are made from terrain data that are no part of the project. Here what the corrections fix hex by hex is
compared with them; to compare all of it, make the board anew and see that nothing has changed (mapmaking/README.md).
"""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from boardfiles import BOARDS, BoardFiles

MAPMAKING = Path(__file__).resolve().parents[2] / "mapmaking"
HAND = {game: tomllib.loads((MAPMAKING / f"{game}.corrections.toml").read_text(encoding="utf-8")) for game in BOARDS}
Hand = dict[str, Any]


@pytest.fixture(params=BOARDS)
def made(request: pytest.FixtureRequest) -> tuple[BoardFiles, Hand]:
    return BOARDS[request.param], HAND[request.param]


def test_grid(made: tuple[BoardFiles, Hand]) -> None:
    board, hand = made
    assert board.about["grid"] == {"odd_columns_lower": True} | hand["grid"]


def test_every_place_has_its_name_once_and_where_it_was_put(made: tuple[BoardFiles, Hand]) -> None:
    board, hand = made
    places = [place for place in hand["place"] if place["kind"] != "waypoint"]
    assert {row["name"] for row in board.hex_rows if row["name"]} == {place["name"] for place in places}
    for place in places:
        row = board.place(place["name"])
        assert place.get("hex", row["hex"]) == row["hex"], place["name"]
        assert row["local_name"] == place.get("local", ""), place["name"]
        assert bool(row["peak"]) == (place["kind"] == "peak"), place["name"]
        if "vp" in place:
            assert row["vp"] == str(place["vp"]), place["name"]


def test_routes_run_through_the_hexes_that_are_named(made: tuple[BoardFiles, Hand]) -> None:
    board, hand = made
    for route in hand["route"]:
        for a, b in pairwise(route.get("hexes", [])):
            assert board.side(a, b)[route["kind"]] == "1", (route["kind"], a, b)


def test_printed_hexes_are_marked(made: tuple[BoardFiles, Hand]) -> None:
    board, hand = made
    printed = {h for h, row in board.hexes.items() if row["source"] == "printed"}
    assert printed == set(hand["printed"]["hexes"])


def test_the_lists_of_caporetto() -> None:
    board, hand = BOARDS["caporetto"], HAND["caporetto"]
    for column, table in (("flag", "flags"), ("flag3", "flags3"), ("flag4", "flags4"), ("depot", "depots")):
        for word, hexes in hand[table].items():
            assert [h for h, row in board.hexes.items() if row[column] == word] == sorted(hexes), (table, word)
    assert [h for h, row in board.hexes.items() if row["exit"]] == hand["exits"]["hexes"]
    for sector in ("right", "common"):
        assert {board.hexes[h]["sector"] for h in hand["sectors"][sector]} == {sector}
    for hex_id, level in hand["levels"].items():
        assert board.hexes[hex_id]["level"] == str(level)
    for side, hexes in hand["front27"].items():
        assert {board.hexes[h]["control27"] for h in hexes} == {side}
    for trench in hand["trench"]:
        for hex_id in trench.get("hexes", []):
            row = board.hexes[hex_id]
            assert row["trench"] == trench["owner"] and int(row["trench_level"]) >= trench["level"], hex_id
    assert board.about["inset"] == hand["inset"]
    blown = {f"{a}-{b}": [*map(int, row["blown"].split())] for (a, b), row in board.sides.items() if row["blown"]}
    assert blown == hand["bridges"]["blown"]
