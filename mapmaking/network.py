"""Ways along real lines: the shortest way through a network of rivers, roads or railways between given points."""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree

from .geo import Array, Line

JOIN_KM = 0.12
JOIN_COST = 4.0


class Network:
    """A graph of line points. Loose ends closer than `join_km` are joined, since tiles cut lines."""

    def __init__(self, pieces: list[Line], weights: dict[str, float], join_km: float = JOIN_KM) -> None:
        numbers: dict[tuple[int, int], int] = {}
        heads: list[int] = []
        tails: list[int] = []
        costs: list[float] = []
        points: list[Array] = []
        ends: set[int] = set()
        for piece in pieces:
            weight = weights.get(piece.kind, weights.get("", 1.0))
            row = []
            for point in piece.points:
                key = (round(float(point[0]) * 500), round(float(point[1]) * 500))
                if key not in numbers:
                    numbers[key] = len(points)
                    points.append(point)
                row.append(numbers[key])
            ends.update((row[0], row[-1]))
            for a, b in itertools.pairwise(row):
                if a != b:
                    heads.append(a)
                    tails.append(b)
                    costs.append(weight * math.dist(points[a], points[b]))
        self.points = np.array(points)
        self._tree = cKDTree(self.points)
        for a in sorted(ends):
            for b in self._tree.query_ball_point(self.points[a], join_km):
                if a != b:
                    heads.append(a)
                    tails.append(b)
                    costs.append(0.002 + JOIN_COST * math.dist(self.points[a], self.points[b]))
        size = len(self.points)
        # duplicate entries would add up: keep the cheapest
        best: dict[tuple[int, int], float] = {}
        for a, b, cost in zip(heads, tails, costs, strict=True):
            pair = (min(a, b), max(a, b))
            best[pair] = min(cost, best.get(pair, math.inf))
        pairs = np.array(list(best))
        self._graph = coo_matrix((list(best.values()), (pairs[:, 0], pairs[:, 1])), shape=(size, size)).tocsr()

    def way(self, start: Array, end: Array) -> Array:
        """The cheapest way between the network points nearest to two places."""
        (_, a), (_, b) = self._tree.query(start), self._tree.query(end)
        cost, before = dijkstra(self._graph, directed=False, indices=int(a), return_predecessors=True)
        if not np.isfinite(cost[int(b)]):
            raise ValueError(f"no way between {start.round(2)} and {end.round(2)}")
        chain = [int(b)]
        while chain[-1] != int(a):
            chain.append(int(before[chain[-1]]))
        out: Array = self.points[chain[::-1]]
        return out

    def route(self, stops: list[Array]) -> Array:
        """The cheapest way through several places in order."""
        parts = [self.way(a, b) for a, b in itertools.pairwise(stops)]
        return np.concatenate(parts)


def thicken(line: Array, step: float) -> Array:
    """The same line with points no further apart than `step`."""
    parts = []
    for a, b in itertools.pairwise(line):
        count = max(1, math.ceil(math.dist(a, b) / step))
        parts.append(a + (b - a) * np.arange(count)[:, None] / count)
    return np.concatenate([*parts, line[-1:]])
