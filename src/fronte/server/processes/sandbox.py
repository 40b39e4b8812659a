"""Saves and positions are tried in a process of their own before anything of them is kept (`sandbox_main`).

Only a process that can be ended is a bound for what the rules may do with what somebody has made up. One at a time, so
that strangers take one core at most; few may wait, and no more than two from one address: the others are sent away.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import time
from collections import Counter

import msgspec

from fronte.server.load_shedding import Load
from fronte.server.problem import Problem
from fronte.server.processes.child import SLOWEST_START, ChildProcess
from fronte.server.processes.sandbox_main import Begun, Handed, Tried

log = logging.getLogger("fronte.server")

WAITING = 6
"""What may be waiting or under way at once."""
FROM_ONE = 2
"""Of these, from one address."""
IDLE = 60.0
"""Seconds after which the process ends, if nothing is handed in."""


class Rejected(ValueError):
    """What was handed in is no match."""


class Sandbox(ChildProcess):
    """The process, and who waits for it."""

    command = (sys.executable, "-m", "fronte.server.processes.sandbox_main")

    def __init__(self, seconds: float, load: Load) -> None:
        super().__init__(seconds)
        self.load = load
        self.waiting: Counter[str] = Counter()
        self.used = 0.0
        self.ended = 0
        """How often the process had to be ended, for metrics."""

    async def attempt(self, handed: Handed, address: str) -> Begun:
        """The match of what was handed in. Rejected says what is wrong with it; 503 where there is no room."""
        if self.waiting.total() >= WAITING or self.waiting[address] >= FROM_ONE:
            raise self.load.full("trial")
        self.waiting[address] += 1
        try:
            async with self.lock:
                tried = await self._attempt(msgspec.json.encode(handed))
        finally:
            self.waiting -= Counter((address,))
        if tried.too_large:
            raise Rejected("it takes more memory than a match can")
        if tried.too_slow:
            raise Rejected("it takes longer than a match can")
        if tried.begun is None:
            raise Rejected(tried.wrong)
        return tried.begun

    async def _attempt(self, message: bytes) -> Tried:
        self.used = time.monotonic()
        try:
            async with asyncio.timeout(SLOWEST_START):
                process = await self.started()
            async with asyncio.timeout(self.seconds):
                tried = msgspec.json.decode(await self.exchange(process, message), type=Tried)
        except TimeoutError:
            log.warning("something that was handed in took longer than %g seconds", self.seconds)
            tried = Tried(too_slow=True, spoilt=True)
        except (OSError, EOFError) as wrong:
            log.warning("the process that tries what is handed in has died: %s", wrong)
            tried = Tried(too_large=True, spoilt=True)
        except BaseException:
            await self.stop()  # an answer may still be under way, and would be taken for the next one's
            raise
        if tried.spoilt:
            self.ended += 1
            await self.stop()
        self.used = time.monotonic()
        return tried

    async def tick(self) -> None:
        """End a process that nobody needs."""
        if self.process is not None and not self.lock.locked() and time.monotonic() - self.used > IDLE:
            async with self.lock:
                with contextlib.suppress(OSError):
                    await self.stop()


def refused(wrong: Rejected, save: bool) -> Problem:
    """What whoever handed it in is told."""
    return Problem(422, f"the save cannot be read: {wrong}" if save else str(wrong))
