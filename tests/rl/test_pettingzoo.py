"""PettingZoo's own tests, rewards, saves and the example of the documentation."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path
from random import Random

import pytest
from learners import decisions, environment
from pettingzoo.test import api_test, seed_test

import fronte
from fronte.rl import Environment, env
from fronte.rl.rewards import final_reward

DOCS = Path(__file__).parents[2] / "docs" / "rl.md"


@pytest.mark.needs("learners")
def test_it_passes_the_test_of_the_interface(game: str, scenario: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on names and shapes
        api_test(env(game, scenario), num_cycles=300)


@pytest.mark.costly(each=True)
@pytest.mark.needs("learners")
def test_it_passes_the_test_of_seeds(game: str, scenario: str) -> None:
    seed_test(lambda: env(game, scenario), num_cycles=200)


def test_without_a_seed_the_next_match_of_a_series_begins() -> None:
    learner, again = Environment("isonzo"), Environment("isonzo")
    seeds = []
    for environment_ in (learner, again):
        environment_.reset(seed=5)
        first = environment_.match.state.seed
        environment_.reset()
        seeds.append((first, environment_.match.state.seed))
    assert seeds[0] == seeds[1]
    assert seeds[0][0] != seeds[0][1]


@pytest.mark.needs("learners")
def test_rewards_are_zero_sum_and_follow_the_level_of_victory(game: str, scenario: str) -> None:
    learner = environment(game, scenario)
    for _ in decisions(learner, 1):
        assert not any(learner.rewards.values())
    result = learner.match.result
    assert result is not None
    names = [name for name, _ in learner.rules.setting.levels]
    worth = (1.0, 0.5, 0.0, 0.5, 1.0) if len(names) == 5 else (1.0, 0.5, 0.5, 1.0)  # a scenario may have no draw
    expected = dict(zip(names, worth, strict=True))[result.level]
    assert sum(learner.rewards.values()) == 0
    assert all(learner.terminations.values())
    if result.winner is not None:
        assert learner.rewards[result.winner] == expected
        assert final_reward(learner.rules, result, "winner") == 1.0
        _, reward, terminated, _, info = learner.last()
        assert terminated and info["level"] == result.level
        assert reward == (expected if learner.agent_selection == result.winner else -expected)


@pytest.mark.needs("learners")
def test_shaping_pays_every_change_of_the_score(game: str, scenario: str) -> None:
    learner = Environment(game, scenario, shaping=0.5)
    scoring = learner.possible_agents[learner.room.scorer]
    learner.reset(seed=3)
    begins = learner.match.view(scoring).track("score")
    rng, paid = Random(3), 0.0
    while learner.choices:
        learner.step(rng.choice(learner.choices))
        assert sum(learner.rewards.values()) == 0
        paid += learner.rewards[scoring]
    result = learner.match.result
    assert result is not None
    last = final_reward(learner.rules, result, "level") * (1 if result.winner == scoring else -1)
    assert paid == pytest.approx(0.5 * (result.score - begins) + last)


def test_it_is_known_whom_a_high_score_favours() -> None:
    """Asked of the rules, by matches ended with every hex in one hand."""
    for game in ("isonzo", "altipiani"):
        rules, scorer = fronte.ruleset(game), environment(game).room.scorer
        ends = []
        for held in (0, rules.grid.everything):
            state = rules.start(bytes(32), [])
            state.held, state.outcome = held, "time"
            result = rules.result(state)
            assert result is not None
            ends.append((result.score, rules.merit(result, scorer)))
        (low, worse), (high, better) = sorted(ends)
        assert low < high and worse < better


@pytest.mark.costly(each=True)
@pytest.mark.needs("learners")
def test_a_game_of_the_environment_can_be_saved_and_replayed(game: str, scenario: str) -> None:
    learner = environment(game, scenario)
    for _ in decisions(learner, 8):
        pass
    match = fronte.load(learner.match.save())
    assert match.result == learner.match.result
    assert match.events == learner.match.events


def test_other_rewards_and_other_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="the rewards are level, winner"):
        Environment("isonzo", reward="points")
    with pytest.raises(ValueError, match="other rules"):
        environment("isonzo").reset(options={"match": fronte.new("altipiani")})


def test_it_draws_itself() -> None:
    learner = Environment("isonzo", render_mode="svg")
    learner.reset(seed=1)
    drawn = learner.render()
    assert drawn is not None and drawn.startswith("<svg")
    assert environment("isonzo").render() is None


def test_without_the_extra_it_says_what_is_missing() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None; import fronte.rl"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "fronte[rl]" in done.stderr


def test_the_examples_of_the_documentation_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 3
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(DOCS), "exec"), space)
    assert "learned" in space
