"""`fronte arena` and `fronte tune`: how strong players are, and how their weights are found."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

import fronte
from fronte.ai import check_player
from fronte.ai.arena import Bout, measure, strength
from fronte.ai.tuning import tuner
from fronte.cli.common import (
    Game,
    GameOptions,
    Scenario,
    Seed,
    SummaryAsJson,
    Workers,
    check_game,
    console,
    errors,
    fail,
    one_line_errors,
    print_json,
    read_options,
)

app = typer.Typer(no_args_is_help=True, help="Find the machine players' weights by self-play.")

Nice = Annotated[int, typer.Option(min=0, max=19, help="Give way to other programs, as `nice` does.")]
Out = Annotated[Path | None, typer.Option(help="Keep results in this file of JSON lines, and go on from it.")]
Into = Annotated[Path | None, typer.Option(help="Write what was found into this file, other parts of it staying.")]


def arena(
    game: Game,
    players: Annotated[str, typer.Option(help="Two players; each seed is played with the seats swapped.")],
    pairs: Annotated[int, typer.Option(min=1, help="How many pairs of games.")] = 60,
    seed: Seed = 0,
    workers: Workers = 1,
    scenario: Scenario = "",
    option: GameOptions = None,
    out: Out = None,
    nice: Nice = 0,
    cpu: Annotated[bool, typer.Option(help="Measure budgets by the processor's time: fair on a busy machine.")] = False,
    as_json: SummaryAsJson = False,
) -> None:
    """How strong is a player? Pairs of games with the seats swapped, and the results compared within each pair."""
    check_game(game)
    names = [name.strip() for name in players.split(",")]
    options = tuple(sorted(read_options(option or []).items()))
    if len(names) != 2:
        fail(f"a pair has two players, but --players names {len(names)}")
    os.nice(nice)
    with one_line_errors():
        fronte.ruleset(game, scenario, dict(options))
        for name in names:
            check_player(name, game)
        bouts = [Bout(game, scenario, options, (names[0], names[1]), seed + k, cpu) for k in range(pairs)]
        rows = []
        for row in measure(bouts, workers, out):
            rows.append(row)
            _say_pair(row, rows)
    summary = strength(rows)
    if as_json:
        print_json(summary)
    else:
        print_strength(summary)


def _say_pair(row: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """One line for each pair, to the side of the output."""
    so_far = strength(rows)
    one, two = (f"{game['level']} ({game['merits'][0]})" for game in row["games"])
    tally = f"{so_far['won']} won, {so_far['even']} even, {so_far['lost']} lost"
    errors.print(f"seed {row['seed']}: {one}, {two}; so far {tally}, margin {so_far['margin']}")


def print_strength(summary: dict[str, Any]) -> None:
    """The summary for people."""
    first, second = summary["players"]
    console.print(f"[bold]{first}[/] against [bold]{second}[/]: {summary['pairs']} pairs of {summary['game']}")
    low, high = (100 * x for x in summary["share_95"])
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_row("pairs won", f"{summary['won']}", f"{100 * summary['share']:.1f} %, 95 %: {low:.1f} to {high:.1f} %")
    table.add_row("even, lost", f"{summary['even']}, {summary['lost']}", "")
    low, high = summary["margin_95"]
    table.add_row("margin", f"{summary['margin']}", f"points, 95 %: {low} to {high}")
    for seat, (mine, other) in summary["merits"].items():
        table.add_row(f"as {seat}", f"{mine}", f"points; {second}: {other}")
    table.add_row("processor", f"{summary['cpu_per_game'][0]} s", f"per game; {second}: {summary['cpu_per_game'][1]} s")
    console.print(table)


@app.command()
def weights(
    game: Game,
    seat: Annotated[str, typer.Option(help="The side whose weights are tuned; the other side stays as it is.")],
    generations: Annotated[int, typer.Option(min=1, help="How many generations in all.")] = 30,
    games: Annotated[int, typer.Option(min=1, help="Games of each candidate in a generation.")] = 8,
    candidates: Annotated[int, typer.Option(min=0, help="Candidates of a generation; 0: as many as needed.")] = 0,
    seed: Seed = 0,
    workers: Workers = 1,
    scenario: Scenario = "",
    out: Out = None,
    into: Into = None,
    nice: Nice = 0,
) -> None:
    """Tune steady's weights for one side by self-play (an evolution strategy, CMA-ES with a diagonal covariance)."""
    check_game(game)
    os.nice(nice)
    with one_line_errors():
        own = tuner(game, "tune")
        fronte.ruleset(game, scenario).seat_index(seat)
        settings = own.Settings(game, seat, scenario, seed, games, candidates)
        row: dict[str, Any] = {}
        for row in own.tune(settings, generations, workers, out):
            line = "generation {generation}: centre {centre}, mean {mean}, best {best}, spread {sigma}".format(**row)
            errors.print(line)
        if into is not None:
            own.write_weights(into, game, seat, row["weights"])
            console.print(f"written to {into}")
    if into is None:
        print_json(row["weights"])


@app.command()
def value(
    game: Game,
    games: Annotated[int, typer.Option(min=20, help="How many games of self-play.")] = 400,
    seed: Seed = 0,
    workers: Workers = 1,
    scenario: Scenario = "",
    out: Out = None,
    into: Into = None,
    nice: Nice = 0,
) -> None:
    """Learn what the planner's terms of a position are worth, from steady's games against itself."""
    check_game(game)
    os.nice(nice)
    with one_line_errors():
        own = tuner(game, "tune_value")
        rows = []
        for row in own.gather([own.SelfPlay(game, scenario, seed + k) for k in range(games)], workers, out):
            rows.append(row)
            if len(rows) % 20 == 0:
                errors.print(f"{len(rows)} games")
        found = own.fit(rows)
        told = own.fit([row for k, row in enumerate(rows) if k % 4])
        share = own.explained(rows[::4], told)
    errors.print(f"{len(rows)} games; of the variance of scores, {100 * share:.0f} % is explained in games not fitted")
    if into is None:
        print_json(msgspec.to_builtins(found))
    else:
        own.write_worth(into, game, found)
        console.print(f"written to {into}")
