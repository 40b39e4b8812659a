"""What the planner does without thinking is tuned in games against steady (`fronte tune surface volturno`)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

import msgspec

from fronte.ai.seat import Player
from fronte.ai.volturno.steady import Steady
from fronte.ai.volturno.weights import STEADY, Weights

PRESS = {"pull": 2.0, "take": 1.4, "exposed": 0.6, "rest": 0.6, "hold": 0.7}
"""Factors on steady's weights with which the search begins: to press forward was the best of those set by hand."""
BEGIN = msgspec.structs.replace(STEADY, **{name: getattr(STEADY, name) * by for name, by in PRESS.items()})
NAMES = Weights.__struct_fields__


def weights(point: Sequence[float]) -> dict[str, float]:
    """The weights at a point, which tells the logarithm of a factor for each; three digits are enough."""
    return {name: float(f"{getattr(BEGIN, name) * exp(x):.3g}") for name, x in zip(NAMES, point, strict=True)}


def hand(seat: int, rng: Random, point: Sequence[float] | None) -> Player:
    """Who plays with the weights at a point, or as steady does."""
    if point is None:
        return Steady(rng)
    found = {name: getattr(BEGIN, name) * exp(x) for name, x in zip(NAMES, point, strict=True)}
    return Steady(rng, {seat: Weights(**found)})
