"""Steady's weights, tuned by self-play: an evolution strategy over the weights of one side, the other side unchanged.

Every candidate of a generation plays the same seeds. All is decided by the settings: the same settings give the same
weights on any machine, with any number of workers, and whether or not the run was broken off on the way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import msgspec

import fronte
from fronte.ai import Seat, player
from fronte.ai.arena import add_row, many, read_rows
from fronte.ai.evolve import Evolution, begin, draw, learn, population
from fronte.ai.inferno.steadfast import Steadfast
from fronte.ai.inferno.steady.weights import Weights, scaled, table_of, usual
from fronte.ai.learning import read_tables, write_sides

SPREAD = 0.25
"""The first spread of the candidates, as the logarithm of a factor: most weights change by less than a third."""


class Settings(msgspec.Struct, frozen=True):
    """What decides a run."""

    game: str
    seat: str
    scenario: str = ""
    seed: int = 0
    games: int = 8
    """Games of each candidate in a generation."""
    candidates: int = 0
    """Candidates of a generation; 0: as many as the number of weights asks for."""
    against: tuple[str, ...] = ("steady",)
    """Who plays the other side, one after the other from game to game."""


class Trial(msgspec.Struct, frozen=True):
    """One game of a candidate."""

    game: str
    scenario: str
    seat: str
    seed: int
    weights: Weights
    against: str = "steady"


def play(trial: Trial) -> int:
    """The score of a game in which one seat plays with the trial's weights, seen from that seat."""
    match = fronte.new(trial.game, trial.scenario, trial.seed)
    rules = match.rules
    mine = rules.seat_index(trial.seat)
    hands = [
        Steadfast(Random(f"{trial.seed} {seat}"), {mine: trial.weights})
        if number == mine
        else player(trial.against, f"{trial.seed} {seat}", game=trial.game)
        for number, seat in enumerate(rules.seats)
    ]
    seats = [Seat(match, seat) for seat in rules.seats]
    while match.seat >= 0:
        match.play(hands[match.seat](seats[match.seat]))
    assert match.result is not None
    return rules.merit(match.result, mine)


def tune(settings: Settings, generations: int, workers: int = 1, file: Path | None = None) -> Iterator[dict[str, Any]]:
    """One row for each generation, from the file as far as it goes, then played and added to it."""
    rules: Any = fronte.ruleset(settings.game, settings.scenario)
    base = usual(rules)[rules.seat_index(settings.seat)]
    names = base.__struct_fields__
    state = begin(len(names), SPREAD)
    rows = read_rows(file) if file is not None else []
    if rows and msgspec.convert(rows[0]["settings"], Settings) != settings:
        raise ValueError(f"{file} is of a run with other settings: {json.dumps(rows[0]['settings'])}")
    for row in rows[:generations]:
        state = msgspec.convert(row["state"], Evolution)
        yield row
    with many(workers) as run:
        while state.generation < generations:
            state, row = _generation(settings, base, state, run)
            add_row(file, row)
            yield row


def _generation(settings: Settings, base: Weights, state: Evolution, run: Any) -> tuple[Evolution, dict[str, Any]]:
    """Draw candidates, let each play the generation's seeds, and learn from their order."""
    count = settings.candidates or population(len(state.mean))
    rng = Random(f"{settings.seed} {state.generation}")
    drawn = draw(state, count, rng)
    first = settings.seed + state.generation * settings.games
    trials = [
        Trial(settings.game, settings.scenario, settings.seat, first + number, scaled(base, point), foe)
        for point in [*drawn, state.mean]
        for number, foe in zip(range(settings.games), cycle(settings.against), strict=False)
    ]
    scores = list(run(play, trials))
    means = [fmean(scores[k : k + settings.games]) for k in range(0, len(scores), settings.games)]
    *found, centre = means
    order = sorted(range(count), key=lambda k: (-found[k], k))
    after = learn(state, [drawn[k] for k in order])
    row = {
        "settings": {**msgspec.to_builtins(settings), "against": [*settings.against]},
        "generation": after.generation,
        "centre": round(centre, 3),
        "best": round(max(found), 3),
        "mean": round(fmean(found), 3),
        "sigma": round(after.sigma, 5),
        "state": msgspec.to_builtins(after),
        "weights": msgspec.to_builtins(scaled(base, after.mean)),
    }
    return after, row


def write_weights(file: Path, game: str, scenario: str, seat: str, weights: Mapping[str, float]) -> None:
    """Put the weights of a seat into the table of a file that holds for a scenario; the others stay, comments before
    the first table too."""
    write_sides(file, table_of(read_tables(file)[1], game, scenario), {seat: weights})
