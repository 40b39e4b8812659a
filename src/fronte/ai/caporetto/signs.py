"""The signs by which a net judges a position of a short scenario: every place by itself, and what both sides have left.

All are told as the AHG sees them, and once more where another turn is to come.
"""

from __future__ import annotations

from functools import lru_cache

from fronte.ai.caporetto import places
from fronte.ai.caporetto.chart import Chart
from fronte.ai.caporetto.value import arrival
from fronte.games.caporetto import losses
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.seating import foe
from fronte.games.caporetto.state import State
from fronte.hexes import bits

OF_PLACE = ("held", "guess", *places.TERMS[3:])
"""Of each place: who holds it, what it promises by its terms alone, and those terms (`places`)."""
OF_FORCE = ("strong", "fresh", "worn", "guns", "points", "to_act")
"""Of each force: its steps, its factors, its points of disorganisation, its guns in place, logistic points, and the
factors of those who have not acted this turn."""
FIRST = ("soon", "late", "guess")
"""Is another turn to come, and are this turn's actions over; what all places promise (`value`)."""


@lru_cache(maxsize=16)
def names(rules: Caporetto) -> tuple[str, ...]:
    """The names of the signs, in their order."""
    told = [f"{sign} {rules.grid.ids[goal]}" for goal in rules.scene.objectives for sign in OF_PLACE]
    told += [f"{side} {sign}" for side in ("ahg", "italian") for sign in OF_FORCE]
    return (*FIRST, *told, *(f"{name} soon" for name in ("guess", *told)))


def signs(chart: Chart, state: State) -> list[float]:
    """The signs of a position in which the game goes on, in the order of `names`."""
    rules, force = chart.rules, places.attacker(chart)
    worth = places.worth_of(rules.header.scenario)
    assert worth is not None
    soon = float(state.turn < rules.scene.last_turn)
    late = float(state.phase not in places.BEFORE)
    due, around = arrival(chart, state, force), places.strengths(chart, state, force)
    told: list[float] = []
    total = 0.0
    for goal, points in rules.scene.objectives.items():
        found = places.terms(chart, state, force, due, around, goal)
        promise = places.promise(chart, state, force, worth, goal, found)
        total += points * promise
        told += [float(state.control[force] >> goal & 1), promise, *found[3:]]
    for one, (open_, acted) in ((force, around[:2]), (foe(rules, force), around[2:])):
        told += _of_force(chart, state, one, sum(open_.values()), sum(acted.values()))
    return [soon, late, total, *told, soon * total, *(soon * x for x in told)]


def _of_force(chart: Chart, state: State, force: int, to_act: int, acted: int) -> list[float]:
    """What is told of a force."""
    rules = chart.rules
    units = [unit for unit in bits(rules.of_force[force] & rules.combat) if state.at[unit] >= 0]
    worn = sum(state.dp[unit] for unit in units)
    steps = sum(losses.steps_left(rules, state, unit) for unit in units)
    guns = (state.emplaced & rules.of_force[force]).bit_count()
    return [float(x) for x in (steps, to_act + acted, worn, guns, state.points[force], to_act)]
