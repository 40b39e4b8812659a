"""Answers that are asked for again and again about the same things, such as sets of hexes.

What an answer depends on is its key, all of it: whoever asks of another state asks by another key.
"""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memory(dict[K, V]):
    """So many answers at most; when it is full it begins anew."""

    def __init__(self, most: int = 256) -> None:
        super().__init__()
        self.most = most

    def keep(self, key: K, value: V) -> V:
        """Remember an answer, and give it."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value
