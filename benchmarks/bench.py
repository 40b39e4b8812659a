"""Measure the program's speed: random play, copies, odds, legal moves, loading. One core, pure Python.

    .venv/bin/python benchmarks/bench.py [--json]

Each figure is the best of several rounds, so that other work on the machine disturbs it as little as possible.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

import fronte
from fronte.engine.save import take_snapshots
from fronte.games.registry import for_header

GAMES = 6
ROUNDS = 7


def random_game(seed: int) -> fronte.Match:
    """One game of random play to the end."""
    match = fronte.new("isonzo", seed=seed)
    rng = Random(seed)
    while match.state.frames:
        match.play(match.sample(rng))
    return match


def random_play() -> tuple[float, int]:
    """Actions a second in random play with all counters, every action checked and every event made."""
    began = perf_counter()
    actions = sum(len(random_game(seed).entries) for seed in range(GAMES))
    return actions / (perf_counter() - began), actions


def at_decision(kind: str) -> fronte.Match:
    """A match in mid-game where such a decision is owed."""
    match = fronte.new("isonzo", seed=1)
    rng = Random(1)
    while match.state.turn < 4 or match.state.frames[-1].name != kind:
        match.play(match.sample(rng))
    return match


def best(action: Callable[[], Any], times: int) -> float:
    """The least time of one call, over several rounds of many calls."""
    found = float("inf")
    for _ in range(ROUNDS):
        began = perf_counter()
        for _ in range(times):
            action()
        found = min(found, (perf_counter() - began) / times)
    return found


def legal_moves() -> tuple[float, int]:
    """All legal moves of the phasing side, at the beginning of its Movement Phase."""
    match = at_decision("movement")

    def moves() -> int:
        count = 0
        for action in match.legal():
            if action.__struct_config__.tag == "end":
                break
            count += 1
        return count

    return best(moves, 3), moves()


def attack_odds() -> float:
    """Exact odds of an attack."""
    match = at_decision("combat")
    attacks = [action for action, _ in zip(match.legal(), range(50), strict=False) if hasattr(action, "target")]
    attack = max(attacks, key=lambda action: len(action.units))
    return best(lambda: match.odds(attack), 50)


def loading() -> tuple[float, int]:
    """Loading the worst of many points of a finished game, with its snapshots."""
    match = random_game(3)
    text = match.save()
    snapshots = take_snapshots(text, for_header)
    points = range(0, len(match.entries) + 1, 37)
    return max(best(lambda at=at: fronte.load(text, at, snapshots), 1) for at in points), len(match.entries)


def measure() -> dict[str, Any]:
    """All figures."""
    random_game(0)
    speeds = [random_play() for _ in range(ROUNDS)]
    state = at_decision("movement").state
    moves, count = legal_moves()
    load, length = loading()
    return {
        "random play, actions per second": round(max(speed for speed, _ in speeds)),
        "actions per game": round(speeds[0][1] / GAMES),
        "copy of a state, microseconds": round(best(state.copy, 2000) * 1e6, 2),
        "exact odds of an attack, microseconds": round(attack_odds() * 1e6),
        "all legal moves of one side, milliseconds": round(moves * 1e3, 2),
        "legal moves listed": count,
        "loading any point of a finished game, worst, milliseconds": round(load * 1e3, 2),
        "actions in that game": length,
    }


def main() -> None:
    """Print the figures."""
    figures = measure()
    if "--json" in sys.argv:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        print(f"{name:60} {figure:>10,}")


if __name__ == "__main__":
    main()
