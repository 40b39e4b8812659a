"""Activation in turns: the seats activate a formation each or pass, until nobody can or all have passed enough."""

from __future__ import annotations

from collections.abc import Sequence


def next_to_act(first: int, able: Sequence[bool], passes: int = 0, most: int = 0) -> tuple[int, int] | None:
    """Who is asked next, beginning with this seat, and how many passes there were in a row before.

    A seat that can activate nothing passes without being asked. None when nobody can, or when there have been `most`
    passes in a row (0: they do not end it). Where the same seat goes on after it has acted, it is `first` again.
    """
    if not any(able):
        return None
    for turn in range(len(able)):
        if most and passes >= most:
            return None
        seat = (first + turn) % len(able)
        if able[seat]:
            return seat, passes
        passes += 1
    return None
