"""The words of a report in its language: its own from `report.*.toml`, those of the game from the game's pack.

Words for any game lie in `data/`; what a family says of its own or in another way lies in `data/` of its package.
"""

from __future__ import annotations

import tomllib
from typing import Any

from fronte.engine.rules import Rules
from fronte.engine.text import Texts
from fronte.study.family import folders


class Words:
    """Looks up words and sentences; numbers are written as the language writes them."""

    def __init__(self, rules: Rules[Any], language: str) -> None:
        self.language = language
        self.texts = Texts.read(rules.pack, language)
        self.sides: dict[str, Any] = rules.pack.toml("pack.toml").get("sides", {})
        self.table: dict[str, str] = {}
        for folder in folders(rules.header.game):
            self.table |= tomllib.loads((folder / f"report.{language}.toml").read_text(encoding="utf-8"))

    def __call__(self, key: str, **data: Any) -> str:
        """A sentence of the report with its fields filled in."""
        return self.table[key].format(**data)

    def seat(self, seat: str) -> str:
        """A side in a word."""
        name = self.sides.get(seat, {}).get("name", {}).get(self.language)
        return str(name or self.texts.word("side_short", seat))

    def side(self, seat: str) -> str:
        """The people of a side, at the beginning of a sentence."""
        return self.capital(self.texts.word("side", seat))

    def capital(self, words: str) -> str:
        """Words with a capital at their beginning."""
        return words[:1].upper() + words[1:]

    def word(self, table: str, key: str) -> str:
        """A word of the game; the key itself where the game has none."""
        words = self.texts.tables.get(table)
        return str(words[key]) if isinstance(words, dict) and key in words else key

    def level(self, level: str) -> str:
        """A level of victory."""
        return self.texts.word("level", level)

    def number(self, value: float, digits: int = 1, sign: bool = False) -> str:
        """A number for people."""
        written = f"{value:+.{digits}f}" if sign else f"{value:.{digits}f}"
        if not float(written):
            written = written.lstrip("+-")
        written = written.replace("-", "\N{MINUS SIGN}")
        return written.replace(".", ",") if self.language == "it" else written

    def percent(self, value: float, digits: int = 0) -> str:
        """A share in per cent."""
        return f"{self.number(100 * value, digits)} %"
