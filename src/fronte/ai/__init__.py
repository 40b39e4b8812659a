"""Players that decide, seeing only what their seat sees.

A player is named by a spec, `name` or `name:budget`: `steady`, `planner`, `planner:2s`, `planner:200p`; or by a level
(`levels`), which stands for one. One plays every
game; which others a game has is declared by the package of its family here (`fronte.ai.inferno`), if there is one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import Any

from fronte.ai.levels import LEVELS, meant
from fronte.ai.policy import Policy
from fronte.ai.random import random_player
from fronte.ai.seat import Maker, Player, Seat
from fronte.engine.rules import Rules
from fronte.games.registry import FAMILIES, family_package

RANDOM = "random"
"""The player that knows every game."""
PLAYERS: dict[str, Maker] = {RANDOM: random_player}
"""The players by name. Each is made with a generator of its own, so that the same seed plays the same game."""
BUDGETED: dict[str, Callable[[str], Any]] = {}
"""Players that can be told how long to think, with what reads their budgets."""


_OF_FAMILIES: set[str] = set()
"""The players that not every game has."""
_ENTERED: dict[str, ModuleType] = {}
"""What families say of players, as far as it has been asked for."""


def _declared(game: str) -> ModuleType | None:
    """What the game's family says of players."""
    _enter_families()
    return _ENTERED.get(FAMILIES.get(game, ""))


def _enter_families() -> None:
    """Enter the players of all families that have been registered so far."""
    for family in dict.fromkeys(FAMILIES.values()):
        own = None if family in _ENTERED else family_package(__name__, family)
        if own is None:
            continue
        _ENTERED[family] = own
        _OF_FAMILIES.update(own.PLAYERS)
        for name, make in own.PLAYERS.items():
            PLAYERS.setdefault(name, make)
        for name, reader in own.BUDGETED.items():
            BUDGETED.setdefault(name, reader)


_enter_families()


def players_of(game: str) -> list[str]:
    """The players that know a game."""
    own = _declared(game)
    theirs = {} if own is None else own.PLAYERS
    return [name for name in PLAYERS if name not in _OF_FAMILIES or name in theirs]


def offered(game: str) -> list[str]:
    """Whom a person may choose in a game, as specs: players by name, and levels that have a time of their own."""
    found = []
    kept: tuple[str, ...] = getattr(_declared(game), "KEPT", ())
    for name in players_of(game):
        if name in kept:
            continue
        levels = [spec for spec in LEVELS.values() if spec.startswith(f"{name}:")]
        found += [name, *levels[1:]]
    return found


def policy_for(rules: Rules[Any]) -> Policy[Any, Any] | None:
    """What knows how a match stands and how it may go on, by a whole state; None where nobody can judge this game."""
    own = _declared(rules.header.game)
    try:
        return None if own is None else own.POLICY(rules)
    except ValueError:
        return None


def usual_player(game: str) -> str:
    """Who plays a game where nobody is named."""
    own = _declared(game)
    return RANDOM if own is None else str(own.USUAL)


def read_spec(spec: str) -> tuple[str, str]:
    """The name of a player and its budget, empty if none is given; ValueError if there is no such player or budget."""
    _enter_families()
    name, colon, budget = meant(spec).strip().partition(":")
    if name not in PLAYERS:
        raise ValueError(f"no player {name!r}; the players are {', '.join(PLAYERS)}")
    if colon and name not in BUDGETED:
        raise ValueError(f"{name} takes no budget; these do: {', '.join(BUDGETED)}")
    if colon:
        BUDGETED[name](budget)
    return name, budget


def check_player(spec: str, game: str) -> None:
    """ValueError if there is no such player, or if it does not know the game."""
    name, _ = read_spec(spec)
    if name not in players_of(game):
        raise ValueError(f"{name} does not play {game}; the players that do are {', '.join(players_of(game))}")


def player(spec: str, seed: str, clock: Callable[[], float] = time.monotonic, game: str = "") -> Player:
    """A player by its spec; ValueError if there is none. The seed decides whatever it leaves to chance.

    `clock` is what a budget in seconds is measured by. Where families have players of the same name, `game` says which
    is meant; ValueError if it does not know that game.
    """
    name, budget = read_spec(spec)
    make = PLAYERS[name]
    if game:
        check_player(spec, game)
        own = _declared(game)
        make = make if own is None else own.PLAYERS.get(name, make)
    return make(Random(seed), budget, clock) if budget else make(Random(seed))


__all__ = ["PLAYERS", "Player", "Seat", "check_player", "offered", "player", "players_of", "read_spec", "usual_player"]
