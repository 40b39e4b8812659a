"""The picture of a state: what is to be had and threatened, and how far it is to it, for each formation."""

from __future__ import annotations

import math
from functools import cached_property

from fronte.ai.caporetto.chart import TURN, Chart
from fronte.ai.caporetto.distances import FAR
from fronte.ai.caporetto.worths import EXIT, LEAVING, Worths
from fronte.games.caporetto.state import State
from fronte.games.caporetto.terrain import AHG
from fronte.hexes import bits

FADE = 0.3
"""What is left of the worth of an objective a turn farther away."""
HELD = 12
"""What a hex with an enemy in it counts on a way, and for each factor of his"""
FACTOR = 2
WATCHED, SLIPPED = 8, 2
"""and what one in his zone does, where one has to stop, and for who slips through."""
SHARE = 0.85
"""What is left of the worth of an objective for each formation that goes there already."""
TOGETHER, SEVERE = 6, 2.0
"""So many go together for one that cuts the enemy off, if it is worth so much besides its points."""
AHEAD = 0.6
"""What is left of it a turn farther away, when formations are told where to go."""
PACE = 1.25
"""Turns of marching, without enemies, that one hopes to make in a turn."""
BEHIND = 5
"""Who is so many hexes behind a bridge is about to cross it."""
DEARER = 3.0
"""How much more an objective is worth that is to be kept before all others."""


def _behind(worth: float) -> int:
    """How far behind an objective begins: the less it is worth, the farther away it seems."""
    return round(TURN * math.log(8 / worth) / -math.log(FADE)) if worth < 8 else 0


class Picture(Worths):
    """A state as one force sees it: what is threatened, what is to be had, how far it is."""

    def __init__(self, chart: Chart, state: State, force: int) -> None:
        super().__init__(chart, state, force)
        self._ways: dict[tuple[int, bool], list[int]] = {}

    def turn_to(self, goal: int) -> None:
        """All go for one objective, or keep that before all others."""
        if self.side == AHG:
            self.aims = {formation: {goal: 0} for formation in self.rules.formations_of_force[self.force]}
        elif goal in self.kept:
            self.kept[goal] *= DEARER

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
    def crossings(self) -> int:
        """19.2: the bridges that one can count on: in a campaign who attacks counts on none over the Isonzo that is the
        enemy's on both banks, for it may be blown before he is there."""
        rules, found = self.rules, self.state.standing
        if self.side != AHG or self.short:
            return found
        for number in bits(rules.ground.isonzo_bridges & found):
            bridge = rules.ground.bridges[number]
            if not self.is_ours(bridge.a) and not self.is_ours(bridge.b):
                found &= ~(1 << number)
        return found

    @cached_property
    def way(self) -> list[int]:
        """By hex how far it is to what is to be taken, and what lies in between; what is worth more seems nearer."""
        goals = {h: _behind(worth) for h, worth in self.wanted.items()}
        if not goals:
            goals = dict.fromkeys(self.kept, 0)
        return self.chart.distances.to(goals, self.obstacles, self.crossings)

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
                found = self.chart.distances.to(goals, extra, self.crossings)
            else:
                found = self.way
            self._ways[formation, slips] = found
        return found

    # Who goes where

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
                _, h = max((promise * SHARE ** self._spare(h, going[h]), h) for promise, h in offers[formation])
                chosen[formation] = h
                going[h] += 1
        found = {}
        for formation, here in places.items():
            goals = {}
            for h, worth in self.wanted.items():
                if chart.ways_to(h)[here] <= reach:
                    others = going[h] - (chosen.get(formation) == h)
                    goals[h] = _behind(worth * SHARE ** self._spare(h, others)) + zones.get(formation, {}).get(h, 0)
            if self.exits_count and self.left <= LEAVING + 2:
                for h in bits(rules.ground.exits & self.home):
                    if chart.ways_to(h)[here] <= reach:
                        goals[h] = min(goals.get(h, FAR), _behind(EXIT))
            found[formation] = goals
        return found

    def _spare(self, h: int, going: int) -> int:
        """How many of those who go for an objective it does not need: what cuts the enemy off is worth more to many."""
        return max(0, going - TOGETHER) if self.cuts.get(h, 0.0) >= SEVERE else going

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
