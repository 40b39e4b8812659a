"""What a learner gets: how a match ended, zero-sum, and by wish every change of the score on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.rules import Result

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

REWARDS = ("level", "winner")


def final_reward(rules: Inferno, result: Result, how: str) -> float:
    """What the winner of a finished match gets, and the loser pays; nothing for a draw.

    By `winner` it is 1. By `level` it is the distance of the level of victory from the middle one, the farthest being
    1: a strategic victory is worth twice an operational or marginal one.
    """
    if result.winner is None:
        return 0.0
    if how == "winner":
        return 1.0
    names = [name for name, _ in rules.setting.levels]
    middle = (len(names) - 1) / 2
    return abs(names.index(result.level) - middle) / middle


def scoring_seat(rules: Inferno) -> int:
    """The seat for which a higher score is better: asked of the rules, by a match ended with every hex in one hand."""
    ends = []
    for held in (0, rules.board.grid.everything):
        state = rules.start(bytes(32), [])
        state.held, state.outcome = held, "time"
        result = rules.result(state)
        assert result is not None
        ends.append(result)
    low, high = sorted(ends, key=lambda result: result.score)
    if high.winner is not None:
        return rules.seat_index(high.winner)
    assert low.winner is not None, "one of the two ends of the scale is a victory"
    return 1 - rules.seat_index(low.winner)
