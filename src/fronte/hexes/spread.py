"""One step from many hexes at once, by shifting whole sets of hexes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fronte.hexes.mask import bits, mask_of, side_by_side


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
        self._sort(by_amount)

    def _sort(self, by_amount: dict[int, int]) -> None:
        self._by_amount = by_amount
        self._up = [(amount, hexes) for amount, hexes in sorted(by_amount.items()) if amount > 0]
        self._down = [(-amount, hexes) for amount, hexes in sorted(by_amount.items()) if amount < 0]

    @classmethod
    def of(cls, steps: Iterable[tuple[int, int]]) -> Spread:
        """Made from the steps themselves, each from a hex to another."""
        members: dict[int, list[int]] = {}
        for here, there in steps:
            members.setdefault(there - here, []).append(here)
        found = cls(())
        found._sort({amount: mask_of(hexes) for amount, hexes in members.items()})
        return found

    def joined(self, pairs: Iterable[tuple[int, int]]) -> Spread:
        """The same with steps between each of these two hexes besides, both ways."""
        by_amount = dict(self._by_amount)
        for a, b in pairs:
            by_amount[b - a] = by_amount.get(b - a, 0) | 1 << a
            by_amount[a - b] = by_amount.get(a - b, 0) | 1 << b
        twin = Spread(())
        twin._sort(by_amount)
        return twin

    def abreast(self, number: int, width: int) -> Spread:
        """The same for so many maps side by side (`mask.side_by_side`): a step of all hexes of all of them at once."""
        twin = Spread(())
        twin._sort({amount: side_by_side([able] * number, width) for amount, able in self._by_amount.items()})
        return twin

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

    def flood(self, hexes: int, within: int) -> int:
        """All hexes of `within` to which any number of steps inside it leads from these."""
        found, before = hexes & within, 0
        while found != before:
            before = found
            # Each amount goes on from what the one before it has found: a long way takes fewer rounds than steps.
            for amount, able in self._up:
                found |= (found & able) << amount & within
            for amount, able in self._down:
                found |= (found & able) >> amount & within
        return found
