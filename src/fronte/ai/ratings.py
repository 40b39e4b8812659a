"""Ratings of a pool in which everybody plays everybody, in pairs (`arena`).

The scale is Elo's: who is 400 points above another wins ten pairs for each that he loses (Bradley and Terry), an even
pair being half won and half lost. The ratings are those under which what happened is most likely. So that nobody's is
endless who won or lost everything, every two players are taken to have played one more pair, an even one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from fronte.ai.arena import Bout, counted, mirrored, processor
from fronte.ai.equations import solve

ANCHOR, AT = "steady", 1500
"""Who has which rating; where he is not in the pool, the first player has it."""
POINTS = 400 / math.log(10)
"""Points of the scale for one unit of the natural logarithm of the odds."""
RESAMPLES = 1000
STEP = 2.0
"""At most so much, in logarithms of odds, is a rating changed at once: far from its place a step can be too long."""
CLOSE = 1e-9
MOST_STEPS = 200

Couple = tuple[str, str]


class Tally(NamedTuple):
    """How the pairs of two players came out for the first of them."""

    won: int
    even: int
    lost: int

    @property
    def pairs(self) -> int:
        return sum(self)

    @property
    def points(self) -> float:
        return self.won + 0.5 * self.even


def everybody(bout: Bout, players: Sequence[str], pairs: int) -> list[Bout]:
    """The pairs of a pool: every two players, on as many seeds from that of the bout on.

    One seed after the other, so that a run that is broken off has met everybody about equally often.
    """
    couples = list(combinations(players, 2))
    return [bout._replace(players=two, seed=bout.seed + k) for k in range(pairs) for two in couples]


def standings(rows: Sequence[dict[str, Any]], players: Sequence[str]) -> dict[str, Any]:
    """What the pairs of a pool come to: who has which rating, the best first, and how everybody did against everybody.

    The order of the rows, and who is named first in them, make no difference.
    """
    anchor = ANCHOR if ANCHOR in players else players[0]
    tallies = tally(rows, players)
    found = fit(players, tallies)
    between = intervals(players, tallies, anchor, found)
    table = []
    for name in sorted(players, key=lambda name: (-found[name], name)):
        own = [row if row["players"][0] == name else mirrored(row) for row in rows if name in row["players"]]
        table.append(
            {
                "player": name,
                "rating": round(_on_scale(found[name] - found[anchor])),
                "rating_95": between[name],
                **_told(own),
                "cpu_per_game": round(processor(own)[0], 2) if own else 0.0,
                "against": {
                    other: _told([row for row in own if row["players"][1] == other])
                    for other in players
                    if other != name
                },
            }
        )
    return {
        "game": rows[0]["game"],
        "scenario": rows[0]["scenario"],
        "pairs": len(rows),
        "anchor": anchor,
        "players": table,
    }


def _told(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Pairs of one player, who is named first, against others."""
    return {**counted(rows), "margin": round(fmean(row["margin"] for row in rows), 2) if rows else 0.0}


def tally(rows: Sequence[dict[str, Any]], players: Sequence[str]) -> dict[Couple, Tally]:
    """The pairs of every two players of the pool, both in the order of their names."""
    counts = {couple: [0, 0, 0] for couple in combinations(sorted(players), 2)}
    for row in rows:
        first, second = row["players"]
        straight = first < second
        margin = row["margin"] if straight else -row["margin"]
        counts[(first, second) if straight else (second, first)][0 if margin > 0 else 1 if margin == 0 else 2] += 1
    return {couple: Tally(*count) for couple, count in counts.items()}


def fit(
    players: Sequence[str], tallies: Mapping[Couple, Tally], near: Mapping[str, float] | None = None
) -> dict[str, float]:
    """The most likely ratings, in logarithms of odds, by Newton's method from those that are near; their mean is 0."""
    names = sorted(players)
    at = [0.0 if near is None else near[name] for name in names]
    number = {name: k for k, name in enumerate(names)}
    met = [(number[a], number[b], t.points + 0.5, t.pairs + 1.0) for (a, b), t in tallies.items()]
    for _ in range(MOST_STEPS):
        slope = [0.0] * len(names)
        bend = [[1.0] * len(names) for _ in names]  # a mean that is not 0 is pulled back; otherwise it is arbitrary
        for a, b, points, pairs in met:
            share = 1 / (1 + math.exp(at[b] - at[a]))
            above, weight = points - pairs * share, pairs * share * (1 - share)
            slope[a] += above
            slope[b] -= above
            bend[a][a] += weight
            bend[b][b] += weight
            bend[a][b] -= weight
            bend[b][a] -= weight
        mean = sum(at)
        steps = solve(bend, [s - mean for s in slope])
        longest = max(map(abs, steps))
        at = [x + step * min(1.0, STEP / longest if longest else 1.0) for x, step in zip(at, steps, strict=True)]
        if longest < CLOSE:
            break
    return dict(zip(names, at, strict=True))


def intervals(
    players: Sequence[str], tallies: Mapping[Couple, Tally], anchor: str, near: Mapping[str, float]
) -> dict[str, list[int]]:
    """The intervals of the ratings at 95 %, by fitting them to pairs that are drawn again from those of each couple.

    The even pair that is added is among what is drawn, so that a couple of which one won everything is not held to be
    certain. The same for the same pairs, in whatever order they come.
    """
    rng = Random(sum(t.pairs for t in tallies.values()))
    drawn: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(RESAMPLES):
        again = {couple: _drawn(t, rng) for couple, t in tallies.items()}
        found = fit(players, again, near)
        for name in players:
            drawn[name].append(_on_scale(found[name] - found[anchor]))
    low, high = round(0.025 * RESAMPLES), round(0.975 * RESAMPLES) - 1
    return {name: [round(sorted(values)[k]) for k in (low, high)] for name, values in drawn.items()}


def _drawn(tally: Tally, rng: Random) -> Tally:
    """As many pairs, drawn from these and an even one."""
    if not tally.pairs:
        return tally
    kinds = rng.choices((0, 1, 2), (tally.won, tally.even + 1, tally.lost), k=tally.pairs)
    return Tally(kinds.count(0), kinds.count(1), kinds.count(2))


def _on_scale(above: float) -> float:
    return AT + POINTS * above
