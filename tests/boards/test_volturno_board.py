"""The Volturno board: every hex that the rulebook mentions, and what makes it a sound map."""

from __future__ import annotations

from collections import Counter

import pytest
from boardfiles import BOARDS

BOARD = BOARDS["volturno"]


def within(centre: str, distance: int) -> set[str]:
    """The hexes of the board so far from a centre."""
    seen = {centre}
    for _ in range(distance):
        seen |= {n for h in seen for n in BOARD.neighbours(h)}
    return seen


def test_fields_hold_only_what_the_format_allows() -> None:
    for row in BOARD.hex_rows:
        assert row["terrain"] in ("clear", "woods", "farm", "village", "city")
        assert 0 <= int(row["level"]) <= 6
        assert (row["settlement"] or "x") == (row["terrain"] if row["settlement"] else "x"), row
        assert row["bank"] in ("north", "south")
    for row in BOARD.side_rows:
        assert row["water"] in ("", "stream", "river")
        assert bool(row["bridge"]) == bool(row["water"] and (row["road"] or row["path"] or row["railway"])), row


@pytest.mark.parametrize(
    ("hex_id", "name", "vp"),
    [
        ("2425", "Santa Maria", "5"), ("2515", "Sant'Angelo", "5"), ("3016", "Monte Tifata", "5"),
        ("4426", "Caserta", "5"), ("5213", "Castel Morrone", "1"), ("5320", "Caserta Vecchia", "3"),
        ("5733", "Maddaloni", "5"), ("5926", "Monte Calvi", "2"), ("6230", "Ponti della Valle", "2"),
        ("7028", "Monte Longano", "2"),
    ],
)  # fmt: skip
def test_objective(hex_id: str, name: str, vp: str) -> None:
    """17.1.3: the objectives of the full scenario."""
    assert BOARD.hexes[hex_id]["name"] == name
    assert BOARD.hexes[hex_id]["vp"] == vp


def test_objectives_sum_to_35() -> None:
    assert sum(int(row["vp"] or 0) for row in BOARD.hex_rows) == 35


def test_objectives_of_the_short_scenario() -> None:
    """16: six hexes, all west of column 33."""
    short = {h for h, row in BOARD.hexes.items() if row["objective"] == "short"}
    assert short == {"1826", "2425", "2515", "2528", "3016", "3024"}
    assert all(BOARD.hexes[h]["short"] for h in short)
    assert {int(h[:2]) for h, row in BOARD.hexes.items() if row["short"]} == set(range(1, 33))


@pytest.mark.parametrize(
    ("centre", "distance"),
    [
        ("1217", 2), ("1318", 4), ("1518", 4), ("2209", 3), ("2324", 5), ("2515", 3), ("4020", 6), ("4526", 3),
        ("5213", 0), ("5733", 6), ("6412", 3), ("7512", 3), ("2714", 0), ("2528", 0),
    ],
)  # fmt: skip
def test_set_up_zones_are_on_the_board(centre: str, distance: int) -> None:
    """Every set-up zone lies wholly on the map."""
    zone = within(centre, distance)
    assert len(zone) == 1 + 3 * distance * (distance + 1)


def test_the_aqueduct() -> None:
    """14.2: 6129, 6230 and 6330 touch and count as village."""
    assert "6230" in BOARD.neighbours("6129")
    assert "6330" in BOARD.neighbours("6230")
    for hex_id in ("6129", "6230", "6330"):
        assert BOARD.hexes[hex_id]["terrain"] == "village"


def test_places_that_were_not_forced_fall_where_the_set_up_expects_them() -> None:
    """Dugenta by Meckel's centre 7512, Limatola by Ruiz's 6412, Triflisco by Colonna's 2209."""
    assert BOARD.place("Dugenta")["hex"] in within("7512", 2)
    assert BOARD.place("Limatola")["hex"] in within("6412", 5)
    assert BOARD.place("Triflisco")["hex"] in within("2209", 5)
    assert BOARD.place("Capua")["hex"] == "1318"
    assert BOARD.place("San Leucio")["hex"] == "4020"


def test_the_volturno_parts_the_board() -> None:
    """14.1: from edge to edge, with one bridge, at Capua; Colonna's zone has hexes north of it."""
    sides = BOARD.river("Volturno")
    assert all(BOARD.at_edge(end) for end in BOARD.loose_ends(sides))
    bridges = [side for side in sides if BOARD.sides[side]["bridge"]]
    assert len(bridges) == 1
    assert any(BOARD.hexes[h]["capua"] for h in bridges[0])
    north = BOARD.reach(["3006"], lambda a, b: BOARD.side(a, b).get("water") != "river")
    assert north == {h for h, row in BOARD.hexes.items() if row["bank"] == "north"}
    assert len(within("2209", 3) & north) >= 20
    for name in ("Capua", "Santa Maria", "Sant'Angelo", "Limatola", "Castel Morrone", "Maddaloni"):
        assert BOARD.place(name)["bank"] == "south", name


def test_slopes_follow_the_levels() -> None:
    for a in BOARD.hexes:
        for b in BOARD.neighbours(a):
            if a < b:
                step = int(BOARD.hexes[b]["level"]) - int(BOARD.hexes[a]["level"])
                row = BOARD.side(a, b)
                assert row.get("slope", "") == ("" if not step else "gentle" if abs(step) == 1 else "steep")
                assert row.get("up", "") == ("" if not step else b if step > 0 else a)


def test_counts_look_like_a_map() -> None:
    counts = Counter(row["terrain"] for row in BOARD.hex_rows)
    assert counts["clear"] >= 2000
    assert 60 <= counts["woods"] <= 250
    assert 25 <= counts["village"] <= 60
    assert 10 <= counts["farm"] <= 30
    assert 8 <= counts["city"] <= 20
    slopes = Counter(row["slope"] for row in BOARD.side_rows)
    assert slopes["gentle"] > slopes["steep"] >= 80


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("Capua", 0, 0), ("Santa Maria", 0, 0), ("San Tammaro", 0, 0), ("Monte Tifata", 5, 6), ("Caserta Vecchia", 3, 5)],
)
def test_known_places_have_their_height(name: str, low: int, high: int) -> None:
    assert low <= int(BOARD.place(name)["level"]) <= high


def test_roads_join_the_towns_and_every_village_is_on_the_network() -> None:
    roads = BOARD.reach(["1318"], BOARD.joined_by("road"))
    for name in ("Capua", "Santa Maria", "Sant'Angelo", "Caserta", "Maddaloni", "Valle di Maddaloni", "Dugenta"):
        assert BOARD.place(name)["hex"] in roads, name
    ways = BOARD.reach(["1318"], BOARD.joined_by("road", "path"))
    for row in BOARD.hex_rows:
        if row["name"] and row["settlement"] in ("city", "village"):
            assert row["hex"] in ways, row["name"]


def test_the_railway_of_1860() -> None:
    """15.5: Capua, Santa Maria, Caserta, Maddaloni."""
    rails = BOARD.reach(["1318"], lambda a, b: bool(BOARD.side(a, b).get("railway")))
    stations = {h for h, row in BOARD.hexes.items() if row["station"]}
    assert len(stations) == 4
    assert stations <= rails


def test_capua_is_closed_and_walled_by_the_river() -> None:
    """15.6: the hexes of Capua are cities on the southern bank."""
    capua = [row for row in BOARD.hex_rows if row["capua"]]
    assert len(capua) == 3
    assert {row["terrain"] for row in capua} == {"city"}
    assert {row["bank"] for row in capua} == {"south"}
