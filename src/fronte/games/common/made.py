"""What is worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Made(dict[int, T]):
    """By number (a hex, a column of a chart) what a function says of it, asked once: few numbers are ever needed."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, number: int) -> T:
        found = self[number] = self._make(number)
        return found
