"""Steady as it sits at the table: where raids and guards pay, its rules of thumb are those of who raids and guards."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from fronte.ai.inferno.guards import Sentry
from fronte.ai.inferno.steady import Steady
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.seat import Player
from fronte.games.inferno.rules import Inferno

KINDS: Mapping[str, type[Campaign]] = {"isonzo": Sentry, "altipiani": Sentry}
"""How steady plans in a game, where it does more than prepare attacks and take posts."""


def kind_of(game: str) -> type[Campaign]:
    """How steady plans in a game."""
    return KINDS.get(game, Campaign)


class Steadfast(Steady):
    """The player: a callable that answers the decision of its seat."""

    def _kind(self, rules: Inferno) -> type[Campaign]:
        return kind_of(rules.header.game)


def steady_player(rng: Random) -> Player:
    """A steady player that leaves to chance what this generator says."""
    return Steadfast(rng)
