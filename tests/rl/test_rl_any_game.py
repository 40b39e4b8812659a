"""Learners and games of any family: a plain environment for all, a sentence where a family has nothing of its own."""

from __future__ import annotations

import warnings
from random import Random

import numpy as np
import pytest
from learners import as_bytes
from pettingzoo.test import api_test, seed_test

import fronte
from fronte.engine.capabilities import NotOffered
from fronte.rl import PlainEnvironment, env, plain_env

CYCLES = {"isonzo": 6, "altipiani": 12}
"""Listing all that is legal takes long there."""


SET_UP = {"volturno": 60}
"""So many choices put the counters on the map there."""


def played(learner: PlainEnvironment, seed: int, most: int) -> int:
    """So many random choices of a match; how many there were."""
    rng, count = Random(seed), 0
    learner.reset(seed=seed)
    while learner.choices and count < most:
        learner.step(rng.choice(learner.choices))
        count += 1
    return count


def test_a_game_without_learners_is_refused_in_a_sentence(probe: str) -> None:
    with pytest.raises(NotOffered, match="probe has no environment for learners"):
        env(probe)
    with pytest.raises(NotOffered, match="probe has no running score"):
        plain_env(probe, shaping=0.1)


@pytest.mark.costly
def test_the_plain_environment_passes_the_tests_of_the_interface(any_game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on names and shapes
        api_test(plain_env(any_game), num_cycles=CYCLES.get(any_game, 100))
    seed_test(lambda: plain_env(any_game), num_cycles=CYCLES.get(any_game, 100))


def test_the_probe_is_played_to_its_end_by_every_seat(probe: str) -> None:
    for scenario in ("ford", "farm"):
        learner = plain_env(probe, scenario)
        decided: set[str] = set()
        rng = Random(4)
        learner.reset(seed=4)
        while learner.choices:
            decided.add(learner.agent_selection)
            learner.step(rng.choice(learner.choices))
        result = learner.match.result
        assert result is not None and decided == set(learner.rules.seats)
        assert sum(learner.rewards.values()) == 0
        if result.winner is not None:
            assert learner.rewards[result.winner] == 1.0, "the probe has no levels of victory"


def test_a_number_names_the_action_it_plays(any_game: str) -> None:
    learner = plain_env(any_game)
    learner.reset(seed=2)
    rng = Random(2)
    for _ in range(30):
        if not learner.choices:
            break
        choice = rng.choice(learner.choices)
        said, before = learner.alphabet.name(choice), len(learner.match.entries)
        action = learner.room.alphabet.listed[choice]  # type: ignore[attr-defined]
        assert learner.spell(action) == [choice]
        learner.step(choice)
        entry = learner.match.entries[before]
        assert entry.action["do"] == action.__struct_config__.tag and said.split()[0]
    with pytest.raises(ValueError, match="not among the choices"):
        learner.step(learner.alphabet.size - 1)


def test_what_a_seat_may_not_know_is_not_in_its_numbers(any_game: str) -> None:
    learner, twin = plain_env(any_game), plain_env(any_game)
    rng, differed = Random(7), 0
    for most in range(6, 60, 6) if any_game == "probe" else (n + SET_UP.get(any_game, 0) for n in (8, 16, 24, 32)):
        played(learner, most, most)
        if not learner.choices:
            continue
        agent = learner.agent_selection
        other = learner.rules.shuffle_hidden(learner.match.state, learner.match.seat, rng)
        twin.reset(options={"match": fronte.Match(learner.rules, other, [])})
        if twin.agent_selection != agent or twin.match.entries:  # there was but one answer: it was given
            continue
        assert as_bytes(twin.observe(agent)) == as_bytes(learner.observe(agent))
        differed += learner.rules.to_position(other) != learner.rules.to_position(learner.match.state)
    assert differed >= 3


def test_planes_and_scalars_say_what_the_view_says(any_game: str) -> None:
    learner = plain_env(any_game)
    played(learner, 3, 40 + SET_UP.get(any_game, 0))
    for seat, agent in enumerate(learner.possible_agents):
        sight, view, seen = learner.sights[seat], learner.match.view(agent), learner.observe(agent)
        planes = dict(zip(sight.plane_names, seen["observation"], strict=True))
        scalars = dict(zip(sight.scalar_names, seen["scalars"].tolist(), strict=True))
        assert scalars["turn"] == view.stage.turn and scalars["deciding"] == (view.stage.decides == agent)
        for track in view.tracks:
            assert scalars[f"track {track.name} {track.force}".rstrip()] == track.value
        for number, force in enumerate(sight.forces):
            here = [piece for piece in view.pieces if piece.force == force and piece.at in sight.cells]
            assert planes[f"pieces {number}"].sum() == len(here) > 0
            assert planes[f"known {number}"].sum() == sum(bool(piece.id) for piece in here)
            assert planes[f"control {number}"].sum() == len(view.control.get(force, ()))
        own = [force for force, owner in learner.rules.setting.forces.items() if owner == agent]
        assert sight.forces[: len(own)] == own
        assert planes["objective"].sum() == sum(learner.rules.setting.objectives.values())
        assert np.array_equal(planes["in play"] > 0, planes["in play"] == 1)
