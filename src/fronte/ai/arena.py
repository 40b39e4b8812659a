"""Strength, measured with paired games: each seed is played twice with the seats swapped, and the results compared.

What a result is worth to a seat is for the game to say (`Rules.merit`). A pair's margin is how much better the first
player did than the second, over both games and halved: in a game in which one wins what the other loses, the points
that the first made in one seat less what the second made there.
Rows are kept in a file of JSON lines as they come, so that a run can be broken off and gone on with.
"""

from __future__ import annotations

import gc
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

J = TypeVar("J")
R = TypeVar("R")

LEVEL_95 = 1.959963984540054
RESAMPLES = 2000
COLLECTED_AFTER = 50_000
"""So many new objects may wait until Python looks for cycles among them."""


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
    """A game to its end, one player for each seat: what it was worth to each and what it took."""
    match = fronte.new(bout.game, bout.scenario, bout.seed, dict(bout.options))
    rules = match.rules
    clock = time.process_time if bout.cpu else time.monotonic
    hands = [
        player(name, f"{bout.seed} {seat}", clock, bout.game) for name, seat in zip(players, rules.seats, strict=True)
    ]
    seats = [Seat(match, seat) for seat in rules.seats]
    spent = [0.0] * len(seats)
    first = rules.public_view(match.state).stage.turn
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
        "merits": [rules.merit(result, seat) for seat in range(len(rules.seats))],
        "score": result.score,
        "level": result.level,
        "winner": result.winner,
        "turns": 1 + rules.public_view(match.state).stage.turn - first,
        "cpu": [round(seconds, 2) for seconds in spent],
    }


def play_pair(bout: Bout) -> dict[str, Any]:
    """Both games of a pair; the first player has the first seat in the first of them."""
    seats = fronte.ruleset(bout.game, bout.scenario, dict(bout.options)).seats
    if len(seats) != 2:
        raise ValueError(f"a pair swaps two seats, but {bout.game} has {len(seats)}")
    games = [play_game(bout, players) for players in (bout.players, bout.players[::-1])]
    return {**key_of(bout), "seats": list(seats), "margin": margin_of(games), "games": games}


def margin_of(games: Sequence[dict[str, Any]]) -> float:
    """By how much the first player did better, over a game in the first seat and one in the second.

    It is a whole number where one wins what the other loses.
    """
    (first, other), (another, second) = (game["merits"] for game in games)
    twice: int = first - other + second - another
    return twice // 2 if twice % 2 == 0 else twice / 2


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


def mirrored(row: dict[str, Any]) -> dict[str, Any]:
    """The same pair as the second player would tell it: a game is the same whoever of the two is named first."""
    turned = {"players": row["players"][::-1], "margin": -row["margin"], "games": row["games"][::-1]}
    return {**row, **turned}


def measure(bouts: Sequence[Bout], workers: int = 1, file: Path | None = None) -> Iterator[dict[str, Any]]:
    """All pairs in the order of the list. Those that the file already has are not played again; new ones go into it.

    Whether the file names the one or the other of two players first makes no difference.
    """
    rows = read_rows(file) if file is not None else []
    rows = [row for row in rows if "seats" in row]  # older ones do not tell what each seat made of it
    known = {_word(row): row for row in (*map(mirrored, rows), *rows)}
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
        with seldom_collecting():
            yield map
        return
    with get_context("spawn").Pool(workers, collect_seldom) as pool:
        yield pool.imap


def collect_seldom() -> None:
    """Let Python look for cycles less often, in a process that does nothing but play games.

    They make much that lives for a moment and few cycles; looking as often as usual takes a tenth of the time.
    """
    gc.set_threshold(COLLECTED_AFTER, *gc.get_threshold()[1:])


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """The same for a while."""
    before = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*before)


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


def counted(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    """How many pairs there are, and how many the first player won and lost."""
    margins = [row["margin"] for row in rows]
    won, even = sum(m > 0 for m in margins), sum(m == 0 for m in margins)
    return {"pairs": len(rows), "won": won, "even": even, "lost": len(rows) - won - even}


def strength(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How often the first player beat the second, and by how much."""
    margins = [row["margin"] for row in rows]
    counts = counted(rows)
    won = counts["won"]
    first, second = rows[0]["players"]
    return {
        "game": rows[0]["game"],
        "scenario": rows[0]["scenario"],
        "players": [first, second],
        **counts,
        "share": round(won / len(rows), 4),
        "share_95": [round(x, 4) for x in wilson(won, len(rows))],
        "margin": round(fmean(margins), 2),
        "margin_95": [round(x, 2) for x in bootstrap(margins)],
        "merits": _merits(rows),
        "cpu_per_game": [round(x, 2) for x in processor(rows)],
    }


def _merits(rows: Sequence[dict[str, Any]]) -> dict[str, list[float]]:
    """For each seat what both players made of it, in points of the game."""
    found = {}
    for number, seat in enumerate(rows[0]["seats"]):
        # the first player has the first seat in the first game and the second in the second
        means = [fmean(row["games"][which]["merits"][number] for row in rows) for which in (number, 1 - number)]
        found[seat] = [round(mean, 2) for mean in means]
    return found


def processor(rows: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """Seconds of the processor that each player took for a game."""
    first = [game["cpu"][number] for row in rows for number, game in enumerate(row["games"])]
    second = [game["cpu"][1 - number] for row in rows for number, game in enumerate(row["games"])]
    return fmean(first), fmean(second)
