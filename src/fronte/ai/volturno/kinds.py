"""Players of another kind than steady, to be played against: they plan as it does, with other weights.

The raider goes for guns and for objectives that stand open, with single units too, and leaves its own. The stubborn
lets go of nothing, of the houses around its objectives neither, and attacks where it is sure.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import msgspec

from fronte.ai.seat import Player
from fronte.ai.volturno.steady import Steady
from fronte.ai.volturno.weights import STEADY, Weights

RAIDER = {
    **{"take": 1.5, "pull": 1.5, "strength": 1.3, "guns": 0.7, "errand": 0.3, "later": 0.6},
    **{"hold": 0.4, "wall": 0.3, "guard": 0.5, "leave_guns": 0.4, "exposed": 0.5, "caution": 0.8, "least_gain": 0.6},
}
STUBBORN = {
    **{"hold": 2.0, "wall": 2.0, "guard": 1.8, "leave_guns": 2.5, "not_yet": 2.0, "line": 1.5, "cover": 1.5},
    **{"pull": 0.6, "least_gain": 2.0, "exposed": 1.3, "errand": 1.5},
}
"""Factors on steady's weights."""


def _weights(factors: Mapping[str, float]) -> dict[int, Weights]:
    """By side steady's weights with these factors on them."""
    found = msgspec.structs.replace(STEADY, **{key: getattr(STEADY, key) * x for key, x in factors.items()})
    return {0: found, 1: found}


def raider_player(rng: Random) -> Player:
    """A raider that leaves to chance what this generator says."""
    return Steady(rng, _weights(RAIDER))


def stubborn_player(rng: Random) -> Player:
    """A stubborn player that leaves to chance what this generator says."""
    return Steady(rng, _weights(STUBBORN))
