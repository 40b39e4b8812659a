"""A turn for the tests of its phases: steps run by themselves, and the phases of other chapters are left out."""

from __future__ import annotations

from itertools import islice

import pytest

from fronte.engine import flow
from fronte.engine.decision import Action, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import faults
from fronte.games.caporetto import actions, gunnery, later_moves
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.state import State


def leave_out_the_fighting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the phases of artillery, action and movement ask nothing; what is begun is noted, by the phase."""
    begun: list[str] = []

    def note(rules: Caporetto, state: State, *_: object) -> None:
        begun.append(state.phase)

    for module in (gunnery, actions, later_moves):
        monkeypatch.setattr(module, "begin", note, raising=False)
    return begun


def started(rules: Caporetto, seed: bytes = b"s") -> tuple[State, list[Event]]:
    """A game up to its first decision."""
    out: list[Event] = []
    state = rules.start(seed, out)
    flow.settle(rules, state, out)
    return state, out


def asked(rules: Caporetto, state: State) -> tuple[str, str]:
    """What is owed, and by which force."""
    frame = state.frames[-1]
    assert list(faults(rules.frames, rules, state)) == []
    return frame.name, rules.scene.forces[frame.args[0]]


def refused(rules: Caporetto, state: State, action: Action) -> Refusal | None:
    """Why an action is refused, after a look at whether it is one of the first that are listed."""
    frame = state.frames[-1]
    choice = rules.choices[frame.name]
    why = choice.why_not(rules, state, frame, action)
    assert not (why and action in islice(choice.legal(rules, state, frame), 200))
    return why


def why_not(rules: Caporetto, state: State, action: Action) -> tuple[str, str]:
    """The rule and the key by which an action is refused."""
    found = refused(rules, state, action)
    assert found is not None
    rules.told(found)
    return found.rule, found.key


def answer(rules: Caporetto, state: State, action: Action) -> list[Event]:
    """An action that is legal, and nothing that follows from it by itself."""
    assert refused(rules, state, action) is None
    out: list[Event] = []
    frame = state.frames[-1]
    rules.choices[frame.name].apply(rules, state, frame, action, out)
    return out


def play(rules: Caporetto, state: State, action: Action, *dice: int) -> list[Event]:
    """An action that is legal, with the dice that follow; then on to the next decision."""
    assert refused(rules, state, action) is None
    out: list[Event] = []
    state.forced = dice
    flow.act(rules, state, action, out)
    flow.roll_on(rules, state, out)
    assert not state.forced
    return out


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]
