"""What a score means: which side makes it, and what a game that ended otherwise counts for."""

from __future__ import annotations

from typing import Any

from fronte.engine.rules import Result, Rules


def scorer(rules: Rules[Any]) -> int:
    """The seat whose victory points the score counts: the one that wins with the highest."""
    highest = rules.setting.levels[-1][0]
    named = [seat for seat in rules.seats if highest.startswith(seat)]
    if len(named) != 1:
        raise ValueError(f"whose victory is {highest}? the seats are {', '.join(rules.seats)}")
    return rules.seats.index(named[0])


def points(rules: Rules[Any], result: Result) -> int:
    """The score; where a game was decided otherwise, the nearest score that would have given that level."""
    score, least = result.score, None
    for name, most in rules.setting.levels:
        if name == result.level:
            score = score if most is None else min(score, most)
            return score if least is None else max(score, least)
        least = None if most is None else most + 1
    return score
