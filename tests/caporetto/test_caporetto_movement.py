"""10: what units can spend, where they stop, where they can go, and who may fire at them on the way."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_packs import SCENARIOS, printed
from caporetto_positions import battalion, field, plain

from fronte.games.caporetto.movement import (
    NEVER,
    OTHERS,
    Manner,
    allowance,
    can_exit,
    fits_road,
    going,
    leaving_price,
    must_stop,
    price,
    spread,
    watchers,
    why_not_so,
)
from fronte.games.caporetto.printed import CaporettoPrinted
from fronte.games.caporetto.state import State, begin, put, zone_of
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits

POINT = 4
STEP = Manner()
LATER = Manner(OTHERS)


def line(rules: CaporettoPrinted, side: int, *, infiltration: bool = False) -> int:
    """A battalion on foot of a side that can infiltrate, or one that cannot."""
    foot = rules.tables.feet.index("foot")
    return next(
        u
        for u in bits(rules.combat & rules.of_side[side])
        if rules.foot[u] == foot and rules.quarters[u] == 4 and bool(rules.infiltration >> u & 1) == infiltration
    )


@pytest.mark.parametrize(
    ("manner", "option", "points"),
    [
        (Manner(), "multiply", 6),
        (Manner(forced=True), "multiply", 9),
        (Manner(OTHERS, strategic=True), "multiply", 12),
        (Manner(OTHERS, forced=True, strategic=True), "multiply", 18),
        (Manner(OTHERS, forced=True, strategic=True), "add", 15),
    ],
)
def test_forced_marches_and_strategic_movement_raise_the_allowance(manner: Manner, option: str, points: int) -> None:
    """10.4, 10.3.2."""
    rules, state = field(forced_strategic=option)
    unit = line(rules, ITALIAN)
    assert rules.points[unit] == 6 * POINT
    assert allowance(rules, state, [unit], manner) == points * POINT


def test_a_stack_goes_as_fast_as_its_slowest_and_rommels_men_a_point_farther() -> None:
    """10.0, 21.6."""
    rules, state = field()
    unit = line(rules, ITALIAN)
    fast = next(u for u in bits(rules.cavalry) if rules.side[u] == ITALIAN)
    assert allowance(rules, state, [fast, unit], STEP) == rules.points[unit] < rules.points[fast]
    company = next(bits(rules.rommel_companies))
    before = allowance(rules, state, [company], STEP)
    state.rommel |= 1 << company
    assert allowance(rules, state, [company], STEP) == before + POINT


def test_who_cannot_march_and_who_cannot_move_strategically() -> None:
    """10.4, 10.3.2, 10.3.2.e2."""
    rules, state = field()
    unit, gun = line(rules, ITALIAN), next(u for u in bits(rules.guns) if rules.side[u] == ITALIAN)
    here = plain(rules)[0]
    put(rules, state, unit, here)
    put(rules, state, gun, here)

    def why(who: int, manner: Manner) -> str:
        refusal = why_not_so(rules, state, [who], manner)
        return refusal.key if refusal else ""

    march, ride = Manner(forced=True), Manner(OTHERS, strategic=True)
    assert why(unit, march) == why(unit, ride) == why(gun, ride) == ""
    assert why(gun, march) == "guns_do_not_march"
    assert why(unit, Manner(strategic=True)) == "not_in_action"
    state.dp[unit] = rules.morale[unit] - 1
    assert why(unit, march) == "too_worn_to_march"
    state.dp[unit] -= 1
    assert why(unit, march) == ""
    state.ooc |= 1 << unit
    assert why(unit, ride) == "out_of_command"
    state.ooc = 0
    enemy = battalion(rules, AHG)
    put(rules, state, enemy, next(bits(rules.grid.within(here, 3) & ~rules.grid.within(here, 2))))
    assert why(unit, ride) == ""
    put(rules, state, enemy, next(bits(rules.grid.within(here, 2) & ~rules.grid.within(here, 1))))
    assert why(unit, ride) == "enemy_near"


def test_in_the_first_turn_nobody_moves_strategically() -> None:
    """24.9."""
    rules, state = field("historical")
    unit = line(rules, ITALIAN)
    put(rules, state, unit, plain(rules)[0])
    ride = Manner(OTHERS, strategic=True)
    assert why_not_so(rules, state, [unit], ride) is None
    state.turn = 1
    refusal = why_not_so(rules, state, [unit], ride)
    assert refusal is not None and refusal.rule == "24.9"


def test_out_of_an_enemy_zone_one_who_is_alone_pays_a_point_more() -> None:
    """10.1.1: not in company, and not who infiltrates (21.5.1)."""
    rules, state = field()
    row = plain(rules)
    unit, friend = [u for u in bits(rules.combat & rules.of_side[ITALIAN]) if rules.quarters[u] == 4][:2]
    put(rules, state, battalion(rules, AHG), row[1])
    put(rules, state, unit, row[0])
    assert zone_of(rules, state, AHG) >> row[0] & 1
    assert leaving_price(rules, state, row[0], going(rules, state, [unit], STEP)) == POINT
    put(rules, state, friend, row[0])
    assert leaving_price(rules, state, row[0], going(rules, state, [unit], STEP)) == 0
    assert leaving_price(rules, state, row[0], going(rules, state, [unit, friend], STEP)) == 0
    assert leaving_price(rules, state, row[0], going(rules, state, [unit], LATER)) == 0


def test_by_option_the_companion_has_to_stay() -> None:
    """10.1.1."""
    rules, state = field(ezoc_companion="stays")
    row = plain(rules)
    unit, friend = [u for u in bits(rules.combat & rules.of_side[ITALIAN]) if rules.quarters[u] == 4][:2]
    put(rules, state, battalion(rules, AHG), row[1])
    put(rules, state, unit, row[0])
    put(rules, state, friend, row[0])
    assert leaving_price(rules, state, row[0], going(rules, state, [unit], STEP)) == 0
    assert leaving_price(rules, state, row[0], going(rules, state, [unit, friend], STEP)) == POINT


def test_who_enters_an_enemy_zone_stops_unless_he_infiltrates() -> None:
    """10.1.1, 21.5.1."""
    rules, state = field()
    row = plain(rules)
    for side, capable in ((ITALIAN, False), (AHG, False), (AHG, True)):
        unit = line(rules, side, infiltration=capable)
        enemy = battalion(rules, 1 - side)
        put(rules, state, unit, row[0])
        put(rules, state, enemy, row[3])
        zone = zone_of(rules, state, 1 - side)
        reached = spread(rules, state, [unit], 6 * POINT, STEP)
        assert all(reached.before[h] == row[0] or not zone >> reached.before[h] & 1 for h in reached.left) != capable
        assert not reached.left.get(row[3])
        put(rules, state, unit, -1)
        put(rules, state, enemy, -1)


def test_lone_guns_are_entered_in_action_and_never_later() -> None:
    """10.0.5, 10.3.1.e1."""
    rules, state = field()
    row = plain(rules)
    unit, gun = line(rules, ITALIAN), next(u for u in bits(rules.guns) if rules.side[u] == AHG)
    put(rules, state, unit, row[0])
    put(rules, state, gun, row[1])
    assert row[1] in spread(rules, state, [unit], 6 * POINT, STEP).left
    assert row[1] not in spread(rules, state, [unit], 6 * POINT, LATER).left
    put(rules, state, battalion(rules, AHG), row[1])
    assert row[1] not in spread(rules, state, [unit], 6 * POINT, STEP).left


def test_guns_enter_an_enemy_zone_only_where_a_friend_is() -> None:
    """18.4."""
    rules, state = field()
    row = plain(rules)
    gun = next(u for u in bits(rules.guns) if rules.side[u] == ITALIAN and rules.foot[u] == 4 and rules.points[u])
    put(rules, state, gun, row[0])
    put(rules, state, battalion(rules, AHG), row[3])
    assert zone_of(rules, state, AHG) >> row[2] & 1
    assert row[2] not in spread(rules, state, [gun], 9 * POINT, LATER).left
    put(rules, state, battalion(rules, ITALIAN), row[2])
    assert row[2] in spread(rules, state, [gun], 9 * POINT, LATER).left


def test_one_battalion_at_a_time_goes_along_a_road() -> None:
    """10.0.4, 10.0.4.e1, 11.5."""
    rules, state = field()
    battalions = [u for u in bits(rules.combat & rules.of_side[AHG]) if rules.quarters[u] == 4]
    machine_guns = list(bits(rules.machine_guns & rules.of_side[AHG]))
    flames = list(bits(rules.flamethrowers))
    assert fits_road(rules, state, battalions[:1])
    assert not fits_road(rules, state, battalions[:2])
    assert fits_road(rules, state, [battalions[0], machine_guns[0], flames[0]])
    assert not fits_road(rules, state, [battalions[0], *machine_guns[:2]])
    companies = list(bits(rules.generic))
    assert fits_road(rules, state, companies[:5])
    assert not fits_road(rules, state, companies[:6])


def test_a_full_road_is_no_road() -> None:
    """10.0.4.e2, 11.3."""
    rules, state = field()
    ground, unit = rules.ground, line(rules, ITALIAN)
    here, there = next(
        (h, o)
        for h in bits(ground.extent)
        for way, o in ground.ways_from(h)
        if ground.route[way] == "road" and ground.bridge[way] < 0 and rules.prices.off_road[0][way] > 2 * POINT
    )
    put(rules, state, unit, here)
    ways = going(rules, state, [unit], STEP)
    assert price(rules, state, [unit], here, there, ways) == POINT // 2
    put(rules, state, next(u for u in bits(rules.combat) if u != unit and rules.quarters[u] == 4), there)
    assert price(rules, state, [unit], here, there, ways) == rules.prices.off_road[0][ground.way(here, there)]
    assert price(rules, state, [unit], here, there, going(rules, state, [unit], Manner(by_road=False))) > 2 * POINT


def test_behind_a_bridge_of_the_isonzo_italians_stop_in_the_first_turn() -> None:
    """24.10."""
    rules, state = field("historical")
    unit = next(u for u in bits(rules.combat & rules.of_side[ITALIAN]) if not rules.crossing >> u & 1)
    bridge = next(b for b in rules.ground.bridges if b.isonzo and rules.home(unit) >> b.a & rules.home(unit) >> b.b & 1)
    put(rules, state, unit, bridge.a)
    ways = going(rules, state, [unit], STEP)
    assert not must_stop(rules, state, [unit], bridge.a, bridge.b, ways)
    state.turn = 1
    assert must_stop(rules, state, [unit], bridge.a, bridge.b, going(rules, state, [unit], STEP))


def by_hand(rules: CaporettoPrinted, state: State, units: list[int], left: int, manner: Manner) -> dict[int, int]:
    """The same as `spread`, the slow way: over and over until nothing gets better."""
    ways, start = going(rules, state, units, manner), state.at[units[0]]
    whole = allowance(rules, state, units, manner)
    best, free = {start: left}, {start}
    changed = True
    while changed:
        changed = False
        for here in sorted(free):
            for there in rules.grid.adjacent[here]:
                paid = price(rules, state, units, here, there, ways)
                if ways.closed >> there & 1 or paid == CLOSED:
                    continue
                if paid == WHOLE_ALLOWANCE:
                    paid = whole if here == start and left == whole else NEVER
                elif here == start:
                    paid += leaving_price(rules, state, here, ways)
                if best[here] - paid > best.get(there, -1):
                    best[there] = best[here] - paid
                    changed = True
                    if not must_stop(rules, state, units, here, there, ways):
                        free.add(there)
    del best[start]
    return best


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_where_units_can_go_is_what_step_after_step_allows(scenario: str) -> None:
    rules, rng = printed(scenario), Random(11)
    state = begin(rules, b"s")
    there = [u for u, h in enumerate(state.at) if h >= 0 and rules.combat >> u & 1]
    for unit in rng.sample(there, 4):
        manner = Manner(rng.choice(["tactical", OTHERS]), forced=rng.random() < 0.5)
        left = allowance(rules, state, [unit], manner) - rng.choice([0, 0, 4])
        reached = spread(rules, state, [unit], left, manner)
        assert reached.left == by_hand(rules, state, [unit], left, manner)
        for h, before in reached.before.items():
            assert before in rules.grid.adjacent[h]


def test_units_leave_the_map_by_the_roads_of_the_edge() -> None:
    """21.9."""
    rules, state = field()
    unit = line(rules, ITALIAN)
    here = next(bits(rules.ground.exits))
    put(rules, state, unit, here)
    assert can_exit(rules, state, [unit], POINT, STEP)
    assert not can_exit(rules, state, [unit], 1, STEP)
    put(rules, state, unit, plain(rules)[0])
    assert not can_exit(rules, state, [unit], 6 * POINT, STEP)


def test_past_an_enemy_one_is_fired_at() -> None:
    """10.1.2: by who is next to both hexes, and by nobody else."""
    rules, state = field()
    row = plain(rules)
    here, there = row[1], row[2]
    unit = line(rules, ITALIAN)
    put(rules, state, unit, here)
    both = next(bits(rules.grid.ring[here] & rules.grid.ring[there]))
    behind = next(bits(rules.grid.ring[here] & ~rules.grid.ring[there] & ~(1 << there)))
    first, second = [u for u in bits(rules.combat & rules.of_side[AHG]) if rules.quarters[u] == 4][:2]
    put(rules, state, first, both)
    put(rules, state, second, behind)
    assert watchers(rules, state, [unit], here, there) == [first]
    put(rules, state, next(bits(rules.guns & rules.of_side[AHG])), both)
    assert watchers(rules, state, [unit], here, there) == [first]


def test_in_fog_and_into_trenches_of_ones_own_nobody_fires() -> None:
    """10.1.2.e1, 8.1, 17.7.1; by option only along connected trenches."""
    for option, into in (("any-friendly-trench", False), ("connected-only", True)):
        rules, state = field("historical", infiltration_trench=option)
        ground = rules.ground
        unit = line(rules, ITALIAN)
        here, there, enemy_at = next(
            (h, o, e)
            for h in bits(ground.extent & ~ground.trench[ITALIAN])
            for way, o in ground.ways_from(h)
            if ground.trench[ITALIAN] >> o & 1 and ground.link[way] < 0 and ground.extent >> o & 1
            for e in bits(rules.grid.ring[h] & rules.grid.ring[o])
            if not ground.cliff[ground.way(e, h)] and not ground.cliff[ground.way(e, o)]
        )
        enemy = battalion(rules, AHG)
        put(rules, state, unit, here)
        put(rules, state, enemy, enemy_at)
        assert bool(watchers(rules, state, [unit], here, there)) == into
    rules, state = field("historical")
    low = next(h for h in bits(rules.blind[1] & rules.ground.extent) if not rules.ground.trench[ITALIAN] >> h & 1)
    there, at = next(
        (o, e)
        for o in rules.grid.adjacent[low]
        for e in bits(rules.grid.ring[low] & rules.grid.ring[o])
        if not rules.ground.trench[ITALIAN] >> o & 1
        and not rules.ground.cliff[rules.ground.way(e, low)]
        and not rules.ground.cliff[rules.ground.way(e, o)]
    )
    put(rules, state, battalion(rules, AHG), at)
    assert watchers(rules, state, [line(rules, ITALIAN)], low, there)
    state.turn = 1
    assert not watchers(rules, state, [line(rules, ITALIAN)], low, there)
