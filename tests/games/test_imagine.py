"""For every registered game: a state imagined from a seat holds what the seat sees, and nothing that is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

import fronte
from fronte.engine.view import View

LEAST = 900
"""So many decisions at least are gone through: a short game is played more than once."""


def decisions(game: str, scenario: str, options: dict[str, str], seed: int, every: int) -> Iterator[fronte.Match]:
    """Matches at some of their decisions, played at random; every decision in a combat is among them."""
    match = fronte.new(game, scenario, seed, options)
    rng = Random(seed)
    number = 0
    while match.state.frames or number < LEAST:
        if not match.state.frames:
            match = fronte.new(game, scenario, seed + number, options)
        if number % every == 0 or getattr(match.state, "battle", None) is not None:
            yield match
        match.play(match.sample(rng))
        number += 1


def everything(match: fronte.Match, state: Any) -> tuple[object, ...]:
    """All that is in a state; what can be worked out from the rest only where it cannot have been left for later."""
    slots = {name for kind in type(state).__mro__ for name in getattr(kind, "__slots__", ())} - {"zoc"}
    return tuple((name, getattr(state, name)) for name in sorted(slots or vars(state)))


@pytest.mark.costly(each=True)
def test_imagining_is_drawing_from_the_view(game: str, scenario: str) -> None:
    """Whatever is not in the view cannot have helped, as the same state is drawn from the view alone."""
    drawn_from_the_view(game, scenario, {})


@pytest.mark.costly
@pytest.mark.family("inferno")
def test_imagining_is_drawing_from_the_view_also_where_stacks_show_their_size(game: str, scenario: str) -> None:
    drawn_from_the_view(game, scenario, {"fog_stack_size": "true"})


def drawn_from_the_view(game: str, scenario: str, options: dict[str, str]) -> None:
    compared = 0
    for match in decisions(game, scenario, options, 17, 9):
        rules = match.rules
        for seat in range(len(rules.seats)):
            view = msgspec.json.decode(msgspec.json.encode(rules.view(match.state, seat)), type=View)
            imagined = rules.imagine(match.state, seat, Random(compared))
            drawn = rules.resample(view, Random(compared))
            assert everything(match, imagined) == everything(match, drawn)
            if seat == match.seat:
                again = msgspec.json.encode(rules.view(imagined, seat))
                assert msgspec.json.decode(again, type=View) == view
            compared += 1
    assert compared > 100


@pytest.mark.costly(each=True)
@pytest.mark.parametrize("drawn", [True, False])
def test_what_is_hidden_changes_nothing_in_it(game: str, scenario: str, drawn: bool) -> None:
    compared = differing = 0
    rng = Random(5)
    for match in decisions(game, scenario, {}, 23, 7):
        rules, seat = match.rules, match.seat
        twin = rules.shuffle_hidden(match.state, seat, rng)
        differing += everything(match, twin) != everything(match, match.state)
        one, two = (rules.imagine(state, seat, Random(1) if drawn else None) for state in (match.state, twin))
        assert everything(match, one) == everything(match, two)
        compared += 1
    assert compared > 50 and differing > compared // 2, "nothing was hidden, so nothing was tested"


@pytest.mark.costly(each=True)
def test_the_real_state_is_left_alone(game: str, scenario: str) -> None:
    for match in decisions(game, scenario, {}, 29, 40):
        before = everything(match, match.state.copy())
        match.rules.imagine(match.state, match.seat, Random(1))
        assert everything(match, match.state) == before
