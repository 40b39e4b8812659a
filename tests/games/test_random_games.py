"""For every registered game: random games to the end, with all promises of the engine checked on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from mutants import NIGHTLY

import fronte
from fronte.engine.panel import MOVE
from fronte.engine.save import take_snapshots
from fronte.engine.view import View
from fronte.games.registry import for_header

LONGEST = 20_000
NEED_A_PACK = {("altipiani", "table_source", "custom")}
"""Options that ask for an owner's own data."""


UNLISTED = ("movement", "combat", "support", "set_up", "act", "stragglers")
"""Of these not every action is listed: other ways, other guns, other facings."""
UNLISTED_IN = {
    "caporetto": (
        *("move_guns", "move_others"),
        *("plan", "gun_modes", "interdict", "lower_trenches", "preparatory", "assign_guns", "bombard", "fire_order"),
        "defend",
    )
}
"""Likewise in one game: other ways; sets of guns and formations of which there are more than anybody could list."""


def states_of(game: str, scenario: str, seed: int, options: dict[str, str] | None = None) -> Iterator[fronte.Match]:
    """A match at each of its decisions, played at random to the end."""
    match = fronte.new(game, scenario, seed, options)
    rng = Random(seed)
    for _ in range(LONGEST):
        yield match
        if match.result is not None:
            return
        match.play(match.sample(rng))
    raise AssertionError("the game does not end")


def as_bytes(data: object) -> bytes:
    return msgspec.json.encode(data)


@pytest.mark.costly(each=True)
def test_random_games_end_by_the_rules_with_invariants_held(game: str, scenario: str, games_to_play: int) -> None:
    for seed in range(games_to_play):
        for match in states_of(game, scenario, seed):
            assert match.rules.broken(match.state) == []
        assert match.decision is None
        assert list(match.legal()) == []


@pytest.mark.costly
def test_random_games_end_under_every_value_of_every_option(game: str, scenario: str) -> None:
    """In short runs the scenarios of a game share the values among them, and every third state is looked at whole."""
    rules = fronte.ruleset(game, scenario)
    changes = [
        (option.name, value)
        for option in rules.rulebook.options
        for value in option.values
        if value != option.default and (game, option.name, value) not in NEED_A_PACK
    ]
    names = [name for name, data in rules.pack.toml("scenarios.toml").items() if isinstance(data, dict)]
    for name, value in changes if NIGHTLY else changes[names.index(scenario) :: len(names)]:
        for number, match in enumerate(states_of(game, scenario, 5, {name: value})):
            if NIGHTLY or number % 3 == 0 or match.result is not None:
                assert match.rules.broken(match.state) == [], (name, value)


@pytest.mark.costly(each=True)
def test_what_is_sampled_is_legal_and_listed(game: str, scenario: str) -> None:
    rng = Random(7)
    for number, match in enumerate(states_of(game, scenario, 7)):
        if match.result is None and number % 9 == 0:
            action = match.sample(rng)
            assert match.why_not(action) is None
            unlisted = (*UNLISTED, *UNLISTED_IN.get(game, ()))
            if match.decision is not None and match.decision.kind not in unlisted:
                assert action in match.legal()


@pytest.mark.costly(each=True)
def test_every_listed_action_is_accepted_and_listed_once(game: str, scenario: str) -> None:
    for number, match in enumerate(states_of(game, scenario, 8)):
        if match.result is None and number % 40 == 0:
            listed = [action for action, _ in zip(match.legal(), range(3000), strict=False)]
            assert len(set(listed)) == len(listed)
            assert all(match.why_not(action) is None for action in listed[::7])


@pytest.mark.costly(each=True)
def test_where_units_are_offered_to_go_is_where_they_may_go(game: str, scenario: str) -> None:
    moves = 0
    for match in states_of(game, scenario, 15):
        if match.decision is not None and match.decision.panel == MOVE:
            moves += 1
            if moves % 40 == 1:
                assert_offered(match)
    assert moves


@pytest.mark.costly(each=True)
@pytest.mark.family("inferno")
def test_who_recovered_is_offered_no_way_where_that_is_all_it_may_do(game: str, scenario: str) -> None:
    rules: Any = fronte.ruleset(game, scenario)
    first, last = rules.turns()
    if last - first < 2:
        pytest.skip("it is over before anybody has to recover")
    recovered = 0
    for match in states_of(game, scenario, 15, {"recovery_then_move": "false"}):
        if match.decision is None or match.decision.kind != "movement":
            continue
        if any("recovered" in piece.marks for piece in match.view(match.decision.seat).own()):
            assert_offered(match)
            recovered += 1
    assert recovered


def assert_offered(match: fronte.Match) -> None:
    """The hexes on offer to each unit are the ends of its legal moves; some of them, where the offer says so."""
    verb = match.offer.get("move", "move")
    offered = {(name, h) for name, unit in match.offer["units"].items() for h in unit["reach"]}
    moves: list[Any] = [action for action in match.legal() if action.__struct_config__.tag == verb]
    ends = {(move.unit, move.path[-1]) for move in moves}
    assert offered <= ends if match.offer.get("more") else offered == ends


@pytest.mark.costly(each=True)
def test_a_copy_goes_its_own_way(game: str, scenario: str) -> None:
    rng = Random(3)
    for number, match in enumerate(states_of(game, scenario, 3)):
        if match.result is None and number % 11 == 0:
            before = as_bytes(match.rules.to_position(match.state))
            twin = match.copy()
            twin.play(twin.sample(rng))
            assert as_bytes(match.rules.to_position(match.state)) == before


@pytest.mark.costly(each=True)
def test_a_position_gives_the_same_state_back(game: str, scenario: str) -> None:
    for number, match in enumerate(states_of(game, scenario, 4)):
        if number % 5 == 0:
            data = json.loads(as_bytes(match.rules.to_position(match.state)))
            again = match.rules.from_position(data)
            assert as_bytes(match.rules.to_position(again)) == as_bytes(data)


@pytest.mark.costly(each=True)
def test_a_save_loads_to_the_same_state_at_any_point(game: str, scenario: str) -> None:
    positions = []
    for match in states_of(game, scenario, 6):
        positions.append(as_bytes(match.rules.to_position(match.state)))
    text = match.save()
    snapshots = take_snapshots(text, for_header)
    for at in range(0, len(positions), 61 if NIGHTLY else max(61, len(positions) // 8)):
        assert (
            as_bytes(fronte.load(text, at, snapshots).rules.to_position(fronte.load(text, at).state)) == positions[at]
        )
    end = fronte.load(text)
    assert end.result == match.result
    assert end.save() == text


@pytest.mark.costly(each=True)
def test_a_save_without_its_seed_replays_from_its_dice(game: str, scenario: str) -> None:
    *_, match = states_of(game, scenario, 9)
    text = match.save(with_seed=False)
    assert match.state.seed.hex() not in text
    assert fronte.load(text).result == match.result


@pytest.mark.costly(each=True)
def test_undo_gives_the_state_before_back(game: str, scenario: str) -> None:
    rng = Random(2)
    undone = 0
    match, seed = fronte.new(game, scenario, 2), 2
    for _ in range(400):
        if match.result is not None:
            if undone > 20:
                break
            seed += 1  # it was soon over
            match = fronte.new(game, scenario, seed)
        before = as_bytes(match.rules.to_position(match.state)), len(match.events), len(match.entries)
        phasing = match.seat == match.state.active
        events = match.play(match.sample(rng))
        if any(event.kind == "rolled" or (event.kind == "attacked" and phasing) for event in events):
            assert not match.undo(), "dice fell, or the attacker saw who defends"
        elif match.undo():
            undone += 1
            assert (as_bytes(match.rules.to_position(match.state)), len(match.events), len(match.entries)) == before
            match.play(match.sample(rng))
    assert undone > 20


@pytest.mark.costly
def test_what_a_seat_may_not_know_changes_nothing_it_is_told(game: str, scenario: str) -> None:
    rng = Random(1)
    compared = 0
    for seed in range(11, 40):
        if seed > 12 and compared > 50:
            break
        for number, match in enumerate(states_of(game, scenario, seed)):
            decision = match.decision
            if decision is None or number % (6 if NIGHTLY else 12) or "battle" in match.view(decision.seat).family:
                continue
            seat = match.seat
            twin = fronte.Match(match.rules, match.rules.shuffle_hidden(match.state, seat, rng), [])
            assert as_bytes(twin.view(decision.seat)) == as_bytes(match.view(decision.seat))
            assert as_bytes(twin.offer) == as_bytes(match.offer)
            assert twin.decision == decision
            if decision.kind == "movement":
                action = match.sample(rng)
                here, there = match.copy(), twin.copy()
                here.play(action)
                there.play(action)
                assert here.events_for(decision.seat) == there.events_for(decision.seat)
            compared += 1
    assert compared > 50


@pytest.mark.costly(each=True)
def test_a_resampled_state_gives_the_same_view(game: str, scenario: str) -> None:
    rng = Random(1)
    for number, match in enumerate(states_of(game, scenario, 13)):
        if match.result is None and number % 8 == 0:
            seat = match.rules.seats[match.seat]
            view = match.view(seat)
            sampled = match.rules.resample(msgspec.json.decode(as_bytes(view), type=View), rng)
            assert as_bytes(match.rules.view(sampled, match.seat)) == as_bytes(view)
            twin = fronte.Match(match.rules, sampled, [])
            twin.play(twin.sample(rng))
