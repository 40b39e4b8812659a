"""What each offer and each exact chance of a whole game takes when it is asked for once, as it is at a table.

Offers are made as a server makes them, in JSON.

    .venv/bin/python benchmarks/asked_once.py [game ...] [--scenario NAME] [--seed 3] [--usual] [--json]

Steady plays against itself in a process of its own, so that what is made at the first asking is counted. Python's
collector is as a server sets it and looks through memory in between, after sixty decisions; with `--usual` it is as
Python has it. Milliseconds of the processor, the worst five with the decision and the turn.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from contextlib import suppress
from statistics import median
from typing import Any

from timing import print_figures

import fronte
from fronte.ai import Seat, player
from fronte.games.registry import GAMES
from fronte.server.processes.collector import let_be, look_through

WORST = 5
EVERY = 60
"""Decisions between two looks through memory: as many as thirty tables answer in the two seconds between them."""


def play(game: str, scenario: str, seed: int, as_served: bool) -> dict[str, Any]:
    """The figures of one game."""
    match = fronte.new(game, scenario, seed)
    seats = [Seat(match, name) for name in match.rules.seats]
    players = [player("steady", f"{seed} {number}", game=game) for number in range(2)]
    offers, odds = list[tuple[float, str]](), list[tuple[float, str]]()
    if as_served:
        let_be()
    while match.seat >= 0:
        what = f"{match.decision.kind} on turn {match.state.turn}"
        offers.append((timed(match.offer_json), what))
        action = players[match.seat](seats[match.seat])
        with suppress(fronte.IllegalAction):  # it throws no dice
            odds.append((timed(lambda action=action: match.odds(action)), what))
        match.play(action)
        if as_served and len(offers) % EVERY == 0:
            look_through()
    return told("offer", offers) | told("odds", odds)


def timed(ask: Any) -> float:
    """Milliseconds of the processor."""
    begun = time.process_time()
    ask()
    return (time.process_time() - begun) * 1e3


def told(name: str, found: list[tuple[float, str]]) -> dict[str, Any]:
    """How many there were, the median and the worst."""
    worst = {
        f"{name}: {what}, no. {n}": spent for n, (spent, what) in enumerate(sorted(found, reverse=True)[:WORST], 1)
    }
    figures = {f"{name}: median": median(spent for spent, _ in found), **worst}
    return {f"{name}: asked": len(found)} | {what: round(spent, 2) for what, spent in figures.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="game", default=list(GAMES))
    parser.add_argument("--scenario", default="")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--usual", action="store_true")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if len(chosen.games) > 1:  # each in a process that knows nothing yet
        for game in chosen.games:
            rest = [one for one in sys.argv[1:] if one not in chosen.games]
            subprocess.run([sys.executable, __file__, game, *rest], check=True)
        return
    print_figures({chosen.games[0]: play(chosen.games[0], chosen.scenario, chosen.seed, not chosen.usual)})


if __name__ == "__main__":
    main()
