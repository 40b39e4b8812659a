"""2.1 and 3.0: what the board is read as, what is wrong with a board that is refused, and zones of control."""

from __future__ import annotations

import re
from typing import Any

import pytest
from caporetto_fields import field, mask, names

from fronte.engine.pack import PackError
from fronte.games.caporetto.terrain import AHG, COMMON, ITALIAN, LEFT, RIGHT, Ground
from fronte.games.caporetto.zoc import zone
from fronte.games.registry import board_pack

AROUND = ["0202", "0203", "0302", "0304", "0403", "0402"]
"""The neighbours of 0303: even columns lie lower (2.1.e3)."""


@pytest.fixture(scope="module", params=[1, 2, 3, 4])
def ground(request: pytest.FixtureRequest) -> Ground:
    return Ground(board_pack("caporetto"), request.param)


def zone_of(small: Ground, side: int = AHG, **given: Any) -> list[str]:
    """The zone of a unit in 0303."""
    standing = given.pop("standing", small.all_bridges & ~small.blown)
    return names(small, zone(small, side, mask(small, ["0303"]), standing, **given))


def test_2_1_every_hex_is_read(ground: Ground) -> None:
    assert all(1 <= level <= 8 for level in ground.level)
    assert sum(ground.at_level) == ground.grid.everything
    assert ground.high == ground.at_level[7] | ground.at_level[8]


def test_areas_and_bridges_by_scenario(ground: Ground) -> None:
    """21.7, 24.8, 25.8, 26.2, 27.2."""
    columns = {ground.grid.column[h] for h in range(ground.grid.size) if ground.extent >> h & 1}
    expected = {1: range(6, 64), 2: range(6, 64), 3: range(17, 34), 4: range(33, 64)}[ground.scenario]
    assert (min(columns), max(columns)) == (expected[0], expected[-1])
    assert not ground.extent & ground.left_bank
    blown = [ground.bridges[n] for n in range(len(ground.bridges)) if ground.blown >> n & 1]
    down = {(ground.grid.ids[bridge.a], ground.grid.ids[bridge.b]) for bridge in blown}
    plezzo, tolmino = ("3926", "3927"), ("1524", "1624")
    assert down == {1: {plezzo}, 2: {plezzo, tolmino}, 3: set(), 4: set()}[ground.scenario]
    for side in (AHG, ITALIAN):
        assert ground.sources[side]
        assert not ground.sources[side] & ~ground.extent & ~ground.left_bank
        assert not ground.sources[side] & ~ground.held[side]


def test_24_3_sectors() -> None:
    ground = Ground(board_pack("caporetto"), 1)
    assert sum(ground.sector.values()) == ground.grid.everything
    assert ground.inside[LEFT] & ground.inside[RIGHT] == ground.sector[COMMON]
    assert names(ground, ground.sector[COMMON]) == ["1624", "1724", "1823", "1923", "2602", "3017", "3117"]
    assert {ground.grid.ids[h]: wing for h, wing in ground.depots.items()} == {
        "1516": RIGHT,
        "2119": RIGHT,
        "2623": LEFT,
        "3519": LEFT,
    }


def test_12_1_1_observers_are_places_and_summits() -> None:
    ground = Ground(board_pack("caporetto"), 1)
    for hex_id in ("2602", "2106", "1522", "4330"):  # a town, a locality, a village, a mountain top
        assert ground.observers & mask(ground, [hex_id])
    assert not ground.observers & mask(ground, ["3628"])


@pytest.mark.parametrize(
    ("hexes", "sides", "why"),
    [
        ({"0101": {"terrain": "sea"}}, {}, "terrain is 'sea'"),
        ({"0101": {"level": 9}}, {}, "level is 9"),
        ({"0101": {"trench": "ahg"}}, {}, "trench and trench_level must stand together (17.8)"),
        ({}, {"0101/0102": {"water": "river", "road": True}}, "there is a bridge (19.1.2)"),
        ({}, {"0101/0102": {"water": "river", "bridge": "bridge"}}, "there is a bridge (19.1.2)"),
        (
            {},
            {"0101/0102": {"water": "river", "trail": True, "bridge": "footbridge"}},
            "only the Isonzo has footbridges (19.1.2)",
        ),
        ({}, {"0101/0102": {"side_trench": "ahg", "side_trench_hex": "0103"}}, "side_trench_hex is '0103'"),
    ],
)
def test_a_board_that_cannot_be_is_refused_with_its_line(hexes: Any, sides: Any, why: str) -> None:
    file = "hexes.csv" if hexes else "hexsides.csv"
    with pytest.raises(PackError, match=re.escape(why)) as refused:
        field("0101-0104", hexes, sides)
    assert (refused.value.file, refused.value.line) == (file, 2)


def test_3_0_a_zone_is_the_six_hexes_around() -> None:
    assert zone_of(field("0101-0505")) == sorted(AROUND)


@pytest.mark.parametrize(
    "said",
    [
        {"settlement": "town"},
        {"terrain": "woods"},
        {"trench": "italian", "trench_level": 1},
        {"out_of_play": True},
    ],
)
def test_3_0_no_zone_into_towns_woods_enemy_trenches_or_out_of_play(said: dict[str, Any]) -> None:
    assert zone_of(field("0101-0505", {"0304": said})) == sorted(set(AROUND) - {"0304"})


@pytest.mark.parametrize("said", [{"settlement": "village"}, {"trench": "ahg", "trench_level": 2}, {"peak": True}])
def test_3_0_zones_reach_into_villages_summits_and_ones_own_trenches(said: dict[str, Any]) -> None:
    assert "0304" in zone_of(field("0101-0505", {"0304": said}))


@pytest.mark.parametrize(
    ("said", "reaches"),
    [
        ({"cliff": True}, False),
        ({"water": "river"}, False),
        ({"water": "isonzo"}, False),
        ({"water": "river", "road": True, "bridge": "bridge"}, True),
        ({"water": "isonzo", "trail": True, "bridge": "footbridge"}, True),
        ({"water": "isonzo", "road": True, "bridge": "bridge", "blown": "1 2"}, False),
        ({"side_trench": "italian", "side_trench_level": 1, "side_trench_hex": "0304"}, False),
        ({"side_trench": "italian", "side_trench_level": 1, "side_trench_hex": "0303"}, False),
        ({"side_trench": "ahg", "side_trench_level": 1, "side_trench_hex": "0303"}, True),
    ],
)
def test_3_0_what_a_hexside_does_to_zones(said: dict[str, Any], reaches: bool) -> None:
    """Trenches along a hexside stop zones in both directions; any bridge that stands lets them pass."""
    small = field("0101-0505", sides={"0303/0304": said})
    assert ("0304" in zone_of(small)) == reaches
    assert len(zone_of(small)) == 5 + reaches


def test_17_8_a_levelled_trench_along_a_hexside_stops_no_zone() -> None:
    said = {"side_trench": "italian", "side_trench_level": 1, "side_trench_hex": "0304"}
    small = field("0101-0505", sides={"0303/0304": said})
    assert "0304" in zone_of(small, levelled=1)


def test_3_0_a_bridge_behind_an_enemy_trench_lets_no_zone_pass() -> None:
    works = {"side_trench": "italian", "side_trench_level": 1, "side_trench_hex": "0304"}
    bridge = {"water": "isonzo", "road": True, "bridge": "bridge"}
    small = field("0101-0505", sides={"0303/0304": works | bridge})
    assert "0304" not in zone_of(small)
    assert "0304" in zone_of(small, side=ITALIAN)
    assert "0304" in zone_of(small, levelled=1)
    assert "0304" not in zone_of(small, levelled=1, standing=0)


def test_8_1_no_zone_into_or_out_of_fog() -> None:
    small = field("0101-0505")
    assert zone_of(small, hidden=mask(small, ["0304"])) == sorted(set(AROUND) - {"0304"})
    assert zone_of(small, hidden=mask(small, ["0303"])) == []
