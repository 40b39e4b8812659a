"""The Altipiani board: the edges and the hex that the rulebook names, and what makes it a sound map."""

from __future__ import annotations

from collections import Counter

import pytest
from boardfiles import BOARDS

BOARD = BOARDS["altipiani"]


def passable(a: str, b: str) -> bool:
    return not BOARD.side(a, b).get("crag")


def test_fields_hold_only_what_the_format_allows() -> None:
    for row in BOARD.hex_rows:
        assert row["terrain"] in ("clear", "low_mountain", "high_mountain")
        assert 0 <= int(row["level"]) <= 6
        assert row["settlement"] in ("", "town", "small_town")
        assert row["control"] in ("italian", "ah")
        assert row["vp"] == {"town": "5", "small_town": "1"}.get(row["settlement"], "3" if row["peak"] else "")
        assert bool(row["fort"]) == bool(row["fort_side"])
        if row["settlement"] or row["peak"] or row["mark"]:
            assert row["name"], row
    for row in BOARD.side_rows:
        assert row["water"] in ("", "stream", "river")
        assert not (row["crag"] and (row["road"] or row["railway"])), row
        assert bool(row["bridge"]) == bool(row["water"] and (row["road"] or row["railway"])), row


def test_no_peak_lies_below_a_neighbour() -> None:
    level = {row["hex"]: int(row["level"]) for row in BOARD.hex_rows}
    peaks = [row["hex"] for row in BOARD.hex_rows if row["peak"]]
    assert len(peaks) == 8
    assert [h for h in peaks if any(level[n] > level[h] for n in BOARD.neighbours(h))] == []


@pytest.mark.parametrize(
    ("hex_id", "owner"),
    [
        ("1501", "ah"), ("2201", "ah"), ("1401", ""), ("2301", ""),
        ("1015", ""), ("1016", "italian"), ("3906", ""), ("3907", "italian"),
        ("1022", "italian"), ("2422", "italian"), ("3922", "italian"), ("2010", ""),
    ],
)  # fmt: skip
def test_friendly_edges(hex_id: str, owner: str) -> None:
    """13.0: west edge south of 1015, south edge, east edge south of 3906; north edge from 1501 to 2201."""
    assert BOARD.hexes[hex_id]["edge"] == owner


def test_edges_lie_at_the_edge() -> None:
    owners = Counter(row["edge"] for row in BOARD.hex_rows)
    assert owners["ah"] == 8
    assert owners["italian"] == 7 + 16 + 30 - 2
    for row in BOARD.hex_rows:
        if row["edge"]:
            assert BOARD.on_edge(row["hex"])


def test_the_frozen_guns_stand_on_italian_ground() -> None:
    """12.4: an Italian artillery unit sets up in 2903."""
    assert BOARD.hexes["2903"]["control"] == "italian"
    assert "2902" in BOARD.neighbours("2903")
    assert BOARD.place("Borgo")["hex"] == "2902"


def test_austria_hungary_starts_with_ten_points_and_can_reach_more_than_46() -> None:
    """14: the objectives it holds are worth 10."""
    value = Counter()
    for row in BOARD.hex_rows:
        value[row["control"]] += int(row["vp"] or 0)
    assert value["ah"] == 10
    assert value["italian"] >= 55


def test_counts_look_like_a_map() -> None:
    counts = Counter(row["terrain"] for row in BOARD.hex_rows)
    assert 110 <= counts["clear"] <= 180
    assert 360 <= counts["low_mountain"] <= 450
    assert 80 <= counts["high_mountain"] <= 140
    levels = Counter(row["level"] for row in BOARD.hex_rows)
    assert sorted(levels) == list("0123456")
    crags = sum(1 for row in BOARD.side_rows if row["crag"])
    assert 50 <= crags <= 110


@pytest.mark.parametrize(
    ("name", "terrain"),
    [
        ("Asiago", "clear"),
        ("Gallio", "clear"),
        ("Schio", "clear"),
        ("Thiene", "clear"),
        ("Rovereto", "clear"),
        ("Trento", "clear"),
        ("Cima Dodici", "high_mountain"),
        ("Monte Ortigara", "high_mountain"),
        ("Pasubio", "high_mountain"),
        ("Col Santo", "high_mountain"),
        ("Tonezza", "low_mountain"),
    ],
)
def test_known_places_stand_on_their_ground(name: str, terrain: str) -> None:
    assert BOARD.place(name)["terrain"] == terrain


def test_asiago_lies_high_and_thiene_low() -> None:
    assert int(BOARD.place("Asiago")["level"]) == 3
    assert int(BOARD.place("Thiene")["level"]) == 0


def test_no_hex_is_walled_in() -> None:
    assert BOARD.reach(["2010"], passable) == set(BOARD.hexes)
    for hex_id in BOARD.hexes:
        assert sum(passable(hex_id, n) for n in BOARD.neighbours(hex_id)) >= 2, hex_id


def test_every_settlement_is_on_a_road_of_its_side() -> None:
    for side in ("italian", "ah"):
        flags = [h for h, row in BOARD.hexes.items() if row["flag"] == side]
        assert len(flags) >= 2
        reached = BOARD.reach(flags, BOARD.joined_by("road"))
        for row in BOARD.hex_rows:
            if row["settlement"] and row["control"] == side:
                assert row["hex"] in reached, row["name"]


def test_flags_stand_on_friendly_edges_where_roads_leave() -> None:
    for row in BOARD.hex_rows:
        if row["flag"]:
            assert row["edge"] == row["flag"] == row["control"]
            assert any(BOARD.side(row["hex"], n).get("road") for n in BOARD.neighbours(row["hex"]))


@pytest.mark.parametrize("side", ["italian", "ah"])
def test_roads_lead_from_each_flag_to_the_front(side: str) -> None:
    front = {
        h
        for h, row in BOARD.hexes.items()
        if row["control"] == side and any(BOARD.hexes[n]["control"] != side for n in BOARD.neighbours(h))
    }
    passes = BOARD.joined_by("road")
    for row in BOARD.hex_rows:
        if row["flag"] == side:
            assert BOARD.reach([row["hex"]], passes) & front, row["hex"]


def test_both_territories_are_of_one_piece() -> None:
    for side, seed in (("ah", "1501"), ("italian", "2422")):
        held = {h for h, row in BOARD.hexes.items() if row["control"] == side}
        assert BOARD.reach([seed], lambda a, b, held=held: b in held) == held


def test_forts_stand_with_their_own_side() -> None:
    forts = [row for row in BOARD.hex_rows if row["fort"]]
    assert Counter(row["fort_side"] for row in forts) == {"ah": 6, "italian": 8}
    for row in forts:
        assert row["fort_side"] == row["control"], row["fort"]


def test_railways_of_1916() -> None:
    rails = BOARD.reach([BOARD.place("Schio")["hex"]], lambda a, b: bool(BOARD.side(a, b).get("railway")))
    names = {BOARD.hexes[h]["name"] for h in rails}
    assert {"Torrebelvicino", "Thiene", "Piovene", "Asiago", "Arsiero"} <= names
    valsugana = BOARD.reach([BOARD.place("Trento")["hex"]], lambda a, b: bool(BOARD.side(a, b).get("railway")))
    assert {"Pergine", "Levico", "Borgo", "Primolano", "Rovereto"} <= {BOARD.hexes[h]["name"] for h in valsugana}
