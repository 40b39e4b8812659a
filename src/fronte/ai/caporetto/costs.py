"""What losses are worth: steps, points of disorganisation, units that surrender."""

from __future__ import annotations

from collections.abc import Sequence

from fronte.ai.caporetto.chart import Picture
from fronte.ai.caporetto.weights import Weights
from fronte.games.caporetto.tables import Outcome


def unit_worth(picture: Picture, weights: Weights, unit: int) -> float:
    """A unit that is gone for good, without what prisoners bring."""
    return weights.step * picture.steps(unit)


def points_cost(picture: Picture, weights: Weights, unit: int, points: float, already: float = 0.0) -> float:
    """15: what points of disorganisation cost a unit that has some already."""
    rules, state = picture.rules, picture.state
    if not rules.morale[unit] or not points:
        return 0.0
    worn = (state.dp[unit] + already + 0.5 * points) / rules.morale[unit]
    return weights.point * points * max(1, picture.steps(unit)) * (0.6 + 4.0 * worn * worn)


def surrender_cost(picture: Picture, weights: Weights, unit: int) -> float:
    """15.4, 23.1: what a unit is worth that surrenders."""
    return unit_worth(picture, weights, unit) + weights.prisoner * picture.rules.surrender_value[unit]


def line_cost(
    picture: Picture, weights: Weights, units: Sequence[int], line: Outcome, won: bool, already: float = 0.0
) -> float:
    """12.3.4, 15.4: what a line of the assault table costs one side."""
    rules, state = picture.rules, picture.state
    cost, left = 0.0, line.steps
    for unit in units:
        if rules.morale[unit] and state.dp[unit] + already + line.dp >= rules.morale[unit] and not won:
            cost += surrender_cost(picture, weights, unit)
        else:
            cost += points_cost(picture, weights, unit, line.dp, already)
            if left and not rules.guns >> unit & 1:
                cost, left = cost + weights.step + (weights.last if picture.steps(unit) == 1 else 0.0), left - 1
        if line.retreat and rules.guns & state.emplaced & 1 << unit:
            cost += surrender_cost(picture, weights, unit)
    return cost
