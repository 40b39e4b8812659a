"""5, 6, 17, 19, 21.1: reinforcements and income; trenches that are repaired, bridges that are blown and built."""

from __future__ import annotations

import pytest
from caporetto_packs import printed
from caporetto_positions import battalion, field

from fronte.engine.event import Event
from fronte.games.caporetto import engineers, reinforcements
from fronte.games.caporetto.printed import DUE, CaporettoPrinted
from fronte.games.caporetto.stacking import why_not
from fronte.games.caporetto.state import begin, put, zone_of
from fronte.games.caporetto.terrain import AHG, ISONZO, ITALIAN
from fronte.hexes import bits


def engineer(rules: CaporettoPrinted, side: int, *, pontoon: bool) -> int:
    mine = rules.engineers & rules.of_side[side]
    return next(u for u in bits(mine) if bool(rules.pontoons >> u & 1) == pontoon)


# 5


def test_reinforcements_come_when_they_are_due_or_later() -> None:
    """5.1, 5.2: delaying is free."""
    rules = printed("historical")
    state = begin(rules, b"s")
    turn = next(turn for turn, units in enumerate(rules.reinforcements) if units)
    unit = rules.reinforcements[turn][0]
    force = rules.force[unit]
    state.turn = turn - 1
    refusal = reinforcements.why_not_placed(rules, state, unit)
    assert refusal is not None and refusal.key == "not_due"
    assert unit not in reinforcements.due(rules, state, force)
    for now in (turn, turn + 1):
        state.turn = now
        assert unit in reinforcements.due(rules, state, force)
        assert reinforcements.why_not_placed(rules, state, unit) is None
    out: list[Event] = []
    reinforcements.place(rules, state, unit, out)
    assert state.at[unit] == rules.entry[unit] and out[0].kind == "arrives"
    assert unit not in reinforcements.due(rules, state, force)


def test_an_entry_hex_may_be_full_but_not_the_enemys() -> None:
    """5.1, 5.2: nor in his zone, unless a friend is there."""
    rules, state = field("historical")
    unit = next(u for u, turn in enumerate(rules.arrives) if turn and rules.combat >> u & 1)
    state.at[unit] = DUE
    state.turn = rules.scene.last_turn
    side, h = rules.side[unit], rules.entry[unit]
    friends = [u for u in bits(rules.combat & rules.of_side[side]) if u != unit and rules.quarters[u] == 4][:4]
    for friend in friends:
        put(rules, state, friend, h)
    assert why_not(rules, h, [*friends, unit])
    assert reinforcements.why_not_placed(rules, state, unit) is None
    enemy = battalion(rules, 1 - side)
    near = next((o for o in rules.grid.adjacent[h] if _threatens(rules, enemy, o, h)), -1)
    if near >= 0:
        put(rules, state, enemy, near)
        assert reinforcements.why_not_placed(rules, state, unit) is None
        for friend in friends:
            put(rules, state, friend, -1)
        assert zone_of(rules, state, 1 - side) >> h & 1
        refusal = reinforcements.why_not_placed(rules, state, unit)
        assert refusal is not None and refusal.key == "zone_in_entry"
    for friend in friends:
        put(rules, state, friend, -1)
    put(rules, state, enemy, h)
    refusal = reinforcements.why_not_placed(rules, state, unit)
    assert refusal is not None and refusal.key == "enemy_in_entry"


def _threatens(rules: CaporettoPrinted, enemy: int, at: int, h: int) -> bool:
    state = begin(rules, b"s")
    state.turn = rules.scene.last_turn
    state.occ = [0, 0]
    state.occ[rules.side[enemy]] = 1 << at
    return bool(zone_of(rules, state, rules.side[enemy]) >> h & 1)


@pytest.mark.parametrize(
    ("scenario", "turns", "points"), [("historical", 4, 26), ("what_if", 3, 60), ("maggiore", 8, 5), ("cividale", 8, 5)]
)
def test_italians_get_points_from_the_second_turn_on(scenario: str, turns: int, points: int) -> None:
    """24.14, 25.14, 26.5, 27.5: with the checks of the rules."""
    rules = printed(scenario)
    state = begin(rules, b"s")
    for turn in range(rules.scene.first_turn, turns + 1):
        state.turn = turn
        reinforcements.income(rules, state, [])
    assert {state.points[force] for force in rules.scene.logistics} == {points}


# 17


def test_engineers_repair_what_is_damaged_and_no_more() -> None:
    """17.1, 17.3."""
    rules, state = field("what_if")
    unit = engineer(rules, ITALIAN, pontoon=False)
    h = next(h for h in bits(rules.ground.trench[ITALIAN]) if rules.ground.trench_level[h] == 2)
    put(rules, state, unit, h)
    assert not engineers.can_repair_trench(rules, state, unit)
    state.lowered |= 1 << h
    assert engineers.can_repair_trench(rules, state, unit)
    infantry = battalion(rules, ITALIAN)
    put(rules, state, infantry, h)
    assert not engineers.can_repair_trench(rules, state, infantry)
    engineers.begin_work(rules, state, unit, (h, h), [])
    assert unit not in engineers.idle(rules, state, rules.force[unit])
    engineers.finish_trenches(rules, state, rules.force[unit], [])
    assert not state.lowered >> h & 1 and not state.works and unit in engineers.idle(rules, state, rules.force[unit])


def test_work_that_is_disturbed_is_lost() -> None:
    """17.3."""
    rules, state = field("what_if")
    unit = engineer(rules, ITALIAN, pontoon=False)
    h = next(h for h in bits(rules.ground.trench[ITALIAN]) if rules.ground.trench_level[h] == 2)
    put(rules, state, unit, h)
    state.lowered |= 1 << h
    engineers.begin_work(rules, state, unit, (h, h), [])
    out: list[Event] = []
    engineers.stop_work(rules, state, unit, out)
    engineers.stop_work(rules, state, unit, out)
    assert [event.kind for event in out] == ["work_stopped"]
    engineers.finish_trenches(rules, state, rules.force[unit], [])
    assert state.lowered >> h & 1


@pytest.mark.parametrize(("hexes", "price"), [(0, 0), (1, 1), (5, 1), (6, 2)])
def test_repairs_cost_a_point_for_each_five_hexes(hexes: int, price: int) -> None:
    """17.2: and the AHG nothing."""
    assert engineers.repair_price(printed("what_if"), ITALIAN, hexes) == price
    assert engineers.repair_price(printed("what_if"), AHG, hexes) == 0


# 19


def test_pontoon_engineers_blow_bridges_within_two_hexes() -> None:
    """19.2: with nothing of the enemy in between; others never, nor in the first turn of scenario 2 (25.9.1)."""
    rules, state = field("what_if")
    bridge = next(b for n, b in enumerate(rules.ground.bridges) if state.standing >> n & 1 and b.isonzo)
    unit, other = engineer(rules, ITALIAN, pontoon=True), engineer(rules, ITALIAN, pontoon=False)
    for who, able in ((unit, True), (other, False)):
        put(rules, state, who, bridge.a)
        assert engineers.can_blow(rules, state, who, bridge[:2]) == able
    ends = 1 << bridge.a | 1 << bridge.b
    two = rules.ground.around(rules.ground.around(ends)) & ~rules.ground.around(ends) & ~ends & rules.ground.extent
    h = next(bits(two))
    put(rules, state, unit, h)
    assert engineers.can_blow(rules, state, unit, bridge[:2])
    between = list(bits(rules.grid.ring[h] & rules.ground.around(ends) & rules.ground.extent))
    enemies = [u for u in bits(rules.combat & rules.of_side[AHG]) if rules.quarters[u] == 4]
    for enemy, at in zip(enemies, between, strict=False):
        put(rules, state, enemy, at)
    assert not engineers.can_blow(rules, state, unit, bridge[:2])
    for enemy in enemies[: len(between)]:
        put(rules, state, enemy, -1)
    three = rules.ground.around(two) & ~rules.ground.around(rules.ground.around(ends)) & rules.ground.extent
    put(rules, state, unit, next(h for h in bits(three) if min(rules.grid.distance(h, e) for e in bits(ends)) == 3))
    assert not engineers.can_blow(rules, state, unit, bridge[:2])
    put(rules, state, unit, bridge.a)
    state.turn = 1
    assert not engineers.can_blow(rules, state, unit, bridge[:2])


def test_a_bridge_goes_up_on_a_four_and_on_approach_on_a_three() -> None:
    """19.2, 19.2.1, 19.2.2."""
    rules, state = field("what_if")
    assert engineers.blows(rules, 4) and not engineers.blows(rules, 5)
    number, bridge = next((n, b) for n, b in enumerate(rules.ground.bridges) if b.charged)
    german, italian = battalion(rules, AHG), battalion(rules, ITALIAN)
    assert number in engineers.charged(rules, state, german, bridge.a)
    assert engineers.charged(rules, state, italian, bridge.a) == []
    engineers.approach(rules, state, number, 4, [])
    assert state.standing >> number & 1
    assert number not in engineers.charged(rules, state, german, bridge.b)
    state.tested = 0
    out: list[Event] = []
    engineers.approach(rules, state, number, 3, out)
    assert not state.standing >> number & 1 and out[0].rules == ("19.2.1",)


@pytest.mark.parametrize(("option", "near"), [("bank-hex", False), ("ring", True)])
def test_by_option_a_bridge_goes_up_before_who_comes_near(option: str, near: bool) -> None:
    """19.2.1."""
    rules, state = field("what_if", bridge_adjacent=option)
    number, bridge = next((n, b) for n, b in enumerate(rules.ground.bridges) if b.charged)
    h = next(h for h in rules.grid.adjacent[bridge.a] if h != bridge.b and h not in rules.grid.adjacent[bridge.b])
    assert (number in engineers.charged(rules, state, battalion(rules, AHG), h)) == near


def test_all_repair_small_bridges_and_pontoon_engineers_the_isonzos() -> None:
    """19.3, 21.1."""
    rules, state = field("what_if")
    small = next(b for b in rules.ground.bridges if not b.isonzo)
    great = next(
        b for b in rules.ground.bridges if b.isonzo and rules.ground.extent >> b.a & rules.ground.extent >> b.b & 1
    )
    state.standing = 0
    for bridge, pontoon, able in (
        (small, False, True),
        (small, True, True),
        (great, False, False),
        (great, True, True),
    ):
        unit = engineer(rules, AHG, pontoon=pontoon)
        put(rules, state, unit, bridge.a)
        span = (min(bridge.a, bridge.b), max(bridge.a, bridge.b))
        assert (span in engineers.spans(rules, state, unit)) == able
        put(rules, state, battalion(rules, ITALIAN), bridge.b)
        assert span not in engineers.spans(rules, state, unit)
        put(rules, state, battalion(rules, ITALIAN), -1)
        put(rules, state, unit, -1)
    state.standing = rules.ground.all_bridges
    unit = engineer(rules, AHG, pontoon=True)
    put(rules, state, unit, small.a)
    assert (min(small.a, small.b), max(small.a, small.b)) not in engineers.spans(rules, state, unit)


@pytest.mark.parametrize("allowed", [True, False])
def test_new_bridges_are_built_on_the_isonzo_alone(allowed: bool) -> None:
    """21.1: unless an option forbids it."""
    rules, state = field("what_if", new_bridges="true" if allowed else "false")
    ground = rules.ground
    here, there = next(
        (h, o)
        for h in bits(ground.extent)
        for way, o in ground.ways_from(h)
        if ground.water[way] == ISONZO and ground.bridge[way] < 0 and ground.extent >> o & 1
    )
    unit = engineer(rules, AHG, pontoon=True)
    put(rules, state, unit, here)
    span = (min(here, there), max(here, there))
    assert (span in engineers.spans(rules, state, unit)) == allowed
    if not allowed:
        return
    engineers.begin_work(rules, state, unit, span, [])
    engineers.finish_bridges(rules, state, rules.force[unit], [])
    assert state.built == (span,)
    assert span not in engineers.spans(rules, state, unit)


def test_a_bridge_is_ready_unless_an_enemy_is_at_its_end() -> None:
    """19.3."""
    rules, state = field("what_if")
    number, bridge = next((n, b) for n, b in enumerate(rules.ground.bridges) if not b.isonzo)
    unit = engineer(rules, AHG, pontoon=False)
    span = (min(bridge.a, bridge.b), max(bridge.a, bridge.b))
    put(rules, state, unit, bridge.a)
    for enemy, ready in ((True, False), (False, True)):
        state.standing &= ~(1 << number)
        engineers.begin_work(rules, state, unit, span, [])
        put(rules, state, battalion(rules, ITALIAN), bridge.b if enemy else -1)
        engineers.finish_bridges(rules, state, rules.force[unit], [])
        assert bool(state.standing >> number & 1) == ready
        assert not state.works and not state.working


def test_the_pioneers_may_begin_at_their_bridge_if_nobody_is_beyond() -> None:
    """25.8."""
    rules, state = field("what_if")
    assert rules.ids[engineers.may_begin_building(rules, state)] == "de-ciii-1"
    put(rules, state, battalion(rules, ITALIAN), rules.grid.index["1624"])
    assert engineers.may_begin_building(rules, state) == -1
    assert engineers.may_begin_building(*field("historical")) == -1
