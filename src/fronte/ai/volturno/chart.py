"""What does not change in a match: odds, what places are worth, how long the way to them is; and the picture of a
state."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

from fronte.ai.volturno.odds import Odds
from fronte.engine.rules import Rules
from fronte.games.volturno.counters import CAVALRY_FOOT, GUNS_FOOT, INFANTRY_FOOT
from fronte.games.volturno.game import Volturno
from fronte.games.volturno.state import State
from fronte.hexes import flood

AGES = 99.0
"""Turns to where there is no way."""
TURN = 10
"""Halves of a point that infantry has for a turn."""
KERNEL = (1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2)
"""How far an enemy is felt: by hexes of distance."""
SHORT_VALUE = 4.0
"""In the short scenario objectives count all alike."""
SHORT_STRENGTH = 0.45
"""There rout is worth something only because the unit is gone."""


class Chart:
    """A ruleset as steady reads it."""

    def __init__(self, rules: Volturno) -> None:
        self.rules, self.odds = rules, Odds(rules)
        self.is_short = rules.scenario["victory"] == "majority"
        self.values = {h: SHORT_VALUE if self.is_short else float(vp) for h, vp in rules.objectives.items()}
        self.worth = SHORT_STRENGTH if self.is_short else 1.0
        """What a strength point put to rout counts beside objectives."""
        self._discs: dict[int, list[tuple[int, float]]] = {}
        self._ways: dict[tuple[int, int], list[float]] = {}
        ground = rules.ground
        self.shelter = [{"village": 2.0, "city": 2.0, "woods": 1.0, "farm": 1.0}.get(t, 0.0) for t in ground.terrain]
        """What terrain takes from an attack."""

    def disc(self, h: int) -> list[tuple[int, float]]:
        """The hexes that feel who stands in a hex, and how much; nobody is felt across the Volturno."""
        found = self._discs.get(h)
        if found is None:
            grid, bank = self.rules.grid, self.rules.ground.bank
            found = self._discs[h] = [
                (other, KERNEL[grid.distance(h, other)])
                for other in grid.disc(h, len(KERNEL) - 1)
                if not (bank[h] and bank[other] and bank[h] != bank[other])
            ]
        return found

    def ways(self, goal: int, unit: int) -> list[float]:
        """From each hex the turns to a goal for a unit in column, on roads where there are any."""
        counter = self.rules.counters[unit]
        foot = GUNS_FOOT if counter.is_artillery else CAVALRY_FOOT + 1 if counter.is_cavalry else INFANTRY_FOOT + 1
        found = self._ways.get((goal, foot))
        if found is None:
            found = self._ways[goal, foot] = self._flooded(goal, foot)
        return found

    def _flooded(self, goal: int, foot: int) -> list[float]:
        ground, grid = self.rules.ground, self.rules.grid
        cost, road = ground.cost[foot], ground.road_cost

        def backwards(here: int) -> list[tuple[int, int]]:
            found = []
            for there in grid.adjacent[here]:
                way = ground.way(there, here)
                price = road[way] or cost[way]
                if price:
                    found.append((there, price))
            return found

        costs, _ = flood((goal,), 10**6, backwards)
        turns = [AGES] * grid.size
        for h, spent in costs.items():
            turns[h] = spent / TURN
        return turns


@lru_cache(maxsize=16)
def chart_of(rules: Rules[Any]) -> Chart:
    """The chart of a ruleset; ValueError if it is not one of Volturno."""
    if not isinstance(rules, Volturno):
        raise ValueError(f"this player plays volturno and not {rules.header.game}")
    return Chart(rules)


def strength_of(rules: Volturno, state: State, unit: int) -> float:
    """What a unit counts in a fight; guns count little, they do not assault."""
    counter = rules.counters[unit]
    whole = counter.strength * (1.0 - 0.18 * state.level[unit])
    return 0.3 * whole if counter.is_artillery else whole


class Picture:
    """A state as one side judges it."""

    def __init__(self, chart: Chart, state: State, side: int) -> None:
        self.chart, self.rules, self.state, self.side = chart, chart.rules, state, side
        rules = chart.rules
        self.friends = [u for u in rules.units_of_side[side] if state.at[u] >= 0]
        self.foes = [u for u in rules.units_of_side[1 - side] if state.at[u] >= 0]
        self.left = rules.last_turn - state.turn + 1
        """Turns to the end, this one counted."""
        self._pull: dict[tuple[int, int], float] = {}

    @cached_property
    def foe_hexes(self) -> list[int]:
        """Where the enemy stands."""
        return sorted({self.state.at[u] for u in self.foes})

    @cached_property
    def danger(self) -> dict[int, float]:
        """By hex how much enemy strength can be felt there."""
        return self._felt([u for u in self.foes if not self.rules.counters[u].is_artillery])

    @cached_property
    def support(self) -> dict[int, float]:
        """By hex how much strength of one's own side can be felt there."""
        return self._felt([u for u in self.friends if not self.rules.counters[u].is_artillery])

    def _felt(self, units: list[int]) -> dict[int, float]:
        found: dict[int, float] = {}
        for unit in units:
            strong = strength_of(self.rules, self.state, unit)
            for h, part in self.chart.disc(self.state.at[unit]):
                found[h] = found.get(h, 0.0) + part * strong
        return found

    def nearest_foe(self, h: int) -> int:
        """Hexes to the nearest enemy."""
        distance = self.rules.grid.distance
        return min([distance(h, other) for other in self.foe_hexes], default=99)

    def is_ours(self, h: int) -> bool:
        """Does one's own side hold this hex?"""
        return bool(self.state.control[self.side] >> h & 1)

    @cached_property
    def needs(self) -> dict[int, float]:
        """By objective how much it needs troops: to take it, or to keep it against who can come."""
        found = {}
        for goal, value in self.chart.values.items():
            ours = self._gathered(self.friends, goal)
            theirs = self._gathered(self.foes, goal)
            if not self.is_ours(goal):
                found[goal] = value * max(0.4, min(1.0, (ours + 1.0) / (theirs + 1.0)))
            else:
                found[goal] = value * min(1.0, theirs / 2.0) * min(1.5, 1.5 * theirs / (ours + 0.5))
        return found

    def _gathered(self, units: list[int], goal: int) -> float:
        """Strength that can be at a goal, the sooner the more."""
        total, rules, state = 0.0, self.rules, self.state
        for unit in units:
            turns = self.chart.ways(goal, unit)[state.at[unit]]
            if turns <= self.left:
                total += strength_of(rules, state, unit) / (1.0 + turns) ** 1.5
        return total

    def pull(self, unit: int, h: int) -> float:
        """How strongly a hex is drawn to where troops are needed."""
        counter = self.rules.counters[unit]
        foot = 2 if counter.is_artillery else 1 if counter.is_cavalry else 0
        found = self._pull.get((h, foot))
        if found is None:
            found = 0.0
            for goal, need in self.needs.items():
                turns = self.chart.ways(goal, unit)[h]
                if need > 0.01 and turns <= self.left + 1:
                    found += need / (1.0 + 0.5 * turns)
            self._pull[h, foot] = found
        return found

    def goal_of(self, unit: int, h: int) -> int:
        """The objective that draws a unit most at a hex; -1 if none does."""
        best, goal = 0.05, -1
        for other, need in self.needs.items():
            felt = need / (1.0 + 0.5 * self.chart.ways(other, unit)[h])
            if felt > best:
                best, goal = felt, other
        return goal
