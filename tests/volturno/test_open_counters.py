"""8.6: hidden counters, and open ones by agreement: with those nothing differs between the two seats."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

import fronte


def bare(match: fronte.Match, seat: str) -> Any:
    """A view without whose it is: what a screen shared by two compares before it asks somebody to look away."""
    view = msgspec.to_builtins(match.view(seat))
    view.pop("seat")
    pieces = [msgspec.json.encode(dict(sorted(piece.items()))) for piece in view.pop("pieces")]
    return view, sorted(piece.replace(b'"mine":true,', b"") for piece in pieces)


def played(options: dict[str, str]) -> list[bool]:
    """Do both seats see the same, at every decision of a random game?"""
    match, rng = fronte.new("volturno", "short", 11, options), Random(11)
    same = []
    while match.result is None and len(same) < 250:
        one, other = (bare(match, seat) for seat in match.rules.seats)
        same.append(one == other)
        match.play(match.sample(rng))
    return same


def test_with_open_counters_both_always_see_the_same() -> None:
    assert all(played({"open_counters": "true"}))


def test_with_hidden_ones_they_do_not() -> None:
    assert not any(played({})[20:])
