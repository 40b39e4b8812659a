"""The small choices that a game knows, each with a number: the fixed action space of a learner.

An action is spelled as a sequence of these numbers; which of them may come next is the business of `dialogue`. What
the numbers are is for the family to say.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from fronte.engine.decision import Action

DONE = 0


class Alphabet(ABC):
    """The numbers of all small choices of a ruleset."""

    size: int
    unordered: range = range(0)
    """Numbers that may be named in any order where several follow each other: those of units."""
    remembered: Callable[[Action], tuple[int, ...]]
    """`spell` for actions that come up again and again."""

    @abstractmethod
    def name(self, choice: int | None) -> str:
        """A small choice in words; whatever else was given as it is."""

    @abstractmethod
    def spell(self, action: Action) -> tuple[int, ...]:
        """The small choices that make up an action, in the order in which they are asked; KeyError if none do."""
