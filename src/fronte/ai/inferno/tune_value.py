"""What the terms of a position are worth, learnt from self-play by least-squares temporal differences, LSTD(lambda).

Steady plays both sides, in some player turns with another intention than its own, so that positions are met which it
would not bring about. After every player turn the terms are noted; what they are worth is then chosen so that the value
of each position fits that of the next, and the value of the last fits the score in the end. Comparing neighbours rather
than waiting for the end takes out most of the luck, so a few hundred games are enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, pvariance
from typing import Any

import msgspec

import fronte
from fronte.ai.equations import solve
from fronte.ai.inferno.intents import CHANGES, Intent, changed, drawn
from fronte.ai.inferno.planner import policy_of
from fronte.ai.inferno.steady.weights import Weights
from fronte.ai.inferno.value import BASE, TERMS, Worth, basis, terms
from fronte.ai.learning import SelfPlay, played, read_tables, write_lines
from fronte.ai.luck import Luck
from fronte.ai.playout import Playout

TRACE = 0.9
"""Lambda: how far the value of a position is also fitted to positions further on."""
RIDGE = 0.01
"""How strongly terms that explain little are kept small."""

EXPLORING = 0.35
"""The share of player turns that are played with another intention."""
RARE = ("peril",)
"""Terms that count the same early and late: they matter too seldom to tell the difference."""

Row = list[float]


def play(job: SelfPlay) -> dict[str, Any]:
    """The terms after each player turn of a game, and its score."""
    match = fronte.new(job.game, job.scenario, job.seed)
    rules: Any = match.rules
    policy = policy_of(rules)
    usual = policy.base
    rng = Random(f"self-play {job.seed}")
    playout = Playout(policy, match.state, usual, Luck("self-play", job.seed))
    turns: list[dict[str, Any]] = []
    while True:
        state = playout.state
        playout.intents = dict(usual)
        if rng.random() < EXPLORING:
            playout.intents[state.active] = Intent("other", other_weights(usual[state.active].weights, rng))
        playout.go_on(0, usual)
        if playout.over:
            break
        turns.append({"turn": state.turn, "active": state.active, "terms": [round(x, 3) for x in terms(rules, state)]})
    result = rules.result(playout.state)
    return {"job": msgspec.to_builtins(job), "score": rules.merit(result, rules.scorer), "turns": turns}


def other_weights(weights: Weights, rng: Random) -> Weights:
    """Weights of another intention: as often one that has a name as one that is drawn."""
    if rng.random() < 0.5:
        return changed(weights, rng.choice([name for name, factors in CHANGES.items() if factors]))
    return drawn(weights, rng)


def gather(jobs: Sequence[SelfPlay], workers: int, file: Path | None) -> Iterator[dict[str, Any]]:
    """All games, those of the file first; new ones go into it."""
    return played(play, jobs, workers, file)


class _Moment(msgspec.Struct, frozen=True):
    """As much of a state as `basis` asks for."""

    turn: int
    active: int


def span_of(rows: Sequence[dict[str, Any]]) -> float:
    """The turns of a game: the last one that half of the games and more come to, and one more."""
    lengths = sorted(row["turns"][-1]["turn"] for row in rows if row["turns"])
    return float(lengths[len(lengths) // 2] + 1)


def vectors(row: dict[str, Any], span: float) -> list[Row]:
    """The positions of a game as rows of numbers: what the turn decides, the terms, and those by time and by turn."""
    found = []
    for turn in row["turns"]:
        moment: Any = _Moment(turn["turn"], turn["active"])
        first = basis(moment, span)
        later = (0.0 if name in RARE else first[2] * x for name, x in zip(TERMS, turn["terms"], strict=True))
        found.append([*first, *turn["terms"], *later, *(first[1] * x for x in turn["terms"])])
    return found


def fit(rows: Sequence[dict[str, Any]], trace: float = TRACE, ridge: float = RIDGE) -> Worth:
    """LSTD(lambda) over all games."""
    span = span_of(rows)
    size = len(BASE) + 3 * len(TERMS)
    left: list[Row] = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    games = [vectors(row, span) for row in rows]
    for row, path in zip(rows, games, strict=True):
        memory = [0.0] * size
        for here, after in zip(path, [*path[1:], None], strict=True):
            memory = [trace * m + x for m, x in zip(memory, here, strict=True)]
            change = here if after is None else [x - y for x, y in zip(here, after, strict=True)]
            for i, m in enumerate(memory):
                line = left[i]
                if m:
                    line[:] = [a + m * d for a, d in zip(line, change, strict=True)]
                if after is None:
                    right[i] += m * row["score"]
    for i in range(len(BASE), size):
        column = [vector[i] for path in games for vector in path]
        left[i][i] += ridge * len(column) * pvariance(column) + 1e-9
    found = solve(left, right)
    first, each = len(BASE), len(TERMS)
    end, more, second = (found[k : k + each] for k in range(first, size, each))
    return Worth(span, _named(BASE, found[:first]), _named(TERMS, end), _named(TERMS, more), _named(TERMS, second))


def _named(names: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    return {name: round(x, 5) for name, x in zip(names, values, strict=True)}


def explained(rows: Sequence[dict[str, Any]], worth: Worth) -> float:
    """The share of the variance of final scores that the values of all positions explain."""
    weights = [*worth.base.values(), *worth.end.values(), *worth.left.values(), *worth.second.values()]
    scores = [row["score"] for row in rows for _ in row["turns"]]
    mean = fmean(scores)
    told = [
        sum(w * x for w, x in zip(weights, vector, strict=True)) for row in rows for vector in vectors(row, worth.span)
    ]
    left = float(sum((s - t) ** 2 for s, t in zip(scores, told, strict=True)))
    return 1.0 - left / float(sum((s - mean) ** 2 for s in scores))


def write_worth(file: Path, game: str, worth: Worth) -> None:
    """Put the values of a game into a file; those of other games stay, comments before the first table too."""
    lines, tables = read_tables(file)
    tables[game] = msgspec.to_builtins(worth)
    for name, table in tables.items():
        lines += ["", f"[{name}]", f"span = {table['span']!r}"]
        for part in ("base", "end", "left", "second"):
            lines += ["", f"[{name}.{part}]", *(f"{key} = {value!r}" for key, value in table[part].items())]
    write_lines(file, lines)
