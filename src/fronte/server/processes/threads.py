"""Threads beside the event loop: whatever can take long is done there, piece after piece, each with an end.

Two of them are enough, since only one thread computes at a time; what matters is that the loop goes on meanwhile. Work
that does not end in time is interrupted where it stands: an exception is raised in its thread. What it was changing is
spoilt then and must be forgotten by whoever asked for it. Time is the processor's where it can be told: on a machine
that is busy with other things nobody's work is too long for that. Work that nobody should trust at all has processes of
its own (`sandbox`, `matches.worker_pool`).
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import math
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

log = logging.getLogger("fronte.server")

T = TypeVar("T")
THREADS = 2
PATIENCE = 4
"""So many times as long by the clock as by the processor may work take: it may also wait for something."""
GRACE = 2.0
"""Seconds in which work that is interrupted must have ended."""
TURN = 0.0005
"""Seconds for which a thread that computes goes on while another waits for its turn; usual are ten times as many."""
AGAIN = 0.2
"""Seconds after which it is interrupted again: what is raised while an object is being disposed of goes unheard."""


def take_turns() -> None:
    """Let the event loop wait for its turn only shortly while other threads compute.

    It gives its turn away whenever it sends something and must wait to get it back. An action takes half a dozen
    messages to the database, each of which used to be held up for 5 ms while something was worked out for others.
    """
    sys.setswitchinterval(TURN)


class TooLong(Exception):
    """Work that did not end in time."""


class Worker:
    """A thread that does one piece of work after the other, each of which can be interrupted."""

    def __init__(self) -> None:
        self.pieces: queue.SimpleQueue[Piece | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._run, name="work", daemon=True)
        self.thread.start()

    def spent(self) -> float:
        """Seconds of the processor that it has used; without end where that cannot be told."""
        if not hasattr(time, "pthread_getcpuclockid") or self.thread.ident is None:
            return math.inf
        return time.clock_gettime(time.pthread_getcpuclockid(self.thread.ident))

    def _run(self) -> None:
        while (piece := self.pieces.get()) is not None and piece.carry_out():
            pass


class Piece:
    """A piece of work, and whom to tell of its end."""

    def __init__(self, work: Callable[[], Any], done: Callable[[Any, BaseException | None], None]) -> None:
        self.work, self.done = work, done
        self.guard = threading.Lock()
        self.over = False
        self.interrupted = False

    def carry_out(self) -> bool:
        """Do the work; False if it was interrupted, which its thread does not outlive: the exception may still come."""
        found, wrong = None, None
        try:
            try:
                found = self.work()
            except BaseException as raised:
                wrong = raised
            self._end()
        except TooLong as late:  # it came when the work had just ended
            wrong = late
            self._end()
        self.done(found, wrong)
        return not self.interrupted

    def _end(self) -> None:
        with self.guard:
            self.over = True

    def interrupt(self, thread: threading.Thread) -> None:
        """Raise TooLong in its thread, if it is still at work."""
        with self.guard:
            if not self.over and thread.ident is not None:
                self.interrupted = True
                raising = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raising(ctypes.c_ulong(thread.ident), ctypes.py_object(TooLong))


class Threads:
    """A few threads for long work."""

    def __init__(self, number: int = THREADS) -> None:
        self.free = asyncio.Semaphore(number)
        self.idle: list[Worker] = []
        """Those that wait for work: beginning a thread halts the loop until the other threads let it run."""
        self.late = 0
        """How often something did not end in time, for metrics."""

    async def do(self, seconds: float, work: Callable[..., T], *args: Any) -> T:
        """The result of some work; TooLong if there is none after so many seconds. Once begun it is waited for."""
        async with self.free:
            loop = asyncio.get_running_loop()
            ended: asyncio.Future[Any] = loop.create_future()

            def done(found: Any, wrong: BaseException | None) -> None:
                with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
                    loop.call_soon_threadsafe(_settle, ended, found, wrong)

            piece = Piece(lambda: work(*args), done)
            worker = self.idle.pop() if self.idle else Worker()
            worker.pieces.put(piece)
            try:
                return await self._wait(piece, worker, ended, seconds)  # type: ignore[no-any-return]
            finally:
                if piece.over and not piece.interrupted:
                    self.idle.append(worker)
                else:
                    worker.pieces.put(None)

    def close(self) -> None:
        """Let the threads that wait end; what is at work ends by itself."""
        while self.idle:
            self.idle.pop().pieces.put(None)

    async def _wait(self, piece: Piece, worker: Worker, ended: asyncio.Future[Any], seconds: float) -> Any:
        gone: asyncio.CancelledError | None = None
        loop, before = asyncio.get_running_loop(), worker.spent()
        wait, last = seconds, loop.time() + seconds * PATIENCE
        while not ended.done() and wait > 0:
            until = loop.time() + wait
            try:
                await asyncio.wait([ended], timeout=wait)
            except asyncio.CancelledError as wrong:  # what it works on must not be given to others before it ends
                gone = wrong
            used = worker.spent() - before
            wait = max(until - loop.time(), min(seconds - used, last - loop.time()) if math.isfinite(used) else 0.0)
        if not ended.done():
            self.late += 1
            await self._interrupted(piece, worker, ended)
            if not ended.done():
                log.error("work that took longer than %g seconds cannot be interrupted", seconds)
            elif not ended.cancelled():
                ended.exception()
            raise TooLong
        if gone is not None:
            ended.exception()
            raise gone
        return ended.result()

    async def _interrupted(self, piece: Piece, worker: Worker, ended: asyncio.Future[Any]) -> None:
        """Interrupt work until it has ended, or long enough."""
        until = asyncio.get_running_loop().time() + GRACE
        while not ended.done() and asyncio.get_running_loop().time() < until:
            piece.interrupt(worker.thread)
            await asyncio.wait([ended], timeout=AGAIN)


def _settle(ended: asyncio.Future[Any], found: Any, wrong: BaseException | None) -> None:
    if ended.done():
        return
    if wrong is None:
        ended.set_result(found)
    elif isinstance(wrong, StopIteration):
        ended.set_exception(RuntimeError("nothing more"))
    else:
        ended.set_exception(wrong)
