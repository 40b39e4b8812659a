"""8.6: nothing that a seat sees, is offered, is refused, is told or can reckon depends on what is hidden from it."""

from __future__ import annotations

import os
from itertools import islice, takewhile
from random import Random
from typing import Any

import pytest
from msgspec import json as msgjson
from msgspec.structs import replace

from fronte.engine.decision import Refusal
from fronte.engine.dice import seed_bytes
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.games.registry import ruleset
from fronte.games.volturno.acting import Acting, Move, Turn
from fronte.games.volturno.counters import COMPASS
from fronte.games.volturno.fog import knows
from fronte.games.volturno.game import Volturno
from fronte.games.volturno.state import State

SCENARIOS = ("short", "full")
GAMES, ACTIONS = (6, 1000) if os.environ.get("FRONTE_NIGHTLY") else (2, 350)


def rules_of(scenario: str, **options: str) -> Volturno:
    found = ruleset("volturno", scenario, options)
    assert isinstance(found, Volturno)
    return found


def refusals(rules: Volturno, state: State, rng: Random) -> list[Refusal | None]:
    """What is said to a dozen things that might be tried, most of them forbidden."""
    frame = state.frames[-1]
    choice = rules.choices[frame.name]
    if not isinstance(choice, Acting):
        return []
    found = []
    for _ in range(12):
        unit, h = rng.choice(rules.ids), rng.choice(rules.grid.ids)
        found.append(choice.why_not(rules, state, frame, Move(unit, (h,))))
        found.append(choice.why_not(rules, state, frame, Turn(unit, rng.choice(COMPASS))))
        at = state.at[rng.choice(rules.units_of_side[frame.seat])]
        if at >= 0:
            near = rules.grid.ids[rng.choice(rules.grid.adjacent[at])]
            mine = [u for u in state.stacks.get(at, ()) if rules.side[u] == frame.seat]
            found += [choice.why_not(rules, state, frame, Move(rules.ids[u], (near,))) for u in mine]
    return found


def told(events: list[Event], seat: int, strangers: frozenset[str]) -> list[Event | None]:
    """What a seat hears before the next dice fall, which may be for something hidden.

    Who was a stranger and is named now has come next to an enemy, which is what 8.6 lets be known.
    """
    heard = [event.to(seat) for event in takewhile(lambda event: event.kind != "rolled", events)]
    return [event and replace(event, data={k: unnamed(v, strangers) for k, v in event.data.items()}) for event in heard]


def unnamed(value: Any, strangers: frozenset[str]) -> Any:
    """A value without the names of strangers."""
    if isinstance(value, list):
        return [unnamed(one, strangers) for one in value]
    return "?" if isinstance(value, str) and value in strangers else value


def compare(rules: Volturno, state: State, twin: State, seat: int, rng: Random) -> None:
    """All that a seat can learn in two states that it cannot tell apart."""
    assert rules.broken(twin) == []
    assert msgjson.encode(rules.view(twin, seat)) == msgjson.encode(rules.view(state, seat))
    assert msgjson.encode(rules.public_view(twin)) == msgjson.encode(rules.public_view(state))
    assert rules.to_position(rules.imagine(twin, seat, None)) == rules.to_position(rules.imagine(state, seat, None))
    frame = state.frames[-1]
    if frame.seat != seat:
        return
    choice, same = rules.choices[frame.name], twin.frames[-1]
    assert choice.about(rules, twin, same) == choice.about(rules, state, frame)
    assert choice.offer(rules, twin, same) == choice.offer(rules, state, frame)
    number = rng.random()
    assert refusals(rules, twin, Random(number)) == refusals(rules, state, Random(number))
    legal = list(islice(choice.legal(rules, state, frame), 400))
    assert list(islice(choice.legal(rules, twin, same), 400)) == legal
    strangers = frozenset(rules.ids[u] for u in range(len(state.at)) if not knows(rules, state, seat, u))
    for action in rng.sample(legal, min(3, len(legal))):
        one, other = Match(rules, state.copy(), []), Match(rules, twin.copy(), [])
        if action.odds:
            assert one.odds(action) == other.odds(action), action
        assert told(one.play(action), seat, strangers) == told(other.play(action), seat, strangers), action


@pytest.mark.costly
@pytest.mark.parametrize("rehide", ["true", "false"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_depends_on_what_is_hidden(scenario: str, rehide: str) -> None:
    rules = rules_of(scenario, fow_rehide=rehide)
    compared = differing = 0
    for seed in range(GAMES):
        match, rng = Match.begin(rules, seed_bytes(seed)), Random(seed)
        while match.seat >= 0 and len(match.entries) < ACTIONS:
            if len(match.entries) % 5 == seed % 5:
                for seat in range(2):
                    twin = rules.shuffle_hidden(match.state, seat, rng)
                    compare(rules, match.state, twin, seat, rng)
                    compared += 1
                    differing += twin.at != match.state.at
            match.play(match.sample(rng))
    assert compared > 200
    assert differing > compared // 3


def test_who_has_been_next_to_an_enemy_stays_known_by_option() -> None:
    """8.6.p3: along whole random games nobody who was known is forgotten, and nobody else is known."""
    rules = rules_of("short", fow_rehide="false")
    seen = 0
    for seed in range(3):
        match, rng, met = Match.begin(rules, seed_bytes(seed)), Random(seed), 0
        while match.seat >= 0:
            match.play(match.sample(rng))
            state = match.state
            for side, units in enumerate(rules.units_of_side):
                for unit in units:
                    h = state.at[unit]
                    if h >= 0 and rules.grid.ring[h] & state.occ[1 - side]:
                        met |= 1 << unit
                    assert not state.shown >> unit & 1 or knows(rules, state, 1 - side, unit)
                    if h >= 0 and met >> unit & 1:
                        assert state.shown >> unit & 1
        seen += met.bit_count()
    assert seen > 15


def test_a_failed_attempt_does_not_tell_the_command_value() -> None:
    """8.6.p4: dice and modifiers are told, the value is not."""
    rules = rules_of("short")
    match = Match.begin(rules, seed_bytes(1), forced=(1, 1, 6, 6, 5))
    for _ in range(2):
        match.play("historical")
        match.play("ready")
    heard = [event.to(0) for event in match.play("attempt NG")]
    failed = [event.data for event in heard if event is not None and event.kind == "not_activated"]
    assert failed == [{"formation": "NG", "die": 5, "drm": 0}]
    hidden = [piece for piece in rules.view(match.state, 0).pieces if not piece.id]
    assert any(piece.values["branch"] == "cdf" for piece in hidden)
    assert not any("command" in piece.values for piece in hidden)
