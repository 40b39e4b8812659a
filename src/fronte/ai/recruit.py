"""The recruit: a beginner. It knows what steady knows, and now and then does something else that the rules allow.

Which decisions it gets wrong is drawn from its own generator, so that the same seed makes the same mistakes.
"""

from __future__ import annotations

from random import Random
from typing import Any

from fronte.ai.reasons import Reason
from fronte.ai.seat import Maker, Player, Seat
from fronte.engine.decision import Action

MISTAKES = 0.1
"""The share of decisions that it gets wrong."""


class Recruit:
    """The player: a callable that answers the decision of its seat."""

    def __init__(self, teacher: Any, rng: Random) -> None:
        self.teacher, self.rng = teacher, rng
        self.why = Reason("")
        """Why it answered as it did last."""

    def __call__(self, seat: Seat) -> Action:
        action: Action = self.teacher(seat)
        self.why = self.teacher.why
        if self.rng.random() < MISTAKES:
            wrong = seat.sample(self.rng)
            if wrong != action:
                action, self.why = wrong, Reason("mistake", secret=True)
        return action


def recruiting(teacher: Maker) -> Maker:
    """What makes recruits who have learnt from these players."""

    def make(rng: Random) -> Player:
        """A recruit that leaves to chance what this generator says, as its teacher does."""
        return Recruit(teacher(Random(rng.random())), rng)

    return make
