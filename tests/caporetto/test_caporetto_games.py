"""4.0: whole games by chance, through all phases: positions are sound, answers legal, and every event has words."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_packs import game

from fronte.engine import flow
from fronte.engine.event import Event
from fronte.engine.text import LANGUAGES

MOST = 20_000
"""More answers than a game has."""


@pytest.mark.parametrize(("scenario", "seed"), [("maggiore", 1), ("maggiore", 4), ("cividale", 2)])
def test_a_game_by_chance_runs_to_its_end(scenario: str, seed: int) -> None:
    rules, rng, out = game(scenario), Random(seed), list[Event]()
    state = rules.start(bytes([seed]), out)
    flow.settle(rules, state, out)
    phases = []
    for _ in range(MOST):
        flow.roll_on(rules, state, out)
        assert rules.broken(state) == []
        if not state.frames:
            break
        frame = state.frames[-1]
        choice = rules.choices[frame.name]
        action = choice.sample(rules, state, frame, rng)
        assert choice.why_not(rules, state, frame, action) is None, action
        phases.append((state.turn, state.phase))
        flow.act(rules, state, action, out)
    assert rules.result(state) is not None
    turns = {turn for turn, _ in phases}
    assert turns == {7, 8}
    assert {"command", "artillery", "action", "movement"} <= {phase for _, phase in phases}
    for language in LANGUAGES:
        texts = rules.texts(language)
        for event in out:
            assert texts.event(event), event


@pytest.mark.parametrize(("scenario", "seed"), [("historical", 0), ("historical", 3), ("what_if", 0), ("cividale", 6)])
def test_longer_games_end_too(scenario: str, seed: int) -> None:
    """Every twentieth position is looked at, and comes back from its words as it was; every answer is legal."""
    rules, rng, out = game(scenario), Random(seed), list[Event]()
    state = rules.start(bytes([seed]), out)
    flow.settle(rules, state, out)
    for number in range(MOST):
        flow.roll_on(rules, state, out)
        if not state.frames:
            break
        if number % 20 == 0:
            assert rules.broken(state) == [], number
            written = rules.to_position(state)
            assert rules.to_position(rules.from_position(written)) == written
        frame = state.frames[-1]
        choice = rules.choices[frame.name]
        action = choice.sample(rules, state, frame, rng)
        assert choice.why_not(rules, state, frame, action) is None, action
        flow.act(rules, state, action, out)
    assert rules.result(state) is not None
    for language in LANGUAGES:
        texts = rules.texts(language)
        for kind in {event.kind: event for event in out}.values():
            assert texts.event(kind), kind
