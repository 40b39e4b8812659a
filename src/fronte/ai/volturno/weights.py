"""What steady's terms are worth, in victory points of the full scenario."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

FILE = Path(__file__).parent / "data" / "weights.toml"


class Weights(msgspec.Struct, frozen=True):
    """The weights of one side. An intent of the planner is a change to some of them."""

    strength: float = 1.0
    """A strength point put to rout."""
    level: float = 0.16
    """A level of a strength point, which may recover; more for each level that is lost already."""
    take: float = 1.0
    """An objective that is taken, for each of its points."""
    ground: float = 0.12
    """A hex from which the enemy is thrown, since he has to come back to it."""
    morale: float = 0.15
    """A combat won rather than lost, for the initiative of the commander."""
    least_gain: float = 0.4
    """What an attack has to promise."""
    caution: float = 1.6
    """What one's own losses count beside the enemy's."""
    exhausted: float = 0.12
    """What a charge costs for each strength point, since the cavalry is exhausted after it."""
    pull: float = 0.3
    """An objective far away that is still to be won or needs help."""
    errand: float = 0.6
    """A turn of the way to an objective that nobody guards, for the unit that is sent there."""
    hold: float = 0.8
    """An own objective in danger that would be left empty."""
    wall: float = 0.25
    """The same for houses and woods next to it."""
    exposed: float = 0.33
    """A strength point that stands before more enemies than it has friends."""
    worn: float = 1.0
    """What is added to that for each level it has lost."""
    cover: float = 0.1
    """Good ground before the enemy."""
    line: float = 0.12
    """A friend next to it before the enemy."""
    rest: float = 1.0
    """Levels that come back to who stays."""
    command: float = 0.25
    """A hex too far from the commander."""
    column: float = 0.3
    """In column before the enemy."""
    guns: float = 0.6
    """An enemy in sight and in range of guns."""
    leave_guns: float = 0.35
    """A strength point of guns alone where the enemy can come: guns that are overrun have not routed (17.1.3.p6)."""
    stay: float = 0.08
    """What a move has to be better by than staying."""
    flight: float = 0.35
    """The part of what an attack could cost that a withdrawal in reaction saves."""
    dash: float = 0.6
    """How much a formation that is bold thinks less of its losses and of the enemies before it."""
    spirit: float = 1.0
    """What one's own troops count beside the enemy's when it is asked how bold a formation may be."""
    guard: float = 1.0
    """What an own objective that may fall counts beside one to be taken, when a formation is told where to go."""
    not_yet: float = 0.12
    """The part of its need that an own objective has as long as no enemy is close to it."""
    later: float = 0.35
    """How much less a place far away is worth, for each turn of the way."""
    contact: float = 1.6
    """Who acts: a strength point in an enemy's zone, beside one that has an enemy near;"""
    close: float = 1.2
    """one that has him very near,"""
    distant: float = 0.4
    """one that has him at a distance,"""
    march: float = 0.12
    """and one that has him nowhere, but a goal to march for."""
    unruly: float = 0.4
    """What a formation that will not obey counts in that beside one that surely does."""


def spirited(weights: Weights, boldness: float) -> Weights:
    """The weights of a formation that is so bold, 0 to 1."""
    if not boldness:
        return weights
    less = 1.0 - weights.dash * boldness
    return msgspec.structs.replace(
        weights,
        caution=1.0 + (weights.caution - 1.0) * less,
        exposed=weights.exposed * less,
        least_gain=weights.least_gain * less,
    )


STEADY = Weights()


@cache
def planned(scenario: str) -> dict[str, Weights]:
    """By side the weights with which the planner plays a scenario where it does not think (`data/weights.toml`)."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {side: Weights(**factors) for side, factors in tables[scenario].items()}
