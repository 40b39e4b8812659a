"""What a player has before it: a match as one seat sees it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from fronte.engine.decision import Action, Decision, Refusal
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.rules import Rules


class Seat:
    """One side of the table. What it shows is the same for all states that the seat cannot tell apart."""

    def __init__(self, match: Match, name: str) -> None:
        self._match = match
        self.name = name

    @property
    def rules(self) -> Rules[Any]:
        """The printed matter, which is open to all."""
        return self._match.rules

    @property
    def view(self) -> dict[str, Any]:
        """All that the seat may know now."""
        return self._match.view(self.name)

    @property
    def events(self) -> list[Event]:
        """What has happened, as far as the seat could see it."""
        return self._match.events_for(self.name)

    @property
    def decision(self) -> Decision:
        """What the seat owes now; ValueError if it owes nothing."""
        decision = self._match.decision
        if decision is None or decision.seat != self.name:
            raise ValueError(f"{self.name} owes no decision now")
        return decision

    @property
    def kind(self) -> str:
        """The kind of that decision alone, which is quicker to tell."""
        if self._match.seat < 0 or self.rules.seats[self._match.seat] != self.name:
            raise ValueError(f"{self.name} owes no decision now")
        kind: str = self._match.state.frames[-1].name
        return kind

    def imagine(self, rng: Random | None) -> Any:
        """A state that the seat cannot tell from the real one: what it may not know is drawn, or left out."""
        return self.rules.imagine(self._match.state, self.rules.seat_index(self.name), rng)

    @property
    def offer(self) -> dict[str, Any]:
        """What is on offer."""
        return self._match.offer

    def legal(self) -> Iterator[Action]:
        """Every legal action."""
        return self._match.legal()

    def sample(self, rng: Random) -> Action:
        """One legal action at random."""
        return self._match.sample(rng)

    def why_not(self, action: Action) -> Refusal | None:
        """None if the action may be played."""
        return self._match.why_not(action, self.name)

    def odds(self, action: Action) -> dict[str, Any]:
        """The exact odds of an action as far as the seat can know them."""
        return self._match.odds(action, self.name)


Player = Callable[[Seat], Action]
"""A player answers the decision that its seat owes."""
