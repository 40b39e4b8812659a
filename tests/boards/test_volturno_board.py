"""The Volturno board: every hex that the rulebook mentions, and what makes it a sound map."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from volturno_default import BOARD, LEADERS, POSTS, ZONES, within


def chain(text: str) -> list[str]:
    """Hexes in a row."""
    return text.split()


def test_fields_hold_only_what_the_format_allows() -> None:
    for row in BOARD.hex_rows:
        assert row["terrain"] in ("clear", "woods", "farm", "village", "city")
        assert 0 <= int(row["level"]) <= 6
        assert (row["settlement"] or "x") == (row["terrain"] if row["settlement"] else "x"), row
        assert row["bank"] in ("north", "south")
        assert row["mark"] in ("", "summit", "village")
        assert not (row["mark"] and (row["settlement"] or row["peak"])), row
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


RAILWAY = chain("""
    1318 1419 1519 1620 1720 1821 1921 2022 2122 2223 2224 2324 2425 2525 2626 2627 2727 2827 2927 3027 3127 3227 3327
    3427 3527 3627 3727 3827 3927 4027 4127 4227 4327 4427 4527 4627 4727 4827 4927 5027 5127 5227 5327 5428 5528 5529
    5630 5631 5731 5732 5733 5734 5735 5836 5936 6037 6137 6138 6239 6339 6340
""")


def test_the_railway_of_1860() -> None:
    """15.5: Capua, Santa Maria, Caserta, Maddaloni and on to Naples; one line without a loop or a branch."""
    sides = {side for side, row in BOARD.sides.items() if row["railway"]}
    assert sides == {(min(a, b), max(a, b)) for a, b in pairwise(RAILWAY)}
    assert len(set(RAILWAY)) == len(RAILWAY) == len(sides) + 1
    assert BOARD.on_edge(RAILWAY[-1])
    stations = [h for h, row in BOARD.hexes.items() if row["station"]]
    assert stations == ["1318", "2525", "4427", "5733"]
    assert set(stations) <= set(RAILWAY)
    assert {BOARD.hexes[h]["terrain"] for h in stations} == {"city"}


def test_capua_is_closed_and_walled_by_the_river() -> None:
    """15.6: the hexes of Capua are cities on the southern bank."""
    capua = [row for row in BOARD.hex_rows if row["capua"]]
    assert len(capua) == 3
    assert {row["terrain"] for row in capua} == {"city"}
    assert {row["bank"] for row in capua} == {"south"}


def test_every_road_ends_at_a_place_at_the_edge_or_at_the_ferry() -> None:
    """No road stops in a field; that from San Tammaro goes on past Carditello to the west."""
    ends = Counter(h for side, row in BOARD.sides.items() if row["road"] for h in side)
    loose = {h for h, count in ends.items() if count == 1}
    assert {h for h in loose if not BOARD.hexes[h]["settlement"] and not BOARD.on_edge(h)} == {"2712"}
    west = chain("0928 0828 0728 0628 0528 0428 0328 0228 0128")
    assert all(BOARD.side(a, b)["road"] for a, b in pairwise(west))
    assert loose >= {"0128"}
    assert "0128" in BOARD.reach(["1826"], BOARD.joined_by("road"))


@pytest.mark.parametrize("kinds", [("road",), ("road", "path")])
def test_the_ways_are_one_network(kinds: tuple[str, ...]) -> None:
    """But for the roads of the northern bank, which meet the others on the bridge of Capua, all hang together."""
    on = {h for side, row in BOARD.sides.items() if any(row[kind] for kind in kinds) for h in side}
    assert on <= BOARD.reach(["1318"], BOARD.joined_by(*kinds))


def test_the_ferry_of_triflisco() -> None:
    """14.1: it has a sign and a name, and nobody crosses by it: there is no bridge and no road over the water."""
    [(side, row)] = [(side, row) for side, row in BOARD.sides.items() if row["ferry"]]
    assert side == ("2612", "2712")
    assert row["ferry"] == "Scafa di Triflisco"
    assert row["water"] == "river"
    assert not (row["bridge"] or row["road"] or row["path"] or row["railway"])
    assert BOARD.hexes["2612"]["name"] == "Triflisco"


def test_the_bridges() -> None:
    """14.1: one over the Volturno, four over torrents."""
    bridges = {side: row["water"] for side, row in BOARD.sides.items() if row["bridge"]}
    assert bridges == {
        ("1218", "1318"): "river",
        ("6613", "6713"): "stream",
        ("6713", "6813"): "stream",
        ("6724", "6824"): "stream",
        ("7316", "7416"): "stream",
    }


def test_the_arches_of_the_valley_are_no_houses() -> None:
    """15.1: villages in every rule, but drawn as what they are, from hex to hex."""
    for hex_id in ("6129", "6230", "6330"):
        assert BOARD.hexes[hex_id]["settlement"] == ""
    assert {side for side, row in BOARD.sides.items() if row["aqueduct"]} == {("6129", "6230"), ("6230", "6330")}


def test_durazzano_lies_in_its_valley() -> None:
    """Some 290 m: level 4, below Monte Longano and the ridge north of it."""
    level = int(BOARD.place("Durazzano")["level"])
    assert level == 4
    assert all(int(BOARD.hexes[h]["level"]) == 6 for h in ("7028", "7128", "7228", "7328"))


def test_no_summit_is_lower_than_its_neighbours() -> None:
    """Where heights hide (an option of 9.4.4) one looks out from a summit, not up from it."""
    for row in BOARD.hex_rows:
        if row["peak"]:
            around = max(int(BOARD.hexes[h]["level"]) for h in BOARD.neighbours(row["hex"]))
            assert int(row["level"]) >= around, row["name"]


@pytest.mark.parametrize(
    ("hex_id", "name", "bank", "mark"),
    [
        ("2713", "San Iorio", "south", "summit"), ("2610", "Monte Palombara", "north", "summit"),
        ("2410", "Taverna", "north", "village"), ("2528", "Sant'Andrea, uscita sud", "south", ""),
    ],
)  # fmt: skip
def test_names_that_tell_the_battle_change_nothing(hex_id: str, name: str, bank: str, mark: str) -> None:
    row = BOARD.place(name)
    assert (row["hex"], row["bank"], row["mark"]) == (hex_id, bank, mark)
    assert row["terrain"] in ("clear", "woods")
    assert not row["settlement"] and not row["peak"]


def test_every_objective_has_a_name_and_infantry_can_enter_it() -> None:
    """1.3, 16.1.3, 17.1.3: on the southern bank, next to ground that is not across the river."""
    objectives = [row for row in BOARD.hex_rows if row["vp"] or row["objective"]]
    assert len(objectives) == 13
    for row in objectives:
        assert row["name"], row["hex"]
        assert row["bank"] == "south"
        assert row["source"] == "printed"
        assert any(BOARD.side(row["hex"], h).get("water") != "river" for h in BOARD.neighbours(row["hex"]))


# The set-up of both scenarios


@pytest.mark.parametrize(
    ("zone", "hexes", "south"),
    [
        ("G16", 91, 91), ("G17", 37, 37), ("NG", 28, 26), ("N2", 33, 10), ("Colonna", 37, 0), ("GS", 127, 127),
        ("G15", 37, 37), ("Bronzetti", 1, 1), ("G18", 127, 127), ("NR", 37, 31), ("NM", 37, 37), ("NC", 19, 4),
    ],
)  # fmt: skip
def test_set_up_zones_and_the_river(zone: str, hexes: int, south: int) -> None:
    """16.1.4, 17.1.4: how many hexes each zone has, and how many of them before the Volturno."""
    assert len(ZONES[zone]) == hexes
    assert sum(BOARD.hexes[h]["bank"] == "south" for h in ZONES[zone]) == south


def test_zones_of_the_short_scenario_lie_on_its_board() -> None:
    for zone in ("G16", "G17", "NG", "N2", "Colonna"):
        assert all(BOARD.hexes[h]["short"] for h in ZONES[zone]), zone


def test_default_set_up_stands_in_its_zones_on_ground_it_may_enter() -> None:
    """Every unit in its zone, guns and horses off the woods, no Garibaldian in Capua (15.6), five points to a hex."""
    assert len(POSTS) == 78
    load: Counter[str] = Counter()
    for post in POSTS:
        row = BOARD.hexes[post.hex]
        assert post.hex in ZONES[post.zone], post
        assert post.arm == "foot" or row["terrain"] != "woods", post
        assert not (row["capua"] and post.zone not in ("NG", "N2", "NC")), post
        load[post.hex] += post.stacking
    assert max(load.values()) <= 5
    ours, theirs = ({p.hex for p in POSTS if (p.zone[0] == "N" or p.zone == "Colonna") == north} for north in (0, 1))
    assert not theirs & {n for h in ours for n in within(h, 2)}


def test_guns_that_set_up_can_move_off() -> None:
    """8.4: along a way, or over a side that is not steep and has no water into a hex without woods."""
    for post in POSTS:
        if post.arm == "guns":
            sides = {h: BOARD.side(post.hex, h) for h in BOARD.neighbours(post.hex)}
            open_ground = [h for h in sides if BOARD.hexes[h]["terrain"] != "woods"]
            ways = [h for h, side in sides.items() if side.get("road") or side.get("path")]
            free = [h for h in open_ground if sides[h].get("slope") != "steep" and not sides[h].get("water")]
            assert ways or free, post


def test_leaders_stand_with_their_formations() -> None:
    for zone, hex_id in LEADERS.items():
        assert hex_id in ZONES[zone]
        assert within(hex_id, 1) & {post.hex for post in POSTS if post.zone == zone}


def test_the_march_of_ruiz() -> None:
    """15.8.1: by road to Limatola and Morrone, then by the path to Caserta Vecchia; it first leads away from it."""
    roads = chain("""
        6412 6311 6211 6210 6109 6010 5910 5811 5711 5612 5512 5513 5414 5314 5215 5115 5015 4914 4915 4916 4917 4818
    """)
    paths = chain("4818 4819 4919 5019 5119 5220")
    assert all(BOARD.side(a, b).get("road") for a, b in pairwise(roads))
    assert all(BOARD.side(a, b).get("path") for a, b in pairwise(paths))
    discs = [within("5320", d) for d in range(20)]
    distances = [next(d for d, disc in enumerate(discs) if h in disc) for h in roads + paths[1:]]
    assert distances == [
        14, 14, 14, 15, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 6, 6, 7, 8, 7, 6, 5, 5, 5, 4, 3, 2, 1,
    ]  # fmt: skip


def test_meckel_has_a_road_to_the_aqueduct_and_maddaloni() -> None:
    assert {"6230", "5733"} <= BOARD.reach(["7512"], BOARD.joined_by("road"))


def test_the_plain_is_open_for_charges() -> None:
    """10.1.1: between Capua, Santa Maria and Sant'Angelo nearly every hex and hexside is clear."""
    plain = [f"{c:02d}{r:02d}" for c in range(15, 24) for r in range(19, 25)]
    clear = [h for h in plain if BOARD.hexes[h]["terrain"] == "clear"]
    assert len(clear) >= 0.9 * len(plain)
    assert not any(BOARD.side(a, b).get("slope") for a in clear for b in BOARD.neighbours(a) if b in clear)
