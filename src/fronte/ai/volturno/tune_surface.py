"""What the planner does without thinking is tuned in games against others (`fronte tune surface volturno`).

The search goes on from the weights that the planner has (`data/weights.toml`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import Any

from fronte.ai.seat import Player
from fronte.ai.volturno.steady import Steady
from fronte.ai.volturno.weights import Weights, planned
from fronte.engine.rules import Rules


def names(rules: Rules[Any], seat: int) -> tuple[str, ...]:
    """The weights that are changed: all of them."""
    return Weights.__struct_fields__


def weights(rules: Rules[Any], seat: int, point: Sequence[float]) -> dict[str, float]:
    """The weights at a point, which tells the logarithm of a factor for each; three digits are enough."""
    return {name: float(f"{x:.3g}") for name, x in _changed(rules, seat, point).items()}


def hand(rules: Rules[Any], seat: int, rng: Random, point: Sequence[float]) -> Player:
    """Who plays with the weights at a point."""
    return Steady(rng, {seat: Weights(**_changed(rules, seat, point))})


def _changed(rules: Rules[Any], seat: int, point: Sequence[float]) -> dict[str, float]:
    begin = planned(rules.header.scenario)[rules.seats[seat]]
    return {name: getattr(begin, name) * exp(x) for name, x in zip(Weights.__struct_fields__, point, strict=True)}
