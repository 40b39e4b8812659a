"""How long ways are on foot: by hex the least quarters of a point to some goals, or from some hexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from fronte.games.caporetto.game import Caporetto

FAR = 10**6
"""Quarters to where there is no way."""
CLIMB = 40
"""What a cliff counts, which takes all that one has."""
KEPT = 256
"""So many answers are remembered: from one decision to the next little changes."""


Pairs = tuple[tuple[int, int], ...]


class Steps(NamedTuple):
    """By hex its neighbours and what it costs: to go there, and to come from there."""

    on: list[list[tuple[int, int]]]
    back: list[list[tuple[int, int]]]


class Distances:
    """The ways of a ruleset. What is found is remembered: nobody may change it."""

    def __init__(self, rules: Caporetto) -> None:
        self.size = rules.grid.size
        self._leads = rules.prices.leads[rules.tables.feet.index("foot")]
        self._nothing = dict[int, int]()
        self.steps = lru_cache(maxsize=16)(self._find_steps)
        """By the bridges that stand."""
        self._to = lru_cache(maxsize=KEPT)(self._find_to)
        self._from = lru_cache(maxsize=KEPT)(self._find_from)

    def _find_steps(self, standing: int) -> Steps:
        """11: the steps that the bridges allow which stand."""
        found = Steps([[] for _ in range(self.size)], [[] for _ in range(self.size)])
        for here in range(self.size):
            for lead in self._leads[here]:
                paid = CLIMB if lead.off_road == -2 else lead.off_road
                by_road = lead.on_road > 0 and (not lead.bridge or bool(standing & lead.bridge))
                if by_road and (paid <= 0 or lead.on_road < paid):
                    paid = lead.on_road
                if paid > 0:
                    found.on[here].append((lead.there, paid))
                    found.back[lead.there].append((here, paid))
        return found

    def to(self, goals: Mapping[int, int], extra: Mapping[int, int] | None = None, standing: int = -1) -> list[int]:
        """By hex the least quarters to one of these goals, each of which begins with some; `extra` are those that a hex
        costs besides to enter it."""
        return self._to(tuple(goals.items()), tuple((extra or self._nothing).items()), standing)

    def _find_to(
        self, goals: tuple[tuple[int, int], ...], extra: tuple[tuple[int, int], ...], standing: int
    ) -> list[int]:
        besides = [0] * self.size
        for h, more in extra:
            besides[h] = more
        return _spread(self.steps(standing).back, goals, besides)

    def march(self, starts: Iterable[int], standing: int) -> list[int]:
        """By hex the least quarters from one of these hexes to it, if nobody is in the way."""
        return self._from(tuple(starts), standing)

    def _find_from(self, starts: tuple[int, ...], standing: int) -> list[int]:
        return _spread(self.steps(standing).on, [(h, 0) for h in starts], [0] * self.size)


def _spread(steps: list[list[tuple[int, int]]], begin: Iterable[tuple[int, int]], besides: list[int]) -> list[int]:
    """From some hexes on to all others, the nearest first. Prices are small whole numbers, so those who are equally far
    wait in one queue, and none of them needs to be sorted."""
    cost = [FAR] * len(steps)
    queues: list[list[int]] = []
    for h, least in begin:
        queues.extend([] for _ in range(len(queues), least + 1))
        queues[least].append(h)
        cost[h] = least
    spent = -1
    while spent + 1 < len(queues):
        spent += 1
        for here in queues[spent]:
            if cost[here] != spent:
                continue
            base = spent + besides[here]
            for there, paid in steps[here]:
                total = base + paid
                if total < cost[there]:
                    cost[there] = total
                    if total >= len(queues):
                        queues.extend([] for _ in range(len(queues), total + 1))
                    queues[total].append(there)
    return cost
