"""What losses are worth: steps, points of disorganisation, units that surrender."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.weights import Weights
from fronte.games.caporetto.tables import Outcome


def unit_worth(picture: Picture, weights: Weights, unit: int) -> float:
    """A unit that is gone for good, without what prisoners bring."""
    return weights.step * picture.steps(unit)


def points_cost(picture: Picture, weights: Weights, unit: int, points: float) -> float:
    """15: what points of disorganisation cost a unit that has some already."""
    rules, state = picture.rules, picture.state
    if not rules.morale[unit] or not points:
        return 0.0
    return wear(weights, rules.morale[unit], state.dp[unit], points, picture.steps(unit))


def wear(weights: Weights, morale: int, had: float, points: float, steps: int) -> float:
    """What points of disorganisation cost a unit of such morale and steps that had some before."""
    worn = (had + 0.5 * points) / morale
    return weights.point * points * max(1, steps) * (0.6 + 4.0 * worn * worn)


def surrender_cost(picture: Picture, weights: Weights, unit: int) -> float:
    """15.4, 23.1: what a unit is worth that surrenders."""
    return unit_worth(picture, weights, unit) + weights.prisoner * picture.rules.surrender_value[unit]


class Sufferer(NamedTuple):
    """A unit in an assault: what a line of the table can do to it."""

    morale: int
    points: float
    """Disorganisation that it has, or is likely to have by then."""
    steps: int
    dear: float
    """What it is worth if it surrenders."""
    is_gun: bool
    is_fixed: bool
    """12.4.7: a gun in its place, which is lost if the others retreat."""


def sufferers(picture: Picture, weights: Weights, units: Sequence[int], already: float) -> list[Sufferer]:
    """These units, with so many points of disorganisation that fire has brought them."""
    rules, state = picture.rules, picture.state
    return [
        Sufferer(
            rules.morale[unit],
            state.dp[unit] + already,
            picture.steps(unit),
            surrender_cost(picture, weights, unit),
            bool(rules.guns >> unit & 1),
            bool(rules.guns & state.emplaced & 1 << unit),
        )
        for unit in units
    ]


def line_cost(weights: Weights, units: Sequence[Sufferer], line: Outcome, won: bool) -> float:
    """12.3.4, 15.4: what a line of the assault table costs one side."""
    cost, left = 0.0, line.steps
    for morale, points, steps, dear, is_gun, is_fixed in units:
        if morale and points + line.dp >= morale and not won:
            cost += dear
        else:
            if morale and line.dp:
                cost += wear(weights, morale, points, line.dp, steps)
            if left and not is_gun:
                cost, left = cost + weights.step + (weights.last if steps == 1 else 0.0), left - 1
        if line.retreat and is_fixed:
            cost += dear
    return cost
