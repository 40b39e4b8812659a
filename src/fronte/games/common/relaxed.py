"""The best way of a unit as if what bars it did not: where a move fails, and what single thing would open it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from fronte.engine.card import Line
from fronte.engine.decision import Refusal
from fronte.engine.whynot import MOST_TOLD, Obstacle, Part
from fronte.hexes import trace

TURNS = "turns"
"""The key of the help that needs nothing but time."""
MOST_TURNS = 12
"""A march that takes longer is no help."""


class Step(NamedTuple):
    """A step to a neighbouring hex: what it would cost, and what bars it, if anything does."""

    to: int
    cost: int
    bar: Refusal | None = None
    whole: bool = False
    """It takes all that a unit has, and only one that has spent nothing."""
    stops: bool = False
    """Whoever comes there goes no farther this time."""


Steps = Callable[[int], Iterable[Step]]


class March(NamedTuple):
    """A unit that would go somewhere: whence, with what, and over which steps."""

    start: int
    left: int
    """What it can spend now."""
    usual: int
    """What it can spend in any later turn."""
    fresh: bool
    """It has spent nothing yet."""
    steps: Mapping[int, Sequence[Step]]
    """All steps between hexes, barred or not, by the hex that is left; worked out for those that are asked for."""
    least: bool = False
    """One hex is always possible to who is fresh, whatever it costs."""


class Found(NamedTuple):
    """The steps of the best way, how many of them can be gone, and what is in the way."""

    path: list[Step]
    gone: int
    part: Part


def marched(march: March, path: Sequence[Step]) -> tuple[int, int]:
    """How many steps of a way a unit can go now, what bars it left aside, and what it has left then."""
    left, fresh = march.left, march.fresh
    for k, step in enumerate(path):
        if step.whole and not fresh:
            return k, left
        if not step.whole and step.cost > left and not (march.least and fresh):
            return k, left
        left = 0 if step.whole else max(0, left - step.cost)
        fresh = False
        if step.stops:
            return k + 1, 0
    return len(path), left


def arrives(march: March, path: Sequence[Step] | None) -> bool:
    """Is this a way that a unit can go to its end now?"""
    return path is not None and marched(march, path)[0] == len(path)


def turns(march: March, path: Sequence[Step]) -> int:
    """In how many turns a unit goes a way, this one counted; 0 where it never would."""
    rest, count, now = list(path), 0, march
    while rest:
        done = marched(now, rest)[0]
        if not done and count:
            return 0
        rest, count = rest[done:], count + 1
        now = march._replace(left=march.usual, fresh=True)
    return count


def way(march: March, goal: int, lifted: Collection[str] | None, penalty: int = 0) -> list[Step] | None:
    """The cheapest way there if refusals of these keys barred nothing (None: no refusal did), each at this price."""
    cost, before, taken = {march.start: 0}, dict[int, int](), dict[int, Step]()
    queue = [(0, march.start)]
    while queue:
        spent, here = heappop(queue)
        if here == goal:
            return [taken[h] for h in trace(before, goal)]
        if spent > cost[here]:
            continue
        for step in march.steps[here]:
            if step.bar is not None and lifted is not None and step.bar.key not in lifted:
                continue
            total = spent + max(1, march.usual if step.whole else step.cost) + (penalty if step.bar else 0)
            if total < cost.get(step.to, total + 1):
                cost[step.to], before[step.to], taken[step.to] = total, here, step
                heappush(queue, (total, step.to))
    return None


def explained(
    march: March,
    goal: int,
    ids: Sequence[str],
    dear: Callable[[Step, int], Refusal],
    side: Callable[[str, str], str],
    stops: Callable[[Step], Refusal] | None = None,
) -> Found:
    """What is in the way of a unit to a hex, and what alone, or else together, would open it.

    `dear` says that a step is too dear with so much left, `stops` that nobody goes on after it, `side` names a hexside.
    """
    penalty = 2 * max(1, march.usual)
    path = way(march, goal, None, penalty) or []
    obstacles: list[Obstacle] = []
    bars: list[tuple[int, Step]] = []
    here, gone = march.start, len(path)
    enough, left = marched(march, path)
    for k, step in enumerate(path):
        if step.bar is not None:
            obstacles.append(Obstacle(step.bar, (ids[here], ids[step.to])))
            bars.append((here, step))
            gone = min(gone, k)
        if k == enough:
            ends = stops is not None and k and path[k - 1].stops
            why = stops(path[k - 1]) if stops is not None and ends else dear(step, left)
            obstacles.append(Obstacle(why, (ids[here if ends else step.to],)))
            gone = min(gone, k)
        here = step.to
    helps, single = _helps(march, goal, ids, side, bars)
    single = single or len(obstacles) < 2
    return Found(path, gone, Part(tuple(obstacles[:MOST_TOLD]), tuple(helps[:MOST_TOLD]), single))


def _helps(
    march: March,
    goal: int,
    ids: Sequence[str],
    side: Callable[[str, str], str],
    bars: Sequence[tuple[int, Step]],
) -> tuple[list[Line], bool]:
    """First what opens the way at once, each by itself; then time, if that is all it takes; else all that bars it."""
    found: list[Line] = []
    for key in dict.fromkeys(step.bar.key for h in _in_reach(march) for step in march.steps[h] if step.bar):
        one = way(march, goal, (key,))
        if one is not None and arrives(march, one):
            found += [_help(ids, side, *bar) for bar in _barred(march.start, one)[:1]]
    free = way(march, goal, ())
    count = turns(march, free) if free is not None else 0
    if 1 < count <= MOST_TURNS:
        found.append(Line(TURNS, {"n": count}))
    return (found, True) if found else ([_help(ids, side, *bar) for bar in bars], False)


def _in_reach(march: March) -> list[int]:
    """The hexes that can be left now if nothing bars the way there; what bars the steps out of others is no matter."""
    cost, queue = {march.start: 0}, [(0, march.start)]
    while queue:
        spent, here = heappop(queue)
        if spent > cost[here]:
            continue
        for step in march.steps[here]:
            total = spent + (march.left if step.whole else step.cost)
            if total <= march.left and total < cost.get(step.to, total + 1):
                cost[step.to] = total
                heappush(queue, (total, step.to))
    return sorted(cost)


def _barred(start: int, path: Sequence[Step]) -> list[tuple[int, Step]]:
    """The steps of a way that something bars, each with the hex that is left."""
    hexes = [start, *(step.to for step in path)]
    return [(here, step) for here, step in zip(hexes, path, strict=False) if step.bar is not None]


def _help(ids: Sequence[str], side: Callable[[str, str], str], here: int, step: Step) -> Line:
    """What would lift a bar, by the key of the refusal."""
    assert step.bar is not None
    a, b = ids[here], ids[step.to]
    data: dict[str, Any] = {"from": a, "to": b, "side": side(a, b), **step.bar.data}
    return Line(step.bar.key, data, step.bar.rule)


def barred(refusal: Refusal | None, *at: str, more: Sequence[Line] = ()) -> Part:
    """One refusal that is not about a step, what would lift it, and what else would help."""
    if refusal is None:
        return Part()
    return Part((Obstacle(refusal, at),), (Line(refusal.key, refusal.data, refusal.rule), *more))


def commonest(bars: Sequence[Refusal]) -> Refusal | None:
    """The reason that comes most often, the first of its kind."""
    if not bars:
        return None
    key = Counter(bar.key for bar in bars).most_common(1)[0][0]
    return next(bar for bar in bars if bar.key == key)
