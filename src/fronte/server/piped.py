"""A process of our own that answers questions through a pipe, and is ended when it takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import ClassVar

SLOWEST_START = 30.0


class WorkerError(RuntimeError):
    """No answer came."""


def frame(message: bytes) -> bytes:
    """A message as it goes through a pipe: its length, then itself."""
    return len(message).to_bytes(4, "big") + message


class Piped:
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
