"""Small studies between random players, and the command that plays them."""

from __future__ import annotations

import sys
from pathlib import Path

import fronte
from fronte.ai import Seat, player
from fronte.study.plan import Plan

RANDOM = "random,random"
Studied = tuple[Plan, Path]


def command(*words: str) -> list[str]:
    """The command `fronte study` for this interpreter."""
    return [sys.executable, "-m", "fronte", "study", *words]


def tables(folder: Path) -> dict[str, bytes]:
    """The bytes of every table of a study."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def finished(game: str, seed: int) -> fronte.Match:
    """The match that a study records."""
    match = fronte.new(game, seed=seed)
    hands = [(player("random", f"{seed} {seat}"), Seat(match, seat)) for seat in match.rules.seats]
    while match.seat >= 0:
        decide, seat = hands[match.seat]
        match.play(decide(seat))
    return match
