"""A small evolution strategy for noisy figures: CMA-ES with a diagonal covariance (sep-CMA-ES).

It follows N. Hansen's formulas; the covariance stays diagonal, so no linear algebra is needed and few games are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import msgspec


class Evolution(msgspec.Struct):
    """The distribution from which candidates are drawn. Plain data: it can be written to a file and gone on with."""

    mean: list[float]
    sigma: float
    scale: list[float]
    """The standard deviation of each coordinate, relative to sigma."""
    path_sigma: list[float]
    path_scale: list[float]
    generation: int = 0


def begin(dimensions: int, sigma: float) -> Evolution:
    """At the origin, with the same spread in all directions."""
    zeros = [0.0] * dimensions
    return Evolution(zeros, sigma, [1.0] * dimensions, zeros[:], zeros[:])


def population(dimensions: int) -> int:
    """How many candidates a generation needs at least."""
    return 4 + int(3 * math.log(dimensions))


def draw(state: Evolution, count: int, rng: Random) -> list[list[float]]:
    """Candidates, in pairs that mirror each other: half of the luck of drawing cancels out."""
    drawn: list[list[float]] = []
    while len(drawn) < count:
        step = [state.sigma * s * rng.gauss(0, 1) for s in state.scale]
        drawn.append([m + x for m, x in zip(state.mean, step, strict=True)])
        drawn.append([m - x for m, x in zip(state.mean, step, strict=True)])
    return drawn[:count]


def learn(state: Evolution, ranked: Sequence[Sequence[float]]) -> Evolution:
    """The next distribution, from the candidates of this one, the best first."""
    n, parents = len(state.mean), len(ranked) // 2
    raw = [math.log(parents + 0.5) - math.log(rank + 1) for rank in range(parents)]
    weights = [w / sum(raw) for w in raw]
    effective = 1 / sum(w * w for w in weights)
    c_sigma = (effective + 2) / (n + effective + 5)
    damping = 1 + 2 * max(0.0, math.sqrt((effective - 1) / (n + 1)) - 1) + c_sigma
    c_path = (4 + effective / n) / (n + 4 + 2 * effective / n)
    faster = (n + 2) / 3  # a diagonal covariance is learnt that much faster than a full one
    c_one = min(0.9, faster * 2 / ((n + 1.3) ** 2 + effective))
    c_mu = min(0.9 - c_one, faster * 2 * (effective - 2 + 1 / effective) / ((n + 2) ** 2 + effective))
    expected = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))

    old = state.mean
    mean = [sum(w * x[i] for w, x in zip(weights, ranked, strict=False)) for i in range(n)]
    step = [(mean[i] - old[i]) / state.sigma for i in range(n)]
    blend = math.sqrt(c_sigma * (2 - c_sigma) * effective)
    moved = [blend * s / d for s, d in zip(step, state.scale, strict=True)]
    path_sigma = [(1 - c_sigma) * p + m for p, m in zip(state.path_sigma, moved, strict=True)]
    length = math.sqrt(sum(p * p for p in path_sigma))
    steady = length / math.sqrt(1 - (1 - c_sigma) ** (2 * (state.generation + 1))) < (1.4 + 2 / (n + 1)) * expected
    reach = math.sqrt(c_path * (2 - c_path) * effective) if steady else 0.0
    path_scale = [(1 - c_path) * p + reach * s for p, s in zip(state.path_scale, step, strict=True)]
    scale = []
    for i in range(n):
        spread = sum(w * ((x[i] - old[i]) / state.sigma) ** 2 for w, x in zip(weights, ranked, strict=False))
        variance = (1 - c_one - c_mu) * state.scale[i] ** 2 + c_one * path_scale[i] ** 2 + c_mu * spread
        scale.append(math.sqrt(variance))
    sigma = state.sigma * math.exp(c_sigma / damping * (length / expected - 1))
    return Evolution(mean, sigma, scale, path_sigma, path_scale, state.generation + 1)
