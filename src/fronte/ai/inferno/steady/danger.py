"""What the enemy's best attack on a post would cost: how who means to last chooses where to stand, and with whom.

Enemies near a hex are reckoned with by how far off they are, as many as may attack together (7.2) and find room around
it (7.8), with the guns that reach; the dice are those of the table. A hex that the enemy would rather not attack costs
nothing. It is an estimate: where each enemy could really go is not worked out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from fronte.ai.inferno.steady.dice import outlook
from fronte.ai.inferno.steady.ground import Picture
from fronte.games.inferno.combat import defence_strength, unit_av
from fronte.games.inferno.counters import AH
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.state import MOV
from fronte.hexes import bits

COMES = (1.0, 1.0, 0.9, 0.6, 0.2)
"""How likely an enemy is to join in an attack from so many hexes away."""
MOST_LIFE = 6
"""9.4: no roll costs more reductions than five."""
FLANKED_FROM = 5
"""7.9: hexes around a post that the enemy must hold or control."""
TOGETHER = (3, 5)
"""7.2: how many units of a side attack together, by side: three independents, or about as many of a corps."""
DEFEND = (2, 3)
"""7.4: the same for the defence."""
FALLS = 0.5
"""A hex lost, beside its victory points, in reductions."""


class Danger:
    """Judges posts of one side; enemies do not move meanwhile."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.rules, self.state, self.side = picture.rules, picture.state, picture.side
        self._foes: dict[int, list[float]] = {}
        self._fire: dict[int, int] = {}
        self._known: dict[tuple[int, ...], float] = {}

    def cost(self, h: int, units: Iterable[int]) -> float:
        """What an attack on these units in a hex may cost, in reductions; nothing if it costs the enemy as much."""
        rules, state, battery = self.rules, self.state, self._battery
        if not self._foes_of(h):
            return 0.0
        strengths, life, steps, av, works = [], 0, 0, 0, 0
        for unit in units:
            if rules.combat[unit] and (strength := defence_strength(rules, state, unit, 0)) > 0:
                strengths.append(strength)
                life += endurance(rules, state, unit)
                steps += state.steps[unit]
                av += unit_av(rules, state, unit)
                works |= rules.immobile[unit]
            elif rules.gun[unit] and unit in battery:
                av += unit_av(rules, state, unit)
        strengths.sort(reverse=True)
        defence = sum(strengths[: DEFEND[self.side]])
        key = (h, defence, min(life, MOST_LIFE), steps, av + self.support_of(h), works, self._open(h))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._reckon(*key)
        return found

    def _reckon(self, h: int, defence: int, life: int, steps: int, av: int, works: int, sides: int) -> float:
        rules, tables = self.rules, self.rules.tables
        room = sides * (rules.board.stacking[h] // 2)
        foes = self._foes_of(h)[: min(room, TOGETHER[1 - self.side])]
        if not foes or defence <= 0:
            return float(life) if foes else 0.0
        climb = (self.picture.chart.lower[h] & rules.board.grid.ring[h]).bit_count() / 6
        attack = int(sum(max(0.0, foe - climb) for foe in foes) + 0.5)
        flanked = sides >= FLANKED_FROM and not works
        column = tables.column(attack, defence) + (rules.flank_shift if flanked else 0) if attack > 0 else -1
        if column < 0:
            return 0.0
        drm = self.picture.chart.drm
        inflicted = tables.av[self.fire_on(h) + (len(foes) if self.side != AH else 0)]
        inflicted += drm["flanked_defender"] if flanked else 0
        inflicted += drm.get("high_odds_defender", 0) * tables.over(column)
        suffered = tables.av[av + (1 if climb >= 1 else 0)]
        large = steps + 2 * len(foes) > tables.small_max_steps
        found = outlook(tables, column, suffered, inflicted, large, 0, False, life, 0)
        worth = self.picture.chart.worth(h) if self.picture.ours >> h & 1 else 0
        return max(0.0, found.defence_loss + found.win * (FALLS + worth) - found.attack_loss)

    def _foes_of(self, h: int) -> list[float]:
        """Attack strengths that may come, the greatest first."""
        found = self._foes.get(h)
        if found is None:
            rules, state, grid = self.rules, self.state, self.rules.board.grid
            found = []
            for there in bits(state.zocs[1 - self.side] & grid.within(h, len(COMES) - 1)):
                share = COMES[grid.distance(h, there)]
                for unit in state.stacks[there]:
                    if rules.zoccer[unit]:
                        strength = rules.face(state, unit).attack - state.ce[unit] - state.supply[unit]
                        found.append(share * strength)
            found = self._foes[h] = sorted((x for x in found if x > 0), reverse=True)
        return found

    def fire_on(self, h: int) -> int:
        """12.3: the artillery value of enemy guns that reach those who would attack."""
        found = self._fire.get(h)
        if found is None:
            rules, state, grid = self.rules, self.state, self.rules.board.grid
            found = 0
            for gun in rules.guns_of[1 - self.side]:
                if state.at[gun] >= 0:
                    heavy = rules.counters[gun].type == "heavy_artillery"
                    if grid.distance(h, state.at[gun]) <= (rules.heavy_reach if heavy else rules.gun_reach) + 1:
                        found += unit_av(rules, state, gun)
            self._fire[h] = found
        return found

    @cached_property
    def _battery(self) -> frozenset[int]:
        """12.3: guns of one's own that fire in defence as they stand."""
        state = self.state
        guns = self.rules.guns_of[self.side]
        return frozenset(gun for gun in guns if state.at[gun] >= 0 and not state.flags[gun] & MOV)

    @cached_property
    def _light(self) -> list[int]:
        """Those of them that are not heavy."""
        return [gun for gun in self._battery if self.rules.counters[gun].type != "heavy_artillery"]

    def support_of(self, h: int) -> int:
        """12.3: what guns next to a hex add to its defence: heavy ones only where they stand."""
        rules, state, ring = self.rules, self.state, self.rules.board.grid.ring[h]
        return sum([unit_av(rules, state, gun) for gun in self._light if ring >> state.at[gun] & 1])

    def _open(self, h: int) -> int:
        """Hexes around from which an enemy could attack."""
        around = self.picture.chart.steps_to[h]
        return (around & self.picture.nearby & ~self.state.occ[self.side]).bit_count()
