"""Somebody who plays Volturno to fight, so that there is something to react to: random play hardly meets the enemy."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from fronte.engine.decision import Action
from fronte.engine.match import Match
from fronte.games.volturno import assault, charge, declarations, fire, movement
from fronte.games.volturno.acting import Move
from fronte.games.volturno.state import NOBODY


def eager(match: Match, rng: Random) -> Action:
    """Lay markers, go there and attack; else come nearer. All other decisions fall at random."""
    if match.decision is None or match.decision.kind not in ("declare", "act"):
        return match.sample(rng)
    rules: Any = match.rules
    state, listed = match.state, list(match.legal())
    fights = [a for a in listed if isinstance(a, declarations.Declare | assault.Assault | charge.Charge | fire.Fire)]
    if fights:
        return rng.choice(fights)
    marked = {rules.grid.ids[marker[1]] for marker in state.markers}
    moves = [action for action in listed if isinstance(action, Move)]
    to_markers = [move for move in moves if move.path[-1] in marked]
    if to_markers:
        return rng.choice(to_markers)
    units = sorted({move.unit for move in moves if rules.number[move.unit] not in rules.leader_set})
    if not units:
        return rng.choice(listed)
    unit = rng.choice(units)
    side = rules.side[rules.number[unit]]
    return min(
        (move for move in moves if move.unit == unit),
        key=lambda move: movement.nearest_enemy(rules, state, side, rules.grid.index[move.path[-1]]),
    )


def questions(
    match: Match, rng: Random, seen: list[Any] | None = None, hand: Callable[[Match, Random], Action] = eager
) -> list[int]:
    """Play a match to its end; for each activation how often the other side was asked for a reaction.

    `hand` decides for both sides. `seen` gets the states of those windows.
    """
    counts, asked = [], 0
    while match.decision is not None:
        if match.decision.kind == "react":
            asked += 1
            if seen is not None:
                seen.append(match.state.copy())
        formation, turn = match.state.formation, match.state.turn
        match.play(hand(match, rng))
        if formation != NOBODY and (match.state.formation, match.state.turn) != (formation, turn):
            counts.append(asked)
            asked = 0
    return counts
