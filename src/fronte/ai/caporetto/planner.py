"""How the planner thinks about Caporetto: plans of an action that steady works out under other intentions."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import exp
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from fronte.ai.budget import DEFAULT, Budget
from fronte.ai.budget import read_budget as read
from fronte.ai.caporetto import decide, lead, pursuit
from fronte.ai.caporetto.chart import TURN, Chart, chart_of
from fronte.ai.caporetto.distances import FAR
from fronte.ai.caporetto.judge import value
from fronte.ai.caporetto.picture import AHEAD, Picture
from fronte.ai.caporetto.weights import STEADY, Weights
from fronte.ai.planner import Planner, Thought
from fronte.ai.policy import PLAIN, PLANNED, WEIGHED, Policy
from fronte.ai.reasons import Answer, Reason
from fronte.ai.seat import Player
from fronte.engine.decision import Action
from fronte.engine.rules import Rules
from fronte.games.caporetto import actions, reactions
from fronte.games.caporetto.acting import Assault, Storm
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.scenarios import MAJORITY
from fronte.games.caporetto.state import State
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits

CHANGES: dict[str, Mapping[str, float]] = {
    "steady": {},
    "press": {"pull": 2.2, "take": 1.6, "gate": 1.5, "exposed": 0.5, "fresh": 0.4, "hold": 0.6},
    "bold": {"caution": 0.55, "least": 0.3, "exposed": 0.5, "tired": 0.5},
    "march": {"least": 1000.0},
    "careful": {"caution": 1.5, "least": 2.0, "exposed": 1.6, "shaken": 1.5},
    "hold": {"hold": 2.2, "block": 2.0, "least": 3.0, "pull": 0.4, "fresh": 1.5},
}
"""Factors on the first weights, or none at all; who marches assaults nobody."""
FILE = Path(__file__).parent / "data" / "weights.toml"
LAST: Mapping[str, float] = {
    **{"caution": 0.15, "least": 0.1, "exposed": 0.0, "shaken": 0.0, "fresh": 0.0, "tired": 0.1, "stay": 0.2},
    **{"supply": 0.1, "hungry": 0.0, "take": 1.5},
}
"""The same where no loss is dear: in the last turn of a short scenario, after which only places count."""
FIRST = "press"
AIM, ELSEWHERE, ALL = "aim", "elsewhere", "all"
"""One objective before all others; no assault where steady would make its first; and whatever it costs."""
SPARING = ("march", "careful", "hold")
"""Who has no other turn spares nobody."""
AIMS = 3
"""So many objectives are thought of."""
DRAWN = "drawn"
SPREAD = 0.5
"""How far the weights of an intention without a name lie from steady's, as the logarithm of a factor."""
WEIGHED_KINDS = ("react", "withdraw")
"""Reactions and withdrawals are played out; of the Italians, who have to choose the few that act, activations too."""
AFTER_MOVES = (5, 4)
PACE_OF_MOVES = 0.5
"""When the moves of a phase are looked at, in actions after it; and how many such playouts take the time of one."""
EDGE, LAST_EDGE = 0.1, 0.05
"""The points that something has to promise more than what steady would do: values tell little before the last turn."""
TRIED = 2
"""So many formations that might act are thought about beside the one that steady would take."""
REPLANS = 10
"""How often the rest of an action is planned anew."""
RATE = 20.0
"""Playouts to the second that the planner counts on: an action to its end, with all that answers it."""


class Intent(NamedTuple):
    """A name, and the factors on the weights of either side."""

    name: str
    factors: Mapping[str, float]
    focus: int = -1
    """An objective that is meant before all others."""
    spared: int = 0
    """Hexes that are not to be assaulted."""

    def weights(self, side: int) -> Weights:
        """The weights of a side under this intention."""
        usual = STEADY[side]
        return msgspec.structs.replace(usual, **{k: getattr(usual, k) * f for k, f in self.factors.items()})


USUAL = Intent("steady", {})


@cache
def first_of(scenario: str, side: str) -> Intent:
    """What the planner does without thinking: steady's weights with these factors (`data/weights.toml`), which beat
    steady in the scenarios that have any (docs/ai.md)."""
    factors = tomllib.loads(FILE.read_text(encoding="utf-8")).get(scenario, {}).get(side, {})
    return Intent(FIRST, factors) if factors else USUAL


def changed(name: str, first: Intent, factors: Mapping[str, float], focus: int = -1, spared: int = 0) -> Intent:
    """An intention with some weights of the first changed by factors."""
    own = first.factors
    return Intent(name, {**own, **{key: own.get(key, 1.0) * x for key, x in factors.items()}}, focus, spared)


def drawn(first: Intent, rng: Random) -> Intent:
    """An intention without a name: all weights changed."""
    return changed(DRAWN, first, {key: exp(rng.gauss(0.0, SPREAD)) for key in Weights.__struct_fields__})


class CaporettoPolicy(Policy[State, Intent]):
    """Caporetto, thought about as steady does. A plan is made for an action, or for the moves of a phase."""

    named = 8
    far = (0, 1)
    """At the end of the action, with the reaction to it, and after the one that follows."""
    near = (0,)

    bare = True
    fateful = decide.FATEFUL
    share, doubt = 0.5, 1.0
    """What it would not do without thinking has to be better for sure: an action changes less than its dice do."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.rules: Caporetto = chart.rules
        scenario = self.rules.header.scenario
        self.first = {side: first_of(scenario, name) for side, name in ((AHG, "ahg"), (ITALIAN, "italian"))}
        """By side what it does without thinking."""

    def way(self, state: State) -> str:
        kind = state.frames[-1].name
        if kind in decide.PLANNED:
            return PLANNED
        if kind in WEIGHED_KINDS or (kind == "activate" and self._side(state) == ITALIAN):
            return WEIGHED
        return PLAIN

    def _side(self, state: State) -> int:
        """The side for which the decision on top is taken."""
        return self.chart.sides[decide.force_of(self.chart.rules, state)]

    def stretch(self, state: State) -> Hashable:
        """All decisions up to the end of an action; in the other phases those of a phase."""
        moves = state.frames[-1].args if state.frames and state.frames[-1].name in ("move_guns", "move_others") else ()
        return state.turn, state.phase, state.done, moves

    def phase(self, state: State) -> Hashable:
        return state.turn, state.phase, state.done, state.formations, state.frames[-1].name in decide.PLANNED

    def occasion(self, state: State) -> Hashable:
        """A throw falls alike for the same hex in the same action."""
        frame = state.frames[-1]
        return state.turn, state.phase, state.done, frame.name, frame.args[:2]

    def looks(self, state: State) -> Sequence[int]:
        """What the moves of Italians who did not act are good for shows when the enemy acts again."""
        return AFTER_MOVES if self._are_far(state) else self.far

    def pace(self, state: State) -> float:
        return PACE_OF_MOVES if self._are_far(state) else 1.0

    def _are_far(self, state: State) -> bool:
        """Are moves looked at that only the enemy's next actions judge?"""
        return state.frames[-1].name == "move_others" and self._side(state) == ITALIAN

    def usual(self, seat: int) -> Intent:
        return self.first[self.side_of(seat)]

    def side_of(self, seat: int) -> int:
        """The side that a seat plays for."""
        return next(self.chart.sides[force] for force, own in enumerate(self.rules.scene.seat_of) if own == seat)

    def met(self, seat: int, number: int) -> Intent:
        """In every second playout both sides are steady."""
        return USUAL if number % 2 else self.usual(seat)

    def intents(self, state: State, seat: int, rng: Random) -> Iterator[Intent]:
        first = self.first[self._side(state)]
        yield first
        if state.frames[-1].name == "move_guns":
            return
        picture = decide.picture_of(self.chart, state.copy())
        goals = self._goals(picture)
        if goals:
            yield changed(AIM, first, {}, goals[0])
        target = self._first_target(self.plan(state, seat, first))
        if target:
            yield changed(ELSEWHERE, first, {}, -1, target)
        last = self._is_last(state)
        if last:
            yield changed(ALL, first, LAST)
        for goal in goals[1:]:
            yield changed(AIM, first, {}, goal)
        if first is not USUAL:
            yield USUAL
        for name, factors in CHANGES.items():
            if factors and name != first.name and not (last and name in SPARING):
                yield changed(name, first, factors)
        while True:
            yield drawn(first, rng)

    def _goals(self, picture: Picture) -> list[int]:
        """The objectives that matter most to who acts, the sooner he or the enemy can be there the more."""
        state, ways = picture.state, self.chart.ways_to
        if picture.side == ITALIAN:
            promise = {h: worth * AHEAD ** (picture.arrival[h] / TURN) for h, worth in picture.kept.items()}
        else:
            units = state.commanded if state.frames[-1].name == "act" else self.rules.of_force[picture.force]
            here = [state.at[unit] for unit in bits(units) if state.at[unit] >= 0]
            near = {h: min([ways(h)[one] for one in here], default=FAR) for h in picture.wanted}
            promise = {h: worth * AHEAD ** (near[h] / TURN) for h, worth in picture.wanted.items()}
        return sorted((h for h in promise if promise[h] > 0.01), key=lambda h: (-promise[h], h))[:AIMS]

    def _first_target(self, moves: Sequence[Answer]) -> int:
        """The hex of the first assault of a plan, as a set."""
        for answer in moves:
            if isinstance(answer.action, Assault | Storm):
                return 1 << self.rules.grid.index[answer.action.target]
        return 0

    def beyond(self, intent: Intent) -> Hashable:
        return intent.focus, intent.name in ("press", ALL)

    def weights(self, state: State, intent: Intent | None) -> Weights | None:
        """The weights of an intention for whoever decides, without one of the first; None: as steady has them."""
        side = self._side(state)
        meant = intent or self.first[side]
        return meant.weights(side) if meant.factors else None

    def _is_last(self, state: State) -> bool:
        """Is this the last turn of a short scenario, after which only places count?"""
        return self.rules.scene.victory == MAJORITY and state.turn == self.rules.scene.last_turn

    def plan(self, state: State, seat: int, intent: Intent) -> list[Answer]:
        return decide.plan(self.chart, state, self.weights(state, intent), intent.focus, intent.spared)

    def close(self, state: State, seat: int) -> Answer:
        return decide.close(self.chart, state)

    def answer(self, state: State, seat: int, intent: Intent | None, is_allowed: Callable[[Action], bool]) -> Answer:
        """As steady would; where the match does not allow it, the first thing that it allows."""
        found = decide.answer(self.chart, state, self.weights(state, intent))
        if is_allowed(found.action):
            return found
        frame = state.frames[-1]
        for action in self.rules.choices[frame.name].legal(self.rules, state, frame):
            if is_allowed(action):
                return Answer(action, Reason("other"))
        return found

    def others(self, state: State, seat: int, listed: Sequence[Action]) -> Sequence[Action]:
        """Nothing at all, and those who have most to do."""
        if state.frames[-1].name not in ("activate", "react"):
            return super().others(state, seat, listed)
        picture = decide.picture_of(self.chart, state)
        number = {one.id: k for k, one in enumerate(self.rules.formations)}
        first: dict[str, Action] = {}
        for one in listed:
            if isinstance(one, actions.Activate | reactions.React):
                first.setdefault(one.formation, one)
        chosen = sorted(first, key=lambda name: (-lead.urgency(picture, number[name]), name))[:TRIED]
        nothing = [one for one in listed if isinstance(one, actions.Pass | reactions.Decline)]
        return [*nothing, *(first[name] for name in chosen)]

    def decide(self, state: State, seat: int, intent: Intent, rng: Random) -> Action:
        return decide.answer(self.chart, state, self.weights(state, intent)).action

    def pursuits(self, state: State, seat: int, target: int) -> Sequence[Action]:
        return pursuit.next_actions(self.chart, state, target)

    def ventures(self, state: State, seat: int, target: int, rng: Random) -> Iterator[Sequence[Action]]:
        return pursuit.ventures(self.chart, state, target)

    def value(self, state: State, seat: int) -> float:
        return value(self.chart, state, seat)

    def edge(self, state: State) -> float:
        return LAST_EDGE if state.turn == self.rules.scene.last_turn else EDGE

    def purpose(self, intent: Intent) -> Reason:
        hexes = {"hex": self.rules.grid.ids[intent.focus]} if intent.focus >= 0 else {}
        return Reason("purpose", {"intent": intent.name, **hexes}, secret=True)


@lru_cache(maxsize=16)
def policy_of(rules: Rules[Any]) -> CaporettoPolicy:
    """The policy for a ruleset; ValueError if it is not one of Caporetto."""
    return CaporettoPolicy(chart_of(rules))


class ActionPlanner(Planner):
    """A planner that keeps to its intent and not to its moves: after an assault on the move it plans the rest anew."""

    stale = False

    def _next_move(self, thought: Thought[Any, Any]) -> Answer:
        policy, world = thought.policy, thought.worlds[0]
        if self.planned != thought.stretch:
            self.planned, self.replans, self.stale = thought.stretch, 0, False
            chosen, why = self._thinking(thought, 1.0, thought.best_plan)
            self.moves, self.intent = list(chosen.moves), chosen.intent
            if self.moves and why is not None:
                self.moves[0] = self.moves[0]._replace(why=why)
        while True:
            if self.stale:
                self.replans += 1
                self.moves, self.stale = policy.plan(world, thought.side, self.intent), False
            refused = False
            while self.moves:
                answer = self.moves.pop(0)
                if thought.is_allowed(answer.action):
                    self.stale = isinstance(answer.action, decide.FATEFUL) and self.replans < REPLANS
                    return answer
                refused = True  # something came in between: the others are told anew what to do
            if not refused or self.replans >= REPLANS:
                return policy.close(world, thought.side)
            self.stale = True


def read_budget(text: str) -> Budget:
    """A budget in playouts or seconds, at the rate of this game."""
    return read(text, RATE)


def planner_player(rng: Random, budget: str = DEFAULT, clock: Callable[[], float] = time.monotonic) -> Player:
    """A planner with a budget (`2s`, `200p`) that leaves to chance what this generator says."""
    return ActionPlanner(policy_of, rng, read_budget(budget), clock)
