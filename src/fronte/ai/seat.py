"""What a player has before it: a match as one seat sees it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

from fronte.engine.decision import Action
from fronte.engine.seat import Seat

Player = Callable[[Seat], Action]
"""A player answers the decision that its seat owes."""

Maker = Callable[..., Player]
"""Makes a player with a generator of its own; one that takes a budget also with that and a clock."""

__all__ = ["Maker", "Player", "Seat"]
