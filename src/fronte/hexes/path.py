"""Cheapest ways over a map, with integer costs.

Costs are whole numbers in the smallest fraction that a game uses (sixths of a movement point, say), never floats, so
that equal ways are equal on every machine.
"""

from collections.abc import Callable, Iterable

Edges = Callable[[int], Iterable[tuple[int, int]]]
"""From a hex, the hexes that can be entered next, each with its cost (at least 1)."""


def flood(starts: Iterable[int], budget: int, edges: Edges) -> tuple[dict[int, int], dict[int, int]]:
    """The least cost from the starts to every hex within the budget, and for each hex the one before it.

    Among ways of equal cost the one found first stays: starts in their order, then edges in theirs. The answer is
    therefore the same in every process.
    """
    cost: dict[int, int] = {}
    before: dict[int, int] = {}
    buckets: list[list[int]] = [[] for _ in range(budget + 1)]
    for start in starts:
        if start not in cost:
            cost[start] = 0
            buckets[0].append(start)
    for spent, bucket in enumerate(buckets):
        for here in bucket:
            if cost[here] != spent:
                continue
            most = budget - spent
            for there, price in edges(here):
                if price <= most:
                    total = spent + price
                    known = cost.get(there)
                    if known is None or total < known:
                        cost[there] = total
                        before[there] = here
                        buckets[total].append(there)
    return cost, before


def trace(before: dict[int, int], end: int) -> list[int]:
    """The way to `end`, from the start (not included) onwards."""
    way: list[int] = []
    while end in before:
        way.append(end)
        end = before[end]
    way.reverse()
    return way
