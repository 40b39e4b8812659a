"""How the planner thinks about Volturno: plans of an activation that steady works out under other intentions."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import exp
from random import Random
from typing import Any, NamedTuple

import msgspec

from fronte.ai.budget import DEFAULT, read_budget
from fronte.ai.planner import Planner, Thought
from fronte.ai.policy import PLAIN, PLANNED, Policy, is_legal
from fronte.ai.reasons import Answer, Reason
from fronte.ai.seat import Player
from fronte.ai.volturno import decide, small
from fronte.ai.volturno.chart import Chart, Picture, chart_of
from fronte.ai.volturno.judge import value
from fronte.ai.volturno.pursuit import Pursuit
from fronte.ai.volturno.steady import SECOND_THOUGHTS
from fronte.ai.volturno.weights import STEADY, Weights, planned
from fronte.engine.decision import Action
from fronte.engine.rules import Rules
from fronte.games.volturno import formations
from fronte.games.volturno.counters import FORMATIONS
from fronte.games.volturno.state import NOBODY, State

FIRST = "press"
"""What the planner does without thinking: the weights of `data/weights.toml`, which beat steady (docs/ai.md)."""
CHANGES: dict[str, Mapping[str, float]] = {
    "bold": {"caution": 0.6, "least_gain": 0.25, "exposed": 0.65},
    "careful": {"caution": 1.4, "least_gain": 2.0, "exposed": 1.5},
    "hold": {"hold": 2.0, "least_gain": 4.0, "pull": 0.4, "cover": 2.0, "rest": 1.5},
}
"""Factors on those weights."""
AIM = "aim"
AIMS = 2
"""So many other objectives are thought of to which the formation could go."""
DRAWN = "drawn"
SPREAD = 0.5
"""How far the weights of an intention without a name lie from the first, as the logarithm of a factor."""
TRIED = 3
"""So many formations that might be activated are thought about."""
WAYS = {"declare": PLANNED, "act": PLANNED}
PAIR = 2
REPLANS = 24
"""How often the rest of an activation is planned anew."""
RATE = 40.0
"""Playouts to the second that a common machine keeps, busy with other things too: 43 to 108 were measured there."""


class Intent(NamedTuple):
    """A name, and the weights that go with it."""

    name: str
    weights: Weights
    focus: int = -1
    """The objective that the formation is for; -1: as steady thinks."""


USUAL = Intent("steady", STEADY)


def changed(name: str, weights: Weights, factors: Mapping[str, float]) -> Intent:
    """An intent with some weights changed by factors."""
    found = {key: getattr(weights, key) * factor for key, factor in factors.items()}
    return Intent(name, msgspec.structs.replace(weights, **found))


def drawn(weights: Weights, rng: Random) -> Intent:
    """An intent without a name: all weights changed."""
    return changed(DRAWN, weights, {key: exp(rng.gauss(0.0, SPREAD)) for key in weights.__struct_fields__})


class VolturnoPolicy(Policy[State, Intent]):
    """Volturno, thought about as steady does. A plan is made for an activation."""

    named = 2 + len(CHANGES) + AIMS
    bare = True
    fateful = decide.FATEFUL
    doubt = 0.5
    """What it would not do without thinking has to be better for sure: an activation changes less than its dice do."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.rules = chart.rules
        weights = planned(chart.rules.header.scenario)
        self.first = [Intent(FIRST, weights[name]) for name in chart.rules.seats]
        """By seat what it does without thinking."""

    def way(self, state: State) -> str:
        return WAYS.get(state.frames[-1].name, PLAIN)

    def stretch(self, state: State) -> Hashable:
        """All attempts up to an activation, and that activation."""
        acting = 0 if state.formation == NOBODY else 1 << state.formation
        return state.turn, state.phase, state.activated & ~acting

    def phase(self, state: State) -> Hashable:
        return state.turn, state.phase, state.activated, state.formation

    def usual(self, seat: int) -> Intent:
        return self.first[seat]

    def met(self, seat: int, number: int) -> Intent:
        """In every second playout both sides are steady."""
        return USUAL if number % 2 else self.first[seat]

    def intents(self, state: State, seat: int, rng: Random) -> Iterator[Intent]:
        first = self.first[seat]
        yield first
        for goal in self._goals(state, seat):
            yield Intent(AIM, first.weights, goal)
        yield USUAL
        for name, factors in CHANGES.items():
            yield changed(name, first.weights, factors)
        while True:
            yield drawn(first.weights, rng)

    def _goals(self, state: State, seat: int) -> list[int]:
        """Where else the active formation could go."""
        if state.formation == NOBODY:
            return []
        picture = Picture(self.chart, state.copy(), seat, self.first[seat].weights)
        units = [unit for unit in self.chart.rules.members[state.formation] if state.at[unit] >= 0]
        worth = picture.worth_of_goals(state.formation, units)
        own = picture.goal(state.formation)
        return sorted((goal for goal in worth if goal != own), key=lambda goal: (-worth[goal], goal))[:AIMS]

    def plan(self, state: State, seat: int, intent: Intent) -> list[Answer]:
        return decide.plan(self.chart, state, seat, intent.weights, intent.focus)

    def unfold(self, state: State, seat: int, intent: Intent) -> Iterator[Answer]:
        return decide.unfold(self.chart, state, seat, intent.weights, intent.focus)

    def stage(self, state: State, seat: int, intent: Intent) -> tuple[list[Answer], bool]:
        """The next part of what an intent leads to, and whether it is the last."""
        return decide.stage(self.chart, state, seat, intent.weights, intent.focus)

    def close(self, state: State, seat: int) -> Answer:
        return decide.close(self.chart, state, seat, STEADY)

    def answer(self, state: State, seat: int, intent: Intent | None, is_allowed: Callable[[Action], bool]) -> Answer:
        """As the intention has it; where the match does not allow it, the first thing that it allows."""
        weights = (intent or self.first[seat]).weights
        found = decide.small(self.chart, state.copy(), seat, weights)
        if is_allowed(found.action):
            return found
        frame = state.frames[-1]
        for action in self.rules.choices[frame.name].legal(self.rules, state, frame):
            if is_allowed(action):
                return Answer(action, Reason("other"))
        return found

    def others(self, state: State, seat: int, listed: Sequence[Action]) -> Sequence[Action]:
        """Nobody at all, and those who have most to do."""
        if state.frames[-1].name != "activate":
            return super().others(state, seat, listed)
        weights = self.first[seat].weights
        picture = Picture(self.chart, state, seat, weights)
        ways = [one for one in listed if isinstance(one, formations.Attempt)]
        ways.sort(key=lambda one: -small.urgency(picture, weights, FORMATIONS.index(one.formation)))
        return [*ways[:TRIED], *(one for one in listed if isinstance(one, formations.Pass))]

    def decide(self, state: State, seat: int, intent: Intent, rng: Random) -> Action:
        found = decide.small(self.chart, state.copy(), seat, intent.weights).action
        assert is_legal(self.rules, state, found), found
        return found

    def reply(self, state: State, seat: int) -> Action:
        return self.decide(state, seat, USUAL, Random(0))

    def pursuits(self, state: State, seat: int, target: int) -> Sequence[Action]:
        """Fire at the hex, assaults on it, and the way into it; small decisions as they would be taken anyhow."""
        if self.way(state) != PLANNED:
            return [self.reply(state, seat)]
        return Pursuit(self.chart, state, seat, STEADY, target).actions()

    def read_off(self, dice: tuple[int, ...]) -> Hashable:
        """9.3, 11.2, 13.1: two dice are always added up."""
        return sum(dice) if len(dice) == PAIR else dice

    def ventures(self, state: State, seat: int, target: int, rng: Random) -> Iterator[Sequence[Action]]:
        return Pursuit(self.chart, state, seat, STEADY, target).ventures()

    def value(self, state: State, seat: int) -> float:
        return value(self.chart, state, seat)

    def purpose(self, intent: Intent) -> Reason:
        hexes = {"hex": self.rules.grid.ids[intent.focus]} if intent.focus >= 0 else {}
        return Reason("purpose", {"intent": intent.name, **hexes}, secret=True)


@lru_cache(maxsize=16)
def policy_of(rules: Rules[Any]) -> VolturnoPolicy:
    """The policy for a ruleset; ValueError if it is not one of Volturno."""
    return VolturnoPolicy(chart_of(rules))


class ActivationPlanner(Planner):
    """A planner that keeps to its intent and not to its moves: after dice have fallen it plans the rest anew."""

    stale = False
    last = False

    def _next_move(self, thought: Thought[Any, Any]) -> Answer:
        policy = thought.policy
        assert isinstance(policy, VolturnoPolicy)
        if self.planned != thought.stretch:
            self.planned, self.replans, self.last, self.stale = thought.stretch, 0, False, False
            chosen, why = self._thinking(thought, 1.0, thought.best_plan)
            self.intent = chosen.intent
            self.moves, self.last = policy.stage(thought.worlds[0], thought.side, chosen.intent)
            if self.moves and why is not None:
                self.moves[0] = self.moves[0]._replace(why=why)
        while self.replans < REPLANS:
            if self.stale or not self.moves:
                if self.last and not self.stale:
                    break
                self.replans += 1
                self.moves, self.last = policy.stage(thought.worlds[0], thought.side, self.intent)
                self.stale = False
            while self.moves:
                answer = self.moves.pop(0)
                if thought.is_allowed(answer.action):
                    self.stale = isinstance(answer.action, decide.FATEFUL)
                    return answer
                self.stale = self.last and self.replans < SECOND_THOUGHTS
                if not self.last:
                    self.moves = []
        self.moves = []
        return policy.close(thought.worlds[0], thought.side)


def planner_player(rng: Random, budget: str = DEFAULT, clock: Callable[[], float] = time.monotonic) -> Player:
    """A planner with a budget (`2s`, `200p`) that leaves to chance what this generator says."""
    return ActivationPlanner(policy_of, rng, read_budget(budget, RATE), clock)
