"""15.8.1: the march of the Ruiz column on Caserta Vecchia."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.games.volturno import movement
from fronte.games.volturno.counters import RUIZ
from fronte.games.volturno.reaction_zones import zone_of
from fronte.games.volturno.special import CASERTA_VECCHIA
from fronte.games.volturno.state import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from fronte.games.volturno.game import Volturno

MUST, OFF, NOT_FARTHER = "must", "off", "not-farther"


def is_bound(rules: Volturno, state: State, unit: int) -> bool:
    """15.8.1: is it of the column, which has a place to go to and has not arrived?"""
    if rules.counters[unit].formation != RUIZ or state.stopped or rules.option["ruiz_march"] == OFF:
        return False
    return CASERTA_VECCHIA in rules.grid.index


def toward(rules: Volturno, unit_from: int) -> int:
    """15.8.1: the hexes nearer to Caserta Vecchia than where the move began; by option those that are not farther."""
    goal = rules.grid.index[CASERTA_VECCHIA]
    far = rules.grid.distance(unit_from, goal) - (rules.option["ruiz_march"] != NOT_FARTHER)
    return rules.grid.within(goal, far) if far >= 0 else 0


def why_no_end(rules: Volturno, state: State, unit: int, h: int) -> Refusal | None:
    """15.8.1: a move that does not lead to an attack ends nearer; who leaves an enemy zone and cannot is free."""
    if not is_bound(rules, state, unit) or toward(rules, movement.origin(state, unit)) >> h & 1:
        return None
    if any(marker[1] == h for marker in state.markers) and unit not in rules.leader_set:
        return None
    if state.threatened >> unit & 1 and not can_march(rules, state, unit, lambda there: True):
        return None
    return Refusal("15.8.1", "not_toward_caserta_vecchia", {"unit": rules.ids[unit], "hex": rules.grid.ids[h]})


def must_march(rules: Volturno, state: State, unit: int, free: Callable[[int], bool]) -> bool:
    """15.8.1: an active unit in command that could end nearer has to, if it does not attack."""
    if rules.option["ruiz_march"] != MUST or unit in rules.leader_set or not is_bound(rules, state, unit):
        return False
    if state.mover == unit and state.steps:
        return False
    return can_march(rules, state, unit, free)


def can_march(rules: Volturno, state: State, unit: int, free: Callable[[int], bool]) -> bool:
    """15.8.1: could it end nearer, in line or, formed at the start of its action, in column? Guns limber first."""
    start, guns = movement.origin(state, unit), rules.counters[unit].is_artillery
    was, opened = state.column, state.mover == unit
    masks = [was | 1 << unit] if guns else [was] if opened else [was, was ^ 1 << unit]
    price = rules.ground.limber if guns and not was >> unit & 1 else 0
    if price and opened:
        return False
    left = movement.left_of(rules, state, unit) - price
    # who goes into an enemy zone attacks, and nobody has to
    nearer = toward(rules, start) & ~zone_of(rules, state, 1 - rules.side[unit])
    try:
        for mask in masks:
            state.column = mask
            # mostly a single step will do, which is quickly found
            steps = [h for h, step in movement.first_steps(rules, state, unit) if step <= left]
            if any(nearer >> h & 1 and free(h) for h in steps):
                return True
            cost, before = movement.spread(rules, state, unit, toward=nearer)
            near = (h for h in cost if cost[h] <= left or (left > 0 and before[h] == state.at[unit]))
            if any(nearer >> h & 1 and free(h) for h in near):
                return True
    finally:
        state.column = was
    return False
