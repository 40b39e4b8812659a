"""Steady's decisions in a state that is already imagined: no seat, no match, no memory. For playouts and for steady."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fronte.ai.policy import is_legal
from fronte.ai.reasons import Answer, Reason
from fronte.ai.volturno.act import Activation
from fronte.ai.volturno.attack import judge
from fronte.ai.volturno.chart import Chart, Picture
from fronte.ai.volturno.posts import post
from fronte.ai.volturno.small import SMALL, anything, legal
from fronte.ai.volturno.weights import Weights
from fronte.engine.decision import Action
from fronte.games.volturno import assault, charge, declarations, fire
from fronte.games.volturno.acting import Done, Form, Move
from fronte.games.volturno.state import NOBODY, State

FATEFUL = (assault.Assault, charge.Charge, fire.Fire)
"""Actions after which dice have changed what was planned."""
DONE = Answer(Done(), Reason("done"))
PLANNED = ("declare", "act")
"""Decisions that are part of the plan of an activation."""


def plan(chart: Chart, state: State, side: int, weights: Weights, focus: int = -1) -> list[Answer]:
    """All that the active formation is to do, without the end of it, going for an objective if one is named. The state
    is left as it is."""
    return Activation(_sent(chart, state.copy(), side, weights, focus), weights).plan()


def unfold(chart: Chart, state: State, side: int, weights: Weights, focus: int = -1) -> Iterator[Answer]:
    """The same one thing after the other, worked out no farther than it is asked for; the state may be changed
    meanwhile."""
    return Activation(_sent(chart, state.copy(), side, weights, focus), weights).unfold()


def stage(chart: Chart, state: State, side: int, weights: Weights, focus: int = -1) -> tuple[list[Answer], bool]:
    """The next part of it: markers, then fire and assaults, then moves; and whether that is the last part."""
    found = Activation(_sent(chart, state.copy(), side, weights, focus), weights)
    return found.plan(whole=False), found.moved


def _sent(chart: Chart, state: State, side: int, weights: Weights, focus: int) -> Picture:
    """The picture of a state in which the active formation is for this objective, if one is named."""
    picture = Picture(chart, state, side, weights)
    if focus >= 0 and state.formation != NOBODY:
        picture.send(state.formation, focus)
    return picture


def small(chart: Chart, state: State, side: int, weights: Weights) -> Answer:
    """A decision that is no part of a plan. The state comes back as it was."""
    picture = Picture(chart, state, side, weights)
    return SMALL.get(state.frames[-1].name, anything)(picture, weights)


def close(chart: Chart, state: State, side: int, weights: Weights) -> Answer:
    """What ends an activation when all that was planned is done; if it cannot end yet, what is still owed."""
    frame = state.frames[-1]
    if frame.name == "declare":
        done = Answer(declarations.Declared(), Reason("declared"))
        return done if is_legal(chart.rules, state, done.action) else _owed(chart, state, side, weights)
    return DONE if is_legal(chart.rules, state, DONE.action) else _owed(chart, state, side, weights)


def _owed(chart: Chart, state: State, side: int, weights: Weights) -> Answer:
    """3.2, 7.1.4, 6.2: attack, or go where one has to go, by the best of what is legal for who still has to."""
    picture = Picture(chart, state, side, weights)
    unit = _bound(chart, state)
    actions = [] if unit < 0 else _actions(chart, state, unit)
    for action in sorted(actions, key=lambda one: -_rank(picture, weights, one)):
        if is_legal(chart.rules, state, action):
            return Answer(action, Reason("owed"))
    return Answer(max(legal(picture), key=lambda one: _rank(picture, weights, one)), Reason("owed"))


def _bound(chart: Chart, state: State) -> int:
    """The unit for which an activation cannot end; -1 if it is none."""
    rules, frame = chart.rules, state.frames[-1]
    refusal = rules.choices[frame.name].why_not(rules, state, frame, Done()) if frame.name != "declare" else None
    return -1 if refusal is None else rules.number.get(str(refusal.data.get("unit", "")), -1)


def _actions(chart: Chart, state: State, unit: int) -> list[Action]:
    """What a unit may be able to do: move, attack, fire, form."""
    rules = chart.rules
    choice: Any = rules.choices[state.frames[-1].name]
    name = rules.ids[unit]
    found: list[Action] = [Move(name, rules.hex_ids(way)) for _, way in choice.ways(rules, state, unit).values()]
    found += choice.of_unit(rules, state, unit)
    return [*found, *(Form(name, into) for into in ("column", "line"))]


def _rank(picture: Picture, weights: Weights, action: Any) -> float:
    rules, state = picture.rules, picture.state
    if isinstance(action, assault.Assault | charge.Charge | declarations.Declare):
        return 50.0
    if isinstance(action, fire.Fire):
        return 20.0
    if isinstance(action, Move):
        unit, to = rules.number[action.unit], rules.grid.index[action.path[-1]]
        if unit in rules.leader_set:
            return -50.0
        goals = [assault.target_of(rules, marker) for marker in state.markers if marker[1] == to]
        gains = [judge(picture, weights, unit, to, h).gain for h in goals if state.occ[1 - picture.side] >> h & 1]
        worth = max(gains, default=0.0)
        return worth + post(picture, weights, unit, to, False) - post(picture, weights, unit, state.at[unit], False)
    return -20.0
