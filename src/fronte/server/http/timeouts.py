"""Timeouts: connections that are opened and not used, or not read from, are closed.

Whoever sends the head of a request drop by drop, or takes nothing of an answer, would else keep a connection and what
belongs to it for ever, and many of them all there are. Bodies have their time where they are read (`endpoint`), and a
websocket that is silent is sent pings.
"""

from __future__ import annotations

import time
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
import uvicorn

from fronte.server.settings import Settings

EVERY = 10
"""Looks at the connections once in so many ticks of the server, which come ten times a second."""


class Seen(msgspec.Struct):
    """A connection as it was when something last happened on it."""

    request: int
    """Which request it was at."""
    waiting: int
    """Bytes that waited to be taken by the browser."""
    idle: float
    """Since when no request has come, or has come only in part."""
    stalled: float
    """Since when nothing has been taken."""


class Patient(uvicorn.Server):
    """A server whose patience with a connection ends."""

    def __init__(self, config: uvicorn.Config, settings: Settings) -> None:
        super().__init__(config)
        self.settings = settings
        self.seen: WeakKeyDictionary[Any, Seen] = WeakKeyDictionary()
        self.closed = 0
        """Connections that were closed, for whoever looks."""

    async def on_tick(self, counter: int) -> bool:
        """Look at the connections now and then, besides what every server does."""
        if counter % EVERY == 0:
            self.look(time.monotonic())
        return await super().on_tick(counter)

    def look(self, now: float) -> None:
        """Close the connections on which nothing has happened for too long."""
        for connection in list(self.server_state.connections):
            transport = getattr(connection, "transport", None)
            if transport is None or transport.is_closing():
                continue
            seen = self._seen(connection, transport.get_write_buffer_size(), now)
            if now - seen.idle > self.settings.head_seconds or now - seen.stalled > self.settings.stall_seconds:
                self.closed += 1
                transport.abort()

    def _seen(self, connection: Any, waiting: int, now: float) -> Seen:
        at_work = not hasattr(connection, "timeout_keep_alive_task")  # a websocket
        cycle = getattr(connection, "cycle", None)
        at_work = at_work or (cycle is not None and not cycle.response_complete)
        at_work = at_work or getattr(connection, "timeout_keep_alive_task", None) is not None  # uvicorn's own patience
        before = self.seen.get(connection)
        idle = now if before is None or at_work or before.request != id(cycle) else before.idle
        stalled = now if before is None or not waiting or waiting < before.waiting else before.stalled
        self.seen[connection] = found = Seen(id(cycle), waiting, idle, stalled)
        return found
