"""Caporetto in the middle of its action phases, for the tests of decisions: what is asked, refused and done."""

from __future__ import annotations

from caporetto_packs import game

from fronte.engine import flow
from fronte.engine.decision import AUTO, Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.games.caporetto import actions
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.state import State, begin
from fronte.games.caporetto.terrain import AHG


def ready(scenario: str = "maggiore", guns: int = 5, **options: str | bool) -> tuple[Caporetto, State]:
    """All formations are planned, the Italians' with so many guns, and the action phases are about to begin."""
    rules = game(scenario, **options)
    state = begin(rules, b"s")
    state.phase = "action"
    state.frames = [Frame("next_phase", AUTO)]
    for number, one in enumerate(rules.formations):
        state.plan[number] = rules.most_assigned if one.side == AHG else guns
    return rules, state


def opened(scenario: str = "maggiore", guns: int = 5, **options: str | bool) -> tuple[Caporetto, State]:
    """The first decision of the action phases waits."""
    rules, state = ready(scenario, guns, **options)
    actions.begin(rules, state, [])
    settle(rules, state)
    return rules, state


def settle(rules: Caporetto, state: State, *dice: int) -> list[Event]:
    """Let the rules go on, with these dice first, to the next decision; what has happened."""
    out: list[Event] = []
    state.forced = dice
    flow.settle(rules, state, out)
    flow.roll_on(rules, state, out)
    assert not state.forced, state.forced
    return out


def why(rules: Caporetto, state: State, action: Action) -> str:
    """The rule by which an answer to the decision on top is refused; empty if it is not."""
    frame = state.frames[-1]
    found = rules.choices[frame.name].why_not(rules, state, frame, action)
    return found.rule if isinstance(found, Refusal) else ""


def play(rules: Caporetto, state: State, action: Action, *dice: int) -> list[Event]:
    """Give a legal answer, and go on to the next decision with these dice first; what has happened."""
    frame = state.frames[-1]
    assert why(rules, state, action) == "", action
    out: list[Event] = []
    rules.choices[frame.name].apply(rules, state, frame, action, out)
    return out + settle(rules, state, *dice)


def legal(rules: Caporetto, state: State) -> list[Action]:
    """All that may be answered now; none of it is refused, and none is there twice."""
    frame = state.frames[-1]
    found = rules.choices[frame.name].listed(rules, state, frame)
    assert len(set(found)) == len(found)
    assert [one for one in found if why(rules, state, one)] == []
    return found


def names(state: State) -> list[str]:
    """The stack by the names of its frames."""
    return [frame.name for frame in state.frames]
