"""Players that decide, seeing only what their seat sees.

A player is named by a spec, `name` or `name:budget`: `steady`, `planner`, `planner:2s`, `planner:200p`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from fronte.ai.planner import planner_player, read_budget
from fronte.ai.random import random_player
from fronte.ai.seat import Player, Seat
from fronte.ai.steady import steady_player
from fronte.ai.steady.games import TERMS

PLAYERS: dict[str, Callable[[Random], Player]] = {
    "random": random_player,
    "steady": steady_player,
    "planner": planner_player,
}
"""The players by name. Each is made with a generator of its own, so that the same seed plays the same game."""

BUDGETED = {"planner": planner_player}
"""Players that can be told how long to think."""

ONLY: dict[str, tuple[str, ...]] = {"steady": tuple(TERMS), "planner": tuple(TERMS)}
"""Players that do not know every game, with those that they know."""


def players_of(game: str) -> list[str]:
    """The players that know a game."""
    return [name for name in PLAYERS if game in ONLY.get(name, (game,))]


def read_spec(spec: str) -> tuple[str, str]:
    """The name of a player and its budget, empty if none is given; ValueError if there is no such player or budget."""
    name, colon, budget = spec.strip().partition(":")
    if name not in PLAYERS:
        raise ValueError(f"no player {name!r}; the players are {', '.join(PLAYERS)}")
    if colon and name not in BUDGETED:
        raise ValueError(f"{name} takes no budget; these do: {', '.join(BUDGETED)}")
    if colon:
        read_budget(budget)
    return name, budget


def check_player(spec: str, game: str) -> None:
    """ValueError if there is no such player, or if it does not know the game."""
    name, _ = read_spec(spec)
    if name not in players_of(game):
        raise ValueError(f"{name} does not play {game}; the players that do are {', '.join(players_of(game))}")


def player(spec: str, seed: str, clock: Callable[[], float] = time.monotonic) -> Player:
    """A player by its spec; ValueError if there is none. The seed decides whatever it leaves to chance.

    `clock` is what a budget in seconds is measured by.
    """
    name, budget = read_spec(spec)
    if budget:
        return BUDGETED[name](Random(seed), budget, clock)
    return PLAYERS[name](Random(seed))


__all__ = ["PLAYERS", "Player", "Seat", "check_player", "player", "players_of", "read_spec"]
