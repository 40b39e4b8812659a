"""What the benchmarks share: taking times, positions to take them in, and printing the figures."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import cache
from itertools import count
from random import Random
from time import process_time
from typing import Any

import fronte
from fronte.games.registry import GAMES, open_pack, ruleset

ROUNDS = 7
SETTLED = 3
"""Turns after the first one in which positions are looked at."""


def asked_games() -> list[str]:
    """The games named on the command line; all of them if none is."""
    named = [word for word in sys.argv[1:] if not word.startswith("-")]
    unknown = [name for name in named if name not in GAMES]
    if unknown:
        raise SystemExit(f"no game {unknown[0]!r}; the games are {', '.join(GAMES)}")
    return named or list(GAMES)


def best(action: Callable[[], Any], times: int) -> float:
    """The least time of one call, over several rounds of many calls."""
    found = float("inf")
    for _ in range(ROUNDS):
        began = process_time()
        for _ in range(times):
            action()
        found = min(found, (process_time() - began) / times)
    return found


@cache
def largest(game: str) -> str:
    """The scenario with the most pieces; the first of several."""
    names = [
        name
        for name, data in open_pack(game).toml("scenarios.toml").items()
        if isinstance(data, dict) and "title" in data
    ]
    if len(names) < 2:
        return ""
    return max(names, key=lambda name: len(ruleset(game, name).to_position(new_state(game, name))["units"]))


def new_state(game: str, scenario: str) -> Any:
    """How a scenario begins."""
    return fronte.new(game, scenario, seed=1).state


def at_decision(game: str, kind: str) -> fronte.Match:
    """A match in mid-game of random play where such a decision is owed; the first that lasts so long."""
    for seed in count(1):
        match = fronte.new(game, largest(game), seed=seed)
        rng = Random(seed)
        turn = match.state.turn + SETTLED
        while match.state.frames:
            if match.state.turn >= turn and match.state.frames[-1].name == kind:
                return match
            match.play(match.sample(rng))
    raise AssertionError("there is no end of seeds")


def moving(game: str) -> fronte.Match:
    """A match in mid-game in which a side moves: its Movement Phase, or the Action Phase of a formation."""
    kinds = ruleset(game, largest(game)).choices
    return at_decision(game, "movement" if "movement" in kinds else "act")


def print_figures(figures: Mapping[str, Mapping[str, Any]]) -> None:
    """All figures of each game, for people or, with `--json`, for programs."""
    if "--json" in sys.argv:
        print(json.dumps(figures))
        return
    for game, found in figures.items():
        print(game)
        for name, figure in found.items():
            print(f"  {name:60} {figure:>10,}")
