"""What does not change in a match: odds, what places are worth, how long the way to them is; and the picture of a
state."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property, lru_cache, reduce
from operator import add, truediv
from typing import Any

from fronte.ai.volturno.odds import Odds
from fronte.ai.volturno.weights import STEADY, Weights
from fronte.engine.rules import Rules
from fronte.games.volturno import special
from fronte.games.volturno.counters import (
    CAVALRY_FOOT,
    FORMATIONS,
    GARIBALDINI,
    GUNS_FOOT,
    INFANTRY_FOOT,
    RESERVE,
    RUIZ,
    Counter,
)
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
A_MARCH = 5
"""Who is no more hexes away than this may be there at once."""
SIGHT = 9
"""Enemies beyond so many hexes are as good as far away."""
IDLE = 0.25
"""A need below this moves nobody who is far from the enemy."""
GUARD = 2.5
"""Less enemy strength than this guards nothing."""
ERRAND = 2.5
"""Turns that one unit may be on its way alone."""
SPARE, GARRISON = 0.2, 2
"""What a strength point that is sent away is missed; but to keep what is threatened so many are sent."""
AT_ONCE = 1.3
"""Who has no more turns to go than this is close to a place."""
AT_HAND = 1.2
"""So many turns from an objective of its own a unit covers it as well as on the spot."""
FARTHEST = 12.0
""""Beyond so many turns a way is as good as endless."""
SOONER = 2.5
"""How much more troops count at a place that can be there sooner."""
CALL = 2.5
"""Who has no more turns to go than this takes part in the fight for a place."""
DASH = ((0.5, 1.4), (0.3, 1.2))
"""By side: with so much of the enemy's strength nobody is bold, and with so much everybody."""
AFTERNOON, COUNTERSTROKE = 8, (0.4, 1.2)
"""From this turn on, when the reserve is up, the Garibaldini go for what they have lost, and are as bold as this."""
LAST_HOUR = 0.7
"""So bold at least is in the last turn who has something to take: there is no other day."""
SALLY = 1.2
"""With so much of the enemy's strength who has a task of his own goes for what he has lost."""
WORN = 0.18
"""The part of its strength that a level takes."""
WATCH = 0.6
"""The same for who has this place to watch."""
ROAD_TO_MADDALONI = ("5733", "5926", "6230", "7028")
SECTORS = {
    "G18": ROAD_TO_MADDALONI,
    "NM": ROAD_TO_MADDALONI,
    "NR": (special.CASTEL_MORRONE, special.CASERTA_VECCHIA),
}
"""Who has a task of his own, and the objectives of it: Bixio and von Meckel the valley of Maddaloni, Ruiz his march."""
BANKS = ("north", "south")
SHORT_VALUE = 4.0
"""In the short scenario objectives count all alike."""
MOST_KEPT = 8
"""So many of the last positions of a side are remembered."""
MOST_UNITS = 2048
"""Of so many units in a place it is remembered where they can come: more than a turn sees."""
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
        self.around = Around(self)
        self._fronts: dict[tuple[int, int], tuple[int, ...]] = {}
        self._turns: dict[int, tuple[list[tuple[float, ...]], list[tuple[float, ...]]]] = {}
        self.sectors = {
            FORMATIONS.index(name): tuple(h for h in self.values if grid.ids[h] in hexes)
            for name, hexes in SECTORS.items()
        }
        """The objectives of formations that have a task of their own."""
        self.march_goals = self.sectors[RUIZ]
        self.shelter = [{"village": 2.0, "city": 2.0, "woods": 1.0, "farm": 1.0}.get(t, 0.0) for t in ground.terrain]
        """What terrain takes from an attack."""
        self.walls = {h: goal for goal in self.values for h in grid.adjacent[goal] if self.shelter[h]}
        """Sheltered hexes next to objectives, and the objective of each."""
        self.special = self.values.keys() | self.walls.keys()
        self._musters: dict[Hashable, Muster] = {}
        self._coming: dict[tuple[int, int, int, int], tuple[float, ...]] = {}
        self.fights = [
            [0.0 if c.is_artillery else c.strength * (1.0 - WORN * level) for c in rules.counters] for level in range(4)
        ]
        """By level and unit its strength in a fight."""
        self._felt: dict[Hashable, Felt] = {}

    def felt(self, state: State, side: int) -> Felt:
        """How much of a side is felt in each hex; the same again while nothing of it changes."""
        fights, level, stacks = self.fights, state.level, state.stacks
        there = {h: sum([fights[level[u]][u] for u in stacks[h]]) for h in bits(state.occ[side])}
        key = tuple(there.items())
        found = self._felt.get(key)
        if found is None:
            if len(self._felt) >= MOST_KEPT:
                del self._felt[next(iter(self._felt))]
            found = self._felt[key] = Felt(self, state.occ[side], there)
        return found

    def muster(self, state: State, side: int, left: int) -> Muster:
        """What a side has for each objective with so many turns left; the same again while nothing of it changes."""
        units, at, level = self.rules.units_of_side[side], state.at, state.level
        key = (left, side, tuple([at[u] for u in units]), tuple([level[u] for u in units]))
        found = self._musters.get(key)
        if found is None:
            if len(self._musters) >= MOST_KEPT:
                del self._musters[next(iter(self._musters))]
            found = self._musters[key] = Muster(self, state, side, left)
        return found

    def coming(self, unit: int, h: int, level: int, left: int) -> tuple[float, ...]:
        """What a unit in a hex adds to each objective of what is gathered, then close, then called (`Muster`)."""
        key = unit, h, level, left
        found = self._coming.get(key)
        if found is None:
            if len(self._coming) >= MOST_UNITS:
                self._coming.clear()
            found = self._coming[key] = self._comes(unit, h, level, left)
        return found

    def _comes(self, unit: int, h: int, level: int, left: int) -> tuple[float, ...]:
        guns, bound = self.is_gun[unit], unit in self.bound
        strong = self.strength[unit] * (1.0 - WORN * level)
        comes = self.strength[unit] if bound else strong * (0.3 if guns else 1.0)
        nothing = dict.fromkeys(self.values, 0.0)
        gathered, close, called = nothing.copy(), nothing.copy(), nothing
        for goal, turns in zip(self.values, self.all_turns(self.foot[unit], h), strict=True):
            if turns >= AGES or (bound and goal not in self.march_goals):
                continue
            if bound or turns <= left:
                gathered[goal] = comes * (1.0 + turns) ** -SOONER
            if turns <= CALL and not guns:
                called[goal] = strong
                if turns <= AT_ONCE:
                    close[goal] = strong
        return (*gathered.values(), *close.values(), *called.values())

    def by_goal(self, rows: Iterable[tuple[float, ...]]) -> list[dict[int, float]]:
        """By objective the sums of such rows: what is gathered, what is close and what is called."""
        sums, many = [sum(column) for column in zip(*rows, strict=True)], len(self.values)
        if not sums:
            sums = [0.0] * (3 * many)
        return [dict(zip(self.values, sums[first : first + many], strict=True)) for first in (0, many, 2 * many)]

    def ways(self, goal: int, unit: int) -> list[float]:
        """From each hex the turns to a goal for a unit in column, on roads where there are any."""
        return self.ways_on(goal, self.foot[unit])

    def ways_on(self, goal: int, foot: int) -> list[float]:
        """The same by a column of the terrain chart."""
        found = self._ways.get((goal, foot))
        if found is None:
            found = self._ways[goal, foot] = self._flooded(goal, foot)
        return found

    def all_turns(self, foot: int, h: int) -> tuple[float, ...]:
        """From a hex the turns to every objective, in their order."""
        return self._turns_on(foot)[0][h]

    def one_more_turn(self, foot: int) -> list[tuple[float, ...]]:
        """From each hex one turn more than to every objective."""
        return self._turns_on(foot)[1]

    def _turns_on(self, foot: int) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
        found = self._turns.get(foot)
        if found is None:
            turns = list(zip(*[self.ways_on(goal, foot) for goal in self.values], strict=True))
            found = self._turns[foot] = turns, [tuple([1.0 + far for far in row]) for row in turns]
        return found

    def fronts(self, h: int, other: int) -> tuple[int, ...]:
        """3.1.1: the facings with which another hex is before who stands in a hex."""
        found = self._fronts.get((h, other))
        if found is None:
            before = self.rules.ground.facings.is_before
            found = self._fronts[h, other] = tuple(facing for facing in range(6) if before(h, facing, other))
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

        costs, _ = flood((goal,), LONGEST, backwards)
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


class Around(dict[int, tuple[int, dict[int, float]]]):
    """By hex those from which troops are felt there, as a mask, and how much; nothing is felt over the river."""

    def __init__(self, chart: Chart) -> None:
        super().__init__()
        self.chart = chart

    def __missing__(self, h: int) -> tuple[int, dict[int, float]]:
        rules = self.chart.rules
        grid, bank = rules.grid, rules.ground.bank[h]
        mask = grid.within(h, REACH)
        if bank:
            mask &= ~self.chart.across[BANKS.index(bank)]
        found = self[h] = mask, {other: KERNEL[grid.distance(h, other)] for other in bits(mask)}
        return found


class Felt(dict[int, float]):
    """By hex how much of the strength of a side is felt there, worked out where it is asked for."""

    def __init__(self, chart: Chart, occ: int, there: dict[int, float]) -> None:
        super().__init__()
        self.around, self.occ, self.there = chart.around, occ, there

    def __missing__(self, h: int) -> float:
        found = 0.0
        mask, felt = self.around[h]
        near, there = mask & self.occ, self.there
        while near:
            low = near & -near
            near ^= low
            other = low.bit_length() - 1
            found += felt[other] * there[other]
        self[h] = found
        return found


class Muster:
    """What a side has for each objective: what can come there at all, the sooner the more (`gathered`), what is there
    or can be at once (`close`), and what can be there within a few turns (`called`)."""

    def __init__(self, chart: Chart, state: State, side: int, left: int) -> None:
        at, level, units = state.at, state.level, chart.rules.units_of_side[side]
        self.chart = chart
        self.rows = {u: chart.coming(u, at[u], level[u], left) for u in units if at[u] >= 0}
        self.gathered, self.close, self.called = chart.by_goal(self.rows.values())
        self._of: dict[int, tuple[dict[int, float], dict[int, float]]] = {}

    def of(self, formation: int) -> tuple[dict[int, float], dict[int, float]]:
        """What a formation has of the first two."""
        found = self._of.get(formation)
        if found is None:
            rows = [self.rows[u] for u in self.chart.rules.members[formation] if u in self.rows]
            gathered, close, _ = self.chart.by_goal(rows)
            found = self._of[formation] = gathered, close
        return found


class Pull(dict[int, float]):
    """By hex how strongly units of a formation are drawn: to its goal, and to all else that needs it and is near."""

    def __init__(self, picture: Picture, foot: int, formation: int) -> None:
        super().__init__()
        goal, needs = picture.goal(formation), picture.needs(formation)
        self.ways = picture.chart.one_more_turn(foot)
        self.rest = [need if h != goal and need > 0.05 else 0.0 for h, need in needs.items()]
        self.main = needs[goal] if goal >= 0 else 0.0
        self.way = picture.chart.ways_on(goal, foot) if goal >= 0 else []
        self.spare = AT_HAND if goal >= 0 and picture.is_ours(goal) else 0.0

    def __missing__(self, h: int) -> float:
        found = 0.0
        if self.main:
            far = self.way[h] - self.spare
            most = FARTHEST - self.spare
            found = -self.main * (most if far > most else far if far > 0.0 else 0.0)
        found = self[h] = reduce(add, map(truediv, self.rest, self.ways[h]), found)
        return found


class Picture:
    """A state as one side judges it."""

    def __init__(self, chart: Chart, state: State, side: int, weights: Weights = STEADY) -> None:
        self.chart, self.rules, self.state, self.side, self.weights = chart, chart.rules, state, side, weights
        self.left = chart.rules.last_turn - state.turn + 1
        """Turns to the end, this one counted."""
        self._pulls: dict[tuple[int, int], Pull] = {}
        self._needs: dict[int, dict[int, float]] = {}
        self._goals: dict[int, int] = {}
        self._errands: dict[int, tuple[int, int]] = {}
        self._near: dict[int, int] = {}
        self._musters: dict[int, Muster] = {}

    @cached_property
    def danger(self) -> Felt:
        """How much enemy strength is felt at a hex."""
        return self.chart.felt(self.state, 1 - self.side)

    @cached_property
    def support(self) -> Felt:
        """How much strength of one's own side is felt at a hex."""
        return self.chart.felt(self.state, self.side)

    @cached_property
    def theirs(self) -> Picture:
        """The same state as the enemy judges it."""
        found = Picture(self.chart, self.state, 1 - self.side)
        found.danger, found.support = self.support, self.danger
        found._musters = self._musters
        return found

    @cached_property
    def close_to_foes(self) -> int:
        """The hexes to which an enemy could come at once."""
        return self.rules.grid.near(self.state.occ[1 - self.side], A_MARCH)[A_MARCH]

    def nearest_foe(self, h: int) -> int:
        """Hexes to the nearest enemy; beyond a march nobody looks."""
        found = self._near.get(h)
        if found is None:
            within, enemies = self.rules.grid.within, self.state.occ[1 - self.side]
            found = SIGHT + 1
            for far in range(1, SIGHT + 1) if within(h, SIGHT) & enemies else ():
                if within(h, far) & enemies:
                    found = far
                    break
            self._near[h] = found
        return found

    def is_ours(self, h: int) -> bool:
        """Does one's own side hold this hex?"""
        return bool(self.state.control[self.side] >> h & 1)

    def muster(self, side: int) -> Muster:
        """What a side has for each objective."""
        found = self._musters.get(side)
        if found is None:
            found = self._musters[side] = self.chart.muster(self.state, side, self.left)
        return found

    @property
    def threat(self) -> dict[int, float]:
        """By objective the enemy strength that can come there."""
        return self.muster(1 - self.side).gathered

    @property
    def cover(self) -> dict[int, float]:
        """By objective the strength of one's own side that can come there."""
        return self.muster(self.side).gathered

    @property
    def near(self) -> tuple[dict[int, float], dict[int, float]]:
        """By objective what both sides have close to it, one's own first."""
        return self.muster(self.side).close, self.muster(1 - self.side).close

    def mustered(self, side: int) -> dict[int, float]:
        """By objective the strength of a side that can be there within a few turns."""
        return self.muster(side).called

    def needs(self, formation: int) -> dict[int, float]:
        """By objective how much it needs a formation: to take it, or to keep it against who can come."""
        found = self._needs.get(formation)
        if found is None:
            found, members = {}, self.rules.members[formation]
            mine, here = self.muster(self.side).of(formation)
            chart, state = self.chart, self.state
            strong = sum([chart.strength[u] for u in members if state.at[u] >= 0 and not chart.is_gun[u]])
            ours, theirs = self.near
            sector, weights = self.sector(formation), self.weights
            for goal, value in chart.values.items():
                if sector and goal not in sector:
                    found[goal] = 0.0
                    continue
                cover, threat = self.cover[goal], self.threat[goal]
                if self.is_ours(goal):
                    others = cover - mine[goal] + 1.0
                    found[goal] = weights.guard * value * min(1.2, 1.2 * threat / others) * min(1.0, threat)
                    if not theirs[goal]:
                        found[goal] *= WATCH if sector else weights.not_yet
                else:
                    odds = (strong + ours[goal] - here[goal]) / (theirs[goal] + 1.0)
                    share = mine[goal] / (cover + 0.01)
                    found[goal] = value * max(0.25, min(1.0, odds)) * (0.5 + 0.5 * share)
            self._needs[formation] = found
        return found

    def sector(self, formation: int) -> tuple[int, ...]:
        """The objectives that a formation is for and no others: those before it, as long as the enemy is there or near.
        None for who goes where he is needed."""
        chart = self.chart
        found = chart.sectors.get(formation, ())
        if formation == RUIZ or any(self.mustered(1 - self.side)[goal] > GUARD for goal in found):
            return found
        return ()

    def goal(self, formation: int) -> int:
        """The objective that a formation is for now, the sooner it can be there the better; -1 if it is for none."""
        found = self._goals.get(formation)
        if found is None:
            units = [u for u in self.rules.members[formation] if self.state.at[u] >= 0]
            worth = self.worth_of_goals(formation, units)
            found = max(worth, key=lambda goal: (worth[goal], -goal), default=-1)
            if found >= 0 and self.is_ours(found) and self.strikes_back(formation, units, found):
                lost = [goal for goal in worth if not self.is_ours(goal)]
                found = max(lost, key=lambda goal: (worth[goal], -goal), default=found)
            self._goals[formation] = found
        return found

    def send(self, formation: int, goal: int) -> None:
        """A formation is for this objective, whatever else it might be for."""
        self._goals[formation] = goal

    def worth_of_goals(self, formation: int, units: list[int]) -> dict[int, float]:
        """By objective what it is worth to go there; those left out that are not worth it, or too far."""
        found: dict[int, float] = {}
        if not units:
            return found
        chart, at = self.chart, self.state.at
        columns = zip(*[chart.all_turns(chart.foot[u], at[u]) for u in units], strict=True)
        for (goal, need), turns in zip(self.needs(formation).items(), columns, strict=True):
            if need <= IDLE:
                continue
            typical = sorted(turns)[len(turns) // 2]
            worth = need / (1.0 + self.weights.later * typical) ** 2
            if typical <= self.left + 1 and worth > IDLE:
                found[goal] = worth
        return found

    def strikes_back(self, formation: int, units: list[int], held: int) -> bool:
        """Does a formation leave what is held to win back what is lost? Who has a task of his own if he is stronger
        than the enemies there; the Garibaldini in the afternoon, where those who are near are enough to hold, and the
        reserve in any case."""
        chart, theirs = self.chart, self.mustered(1 - self.side)
        sector = self.sector(formation)
        if sector:
            strong = sum([chart.strength[u] for u in units if not chart.is_gun[u] and self.state.level[u] < 2])
            return strong > SALLY * max(theirs[goal] for goal in sector)
        if self.side != GARIBALDINI or self.state.turn < AFTERNOON:
            return False
        return formation == RESERVE or self.near[0][held] > self.near[1][held]

    def pulls(self, unit: int) -> Pull:
        """How strongly a unit is drawn from each hex to where its formation is needed."""
        key = self.chart.foot[unit], self.rules.counters[unit].formation
        found = self._pulls.get(key)
        if found is None:
            found = self._pulls[key] = Pull(self, *key)
        return found

    def pull(self, unit: int, h: int) -> float:
        """How strongly a unit is drawn from one hex."""
        return self.pulls(unit)[h]

    def boldness(self, formation: int) -> float:
        """How boldly a formation may go for its goal, 0 to 1: by who has more troops that can be there. Who has to take
        all he is to have is bolder than who holds it; who defends is bold only if he is much stronger."""
        goal = self.goal(formation) if formation >= 0 else -1
        if goal < 0:
            return 0.0
        odds = self.weights.spirit * self.mustered(self.side)[goal] / (self.mustered(1 - self.side)[goal] + 1.0)
        late = self.side == GARIBALDINI and self.state.turn >= AFTERNOON
        dash = COUNTERSTROKE if late else DASH[self.side]
        timid, bold = (SALLY, 2.0 * SALLY) if self.is_ours(goal) else dash
        least = LAST_HOUR if self.left <= 1 and not self.is_ours(goal) else 0.0
        return max(least, min(1.0, (odds - timid) / (bold - timid)))

    def errand(self, formation: int) -> tuple[int, int]:
        """A unit that a formation can spare for an objective where nobody is, and the objective; or -1 and -1."""
        found = self._errands.get(formation)
        if found is None:
            found, best = (-1, -1), 0.0
            chart, state = self.chart, self.state
            mine, _ = self.muster(self.side).of(formation)
            for goal, value in chart.values.items():
                if self.is_seen_to(goal) or mine[goal] < 0.5 * self.cover[goal]:
                    continue
                ours = self.is_ours(goal)
                for unit in self.rules.members[formation]:
                    if not self.is_spare(unit):
                        continue
                    turns = chart.ways(goal, unit)[state.at[unit]]
                    worth = value / (1.0 + turns) - SPARE * abs(chart.strength[unit] - (GARRISON if ours else 0))
                    if turns <= min(self.left, ERRAND) and worth > best:
                        found, best = (unit, goal), worth
            self._errands[formation] = found
        return found

    def is_seen_to(self, goal: int) -> bool:
        """Does an objective need no unit that is sent there: since somebody is there, since the enemy is near, or since
        it is one's own and nobody comes for it?"""
        state = self.state
        if (state.occ[0] | state.occ[1]) >> goal & 1 or self.near[1][goal] > GUARD:
            return True
        return self.is_ours(goal) and self.mustered(1 - self.side)[goal] <= 0

    def is_spare(self, unit: int) -> bool:
        """Can a unit be sent away alone: no gun, in command, not worn, not in contact, and no only garrison?"""
        chart, state = self.chart, self.state
        h = state.at[unit]
        if h < 0 or chart.is_gun[unit] or state.ooc >> unit & 1 or state.level[unit] > 1 or self.nearest_foe(h) <= 2:
            return False
        return not (h in chart.values and len(state.stacks[h]) == 1 and self.threat[h] > 0.3)

    def is_idle(self, unit: int) -> bool:
        """Is its formation needed nowhere?"""
        return self.goal(self.rules.counters[unit].formation) < 0
