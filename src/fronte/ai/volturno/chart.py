"""What does not change in a match: odds, what places are worth, how long the way to them is; and the picture of a
state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

from fronte.ai.volturno.odds import Odds
from fronte.engine.rules import Rules
from fronte.games.volturno.counters import CAVALRY_FOOT, GUNS_FOOT, INFANTRY_FOOT, Counter
from fronte.games.volturno.game import Volturno
from fronte.games.volturno.state import State
from fronte.hexes import bits, flood, mask_of

AGES = 99.0
"""Turns to where there is no way."""
LONGEST = 400
"""Halves of a point beyond which a way is not worth knowing."""
TURN = 10
"""Halves of a point that infantry has for a turn."""
KERNEL = (1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2)
"""How far an enemy is felt: by hexes of distance."""
REACH = len(KERNEL) - 1
SIGHT = 9
"""Enemies beyond so many hexes are as good as far away."""
IDLE = 0.25
"""A need below this moves nobody who is far from the enemy."""
SOONER = 2.5
"""How much more troops count at a place that can be there sooner."""
WORN = 0.18
"""The part of its strength that a level takes."""
BANKS = ("north", "south")
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
        self._ways: dict[tuple[int, int], list[float]] = {}
        ground, grid = rules.ground, rules.grid
        self.is_gun = [c.is_artillery for c in rules.counters]
        self.strength = [c.strength for c in rules.counters]
        self.foot = [_foot(c) for c in rules.counters]
        """The column of the terrain chart by which a unit marches."""
        self.across = [
            mask_of(h for h in range(grid.size) if ground.bank[h] and ground.bank[h] != bank) for bank in BANKS
        ]
        """The hexes beyond the river from each bank, of which nothing is felt here."""
        self.shelter = [{"village": 2.0, "city": 2.0, "woods": 1.0, "farm": 1.0}.get(t, 0.0) for t in ground.terrain]
        """What terrain takes from an attack."""

    def ways(self, goal: int, unit: int) -> list[float]:
        """From each hex the turns to a goal for a unit in column, on roads where there are any."""
        return self.ways_on(goal, self.foot[unit])

    def ways_on(self, goal: int, foot: int) -> list[float]:
        """The same by a column of the terrain chart."""
        found = self._ways.get((goal, foot))
        if found is None:
            found = self._ways[goal, foot] = self._flooded(goal, foot)
        return found

    def near_ways(self, goal: int, unit: int, turns: int) -> list[float]:
        """The same as far as so many turns, to a place that does not stay where it is."""
        return self._flooded(goal, self.foot[unit], turns * TURN)

    def _flooded(self, goal: int, foot: int, most: int = LONGEST) -> list[float]:
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

        costs, _ = flood((goal,), most, backwards)
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


def _foot(counter: Counter) -> int:
    return GUNS_FOOT if counter.is_artillery else CAVALRY_FOOT + 1 if counter.is_cavalry else INFANTRY_FOOT + 1


class Felt:
    """By hex how much of the strength of a side is felt there, worked out where it is asked for."""

    def __init__(self, chart: Chart, state: State, side: int) -> None:
        self.chart, self.occ = chart, state.occ[side]
        self.there: dict[int, float] = {}
        for h, stack in state.stacks.items():
            if self.occ >> h & 1:
                fighting = [u for u in stack if not chart.is_gun[u]]
                self.there[h] = sum([chart.strength[u] * (1.0 - WORN * state.level[u]) for u in fighting])
        self.known: dict[int, float] = {}

    def __call__(self, h: int) -> float:
        found = self.known.get(h)
        if found is None:
            found, rules = 0.0, self.chart.rules
            near = rules.grid.within(h, REACH) & self.occ
            if near:
                bank = rules.ground.bank[h]
                if bank:
                    near &= ~self.chart.across[BANKS.index(bank)]
                distance, there = rules.grid.distance, self.there
                while near:
                    low = near & -near
                    near ^= low
                    other = low.bit_length() - 1
                    found += KERNEL[distance(h, other)] * there[other]
            self.known[h] = found
        return found


class Picture:
    """A state as one side judges it."""

    def __init__(self, chart: Chart, state: State, side: int) -> None:
        self.chart, self.rules, self.state, self.side = chart, chart.rules, state, side
        self.left = chart.rules.last_turn - state.turn + 1
        """Turns to the end, this one counted."""
        self._pull: dict[tuple[int, int, int], float] = {}
        self._drawing: dict[tuple[int, int], list[tuple[float, list[float]]]] = {}
        self._near: dict[int, int] = {}

    @cached_property
    def danger(self) -> Felt:
        """How much enemy strength is felt at a hex."""
        return Felt(self.chart, self.state, 1 - self.side)

    @cached_property
    def support(self) -> Felt:
        """How much strength of one's own side is felt at a hex."""
        return Felt(self.chart, self.state, self.side)

    @cached_property
    def theirs(self) -> Picture:
        """The same state as the enemy judges it."""
        found = Picture(self.chart, self.state, 1 - self.side)
        found.danger, found.support = self.support, self.danger
        return found

    def nearest_foe(self, h: int) -> int:
        """Hexes to the nearest enemy; beyond a march nobody looks."""
        found = self._near.get(h)
        if found is None:
            grid, occ = self.rules.grid, self.state.occ[1 - self.side]
            near = grid.within(h, SIGHT) & occ
            found = min([grid.distance(h, other) for other in bits(near)], default=SIGHT + 1)
            self._near[h] = found
        return found

    def is_ours(self, h: int) -> bool:
        """Does one's own side hold this hex?"""
        return bool(self.state.control[self.side] >> h & 1)

    @cached_property
    def needs(self) -> dict[int, float]:
        """By objective how much it needs troops: to take it, or to keep it against who can come."""
        found = {}
        for goal, value in self.chart.values.items():
            mine, other = self.cover[goal], self.threat[goal]
            if not self.is_ours(goal):
                found[goal] = value * max(0.4, min(1.0, (mine + 1.0) / (other + 1.0)))
            else:
                found[goal] = value * min(1.0, other) * min(1.2, 1.2 * other / (mine + 0.5))
        return found

    @cached_property
    def threat(self) -> dict[int, float]:
        """By objective the enemy strength that can come there."""
        return self.gathered(self.rules.units_of_side[1 - self.side])

    @cached_property
    def cover(self) -> dict[int, float]:
        """By objective the strength of one's own side that can come there."""
        return self.gathered(self.rules.units_of_side[self.side])

    def drawn(self, formation: int, foot: int) -> list[tuple[float, list[float]]]:
        """What draws a formation: how much, and the way there. What is to be taken is first for those who are near."""
        found = self._drawing.get((formation, foot))
        if found is None:
            found, mine = [], self.gathered(self.rules.members[formation])
            for goal, need in self.needs.items():
                if not self.is_ours(goal):
                    need *= 0.4 + 0.6 * mine[goal] / (self.cover[goal] + 0.01)
                if need > 0.01:
                    found.append((need, self.chart.ways_on(goal, foot)))
            self._drawing[formation, foot] = found
        return found

    def gathered(self, units: Sequence[int]) -> dict[int, float]:
        """For each objective the strength of these units that can be there, the sooner the more."""
        chart, state, left = self.chart, self.state, self.left
        at, level = state.at, state.level
        by_foot: dict[int, list[tuple[int, float]]] = {}
        for unit in units:
            if at[unit] >= 0:
                strong = chart.strength[unit] * (1.0 - WORN * level[unit]) * (0.3 if chart.is_gun[unit] else 1.0)
                by_foot.setdefault(chart.foot[unit], []).append((at[unit], strong))
        found = {}
        for goal in chart.values:
            total = 0.0
            for foot, there in by_foot.items():
                turns = chart.ways_on(goal, foot)
                total += sum([strong / (1.0 + turns[h]) ** SOONER for h, strong in there if turns[h] <= left])
            found[goal] = total
        return found

    def pull(self, unit: int, h: int) -> float:
        """How strongly a unit is drawn from a hex to where its formation is needed."""
        foot, formation = self.chart.foot[unit], self.rules.counters[unit].formation
        found = self._pull.get((h, foot, formation))
        if found is None:
            found, most = 0.0, self.left + 1
            for need, ways in self.drawn(formation, foot):
                turns = ways[h]
                if turns <= most:
                    found += need / (1.0 + 0.5 * turns)
            self._pull[h, foot, formation] = found
        return found

    def is_idle(self, unit: int) -> bool:
        """Is its formation needed nowhere?"""
        needed = self.drawn(self.rules.counters[unit].formation, self.chart.foot[unit])
        return max([need for need, _ in needed], default=0.0) < IDLE

    def goal_of(self, unit: int, h: int) -> int:
        """The objective that draws a unit most at a hex; -1 if none does."""
        best, goal = 0.05, -1
        for other, need in self.needs.items():
            felt = need / (1.0 + 0.5 * self.chart.ways(other, unit)[h])
            if felt > best:
                best, goal = felt, other
        return goal
