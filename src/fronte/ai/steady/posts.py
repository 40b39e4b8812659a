"""How good a place is for a unit: the terms that decide where units stand when they do not attack."""

from __future__ import annotations

from fronte.ai.steady.ground import Picture, worth
from fronte.ai.steady.marches import Marches
from fronte.ai.steady.weights import Weights
from fronte.games.inferno.combat import defence_strength
from fronte.games.inferno.stacking import counted_steps, is_legal_stack
from fronte.games.inferno.state import WAITING, place
from fronte.games.inferno.zoc import zoc

ALARM = (0.0, 1.0, 0.8, 0.5, 0.3, 0.15)
"""How much a post matters by the distance of the nearest enemy; beyond the list hardly."""
CALM = 0.05
SHARE = 2.0
"""Enemy strength that a defence of one holds in balance."""
SAFE_SIDES = 2
"""Hexes around a post from which the enemy may attack without it being too exposed: as many as in a line."""
RATIO = 1.6
"""Enemy strength nearby that a garrison of strength one can stand."""


class Posts:
    """Values hexes for units of one side, given where its other units stand."""

    def __init__(self, picture: Picture, weights: Weights) -> None:
        self.picture, self.weights = picture, weights
        self.rules, self.state, self.side = picture.rules, picture.state, picture.side
        self.ground: dict[int, float] = {}
        self.local = self._local()
        self.threat = 0
        """Hexes that an enemy could stand in after his next move."""
        self.walk_in = 0
        """Objectives of one's own that an enemy could simply walk into."""
        self.belt = 0
        for h, distance in enumerate(picture.distance):
            if 1 <= distance <= 2:
                self.belt |= 1 << h

    def _local(self) -> list[float]:
        """Own defence in each hex and around it."""
        total = [0.0] * self.picture.size
        for unit in self.rules.of_side[self.side]:
            if self.rules.zoccer[unit] and self.state.at[unit] >= 0:
                self._add(total, unit, self.state.at[unit], 1)
        return total

    def _add(self, total: list[float], unit: int, h: int, sign: int) -> None:
        strength = sign * defence_strength(self.rules, self.state, unit, 0)
        for there in (h, *self.rules.board.grid.adjacent[h]):
            total[there] += strength

    def lift(self, unit: int) -> None:
        """Take a unit off the map to see what its place is worth without it."""
        self._add(self.local, unit, self.state.at[unit], -1)
        place(self.rules, self.state, unit, WAITING)

    def put(self, unit: int, h: int) -> None:
        """Put a lifted unit into a hex."""
        place(self.rules, self.state, unit, h)
        self._add(self.local, unit, h, 1)

    def shift(self, unit: int, to: int) -> None:
        """Note that a unit is about to go somewhere."""
        self._add(self.local, unit, self.state.at[unit], -1)
        self._add(self.local, unit, to, 1)

    def need(self, h: int) -> float:
        """From 0 to 1: how much the enemy nearby outweighs those who stand here or next to it."""
        pressure = self.picture.pressure[h] + 1
        return pressure / (pressure + SHARE * max(0.0, self.local[h]))

    def hold(self, h: int) -> float:
        """What not leaving a hex is worth."""
        w = self.weights
        trench = self.rules.board.trench[self.side] >> h & 1
        return w.stay + w.hold * (2 if trench else 1) * self.alarm(h)

    def watch(self) -> None:
        """Find the objectives that an enemy could walk into in his next turn, as things stand."""
        rules, state, foe = self.rules, self.state, self.picture.foe
        enemies = [u for u in rules.of_side[foe] if rules.zoccer[u] and state.at[u] >= 0]
        self.threat = Marches(rules, state, foe).sweep(enemies)
        self.walk_in = self.threat & self.picture.chart.goals & self.picture.ours

    def alarm(self, h: int) -> float:
        """How near the enemy is, from 0 to 1."""
        distance = self.picture.distance[h]
        return ALARM[distance] if distance < len(ALARM) else CALM

    def of_ground(self, h: int) -> float:
        """What the hex itself is worth to anybody, worked out once a phase."""
        found = self.ground.get(h)
        if found is None:
            found = self._of_ground(h)
            self.ground[h] = found
        return found

    def _of_ground(self, h: int) -> float:
        p, w, board = self.picture, self.weights, self.rules.board
        alarm = self.alarm(h)
        value = w.pull * p.pull[h]
        if board.trench[self.side] >> h & 1:
            value += w.trench * alarm
        if p.distance[h] <= 2:
            value += w.height * p.rises(h) / 3 + w.water * p.moats(h)
        short = p.supply_at(h)
        value -= (0.0, w.low_supply, w.no_supply)[short]
        if p.is_prize(h):
            value += w.take * worth(self.rules, h)
        around = board.grid.ring[h]
        hostile = (around & (p.enemy_zoc | self.state.occ[p.foe])).bit_count()
        if hostile > 3:
            value -= w.surrounded * (hostile - 3)
        return value

    def fits(self, unit: int, h: int) -> bool:
        """5.1: would the stack be legal with this unit?"""
        stack = self.state.stacks[h]
        if not stack:
            return True
        units = stack if unit in stack else (*stack, unit)
        return is_legal_stack(self.rules, self.state, h, units)

    def value(self, unit: int, h: int) -> float:
        """The hex for this unit, which must be lifted."""
        p, w, rules, state = self.picture, self.weights, self.rules, self.state
        total = self.of_ground(h) + w.guard * p.guard[h] * self.alarm(h) * self.need(h)
        others = state.stacks[h]
        if others:
            total -= w.crowd * counted_steps(rules, state, others)
        distance = p.distance[h]
        if distance <= 3:
            zone = rules.board.zoc_from[self.side][h] | 1 << h
            new = zone & self.belt & ~(zoc(rules, state, self.side) | state.zocs[self.side])
            total += w.cover * new.bit_count()
            strength = float(defence_strength(rules, state, unit, 0))
            for other in others:
                if rules.zoccer[other]:
                    strength += defence_strength(rules, state, other, 0)
            if rules.board.trench[self.side] >> h & 1 or rules.board.peaks >> h & 1:
                strength *= 1.5
            sides = (rules.board.grid.ring[h] & self.threat & ~state.zocs[self.side]).bit_count()
            if sides > SAFE_SIDES:
                total -= w.open * (sides - SAFE_SIDES)
            over = p.pressure[h] - RATIO * strength
            if over > 0:
                total -= w.exposed * over
        if self.walk_in >> h & 1 and not state.zocs[self.side] >> h & 1:
            total += w.occupy * worth(rules, h)
        ce = state.ce[unit]
        if ce:
            if distance <= 1:
                total -= w.weak * ce
            elif distance >= 3 and p.supply_at(h) == 0:
                total += w.heal * ce
        return total
