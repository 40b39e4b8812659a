"""Why a player does what it does: a key with what fills its template, put into words in the reader's language.

A reason that both sides hear names hexes and numbers that both may know, and no units. Where the decision itself is
hidden from the other side (a unit recovers, guns hold their fire), the reason is secret and only its own side hears it.
The templates are in `ai/data/text.<language>.toml`, in the form that `engine.text` describes.
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

DATA = Path(__file__).parent.parent / "data"


class Reason(msgspec.Struct, frozen=True):
    """The key of a template, what it is filled with, and whether only the player's own side may hear it."""

    key: str
    data: dict[str, Any] = {}
    secret: bool = False


class Answer(NamedTuple):
    """An action, and why."""

    action: Action
    why: Reason


@cache
def templates(language: str) -> Mapping[str, Any]:
    """The templates of all reasons in a language."""
    found: Mapping[str, Any] = tomllib.loads((DATA / f"text.{language}.toml").read_text(encoding="utf-8"))["reason"]
    return found


def tell(reason: Reason, texts: Texts) -> str:
    """A reason in one sentence, in the language of these texts and with the names of their game."""
    known = templates(texts.language)
    if reason.key not in known:
        raise KeyError(f"text.{texts.language}.toml has no text for the reason {reason.key!r}")
    data = {name: _number(value, texts) if isinstance(value, float) else value for name, value in reason.data.items()}
    return Texts({**texts.tables, "screen": known}, texts.names, texts.language, texts.book).line(reason.key, data)


def _number(value: float, texts: Texts) -> str:
    """A number with one decimal, as people write it."""
    return f"{value:.1f}".replace(".", "," if texts.language == "it" else ".")
