"""The line to the other processes of the server: one connection to PostgreSQL that listens, speaks and claims.

What comes is handed to the subscriber (`matches.subscriber`). The same connection holds the claims of this process on
matches whose machine player it lets think: they end with it, so that another process takes over when this one dies.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from fronte.server.store.database import LOCKS, SERVING, Store
from fronte.server.store.notify import AT_ONCE, CHANNEL, LONGEST, Bye, Hello, Here, Letter, News, sealed
from fronte.server.store.outage import OUTAGE

log = logging.getLogger("fronte.server")

BEAT = 4.0
"""Seconds between two signs of life."""
SILENT = 13.0
"""A process that gave none for so long is taken to be dead."""
PATIENCE = 10.0
AGAIN = 0.5


class Fanout:
    """The line to the other processes, and what is known of them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.engine = create_async_engine(
            store.url, poolclass=sa.pool.NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True
        )
        self.heard: Callable[[News, bool], None] = lambda news, own: None
        """Is called with what comes, and whether it comes from this process."""
        self.opened: Callable[[], Awaitable[None]] = self._nothing
        """Is called whenever the line is open (again): news may have been missed."""
        self.listening = asyncio.Event()
        self.elsewhere: dict[str, tuple[float, dict[str, tuple[str, ...]]]] = {}
        """For each other process when it was last heard of, and which seats have which matches open there."""
        self.claims: set[str] = set()
        self.broken = 0
        """How often the line has been lost, for metrics."""
        self._connection: AsyncConnection | None = None
        self._turn = asyncio.Lock()
        self._outbox: asyncio.Queue[News | None] = asyncio.Queue()

    @staticmethod
    async def _nothing() -> None:
        pass

    # The line

    async def run(self) -> None:
        """Keep the line open, for ever."""
        while True:
            try:
                await self._listen()
            except Exception as wrong:  # whatever it is: without the line nobody here would be told anything
                log.warning("the line to the other processes is broken: %s", getattr(wrong, "orig", None) or wrong)
                self.broken += 1
            finally:
                self.listening.clear()
                self._connection = None
                self.claims.clear()
            await asyncio.sleep(AGAIN)

    async def close(self) -> None:
        """Let go of what is left, once `run` has ended."""
        await self.engine.dispose()

    async def _listen(self) -> None:
        async with asyncio.timeout(PATIENCE):
            connection = await self.engine.connect()
        try:
            self._outbox = asyncio.Queue()
            driver: Any = (await connection.get_raw_connection()).driver_connection
            driver.add_termination_listener(lambda _: self._outbox.put_nowait(None))
            await driver.add_listener(CHANNEL, self._came)
            self._connection = connection
            await self._execute(sa.select(sa.func.pg_advisory_lock_shared(LOCKS, SERVING)))
            self.elsewhere.clear()
            await self._send(Hello())
            self.listening.set()
            await self.opened()
            await self._speak()
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await self._send(Bye())
            raise
        finally:
            with contextlib.suppress(Exception):
                await connection.close()

    async def _speak(self) -> None:
        """Send what is in the outbox, and a sign of life now and then, until the line breaks."""
        beat = time.monotonic()
        while True:
            news: News | None = Here()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + BEAT):
                    news = await self._outbox.get()
            if news is None:
                raise ConnectionError("PostgreSQL has closed it")
            await self._send(news)
            if time.monotonic() - beat > BEAT:
                beat = time.monotonic()
                await self._send(Here())

    async def _send(self, news: News) -> None:
        text = sealed(self.store.origin, news)
        if len(text.encode()) > LONGEST:
            log.warning("news of the kind %s is too long to be told to other processes", type(news).__name__)
            return
        await self._execute(sa.select(sa.func.pg_notify(CHANNEL, text)))

    async def _execute(self, query: Any) -> Any:
        async with self._turn:
            if self._connection is None:
                raise ConnectionError("it is not open")
            async with asyncio.timeout(PATIENCE):
                return (await self._connection.execute(query)).scalar()

    def post(self, news: News) -> None:
        """Tell the others soon; lost where the line is broken, as they will ask afresh."""
        if self._connection is not None:
            self._outbox.put_nowait(news)

    # What comes

    def _came(self, connection: Any, process: int, channel: str, payload: str) -> None:
        try:
            letter = msgspec.json.decode(payload, type=Letter)
        except msgspec.DecodeError:
            log.warning("news came that cannot be read; do all processes run the same version?")
            return
        own = letter.origin == self.store.origin
        if isinstance(letter.news, Hello) and not own:
            self._note(letter.origin, Here())
        if not isinstance(letter.news, Here | Bye):
            self.heard(letter.news, own)
        elif not own:
            self._note(letter.origin, letter.news)

    def _note(self, origin: str, news: Here | Bye) -> None:
        _, known = self.elsewhere.pop(origin, (0.0, {}))
        if isinstance(news, Bye):
            self.heard(Here(dict.fromkeys(known, ())), False)
            return
        known |= news.seats
        self.elsewhere[origin] = time.monotonic(), {match: seats for match, seats in known.items() if seats}
        if news.seats:
            self.heard(news, False)

    def forget_silent(self) -> None:
        """Forget the processes that have not been heard of for long."""
        now = time.monotonic()
        for origin in [name for name, (last, _) in self.elsewhere.items() if now - last > SILENT]:
            self._note(origin, Bye())

    def here(self, match: str) -> set[str]:
        """The seats that have a match open in other processes."""
        return {seat for _, known in self.elsewhere.values() for seat in known.get(match, ())}

    def open_elsewhere(self) -> set[str]:
        """The matches that a seat has open in other processes."""
        return {match for _, known in self.elsewhere.values() for match in known}

    def announce(self, seats: dict[str, tuple[str, ...]]) -> None:
        """Tell the others which seats have matches open here; also that this process is there."""
        names = list(seats)
        for first in range(0, len(names) or 1, AT_ONCE):
            self.post(Here({name: seats[name] for name in names[first : first + AT_ONCE]}))

    # Claims

    async def claim(self, match: str) -> bool:
        """Claim a match for this process; False if another has it, or nobody can tell now."""
        if match in self.claims:
            return True
        try:
            got = bool(await self._execute(sa.select(sa.func.pg_try_advisory_lock(LOCKS, sa.func.hashtext(match)))))
        except OUTAGE:
            return False
        if got:
            self.claims.add(match)
        return got

    async def release(self, match: str) -> None:
        """Give a claim back."""
        if match in self.claims:
            self.claims.discard(match)
            with contextlib.suppress(*OUTAGE):
                await self._execute(sa.select(sa.func.pg_advisory_unlock(LOCKS, sa.func.hashtext(match))))
