"""Players that decide, seeing only what their seat sees."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fronte.ai.random import random_player
from fronte.ai.seat import Player, Seat
from fronte.ai.steady import steady_player

PLAYERS: dict[str, Callable[[Random], Player]] = {"random": random_player, "steady": steady_player}
"""The players by name. Each is made with a generator of its own, so that the same seed plays the same game."""


def player(name: str, seed: str) -> Player:
    """A player by name; ValueError if there is none. The seed decides whatever it leaves to chance."""
    if name not in PLAYERS:
        raise ValueError(f"no player {name!r}; the players are {', '.join(PLAYERS)}")
    return PLAYERS[name](Random(seed))


__all__ = ["PLAYERS", "Player", "Seat", "player"]
