"""For every registered game: what a seat remembers of hidden counters is true, is its own to know, and is counted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from mutants import NIGHTLY

import fronte
from fronte.engine.recollection import Recollection
from fronte.engine.sheet import Sheet
from fronte.engine.text import texts_of
from fronte.games.caporetto.imagined import remembered
from fronte.games.caporetto.sightings import known
from fronte.hexes import bits

FEW = 300
"""Answers that are looked through for one with odds."""


def hidden(match: fronte.Match, seat: int) -> dict[str, Any]:
    """What a seat remembers and does not see."""
    seen = {one.unit for one in match.rules.others(match.state, seat).known}
    return {unit: sighting for unit, sighting in match.recalled(seat).items() if unit not in seen}


def sheets(match: fronte.Match, state: Any, recalled: Recollection) -> list[bytes]:
    """The odds of some answers of whoever decides, in this state, with what he remembers."""
    choice = match.rules.choices[match.state.frames[-1].name]
    verbs = tuple(verb for verb in choice.verbs if verb.odds)
    found: list[bytes] = []
    for action in islice(match.legal(), FEW) if verbs else ():
        if isinstance(action, verbs) and len(found) < 12:
            try:
                found.append(msgspec.json.encode(match.rules.remembered_sheet(state, action, match.seat, recalled)))
            except fronte.IllegalAction as none:
                found.append(none.refusal.key.encode())
    return found


@pytest.mark.costly(each=True)
def test_what_is_remembered_still_holds_and_tells_nothing_more(game: str, scenario: str) -> None:
    """Whoever is remembered lies there; and in a state that differs only in what the seat may not know, the odds with
    what it remembers are the same to the byte."""
    many = compared = played = 0
    for seed in range(6):
        if not NIGHTLY and (compared or played > 300):
            break
        match, rng = fronte.new(game, scenario, 80 + seed), Random(seed)
        match.remember()
        while match.result is None and len(match.entries) < (2000 if NIGHTLY else 400):
            match.play(match.sample(rng))
            if rng.random() < 0.05 and match.can_undo():
                match.undo()
            if NIGHTLY or len(match.entries) % 3 == 0:
                truth = {piece.id: piece.at for seat in match.rules.seats for piece in match.view(seat).own()}
                for seat in range(len(match.rules.seats)):
                    for unit, sighting in match.recalled(seat).items():
                        assert truth[unit] == sighting.at, (seat, unit, sighting)
                    many += len(hidden(match, seat))
            if match.result is None and len(match.entries) % 13 == 0:
                recalled = match.recalled(match.seat)
                twin = match.rules.shuffle_hidden(match.state, match.seat, rng)
                found = sheets(match, match.state, recalled)
                assert found == sheets(match, twin, recalled)
                compared += len(found)
        played += len(match.entries)
    assert many or game == "probe"  # there hidden counters have no names at any time
    assert compared or scenario in ("cividale", "farm")


@pytest.mark.costly(each=True)
def test_taking_back_takes_back_what_was_seen(game: str, scenario: str) -> None:
    match, rng, undone = fronte.new(game, scenario, 3), Random(5), 0
    match.remember()
    for _ in range(80):
        if match.result is not None:
            break
        before = [match.recalled(seat) for seat in range(len(match.rules.seats))]
        match.play(match.sample(rng))
        if match.can_undo():
            match.undo()
            undone += 1
            assert [match.recalled(seat) for seat in range(len(match.rules.seats))] == before
            match.play(match.sample(rng))
    assert undone


def test_a_save_that_is_loaded_remembers_the_same() -> None:
    match, rng = fronte.new("isonzo", seed=4), Random(4)
    match.remember()
    while len(match.entries) < 300:
        match.play(match.sample(rng))
    twin = fronte.load(match.save(), remember=True)
    assert [twin.recalled(seat) for seat in range(2)] == [match.recalled(seat) for seat in range(2)]
    assert fronte.load(match.save()).recalled(0) == {}


def remembering(match: fronte.Match) -> Iterator[tuple[Any, Sheet, Sheet]]:
    """Answers of whoever decides whose odds count somebody from memory, with their odds and those without."""
    choice = match.rules.choices[match.state.frames[-1].name]
    verbs = tuple(verb for verb in choice.verbs if verb.odds)
    for action in islice(match.legal(), 60) if verbs and hidden(match, match.seat) else ():
        if isinstance(action, verbs):
            try:
                counted, plain = match.odds(action), match.rules.sheet(match.state, action, match.seat)
            except fronte.IllegalAction:
                continue
            if counted.recalled and counted.rows != plain.rows:
                yield action, counted, plain


@pytest.mark.parametrize("game", ["isonzo", "altipiani", "volturno"])
def test_odds_count_who_is_remembered(game: str) -> None:
    match, rng = fronte.new(game, seed=0), Random(0)
    match.remember()
    found = None
    while found is None and len(match.entries) < 300:
        match.play(match.sample(rng))
        found = next(remembering(match), None)
    assert found is not None
    action, counted, plain = found
    (there,) = counted.recalled
    sightings = [match.recalled(match.seat)[unit] for unit in there.units]
    assert {(one.at, one.turn) for one in sightings} == {(action.target, there.turn)}
    assert plain.recalled == () and plain.unknown != counted.unknown
    words = texts_of(match.rules.pack, "it").recalled(counted)
    assert words and f"dal turno {there.turn}" in words[0]


def test_covered_counters_that_are_remembered_are_counted_in_caporetto() -> None:
    """22.0: a stack that was next to the assailant and is covered now."""
    match, rng = fronte.new("caporetto", "cividale", seed=1), Random(1)
    match.remember()
    counted = 0
    while match.result is None and not counted and len(match.entries) < 300:
        match.play(match.sample(rng))
        seat = match.seat
        if seat < 0:
            break
        imagined = match.rules.imagine(match.state, seat, None)
        state, back = remembered(match.rules, imagined, seat, match.recalled(seat))
        covered = ~known(match.rules, imagined, seat)
        for unit in bits(back & covered):
            counted += 1
            assert state.at[unit] == match.state.at[unit]
            assert unit in state.stacks[state.at[unit]]
        assert known(match.rules, state, seat) & ~back == known(match.rules, imagined, seat) & ~back
    assert counted
