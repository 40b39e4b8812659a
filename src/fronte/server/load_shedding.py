"""Load shedding: what comes when there is too much to do is sent away at once, and told when to come back.

A server that takes in more than it can do answers everybody too late, and those who lose patience and ask again make it
worse. So there is room for a number of requests, actions and sockets under way in each process; one match has only so
much of it. The times that are told differ, so that not all come back together.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from fronte.server.problem import Problem
from fronte.server.settings import Settings

AT_ONE_MATCH = 8
"""Actions under way at one match: it has one player who decides, and everything else is refused in its turn."""
SOONEST, LATEST = 2, 6
"""Seconds after which it is worth coming back."""


class Load:
    """What is under way in this process, by kind, and how much of it there may be."""

    def __init__(self, settings: Settings) -> None:
        self.most = {
            "request": settings.most_requests,
            "action": settings.most_actions,
            "opening": settings.most_openings,
            "socket": settings.most_sockets,
        }
        self.inside: Counter[str] = Counter()
        self.acting: Counter[str] = Counter()
        """Actions under way by match."""
        self.refused: Counter[str] = Counter()

    @contextmanager
    def enter(self, kind: str) -> Iterator[None]:
        """Be one of those under way; 503 if there is no room."""
        if self.inside[kind] >= self.most[kind]:
            raise self.full(kind)
        self.inside[kind] += 1
        try:
            yield
        finally:
            self.inside[kind] -= 1

    @contextmanager
    def act(self, match: str) -> Iterator[None]:
        """Decide something at a match; 503 if there is no room, or none at this match."""
        if self.acting[match] >= AT_ONE_MATCH:
            raise self.full("action")
        with self.enter("action"):
            self.acting[match] += 1
            try:
                yield
            finally:
                self.acting[match] -= 1
                if not self.acting[match]:
                    del self.acting[match]

    def full(self, kind: str) -> Problem:
        """Whoever comes now is sent away; nothing of what he wants has happened."""
        self.refused[kind] += 1
        retry = SOONEST + secrets.randbelow(LATEST - SOONEST + 1)
        return Problem(503, f"the server has too much to do; try again in {retry} seconds", retry=retry)
