"""`fronte simulate`: many games between two players, one line of JSON each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from typing import IO, Annotated, Any, NamedTuple

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import fronte
from fronte.ai import PLAYERS, Seat, check_player, player
from fronte.ai.arena import many
from fronte.cli.common import (
    Game,
    GameOptions,
    Packs,
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
from fronte.files import replacing


class Job(NamedTuple):
    """One game to play. Nothing else decides how it goes."""

    game: str
    scenario: str
    options: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    seed: int
    packs: tuple[Path, ...] = ()


def play_out(job: Job) -> dict[str, Any]:
    """Play a game to its end; what a row of the output holds."""
    match = fronte.new(job.game, job.scenario, job.seed, dict(job.options), job.packs)
    seats = match.rules.seats
    first = match.rules.public_view(match.state).stage.turn
    before = {seat: lost_pieces(match, seat) for seat in seats}
    hands = [
        (player(name, f"{job.seed} {seat}", game=job.game), Seat(match, seat))
        for name, seat in zip(job.players, seats, strict=True)
    ]
    while match.seat >= 0:
        decide, seat = hands[match.seat]
        match.play(decide(seat))
    result = match.result
    assert result is not None
    return {
        "seed": job.seed,
        "game": job.game,
        "scenario": match.rules.header.scenario,
        "options": match.rules.header.options,
        "players": dict(zip(seats, job.players, strict=True)),
        "level": result.level,
        "winner": result.winner,
        "score": result.score,
        "merits": {seat: match.rules.merit(result, number) for number, seat in enumerate(seats)},
        "turns": 1 + match.rules.public_view(match.state).stage.turn - first,
        "actions": len(match.entries),
        "losses": {seat: losses(match, seat, before[seat]) for seat in seats},
    }


def lost_pieces(match: fronte.Match, seat: str) -> set[str]:
    """The pieces of a seat that are out of play."""
    return {piece.id for piece in match.view(seat).own() if match.rules.is_lost(piece)}


def losses(match: fronte.Match, seat: str, before: set[str]) -> dict[str, int]:
    """What a seat has lost for good: pieces that were not out of play before, and steps of all its pieces."""
    own = match.view(seat).own()
    return {
        "units": len(lost_pieces(match, seat) - before),
        "steps": sum(match.rules.lost_steps(piece) for piece in own),
    }


def simulate(
    game: Game,
    players: Annotated[str, typer.Option(help=f"One player per seat, in their order: {', '.join(PLAYERS)}.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Seed = 0,
    workers: Workers = 1,
    scenario: Scenario = "",
    option: GameOptions = None,
    pack: Packs = None,
    out: Annotated[Path | None, typer.Option(help="Write one JSON line per game to this file.")] = None,
    as_json: SummaryAsJson = False,
) -> None:
    """Let players play many games. The same seeds give the same games whatever the number of workers."""
    check_game(game)
    names = tuple(name.strip() for name in players.split(","))
    options, packs = tuple(sorted(read_options(option or []).items())), tuple(pack or ())
    with one_line_errors():
        seats = fronte.ruleset(game, scenario, dict(options), packs).seats
        if len(names) != len(seats):
            fail(f"{game} has {len(seats)} seats ({', '.join(seats)}), but --players names {len(names)}")
        for name in names:
            check_player(name, game)
        jobs = [Job(game, scenario, options, names, seed + number, packs) for number in range(games)]
        rows = []
        with _opened(out) as file:
            for row in _played(jobs, workers):
                rows.append(row)
                if file is not None:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
    summary = summarise(rows)
    if as_json:
        print_json(summary)
    else:
        print_summary(summary)


@contextmanager
def _opened(out: Path | None) -> Iterator[IO[str] | None]:
    if out is None:
        yield None
    else:
        with replacing(out) as file:
            yield file


def _played(jobs: list[Job], workers: int) -> Iterator[dict[str, Any]]:
    """The games in the order of their seeds, with a bar on the screen."""
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*bar, console=errors, transient=True) as progress:
        task = progress.add_task("games", total=len(jobs))
        for row in _rows(jobs, workers):
            progress.advance(task)
            yield row


def _rows(jobs: list[Job], workers: int) -> Iterator[dict[str, Any]]:
    with many(workers) as run:
        yield from run(play_out, jobs)


def summarise(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What the games come to."""
    scores = [row["score"] for row in rows]
    seats = list(rows[0]["losses"])
    return {
        "game": rows[0]["game"],
        "scenario": rows[0]["scenario"],
        "players": rows[0]["players"],
        "games": len(rows),
        "seeds": [rows[0]["seed"], rows[-1]["seed"]],
        "levels": dict(sorted(Counter(row["level"] for row in rows).items())),
        "score": {"mean": _short(scores, mean), "median": median(scores), "min": min(scores), "max": max(scores)},
        "merits": {seat: _short((row["merits"][seat] for row in rows), mean) for seat in seats},
        "turns": _short((row["turns"] for row in rows), mean),
        "actions": _short((row["actions"] for row in rows), mean),
        "losses": {
            seat: {kind: _short((row["losses"][seat][kind] for row in rows), mean) for kind in ("units", "steps")}
            for seat in seats
        },
    }


def _short(values: Iterable[int], how: Any) -> float:
    return round(float(how(list(values))), 2)


def print_summary(summary: dict[str, Any]) -> None:
    """The summary for people."""
    who = ", ".join(f"{seat} {name}" for seat, name in summary["players"].items())
    console.print(f"[bold]{summary['games']} games[/] of {summary['game']}, {summary['scenario']}: {who}")
    table = Table(box=None, pad_edge=False, show_header=False)
    for level, count in summary["levels"].items():
        table.add_row(level, str(count), f"{100 * count / summary['games']:.1f} %")
    console.print(table)
    score = summary["score"]
    console.print(f"score: mean {score['mean']}, median {score['median']}, from {score['min']} to {score['max']}")
    merits = ", ".join(f"{seat} {merit}" for seat, merit in summary["merits"].items())
    console.print(f"worth on average: {merits}")
    console.print(f"a game has {summary['turns']} turns and {summary['actions']} actions")
    for seat, lost in summary["losses"].items():
        steps = f", {lost['steps']} steps" if lost["steps"] else ""
        console.print(f"{seat} loses {lost['units']} units{steps}")
