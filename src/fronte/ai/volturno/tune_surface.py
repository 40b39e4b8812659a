"""What the planner does without thinking is tuned in games against steady (`fronte tune surface volturno`)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Any

import msgspec

from fronte.ai.seat import Player
from fronte.ai.volturno.steady import Steady
from fronte.ai.volturno.weights import STEADY, Weights
from fronte.engine.rules import Rules

PRESS = {"pull": 2.0, "take": 1.4, "exposed": 0.6, "rest": 0.6, "hold": 0.7}
"""Factors on steady's weights with which the search begins: to press forward was the best of those set by hand."""
BEGIN = msgspec.structs.replace(STEADY, **{name: getattr(STEADY, name) * by for name, by in PRESS.items()})


def names(rules: Rules[Any], seat: int) -> tuple[str, ...]:
    """The weights that are changed: all of them."""
    return Weights.__struct_fields__


def weights(rules: Rules[Any], seat: int, point: Sequence[float]) -> dict[str, float]:
    """The weights at a point, which tells the logarithm of a factor for each; three digits are enough."""
    return {name: float(f"{x:.3g}") for name, x in _changed(point).items()}


def hand(rules: Rules[Any], seat: int, rng: Random, point: Sequence[float]) -> Player:
    """Who plays with the weights at a point."""
    return Steady(rng, {seat: Weights(**_changed(point))})


def _changed(point: Sequence[float]) -> dict[str, float]:
    return {name: getattr(BEGIN, name) * exp(x) for name, x in zip(Weights.__struct_fields__, point, strict=True)}
