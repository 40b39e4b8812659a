"""What a family brings so that the planner can look ahead in its games, and the core of that needs to know no family.

A decision is taken in one of three ways. PLANNED: a plan is made for a whole stretch of decisions (a player turn, an
activation) and carried out one by one. WEIGHED: its answers are played out and compared. PLAIN: it is answered at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Generic, TypeVar

from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Action
from fronte.engine.rules import Result, Rules, State

S = TypeVar("S", bound=State)
I = TypeVar("I")  # noqa: E741

PLANNED = "planned"
WEIGHED = "weighed"
PLAIN = "plain"


ANSWERS = 4
"""Answers to a decision that are thought about beside the one that would be given at once."""
PLANS = 10
"""Plans that are thought of for an errand."""


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
    share = 0.1
    """The part of what is left of a phase's budget that an answer is worth."""
    doubt = 0.0
    """By how many standard errors something has to be better than what would be done without thinking."""
    bare = False
    """Nothing hidden is drawn for the first imagined state, in which plans are made: as steady plans in such games."""
    fateful: tuple[type[Action], ...] = ()
    """Actions of a plan whose dice change what was planned: what is left of it is then planned anew."""

    guesses = False
    """Can it guess the chance of an attack (`promise`)?"""

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

    def met(self, seat: int, number: int) -> I:
        """What a seat means in the playout with this number: an enemy may be of more than one kind."""
        return self.usual(seat)

    @abstractmethod
    def intents(self, state: S, seat: int, rng: Random) -> Iterator[I]:
        """What a stretch may be meant to come to, with or without end; what would be done without thinking first."""

    @abstractmethod
    def plan(self, state: S, seat: int, intent: I) -> list[Answer]:
        """The planned decisions that an intent leads to. The state is left as it is."""

    def unfold(self, state: S, seat: int, intent: I) -> Iterator[Answer]:
        """The same decisions one after the other, in a playout: where dice change what is left of a plan, a family may
        work out no more of it than is asked for. The state that is asked about may be changed meanwhile."""
        return iter(self.plan(state, seat, intent))

    def beyond(self, intent: I) -> Hashable:
        """What tells this intent from others once dice have fallen and the rest of a plan is planned anew."""
        return None

    @abstractmethod
    def close(self, state: S, seat: int) -> Answer:
        """What ends the planned decisions of a stretch when all that was planned is done."""

    @abstractmethod
    def answer(self, state: S, seat: int, intent: I | None, is_allowed: Callable[[Action], bool]) -> Answer:
        """A decision that is not planned, at the table and without playouts; `intent` is that of the plan, if any.

        The state is left as it is. What is not allowed must not be answered: it is the real match that says so.
        """

    def others(self, state: S, seat: int, listed: Sequence[Action]) -> Sequence[Action]:
        """Of the legal answers those that are weighed beside the one that would be given at once."""
        return spread(listed, ANSWERS)

    @abstractmethod
    def decide(self, state: S, seat: int, intent: I, rng: Random) -> Action:
        """A decision that is not planned, in a playout: quick, and legal in this state, which is left as it is."""

    # What a puzzle asks (`fronte.ai.puzzles`)

    def errand(self, state: S) -> Hashable:
        """What a goal is to be reached in: it changes when the errand is over. By default a stretch."""
        return self.stretch(state)

    def reply(self, state: S, seat: int) -> Action:
        """What the other side answers in a puzzle: as steady does, whatever planners learn."""
        return self.decide(state, seat, self.usual(seat), Random(0))

    def pursuits(self, state: S, seat: int, target: int) -> Sequence[Action]:
        """What is tried at a decision of one's own by who is after this hex, each as good as any.

        Nothing: whatever is still to be done in the errand can neither reach the hex nor lose it. By default what would
        be done anyhow: the next move of a plan, or its end.
        """
        if self.way(state) != PLANNED:
            return [self.reply(state, seat)]
        planned = [answer.action for answer in self.plan(state, seat, self.usual(seat))]
        return [next((move for move in planned if is_legal(self.rules, state, move)), self.close(state, seat).action)]

    def read_off(self, dice: tuple[int, ...]) -> Hashable:
        """What throws of the game read off the dice: falls that are alike in it come to the same."""
        return dice

    def ventures(self, state: S, seat: int, target: int, rng: Random) -> Iterator[Sequence[Action]]:
        """How lines towards a hex may begin, of a policy that makes no guesses. By default plans for the errand."""
        for intent in islice(self.intents(state, seat, rng), PLANS):
            yield [answer.action for answer in self.plan(state, seat, intent)]

    def promise(self, state: S, seat: int, target: int) -> float:
        """A quick guess of the chance to take a hex with what stands ready, of a policy that makes guesses."""
        return 0.0

    def approaches(self, state: S, seat: int, target: int) -> Iterator[Action]:
        """Moves that bring pieces next to a hex, of a policy that makes guesses."""
        return iter(())

    # What it is worth

    def edge(self, state: S) -> float:
        """What something has to promise more than what would be done without thinking, beside what `doubt` asks."""
        return 0.0

    @abstractmethod
    def value(self, state: S, seat: int) -> float:
        """What a seat may expect in the end (`Rules.merit`); where the game is over, what it has."""

    def score(self, seat: int, outlook: float) -> float:
        """What a seat expects as the score that the game counts, which may count for the other side."""
        return outlook * (self.rules.merit(Result("", 1, None, ()), seat) or 1)

    def purpose(self, intent: I) -> Reason | None:
        """What an intent is for, in a few words; None where it has no name."""
        return None

    def why_planned(self, intent: I, plans: int, tries: int) -> Reason:
        """Why a plan is the best of so many, for the player's own side.

        What it promises is not told: only playouts to the end say how a game will end (`ai.advice`).
        """
        data: dict[str, Any] = {"plans": plans, "tries": tries}
        purpose = self.purpose(intent)
        if purpose is None:
            return Reason("plan", data, secret=True)
        return Reason("plan_moves", data | {"purpose": purpose}, secret=True)


def is_legal(rules: Rules[Any], state: Any, action: Action) -> bool:
    """May this be played in this state?"""
    frame = state.frames[-1]
    choice = rules.choices[frame.name]
    return isinstance(action, choice.verbs) and choice.why_not(rules, state, frame, action) is None


def spread(actions: Sequence[Action], most: int) -> list[Action]:
    """So many of a list at most, evenly spread over it, the first and the last among them."""
    if len(actions) <= most:
        return list(actions)
    return [actions[round(k * (len(actions) - 1) / (most - 1))] for k in range(most)]
