"""The Isonzo board: what the rulebook says about its hexes, and what makes it a sound map."""

from __future__ import annotations

from collections import Counter

import pytest
from boardfiles import BOARDS

BOARD = BOARDS["isonzo"]
WEST_AND_EAST = [("1813", "1912"), ("1912", "1913")]


def water(kind: str) -> list[tuple[str, str]]:
    return [side for side, row in BOARD.sides.items() if row["water"] == kind]


def line(side: str) -> list[str]:
    return [h for h, row in BOARD.hexes.items() if row["trench"] == side]


def test_fields_hold_only_what_the_format_allows() -> None:
    levels = {"clear": {"0"}, "swamp": {"0"}, "hill": set("12345678"), "low_mountain": {"9", "10"}}
    for row in BOARD.hex_rows:
        assert row["level"] in levels[row["terrain"]], row
        assert row["trench"] in ("", "italian", "ah")
        assert row["control"] in ("italian", "ah")
        assert row["flag"] in ("", "italian", "ah")
        assert row["source"] in ("printed", "reconstructed")
        for key in ("peak", "settlement", "stream_hex", "east", "beyond", "gorizia"):
            assert row[key] in ("", "1")
        assert bool(row["name"]) == bool(row["peak"] or row["settlement"]), row
    for row in BOARD.side_rows:
        assert row["water"] in ("", "stream", "river", "isonzo")
        assert bool(row["name"]) == bool(row["water"]), row
        assert row["trench_link"] in ("", "italian", "ah")
        assert any(row[key] for key in ("water", "road", "trail", "railway", "trench_link")), row


@pytest.mark.parametrize(
    ("hex_id", "name"), [("1301", "Grahovo"), ("2205", "Chiapovano"), ("2808", "Ternova"), ("1912", "Canale")]
)
def test_anchor(hex_id: str, name: str) -> None:
    """15: three settlements whose hexes are printed; 1.3.3: the crossings of Canale."""
    row = BOARD.hexes[hex_id]
    assert row["name"] == name
    assert row["settlement"] == "1"
    assert row["control"] == "ah"


def test_the_two_crossings_of_canale_are_destroyed_and_nothing_else_is() -> None:
    """1.3.3: both carry a route over the Isonzo and lie on the western side of 1912."""
    destroyed = [side for side, row in BOARD.sides.items() if row["destroyed"]]
    assert sorted(destroyed) == WEST_AND_EAST
    for side in WEST_AND_EAST:
        row = BOARD.sides[side]
        assert row["water"] == "isonzo"
        assert row["bridge_hex"] == "1912"
        assert row["road"] or row["railway"]
    assert BOARD.hexes["1912"]["east"] == "1"
    assert not BOARD.hexes["1913"]["east"]
    assert not BOARD.hexes["1813"]["east"]


def test_trench_example() -> None:
    """6.3.1: 2412 and 2312 are linked Austro-Hungarian trenches, 2311 is not; the mover in 2413 is Italian."""
    assert BOARD.hexes["2412"]["trench"] == BOARD.hexes["2312"]["trench"] == "ah"
    assert BOARD.side("2312", "2412")["trench_link"] == "ah"
    assert not BOARD.side("2311", "2312").get("trench_link")
    assert not BOARD.side("2312", "2412").get("water")
    assert not BOARD.side("2311", "2312").get("water")
    assert BOARD.hexes["2413"]["control"] == "italian"
    assert BOARD.hexes["2413"]["trench"] != "ah"
    assert "2312" in BOARD.neighbours("2413")
    assert "2311" in BOARD.neighbours("2312")


def test_all_levels_are_used_and_the_counts_look_like_a_map() -> None:
    counts = Counter(row["terrain"] for row in BOARD.hex_rows)
    assert 60 <= counts["clear"] <= 110
    assert 300 <= counts["hill"] <= 370
    assert 45 <= counts["low_mountain"] <= 90
    assert 1 <= counts["swamp"] <= 8
    levels = Counter(row["level"] for row in BOARD.hex_rows if row["level"] != "0")
    assert sorted(levels, key=int) == [str(n) for n in range(1, 11)]
    assert min(levels.values()) >= 15


@pytest.mark.parametrize(
    ("name", "terrains"),
    [
        ("Tolmino", {"clear"}),
        ("Gorizia", {"clear"}),
        ("Mossa", {"clear"}),
        ("Bainsizza", {"hill"}),
        ("Bate", {"hill"}),
        ("Monte Santo", {"hill"}),
        ("Mrzli", {"low_mountain"}),
        ("Predmeia", {"low_mountain"}),
    ],
)
def test_known_places_stand_on_their_ground(name: str, terrains: set[str]) -> None:
    assert BOARD.place(name)["terrain"] in terrains


def test_swamps_lie_low_in_the_south() -> None:
    for row in BOARD.hex_rows:
        if row["terrain"] == "swamp":
            assert int(row["hex"][:2]) >= 30


@pytest.mark.parametrize("name", BOARD.rivers())
def test_river_ends_at_the_edge_or_in_a_larger_one(name: str) -> None:
    """The lower end reaches the edge or other water; a source may lie on the board."""
    sides = BOARD.river(name)
    others = {
        corner
        for side, row in BOARD.sides.items()
        if row["water"] and row["name"] != name
        for corner in BOARD.corners(side)
    }
    assert any(BOARD.at_edge(end) or end in others for end in BOARD.loose_ends(sides))


def test_the_isonzo_parts_the_board_from_edge_to_edge() -> None:
    """14.2: no way round the Isonzo on the board."""
    assert all(BOARD.at_edge(end) for end in BOARD.loose_ends(water("isonzo")))
    top = [h for h in BOARD.hexes if h.endswith("01")]
    east = BOARD.reach(top, lambda a, b: BOARD.side(a, b).get("water") != "isonzo")
    assert {h for h, row in BOARD.hexes.items() if row["east"]} == east
    assert not any(h.endswith("18") and row["east"] for h, row in BOARD.hexes.items() if h < "3300")


def test_bridges_stand_exactly_where_routes_cross_water() -> None:
    for side, row in BOARD.sides.items():
        crosses = bool(row["water"] and (row["road"] or row["trail"] or row["railway"]))
        assert bool(row["bridge_hex"]) == crosses, side
        assert row["bridge_hex"] in ("", *side)


@pytest.mark.parametrize("side", ["italian", "ah"])
def test_front_is_one_unbroken_line(side: str) -> None:
    """Each line runs from the northern to the southern edge, every hex linked to one or two others."""
    hexes = line(side)
    links = [pair for pair, row in BOARD.sides.items() if row["trench_link"] == side]
    assert len(links) == len(hexes) - 1
    degree = Counter(h for pair in links for h in pair)
    assert set(degree) == set(hexes)
    ends = sorted(h for h, n in degree.items() if n == 1)
    assert [h[:2] for h in ends] == ["08", "34"]
    assert set(degree.values()) == {1, 2}


def test_fronts_face_each_other() -> None:
    for side, other in (("italian", "ah"), ("ah", "italian")):
        for hex_id in line(side):
            facing = [n for n in BOARD.neighbours(hex_id) if BOARD.hexes[n]["trench"] == other]
            assert facing, hex_id
    assert not set(line("italian")) & set(line("ah"))


def test_territory_follows_the_front() -> None:
    """14.3.1: `beyond` is the Austro-Hungarian side of the Italian line, without the line itself."""
    top = [h for h in BOARD.hexes if h.endswith("01")]
    beyond = BOARD.reach(top, lambda a, b: BOARD.hexes[b]["trench"] != "italian")
    for hex_id, row in BOARD.hexes.items():
        assert (row["beyond"] == "1") == (hex_id in beyond)
        assert (row["control"] == "ah") == (hex_id in beyond)
    assert {"ah"} == {BOARD.hexes[h]["control"] for h in line("ah")}


def test_flags_stand_on_their_edges() -> None:
    """Austro-Hungarian flags at the top, Italian ones at the bottom, each where a road leaves."""
    for side, row in (("ah", "01"), ("italian", "18")):
        flags = [h for h, fields in BOARD.hexes.items() if fields["flag"] == side]
        assert len(flags) >= 3
        for hex_id in flags:
            assert hex_id.endswith(row)
            assert BOARD.hexes[hex_id]["control"] == side
            assert any(BOARD.side(hex_id, n).get("road") for n in BOARD.neighbours(hex_id))


@pytest.mark.parametrize("side", ["italian", "ah"])
def test_roads_lead_from_each_flag_to_the_front(side: str) -> None:
    passes = BOARD.joined_by("road", "trail", "railway")
    for hex_id, row in BOARD.hexes.items():
        if row["flag"] == side:
            reached = BOARD.reach([hex_id], lambda a, b: passes(a, b) and BOARD.hexes[b]["control"] == side)
            assert len(reached & set(line(side))) >= 3, hex_id


def test_every_settlement_is_on_the_network_of_its_side() -> None:
    passes = BOARD.joined_by("road", "trail", "railway")
    for side in ("italian", "ah"):
        flags = [h for h, row in BOARD.hexes.items() if row["flag"] == side]
        reached = BOARD.reach(flags, passes)
        for hex_id, row in BOARD.hexes.items():
            if row["settlement"] and row["control"] == side:
                assert hex_id in reached, row["name"]


def test_the_railway_runs_from_the_south_to_grahovo() -> None:
    rails = BOARD.reach(["1301"], lambda a, b: bool(BOARD.side(a, b).get("railway")))
    names = {BOARD.hexes[h]["name"] for h in rails}
    assert {"Grahovo", "Santa Lucia", "Auzza", "Canale", "Plava", "Salcano", "Gorizia"} <= names
    assert any(h.startswith("34") for h in rails)


def test_gorizia_is_italian_and_behind_the_line() -> None:
    (gorizia,) = [row for row in BOARD.hex_rows if row["gorizia"]]
    assert gorizia["name"] == "Gorizia"
    assert gorizia["control"] == "italian"
    assert not gorizia["trench"]


def test_objectives_allow_a_strategic_victory() -> None:
    """15: settlements 1, three of them 2, peaks 2; clearly more than 40 points, from the front to the depth."""
    value: dict[str, int] = {}
    for hex_id, row in BOARD.hexes.items():
        if row["control"] == "ah" and (row["peak"] or row["settlement"]):
            value[hex_id] = 2 if row["peak"] or hex_id in ("1301", "2205", "2808") else 1
    assert 50 <= sum(value.values()) <= 62
    front = {h for h in value if BOARD.hexes[h]["trench"] or any(BOARD.hexes[n]["trench"] for n in BOARD.neighbours(h))}
    near, deep = sum(value[h] for h in front), sum(v for h, v in value.items() if h not in front)
    assert near >= 15
    assert deep >= 20


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("Kuk 611", "italian"),
        ("Vodice", "italian"),
        ("Sabotino", "italian"),
        ("Plava", "italian"),
        ("Salcano", "italian"),
        ("Monte Santo", "ah"),
        ("San Gabriele", "ah"),
        ("Jelenik", "ah"),
        ("Kobilek", "ah"),
        ("Oscedrik", "ah"),
        ("Tolmino", "ah"),
        ("Santa Lucia", "ah"),
        ("Descla", "ah"),
        ("Auzza", "ah"),
    ],
)
def test_who_held_what_in_august_1917(name: str, side: str) -> None:
    assert BOARD.place(name)["control"] == side
