"""What moves and attacks ask alike: who stands with whom, and what a level is worth."""

from __future__ import annotations

from fronte.ai.volturno.chart import Picture
from fronte.ai.volturno.weights import Weights


def level_worth(picture: Picture, weights: Weights) -> float:
    """What a level of a strength point is worth."""
    return weights.level * (0.5 + 0.5 * picture.chart.worth)


def others(picture: Picture, unit: int, h: int) -> bool:
    """Is a friend there who fights?"""
    rules = picture.rules
    return any(u != unit and not rules.counters[u].is_artillery for u in picture.state.stacks.get(h, ()))


def overrun(picture: Picture, h: int) -> float:
    """11.4.1: how likely it is that the enemy rides or runs over guns that stand alone in a hex."""
    felt = picture.danger[h]
    return min(1.0, felt / 3.0) * (1.0 if picture.close_to_foes >> h & 1 else 0.3) if felt else 0.0


def guarded(picture: Picture, weights: Weights, unit: int, h: int) -> float:
    """What it is worth that a unit stands by guns that nobody else stands by."""
    chart = picture.chart
    stack = picture.state.stacks.get(h)
    if not stack or not picture.state.occ[picture.side] >> h & 1:
        return 0.0
    guns = sum([chart.strength[u] for u in stack if chart.is_gun[u]])
    if not guns or others(picture, unit, h):
        return 0.0
    return weights.leave_guns * guns * overrun(picture, h)


def walled(picture: Picture, weights: Weights, unit: int, h: int) -> float:
    """What it is worth that a unit stands in the houses or the wood next to an objective of its own in danger, where
    nobody else does."""
    chart = picture.chart
    goal = chart.walls.get(h, -1)
    if goal < 0 or not picture.is_ours(goal) or others(picture, unit, h):
        return 0.0
    return weights.wall * chart.values[goal] * 0.5 * chart.shelter[h] * min(1.0, picture.threat[goal])
