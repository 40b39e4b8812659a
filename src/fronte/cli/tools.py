"""`fronte game check`, `pack check`, `board render`, `case run`: what designers, testers and programmers use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.progress import track

from fronte import casebook
from fronte.cli import gamecheck
from fronte.cli.common import AsJson, Game, check_game, console, errors, fail, one_line_errors, plain, print_json
from fronte.cli.packcheck import check_pack
from fronte.draw.board import render
from fronte.games.registry import board_pack

pack = typer.Typer(no_args_is_help=True, help="Data packs.")
board = typer.Typer(no_args_is_help=True, help="Boards.")
case = typer.Typer(no_args_is_help=True, help="The casebook.")
game = typer.Typer(no_args_is_help=True, help="Whole games.")


@pack.command("check")
def check(
    game: Game,
    folders: Annotated[list[Path] | None, typer.Argument(help="Folders that come before the game's own data.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check the data of a game, an owner's own files before it. Reports every error; exit status 1 if there is one."""
    check_game(game)
    with one_line_errors():
        found = check_pack(game, folders or [])
    if as_json:
        print_json([{"file": error.file, "line": error.line, "error": error.why} for error in found])
    else:
        for error in found:
            console.print(plain(str(error)), soft_wrap=True)
        console.print(f"{len(found)} {'error' if len(found) == 1 else 'errors'}" if found else "no errors")
    if found:
        raise typer.Exit(1)


@game.command("check")
def check_whole_game(
    game: Game,
    games: Annotated[int, typer.Option(min=0, help="How many random games of each scenario are played.")] = 3,
    as_json: AsJson = False,
) -> None:
    """Check a game of the program or of your own: what it declares, its words, and its play. Exit status 1 if anything
    is wrong."""
    check_game(game)
    found = gamecheck.check_game(game, games)
    if as_json:
        print_json(found)
    else:
        for why in found:
            console.print(plain(why), soft_wrap=True)
        console.print(f"{len(found)} {'fault' if len(found) == 1 else 'faults'}" if found else "nothing wrong")
    if found:
        raise typer.Exit(1)


@board.command("render")
def render_board(
    game: Game,
    out: Annotated[Path, typer.Option(help="The picture to write, .svg or .png.")],
    width: Annotated[int | None, typer.Option(min=100, help="Width of a PNG in pixels.")] = None,
    scenario: Annotated[str, typer.Option(help="With the bridges that are down when this scenario begins.")] = "",
) -> None:
    """Draw the board of a game."""
    if out.suffix not in (".svg", ".png"):
        fail(f"{out}: the picture must be an .svg or a .png file")
    with one_line_errors():
        render(board_pack(game), out, width, scenario)
    console.print(f"{out} written", soft_wrap=True)


@case.command("run")
def run_cases(
    files: Annotated[list[Path], typer.Argument(help="Case files, or folders of them.")],
    as_json: AsJson = False,
) -> None:
    """Run case files. Exit status 0 if all cases pass, 1 if not."""
    for file in files:
        if not file.exists():
            fail(f"{file}: no such file or folder")
    paths = [path for file in files for path in (sorted(file.rglob("*.toml")) if file.is_dir() else [file])]
    outcomes = []
    for path in track(paths, "cases", console=errors, transient=True, disable=len(paths) < 20):
        outcomes += casebook.run_file(path)
    failed = [outcome for outcome in outcomes if not outcome.passed]
    if as_json:
        print_json([msgspec.to_builtins(outcome) | {"passed": outcome.passed} for outcome in outcomes])
    else:
        for outcome in failed:
            name = f" {outcome.case!r}" if outcome.case else ""
            console.print(plain(f"{outcome.file}:{name} {outcome.why}"), soft_wrap=True)
        console.print(f"{len(outcomes) - len(failed)} of {len(outcomes)} cases pass")
    if failed or not outcomes:
        raise typer.Exit(1)
