"""Printed matter that every game has: names and numbers, and boards and counters with errors by file and line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from fronte.engine.decision import Refusal
from fronte.engine.given import PositionError
from fronte.engine.pack import Pack, PackError, Row
from fronte.games.common.boards import read_counters, read_hexes, read_hexsides
from fronte.games.registry import GAMES, open_pack, ruleset

HEXES = ("hex", "terrain")
SIDES = ("a", "b", "water")
UNITS = ("id", "kind")


def pack(grid: str = "odd_columns_lower = true", **files: Sequence[str]) -> Pack:
    heads = {"hexes": HEXES, "hexsides": SIDES, "units": UNITS}
    inline = {f"{name}.csv": "\n".join((",".join(heads[name]), *lines)) for name, lines in files.items()}
    return Pack((), inline | {"board.toml": f"[grid]\n{grid}\n"})


def kind(row: Row) -> tuple[str, str]:
    return row["id"], row.one_of("kind", ("gun", "company"))


def test_a_board_is_read_in_either_parity() -> None:
    lines = [f"{column:02}{row:02},clear" for column in (1, 2) for row in (1, 2)]
    lower, rows = read_hexes(pack(hexes=lines), HEXES)
    higher, _ = read_hexes(pack("odd_columns_lower = false", hexes=lines), HEXES)
    assert [row["hex"] for row in rows] == ["0101", "0102", "0201", "0202"]
    assert lower.index["0202"] in lower.adjacent[lower.index["0101"]]
    assert higher.index["0202"] not in higher.adjacent[higher.index["0101"]]
    sides = pack(hexes=lines, hexsides=["0101,0202,river"])
    assert [(row["water"], a, b) for row, a, b in read_hexsides(sides, SIDES, lower)] == [("river", 0, 3)]
    with pytest.raises(PackError, match=r"hexsides.csv:2: 0101 and 0202 are not adjacent"):
        list(read_hexsides(sides, SIDES, higher))


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"hexes": ["0101,clear", "01,clear"]}, "hexes.csv:3: hex is '01', not a number of four digits"),
        ({"hexes": ["0101,clear", "0102,clear", "0101,wood"]}, "hexes.csv:4: hex 0101 is there twice"),
        ({"hexes": []}, "hexes.csv:1: the board has no hexes"),
        ({"hexsides": ["0101,0901,river"]}, "hexsides.csv:2: b is '0901', not a hex of the board"),
        (
            {"hexsides": ["0101,0102,river", "0102,0101,river"]},
            "hexsides.csv:3: hexside 0102/0101 is there twice",
        ),
        ({"units": ["one two,gun"]}, "units.csv:2: the id 'one two' must be one word (2)"),
        ({"units": ["one,gun", "one,gun"]}, "units.csv:3: the id one is used twice (2)"),
        ({"units": ["one,car"]}, "units.csv:2: unit one: kind is 'car', not one of gun, company (2)"),
    ],
)
def test_what_is_wrong_is_told_by_file_and_line(files: dict[str, Any], why: str) -> None:
    given = pack(**{"hexes": ["0101,clear", "0102,clear"], "hexsides": [], "units": [], **files})
    with pytest.raises(PackError) as wrong:
        grid, _ = read_hexes(given, HEXES)
        list(read_hexsides(given, SIDES, grid))
        read_counters(given, UNITS, kind, "2")
    assert str(wrong.value) == why


def test_a_board_without_a_grid_is_refused() -> None:
    bare = Pack((), {"board.toml": "", "hexes.csv": "hex,terrain\n0101,clear"})
    with pytest.raises(PackError, match=r"board.toml: grid is missing"):
        read_hexes(bare, HEXES)


def test_counters_are_made_in_their_order() -> None:
    assert read_counters(pack(units=["b,gun", "a,company"]), UNITS, kind) == (("b", "gun"), ("a", "company"))


def test_names_and_numbers_of_any_game(any_game: str) -> None:
    rules: Any = ruleset(any_game)
    first, second = rules.ids[:2]
    assert rules.units((second, first)) == (1, 0) and rules.known((second, first)) == [1, 0]
    twice, stranger = rules.units((first, first)), rules.units(("nobody",))
    assert isinstance(twice, Refusal) and (twice.key, twice.rule) == ("named_twice", rules.twice_rule)
    assert isinstance(stranger, Refusal) and (stranger.key, stranger.rule) == ("no_unit", rules.unit_rule)
    far = rules.hexes((rules.grid.ids[3], "9999"))
    assert rules.hexes(rules.grid.ids[:2]) == [0, 1]
    assert isinstance(far, Refusal) and (far.key, far.rule) == ("no_hex", rules.hex_rule)
    for number, place in rules.away.items():
        assert rules.hex_id(number) == place and rules.read_where(place) == number
    assert rules.read_where(rules.hex_id(5)) == 5
    for wrong in (rules.read_where, rules.find_unit):
        with pytest.raises(PositionError, match="nowhere"):
            wrong("nowhere")


def test_what_is_printed_is_found_by_its_place(any_game: str) -> None:
    rules = ruleset(any_game)
    tables = rules.pack.toml("tables.toml")
    name = next(name for name, table in tables.items() if isinstance(table, dict))
    field = next(iter(tables[name]))
    assert rules.printed(f"tables.{name}.{field}") == tables[name][field]
    assert rules.printed("seats") == list(rules.seats)
    unit: str = rules.pack.csv("units.csv", _columns(any_game))[0]["id"]
    assert rules.printed(f"unit.{unit}.id") == unit
    with pytest.raises(ValueError, match="nothing is printed at 'weather'"):
        rules.printed("weather")


def _columns(game: str) -> list[str]:
    return open_pack(game).text("units.csv").splitlines()[0].split(",")


def test_options_and_scenarios_are_refused_by_name(any_game: str) -> None:
    game: Any = GAMES[any_game]
    with pytest.raises(ValueError, match=r"no scenario 'moon'.*; the scenarios are "):
        game(open_pack(any_game), "moon", {})
    scenario = ruleset(any_game).header.scenario
    with pytest.raises(ValueError, match="no option 'moon'; the options are "):
        game(open_pack(any_game), scenario, {"moon": "full"})
