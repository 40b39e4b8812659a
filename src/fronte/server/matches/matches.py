"""The matches that are being played: in memory, one lock each, and never ahead of the database.

A match in memory is a cache of its record. Whatever changes it is committed before anybody is told; if that fails,
the copy in memory is forgotten and the record is read again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec

from fronte.engine.decision import IllegalAction
from fronte.engine.match import Match
from fronte.engine.pack import PackError
from fronte.server import cards, clocks
from fronte.server.api_types import Table
from fronte.server.matches import forced_steps, spectators
from fronte.server.matches.analysis import Analysts
from fronte.server.matches.changes import changed
from fronte.server.matches.freshness import follow_on, present, take, whole
from fronte.server.matches.live import Live, holder
from fronte.server.matches.machine_seats import think
from fronte.server.matches.worker_pool import Pool
from fronte.server.people.links import Known
from fronte.server.problem import Problem
from fronte.server.processes.threads import Threads, TooLong
from fronte.server.settings import Settings
from fronte.server.store.database import Damaged, Stale, Store, delete_match
from fronte.server.store.fanout import Fanout
from fronte.server.store.notify import OfMatch
from fronte.server.store.rows import HUMAN, End, Person, Place

log = logging.getLogger("fronte.server")

T = TypeVar("T")

TRIES = 5
"""How often a change is tried when others change the match at the same moment."""
LOOKS = 30.0
"""Seconds for which machines among themselves go on after somebody has asked about their match."""
IDLE = 600.0
"""Seconds after which a match that nobody comes to leaves the memory."""
REST, LONGEST_REST, MOST_RESTING = 30.0, 3600.0, 1000
"""Seconds for which a match rests at which something took too long, the first time and at most; and how many do."""
QUEUE = 64
"""Messages that may wait for a slow browser; then it is told where things stand instead."""
MOST_WAITING = 2**20
"""And how many bytes."""


WHOLE, CHANGES = 1, 2
"""Forms in which tables are told: each whole; or after the first what has changed, and with ways as trees."""


class Watcher:
    """A browser that is told at once what happens: its place, its language, and what waits to be sent."""

    def __init__(self, place: Place, language: str, form: int = WHOLE) -> None:
        self.place = place
        self.language = language
        self.form = form
        """How it is told of tables."""
        self.sent: bytes | None = None
        """The table it was told of last, where the next one is told by what has changed."""
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE)
        """None: the place is gone, and the socket is closed."""
        self.refused: Problem | None = None
        self.line = -1
        self.revision = 0
        self.behind = False
        self.waiting = 0
        """Bytes in the queue."""

    def send(self, message: bytes) -> None:
        """Put a message in the queue; a browser too slow for that will get a fresh table."""
        if self.waiting and self.waiting + len(message) > MOST_WAITING:
            self.behind = True
            return
        try:
            self.queue.put_nowait(message)
            self.waiting += len(message)
        except asyncio.QueueFull:
            self.behind = True

    def message(self, table: bytes) -> bytes:
        """What this browser is to be sent for a table: all of it, or what is other than in the one it was sent."""
        if self.sent is None:
            return table
        return b'{"change":%b}' % changed(self.sent, table)

    def tell(self, table: bytes, message: bytes | None = None) -> None:
        """Send a table, as the message that was made for it if it was."""
        self.send(self.message(table) if message is None else message)
        if self.form != WHOLE:
            self.sent = None if self.behind else table

    async def next(self) -> bytes | None:
        """The next message to be sent."""
        message = await self.queue.get()
        self.waiting -= len(message or b"")
        return message

    def clear(self) -> None:
        """Forget what waits; what was not sent cannot be built on."""
        self.sent = None
        while not self.queue.empty():
            self.waiting -= len(self.queue.get_nowait() or b"")

    def end(self, why: Problem) -> None:
        """Nothing more for this browser but the reason."""
        self.refused, self.behind = why, False
        self.clear()
        self.queue.put_nowait(msgspec.json.encode(why.told(self.language)))
        self.queue.put_nowait(None)


Wanted = tuple[str, str, str, int, int]
"""Which table: seat, kind of place, language, the line after which events are told, and its form."""
Telling = tuple[Watcher, int, bytes, bytes]
"""Who is told: the line, the table, and the message that brings it."""


def _tables(live: Live, wanted: list[tuple[Watcher, Wanted]]) -> list[Telling | tuple[Watcher, Problem]]:
    """The tables of all who look on, ready to be sent; a problem where the doors are closed."""
    made: dict[Wanted, tuple[int, bytes] | Problem] = {}
    found: list[Telling | tuple[Watcher, Problem]] = []
    messages: dict[tuple[bytes | None, Wanted], bytes] = {}
    for watcher, key in wanted:
        if key not in made:
            made[key] = _table(live, watcher.place, key)
        told = made[key]
        if isinstance(told, Problem):
            found.append((watcher, told))
            continue
        line, table = told
        message = messages.get((watcher.sent, key))
        if message is None:
            message = messages[watcher.sent, key] = watcher.message(table)
        found.append((watcher, line, table, message))
    return found


def _table(live: Live, place: Place, key: Wanted) -> tuple[int, bytes] | Problem:
    try:
        table = live.table(place, key[2], key[3], key[4] != WHOLE)
    except Problem as closed:
        return closed
    return table.line, msgspec.json.encode(table)


def _done(
    match: Match, do: Callable[[Match], Any], before: int, merging: Collection[str], alone: Collection[str]
) -> dict[str, Any]:
    """Do something to a match, and what goes by itself after it; its card then."""
    do(match)
    forced_steps.settle(match, before, merging, alone)
    return cards.card(match)


class Matches:
    """All matches of a server."""

    def __init__(self, store: Store, pool: Pool, settings: Settings) -> None:
        self.store = store
        self.pool = pool
        self.analysts = Analysts(settings)
        self.threads = Threads()
        self.settings = settings
        self.notice_after = settings.notice_after
        self.folders = settings.folders
        self.links = Known(store)
        self.fanout = Fanout(store) if store.shared else None
        """The line to other processes, where the database may have others."""
        self.counted: Counter[str] = Counter()
        """What has happened since the server began, for its metrics."""
        self.live: OrderedDict[str, Live] = OrderedDict()
        self.locks: dict[str, asyncio.Lock] = {}
        self.weights: dict[str, int] = {}
        """About how many bytes each match in memory takes."""
        self.room = 0
        """How many more bytes matches may take before it must be reckoned again who goes; at least so many are free."""
        self.resting: OrderedDict[str, tuple[int, float]] = OrderedDict()
        """Matches at which something took too long: how often, and until when nobody comes to them."""
        self.watchers: dict[str, list[Watcher]] = {}
        self.shown: dict[str, tuple[dict[str, Person], End | None]] = {}
        """For each match that somebody watches the people and the end that all have been told of."""
        self.doubtful: set[str] = set()
        """Matches of which a change failed in the middle: whether it was written must be looked at."""
        self.looked: OrderedDict[str, float] = OrderedDict()
        """When somebody asked about a match last, for those that are being asked about."""
        self.thinking: dict[str, asyncio.Task[None]] = {}
        self.changing: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop all thinking; what is being committed is committed first."""
        await self.pool.close()
        await self.analysts.close()
        await asyncio.gather(*self.thinking.values(), *self.changing, return_exceptions=True)
        self.threads.close()

    # One match at a time

    @asynccontextmanager
    async def at(self, name: str, revision: int = -1) -> AsyncIterator[Live]:
        """A match, for one request at a time: what is seen here is committed. It is known to be at this revision."""
        lock = self.locks.setdefault(name, asyncio.Lock())
        async with lock:
            self._refuse_resting(name)
            live = self.live.get(name)
            if live is None:
                live = await self._read(name)
            elif self.store.shared:
                live = await self._up_to_date(name, live, revision)
            self.live.move_to_end(name)
            live.used = time.monotonic()
            yield live
            weight = live.weight()
            self.room -= max(0, weight - self.weights.get(name, 0))
            self.weights[name] = weight
        self._forget_some()

    # Work that can take long

    async def work(self, name: str, do: Callable[..., T], *args: Any) -> T:
        """Let something be done with a match, beside the loop and with an end. Whoever asks has the match.

        If it does not end in time the match in memory is spoilt: it is forgotten, and rests for a while.
        """
        try:
            return await self.threads.do(self.settings.work_seconds, do, *args)
        except TooLong:
            self.live.pop(name, None)
            times = self.resting.pop(name, (0, 0.0))[0]
            self.resting[name] = times + 1, time.monotonic() + min(REST * 2**times, LONGEST_REST)
            while len(self.resting) > MOST_RESTING:
                self.resting.popitem(last=False)
            log.error("match %s takes longer than %g seconds; it rests", name, self.settings.work_seconds)
            problem = self._rests(name)
            for watcher in self.watchers.get(name, ()):
                watcher.end(problem)
            raise problem from None

    def _refuse_resting(self, name: str) -> None:
        _, until = self.resting.get(name, (0, 0.0))
        if time.monotonic() < until:
            raise self._rests(name)

    def _rests(self, name: str) -> Problem:
        seconds = max(1, int(self.resting[name][1] - time.monotonic()))
        return Problem(503, f"this match took the server too long; it rests for {seconds} seconds", retry=seconds)

    async def table(self, live: Live, place: Place, language: str, after: int, form: int = WHOLE) -> Table:
        """The table of a place now. Whoever asks has the match."""
        return await self.work(live.kept.id, live.table, place, language, after, form != WHOLE)

    async def _read(self, name: str) -> Live:
        found = await whole(self.store, name)
        if found is None:
            self.locks.pop(name, None)
            raise Problem(404, f"there is no match {name!r}")
        try:
            packs = self.folders(found.kept.heading.header.game)
            live = await self.work(name, Live, found.kept, found.record, found.people, packs)
        except (PackError, Problem):
            raise
        except ValueError as wrong:
            raise Problem(422, f"this match cannot be opened any more: {wrong}") from None
        except Exception:
            log.exception("match %s cannot be read", name)
            raise Damaged from None
        self.live[name] = live
        self.weights.pop(name, None)
        self._think(name, live)
        return live

    async def _up_to_date(self, name: str, live: Live, revision: int) -> Live:
        """A match in memory once it is what the database says, whichever process has changed it."""
        if revision <= live.revision:
            now = await present(self.store, name)
            if now is None or now.seed != live.kept.seed.hex():
                return await self._read(name)
            if now.revision == live.revision:
                take(live, now)
                return live
        found = await whole(self.store, name, live.revision)
        if found is None or found.kept.seed != live.kept.seed or not await self.work(name, follow_on, live, found):
            return await self._read(name)
        return live

    def weight(self) -> int:
        """About how many bytes the matches in memory take."""
        return sum(self.weights.get(name, 0) for name in self.live)

    def _forget_some(self) -> None:
        """Keep what was used last, as much as there is room for: first those go that nobody watches."""
        if self.room >= 0 and len(self.live) <= self.settings.keep_matches:
            return
        total, left = self.weight(), len(self.live)
        self.room = self.settings.keep_bytes - total
        if self.room >= 0 and left <= self.settings.keep_matches:
            return
        names = list(self.live)
        for name in (*(n for n in names if n not in self.watchers), *(n for n in names if n in self.watchers)):
            crowded = left > self.settings.keep_matches and name not in self.watchers
            if not crowded and total <= self.settings.keep_bytes:
                continue
            if name not in self.thinking and not self.locks[name].locked():
                del self.live[name]
                total, left = total - self.weights.pop(name, 0), left - 1
        self.room = self.settings.keep_bytes - total

    def in_use(self) -> set[str]:
        """The matches that somebody has open, in any process, or at which something is going on here."""
        locked = {name for name, lock in self.locks.items() if lock.locked()}
        elsewhere = self.fanout.open_elsewhere() if self.fanout else set()
        return {*self.watchers, *self.thinking, *locked, *elsewhere}

    def gone(self, names: Collection[str]) -> None:
        """These matches have been removed."""
        for name in names:
            self.live.pop(name, None)
        self.links.forget_matches(names)

    def _forget_idle(self) -> None:
        """Let go of the matches that nobody has come to for a while, and of the locks of those that are gone."""
        now = time.monotonic()
        for name, live in list(self.live.items()):
            busy = name in self.watchers or name in self.thinking or self.locks[name].locked()
            if not busy and now - live.used > IDLE:
                del self.live[name]
        for name in [name for name in self.locks if name not in self.live and not self.locks[name].locked()]:
            del self.locks[name]
        self.weights = {name: weight for name, weight in self.weights.items() if name in self.live}

    async def change(self, name: str, line: int | None, revision: int | None, do: Callable[[Match], Any]) -> None:
        """Do something to a match, commit it and tell everybody. Nothing has happened unless this returns.

        Goes on to its end even if whoever asked has gone.
        """
        task = asyncio.create_task(self._change(name, line, revision, do))
        self.changing.add(task)
        task.add_done_callback(self.changing.discard)
        await asyncio.shield(task)

    async def _change(self, name: str, line: int | None, revision: int | None, do: Callable[[Match], Any]) -> None:
        for _ in range(TRIES):
            with contextlib.suppress(Stale):  # somebody else was quicker: look again
                return await self._try(name, line, revision, do)
        raise Problem(409, "the match has gone on meanwhile", line=None)

    async def _try(self, name: str, line: int | None, revision: int | None, do: Callable[[Match], Any]) -> None:
        async with self.at(name) as live:
            if live.kept.waits:
                live = await self._read(name)  # the last word may have come meanwhile
            if (line is not None and line != live.line) or (revision is not None and revision != live.revision):
                raise Problem(409, "the match has gone on meanwhile", line=live.line)
            if live.ended is not None:
                raise Problem(422, "the match is over")
            before, owed = list(live.match.entries), live.owes
            try:
                merging = [seat for seat, person in live.people.items() if person.forced and not live.kept.waits]
                card = await self.work(name, _done, live.match, do, len(before), merging, live.alone())
                if live.line > max(len(before), self.settings.most_lines):
                    del self.live[name]
                    raise Problem(422, f"the record is full: it has room for {self.settings.most_lines} lines")
                if live.kept.waits and any(entry.rolls for entry in live.match.entries):
                    del self.live[name]
                    raise Problem(422, "dice can fall when everybody has taken a seat and opened a word")
                if live.match.entries != before:
                    change = live.changed(before, owed, self.notice_after, card)
                    committing = asyncio.ensure_future(self.store.commit(name, change))
                    await asyncio.sleep(0)  # let the commit begin: while the disk works, the new tables are made
                    try:
                        messages = await self._messages(name, live)
                    finally:
                        await committing
                    self.counted["lines"] += len(change.entries)
                    self.counted["commits"] += 1
                    self._publish(live, messages)
            except (IllegalAction, Problem):
                raise
            except BaseException as wrong:
                self.live.pop(name, None)
                if not isinstance(wrong, Stale):
                    self.doubtful.add(name)
                raise
            self._think(name, live)

    async def merge(self, name: str) -> None:
        """Answer what is forced at once, where a seat has just asked for it."""
        async with self.at(name) as live:
            over = live.over
        if not over:
            await self.change(name, None, None, lambda match: None)

    # Telling

    async def _messages(self, name: str, live: Live, behind: bool = False) -> list[Telling]:
        """The tables of all who look on, or only of those who have not been told of the last change."""
        wanted: list[tuple[Watcher, Wanted]] = []
        for watcher in list(self.watchers.get(name, ())):
            if not behind or watcher.revision != live.revision:
                after = live.known(watcher.line, watcher.revision)
                key = watcher.place.seat, watcher.place.kind, watcher.language, after, watcher.form
                wanted.append((watcher, key))
        if not wanted:
            return []
        found: list[Telling] = []
        for told in await self.work(name, _tables, live, wanted):
            if len(told) == 2:
                told[0].end(told[1])
            else:
                found.append(told)
        return found

    def _publish(self, live: Live, messages: list[Telling]) -> None:
        for watcher, line, table, message in messages:
            watcher.tell(table, message)
            if not watcher.behind:
                watcher.line, watcher.revision = line, live.revision

    def say(self, name: str, message: Callable[[Place], Any]) -> None:
        """Tell all who look on something besides tables; None is not sent."""
        for watcher in self.watchers.get(name, ()):
            told = message(watcher.place)
            if told is not None:
                watcher.send(msgspec.json.encode(told))

    def here(self, name: str) -> set[str]:
        """The seats of a match whose holders have it open, in any process."""
        return set(self._here(name)) | (self.fanout.here(name) if self.fanout else set())

    def _here(self, name: str) -> tuple[str, ...]:
        watching = self.watchers.get(name, ())
        return tuple(sorted({watcher.place.seat for watcher in watching if watcher.place.kind == "seat"}))

    def all_here(self) -> dict[str, tuple[str, ...]]:
        """For each match the seats that have it open in this process."""
        return {name: seats for name in self.watchers if (seats := self._here(name))}

    def tell_others(self, news: OfMatch) -> None:
        """Tell the other processes something that stands in no database."""
        if self.fanout is not None:
            self.fanout.post(news)

    def tell_people(self, name: str) -> None:
        """Who has come or gone."""
        live = self.live.get(name)
        people = live.people if live is not None else self.shown.get(name, ({}, None))[0]
        if people:
            here = self.here(name)
            told = {"people": {seat: holder(person, seat in here) for seat, person in people.items()}}
            self.say(name, lambda place: told)

    async def people_changed(self, name: str) -> None:
        """The people of a match, or what they want, have changed: read it again and tell everybody."""
        async with self.at(name) as live:
            if live.kept.waits:
                live = await self._read(name)  # the seed may have been made
            live.people = await self.store.people(name)
            clock = live.clock_now()
            if clock != live.clock and await self.store.set_clock(name, live.revision, clock):
                live.clock = clock
            await self._show_people(name, live)

    async def _show_people(self, name: str, live: Live) -> None:
        for watcher in self.watchers.get(name, ()):
            if watcher.place.kind == "spectator":
                watcher.line = -1  # it may see with other eyes from now on
        self._publish(live, await self._messages(name, live))
        if name in self.watchers:
            self.shown[name] = live.people, live.ended
        self.tell_people(name)

    def has_told(self, name: str, revision: int) -> bool:
        """Has this process told, or is it about to tell, of a change that it has made itself?"""
        live = self.live.get(name)
        return live is not None and live.revision >= revision and name not in self.doubtful

    async def wake(self, name: str, revision: int = -1) -> None:
        """The match may have changed by other hands: whoever is here is told what he does not know yet."""
        async with self.at(name, revision) as live:
            if name in self.watchers and self.shown.get(name) != (live.people, live.ended):
                await self._show_people(name, live)
            self._publish(live, await self._messages(name, live, behind=True))
            self._think(name, live)

    async def end(self, name: str, judge: Callable[[Live], End]) -> None:
        """The match is over before the rules end it, as `judge` says; it may refuse."""
        async with self.at(name) as live:
            ended = judge(live)
            if not await self.store.end(name, live.revision, ended):
                del self.live[name]
                raise Problem(409, "the match has gone on meanwhile", line=None)
            live.ended = ended
            live.clock = live.clock_now()
            await self._show_people(name, live)

    async def renamed(self, name: str) -> None:
        """What is no part of the record has changed: what is in memory is brought up to date."""
        kept = await self.store.match(name)
        async with self.at(name) as live:
            if kept is not None:
                live.kept = msgspec.structs.replace(live.kept, name=kept.name, archived=kept.archived)

    async def delete(self, name: str) -> None:
        """Remove a match for good; whoever has it open is told."""
        lock = self.locks.setdefault(name, asyncio.Lock())
        async with lock:
            await delete_match(self.store, name)
            self.gone([name])
            for watcher in self.watchers.get(name, ()):
                watcher.end(Problem(404, "this match has been deleted"))

    def drop(self, name: str, links: Collection[str], why: Problem) -> None:
        """Links are no longer good: whoever is here by one of them goes."""
        self.links.forget(links)
        for watcher in self.watchers.get(name, ()):
            if watcher.place.link in links:
                watcher.end(why)

    async def tick(self) -> None:
        """As time passes, show more to those who look on with a delay of minutes; and look at what is in doubt."""
        if self.fanout is not None:
            self.fanout.forget_silent()
        for name in list(self.doubtful):
            with contextlib.suppress(Problem, Damaged, PackError):  # then nobody has it open
                await self.wake(name)
            self.doubtful.discard(name)
        self._forget_idle()
        for name in list(self.watchers):
            wishes = map(spectators.wish, self.shown.get(name, ({}, None))[0].values())
            delayed = any(wish is not None and wish.minutes for wish in wishes)
            if delayed and any(watcher.place.kind == "spectator" for watcher in self.watchers.get(name, ())):
                async with self.at(name) as live:
                    now = int(time.time())
                    if spectators.agreed(live.people, live.kept.seats).minutes and not live.over:
                        line = spectators.shown_line(live, now)
                        late = [w for w in self.watchers.get(name, ()) if w.place.kind == "spectator" and w.line < line]
                        told = await self._messages(name, live)
                        self._publish(live, [one for one in told if one[0] in late])

    def slept(self, by: int, now: int) -> None:
        """The server did not run for so long: the clocks of all matches in memory are put off."""
        for live in self.live.values():
            if live.clock is not None and not live.over:
                live.clock = clocks.slept(live.clock, by, now)

    async def watch(self, name: str, watcher: Watcher, since: int | None, revision: int | None) -> None:
        """Begin to watch: the present table comes first, with all that happened since."""
        async with self.at(name) as live:
            after = live.line if since is None else live.known(since, revision)
            table = await self.table(live, watcher.place, watcher.language, after, watcher.form)
            watcher.tell(msgspec.json.encode(table))
            watcher.line, watcher.revision = table.line, live.revision
            here = self._here(name)
            self.watchers.setdefault(name, []).append(watcher)
            self.shown.setdefault(name, (live.people, live.ended))
            self._announce(name, here)
            self.tell_people(name)
            self._think(name, live)
            if live.machine() is not None:
                watcher.send(msgspec.json.encode({"thinking": live.machine()}))

    async def catch_up(self, name: str, watcher: Watcher) -> None:
        """A fresh table for a browser that was too slow, or has changed its language."""
        async with self.at(name) as live:
            watcher.clear()
            watcher.behind = False
            after = live.known(watcher.line, watcher.revision)
            table = await self.table(live, watcher.place, watcher.language, after, watcher.form)
            watcher.tell(msgspec.json.encode(table))
            watcher.line, watcher.revision = table.line, live.revision

    def unwatch(self, name: str, watcher: Watcher) -> None:
        """The browser has gone."""
        here = self._here(name)
        self.watchers[name].remove(watcher)
        if not self.watchers[name]:
            del self.watchers[name]
            del self.shown[name]
        self._announce(name, here)
        self.tell_people(name)

    def _announce(self, name: str, before: tuple[str, ...]) -> None:
        """Tell the other processes which seats have a match open here, if that has changed."""
        if self.fanout is not None and self._here(name) != before:
            self.fanout.announce({name: self._here(name)})

    # Machine players

    def look(self, name: str) -> None:
        """Somebody asks about a match: where only machines play it goes on for a while."""
        now = time.monotonic()
        self.looked[name] = now
        self.looked.move_to_end(name)
        while now - next(iter(self.looked.values())) > LOOKS:
            self.looked.popitem(last=False)
        live = self.live.get(name)
        if live is not None and not self.locks[name].locked():
            self._think(name, live)

    def awaited(self, name: str, live: Live) -> bool:
        """Does anybody wait for the machine players of a match? Where only machines play, somebody must look on."""
        if any(player == HUMAN for player in live.kept.seats.values()) or name in self.watchers:
            return True
        return time.monotonic() - self.looked.get(name, -LOOKS) < LOOKS

    def _think(self, name: str, live: Live) -> None:
        """Let the machine seat that owes a decision think, if one does and is not at it already."""
        if name in self.thinking or live.machine() is None or not self.awaited(name, live):
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
