"""10.4 with 12.3.3: who has marched by force is a point worse when he assaults, and the odds before say so."""

from __future__ import annotations

from random import Random
from typing import Any

import fronte
from fronte.engine.match import Match
from fronte.games.caporetto import marching


def declared() -> tuple[Match, Any, list[int]]:
    """An assault that can be declared by somebody who has marched by force."""
    for seed in range(40):
        match, rng = fronte.new("caporetto", scenario="maggiore", seed=seed), Random(seed)
        rules: Any = match.rules
        while match.decision is not None and len(match.entries) < 250:
            legal = list(match.legal()) if match.decision.kind == "act" else []
            for action in legal:
                if type(action).__name__ == "Assault":
                    wave = [rules.number[name] for name in (action.unit, *action.along)]
                    if any(match.state.weary >> unit & 1 for unit in wave):
                        return match, action, wave
            forced = [one for one in legal if type(one).__name__ in ("March", "Cover")]
            near = [one for one in legal if type(one).__name__ == "Move"]
            match.play(rng.choice(forced or near or legal) if legal and rng.random() < 0.8 else match.sample(rng))
    raise AssertionError("nobody who has marched by force can assault")


def test_a_forced_march_is_paid_for_before_the_assault() -> None:
    match, action, wave = declared()
    rules: Any = match.rules
    told = match.odds(action)
    paid = match.copy()
    marching.tire(rules, paid.state, [], wave)
    assert all(paid.state.at[unit] >= 0 for unit in wave)
    assert told.rows == paid.odds(action).rows
    fresh = match.copy()
    fresh.state.weary = 0
    assert told.rows != fresh.odds(action).rows or told.facts != fresh.odds(action).facts
    assert match.state.weary and match.state.dp != paid.state.dp  # nothing was done to the match itself
