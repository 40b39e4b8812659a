"""Variants compared with the first, pair by pair."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fronte.study import statistics
from fronte.study.measures import Sample
from fronte.study.statistics import Difference, Estimate, Numbers
from fronte.study.words import Words


class Measure(NamedTuple):
    """Something counted in every game; `is_share` where it is 0 or 1."""

    name: str
    values: Numbers
    is_share: bool = False


def measures_of(sample: Sample, words: Words) -> list[Measure]:
    """What is compared, the score first: it is the question of a study."""
    scorer, seats = sample.scorer, sample.seats
    found = [Measure(words("m_score", seat=words.seat(scorer)), sample.score)]
    for seat in seats:
        found.append(Measure(words("m_wins", seat=words.seat(seat)), sample.wins(seat), is_share=True))
    found.append(Measure(words("m_draw"), sample.wins(None), is_share=True))
    for column, name in (("steps_lost", "m_steps"), ("units_lost", "m_units")):
        found += [Measure(words(name, seat=words.seat(seat)), sample.lost(column, seat)) for seat in seats]
    hexes = sample.stayed("hexes", scorer)[-1]
    found.append(Measure(words("m_hexes", seat=words.seat(scorer)), hexes))
    found += [Measure(words("m_combats"), sample.combats), Measure(words("m_turns"), sample.last_turn)]
    return found


class Line(NamedTuple):
    """A measure of two variants and how much they differ."""

    name: str
    first: float
    second: float
    difference: Difference
    is_share: bool


def compared(first: Sample, second: Sample, words: Words) -> list[Line]:
    """Every measure of a variant against the first."""
    pairs = zip(measures_of(first, words), measures_of(second, words), strict=True)
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


def objective_differences(first: Sample, second: Sample) -> dict[str, Estimate]:
    """For each objective that both variants have, how much more often it has changed hands at the end."""
    before = {one.hex: one for one in first.objectives}
    found = {}
    for one in second.objectives:
        if one.hex in before and one.seat == before[one.hex].seat:
            change = one.fallen[-1].astype(np.float64) - before[one.hex].fallen[-1].astype(np.float64)
            found[one.hex] = statistics.mean(change)
    return found
