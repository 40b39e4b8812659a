"""What does not change in a match: what places are worth, how long the ways are, what fire brings; and the picture of
a state."""

from __future__ import annotations

import math
from collections.abc import Iterable
from copy import copy
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from typing import Any, NamedTuple

from fronte.engine.rules import Rules
from fronte.games.caporetto import losses, morale, supply, trenches
from fronte.games.caporetto.artillery import PARTS
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.scenarios import MAJORITY
from fronte.games.caporetto.state import State, zone_of
from fronte.games.caporetto.tables import DIE
from fronte.games.caporetto.terrain import AHG
from fronte.hexes import bits

TURN = 24
"""Quarters of a point that infantry has for a turn."""
FAR = 10**6
"""Quarters to where there is no way."""
CLIMB = 40
"""What a cliff counts, which takes all that one has."""
FADE = 0.3
"""What is left of the worth of an objective a turn farther away."""
HELD = 12
"""What a hex with an enemy in it counts on a way, and for each factor of his"""
FACTOR = 2
WATCHED = 4
"""and what one in his zone does."""
SCALE = 4.5
"""How much more a point is worth in the short scenarios, which have few of them."""
RETAKEN = 0.25
"""How much an enemy factor close by for each of one's own takes from the worth of an objective."""
THROUGH = 2.0
"""What is added for a hex of the breakthrough."""


class Hit(NamedTuple):
    """What a column of the fire chart brings on average: points for each unit, steps, and how often S and T."""

    points: float
    steps: float
    suppressed: float
    trench: float


NO_HIT = Hit(0.0, 0.0, 0.0, 0.0)


class Chart:
    """What is known of a ruleset once and for all."""

    def __init__(self, rules: Caporetto) -> None:
        self.rules = rules
        scene, grid = rules.scene, rules.grid
        scale = SCALE if scene.victory == MAJORITY else 1.0
        self.values = {h: scale * worth for h, worth in scene.objectives.items()}
        """What each objective is worth;"""
        wanted = 0
        for hexes in scene.breakthrough.values():
            wanted |= hexes
        for h in bits(wanted):
            self.values[h] = self.values.get(h, 0.0) + THROUGH
        self.sides = tuple(scene.force_side)
        self.foot = rules.tables.feet.index("foot")
        self.leads = rules.prices.leads[self.foot]
        self.back: list[list[tuple[int, int, int]]] = [[] for _ in range(grid.size)]
        """by hex who leads to it, at what price, and by which bridge."""
        for here in range(grid.size):
            for lead in self.leads[here]:
                off = CLIMB if lead.off_road == -2 else lead.off_road
                if off > 0:
                    self.back[lead.there].append((here, off, 0))
                if lead.on_road > 0 and (off <= 0 or lead.on_road < off):
                    self.back[lead.there].append((here, lead.on_road, lead.bridge))
        self.cover = [self._cover(h) for h in range(grid.size)]
        """By hex how many columns its ground helps who defends it."""
        self._ways: dict[int, list[int]] = {}
        fire = rules.tables.fire
        self.hits = [[self._hit(column, drm) for column in range(-1, len(fire.columns))] for drm in (0, fire.road_die)]

    def _cover(self, h: int) -> int:
        ground, shift = self.rules.ground, self.rules.tables.assault.shift
        found = 0
        for key, there in (("woods", ground.woods), ("village", ground.villages), ("town", ground.towns)):
            found -= shift[key] if there >> h & 1 else 0
        return found - (shift["high_mountain"] if ground.high >> h & 1 else 0)

    def _hit(self, column: int, drm: int) -> Hit:
        if column < 0:
            return NO_HIT
        fire, points, steps, quiet, trench = self.rules.tables.fire, 0.0, 0.0, 0.0, 0.0
        for die in range(1, DIE + 1):
            found = fire.result(column, die + drm)
            points += fire.again / DIE if found.again else found.dp
            steps += found.steps
            quiet += found.suppressed
            trench += found.trench
        return Hit(points / DIE, steps / DIE, quiet / DIE, trench / DIE)

    def hit(self, total: float, shift: int, by_road: bool = False) -> Hit:
        """12.1.4, 12.2.9: what so many factors bring on average."""
        fire = self.rules.tables.fire
        column = fire.column(int(total * PARTS), PARTS)
        shift = max(-fire.most_shift, min(fire.most_shift, shift))
        last = len(fire.columns) - 1
        return self.hits[by_road][max(-1, min(last, column + shift)) + 1] if column >= 0 or shift > 0 else NO_HIT

    def ways_to(self, goal: int) -> list[int]:
        """By hex the quarters of a point to a goal, if nobody is in the way."""
        if goal not in self._ways:
            self._ways[goal] = self.flood({goal: 0})
        return self._ways[goal]

    def flood(self, goals: dict[int, int], extra: dict[int, int] | None = None, standing: int = -1) -> list[int]:
        """By hex the least quarters to one of these goals, each of which begins with some; `extra` are those that a hex
        costs besides to enter it."""
        cost = [FAR] * self.rules.grid.size
        heap: list[tuple[int, int]] = []
        for h, least in goals.items():
            cost[h] = least
            heappush(heap, (least, h))
        back, extra = self.back, extra or {}
        while heap:
            spent, there = heappop(heap)
            if spent > cost[there]:
                continue
            base = spent + extra.get(there, 0)
            for here, paid, bridge in back[there]:
                if bridge and not standing & bridge:
                    continue
                total = base + paid
                if total < cost[here]:
                    cost[here] = total
                    heappush(heap, (total, here))
        return cost

    def march(self, starts: Iterable[int], standing: int) -> list[int]:
        """By hex the least quarters from one of these hexes to it, if nobody is in the way."""
        cost = [FAR] * self.rules.grid.size
        heap: list[tuple[int, int]] = []
        for h in starts:
            cost[h] = 0
            heap.append((0, h))
        while heap:
            spent, here = heappop(heap)
            if spent > cost[here]:
                continue
            for lead in self.leads[here]:
                paid = CLIMB if lead.off_road == -2 else lead.off_road
                if (
                    lead.on_road > 0
                    and (not lead.bridge or standing & lead.bridge)
                    and (paid < 0 or lead.on_road < paid)
                ):
                    paid = lead.on_road
                if paid > 0 and spent + paid < cost[lead.there]:
                    cost[lead.there] = spent + paid
                    heappush(heap, (spent + paid, lead.there))
        return cost


@lru_cache(maxsize=8)
def chart_of(rules: Rules[Any]) -> Chart:
    """The chart of a ruleset."""
    assert isinstance(rules, Caporetto)
    return Chart(rules)


class Picture:
    """A state as one force sees it: what is threatened, what is to be had, how far it is. The state is the player's own
    copy: whoever moves somebody in it for a moment puts him back."""

    def __init__(self, chart: Chart, state: State, force: int) -> None:
        self.chart, self.rules, self.state, self.force = chart, chart.rules, state, force
        self.side = chart.sides[force]
        self.home = chart.rules.homes[force]

    def twin(self, state: State) -> Picture:
        """The same picture for a copy of the state in which everybody is where he is: what was worked out stays."""
        twin = copy(self)
        twin.state = state
        return twin

    @property
    def foes(self) -> int:
        """The hexes with enemy combat units."""
        return self.state.occ[1 - self.side] & self.rules.ground.extent

    @cached_property
    def near_foes(self) -> int:
        """The hexes next to enemy combat units."""
        return self.rules.ground.around(self.foes)

    @cached_property
    def foe_zone(self) -> int:
        """The enemy's zones."""
        return zone_of(self.rules, self.state, 1 - self.side)

    @cached_property
    def fed(self) -> int:
        """9.2: the hexes in which a unit of the force is supplied."""
        return supply.supplied(self.rules.ground, supply.lines_of(self.rules, self.state, self.force, self.home))

    def is_ours(self, h: int) -> bool:
        """23.1: does one's side hold a hex?"""
        held = self.state.control
        return any(held[force] >> h & 1 for force, side in enumerate(self.chart.sides) if side == self.side)

    @cached_property
    def wanted(self) -> dict[int, float]:
        """The objectives that are to be taken, with their worth."""
        rules = self.rules
        common = rules.scene.matajur if self.state.matajur >= 0 else -1
        return {
            h: worth
            for h, worth in self.chart.values.items()
            if self.home >> h & 1 and h != common and not self.is_ours(h)
        }

    @cached_property
    def kept(self) -> dict[int, float]:
        """Those that are one's own."""
        return {h: worth for h, worth in self.chart.values.items() if self.home >> h & 1 and self.is_ours(h)}

    # What enemies are worth

    def strength_at(self, h: int, side: int) -> int:
        """The factors of a side in a hex."""
        rules, state = self.rules, self.state
        return sum(losses.strength(rules, state, unit) for unit in state.stacks.get(h, ()) if rules.side[unit] == side)

    @cached_property
    def pressure(self) -> dict[int, int]:
        """By hex next to enemies their factors."""
        found: dict[int, int] = {}
        for h in bits(self.foes):
            strong = self.strength_at(h, 1 - self.side)
            for there in self.rules.grid.adjacent[h]:
                found[there] = found.get(there, 0) + strong
        return found

    def lasting(self, h: int, own: float) -> float:
        """23.1.counter: what is left of the worth of an objective that may be retaken in the same turn, which costs its
        points twice, for who would hold it with so many factors."""
        if self.side != AHG or self.rules.scene.victory == MAJORITY:
            return 1.0
        around = 0
        for there in bits(self.rules.grid.within(h, 2) & self.foes & ~(1 << h)):
            around += self.strength_at(there, 1 - self.side)
        return max(0.1, 1.0 - RETAKEN * around / max(2.0, own))

    def trench_at(self, h: int, side: int) -> int:
        """17.4: the trench of a side in a hex."""
        return trenches.level(self.rules, self.state, h, side)

    # Ways

    @cached_property
    def obstacles(self) -> dict[int, int]:
        """What enemies and their zones add to a way."""
        rules, state, found = self.rules, self.state, dict[int, int]()
        for h in bits(self.foe_zone & ~state.occ[self.side]):
            found[h] = WATCHED
        for h in bits(self.foes):
            trench = self.trench_at(h, 1 - self.side)
            found[h] = HELD + FACTOR * (self.strength_at(h, 1 - self.side) + 2 * (trench + self.chart.cover[h]))
        for h in bits(rules.ground.extent & ~self.home):
            found[h] = FAR
        return found

    @cached_property
    def way(self) -> list[int]:
        """By hex how far it is to what is to be taken, and what lies in between; what is worth more seems nearer."""
        goals = {}
        for h, worth in self.wanted.items():
            goals[h] = round(TURN * math.log(8 / worth) / -math.log(FADE)) if worth < 8 else 0
        if not goals:
            goals = dict.fromkeys(self.kept, 0)
        return self.chart.flood(goals, self.obstacles, self.state.standing)

    @cached_property
    def arrival(self) -> list[int]:
        """By hex how soon the enemy can be there, if nobody stops him."""
        starts = [h for h in bits(self.foes) if self.home >> h & 1]
        return self.chart.march(starts, self.state.standing)

    @cached_property
    def relevance(self) -> dict[int, float]:
        """For who defends: by hex how much of what is one's own lies behind it on the enemy's way."""
        arrival, found = self.arrival, dict[int, float]()
        for goal, worth in self.kept.items():
            due = arrival[goal]
            if due >= FAR:
                continue
            ways = self.chart.ways_to(goal)
            weight = worth * 0.75 ** (due / TURN)
            limit = due + TURN
            for h, so_far in enumerate(arrival):
                rest = ways[h]
                if so_far + rest < limit:
                    slack = (so_far + rest - due) / TURN
                    found[h] = max(found.get(h, 0.0), weight * (1.0 - max(0.0, slack)))
        return found

    # Units

    def steps(self, unit: int) -> int:
        """16.1: steps that a unit has left."""
        return losses.steps_left(self.rules, self.state, unit)

    def spirit(self, unit: int) -> int:
        """15.1: current morale."""
        return morale.current(self.rules, self.state, unit)
