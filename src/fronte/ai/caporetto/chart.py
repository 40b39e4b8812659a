"""What does not change in a match: what places are worth, how long the ways are, what fire brings."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from fronte.ai.caporetto.distances import Distances
from fronte.engine.rules import Rules
from fronte.games.caporetto import supply
from fronte.games.caporetto.artillery import PARTS
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.scenarios import MAJORITY
from fronte.games.caporetto.tables import DIE
from fronte.hexes import bits

TURN = 24
"""Quarters of a point that infantry has for a turn."""
ZONE, ABROAD = 1.0, 3 * TURN
"""What is added for an objective in the zone of another: for each quarter that he was nearer to it, and at most."""
SCALE = 4.5
"""How much more a point is worth in the short scenarios, which have few of them."""
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
        self.distances = Distances(rules)
        self.cover = [self._cover(h) for h in range(grid.size)]
        """By hex how many columns its ground helps who defends it."""
        self._ways: dict[int, list[int]] = {}
        self.shares: dict[int, dict[int, float]] = {}
        """By place how much a unit in a hex counts for it (`places`)."""
        self._zones: dict[int, dict[int, dict[int, int]]] = {}
        self._behind: dict[tuple[int, int, int], int] = {}
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

    def behind(self, force: int, goal: int, standing: int) -> int:
        """9.2: the hexes that a force supplies through a goal alone, over the bridges that stand."""
        key = force, goal, standing
        if key not in self._behind:
            ground, side, inside = self.rules.ground, self.sides[force], self.rules.homes[force]
            free = supply.Lines(ground.sources[side], inside, 0, 0, 0, standing, (), 0, self.rules.off_road)
            cut = free._replace(enemies=1 << goal)
            self._behind[key] = supply.supplied(ground, free) & ~supply.supplied(ground, cut)
        return self._behind[key]

    def ways_to(self, goal: int) -> list[int]:
        """By hex the quarters of a point to a goal, if nobody is in the way."""
        if goal not in self._ways:
            self._ways[goal] = self.distances.to({goal: 0})
        return self._ways[goal]


@lru_cache(maxsize=8)
def chart_of(rules: Rules[Any]) -> Chart:
    """The chart of a ruleset."""
    assert isinstance(rules, Caporetto)
    return Chart(rules)
