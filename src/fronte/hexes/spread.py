"""One step from many hexes at once, by shifting whole sets of hexes."""

from collections.abc import Sequence

from fronte.hexes.mask import bits


class Spread:
    """Where one step leads from a set of hexes, made from the neighbours that each hex leads to.

    On a map in columns the numbers of neighbours differ from a hex's own by one of eight amounts, so that a step of all
    hexes is a handful of shifts. On maps with gaps there are more amounts, and it is as right but less quick.
    """

    def __init__(self, leads_to: Sequence[int]) -> None:
        by_amount: dict[int, int] = {}
        for here, mask in enumerate(leads_to):
            for there in bits(mask):
                by_amount[there - here] = by_amount.get(there - here, 0) | 1 << here
        self._up = [(amount, hexes) for amount, hexes in sorted(by_amount.items()) if amount > 0]
        self._down = [(-amount, hexes) for amount, hexes in sorted(by_amount.items()) if amount < 0]

    def __call__(self, hexes: int) -> int:
        """All hexes that one step from any of these leads to."""
        found = 0
        if not hexes:
            return found
        for amount, able in self._up:
            found |= (hexes & able) << amount
        for amount, able in self._down:
            found |= (hexes & able) >> amount
        return found
