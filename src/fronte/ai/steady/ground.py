"""What the map says: distances to objectives once and for all, and the picture of a phase."""

from __future__ import annotations

from functools import cached_property, lru_cache

from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.ground import DRY, ISONZO, RIVER
from fronte.games.inferno.supply import IN_RANGE, LOW_RANGE, supply_layers
from fronte.games.inferno.zoc import zoc
from fronte.games.isonzo.game import Isonzo
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits, flood, mask_of

FAR = 60
"""Hexes of movement beyond which an objective pulls nobody."""
FADE = 0.82
"""What is left of an objective's pull one movement point further off."""
NEAR_FADE = 0.6
"""What is left of the need to guard an objective one hex further off."""
GORIZIA_VALUE = 10
"""15.e: what Gorizia is worth to both sides, in victory points."""
SIXTHS = 6
PARTS = 1000
HORIZON = 8
"""Enemies further off than this are simply far."""
MOST_FIELDS = 2000


class Chart:
    """What never changes on a board: for each objective, how strongly it is felt in every hex."""

    def __init__(self, rules: Isonzo) -> None:
        self.rules = rules
        board = rules.board
        size = board.grid.size
        self.gorizia = next(bits(board.gorizia), -1)
        goals = list(rules.objectives) + ([self.gorizia] if self.gorizia >= 0 else [])
        self.goals = mask_of(goals)
        self.felt: dict[int, list[int]] = {}
        self.close: dict[int, list[int]] = {}
        for goal in goals:
            cost, _ = flood((goal,), FAR * SIXTHS, self._steps)
            self.felt[goal] = [round(PARTS * FADE ** (cost.get(h, FAR * SIXTHS) / SIXTHS)) for h in range(size)]
            self.close[goal] = [round(PARTS * NEAR_FADE**d) if d <= 5 else 0 for d in board.distances(goal)]
        self._fields: dict[tuple[int, bool], list[float]] = {}
        self._last = {(side, close): (0, [0] * size) for side in (ITALIAN, AH) for close in (False, True)}
        self._weights: dict[int, list[tuple[int, float]]] = {}

    def field(self, goals: int, side: int, close: bool) -> list[float]:
        """The sum of what these objectives are worth in every hex, by way or by nearness.

        It is counted in whole thousandths from the last one that the side asked for: few objectives change hands at
        a time.
        """
        found = self._fields.get((goals, close))
        if found is None:
            felt = self.close if close else self.felt
            before, counted = self._last[side, close]
            counted = counted[:]
            for goal in bits(goals ^ before):
                worth = self.value(goal) * (1 if goals >> goal & 1 else -1)
                counted = [total + worth * share for total, share in zip(counted, felt[goal], strict=True)]
            self._last[side, close] = (goals, counted)
            found = [total / PARTS for total in counted]
            if len(self._fields) > MOST_FIELDS:
                self._fields.clear()
            self._fields[goals, close] = found
        return found

    def weight_of(self, h: int) -> list[tuple[int, float]]:
        """The hexes that a unit here presses upon, and how much: up to three hexes away."""
        found = self._weights.get(h)
        if found is None:
            grid = self.rules.board.grid
            shares = {1: 1.0, 0: 1.0, 2: 0.55, 3: 0.2}
            found = [(there, shares[grid.distance(h, there)]) for there in bits(grid.within(h, 3))]
            self._weights[h] = found
        return found

    def _steps(self, here: int) -> list[tuple[int, int]]:
        """Off the road and regardless of enemies; the Isonzo counts as two more points."""
        return [(e.to, e.ground + (12 if e.water == ISONZO else 0)) for e in self.rules.board.edges[here]]

    def value(self, goal: int) -> int:
        """Victory points of an objective; Gorizia has a value of its own."""
        return GORIZIA_VALUE if goal == self.gorizia else self.rules.objectives[goal]


@lru_cache(maxsize=8)
def chart(rules: Isonzo) -> Chart:
    """The chart of a ruleset."""
    return Chart(rules)


class Picture:
    """The map as one side sees it at the beginning of a phase. Each part is worked out when it is first asked for."""

    def __init__(self, rules: Isonzo, state: IsonzoState, side: int) -> None:
        self.rules, self.state, self.side = rules, state, side
        self.foe = 1 - side
        self.chart = chart(rules)
        self.size = rules.board.grid.size
        self.ours = state.held if side == ITALIAN else rules.board.grid.everything & ~state.held

    @cached_property
    def enemy_zoc(self) -> int:
        """6: the hexes in enemy zones of control."""
        return zoc(self.rules, self.state, self.foe)

    @cached_property
    def pull(self) -> list[float]:
        """How strongly each hex feels the objectives that are still to be won."""
        wanted = self.chart.goals & ~self.ours
        if self.side == AH and self.chart.gorizia >= 0 and self.state.fight[ITALIAN] >> self.chart.gorizia & 1:
            wanted &= ~(1 << self.chart.gorizia)
        return self.chart.field(wanted, self.side, False)

    @cached_property
    def guard(self) -> list[float]:
        """How near each hex is to objectives of one's own."""
        return self.chart.field(self.chart.goals & self.ours, self.side, True)

    @cached_property
    def distance(self) -> list[int]:
        """Hexes to the nearest enemy that can move and fight; the Isonzo without a bridge counts as two more."""
        rules, state, board = self.rules, self.state, self.rules.board
        due = [0] * (HORIZON + 4)
        due[0] = state.zocs[self.foe]
        found = [HORIZON + 1] * self.size
        seen = 0
        for length in range(HORIZON + 1):
            layer = due[length] & ~seen
            seen |= layer
            for here in bits(layer):
                found[here] = length
                due[length + 1] |= board.dry[here]
                for edge in board.wet[here]:
                    barred = edge.water == ISONZO and not rules.is_bridged(state, edge)
                    due[length + (3 if barred else 1)] |= 1 << edge.to
        return found

    @cached_property
    def pressure(self) -> list[float]:
        """Enemy attack strength that could fall on each hex: fully next to it, less from two or three hexes."""
        rules, state = self.rules, self.state
        total = [0.0] * self.size
        for h in bits(state.zocs[self.foe]):
            strength = sum(max(0, rules.face(state, u).attack - state.ce[u]) for u in state.stacks[h])
            for there, share in self.chart.weight_of(h):
                total[there] += strength * share
        return total

    @cached_property
    def lengths(self) -> dict[int, int]:
        """11.3: the length of the supply path to each hex within range."""
        layers = supply_layers(self.rules, self.state, self.side)
        return {h: length for length, layer in enumerate(layers) for h in bits(layer)}

    def supply_at(self, h: int) -> int:
        """11.4: the supply state a unit would have in a hex: 0, 1 or 2."""
        length = self.lengths.get(h)
        if length is None:
            length = LOW_RANGE + 1
            for edge in self.rules.board.edges[h]:
                if edge.to in self.lengths:
                    river = edge.water in (RIVER, ISONZO) and not self.rules.is_bridged(self.state, edge)
                    length = min(length, self.lengths[edge.to] + (4 if river else 1))
        return 0 if length <= IN_RANGE else 1 if length <= LOW_RANGE else 2

    def moats(self, h: int) -> int:
        """Water hexsides around a hex with an enemy on or near the other bank."""
        return sum(1 for e in self.rules.board.edges[h] if e.water != DRY and self.distance[e.to] <= 1)

    def rises(self, h: int) -> int:
        """Approaches from which an attacker would climb; all of them on a peak."""
        board = self.rules.board
        near = [n for n in board.grid.adjacent[h] if self.distance[n] <= 2]
        if board.peaks >> h & 1:
            return len(near)
        return sum(1 for n in near if board.level[n] < board.level[h])

    def is_prize(self, h: int) -> bool:
        """An objective that the other side holds."""
        return h in self.chart.felt and not self.ours >> h & 1


def worth(rules: Isonzo, h: int) -> int:
    """Victory points that change hands if the hex does."""
    if rules.board.gorizia >> h & 1:
        return GORIZIA_VALUE
    return rules.objectives.get(h, 0)
