"""The pack of Caporetto and its scenarios, for the tests; and packs with something wrong in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import fronte.games
from fronte.engine.pack import Pack
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import CaporettoPrinted

FOLDER = Path(fronte.games.__file__).parent / "caporetto" / "data"
PACK = Pack([FOLDER])
SCENARIOS = ("maggiore", "cividale", "historical", "what_if")


@cache
def printed(scenario: str, **options: str) -> CaporettoPrinted:
    """The printed matter of a scenario."""
    return CaporettoPrinted(PACK, scenario, options)


@cache
def game(scenario: str, **options: str | bool) -> Caporetto:
    """The whole ruleset of a scenario."""
    return Caporetto(PACK, scenario, options)


def changed(file: str, old: str, new: str) -> Pack:
    """The pack with the first of some words replaced in a file."""
    text = PACK.text(file)
    assert old in text, old
    return Pack([FOLDER], {file: text.replace(old, new, 1)})


def line_of(file: str, words: str) -> int:
    """The first line of a file with these words in it, counted from 1."""
    return next(n for n, line in enumerate(PACK.text(file).splitlines(), 1) if words in line)


def with_field(unit: str, column: str, value: str) -> tuple[Pack, int]:
    """The pack with a field of a counter changed, and the line of that counter."""
    lines = PACK.text("units.csv").splitlines()
    columns = lines[0].split(",")
    number = line_of("units.csv", f"{unit},")
    fields = _split(lines[number - 1])
    fields[columns.index(column)] = value
    lines[number - 1] = ",".join(f'"{f}"' if "," in f else f for f in fields)
    return Pack([FOLDER], {"units.csv": "\n".join(lines) + "\n"}), number


def _split(line: str) -> list[str]:
    parts, quoted = [""], False
    for letter in line:
        if letter == '"':
            quoted = not quoted
        elif letter == "," and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
