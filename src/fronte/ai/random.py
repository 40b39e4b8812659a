"""A player that draws each action at random among the legal ones."""

from __future__ import annotations

from random import Random

from fronte.ai.seat import Player, Seat
from fronte.engine.decision import Action


def random_player(rng: Random) -> Player:
    """A player that plays at random, as this generator says."""

    def play(seat: Seat) -> Action:
        return seat.sample(rng)

    return play
