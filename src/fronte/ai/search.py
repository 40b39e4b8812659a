"""Which of several plans is best, if every trial costs time and its outcome is partly luck: successive halving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from fronte.ai.budget import Meter

C = TypeVar("C")


class Trial(NamedTuple, Generic[C]):
    """A candidate, how often it was tried, and what it gave on average."""

    candidate: C
    tries: int
    mean: float


def best_of(candidates: Sequence[C], judge: Callable[[C, int], float], meter: Meter) -> list[Trial[C]]:
    """All candidates, the best first. `judge(candidate, k)` is the k-th trial of one: the same luck for all of them.

    Each round tries all that are left equally often and drops the worse half. The first candidate is what would be
    done without thinking; it stays first where nothing was tried or nothing is better.
    """
    totals = [0.0] * len(candidates)
    tries = [0] * len(candidates)
    alive = list(range(len(candidates)))
    rounds = max(1, (len(candidates) - 1).bit_length())

    def rank(c: int) -> tuple[float, int]:
        return (-totals[c] / tries[c] if tries[c] else float("inf"), c)

    meter.ready()
    while len(alive) > 1 and not meter.empty:
        each = max(1, round(meter.share / rounds / len(alive)))
        for c in alive * each:
            if meter.empty:
                break
            totals[c] += judge(candidates[c], tries[c])
            tries[c] += 1
            meter.count()
        if meter.empty and len({tries[c] for c in alive}) > 1:
            alive = _fairly_tried(alive, tries)
        alive = sorted(sorted(alive, key=rank)[: (len(alive) + 1) // 2])
    order = sorted(alive, key=rank) + sorted((c for c in range(len(candidates)) if c not in alive), key=rank)
    return [Trial(candidates[c], tries[c], totals[c] / tries[c] if tries[c] else 0.0) for c in order]


def _fairly_tried(alive: list[int], tries: list[int]) -> list[int]:
    """Those that were tried at all, when the budget ended in the middle of a round; the first where none was."""
    return [c for c in alive if tries[c]] or alive[:1]
