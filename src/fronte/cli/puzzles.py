"""`fronte puzzles`: find puzzles in machine games, list the collection, and reckon its chances again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fronte.ai.puzzles import collection
from fronte.ai.puzzles.goals import KINDS, TAKE
from fronte.ai.puzzles.judging import stated
from fronte.ai.puzzles.making import Found, found_in, naive_chance
from fronte.cli.common import AsJson, check_game, console, fail, one_line_errors, print_json
from fronte.engine.notation import to_text
from fronte.files import write_text
from fronte.games.registry import GAMES, ruleset

app = typer.Typer(no_args_is_help=True, help="Puzzles out of machine games, judged by exact odds.")

Game = Annotated[str, typer.Argument(help="The game.")]


@app.command()
def make(
    game: Game,
    to: Annotated[Path, typer.Option(help="The folder to which puzzles are written.")],
    scenario: Annotated[str, typer.Option(help="The scenario; the first of the game by default.")] = "",
    seed: Annotated[int, typer.Option(help="The seed of the first game.")] = 1,
    games: Annotated[int, typer.Option(min=1, help="So many games, each with the next seed.")] = 1,
    seat: Annotated[str, typer.Option(help="Puzzles for this seat only.")] = "",
    at: Annotated[str, typer.Option(help="Only for this hex, with a name or not; `all`: for every hex.")] = "",
    turn: Annotated[int, typer.Option(help="Only in this turn.")] = 0,
    kind: Annotated[str, typer.Option(help=f"What is asked: {', '.join(KINDS)}.")] = TAKE,
    want: Annotated[int, typer.Option(min=1, help="So many puzzles at most.")] = 20,
) -> None:
    """Let machines play, and write down what may be a puzzle: turns in which much can be had that naive play misses."""
    check_game(game)
    if kind not in KINDS:
        fail(f"{kind!r} is none of {', '.join(KINDS)}")
    count = 0
    to.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + games):
        command = f"fronte puzzles make {game} --seed {number}" + (f" --scenario {scenario}" if scenario else "")
        command += f" --seat {seat}" if seat else ""
        command += f" --at {at}" if at else ""
        command += f" --kind {kind}" if kind != TAKE else ""
        with one_line_errors():
            for found in found_in(game, scenario, str(number), seat, at, turn, kind):
                count += 1
                puzzle = _puzzle(game, scenario, found, command)
                name = f"{count:02}-{found.goal.hex}-{found.turn}.json"
                write_text(to / name, collection.written(puzzle).decode())
                chances = f"{float(found.naive):.1%} .. {float(found.best.chance):.1%}"
                console.print(f"{name}: {_title(puzzle)} ({puzzle.seat}, {chances})", soft_wrap=True)
                if count >= want:
                    return


def _puzzle(game: str, scenario: str, found: Found, command: str) -> collection.Puzzle:
    rules = ruleset(game, scenario)
    return collection.Puzzle(
        game=game,
        scenario=rules.header.scenario,
        seat=found.seat,
        goal=found.goal,
        chance=str(found.best.chance),
        naive=str(found.naive),
        best=tuple(to_text(action) for action in found.best.actions),
        made=f"{command} (turn {found.turn})",
        position=found.position,
    )


def _title(puzzle: collection.Puzzle) -> str:
    return collection.title(puzzle, ruleset(puzzle.game, puzzle.scenario))["en"]


@app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """The collection."""
    found = [(game, name, collection.read(game, name)) for game in GAMES for name in collection.names(game)]
    if as_json:
        print_json([{"game": g, "puzzle": n, "asks": _title(p), "best": p.chance} for g, n, p in found])
        return
    for game, name, puzzle in found:
        console.print(f"{game}/{name}: {_title(puzzle)} ({puzzle.seat}, {float(puzzle.best_chance):.1%})")


@app.command()
def check(game: Game) -> None:
    """Play the best line of every puzzle of a game and reckon its chance again, and that of naive play."""
    check_game(game)
    wrong = 0
    for name in collection.names(game):
        puzzle = collection.read(game, name)
        rules = ruleset(game, puzzle.scenario)
        told = {"": (puzzle.chance, stated(puzzle, rules)), "naive ": (puzzle.naive, naive_chance(puzzle, rules))}
        parts = [
            f"{what}{said}" + ("" if said == str(found) else f", but reckoned now {found}")
            for what, (said, found) in told.items()
        ]
        wrong += any(said != str(found) for said, found in told.values())
        console.print(f"{name}: {'; '.join(parts)}", soft_wrap=True)
    if wrong:
        fail(f"{wrong} of the puzzles have other chances than they say")
