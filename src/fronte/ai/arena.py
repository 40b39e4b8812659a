"""Strength, measured with paired games: each seed is played twice with the sides swapped, and the scores compared.

A pair's margin is the score that the first player makes on the side that scores, less what the second makes there.
Rows are kept in a file of JSON lines as they come, so that a run can be broken off and gone on with.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

import fronte
from fronte.ai import Seat, player
from fronte.ai.score import points, scorer

J = TypeVar("J")
R = TypeVar("R")

LEVEL_95 = 1.959963984540054
RESAMPLES = 2000


class Bout(NamedTuple):
    """One pair of games to play. Nothing else decides how they go, unless a clock cuts a player short."""

    game: str
    scenario: str
    options: tuple[tuple[str, str], ...]
    players: tuple[str, str]
    seed: int
    cpu: bool = False
    """Players with a clock go by the processor's time and not by the wall's: fair on a busy machine."""


def play_game(bout: Bout, players: Sequence[str]) -> dict[str, Any]:
    """A game to its end, one player for each seat: the score and what it took."""
    match = fronte.new(bout.game, bout.scenario, bout.seed, dict(bout.options))
    rules = match.rules
    clock = time.process_time if bout.cpu else time.monotonic
    hands = [player(name, f"{bout.seed} {seat}", clock) for name, seat in zip(players, rules.seats, strict=True)]
    seats = [Seat(match, seat) for seat in rules.seats]
    spent = [0.0] * len(seats)
    while match.seat >= 0:
        number = match.seat
        since = time.process_time()
        action = hands[number](seats[number])
        spent[number] += time.process_time() - since
        match.play(action)
    result = match.result
    assert result is not None
    return {
        "players": list(players),
        "score": points(rules, result),
        "level": result.level,
        "winner": result.winner,
        "turns": 1 + sum(event.kind == "turn" for event in match.events),
        "cpu": [round(seconds, 2) for seconds in spent],
    }


def play_pair(bout: Bout) -> dict[str, Any]:
    """Both games of a pair; the first player has the side that scores in the first of them."""
    rules = fronte.ruleset(bout.game, bout.scenario, dict(bout.options))
    side = scorer(rules)
    one, two = bout.players
    games = [
        play_game(bout, [mine if seat == side else other for seat in range(len(rules.seats))])
        for mine, other in ((one, two), (two, one))
    ]
    return {**key_of(bout), "margin": games[0]["score"] - games[1]["score"], "games": games}


def key_of(bout: Bout) -> dict[str, Any]:
    """What tells a pair from others in a file."""
    rules = fronte.ruleset(bout.game, bout.scenario, dict(bout.options))
    return {
        "game": bout.game,
        "scenario": rules.header.scenario,
        "options": dict(bout.options),
        "players": list(bout.players),
        "cpu": bout.cpu,
        "seed": bout.seed,
    }


def measure(bouts: Sequence[Bout], workers: int = 1, file: Path | None = None) -> Iterator[dict[str, Any]]:
    """All pairs in the order of the list. Those that the file already has are not played again; new ones go into it."""
    known = {_word(row): row for row in read_rows(file)} if file is not None else {}
    wanted = [bout for bout in bouts if _word(key_of(bout)) not in known]
    with many(workers) as run:
        played = iter(run(play_pair, wanted))
        for bout in bouts:
            row = known.get(_word(key_of(bout)))
            if row is None:
                row = next(played)
                add_row(file, row)
            yield row


@contextmanager
def many(workers: int) -> Iterator[Callable[[Callable[[J], R], Iterable[J]], Iterable[R]]]:
    """A `map` over so many processes, in order; over this one alone if one is enough."""
    if workers == 1:
        yield map
        return
    with get_context("spawn").Pool(workers) as pool:
        yield pool.imap


def add_row(file: Path | None, row: dict[str, Any]) -> None:
    """Keep a row, if there is a file for it."""
    if file is not None:
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_rows(file: Path) -> list[dict[str, Any]]:
    """The rows of a file; a last line that was cut off is passed over."""
    if not file.exists():
        return []
    rows = []
    for line in file.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            rows.append(json.loads(line))
    return rows


def _word(row: dict[str, Any]) -> str:
    names = ("game", "scenario", "options", "players", "cpu", "seed")
    return json.dumps([row[name] for name in names], sort_keys=True)


# What the pairs come to


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The interval of Wilson for a share, at 95 %."""
    if not games:
        return 0.0, 1.0
    z, share = LEVEL_95, wins / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    below = 1 + z * z / games
    return max(0.0, (middle - half) / below), min(1.0, (middle + half) / below)


def bootstrap(values: Sequence[float], how: Callable[[Iterable[float]], float] = fmean) -> tuple[float, float]:
    """The interval of a figure at 95 %, from samples drawn again from the values; the same for the same values."""
    rng = Random(len(values))
    drawn = sorted(how(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return drawn[round(0.025 * RESAMPLES)], drawn[round(0.975 * RESAMPLES) - 1]


def strength(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How often the first player beat the second, and by how much; even pairs count half."""
    margins = [row["margin"] for row in rows]
    won, even = sum(m > 0 for m in margins), sum(m == 0 for m in margins)
    first, second = rows[0]["players"]
    mine = [row["games"][0]["score"] for row in rows]
    other = [row["games"][1]["score"] for row in rows]
    return {
        "game": rows[0]["game"],
        "scenario": rows[0]["scenario"],
        "players": [first, second],
        "pairs": len(rows),
        "won": won,
        "even": even,
        "lost": len(rows) - won - even,
        "share": round(won / len(rows), 4),
        "share_95": [round(x, 4) for x in wilson(won, len(rows))],
        "margin": round(fmean(margins), 2),
        "margin_95": [round(x, 2) for x in bootstrap(margins)],
        "score_first": round(fmean(mine), 2),
        "score_second": round(fmean(other), 2),
        "cpu_per_game": [round(x, 2) for x in _cpu(rows)],
    }


def _cpu(rows: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """Seconds of the processor that each player took for a game."""
    first: list[float] = []
    second: list[float] = []
    for row in rows:
        for number, game in enumerate(row["games"]):
            mine = game["players"].index(row["players"][number])
            (first if number == 0 else second).append(game["cpu"][mine])
            (second if number == 0 else first).append(game["cpu"][1 - mine])
    return fmean(first), fmean(second)
