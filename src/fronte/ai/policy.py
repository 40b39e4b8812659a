"""What a family brings so that the planner can look ahead in its games, and the core of that needs to know no family.

A decision is taken in one of three ways. PLANNED: a plan is made for a whole stretch of decisions (a player turn, an
activation) and carried out one by one. WEIGHED: its answers are played out and compared. PLAIN: it is answered at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from random import Random
from typing import Any, Generic, TypeVar

from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Action
from fronte.engine.rules import Rules, State

S = TypeVar("S", bound=State)
I = TypeVar("I")  # noqa: E741

PLANNED = "planned"
WEIGHED = "weighed"
PLAIN = "plain"


class Policy(ABC, Generic[S, I]):
    """How games are thought about under one ruleset. It keeps nothing of any match.

    What something is meant to come to is an intent, and only the family knows what that is: weights, a goal, a
    formation. States are imagined ones: they hold nothing that the seat may not know.
    """

    rules: Rules[S]
    named = 1
    """So many of the first intents are thought of in any case, if there are as many playouts."""
    far: Sequence[int] = (1, 0)
    """When the outlook of a plan is taken: at the end of its stretch and so many more, then again after so many; it is
    the average of all."""
    near: Sequence[int] = (1,)
    """The same for an answer that is weighed."""

    # Where the game stands

    @abstractmethod
    def way(self, state: S) -> str:
        """In which way the decision on top is taken."""

    @abstractmethod
    def stretch(self, state: S) -> Hashable:
        """What one plan is made for; it changes when the plan is over."""

    def phase(self, state: S) -> Hashable:
        """What one budget is given for: a stretch, or a part of it."""
        return self.stretch(state)

    def pace(self, state: S) -> float:
        """How many playouts of this phase take the time of one of a whole plan."""
        return 1.0

    def looks(self, state: S) -> Sequence[int]:
        """When the outlook of a plan that begins here is taken, as `far` says it."""
        return self.far

    def occasion(self, state: S) -> Hashable:
        """What the throw on top is for: whatever two plans have in common meets the same luck in both."""
        frame = state.frames[-1]
        return self.stretch(state), frame.name, frame.args

    def settle(self, state: S, seat: int) -> None:
        """Make a state that was just imagined fit for planning, in place."""

    # What may be done

    @abstractmethod
    def usual(self, seat: int) -> I:
        """What a seat is taken to mean where nothing else is known of it."""

    @abstractmethod
    def intents(self, state: S, seat: int, rng: Random) -> Iterator[I]:
        """What a stretch may be meant to come to, with or without end; what would be done without thinking first."""

    @abstractmethod
    def plan(self, state: S, seat: int, intent: I) -> list[Answer]:
        """The planned decisions that an intent leads to. The state is left as it is."""

    @abstractmethod
    def close(self, state: S, seat: int) -> Answer:
        """What ends the planned decisions of a stretch when all that was planned is done."""

    @abstractmethod
    def answer(self, state: S, seat: int, intent: I | None, is_allowed: Callable[[Action], bool]) -> Answer:
        """A decision that is not planned, at the table and without playouts; `intent` is that of the plan, if any.

        The state is left as it is. What is not allowed must not be answered: it is the real match that says so.
        """

    @abstractmethod
    def decide(self, state: S, seat: int, intent: I, rng: Random) -> Action:
        """A decision that is not planned, in a playout: quick, and legal in this state, which is left as it is."""

    # What it is worth

    @abstractmethod
    def value(self, state: S, seat: int) -> float:
        """What a seat may expect in the end (`Rules.merit`); where the game is over, what it has."""

    def why_planned(self, seat: int, intent: I, plans: int, tries: int, outlook: float) -> Reason:
        """Why a plan is the best of so many, for the player's own side."""
        return Reason("plan", {"plans": plans, "tries": tries}, secret=True)


def is_legal(rules: Rules[Any], state: Any, action: Action) -> bool:
    """May this be played in this state?"""
    frame = state.frames[-1]
    choice = rules.choices[frame.name]
    return isinstance(action, choice.verbs) and choice.why_not(rules, state, frame, action) is None
