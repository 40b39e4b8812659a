"""Where units can go, for a whole phase at once: the price of every step is worked out once and kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fronte.games.inferno.ground import ISONZO, Edge
from fronte.games.inferno.movement import SIXTHS, is_fresh, step_cost
from fronte.games.inferno.state import DONE, ESCORTED, RESERVE, place
from fronte.games.inferno.zoc import road_barrier, zoc
from fronte.games.isonzo.game import Isonzo
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import mask_of


class Reach(NamedTuple):
    """Where a unit can go: by hex the points left there in sixths, and the hex before it (-1 where it stands)."""

    left: dict[int, int]
    before: dict[int, int]

    def path(self, end: int) -> list[int]:
        """The hexes entered on the way to a hex."""
        way: list[int] = []
        while self.before[end] >= 0:
            way.append(end)
            end = self.before[end]
        way.reverse()
        return way


Steps = list[tuple[int, int]]


class Marches:
    """The steps of one side in one Movement Phase. Enemies do not move in it, so prices stay."""

    def __init__(self, rules: Isonzo, state: IsonzoState, side: int) -> None:
        self.rules, self.state, self.side = rules, state, side
        self.ezoc = zoc(rules, state, 1 - side)
        self.roadblock = road_barrier(rules, state, side)
        self.crossings = 0
        """How many crossings of the Isonzo have been used; what was reached before may be out of reach after."""
        self._land: dict[tuple[bool, bool], dict[int, Steps]] = {}
        self._over: dict[tuple[bool, bool, bool, int], Steps] = {}
        self._bridged = 0
        for h in range(rules.board.grid.size):
            if any(not rules.takes_whole_move(state, 0, edge) for edge in rules.board.across[h]):
                self._bridged |= 1 << h

    def _price(self, unit: int, here: int, edges: Iterable[Edge]) -> Steps:
        rules, state = self.rules, self.state
        return [
            (edge.to, step_cost(rules, state, unit, here, edge, self.ezoc, self.roadblock))
            for edge in edges
            if rules.why_no_step(state, unit, here, edge, self.roadblock) is None
        ]

    def steps(self, unit: int, here: int) -> Steps:
        """4.2: the steps that the unit may take from a hex, with their prices; those on land are the same for all."""
        rules = self.rules
        land = self._land.setdefault((rules.gun[unit], rules.infiltrates[unit]), {})
        found = land.get(here)
        if found is None:
            found = land[here] = self._price(unit, here, rules.board.land[here])
        if not self._bridged >> here & 1:
            return found
        key = (rules.gun[unit], rules.infiltrates[unit], rules.battalion[unit], here)
        known = self._over.get(key)
        if known is None:
            open_edges = [e for e in rules.board.across[here] if not rules.takes_whole_move(self.state, unit, e)]
            known = self._over[key] = found + self._price(unit, here, open_edges)
        return known

    def can_move(self, unit: int) -> bool:
        """4: may it still move in this phase?"""
        state = self.state
        return (
            state.at[unit] >= 0
            and not state.flags[unit] & (DONE | RESERVE)
            and (self.rules.frozen(state, unit) is None)
        )

    def points(self, unit: int) -> int:
        """4.1: what is left of its movement points, in sixths."""
        if self.state.mover == unit:
            return self.state.left
        return self.rules.face(self.state, unit).ma * SIXTHS

    def reach(self, unit: int, spent: int = 0) -> Reach:
        """4.2, 4.3, 14.2.b: every hex the unit can go to now; its own is there with no hex before it."""
        rules = self.rules
        start = self.state.at[unit]
        budget = self.points(unit) - spent
        left = {start: budget}
        before = {start: -1}
        land = self._land.setdefault((rules.gun[unit], rules.infiltrates[unit]), {})
        bridged = self._bridged
        queue: list[list[int]] = [[] for _ in range(budget + 1)]
        queue[0].append(start)
        for used, bucket in enumerate(queue):
            rest = budget - used
            for here in bucket:
                if left[here] != rest:
                    continue
                steps = None if bridged >> here & 1 else land.get(here)
                for there, cost in self.steps(unit, here) if steps is None else steps:
                    after = rest - cost
                    if after > left.get(there, -1):
                        left[there] = after
                        before[there] = here
                        queue[used + cost].append(there)
        found = Reach(left, before)
        if is_fresh(rules, self.state, unit) and not spent:
            self._single_steps(unit, start, found)
        return found

    def sweep(self, units: Sequence[int]) -> int:
        """Every hex that one of these units could walk into, all of them fresh."""
        most = max((self.rules.face(self.state, u).ma * SIXTHS for u in units), default=0)
        best: dict[int, int] = {}
        queue: list[list[tuple[int, int]]] = [[] for _ in range(most + 1)]
        for unit in units:
            queue[most - self.rules.face(self.state, unit).ma * SIXTHS].append((self.state.at[unit], unit))
        for used, bucket in enumerate(queue):
            for here, unit in bucket:
                if best.get(here, most + 1) <= used:
                    continue
                best[here] = used
                for there, cost in self.steps(unit, here):
                    if used + cost <= most and best.get(there, most + 1) > used + cost:
                        queue[used + cost].append((there, unit))
        return mask_of(best)

    def _single_steps(self, unit: int, start: int, found: Reach) -> None:
        """4.3, 14.2.b: the one step that is always possible, and the crossing with an engineer."""
        for there, _ in self.steps(unit, start):
            if there not in found.left:
                found.left[there], found.before[there] = 0, start
        if not self.state.flags[unit] & ESCORTED or self.rules.gun[unit]:
            return
        for there, _ in self._price(unit, start, self.rules.board.across[start]):
            if there not in found.left:
                found.left[there], found.before[there] = 0, start

    def needs_crossing(self, found: Reach) -> bool:
        """14.2: does any way lead across the Isonzo?"""
        edge_to = self.rules.board.edge_to
        return any(b >= 0 and edge_to[b][h].water == ISONZO for h, b in found.before.items())

    def go(self, unit: int, path: list[int]) -> None:
        """Carry the move out in the imagined state, with the crossings it uses up (14.2.a)."""
        rules, state = self.rules, self.state
        for there in path:
            here = state.at[unit]
            edge = rules.board.edge_to[here][there]
            if edge.water == ISONZO:
                rules.step_taken(state, unit, here, edge)
                self.crossings += 1
                self._over.clear()
            for other in state.stacks[there]:
                if rules.side[other] != self.side:
                    rules.eliminate(state, other, ("12.3.f",), [])
            place(rules, state, unit, there)
