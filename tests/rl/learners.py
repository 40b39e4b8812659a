"""What the tests of the environment share: environments with random options, and random play in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import fronte
from fronte.rl import Environment

TELLS = ("illegal_odds_attack", "forbid_before_reveal")
"""The option by which a refusal tells of hidden strength: that is its very purpose (8.2.b)."""
OF_AN_OWNER = ("table_source", "custom")
"""The option that asks for an owner's own data."""


def random_options(game: str, scenario: str, rng: Random, telling: bool = True) -> dict[str, str]:
    """A value for every option of a game."""
    found = {}
    for option in fronte.ruleset(game, scenario).rulebook.options:  # type: ignore[attr-defined]
        barred = {OF_AN_OWNER[1]} if option.name == OF_AN_OWNER[0] else set()
        if option.name == TELLS[0] and not telling:
            barred = {TELLS[1]}
        found[option.name] = rng.choice([value for value in option.values if value not in barred])
    return found


@cache
def environment(game: str, scenario: str = "") -> Environment:
    """An environment with the usual options; tests begin by resetting it."""
    return Environment(game, scenario)


def choose(learner: Environment, rng: Random) -> None:
    """Take one of the choices at random; phases end seldom, so that more than their end is tried."""
    choices = learner.choices
    end = learner.alphabet.verb["end"]
    if end in choices and rng.random() < 0.7:
        choices = [choice for choice in choices if choice != end]
    learner.step(rng.choice(choices))


def decisions(learner: Environment, seed: int, most: int = 100_000) -> Iterator[Environment]:
    """The environment at the beginning of each of its decisions, played at random, to the end or so many choices."""
    rng = Random(seed)
    learner.reset(seed=seed)
    played = -1
    for _ in range(most):
        if not learner.choices:
            return
        if len(learner.match.entries) != played:
            played = len(learner.match.entries)
            yield learner
        if learner.choices:  # whoever was given it may have played on, even to the end
            choose(learner, rng)


def as_bytes(observation: dict[str, Any]) -> dict[str, bytes]:
    """An observation for comparison."""
    return {name: numbers.tobytes() for name, numbers in observation.items()}


def enough(game: str, scenario: str, count: int) -> int:
    """So much is looked at in a whole game; a tenth of it in one that is over after two turns."""
    rules: Any = fronte.ruleset(game, scenario)
    first, last = rules.turns()
    return count // 10 if last - first < 2 else count
