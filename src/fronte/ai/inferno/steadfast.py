"""Steady as it sits at the table: its rules of thumb are those of who raids and guards."""

from __future__ import annotations

from random import Random

from fronte.ai.inferno.guards import Sentry
from fronte.ai.inferno.steady import Steady
from fronte.ai.seat import Player


class Steadfast(Steady):
    """The player: a callable that answers the decision of its seat."""

    kind = Sentry


def steady_player(rng: Random) -> Player:
    """A steady player that leaves to chance what this generator says."""
    return Steadfast(rng)
