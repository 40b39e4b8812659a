"""How a game is played at two tables, each of which holds its own half: what a family says of that.

At whose table a step is carried out follows from whose secrets it reads, and that every game declares for each frame.
What one table tells the other, and how that is fitted into a half, is for the family (`fronte.mail.<family>`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Generic, TypeVar

from fronte.engine.event import Event
from fronte.engine.rules import Rules, State
from fronte.engine.view import View
from fronte.games.registry import FAMILIES, family_package
from fronte.mail.letter import MailError

S = TypeVar("S", bound=State)
SIDES = 2


class Halves(ABC, Generic[S]):
    """The games of a family at two tables."""

    def why_unfit(self, rules: Rules[S]) -> str:
        """Why a match with these options cannot be played at two tables; empty if it can."""
        return ""

    @abstractmethod
    def tell(self, rules: Rules[S], before: S, after: S, seat: int, ran: Sequence[str]) -> dict[str, Any]:
        """What the other side may know of what happened at this table between two states; `ran` are the steps taken."""

    @abstractmethod
    def hear(
        self, rules: Rules[S], mine: S, told: Mapping[str, Any], events: Sequence[Event], seat: int, rng: Random
    ) -> S:
        """The half that a side holds after it was told a turn; ValueError says what of it cannot be true."""

    def view(self, rules: Rules[S], state: S, seat: int, told: Mapping[str, Any]) -> View:
        """What a side knows that holds its half alone; `told` is what the other said last, if anything."""
        return rules.view(state, seat)


def halves_of(rules: Rules[Any]) -> Halves[Any]:
    """How this ruleset is played at two tables; MailError if it, or an option of it, cannot be."""
    game = rules.header.game
    own = family_package("fronte.mail", FAMILIES[game]) if rules.capabilities.by_file and game in FAMILIES else None
    if own is None or len(rules.seats) != SIDES:
        raise MailError(f"{game} cannot be played by file yet")
    found: Halves[Any] = own.HALVES
    why = found.why_unfit(rules)
    if why:
        raise MailError(f"this match cannot be played by file: {why}")
    return found


def other_side(seat: int) -> int:
    """The side across the table, of two."""
    return SIDES - 1 - seat
