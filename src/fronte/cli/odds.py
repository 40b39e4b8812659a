"""`fronte odds`: the exact odds of an attack, from a save, a position, or bare numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import fronte
from fronte.cli import show
from fronte.cli.common import (
    AsJson,
    Game,
    Language,
    Packs,
    check_game,
    console,
    fail,
    load_match,
    one_line_errors,
    print_json,
    read_text,
)
from fronte.cli.shorthand import Misread, Reader
from fronte.cli.words import Words
from fronte.engine.capabilities import NotOffered
from fronte.engine.match import Match
from fronte.engine.sheet import Sheet
from fronte.engine.text import Texts


def odds(
    game: Game,
    attack_line: Annotated[list[str] | None, typer.Argument(help="An attack, as: attack 2312 with it-forli")] = None,
    save: Annotated[Path | None, typer.Option(help="A saved game or a position (JSON) to attack in.")] = None,
    at: Annotated[int | None, typer.Option(help="After so many lines of the saved game.")] = None,
    attack: Annotated[int | None, typer.Option(min=1, help="Total attack strength.")] = None,
    defence: Annotated[int | None, typer.Option(min=1, help="Total defence strength.")] = None,
    attack_av: Annotated[int, typer.Option(min=0, help="Artillery value of the attacker.")] = 0,
    defence_av: Annotated[int, typer.Option(min=0, help="Artillery value of the defender.")] = 0,
    steps: Annotated[int, typer.Option(min=2, help="Steps of both sides in the combat.")] = 4,
    flank: Annotated[bool, typer.Option("--flank", help="A flank attack.")] = False,
    trench: Annotated[bool, typer.Option("--trench", help="The defender is in his trench.")] = False,
    infiltration: Annotated[bool, typer.Option("--infiltration", help="Assault troops attack.")] = False,
    language: Language = "en",
    pack: Packs = None,
    as_json: AsJson = False,
) -> None:
    """The exact odds of an attack: from a saved game and a line, or from bare numbers. Bare retreats are free."""
    check_game(game)
    with one_line_errors():
        rules = fronte.ruleset(game, folders=pack or ())
        if not rules.capabilities.odds:
            raise NotOffered(game, "odds")
        texts, words = Texts.read(rules.pack, language), Words(language)
        if save is not None:
            found = attack_odds(open_match(game, save, at, pack or ()), " ".join(attack_line or []), texts, words)
        elif attack is None or defence is None:
            fail("give --attack and --defence, or --save FILE and an attack such as: attack 2312 with it-forli")
        else:
            numbers = {"attack": attack, "defence": defence, "attack_av": attack_av, "defence_av": defence_av}
            shifts = {"flanked": flank, "trench": trench, "infiltration": infiltration}
            found = rules.bare_sheet(numbers | {"steps": steps}, [name for name, is_so in shifts.items() if is_so])
    if as_json:
        print_json(found)
    else:
        console.print(show.odds_table(found, texts, words))


def open_match(game: str, file: Path, at: int | None, packs: Sequence[Path]) -> Match:
    """The match of a save, or one that begins with a position."""
    text = read_text(file)
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        return load_of(game, file, at, packs)
    if not isinstance(data, dict) or "units" not in data:
        return load_of(game, file, at, packs)
    try:
        return fronte.position(game, data, packs=packs)
    except ValueError as wrong:
        fail(f"{file}: {wrong}")


def load_of(game: str, file: Path, at: int | None, packs: Sequence[Path]) -> Match:
    """The match of a save, which must be one of this game."""
    match = load_match(file, at, packs)
    if match.rules.header.game != game:
        fail(f"{file}: a game of {match.rules.header.game}, not of {game}")
    return match


def attack_odds(match: Match, line: str, texts: Texts, words: Words) -> Sheet:
    """The odds of an attack in a match, as its attacker knows them."""
    if match.decision is None:
        fail("the game is over at this point; choose another with --at")
    if not line:
        fail("say which attack, as: attack 2312 with it-forli")
    try:
        return match.odds(Reader(match, texts.names, words).action(line))
    except Misread as wrong:
        fail(f"{wrong} (the decision is {match.decision.kind}; choose another with --at)")
