"""10: ways at random, drawn hex by hex without looking at all there are."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from fronte.games.caporetto import movement
from fronte.games.caporetto.marching import left_of, manner_of
from fronte.games.caporetto.state import State

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

STRIDES = 6
"""How long a way is at most that is drawn at random."""
NEAR = 4
"""Within so many hexes a random way leads towards an enemy."""


def stroll(rules: Caporetto, state: State, units: Sequence[int], rng: Random) -> list[tuple[int, int]]:
    """A way at random that can be paid, with what is left in each hex: towards an enemy who is near, else in any
    direction, but not back."""
    manner = manner_of(state, units)
    going, left, here = (
        movement.going(rules, state, units, manner),
        left_of(rules, state, units),
        state.at[units[0]],
    )
    enemies = state.occ[1 - rules.side[units[0]]] & rules.grid.within(here, NEAR)
    goal = enemies.bit_length() - 1 if enemies and rng.random() < 0.6 else -1
    steps = movement.offers(rules, state, units, going)
    path: list[tuple[int, int]] = []
    left -= movement.leaving_price(rules, state, here, going)
    behind = 1 << here
    for _ in range(rng.randint(1, STRIDES)):
        near = [(there, paid) for there, paid in steps(here, behind) if 0 < paid <= left]
        if not near:
            break
        if goal >= 0:
            far = [rules.grid.distance(there, goal) for there, _ in near]
            there, paid = near[far.index(min(far))]
        else:
            there, paid = rng.choice(near)
        behind |= rules.grid.ring[here] | 1 << here
        stops = movement.must_stop(rules, state, units, here, there, going)
        here, left = there, left - paid
        path.append((here, left))
        if stops:
            break
    return path
