"""What the environment for learners costs, compared with the engine alone. One core.

    .venv/bin/python benchmarks/rl.py [game ...] [--json]

The same random games are played action by action in three ways:

- the engine's own step: the seat looks at its view (`Match.view`), a legal action is drawn (`Match.sample`, and thrown
  away), and the game's action is played (`Match.play`, which checks it): what a player does who has only the engine;
- a blind step: the same without the view;
- through the environment: every small choice of the same action is asked for with `last()`, which makes the whole
  observation and the mask, and answered with `step()`.

The figures are the time through the environment divided by that of the engine's own steps, and by that of blind ones.
Beside them stands what it would cost to list what is legal (`Match.legal`), which the masks say too. Of each action the
quickest of several rounds counts, as other work on the machine disturbs them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from time import perf_counter
from typing import Any

from timing import asked_games, print_figures

import fronte
from fronte.engine.decision import Action
from fronte.rl import Environment

GAMES = 4
ROUNDS = 7
LISTED = 60
"""How many decisions of a game are listed for the figure of `legal`, which is slow."""


class Recorded:
    """A random game: its actions, and the small choices that each of them takes."""

    def __init__(self, learner: Environment, game: str, seed: int) -> None:
        self.begins = fronte.new(game, seed=seed)
        self.actions: list[Action] = []
        self.choices: list[list[int]] = []
        learner.reset(options={"match": self.begins})
        rng = Random(seed)
        played = 0
        match = self.begins.copy()
        while match.state.frames:
            action = match.sample(rng)
            match.play(action)
            self.actions.append(action)
            if len(learner.match.entries) > played:  # played by itself: there was nothing to choose
                self.choices.append([])
            else:
                self.choices.append(learner.spell(action))
                for choice in self.choices[-1]:
                    learner.step(choice)
            played += 1


def by_engine(games: Iterable[Recorded], looks: bool = True) -> list[float]:
    """All games through the engine alone; the time of each action."""
    times = []
    for game in games:
        match = game.begins.copy()
        seats = match.rules.seats
        rng = Random(1)
        for action in game.actions:
            began = perf_counter()
            if looks:
                match.view(seats[match.seat])
            match.sample(rng)
            match.play(action)
            times.append(perf_counter() - began)
    return times


def through_environment(learner: Environment, games: Iterable[Recorded]) -> list[float]:
    """The same through the environment, with everything a learner is told at every choice; the time of each action."""
    times = []
    for game in games:
        began = perf_counter()
        learner.reset(options={"match": game.begins})
        for choices in game.choices:
            for choice in choices:
                learner.last()
                learner.step(choice)
            times.append(perf_counter() - began)
            began = perf_counter()
    return times


def listing(game: Recorded) -> float:
    """The mean time to list what is legal at some decisions of a game (subsets that are endless are cut off)."""
    match = game.begins.copy()
    every = max(1, len(game.actions) // LISTED)
    spent, times = 0.0, 0
    for number, action in enumerate(game.actions):
        if number % every == 0:
            began = perf_counter()
            for _ in zip(match.legal(), range(20_000), strict=False):
                pass
            spent += perf_counter() - began
            times += 1
        match.play(action)
    return spent / times


def best(run: Callable[[], list[float]]) -> float:
    """The time of all actions, for each the least of several rounds."""
    rounds = [run() for _ in range(ROUNDS)]
    return sum(min(times) for times in zip(*rounds, strict=True))


def measure(game: str) -> dict[str, Any]:
    """The figures of one game."""
    learner = Environment(game)
    games = [Recorded(learner, game, seed) for seed in range(GAMES)]
    actions = sum(len(played.actions) for played in games)
    choices = sum(len(made) for played in games for made in played.choices)
    engine, blind = best(lambda: by_engine(games)), best(lambda: by_engine(games, looks=False))
    environment = best(lambda: through_environment(learner, games))
    return {
        "actions": actions,
        "small choices per action": round(choices / actions, 2),
        "engine: view, draw, play, microseconds per action": round(engine / actions * 1e6, 1),
        "engine blind: draw, play, microseconds per action": round(blind / actions * 1e6, 1),
        "environment, microseconds per action": round(environment / actions * 1e6, 1),
        "environment, microseconds per small choice": round(environment / choices * 1e6, 1),
        "environment / engine": round(environment / engine, 2),
        "environment / engine blind": round(environment / blind, 2),
        "listing what is legal instead, microseconds per decision": round(listing(games[0]) * 1e6),
    }


if __name__ == "__main__":
    print_figures({game: measure(game) for game in asked_games()})
