"""Where units can go, for a whole phase at once: the price of every step is worked out once and kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fronte.ai.inferno.steady.ground import Chart, Known, Stand, Steps, nothing_known
from fronte.games.inferno.ground import ISONZO, Edge
from fronte.games.inferno.movement import SIXTHS, is_fresh, step_cost
from fronte.games.inferno.state import DONE, ESCORTED, RECOVERED, RESERVE, State, place
from fronte.games.inferno.zoc import road_barrier, zoc
from fronte.hexes import bits, mask_of

MOST_PRICED = 20_000
"""So many prices are kept from one phase to the next."""


class Reach(NamedTuple):
    """Where a unit can go: by hex the points left there in sixths (-1: out of reach), and the hex before it."""

    left: list[int]
    before: list[int]
    order: list[int]
    """The hexes in reach, its own among them."""
    hexes: int
    """The same hexes as a mask."""

    def path(self, end: int) -> list[int]:
        """The hexes entered on the way to a hex."""
        way: list[int] = []
        while self.before[end] >= 0:
            way.append(end)
            end = self.before[end]
        way.reverse()
        return way


class Marches:
    """The steps of one side in one Movement Phase. Enemies do not move in it, so prices stay.

    Far from enemies and from bridges a step costs the same all through the game (`Chart.quiet_steps`).
    Where friends screen a hex (6.4), steps near a unit that has moved are worked out again, and those next to a unit's
    own hex for it alone, since it is no friend of its own.
    """

    def __init__(self, chart: Chart, state: State, side: int) -> None:
        rules = chart.rules
        self.chart, self.rules, self.state, self.side = chart, rules, state, side
        self.ezoc = zoc(rules, state, 1 - side)
        self.roadblock = road_barrier(rules, state, side)
        self.crossings = 0
        """How many crossings of the Isonzo have been used; what was reached before may be out of reach after."""
        board = rules.board
        self._bridged = 0
        """Hexes from which a bridge or a pontoon leads over the Isonzo."""
        for number in chart.bridged(state):
            one, other = board.ends[number]
            self._bridged |= one | other
        self._hot = self.ezoc | self.roadblock | state.occ[1 - side]
        """Hexes where enemies change what steps cost."""
        self._changing = self._hot | board.around(self._hot)
        self._tables, self._over, self._reached = self._known()

    def _known(self) -> Known:
        """What has been found of the going before; nothing of that lasts where friends screen."""
        rules, state, side, foe = self.rules, self.state, self.side, 1 - self.side
        if rules.friends_screen:
            return nothing_known()
        bridges = self._bridged, rules.bridges_down(state)
        stand = Stand(bridges, state.occ[foe], state.fight[foe], state.zocs[foe], self.ezoc, self.roadblock)
        return self.chart.recall(rules.going_depends_on(state, side), side, stand)

    # Steps

    def _price(self, unit: int, here: int, edges: Iterable[Edge]) -> Steps:
        rules, state, ezoc, roadblock = self.rules, self.state, self.ezoc, self.roadblock
        return [
            (edge.to, step_cost(rules, state, unit, here, edge, ezoc, roadblock))
            for edge in edges
            if rules.why_no_step(state, unit, here, edge, roadblock) is None
        ]

    def _table(self, unit: int) -> list[Steps | None]:
        """By hex the steps for units of this kind; None where they have not been asked for yet, or differ by unit."""
        kind = self.chart.kind[unit]
        found = self._tables.get(kind)
        if found is None:
            found = self._tables[kind] = list(self.chart.quiet_steps(unit))
            for h in bits(self._changing | self.chart.bridges | self._bridged):
                found[h] = None
        return found

    def _price_land(self, unit: int, here: int, alone: bool = False) -> Steps:
        """What steps on land cost, kept for whenever enemies (and friends who screen) stand around in the same way.

        `alone` is that this is near the unit's own hex: it is no friend of its own.
        """
        rules, chart, state, side = self.rules, self.chart, self.state, self.side
        near, friends, foe = chart.beside[here], 0, 1 - side
        if rules.friends_screen and state.zocs[foe] & near:
            friends = state.occ[side] & near
            if alone and len(state.stacks[state.at[unit]]) == 1:
                friends &= ~chart.bit[state.at[unit]]
        stand = state.zocs[foe] & chart.felt_from[side][here], state.occ[foe] & near, state.fight[foe] & near, friends
        open_bridges = chart.bridges >> here & 1 and mask_of(
            e.bridge for e in rules.board.land[here] if e.bridge >= 0 and rules.route_open(state, e)
        )
        key = (here, side, self.chart.kind[unit], alone, open_bridges, self.ezoc & near, self.roadblock & near, *stand)
        found = chart.priced.get(key)
        if found is None:
            if len(chart.priced) > MOST_PRICED:
                chart.priced.clear()
            found = self._price(unit, here, rules.board.land[here]) if alone else self._price_anew(unit, here)
            chart.priced[key] = found
        return found

    def _price_anew(self, unit: int, here: int) -> Steps:
        """As ever, but for steps from or to hexes with enemies near and those over bridges."""
        land, hot = self.rules.board.land[here], self._hot
        if hot >> here & 1:
            return self._price(unit, here, land)
        steps = [step for step in self.chart.quiet_steps(unit)[here] if not hot >> step[0] & 1]
        return steps + self._price(unit, here, [e for e in land if hot >> e.to & 1 or e.bridge >= 0])

    def _steps(self, unit: int, here: int, alone: int) -> Steps:
        """4.2: the steps that the unit may take from a hex, with their prices."""
        if alone >> here & 1:
            return self._price_land(unit, here, alone=True)
        if not self._bridged >> here & 1:
            table = self._table(unit)
            found = table[here]
            if found is None:
                found = table[here] = self._price_land(unit, here)
            return found
        rules = self.rules
        key = self.chart.kind[unit], rules.battalion[unit], here
        known = self._over.get(key)
        if known is None:
            block = self.roadblock
            across = rules.board.across[here]
            open_edges = [e for e in across if not rules.takes_whole_move(self.state, unit, here, e, block)]
            known = self._over[key] = self._price_land(unit, here) + self._price(unit, here, open_edges)
        return known

    def _alone(self, start: int) -> int:
        """6.4: hexes whose steps are a unit's own, since it does not screen itself."""
        if not self.rules.friends_screen:
            return 0
        return (self.rules.board.grid.ring[start] | 1 << start) & self._changing

    # Reach

    def can_move(self, unit: int) -> bool:
        """4: may it still move in this phase?"""
        state, rules = self.state, self.rules
        if state.at[unit] < 0 or state.flags[unit] & (DONE | RESERVE) or rules.only_recovers(state, unit):
            return False
        if state.flags[unit] & RECOVERED and not rules.recovery_then_move:
            return False
        return rules.frozen(state, unit) is None

    def points(self, unit: int) -> int:
        """4.1: what is left of its movement points, in sixths."""
        if self.state.mover == unit:
            return self.state.left
        return self.rules.face(self.state, unit).ma * SIXTHS

    def _flood(
        self, unit: int, sources: Sequence[tuple[int, int]], alone: int
    ) -> tuple[list[int], list[int], list[int]]:
        """4.2: from these hexes with so many sixths: what is left in each hex, the hex before it, the hexes reached."""
        most = max(points for _, points in sources)
        left = [-1] * self.rules.board.grid.size
        before = left[:]
        order: list[int] = []
        queue: list[list[int]] = [[] for _ in range(most + 1)]
        for start, points in sources:
            if points > left[start]:
                if left[start] < 0:
                    order.append(start)
                left[start] = points
                queue[most - points].append(start)
        table = self._table(unit)
        if alone:
            table = table[:]
            for h in bits(alone):
                table[h] = None
        for used in range(most + 1 - self.chart.cheapest):
            rest = most - used
            for here in queue[used]:
                if left[here] != rest:
                    continue
                steps = table[here]
                for there, cost in self._steps(unit, here, alone) if steps is None else steps:
                    after = rest - cost
                    known = left[there]
                    if after > known:
                        if known < 0:
                            order.append(there)
                        left[there] = after
                        before[there] = here
                        queue[used + cost].append(there)
        return left, before, order

    def reach(self, unit: int, spent: int = 0) -> Reach:
        """4.2, 4.3, 14.2.b: every hex the unit can go to now; its own is there with no hex before it."""
        start, points = self.state.at[unit], self.points(unit) - spent
        fresh = is_fresh(self.rules, self.state, unit) and not spent
        key = start, points, self.chart.kind[unit], self.rules.battalion[unit], fresh, self.state.flags[unit] & ESCORTED
        known = self._reached.get(key)
        if known is None:
            known = self._reached[key] = self._reach(unit, start, points, fresh)
        return known

    def _reach(self, unit: int, start: int, points: int, fresh: bool) -> Reach:
        alone = self._alone(start)
        left, before, order = self._flood(unit, [(start, points)], alone)
        if fresh:
            for there in self._single_steps(unit, start, alone):
                if left[there] < 0:
                    left[there], before[there] = 0, start
                    order.append(there)
        return Reach(left, before, order, sum(map(self.chart.bit.__getitem__, order)))

    def _single_steps(self, unit: int, start: int, alone: int) -> list[int]:
        """4.3, 14.2.b: the one step that is always possible, and the crossing that takes all points."""
        steps = self._steps(unit, start, alone)
        if self.rules.board.across[start]:
            steps = steps + self._price(unit, start, self.rules.board.across[start])
        return [there for there, _ in steps]

    def sweep(self, units: Sequence[int]) -> int:
        """Every hex that one of these units could walk into, all of them fresh."""
        state, rules, swept = self.state, self.rules, self.chart.swept
        by_kind: dict[int, list[int]] = {}
        for unit in units:
            by_kind.setdefault(self.chart.kind[unit], []).append(unit)
        stand = rules.going_depends_on(state, self.side)
        found = 0
        for kind, alike in by_kind.items():
            sources = tuple([(state.at[u], rules.face(state, u).ma * SIXTHS) for u in alike])
            key = stand, kind, rules.battalion[alike[0]], sources
            known = swept.get(key)
            if known is None:
                known = swept.keep(key, mask_of(self._flood(alike[0], sources, 0)[2]))
            found |= known
        return found

    # Going

    def still_open(self, unit: int, found: Reach, end: int) -> bool:
        """6.4, 14.2.a: can this way still be gone, after friends who screened it have moved or others have crossed?"""
        if not self.rules.friends_screen and not self.crossings:
            return True
        edge_to = self.rules.board.edge_to
        here = self.state.at[unit]
        for there in found.path(end):
            edge = edge_to[here][there]
            if self.rules.friends_screen or edge.water == ISONZO:
                if self.rules.why_no_step(self.state, unit, here, edge, self.roadblock) is not None:
                    return False
            here = there
        return True

    def go(self, unit: int, path: list[int]) -> None:
        """Carry the move out in the imagined state, with the crossings it uses up (14.2.a)."""
        rules, state = self.rules, self.state
        left = state.at[unit]
        if len(path) > 1:
            state.flags[unit] &= ~ESCORTED  # 14.2.b: with an engineer one hex at most
        for there in path:
            here = state.at[unit]
            edge = rules.board.edge_to[here][there]
            if edge.water == ISONZO:
                rules.step_taken(state, unit, here, edge)
                self.crossings += 1
                self._over, self._reached = {}, {}  # those of others stay as they are
            for other in state.stacks[there]:
                if rules.side[other] != self.side:
                    rules.eliminate(state, other, ("12.3.f",), [])
            place(rules, state, unit, there)
        if rules.friends_screen and path:
            self._reached.clear()
            ring = rules.board.grid.ring
            for h in bits((ring[left] | 1 << left | ring[path[-1]] | 1 << path[-1]) & self._changing):
                for table in self._tables.values():
                    table[h] = None
