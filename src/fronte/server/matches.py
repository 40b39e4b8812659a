"""The matches that are being played: in memory, one lock each, and never ahead of the database.

A match in memory is a cache of its record. Whatever changes it is committed before anybody is told; if that fails,
the copy in memory is forgotten and the record is read again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from fronte.engine.decision import IllegalAction
from fronte.engine.match import Match
from fronte.engine.record import Entry
from fronte.server import tables
from fronte.server.bodies import Problem, Table
from fronte.server.machines import think
from fronte.server.replay import Past, load
from fronte.server.store import Change, Kept, Place, Stale, Store
from fronte.server.workers import Pool

log = logging.getLogger("fronte.server")

HUMAN = "human"
QUEUE = 64
"""Messages that may wait for a slow browser; then it is told where things stand instead."""


class Live:
    """A match in memory."""

    def __init__(self, kept: Kept, record: Sequence[tuple[int, Entry]]) -> None:
        self.kept = kept
        self.match = load(kept.heading, kept.stream, [entry for _, entry in record])
        self.revisions = [revision for revision, _ in record]
        """For each line the revision in which it was written; never falling."""
        self.revision = kept.revision
        self.past = Past(kept.heading)
        self.cached = tables.Cached(self.match)

    @property
    def line(self) -> int:
        """Lines of the record so far."""
        return len(self.match.entries)

    def known(self, line: int, revision: int | None) -> int:
        """How many lines of the present record somebody knows who was at this line in this revision."""
        lines = self.line if revision is None else bisect_right(self.revisions, revision)
        return min(line, lines, self.line)

    def machine(self) -> str | None:
        """The machine seat that owes the decision, if one does."""
        if self.match.seat < 0:
            return None
        seat = self.match.rules.seats[self.match.seat]
        return None if self.kept.seats[seat] == HUMAN else seat

    def table(self, place: Place, language: str, after: int) -> Table:
        """The table of a seat now."""
        return tables.table(self.cached, place.seat, place.watches, language, after, self.revision)

    def changed(self, before: Sequence[Entry]) -> Change:
        """What has been done to the match since it had these lines, as a change of the record."""
        now = self.match.entries
        keep = next((n for n, (a, b) in enumerate(zip(before, now, strict=False)) if a is not b), None)
        keep = min(len(before), len(now)) if keep is None else keep
        self.revision += 1
        self.revisions[keep:] = [self.revision] * (len(now) - keep)
        self.past.cut(keep)
        self.past.passed(len(now), self.match.state)
        self.cached = tables.Cached(self.match, self.cached.memory)
        result = self.match.result
        told = None if result is None else msgspec.to_builtins(result)
        return Change(len(before), keep, now[keep:], self.revision, told, int(time.time()))


class Watcher:
    """A browser that is told at once what happens: its place, its language, and what waits to be sent."""

    def __init__(self, place: Place, language: str) -> None:
        self.place = place
        self.language = language
        self.queue: asyncio.Queue[bytes] = asyncio.Queue(QUEUE)
        self.line = -1
        self.revision = 0
        self.behind = False

    def send(self, message: bytes) -> None:
        """Put a message in the queue; a browser too slow for that will get a fresh table."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.behind = True


class Matches:
    """All matches of a server."""

    def __init__(self, store: Store, pool: Pool, keep: int) -> None:
        self.store = store
        self.pool = pool
        self.keep = keep
        self.live: OrderedDict[str, Live] = OrderedDict()
        self.locks: dict[str, asyncio.Lock] = {}
        self.watchers: dict[str, list[Watcher]] = {}
        self.thinking: dict[str, asyncio.Task[None]] = {}
        self.changing: set[asyncio.Task[None]] = set()
        self.tokens: OrderedDict[str, Place] = OrderedDict()

    async def close(self) -> None:
        """Stop all thinking; what is being committed is committed first."""
        await self.pool.close()
        await asyncio.gather(*self.thinking.values(), *self.changing, return_exceptions=True)

    async def place(self, token: str) -> Place | None:
        """What a token stands for."""
        found = self.tokens.get(token)
        if found is None:
            found = next(iter(await self.store.places([token])), None)
            if found is not None:
                self.tokens[token] = found
                while len(self.tokens) > 10 * self.keep:
                    self.tokens.popitem(last=False)
        return found

    # One match at a time

    @asynccontextmanager
    async def at(self, name: str) -> AsyncIterator[Live]:
        """A match, for one request at a time: what is seen here is committed."""
        lock = self.locks.setdefault(name, asyncio.Lock())
        async with lock:
            live = self.live.get(name)
            if live is None:
                live = await self._read(name)
            self.live.move_to_end(name)
            yield live
        self._forget_some()

    async def _read(self, name: str) -> Live:
        kept = await self.store.match(name)
        if kept is None:
            self.locks.pop(name, None)
            raise Problem(404, f"there is no match {name!r}")
        record = await self.store.record(name)
        try:
            live = await asyncio.to_thread(Live, kept, record)
        except ValueError as wrong:
            raise Problem(422, f"this match cannot be opened any more: {wrong}") from None
        self.live[name] = live
        self._think(name, live)
        return live

    def _forget_some(self) -> None:
        """Keep only the matches used last, and those somebody watches or is about to change."""
        if len(self.live) <= self.keep:
            return
        for name in list(self.live):
            busy = self.watchers.get(name) or name in self.thinking or self.locks[name].locked()
            if not busy:
                del self.live[name]
            if len(self.live) <= self.keep:
                return

    async def change(self, name: str, line: int | None, revision: int | None, do: Callable[[Match], Any]) -> None:
        """Do something to a match, commit it and tell everybody. Nothing has happened unless this returns.

        Goes on to its end even if whoever asked has gone.
        """
        task = asyncio.create_task(self._change(name, line, revision, do))
        self.changing.add(task)
        task.add_done_callback(self.changing.discard)
        await asyncio.shield(task)

    async def _change(self, name: str, line: int | None, revision: int | None, do: Callable[[Match], Any]) -> None:
        async with self.at(name) as live:
            if (line is not None and line != live.line) or (revision is not None and revision != live.revision):
                raise Problem(409, "the match has gone on meanwhile", line=live.line)
            before = list(live.match.entries)
            try:
                do(live.match)
                if live.match.entries != before:
                    committing = asyncio.ensure_future(self.store.commit(name, live.changed(before)))
                    await asyncio.sleep(0)  # let the commit begin: while the disk works, the new tables are made
                    messages = self._messages(name, live)
                    await committing
                    self._publish(name, live, messages)
            except (IllegalAction, Problem):
                raise
            except BaseException as wrong:
                del self.live[name]
                if isinstance(wrong, Stale):
                    raise Problem(409, "the match has gone on meanwhile", line=None) from None
                raise
            self._think(name, live)

    # Telling

    def _messages(self, name: str, live: Live) -> list[tuple[Watcher, bytes]]:
        made: dict[tuple[Place, str, int], bytes] = {}
        found = []
        for watcher in self.watchers.get(name, ()):
            after = live.known(watcher.line, watcher.revision)
            key = watcher.place, watcher.language, after
            if key not in made:
                made[key] = msgspec.json.encode(live.table(watcher.place, watcher.language, after))
            found.append((watcher, made[key]))
        return found

    def _publish(self, name: str, live: Live, messages: list[tuple[Watcher, bytes]]) -> None:
        for watcher, message in messages:
            watcher.send(message)
            if not watcher.behind:
                watcher.line, watcher.revision = live.line, live.revision

    def say(self, name: str, message: Callable[[Place], Any]) -> None:
        """Tell all who look on something besides tables; None is not sent."""
        for watcher in self.watchers.get(name, ()):
            told = message(watcher.place)
            if told is not None:
                watcher.send(msgspec.json.encode(told))

    async def watch(self, name: str, watcher: Watcher, since: int | None, revision: int | None) -> None:
        """Begin to watch: the present table comes first, with all that happened since."""
        async with self.at(name) as live:
            after = live.line if since is None else live.known(since, revision)
            watcher.send(msgspec.json.encode(live.table(watcher.place, watcher.language, after)))
            watcher.line, watcher.revision = live.line, live.revision
            self.watchers.setdefault(name, []).append(watcher)
            self._think(name, live)
            if live.machine() is not None:
                watcher.send(msgspec.json.encode({"thinking": live.machine()}))

    async def catch_up(self, name: str, watcher: Watcher) -> None:
        """A fresh table for a browser that was too slow, or has changed its language."""
        async with self.at(name) as live:
            while not watcher.queue.empty():
                watcher.queue.get_nowait()
            watcher.behind = False
            after = live.known(watcher.line, watcher.revision)
            watcher.send(msgspec.json.encode(live.table(watcher.place, watcher.language, after)))
            watcher.line, watcher.revision = live.line, live.revision

    def unwatch(self, name: str, watcher: Watcher) -> None:
        """The browser has gone."""
        self.watchers[name].remove(watcher)
        if not self.watchers[name]:
            del self.watchers[name]

    # Machine players

    def _think(self, name: str, live: Live) -> None:
        """Let the machine seat that owes a decision think, if one does and is not at it already."""
        if name in self.thinking or live.machine() is None:
            return

        async def run() -> None:
            try:
                await think(self, name)
            except Exception:
                if not self.pool.closed:
                    log.exception("the machine player of match %s has failed", name)
            finally:
                del self.thinking[name]

        self.thinking[name] = asyncio.create_task(run())
