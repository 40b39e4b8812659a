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
from fronte.games.caporetto import losses, morale, movement, sectors, supply, trenches
from fronte.games.caporetto.artillery import PARTS
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.movement import Manner
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
WATCHED, SLIPPED = 8, 2
"""and what one in his zone does, where one has to stop, and for who slips through."""
SHARE = 0.85
"""What is left of the worth of an objective for each formation that goes there already."""
ZONE, ABROAD = 1.0, 3 * TURN
"""What is added for an objective in the zone of another: for each quarter that he was nearer to it, and at most."""
AHEAD = 0.6
"""What is left of it a turn farther away, when formations are told where to go."""
PACE = 1.25
"""Turns of marching, without enemies, that one hopes to make in a turn."""
HALTED = 4.0
"""What is added for every objective in the turn in which one must be taken (23.3)."""
EXIT = 5.0
"""23.1.exit: what a formation is worth that has left the map."""
SHUT = 8.0
"""What it is worth to who defends that nobody leaves there: more than one formation may."""
LEAVING = 2
"""So many turns before the last formations begin to leave."""
NEAR_SUPPLY = 4
"""So many hexes out of supply an HQ reaches still."""
SCALE = 4.5
"""How much more a point is worth in the short scenarios, which have few of them."""
COUNTERED = 8
"""So many factors at most come back together to retake an objective in the same turn;"""
RETAKEN, UNLIKELY = 0.22, 0.4
"""what the chance of that grows by with each of them for one of one's own, beyond a ratio that has none."""
TWICE = 3.0
"""23.1.counter: what it then costs, with what it would have been worth; and what it is worth to who retakes it."""
FORCED, RAPID = Manner(forced=True), Manner(forced=True, strategic=True)
FARTHEST, STEP = 6 * TURN, 4
"""From no farther away than this anybody takes a place back at once; and the quarters that he needs to go on from
there."""
BEHIND = 5
"""Who is so many hexes behind a bridge is about to cross it."""
DEARER = 3.0
"""How much more an objective is worth that is to be kept before all others."""
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
        self.shares: dict[int, dict[int, float]] = {}
        """By place how much a unit in a hex counts for it (`places`)."""
        self._zones: dict[int, dict[int, dict[int, int]]] = {}
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

    def zones(self, force: int) -> dict[int, dict[int, int]]:
        """By formation and objective how much farther it was from there on the first morning than from whoever was
        nearest: each keeps to its own way, so that nobody marches to and fro behind the front."""
        if force not in self._zones:
            self._zones[force] = self._find_zones(force)
        return self._zones[force]

    def _find_zones(self, force: int) -> dict[int, dict[int, int]]:
        rules, starts = self.rules, dict[int, int]()
        for formation in rules.formations_of_force[force]:
            at = [h for unit in rules.formations[formation].members if (h := rules.begins[unit]) >= 0]
            if at:
                starts[formation] = at[len(at) // 2]
        found: dict[int, dict[int, int]] = {formation: {} for formation in starts}
        for goal in self.values:
            ways = self.ways_to(goal)
            least = min([ways[h] for h in starts.values()], default=0)
            for formation, h in starts.items():
                found[formation][goal] = round(min(ZONE * (ways[h] - least), ABROAD))
        return found

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


def _behind(worth: float) -> int:
    """How far behind an objective begins: the less it is worth, the farther away it seems."""
    return round(TURN * math.log(8 / worth) / -math.log(FADE)) if worth < 8 else 0


class Picture:
    """A state as one force sees it: what is threatened, what is to be had, how far it is. The state is the player's own
    copy: whoever moves somebody in it for a moment puts him back."""

    def __init__(self, chart: Chart, state: State, force: int) -> None:
        self.chart, self.rules, self.state, self.force = chart, chart.rules, state, force
        self.side = chart.sides[force]
        self.home = chart.rules.homes[force]
        self._ways: dict[tuple[int, bool], list[int]] = {}
        self._machine_guns: dict[int, float] = {}
        self._fire: dict[tuple[int, int], tuple[float, float]] = {}
        self._back: dict[int, bool] = {}

    def twin(self, state: State) -> Picture:
        """The same picture for a copy of the state in which everybody is where he is: what was worked out stays."""
        twin = copy(self)
        twin.state = state
        return twin

    def turn_to(self, goal: int) -> None:
        """All go for one objective, or keep that before all others."""
        if self.side == AHG:
            self.aims = {formation: {goal: 0} for formation in self.rules.formations_of_force[self.force]}
        elif goal in self.kept:
            self.kept[goal] *= DEARER

    @property
    def foes(self) -> int:
        """The hexes with enemy combat units."""
        return self.state.occ[1 - self.side] & self.rules.ground.extent

    @cached_property
    def near_foes(self) -> int:
        """The hexes next to enemy combat units."""
        return self.rules.ground.around(self.foes)

    @cached_property
    def beside(self) -> int:
        """The hexes next to one's own combat units."""
        return self.rules.ground.around(self.state.occ[self.side])

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
        found = {
            h: worth
            for h, worth in self.chart.values.items()
            if self.home >> h & 1 and h != common and not self.is_ours(h)
        }
        if self.side != AHG and rules.scene.victory != MAJORITY:
            for h, _ in self.state.captured:
                if h in found:
                    found[h] *= TWICE
        if self.halting:
            found = {h: worth + HALTED for h, worth in found.items()}
        return found

    @cached_property
    def halting(self) -> bool:
        """23.3: does the offensive come to a halt if nothing is taken in this turn?"""
        state, campaign = self.state, self.rules.scene.victory != MAJORITY
        return self.side == AHG and campaign and state.quiet > 0 and not state.captured

    @cached_property
    def kept(self) -> dict[int, float]:
        """Those that are one's own; who defends also keeps the ways over the edge shut (23.1.exit)."""
        found = {h: worth for h, worth in self.chart.values.items() if self.home >> h & 1 and self.is_ours(h)}
        if self.side != AHG and self.rules.scene.victory != MAJORITY:
            for h in bits(self.rules.ground.exits & self.home):
                found[h] = found.get(h, 0.0) + SHUT
        return found

    # What enemies are worth

    def strength_at(self, h: int, side: int) -> int:
        """The factors of a side in a hex."""
        rules, state = self.rules, self.state
        return sum(losses.strength(rules, state, unit) for unit in state.stacks.get(h, ()) if rules.side[unit] == side)

    def guns_at(self, h: int) -> float:
        """The machine guns of the enemies in a hex."""
        found = self._machine_guns.get(h)
        if found is None:
            rules, state, found = self.rules, self.state, 0.0
            for unit in state.stacks.get(h, ()):
                if rules.side[unit] != self.side:
                    guns = losses.machine_guns(rules, state, unit)
                    found += guns / 2 if state.ooc >> unit & 1 else guns
            self._machine_guns[h] = found
        return found

    def passing(self, here: int, there: int) -> tuple[float, float]:
        """10.1.2: the points that the enemy's fire at a step brings on average, and the chance to be stopped by it."""
        found = self._fire.get((here, there))
        if found is None:
            found = self._fire[here, there] = self._passing(here, there)
        return found

    def _passing(self, here: int, there: int) -> tuple[float, float]:
        rules, state = self.rules, self.state
        blind, grid = rules.blind[state.turn], rules.grid
        if (blind >> here | blind >> there) & 1:
            return 0.0, 0.0
        total = sum([self.guns_at(h) for h in bits(grid.ring[here] & grid.ring[there] & self.foes & ~blind)])
        if not total:
            return 0.0, 0.0
        crossing = rules.tables.fire.crossing if rules.ground.water[rules.ground.way(here, there)] else 0
        hit = self.chart.hit(total, crossing - self.chart.cover[there])
        return hit.points, hit.suppressed

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
        points twice, for who would hold it with so many factors; with none he passes through."""
        if self.side != AHG or self.rules.scene.victory == MAJORITY:
            return 1.0
        if self.halting or (self.rules.scene.sectors and h == self.rules.scene.matajur):  # 24.15: nobody takes it back
            return 1.0
        if own <= 0 or sectors.is_common(self.rules, h):
            return -1.0 if self.comes_back(h) else 1.0
        if self.state.phase == "movement":  # 10.3.1.e1: nobody assaults any more in this turn
            return 1.0
        around, spent = 0, self.state.activated
        for there in bits(self.rules.grid.within(h, 2) & self.foes & ~(1 << h)):
            for unit in self.state.stacks[there]:
                if self.rules.side[unit] != self.side and not spent >> unit & 1:
                    around += losses.strength(self.rules, self.state, unit)
        ratio = min(around, COUNTERED) / max(1.0, own)
        return max(-1.0, 1.0 - TWICE * RETAKEN * max(0.0, ratio - UNLIKELY))

    def comes_back(self, h: int) -> bool:
        """10.3.2, 10.4, 24.3: can an enemy who has not acted enter a hex with nobody in it in this turn? In one of both
        sectors nobody stays, so there he has to have a step left."""
        found = self._back.get(h)
        if found is None:
            found = self._back[h] = self._comes_back(h)
        return found

    def _comes_back(self, h: int) -> bool:
        rules, state, ways = self.rules, self.state, self.chart.ways_to(h)
        rest = STEP if sectors.is_common(rules, h) else 0
        spent = state.activated | rules.guns | rules.hqs
        for there in bits(self.foes):
            if ways[there] > FARTHEST:
                continue
            for unit in state.stacks[there]:
                if rules.side[unit] == self.side or spent >> unit & 1:
                    continue
                if sectors.is_bound(rules, state, unit) or sectors.is_frozen(rules, state, unit):
                    continue
                for manner in (FORCED, RAPID):
                    points = movement.allowance(rules, state, (unit,), manner)
                    if ways[there] > points or movement.why_not_so(rules, state, (unit,), manner) is not None:
                        continue
                    if movement.spread(rules, state, (unit,), points, manner, goals=1 << h).left.get(h, -1) >= rest:
                        return True
        return False

    def trench_at(self, h: int, side: int) -> int:
        """17.4: the trench of a side in a hex."""
        return trenches.level(self.rules, self.state, h, side)

    # Ways

    @cached_property
    def obstacles(self) -> dict[int, int]:
        """What enemies and their zones add to a way."""
        state, found = self.state, dict[int, int]()
        for h in bits(self.foe_zone & ~state.occ[self.side]):
            found[h] = WATCHED
        return found | self._held

    @cached_property
    def gaps(self) -> dict[int, int]:
        """21.5.1: the same for who can infiltrate."""
        found = dict.fromkeys(bits(self.foe_zone & ~self.state.occ[self.side]), SLIPPED)
        return found | self._held

    @cached_property
    def _held(self) -> dict[int, int]:
        """What the hexes add that enemies hold, or that are closed."""
        rules, found = self.rules, dict[int, int]()
        for h in bits(self.foes):
            trench = self.trench_at(h, 1 - self.side)
            found[h] = HELD + FACTOR * (self.strength_at(h, 1 - self.side) + 2 * (trench + self.chart.cover[h]))
        for h in bits(rules.ground.extent & ~self.home):
            found[h] = FAR
        return found

    @cached_property
    def way(self) -> list[int]:
        """By hex how far it is to what is to be taken, and what lies in between; what is worth more seems nearer."""
        goals = {h: _behind(worth) for h, worth in self.wanted.items()}
        if not goals:
            goals = dict.fromkeys(self.kept, 0)
        return self.chart.flood(goals, self.obstacles, self.state.standing)

    def nearest(self, h: int) -> int:
        """How far it is from a hex to what is to be taken, if nobody is in the way: never more than `way_of` says."""
        ways_to, exits = self.chart.ways_to, bits(self.rules.ground.exits & self.home) if self.exits_count else ()
        return min([ways_to(goal)[h] for goal in (*self.wanted, *exits)], default=0)

    def way_of(self, unit: int) -> list[int]:
        """The same for a unit: what others of the force go for already seems farther away, and who can infiltrate slips
        through the enemy's zones."""
        if self.side != AHG:
            return self.way
        formation, slips = self.rules.formation_of[unit], bool(self.rules.infiltration >> unit & 1)
        found = self._ways.get((formation, slips))
        if found is None:
            goals = self.aims.get(formation)
            if goals:
                extra = self.gaps if slips else self.obstacles
                found = self.chart.flood(goals, extra, self.state.standing)
            else:
                found = self.way
            self._ways[formation, slips] = found
        return found

    @cached_property
    def left(self) -> int:
        """The turns that are left, with this one."""
        return self.rules.scene.last_turn - self.state.turn + 1

    @cached_property
    def aims(self) -> dict[int, dict[int, int]]:
        """By formation the objectives, and how far behind each begins: those are shared out, the nearest first, among
        the formations; ways over the edge of the map are there for all (21.9)."""
        rules, state, chart = self.rules, self.state, self.chart
        places = {}
        for formation in rules.formations_of_force[self.force]:
            at = [state.at[unit] for unit in rules.formations[formation].members if state.at[unit] >= 0]
            if at:
                places[formation] = at[len(at) // 2]
        reach, zones = self.left * TURN * PACE, chart.zones(self.force)
        offers: dict[int, list[tuple[float, int]]] = {}
        for formation, here in places.items():
            zone = zones.get(formation, {})
            ways = [(chart.ways_to(h)[here] + zone.get(h, 0), h, worth) for h, worth in self.wanted.items()]
            offers[formation] = [(worth * AHEAD ** (far / TURN), h) for far, h, worth in ways if far <= reach]
        going, chosen = dict.fromkeys(self.wanted, 0), dict[int, int]()
        for formation in sorted(offers, key=lambda f: (-max(offers[f], default=(0.0, 0))[0], f)):
            if offers[formation]:
                _, h = max((promise * SHARE ** going[h], h) for promise, h in offers[formation])
                chosen[formation] = h
                going[h] += 1
        found = {}
        for formation, here in places.items():
            goals = {}
            for h, worth in self.wanted.items():
                if chart.ways_to(h)[here] <= reach:
                    others = going[h] - (chosen.get(formation) == h)
                    goals[h] = _behind(worth * SHARE**others) + zones.get(formation, {}).get(h, 0)
            if self.exits_count and self.left <= LEAVING + 2:
                for h in bits(rules.ground.exits & self.home):
                    if chart.ways_to(h)[here] <= reach:
                        goals[h] = min(goals.get(h, FAR), _behind(EXIT))
            found[formation] = goals
        return found

    @cached_property
    def exits_count(self) -> bool:
        """23.1.exit: are there points for who leaves the map?"""
        return self.side == AHG and self.rules.scene.victory != MAJORITY

    def exit_worth(self, unit: int) -> float:
        """23.1.exit: what it is worth that a unit leaves the map: its part of the points of its formation, if all the
        others can leave too."""
        rules, state, chart = self.rules, self.state, self.chart
        formation = rules.formation_of[unit]
        if not self.exits_count or formation < 0 or self.left > LEAVING + 1:
            return 0.0
        units = [one for one in rules.formations[formation].members if state.at[one] >= 0]
        reach = self.left * TURN
        exits = list(bits(rules.ground.exits & self.home))
        for one in units:
            later = reach - (TURN if (state.moved | state.activated) >> one & 1 else 0)
            if all(chart.ways_to(h)[state.at[one]] > later for h in exits):
                return 0.0
        return EXIT / len(units) * (1.0 if self.left <= LEAVING else 0.5)

    @cached_property
    def cutting(self) -> dict[int, float]:
        """9.2.1: by enemy hex its part in keeping supply from going on along the roads."""
        rules, found = self.rules, dict[int, float]()
        lines = supply.lines_of(rules, self.state, self.force, self.home)
        net = supply.road_net(rules.ground, lines)
        for h in bits(rules.ground.along_routes(net) & ~net & self.home):
            cutters = list(bits((rules.grid.ring[h] | 1 << h) & lines.enemies))
            for there in cutters:
                found[there] = found.get(there, 0.0) + 1 / len(cutters)
        return found

    @cached_property
    def landings(self) -> dict[int, int]:
        """11.3: the hexes behind bridges over the Isonzo that others have still to cross, with how many: who stands
        there keeps all of them from crossing."""
        rules, state, way, found = self.rules, self.state, self.way, dict[int, int]()
        for number in bits(rules.ground.isonzo_bridges & state.standing):
            a, b = rules.ground.bridges[number].a, rules.ground.bridges[number].b
            near, far = (a, b) if way[a] > way[b] else (b, a)
            if not self.home >> near & 1 or not self.home >> far & 1:
                continue
            behind = rules.grid.within(near, BEHIND) & state.occ[self.side]
            waiting = sum(way[h] >= way[near] for h in bits(behind))
            if waiting:
                found[far] = waiting
        return found

    @cached_property
    def close(self) -> int:
        """7.6: the hexes that are out of supply, but near it."""
        near = self.fed
        for _ in range(NEAR_SUPPLY):
            near |= self.rules.ground.around(near)
        return near

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

    @cached_property
    def backed(self) -> dict[int, float]:
        """12.4.1: by hex the most that is one's own and threatened so near that it could be retaken from there."""
        found = dict[int, float]()
        for goal, worth in self.kept.items():
            if self.arrival[goal] < 2 * TURN:
                for h in bits(self.rules.grid.within(goal, self.rules.counter_assault_reach) & ~(1 << goal)):
                    found[h] = max(found.get(h, 0.0), worth)
        return found

    # Units

    def steps(self, unit: int) -> int:
        """16.1: steps that a unit has left."""
        return losses.steps_left(self.rules, self.state, unit)

    def spirit(self, unit: int) -> int:
        """15.1: current morale."""
        return morale.current(self.rules, self.state, unit)
