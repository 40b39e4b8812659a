"""The dice of playouts: fair shares of good and bad luck, the same for all plans that are compared."""

from __future__ import annotations

from itertools import product
from random import Random

STRATA = 8
"""So many successive playouts share out all ways that a throw can fall among them."""
FALLS = {n: sorted(product(range(1, 7), repeat=n), key=lambda dice: (sum(dice), dice)) for n in (1, 2)}
"""All ways that one or two dice can fall, from the lowest sum on."""


class Luck:
    """The dice of one playout, which fall by what they are thrown for and not by how many were thrown before.

    So whatever two plans have in common meets the same luck in both, and of successive playouts one has good luck where
    another has bad, in fair shares for every throw (Latin hypercube sampling).
    """

    def __init__(self, seed: str, number: int) -> None:
        self.block, self.place = divmod(number, STRATA)
        self.seed = seed
        self.rng = Random(f"{seed} {number}")
        self.thrown: dict[object, int] = {}

    def throw(self, dice: int, what: object = None) -> tuple[int, ...]:
        """The next throw for this. Dice are shared out two by two, as far as they go; of three the last by itself."""
        again = self.thrown[what] = self.thrown.get(what, 0) + 1
        rng = Random(f"{self.seed} {self.block} {what} {again}")
        fallen: tuple[int, ...] = ()
        while dice:
            together = FALLS[min(2, dice)]
            shares = [(place + rng.random()) / STRATA for place in rng.sample(range(STRATA), STRATA)]
            fallen += together[int(shares[self.place] * len(together))]
            dice -= min(2, dice)
        return fallen
