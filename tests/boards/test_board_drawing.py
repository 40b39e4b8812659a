"""The drawing of every board that is there: a sound SVG with all numbers and names, none on top of another."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from boardfiles import BOARDS

from fronte.draw import curves, ground, places, works
from fronte.draw.board import board_layers, board_png, board_svg, joined, printed_signs, render
from fronte.draw.labels import Desk
from fronte.draw.sheet import Sheet, read_sheet
from fronte.draw.tokens import TOKENS, card
from fronte.draw.works import nearest
from fronte.engine.text import typographic
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
            assert typographic(row["name"]) in texts
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


def tips_of(sheet: Sheet, word: str) -> list[tuple[float, float]]:
    """Where the hachures of cliffs or crests end."""
    root = ElementTree.fromstring(f"<g>{ground.draw_crags(sheet)}</g>")
    [strokes] = [node.attrib["d"] for node in root if node.attrib.get("class") == word]
    ends = [stroke.split("L")[-1].split(",") for stroke in strokes.split("Z") if stroke]
    return [(float(x), float(y)) for x, y in ends]


def test_crags_are_hachures_that_fall_to_the_lower_side() -> None:
    """4.5: the strokes of a crag lie in the hex below it, some long and some short, so that nobody takes it for a
    railway."""
    sheet = read_sheet(board_pack("altipiani"))
    levels = {row["hex"]: int(row["level"]) for row in sheet.hexes}
    crags = [row for row in sheet.sides if row["crag"]]
    tips, each = tips_of(sheet, "cliff"), len(ground.HACHURES)
    assert len(tips) == each * len(crags)
    for i, row in enumerate(crags):
        lower, upper = sorted((row["b"], row["a"]), key=levels.__getitem__)
        here = tips[i * each : (i + 1) * each]
        for tip in here:
            assert math.dist(tip, sheet.centre(lower)) < math.dist(tip, sheet.centre(upper)), row
        falls = [sheet.size / 2 - math.dist(tip, sheet.centre(lower)) for tip in (here[2], here[3])]
        assert falls[0] > falls[1]


def test_crests_have_hachures_to_both_sides() -> None:
    sheet = read_sheet(board_pack("caporetto"))
    crests = [row for row in sheet.sides if row["crest"] and not row["cliff"]]
    tips, each = tips_of(sheet, "crest"), len(ground.HACHURES)
    assert len(tips) == 2 * each * len(crests) > 0
    for i, row in enumerate(crests):
        for k, below in enumerate((row["a"], row["b"])):
            beyond = row["b"] if below == row["a"] else row["a"]
            for tip in tips[(2 * i + k) * each : (2 * i + k + 1) * each]:
                assert math.dist(tip, sheet.centre(below)) < math.dist(tip, sheet.centre(beyond))


@pytest.mark.parametrize(("scenario", "down"), [("", []), ("1", ["3926/3927"]), ("2", ["1524/1624", "3926/3927"])])
def test_bridges_of_caporetto_are_down_by_scenario(scenario: str, down: list[str]) -> None:
    """24.8, 25.8: on the board alone they stand; those of Canale in Isonzo are always down (1.3.3)."""
    sheet = read_sheet(board_pack("caporetto"))
    assert [sign.at for sign in printed_signs(sheet, scenario)] == down
    assert board_svg(sheet, scenario).count('class="sign destroyed"') == len(down)
    assert len(printed_signs(read_sheet(board_pack("isonzo")))) == 2


def test_a_scenario_that_is_none_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no scenario 'winter'; the scenarios are historical, surprise"):
        render(board_pack("isonzo"), tmp_path / "board.svg", scenario="winter")
    assert not list(tmp_path.iterdir())
    render(board_pack("isonzo"), tmp_path / "board.svg", scenario="surprise")


def test_every_trench_of_caporetto_is_drawn_and_strong_ones_double() -> None:
    """17.8: also those that are joined to no other, and those of level 2 between weaker ones (Mrzli)."""
    sheet = read_sheet(board_pack("caporetto"))
    for force in ("italian", "ahg"):
        rows = [row for row in sheet.sides if row["trench_link"] == force]
        drawn = curves.trench_lines(sheet, rows, works.facing(sheet, force))
        lone = works.lone_trenches(sheet, force)
        assert not drawn.keys() & lone.keys()
        assert drawn.keys() | lone.keys() == {row["hex"] for row in sheet.hexes if row["trench"] == force}
    assert list(works.lone_trenches(sheet, "italian")) == ["3017", "3515", "4716"]
    root = ElementTree.fromstring(f"<g>{works.draw_trenches(sheet)}</g>")
    ink = sheet.ink("ahg")
    cores = [node.attrib["d"] for node in root if node.attrib["stroke"] == TOKENS["paper"]]
    mrzli = curves.trench_lines(sheet, rows, works.facing(sheet, "ahg"))["2126"]
    halo_and_core = [mrzli in core for core in cores]
    assert sum(halo_and_core) == 2
    assert any(mrzli in node.attrib["d"] for node in root if node.attrib["stroke"] == ink)


def test_depots_are_crates() -> None:
    """24.14: four supply centres."""
    root = ElementTree.fromstring(board_svg(read_sheet(board_pack("caporetto"))))
    assert sum(node.attrib.get("class") == "depot" for node in root.iter(f"{SVG}path")) == 4


def test_names_around_counters_leave_the_levels_free(sheet: Sheet) -> None:
    """But for a few that have no better place."""
    desk = Desk(sheet.about["picture"]["width"], sheet.about["picture"]["height"], sheet.size)
    places.draw_symbols(sheet, desk, True)
    places.draw_names(sheet, desk, True)
    hidden = []
    for row in sheet.hexes:
        x, y = sheet.centre(row["hex"])
        at = x + sheet.size * 0.4
        if row.get("level", "0") != "0" and any(a < at < c and b < y < d for a, b, c, d in desk.names):
            hidden.append(row["hex"])
    assert len(hidden) <= 4, hidden


def test_signs_of_the_volturno_board() -> None:
    """A boat on the ferry, arches across the valley, and a ring around each objective of the short scenario."""
    sheet = read_sheet(board_pack("volturno"))
    root = ElementTree.fromstring(board_svg(sheet))
    layers = {node.attrib["class"]: node for node in root if node.tag == f"{SVG}g"}
    drawn = [node.attrib.get("class") for node in layers["crossings"].iter(f"{SVG}path")]
    assert drawn.count("ferry") == 1
    assert drawn.count("aqueduct") == 2
    assert "Scafa di Triflisco" in [node.text for node in layers["rivers"].iter(f"{SVG}text")]
    rings = [node for node in layers["points"].iter(f"{SVG}polygon") if node.attrib["class"] == "short"]
    assert len(rings) == 6


@pytest.mark.parametrize(
    ("hex_id", "beside"),
    [("0128", (-1, 0)), ("0105", (0, -1)), ("2532", (0, 1)), ("6640", (0, 1)), ("7901", (0, -1)), ("2712", (-1, 0))],
)
def test_a_road_that_ends_in_a_field_goes_on_over_the_edge_or_to_the_ferry(
    hex_id: str, beside: tuple[int, int]
) -> None:
    """It leaves the hex on that side of its middle: left or right, above or below."""
    sheet = read_sheet(board_pack("volturno"))
    [row] = [row for row in sheet.sides if row["road"] and hex_id in (row["a"], row["b"])]
    [left] = curves.way_on(sheet, hex_id, sheet.middle(row["a"], row["b"]))
    x, y = sheet.centre(hex_id)
    assert math.dist(left, (x, y)) == pytest.approx(sheet.size / 2, rel=0.01)
    for gap, way in zip((left[0] - x, left[1] - y), beside, strict=True):
        assert not way or gap * way > 1
    assert f"{left[0]:.1f}".rstrip("0").rstrip(".") in works.draw_routes(sheet)


def test_a_trail_runs_into_the_road_it_meets() -> None:
    """Where it ends in a hex that a road passes, it ends on the curve of that road."""
    sheet = read_sheet(board_pack("volturno"))
    roads = [row for row in sheet.sides if row["road"]]
    trails = [row for row in sheet.sides if row["path"] and not row["road"]]
    met, ends = curves.hex_ends(sheet, roads), curves.hex_ends(sheet, trails)
    path = curves.along_hexes(sheet, trails, onto=roads)
    junctions = [
        h for h, points in ends.items()
        if len(points) == 1 and len(met.get(h, [])) == 2 and not sheet.rows[h]["settlement"]
    ]  # fmt: skip
    assert junctions
    for h in junctions:
        assert f"M{curves.spot(ends[h][0])}L{curves.spot(curves.joint(sheet.centre(h), *met[h]))}" in path
