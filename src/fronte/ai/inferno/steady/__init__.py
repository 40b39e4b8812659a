"""Steady: a quick player for the Inferno games that goes by rules of thumb.

It sees what its seat sees. For each decision it draws a whole state that fits its view and plans in that; the terms it
judges by are in `posts` and `attack`, those of one game in `isonzo` and `altipiani`, what they are worth in `weights`.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from fronte.ai.inferno.steady import policy
from fronte.ai.inferno.steady.games import known
from fronte.ai.inferno.steady.ground import Supplied, supplied
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.inferno.steady.weights import Weights, usual
from fronte.ai.reasons import Answer, Reason
from fronte.ai.seat import Seat
from fronte.engine.decision import Action
from fronte.games.inferno.movement import End
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State

REPLANS = 3
"""How often a Movement Phase is planned anew after something unforeseen."""
NOTHING = Reason("")


class Steady:
    """The player: a callable that answers the decision of its seat."""

    kind: ClassVar[type[Campaign]] = Campaign
    """How it plans a Movement Phase, and by what it judges attacks, where its game says nothing else."""

    def __init__(self, rng: Random, weights: Mapping[int, Weights] | None = None) -> None:
        self.rng = rng
        self.weights = weights
        self.why = NOTHING
        """Why it answered as it did last."""
        self.moves: list[Answer] | None = None
        self.planned = 0
        self.attacked = -1
        self.enemy: Supplied | None = None
        """Where supply reaches the enemy, as it was when the Combat Phase of this turn began."""

    def __call__(self, seat: Seat) -> Action:
        kind = seat.kind
        answer = self._move(seat) if kind == "movement" else self._other(seat, kind)
        self.why = answer.why
        return answer.action

    def _weights(self, rules: Inferno, side: int) -> Weights:
        return (usual(rules) if self.weights is None else self.weights)[side]

    def _imagine(self, seat: Seat, drawn: bool = True) -> tuple[Inferno, State, int, Weights]:
        """A state that fits what the seat sees, with hidden units drawn or left out, and what is needed to plan."""
        rules = known(seat.rules)
        side = rules.seat_index(seat.name)
        return rules, seat.imagine(self.rng if drawn else None), side, self._weights(rules, side)

    def _move(self, seat: Seat) -> Answer:
        """The next move of the plan; a new plan if the old one has become impossible."""
        if self.moves is None:
            self.planned = 0
            self._plan(seat)
        assert self.moves is not None
        while self.moves:
            answer = self.moves.pop(0)
            if seat.why_not(answer.action) is None:
                return answer
            if self.planned < REPLANS:
                self._plan(seat)
        self.moves = None
        return Answer(End(), Reason("moved"))

    def _plan(self, seat: Seat) -> None:
        self.planned += 1
        rules, state, side, weights = self._imagine(seat)
        self.moves = policy.movement(rules, state, side, weights, self.kind)

    def _other(self, seat: Seat, kind: str) -> Answer:
        rules, state, side, weights = self._imagine(seat, drawn=kind == "combat")
        if kind != "combat":
            return policy.small(rules, state, side, weights)
        if self.attacked != state.turn or self.enemy is None:
            self.attacked, self.enemy = state.turn, supplied(rules, state, 1 - side)
        picture = policy.prepare(rules, state, side, self.enemy)
        return policy.next_attack(picture, weights, lambda action: seat.why_not(action) is None, self.kind)
