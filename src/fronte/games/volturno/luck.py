"""Luck: what the throws that cost levels of cohesion can cost each side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.dice import outcomes
from fronte.engine.rules import Weighing
from fronte.games.volturno import assault, cohesion, fire
from fronte.games.volturno.fog import who_knows
from fronte.games.volturno.state import State

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

BOTH = 0b11


def weigh(rules: Volturno, state: State) -> Weighing | None:
    """9.4, 11.2.p7, 13.1.2: levels lost for all 36 ways; None if the throw costs none or if not both know who it is.

    A check that a combat calls for is a throw of its own, and so is its luck.
    """
    if not state.frames or any(who_knows(rules, state, unit) != BOTH for unit in _named(state)):
        return None
    frame = state.frames[-1]
    if frame.name == "fire_dice":
        unit, target = frame.args[:2]
        drm = sum(modifier.amount for modifier in fire.modifiers(rules, state, unit, target))
        lost = [fire.levels_of(rules, sum(dice) + drm) for dice in outcomes(2)]
        return _weighing(rules, state, rules.side[unit], state.at[target], [(0, levels) for levels in lost])
    if frame.name == "check_dice":
        unit, _, extra = frame.args
        drm = extra + sum(modifier.amount for modifier in cohesion.modifiers(rules, state, unit))
        needed = cohesion.current(rules, state, unit) - drm
        lost = [cohesion.levels_for(rules, sum(dice) - needed) for dice in outcomes(2)]
        return _weighing(rules, state, 1 - rules.side[unit], state.at[unit], [(0, levels) for levels in lost])
    if frame.name == "assault_dice":
        unit, h, how, against = frame.args
        drm = assault.total(assault.modifiers(rules, state, unit, h, against, how))
        told = [assault.result_of(rules, how, sum(dice) + drm) for dice in outcomes(2)]
        pairs = [(_levels(mine), _levels(theirs) * len(state.stacks[h])) for mine, theirs, _ in told]
        return _weighing(rules, state, rules.side[unit], h, pairs)
    return None


def _named(state: State) -> tuple[int, ...]:
    """The units that a throw is about."""
    frame = state.frames[-1]
    if frame.name == "fire_dice":
        unit, target = frame.args[:2]
        return (unit, target)
    if frame.name == "assault_dice":
        return (frame.args[0], *state.stacks[frame.args[1]])
    return (frame.args[0],) if frame.name == "check_dice" else ()


def _levels(result: str) -> int:
    """11.2.p7: levels that a result of the table takes at once."""
    return int(result) if result.isdigit() else 0


def _weighing(rules: Volturno, state: State, side: int, h: int, pairs: list[tuple[int, int]]) -> Weighing:
    """Of pairs of what a side and what the other loses."""
    losses = tuple(pair if side == 0 else (pair[1], pair[0]) for pair in pairs)
    return Weighing(state.turn, rules.hex_id(h), side, losses)
