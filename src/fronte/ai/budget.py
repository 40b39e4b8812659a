"""How long the planner thinks: a number of playouts for each phase, and a clock that only stops what runs late.

The same playouts give the same play on any machine, a clock does not. So a budget in seconds is turned into playouts by
a fixed rate, which a common machine keeps with time to spare; where it does not, the clock ends the thinking early.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

RATE = 16.0
"""Playouts of whole plans to the second: what the planner takes for granted where a family says nothing else."""
DEFAULT = "2s"
FORM = re.compile(r"(\d+(?:\.\d+)?)(s|p)")
MOST_SECONDS = 3600.0


class Budget(msgspec.Struct, frozen=True):
    """For one phase: so many playouts, and no longer than so many seconds (None: as long as they take)."""

    playouts: int
    seconds: float | None = None


def read_budget(text: str, rate: float = RATE) -> Budget:
    """`2s` or `0.5s`: seconds to the phase; `200p`: playouts to the phase, without a clock. ValueError if neither."""
    found = FORM.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"no budget {text!r}; write seconds to the phase as 2s, or playouts as 200p")
    amount, unit = float(found[1]), found[2]
    if unit == "p":
        if amount < 1 or amount != int(amount):
            raise ValueError(f"no budget {text!r}; playouts are a whole number from 1 on")
        return Budget(int(amount))
    if not 0 < amount <= MOST_SECONDS:
        raise ValueError(f"no budget {text!r}; seconds lie between 0 and {MOST_SECONDS:g}")
    return Budget(max(1, round(amount * rate)), amount)


class Meter:
    """What has been used of the budget in the phase at hand."""

    def __init__(self, budget: Budget, clock: Callable[[], float]) -> None:
        self.budget, self.clock = budget, clock
        self.phase: object = None
        self.left = budget.playouts
        self.share = 0
        self.done = 0
        """Playouts of the decision at hand."""
        self.total = 0
        """Playouts of all decisions so far."""
        self._spent = 0.0
        self._since: float | None = None
        self._longest = 0.0
        self._last = 0.0

    def begin(self, phase: object, share: float, pace: float = 1.0) -> None:
        """Begin to think about a decision with a share of what is left; a new phase has its whole budget.

        Where playouts are quick there are more of them: `pace` for one of a whole plan.
        """
        if phase != self.phase:
            self.phase, self._spent, self._longest = phase, 0.0, 0.0
            self.left = round(self.budget.playouts * pace)
        self.share = max(0, min(self.left, round(self.left * share)))
        self.done = 0
        self._since = self._last = self.clock()

    def end(self) -> None:
        """The decision is made."""
        if self._since is not None:
            self._spent += self.clock() - self._since
        self._since = None

    def ready(self) -> None:
        """Everything is prepared: playouts begin."""
        self._last = self.clock()

    def count(self) -> None:
        """One playout more."""
        self.done += 1
        self.total += 1
        self.left -= 1
        now = self.clock()
        self._longest = max(self._longest, now - self._last)
        self._last = now

    def past(self, part: float) -> bool:
        """Has more than this part of the phase's time gone by?"""
        if self.budget.seconds is None or self._since is None:
            return False
        return self._spent + self.clock() - self._since > part * self.budget.seconds

    @property
    def empty(self) -> bool:
        """No playout is left for this decision, or the next might end too late."""
        return self.done >= self.share or self.late

    @property
    def late(self) -> bool:
        """Is the clock about to strike?"""
        if self.budget.seconds is None or self._since is None:
            return False
        return self._spent + self.clock() - self._since + self._longest > self.budget.seconds
