"""What an offer tells of the hexes next to a unit is what walking there would say."""

from random import Random

import pytest

import fronte
from fronte.games.caporetto.ways import single_steps, walk


@pytest.mark.parametrize("scenario", ["cividale", "maggiore"])
def test_single_steps_say_what_a_walk_says(scenario: str) -> None:
    match, rng, told = fronte.new("caporetto", scenario, seed=11), Random(11), 0
    for _ in range(120):
        if not match.state.frames:
            break
        rules, state = match.rules, match.state
        for unit in range(len(state.at)):
            if state.at[unit] < 0 or rules.flamethrowers >> unit & 1:
                continue
            near = rules.grid.adjacent[state.at[unit]]
            found = list(single_steps(rules, state, (unit,), near))
            assert found == [(h, walk(rules, state, (unit,), (h,), across=False)) for h in near]
            told += sum(walked.refusal is None for _, walked in found)
        match.play(match.sample(rng))
    assert told > 1000
