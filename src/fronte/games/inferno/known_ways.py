"""Chapter 4 once more: ways that have been found before, by all that decides them.

Where a unit can go depends on what lies within its reach and on nothing else on the map. So ways are remembered by
that: for all who stand in the same hex and go alike, from one action to the next, in later turns where nothing has
changed nearby, and for every match with this ruleset, of which most begin in the same position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fronte.engine.ways import from_steps
from fronte.games.inferno.state import State
from fronte.hexes import Spread, bits

if TYPE_CHECKING:
    from fronte.games.inferno.ground import Board
    from fronte.games.inferno.movement import Going
    from fronte.games.inferno.rules import Inferno


class Surroundings(NamedTuple):
    """What can matter for a unit that stands somewhere with so many points."""

    hexes: int
    """All that it could reach if nobody were in its way, and what lies beside."""
    bridges: int
    """The bridges there, a mask over their numbers."""
    sides: int
    """And the hexsides, a mask over theirs."""


def surroundings(rules: Inferno, start: int, left: int) -> Surroundings:
    """4.2: no step costs less than its terrain or its road, so that no unit gets farther than this."""
    known = rules.surroundings_known.get((start, left))
    return known or rules.surroundings_known.keep((start, left), _surroundings(rules, start, left))


class Widest:
    """4.2: how far anybody could get if nobody were in the way: every step at the least that it ever costs."""

    def __init__(self, board: Board) -> None:
        self.board = board
        steps: dict[int, list[tuple[int, int]]] = {}
        self.sides = [0] * board.grid.size
        """By hex the hexsides around it, and the bridges on them: masks over their numbers."""
        self.bridges = [0] * board.grid.size
        for here, edges in enumerate(board.edges):
            for edge in edges:
                steps.setdefault(min(edge.ground, edge.route or edge.ground), []).append((here, edge.to))
                if edge.side >= 0:
                    self.sides[here] |= 1 << edge.side
                    if edge.side in board.bridge_at:
                        self.bridges[here] |= 1 << board.bridge_at[edge.side]
        self.steps = [(price, Spread.of(pairs)) for price, pairs in sorted(steps.items())]

    def within(self, start: int, left: int) -> int:
        """The hexes that so many sixths can lead to (a mask): all that are reached at the same price go on together."""
        seen, reached = 0, [0] * (left + 1)
        reached[0] = 1 << start
        for spent in range(left + 1):
            new = reached[spent] & ~seen
            seen |= new
            if new:
                for price, spread in self.steps:
                    if spent + price <= left:
                        reached[spent + price] |= spread(new)
        return seen


def _surroundings(rules: Inferno, start: int, left: int) -> Surroundings:
    widest = rules.widest
    hexes = widest.within(start, left) | widest.board.grid.ring[start]  # 4.3: a minimum move
    bridges = sides = 0
    for h in bits(hexes):
        bridges |= widest.bridges[h]
        sides |= widest.sides[h]
    return Surroundings(hexes | widest.board.around(hexes), bridges, sides)


def ways_json(rules: Inferno, state: State, going: Going, unit: int, left: int, fresh: bool) -> bytes:
    """Where a unit with so many points can go, as a tree (`engine.ways`) in JSON."""
    at = state.at[unit]
    near = surroundings(rules, at, left)
    key = at, left, fresh, *rules.ways_depend_on(state, unit, near)
    known = rules.ways_known.get(key)
    if known is None:
        tree = from_steps(*going.ways(unit), rules.board.grid.ids)
        known = rules.ways_known.keep(key, msgspec.json.encode(tree))
    return known
