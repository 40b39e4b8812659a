"""The Caporetto board: every hex that the rulebook mentions, and what makes it a sound map."""

from __future__ import annotations

from collections import Counter

import pytest
from boardfiles import BOARDS

BOARD = BOARDS["caporetto"]
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


def test_points_on_the_map() -> None:
    """24.7: with prisoners and exits, 90 to 120 points must be within reach."""
    values = {h: int(row["vp"]) for h, row in BOARD.hexes.items() if row["vp"]}
    assert sum(values.values()) == 87
    assert max(values, key=lambda h: values[h]) == "2602"


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
    for hex_id in ("1624", "1923", "2602", "3017", "3117"):
        assert sector[hex_id] == "common"
    for hex_id in ("1105", "1312", "1801", "2401", "2119", "1516"):
        assert sector[hex_id] == "left"
    for hex_id in ("3702", "4503", "5101", "6217", "2623", "3519"):
        assert sector[hex_id] == "right"


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
    """21.9: by road, on row 01 between columns 10 and 60."""
    exits = [h for h, row in BOARD.hexes.items() if row["exit"]]
    assert len(exits) >= 6
    for hex_id in exits:
        assert hex_id.endswith("01")
        assert 10 <= int(hex_id[:2]) <= 60
        assert any(BOARD.side(hex_id, n).get("road") for n in BOARD.neighbours(hex_id))


def test_counts_look_like_a_map() -> None:
    counts = Counter(row["terrain"] for row in BOARD.hex_rows)
    assert 1200 <= counts["clear"] <= 1600
    assert 220 <= counts["woods"] <= 420
    assert 50 <= counts["high_mountain"] <= 130
    levels = Counter(row["level"] for row in BOARD.hex_rows)
    assert sorted(levels) == list("12345678")
    assert 60 <= sum(1 for row in BOARD.side_rows if row["cliff"]) <= 160


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("Tolmino", 1, 1), ("Caporetto", 1, 2), ("Plezzo", 2, 2), ("Cividale", 1, 1), ("Rombon", 7, 8),
        ("Monte Nero", 7, 8), ("Kolovrat", 4, 6), ("Monte Matajur", 5, 6), ("Luico", 3, 4),
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
    reached = BOARD.reach(flags, BOARD.joined_by("road", "trail", "railway"))
    for row in BOARD.hex_rows:
        if row["settlement"] and not row["out_of_play"]:
            assert row["hex"] in reached, row["name"]


@pytest.mark.parametrize("side", ["italian", "ahg"])
def test_flags_stand_at_the_edge_on_routes_to_the_front(side: str) -> None:
    flags = [h for h, row in BOARD.hexes.items() if row["flag"] == side]
    assert len(flags) >= 2
    passes = BOARD.joined_by("road", "trail", "railway")
    for hex_id in flags:
        assert BOARD.on_edge(hex_id)
        assert BOARD.hexes[hex_id]["control"] == side
    reached = BOARD.reach(flags, lambda a, b: passes(a, b) and BOARD.hexes[b]["control"] == side)
    assert len(reached & set(line(side))) >= 3
