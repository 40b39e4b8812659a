"""Where a unit goes that does not assault: the best hex it can reach, what it takes on the way, and over the edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fronte.ai.caporetto.costs import points_cost
from fronte.ai.caporetto.paths import Paths
from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.posts import Posts
from fronte.ai.caporetto.weights import Weights
from fronte.ai.reasons import Reason
from fronte.games.caporetto import movement, sectors
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.tables import CLOSED
from fronte.hexes import bits

Fits = Callable[[int, Sequence[int]], bool]
"""11.1: may units stand in a hex, as `Action.fits` says?"""


class Way(NamedTuple):
    """A way that a unit could take: what it is worth to be at its end, and what is had on it."""

    worth: float
    path: list[int]
    end: int
    why: Reason
    leaves: bool = False
    """21.9: does it go on over the edge of the map?"""


def choose(picture: Picture, posts: Posts, weights: Weights, unit: int, found: Paths, fits: Fits) -> Way | None:
    """The way to the best hex for a unit; None if it stays."""
    rules, state = picture.rules, picture.state
    here, names = state.at[unit], rules.grid.ids
    floor = posts(unit, here) + weights.stay if not sectors.is_astray(rules, state, unit) else -1e9
    had = along(picture, posts, weights, unit, found)
    ranked = sorted(((posts(unit, h) + had.get(h, 0.0), h) for h in found.left if h != here), key=_first)
    best = next(
        ((worth, h) for worth, h in ranked if not sectors.is_common(rules, h) and fits(h, (unit,))), (-1e9, here)
    )
    out = way_out(picture, unit, found)
    if out is not None and out[0] + posts(unit, here) > max(best[0], floor):
        path = found.way(out[1]) if out[1] != here else []
        return Way(out[0] + posts(unit, here), path, out[1], Reason("leave", {"hex": names[out[1]]}), True)
    passing = _through(picture, weights, unit, found)
    if passing is not None:
        worth, path, h = passing
        worth += posts(unit, path[-1])
        if worth > max(best[0], floor):
            return Way(worth, path, path[-1], Reason("take", {"hex": names[h]}))
    if best[0] <= floor or best[1] == here:
        return None
    return Way(best[0], found.way(best[1]), best[1], reason_for(picture, unit, here, best[1]))


def _first(one: tuple[float, int]) -> tuple[float, int]:
    return -one[0], one[1]


def along(picture: Picture, posts: Posts, weights: Weights, unit: int, found: Paths) -> dict[int, float]:
    """10.1.2, 18.3, 23.1: by hex what is had on the way to it: fire, guns that are captured, objectives through which
    one passes."""
    rules, state = picture.rules, picture.state
    here, had = state.at[unit], dict[int, float]()
    for h, (points, stopped) in found.danger.items():
        if points or stopped:
            had[h] = -points_cost(picture, weights, unit, points) - weights.stopped * stopped
    if not posts.attacks:
        return had
    guns = state.guns[1 - picture.side]
    spoils = dict[int, float]()
    for h in found.left:
        if h != here and guns >> h & 1:
            spoils[h] = weights.guns * sum([rules.guns >> one & 1 for one in state.stacks.get(h, ())])
    passed = {h for h in found.left if h != here and h in picture.wanted and h not in posts.taken}
    if not spoils and not passed:
        return had
    for end in found.left:
        gain, h = spoils.get(end, 0.0), end
        while h in found.before:
            h = found.before[h]
            if h in spoils:
                gain += spoils[h]
            if h in passed:
                gain += weights.take * picture.wanted[h] * picture.lasting(h, 0.0)
        if gain:
            had[end] = had.get(end, 0.0) + gain
    return had


def way_out(picture: Picture, unit: int, found: Paths) -> tuple[float, int] | None:
    """21.9, 23.1.exit: what it is worth to leave the map, and where, if one comes so far."""
    worth = picture.exit_worth(unit)
    if not worth:
        return None
    best: tuple[int, int] | None = None
    for h in bits(picture.rules.ground.exits & picture.home):
        if h in found.left:
            rate = movement.exit_price(picture.rules, picture.state, (unit,), h)
            if rate != CLOSED and found.left[h] >= rate and (best is None or found.left[h] > best[0]):
                best = found.left[h], h
    return (worth, best[1]) if best is not None else None


def _through(picture: Picture, weights: Weights, unit: int, found: Paths) -> tuple[float, list[int], int] | None:
    """24.3.common: a common hex is taken by passing through: what it is worth, the way, and the hex."""
    rules, state = picture.rules, picture.state
    if not rules.scene.sectors:
        return None
    for h, worth in picture.wanted.items():
        if h not in found.left or not sectors.is_common(rules, h) or h == state.at[unit]:
            continue
        if picture.foe_zone >> h & 1 and not rules.infiltration >> unit & 1:
            continue
        way = found.way(h)
        for there in rules.grid.adjacent[h]:
            if sectors.is_common(rules, there) or not picture.home >> there & 1 or there in state.stacks:
                continue
            prices = [step_price(rules, state, unit, h, there, by_road) for by_road in (False, True)]
            if any(0 < paid <= found.left[h] for paid in prices):
                return weights.take * worth * picture.lasting(h, 0.0), [*way, there], h
    return None


def reason_for(picture: Picture, unit: int, here: int, h: int) -> Reason:
    """Why a unit goes from a hex to another."""
    ids = picture.rules.grid.ids
    data = {"hex": ids[h]}
    if h in picture.wanted:
        return Reason("take", data)
    if h in picture.kept:
        return Reason("garrison", data)
    if not picture.fed >> here & 1 and picture.fed >> h & 1:
        return Reason("to_supply", data)
    if picture.side == 0:
        way = picture.way_of(unit)
        return Reason("push" if way[h] < way[here] else "regroup", data)
    if picture.arrival[h] > picture.arrival[here]:
        return Reason("fall_back", data)
    return Reason("bar", data)
