"""The drawing of every board that is there: a sound SVG with all numbers and names, none on top of another."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree

import pytest
from boardfiles import BOARDS

from fronte.draw import ground, places
from fronte.draw.board import board_layers, board_png, board_svg, joined, render
from fronte.draw.labels import Desk
from fronte.draw.sheet import Sheet, read_sheet
from fronte.draw.tokens import TOKENS, card
from fronte.draw.works import nearest
from fronte.games.registry import board_pack, open_pack
from fronte.hexes import Grid

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", params=BOARDS)
def sheet(request: pytest.FixtureRequest) -> Sheet:
    return read_sheet(board_pack(request.param))


def test_four_boards() -> None:
    assert list(BOARDS) == ["altipiani", "caporetto", "isonzo", "volturno"]


def test_svg_shows_every_hex_and_every_name(sheet: Sheet) -> None:
    root = ElementTree.fromstring(board_svg(sheet))
    texts = [node.text or "" for node in root.iter(f"{SVG}text")]
    for row in sheet.hexes:
        assert row["hex"] in texts
        if row["name"]:
            assert row["name"] in texts
    assert root.find(f".//{SVG}image") is not None


def test_the_table_lays_the_same_board_under_a_match(sheet: Sheet) -> None:
    """All that a game's board has is there, in layers that can be left out; what changes in play is not."""
    layers = board_layers(sheet, "/picture", table=True)
    root = ElementTree.fromstring(f"<svg>{joined(layers)}</svg>")
    drawn = {node.attrib["class"]: node for node in root}
    assert list(drawn) == list(layers)
    assert len(list(drawn["numbers"].iter("text"))) == len(sheet.hexes)
    assert {node.attrib["data-place"] for node in drawn["names"]} == {row["hex"] for row in sheet.hexes if row["name"]}
    for layer, column in (("slopes", "slope"), ("sectors", "sector"), ("trenches", "trench_link"), ("crags", "cliff")):
        rows = sheet.hexes if layer == "sectors" else sheet.sides
        if any(row.get(column) for row in rows):
            assert len(drawn[layer]), layer
    assert "points" not in layers and "signs" not in layers


def test_fords_and_woods_of_the_probe_game_are_drawn(probe: str) -> None:
    sheet = read_sheet(open_pack(probe))
    root = ElementTree.fromstring(board_svg(sheet))
    layers = {node.attrib["class"]: node for node in root if node.tag == f"{SVG}g"}
    assert len(layers["crossings"]) == sum(row["ford"] == "1" for row in sheet.sides)
    trees = [node for node in layers["terrain"] if node.attrib["fill"] == TOKENS["tree"]]
    woods = sum(row["terrain"] == "wood" for row in sheet.hexes)
    assert [node.attrib["d"].count("M") for node in trees] == [woods * len(ground.TREES)]


def test_a_card_keeps_the_hue_of_its_force_and_is_lighter_than_printed() -> None:
    assert card("#8a9a7b") == "#b3c6a0"
    assert card("#808080") == "#acacac"
    assert card("red") == "red"


def test_svg_is_the_same_every_time(sheet: Sheet) -> None:
    assert board_svg(sheet) == board_svg(sheet)


@pytest.mark.parametrize("around", [False, True], ids=["beside their places", "around counters"])
def test_names_lie_on_the_sheet_and_hardly_touch(sheet: Sheet, around: bool) -> None:
    """No name covers more than a tenth of another."""
    picture = sheet.about["picture"]
    desk = Desk(picture["width"], picture["height"], sheet.size)
    places.draw_symbols(sheet, desk, around)
    places.draw_names(sheet, desk, around)
    places.draw_lesser_names(sheet, desk, around)
    for i, (left, top, right, bottom) in enumerate(desk.names):
        assert left >= 0
        assert right <= picture["width"]
        for a, b, c, d in desk.names[:i]:
            wide, high = min(right, c) - max(left, a), min(bottom, d) - max(top, b)
            if wide > 0 and high > 0:
                smaller = min((right - left) * (bottom - top), (c - a) * (d - b))
                assert wide * high < 0.1 * smaller, (left, top)


def test_hexes_fill_the_picture(sheet: Sheet) -> None:
    picture = sheet.about["picture"]
    for row in sheet.hexes:
        for x, y in sheet.corners(row["hex"]):
            assert 0 <= x <= picture["width"]
            assert 0 <= y <= picture["height"]


def test_render_writes_svg_and_png(tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("resvg_py")
    out = tmp_path_factory.mktemp("boards")
    render(board_pack("altipiani"), out / "board.svg")
    assert (out / "board.svg").read_text(encoding="utf-8").startswith("<svg")
    render(board_pack("altipiani"), out / "board.png", width=400)
    assert (out / "board.png").read_bytes().startswith(b"\x89PNG")


def test_png_without_the_optional_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(RuntimeError, match="resvg-py"):
        board_png("<svg xmlns='http://www.w3.org/2000/svg'/>")


def test_neighbours_lie_a_hex_apart_on_the_sheet(sheet: Sheet) -> None:
    """Whichever columns lie lower on this board; and every hex is found again at its centre."""
    grid = Grid(sheet.rows, sheet.about["grid"]["odd_columns_lower"])
    for h in range(0, grid.size, 7):
        here = sheet.centre(grid.ids[h])
        assert nearest(sheet, here) is sheet.rows[grid.ids[h]]
        for other in grid.adjacent[h]:
            assert math.dist(here, sheet.centre(grid.ids[other])) == pytest.approx(sheet.size, rel=0.01)


def test_crags_are_cliffs_that_fall_to_the_lower_side() -> None:
    """4.5: the teeth of a crag lie in the hex below it, so that it is not taken for a railway."""
    sheet = read_sheet(board_pack("altipiani"))
    levels = {row["hex"]: int(row["level"]) for row in sheet.hexes}
    crags = [row for row in sheet.sides if row["crag"]]
    root = ElementTree.fromstring(f"<g>{ground.draw_crags(sheet)}</g>")
    [teeth] = [node.attrib["d"] for node in root if node.attrib.get("class") == "cliff"]
    tips = [tooth.split("L")[-1] for tooth in teeth.split("Z") if tooth]
    assert len(tips) == ground.TEETH * len(crags)
    for i, row in enumerate(crags):
        lower, upper = sorted((row["b"], row["a"]), key=levels.__getitem__)
        for tip in tips[i * ground.TEETH : (i + 1) * ground.TEETH]:
            x, y = map(float, tip.split(","))
            assert math.dist((x, y), sheet.centre(lower)) < math.dist((x, y), sheet.centre(upper)), row
