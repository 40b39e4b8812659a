"""How the players of a family are tuned: for each thing that can be tuned, the module of the family's package."""

from __future__ import annotations

from types import ModuleType

from fronte.engine.capabilities import NotOffered
from fronte.games.registry import family_part

CORE = "fronte.ai"
WHAT = {
    "tune": "weights of players to tune",
    "tune_surface": "weights of planners to tune",
    "tune_value": "values of positions to learn",
    "tune_net": "signs of positions that a net could learn from",
}


def tuner(game: str, name: str) -> ModuleType:
    """The module that tunes a game's players; NotOffered if its family has none."""
    found = family_part(CORE, game, name)
    if found is None:
        raise NotOffered(game, WHAT[name])
    return found
