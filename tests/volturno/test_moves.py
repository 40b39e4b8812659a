"""8: what is found quickly is what the judge of single steps allows: ways, first steps, random ways, command."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.games.registry import ruleset
from fronte.games.volturno import command, movement
from fronte.games.volturno.acting import Acting, can_leave
from fronte.games.volturno.counters import HALVES
from fronte.games.volturno.game import Volturno
from fronte.games.volturno.reaction_zones import in_enemy_zone
from fronte.games.volturno.state import State
from fronte.hexes import flood

SCENARIOS = ("short", "full")


def rules_of(scenario: str) -> Volturno:
    found = ruleset("volturno", scenario)
    assert isinstance(found, Volturno)
    return found


def judged(rules: Volturno, state: State, unit: int) -> dict[int, int]:
    """What every hex in reach costs, found by asking the judge of each step."""
    left, start = movement.left_of(rules, state, unit), state.at[unit]
    first = state.mover != unit or not state.steps

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
            if leads_on and movement.why_no_step(rules, state, unit, here, h, 99, False) is None:
                found.append((h, movement.step_cost(rules, state, unit, here, h)))
        return found

    cost, _ = flood((start,), left, steps)
    for h in rules.grid.adjacent[start]:
        barred = movement.is_bound(rules, state, unit)
        if not barred and h not in cost and movement.why_no_step(rules, state, unit, start, h, left, first) is None:
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
        match.play(match.sample(rng))
