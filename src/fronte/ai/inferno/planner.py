"""How the planner thinks about the Inferno games: plans of a player turn that steady works out under other intentions.

In the Movement Phase it makes a plan; in the Combat Phase it attacks as the plan meant to. What a position is worth at
the end of a playout is in `judge`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Any

from fronte.ai.inferno.guards import Sentry
from fronte.ai.inferno.intents import CHANGES, Intent, intents, plan, raiding, with_raids
from fronte.ai.inferno.judge import net_for, value
from fronte.ai.inferno.steady import policy
from fronte.ai.inferno.steady.games import known
from fronte.ai.inferno.steady.weights import FIRST, unthinking_of, usual, weights_of
from fronte.ai.nets import Net
from fronte.ai.planner import planning
from fronte.ai.policy import PLAIN, PLANNED, WEIGHED, Policy, spread
from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Action
from fronte.engine.rules import Rules
from fronte.games.inferno.movement import End, Going, Move, movers
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State

DOUBT = 0.5
"""By how many standard errors a plan has to be better than steady's own, where that raids and guards."""
GOALS = 2
"""Goals that a plan may concentrate on."""
QUICKER = 2.4
"""How many playouts of an attack or a small decision take the time of one of a whole plan, which looks further."""
COMPARED = ("refusal", "exchange", "demolition", "retreat")
"""Small decisions that are played out; attacks and advances are not, see docs/ai.md."""
ADVANCES = 3
"""Ways to advance that are tried by who is after a hex."""
FARTHEST = 7
"""From farther away nobody is thought of who could come next to a hex."""
WAYS = {"movement": PLANNED, **dict.fromkeys(COMPARED, WEIGHED)}


class InfernoPolicy(Policy[State, Intent]):
    """The Inferno games, thought about as steady and the raider do."""

    rules: Inferno
    named = 2 + len(CHANGES) + GOALS
    guesses = True
    steady_raids = True
    """Does steady itself raid?"""

    def __init__(self, rules: Inferno) -> None:
        self.rules = rules
        self.base = self.steady()
        """By side what steady means,"""
        self.first = self.unthinking()
        """and what the planner does where it does not think."""
        self.doubt = DOUBT if self.steady_raids else 0.0
        self.raids = {side: raiding(weights) for side, weights in weights_of(rules.header.game, file=FIRST).items()}
        self.net = self.judging()

    def steady(self) -> dict[int, Intent]:
        return {side: Intent("steady", weights, kind=Sentry) for side, weights in usual(self.rules).items()}

    def unthinking(self) -> dict[int, Intent]:
        own = unthinking_of(self.rules.header.game, self.rules.header.scenario)
        return {side: Intent("steady", weights, kind=Sentry) for side, weights in own.items()}

    def judging(self) -> Net | None:
        """The net that judges positions; None where a line of weights does."""
        return net_for(self.rules)

    def way(self, state: State) -> str:
        return WAYS.get(state.frames[-1].name, PLAIN)

    def stretch(self, state: State) -> Hashable:
        """A player turn."""
        return state.turn, state.active

    def phase(self, state: State) -> Hashable:
        return state.turn, state.active, state.phase

    def pace(self, state: State) -> float:
        return 1.0 if state.phase == "movement" else QUICKER

    def occasion(self, state: State) -> Hashable:
        """The turn, the throw, and the hex that is fought for."""
        frame, battle = state.frames[-1], state.battle
        return state.turn, state.active, frame.name, frame.args, -1 if battle is None else battle.target

    def settle(self, state: State, seat: int) -> None:
        policy.prepare(self.rules, state, seat)

    def usual(self, seat: int) -> Intent:
        return self.first[seat]

    def met(self, seat: int, number: int) -> Intent:
        """In every second playout both sides raid as the raider does; in the first too where steady does not raid."""
        return self.first[seat] if number % 2 != self.steady_raids else self.raids[seat]

    def intents(self, state: State, seat: int, rng: Random) -> Iterator[Intent]:
        """What is done without thinking comes first where it is better than the raider."""
        picture = policy.prepare(self.rules, state.copy(), seat)
        own = self.first[seat]
        found = with_raids(picture, own, GOALS, rng)
        return chain([own], (intent for intent in found if intent != own)) if self.steady_raids else found

    def plan(self, state: State, seat: int, intent: Intent) -> list[Answer]:
        return plan(self.rules, state, seat, intent)

    def close(self, state: State, seat: int) -> Answer:
        return Answer(End(), Reason("moved"))

    def answer(self, state: State, seat: int, intent: Intent | None, is_allowed: Callable[[Action], bool]) -> Answer:
        """The best attack by steady's judgement, with the weights of the intention; small decisions as steady would."""
        if state.frames[-1].name != "combat":
            return policy.small(self.rules, state, seat, self.first[seat].weights)
        picture = policy.prepare(self.rules, state.copy(), seat)
        meant = intent or self.first[seat]
        return policy.next_attack(picture, meant.weights, is_allowed, meant.kind)

    def decide(self, state: State, seat: int, intent: Intent, rng: Random) -> Action:
        return policy.decide(self.rules, state, seat, rng, intent.weights, intent.kind)

    def reply(self, state: State, seat: int) -> Action:
        return self.decide(state, seat, self.base[seat], Random(0))

    def errand(self, state: State) -> Hashable:
        """A player turn, without what both sides do at the end of the turn."""
        return state.turn, state.active, state.phase == "end"

    def pursuits(self, state: State, seat: int, target: int) -> Sequence[Action]:
        """The attack on the hex that is likeliest to win it; whoever can goes there when it is free."""
        kind = state.frames[-1].name
        if kind == "movement":
            return [End()]
        if kind == "combat":
            return [action for action, _ in policy.attacks_on(self.rules, state, seat, target)] or [End()]
        found = policy.small(self.rules, state, seat, self.base[seat].weights).action
        if kind == "advance" and state.battle is not None and state.battle.target == target:
            return [found, *spread(self.rules.choices[kind].listed(self.rules, state, state.frames[-1]), ADVANCES)]
        return [found]

    def promise(self, state: State, seat: int, target: int) -> float:
        """What steady reckons of its best attack on the hex, if it were made now."""
        return max((chance for _, chance in policy.attacks_on(self.rules, state, seat, target)), default=0.0)

    def approaches(self, state: State, seat: int, target: int) -> Iterator[Action]:
        """4: units that can go next to the hex, each by its cheapest way."""
        rules, ring = self.rules, self.rules.board.grid.ring[target]
        going = Going(rules, state, seat)
        for unit in movers(rules, state):
            if not rules.zoccer[unit] or rules.grid.distance(state.at[unit], target) > FARTHEST:
                continue
            for h, (_, way) in sorted(going.reach(unit).items()):
                if ring >> h & 1:
                    yield Move(rules.ids[unit], rules.hex_ids(way))

    def value(self, state: State, seat: int) -> float:
        return value(self.rules, state, seat, self.net)

    def purpose(self, intent: Intent) -> Reason:
        hexes = {"hex": self.rules.hex_id(intent.focus)} if intent.focus >= 0 else {}
        return Reason("purpose", {"intent": intent.name, **hexes}, secret=True)


class LinePolicy(InfernoPolicy):
    """As the planner thought before nets judged positions and steady raided: it is kept to be played against."""

    steady_raids = False

    def steady(self) -> dict[int, Intent]:
        return {
            side: Intent("steady", weights) for side, weights in weights_of(self.rules.header.game, file=FIRST).items()
        }

    def unthinking(self) -> dict[int, Intent]:
        return self.steady()

    def judging(self) -> Net | None:
        return None


class FirstPolicy(LinePolicy):
    """As the first planner thought, which knew no raids either."""

    named = len(CHANGES) + GOALS

    def met(self, seat: int, number: int) -> Intent:
        return self.base[seat]

    def intents(self, state: State, seat: int, rng: Random) -> Iterator[Intent]:
        picture = policy.prepare(self.rules, state.copy(), seat)
        return intents(picture, self.base[seat].weights, GOALS, rng)


@lru_cache(maxsize=32)
def policy_of(rules: Rules[Any]) -> InfernoPolicy:
    """The policy for a ruleset; ValueError if steady does not know its game."""
    return InfernoPolicy(known(rules))


@lru_cache(maxsize=32)
def first_policy_of(rules: Rules[Any]) -> InfernoPolicy:
    """The same of the first planner."""
    return FirstPolicy(known(rules))


@lru_cache(maxsize=32)
def line_policy_of(rules: Rules[Any]) -> InfernoPolicy:
    """The same of the planner without nets."""
    return LinePolicy(known(rules))


planner_player = planning(policy_of)
first_planner = planning(first_policy_of)
second_planner = planning(line_policy_of)
