"""What a learner gets: how a match ended, zero-sum, and by wish every change of the score on the way."""

from __future__ import annotations

from typing import Any

from fronte.engine.rules import Result, Rules

REWARDS = ("level", "winner")


def final_reward(rules: Rules[Any], result: Result, how: str) -> float:
    """What the winner of a finished match gets, and the loser pays; nothing for a draw.

    By `winner` it is 1. By `level` it is the distance of the level of victory from the middle (a draw, if there is
    one), the farthest being 1: a strategic victory is worth twice an operational or marginal one. A game without such
    levels knows only winners.
    """
    if result.winner is None:
        return 0.0
    if how == "winner":
        return 1.0
    names = [name for name, _ in rules.setting.levels]
    if result.level not in names or len(names) < 2:
        return 1.0
    at, half = names.index(result.level), len(names) // 2
    return max(half - at, at - (len(names) - 1) // 2) / half
