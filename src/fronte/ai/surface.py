"""Weights that beat others, found by a response surface: many games, each with all weights changed a little.

What a change of each weight is worth, and how that bends, is fitted to the scores of all games so far (ridge
regression with a prior: little is gained, and much of anything is too much). The centre of the changes then goes
towards where the surface is highest, a short way at a time, and the next batch of games is drawn around it. A game says
little, but every game says something about every weight, which a strategy that compares candidates throws away.

All is decided by the settings: the same settings give the same weights with any number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
import numpy as np

import fronte
from fronte.ai import Seat, player
from fronte.ai.arena import add_row, many
from fronte.ai.seat import Player
from fronte.ai.tuning import tuner

SPREAD = 0.4
"""How far weights are changed, as the logarithm of a factor."""
SLOPE, BEND = 0.3, 0.4
"""What the prior takes slopes to be about, and curvatures to be below zero by."""
LEAST_BEND = 0.2
FARTHEST = 1.3
"""No weight is changed by more than this, as the logarithm of a factor,"""
STRIDE, PART = 1.0, 0.7
"""nor the centre by more than this in one batch; and it goes only this part of the way."""
RIVALS = 3
"""In every third game the enemy is the centre of the other side, else one of those who are played against."""
CENTRE = 6
"""For so many games one is played with the centre itself, to show the progress."""


class Settings(msgspec.Struct, frozen=True):
    """What decides a run."""

    game: str
    scenario: str = ""
    seed: int = 0
    games: int = 240
    """Games of each side in a batch."""
    unit: float = 1.0
    """Points that count as one,"""
    noise: float = 4.5
    """and the variance of a score in such units."""
    against: tuple[str, ...] = ("steady",)
    """Who plays the other side, one after the other from game to game, where its centre does not."""


class Trial(NamedTuple):
    """One game: the side that is tuned, its changes, and those of the other side or the name of who plays it."""

    game: str
    scenario: str
    seat: int
    seed: int
    point: tuple[float, ...]
    other: tuple[float, ...] | str


def play(trial: Trial) -> int:
    """What a game was worth to the side that is tuned."""
    own = tuner(trial.game, "tune_surface")
    match = fronte.new(trial.game, trial.scenario, trial.seed)
    hands: list[Player] = []
    for seat in range(2):
        who, seed = trial.point if seat == trial.seat else trial.other, f"{trial.seed} {seat}"
        named = player(who, seed, game=trial.game) if isinstance(who, str) else None
        hands.append(named or own.hand(match.rules, seat, Random(seed), who))
    seats = [Seat(match, name) for name in match.rules.seats]
    while match.seat >= 0:
        match.play(hands[match.seat](seats[match.seat]))
    assert match.result is not None
    return match.rules.merit(match.result, trial.seat)


class Side:
    """What is known of the weights of one side."""

    def __init__(self, size: int) -> None:
        self.centre: Any = np.zeros(size)
        self.points: Any = np.zeros((0, size))
        self.scores: Any = np.zeros(0)
        self.groups: Any = np.zeros(0, int)

    def add(self, points: Any, scores: Any, groups: Any, noise: float) -> None:
        """More games; scores are compared within groups, since every batch and rival has a level of its own."""
        scores = scores.copy()
        for group in np.unique(groups):
            scores[groups == group] -= scores[groups == group].mean()
        self.points, self.scores = np.vstack([self.points, points]), np.r_[self.scores, scores]
        self.groups = np.r_[self.groups, groups]
        slopes, bends = self._surface(noise)
        step = np.clip(-slopes / bends, -FARTHEST, FARTHEST) - self.centre
        stride = STRIDE / (float(np.linalg.norm(step)) + 1e-9)
        self.centre = self.centre + PART * min(1.0, stride) * step

    def _surface(self, noise: float) -> tuple[Any, Any]:
        """The slopes and curvatures that fit all games best."""
        size = self.points.shape[1]
        terms = np.hstack([self.points, 0.5 * self.points**2])
        for group in np.unique(self.groups):
            terms[group == self.groups] -= terms[group == self.groups].mean(axis=0)
        prior = np.r_[np.zeros(size), -BEND * np.ones(size)]
        left = terms.T @ terms + np.diag(np.ones(2 * size) / SLOPE**2 * noise)
        found = prior + np.linalg.solve(left, terms.T @ (self.scores - terms @ prior))
        return found[:size], np.minimum(found[size:], -LEAST_BEND)


def climb(settings: Settings, batches: int, workers: int = 1, file: Path | None = None) -> Iterator[dict[str, Any]]:
    """One row for each batch: what the centres made against those who are named, and the weights after it."""
    own = tuner(settings.game, "tune_surface")
    rng = np.random.default_rng(settings.seed)
    rules = fronte.ruleset(settings.game, settings.scenario)
    sides = [Side(len(own.names(rules, seat))) for seat in range(2)]
    seed = settings.seed
    with many(workers) as run:
        for batch in range(batches):
            trials: list[Trial] = []
            for seat in range(2):
                drawn = _drawn(sides[seat].centre, settings.games, rng)
                trials += _trials(settings, seat, seed, drawn, sides[1 - seat].centre)
                seed += len(drawn)
            scores = np.array(list(run(play, trials)), dtype=float) / settings.unit
            row = _learnt(settings, own, batch, sides, trials, scores)
            add_row(file, row)
            yield row


def _drawn(centre: Any, games: int, rng: Any) -> Any:
    """The points of a batch, in pairs that mirror each other; then the centre itself."""
    half = rng.normal(0, SPREAD, (games // 2, len(centre)))
    return np.vstack([centre + half, centre - half, np.tile(centre, (games // CENTRE, 1))])


def _trials(settings: Settings, seat: int, seed: int, drawn: Any, other: Any) -> list[Trial]:
    found = []
    for k, point in enumerate(drawn):
        mirrored = k if k >= settings.games // 2 * 2 else k % (settings.games // 2)
        centre = k < settings.games // 2 * 2 and mirrored % RIVALS == 0
        named = settings.against[mirrored % len(settings.against)]
        rival = tuple(other.tolist()) if centre else named
        found.append(Trial(settings.game, settings.scenario, seat, seed + k, tuple(point.tolist()), rival))
    return found


def _learnt(
    settings: Settings, own: ModuleType, batch: int, sides: Sequence[Side], trials: Sequence[Trial], scores: Any
) -> dict[str, Any]:
    """Learn from a batch, and tell of it."""
    row: dict[str, Any] = {"settings": msgspec.to_builtins(settings), "batch": batch + 1}
    each, drawn = len(trials) // 2, settings.games // 2 * 2
    rules = fronte.ruleset(settings.game, settings.scenario)
    for seat, name in enumerate(rules.seats):
        part, found = trials[seat * each : (seat + 1) * each], scores[seat * each : (seat + 1) * each]
        rivals = [settings.against.index(one.other) if isinstance(one.other, str) else -1 for one in part[:drawn]]
        groups = np.array([(1 + len(settings.against)) * batch + 1 + rival for rival in rivals])
        sides[seat].add(np.array([one.point for one in part[:drawn]]), found[:drawn], groups, settings.noise)
        centre = round(float(found[drawn:].mean() * settings.unit), 3) if each > drawn else None
        row[name] = {"centre": centre, "weights": own.weights(rules, seat, sides[seat].centre.tolist())}
    return row
