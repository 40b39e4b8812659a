"""The Caporetto board: every hex that the rulebook mentions, and what makes it a sound map."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from boardfiles import BOARDS

BOARD = BOARDS["caporetto"]
ROUTES = ("road", "trail", "railway")
STREAMS = sorted({row["stream"] for row in BOARD.side_rows if row["stream"]})


def line(side: str) -> list[str]:
    return [h for h, row in BOARD.hexes.items() if row["trench"] == side]


def facing(side: str) -> set[str]:
    """A side's hexes in play next to the enemy's."""
    return {
        h
        for h, row in BOARD.hexes.items()
        if row["control"] == side
        and not row["out_of_play"]
        and any(BOARD.hexes[n]["control"] != side and not BOARD.hexes[n]["out_of_play"] for n in BOARD.neighbours(h))
    }


def test_adjacencies_of_the_text() -> None:
    """Even columns are shifted towards the higher rows."""
    assert BOARD.around("1624") == ["1623", "1724", "1725", "1625", "1525", "1524"]
    assert "3927" in BOARD.neighbours("3926")


def test_fields_hold_only_what_the_format_allows() -> None:
    for row in BOARD.hex_rows:
        assert row["terrain"] in ("clear", "woods", "high_mountain")
        assert (int(row["level"]) >= 7) == (row["terrain"] == "high_mountain"), row
        assert row["settlement"] in ("", "town", "village", "locality")
        assert row["control"] in ("italian", "ahg")
        assert row["sector"] in ("left", "right", "common")
        assert bool(row["trench"]) == (row["trench_level"] in ("1", "2"))
    for row in BOARD.side_rows:
        assert row["water"] in ("", "river", "isonzo")
        assert row["bridge"] in ("", "bridge", "footbridge")
        assert row["bridge"] != "footbridge" or row["water"] == "isonzo", row
        assert not row["charged"] or (row["bridge"] and row["water"] == "isonzo"), row
        assert bool(row["bridge"]) == bool(row["water"] and (row["road"] or row["trail"] or row["railway"])), row
        assert not (row["cliff"] and (row["road"] or row["trail"] or row["railway"]))
        assert not (row["trench_link"] and row["water"]), row


@pytest.mark.parametrize(
    ("hex_id", "name"),
    [
        ("1105", "Plava"), ("1801", "Prepotto"), ("2401", "Gagliano"), ("2602", "Cividale"), ("3702", "Faedis"),
        ("4503", "Attimis"), ("5101", "Tarcento"), ("6217", "San Giorgio"), ("3017", "Monte Matajur"),
        ("3117", "Monte della Colonna"), ("2623", "Smast"), ("3519", "Creda"), ("2119", "Drenchia"),
        ("1516", "Cambresco"), ("2006", "Castelmonte"), ("2405", "Purgessimo"), ("4809", "Taipana"),
    ],
)  # fmt: skip
def test_anchor(hex_id: str, name: str) -> None:
    """23.1, 24.14, 24.16, 26.3, 27.3: named hexes."""
    assert BOARD.hexes[hex_id]["name"] == name


@pytest.mark.parametrize(
    "hex_id",
    [
        "0610", "0908", "1007", "1001", "6001", "1019", "1006", "1105", "1312", "1516", "1524", "1624", "1701", "1801",
        "1923", "2006", "2106", "2119", "2401", "2405", "2503", "2602", "2623", "3002", "3017", "3117", "3303", "3519",
        "3628", "3629", "3702", "3906", "3926", "3927", "4005", "4207", "4503", "4610", "4809", "5101", "5306", "5308",
        "6217",
    ],
)  # fmt: skip
def test_hexes_that_the_rulebook_mentions_exist(hex_id: str) -> None:
    assert hex_id in BOARD.hexes


@pytest.mark.parametrize(
    "hex_id", ["2006", "2106", "2401", "2405", "2503", "2602", "3002", "3303", "3906", "4005", "4207", "4610", "4809"]
)
def test_objectives_are_worth_something_and_can_be_reached(hex_id: str) -> None:
    """26.3, 27.3."""
    assert int(BOARD.hexes[hex_id]["vp"]) >= 1
    assert not BOARD.hexes[hex_id]["out_of_play"]
    assert any(BOARD.side(hex_id, n).get(k) for n in BOARD.neighbours(hex_id) for k in ("road", "trail"))


POINTS = {
    8: ["2602"],
    6: ["1820", "2320"],
    5: ["1506", "3022"],
    4: ["1105", "1312", "1516", "1801", "2006", "2119", "2401", "3017", "3702", "4503", "5101", "6217"],
    3: ["2106", "2405", "2623", "3519"],
    2: ["4028"],
    1: [
        *("2503", "2728", "3002", "3303", "3906", "4005", "4207", "4217", "4610", "4716", "4809", "5306", "5308"),
    ],
}  # fmt: skip


def test_points_on_the_map() -> None:
    """23.1, 25.7: with prisoners and exits, 90 to 120 points must be within reach; nothing scores that AHG has."""
    values = {h: int(row["vp"]) for h, row in BOARD.hexes.items() if row["vp"]}
    assert values == {h: vp for vp, hexes in POINTS.items() for h in hexes}
    assert sum(values.values()) == 105
    by_sector = Counter[str]()
    for hex_id, vp in values.items():
        by_sector[BOARD.hexes[hex_id]["sector"]] += vp
        assert BOARD.hexes[hex_id]["control"] == "italian", hex_id
    assert by_sector == {"right": 41, "left": 52, "common": 12}


def test_supply_centres() -> None:
    """24.14: which Italian wing loses logistic points by which of them; each lies in the sector of that wing."""
    centres = {h: row["depot"] for h, row in BOARD.hexes.items() if row["depot"]}
    assert centres == {"2623": "left", "3519": "left", "2119": "right", "1516": "right"}
    for hex_id, wing in centres.items():
        assert BOARD.hexes[hex_id]["sector"] == {"left": "right", "right": "left"}[wing]  # 24.1: they face the other


def test_bridges_that_may_be_blown_as_the_enemy_comes() -> None:
    """19.2.1: the Isonzo bridges behind the Italian front that stand; footbridges only at Ternova and Saga."""
    charged = {side for side, row in BOARD.sides.items() if row["charged"]}
    assert charged == {
        ("1105", "1106"), ("1111", "1211"), ("1213", "1313"), ("2923", "3022"), ("3523", "3524"), ("4122", "4221"),
    }  # fmt: skip
    isonzo = {side for side, row in BOARD.sides.items() if row["bridge"] and row["water"] == "isonzo"}
    assert isonzo - charged == {("1324", "1423"), ("1524", "1624"), ("3432", "3532"), ("3926", "3927")}
    assert {side for side, row in BOARD.sides.items() if row["bridge"] == "footbridge"} == {
        ("3523", "3524"),
        ("4122", "4221"),
    }


def test_blown_bridges() -> None:
    """24.8, 25.8: 3926-3927 in scenarios 1 and 2, 1524-1624 in scenario 2."""
    blown = {side: row["blown"] for side, row in BOARD.sides.items() if row["blown"]}
    assert blown == {("1524", "1624"): "2", ("3926", "3927"): "1 2"}
    for side in blown:
        assert BOARD.sides[side]["water"] == "isonzo"
        assert BOARD.sides[side]["bridge"] == "bridge"
    assert BOARD.hexes["1524"]["control"] == "ahg"
    assert BOARD.hexes["1624"]["control"] == "italian"


def test_crest_between_equal_heights() -> None:
    """10.0.8: 3628 and 3629 are equally high, the hexside between them is higher."""
    assert BOARD.hexes["3628"]["level"] == BOARD.hexes["3629"]["level"]
    assert BOARD.side("3628", "3629")["crest"] == "1"


def test_the_left_bank_out_of_play() -> None:
    """21.7: between 1019 and 1006 the left bank of the Isonzo is out of play; Plava (1105) is not."""
    out = {h for h, row in BOARD.hexes.items() if row["out_of_play"]}
    assert {"1019", "1006"} <= out
    assert {int(h[2:]) for h in out} == set(range(6, 20))
    left = BOARD.reach(["1010"], lambda a, b: BOARD.side(a, b).get("water") != "isonzo" and b in out)
    assert left == out
    assert "1105" not in out


def test_sectors_and_common_hexes() -> None:
    """24.3, 24.14, 24.16."""
    sector = {h: row["sector"] for h, row in BOARD.hexes.items()}
    common = {h for h, word in sector.items() if word == "common"}
    assert common == {"1624", "1724", "1823", "1923", "2602", "3017", "3117"}
    for hex_id in ("1105", "1312", "1801", "2401", "2119", "1516"):
        assert sector[hex_id] == "left"
    # the valley road on the right bank and the bridge of Tolmino are the right wing's
    for hex_id in ("3702", "4503", "5101", "6217", "2623", "3519", "2122", "2221", "2321", "1524", "1525"):
        assert sector[hex_id] == "right"


@pytest.mark.parametrize("sector", ["left", "right"])
def test_a_sector_is_one_piece(sector: str) -> None:
    """24.3: nobody has to cross the line to go from one end of his sector to the other, common hexes used or not."""
    mine = {h for h, row in BOARD.hexes.items() if row["sector"] == sector}
    assert BOARD.reach([min(mine)], lambda a, b: b in mine) == mine


def test_areas_of_the_small_scenarios() -> None:
    """26.2: from the Judrio to column 33; 27.2: from column 33 to the north-western edge."""
    third = {h for h, row in BOARD.hexes.items() if row["scenario3"]}
    fourth = {h for h, row in BOARD.hexes.items() if row["scenario4"]}
    assert "1801" in third and "1701" not in third
    assert BOARD.side("1701", "1801")["name"] == "Judrio"
    assert {h[:2] for h in third & fourth} == {"33"}
    assert {"2006", "2106", "2401", "2405", "2503", "2602", "3002", "3303"} <= third
    assert {"3906", "4005", "4207", "4610", "4809", "5306", "5308"} <= fourth


def test_exits_on_the_south_western_edge() -> None:
    """21.9: by road (10.0.4: or railway), on row 01 between columns 10 and 60: where Italian supply comes from, too."""
    exits = [h for h, row in BOARD.hexes.items() if row["exit"]]
    assert exits == ["1701", "2301", "2501", "2601", "3701", "4501", "4901", "5201"]
    for hex_id in exits:
        assert any(BOARD.side(hex_id, n).get(kind) for n in BOARD.neighbours(hex_id) for kind in ROUTES)
        assert BOARD.hexes[hex_id]["flag"] == "italian"


def test_counts_look_like_a_map() -> None:
    counts = Counter(row["terrain"] for row in BOARD.hex_rows)
    assert 1200 <= counts["clear"] <= 1600
    assert 220 <= counts["woods"] <= 420
    assert 50 <= counts["high_mountain"] <= 130
    levels = Counter(row["level"] for row in BOARD.hex_rows)
    assert sorted(levels) == list("12345678")
    assert 60 <= sum(1 for row in BOARD.side_rows if row["cliff"]) <= 160
    assert len(BOARD.about["floors"]) == 7  # metres at which levels 2 to 8 begin; High Mountain is 7 and 8


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("Tolmino", 1, 1), ("Caporetto", 1, 2), ("Plezzo", 2, 2), ("Cividale", 1, 1), ("Rombon", 7, 8),
        ("Monte Nero", 7, 8), ("Kolovrat", 4, 6), ("Monte Matajur", 5, 6), ("Luico", 3, 4), ("Monte Maggiore", 6, 6),
        ("Stol", 5, 6), ("Jeza", 4, 4), ("Mrzli", 5, 5), ("Canin", 8, 8), ("Korada", 4, 4), ("Cukla", 7, 7),
    ],
)  # fmt: skip
def test_known_places_have_their_height(name: str, low: int, high: int) -> None:
    """24.11: fog on the valley floors (levels 1 and 2), blizzard on Rombon and Monte Nero."""
    assert low <= int(BOARD.place(name)["level"]) <= high


@pytest.mark.parametrize("name", STREAMS)
def test_stream_runs_unbroken_through_its_hexes(name: str) -> None:
    links = [side for side, row in BOARD.sides.items() if row["stream"] == name]
    reached = BOARD.reach([links[0][0]], lambda a, b: BOARD.side(a, b).get("stream") == name)
    assert reached == {h for link in links for h in link}
    assert all(BOARD.hexes[h]["stream"] for h in reached)


def test_the_isonzo_runs_from_edge_to_edge() -> None:
    sides = [side for side, row in BOARD.sides.items() if row["water"] == "isonzo"]
    assert all(BOARD.at_edge(end) for end in BOARD.loose_ends(sides))


def test_both_fronts_are_unbroken_and_adjacent() -> None:
    """Every hex next to the enemy is entrenched or lies in a bend of the line; the lines run hex to hex."""
    for side in ("italian", "ahg"):
        trenches = set(line(side))
        front = trenches & facing(side)
        assert len(front) >= 40
        top = [h for h in front if h.endswith("32")]
        chain = BOARD.reach(top[:1], lambda a, b, trenches=trenches: b in trenches)
        assert front <= chain
        assert BOARD.hexes[next(iter(front))]["control"] == side
    assert not set(line("italian")) & set(line("ahg"))


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("1320 1420 1521 1620 1720 1820", 2), ("1820 1821 1922 1923 1924", 2), ("1517 1518 1618 1619", 1),
        ("1921 2020 2120 2220 2320 2419", 1), ("2020 2021 2022 2123", 1), ("2124 2224 2324", 1), ("3017", 1),
        ("3515", 1), ("4716", 1),
    ],
)  # fmt: skip
def test_italian_lines_behind_the_front(line: str, level: int) -> None:
    """17.7, 17.8: the line of resistance before the Jeza is the strong one; the lines behind it are out of date."""
    hexes = line.split()
    for a, b in pairwise(hexes):
        assert BOARD.side(a, b)["trench_link"] == "italian", (a, b)
    for hex_id in hexes:
        row = BOARD.hexes[hex_id]
        stronger = hex_id in ("1820", "2324")  # where another line of level 2 is met
        assert (row["trench"], row["trench_level"]) == ("italian", "2" if stronger else str(level)), hex_id


def test_trenches_along_hexsides() -> None:
    """17.9: each protects the hex behind a bridge or the bridgehead of Caporetto."""
    found = {side: row["side_trench_hex"] for side, row in BOARD.sides.items() if row["side_trench"]}
    assert found == {("3022", "3023"): "3022", ("4122", "4221"): "4221", ("1111", "1211"): "1211"}
    assert all(BOARD.sides[side]["side_trench"] == "italian" for side in found)


def test_monte_maggiore_is_the_summit_over_the_village() -> None:
    """27: scenario 4 is named after it."""
    assert BOARD.place("Monte Maggiore")["hex"] == "4716"
    assert BOARD.hexes["4714"]["name"] == "" and not BOARD.hexes["4714"]["peak"]


def test_links_join_trenches_of_their_owner() -> None:
    """17.7: never across rivers."""
    for (a, b), row in BOARD.sides.items():
        if row["trench_link"]:
            assert BOARD.hexes[a]["trench"] == BOARD.hexes[b]["trench"] == row["trench_link"]


def test_no_hex_is_walled_in() -> None:
    reached = BOARD.reach(["2602"], lambda a, b: not BOARD.side(a, b).get("cliff"))
    assert reached == set(BOARD.hexes)


def test_every_settlement_in_play_is_on_the_network() -> None:
    """Every town and village can be reached from a supply flag; blown bridges are crossed here."""
    flags = [h for h, row in BOARD.hexes.items() if row["flag"]]
    reached = BOARD.reach(flags, BOARD.joined_by(*ROUTES))
    for row in BOARD.hex_rows:
        if row["settlement"] and not row["out_of_play"]:
            assert row["hex"] in reached, row["name"]


SOURCES = {
    ("flag", "ahg"): ["0630", "2332", "3432", "4032", "4432"],
    ("flag", "italian"): [
        "0603", "0620", "1701", "2301", "2501", "2601", "3701", "4501", "4901", "5201", "6316", "6320",
    ],
    ("flag3", "ahg"): ["1921", "1924", "1925", "3316", "3320"],
    ("flag3", "italian"): ["1801", "2301", "2501", "2601", "3302"],
    ("flag4", "ahg"): ["3313", "3320", "3432", "4032"],
    ("flag4", "italian"): ["3701", "4501", "4901", "5201", "6316", "6320"],
}  # fmt: skip


@pytest.mark.parametrize(("column", "side"), SOURCES)
def test_sources_of_supply(column: str, side: str) -> None:
    """9.2.3: by scenario; each has a road, lies in the area and behind its owner's front."""
    found = [h for h, row in BOARD.hexes.items() if row[column] == side]
    assert found == SOURCES[column, side]
    for hex_id in found:
        row = BOARD.hexes[hex_id]
        assert any(BOARD.side(hex_id, n).get(kind) for n in BOARD.neighbours(hex_id) for kind in ROUTES), hex_id
        assert row["control" if column == "flag" else "control27"] == side, hex_id
        assert column == "flag" or row[f"scenario{column[-1]}"], hex_id


def test_who_holds_what_on_the_27th() -> None:
    """26.3, 27.3: the Italians begin with every objective; AHG have Caporetto, the Stol and the Matajur behind them."""
    held = {h: row["control27"] for h, row in BOARD.hexes.items()}
    assert set(held.values()) == {"ahg", "italian"}
    third = ("2006", "2106", "2401", "2405", "2503", "2602", "3002", "3303")
    for hex_id in (*third, "3906", "4005", "4207", "4610", "4809", "5306", "5308"):
        assert held[hex_id] == "italian", hex_id
    for hex_id in ("3022", "4217", "3017", "2119", "2320", "3519", "4221", "4028", "1820"):
        assert held[hex_id] == "ahg", hex_id
    for side in ("ahg", "italian"):
        mine = {h for h, owner in held.items() if owner == side}
        assert BOARD.reach([min(mine)], lambda a, b, mine=mine: b in mine) == mine


def test_the_inset_of_tolmino_is_a_part_of_the_board() -> None:
    """28: the bridgehead with its hexes as they are."""
    inset = BOARD.about["inset"]
    (first, last), (top, low) = inset["columns"], inset["rows"]
    hexes = {f"{c:02d}{r:02d}" for c in range(first, last + 1) for r in range(top, low + 1)}
    assert hexes <= set(BOARD.hexes)
    assert {BOARD.place(name)["hex"] for name in ("Tolmino", "Santa Lucia", "Volzana", "Jeza")} <= hexes


def test_every_road_leads_to_where_one_leaves_the_map() -> None:
    """9.2.3: no road, trail or railway hangs in the air."""
    flags = [h for h, row in BOARD.hexes.items() if row["flag"]]
    with_roads = {h for (a, b), row in BOARD.sides.items() if any(row[kind] for kind in ROUTES) for h in (a, b)}
    assert BOARD.reach(flags, BOARD.joined_by(*ROUTES)) == with_roads


@pytest.mark.parametrize("side", ["italian", "ahg"])
def test_flags_stand_at_the_edge_on_routes_to_the_front(side: str) -> None:
    flags = [h for h, row in BOARD.hexes.items() if row["flag"] == side]
    assert len(flags) >= 2
    passes = BOARD.joined_by(*ROUTES)
    for hex_id in flags:
        assert BOARD.on_edge(hex_id)
        assert BOARD.hexes[hex_id]["control"] == side
    reached = BOARD.reach(flags, lambda a, b: passes(a, b) and BOARD.hexes[b]["control"] == side)
    assert len(reached & set(line(side))) >= 3
