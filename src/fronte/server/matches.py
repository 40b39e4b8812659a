"""The matches that are being played: in memory, one lock each, and never ahead of the database.

A match in memory is a cache of its record. Whatever changes it is committed before anybody is told; if that fails,
the copy in memory is forgotten and the record is read again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from bisect import bisect_right
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from fronte.engine.decision import IllegalAction
from fronte.engine.match import Match
from fronte.engine.record import Entry
from fronte.server import clocks, forced, spectators, tables
from fronte.server.bodies import Holder, Problem, Table
from fronte.server.links import Known
from fronte.server.machines import think
from fronte.server.replay import Past, follow, load
from fronte.server.store import HELD, Change, End, Kept, Person, Place, Stale, Store, Written
from fronte.server.workers import Pool

log = logging.getLogger("fronte.server")

HUMAN = "human"
QUEUE = 64
"""Messages that may wait for a slow browser; then it is told where things stand instead."""


class Live:
    """A match in memory."""

    def __init__(self, kept: Kept, record: Sequence[Written], people: dict[str, Person]) -> None:
        self.kept = kept
        self.people = people
        self.match = load(kept.heading, kept.stream, [written.entry for written in record])
        self.revisions = [written.revision for written in record]
        """For each line the revision in which it was written; never falling."""
        self.times = [written.at for written in record]
        """For each line when it was written."""
        self.revision = kept.revision
        self.clock = kept.clock
        self.ended: End | None = kept.ended
        self.trail: tuple[int, Match] | None = None
        """The match as it was some lines ago, for those who look on with a delay."""
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

    @property
    def over(self) -> bool:
        """Is nothing owed any more?"""
        return self.match.seat < 0 or self.ended is not None

    @property
    def owes(self) -> str | None:
        """The seat that owes the decision, if one does."""
        return None if self.over else self.match.rules.seats[self.match.seat]

    def machine(self) -> str | None:
        """The machine seat that owes the decision, if one does."""
        if self.owes is None or self.kept.waits:  # without a seed its action could not be carried out
            return None
        return None if self.kept.seats[self.owes] == HUMAN else self.owes

    def table(self, place: Place, language: str, after: int) -> Table:
        """The table of a place now."""
        now = time.time()
        if place.kind == "spectator":
            found = spectators.table(self, language, after, int(now))
        else:
            found = tables.table(self.cached, place.seat, place.watches, language, after, self.revision)
        if self.clock is not None:
            found.clock = clocks.shown(self.clock, int(now * 1000))
        return found if self.ended is None else tables.closed(found, self.ended, language)

    def behind(self, line: int) -> Match:
        """The match as it was after so many lines, for those who follow it with a delay."""
        known, then = self.trail or (line + 1, self.match)
        if known > line:
            then = self.past.at(self.match, line)
        else:
            follow(then, self.match.entries[known:line])
        self.trail = line, then
        return then

    def clock_now(self) -> clocks.Clock | None:
        """The clocks once the seat that owes the decision is on time: they run when everybody is there."""
        if self.clock is None:
            return None
        there = not self.kept.waits and all(person.state == HELD for person in self.people.values())
        return clocks.pass_to(self.clock, self.owes if there else None, int(time.time() * 1000))

    def changed(self, before: Sequence[Entry], owed: str | None, notice_after: int) -> Change:
        """What has been done to the match since it had these lines, as a change of the record."""
        moment = int(time.time())
        now = self.match.entries
        keep = next((n for n, (a, b) in enumerate(zip(before, now, strict=False)) if a is not b), None)
        keep = min(len(before), len(now)) if keep is None else keep
        self.revision += 1
        self.revisions[keep:] = [self.revision] * (len(now) - keep)
        self.times[keep:] = [moment] * (len(now) - keep)
        if self.trail is not None and self.trail[0] > keep:
            self.trail = None
        self.past.cut(keep)
        self.past.passed(len(now), self.match.state)
        self.cached = tables.Cached(self.match, self.cached.memory)
        result = self.match.result
        told = None if result is None else msgspec.to_builtins(result)
        self.clock = self.clock_now()
        owes = None if self.owes == owed else self.owes
        return Change(len(before), keep, now[keep:], self.revision, told, moment, self.clock, owes, notice_after)


def holder(person: Person, here: bool) -> Holder:
    """Who holds a seat, as all may know it."""
    return Holder(person.state, person.name, here, person.forced)


class Watcher:
    """A browser that is told at once what happens: its place, its language, and what waits to be sent."""

    def __init__(self, place: Place, language: str) -> None:
        self.place = place
        self.language = language
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)
        """None: the place is gone, and the socket is closed."""
        self.refused: Problem | None = None
        self.line = -1
        self.revision = 0
        self.behind = False

    def send(self, message: bytes) -> None:
        """Put a message in the queue; a browser too slow for that will get a fresh table."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.behind = True

    def end(self, why: Problem) -> None:
        """Nothing more for this browser but the reason."""
        self.refused, self.behind = why, False
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(msgspec.json.encode(why.told(self.language)))
        self.queue.put_nowait(None)


class Matches:
    """All matches of a server."""

    def __init__(self, store: Store, pool: Pool, keep: int, notice_after: int = 0) -> None:
        self.store = store
        self.pool = pool
        self.keep = keep
        self.notice_after = notice_after
        self.links = Known(store)
        self.counted: Counter[str] = Counter()
        """What has happened since the server began, for its metrics."""
        self.live: OrderedDict[str, Live] = OrderedDict()
        self.locks: dict[str, asyncio.Lock] = {}
        self.watchers: dict[str, list[Watcher]] = {}
        self.thinking: dict[str, asyncio.Task[None]] = {}
        self.changing: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop all thinking; what is being committed is committed first."""
        await self.pool.close()
        await asyncio.gather(*self.thinking.values(), *self.changing, return_exceptions=True)

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
        record, people = await self.store.record(name), await self.store.people(name)
        try:
            live = await asyncio.to_thread(Live, kept, record, people)
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
            if live.kept.waits:
                live = await self._read(name)  # the last word may have come by another process
            if (line is not None and line != live.line) or (revision is not None and revision != live.revision):
                raise Problem(409, "the match has gone on meanwhile", line=live.line)
            if live.ended is not None:
                raise Problem(422, "the match is over")
            before, owed = list(live.match.entries), live.owes
            try:
                do(live.match)
                merging = [seat for seat, person in live.people.items() if person.forced and not live.kept.waits]
                forced.settle(live.match, len(before), merging)
                if live.kept.waits and any(entry.rolls for entry in live.match.entries):
                    del self.live[name]
                    raise Problem(422, "dice can fall when everybody has taken a seat and opened a word")
                if live.match.entries != before:
                    change = live.changed(before, owed, self.notice_after)
                    committing = asyncio.ensure_future(self.store.commit(name, change))
                    await asyncio.sleep(0)  # let the commit begin: while the disk works, the new tables are made
                    messages = self._messages(name, live)
                    await committing
                    self.counted["lines"] += len(change.entries)
                    self.counted["commits"] += 1
                    self._publish(live, messages)
            except (IllegalAction, Problem):
                raise
            except BaseException as wrong:
                del self.live[name]
                if isinstance(wrong, Stale):
                    raise Problem(409, "the match has gone on meanwhile", line=None) from None
                raise
            self._think(name, live)

    async def merge(self, name: str) -> None:
        """Answer what is forced at once, where a seat has just asked for it."""
        async with self.at(name) as live:
            over = live.over
        if not over:
            await self.change(name, None, None, lambda match: None)

    # Telling

    def _messages(self, name: str, live: Live) -> list[tuple[Watcher, int, bytes]]:
        made: dict[tuple[str, str, str, int], tuple[int, bytes]] = {}
        found = []
        for watcher in list(self.watchers.get(name, ())):
            after = live.known(watcher.line, watcher.revision)
            key = watcher.place.seat, watcher.place.kind, watcher.language, after
            if key not in made:
                try:
                    table = live.table(watcher.place, watcher.language, after)
                except Problem as closed:
                    watcher.end(closed)
                    continue
                made[key] = table.line, msgspec.json.encode(table)
            found.append((watcher, *made[key]))
        return found

    def _publish(self, live: Live, messages: list[tuple[Watcher, int, bytes]]) -> None:
        for watcher, line, message in messages:
            watcher.send(message)
            if not watcher.behind:
                watcher.line, watcher.revision = line, live.revision

    def say(self, name: str, message: Callable[[Place], Any]) -> None:
        """Tell all who look on something besides tables; None is not sent."""
        for watcher in self.watchers.get(name, ()):
            told = message(watcher.place)
            if told is not None:
                watcher.send(msgspec.json.encode(told))

    def here(self, name: str) -> set[str]:
        """The seats of a match whose holders have it open."""
        return {watcher.place.seat for watcher in self.watchers.get(name, ()) if watcher.place.kind == "seat"}

    def _tell_people(self, name: str) -> None:
        """Who has come or gone."""
        live = self.live.get(name)
        if live is not None:
            here = self.here(name)
            told = {"people": {seat: holder(person, seat in here) for seat, person in live.people.items()}}
            self.say(name, lambda place: told)

    async def people_changed(self, name: str) -> None:
        """The people of a match, or what they want, have changed: read it again and tell everybody."""
        async with self.at(name) as live:
            if live.kept.waits:
                live = await self._read(name)  # the seed may have been made
            live.people = await self.store.people(name)
            clock = live.clock_now()
            if clock != live.clock:
                await self.store.set_clock(name, clock)
                live.clock = clock
            for watcher in self.watchers.get(name, ()):
                if watcher.place.kind == "spectator":
                    watcher.line = -1  # it may see with other eyes from now on
            self._publish(live, self._messages(name, live))
            self._tell_people(name)

    async def end(self, name: str, judge: Callable[[Live], End]) -> None:
        """The match is over before the rules end it, as `judge` says; it may refuse."""
        async with self.at(name) as live:
            ended = judge(live)
            if not await self.store.end(name, live.revision, ended):
                del self.live[name]
                raise Problem(409, "the match has gone on meanwhile", line=None)
            live.ended = ended
            live.clock = live.clock_now()
            self._publish(live, self._messages(name, live))

    def drop(self, name: str, links: Collection[str], why: Problem) -> None:
        """Links are no longer good: whoever is here by one of them goes."""
        self.links.forget(links)
        for watcher in self.watchers.get(name, ()):
            if watcher.place.link in links:
                watcher.end(why)

    async def tick(self) -> None:
        """As time passes, show more to those who look on with a delay of minutes."""
        for name in list(self.watchers):
            if any(watcher.place.kind == "spectator" for watcher in self.watchers[name]):
                async with self.at(name) as live:
                    now = int(time.time())
                    if spectators.agreed(live.people).minutes and not live.over:
                        line = spectators.shown_line(live, now)
                        late = [w for w in self.watchers.get(name, ()) if w.place.kind == "spectator" and w.line < line]
                        self._publish(live, [told for told in self._messages(name, live) if told[0] in late])

    async def watch(self, name: str, watcher: Watcher, since: int | None, revision: int | None) -> None:
        """Begin to watch: the present table comes first, with all that happened since."""
        async with self.at(name) as live:
            after = live.line if since is None else live.known(since, revision)
            table = live.table(watcher.place, watcher.language, after)
            watcher.send(msgspec.json.encode(table))
            watcher.line, watcher.revision = table.line, live.revision
            self.watchers.setdefault(name, []).append(watcher)
            self._tell_people(name)
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
            table = live.table(watcher.place, watcher.language, after)
            watcher.send(msgspec.json.encode(table))
            watcher.line, watcher.revision = table.line, live.revision

    def unwatch(self, name: str, watcher: Watcher) -> None:
        """The browser has gone."""
        self.watchers[name].remove(watcher)
        if not self.watchers[name]:
            del self.watchers[name]
        self._tell_people(name)

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
