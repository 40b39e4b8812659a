"""Counters from the face that a pack describes: the same in picture, terminal and browser, for every kind of piece."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import msgspec
import pytest

import fronte
from fronte.cli.packcheck import check_pack
from fronte.draw.branches import BRANCHES, branch_symbols
from fronte.draw.check import wrong_looks
from fronte.draw.counters import BADGES, SLOTS, draw_counter
from fronte.draw.sheet import read_sheet
from fronte.engine import look
from fronte.engine.look import Look, Part, face_of, face_text, fill, look_of, values_of
from fronte.engine.pack import Pack
from fronte.engine.view import Piece
from fronte.games.registry import open_pack

CASES = Path(__file__).parents[2] / "web" / "src" / "lib" / "faces.cases.json"
LOOKS = Path(__file__).parent / "looks"


def drawn(pack: Pack, piece: Piece) -> ElementTree.Element:
    sheet = read_sheet(open_pack("isonzo"))
    return ElementTree.fromstring(f"<g>{draw_counter(sheet, pack, piece)}</g>")


def written(pack: Pack, piece: Piece) -> dict[str, str]:
    """What stands in each slot of a counter; a branch by its name."""
    found: dict[str, str] = {shown.part.slot: shown.text for shown in face_of(pack, piece)}
    shown = [node.text or "" for node in drawn(pack, piece).iter("text")]
    used = [node.attrib["href"].removeprefix("#branch-") for node in drawn(pack, piece).iter("use")]
    assert sorted(shown + used) == sorted(text for text in found.values() if text)
    return found


# The description


def test_browser_and_server_fill_parts_alike() -> None:
    """The client's tests read the same cases (faces.test.ts)."""
    cases: list[dict[str, Any]] = json.loads(CASES.read_text(encoding="utf-8"))
    assert len(cases) > 10
    for case in cases:
        piece = msgspec.convert({"at": "0101"} | case["piece"], Piece)
        parts = msgspec.convert(case["parts"], tuple[Part, ...])
        values = values_of(Look(faces=tuple(case.get("faces", ("", "2")))), piece, case.get("printed", {}))
        told = [[parts.index(one.part), one.text, one.colour] for one in fill(parts, piece, values)]
        assert told == case["shown"], case["name"]


def test_every_slot_has_a_place_and_every_badge_a_shape() -> None:
    assert set(SLOTS) == set(look.SLOTS)
    assert set(BADGES) == set(look.Badge.__args__) - {""}  # type: ignore[attr-defined]
    ElementTree.fromstring(f"<svg>{branch_symbols()}</svg>")


def test_a_pack_without_a_description_shows_names_and_values() -> None:
    pack = Pack((), {"units.csv": "id,side,name\na-1,red,First\n", "pack.toml": ""})
    assert written(pack, Piece("red", "0101", "a-1", values={"strength": 3, "hits": 0})) == {
        "title": "First",
        "lines": "3",
    }
    assert written(pack, Piece("red", "0101")) == {"title": "?"}


# The games there are


def test_a_fresh_and_a_reduced_unit_of_the_inferno_games() -> None:
    pack = open_pack("isonzo")
    fresh = Piece("italian", "0811", "it-caltanissetta", True, 0, {"steps": 2, "ce": 0, "supply": "in"})
    assert written(pack, fresh) == {
        "top": "X",
        "symbol": "infantry",
        "left": "IV",
        "right": "1",
        "name": "CALTANISS.",
        "bottom": "6-5-6",
    }
    worn = Piece("italian", "0811", "it-caltanissetta", True, 1, {"steps": 1, "ce": 2, "supply": "low"}, ("reserve",))
    told = written(pack, worn)
    assert (told["bottom"], told["edge-nw"], told["edge-ne"], told["edge-se"]) == ("3-3-6", "−2", "LS", "R")
    assert "band" in told and "right" not in told  # its artillery value is 0
    assert face_text(pack, fresh) == "6-5-6(1)"
    assert face_text(pack, fresh, brief=True) == "6-5"
    assert face_text(pack, Piece("italian", "0811", "it-art-4-1"), brief=True) == "(4)"
    assert face_text(pack, Piece("ah", "0811")) == ""
    assert written(pack, Piece("ah", "0811")) == {"title": "?"}


def test_every_counter_of_every_game_has_a_branch_and_its_values() -> None:
    for game in ("isonzo", "altipiani"):
        pack = open_pack(game)
        for name, row in look.printed_rows(pack).items():
            told = written(pack, Piece(row["side"], "0101", name))
            assert told["symbol"] in BRANCHES and told["bottom"].count("-") == 2, name


def test_one_of_each_kind_of_the_probe_game(probe: str) -> None:
    pack = open_pack(probe)
    kinds = {
        "company": Piece("red", "0302", "red-1", True, 0, {"kind": "company", "hits": 0}, (), 3),
        "gun": Piece("blue", "0307", "blue-3", False, 0, {"kind": "gun", "hits": 1}, (), 0),
        "patrol made in play": Piece("gold", "0402", "gold-p1", True, 0, {"kind": "patrol", "hits": 0}, ("acted",), 1),
        "column": Piece("green", "0606", "green-1", False, 0, {"kind": "company", "hits": 0}, ("column",), 5),
        "stranger": Piece("blue", "0306", values={"kind": "company"}, facing=2),
    }
    told = {name: written(pack, piece) for name, piece in kinds.items()}
    assert told["company"] == {"symbol": "infantry", "bottom": "R1"}
    assert told["gun"] == {"symbol": "artillery", "bottom": "B3", "edge-nw": "−1"}
    assert told["patrol made in play"] == {"symbol": "light", "bottom": "gold-p1", "edge-se": "✓"}
    assert told["column"] == {"symbol": "infantry", "bottom": "G1", "edge-sw": "COL"}
    assert told["stranger"] == {"symbol": "infantry", "bottom": "?"}
    for piece in kinds.values():
        [arrow] = [node for node in drawn(pack, piece).iter("path") if node.attrib.get("class") == "facing"]
        assert arrow.attrib["transform"] == f"rotate({(piece.facing or 0) * 60})"
    assert face_text(pack, kinds["gun"]) == "gun ↑"
    assert face_text(pack, kinds["stranger"], brief=True) == "C↘"


def test_the_probe_game_is_drawn_whole(probe: str) -> None:
    match = fronte.new(probe, "ford", seed=3)
    for seat in (None, *match.rules.seats):
        picture = match.picture(seat)
        ElementTree.fromstring(picture)
        view = match.view(seat) if seat else match.rules.public_view(match.state)
        there = [piece for piece in view.pieces if piece.at in match.rules.grid.index]
        assert there and picture.count('<g class="counter"') == len(there)  # strangers too
        assert picture.count('class="facing"') == len(there)


# The games to come


def described(name: str, units: str) -> Pack:
    sides = '[sides.north]\ncolour = "#c9ccd1"\nshape = "round"\n[sides.south]\ncolour = "#8a9a7b"\n'
    return Pack((), {"look.toml": (LOOKS / f"{name}.toml").read_text("utf-8"), "units.csv": units, "pack.toml": sides})


VOLTURNO = """id,side,name,formation,type,size,sp,cohesion,ma,command
g-lanza,south,Lanza,G16,line,III,2,8,5,
g-mosto,south,Mosto,G17,light,II,1,10,6,
n-batt-3,north,3rd Batt.,NG,field_artillery,,3,9,6,
n-batt-16,north,16th Batt.,NC,horse_artillery,,2,9,8,
n-lanc-1,north,1st Lancers,NC,cavalry,III,3,8,8,
medici,south,Medici,G17,leader,,,,8,4
garibaldi,south,Garibaldi,,commander,,,,8,4
"""


def test_formations_cohesion_facing_and_leaders_can_be_described() -> None:
    pack = described("volturno", VOLTURNO)
    assert wrong_looks(pack) == []
    lanza = Piece("south", "2323", "g-lanza", values={"status": "shaken", "cohesion": 7}, facing=0)
    told = written(pack, lanza)
    assert (told["symbol"], told["left"], told["bottom-left"], told["bottom-right"]) == ("infantry", "G16", "2", "5")
    assert told["bottom"] == "7" and told["edge-nw"] == "S"
    [badge] = [shown.colour for shown in face_of(pack, lanza) if shown.part.slot == "left"]
    assert badge == "#2f6b3c"
    gun = Piece("north", "1421", "n-batt-3", marks=("limbered", "low_ammo"), facing=2)
    assert written(pack, gun)["edge-sw"] == "LIMB" and face_text(pack, gun) == "3-9-6"
    assert written(pack, Piece("south", "2515", "medici"))["bottom"] == "(4)"
    assert written(pack, Piece("south", "4426", "garibaldi"))["bottom"] == "[4]"
    assert written(pack, Piece("north", "1520")) == {"title": "?"}


CLASSES = [
    "gA",
    "gJ",
    "gL",
    "gM",
    "gN",
    "gW",
    "gX",
    "gP",
    "gF",
    "aE",
    "aS",
    "aB",
    "aG",
    "aR",
    "aT",
    "aP",
    "iL",
    "iW",
    "iR",
    "iA",
    "iB",
    "iK",
    "iC",
    "iH",
    "iM",
    "iE",
    "iP",
    "iF",
]  # and the guns and headquarters below


def test_the_classes_of_a_large_game_can_be_described() -> None:
    rows = [f"u-{name},north,{name} 1,{name},bn,{k},4,3,8,6,6,6,,,," for k, name in enumerate(CLASSES)]
    rows += [f"u-{name},south,{name},{name},,,,,,,5,4,6,12,," for name in ("light", "medium", "heavy", "bombarda")]
    rows += ["u-hq,south,HQ Rommel,hq,,,,,,,,,,,5,3"]
    head = "id,side,name,class,size,division,cf,cf2,mg,mg2,morale,ma,factor,range,initiative,command\n"
    pack = described("caporetto", head + "\n".join(rows) + "\n")
    assert wrong_looks(pack) == []
    for name in CLASSES:
        told = written(pack, Piece("north", "0601", f"u-{name}"))
        assert told["symbol"] in BRANCHES and told["bottom-left"] == "4" and told["bottom"] == "8", name
    worn = written(pack, Piece("north", "0601", "u-gA", face=1, marks=("step_lost",)))
    assert (worn["bottom-left"], worn["bottom"], worn["edge-nw"]) == ("3", "6", "−1") and "band" in worn
    gun = written(pack, Piece("south", "0601", "u-heavy"))
    assert (gun["bottom-left"], gun["bottom"], gun["bottom-right"]) == ("6", "(12)", "4")
    assert written(pack, Piece("south", "0601", "u-hq"))["bottom"] == "5-3"
    made = Piece("north", "0601", "c-1", values={"class": "gW", "cf": 1, "mg": 2, "ma": 6, "morale": 6})
    assert written(pack, made)["symbol"] == "mountain" and face_text(pack, made) == "1-2-6"


# Checking


def test_a_pack_check_names_what_is_wrong_by_line(tmp_path: Path) -> None:
    lines = [
        "[[part]]",
        'slot = "bottom"',
        'text = "{attack}"',
        "[[part]]",
        'slot = "middle"',
        "[[part]]",
        'txt = "{defence}"',
        "[sign.pontoon]",
        "symbol = 3",
        "colour = 1",
        "[spent]",
        "done = 1",
        "[other]",
    ]
    (tmp_path / "look.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = [(wrong.file, wrong.line) for wrong in check_pack("isonzo", [tmp_path])]
    assert found == [("look.toml", 5), ("look.toml", 7), ("look.toml", 9), ("look.toml", 12), ("look.toml", 13)]
    (tmp_path / "look.toml").write_text("[[part]\n", encoding="utf-8")
    assert [(wrong.file, wrong.line) for wrong in check_pack("isonzo", [tmp_path])] == [("look.toml", 1)]


def test_a_pack_check_knows_what_can_be_drawn(tmp_path: Path) -> None:
    lines = [
        "[board]",
        'water = { isonzo = "sea" }',
        "[[part]]",
        'slot = "symbol"',
        'symbol = "{type}"',
        'words = { infantry = "unicorn" }',
        "[[part]]",
        'slot = "bottom"',
        'text = "{attack}"',
        'colour = "reddish"',
        "[sign.pontoon]",
        'symbol = "boat"',
    ]
    (tmp_path / "look.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = {wrong.line: wrong.why for wrong in check_pack("isonzo", [tmp_path])}
    assert set(found) == {2, 5, 10, 12}
    assert "'sea'" in found[2] and "'unicorn'" in found[5] and "'reddish'" in found[10] and "'boat'" in found[12]


def test_an_owner_changes_how_counters_look(tmp_path: Path) -> None:
    (tmp_path / "look.toml").write_text('[[part]]\nslot = "title"\ntext = "{defence}"\n', encoding="utf-8")
    pack = open_pack("isonzo", [tmp_path])
    assert written(pack, Piece("italian", "0811", "it-caltanissetta")) == {"title": "5"}
    assert look_of(pack).sign["pontoon"].symbol == "pontoon"  # the rest is the game's


@pytest.mark.parametrize("game", ["isonzo", "altipiani", "probe"])
def test_what_games_say_of_their_looks_is_sound(game: str, request: pytest.FixtureRequest) -> None:
    if game == "probe":
        request.getfixturevalue("probe")
    assert wrong_looks(open_pack(game)) == []
