"""`fronte arena` and `fronte tune`: how strong players are, and how their weights are found."""

from __future__ import annotations

import os
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

import fronte
from fronte.ai import check_player
from fronte.ai.arena import Bout, counted, measure, strength
from fronte.ai.learning import write_sides
from fronte.ai.nets import write_net
from fronte.ai.ratings import everybody, standings
from fronte.ai.tuning import tuner
from fronte.cli.common import (
    Game,
    GameOptions,
    Language,
    Scenario,
    Seed,
    SummaryAsJson,
    Workers,
    check_game,
    check_language,
    console,
    errors,
    fail,
    one_line_errors,
    print_json,
    read_options,
)
from fronte.cli.words import Words

app = typer.Typer(no_args_is_help=True, help="Find the machine players' weights by self-play.")

Nice = Annotated[int, typer.Option(min=0, max=19, help="Give way to other programs, as `nice` does.")]
Out = Annotated[Path | None, typer.Option(help="Keep results in this file of JSON lines, and go on from it.")]
Into = Annotated[Path | None, typer.Option(help="Write what was found into this file, other parts of it staying.")]
Against = Annotated[str, typer.Option(help="Who plays the other side, in turns; commas between them.")]


def arena(
    game: Game,
    players: Annotated[str, typer.Option(help="Two players; each seed is played with the seats swapped.")] = "",
    pool: Annotated[str, typer.Option(help="Two players or more: everybody plays everybody, and is rated.")] = "",
    pairs: Annotated[int, typer.Option(min=1, help="How many pairs of games; in a pool, of every two players.")] = 60,
    seed: Seed = 0,
    workers: Workers = 1,
    scenario: Scenario = "",
    option: GameOptions = None,
    out: Out = None,
    nice: Nice = 0,
    cpu: Annotated[bool, typer.Option(help="Measure budgets by the processor's time: fair on a busy machine.")] = False,
    language: Language = "en",
    as_json: SummaryAsJson = False,
) -> None:
    """How strong is a player? Pairs of games with the seats swapped, and the results compared within each pair."""
    check_game(game)
    words = Words(check_language(language))
    names = _named(players, pool)
    options = tuple(sorted(read_options(option or []).items()))
    os.nice(nice)
    with one_line_errors():
        fronte.ruleset(game, scenario, dict(options))
        for name in names:
            check_player(name, game)
        first = Bout(game, scenario, options, (names[0], names[1]), seed, cpu)
        rows: list[dict[str, Any]] = []
        for row in measure(everybody(first, names, pairs), workers, out):
            rows.append(row)
            _say_pair(row, rows, words)
    summary = standings(rows, names) if pool else strength(rows)
    if as_json:
        print_json(summary)
    elif pool:
        print_standings(summary, words)
    else:
        print_strength(summary, words)


def _named(players: str, pool: str) -> list[str]:
    """The players of a pair or of a pool."""
    if bool(players) == bool(pool):
        fail("name two players with --players, or two or more with --pool")
    names = [name.strip() for name in (players or pool).split(",")]
    if players and len(names) != 2:
        fail(f"a pair has two players, but --players names {len(names)}")
    if pool and len(names) < 2:
        fail("a pool has two players or more, but --pool names one")
    if pool and len(set(names)) < len(names):
        fail("a pool has each player once")
    return names


def _say_pair(row: dict[str, Any], rows: list[dict[str, Any]], words: Words) -> None:
    """One line for each pair, to the side of the output."""
    one, two = (f"{game['level']} ({game['merits'][0]})" for game in row["games"])
    own = [other for other in rows if other["players"] == row["players"]]
    first, second = row["players"]
    margin = words.number(fmean(other["margin"] for other in own))
    told = {"seed": row["seed"], "first": first, "second": second, "one": one, "two": two, "margin": margin}
    errors.print(words("arena_so_far", **told, **counted(own)), soft_wrap=True)


def print_strength(summary: dict[str, Any], words: Words) -> None:
    """The summary for people."""
    first, second = summary["players"]
    told = {"first": first, "second": second, "pairs": summary["pairs"], "game": summary["game"]}
    console.print(words("arena_title", **told))
    table = Table(box=None, pad_edge=False, show_header=False)
    share, low, high = (words.number(100 * x) for x in (summary["share"], *summary["share_95"]))
    table.add_row(words("arena_won"), f"{summary['won']}", words("arena_share", share=share, low=low, high=high))
    table.add_row(words("arena_even_lost"), f"{summary['even']}, {summary['lost']}", "")
    low, high = (words.number(x, 2) for x in summary["margin_95"])
    told_margin = words("arena_points_95", low=low, high=high)
    table.add_row(words("arena_margin"), words.number(summary["margin"], 2), told_margin)
    for seat, merits in summary["merits"].items():
        mine, other = (words.number(merit, 2) for merit in merits)
        table.add_row(words("arena_as", seat=seat), mine, words("arena_points", second=second, other=other))
    mine, other = (words.number(x, 2) for x in summary["cpu_per_game"])
    table.add_row(words("arena_cpu"), f"{mine} s", words("arena_per_game", second=second, other=other))
    console.print(table)


def print_standings(summary: dict[str, Any], words: Words) -> None:
    """A pool for people: the ratings, and everybody against everybody."""
    ranked = summary["players"]
    told = {"players": len(ranked), "pairs": summary["pairs"], "game": summary["game"]}
    console.print(words("pool_title", **told))
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for key in ("pool_rating", "pool_95", "pool_tally", "pool_margin", "pool_cpu"):
        table.add_column(words(key), justify="right")
    for one in ranked:
        low, high = one["rating_95"]
        anchored = one["player"] == summary["anchor"]
        between = words("pool_fixed") if anchored else words("pool_between", low=low, high=high)
        margin, seconds = words.number(one["margin"], sign=True), words.number(one["cpu_per_game"])
        table.add_row(f"[bold]{one['player']}[/]", str(one["rating"]), between, _tally(one), margin, f"{seconds} s")
    console.print(table)
    console.print(words("pool_against"))
    cross = Table(box=None, pad_edge=False)
    cross.add_column("")
    for one in ranked:
        cross.add_column(one["player"], justify="right")
    for one in ranked:
        cells = [one["against"].get(other["player"]) for other in ranked]
        told_cells = [
            "" if cell is None else f"{_tally(cell)} ({words.number(cell['margin'], sign=True)})" for cell in cells
        ]
        cross.add_row(f"[bold]{one['player']}[/]", *told_cells)
    console.print(cross)


def _tally(told: dict[str, Any]) -> str:
    """Pairs won, even and lost."""
    return f"{told['won']}-{told['even']}-{told['lost']}"


def _foes(against: str, game: str) -> tuple[str, ...]:
    """Those who play the other side; ValueError if somebody does not know the game."""
    found = tuple(against.split(","))
    for one in found:
        check_player(one, game)
    return found


@app.command()
def weights(
    game: Game,
    seat: Annotated[str, typer.Option(help="The side whose weights are tuned; the other side stays as it is.")],
    generations: Annotated[int, typer.Option(min=1, help="How many generations in all.")] = 30,
    games: Annotated[int, typer.Option(min=1, help="Games of each candidate in a generation.")] = 8,
    candidates: Annotated[int, typer.Option(min=0, help="Candidates of a generation; 0: as many as needed.")] = 0,
    against: Against = "steady",
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
        rules = fronte.ruleset(game, scenario)
        rules.seat_index(seat)
        settings = own.Settings(game, seat, scenario, seed, games, candidates, _foes(against, game))
        row: dict[str, Any] = {}
        for row in own.tune(settings, generations, workers, out):
            line = "generation {generation}: centre {centre}, mean {mean}, best {best}, spread {sigma}".format(**row)
            errors.print(line)
        if into is not None:
            own.write_weights(into, game, rules.header.scenario, seat, row["weights"])
            console.print(f"written to {into}")
    if into is None:
        print_json(row["weights"])


@app.command()
def surface(
    game: Game,
    batches: Annotated[int, typer.Option(min=1, help="How many batches of games.")] = 4,
    games: Annotated[int, typer.Option(min=6, help="Games of each side in a batch.")] = 240,
    unit: Annotated[float, typer.Option(help="Points that count as one: about half of what scores vary by.")] = 1.0,
    noise: Annotated[float, typer.Option(help="The variance of a score in such units.")] = 4.5,
    against: Against = "steady",
    name: Annotated[str, typer.Option(help="What they are written under; if nothing is said, the scenario.")] = "",
    seed: Seed = 0,
    workers: Workers = 1,
    scenario: Scenario = "",
    out: Out = None,
    into: Into = None,
    nice: Nice = 0,
) -> None:
    """Tune what a planner does without thinking, or steady, for both sides at once (a response surface)."""
    check_game(game)
    os.nice(nice)
    with one_line_errors():
        try:
            tuner(game, "tune_surface")
            from fronte.ai import surface as climbing
        except ModuleNotFoundError as error:
            fail(f"{error.name} is not installed; pip install 'fronte[study]' brings it")
        rules = fronte.ruleset(game, scenario)
        seats = rules.seats
        settings = climbing.Settings(game, scenario, seed, games, unit, noise, _foes(against, game))
        row: dict[str, Any] = {}
        for row in climbing.climb(settings, batches, workers, out):
            errors.print(f"batch {row['batch']}: " + ", ".join(f"{seat} {row[seat]['centre']}" for seat in seats))
        if into is not None:
            write_sides(into, name or rules.header.scenario, {seat: row[seat]["weights"] for seat in seats})
            console.print(f"written to {into}")
    if into is None:
        print_json({seat: row[seat]["weights"] for seat in seats})


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


@app.command()
def net(
    game: Game,
    games: Annotated[int, typer.Option(min=20, help="How many games of self-play.")] = 2000,
    seed: Seed = 0,
    workers: Workers = 1,
    scenario: Scenario = "",
    hidden: Annotated[int, typer.Option(min=0, help="Hidden units of each net; 0: a line.")] = 8,
    nets: Annotated[int, typer.Option(min=1, help="Nets that are learnt beside each other.")] = 4,
    trace: Annotated[float, typer.Option(min=0, max=1, help="How far later positions of a game count.")] = 0.9,
    out: Out = None,
    into: Into = None,
    nice: Nice = 0,
) -> None:
    """Learn a small net that judges positions, from games of several players against each other.

    It needs numpy, and goes by torch where that is installed.
    """
    check_game(game)
    os.nice(nice)
    with one_line_errors():
        try:
            own = tuner(game, "tune_net")
            from fronte.ai import netfit
        except ModuleNotFoundError as error:
            fail(f"{error.name} is not installed; pip install 'fronte[study]' brings it")
        rows = []
        for row in own.gather([own.SelfPlay(game, scenario, seed + k) for k in range(games)], workers, out):
            rows.append(row)
            if len(rows) % 100 == 0:
                errors.print(f"{len(rows)} games")
        names, how = own.names_of(game, scenario), netfit.How(nets=nets, hidden=hidden, trace=trace)
        fitted, held = own.games_of([row for k, row in enumerate(rows) if k % 4]), own.games_of(rows[::4])
        errors.print(f"{len(rows)} games, every fourth not fitted; in those:")
        for name, one in (("the line", own.line_of(game, scenario)), ("the net", netfit.fit(fitted, names, how))):
            values = netfit.tell(one, fitted.signs), netfit.tell(one, held.signs)
            share, turns = netfit.explained(held, values[1]), netfit.foretold(fitted, held, *values)
            errors.print(f"{name} explains {100 * share:.1f} % of the variance of scores; turns and ends {turns:.3f}")
        made = f"fronte tune net {game}" + (f" --scenario {scenario}" if scenario else "")
        made += f" --games {games} --seed {seed} --hidden {hidden} --nets {nets} --trace {trace:g}"
        found = netfit.fit(own.games_of(rows), names, how, made)
    if into is None:
        print_json(msgspec.to_builtins(found))
    else:
        write_net(into, found)
        console.print(f"written to {into}")
