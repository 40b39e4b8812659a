"""What the planner does without thinking is tuned in games against steady (`fronte tune surface caporetto`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from random import Random
from typing import Any

from fronte.ai.caporetto.chart import chart_of
from fronte.ai.caporetto.planner import FIRST, ActionPlanner, CaporettoPolicy, Intent, read_budget
from fronte.ai.caporetto.weights import STEADY, Weights
from fronte.ai.seat import Player
from fronte.engine.rules import Rules

CAMPAIGNS = ("front", "woken", "relief")
"""Weights that count in the campaigns alone, whose games are too long for a search."""
UNTHINKING = read_budget("1p")


def names(rules: Rules[Any], seat: int) -> tuple[str, ...]:
    """The weights that are changed: those that count something for the side of the seat."""
    policy = CaporettoPolicy(chart_of(rules))
    usual = STEADY[policy.side_of(seat)]
    return tuple(name for name in Weights.__struct_fields__ if getattr(usual, name) and name not in CAMPAIGNS)


def weights(rules: Rules[Any], seat: int, point: Sequence[float]) -> dict[str, float]:
    """The factors on steady's weights at a point; three digits are enough."""
    return {name: float(f"{x:.3g}") for name, x in _factors(rules, seat, point).items()}


def hand(rules: Rules[Any], seat: int, rng: Random, point: Sequence[float]) -> Player:
    """Who plays with the weights at a point: a planner that cannot think."""
    policy = CaporettoPolicy(chart_of(rules))
    policy.first[policy.side_of(seat)] = Intent(FIRST, _factors(rules, seat, point))
    return ActionPlanner(lambda rules: policy, rng, UNTHINKING)


def _factors(rules: Rules[Any], seat: int, point: Sequence[float]) -> Mapping[str, float]:
    return {name: exp(x) for name, x in zip(names(rules, seat), point, strict=True)}
