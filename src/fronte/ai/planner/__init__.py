"""The planner: a player that looks ahead.

It imagines several whole states that fit what its seat sees, thinks of several plans for the player turn, plays each
out in them against a steady enemy, and takes the plan with the best outlook. In the Combat Phase it attacks as the plan
meant to. How long it thinks is its budget (`budget`); what a position is worth at the end of a playout is in `value`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean
from typing import TypeVar

from fronte.ai.planner.budget import DEFAULT, Budget, Meter, read_budget
from fronte.ai.planner.intents import CHANGES, Intent, Plan, distinct, intents, plan
from fronte.ai.planner.playout import Luck, Playout
from fronte.ai.planner.search import best_of
from fronte.ai.planner.value import value
from fronte.ai.seat import Player, Seat
from fronte.ai.steady import policy
from fronte.ai.steady.reasons import Answer, Reason
from fronte.ai.steady.weights import Weights, weights_of
from fronte.engine.decision import Action
from fronte.games.inferno.movement import End
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State

T = TypeVar("T")

WORLDS = 8
"""At most so many imagined states for one decision."""
GOALS = 2
"""Goals that a plan may concentrate on."""
NAMED = len(CHANGES) + GOALS
ENOUGH = 24
DRAWN_FOR = 4
"""Beyond that many playouts, one more plan is drawn for so many, beside those whose intention has a name."""
MAKING = 0.25
"""The part of the time after which no more plans are made."""
SMALL_SHARE = 0.1
WEIGHED = ("refusal", "exchange", "demolition", "retreat")
"""Small decisions that are played out; attacks and advances are not, see docs/ai.md."""
ANSWERS = 4
"""Answers to such a decision that are thought about beside steady's."""
MOST_LISTED = 64
REPLANS = 3
"""How often the moves of a phase are worked out anew after something unforeseen."""


class Planner:
    """The player: a callable that answers the decision of its seat."""

    def __init__(self, rng: Random, budget: Budget, clock: Callable[[], float] = time.monotonic) -> None:
        self.rng = rng
        self.meter = Meter(budget, clock)
        self.why = Reason("")
        """Why it answered as it did last."""
        self.moves: list[Answer] = []
        self.planned: object = None
        self.intent: Intent | None = None
        self.replans = 0

    def __call__(self, seat: Seat) -> Action:
        rules = seat.rules
        if not isinstance(rules, Inferno):
            raise ValueError(f"planner does not know {rules.header.game}")
        kind = seat.kind
        thought = Thought(self, seat, rules)
        if kind == "movement":
            answer = self._movement(thought)
        elif kind == "combat":
            answer = thought.next_attack(self._weights(thought))
        elif kind in WEIGHED:
            answer = self._thinking(thought, SMALL_SHARE, thought.best_answer)
        else:
            answer = thought.steady_answer()
        self.why = answer.why
        return answer.action

    def _thinking(self, thought: Thought, share: float, think: Callable[[], T]) -> T:
        """Think with a share of what is left of the phase's budget."""
        phase = thought.worlds[0].phase
        self.meter.begin((*thought.turn, phase), share, quick=phase != "movement")
        found = think()
        self.meter.end()
        return found

    def _movement(self, thought: Thought) -> Answer:
        """The next move of the plan, which is made at the beginning of the phase."""
        if self.planned != thought.turn:
            self.planned, self.replans = thought.turn, 0
            chosen, why = self._thinking(thought, 1.0, thought.best_plan)
            self.moves, self.intent = list(chosen.moves), chosen.intent
            if self.moves and why is not None:
                self.moves[0] = self.moves[0]._replace(why=why)
        while self.moves:
            answer = self.moves.pop(0)
            if thought.seat.why_not(answer.action) is None:
                return answer
            if self.replans < REPLANS and self.intent is not None:
                self.replans += 1
                self.moves = list(plan(thought.rules, thought.worlds[0], thought.side, self.intent).moves)
        return Answer(End(), Reason("moved"))

    def _weights(self, thought: Thought) -> Weights:
        """Those of the plan that was made for this player turn."""
        if self.intent is not None and self.planned == thought.turn:
            return self.intent.weights
        return thought.base[thought.side]


class Thought:
    """One decision being thought about: the worlds it is tried in, and the luck that all candidates share."""

    def __init__(self, planner: Planner, seat: Seat, rules: Inferno) -> None:
        self.planner, self.seat, self.rules = planner, seat, rules
        self.side = rules.seat_index(seat.name)
        self.base = weights_of(rules.header.game)
        self.worlds = [self._imagined()]
        self.turn = self.worlds[0].turn, self.worlds[0].active
        self.lucks = str(planner.rng.random())

    def _imagined(self) -> State:
        """A whole state that fits what the seat sees."""
        state: State = self.seat.imagine(self.planner.rng)
        policy.prepare(self.rules, state, self.side)
        return state

    def world(self, number: int) -> State:
        """The imagined state for the trial with this number, to be changed at will."""
        number %= WORLDS
        while len(self.worlds) <= number:
            self.worlds.append(self._imagined())
        return self.worlds[number].copy()

    def playout(self, number: int, weights: Weights) -> Playout:
        """A playout that has not begun yet."""
        return Playout(self.rules, self.world(number), {**self.base, self.side: weights}, Luck(self.lucks, number))

    def outlook(self, playout: Playout, further: bool = False) -> float:
        """Play on through the enemy's answer; what may be expected then.

        Further: one's own next turn follows, and the average of both looks counts (docs/ai.md).
        """
        playout.go_on(1, self.base)
        looks = [value(self.rules, playout.state, self.side)]
        if further:
            playout.go_on(0, self.base)
            looks.append(value(self.rules, playout.state, self.side))
        return fmean(looks)

    # A Movement Phase

    def best_plan(self) -> tuple[Plan, Reason | None]:
        """The plan of moves with the best outlook for this player turn and what follows; and why, if any was tried."""
        meter = self.planner.meter
        picture = policy.prepare(self.rules, self.worlds[0].copy(), self.side)
        plans: list[Plan] = []
        most = min(meter.share, NAMED + max(0, meter.share - ENOUGH) // DRAWN_FOR)
        for intent in intents(picture, self.base[self.side], GOALS, self.planner.rng):
            if plans and (len(plans) >= most or meter.past(MAKING)):
                break
            plans.append(plan(self.rules, self.worlds[0], self.side, intent))

        def judge(candidate: Plan, number: int) -> float:
            playout = self.playout(number, candidate.intent.weights)
            playout.carry_out(answer.action for answer in candidate.moves)
            return self.outlook(playout, further=True)

        ranked = best_of(distinct(plans), judge, meter)
        best = ranked[0]
        if not best.tries:
            return best.candidate, None
        intent = best.candidate.intent
        data = {"plans": len(ranked), "tries": meter.done, "intent": intent.name, "score": self._score(best.mean)}
        if intent.focus >= 0:
            data["hex"] = self.rules.hex_id(intent.focus)
        return best.candidate, Reason("plan_moves", data, secret=True)

    def _score(self, outlook: float) -> int:
        """An outlook of this side as a score of the game."""
        return round(outlook if self.side == self.rules.scorer else -outlook)

    # A Combat Phase

    def next_attack(self, weights: Weights) -> Answer:
        """What the plan comes to: the best attack by steady's judgement, with the weights of the intention."""
        picture = policy.prepare(self.rules, self.worlds[0].copy(), self.side)
        return policy.next_attack(picture, weights, lambda action: self.seat.why_not(action) is None)

    # Small decisions

    def steady_answer(self) -> Answer:
        """What steady would do."""
        return policy.small(self.rules, self.worlds[0], self.side, self.base[self.side])

    def best_answer(self) -> Answer:
        """Steady's answer, or another that looks better."""
        mine = self.steady_answer()
        listed = [action for action, _ in zip(self.seat.legal(), range(MOST_LISTED), strict=False)]
        others = [action for action in spread(listed, ANSWERS) if action != mine.action]
        other = Reason("plan_answer", {"answers": len(others) + 1})

        def judge(candidate: Answer, number: int) -> float:
            playout = self.playout(number, self.base[self.side])
            if policy.is_legal(self.rules, playout.state, candidate.action):  # else steady goes on in that world
                playout.act(candidate.action)
            return self.outlook(playout)

        return best_of([mine, *(Answer(action, other) for action in others)], judge, self.planner.meter)[0].candidate


def spread(actions: Sequence[Action], most: int) -> list[Action]:
    """So many of a list at most, evenly spread over it, the first and the last among them."""
    if len(actions) <= most:
        return list(actions)
    return [actions[round(k * (len(actions) - 1) / (most - 1))] for k in range(most)]


def planner_player(rng: Random, budget: str = DEFAULT, clock: Callable[[], float] = time.monotonic) -> Player:
    """A planner with a budget (`2s`, `200p`) that leaves to chance what this generator says."""
    return Planner(rng, read_budget(budget), clock)


__all__ = ["Planner", "planner_player", "read_budget"]
