"""Forced steps: decisions with one legal answer are answered at once for the seats that have asked for it.

So a turn by mail takes no exchange that the rules do not need. Who asks for it should know that the other side can see
from an instant answer that there was no choice. Who plays against machines alone need not ask where a decision is a
mere formality: there is nobody who could learn from it.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from fronte.engine.match import Match

MOST = 500
"""Answers in a row after which something must be wrong with the rules; then people decide again."""


def is_forced(match: Match, seats: Collection[str]) -> bool:
    """Does one of these seats owe a decision that it can answer in one way only?"""
    return match.seat >= 0 and match.rules.seats[match.seat] in seats and len(list(islice(match.legal(), 2))) == 1


def is_formality(match: Match, alone: Collection[str]) -> bool:
    """Does one of these seats, which no person plays against, owe a decision that is none?"""
    return match.seat >= 0 and match.rules.seats[match.seat] in alone and match.formality() is not None


def settle(match: Match, before: int, seats: Collection[str], alone: Collection[str] = ()) -> None:
    """After a change of a match that had so many lines: answer what is forced, or take it back along with an undo."""
    if len(match.entries) < before:
        while _goes_by_itself(match, seats, alone) and match.can_undo(match.rules.seats[match.seat]):
            match.undo()
        return
    for _ in range(MOST):
        if not _goes_by_itself(match, seats, alone):
            return
        match.play(next(match.legal()), match.rules.seats[match.seat])


def _goes_by_itself(match: Match, seats: Collection[str], alone: Collection[str]) -> bool:
    return is_forced(match, seats) or is_formality(match, alone)
