"""8.6: what a seat imagines is made quickly, and is the very state that its view alone would give."""

from __future__ import annotations

from random import Random

import pytest

import fronte
from fronte.games.volturno import fog
from fronte.games.volturno.state import State


@pytest.mark.parametrize("scenario", ["short", "full"])
def test_it_is_the_state_that_would_be_made_of_the_view(scenario: str) -> None:
    match = fronte.new("volturno", scenario, seed=3)
    rng, asked = Random(3), 0
    while match.seat >= 0 and asked < 120:
        for seat in range(2):
            for seed in (None, 5):
                quick = match.rules.imagine(match.state, seat, None if seed is None else Random(seed))
                draw = None if seed is None else Random(seed)
                slow = fog.resample(match.rules, match.rules.view(match.state, seat), draw)  # type: ignore[arg-type]
                wrong = [name for name in State.__slots__ if getattr(quick, name) != getattr(slow, name)]
                assert not wrong, (match.state.frames[-1], wrong)
        asked += 1
        for _ in range(3):
            if match.seat >= 0:
                match.play(match.sample(rng))
    assert asked > 60
