"""8: where units stand well: what a hex is worth to one, and which way it looks there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fronte.ai.volturno.chart import Picture
from fronte.ai.volturno.ground import guarded, level_worth, others, overrun, walled
from fronte.ai.volturno.weights import Weights
from fronte.games.volturno import special
from fronte.games.volturno.counters import RESERVE
from fronte.hexes import bits

WATCHED = 6
"""Enemies within so many hexes decide which way a unit looks."""
FRONT = 7
"""With an enemy within so many hexes nobody marches in column."""
RANGE = 5
LED = 4
"""So many hexes from his commander a unit is well led."""
LENT = 0.4
"""15.5: other commanders take the reserve along, so it needs its own the less."""
AS_IT_GOES = -1
"""No facing is asked for."""


class Post:
    """What hexes are worth to a unit, in line or in column."""

    def __init__(self, picture: Picture, weights: Weights, unit: int, column: bool) -> None:
        rules, state, chart = picture.rules, picture.state, picture.chart
        counter = rules.counters[unit]
        self.picture, self.weights, self.unit, self.column, self.guns = (
            picture,
            weights,
            unit,
            column,
            chart.is_gun[unit],
        )
        self.strong = counter.strength * (1.0 - 0.18 * state.level[unit])
        self.pull, self.drawn = picture.pulls(unit), weights.pull * (0.5 + 0.2 * counter.strength)
        self.risk = weights.exposed * counter.strength * (1.0 + weights.worn * state.level[unit])
        self.own = {} if self.guns else chart.around[state.at[unit]][1]
        """What is felt of the unit itself, from where it is now."""
        self.friends = state.occ[picture.side] & ~_alone(picture, unit)
        sent, goal = picture.errand(counter.formation)
        self.sent = chart.ways(goal, unit) if sent == unit else None
        self.errand = weights.errand * chart.values[goal] if sent == unit else 0.0
        self.leader = state.at[rules.leader_of[counter.formation]]
        self.led = rules.grid.within(self.leader, LED) if self.leader >= 0 else 0
        self.command = weights.command * (LENT if counter.formation == RESERVE else 1.0)

    def __call__(self, h: int) -> float:
        return self.among(h, self.drawn_to(h))

    def better(self, hexes: Iterable[int], floor: float, more: float) -> Iterator[tuple[float, int]]:
        """What hexes are worth, without those that would not be worth more than a floor, with this added to it,
        whatever enemies and friends are near: these are most of them, and are not looked at closely."""
        weights, chart, stacks, pull = self.weights, self.picture.chart, self.picture.state.stacks, self.pull
        shelter, special = chart.shelter, self.sent is not None
        cover, beside = max(0.0, weights.cover * min(3.0, self.strong)), 2.0 * max(0.0, weights.line)
        risk = max(0.0, -3.0 * self.risk)  # who is bold beyond measure seeks danger
        for h in hexes:
            drawn = self.drawn_to(h) if special or h in chart.special else self.drawn * pull[h]
            # the terms in the order in which they are added up in full, so that rounding changes nothing
            if drawn + (risk + cover * shelter[h] + beside) + more <= floor and h not in stacks:
                continue
            yield self.among(h, drawn), h

    def drawn_to(self, h: int) -> float:
        """What a hex is worth wherever enemies and commanders are."""
        picture = self.picture
        found = self.drawn * self.pull[h]
        if self.sent is not None:
            found -= self.errand * min(6.0, self.sent[h])
        if h in picture.chart.values:
            found += self.objective(h)
        elif h in picture.chart.walls and not self.guns:
            found += walled(picture, self.weights, self.unit, h)
        return found

    def among(self, h: int, found: float) -> float:
        """The same with the enemies that are felt there, and the way to the commander."""
        picture = self.picture
        felt = picture.danger[h]
        if felt:
            found += self.before_enemies(h, felt)
        if self.leader >= 0 and not self.led >> h & 1:
            far = picture.rules.grid.distance(h, self.leader)
            found -= self.command * (0.4 * (far - LED) + max(0, far - 2 * LED))
        return found

    def objective(self, h: int) -> float:
        """What it is worth to take an objective, or to be the one who keeps it."""
        picture, weights = self.picture, self.weights
        value = picture.chart.values[h]
        if not picture.is_ours(h):
            return weights.take * value
        if not self.guns and not others(picture, self.unit, h):
            return weights.hold * value * min(1.0, picture.threat[h])
        return 0.0

    def before_enemies(self, h: int, felt: float) -> float:
        """What it is worth to stand where so many enemies are felt: friends, shelter, and no column."""
        picture, weights, strong = self.picture, self.weights, self.strong
        shelter = picture.chart.shelter[h]
        friends = picture.support[h] - strong * self.own.get(h, 0.0) + strong
        odds = felt / (friends + 0.2)
        found = -self.risk * max(0.0, min(3.0, odds - 0.8)) / (1.0 + 0.4 * shelter)
        found += weights.cover * shelter * min(1.0, felt / 4.0) * min(3.0, strong)
        if self.column:
            found -= weights.column * min(2.0, felt / 3.0) * (1.0 if picture.close_to_foes >> h & 1 else 0.3)
        if not self.guns:
            beside = (picture.rules.grid.ring[h] & self.friends).bit_count()
            found += weights.line * min(2, beside) + guarded(picture, weights, self.unit, h)
        return found


def post(picture: Picture, weights: Weights, unit: int, h: int, column: bool) -> float:
    """What it is worth to have a unit in a hex."""
    return Post(picture, weights, unit, column)(h)


def _alone(picture: Picture, unit: int) -> int:
    """The hex of a unit that is alone there, as a mask."""
    h = picture.state.at[unit]
    return 1 << h if h >= 0 and len(picture.state.stacks[h]) == 1 else 0


def rest(picture: Picture, weights: Weights, unit: int, h: int, spent: int, still: bool) -> float:
    """13.3: what comes back to a unit that stays, or goes no farther than half its allowance."""
    state, rules = picture.state, picture.rules
    level, counter = state.level[unit], rules.counters[unit]
    if not level or 2 * spent > counter.points or rules.grid.ring[h] & state.occ[1 - picture.side]:
        return 0.0
    return rest_at_most(picture, weights, unit, still)


def rest_at_most(picture: Picture, weights: Weights, unit: int, still: bool) -> float:
    """13.3: the same where nothing keeps it from resting."""
    level = picture.state.level[unit]
    back, strong = min(level, 2 if still else 1), picture.rules.counters[unit].strength
    return weights.rest * back * strong * level_worth(picture, weights) * (0.5 + 0.5 * level)


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
    distance, strength, fronts = rules.grid.distance, picture.chart.strength, picture.chart.fronts
    found = [0.0] * 6
    near = rules.grid.within(h, WATCHED) & state.occ[1 - picture.side]
    for other in bits(near):
        weight = sum([strength[u] for u in state.stacks[other]]) / distance(h, other) ** 2
        for facing in fronts(h, other):
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
