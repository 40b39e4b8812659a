"""Steady: a quick player for Caporetto that goes by rules of thumb and weighs every assault by its exact odds.

It sees what its seat sees: for each decision it takes a whole state that fits its view. The moves of an action are
planned as a whole, and anew after an assault on the move or when something has stopped somebody on his way.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random
from typing import Any

import msgspec

from fronte.ai.caporetto import decide
from fronte.ai.caporetto.chart import chart_of
from fronte.ai.caporetto.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.ai.seat import Player, Seat
from fronte.engine.decision import Action

REPLANS = 10
"""How often the moves of an action, or of a phase, are planned."""


class Steady:
    """The player: a callable that answers the decision of its seat."""

    def __init__(self, rng: Random, factors: Mapping[str, float] | None = None) -> None:
        self.rng = rng
        self.factors = factors or {}
        """What some of steady's weights are multiplied by, for players of another kind."""
        self.why = Reason("")
        """Why it answered as it did last."""
        self.moves: list[Answer] = []
        self.stretch: Hashable = None
        self.plans = 0
        self.stale = False

    def __call__(self, seat: Seat) -> Action:
        answer = self._next(seat) if seat.kind in decide.PLANNED else self._answer(seat)
        self.why = answer.why
        return answer.action

    def _weights(self, seat: Seat, state: Any) -> Weights | None:
        """The weights of who decides in this state; None: as steady has them."""
        if not self.factors:
            return None
        usual = decide.weights_of(decide.picture_of(chart_of(seat.rules), state))
        return msgspec.structs.replace(usual, **{key: getattr(usual, key) * x for key, x in self.factors.items()})

    def _answer(self, seat: Seat) -> Answer:
        state = seat.imagine(None)
        answer = decide.answer(chart_of(seat.rules), state, self._weights(seat, state))
        if seat.why_not(answer.action) is None:
            return answer
        return Answer(next(iter(seat.legal())), Reason("other"))  # it is the real match that says what is allowed

    def _next(self, seat: Seat) -> Answer:
        """The next move of the plan, as far as it can be made."""
        state = seat.imagine(None)
        now = _stretch(state)
        if now != self.stretch:
            self.stretch, self.plans, self.moves, self.stale = now, 0, [], True
        while True:
            if self.stale and not self.moves and self.plans < REPLANS:
                self.plans += 1
                weights = self._weights(seat, state)
                self.moves, self.stale = decide.plan(chart_of(seat.rules), state, weights), False
            while self.moves:
                answer = self.moves.pop(0)
                if seat.why_not(answer.action) is None:
                    self.stale |= isinstance(answer.action, decide.FATEFUL)
                    return answer
                self.stale = True  # something came in between: the others are told anew what to do
            if not self.stale or self.plans >= REPLANS:
                break
        answer = decide.close(chart_of(seat.rules), state)
        return answer if seat.why_not(answer.action) is None else Answer(next(iter(seat.legal())), Reason("owed"))


def _stretch(state: Any) -> Hashable:
    """What one plan is made for."""
    return state.turn, state.phase, state.active, state.formations, state.kind, state.frames[-1].name


def steady_player(rng: Random) -> Player:
    """A steady player that leaves to chance what this generator says."""
    return Steady(rng)
