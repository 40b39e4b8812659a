"""What a study has of its own for the family of a game, and otherwise for every game.

A family's package (`fronte.study.inferno`) may hold a module `record`, `measures` or `report`; where it does, that one
is used in place of the one beside this module. Nothing here knows a family.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from fronte.games.registry import FAMILIES, family_package

CORE = "fronte.study"


def part(game: str, name: str) -> ModuleType:
    """The module of this name for a game: its family's, or the one for any game."""
    own = family_package(CORE, FAMILIES[game])
    if own is not None and find_spec(f"{own.__name__}.{name}") is not None:
        return importlib.import_module(f"{own.__name__}.{name}")
    return importlib.import_module(f"{CORE}.{name}")


def folders(game: str) -> list[Path]:
    """Where the words for a game lie: those for any game, then those of its family, which go before them."""
    found = [Path(__file__).parent / "data"]
    own = family_package(CORE, FAMILIES[game])
    if own is not None and own.__file__ is not None:
        found.append(Path(own.__file__).parent / "data")
    return found
