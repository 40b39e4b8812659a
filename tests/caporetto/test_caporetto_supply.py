"""Chapter 9: supply lines, case by case on small boards, and on the board of the game for all who begin on it."""

from __future__ import annotations

import pytest
from caporetto_fields import column, field, lines, mask, names, way

from fronte.games.caporetto.supply import Lines, line_from, road_net, supplied
from fronte.games.caporetto.terrain import AHG, BATTLE, ITALIAN, LEFT, RIGHT, Ground
from fronte.games.caporetto.zoc import zone
from fronte.games.registry import board_pack

TALL = "0101-0220"


def is_supplied(ground: Ground, given: Lines, hex_id: str) -> bool:
    """By the set of all supplied hexes and by a line from this one, which must agree."""
    found = bool(supplied(ground, given) >> ground.grid.index[hex_id] & 1)
    assert found == (line_from(ground, given, ground.grid.index[hex_id]) is not None)
    return found


@pytest.mark.parametrize("kind", ["road", "trail", "railway"])
@pytest.mark.parametrize(("hex_id", "expected"), [("0107", True), ("0108", False)])
def test_9_2_five_hexes_to_any_road(kind: str, hex_id: str, expected: bool) -> None:
    ground = field(TALL, sides=way(kind, "0101", "0102"))
    assert is_supplied(ground, lines(ground, "0101"), hex_id) == expected


def test_9_2_along_the_road_there_is_no_limit() -> None:
    ground = field(TALL, sides=way("trail", *column(1, 1, 15)))
    assert is_supplied(ground, lines(ground, "0101"), "0120")
    off, on = line_from(ground, lines(ground, "0101"), ground.grid.index["0118"]) or ([], [])
    assert [ground.grid.ids[h] for h in off] == ["0117", "0116", "0115"]
    assert [ground.grid.ids[h] for h in on] == column(1, 1, 14)[::-1]


def test_9_2_a_road_that_is_not_joined_to_a_source_is_none() -> None:
    ground = field(TALL, sides=way("road", "0101", "0102") | way("road", *column(1, 8, 15)))
    assert not is_supplied(ground, lines(ground, "0101"), "0112")


def test_9_2_1_the_road_is_cut_next_to_an_enemy_even_where_friends_stand() -> None:
    """The last road hex, at which the part off the road ends, may itself lie next to him."""
    ground = field(TALL, sides=way("road", *column(1, 1, 15)))
    given = lines(ground, "0101", enemies=["0209"], friends=column(1, 1, 15))
    assert names(ground, road_net(ground, given)) == column(1, 1, 8)  # 0209 touches 0109 and 0110
    assert is_supplied(ground, given, "0114")  # five hexes: 0113, 0112, 0111, 0110 and the road's 0109
    assert not is_supplied(ground, given, "0115")


def test_9_2_1_by_option_only_combat_units_cut_a_road_beside_them() -> None:
    ground = field(TALL, sides=way("road", *column(1, 1, 15)))
    guns = lines(ground, "0101", enemies=["0209"])
    assert not is_supplied(ground, guns, "0120")
    assert is_supplied(ground, guns._replace(cutters=0), "0120")
    assert not is_supplied(ground, lines(ground, "0101", enemies=["0109"])._replace(cutters=0), "0120")


def test_9_2_1_off_the_road_a_friend_annuls_a_zone_and_nothing_an_enemy() -> None:
    ground = field("0101-0110", sides=way("road", "0101", "0102"))
    zones = {"zones": ["0104", "0105"]}
    assert not is_supplied(ground, lines(ground, "0101", **zones), "0106")
    assert not is_supplied(ground, lines(ground, "0101", **zones, friends=["0105"]), "0106")
    assert is_supplied(ground, lines(ground, "0101", **zones, friends=["0104", "0105"]), "0106")
    assert not is_supplied(ground, lines(ground, "0101", enemies=["0104"], friends=["0104"]), "0106")


def test_9_2_1_the_zone_in_the_units_own_hex_does_not_count() -> None:
    ground = field("0101-0110", sides=way("road", "0101", "0102"))
    assert is_supplied(ground, lines(ground, "0101", zones=["0105"]), "0105")
    assert is_supplied(ground, lines(ground, "0101", zones=["0102"]), "0102")


def test_9_2_2_a_cliff_is_crossed_by_the_first_step_alone() -> None:
    ground = field("0101-0110", sides=way("road", "0101", "0102") | {"0104/0105": {"cliff": True}})
    given = lines(ground, "0101")
    assert is_supplied(ground, given, "0105")
    assert not is_supplied(ground, given, "0106")


def test_9_2_3_an_enemy_in_the_source_blocks_it() -> None:
    ground = field("0101-0110", sides=way("road", *column(1, 1, 5)))
    assert not is_supplied(ground, lines(ground, "0101", enemies=["0101"]), "0105")


def test_9_2_3_from_a_source_next_to_an_enemy_no_road_leads_on() -> None:
    ground = field(TALL, sides=way("road", *column(1, 1, 15)))
    given = lines(ground, "0101", enemies=["0201"])
    assert is_supplied(ground, given, "0106")  # the source itself is a road hex, five hexes away
    assert not is_supplied(ground, given, "0107")


@pytest.mark.parametrize(
    ("crossing", "blown", "expected"),
    [
        ({"road": True, "bridge": "bridge"}, "", True),
        ({"road": True, "bridge": "bridge", "blown": "1 2"}, "blown", False),
        ({"road": True, "bridge": "bridge", "blown": "1"}, "blown in scenario 1", True),
        ({"trail": True, "bridge": "footbridge"}, "", False),
    ],
)
def test_9_2_1_roads_cross_only_bridges_that_stand_and_no_footbridge(
    crossing: dict[str, object], blown: str, expected: bool
) -> None:
    sides = way("road", *column(1, 1, 10)) | {"0103/0104": {"water": "isonzo", **crossing}}
    ground = field("0101-0110", sides=sides)
    assert is_supplied(ground, lines(ground, "0101"), "0110") == expected


def test_19_1_2_off_the_road_a_line_goes_over_a_footbridge() -> None:
    sides = way("road", "0101", "0102") | {"0103/0104": {"water": "isonzo", "trail": True, "bridge": "footbridge"}}
    ground = field("0101-0110", sides=sides)
    assert is_supplied(ground, lines(ground, "0101"), "0105")


@pytest.mark.parametrize(("water", "expected"), [("isonzo", False), ("river", True)])
def test_19_1_without_a_bridge_only_the_isonzo_stops_who_walks(water: str, expected: bool) -> None:
    sides = way("road", "0101", "0102") | {"0103/0104": {"water": water}}
    ground = field("0101-0110", sides=sides)
    given = lines(ground, "0101")
    assert is_supplied(ground, given, "0105") == expected
    pair = (ground.grid.index["0103"], ground.grid.index["0104"])
    assert is_supplied(ground, given._replace(built=(pair,)), "0105")  # 21.1: a bridge that engineers made


def test_21_7_no_line_runs_over_the_left_bank() -> None:
    ground = field("0101-0110", {"0104": {"out_of_play": True}}, way("road", "0101", "0102"))
    assert not is_supplied(ground, lines(ground, "0101"), "0105")


def test_24_3_the_line_of_the_sectors_cuts_lines_and_common_hexes_do_not() -> None:
    """A road that leaves the sector and comes back."""
    road = way("road", *column(1, 1, 15))
    for sector, expected in (("right", False), ("common", True)):
        ground = field(TALL, {"0104": {"sector": sector}, "0204": {"sector": sector}}, road, scenario=1)
        assert is_supplied(ground, lines(ground, "0101", inside=ground.inside[LEFT]), "0115") == expected


def test_9_4_1_guns_deny_roads_and_not_the_way_to_them() -> None:
    ground = field(TALL, sides=way("road", *column(1, 1, 15)))
    given = lines(ground, "0101", interdicted=["0105"])
    assert is_supplied(ground, given, "0110")  # 0105 is where the part off the road ends
    assert not is_supplied(ground, given, "0111")
    assert is_supplied(ground, lines(ground, "0101"), "0111")


# The board of the game


def both_fronts(ground: Ground) -> list[int]:
    """For each side its trenches along the front, all of them manned."""
    return [
        ground.trench[s] & ground.held[s] & ground.around(ground.held[1 - s] & ground.extent) for s in (AHG, ITALIAN)
    ]


def lines_of(ground: Ground, side: int, wing: str, units: list[int], hidden: int) -> Lines:
    """The lines of a side, in scenario 1 of a wing, against all that the enemy has in both sectors."""
    standing = ground.all_bridges & ~ground.blown
    parts = [ground.inside[LEFT], ground.inside[RIGHT]] if ground.scenario == 1 else [ground.extent]
    zones = 0
    for part in parts:
        zones |= zone(ground, 1 - side, units[1 - side] & part, standing, hidden=hidden) & part
    inside = ground.inside[wing] if wing else ground.extent
    return Lines(ground.sources[side], inside, units[side], units[1 - side], zones, standing)


@pytest.mark.parametrize("fog", [False, True], ids=["clear", "fog and blizzard"])
@pytest.mark.parametrize("scenario", BATTLE)
@pytest.mark.parametrize("side", [AHG, ITALIAN], ids=["ahg", "italian"])
def test_every_hex_of_both_fronts_is_supplied(side: int, scenario: int, fog: bool) -> None:
    """9.2, 9.4: with both fronts manned, and in scenario 1 within each sector; so anybody there can be activated."""
    ground = Ground(board_pack("caporetto"), scenario)
    fronts = both_fronts(ground)
    assert [front.bit_count() for front in fronts] == [47, 48]
    hidden = ground.at_level[1] | ground.at_level[2] | ground.high if fog else 0
    for wing in (LEFT, RIGHT) if scenario == 1 else ("",):
        given = lines_of(ground, side, wing, fronts, hidden)
        assert names(ground, fronts[side] & given.inside & ~supplied(ground, given)) == []


def test_without_the_mule_track_of_the_tolminca_the_front_before_tolmino_starves() -> None:
    """Why the track is on the board: it carries the only source of the right wing between Tolmino and Monte Nero."""
    ground = Ground(board_pack("caporetto"), 1)
    given = lines_of(ground, AHG, RIGHT, both_fronts(ground), 0)
    short = given._replace(sources=given.sources & ~mask(ground, ["2332"]))
    lost = names(ground, supplied(ground, given) & both_fronts(ground)[AHG] & ~supplied(ground, short))
    assert {"1524", "1625", "1725", "1824", "1925", "2126"} <= set(lost)
