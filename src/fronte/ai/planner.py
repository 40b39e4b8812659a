"""The planner: a player that looks ahead, in any game whose family brings a policy (`fronte.ai.policy`).

It imagines several whole states that fit what its seat sees, thinks of several plans, plays each out in them against
an enemy who goes by the same policy, and takes the plan with the best outlook. How long it thinks is its budget
(`budget`); which plans there are and what a position is worth at the end of a playout is for the policy to say.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from random import Random
from statistics import fmean
from typing import Any, Generic, NamedTuple, TypeVar

from fronte.ai.budget import DEFAULT, RATE, Budget, Meter, read_budget
from fronte.ai.luck import Luck
from fronte.ai.playout import Playout
from fronte.ai.policy import PLANNED, WEIGHED, I, Policy, S, is_legal, spread
from fronte.ai.reasons import Answer, Reason
from fronte.ai.search import Trial, best_of
from fronte.ai.seat import Maker, Player, Seat
from fronte.engine.decision import Action
from fronte.engine.rules import Rules

T = TypeVar("T")
PolicyOf = Callable[[Rules[Any]], Policy[Any, Any]]
"""The policy for a ruleset; ValueError if the family does not know its game."""

WORLDS = 8
"""At most so many imagined states for one decision."""
ENOUGH = 24
DRAWN_FOR = 4
"""Beyond that many playouts, one more plan is made for so many, beside those that are always thought of."""
MAKING = 0.25
"""The part of the time after which no more plans are made."""
MOST_LISTED = 64
REPLANS = 3
"""How often the moves of a plan are worked out anew after something unforeseen."""


class Plan(NamedTuple, Generic[I]):
    """An intent and the moves that it leads to."""

    intent: I
    moves: list[Answer]


def distinct(plans: list[Plan[I]], beyond: Callable[[Plan[I]], Hashable] = lambda plan: None) -> list[Plan[I]]:
    """The plans without those that come to the same moves as one before, and to the same beyond them."""
    seen: set[Hashable] = set()
    found = []
    for one in plans:
        key = tuple(answer.action for answer in one.moves), beyond(one)
        if key not in seen:
            seen.add(key)
            found.append(one)
    return found


class Planner:
    """The player: a callable that answers the decision of its seat."""

    def __init__(
        self, policy_of: PolicyOf, rng: Random, budget: Budget, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.policy_of = policy_of
        self.rng = rng
        self.meter = Meter(budget, clock)
        self.why = Reason("")
        """Why it answered as it did last."""
        self.moves: list[Answer] = []
        self.planned: Hashable = None
        self.intent: Any = None
        self.replans = 0
        self.compared: Sequence[Trial[Any]] = ()
        """What was tried for the last decision, the best first; nothing if it was answered at once."""

    def __call__(self, seat: Seat) -> Action:
        policy = self.policy_of(seat.rules)
        thought = Thought(self, seat, policy)
        self.compared = ()
        way = policy.way(thought.worlds[0])
        if way == PLANNED:
            answer = self._next_move(thought)
        elif way == WEIGHED:
            answer = self._thinking(thought, policy.share, thought.best_answer)
        else:
            answer = thought.answer(self.meant(thought))
        self.why = answer.why
        return answer.action

    def _thinking(self, thought: Thought[Any, Any], share: float, think: Callable[[], T]) -> T:
        """Think with a share of what is left of the phase's budget."""
        world = thought.worlds[0]
        self.meter.begin(thought.policy.phase(world), share, thought.policy.pace(world))
        found = think()
        self.meter.end()
        return found

    def _next_move(self, thought: Thought[Any, Any]) -> Answer:
        """The next move of the plan, which is made at the beginning of a stretch."""
        if self.planned != thought.stretch:
            self.planned, self.replans = thought.stretch, 0
            chosen, why = self._thinking(thought, 1.0, thought.best_plan)
            self.moves, self.intent = list(chosen.moves), chosen.intent
            if self.moves and why is not None:
                self.moves[0] = self.moves[0]._replace(why=why)
        while self.moves:
            answer = self.moves.pop(0)
            if thought.is_allowed(answer.action):
                return answer
            if self.replans < REPLANS:
                self.replans += 1
                self.moves = list(thought.policy.plan(thought.worlds[0], thought.side, self.intent))
        return thought.policy.close(thought.worlds[0], thought.side)

    def meant(self, thought: Thought[Any, Any]) -> Any:
        """The intent of the plan that was made for this stretch; None if none was."""
        return self.intent if self.planned == thought.stretch else None


class Thought(Generic[S, I]):
    """One decision being thought about: the worlds it is tried in, and the luck that all candidates share."""

    def __init__(self, planner: Planner, seat: Seat, policy: Policy[S, I]) -> None:
        self.planner, self.seat, self.policy = planner, seat, policy
        self.side = policy.rules.seat_index(seat.name)
        self.worlds = [self._imagined(None if policy.bare else planner.rng)]
        self.stretch = policy.stretch(self.worlds[0])
        self.lucks = str(planner.rng.random())

    def _imagined(self, rng: Random | None) -> S:
        """A whole state that fits what the seat sees; without a generator nothing hidden is drawn."""
        state: S = self.seat.imagine(rng)
        self.policy.settle(state, self.side)
        return state

    def world(self, number: int) -> S:
        """The imagined state for the trial with this number, to be changed at will."""
        place = number % WORLDS + (1 if self.policy.bare else 0)  # playouts are in states in which all is drawn
        while len(self.worlds) <= place:
            self.worlds.append(self._imagined(self.planner.rng))
        return self.worlds[place].copy()

    def is_allowed(self, action: Action) -> bool:
        """May this be played in the match?"""
        return self.seat.why_not(action) is None

    def met(self, number: int) -> dict[int, I]:
        """What each seat means in the playout with this number."""
        return {seat: self.policy.met(seat, number) for seat in range(len(self.policy.rules.seats))}

    def playout(self, number: int, intent: I) -> Playout[S, I]:
        """A playout that has not begun yet."""
        intents = {**self.met(number), self.side: intent}
        return Playout(self.policy, self.world(number), intents, Luck(self.lucks, number))

    def outlook(self, playout: Playout[S, I], looks: Sequence[int], number: int = 0) -> float:
        """Play on through the enemy's answer and look; again after each of these; what may be expected on average."""
        found, met = [], self.met(number)
        for stretches in looks:
            playout.go_on(stretches, met)
            found.append(self.policy.value(playout.state, self.side))
        return fmean(found)

    def best_plan(self) -> tuple[Plan[I], Reason | None]:
        """The plan with the best outlook for this stretch and what follows; and why, if any was tried."""
        policy, meter, world = self.policy, self.planner.meter, self.worlds[0]
        looks = policy.looks(world)
        plans: list[Plan[I]] = []
        most = min(meter.share, policy.named + max(0, meter.share - ENOUGH) // DRAWN_FOR)
        for intent in policy.intents(world, self.side, self.planner.rng):
            if plans and (len(plans) >= most or meter.past(MAKING)):
                break
            plans.append(Plan(intent, policy.plan(world, self.side, intent)))

        def beyond(plan: Plan[I]) -> Hashable:
            if not plan.moves or not isinstance(plan.moves[-1].action, policy.fateful):
                return None
            return policy.beyond(plan.intent)

        def judge(candidate: Plan[I], number: int) -> float:
            playout = self.playout(number, candidate.intent)
            playout.carry_out((answer.action for answer in candidate.moves), self.side)
            return self.outlook(playout, looks, number)

        ranked = best_of(distinct(plans, beyond), judge, meter, policy.doubt, policy.edge(world))
        best = ranked[0]
        if not best.tries:
            return best.candidate, None
        self.planner.compared = ranked
        return best.candidate, policy.why_planned(best.candidate.intent, len(ranked), meter.done)

    def answer(self, intent: I | None) -> Answer:
        """What is answered without playouts."""
        return self.policy.answer(self.worlds[0], self.side, intent, self.is_allowed)

    def best_answer(self) -> Answer:
        """What would be answered at once, or something else that looks better."""
        mine = self.answer(None)
        listed = [action for action, _ in zip(self.seat.legal(), range(MOST_LISTED), strict=False)]
        others = [action for action in self.policy.others(self.worlds[0], self.side, listed) if action != mine.action]
        other = Reason("plan_answer", {"answers": len(others) + 1})

        def judge(candidate: Answer, number: int) -> float:
            playout = self.playout(number, self.policy.met(self.side, number))
            if is_legal(self.policy.rules, playout.state, candidate.action):  # else the policy goes on in that world
                playout.act(candidate.action)
            return self.outlook(playout, self.policy.near, number)

        candidates = [mine, *(Answer(action, other) for action in others)]
        edge = self.policy.edge(self.worlds[0])
        ranked = best_of(candidates, judge, self.planner.meter, self.policy.doubt, edge)
        self.planner.compared = ranked if ranked[0].tries else ()
        return ranked[0].candidate


def planning(policy_of: PolicyOf, rate: float = RATE) -> Maker:
    """What makes planners that go by these policies; `rate` is how many playouts a second they can count on."""

    def make(rng: Random, budget: str = DEFAULT, clock: Callable[[], float] = time.monotonic) -> Player:
        """A planner with a budget (`2s`, `200p`) that leaves to chance what this generator says."""
        return Planner(policy_of, rng, read_budget(budget, rate), clock)

    return make


__all__ = ["Plan", "Planner", "Thought", "distinct", "planning", "read_budget", "spread"]
