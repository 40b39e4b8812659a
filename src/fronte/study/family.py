"""What a study has of its own for the family of a game, and otherwise for every game.

A family's package (`fronte.study.inferno`) may hold a module `record`, `measures` or `report`; where it does, that one
is used in place of the one beside this module. Nothing here knows a family.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

from fronte.games.registry import FAMILIES, family_part, package_folders

CORE = "fronte.study"


def part(game: str, name: str) -> ModuleType:
    """The module of this name for a game: its family's, or the one for any game."""
    return family_part(CORE, game, name) or importlib.import_module(f"{CORE}.{name}")


def folders(game: str) -> list[Path]:
    """Where the words for a game lie: those for any game, then those of its family, which go before them."""
    return [folder / "data" for folder in (Path(__file__).parent, *package_folders(CORE, FAMILIES[game]))]
