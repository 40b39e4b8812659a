"""What a position is worth to a seat: what it may expect, by who is near what counts and what all have lost."""

from __future__ import annotations

from heapq import heappop, heappush
from math import exp

from fronte.ai.caporetto import places
from fronte.ai.caporetto.chart import TURN, Chart
from fronte.ai.caporetto.distances import FAR
from fronte.ai.caporetto.picture import Picture
from fronte.games.caporetto import losses, victory
from fronte.games.caporetto.scenarios import MAJORITY
from fronte.games.caporetto.seating import foe
from fronte.games.caporetto.state import State
from fronte.hexes import bits

SOFT = 0.45
"""How much of a turn makes it likely or unlikely that somebody comes in time."""
KEPT, LOST = 0.96, 0.06
"""How likely what one holds is held to the end, and what a turn that is left takes from that."""
STEP = 0.08
"""What a step of one's troops is worth in points of a campaign,"""
SHORT_STEP = 0.015
"""and in the short scenarios, which have few points."""
WORN = 0.25
"""What a point of disorganisation takes of a step."""
ABLE = 3
"""Who has fewer factors than this takes nothing that is held."""


def value(chart: Chart, state: State, seat: int) -> float:
    """What a seat may expect in the end (`Rules.merit`); where the game is over, what it has."""
    rules = chart.rules
    result = rules.result(state)
    if result is not None:
        return float(rules.merit(result, seat))
    total = float(rules.head_start)
    for number, force in enumerate(victory.attackers(rules)):
        total += (-1.0 if number else 1.0) * expected(chart, state, force)
    first = rules.scene.seat_of[victory.attackers(rules)[0]]
    return total if seat == first else -total


def expected(chart: Chart, state: State, force: int) -> float:
    """The points that a force of the AHG may expect, and what its troops are worth beside those against it."""
    rules, scene, other = chart.rules, chart.rules.scene, foe(chart.rules, force)
    left = max(0, scene.last_turn - state.turn)
    short = scene.victory == MAJORITY
    due, total = arrival(chart, state, force), 0.0
    learnt = places.worth_of(rules.header.scenario)
    if learnt is not None:
        return places.expected(chart, state, force, due, learnt)
    for goal, worth in scene.objectives.items():
        if not rules.homes[force] >> goal & 1:
            continue
        if goal == scene.matajur and state.matajur >= 0:
            total += worth if state.matajur == force else 0
        elif state.control[force] >> goal & 1:
            total += worth * (KEPT - LOST * min(left, 4))
        else:
            spare = ((left + 1) * TURN - due[goal]) / (SOFT * TURN)
            total += worth * KEPT / (1.0 + exp(-max(-30.0, min(30.0, spare))))
    if not short:
        number = rules.tables.number
        account = victory.account(rules, state, force)
        total += account.exits - account.retaken + max(account.prisoners, 0) / number("victory", "steps")
    price = SHORT_STEP if short else STEP
    return total + price * (strength_of(chart, state, force) - strength_of(chart, state, other))


def arrival(chart: Chart, state: State, force: int) -> list[float]:
    """By hex the least quarters that a force needs to be there, counted from the beginning of this turn's actions: who
    has acted sets out a turn later, and enemies are in the way with all that shelters them."""
    rules, later = chart.rules, TURN if state.phase not in places.BEFORE else 0
    picture = Picture(chart, state, force)
    extra = picture.obstacles
    cost: list[float] = [float(FAR)] * rules.grid.size
    heap: list[tuple[float, int]] = []
    for unit in bits(rules.of_force[force] & rules.combat):
        h = state.at[unit]
        if h < 0 or losses.strength(rules, state, unit) < ABLE:
            continue
        formation = rules.formation_of[unit]
        acted = state.activated >> unit & 1 or (formation >= 0 and state.done >> formation & 1)
        start = float(TURN if acted else later)
        if start < cost[h]:
            cost[h] = start
            heappush(heap, (start, h))
    steps = chart.distances.steps(state.standing).on
    while heap:
        spent, here = heappop(heap)
        if spent > cost[here]:
            continue
        for there, paid in steps[here]:
            total = spent + paid + extra.get(there, 0)
            if total < cost[there]:
                cost[there] = total
                heappush(heap, (total, there))
    return cost


def strength_of(chart: Chart, state: State, force: int) -> float:
    """The steps of a force, the worn for less."""
    rules, total = chart.rules, 0.0
    for unit in bits(rules.of_force[force] & rules.combat):
        if state.at[unit] >= 0:
            steps = losses.steps_left(rules, state, unit)
            total += max(0.0, steps - WORN * state.dp[unit])
    return total
