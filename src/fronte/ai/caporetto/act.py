"""What a formation that acts does: assaults on the move, assaults with support, and moves."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from fronte.ai.caporetto.costs import points_cost
from fronte.ai.caporetto.fights import NO_HELP, Help, Judged, from_there, hex_worth, judge
from fronte.ai.caporetto.paths import Paths, paths
from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.posts import Posts
from fronte.ai.caporetto.walks import Way, choose
from fronte.ai.caporetto.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.games.caporetto import (
    acting,
    artillery,
    assault,
    bombarding,
    command,
    losses,
    marching,
    sectors,
    stacking,
)
from fronte.games.caporetto.acting import Assault, Storm, Support
from fronte.games.caporetto.artillery import PARTS
from fronte.games.caporetto.counters import ITALIANS
from fronte.games.caporetto.marching import left_of, manner_of
from fronte.games.caporetto.moving import ROAD, Exit, March, Move, Moving
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.printed import EXITED
from fronte.games.caporetto.state import put
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.games.caporetto.terrain import AHG
from fronte.hexes import bits, mask_of

HOPELESS, LAST_HOPE = 0.25, 0.05
"""Nobody assaults with less chance than this; less still where the offensive comes to a halt otherwise (23.3), and in
the last turn of a campaign."""
SURE = 0.65
"""The chance with which one assaults on the move."""
STORM = 0.1
"""What such an assault has to promise more, since the others are not with it."""
SECOND_WAVE = 0.45
"""What a wave is worth that is needed only if the first one fails."""
SUPPORTERS = 2
"""So many support an assault."""
MOST_TARGETS = 12
AFAR = 2.0
"""What an objective has to be worth for a forced march and an assault at the end of it,"""
RESTED = 1
"""the points that one may have for that,"""
MARCHED = 42
"""and the quarters of a point that it may be away."""
SPENT_IN_IT = 1.5
"""Points that an assault costs who wins it, fire and all: what he has left then has to hold the hex."""
SPENT = 1
"""Who has no more morale than this left assaults nobody."""


class Option(NamedTuple):
    """A unit that could assault a hex from a place."""

    unit: int
    here: int
    by_road: bool
    rank: tuple[int, int, int]
    """The lower the better: columns that the ground costs, whether it has to move, and the enemies next to it."""
    forced: bool = False
    """10.4: does it take a forced march to be there?"""
    target: int = -1


class Assaulters(NamedTuple):
    """Those who assault a hex."""

    hex: int
    wave: tuple[Option, ...]
    found: Judged
    score: float


class Action:
    """The plan of an action, in a state of its own in which units are put where they go."""

    def __init__(self, picture: Picture, weights: Weights) -> None:
        self.picture, self.weights = picture, weights
        self.rules, self.state = picture.rules, picture.state
        self.answers: list[Answer] = []
        self.used = 0
        self.posts = Posts(picture, weights)
        self.ways: dict[int, Paths] = {}
        self.marches: dict[int, Paths] = {}
        self.targets: list[int] = []
        self.spared = 0
        """Hexes that are not to be assaulted."""
        self.promised = 0.0
        self._known: dict[Hashable, Judged] = {}
        """Assaults that have been judged: enemies stay where they are while one plans."""

    # Who can go where

    def movers(self) -> int:
        """Those who may still move."""
        frame = self.state.frames[-1]
        choice = self.rules.choices["act"]
        assert isinstance(choice, Moving)
        return choice.able(self.rules, self.state, frame) | (self.state.moving & ~self.state.activated)

    def reach(self, unit: int) -> Paths:
        """By hex what a unit has left there, and the way to it; where it is counts too."""
        found = self.ways.get(unit)
        if found is None:
            left, here = left_of(self.rules, self.state, (unit,)), self.state.at[unit]
            found = Paths({here: left}, {}, {})
            if self.able >> unit & 1 and left > 0:
                found = paths(self.picture, unit, left, manner_of(self.state, (unit,)))
                found.left[here] = left
            self.ways[unit] = found
        return found

    def march(self, unit: int) -> Paths:
        """10.4: the same by a forced march."""
        found = self.marches.get(unit)
        if found is None:
            state, bit = self.state, 1 << unit
            state.marched |= bit
            left = left_of(self.rules, state, (unit,))
            found = paths(self.picture, unit, left, manner_of(state, (unit,)))
            state.marched &= ~bit
            self.marches[unit] = found
        return found

    def _afar(self, unit: int, inside: int) -> Iterator[Option]:
        """10.4: objectives with an enemy in them that a forced march brings within reach."""
        rules, state, picture = self.rules, self.state, self.picture
        here, ways_to = state.at[unit], picture.chart.ways_to
        if picture.side != AHG or state.dp[unit] > RESTED or not self.able >> unit & 1:
            return
        for h, worth in picture.wanted.items():
            if worth < AFAR or not picture.foes & ~self.spared & inside & 1 << h or ways_to(h)[here] > MARCHED:
                continue
            if marching.has_begun(state, unit) or marching.why_not_forced(rules, state, unit) is not None:
                return
            places, near = self.march(unit).left, self.reach(unit).left
            for p in rules.grid.adjacent[h]:
                if p in places and p not in near:
                    by_road = self._way_in(unit, p, h, places[p], False)
                    if by_road is not None:
                        rank = self._penalty(p, h), 1, (rules.grid.ring[p] & picture.foes).bit_count()
                        yield Option(unit, p, by_road, rank, True, h)

    def options(self) -> dict[int, list[Option]]:
        """By enemy hex who could assault it from where."""
        rules, state, picture = self.rules, self.state, self.picture
        found: dict[int, list[Option]] = {}
        foes, near = picture.foes & ~self.spared, picture.near_foes
        declared = acting.declared(state)
        units = assault.acting(rules, state) & rules.assaulting & ~declared & ~self.used & ~rules.flamethrowers
        for unit in bits(units):
            if sectors.is_bound(rules, state, unit) or picture.spirit(unit) <= SPENT:
                continue
            here, inside = state.at[unit], sectors.open_to(rules, state, unit)
            places = self.reach(unit).left
            fresh = not marching.has_begun(state, unit) and not state.moved >> unit & 1
            for one in self._afar(unit, inside):
                found.setdefault(one.target, []).append(one)
            snares = self._snares(unit)
            for p, left in places.items():
                if not near >> p & 1 or (snares and snares & mask_of((p, *self.reach(unit).way(p)))):
                    continue
                for h in bits(rules.grid.ring[p] & foes & inside):
                    by_road = self._way_in(unit, p, h, left, fresh and p == here)
                    if by_road is not None:
                        rank = self._penalty(p, h), int(p != here), (rules.grid.ring[p] & foes).bit_count()
                        found.setdefault(h, []).append(Option(unit, p, by_road, rank))
        return found

    def _snares(self, unit: int) -> int:
        """23.1.counter: objectives within reach with nobody in them that would be lost again at once, and cost their
        points twice: nobody sets foot on them on his way to an assault."""
        if self.picture.side != AHG or self.picture.short:
            return 0
        picture, here = self.picture, self.state.at[unit]
        within = [h for h in picture.wanted if h in self.reach(unit).left and h != here]
        return mask_of([h for h in within if picture.lasting(h, 0.0) < 0.0])

    def _way_in(self, unit: int, p: int, h: int, left: int, fresh: bool) -> bool | None:
        """10.2.5: can it pay for the assault: off the road (False), along it (True), or not at all (None)?"""
        paid = step_price(self.rules, self.state, unit, p, h, False)
        if paid == WHOLE_ALLOWANCE:
            return False if fresh and left >= self.rules.points[unit] else None
        if paid != CLOSED and paid <= left:
            return False
        if self.rules.ground.route[self.rules.ground.way(p, h)]:
            paid = step_price(self.rules, self.state, unit, p, h, True)
            if paid not in (CLOSED, WHOLE_ALLOWANCE) and paid <= left:
                return True
        return None

    def _penalty(self, p: int, h: int) -> int:
        ground, shift = self.rules.ground, self.rules.tables.assault.shift
        way = ground.way(p, h)
        found = -shift["uphill"] if self.rules.prices.uphill[way] else 0
        found -= shift["river"] if ground.water[way] else 0
        return found - (shift["cliff"] if ground.cliff[way] else 0)

    # Assaults

    def fits(self, h: int, units: Sequence[int]) -> bool:
        """11.1: would these fit into a hex with those who are there in the plan?"""
        rules, state = self.rules, self.state
        force = rules.force[units[0]]
        there = [u for u in state.stacks.get(h, ()) if rules.force[u] == force and u not in units]
        together = (*there, *units)
        if len(together) == 1:
            return True
        limbered, single = rules.guns & ~state.emplaced, losses.singles(rules, state, together)
        return not stacking.why_not(rules, h, together, limbered, single)

    def gun_help(self, h: int) -> Help:
        """12.1.4: what the guns of the action may bring those in a hex."""
        rules, state, picture = self.rules, self.state, self.picture
        guns = bombarding.assigned(state) & ~state.act
        if not guns or not artillery.bombards_in_actions(rules, state, picture.side):
            return NO_HELP
        total = 0.0
        for gun in bits(guns):
            if 0 < rules.grid.distance(state.at[gun], h) <= rules.range[gun]:
                total += artillery.strength(rules, state, artillery.all_of(rules, state, gun), h) / PARTS
        trench = picture.trench_at(h, 1 - picture.side)
        hit = picture.chart.hit(total / (1 + len(self.targets)), -picture.chart.cover[h] - trench)
        return Help(hit.points, hit.trench if trench else 0.0)

    def wave_for(self, h: int, options: Sequence[Option]) -> Assaulters | None:
        """The best wave against a hex: the strong first, each from its best place."""
        rules, state, picture = self.rules, self.state, self.picture
        by_unit: dict[int, list[Option]] = {}
        for one in options:
            by_unit.setdefault(one.unit, []).append(one)

        def strong(unit: int) -> tuple[int, int, int]:
            return -losses.strength(rules, state, unit), -picture.spirit(unit), unit

        order = sorted(by_unit, key=strong)
        helped = self.gun_help(h)
        best: Assaulters | None = None
        for first in order[:3]:
            with_it = command.acts_with(rules, state, first)
            team = [first, *(unit for unit in order if unit != first)]
            wave: list[Option] = []
            was: list[tuple[int, int]] = []
            for unit in team:
                if command.acts_with(rules, state, unit) != with_it:
                    continue
                if not assault.fit_together(rules, state, h, [*(one.unit for one in wave), unit]):
                    continue
                chosen = self._place(unit, by_unit[unit], wave, h)
                if chosen is None:
                    continue
                was += from_there(picture, [(unit, chosen.here)])
                wave.append(chosen)
            if not wave:
                continue
            found = self._judged(h, wave, helped)
            if len(wave) > 1:
                alone = self._judged(h, wave[:1], helped)
                if alone.gain > found.gain:
                    from_there(picture, was[1:])
                    was, wave, found = was[:1], wave[:1], alone
            from_there(picture, was)
            if best is None or found.gain > best.found.gain:
                best = Assaulters(h, tuple(wave), found, found.gain)
        return best

    def _judged(self, h: int, wave: Sequence[Option], helped: Help, alone: bool = False) -> Judged:
        units = sorted(one.unit for one in wave)
        worth = hex_worth(
            self.picture, self.weights, h, wave[0].here, wave[0].unit, self.picture.vigour(units, SPENT_IN_IT)
        )
        by_road = any(one.by_road for one in wave)
        dp, tired = self.state.dp, [one.unit for one in wave if one.forced]
        for unit in tired:
            dp[unit] += 1
        key = h, tuple([(unit, self.state.at[unit], dp[unit]) for unit in units]), worth, helped, by_road, alone
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = judge(self.picture, self.weights, h, units, worth, helped, by_road, alone=alone)
        for unit in tired:
            dp[unit] -= 1
        cost = len(tired) * self.weights.tired + self.picture.woken(h) * self.weights.woken
        return found._replace(gain=found.gain - cost)

    def _place(self, unit: int, options: Sequence[Option], wave: Sequence[Option], h: int) -> Option | None:
        """The best place for one more; opposite to another, if who can infiltrate is among them (21.5.2)."""
        rules = self.rules
        six = rules.grid.neighbours[h]
        capable = rules.infiltration >> unit & 1 or any(rules.infiltration >> one.unit & 1 for one in wave)
        across = {six[(six.index(one.here) + 3) % 6] for one in wave} if capable else set()

        def rank(one: Option) -> tuple[int, tuple[int, int, int], int]:
            return -int(one.here in across), one.rank, one.here

        for one in sorted(options, key=rank):
            if one.by_road and any(other.by_road and other.here == one.here for other in wave):
                continue
            if one.here == self.state.at[unit] or self.fits(one.here, (unit,)):
                return one
        return None

    def attack(self) -> None:
        """10.2: assaults as long as one promises enough; each with support and a second wave."""
        least = LAST_HOPE if self.picture.halting or (self.picture.left == 1 and not self.picture.short) else HOPELESS
        while len(self.targets) < MOST_TARGETS:
            options = self.options()
            best: Assaulters | None = None
            for h, found in options.items():
                if h in self.targets:
                    continue
                one = self.wave_for(h, found)
                if one is None or one.found.win < least:
                    continue
                if best is None or one.score > best.score:
                    best = one
            if best is None or best.score < self.weights.least:
                return
            self.targets.append(best.hex)
            self.promised += best.score
            self._declare(best)
            self.ways.clear()
            self.marches.clear()
            self._second_wave(best)
            self._support(best.hex)

    def _declare(self, found: Assaulters) -> None:
        target = self.rules.grid.ids[found.hex]
        data = {"hex": target, "win": round(100 * found.found.win)}
        for one in found.wave:
            self.go(one.unit, one.here, Reason("advance", data), one.forced)
            action = Assault(self.rules.ids[one.unit], target, (), ROAD if one.by_road else "")
            self.answers.append(Answer(action, Reason("assault", data)))
            self.state.assaults = (*self.state.assaults, (one.unit, found.hex, int(one.by_road)))
            self.used |= 1 << one.unit

    def _second_wave(self, first: Assaulters) -> None:
        """10.2.4: others who are at hand assault the same hex after them, where the first may fail."""
        if first.found.win > 0.85:
            return
        options = [one for one in self.options().get(first.hex, ()) if one.here not in self._full(first.hex)]
        second = self.wave_for(first.hex, options) if options else None
        if second is None or not second.wave:
            return
        gain = (1.0 - first.found.win) * (second.found.gain + 0.2)
        if gain > SECOND_WAVE * self.weights.least:
            self._declare(second)

    def _full(self, h: int) -> set[int]:
        """11.1.e1: the hexes out of which no more than those who have declared may assault."""
        rules, state = self.rules, self.state
        found = set()
        for here in rules.grid.adjacent[h]:
            ready = [one for one, _, _ in state.assaults if state.at[one] == here]
            if (
                ready
                and stacking.quarters(rules, ready, single=losses.singles(rules, state, ready)) >= rules.most_stacked
            ):
                found.add(here)
        return found

    def _support(self, h: int) -> None:
        """10.2.6: those next to the hex, or near it, with machine guns, who do not assault."""
        rules, state, picture = self.rules, self.state, self.picture
        found: list[tuple[int, int, int, int]] = []
        begun = {state.at[one] for one, _, _ in state.assaults}
        units = assault.acting(rules, state) & ~self.used & ~acting.declared(state) & ~rules.flamethrowers
        for unit in bits(units):
            guns = losses.machine_guns(rules, state, unit)
            if guns < 2 or rules.nation[unit] == ITALIANS:
                continue
            places, snares = self.reach(unit).left, self._snares(unit)
            for p in rules.grid.adjacent[h]:
                if p in places and p not in begun and (p == state.at[unit] or self.fits(p, (unit,))):
                    if sectors.is_common(rules, p) or snares >> p & 1:
                        continue
                    strong = losses.strength(rules, state, unit)
                    found.append((strong - 2 * guns + 2 * (p != state.at[unit]), p, unit, guns))
        done, given = set[int](), 0
        for _, p, unit, _ in sorted(found):
            if given == SUPPORTERS or p in done or self.used >> unit & 1:
                continue
            if picture.state.at[unit] != p and not self.fits(p, (unit,)):
                continue
            name = rules.grid.ids[h]
            self.go(unit, p, Reason("support", {"hex": name}))
            self.answers.append(Answer(Support(rules.ids[unit], name), Reason("support", {"hex": name})))
            state.supports = (*state.supports, (unit, h))
            self.used |= 1 << unit
            done.add(p)
            given += 1

    # Assaults on the move

    def storm(self) -> bool:
        """21.5.3: the assault on the move that promises most, if one is sure enough."""
        rules, state = self.rules, self.state
        best: tuple[float, Option, int, Judged] | None = None
        for h, options in self.options().items():
            capable = [one for one in options if rules.infiltration >> one.unit & 1]
            seen: set[int] = set()
            for one in sorted(capable, key=lambda one: (one.unit, one.rank, one.here)):
                if one.unit in seen or (one.here != state.at[one.unit] and not self.fits(one.here, (one.unit,))):
                    continue
                seen.add(one.unit)
                was = from_there(self.picture, [(one.unit, one.here)])
                found = self._judged(h, (one,), NO_HELP, alone=True)
                from_there(self.picture, was)
                if found.win >= SURE and found.gain >= self.weights.least + STORM:
                    if best is None or found.gain > best[0]:
                        best = found.gain, one, h, found
        if best is None:
            return False
        _, one, h, found = best
        target = rules.grid.ids[h]
        data = {"hex": target, "win": round(100 * found.win)}
        self.go(one.unit, one.here, Reason("advance", data), one.forced)
        action = Storm(rules.ids[one.unit], target, (), ROAD if one.by_road else "")
        self.answers.append(Answer(action, Reason("storm", data)))
        return True

    # Moves

    def go(self, unit: int, h: int, why: Reason, forced: bool = False) -> None:
        """A unit goes to a hex, if it is not there."""
        if self.state.at[unit] == h:
            return
        if forced:
            self.answers.append(Answer(March(self.rules.ids[unit]), Reason("march", {"hex": self.rules.grid.ids[h]})))
        path = (self.march if forced else self.reach)(unit).way(h)
        self.answers.append(Answer(Move(self.rules.ids[unit], self.rules.hex_ids(path)), why))
        put(self.rules, self.state, unit, h)
        self.used |= 1 << unit

    @property
    def able(self) -> int:
        """Who may still move and has nothing else to do."""
        return self._able & ~self.used

    def plan(self) -> list[Answer]:
        """What the formation does next: an assault on the move, or all the rest."""
        self._able = self.movers()
        if self.state.kind != acting.SWAP:
            if self.picture.side == 0 and self.storm():
                return self.answers
            self.ways.clear()
            self.attack()
        for unit in self.in_order(self.able):
            self.walk(unit)
        return self.answers

    def promise(self) -> float:
        """What its assaults promise together."""
        self._able = self.movers()
        self.attack()
        return self.promised

    def spoils(self) -> float:
        """What those who do not assault could take with nobody in it: objectives, guns, the way over the edge."""
        if self.picture.side != 0:
            return 0.0
        picture, guns, found = self.picture, self.state.guns[1 - self.picture.side], dict[int, float]()
        for unit in bits(self.able):
            for h in self.reach(unit).left:
                if h == self.state.at[unit] or h in found:
                    continue
                if guns >> h & 1:
                    found[h] = self.weights.guns
                elif h in picture.wanted:
                    found[h] = self.weights.take * picture.prize(h, picture.vigour((unit,)))
                elif self.rules.ground.exits >> h & 1:
                    found[h] = picture.exit_worth(unit)
        return 0.5 * sum(found.values())

    def in_order(self, units: int) -> list[int]:
        """Those in front first: they make room."""
        way_of, arrival, at = self.picture.way_of, self.picture.arrival, self.state.at
        if self.posts.attacks:
            return sorted(bits(units), key=lambda unit: (way_of(unit)[at[unit]], unit))
        return sorted(bits(units), key=lambda unit: (arrival[at[unit]], unit))

    def walk(self, unit: int) -> None:
        """10: a unit goes where it is worth most; by a forced march if that is worth more than it costs (10.4)."""
        self.ways.pop(unit, None)
        worth, found = self.best_way(unit)
        if marching.why_not_forced(self.rules, self.state, unit) is None:
            self.state.marched |= 1 << unit
            self.ways.pop(unit, None)
            farther, other = self.best_way(unit)
            self.state.marched &= ~(1 << unit)
            if other is not None and farther - self.march_cost(unit) > worth:
                name = self.rules.ids[unit]
                self.answers.append(Answer(March(name), Reason("march", {"hex": self.rules.grid.ids[other.end]})))
                found = other
        if found is None:
            return
        if found.path:
            self.answers.append(Answer(Move(self.rules.ids[unit], self.rules.hex_ids(found.path)), found.why))
        self.posts.taken |= set(found.path)
        if found.leaves:
            self.answers.append(Answer(Exit(self.rules.ids[unit]), found.why))
        put(self.rules, self.state, unit, EXITED if found.leaves else found.end)

    def march_cost(self, unit: int) -> float:
        """10.4: what a forced march costs: a point, and that none is recovered."""
        cost = points_cost(self.picture, self.weights, unit, 1) + self.weights.fresh
        return self.weights.tired + cost * (1.0 + self.state.dp[unit])

    def best_way(self, unit: int) -> tuple[float, Way | None]:
        """The way to where a unit is worth most, and what it is worth there."""
        found = choose(self.picture, self.posts, self.weights, unit, self.reach(unit), self.fits)
        return (found.worth if found else self.posts(unit, self.state.at[unit])), found
