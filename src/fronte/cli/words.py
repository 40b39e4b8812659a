"""The words of the terminal itself, in the language of the player; those of a game are in its pack."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from fronte.engine.text import Texts


@cache
def _tables(language: str) -> dict[str, Any]:
    return tomllib.loads(files("fronte.cli").joinpath(f"screen.{language}.toml").read_text(encoding="utf-8"))


class Words:
    """The messages, the help and the command words of one language."""

    def __init__(self, language: str, texts: Texts | None = None) -> None:
        tables = _tables(language)
        self.language = language
        game = {} if texts is None else texts.tables
        self.messages: dict[str, str] = tables["message"]
        self.help: dict[str, list[str]] = tables["help"]
        self.help_else: dict[str, list[str]] = tables["help_else"]
        self.months: list[str] = tables["months"]
        self.commands: dict[str, str] = tables["commands"] | game.get("typed", {})
        """Other words for commands and actions; those for a game's actions are in its pack (`[typed]`)."""
        self.inner: dict[str, str] = tables["inner"] | game.get("typed_inner", {})
        """Other words for the words inside an action (`with`, `guns`)."""

    def __call__(self, key: str, **values: Any) -> str:
        return self.messages[key].format(**values)

    def spoken(self, action: str) -> str:
        """An action as it is written in this language; its own words are understood too."""
        first, *rest = action.split(" ")
        verbs = {name: word for word, name in self.commands.items() if len(word) > 1}
        inner = {name: word for word, names in self.inner.items() for name in names.split()}
        return " ".join([verbs.get(first, first), *(inner.get(word, word) for word in rest)])

    def number(self, value: float, digits: int = 1, sign: bool = False) -> str:
        """A number for people, as the language writes it."""
        written = f"{value:+.{digits}f}" if sign else f"{value:.{digits}f}"
        return written.replace(".", self.messages["decimal"])

    def yes(self, answer: str) -> bool:
        """Does the answer agree?"""
        return answer.strip().lower() in self.messages["yes"].split()
