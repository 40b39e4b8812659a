"""Players of another kind than steady, to be played against: they plan as it does, with other weights.

The raider goes for guns, prisoners, roads on which supply runs and places that stand open, and minds its own neither
way. The stubborn lets go of nothing, stands on the enemy's way and assaults at good odds only.
"""

from __future__ import annotations

from random import Random

from fronte.ai.caporetto.steady import Steady
from fronte.ai.seat import Player

RAIDER = {
    **{"take": 1.5, "pull": 1.4, "guns": 2.5, "cut": 2.5, "prisoner": 1.6, "relief": 1.5},
    **{"hold": 0.35, "block": 0.6, "exposed": 0.5, "supply": 0.5, "caution": 0.85, "least": 0.6, "tired": 0.6},
}
STUBBORN = {
    **{"hold": 2.2, "block": 1.6, "front": 2.0, "reserve": 1.5, "fresh": 1.3, "mass": 1.5},
    **{"least": 2.5, "pull": 0.7, "caution": 1.3, "exposed": 1.3},
}
"""Factors on steady's weights."""


def raider_player(rng: Random) -> Player:
    """A raider that leaves to chance what this generator says."""
    return Steady(rng, RAIDER)


def stubborn_player(rng: Random) -> Player:
    """A stubborn player that leaves to chance what this generator says."""
    return Steady(rng, STUBBORN)
