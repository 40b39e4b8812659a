"""Tables for the tests of Caporetto's moves: a ruleset, an empty map, and what happens until somebody is asked."""

from __future__ import annotations

from caporetto_packs import game

from fronte.engine.decision import Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.flow import act, fall, settle, waits_for_dice
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.state import State, begin, put


def table(scenario: str = "what_if", **options: str | bool) -> tuple[Caporetto, State]:
    """A scenario with nobody on the map, in clear weather."""
    rules = game(scenario, **options)
    state = begin(rules, b"s")
    for unit, h in enumerate(state.at):
        if h >= 0:
            put(rules, state, unit, -1)
    state.turn = 5
    state.bearers = ()
    state.phase = "action"
    return rules, state


def acting(rules: Caporetto, state: State, *units: int, kind: str = "action") -> None:
    """These act in step A, for the force of the first."""
    state.active = rules.force[units[0]]
    state.kind = kind
    state.formations = tuple(dict.fromkeys(f for u in units if (f := rules.formation_of[u]) >= 0))
    for unit in units:
        state.commanded |= 1 << unit
    waits = Frame("bombard_step", 0)  # as if somebody were asked, so that nothing goes on by itself
    state.frames = [waits, Frame("act", rules.scene.seat_of[state.active])]


def play(rules: Caporetto, state: State, action: Action, *dice: int) -> list[Event]:
    """A legal action is carried out, and these dice fall."""
    out: list[Event] = []
    refusal = why(rules, state, action)
    assert refusal is None, refusal
    act(rules, state, action, out)
    throw(rules, state, out, *dice)
    return out


def throw(rules: Caporetto, state: State, out: list[Event], *dice: int) -> None:
    """These dice fall one after another."""
    for die in dice:
        assert waits_for_dice(state), state.frames
        fall(rules, state, (die,), out)


def why(rules: Caporetto, state: State, action: Action) -> Refusal | None:
    frame = state.frames[-1]
    return rules.choices[frame.name].why_not(rules, state, frame, action)


def run(rules: Caporetto, state: State) -> list[Event]:
    """The rules go on by themselves."""
    out: list[Event] = []
    settle(rules, state, out)
    return out


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]
