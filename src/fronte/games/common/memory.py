"""Answers that are asked for again and again about the same things, such as sets of hexes.

What an answer depends on is its key, all of it: whoever asks of another state asks by another key.
"""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memory(dict[K, V]):
    """So many answers at most.

    When it is full it begins anew, but not at once: with each new answer two of those go that were there. To let
    thousands go together would keep whoever asks next waiting for milliseconds.
    """

    def __init__(self, most: int = 256) -> None:
        super().__init__()
        self.most = most
        self._going: list[K] = []

    def keep(self, key: K, value: V) -> V:
        """Remember an answer, and give it."""
        if self._going:
            self.pop(self._going.pop(), None)
            if self._going:
                self.pop(self._going.pop(), None)
        elif len(self) >= self.most:
            self._going = list(self)
            self.pop(self._going.pop())
        self[key] = value
        return value
