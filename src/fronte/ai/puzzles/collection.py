"""The collection: puzzles as files, one for each, in the folder of their game; all of it is checked when it is read."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from fronte.ai.puzzles.goals import Goal
from fronte.ai.reasons import templates
from fronte.engine.rules import Rules
from fronte.engine.text import LANGUAGES
from fronte.games.registry import FAMILIES, ruleset

FOLDER = files("fronte.ai.puzzles")
SEEN = 4
"""The enemies so near to the place are told of, whatever the fog hides: without them no odds could be reckoned."""


class PuzzleError(ValueError):
    """A file that is no puzzle, and why."""


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position out of a machine game, what is asked there of a seat, and the best that was found."""

    game: str
    scenario: str
    seat: str
    goal: Goal
    chance: str
    """The chance of the best line, as a fraction."""
    naive: str
    """The same of what the usual player does there."""
    best: tuple[str, ...]
    """The best line: the actions up to the first throw, each as it is typed."""
    made: str
    """The command that found it, and where."""
    position: dict[str, Any]

    @property
    def best_chance(self) -> Fraction:
        """The chance of the best line."""
        return Fraction(self.chance)


@cache
def names(game: str) -> dict[str, str]:
    """The puzzles of a game in their order, by name: their files."""
    folder = FOLDER / game
    found = sorted(one.name for one in folder.iterdir() if one.name.endswith(".json")) if folder.is_dir() else []
    return {file.removesuffix(".json").partition("-")[2]: file for file in found}


def read(game: str, name: str, packs: Sequence[Path] = ()) -> Puzzle:
    """A puzzle, checked whole; PuzzleError says what is wrong with it."""
    return parsed((FOLDER / game / names(game)[name]).read_bytes(), packs)


def parsed(text: bytes, packs: Sequence[Path] = ()) -> Puzzle:
    """The puzzle that a file holds."""
    try:
        found = msgspec.json.decode(text, type=Puzzle)
        rules = ruleset(found.game, found.scenario, folders=packs)
        seat = rules.seat_index(found.seat)
        state = rules.from_position(found.position)
        chances = [Fraction(found.naive), Fraction(found.chance)]
    except (ValueError, ZeroDivisionError) as wrong:
        raise PuzzleError(str(wrong)) from None
    fault = found.goal.wrong(rules)
    if not fault and not 0 <= chances[0] < chances[1] <= 1:
        fault = f"chance: {found.chance} is not more than {found.naive}, or no chance"
    if not fault and (not state.frames or state.frames[-1].seat != seat):
        fault = f"position: it is not for {found.seat} to decide"
    if not fault and not found.best:
        fault = "best: there is no line"
    if fault:
        raise PuzzleError(fault)
    return found


def written(puzzle: Puzzle) -> bytes:
    """The file of a puzzle: a line for each counter, so that people can read it."""
    data = msgspec.to_builtins(puzzle)
    position = data.pop("position")
    units = position.pop("units")
    lines = [f" {_json(key)}: {_json(value)}," for key, value in data.items()]
    lines += [
        ' "position": {',
        *(f"  {_json(key)}: {_json(value)}," for key, value in position.items()),
        '  "units": {',
    ]
    lines += [",\n".join(f"   {_json(name)}: {_json(unit)}" for name, unit in units.items()), "  }", " }"]
    return "\n".join(["{", *lines, "}", ""]).encode()


def _json(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=-1).decode()


# What is told of it


@cache
def _templates() -> dict[str, dict[str, Any]]:
    return tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))


def title(puzzle: Puzzle, rules: Rules[Any]) -> dict[str, str]:
    """What is asked, in a few words, by language."""
    found = {}
    for language in LANGUAGES:
        words, texts = _templates()[language], rules.texts(language)
        place = texts.names.hex.get(puzzle.goal.hex) or puzzle.goal.hex
        piece = texts.unit(puzzle.goal.piece) if puzzle.goal.piece else ""
        errand = templates(FAMILIES[puzzle.game], language).get("errand", words["errand"])
        found[language] = words[puzzle.goal.kind].format(hex=place, piece=piece, errand=errand)
    return found


def report(puzzle: Puzzle, rules: Rules[Any]) -> dict[str, list[str]]:
    """What scouts say of the enemies around the place, hex by hex and whole stacks, by language."""
    state = rules.from_position(puzzle.position)
    grid, middle = rules.grid, rules.grid.index[puzzle.goal.hex]
    theirs = [p for p in rules.view(state, 1 - rules.seat_index(puzzle.seat)).pieces if p.mine and p.at in grid.index]
    near = [piece for piece in theirs if grid.distance(grid.index[piece.at], middle) <= SEEN]
    near.sort(key=lambda piece: (grid.distance(grid.index[piece.at], middle), piece.at, -piece.order))
    found = {}
    for language in LANGUAGES:
        texts = rules.texts(language)
        lines = []
        for piece in near:
            state_of = ", ".join(texts.told(line) for line in rules.condition(piece))
            face = rules.face_text(piece)
            lines.append(f"{piece.at}: {texts.unit(piece.id)} {face}".rstrip() + (f" ({state_of})" if state_of else ""))
        found[language] = lines
    return found


def corner(puzzle: Puzzle, rules: Rules[Any]) -> list[str]:
    """Opposite corners of the part of the board that matters."""
    grid, middle = rules.grid, rules.grid.index[puzzle.goal.hex]
    around = [grid.place[h] for h in range(grid.size) if grid.distance(h, middle) <= SEEN]
    across, down = zip(*around, strict=True)

    def nearest(to: tuple[int, int]) -> str:
        return min(grid.ids, key=lambda h: (_apart(grid.place[grid.index[h]], to), h))

    return [nearest((min(across), min(down))), nearest((max(across), max(down)))]


def _apart(a: tuple[int, int], b: tuple[int, int]) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])
