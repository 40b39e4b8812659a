"""Variants compared with the first, pair by pair."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fronte.study import statistics
from fronte.study.measures import Sample
from fronte.study.statistics import Difference
from fronte.study.words import Words


class Line(NamedTuple):
    """A measure of two variants and how much they differ."""

    name: str
    first: float
    second: float
    difference: Difference
    is_share: bool


def compared(first: Sample, second: Sample, words: Words) -> list[Line]:
    """Every measure of a variant against the first."""
    pairs = zip(first.counted(words), second.counted(words), strict=True)
    return [
        Line(
            a.name,
            float(a.values.mean()),
            float(b.values.mean()),
            statistics.difference(a.values, b.values),
            a.is_share,
        )
        for a, b in pairs
    ]


def games_needed(first: Sample, second: Sample, reach: float = 1.0) -> int:
    """How many pairs would make the interval of the mean difference reach so many points to either side."""
    spread = float((second.score - first.score).std())
    return int(np.ceil((statistics.Z * spread / reach) ** 2))
