"""What the planner does without thinking is tuned in games against steady (`fronte tune surface isonzo`)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fronte.ai.inferno.steadfast import Steadfast
from fronte.ai.inferno.steady.weights import LATE, RAID, Weights, scaled, weights_of
from fronte.ai.seat import Player


def names(game: str, seat: int) -> tuple[str, ...]:
    """The weights that count something for a side: only these are changed. What is a factor always does."""
    base = weights_of(game)[seat]
    return tuple(name for name in base.__struct_fields__ if getattr(base, name) or name.startswith((LATE, RAID)))


def weights(game: str, seat: int, point: Sequence[float]) -> dict[str, float]:
    """The weights at a point; three digits are enough."""
    found = _weights(game, seat, point)
    return {name: float(f"{getattr(found, name):.3g}") for name in names(game, seat)}


def hand(game: str, seat: int, rng: Random, point: Sequence[float]) -> Player:
    """Who plays with the weights at a point."""
    return Steadfast(rng, {seat: _weights(game, seat, point)})


def _weights(game: str, seat: int, point: Sequence[float]) -> Weights:
    base = weights_of(game)[seat]
    changes = dict(zip(names(game, seat), point, strict=True))
    return scaled(base, [changes.get(name, 0.0) for name in base.__struct_fields__])
