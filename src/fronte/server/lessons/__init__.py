"""The first lesson of a game: a small position on a corner of its board, and what a newcomer is told step by step.

A lesson is a file here, named after its game. `units` and `start` are written as in a case of the casebook; each step
has its text in both languages, the hexes it shows, and `until`: the things one of which brings the next step. Those
are `picked` (a unit is chosen), `event` (with any of its data), `decision` (asked of the learner) and `turn`. A step
without `until` waits for the learner to press a button, and one with `ahead` lets him.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from fronte.games.registry import ruleset

FOLDER = files("fronte.server.lessons")


def has_lesson(game: str) -> bool:
    """Is there a lesson for this game?"""
    return (FOLDER / f"{game}.toml").is_file()


def read_lesson(game: str, packs: Sequence[Path] = ()) -> dict[str, Any]:
    """The lesson with its position, ready to begin a match from."""
    data = tomllib.loads((FOLDER / f"{game}.toml").read_text(encoding="utf-8"))
    rules = ruleset(game, data["scenario"], folders=packs)
    state = rules.case_state(data.pop("units"), data.pop("start"))
    return {"game": game, "position": rules.to_position(state), **data}
