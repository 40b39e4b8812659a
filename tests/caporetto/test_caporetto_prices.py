"""10.0: what steps cost on the board, by the column of the chart: points are told in quarters."""

from __future__ import annotations

import pytest
from caporetto_places import ways
from caporetto_positions import field

from fronte.games.caporetto.prices import is_full, step_price
from fronte.games.caporetto.printed import CaporettoPrinted
from fronte.games.caporetto.state import put
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits

POINT = 4


def one(rules: CaporettoPrinted, foot: str, side: int | None = None) -> int:
    """A unit of a column of the chart."""
    column = rules.tables.feet.index(foot)
    wanted = rules.combat | rules.guns
    return next(
        u
        for u in bits(wanted)
        if rules.foot[u] == column and (side is None or rules.side[u] == side) and rules.points[u]
    )


def is_plain(rules: CaporettoPrinted, way: int, here: int, there: int) -> bool:
    """From one clear hex to another of the same level, with nothing between them and no road."""
    ground = rules.ground
    open_hexes = all(ground.terrain[h] == "clear" and not ground.observers >> h & 1 for h in (here, there))
    between = ground.water[way] or ground.cliff[way] or ground.crest[way] or ground.route[way] or ground.link[way] >= 0
    return open_hexes and not between and not ground.stream[here] and ground.level[here] == ground.level[there]


def test_clear_ground_costs_what_the_chart_says() -> None:
    rules, state = field("historical")
    here, there = ways(rules, lambda *way: is_plain(rules, *way))[0]
    for foot, price in zip(rules.tables.feet, rules.tables.hex_cost["clear"], strict=True):
        if foot == "art_light":
            continue  # light guns are mountain guns, all of them
        assert step_price(rules, state, one(rules, foot), here, there, by_road=False) == price


@pytest.mark.parametrize(("option", "each"), [("flat", 1), ("per-level", 2)])
def test_uphill_costs_a_point_and_mountain_infantry_nothing(option: str, each: int) -> None:
    """10.0.7: once however many levels, unless by option."""
    rules, state = field("historical", uphill_cost=option)
    ground = rules.ground

    def is_steep(way: int, here: int, there: int) -> bool:
        flat = ground.terrain[there] == "clear" and not ground.observers >> there & 1 and not ground.stream[here]
        free = not (ground.water[way] or ground.cliff[way] or ground.route[way] or ground.link[way] >= 0)
        return flat and free and ground.level[there] == ground.level[here] + 2

    here, there = ways(rules, is_steep)[0]
    assert step_price(rules, state, one(rules, "foot"), here, there, by_road=False) == POINT + each * POINT
    assert step_price(rules, state, one(rules, "mountain"), here, there, by_road=False) == POINT
    assert step_price(rules, state, one(rules, "art_medium"), here, there, by_road=False) == CLOSED
    assert step_price(rules, state, one(rules, "art_medium"), there, here, by_road=False) == CLOSED
    assert step_price(rules, state, one(rules, "art_mountain"), here, there, by_road=False) > 0
    assert (
        step_price(rules, state, one(rules, "foot"), there, here, by_road=False)
        == (rules.enter_cost[rules.foot[one(rules, "foot")]][here])
    )


def test_across_a_crest_one_goes_uphill_both_ways() -> None:
    """10.0.8: the printed example."""
    rules, _ = field("historical")
    a, b = (rules.grid.index[name] for name in ("3628", "3629"))
    assert rules.ground.level[a] == rules.ground.level[b]
    for here, there in ((a, b), (b, a)):
        assert rules.prices.uphill[rules.ground.way(here, there)] == 1


def test_out_of_a_stream_and_to_a_mountain_top_it_is_always_uphill() -> None:
    """10.0.10: but not along the stream."""
    rules, _ = field("historical")
    ground, uphill = rules.ground, rules.prices.uphill
    level = ground.level
    out = ways(
        rules, lambda way, a, b: bool(ground.stream[a]) and not ground.stream_along[way] and level[a] >= level[b]
    )
    assert {uphill[ground.way(*pair)] for pair in out} == {1}
    tops = ways(rules, lambda way, a, b: bool(ground.peaks >> b & 1) and level[a] >= level[b])
    assert {uphill[ground.way(*pair)] for pair in tops} == {1}
    valley = ways(
        rules,
        lambda way, a, b: (
            bool(ground.stream_along[way])
            and level[a] == level[b]
            and not ground.crest[way]
            and not ground.peaks >> b & 1
        ),
    )
    assert {uphill[ground.way(*pair)] for pair in valley} == {0}


def test_only_mountain_infantry_climbs_cliffs_and_pays_all_it_has() -> None:
    """10.0.9."""
    rules, state = field("historical")
    here, there = ways(rules, lambda way, a, b: rules.ground.cliff[way])[0]
    assert step_price(rules, state, one(rules, "mountain"), here, there, by_road=False) == WHOLE_ALLOWANCE
    for foot in ("foot", "cavalry", "art_mountain"):
        assert step_price(rules, state, one(rules, foot), here, there, by_road=False) == CLOSED


def test_a_road_is_paid_instead_of_everything_else() -> None:
    """10.0.4: woods, rivers and slopes cost nothing more along it."""
    rules, state = field("historical")
    ground = rules.ground
    up = ways(rules, lambda way, a, b: ground.route[way] == "road" and ground.level[b] > ground.level[a])
    assert {step_price(rules, state, one(rules, "foot"), *pair, by_road=True) for pair in up} == {POINT // 2}
    trails = ways(rules, lambda way, a, b: ground.route[way] == "trail" and ground.bridge[way] < 0)
    assert {step_price(rules, state, one(rules, "foot"), *pair, by_road=True) for pair in trails} == {POINT}
    here, there = ways(rules, lambda way, a, b: not ground.route[way])[0]
    assert step_price(rules, state, one(rules, "foot"), here, there, by_road=True) == CLOSED


def test_rivers_cost_two_points_and_the_isonzo_is_closed() -> None:
    """19.1, table.tec."""
    rules, state = field("historical")
    ground, foot = rules.ground, one(rules, "foot")
    rivers = ways(rules, lambda way, a, b: ground.water[way] == "river" and not rules.prices.uphill[way])
    for here, there in rivers:
        dry = rules.enter_cost[rules.foot[foot]][there]
        assert step_price(rules, state, foot, here, there, by_road=False) == dry + 2 * POINT
    for here, there in ways(rules, lambda way, a, b: ground.water[way] == "isonzo"):
        assert step_price(rules, state, foot, here, there, by_road=False) == CLOSED


def test_bridges_carry_until_they_are_blown_and_footbridges_carry_no_guns() -> None:
    """19.1.2, 19.2.2."""
    rules, state = field("historical")
    ground, foot, gun = rules.ground, one(rules, "foot"), one(rules, "art_mountain")
    state.standing = ground.all_bridges
    for number, bridge in enumerate(ground.bridges):
        if not all(ground.extent >> h & 1 for h in bridge[:2]):
            continue
        price = step_price(rules, state, foot, bridge.a, bridge.b, by_road=True)
        assert price > 0
        assert (step_price(rules, state, gun, bridge.a, bridge.b, by_road=True) == CLOSED) == bridge.foot
        state.standing &= ~(1 << number)
        assert step_price(rules, state, foot, bridge.a, bridge.b, by_road=True) == CLOSED
    assert any(bridge.foot for bridge in ground.bridges)


def test_a_bridge_built_in_play_opens_the_isonzo() -> None:
    """21.1: the hex beyond is paid for."""
    rules, state = field("historical")
    ground, foot = rules.ground, one(rules, "foot")
    here, there = ways(rules, lambda way, a, b: ground.water[way] == "isonzo" and ground.bridge[way] < 0)[0]
    state.built = ((there, here),)
    assert step_price(rules, state, foot, here, there, by_road=False) == rules.enter_cost[rules.foot[foot]][there]


def test_connected_trenches_of_ones_own_are_like_a_trail() -> None:
    """17.7.2."""
    rules, state = field("historical")
    ground = rules.ground
    linked = ways(
        rules,
        lambda way, a, b: (
            ground.link[way] == ITALIAN
            and not ground.route[way]
            and not ground.water[way]
            and rules.prices.off_road[0][way] > POINT
        ),
    )
    mine, theirs = one(rules, "foot", ITALIAN), one(rules, "foot", AHG)
    for pair in linked:
        assert step_price(rules, state, mine, *pair, by_road=False) == POINT
        assert step_price(rules, state, theirs, *pair, by_road=False) > POINT


def test_in_a_blizzard_men_pay_a_point_more_and_guns_twice() -> None:
    """8.1: in High Mountain, in turn 1."""
    rules, state = field("historical")
    here, there = ways(rules, lambda way, a, b: bool(rules.ground.high >> b & 1) and rules.prices.off_road[4][way] > 0)[
        0
    ]
    mule, alpini = one(rules, "art_mountain"), one(rules, "mountain")
    calm = [step_price(rules, state, u, here, there, by_road=False) for u in (alpini, mule)]
    state.turn = 1
    assert [step_price(rules, state, u, here, there, by_road=False) for u in (alpini, mule)] == [
        calm[0] + POINT,
        calm[1] * 2,
    ]


def test_cyclists_pay_half_along_roads_where_no_enemy_is_near() -> None:
    """21.8."""
    rules, state = field("what_if")
    ground = rules.ground
    here, there = ways(rules, lambda way, a, b: ground.route[way] == "road" and ground.bridge[way] < 0)[0]
    wheels = [u for u in bits(rules.wheeled) if rules.combat >> u & 1]
    if not wheels:
        pytest.fail("the scenario has no cyclists")
    assert step_price(rules, state, wheels[0], here, there, by_road=True) == 1
    put(rules, state, one(rules, "foot", AHG), rules.grid.adjacent[there][0])
    assert step_price(rules, state, wheels[0], here, there, by_road=True) == 2


def test_a_battalion_or_a_gun_on_the_move_fills_a_road() -> None:
    """10.0.4, 11.3: machine guns and emplaced guns do not; one to four companies are a battalion (3.0), but for the one
    that is free for any purpose (11.5)."""
    rules, state = field("what_if")
    h = next(bits(rules.ground.roads & rules.ground.extent))
    battalion = next(u for u in bits(rules.combat) if rules.quarters[u] == 4)
    gun = one(rules, "art_medium", AHG)
    companies = [u for u in bits(rules.machine_guns) if rules.side[u] == AHG][:3]
    for unit in companies:
        put(rules, state, unit, h)
    put(rules, state, gun, h)
    assert not is_full(rules, state, h)
    state.emplaced &= ~(1 << gun)
    assert is_full(rules, state, h)
    assert not is_full(rules, state, h, moving=1 << gun)
    put(rules, state, gun, -1)
    put(rules, state, battalion, h)
    assert is_full(rules, state, h)
    assert not is_full(rules, state, h, moving=1 << battalion)
    put(rules, state, battalion, -1)
    made = list(bits(rules.generic & rules.infiltration))[:2]
    put(rules, state, made[0], h)
    assert not is_full(rules, state, h)
    put(rules, state, made[1], h)
    assert is_full(rules, state, h)
    for unit in made:
        put(rules, state, unit, -1)
    put(rules, state, next(bits(rules.engineers & ~rules.infiltration & ~rules.mountain)), h)
    assert is_full(rules, state, h)
