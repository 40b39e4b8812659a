"""Cards: what a list shows of a match, made of what everybody may know at any time (`Rules.glance`).

A card is kept with the match and shown without reading its record. The small picture is a row of letters, hex by hex
in columns: who holds a hex, in capitals where counters of that force stand.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec

from fronte.engine.glance import Glance
from fronte.engine.match import Match
from fronte.engine.rules import Rules
from fronte.engine.text import LANGUAGES
from fronte.hexes import Grid

LETTERS = "abcdefghijklm"
NOBODY = "."
RUN = re.compile(r"(.)\1+")
INKS = ("#1c6b34", "#a3271f")
"""Of forces to which the pack gives no colour."""


class Sketch(msgspec.Struct, frozen=True):
    """A small picture: from this hex on, so many rows to a column, each run of cells with its length before it."""

    first: str
    rows: int
    cells: str
    inks: list[str]
    """The colour of each force, in the order of its letters."""


class Card(msgspec.Struct, frozen=True):
    """Where a match stands, for everybody's eyes."""

    turn: int
    days: tuple[str, str] | None
    phase: dict[str, str]
    active: str
    owes: str | None
    score: dict[str, str]
    """In words, by language; empty where the game has no score."""
    sketch: Sketch


def card(match: Match) -> dict[str, Any]:
    """The card of a match now, as plain data."""
    rules = match.rules
    seen = rules.glance(match.state)
    span = rules.span(seen.turn)
    texts = {language: rules.texts(language) for language in LANGUAGES}
    found = Card(
        seen.turn,
        None if span is None else (span[0].isoformat(), span[1].isoformat()),
        {language: words.word("phase", seen.phase) for language, words in texts.items()},
        seen.active,
        rules.seats[match.seat] if match.seat >= 0 else None,
        {} if seen.score is None else {language: score_text(rules, seen.score, language) for language in LANGUAGES},
        sketch(rules, seen),
    )
    told: dict[str, Any] = msgspec.to_builtins(found)
    return told


def score_text(rules: Rules[Any], score: int, language: str) -> str:
    """A score in the game's own words."""
    data = {"n": score, "force": "", "scenario": rules.header.scenario}
    return rules.texts(language).tally("score", data) or str(score)


def sketch(rules: Rules[Any], seen: Glance) -> Sketch:
    """The small picture of a glance."""
    forces = list(rules.setting.forces)
    letters = {force: LETTERS[n] for n, force in enumerate(forces[: len(LETTERS)])}
    first, rows, places = _cells(rules.grid)
    held = tuple([(letters[force], hexes) for force, hexes in seen.control.items() if force in letters])
    cells = list(_held(rules.grid, held))
    for at, force in seen.stands.items():
        if at in places and force in letters:
            cells[places[at]] = letters[force].upper()
    return Sketch(first, rows, RUN.sub(lambda run: f"{len(run[0])}{run[1]}", "".join(cells)), _inks(rules))


@lru_cache(maxsize=64)
def _held(grid: Grid, held: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[str, ...]:
    """The cells by who holds them: that changes seldom, and a card is made after every action."""
    _, _, places = _cells(grid)
    cells = [NOBODY] * len(places)
    for letter, hexes in held:
        for name in hexes:
            cells[places[name]] = letter
    return tuple(cells)


@lru_cache(maxsize=32)
def _inks(rules: Rules[Any]) -> list[str]:
    """The colours of the forces: a card is made after every action, and the pack need not be opened for each."""
    sides = rules.pack.toml("pack.toml").get("sides", {})
    return [str(sides.get(force, {}).get("ink", INKS[n % 2])) for n, force in enumerate(rules.setting.forces)]


@lru_cache(maxsize=32)
def _cells(grid: Grid) -> tuple[str, int, dict[str, int]]:
    """The first hex, the rows of a column, and by name the places in a whole rectangle, column by column."""
    columns, rows = range(min(grid.column), max(grid.column) + 1), range(min(grid.row), max(grid.row) + 1)
    names = [f"{column:02}{row:02}" for column in columns for row in rows]
    return names[0], len(rows), {name: place for place, name in enumerate(names)}
