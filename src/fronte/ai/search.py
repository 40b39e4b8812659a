"""Which of several plans is best, if every trial costs time and its outcome is partly luck: successive halving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Generic, NamedTuple, TypeVar

from fronte.ai.budget import Meter

C = TypeVar("C")


class Trial(NamedTuple, Generic[C]):
    """A candidate, how often it was tried, and what it gave: on average, and one trial after the other."""

    candidate: C
    tries: int
    mean: float
    found: Sequence[float] = ()


def best_of(
    candidates: Sequence[C], judge: Callable[[C, int], float], meter: Meter, doubt: float = 0.0, edge: float = 0.0
) -> list[Trial[C]]:
    """All candidates, the best first. `judge(candidate, k)` is the k-th trial of one: the same luck for all of them.

    Each round tries all that are left equally often and drops the worse half. The first candidate is what would be
    done without thinking; it stays first where nothing was tried or nothing is better. With a doubt it is tried as
    often as the best, and what is better has to be so by that many standard errors of the difference and an edge.
    """
    found: list[list[float]] = [[] for _ in candidates]
    alive = list(range(len(candidates)))
    rounds = max(1, (len(candidates) - 1).bit_length())

    def rank(c: int) -> tuple[float, int]:
        return (-sum(found[c]) / len(found[c]) if found[c] else float("inf"), c)

    meter.ready()
    while len(alive) > 1 and not meter.empty:
        each = max(1, round(meter.share / rounds / len(alive)))
        for c in alive * each:
            if meter.empty:
                break
            found[c].append(judge(candidates[c], len(found[c])))
            meter.count()
        if meter.empty and len({len(found[c]) for c in alive}) > 1:
            alive = _fairly_tried(alive, found)
        kept = sorted(alive, key=rank)[: (len(alive) + 1) // 2]
        alive = sorted({*kept, 0} if doubt and kept != [0] else kept)
    order = sorted(alive, key=rank) + sorted((c for c in range(len(candidates)) if c not in alive), key=rank)
    if doubt and order[0] != 0 and not _is_sure(found[order[0]], found[0], doubt, edge):
        order = [0, *(c for c in order if c != 0)]
    means = [sum(values) / len(values) if values else 0.0 for values in found]
    return [Trial(candidates[c], len(found[c]), means[c], found[c]) for c in order]


def _is_sure(better: Sequence[float], first: Sequence[float], doubt: float, edge: float) -> bool:
    """Is one better than another by an edge and so many standard errors, over the trials that both had?"""
    gains = [a - b for a, b in zip(better, first, strict=False)]
    return len(gains) > 1 and fmean(gains) > edge + doubt * stdev(gains) / sqrt(len(gains))


def _fairly_tried(alive: list[int], found: Sequence[Sequence[float]]) -> list[int]:
    """Those that were tried at all, when the budget ended in the middle of a round; the first where none was."""
    return [c for c in alive if found[c]] or alive[:1]
