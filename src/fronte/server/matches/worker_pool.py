"""Machine players in processes of their own, so that their thinking never holds up the table.

A worker keeps a replica of each match it plays in. It is sent the lines of the record with their dice, never the seed:
a player could not foresee the dice even if it looked. A worker that takes too long is ended and another begun.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from fronte.engine.record import Entry, Heading
from fronte.server.matches.analysis_main import Study
from fronte.server.processes.child import SLOWEST_START, ChildProcess, WorkerError
from fronte.server.store.rows import Kept

log = logging.getLogger("fronte.server")

MOST_MATCHES = 1000


class Ask(msgspec.Struct):
    """A question to a worker: which action? With a heading the record is new to it, else the lines are those since."""

    match: str
    seat: str
    player: str
    line: int
    heading: Heading | None
    entries: Sequence[Entry]
    packs: Sequence[str] = ()
    """Folders of one's own data that the match is played with."""
    study: Study | None = None
    """Something else that is asked about the match instead."""


class Answer(msgspec.Struct):
    """The action, and where the player says it, why; or what went wrong."""

    action: dict[str, Any] = {}
    why: str | dict[str, str] = ""
    """In one language, or by language."""
    secret: bool = False
    """Only the player's own side may hear why."""
    found: msgspec.Raw = msgspec.Raw(b"null")
    """What was found about a match, where that was asked."""
    error: str = ""
    behind: bool = False
    """The worker does not know the match as far as it was thought to; all of it must be sent."""


class Job(msgspec.Struct):
    """What a worker must know to decide."""

    match: str
    seat: str
    heading: Heading
    entries: list[Entry]
    revisions: list[int]
    packs: list[str]
    study: Study | None = None


class Worker(ChildProcess):
    """A process, and what it has been told of each match."""

    command = (sys.executable, "-m", "fronte.server.matches.worker_main")

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.told: dict[str, tuple[int, int]] = {}
        """For each match the lines and the revision that the worker knows."""

    def begun(self) -> None:
        """It has been told nothing yet."""
        self.told.clear()

    async def decide(self, job: Job, player: str) -> Answer:
        """The answer of a player; WorkerError if none comes in time."""
        async with self.lock:
            if self.closed:
                raise WorkerError("the server is closing")
            try:
                async with asyncio.timeout(SLOWEST_START):
                    process = await self.started()
                async with asyncio.timeout(self.seconds):
                    answer = await self._ask(process, job, player)
                    if answer.behind:
                        self.told.pop(job.match, None)
                        answer = await self._ask(process, job, player)
            except TimeoutError:
                await self.stop()
                raise WorkerError(f"no answer within {self.seconds:g} seconds") from None
            except (OSError, EOFError) as wrong:
                await self.stop()
                raise WorkerError(f"the worker has died: {wrong}") from None
            except BaseException:
                await self.stop()  # an answer may still be under way, and would be taken for the next one's
                raise
        if answer.error:
            self.told.pop(job.match, None)
            raise WorkerError(answer.error)
        return answer

    async def _ask(self, process: asyncio.subprocess.Process, job: Job, player: str) -> Answer:
        line, revision = self.told.get(job.match, (-1, -1))
        if line >= 0 and bisect_right(job.revisions, revision) >= line:
            ask = Ask(job.match, job.seat, player, line, None, job.entries[line:], study=job.study)
        else:
            ask = Ask(job.match, job.seat, player, 0, job.heading, job.entries, job.packs, job.study)
        answer = msgspec.json.decode(await self.exchange(process, msgspec.json.encode(ask)), type=Answer)
        self.told[job.match] = len(job.entries), job.revisions[-1] if job.revisions else 0
        return answer


class Pool:
    """A few workers, begun when they are needed."""

    def __init__(self, size: int, seconds: float, folders: Callable[[str], Sequence[Path]]) -> None:
        self.folders = folders
        self.workers = [Worker(seconds) for _ in range(max(1, size))]
        self.closed = False
        self.given: OrderedDict[str, Worker] = OrderedDict()
        """Which worker plays in a match; a match stays with the worker that knows it."""

    def job(self, kept: Kept, entries: Sequence[Entry], revisions: Sequence[int], seat: str) -> Job:
        """All that is needed to decide for a seat of a match now."""
        packs = [str(folder) for folder in self.folders(kept.heading.header.game)]
        return Job(kept.id, seat, kept.heading, list(entries), list(revisions), packs)

    async def decide(self, job: Job, player: str) -> Answer:
        """The answer of a player; WorkerError if none comes in time."""
        worker = self.given.get(job.match)
        if worker is None:
            taken = list(self.given.values())
            worker = self.given[job.match] = min(self.workers, key=taken.count)
        self.given.move_to_end(job.match)
        while len(self.given) > MOST_MATCHES:
            old, forgotten = self.given.popitem(last=False)
            forgotten.told.pop(old, None)
        return await worker.decide(job, player)

    async def close(self) -> None:
        """End all workers; no more answers come."""
        self.closed = True
        await asyncio.gather(*(worker.close() for worker in self.workers))
