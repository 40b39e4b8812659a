"""8: where units stand well: what a hex is worth to one, and which way it looks there."""

from __future__ import annotations

from fronte.ai.volturno.chart import Picture
from fronte.ai.volturno.ground import guarded, level_worth, others, overrun
from fronte.ai.volturno.weights import Weights
from fronte.games.volturno import special
from fronte.hexes import bits

WATCHED = 6
"""Enemies within so many hexes decide which way a unit looks."""
FRONT = 7
"""With an enemy within so many hexes nobody marches in column."""
RANGE = 5
AS_IT_GOES = -1
"""No facing is asked for."""


def post(picture: Picture, weights: Weights, unit: int, h: int, column: bool) -> float:
    """What it is worth to have a unit in a hex."""
    rules, state, chart = picture.rules, picture.state, picture.chart
    counter = rules.counters[unit]
    strong = counter.strength * (1.0 - 0.18 * state.level[unit])
    found = weights.pull * picture.pull(unit, h) * (0.5 + 0.2 * counter.strength)
    felt = picture.danger(h)
    sent, goal = picture.errand(counter.formation)
    if sent == unit:
        found -= weights.errand * chart.values[goal] * min(6.0, chart.ways(goal, unit)[h])
    value = chart.values.get(h)
    if value is not None:
        if not picture.is_ours(h):
            found += weights.take * value
        elif not counter.is_artillery and not others(picture, unit, h):
            found += weights.hold * value * min(1.0, picture.threat[h])
    if felt:
        shelter = chart.shelter[h]
        friends = picture.support(h) - _own(picture, unit, h, strong) + strong
        odds = felt / (friends + 0.2)
        worn = 1.0 + weights.worn * state.level[unit]
        found -= weights.exposed * counter.strength * worn * max(0.0, min(3.0, odds - 0.8)) / (1.0 + 0.4 * shelter)
        found += weights.cover * shelter * min(1.0, felt / 4.0) * min(3.0, strong)
        if column:
            found -= weights.column * min(2.0, felt / 3.0) * (1.0 if picture.nearest_foe(h) <= 5 else 0.3)
        if not counter.is_artillery:
            beside = (rules.grid.ring[h] & state.occ[picture.side] & ~_alone(picture, unit)).bit_count()
            found += weights.line * min(2, beside) + guarded(picture, weights, unit, h)
    leader = rules.leader_of[counter.formation]
    if state.at[leader] >= 0:
        far = rules.grid.distance(h, state.at[leader])
        if far > 4:
            found -= weights.command * (0.4 * (far - 4) + max(0, far - 8))
    return found


def _alone(picture: Picture, unit: int) -> int:
    """The hex of a unit that is alone there, as a mask."""
    h = picture.state.at[unit]
    return 1 << h if h >= 0 and len(picture.state.stacks[h]) == 1 else 0


def _own(picture: Picture, unit: int, h: int, strong: float) -> float:
    """What is felt of a unit itself at a hex, from where it is now."""
    if picture.rules.counters[unit].is_artillery:
        return 0.0
    far = picture.rules.grid.distance(picture.state.at[unit], h)
    return strong * (1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2)[far] if far < 7 else 0.0


def rest(picture: Picture, weights: Weights, unit: int, h: int, spent: int, still: bool) -> float:
    """13.3: what comes back to a unit that stays, or goes no farther than half its allowance."""
    state, rules = picture.state, picture.rules
    level, counter = state.level[unit], rules.counters[unit]
    if not level or 2 * spent > counter.points or rules.grid.ring[h] & state.occ[1 - picture.side]:
        return 0.0
    back = min(level, 2 if still else 1)
    return weights.rest * back * counter.strength * level_worth(picture, weights) * (0.5 + 0.5 * level)


def gun_post(picture: Picture, weights: Weights, unit: int, h: int, limbered: bool) -> float:
    """8.4, 9: what a hex is worth to guns besides: enemies in range and in sight, and friends who stand by."""
    rules, state = picture.rules, picture.state
    found, strong = 0.0, rules.counters[unit].strength
    if not limbered:
        near = rules.grid.within(h, RANGE) & state.occ[1 - picture.side]
        seen = special.sight_of(rules, min(rules.last_turn, state.turn))
        marks = sum(1 for other in bits(near) if special.sees(rules, state, h, other, seen))
        found += weights.guns * min(2, marks) * (0.4 + 0.2 * strong)
    return found if others(picture, unit, h) else found - weights.leave_guns * strong * overrun(picture, h)


def facing_score(picture: Picture, h: int) -> list[float]:
    """3.1.1: for each of the six facings how much of what may come would be before a unit."""
    rules, state = picture.rules, picture.state
    before, distance = rules.ground.facings.is_before, rules.grid.distance
    found = [0.0] * 6
    near = rules.grid.within(h, WATCHED) & state.occ[1 - picture.side]
    for other in bits(near):
        weight = sum(rules.counters[u].strength for u in state.stacks[other]) / distance(h, other) ** 2
        for facing in range(6):
            if before(h, facing, other):
                found[facing] += weight
    return found


def best_facing(picture: Picture, h: int) -> int:
    """The facing that has most of the enemy before it; -1 where no enemy is near."""
    score = facing_score(picture, h)
    most = max(score)
    if most <= 0:
        return AS_IT_GOES
    # of equals the one in the middle of those that see as much
    best = [f for f in range(6) if score[f] >= most - 1e-9]
    return max(best, key=lambda f: (score[(f + 1) % 6] + score[(f - 1) % 6], -f))
