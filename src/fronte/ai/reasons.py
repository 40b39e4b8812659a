"""Why a player does what it does: a key with what fills its template, put into words in the reader's language.

A reason that both sides hear names hexes and numbers that both may know, and no units. Where the decision itself is
hidden from the other side (a unit recovers, guns hold their fire), the reason is secret and only its own side hears it.
The templates are in `data/text.<language>.toml`, here and in the package of each family, in the form that `engine.text`
describes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from fronte.engine.decision import Action
from fronte.engine.text import Texts
from fronte.games.registry import FAMILIES, package_folders

CORE = "fronte.ai"


class Reason(msgspec.Struct, frozen=True):
    """The key of a template, what it is filled with, and whether only the player's own side may hear it.

    It may be filled with another reason, which is then told in its place.
    """

    key: str
    data: dict[str, Any] = {}
    secret: bool = False


class Answer(NamedTuple):
    """An action, and why."""

    action: Action
    why: Reason


@cache
def templates(family: str, language: str) -> Mapping[str, Any]:
    """The templates of all reasons in a language: those for any game, and those of a family."""
    found: dict[str, Any] = {}
    for folder in (Path(__file__).parent, *package_folders(CORE, family)):
        file = folder / "data" / f"text.{language}.toml"
        if file.exists():
            found |= tomllib.loads(file.read_text(encoding="utf-8"))["reason"]
    return found


def tell(reason: Reason, texts: Texts, game: str) -> str:
    """A reason in one sentence, in the language of these texts, which are those of the game."""
    known = templates(FAMILIES[game], texts.language)
    if reason.key not in known:
        raise KeyError(f"text.{texts.language}.toml has no text for the reason {reason.key!r}")
    data = {name: _filled(value, texts, game) for name, value in reason.data.items()}
    return Texts({**texts.tables, "screen": known}, texts.names, texts.language, texts.book).line(reason.key, data)


def _filled(value: Any, texts: Texts, game: str) -> Any:
    """What fills a template: a reason in words, a number with a decimal as people write it, anything else as it is."""
    if isinstance(value, Reason):
        return tell(value, texts, game)
    return number(value, texts.language) if isinstance(value, float) else value


def number(value: float, language: str) -> str:
    """A number with one decimal, as people write it."""
    return f"{value:.1f}".replace(".", "," if language == "it" else ".")
