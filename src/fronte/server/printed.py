"""What is printed and never changes during a match: games, boards, counters, tables, rules. Made once, then kept."""

from __future__ import annotations

import csv
import hashlib
import io
from contextlib import suppress
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import fronte
from fronte.ai import BUDGETED, offered, usual_player
from fronte.ai.levels import described
from fronte.ai.puzzles import collection
from fronte.ai.puzzles.collection import Puzzle
from fronte.draw.board import board_svg
from fronte.draw.sheet import about_board, read_sheet
from fronte.draw.table import table_look, table_svg
from fronte.engine.pack import Pack
from fronte.engine.rules import Result, Rules
from fronte.engine.text import LANGUAGES, Texts, in_language, typographic
from fronte.games.registry import FAMILIES, GAMES, open_pack, ruleset, seats_of
from fronte.server.lessons import course, read_lesson, told

Packs = tuple[Path, ...]
"""Folders of one's own data for a game."""
NUMBERS = frozenset(("level", "entry"))
FLAGS = frozenset(
    (
        "peak",
        "settlement",
        "stream_hex",
        "east",
        "beyond",
        "gorizia",
        "road",
        "trail",
        "railway",
        "destroyed",
        "reserve",
    )
)
MOST_TURNS = 60
"""More turns than a game has."""


class Page(msgspec.Struct, frozen=True):
    """A finished answer with its fingerprint."""

    body: bytes
    tag: str

    @property
    def fingerprint(self) -> str:
        """The fingerprint as part of an address."""
        return self.tag.strip('"')


def _page(data: Any) -> Page:
    """An answer that people read: nothing in it but texts has apostrophes."""
    body = typographic(msgspec.json.encode(data, enc_hook=str).decode()).encode()
    return Page(body, _tag(body))


def _tag(body: bytes) -> str:
    """The fingerprint of an answer, in the quotation marks that HTTP wants."""
    return f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'


def _titles(data: dict[str, Any], field: str) -> dict[str, str]:
    return {language: in_language(data.get(field, ""), language) for language in LANGUAGES}


@lru_cache(maxsize=4)
def games(packs: tuple[Packs, ...]) -> Page:
    """All games, with what can be chosen when a match is begun; for each the folders of one's own data."""
    found = [_game(name, own) for name, own in zip(GAMES, packs, strict=True)]
    return _page({"games": found, "languages": LANGUAGES, "version": fronte.__version__})


def _game(name: str, packs: Packs) -> dict[str, Any]:
    rules = ruleset(name, folders=packs)
    pack = rules.pack.toml("pack.toml")
    scenarios = rules.pack.toml("scenarios.toml")
    sitting = {key: seats_of(name, key, packs) for key, data in scenarios.items() if isinstance(data, dict)}
    everybody = dict.fromkeys([*rules.seats, *(seat for seats in sitting.values() for seat in seats)])
    return {
        "id": name,
        "title": _titles(pack, "title"),
        "subtitle": _titles(pack, "subtitle"),
        "summary": pack.get("summary", {}),
        "credits": pack.get("credits", {}),
        "scenarios": [
            {
                "id": scenario,
                "title": _titles(data, "title"),
                "description": _titles(data, "description"),
                "source": data.get("source"),
                "seats": sitting[scenario],
            }
            for scenario, data in scenarios.items()
            if isinstance(data, dict)
        ],
        "evening": pack.get("evening", ""),
        "evening_seat": pack.get("evening_seat", ""),
        "options": _options(rules),
        "seats": [{"id": seat, **pack.get("sides", {}).get(seat, {})} for seat in everybody],
        "players": [_player(player, rules.header.game) for player in offered(rules.header.game)],
        "lessons": [{"id": one, "title": found["title"]} for one, found in _lessons(name, packs).items()],
        "puzzles": [{"id": one, "title": _asks(found, packs)} for one, found in _puzzles(name, packs).items()],
        "sheet": {part: about_board(rules.pack)[part] for part in ("grid", "picture")},
        "pack": rules.header.pack,
        "rules": rules.header.rules,
    }


def _player(spec: str, game: str) -> dict[str, Any]:
    """A level of the machine in both languages; what comes after a colon is how long it may think."""
    words = {language: described(spec, game, language) for language in LANGUAGES}
    return {
        "id": spec,
        "name": {language: one.name for language, one in words.items()},
        "about": {language: one.about for language, one in words.items()},
        "timed": spec in BUDGETED,
    }


def _options(rules: Rules[Any]) -> list[dict[str, Any]]:
    book = rules.rulebook
    texts = {language: rules.texts(language) for language in LANGUAGES}
    return [
        {
            "id": option.name,
            "default": option.default,
            "values": option.values,
            "rule": option.rule,
            "title": {language: told.option(option, book) for language, told in texts.items()},
            "readings": {
                value: {language: told.word("reading", value) for language, told in texts.items()}
                for value in map(str, option.values)
                if value not in ("true", "false")
            },
            "why": option.why,
        }
        for option in book.options
    ]


@lru_cache(maxsize=16)
def board(game: str, packs: Packs, scenario: str = "") -> Page:
    """Everything printed on the board and the counters of a game, its tables, and what a scenario fixes."""
    rules: Rules[Any] = ruleset(game, scenario, folders=packs)
    pack = open_pack(game, packs)
    about = about_board(pack)
    return _page(
        {
            "game": game,
            "pack": pack.toml("pack.toml"),
            "board": about,
            "hexes": [_row(row) for row in _rows(pack, "hexes.csv")],
            "hexsides": [_row(row) for row in _rows(pack, "hexsides.csv")],
            "counters": [_counter(row) for row in _rows(pack, "units.csv")],
            "tables": pack.toml("tables.toml"),
            "scenarios": pack.toml("scenarios.toml"),
            "setting": rules.setting,
            "scorer": _scorer(rules),
            "capabilities": rules.capabilities,
            "look": table_look(pack),
            "map": f"/api/games/{game}/map/{drawing(game, packs).fingerprint}",
            "glossary": pack.toml("glossary.toml"),
            "family": FAMILIES[game],
            "players": [_player(player, game) for player in offered(game)],
            "cites": rules.rulebook.cites(),
            "days": _days(rules),
            "words": {language: _words(pack, language) for language in LANGUAGES},
            "policies": {kind: list(policies) for kind, policies in rules.standing.items()},
        }
    )


def _scorer(rules: Rules[Any]) -> str:
    """The seat for which a higher score is better; empty where nobody scores."""
    low, high = (Result("", score, None, ()) for score in (0, 1))
    wanting = (seat for n, seat in enumerate(rules.seats) if rules.merit(high, n) > rules.merit(low, n))
    return next(wanting, "")


def _days(rules: Rules[Any]) -> list[tuple[str, str]]:
    """The first and the last day of each turn; none where turns are no matter of days."""
    spans = takewhile(lambda span: span is not None, map(rules.span, range(1, MOST_TURNS + 1)))
    return [(first.isoformat(), last.isoformat()) for first, last in filter(None, spans)]


def _rows(pack: Pack, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(pack.text(name))))


def _row(row: dict[str, str]) -> dict[str, Any]:
    """A line of a table: what is empty is left out, numbers are numbers, flags are true."""
    found: dict[str, Any] = {}
    for column, text in row.items():
        if text:
            found[column] = int(text) if column in NUMBERS else True if column in FLAGS and text == "1" else text
    return found


def _counter(row: dict[str, str]) -> dict[str, Any]:
    """A counter as it is printed, all its faces."""
    return _row(row) | {"setup": row.get("setup", "").split()}


def _words(pack: Pack, language: str) -> dict[str, Any]:
    """The words of a game: everything in its texts but the sentences, which the server makes."""
    tables = Texts.read(pack, language).tables
    return {name: table for name, table in tables.items() if name not in ("event", "decision", "screen")}


@lru_cache(maxsize=16)
def rules_reference(game: str, packs: Packs, language: str) -> Page:
    """The rules reference of a game."""
    book = ruleset(game, folders=packs).rulebook
    return _page({"language": language, "rules": [book.rule(name, language) for name in book.rules]})


@lru_cache(maxsize=16)
def _lessons(game: str, packs: Packs) -> dict[str, dict[str, Any]]:
    """The lessons of a game, by name and in their order: those whose positions one's own data leave as they are."""
    found: dict[str, dict[str, Any]] = {}
    for name in course(game):
        with suppress(ValueError, LookupError):
            found[name] = read_lesson(game, name, packs)
    return found


def lesson_step(game: str, packs: Packs, name: str, step: int) -> dict[str, Any] | None:
    """A step of a lesson, with what it asks for, if there is one."""
    steps: list[dict[str, Any]] = _lessons(game, packs).get(name, {}).get("steps", [])
    return steps[step] if 0 <= step < len(steps) else None


@lru_cache(maxsize=64)
def lesson(game: str, packs: Packs, name: str) -> Page | None:
    """A lesson of a game, if there is one of this name, and which comes after it."""
    lessons = _lessons(game, packs)
    if name not in lessons:
        return None
    after = dict(zip(lessons, [*lessons][1:], strict=False)).get(name)
    following = {"next": {"id": after, "title": lessons[after]["title"]}} if after else {}
    return _page(told(lessons[name]) | following)


def is_ours(game: str, packs: Packs, position: Any) -> bool:
    """Is this the position of a lesson or of a puzzle, which is known to be good?"""
    lessons, puzzles = _lessons(game, packs).values(), _puzzles(game, packs).values()
    return any(one["position"] == position for one in lessons) or any(one.position == position for one in puzzles)


# Puzzles

PUZZLE_SEED = "puzzle"
"""The dice of a puzzle fall as they fall: nobody is judged by them."""


class PuzzleMatch(NamedTuple):
    """Which match is one of a puzzle: whoever is asked sits there, and it begins so."""

    seat: str
    origin: dict[str, Any]


@lru_cache(maxsize=16)
def _puzzles(game: str, packs: Packs) -> dict[str, Puzzle]:
    """The puzzles of a game, by name and in their order: those whose positions one's own data leave as they are."""
    found: dict[str, Puzzle] = {}
    for name in collection.names(game):
        with suppress(ValueError, LookupError):
            found[name] = collection.read(game, name, packs)
    return found


def _asks(puzzle: Puzzle, packs: Packs) -> dict[str, str]:
    return collection.title(puzzle, ruleset(puzzle.game, puzzle.scenario, folders=packs))


@lru_cache(maxsize=64)
def puzzle(game: str, packs: Packs, name: str) -> Page | None:
    """A puzzle of a game, if there is one of this name: what is asked, and not how it is done."""
    puzzles = _puzzles(game, packs)
    if name not in puzzles:
        return None
    found = puzzles[name]
    rules = ruleset(game, found.scenario, folders=packs)
    after = dict(zip(puzzles, [*puzzles][1:], strict=False)).get(name)
    following = {"next": {"id": after, "title": _asks(puzzles[after], packs)}} if after else {}
    machine = usual_player(game)
    return _page(
        {
            "game": game,
            "puzzle": name,
            "scenario": found.scenario,
            "seed": PUZZLE_SEED,
            "seats": {seat: "human" if seat == found.seat else machine for seat in rules.seats},
            "seat": found.seat,
            "position": found.position,
            "corner": collection.corner(found, rules),
            "hex": found.goal.hex,
            "title": _asks(found, packs),
            "report": collection.report(found, rules),
            **following,
        }
    )


@lru_cache(maxsize=64)
def puzzle_of(game: str, packs: Packs, name: str) -> PuzzleMatch | None:
    """How a match of a puzzle begins, if there is one of this name."""
    found = _puzzles(game, packs).get(name)
    if found is None:
        return None
    rules = ruleset(game, found.scenario, folders=packs)
    return PuzzleMatch(found.seat, rules.to_position(rules.from_position(found.position)))


@lru_cache(maxsize=16)
def picture(game: str, packs: Packs) -> tuple[Page, str]:
    """The relief picture of a board and its media type; a board that has none is shown as it is drawn."""
    pack = open_pack(game, packs)
    file = about_board(pack)["picture"]["file"]
    if not file:
        body = board_svg(read_sheet(pack)).encode()
        return Page(body, _tag(body)), "image/svg+xml"
    path = pack.path(str(file))
    body = path.read_bytes()
    kind = {".webp": "image/webp", ".png": "image/png", ".jpg": "image/jpeg", ".svg": "image/svg+xml"}[path.suffix]
    return Page(body, _tag(body)), kind


@lru_cache(maxsize=16)
def small_picture(game: str, packs: Packs) -> tuple[Page, str]:
    """The relief picture small, for a list of games; where a board has none beside its own it is the whole one."""
    pack = open_pack(game, packs)
    file = about_board(pack)["picture"]["file"]
    small = pack.path(str(file)).with_stem(f"{Path(str(file)).stem}-small") if file else None
    if small is None or small.suffix != ".webp" or not small.is_file():
        return picture(game, packs)
    body = small.read_bytes()
    return Page(body, _tag(body)), "image/webp"


@lru_cache(maxsize=16)
def drawing(game: str, packs: Packs) -> Page:
    """The drawn board of a game, over its relief picture."""
    body = table_svg(open_pack(game, packs), f"/api/games/{game}/picture").encode()
    return Page(body, _tag(body))
