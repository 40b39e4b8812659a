"""The games that steady knows, each with terms of its own."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from fronte.ai.inferno.steady.altipiani import AltipianiTerms
from fronte.ai.inferno.steady.ground import Chart
from fronte.ai.inferno.steady.isonzo import IsonzoTerms
from fronte.ai.inferno.steady.terms import Terms
from fronte.engine.rules import Rules
from fronte.games.inferno.rules import Inferno

TERMS: dict[str, type[Terms]] = {"isonzo": IsonzoTerms, "altipiani": AltipianiTerms}


def known(rules: Rules[Any]) -> Inferno:
    """The ruleset as one of those that steady knows; ValueError if it is of another game."""
    game = rules.header.game
    if game not in TERMS:
        raise ValueError(f"steady plays {', '.join(TERMS)} and not {game}")
    return cast(Inferno, rules)


@lru_cache(maxsize=32)
def chart(rules: Inferno) -> Chart:
    """The chart of a ruleset; ValueError if steady does not know its game."""
    return Chart(rules, TERMS[known(rules).header.game](rules))
