"""The statistics of a report. What is drawn at random here has a fixed seed, so that a report can be made again."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
SEED = 1917
DRAWS = 10_000
MANY = 500
Z = 1.959964
"""The normal quantile of a 95 % interval."""


class Estimate(NamedTuple):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class Difference(NamedTuple):
    """How much a variant differs from the first, over pairs of games with the same seed."""

    mean: Estimate
    p: float
    """Of a sign-flip test: how often chance alone would make the mean difference as large."""
    correlation: float
    """Between the two games of a pair; the higher, the more the pairing has sharpened the interval."""


def share(count: int, of: int) -> Estimate:
    """A share with its Wilson interval."""
    if not of:
        return Estimate(0.0, 0.0, 1.0)
    p, n = count / of, of
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return Estimate(p, max(0.0, centre - half), min(1.0, centre + half))


def mean(values: Numbers) -> Estimate:
    """A mean with its bootstrap interval; of many values with the normal one, from which it no longer differs."""
    if len(values) > MANY:
        average, half = float(values.mean()), Z * float(values.std(ddof=1)) / math.sqrt(len(values))
        return Estimate(average, average - half, average + half)
    means = _resampled(values)
    low, high = np.quantile(means, (0.025, 0.975))
    return Estimate(float(values.mean()), float(low), float(high))


def median(values: Numbers) -> Estimate:
    """A median with the interval that order statistics give, whatever the distribution."""
    ordered, n = np.sort(values), len(values)
    reach = Z * math.sqrt(n) / 2
    low, high = max(0, math.floor(n / 2 - reach)), min(n - 1, math.ceil(n / 2 + reach) - 1)
    return Estimate(float(np.median(values)), float(ordered[low]), float(ordered[high]))


def difference(first: Numbers, second: Numbers) -> Difference:
    """Second less first, pair by pair."""
    differences = second - first
    spread = first.std() > 0 and second.std() > 0
    correlation = float(np.corrcoef(first, second)[0, 1]) if spread and len(first) > 2 else 0.0
    return Difference(mean(differences), sign_flip(differences), correlation)


def sign_flip(differences: Numbers) -> float:
    """Two-sided p of a mean difference: if variants did not differ, every difference could as well be its opposite."""
    if not differences.any():
        return 1.0
    rng = np.random.default_rng(SEED)
    seen = abs(differences.sum())
    as_far = 0
    for size in _chunks(len(differences)):
        signs = rng.integers(0, 2, (size, len(differences)), dtype=np.int8) * 2 - 1
        as_far += int((abs(signs @ differences) >= seen - 1e-9).sum())
    return (1 + as_far) / (1 + DRAWS)


def _resampled(values: Numbers) -> Numbers:
    """Means of samples drawn with replacement; of few numbers that come again and again, by how often each comes."""
    rng = np.random.default_rng(SEED)
    levels, counts = np.unique(values, return_counts=True)
    if 8 * len(levels) < len(values):
        drawn = rng.multinomial(len(values), counts / len(values), DRAWS) @ levels / len(values)
    else:
        drawn = values[rng.integers(0, len(values), (DRAWS, len(values)))].mean(axis=1)
    means: Numbers = drawn
    return means


def _chunks(width: int) -> list[int]:
    """The draws in portions that fit into memory."""
    most = max(1, 4_000_000 // max(1, width))
    return [min(most, DRAWS - begin) for begin in range(0, DRAWS, most)]


class Line(NamedTuple):
    """A straight line through points, and the share of their spread that it explains."""

    slope: float
    start: float
    explained: float
    half: float
    """Half the width of the 95 % interval of the slope."""


def fit(x: Numbers, y: Numbers) -> Line | None:
    """The least-squares line; None where there is none."""
    if len(x) < 3 or not x.std() or not y.std():
        return None
    r = float(np.corrcoef(x, y)[0, 1])
    slope = r * float(y.std() / x.std())
    start = float(y.mean()) - slope * float(x.mean())
    rest = float(((y - start - slope * x) ** 2).sum())
    half = Z * math.sqrt(rest / (len(x) - 2)) / (float(x.std()) * math.sqrt(len(x)))
    return Line(slope, start, r * r, half)
