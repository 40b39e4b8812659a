"""What the commands share: the console, errors in one line, files, options of the game."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich.console import Console

import fronte
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES
from fronte.files import FileError, read_file
from fronte.games.registry import GAMES

# Arguments and options that several commands take

Game = Annotated[str, typer.Argument(help="The game.")]
SavedGame = Annotated[Path, typer.Argument(help="A saved game.")]
Scenario = Annotated[str, typer.Option(help="The scenario; the game's first if none is named.")]
GameOptions = Annotated[
    list[str] | None, typer.Option("--option", help="A game option, as name=value. May be repeated.")
]
Language = Annotated[str, typer.Option(help="en or it.")]
Packs = Annotated[
    list[Path] | None, typer.Option("--pack", help="A folder of your own data, before the game's. May be repeated.")
]
"""By which a command takes an owner's own data."""
Seed = Annotated[int, typer.Option(help="Seed of the first game; the next has the next number.")]
Workers = Annotated[int, typer.Option(min=1, help="How many processes play.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
SummaryAsJson = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def fail(why: str) -> NoReturn:
    """End the command with one line of error."""
    errors.print(f"[bold red]error:[/] {plain(why)}", soft_wrap=True)
    raise typer.Exit(1)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Bad input ends in one line, not in a traceback."""
    try:
        yield
    except typer.Exit:  # a RuntimeError too, but the line has been said
        raise
    except OSError as wrong:
        fail(f"{wrong.filename}: {wrong.strerror}" if wrong.filename else str(wrong))
    except (ValueError, RuntimeError) as wrong:
        fail(str(wrong))


def plain(text: str) -> str:
    """Text in which rich finds no markup: square brackets cite rules here."""
    return text.replace("[", r"\[")


def check_game(game: str) -> str:
    """A game that there is."""
    if game not in GAMES:
        fail(f"no game {game!r}; the games are {', '.join(GAMES)}")
    return game


def check_language(language: str) -> str:
    """A language that there is."""
    if language not in LANGUAGES:
        fail(f"no language {language!r}; the languages are {', '.join(LANGUAGES)}")
    return language


def read_options(given: Sequence[str]) -> dict[str, str]:
    """Game options written as name=value."""
    return {name: value.strip() for name, value in read_pairs(given, "option", "name=value").items()}


def read_pairs(given: Sequence[str], what: str, form: str) -> dict[str, str]:
    """What is written as two words with = between them; the second as it stands."""
    found = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            fail(f"{what} {text!r} is not written {form}")
        found[name.strip()] = value
    return found


LARGEST_FILE = 100_000_000
"""The largest file that is read, in bytes."""


def read_text(file: Path) -> str:
    """The text of a file."""
    try:
        return read_file(file, LARGEST_FILE)
    except FileError as wrong:
        fail(str(wrong))


def load_match(file: Path, at: int | None = None, packs: Sequence[Path] = ()) -> Match:
    """The match of a save, with the file named in every error."""
    text = read_text(file)
    if at is not None and at < 0:
        fail("--at must be 0 or more")
    try:
        return fronte.load(text, at, packs=packs, remember=True)
    except ValueError as wrong:
        fail(f"{file}: {wrong}")


def print_json(data: Any) -> None:
    """Data for a program to read."""
    typer.echo(json.dumps(msgspec.to_builtins(data), ensure_ascii=False, indent=2))
