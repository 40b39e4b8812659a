"""7.2, 6.0, 22: along random games nothing that a seat sees, is offered, is refused or is told depends on secrets."""

from __future__ import annotations

from itertools import islice, takewhile
from random import Random
from typing import Any

import pytest
from caporetto_packs import SCENARIOS
from msgspec import json as msgjson
from test_caporetto_fog import NIGHTLY, ruled

from fronte.engine.decision import Action
from fronte.engine.dice import seed_bytes
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.sightings import known
from fronte.games.caporetto.state import State

GAMES, ACTIONS, EVERY = (4, 600, 5) if NIGHTLY else (1, 90, 9)
LISTED = 60
BY_DAY = [*((scenario, "off") for scenario in SCENARIOS), ("maggiore", "on")]
MODES = [(scenario, fog) for scenario in SCENARIOS for fog in ("off", "on")] if NIGHTLY else BY_DAY


def told(events: list[Event], seat: int, strangers: frozenset[str]) -> list[Any]:
    """What a seat hears before the next dice fall, which may be for something hidden; who was covered and is named now
    has come to where one may look."""
    heard = [event.to(seat) for event in takewhile(lambda event: event.kind != "rolled", events)]
    return [event and (event.kind, event.rules, unnamed(event.data, strangers)) for event in heard]


def unnamed(value: Any, strangers: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {key: unnamed(one, strangers) for key, one in value.items() if key not in strangers}
    if isinstance(value, list | tuple):
        return [unnamed(one, strangers) for one in value]
    return "" if isinstance(value, str) and value in strangers else value


def compare(rules: Caporetto, state: State, twin: State, seat: int, tried: list[Action], rng: Random) -> None:
    """All that a seat can learn in two states that it cannot tell apart."""
    assert msgjson.encode(rules.view(twin, seat)) == msgjson.encode(rules.view(state, seat))
    assert msgjson.encode(rules.public_view(twin)) == msgjson.encode(rules.public_view(state))
    assert rules.to_position(rules.imagine(twin, seat, None)) == rules.to_position(rules.imagine(state, seat, None))
    frame = state.frames[-1]
    if frame.seat != seat:
        return
    choice, same = rules.choices[frame.name], twin.frames[-1]
    assert choice.about(rules, twin, same) == choice.about(rules, state, frame), frame
    assert choice.offer(rules, twin, same) == choice.offer(rules, state, frame), frame
    legal = list(islice(choice.legal(rules, state, frame), LISTED))
    assert list(islice(choice.legal(rules, twin, same), LISTED)) == legal, frame
    for action in tried:
        assert choice.why_not(rules, twin, same, action) == choice.why_not(rules, state, frame, action), action
    strangers = frozenset(rules.ids[u] for u in range(len(state.at)) if not known(rules, state, seat) >> u & 1)
    for action in rng.sample(legal, min(2, len(legal))):
        one, other = Match(rules, state.copy(), []), Match(rules, twin.copy(), [])
        assert told(one.play(action), seat, strangers) == told(other.play(action), seat, strangers), action


@pytest.mark.parametrize(("scenario", "fog"), MODES)
def test_nothing_depends_on_what_is_hidden(scenario: str, fog: str) -> None:
    rules = ruled(scenario, fog)
    compared = differing = 0
    for seed in range(GAMES):
        match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
        tried: dict[str, list[Action]] = {}
        while match.seat >= 0 and len(match.entries) < ACTIONS:
            kind = match.state.frames[-1].name
            if len(match.entries) % EVERY == seed % EVERY:
                for seat in range(2):
                    twin = rules.shuffle_hidden(match.state, seat, rng)
                    compare(rules, match.state, twin, seat, tried.get(kind, [])[-4:], rng)
                    compared += 1
                    differing += (twin.at, twin.plan, twin.points) != (
                        match.state.at,
                        match.state.plan,
                        match.state.points,
                    )
            action = match.sample(rng)
            tried.setdefault(kind, []).append(action)
            match.play(action)
    assert compared >= 10
    assert differing > compared // 3


@pytest.mark.parametrize(("scenario", "fog"), MODES)
def test_along_a_game_positions_and_views_come_back(scenario: str, fog: str) -> None:
    rules = ruled(scenario, fog)
    for seed in range(GAMES):
        match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
        while match.seat >= 0 and len(match.entries) < ACTIONS:
            if len(match.entries) % EVERY == 0:
                assert rules.broken(match.state) == []
                data = rules.to_position(match.state)
                assert rules.to_position(rules.from_position(msgjson.decode(msgjson.encode(data)))) == data
                for seat in range(2):
                    view = rules.view(match.state, seat)
                    made = rules.resample(view, Random(seed))
                    assert msgjson.encode(rules.view(made, seat)) == msgjson.encode(view)
                    assert rules.broken(made) == []
            match.play(match.sample(rng))


def test_the_column_of_a_fire_is_told_to_who_knows_all_that_fire_and_are_fired_at() -> None:
    """12.1.4, 22.0: cavalry under others would move it; of firers whom a seat does not know not even how many there
    are."""
    heard: dict[bool, int] = {False: 0, True: 0}
    for seed in range(3):
        match, rng = Match.begin(ruled("maggiore", "off"), seed_bytes(seed)), Random(seed)
        while match.decision is not None and len(match.entries) < 260:
            match.play(match.sample(rng))
        for event in match.events:
            for seat in range(2) if event.kind == "fired" and event.data["dice"] else ():
                data = event.to(seat).data  # type: ignore[union-attr]
                assert set(data["by"]) <= set(event.data["by"])
                knows_all = data["by"] == event.data["by"] and all(data["units"])
                assert ("column" in data, "drm" in data) == (knows_all, knows_all)
                heard[knows_all] += 1
    assert heard[True] > heard[False] > 0, heard
