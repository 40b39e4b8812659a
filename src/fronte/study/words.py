"""The words of a report in its language: its own from `data/report.*.toml`, those of the game from the game's pack."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from fronte.engine.rules import Rules
from fronte.engine.text import Texts

DATA = Path(__file__).parent / "data"


class Words:
    """Looks up words and sentences; numbers are written as the language writes them."""

    def __init__(self, rules: Rules[Any], language: str) -> None:
        anything: Any = rules
        self.language = language
        self.texts = Texts.read(anything.pack, language)
        self.sides: dict[str, Any] = anything.pack.toml("pack.toml").get("sides", {})
        self.table: dict[str, str] = tomllib.loads((DATA / f"report.{language}.toml").read_text(encoding="utf-8"))

    def __call__(self, key: str, **data: Any) -> str:
        """A sentence of the report with its fields filled in."""
        return self.table[key].format(**data)

    def seat(self, seat: str) -> str:
        """A side in a word."""
        name = self.sides.get(seat, {}).get("name", {}).get(self.language)
        return str(name or self.texts.word("side_short", seat))

    def side(self, seat: str) -> str:
        """The people of a side, at the beginning of a sentence."""
        name = self.texts.word("side", seat)
        return name[:1].upper() + name[1:]

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
