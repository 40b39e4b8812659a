"""What steady asks of a game: the questions to which the Inferno games give different answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from fronte.games.inferno.ground import Edge
from fronte.games.inferno.state import State

if TYPE_CHECKING:
    from fronte.ai.inferno.steady.attack import Assault, Garrison
    from fronte.ai.inferno.steady.ground import Picture
    from fronte.ai.inferno.steady.move import Campaign
    from fronte.ai.inferno.steady.weights import Weights
    from fronte.ai.reasons import Answer

Small = Callable[["Picture", "Weights"], "Answer"]
"""Answers a small decision, which is the top frame of the picture's state."""


class Terms:
    """The terms of one game. What is here holds for a game that adds nothing of its own."""

    attacker: ClassVar[int]
    """The side that has ground to win."""
    tied: ClassVar[tuple[int, ...]] = (0,)
    """How far from what must not fall units are tied down, from one attempt at a plan to the next."""
    small: ClassVar[Mapping[str, Small]] = {}
    """The small decisions that only this game has."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    def goals(self) -> dict[int, int]:
        """The objectives, and what each is worth in victory points."""
        return dict(self.rules.objectives)

    def wanted(self, picture: Picture) -> int:
        """The objectives that are still to be won."""
        return picture.chart.goals & ~picture.ours

    def sudden(self, side: int) -> int:
        """Hexes that end the game in favour of a side as soon as a unit of its enters them."""
        return 0

    def spans(self, state: State, side: int) -> Sequence[int]:
        """The hexsides with pontoons of a side, which break when an enemy stands at an end."""
        return ()

    def may_end(self, state: State) -> bool:
        """May the game be over after this turn, so that points count which are held then?"""
        return False

    def settle(self, state: State) -> None:
        """Make a drawn state fit for planning."""

    def can_cross(self, assault: Assault, unit: int, origin: int, edge: Edge) -> bool:
        """Could this unit attack across this hexside, if it stood there?"""
        return True

    def flank(self, assault: Assault, held: Garrison, guns: bool) -> bool | None:
        """7.9: flanked or not whatever the position; None where the position decides."""
        return None

    def secure(self, campaign: Campaign) -> None:
        """Pin down what must not be left, before attacks are prepared."""

    def laid_open(self, campaign: Campaign) -> bool:
        """Does the plan lay open what must not fall?"""
        return False

    def post(self, campaign: Campaign, unit: int, h: int) -> float:
        """What else makes a place good for a unit."""
        return 0.0

    def finish(self, campaign: Campaign) -> None:
        """Moves of units that neither fight nor fire."""

    def gun_marks(self, picture: Picture) -> int:
        """Hexes that guns should have in range."""
        return picture.state.fight[picture.foe]
