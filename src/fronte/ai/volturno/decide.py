"""Steady's decisions in a state that is already imagined: no seat, no match, no memory. For playouts and for steady."""

from __future__ import annotations

from typing import Any

from fronte.ai.policy import is_legal
from fronte.ai.reasons import Answer, Reason
from fronte.ai.volturno.act import Activation
from fronte.ai.volturno.chart import Chart, Picture
from fronte.ai.volturno.posts import post
from fronte.ai.volturno.small import SMALL, anything, legal
from fronte.ai.volturno.weights import Weights
from fronte.games.volturno import assault, charge, declarations, fire
from fronte.games.volturno.acting import Done, Move
from fronte.games.volturno.state import State

FATEFUL = (assault.Assault, charge.Charge, fire.Fire)
"""Actions after which dice have changed what was planned."""
PLANNED = ("declare", "act")
"""Decisions that are part of the plan of an activation."""


def plan(chart: Chart, state: State, side: int, weights: Weights) -> list[Answer]:
    """All that the active formation is to do, without the end of it. The state is left as it is."""
    return Activation(Picture(chart, state.copy(), side), weights).plan()


def stage(chart: Chart, state: State, side: int, weights: Weights) -> tuple[list[Answer], bool]:
    """The next part of it: markers, then fire and assaults, then moves; and whether that is the last part."""
    found = Activation(Picture(chart, state.copy(), side), weights)
    return found.plan(whole=False), found.moved


def small(chart: Chart, state: State, side: int, weights: Weights) -> Answer:
    """A decision that is no part of a plan. The state comes back as it was."""
    picture = Picture(chart, state, side)
    return SMALL.get(state.frames[-1].name, anything)(picture, weights)


def close(chart: Chart, state: State, side: int, weights: Weights) -> Answer:
    """What ends an activation when all that was planned is done; if it cannot end yet, what is still owed."""
    frame = state.frames[-1]
    if frame.name == "declare":
        done = Answer(declarations.Declared(), Reason("declared"))
        return done if is_legal(chart.rules, state, done.action) else _owed(chart, state, side, weights)
    done = Answer(Done(), Reason("done"))
    return done if is_legal(chart.rules, state, done.action) else _owed(chart, state, side, weights)


def _owed(chart: Chart, state: State, side: int, weights: Weights) -> Answer:
    """3.2, 7.1.4, 6.2: attack, or go where one has to go, by the best of what is legal."""
    picture = Picture(chart, state, side)
    bound = _bound(chart, state)
    best, most = None, -1e9
    for action in legal(picture):
        worth = _rank(picture, weights, action, bound)
        if worth > most:
            best, most = action, worth
    assert best is not None
    return Answer(best, Reason("owed"))


def _bound(chart: Chart, state: State) -> str:
    """The unit for which an activation cannot end."""
    rules = chart.rules
    frame = state.frames[-1]
    refusal = rules.choices[frame.name].why_not(rules, state, frame, Done()) if frame.name != "declare" else None
    return "" if refusal is None else str(refusal.data.get("unit", ""))


def _rank(picture: Picture, weights: Weights, action: Any, bound: str) -> float:
    rules = picture.rules
    worth = 100.0 if getattr(action, "unit", "") == bound else 0.0
    if isinstance(action, assault.Assault | charge.Charge | declarations.Declare):
        return worth + 50.0
    if isinstance(action, fire.Fire):
        return worth + 20.0
    if isinstance(action, Move):
        unit, to = rules.number[action.unit], rules.grid.index[action.path[-1]]
        if unit in rules.leader_set:
            return worth - 50.0
        on_marker = any(marker[1] == to for marker in picture.state.markers)
        return worth + post(picture, weights, unit, to, False) + (10.0 if on_marker else 0.0)
    return worth - 20.0
