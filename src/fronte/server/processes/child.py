"""A child process that answers questions through a pipe, and is ended when it takes too long: both ends of it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from typing import BinaryIO, ClassVar

from fronte.server.processes.collector import let_be

SLOWEST_START = 30.0


class WorkerError(RuntimeError):
    """No answer came."""


def frame(message: bytes) -> bytes:
    """A message as it goes through a pipe: its length, then itself."""
    return len(message).to_bytes(4, "big") + message


class ChildProcess:
    """A process, begun when it is needed. One question at a time: whoever asks holds the lock."""

    command: ClassVar[tuple[str, ...]] = (sys.executable, "-c", "")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.lock = asyncio.Lock()
        self.process: asyncio.subprocess.Process | None = None
        self.closed = False

    def begun(self) -> None:
        """A new process is about to begin: it knows nothing yet."""

    async def started(self) -> asyncio.subprocess.Process:
        """The process, once it has loaded everything and is ready."""
        if self.process is None:
            self.begun()
            pipe = asyncio.subprocess.PIPE
            self.process = await asyncio.create_subprocess_exec(*self.command, stdin=pipe, stdout=pipe, limit=2**24)
            assert self.process.stdout is not None
            if self.closed:  # meanwhile
                raise EOFError("the server is closing")
            await self.process.stdout.readexactly(1)
        return self.process

    async def exchange(self, process: asyncio.subprocess.Process, message: bytes) -> bytes:
        """The answer to a message."""
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(frame(message))
        await process.stdin.drain()
        size = int.from_bytes(await process.stdout.readexactly(4), "big")
        return await process.stdout.readexactly(size)

    async def stop(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def close(self) -> None:
        """End the process; no more answers come."""
        self.closed = True
        await self.stop()


# In the process itself


def answering(questions: BinaryIO, answers: BinaryIO, answer: Callable[[bytes], bytes]) -> None:
    """Answer what is asked through a pipe, until no more is asked."""
    answers.write(b"+")
    answers.flush()
    while True:
        size = questions.read(4)
        if len(size) < 4:
            return
        told = answer(questions.read(int.from_bytes(size, "big")))
        answers.write(frame(told))
        answers.flush()


def as_helper(work: Callable[[BinaryIO, BinaryIO], None]) -> None:
    """Serve this process's own input and output; the table has precedence, and what is printed mixes with nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(5)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    let_be()
    work(sys.stdin.buffer, answers)
