"""The state of Caporetto: where everybody begins, what stays true as units come and go, how quickly it is copied."""

from __future__ import annotations

from random import Random
from timeit import repeat

import pytest
from caporetto_packs import SCENARIOS, printed

from fronte.games.caporetto import zoc
from fronte.games.caporetto.printed import DISPLAY, DUE, ELIMINATED, SURRENDERED, CaporettoPrinted
from fronte.games.caporetto.state import State, begin, forget_zones, put, units_of, zone_of
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits, mask_of

SEED = b"isonzo"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_everybody_begins_where_the_cards_say(scenario: str) -> None:
    rules = printed(scenario)
    state = begin(rules, SEED)
    assert [h for h in state.at if h >= 0] == [h for h in rules.begins if h >= 0]
    assert {rules.ids[u] for u, h in enumerate(state.at) if h == DUE} == {
        rules.ids[u] for u, turn in enumerate(rules.arrives) if turn
    }
    assert mask_of(u for u, h in enumerate(state.at) if h == DISPLAY) == rules.hqs
    assert [u for u, lost in enumerate(state.lost) if lost] == list(bits(rules.reduced))
    assert state.turn == rules.scene.first_turn
    assert state.emplaced == rules.guns
    assert sorted(u for stack in state.stacks.values() for u in stack) == [
        u for u, h in enumerate(rules.begins) if h >= 0
    ]


def test_the_points_and_bridges_of_each_scenario() -> None:
    assert begin(printed("maggiore"), SEED).points == [0, 5]
    assert sorted(begin(printed("historical"), SEED).points) == [0, 0, 20, 20]
    rules = printed("what_if")
    down = rules.ground.all_bridges & ~begin(rules, SEED).standing
    ends = [rules.ground.bridges[number][:2] for number in bits(down)]
    assert sorted(tuple(sorted(rules.hex_ids(pair))) for pair in ends) == [("1524", "1624"), ("3926", "3927")]


def masks_by_hand(scenario: str, state: State) -> tuple[list[int], list[int]]:
    rules = printed(scenario)
    occ, guns = [0, 0], [0, 0]
    for unit, h in enumerate(state.at):
        if h >= 0:
            if rules.combat >> unit & 1:
                occ[rules.side[unit]] |= 1 << h
            elif rules.guns >> unit & 1:
                guns[rules.side[unit]] |= 1 << h
    return occ, guns


def zones_by_hand(rules: CaporettoPrinted, state: State, side: int) -> int:
    """3.0, 24.3: unit by unit. In scenario 1 a zone ends at the line of the sector in which the unit is, out of a
    common hex at that of its own."""
    ground, found = rules.ground, 0
    for unit, h in enumerate(state.at):
        if h < 0 or rules.side[unit] != side or not rules.combat >> unit & 1:
            continue
        inside = [part for part in ground.inside.values() if part >> h & 1]
        part = ground.extent if not rules.scene.sectors else inside[0] if len(inside) == 1 else rules.home(unit)
        if ground.extent >> h & 1:
            found |= zoc.zone(ground, side, 1 << h, state.standing, 0, rules.blind[state.turn]) & part
    return found


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_masks_and_zones_stay_true_while_units_come_and_go(scenario: str) -> None:
    rules, rng = printed(scenario), Random(5)
    state = begin(rules, SEED)
    there = [u for u, h in enumerate(state.at) if h >= 0]
    for step in range(600):
        unit = rng.choice(there)
        away = (ELIMINATED, SURRENDERED)
        to = rng.choice(away) if rng.random() < 0.05 else rng.choice([state.at[rng.choice(there)], rng.randrange(900)])
        put(rules, state, unit, to)
        if step % 20 == 0:
            assert (state.occ, state.guns) == masks_by_hand(scenario, state)
            for side in (AHG, ITALIAN):
                assert zone_of(rules, state, side) == zones_by_hand(rules, state, side)
    assert sorted(u for stack in state.stacks.values() for u in stack) == [u for u in there if state.at[u] >= 0]


def test_zones_change_with_weather_and_bridges() -> None:
    rules = printed("historical")
    state = begin(rules, SEED)
    foggy = zone_of(rules, state, AHG)
    state.turn = 3
    forget_zones(state)
    assert zone_of(rules, state, AHG).bit_count() > foggy.bit_count()


def test_both_sides_may_be_in_a_hex_that_is_assaulted() -> None:
    rules = printed("maggiore")
    state = begin(rules, SEED)
    mine = next(u for u in bits(rules.combat & rules.of_side[AHG]) if state.at[u] >= 0)
    theirs = next(u for u in bits(rules.combat & rules.of_side[ITALIAN]) if state.at[u] >= 0)
    h = state.at[theirs]
    put(rules, state, mine, h)
    assert state.occ[AHG] >> h & 1 and state.occ[ITALIAN] >> h & 1
    assert units_of(rules, state, h, AHG) == (mine,)
    put(rules, state, mine, ELIMINATED)
    assert not state.occ[AHG] >> h & 1 and state.occ[ITALIAN] >> h & 1


def test_a_copy_goes_its_own_way_and_is_quickly_made() -> None:
    rules = printed("what_if")
    state = begin(rules, SEED)
    twin = state.copy()
    for name in State.__slots__:
        mine, its = getattr(state, name), getattr(twin, name)
        assert mine == its
        assert not isinstance(mine, list | dict) or mine is not its
    unit = next(u for u, h in enumerate(state.at) if h >= 0)
    before = [getattr(state, name) if name != "stacks" else dict(state.stacks) for name in State.__slots__]
    put(rules, twin, unit, ELIMINATED)
    twin.dp[unit] = 3
    twin.plan[0] = 5
    twin.points[0] = 9
    assert before == [getattr(state, name) for name in State.__slots__]
    assert twin.at[unit] == ELIMINATED != state.at[unit]
    assert min(repeat(state.copy, number=100, repeat=5)) / 100 < 100e-6  # a tenth of that on an idle machine
