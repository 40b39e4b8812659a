"""Measure the machine players: games of steady, two workers against one, imagined states, the planner's playouts.

    .venv/bin/python benchmarks/ai.py [game ...] [--json]

Every registered game if none is named. Games and playouts are counted by the processor's time, the best of several
rounds, so that other work on the machine disturbs them little. Two workers against one are measured by the wall clock:
that means something on two idle cores only.
"""

from __future__ import annotations

from random import Random
from time import perf_counter, process_time
from typing import Any

from timing import asked_games, best, largest, moving, print_figures

from fronte.ai import Seat, player
from fronte.ai.arena import Bout, many, play_game

PLAYED = 12
ROUNDS = 3
SHARED = 80
"""Games that are divided among the workers."""
THOUGHTS = 6
"""Times that the planner thinks."""
BUDGET = "64p"
PLAYOUTS = 64


def steady_game(game: str, seed: int) -> None:
    """One game of steady against itself."""
    play_game(Bout(game, largest(game), (), ("steady", "steady"), seed), ("steady", "steady"))


def shared_game(job: tuple[str, int]) -> None:
    """The same for a worker."""
    steady_game(*job)


def steady_games(game: str) -> float:
    """Games a second on one core."""
    found = 0.0
    with many(1) as run:
        for _ in range(ROUNDS):
            began = process_time()
            list(run(shared_game, [(game, seed) for seed in range(PLAYED)]))
            found = max(found, PLAYED / (process_time() - began))
    return found


def shared_games(game: str, workers: int) -> float:
    """Games a second by the clock on so many processes, each of which has already played."""
    with many(workers) as run:
        list(run(shared_game, [(game, seed) for seed in range(4 * workers)]))
        began = perf_counter()
        list(run(shared_game, [(game, seed) for seed in range(SHARED)]))
        return SHARED / (perf_counter() - began)


def playouts(game: str) -> float:
    """The planner's playouts a second where a side moves, the making of the plans included."""
    match = moving(game)
    seat = Seat(match, match.rules.seats[match.seat])
    found = 0.0
    for thought in range(THOUGHTS):
        planner = player(f"planner:{BUDGET}", str(thought), game=game)
        began = process_time()
        planner(seat)
        found = max(found, PLAYOUTS / (process_time() - began))
    return found


def measure(game: str) -> dict[str, Any]:
    """All figures of a game."""
    match = moving(game)
    view = match.view(match.rules.seats[match.seat])
    rng = Random(1)
    steady_game(game, 0)
    alone, together = shared_games(game, 1), shared_games(game, 2)
    return {
        "steady against steady, games per second and core": round(steady_games(game), 2),
        "two workers against one, times": round(together / alone, 2),
        "resample from a view, milliseconds": round(best(lambda: match.rules.resample(view, rng), 50) * 1e3, 3),
        "imagine, milliseconds": round(best(lambda: match.rules.imagine(match.state, match.seat, rng), 50) * 1e3, 3),
        "planner, playouts per second": round(playouts(game), 1),
    }


if __name__ == "__main__":
    print_figures({game: measure(game) for game in asked_games()})
