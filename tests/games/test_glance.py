"""For every registered game: what a list shows of a match is what the public view says, however it is made."""

from __future__ import annotations

from random import Random

import fronte
from fronte.engine.glance import glance_of


def test_a_glance_is_a_part_of_the_public_view(game: str, scenario: str) -> None:
    for seed in range(2):
        match, rng = fronte.new(game, scenario, 30 + seed), Random(seed)
        while match.result is None and len(match.entries) < 400:
            match.play(match.sample(rng))
            if len(match.entries) % 5 == 0:
                rules, state = match.rules, match.state
                assert rules.glance(state) == glance_of(rules.public_view(state), rules.grid.index)
