"""Levels that a person can choose, and what every player is called, in both languages.

A level is another word for a spec and is taken wherever one is. The words are in `data/text.<language>.toml`, under
`[player]`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

LEVELS = {"recruit": "recruit", "officer": "steady", "staff": "planner:2s", "general": "planner:8s"}
"""The levels from the weakest on, and who plays them."""
MEASURE = LEVELS["officer"]
"""Whose rating is fixed, and the others' are told beside."""
RATINGS = Path(__file__).parent / "data" / "ratings.toml"


class Called(NamedTuple):
    """A player for people: its name, and what it is in one or two sentences."""

    name: str
    about: str


def meant(spec: str) -> str:
    """The spec that a level stands for; any other is meant as it is."""
    return LEVELS.get(spec.strip(), spec)


def rating(spec: str, game: str) -> int | None:
    """How strong a player is in a game, on the scale of `ratings`; None if it was not measured."""
    spec = meant(spec)
    measured = _measured().get(game, {})
    return measured.get(spec, measured.get(f"{spec}:2s"))


def described(spec: str, game: str, language: str) -> Called:
    """A player in words, with its rating in a game if that was measured."""
    told, points = called(spec, language), rating(spec, game)
    if points is None:
        return told
    words = _text(language)["rating"]["measure" if meant(spec) == MEASURE else "told"]
    return told._replace(about=f"{told.about} {words.format(rating=points)}".strip())


def called(spec: str, language: str) -> Called:
    """A player in words: its level, or a player of its own kind; one that nobody has described has its name alone."""
    words = _text(language)["player"]
    spec = meant(spec)
    kind, _, budget = spec.partition(":")
    level = next((level for level, one in LEVELS.items() if one in (spec, f"{spec}:2s")), "")
    if level or kind in words:
        found = words[level or kind]
        return Called(found["name"], found["about"])
    like = next((level for level, one in LEVELS.items() if one.partition(":")[0] == kind), "")
    if like:
        return Called(f"{words[like]['name']} ({budget})", words[like]["about"])
    return Called(f"{kind} ({budget})" if budget else kind, "")


@cache
def _measured() -> Mapping[str, Mapping[str, int]]:
    """By game and spec what `fronte arena --pool` gave (docs/ai.md)."""
    return tomllib.loads(RATINGS.read_text(encoding="utf-8"))


@cache
def _text(language: str) -> Mapping[str, Any]:
    file = Path(__file__).parent / "data" / f"text.{language}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
