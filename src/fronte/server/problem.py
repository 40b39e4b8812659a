"""A request that cannot be granted: the reason, and the answer that tells it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from fronte.server.words import said


class Problem(Exception):
    """A request that cannot be granted."""

    def __init__(
        self, status: int, why: str, rule: str = "", line: int | None = None, retry: int | None = None
    ) -> None:
        super().__init__(why)
        self.status, self.why, self.rule, self.line = status, why, rule, line
        self.retry = retry
        """Seconds after which it may be tried again."""
        self.words: Callable[[str], str] | None = None
        """Says why in a language, where a game does and not the server."""

    def told(self, language: str) -> Failure:
        """The answer."""
        why = said(self.why, language) if self.words is None else self.words(language)
        return Failure(Fault(self.rule, why, self.line, self.retry))


class Fault(msgspec.Struct):
    """What is wrong: the rule that forbids it, where there is one, and the reason; the present line if that was it."""

    rule: str
    why: str
    line: int | None = None
    retry: int | None = None
    """Seconds after which the same may be tried again, where that helps."""


class Failure(msgspec.Struct):
    """The answer to a request that cannot be granted."""

    error: Fault
