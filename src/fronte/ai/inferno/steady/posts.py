"""How good a place is for a unit: the terms that decide where units stand when they do not attack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from weakref import ref

from fronte.ai.inferno.steady.danger import Danger
from fronte.ai.inferno.steady.ground import HORIZON, Picture
from fronte.ai.inferno.steady.holding import Holding
from fronte.ai.inferno.steady.marches import Marches
from fronte.ai.inferno.steady.weights import Weights
from fronte.games.inferno.combat import defence_strength
from fronte.games.inferno.stacking import counted_steps, is_legal_stack
from fronte.games.inferno.state import WAITING, place
from fronte.games.inferno.zoc import zoc
from fronte.hexes import bits, mask_of

CALM = 0.05
ALARM = (0.0, 1.0, 0.8, 0.5, 0.3, 0.15, *[CALM] * (HORIZON - 4))
"""How much a post matters by the distance of the nearest enemy, up to one beyond the horizon."""
SHARE = 2.0
"""Enemy strength that a defence of one holds in balance."""
SAFE_SIDES = 2
"""Hexes around a post from which the enemy may attack without it being too exposed: as many as in a line."""
RATIO = 1.6
"""Enemy strength nearby that a garrison of strength one can stand."""
STRONG_GROUND = 1.5
"""How much stronger a garrison is in a trench, a fortress or on a peak."""
EXTRA = 1.5
"""The most that a game's own terms add to a place."""
HELP = 1.5
"""The most that making others safer adds to it."""


class ByHex(dict[int, float]):
    """Figures by hex, each worked out when it is first asked for, by a method of whoever has them.

    He is held weakly: else the two would hold each other, and stay until Python looks for such cycles.
    """

    def __init__(self, owner: Posts, work_out: Callable[[Posts, int], float]) -> None:
        self.owner, self.work_out = ref(owner), work_out

    def __missing__(self, h: int) -> float:
        owner = self.owner()
        assert owner is not None
        found = self[h] = self.work_out(owner, h)
        return found


class Posts:
    """Values hexes for units of one side, given where its other units stand."""

    def __init__(self, picture: Picture, weights: Weights) -> None:
        self.picture, self.weights = picture, weights
        self.rules, self.state, self.side = picture.rules, picture.state, picture.side
        self.ground = ByHex(self, Posts._of_ground)
        """What each hex itself is worth to anybody, for a whole phase."""
        self._most = ByHex(self, Posts._at_most)
        self._local: dict[int, float] = {}
        self.threat = 0
        """Hexes that an enemy could stand in after his next move."""
        self.walk_in = 0
        """Objectives of one's own that an enemy could simply walk into, and whatever else is at stake."""
        self.danger = Danger(picture)
        self.stakes: Mapping[int, float] = {}
        """What else must not be walked into, and what it is worth, as objectives are in victory points."""

    @cached_property
    def keeps(self) -> bool:
        """Does it ask how likely places survive the enemy's next turn, and has he one?"""
        return self.weights.keep > 0 and not self.picture.last_word

    @cached_property
    def holding(self) -> Holding:
        """How likely places survive the enemy's next turn, by where he stands now."""
        return Holding(self.picture, self.danger)

    @cached_property
    def strong(self) -> int:
        """Trenches and fortresses of one's own, and peaks."""
        board = self.rules.board
        return board.trench[self.side] | board.peaks | self.picture.works

    def local(self, h: int) -> float:
        """Own defence in a hex and around it."""
        found = self._local.get(h)
        if found is None:
            rules, state = self.rules, self.state
            found = 0.0
            for there in bits((rules.board.grid.ring[h] | 1 << h) & state.zocs[self.side]):
                for unit in state.stacks[there]:
                    if rules.zoccer[unit]:
                        found += defence_strength(rules, state, unit, 0)
            self._local[h] = found
        return found

    def _add(self, unit: int, h: int, sign: int) -> None:
        """Note that the defence around a hex has changed by a unit."""
        strength = sign * defence_strength(self.rules, self.state, unit, 0)
        local = self._local
        for there in (h, *self.rules.board.grid.adjacent[h]):
            if there in local:
                local[there] += strength

    def lift(self, unit: int) -> None:
        """Take a unit off the map to see what its place is worth without it."""
        self._add(unit, self.state.at[unit], -1)
        place(self.rules, self.state, unit, WAITING)

    def put(self, unit: int, h: int) -> None:
        """Put a lifted unit into a hex."""
        place(self.rules, self.state, unit, h)
        self._add(unit, h, 1)

    def shift(self, unit: int, to: int) -> None:
        """Note that a unit is about to go somewhere."""
        self._add(unit, self.state.at[unit], -1)
        self._add(unit, to, 1)

    def need(self, h: int) -> float:
        """From 0 to 1: how much the enemy nearby outweighs those who stand here or next to it."""
        pressure = self.picture.pressure_on(h) + 1
        return pressure / (pressure + SHARE * max(0.0, self.local(h)))

    def hold(self, h: int) -> float:
        """What not leaving a hex is worth."""
        w = self.weights
        dug_in = (self.rules.board.trench[self.side] | self.picture.works) >> h & 1
        return w.stay + w.hold * (2 if dug_in else 1) * self.alarm(h)

    def watch(self, near: int = -1) -> None:
        """Find what an enemy (in these hexes) could walk into in his next turn, as things stand."""
        rules, state, foe = self.rules, self.state, self.picture.foe
        enemies = [
            u
            for u in rules.of_side[foe]
            if rules.zoccer[u] and state.at[u] >= 0 and near >> state.at[u] & 1 and not rules.only_recovers(state, u)
        ]
        self.threat = Marches(self.picture.chart, state, foe).sweep(enemies)
        could = self.threat
        if self.weights.reckons:  # what friends bar now is open once they have left
            could |= state.zocs[self.side] & rules.board.around(self.threat | state.zocs[foe])
        self.walk_in = could & (self.picture.chart.goals & self.picture.ours | mask_of(self.stakes))
        self._most.clear()

    def take(self, hexes: Iterable[int]) -> None:
        """Note that objectives in these hexes have been walked into: nobody else need go there for them."""
        for h in hexes:
            if self.picture.is_prize(h):
                self.picture.ours |= 1 << h
                self.ground.pop(h, None)
                self._most.pop(h, None)

    def _stake(self, h: int) -> float:
        """What is lost if an enemy walks in."""
        return self.stakes.get(h, 0.0) + (self.picture.chart.worth(h) if self.picture.ours >> h & 1 else 0)

    def alarm(self, h: int) -> float:
        """How near the enemy is, from 0 to 1."""
        return ALARM[self.picture.distance[h]]

    @cached_property
    def _plain(self) -> int:
        """Hexes in supply without works of one's own, far from the enemy, and no prize: nothing but the pull counts."""
        p, board = self.picture, self.rules.board
        marked = board.trench[self.side] | p.works | p.near | (p.chart.goals & ~p.ours)
        return p.supplied.well & ~marked

    def _of_ground(self, h: int) -> float:
        p, w, board = self.picture, self.weights, self.rules.board
        value = w.pull * p.pull[h]
        if self._plain >> h & 1:
            return value
        if board.trench[self.side] >> h & 1:
            value += w.trench * self.alarm(h)
        if p.works >> h & 1:
            value += w.works * self.alarm(h)
        if p.distance[h] <= 2:
            value += w.height * p.rises(h) / 3
            if p.chart.banks[h]:
                value += w.water * p.moats(h)
            hostile = (board.grid.ring[h] & (p.enemy_zoc | self.state.occ[p.foe])).bit_count()
            if hostile > 3:
                value -= w.surrounded * (hostile - 3)
        short = p.shortage(h)
        if short:
            value -= w.low_supply if short == 1 else w.no_supply
        if p.is_prize(h):
            value += w.take * p.chart.worth(h)
        return value

    def fits(self, unit: int, h: int) -> bool:
        """5.1: would the stack be legal with this unit?"""
        stack = self.state.stacks[h]
        if not stack:
            return True
        units = stack if unit in stack else (*stack, unit)
        return is_legal_stack(self.rules, self.state, h, units)

    def _at_most(self, h: int) -> float:
        """What the hex can be worth at most to a unit that has nothing to recover."""
        p, w = self.picture, self.weights
        distance = p.distance[h]
        found = self.ground[h] + w.guard * p.guard[h] * ALARM[distance]
        if distance <= 3:
            zone = self.rules.board.zoc_from[self.side][h] | 1 << h
            found += w.cover * (zone & p.belt).bit_count()
        if self.walk_in >> h & 1:
            found += w.occupy * self._stake(h)
        if self.keeps:
            found += w.keep * sum(self.picture.chart.worth(goal) for goal in self._kept_from(h))
        return found

    def _kept_from(self, h: int) -> list[int]:
        """The objectives that a unit here helps to keep: in the hex, or one's own next to it."""
        p = self.picture
        ring = self.rules.board.grid.ring[h]
        return [*bits(p.chart.goals & (1 << h | ring & p.ours))]

    def keeping(self, h: int, others: Iterable[int], units: Iterable[int]) -> float:
        """What is likelier to survive the enemy's next turn with these units beside the others in a hex."""
        others = tuple(others)
        chance, chart, occ = self.holding.chance, self.picture.chart, self.state.occ[self.side]
        total = 0.0
        for goal in self._kept_from(h):
            if goal == h:
                after = chance(h, (*others, *units), occ)
                before = chance(h, others, occ) if self.picture.ours >> h & 1 else 0.0
            elif others:
                continue
            else:
                there = self.state.stacks[goal]
                after, before = chance(goal, there, occ | 1 << h), chance(goal, there, occ & ~(1 << h))
            total += chart.worth(goal) * (after - before)
        return self.weights.keep * total

    def best(self, unit: int, hexes: Iterable[int], here: int, extra: Callable[[int, int], float]) -> tuple[int, float]:
        """The best of these hexes for a unit, which must be lifted and stood `here`, and what it is worth."""
        healing = self.weights.heal * self.state.ce[unit] + EXTRA + (HELP if self.weights.danger else 0.0)
        self._note(unit)
        best, best_value = here, -1e9
        if self.fits(unit, here):
            best_value = self._value(unit, here) + self.hold(here) + extra(unit, here)
        most = self._most
        better = [h for h in hexes if most[h] + healing > best_value]
        for h in sorted(better, key=most.__getitem__, reverse=True):
            if most[h] + healing <= best_value:
                break
            if h == here or not self.fits(unit, h):
                continue
            value = self._value(unit, h) + extra(unit, h)
            if value > best_value or (value == best_value and h < best):
                best, best_value = h, value
        return best, best_value

    def value(self, unit: int, h: int) -> float:
        """The hex for this unit, which must be lifted."""
        self._note(unit)
        return self._value(unit, h)

    def _note(self, unit: int) -> None:
        """What is the same for all places of a lifted unit."""
        self._controlled = zoc(self.rules, self.state, self.side) | self.state.zocs[self.side]
        self._strength = float(defence_strength(self.rules, self.state, unit, 0))

    def _value(self, unit: int, h: int) -> float:
        p, w, state = self.picture, self.weights, self.state
        distance = p.distance[h]
        total = self.ground[h]
        if p.guard[h]:
            total += w.guard * p.guard[h] * ALARM[distance] * self.need(h)
        others = state.stacks[h]
        if others:
            total -= w.crowd * counted_steps(self.rules, state, others)
        if distance <= 3:
            total += self._at_the_front(h, others)
            if w.danger:
                total -= w.danger * self._risk(unit, h, others)
        if self.walk_in >> h & 1 and not state.zocs[self.side] >> h & 1:
            total += w.occupy * self._stake(h)
        if self.keeps:
            total += self.keeping(h, others, (unit,))
        ce = state.ce[unit]
        if ce:
            if distance <= 1:
                total -= w.weak * ce
            elif distance >= 3 and not p.shortage(h):
                total += w.heal * ce
        return total

    def _risk(self, unit: int, h: int, others: tuple[int, ...]) -> float:
        """What enemy attacks may cost with the unit there; less than nothing where it makes others safer."""
        with_it = self.danger.cost(h, (*others, unit))
        if not self.state.zocs[self.side] >> h & 1:
            return with_it
        return max(with_it - self.danger.cost(h, others), -HELP / self.weights.danger)

    def _at_the_front(self, h: int, others: tuple[int, ...]) -> float:
        """What a hex near the enemy is worth: the zone it adds, less how exposed it is."""
        w, rules, state = self.weights, self.rules, self.state
        zone = rules.board.zoc_from[self.side][h] | 1 << h
        total = w.cover * (zone & self.picture.belt & ~self._controlled).bit_count()
        strength = self._strength
        for other in others:
            if rules.zoccer[other]:
                strength += defence_strength(rules, state, other, 0)
        if self.strong >> h & 1:
            strength *= STRONG_GROUND
        sides = (rules.board.grid.ring[h] & self.threat & ~state.zocs[self.side]).bit_count()
        if sides > SAFE_SIDES:
            total -= w.open * (sides - SAFE_SIDES)
        over = self.picture.pressure_on(h) - RATIO * strength
        if over > 0:
            total -= w.exposed * over
        return total
