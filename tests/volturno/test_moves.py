"""8: what is found quickly is what the judge of single steps allows: ways, first steps, random ways, command."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.games.registry import ruleset
from fronte.games.volturno import assault, command, movement
from fronte.games.volturno.acting import Acting, can_leave
from fronte.games.volturno.counters import GARIBALDINI, HALVES
from fronte.games.volturno.game import Volturno
from fronte.games.volturno.reaction_zones import in_enemy_zone, zone_of
from fronte.games.volturno.state import State
from fronte.games.volturno.terrain import FARTHER
from fronte.hexes import bits, flood

SCENARIOS = ("short", "full")


def rules_of(scenario: str) -> Volturno:
    found = ruleset("volturno", scenario)
    assert isinstance(found, Volturno)
    return found


def judged(rules: Volturno, state: State, unit: int) -> dict[int, int]:
    """What every hex in reach costs, found by asking the judge of each step."""
    left, start = movement.left_of(rules, state, unit), state.at[unit]
    first, kind = state.mover != unit or not state.steps, movement.marker_for(state, unit)

    def steps(here: int) -> list[tuple[int, int]]:
        side, leader = rules.side[unit], unit in rules.leader_set
        held = movement.is_bound(rules, state, unit)
        if here != start:
            held = movement.goals(rules, state, side, here) if in_enemy_zone(rules, state, side, here) else 0
        if held and not leader and rules.passing == "false":
            return []
        found = []
        for h in rules.grid.adjacent[here]:
            there = movement.goals(rules, state, side, h) if in_enemy_zone(rules, state, side, h) else 0
            leads_on = not held or leader or not held & ~there
            if leads_on and movement.why_no_step(rules, state, unit, here, h, 99, False, kind) is None:
                found.append((h, movement.step_cost(rules, state, unit, here, h)))
        return found

    cost, _ = flood((start,), left, steps)
    for h in rules.grid.adjacent[start]:
        barred = movement.is_bound(rules, state, unit)
        why = movement.why_no_step(rules, state, unit, start, h, left, first, kind)
        if not barred and h not in cost and why is None:
            cost[h] = left
    del cost[start]
    return cost


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_reach_is_what_the_judge_of_steps_allows(scenario: str) -> None:
    rules = rules_of(scenario)
    seen = roads = opened = 0
    for seed in range(3):
        match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
        while match.seat >= 0 and len(match.entries) < 700:
            frame, state = match.state.frames[-1], match.state
            choice = rules.choices[frame.name]
            if isinstance(choice, Acting) and rng.random() < 0.1:
                for unit in choice.movers(rules, state, frame)[:4]:
                    found = judged(rules, state, unit)
                    cost, before = movement.spread(rules, state, unit)
                    assert cost == found
                    assert set(before) == set(cost)
                    left = movement.left_of(rules, state, unit)
                    if unit not in rules.gun_set or movement.is_column(state, unit):
                        assert can_leave(rules, state, unit) == bool(found)
                    seen += 1
                    roads += any(spent % 2 for spent in cost.values())
                    opened += bool(state.markers)
                    for h, (rest, way) in movement.reach(rules, state, unit).items():
                        assert way[-1] == h
                        assert rest == left - cost[h]
            match.play(match.sample(rng))
    assert seen > 100
    assert roads > 10
    assert opened > 5


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_random_way_is_legal_and_goes_somewhere(scenario: str) -> None:
    rules = rules_of(scenario)
    lengths = set()
    for seed in range(2):
        match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
        while match.seat >= 0 and len(match.entries) < 500:
            frame, state = match.state.frames[-1], match.state
            choice = rules.choices[frame.name]
            if isinstance(choice, Acting):
                for unit in choice.movers(rules, state, frame)[:3]:
                    way = movement.stroll(rules, state, unit, rng)
                    here, left = state.at[unit], movement.left_of(rules, state, unit)
                    first = state.mover != unit or not state.steps
                    for there in way:
                        assert movement.why_no_step(rules, state, unit, here, there, left, first) is None
                        left = max(0, left - movement.step_cost(rules, state, unit, here, there))
                        here, first = there, False
                    lengths.add(len(way))
            match.play(match.sample(rng))
    assert {1, 2, 3, 4} <= lengths


def test_what_is_sought_for_one_hex_is_what_all_ways_say() -> None:
    """7.1.3, 7.1.4, 8: the search for one hex, and that for attacks, against all that is in reach."""
    rules = rules_of("full")
    seen = {True: 0, False: 0}
    for seed in range(2):
        match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
        while match.seat >= 0 and len(match.entries) < 900:
            state, frame = match.state, match.state.frames[-1]
            choice = rules.choices[frame.name]
            if (isinstance(choice, Acting) or frame.name == "declare") and rng.random() < 0.05:
                unit = rng.choice([u for u, h in enumerate(state.at) if h >= 0 and u not in rules.leader_set])
                opened = zone_of(rules, state, 1 - rules.side[unit]) if rng.random() < 0.5 else 0
                roomy, spare = rng.random() < 0.5, rng.choice((0, 0, 1, 2, 4))
                cost, _ = movement.spread(rules, state, unit, opened, roomy)
                left = movement.left_of(rules, state, unit)
                for goal in bits(rules.grid.within(state.at[unit], 7) & ~(1 << state.at[unit])):
                    there = goal in cost and cost[goal] <= left - spare
                    assert movement.comes_to(rules, state, unit, goal, opened, roomy, spare) == there
                    seen[there] += 1
                    if spare == 0 and not opened and not roomy and goal % 5 == 0:
                        way = movement.reach(rules, state, unit).get(goal, (0, []))[1]
                        assert [*movement.reach(rules, state, unit, goal)] == way
            match.play(match.sample(rng))
    assert min(seen.values()) > 500


def plain_attacks(rules: Volturno, state: State, unit: int, roomy: bool) -> list[tuple[int, int]]:
    """11.1, 11.1.p1, 15.6: from where a unit can assault whom, by what every hex in reach costs."""
    side, left = rules.side[unit], movement.left_of(rules, state, unit)
    cost, _ = movement.spread(rules, state, unit, zone_of(rules, state, 1 - side), roomy)
    cost[state.at[unit]] = 0
    found = []
    for target in bits(state.occ[1 - side] & ~(rules.ground.capua if side == GARIBALDINI else 0)):
        for at in rules.grid.adjacent[target]:
            price = movement.step_cost(rules, state, unit, at, target) if at in cost else 0
            if price and (at == state.at[unit] or not rules.target_counts or price <= left - cost[at]):
                found.append((at, target))
    return found


@pytest.mark.parametrize("paid", ["true", "false"])
def test_attacks_are_found_where_they_are(paid: str) -> None:
    rules = ruleset("volturno", "full", {"assault_range_includes_target": paid})
    assert isinstance(rules, Volturno)
    seen = 0
    match, rng = Match.begin(rules, seed_bytes(5)), Random(5)
    while match.seat >= 0 and len(match.entries) < 900:
        state = match.state
        if state.frames[-1].name in ("act", "declare") and rng.random() < 0.3:
            for unit in rules.members[state.formation]:
                if state.at[unit] < 0 or unit in rules.gun_set:
                    continue
                roomy = rng.random() < 0.5
                found = plain_attacks(rules, state, unit, roomy)
                assert assault.attacks(rules, state, unit, roomy) == found
                seen += len(found)
                near = rules.grid.within(state.at[unit], 3)
                for target in bits(near & state.occ[1 - rules.side[unit]]):
                    for at in rules.grid.adjacent[target]:
                        there = (at, target) in found
                        assert assault.can_attack(rules, state, unit, at, target, roomy) == there
        match.play(match.sample(rng))
    assert seen > 300


def test_the_least_cost_to_a_goal_is_what_an_empty_board_says() -> None:
    ground = rules_of("full").ground
    for goal in range(0, ground.grid.size, 401):
        for foot, leads in enumerate(ground.leads):
            back: dict[int, list[tuple[int, int]]] = {}
            for h, ways in enumerate(leads):
                for there, price, _ in ways:
                    back.setdefault(there, []).append((h, price))
            cost, _ = flood((goal,), 12, lambda h, back=back: back.get(h, []))  # type: ignore[misc]
            assert list(ground.toward(foot, goal, 12)) == [cost.get(h, FARTHER) for h in range(ground.grid.size)]


def traced(rules: Volturno, state: State, side: int, here: int) -> list[tuple[int, int]]:
    """5.2.1, 5.2.2: the hexes to which command goes on from a hex."""
    per_hex, per_road = rules.command_cost
    enemies = 0 if rules.trace_through_enemy else state.occ[1 - side]
    return [
        (there, per_road if half else per_hex)
        for there, half in rules.ground.command_ways[here]
        if state.occ[side] >> there & 1 or not (in_enemy_zone(rules, state, side, there) or enemies >> there & 1)
    ]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_command_is_traced_as_the_ways_say(scenario: str) -> None:
    """5.2, 5.2.2: the quick search finds what a plain one over free hexes finds."""
    rules = rules_of(scenario)
    match, rng = Match.begin(rules, seed_bytes(3)), Random(3)
    while match.seat >= 0 and len(match.entries) < 600:
        state = match.state
        if len(match.entries) % 40 == 39:
            for leader in rules.leaders:
                if state.at[leader] < 0:
                    continue
                steps = partial(traced, rules, state, rules.side[leader])
                found, _ = flood((state.at[leader],), rules.command_radius, steps)
                assert command.radius(rules, state, leader, rules.command_radius) == found
                for other in rules.leaders:
                    near = state.at[other] >= 0 and state.at[other] in found
                    points = rules.command_radius // HALVES
                    assert command.is_near(rules, state, leader, other, points) == near
                formation = rules.counters[leader].formation
                twin = state.copy()
                command.check_command(rules, twin, [])
                for unit in rules.members[formation] if formation >= 0 else ():
                    if state.at[unit] >= 0:
                        assert bool(twin.ooc >> unit & 1) == (state.at[unit] not in found)
        match.play(match.sample(rng))
