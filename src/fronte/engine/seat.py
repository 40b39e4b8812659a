"""One side of the table: a match as one seat may know it, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.card import Line
from fronte.engine.decision import Action, Decision, IllegalAction, Refusal
from fronte.engine.event import Event
from fronte.engine.outlook import Outlook
from fronte.engine.rules import Result, Rules
from fronte.engine.sheet import Sheet
from fronte.engine.view import View
from fronte.engine.whynot import Idle, WhyNot

if TYPE_CHECKING:
    from fronte.engine.match import Match


class Seat:
    """A seat's handle on a match. What it shows is the same for all states that the seat cannot tell apart."""

    def __init__(self, match: Match, name: str) -> None:
        self._match = match
        self.name = name

    @property
    def rules(self) -> Rules[Any]:
        """The printed matter, which is open to all."""
        return self._match.rules

    @property
    def view(self) -> View:
        """All that the seat may know now."""
        return self._match.view(self.name)

    @property
    def events(self) -> list[Event]:
        """What has happened, as far as the seat could see it."""
        return self._match.events_for(self.name)

    @property
    def result(self) -> Result | None:
        """The result once the match is over."""
        return self._match.result

    # What is owed

    @property
    def owes(self) -> bool:
        """Is it for this seat to decide?"""
        seat = self._match.seat
        return seat >= 0 and self.rules.seats[seat] == self.name

    @property
    def decision(self) -> Decision | None:
        """What is owed now; what it is about only if this seat owes it. None when the match is over."""
        decision = self._match.decision
        if decision is None or decision.seat == self.name:
            return decision
        return msgspec.structs.replace(decision, about={}, odds=(), whole=None)

    @property
    def kind(self) -> str:
        """The kind of the decision that this seat owes, which is quicker to tell; ValueError if it owes nothing."""
        if not self.owes:
            raise ValueError(f"{self.name} owes no decision now")
        kind: str = self._match.state.frames[-1].name
        return kind

    @property
    def offer(self) -> dict[str, Any]:
        """What is on offer; nothing if it is not for this seat to decide."""
        return self._match.offer if self.owes else {}

    def legal(self) -> Iterator[Action]:
        """Every legal action; none if it is not for this seat to decide."""
        return self._match.legal() if self.owes else iter(())

    def sample(self, rng: Random) -> Action:
        """One legal action at random; IllegalAction if it is not for this seat to decide."""
        self._must_owe()
        return self._match.sample(rng)

    def why_not(self, action: Action | Mapping[str, Any] | str) -> Refusal | None:
        """None if the action may be played."""
        return self._match.why_not(action, self.name)

    def odds(self, action: Action | Mapping[str, Any] | str) -> Sheet:
        """The exact odds of an action as far as the seat can know them."""
        self._must_owe()
        return self._match.odds(action, self.name)

    def why_not_there(self, piece: str, goal: str, along: Sequence[str] = ()) -> WhyNot | Refusal:
        """What stands between a piece of this seat and a hex, and what would help."""
        return self._match.why_not_there(self.name, piece, goal, along)

    def idle(self) -> Mapping[str, Idle]:
        """The pieces of this seat that can do nothing in the decision that it owes, and why."""
        return self._match.idle(self.name)

    def outlook(self) -> Outlook:
        """What can be foreseen of the next turn."""
        return self._match.outlook(self.name)

    def cautions(self, action: Action | Mapping[str, Any] | str) -> tuple[Line, ...]:
        """What one should think of before an action; IllegalAction if it may not be played."""
        return self._match.cautions(self.name, action)

    def imagine(self, rng: Random | None) -> Any:
        """A state that the seat cannot tell from the real one: what it may not know is drawn, or left out."""
        return self.rules.imagine(self._match.state, self.rules.seat_index(self.name), rng)

    # What is done

    def play(self, action: Action | Mapping[str, Any] | str, whole: bool = False) -> list[Event]:
        """Play an action; what came of it, as far as the seat sees it. `whole` lets a whole move pass."""
        before = len(self._match.events)
        self._match.play(action, self.name, whole=whole)
        return self._match.events_for(self.name, before)

    def order(self, kind: str, policy: str | None) -> list[Event]:
        """Give a standing order; what came of it, as far as the seat sees it."""
        before = len(self._match.events)
        self._match.order(self.name, kind, policy)
        return self._match.events_for(self.name, before)

    def can_undo(self) -> bool:
        """Can this seat take back its last action?"""
        return self._match.can_undo(self.name)

    def undo(self) -> bool:
        """Take it back."""
        return self.can_undo() and self._match.undo()

    def picture(self) -> str:
        """The board as this seat sees it, as SVG."""
        return self._match.picture(self.name)

    def _must_owe(self) -> None:
        if self.owes:
            return
        seat = self._match.seat
        if seat < 0:
            refusal = Refusal("", "over")
        else:
            refusal = Refusal("", "not_your_decision", {"owes": self.rules.seats[seat], "asks": self.name})
        raise IllegalAction(self.rules.told(refusal))
