"""The legend of every board: all that is printed on it, drawn once, with words in both languages."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from boardfiles import BOARDS

from fronte.draw.legend import kinds, sample_symbols
from fronte.draw.sheet import Sheet, read_sheet
from fronte.engine.text import Texts
from fronte.games.registry import board_pack, open_pack

TABLES = ("terrain", "water", "settlement")
"""Where a game may have words of its own, by the column they are for."""


@pytest.fixture(scope="module", params=BOARDS)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def sheet(game: str) -> Sheet:
    return read_sheet(board_pack(game))


def test_every_kind_is_on_the_board_and_drawn(sheet: Sheet) -> None:
    """A sample is more than the empty board of two hexes on which it is drawn."""
    root = ElementTree.fromstring(f"<svg>{sample_symbols(sheet)}</svg>")
    drawn = {node.attrib["id"]: node for node in root}
    for kind in kinds(sheet):
        rows = sheet.hexes if kind.of == "hex" else sheet.sides
        assert any(row.get(kind.column) and kind.value in ("", row[kind.column]) for row in rows), kind
        layers = [layer for layer in drawn[f"legend-{kind.key}"] if layer.attrib["class"] not in ("grid", "terrain")]
        ground = drawn[f"legend-{kind.key}"].find("*[@class='terrain']")
        assert any(len(layer) for layer in layers) or (ground is not None and len(ground)), kind


def test_what_a_hex_or_hexside_can_have_is_in_the_legend(sheet: Sheet) -> None:
    found = {(kind.of, kind.column) for kind in kinds(sheet)}
    for of, rows, columns in (
        ("hex", sheet.hexes, ("terrain", "peak", "fort", "flag", "station", "depot")),
        (
            "side",
            sheet.sides,
            ("water", "slope", "crag", "cliff", "crest", "road", "trail", "path", "railway", "ferry"),
        ),
    ):
        for column in columns:
            assert ((of, column) in found) == any(row.get(column) for row in rows), column
    # a settlement that is a terrain is there as that
    words = {kind.key for kind in kinds(sheet)}
    assert {row["settlement"] for row in sheet.hexes} - {"", "1"} <= words


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_kind_has_a_word(game: str, sheet: Sheet, language: str) -> None:
    tables = Texts.read(open_pack(game), language).tables
    for kind in kinds(sheet):
        key = "flag" if kind.column == "flag" else kind.key
        own = kind.column in TABLES and kind.value in tables.get(kind.column, {})
        assert own or key in tables["legend"], kind


def test_trenches_of_one_level_are_told_from_strong_ones() -> None:
    """17.8: a hex with a trench of level 2 has that alone."""
    found = {kind.key: (kind.column, kind.value) for kind in kinds(read_sheet(board_pack("caporetto")))}
    assert found["trench"] == ("trench_level", "1")
    assert found["strong_trench"] == ("trench_level", "2")
    assert [kind.column for kind in kinds(read_sheet(board_pack("isonzo"))) if kind.key == "trench"] == ["trench"]
