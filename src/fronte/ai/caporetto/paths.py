"""10.1.2: ways that keep clear of the enemy's fire: where a unit can go, and what it is likely to suffer on the way."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from fronte.ai.caporetto.picture import Picture
from fronte.games.caporetto import movement
from fronte.games.caporetto.movement import NEVER, Manner
from fronte.games.caporetto.tables import WHOLE_ALLOWANCE

DODGED = 5
"""Quarters of a point that one goes round for a point of disorganisation,"""
STOPPED = 12
"""and for the certainty to be stopped."""


class Paths(NamedTuple):
    """By hex what is left there, the hex before it, and the points and the chance to be stopped on the way."""

    left: dict[int, int]
    before: dict[int, int]
    danger: dict[int, tuple[float, float]]

    def way(self, h: int) -> list[int]:
        """The hexes to one."""
        path = [h]
        while path[-1] in self.before:
            path.append(self.before[path[-1]])
        return path[-2::-1] if len(path) > 1 else []


SAFE = (0.0, 0.0)


def paths(picture: Picture, unit: int, left: int, manner: Manner) -> Paths:
    """10: where a unit can go with what it has left, by ways that are both short and out of fire."""
    rules, state = picture.rules, picture.state
    start = state.at[unit]
    going = movement.going(rules, state, (unit,), manner)
    whole = left if left == movement.allowance(rules, state, (unit,), manner) else NEVER
    found = movement.offers(rules, state, (unit,), going)
    leaving = movement.leaving_price(rules, state, start, going)
    stops, narrow = going.stops, going.narrow
    spent, danger, best = {start: 0}, {start: SAFE}, {start: 0}
    before: dict[int, int] = {}
    done = 0
    heap = [(0, start)]
    near, passing = picture.near_foes, picture.passing
    while heap:
        key, here = heappop(heap)
        if done >> here & 1:
            continue
        done |= 1 << here
        if here != start and (
            stops >> here & 1 or (narrow and movement.must_stop(rules, state, (unit,), before[here], here, going))
        ):
            continue
        used, risk, watched = spent[here], danger[here], near >> here & 1
        for there, paid in found(here, done):
            if paid == WHOLE_ALLOWANCE:
                paid = whole if not used else NEVER
            elif here == start:
                paid += leaving
            if used + paid > left:
                continue
            toll, fire = key + paid, SAFE
            if watched and near >> there & 1:
                fire = passing(here, there)
                toll += round(DODGED * fire[0] + STOPPED * fire[1])
            if toll >= best.get(there, NEVER):
                continue
            best[there], spent[there], before[there] = toll, used + paid, here
            danger[there] = (risk[0] + fire[0], risk[1] + fire[1]) if fire is not SAFE else risk
            heappush(heap, (toll, there))
    del spent[start]
    return Paths({h: left - paid for h, paid in spent.items()}, before, danger)
