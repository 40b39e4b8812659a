"""Count how often a side is asked for a reaction in Volturno, without and with standing orders, and how quick it is.

    .venv/bin/python benchmarks/reactions.py [games] [--json]

Games of the short scenario, 20 if no number is given: of steady against itself, and of somebody who goes straight for
the enemy (random play hardly meets him). An activation is the Action Phase of one formation; a question is a reaction
window that no standing order has answered. Windows that come one after the other are questions of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from timing import best, print_figures

import fronte
from fronte.ai import Seat, player
from fronte.engine.decision import Action
from fronte.games.volturno import reactions

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "volturno"))

from eager import eager, questions

ORDERS = ("", "usual", "usual; counter odds=60", "usual; hold")
KEPT = 300
"""Windows whose times are taken."""
MANY = 3
"""So many questions in an activation are too many."""


def steady(match: fronte.Match, seed: int) -> Callable[[fronte.Match, Random], Action]:
    """Steady on both sides."""
    hands = [player("steady", f"{seed}/{seat}", game="volturno") for seat in match.rules.seats]
    seats = [Seat(match, seat) for seat in match.rules.seats]
    return lambda match, rng: hands[match.seat](seats[match.seat])


def play(order: str, games: int, kept: list[Any], by_steady: bool) -> list[int]:
    """For each activation of so many games how often the other side was asked."""
    counts: list[int] = []
    for seed in range(games):
        match, seen = fronte.new("volturno", seed=seed, scenario="short"), []
        if order:
            for seat in match.rules.seats:
                match.order(seat, "react", order)
        counts += questions(match, Random(seed), seen, steady(match, seed) if by_steady else eager)
        kept += [(match.rules, state) for state in seen[: max(0, KEPT - len(kept))]]
    return counts


def times(kept: list[Any]) -> dict[str, Any]:
    """What windows cost: to find who may react, to list all they can do, to answer by a standing order."""
    usual = kept[0][0].standing["react"]["usual"].answer
    jobs = {
        "window found": lambda rules, state: reactions.watchers(rules, state, state.frames[-1]),
        "all reactions listed": lambda rules, state: list(rules.choices["react"].legal(rules, state, state.frames[-1])),
        "answered by a standing order": lambda rules, state: usual(rules, state, state.frames[-1], {"odds": 25}),
    }
    figures = {}
    for name, job in jobs.items():
        found = [best(lambda job=job, one=one: job(*one), 20) * 1e6 for one in kept]
        figures[f"{name}, microseconds: median"] = round(median(found), 1)
        figures[f"{name}, microseconds: worst of {len(kept)}"] = round(max(found), 1)
    return figures


def main() -> None:
    """All figures."""
    games = next((int(word) for word in sys.argv[1:] if word.isdigit()), 20)
    figures: dict[str, Any] = {}
    kept: list[Any] = []
    for who in ("steady", "eager"):
        for order in ORDERS:
            counts = play(order, games, kept, who == "steady")
            name = f"{who}, {order or 'no standing orders'}"
            figures[f"questions per activation: {name}"] = round(sum(counts) / len(counts), 2)
            figures[f"activations with {MANY} or more, percent: {name}"] = round(
                100 * sum(n >= MANY for n in counts) / len(counts), 1
            )
            figures[f"activations: {name}"] = len(counts)
    print_figures({"volturno": figures | times(kept)})


if __name__ == "__main__":
    main()
