"""Players that decide, seeing only what their seat sees."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fronte.ai.random import random_player
from fronte.ai.seat import Player, Seat
from fronte.ai.steady import steady_player

PLAYERS: dict[str, Callable[[Random], Player]] = {"random": random_player, "steady": steady_player}
"""The players by name. Each is made with a generator of its own, so that the same seed plays the same game."""

ONLY = {"steady": ("isonzo",)}
"""Players that do not know every game, with those that they know."""


def players_of(game: str) -> list[str]:
    """The players that know a game."""
    return [name for name in PLAYERS if game in ONLY.get(name, (game,))]


def check_player(name: str, game: str) -> None:
    """ValueError if there is no such player, or if it does not know the game."""
    if name not in PLAYERS:
        raise ValueError(f"no player {name!r}; the players are {', '.join(PLAYERS)}")
    if name not in players_of(game):
        raise ValueError(f"{name} does not play {game}; the players that do are {', '.join(players_of(game))}")


def player(name: str, seed: str) -> Player:
    """A player by name; ValueError if there is none. The seed decides whatever it leaves to chance."""
    if name not in PLAYERS:
        raise ValueError(f"no player {name!r}; the players are {', '.join(PLAYERS)}")
    return PLAYERS[name](Random(seed))


__all__ = ["PLAYERS", "Player", "Seat", "check_player", "player", "players_of"]
