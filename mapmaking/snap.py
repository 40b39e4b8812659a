"""Snapping: real lines become chains of hexsides (water) or chains of hexes (roads, trails, railways)."""

from __future__ import annotations

import contextlib
import heapq
import itertools
import math
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import numpy as np
from scipy.spatial import cKDTree
from shapely.geometry import LineString

from .geo import Array
from .hexgrid import Corner, Grid, corner_key, corner_point
from .network import thicken

Node = TypeVar("Node", bound=Hashable)
Side = tuple[str, str]


def side_key(a: str, b: str) -> Side:
    """A hexside by its two hexes, smaller id first."""
    return (a, b) if a < b else (b, a)


def cheapest(
    starts: Iterable[Node], ends: set[Node], steps: Callable[[Node], Iterable[tuple[Node, float]]]
) -> list[Node]:
    """Dijkstra; ties are broken by node order, so that the result never depends on hashing."""
    best: dict[Node, float] = dict.fromkeys(starts, 0.0)
    before: dict[Node, Node] = {}
    heap: list[tuple[float, Node]] = [(0.0, s) for s in best]
    heapq.heapify(heap)
    while heap:
        cost, node = heapq.heappop(heap)
        if cost > best[node]:
            continue
        if node in ends:
            chain = [node]
            while chain[-1] in before:
                chain.append(before[chain[-1]])
            return chain[::-1]
        for other, more in steps(node):
            if cost + more < best.get(other, math.inf) - 1e-12:
                best[other] = cost + more
                before[other] = node
                heapq.heappush(heap, (cost + more, other))
    raise ValueError("no chain joins the ends")


def clip_to_board(grid: Grid, line: Array) -> Array:
    """The longest run of a line (in the hex plane) that lies on the board."""
    tree = cKDTree(grid.centres)
    dense = thicken(line, 0.05)
    on = tree.query(dense)[0] < 0.62
    runs: list[tuple[int, int]] = []
    start = None
    for i, flag in enumerate([*on.tolist(), False]):
        if flag and start is None:
            start = i
        elif not flag and start is not None:
            runs.append((start, i))
            start = None
    if not runs:
        raise ValueError("the line never meets the board")
    # short excursions over the edge do not cut a river in two
    merged = [runs[0]]
    for a, b in runs[1:]:
        if a - merged[-1][1] < 40:
            merged[-1] = (merged[-1][0], b)
        else:
            merged.append((a, b))
    a, b = max(merged, key=lambda run: run[1] - run[0])
    return dense[a:b]


def water_chain(grid: Grid, line: Array, barred: set[Side], ends: set[Corner], through: list[Side]) -> list[Corner]:
    """The chain of hex corners that follows a river, in the direction of the line.

    `barred` hexsides are never used, those in `through` always and in their order; the chain ends at one of `ends`
    where there are any (the corners of the river that this one joins), else at the corner nearest to the end.
    """
    tree = cKDTree(thicken(line, 0.03))

    def price(p: Corner, q: Corner) -> float:
        a, b = corner_point(p), corner_point(q)
        probes = np.array([a + (b - a) * t for t in (0.1, 0.3, 0.5, 0.7, 0.9)])
        return 0.04 + float((tree.query(probes)[0] ** 2).mean())

    def near(point: Array, among: Iterable[Corner]) -> Corner:
        return min(among, key=lambda c: (math.dist(corner_point(c), point), c))

    def stretch(start: Corner, goal: set[Corner], used: set[Corner]) -> list[Corner]:
        def steps(p: Corner) -> list[tuple[Corner, float]]:
            return [(q, price(p, q)) for q, side in grid.corners[p].items() if side not in barred and q not in used]

        return cheapest([start], goal, steps)

    chain = [near(line[0], grid.corners)]
    for side in through:
        p, q = (corner_key(point) for point in grid.side(*side))
        if chain[-1] in (p, q):
            chain.append(q if chain[-1] == p else p)
            continue
        ways = []
        for first, second in ((p, q), (q, p)):
            # a corner on the edge of the board may be reached from one end only
            with contextlib.suppress(ValueError):
                way = stretch(chain[-1], {first}, {*chain, second})
                ways.append((sum(price(*pair) for pair in itertools.pairwise(way)), [*way, second]))
        chain += min(ways)[1][1:]
    finish = {near(line[-1], grid.corners)}
    if ends:
        close = min(math.dist(corner_point(c), line[-1]) for c in ends)
        finish = {c for c in ends if math.dist(corner_point(c), line[-1]) < close + 0.75}
    if chain[-1] in finish or not any(q not in chain for q in grid.corners[chain[-1]]):
        return chain
    return chain + stretch(chain[-1], finish, set(chain))[1:]


def chain_sides(grid: Grid, chain: list[Corner]) -> list[Side]:
    """The hexsides along a chain of corners."""
    return [grid.corners[p][q] for p, q in itertools.pairwise(chain)]


def crossings(way: Array, rivers: list[tuple[str, Array]]) -> dict[str, Array]:
    """Where a real road crosses each real river (both in the hex plane)."""
    out = {}
    road = LineString(way)
    for name, river in rivers:
        meet = road.intersection(LineString(river))
        points = [g.coords[0] for g in getattr(meet, "geoms", [meet]) if not g.is_empty]
        if points:
            out[name] = np.array(points)
    return out


def hex_chain(
    grid: Grid,
    line: Array,
    stops: list[str],
    toll: Callable[[str, str], float],
) -> list[str]:
    """The chain of hexes that follows a road through given stops; `toll` is an extra price per hexside crossed."""
    tree = cKDTree(thicken(line, 0.05))
    away = dict(zip(grid.ids, tree.query(grid.centres)[0].tolist(), strict=True))

    def steps(a: str) -> list[tuple[str, float]]:
        out = []
        for b in grid.neighbours(a):
            middle = grid.side(a, b).mean(axis=0)
            off = float(tree.query(middle)[0])
            out.append((b, 0.25 + 1.5 * away[b] ** 2 + 2.5 * off**2 + toll(a, b)))
        return out

    chain = [stops[0]]
    for a, b in itertools.pairwise(stops):
        chain += cheapest([a], {b}, steps)[1:]
    return chain
