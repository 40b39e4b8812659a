"""What does not change in a match: odds, what places are worth, how long the way to them is; and the picture of a
state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

from fronte.ai.volturno.odds import Odds
from fronte.engine.rules import Rules
from fronte.games.volturno import special
from fronte.games.volturno.counters import CAVALRY_FOOT, GUNS_FOOT, INFANTRY_FOOT, RUIZ, Counter
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
GUARD = 2.5
"""Less enemy strength than this guards nothing."""
ERRAND = 2.5
"""Turns that one unit may be on its way alone."""
LATER = 0.35
"""How much less a place far away is worth, for each turn of the way."""
NOT_YET = 0.12
"""The part of its need that an own objective has as long as no enemy is close to it."""
AT_ONCE = 1.3
"""Who has no more turns to go than this is close to a place."""
AT_HAND = 1.2
"""So many turns from an objective of its own a unit covers it as well as on the spot."""
FARTHEST = 12.0
""""Beyond so many turns a way is as good as endless."""
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
        self.bound = frozenset(rules.members[RUIZ])
        """15.8.1: Ruiz marches on Caserta Vecchia and stops there, so nobody else has to reckon with him."""
        self.march_goals = [
            h for h in self.values if rules.grid.ids[h] in (special.CASTEL_MORRONE, special.CASERTA_VECCHIA)
        ]
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
        self._drawing: dict[tuple[int, int], tuple[float, list[float], list[tuple[float, list[float]]]]] = {}
        self._needs: dict[int, dict[int, float]] = {}
        self._goals: dict[int, int] = {}
        self._errands: dict[int, tuple[int, int]] = {}
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
    def threat(self) -> dict[int, float]:
        """By objective the enemy strength that can come there."""
        return self.gathered(self.rules.units_of_side[1 - self.side])

    @cached_property
    def cover(self) -> dict[int, float]:
        """By objective the strength of one's own side that can come there."""
        return self.gathered(self.rules.units_of_side[self.side])

    def close(self, units: Sequence[int]) -> dict[int, float]:
        """By objective the strength of these units that is there or can be there at once."""
        chart, state = self.chart, self.state
        found = dict.fromkeys(chart.values, 0.0)
        for unit in units:
            h = state.at[unit]
            if h >= 0 and not chart.is_gun[unit]:
                strong = chart.strength[unit] * (1.0 - WORN * state.level[unit])
                for goal in chart.march_goals if unit in chart.bound else found:
                    if chart.ways_on(goal, chart.foot[unit])[h] <= AT_ONCE:
                        found[goal] += strong
        return found

    @cached_property
    def near(self) -> tuple[dict[int, float], dict[int, float]]:
        """By objective what both sides have close to it, one's own first."""
        units = self.rules.units_of_side
        return self.close(units[self.side]), self.close(units[1 - self.side])

    def needs(self, formation: int) -> dict[int, float]:
        """By objective how much it needs a formation: to take it, or to keep it against who can come."""
        found = self._needs.get(formation)
        if found is None:
            found, members = {}, self.rules.members[formation]
            mine, here = self.gathered(members), self.close(members)
            chart, state = self.chart, self.state
            strong = sum([chart.strength[u] for u in members if state.at[u] >= 0 and not chart.is_gun[u]])
            ours, theirs = self.near
            for goal, value in chart.values.items():
                if formation == RUIZ and goal not in chart.march_goals:
                    found[goal] = 0.0
                    continue
                cover, threat = self.cover[goal], self.threat[goal]
                if self.is_ours(goal):
                    others = cover - mine[goal] + 1.0
                    found[goal] = value * min(1.2, 1.2 * threat / others) * min(1.0, threat)
                    if not theirs[goal]:
                        found[goal] *= NOT_YET
                else:
                    odds = (strong + ours[goal] - here[goal]) / (theirs[goal] + 1.0)
                    share = mine[goal] / (cover + 0.01)
                    found[goal] = value * max(0.25, min(1.0, odds)) * (0.5 + 0.5 * share)
            self._needs[formation] = found
        return found

    def goal(self, formation: int) -> int:
        """The objective that a formation is for now, the sooner it can be there the better; -1 if it is for none."""
        found = self._goals.get(formation)
        if found is None:
            best, found = IDLE, -1
            units = [u for u in self.rules.members[formation] if self.state.at[u] >= 0]
            for goal, need in self.needs(formation).items():
                if need <= IDLE or not units:
                    continue
                turns = sorted(min(AGES, self.chart.ways(goal, u)[self.state.at[u]]) for u in units)
                typical = turns[len(turns) // 2]
                worth = need / (1.0 + LATER * typical) ** 2
                if typical <= self.left + 1 and worth > best:
                    best, found = worth, goal
            self._goals[formation] = found
        return found

    def drawn(self, formation: int, foot: int) -> tuple[float, list[float], list[tuple[float, list[float]]]]:
        """What draws a formation: how much its goal does, the way there, and all else that is near."""
        found = self._drawing.get((formation, foot))
        if found is None:
            goal, needs, ways_on = self.goal(formation), self.needs(formation), self.chart.ways_on
            rest = [(need, ways_on(h, foot)) for h, need in needs.items() if h != goal and need > 0.05]
            found = (needs[goal], ways_on(goal, foot), rest) if goal >= 0 else (0.0, [], rest)
            self._drawing[formation, foot] = found
        return found

    def gathered(self, units: Sequence[int]) -> dict[int, float]:
        """For each objective the strength of these units that can be there, the sooner the more."""
        chart, state, left = self.chart, self.state, self.left
        at, level = state.at, state.level
        by_foot: dict[int, list[tuple[int, float]]] = {}
        for unit in units:
            if at[unit] >= 0 and unit not in chart.bound:
                strong = chart.strength[unit] * (1.0 - WORN * level[unit]) * (0.3 if chart.is_gun[unit] else 1.0)
                by_foot.setdefault(chart.foot[unit], []).append((at[unit], strong))
        found = {}
        for goal in chart.values:
            total = 0.0
            for foot, there in by_foot.items():
                turns = chart.ways_on(goal, foot)
                total += sum([strong / (1.0 + turns[h]) ** SOONER for h, strong in there if turns[h] <= left])
            found[goal] = total
        for unit in units:
            if unit in chart.bound and at[unit] >= 0:
                for goal in chart.march_goals:
                    turns = chart.ways(goal, unit)
                    found[goal] += chart.strength[unit] / (1.0 + turns[at[unit]]) ** SOONER
        return found

    def pull(self, unit: int, h: int) -> float:
        """How strongly a unit is drawn from a hex to where its formation is needed."""
        foot, formation = self.chart.foot[unit], self.rules.counters[unit].formation
        found = self._pull.get((h, foot, formation))
        if found is None:
            main, way, rest = self.drawn(formation, foot)
            spare = AT_HAND if main and self.is_ours(self.goal(formation)) else 0.0
            found = -main * max(0.0, min(FARTHEST, way[h]) - spare) if main else 0.0
            for need, ways in rest:
                found += need / (1.0 + ways[h])
            self._pull[h, foot, formation] = found
        return found

    def errand(self, formation: int) -> tuple[int, int]:
        """A unit that a formation can spare for an objective that nobody guards, and the objective; or -1 and -1."""
        found = self._errands.get(formation)
        if found is None:
            found, best = (-1, -1), 0.0
            chart, state = self.chart, self.state
            mine = self.gathered(self.rules.members[formation])
            for goal, value in chart.values.items():
                taken = state.occ[1 - self.side] >> goal & 1
                if self.is_ours(goal) or taken or self.near[1][goal] > GUARD or mine[goal] < 0.5 * self.cover[goal]:
                    continue
                for unit in self.rules.members[formation]:
                    h = state.at[unit]
                    if h < 0 or chart.is_gun[unit] or state.ooc >> unit & 1 or self.danger(h) > GUARD:
                        continue
                    turns = chart.ways(goal, unit)[h]
                    worth = value / (1.0 + turns) - 0.05 * chart.strength[unit]
                    if turns <= min(self.left, ERRAND) and worth > best:
                        found, best = (unit, goal), worth
            self._errands[formation] = found
        return found

    def is_idle(self, unit: int) -> bool:
        """Is its formation needed nowhere?"""
        return self.goal(self.rules.counters[unit].formation) < 0
