"""The signs by which a net judges a position: every objective by itself, and what each side has left and can use.

All are told as the Neapolitans see them, and most once more by how near the end of the game is.
"""

from __future__ import annotations

from functools import lru_cache

from fronte.ai.volturno.chart import Chart, Picture
from fronte.ai.volturno.value import value
from fronte.games.volturno.counters import GARIBALDINI, NAPOLETANI
from fronte.games.volturno.game import Volturno
from fronte.games.volturno.reaction_zones import in_enemy_zone
from fronte.games.volturno.state import State

OF_GOAL = ("held", "stood", "lean", "close", "called")
"""Of each objective: who holds it, who stands in it, and who has more troops that can come there, that are there or
can be at once, and that can be there within a few turns."""
OF_SIDE = ("gone", "strong", "worn", "guns", "lost", "contact", "to_act", "morale")
"""Of each side: strength that is off the map; strength and levels of its troops; guns; strength that is out of
command, that stands in an enemy's zone, and whose formation has not been activated this turn; the initiative of its
commanders."""
FIRST = ("left", "late", "guess")
"""Turns that are left, and how near the end is; what may be expected by rules of thumb (`value`)."""


@lru_cache(maxsize=16)
def names(rules: Volturno) -> tuple[str, ...]:
    """The names of the signs, in their order."""
    goals = [f"{sign} {rules.grid.ids[goal]}" for goal in rules.objectives for sign in OF_GOAL]
    told = [*goals, *(f"{side} {sign}" for side in ("garibaldini", "napoletani") for sign in OF_SIDE)]
    return (*FIRST, *told, *(f"{name} late" for name in ("guess", *told)))


def signs(chart: Chart, state: State) -> list[float]:
    """The signs of a position in which the game goes on, in the order of `names`."""
    picture = Picture(chart, state, NAPOLETANI)
    late = 1.0 / (1.0 + picture.left)
    guess = value(chart, state, NAPOLETANI) - chart.rules.head_start
    told: list[float] = []
    mine, theirs = picture.muster(NAPOLETANI), picture.muster(GARIBALDINI)
    for goal in chart.rules.objectives:
        told += [
            float((state.control[NAPOLETANI] >> goal & 1) - (state.control[GARIBALDINI] >> goal & 1)),
            float((state.occ[NAPOLETANI] >> goal & 1) - (state.occ[GARIBALDINI] >> goal & 1)),
            _lean(mine.gathered[goal], theirs.gathered[goal]),
            _lean(mine.close[goal], theirs.close[goal]),
            _lean(mine.called[goal], theirs.called[goal]),
        ]
    for side in (GARIBALDINI, NAPOLETANI):
        told += _of_side(chart, state, side)
    return [float(picture.left), late, guess, *told, late * guess, *(late * x for x in told)]


def _lean(mine: float, theirs: float) -> float:
    """Who has more, from -1 to 1."""
    return (mine - theirs) / (mine + theirs + 1.0)


def _of_side(chart: Chart, state: State, side: int) -> list[float]:
    """What is told of a side."""
    rules = chart.rules
    gone = strong = worn = guns = lost = contact = to_act = 0.0
    for unit in rules.units_of_side[side]:
        points, h = chart.strength[unit], state.at[unit]
        if h < 0:
            gone += points
            continue
        if chart.is_gun[unit]:
            guns += points
            continue
        strong += points
        worn += points * state.level[unit]
        if state.ooc >> unit & 1:
            lost += points
        if in_enemy_zone(rules, state, side, h):
            contact += points
        if not state.activated >> rules.counters[unit].formation & 1:
            to_act += points
    morale = sum(state.morale[formation] for formation in rules.formations[side])
    return [gone, strong, worn, guns, lost, contact, to_act, float(morale)]
