"""Steady's weights of both sides, tuned at once in games against others (`fronte tune surface isonzo`)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fronte.ai.inferno.steadfast import Steadfast
from fronte.ai.inferno.steady.weights import LATE, RAID, Weights, scaled, usual
from fronte.ai.seat import Player
from fronte.games.inferno.rules import Inferno


def names(rules: Inferno, seat: int) -> tuple[str, ...]:
    """The weights that count something for a side: only these are changed. What is a factor always does."""
    base = usual(rules)[seat]
    return tuple(name for name in base.__struct_fields__ if getattr(base, name) or name.startswith((LATE, RAID)))


def weights(rules: Inferno, seat: int, point: Sequence[float]) -> dict[str, float]:
    """The weights at a point; three digits are enough."""
    found = _weights(rules, seat, point)
    return {name: float(f"{getattr(found, name):.3g}") for name in names(rules, seat)}


def hand(rules: Inferno, seat: int, rng: Random, point: Sequence[float]) -> Player:
    """Who plays with the weights at a point."""
    return Steadfast(rng, {seat: _weights(rules, seat, point)})


def _weights(rules: Inferno, seat: int, point: Sequence[float]) -> Weights:
    base = usual(rules)[seat]
    changes = dict(zip(names(rules, seat), point, strict=True))
    return scaled(base, [changes.get(name, 0.0) for name in base.__struct_fields__])
