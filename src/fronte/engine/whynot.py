"""Why a piece cannot go to a hex or attack there: the best way, where it fails and by which rule, and what would help.

Rules answer this from what a seat may know alone. Obstacles are refusals as everywhere; what would help is a line whose
words are in the table `[help]`: under the key of the refusal that it lifts, or under a key of its own.
"""

from __future__ import annotations

import msgspec

from fronte.engine.card import Line
from fronte.engine.decision import Refusal

MOST_TOLD = 4
"""So many obstacles and helps are told of one question."""


class Obstacle(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing in the way: the rule and the reason, and where."""

    refusal: Refusal
    at: tuple[str, ...] = ()
    """A hex; two hexes for the hexside between them; none where it is the piece itself that cannot."""


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """What bars one part of it, in the order in which it is met, and what would help."""

    obstacles: tuple[Obstacle, ...] = ()
    helps: tuple[Line, ...] = ()
    single: bool = True
    """Any one of the helps is enough; else it takes all of them together."""


class WhyNot(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands between a piece and a hex."""

    piece: str
    hex: str
    path: tuple[str, ...] = ()
    """The best way, as if what bars it did not: the hexes to be entered."""
    gone: int = 0
    """So many of these hexes it can enter now."""
    own: Part = Part()
    """Why the piece does not move now at all, wherever to."""
    way: Part = Part()
    """What is in its way. Without obstacles here and above it can go there now."""
    attack: Part | None = None
    """Why it cannot attack that hex, or take part; None where there is nobody to be attacked."""

    @property
    def can_go(self) -> bool:
        """Is nothing in the way?"""
        return not self.own.obstacles and not self.way.obstacles


class Idle(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a piece can do nothing in the decision at hand."""

    refusal: Refusal
    quiet: bool = False
    """It goes without saying: it has done its part, or nobody is near. Screens tell it when they are asked."""
