"""The games that steady knows, each with terms of its own."""

from __future__ import annotations

from functools import lru_cache

from fronte.ai.steady.altipiani import AltipianiTerms
from fronte.ai.steady.ground import Chart
from fronte.ai.steady.isonzo import IsonzoTerms
from fronte.ai.steady.terms import Terms
from fronte.games.inferno.rules import Inferno

TERMS: dict[str, type[Terms]] = {"isonzo": IsonzoTerms, "altipiani": AltipianiTerms}


@lru_cache(maxsize=32)
def chart(rules: Inferno) -> Chart:
    """The chart of a ruleset; ValueError if steady does not know its game."""
    game = rules.header.game
    if game not in TERMS:
        raise ValueError(f"steady plays {', '.join(TERMS)} and not {game}")
    return Chart(rules, TERMS[game](rules))
