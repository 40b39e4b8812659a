"""What the terms of a place are worth (`places`), learnt from self-play by logistic regression.

Steady plays both sides, in some actions with another intention than its own, so that positions are met which it would
not bring about. After every action the terms of each place are noted; what they are worth is then chosen so that the
chances fit who held the places in the end. Each place has a constant of its own, so that the terms tell one position of
a place from another, and not one place from another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import msgspec

import fronte
from fronte.ai.caporetto.places import TERMS, Worth, attacker, chance, strengths, terms
from fronte.ai.caporetto.planner import CHANGES, USUAL, Intent, drawn, policy_of
from fronte.ai.caporetto.value import arrival
from fronte.ai.equations import solve
from fronte.ai.learning import SelfPlay, played, read_tables, write_lines
from fronte.ai.luck import Luck
from fronte.ai.playout import Playout

RIDGE = 2.0
"""How strongly all but the constants are kept small, in observations of a term that is one;"""
APART = 8.0
"""and what is known of single places."""
ROUNDS = 12
"""Steps of Newton's method."""
EXPLORING = 0.35
"""The share of actions that are played with another intention."""

Row = list[float]


def play(job: SelfPlay) -> dict[str, Any]:
    """By place the terms after each action of a game, and who had it in the end."""
    match = fronte.new(job.game, job.scenario, job.seed)
    rules: Any = match.rules
    policy = policy_of(rules)
    chart, force, names = policy.chart, attacker(policy.chart), rules.grid.ids
    rng = Random(f"self-play {job.seed}")
    usual = dict.fromkeys(range(len(rules.seats)), USUAL)
    playout = Playout(policy, match.state, usual, Luck("self-play", job.seed))
    seen: list[dict[str, Any]] = []
    while True:
        state = playout.state
        playout.intents = {seat: _intent(rng) for seat in usual}
        playout.go_on(0, usual)
        if playout.over:
            break
        due, around = arrival(chart, state, force), strengths(chart, state, force)
        places = {
            names[goal]: [
                int(state.control[force] >> goal & 1),
                *(round(x, 3) for x in terms(chart, state, force, due, around, goal)),
            ]
            for goal in rules.scene.objectives
        }
        seen.append({"turn": state.turn, "phase": state.phase, "places": places})
    held = {names[goal]: int(playout.state.control[force] >> goal & 1) for goal in rules.scene.objectives}
    worth = {names[goal]: points for goal, points in rules.scene.objectives.items()}
    score = rules.merit(rules.result(playout.state), rules.scene.seat_of[force])
    of = {"job": msgspec.to_builtins(job), "scenario": rules.header.scenario, "score": score}
    return {**of, "held": held, "worth": worth, "positions": seen}


def _intent(rng: Random) -> Intent:
    """Steady's intention, or another: as often one that has a name as one that is drawn."""
    if rng.random() >= EXPLORING:
        return USUAL
    if rng.random() < 0.5:
        name = rng.choice([name for name, factors in CHANGES.items() if factors])
        return Intent(name, CHANGES[name])
    return drawn(USUAL, rng)


def gather(jobs: Sequence[SelfPlay], workers: int, file: Path | None) -> Iterator[dict[str, Any]]:
    """All games, those of the file first; new ones go into it."""
    return played(play, jobs, workers, file)


def fit(rows: Sequence[dict[str, Any]]) -> Worth:
    """Logistic regression over all places, positions and games: one line for places to be taken, one for those held."""
    names = sorted(rows[0]["held"])
    each, size = len(TERMS), 2 * len(TERMS) + len(names)
    seen: list[tuple[list[tuple[int, float]], int]] = []
    for row in rows:
        for position in row["positions"]:
            for name, (held, *values) in position["places"].items():
                first = each if held else 0
                vector = [(first + i, x) for i, x in enumerate(values) if x]
                seen.append(([*vector, (2 * each + names.index(name), 1.0)], row["held"][name]))
    found = [0.0] * size
    ridge = [1e-3 if i in (0, each) else RIDGE if i < 2 * each else APART for i in range(size)]
    for _ in range(ROUNDS):
        left = [[ridge[i] if i == k else 0.0 for k in range(size)] for i in range(size)]
        right = [-ridge[i] * found[i] for i in range(size)]
        for vector, held in seen:
            p = chance(sum([found[i] * x for i, x in vector]))
            spread = max(1e-4, p * (1.0 - p))
            for i, x in vector:
                right[i] += (held - p) * x
                line, by = left[i], spread * x
                for k, y in vector:
                    line[k] += by * y
        step = solve(left, right)
        found = [a + b for a, b in zip(found, step, strict=True)]
        if max(map(abs, step)) < 1e-3:
            break
    scenario = rows[0]["scenario"]
    return Worth(
        scenario, _named(TERMS, found[:each]), _named(TERMS, found[each : 2 * each]), _named(names, found[2 * each :])
    )


def _named(names: Sequence[str], values: Sequence[float]) -> dict[str, float]:
    return {name: round(x, 4) for name, x in zip(names, values, strict=True)}


def told(row: dict[str, Any], position: dict[str, Any], worth: Worth) -> float:
    """The points that a position of a game promises."""
    total = 0.0
    for name, (held, *values) in position["places"].items():
        table = worth.kept if held else worth.taken
        lean = worth.places[name] + sum([table[term] * x for term, x in zip(TERMS, values, strict=True)])
        total += row["worth"][name] * chance(lean)
    return total


def explained(rows: Sequence[dict[str, Any]], worth: Worth) -> float:
    """The share of the variance of final scores that the values of all positions explain."""
    scores = [row["score"] for row in rows for _ in row["positions"]]
    mean = fmean(scores)
    left: float = sum(
        [(row["score"] - told(row, position, worth)) ** 2 for row in rows for position in row["positions"]]
    )
    return 1.0 - left / float(sum([(score - mean) ** 2 for score in scores]))


def write_worth(file: Path, game: str, worth: Worth) -> None:
    """Put the values of a scenario into a file; those of others stay, comments before the first table too."""
    lines, tables = read_tables(file)
    tables[worth.scenario] = msgspec.to_builtins(worth)
    for name, table in tables.items():
        lines += ["", f"[{name}]", f'scenario = "{name}"']
        for part in ("taken", "kept", "places"):
            lines += ["", f"[{name}.{part}]", *(f"{key} = {value!r}" for key, value in table[part].items())]
    write_lines(file, lines)
