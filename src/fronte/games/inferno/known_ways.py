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
from fronte.hexes import flood, mask_of

if TYPE_CHECKING:
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


def _surroundings(rules: Inferno, start: int, left: int) -> Surroundings:
    board = rules.board

    def edges(here: int) -> list[tuple[int, int]]:
        return [(edge.to, min(edge.ground, edge.route or edge.ground)) for edge in board.edges[here]]

    cost, _ = flood((start,), left, edges)
    entered = {*cost, *board.grid.adjacent[start]}  # 4.3: a minimum move
    sides = {edge.side for h in entered for edge in board.edges[h] if edge.side >= 0}
    bridges = mask_of(board.bridge_at[side] for side in sides if side in board.bridge_at)
    hexes = mask_of(entered)
    return Surroundings(hexes | board.around(hexes), bridges, mask_of(sides))


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
