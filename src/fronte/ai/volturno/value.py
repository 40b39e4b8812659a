"""What a position is worth to a seat: what it may expect, by who is near what counts and how worn all are."""

from __future__ import annotations

from math import exp

from fronte.ai.volturno.chart import Chart, Picture
from fronte.games.volturno.counters import GARIBALDINI, NAPOLETANI
from fronte.games.volturno.scenarios import routed
from fronte.games.volturno.state import State

SLOPE = 2.5
"""How much it decides who has more troops near an objective."""
HELD, LATE = 1.2, 6.0
"""How much it decides who holds it: at the beginning, and what is added as the end comes near."""
WORN = 0.09
"""What a level counts of a strength point."""
SHORT_POINT = 0.06
"""In the short scenario, what a strength point counts of an objective."""


def value(chart: Chart, state: State, seat: int) -> float:
    """What a seat may expect in the end (`Rules.merit`); where the game is over, what it has."""
    rules = chart.rules
    result = rules.result(state)
    if result is not None:
        return float(rules.merit(result, seat))
    picture = Picture(chart, state, NAPOLETANI)
    kept = HELD + LATE / (1.0 + picture.left)
    total = float(rules.head_start)
    for goal in chart.values:
        mine, theirs = picture.cover[goal], picture.threat[goal]
        balance = (mine - theirs) / (mine + theirs + 0.5)
        whose = state.control[NAPOLETANI] >> goal & 1
        nobody = not whose and not state.control[GARIBALDINI] >> goal & 1
        lean = SLOPE * balance + (0.0 if nobody else kept if whose else -kept)
        chance = 1.0 / (1.0 + exp(-lean))
        total += 2.0 * chance - 1.0 if chart.is_short else rules.objectives[goal] * chance
    troops = 0.0
    for side, sign in ((GARIBALDINI, 1.0), (NAPOLETANI, -1.0)):
        worn = sum(
            [
                chart.strength[u] * state.level[u]
                for u in rules.units_of_side[side]
                if state.at[u] >= 0 and state.level[u]
            ]
        )
        troops += sign * (routed(rules, state, side) + WORN * worn)
    total += troops * (SHORT_POINT if chart.is_short else 1.0)
    return total if seat == NAPOLETANI else -total
