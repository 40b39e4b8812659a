"""What there is in a state, as one force sees it: enemies and their zones, supply, how strong and how worn everybody
is."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from functools import cached_property
from typing import Self

from fronte.ai.caporetto.chart import Chart
from fronte.games.caporetto import losses, morale, supply, trenches
from fronte.games.caporetto.scenarios import MAJORITY
from fronte.games.caporetto.state import State, zone_of
from fronte.games.caporetto.terrain import AHG
from fronte.hexes import bits

NEAR_SUPPLY = 4
"""So many hexes out of supply any HQ reaches still."""
SPIRITED = 6
"""Whose factors count in full."""


class Sight:
    """A state as one force sees it. The state is the player's own copy: whoever moves somebody in it for a moment puts
    him back."""

    def __init__(self, chart: Chart, state: State, force: int) -> None:
        self.chart, self.rules, self.state, self.force = chart, chart.rules, state, force
        self.side = chart.sides[force]
        self.home = chart.rules.homes[force]
        self.short = chart.rules.scene.victory == MAJORITY
        """Is it one of the short scenarios, in which places alone count?"""
        self._machine_guns: dict[int, float] = {}
        self._fire: dict[tuple[int, int], tuple[float, float]] = {}

    def twin(self, state: State) -> Self:
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

    def is_close(self, unit: int, h: int) -> bool:
        """7.1, 7.6: is a hex out of supply, but so near it that the unit's headquarters reaches it?"""
        formation = self.rules.formation_of[unit]
        own = formation >= 0 and not self.short
        far = max(NEAR_SUPPLY, self.rules.formations[formation].command - 1) if own else NEAR_SUPPLY
        return bool(self._close[far] >> h & 1)

    @cached_property
    def _close(self) -> list[int]:
        """The hexes at most so many away from supply."""
        found = [self.fed]
        for _ in range(max(NEAR_SUPPLY, *(one.command for one in self.rules.formations))):
            found.append(found[-1] | self.rules.ground.around(found[-1]))
        return found

    def is_ours(self, h: int) -> bool:
        """23.1: does one's side hold a hex?"""
        held = self.state.control
        return any(held[force] >> h & 1 for force, side in enumerate(self.chart.sides) if side == self.side)

    @cached_property
    def left(self) -> int:
        """The turns that are left, with this one."""
        return self.rules.scene.last_turn - self.state.turn + 1

    @cached_property
    def hidden(self) -> bool:
        """8.1: is there fog in this turn, in which nobody fires at who marches?"""
        return self.side == AHG and not self.short and bool(self.rules.blind[self.state.turn])

    @cached_property
    def arrival(self) -> list[int]:
        """By hex how soon the enemy can be there, if nobody stops him."""
        starts = [h for h in bits(self.foes) if self.home >> h & 1]
        return self.chart.distances.march(starts, self.state.standing)

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

    def trench_at(self, h: int, side: int) -> int:
        """17.4: the trench of a side in a hex."""
        return trenches.level(self.rules, self.state, h, side)

    # Units

    def steps(self, unit: int) -> int:
        """16.1: steps that a unit has left."""
        return losses.steps_left(self.rules, self.state, unit)

    def spirit(self, unit: int) -> int:
        """15.1: current morale."""
        return morale.current(self.rules, self.state, unit)

    def vigour(self, units: Iterable[int], worn: float = 0.0) -> float:
        """What units are worth in a fight for a hex: their factors, those of the worn and faint-hearted for less; with
        points that they are likely to have by then."""
        strength, rules, state = losses.strength, self.rules, self.state
        return sum([strength(rules, state, unit) * max(0.0, self.spirit(unit) - worn) for unit in units]) / (
            SPIRITED - worn
        )
