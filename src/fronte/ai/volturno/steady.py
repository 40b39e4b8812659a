"""Steady: a quick player for Volturno that goes by rules of thumb and weighs every fight by its exact odds.

It sees what its seat sees: for each decision it takes a whole state that fits its view. An activation is planned as a
whole, and anew after a combat or when a move has become impossible.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random

from fronte.ai.reasons import Answer, Reason
from fronte.ai.seat import Player, Seat
from fronte.ai.volturno import decide
from fronte.ai.volturno.chart import chart_of
from fronte.ai.volturno.weights import STEADY, Weights
from fronte.engine.decision import Action

REPLANS = 24
"""How often an activation is planned anew."""
SECOND_THOUGHTS = 8
"""As long as it was not more often, it is also planned anew when a move has become impossible."""


class Steady:
    """The player: a callable that answers the decision of its seat."""

    def __init__(self, rng: Random, weights: Mapping[int, Weights] | None = None) -> None:
        self.rng = rng
        self.weights = weights or {}
        self.why = Reason("")
        """Why it answered as it did last."""
        self.moves: list[Answer] = []
        self.planned: Hashable = None
        self.stale = False
        self.last = False
        """Are these the last moves of the activation?"""
        self.plans = 0

    def __call__(self, seat: Seat) -> Action:
        kind = seat.kind
        answer = self._next(seat) if kind in decide.PLANNED else self._small(seat)
        self.why = answer.why
        return answer.action

    def _weights(self, side: int) -> Weights:
        return self.weights.get(side, STEADY)

    def _small(self, seat: Seat) -> Answer:
        if seat.kind == "activate":
            self.planned = None
        chart, side = chart_of(seat.rules), seat.rules.seat_index(seat.name)
        answer = decide.small(chart, seat.imagine(None), side, self._weights(side))
        if seat.why_not(answer.action) is None:
            return answer
        return Answer(next(iter(seat.legal())), Reason("other"))  # it is the real match that says what is allowed

    def _next(self, seat: Seat) -> Answer:
        """The next move of the plan."""
        while True:
            if (not self.moves or self.stale) and not self._plan(seat):
                return self._end(seat)
            while self.moves:
                answer = self.moves.pop(0)
                if seat.why_not(answer.action) is None:
                    self.stale = isinstance(answer.action, decide.FATEFUL)
                    return answer
                self.stale = self.last and self.plans < SECOND_THOUGHTS
                if not self.last:
                    self.moves = []

    def _plan(self, seat: Seat) -> bool:
        """Plan what comes next; False if nothing does."""
        if self.planned is not None and self.last and not self.stale:
            return False
        chart, side = chart_of(seat.rules), seat.rules.seat_index(seat.name)
        state = seat.imagine(None)
        now = state.turn, state.formation
        if now != self.planned:
            self.planned, self.plans, self.last = now, 0, False
        elif (self.last and not self.stale) or self.plans >= REPLANS:
            return False
        self.plans += 1
        if self.plans < REPLANS:
            self.moves, self.last = decide.stage(chart, state, side, self._weights(side))
        else:
            self.moves, self.last = decide.plan(chart, state, side, self._weights(side)), True
        self.stale = False
        return True

    def _end(self, seat: Seat) -> Answer:
        self.moves, self.stale = [], False
        if seat.kind == "act" and seat.why_not(decide.DONE.action) is None:
            return decide.DONE
        chart, side = chart_of(seat.rules), seat.rules.seat_index(seat.name)
        return decide.close(chart, seat.imagine(None), side, self._weights(side))


def steady_player(rng: Random) -> Player:
    """A steady player that leaves to chance what this generator says."""
    return Steady(rng)
