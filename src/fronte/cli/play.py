"""`fronte text`: a whole game at one terminal."""

from __future__ import annotations

import os
import secrets
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

import fronte
from fronte.ai import PLAYERS, check_player, player, usual_player
from fronte.ai.levels import LEVELS, called
from fronte.cli import show
from fronte.cli.commands import COMMANDS
from fronte.cli.common import (
    GameOptions,
    Language,
    Packs,
    Scenario,
    check_game,
    check_language,
    console,
    fail,
    load_match,
    one_line_errors,
    plain,
    read_options,
)
from fronte.cli.session import Session
from fronte.cli.terminal import Terminal
from fronte.engine.decision import Refusal
from fronte.engine.handicap import MOST
from fronte.engine.handicap import OPTION as HANDICAP
from fronte.engine.match import Match
from fronte.engine.text import in_language
from fronte.games.registry import GAMES

BOTH = "both"
OPPONENTS = dict.fromkeys([*LEVELS, *PLAYERS])
"""The levels first, then all players by name."""
STARTED = "FRONTE_STARTED_AS"
"""Set by the script that starts the program: what a person typed to start it."""


def text(
    game: Annotated[str, typer.Argument(help=f"The game to play: {', '.join(GAMES)}.")] = next(iter(GAMES)),
    scenario: Scenario = "",
    seed: Annotated[str, typer.Option(help="The seed of the dice; the same seed, the same dice.")] = "",
    option: GameOptions = None,
    language: Language = "en",
    seat: Annotated[str, typer.Option(help="A seat of the game, or both for people at one keyboard.")] = BOTH,
    opponent: Annotated[
        str,
        typer.Option(
            help=f"Who plays the other seat: {', '.join(dict.fromkeys([*LEVELS, *PLAYERS]))}; an officer by default."
        ),
    ] = "",
    handicap: Annotated[
        str,
        typer.Option(help=f"Points that a side is given before the match, 1 to {MOST}: a seat and how many, as ah:10."),
    ] = "",
    pack: Packs = None,
    open_table: Annotated[bool, typer.Option("--open", help="No hand-over screen between the two players.")] = False,
    load: Annotated[Path | None, typer.Option(help="Go on with a saved game.")] = None,
    save: Annotated[Path | None, typer.Option(help="The file to save to when leaving.")] = None,
) -> None:
    """Play in the terminal: two people at one keyboard, or one against the program."""
    check_game(game)
    check_language(language)
    with one_line_errors():
        if load is not None:
            match, file = load_match(load, packs=pack or []), save or load
            if match.sealed and match.result is None:
                fail(f"{load}: {match.rules.texts(language).refusal(Refusal('', 'no_seed'))}")
        else:
            seed = seed or secrets.token_hex(4)
            chosen = read_options(option or []) | ({HANDICAP: handicap} if handicap else {})
            match = fronte.new(game, scenario, seed, chosen, pack or [])
            match.remember()
            file = save or free_name(game, seed)
        opponent = opponent or usual_player(match.rules.header.game)
        others = opponents(match, seat, opponent, seed)
    again = same_again(match, language, seat, opponent, pack or [])
    session = Session(match, Terminal(console), language, others, open_table, file, pack or [], again, how_started())
    session.terminal.say(welcome(session, seat, opponent))
    session.run(COMMANDS)


def opponents(match: Match, seat: str, opponent: str, seed: str) -> dict[str, Any]:
    """The seats that the program plays."""
    seats = match.rules.seats
    if seat not in (*seats, BOTH):
        fail(f"no seat {seat!r}; the seats are {', '.join((*seats, BOTH))}")
    others = [] if seat == BOTH else [other for other in seats if other != seat]
    if others:
        check_player(opponent, match.rules.header.game)
    return {other: player(opponent, f"{seed} {other}", game=match.rules.header.game) for other in others}


def how_started() -> str:
    """The command that a person types to play in the terminal, in the way this program was started."""
    if STARTED in os.environ:
        return os.environ[STARTED]
    return "python -m fronte text" if Path(sys.argv[0]).name == "__main__.py" else "fronte text"


def same_again(match: Match, language: str, seat: str, opponent: str, packs: Sequence[Path]) -> str:
    """What has to be said, besides the file, to go on with a game as it was played."""
    given = [("language", language, "en"), ("seat", seat, BOTH)]
    given += [("opponent", opponent, usual_player(match.rules.header.game))] if seat != BOTH else []
    words = [f"--{name} {value}" for name, value, default in given if value != default]
    return "".join(f" {word}" for word in [*words, *(f"--pack {shlex.quote(str(folder))}" for folder in packs)])


def free_name(game: str, seed: str) -> Path:
    """A file in the present folder that does not exist yet."""
    word = "".join(char if char.isalnum() else "-" for char in seed)
    name, number = f"{game}-{word}.fronte", 1
    while Path(name).exists():
        number += 1
        name = f"{game}-{word}-{number}.fronte"
    return Path(name)


def welcome(session: Session, seat: str, opponent: str) -> str:
    """The first lines."""
    pack = session.rules.pack.toml("pack.toml")
    title = f"[bold]{plain(in_language(pack['title'], session.language))}[/]"
    scenario = session.texts.word("scenario", session.rules.header.scenario)
    if seat == BOTH:
        line = session.words("welcome", title=title, scenario=scenario)
    else:
        side = session.texts.word("side", seat)
        line = session.words(
            "welcome_one", title=title, scenario=scenario, side=side, player=called(opponent, session.language).name
        )
    summary = in_language(pack.get("summary", ""), session.language)
    given = "".join(f"{told}\n" for told in show.handicap(session.rules, session.texts, session.words))
    return f"{line}\n[italic]{plain(summary)}[/]\n{given}"
