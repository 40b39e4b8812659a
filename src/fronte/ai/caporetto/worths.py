"""What places are worth to a force in a state: to take, to keep, to leave the map over, to stand before; and whether
they can be kept."""

from __future__ import annotations

from functools import cached_property

from fronte.ai.caporetto.chart import TURN, Chart
from fronte.ai.caporetto.distances import FAR
from fronte.ai.caporetto.sight import Sight
from fronte.games.caporetto import later_moves, movement, sectors, supply
from fronte.games.caporetto.movement import Manner
from fronte.games.caporetto.printed import EXITED
from fronte.games.caporetto.seating import foe
from fronte.games.caporetto.state import State, put
from fronte.games.caporetto.terrain import AHG
from fronte.hexes import bits, mask_of

HALTED = 4.0
"""What is added for every objective in the turn in which one must be taken (23.3)."""
EXIT = 5.0
"""23.1.exit: what a formation is worth that has left the map."""
SHUT = 8.0
"""What it is worth to who defends that nobody leaves there: more than one formation may."""
FAR_OFF = 0.6
"""what is left of that a turn earlier, as long as nobody is about to leave."""
LEAVING = 2
"""So many turns before the last formations begin to leave."""
OPENED, MOST_LEAVING = 0.5, 4
"""What is counted of that to who opens a way over the edge for others, and for so many of them."""
COUNTERED = 12
"""So many factors at most come back together to retake an objective in the same turn;"""
RETAKEN, UNLIKELY = 0.22, 0.4
"""what the chance of that grows by with each of them for one of one's own, beyond a ratio that has none."""
CLOSE, SHELTER = 2, 0.25
"""Who is so near comes back for certain; what a column of the ground is worth to who holds it."""
TWICE = 3.0
"""23.1.counter: what it then costs, with what it would have been worth; and what it is worth to who retakes it."""
FORCED, RAPID = Manner(forced=True), Manner(movement.OTHERS, forced=True, strategic=True)
FARTHEST, STEP = 6 * TURN, 4
"""From no farther away than this anybody takes a place back at once; and the quarters that he needs to go on from
there."""
SEVERED, MOST_SEVERED, AT_LEAST = 0.2, 25, 0.5
"""What is added to an objective for each enemy hex that gets its supply through it, so many count, and what is left of
that even where it is likely to be retaken."""
HUNGRY, MOST_HUNGRY = 0.2, 10
"""What a road that is opened is worth more for each hex of one's own without supply, and so many count."""
MOST_FED = 25
"""So many units count that would eat again if a stack of the enemy were gone."""
BACKED = 0.9
"""What is left of the worth of standing behind a place for each hex near it that is held already."""


class Worths(Sight):
    """What places are worth."""

    def __init__(self, chart: Chart, state: State, force: int) -> None:
        super().__init__(chart, state, force)
        self._back: dict[int, bool] = {}

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
        if self.side != AHG and not self.short:
            for h, _ in self.state.captured:
                if h in found:
                    found[h] *= TWICE
        if self.side == AHG and not self.short:
            found = {h: worth + SEVERED * self.severed(h) for h, worth in found.items()}
        if self.halting:
            found = {h: worth + HALTED for h, worth in found.items()}
        return found

    def severed(self, h: int) -> int:
        """9.2: how many hexes with enemies have supply through an objective, so that who takes it starves them."""
        behind = self.chart.behind(foe(self.rules, self.force), h, self.state.standing)
        return min((behind & self.foes).bit_count(), MOST_SEVERED)

    @cached_property
    def cuts(self) -> dict[int, float]:
        """9.2: what objectives are worth beyond their points through which enemies are supplied."""
        if self.side != AHG or self.short:
            return {}
        found = {h: SEVERED * self.severed(h) for h in self.wanted}
        return {h: worth for h, worth in found.items() if worth > 0}

    @cached_property
    def halting(self) -> bool:
        """23.3: does the offensive come to a halt if nothing is taken in this turn?"""
        state = self.state
        return self.side == AHG and not self.short and state.quiet > 0 and not state.captured

    @cached_property
    def kept(self) -> dict[int, float]:
        """Those that are one's own; who attacks keeps the enemy cut off (9.2), who defends the ways over the edge shut
        (23.1.exit)."""
        found = {h: worth for h, worth in self.chart.values.items() if self.home >> h & 1 and self.is_ours(h)}
        if self.state.matajur >= 0:  # 24.15: it counts for good to who was there first
            found.pop(self.rules.scene.matajur, None)
        if self.side == AHG and not self.short:
            found = {h: worth + SEVERED * self.severed(h) for h, worth in found.items()}
        if self.side != AHG and not self.short:
            shut = SHUT * FAR_OFF ** max(0, self.left - LEAVING - 2)
            for h in bits(self.rules.ground.exits & self.home):
                found[h] = found.get(h, 0.0) + shut
        return found

    # Whether they can be kept

    def lasting(self, h: int, own: float) -> float:
        """23.1.counter: what is left of the worth of an objective that may be retaken in the same turn, which costs its
        points twice, for who would hold it with so many factors; with none he passes through."""
        if self.side != AHG or self.short:
            return 1.0
        if self.halting or (self.rules.scene.sectors and h == self.rules.scene.matajur):  # 24.15: nobody takes it back
            return 1.0
        if own <= 0 or sectors.is_common(self.rules, h):
            return -1.0 if self.comes_back(h) else 1.0
        if self.state.phase == "movement":  # 10.3.1.e1: nobody assaults any more in this turn
            return 1.0
        ratio = min(self._coming(h), COUNTERED) / max(1.0, own * (1.0 + SHELTER * self.chart.cover[h]))
        return max(-1.0, 1.0 - TWICE * RETAKEN * max(0.0, ratio - UNLIKELY))

    def prize(self, h: int, own: float) -> float:
        """What an objective is worth to who would hold it with so much vigour: its points, as far as they last, and
        that the enemy behind it is cut off, if only for some hours."""
        lasting = self.lasting(h, own)
        cut = self.cuts.get(h, 0.0)
        return (self.wanted[h] - cut) * lasting + cut * max(lasting, AT_LEAST)

    def _coming(self, h: int) -> float:
        """12.4, 14: the vigour of the enemies near a hex who have not acted yet; of those farther away half of it."""
        grid, spent, found = self.rules.grid, self.state.activated, 0.0
        near = grid.within(h, CLOSE)
        for there in bits(grid.within(h, CLOSE + 1) & self.foes & ~(1 << h)):
            units = [unit for unit in self.state.stacks[there] if not spent >> unit & 1]
            vigour = self.vigour([unit for unit in units if self.rules.side[unit] != self.side])
            found += vigour if near >> there & 1 else 0.5 * vigour
        return found

    def comes_back(self, h: int) -> bool:
        """10.3.2, 10.4, 24.3: can an enemy who has not acted enter a hex with nobody in it in this turn? In one of both
        sectors nobody stays, so there he has to have a step left."""
        found = self._back.get(h)
        if found is None:
            own = [unit for unit in self.state.stacks.get(h, ()) if self.rules.side[unit] == self.side]
            for unit in own:
                put(self.rules, self.state, unit, EXITED)
            found = self._back[h] = self._comes_back(h)
            for unit in own:
                put(self.rules, self.state, unit, h)
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

    # What enemies and exits are worth

    def woken(self, h: int) -> int:
        """24.9.e4: how many enemies may move in this turn because a hex is assaulted, who could not otherwise."""
        rules, state = self.rules, self.state
        if not later_moves.may_not_yet(rules, state, foe(rules, self.force)):
            return 0
        found = {rules.formation_of[unit] for unit in state.stacks.get(h, ()) if rules.side[unit] != self.side}
        asleep = [one for one in found if one >= 0 and not state.attacked >> one & 1]
        return sum(state.at[unit] >= 0 for one in asleep for unit in rules.formations[one].members)

    @cached_property
    def cutting(self) -> dict[int, float]:
        """9.2.1: by enemy hex its part in keeping supply from going on along the roads."""
        rules, found = self.rules, dict[int, float]()
        lines = supply.lines_of(rules, self.state, self.force, self.home)
        net = supply.road_net(rules.ground, lines)
        for h in bits((rules.ground.along_routes(net) | lines.sources) & ~net & self.home):
            cutters = list(bits((rules.grid.ring[h] | 1 << h) & lines.enemies))
            for there in cutters:
                found[there] = found.get(there, 0.0) + 1 / len(cutters)
        return found

    @cached_property
    def relief(self) -> dict[int, int]:
        """9.2.1: by enemy hex how many of one's own would be supplied again if nobody were in it: a single stray
        battalion beside a road starves a corps behind it."""
        rules, state = self.rules, self.state
        hungry = state.occ[self.side] & self.home & ~self.fed
        if self.side != AHG or self.short or not hungry:
            return {}
        ground, found = rules.ground, dict[int, int]()
        lines = supply.lines_of(rules, state, self.force, self.home)
        net = supply.road_net(ground, lines)
        for h in self.cutting:
            rest = lines.enemies & ~(1 << h)
            cutters = None if lines.cutters is None else lines.cutters & rest
            reached = supply.road_net(ground, lines._replace(enemies=rest, cutters=cutters)) & ~net
            if not reached:
                continue
            for _ in range(lines.off_road):
                reached |= ground.around(reached)
            fed = sum([(rules.combat & mask_of(state.stacks[there])).bit_count() for there in bits(hungry & reached)])
            if fed:
                found[h] = min(fed, MOST_FED)
        return found

    @cached_property
    def starving(self) -> float:
        """9.3: how much more it is worth to open a road, by how many of one's own have outrun their supply."""
        if self.side != AHG or self.short:
            return 1.0
        hungry = (self.state.occ[self.side] & self.home & ~self.fed).bit_count()
        return 1.0 + HUNGRY * min(hungry, MOST_HUNGRY)

    @cached_property
    def exits_count(self) -> bool:
        """23.1.exit: are there points for who leaves the map?"""
        return self.side == AHG and not self.short

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
    def doors(self) -> dict[int, float]:
        """23.1.exit: by hex with enemies in it over which one leaves the map what it is worth to open it: a part of the
        points of each formation that could all leave there in time."""
        rules, state = self.rules, self.state
        if not self.exits_count or self.left > LEAVING + 1:
            return {}
        spent, found = state.moved | state.activated, dict[int, float]()
        for h in bits(rules.ground.exits & self.home & self.foes):
            ways, leaving = self.chart.ways_to(h), 0
            for formation in rules.formations_of_force[self.force]:
                units = [one for one in rules.formations[formation].members if state.at[one] >= 0]
                late = [ways[state.at[one]] > TURN * (self.left - (spent >> one & 1)) for one in units]
                leaving += bool(units) and not any(late)
            found[h] = EXIT * OPENED * min(leaving, MOST_LEAVING)
        return found

    # Where who defends stands

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
    def _backed(self) -> dict[int, list[tuple[float, int]]]:
        """12.4.1: by hex what is one's own and threatened so near that it could be retaken from there: its worth, and
        from where else it could be."""
        found = dict[int, list[tuple[float, int]]]()
        for goal, worth in self.kept.items():
            if self.arrival[goal] < 2 * TURN:
                near = self.rules.grid.within(goal, self.rules.counter_assault_reach) & ~(1 << goal)
                for h in bits(near):
                    found.setdefault(h, []).append((worth, near & ~(1 << h)))
        return found

    def backed(self, h: int) -> float:
        """The most that could be retaken from a hex; in the campaigns each who stands near it already makes it worth
        less, so that not all wait behind one place."""
        held = 0 if self.short else self.state.occ[self.side]
        return max(
            [worth * BACKED ** (near & held).bit_count() for worth, near in self._backed.get(h, ())], default=0.0
        )
