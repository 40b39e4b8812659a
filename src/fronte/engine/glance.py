"""A glance at a match: the little of what every seat may know that a list shows of it (`Rules.glance`)."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from fronte.engine.view import View


class Glance(msgspec.Struct, frozen=True):
    """Where a match stands, who holds what, and who stands where."""

    turn: int
    phase: str
    active: str
    """The seat whose turn it is; empty where both act."""
    score: int | None
    """None where the game has no score."""
    control: dict[str, tuple[str, ...]]
    """The hexes that each force holds."""
    stands: dict[str, str]
    """By hex the force of the piece that a view names last of those there."""


def glance_of(seen: View, hexes: Container[str]) -> Glance:
    """The glance that a view gives of a board with these hexes."""
    score = next((track.value for track in seen.tracks if track.name == "score"), None)
    stands = {piece.at: piece.force for piece in seen.pieces if piece.at in hexes}
    return Glance(seen.stage.turn, seen.stage.phase, seen.stage.active, score, seen.control, stands)
