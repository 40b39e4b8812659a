"""Games that a net learns from, in any family that brings a policy: many kinds of play against each other.

Each side is given one way to play for the whole game, and in some stretches does something else, so that positions are
met which it would not bring about. After every stretch the signs of the position are noted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np

import fronte
from fronte.ai.learning import SelfPlay
from fronte.ai.luck import Luck
from fronte.ai.netfit import Games
from fronte.ai.playout import Playout
from fronte.ai.policy import Policy

EXPLORING = 0.35
"""The share of stretches that are played with another intention."""


HANDS = ("first", "steady", "wild")
"""Ways to play a whole game: as the planner does without thinking, as steady, or with all weights changed."""


class Hand(NamedTuple):
    """A way to play: which of them it is, and what it means to do."""

    name: str
    intent: Any


def play(
    job: SelfPlay,
    policy_of: Callable[[Any], Policy[Any, Any]],
    signs: Callable[[Any, Any], Sequence[float]],
    hand: Callable[[Any, int, Random], Hand],
    other: Callable[[Any, int, Random], Any],
) -> dict[str, Any]:
    """A game: the signs after each stretch, who played, and what it was worth to each seat in the end.

    `signs`, `hand` (how a seat plays the game) and `other` (what it does in a stretch instead) are asked with the
    policy.
    """
    rng = Random(f"pool {job.seed}")
    match = fronte.new(job.game, job.scenario, job.seed)
    policy = policy_of(match.rules)
    seats = range(len(match.rules.seats))
    hands = [hand(policy, seat, rng) for seat in seats]
    usual = {seat: hands[seat].intent for seat in seats}
    playout = Playout(policy, match.state, usual, Luck("pool", job.seed))
    seen: list[list[float]] = []
    while True:
        playout.intents = {
            seat: other(policy, seat, rng) if rng.random() < EXPLORING else usual[seat] for seat in seats
        }
        playout.go_on(0, usual)
        if playout.over:
            break
        seen.append([round(x, 3) for x in signs(policy, playout.state)])
    result = match.rules.result(playout.state)
    assert result is not None
    merits = [match.rules.merit(result, seat) for seat in seats]
    return {"job": msgspec.to_builtins(job), "players": [one.name for one in hands], "merits": merits, "turns": seen}


def games_of(rows: Sequence[dict[str, Any]], seat: int) -> Games:
    """The games as a net learns from them, as a seat sees them, with who played them."""
    rows = [row for row in rows if row["turns"]]
    told = np.array([signs for row in rows for signs in row["turns"]])
    lengths = [len(row["turns"]) for row in rows]
    hands = np.array([[name == own for own in row["players"] for name in HANDS[1:]] for row in rows], dtype=float)
    return Games(
        told, np.repeat(hands, lengths, axis=0), lengths, np.array([float(row["merits"][seat]) for row in rows])
    )
