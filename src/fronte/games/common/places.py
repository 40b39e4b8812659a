"""Where units are: the stack of every hex, and for each side a mask of the hexes in which it has units."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Placed(Protocol):
    """The columns and masks of a state that tell where units are. A place off the map is a negative number."""

    at: list[int]
    stacks: list[tuple[int, ...]]
    """The units in each hex: by their numbers, or the last that came on top."""
    occ: list[int]
    """For each side the hexes with any unit of it."""


def put(state: Placed, unit: int, to: int, side_of: Callable[[int], int], on_top: bool = False) -> None:
    """Put a unit into a hex or off the map, and keep stacks and masks true, also where both sides share a hex."""
    here = state.at[unit]
    side = side_of(unit)
    state.at[unit] = to
    if here >= 0:
        stack = state.stacks[here]
        left = state.stacks[here] = () if len(stack) == 1 else tuple([other for other in stack if other != unit])
        for other in left:
            if side_of(other) == side:
                break
        else:
            state.occ[side] &= ~(1 << here)
    if to >= 0:
        stack = state.stacks[to]
        state.stacks[to] = (*stack, unit) if on_top or not stack else tuple(sorted((*stack, unit)))
        state.occ[side] |= 1 << to
