"""For every registered game: undo shows nothing, costs little, and brings back what was."""

from __future__ import annotations

import json
from itertools import islice
from random import Random
from typing import Any

import pytest
from mutants import NIGHTLY

import fronte
from fronte.engine.undo import MOST_KEPT


def as_bytes(data: object) -> bytes:
    return json.dumps(data, sort_keys=True, default=str).encode()


def learnt(match: fronte.Match, seat: str) -> bytes:
    """All that a seat can know after an action: its view, what it was told, and what is on offer to it."""
    owes = match.decision is not None and match.decision.seat == seat
    told = [(event.kind, event.rules, event.data) for event in match.events_for(seat)]
    decision = match.decision if owes else None
    return as_bytes([match.view(seat), told, str(decision), match.offer if owes else None])


def some_actions(match: fronte.Match, rng: Random) -> list[Any]:
    """A few legal actions of each kind, and those that end something."""
    listed = list(islice(match.legal(), 900))
    rng.shuffle(listed)
    found: dict[str, list[Any]] = {}
    for action in (*listed, match.sample(rng)):
        kept = found.setdefault(type(action).__name__, [])
        if len(kept) < 2:
            kept.append(action)
    return [action for actions in found.values() for action in actions]


@pytest.mark.costly(each=True)
def test_what_can_be_taken_back_has_shown_nothing(game: str, scenario: str) -> None:
    """Twins that differ only in what a seat may not know: after an action that it can take back it still cannot tell
    them apart, and whether it can take it back tells nothing either."""
    closed = opened = 0
    options: dict[str, Any] = {"artillery_redeploy": "any_phase"} if game == "isonzo" else {}
    for seed in range(40):
        if seed >= (12 if NIGHTLY else 2) and opened > 20 and closed:  # games that are soon over are played more often
            break
        every = 3 if NIGHTLY or seed >= 12 else 37  # and looked at more closely
        match, rng = fronte.new(game, scenario, 60 + seed, options if seed % 2 else {}), Random(seed)
        while match.result is None and (NIGHTLY or len(match.entries) < 400):
            seat = match.rules.seats[match.seat]
            if len(match.entries) % every:
                match.play(match.sample(rng))
                continue
            twin = fronte.Match(match.rules, match.rules.shuffle_hidden(match.state, match.seat, rng), [])
            before = learnt(match.copy(), seat)
            if learnt(twin, seat) == before:
                for action in some_actions(match, rng):
                    here, there = match.copy(), twin.copy()
                    here.play(action)
                    there.play(action)
                    assert here.can_undo() == there.can_undo(), (seat, action)
                    if here.can_undo():
                        assert learnt(here, seat) == learnt(there, seat), (seat, action)
                    opened += here.can_undo()
                    closed += not here.can_undo()
            match.play(match.sample(rng))
    assert opened > 20 and closed


@pytest.mark.family("inferno")
def test_ending_the_combat_phase_cannot_be_taken_back(game: str, scenario: str) -> None:
    """The stacks of the other side are looked at, and its Supply Phase follows: who could go back would have peeked."""
    for seed in range(3):
        match = fronte.new(game, scenario, seed)
        for _ in range(60):
            if match.decision is None:
                break
            ends = match.decision.kind == "combat"
            match.play("end" if match.why_not("end") is None else match.sample(Random(seed)))
            if ends:
                assert not match.can_undo()


def test_ending_the_movement_phase_can_be_taken_back() -> None:
    match = fronte.new("isonzo", seed=1)
    while match.decision is not None and match.decision.kind != "movement":
        match.play("end")
    before = as_bytes(match.rules.to_position(match.state))
    match.play("end")
    assert match.decision is not None and match.decision.kind == "combat"
    assert match.can_undo("italian") and match.undo()
    assert as_bytes(match.rules.to_position(match.state)) == before


def test_an_action_that_was_allowed_is_judged_anew_after_a_play_or_an_undo() -> None:
    """What a match remembers of the last answer holds for the state in which it was asked, and for no other."""
    match = fronte.new("isonzo", seed=1)
    while match.decision is not None and match.decision.kind != "movement":
        match.play("end")
    move = next(action for action in match.legal() if type(action).__name__ == "Move")
    assert match.why_not(move) is None
    match.play(move)
    with pytest.raises(fronte.IllegalAction):
        match.play(move)
    assert match.undo()
    match.play(move)
    twin = match.copy()
    end = twin.read("end")
    assert twin.why_not(end) is None and twin.undo() is False
    twin.play(end)
    with pytest.raises(fronte.IllegalAction):
        twin.play(move)


def at_two_equals() -> tuple[fronte.Match, list[str]]:
    """A match with two units of one stack that can be shown in turn, for ever and for nothing (5.3)."""
    match = fronte.new("isonzo", seed=4)
    rng = Random(4)
    while match.result is None:
        shows = [action for action in islice(match.legal(), 9000) if type(action).__name__ == "Show"]
        if shows:
            one = shows[0]
            twin = match.copy()
            twin.play(one)
            back = next(
                other
                for other in twin.legal()
                if type(other).__name__ == "Show" and other not in shows and other != one
            )
            return match, [f"show {one.unit}", f"show {back.unit}"]  # type: ignore[attr-defined]
        match.play(match.sample(rng))
    raise AssertionError("no stack has two equals on top")


def test_undo_keeps_few_states_however_much_is_done_and_goes_all_the_way_back() -> None:
    match, lines = at_two_equals()
    match._undo.close()
    states = []
    for number in range(1000):
        states.append(as_bytes(match.rules.to_position(match.state)))
        match.play(lines[number % 2])
        if number == 500:
            match.order("ah", "support", "none")
    kept = match._undo._states
    assert len(kept) <= MOST_KEPT + 1
    entries, events = len(match.entries), len(match.events)
    for number in range(999, -1, -1):
        assert match.can_undo() and match.undo()
        assert as_bytes(match.rules.to_position(match.state)) == states[number]
        assert len(match.entries) == entries - (1000 - number)
        assert len(match.events) == events - (1000 - number)
        if number % 333 == 0:
            match.play(lines[number % 2])
            assert match.undo()
    assert not match.can_undo()
    assert match.orders, "a standing order that was given meanwhile stays"
    assert fronte.load(match.save()).save() == match.save()
