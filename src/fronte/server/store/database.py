"""The database: matches, the lines of their records, their seats, and the links that lead to them.

A line is written in the same transaction that moves the match on from the revision it was at, so of two writers that
both know the same revision one fails. Everything else the server knows is worked out from the record.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from fronte.engine.record import Entry, Heading
from fronte.server.clocks import Clock
from fronte.server.store.notify import CHANNEL, Changed, sealed, tell
from fronte.server.store.quota import Quota, make_room, remove
from fronte.server.store.rows import Change, End, Kept, Person, Place, Written
from fronte.server.store.schema import (
    entry_table,
    keeping_table,
    link_table,
    match_table,
    notice_table,
    seat_table,
    upload_table,
)

log = logging.getLogger("fronte.server")

VERSIONS = "alembic_version"
"""The table in which alembic keeps what has been done."""
LOCKS = 8417
"""The number under which PostgreSQL keeps our locks."""
SERVING = 1
UPLOADS = 2
"""Among these the one that every process shares while it serves."""


class Stale(Exception):
    """Somebody else has moved the match on; nothing was written."""


class Damaged(ValueError):
    """What is kept of a match cannot be read any more: somebody else has written there, or the disk has failed."""

    def __init__(self) -> None:
        super().__init__("what is kept of it is damaged")


def decoded(text: str, kind: Any) -> Any:
    """The data in a column; Damaged if they are not what was written there."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError, TypeError) as wrong:
        log.error("a row of the database is damaged: %s", wrong)
        raise Damaged from None


def readable(rows: Iterable[Any]) -> Iterator[Kept]:
    """The matches of rows, but for those that are damaged."""
    for row in rows:
        with contextlib.suppress(Damaged):
            yield kept_match(row)


def hashed(token: str) -> str:
    """Only hashes of tokens are kept."""
    return hashlib.sha256(token.encode()).hexdigest()


def link_name(token: str) -> str:
    """The name under which a link can be listed and ended; it opens nothing."""
    return hashed(token)[:24]


P = ParamSpec("P")
T = TypeVar("T")


def transaction(
    run: Callable[Concatenate[AsyncConnection, P], Awaitable[T]],
) -> Callable[Concatenate[Store, P], Awaitable[T]]:
    """All that a function does with a connection, as one transaction of a store: done to its end, or not at all."""

    @wraps(run)
    async def whole(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await _whole(store, lambda connection: run(connection, *args, **kwargs))

    return whole


def to_the_end(run: Callable[Concatenate[Store, P], Awaitable[T]]) -> Callable[Concatenate[Store, P], Awaitable[T]]:
    """What is begun with the database goes on to its end, even if whoever asked has gone."""

    @wraps(run)
    async def whole(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        task = asyncio.ensure_future(run(store, *args, **kwargs))
        store.under_way.add(task)
        task.add_done_callback(store.under_way.discard)
        return await asyncio.shield(task)

    return whole


@to_the_end
async def _whole(store: Store, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
    async with store.engine.begin() as connection:
        return await work(connection)


def given(name: str, kind: Any = None) -> sa.BindParameter[Any]:
    """A value that is given with every use of a statement.

    What is asked for each action is put together only once: that takes longer than the question.
    """
    return sa.bindparam(name, type_=kind)


MOVED = (
    match_table.update()
    .where(
        match_table.c.id == given("match"),
        match_table.c.revision == given("before"),
        match_table.c.ended.is_(None),
    )
    .values(
        revision=given("new_revision"),
        line=given("new_line"),
        changed=given("now"),
        result=given("new_result"),
        clock=given("new_clock"),
        card=given("new_card"),
    )
)
"""A match goes on from the revision it was at; one row, or none."""
MOVED_AND_TOLD = MOVED.returning(sa.func.pg_notify(CHANNEL, given("letter")))
"""The same in PostgreSQL, and the other processes are told once it is committed."""
TAKEN_BACK = entry_table.delete().where(entry_table.c.match == given("match"), entry_table.c.line > given("keep"))
ADDED = entry_table.insert()
CALLED = (
    notice_table.update()
    .where(
        notice_table.c.match == given("of_match"),
        notice_table.c.code.is_(None),
        notice_table.c.due.is_not(None) | (notice_table.c.seat == given("owes")),
    )
    .values(
        due=sa.case((notice_table.c.seat == given("owes"), given("when", notice_table.c.due.type)), else_=None),
        tries=sa.case((notice_table.c.seat == given("owes"), 0), else_=notice_table.c.tries),
    )
)
"""Those of a match who owe a decision are called in a while, and none of the others."""


class Store:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.url = sa.engine.make_url(url)
        self.shared = self.url.get_backend_name() == "postgresql"
        """May other processes use it at the same time?"""
        self.origin = secrets.token_hex(6)
        """Names this process in what it tells the others."""
        self.under_way: set[asyncio.Future[Any]] = set()
        self.engine: AsyncEngine = create_async_engine(
            self.url,
            hide_parameters=True,  # an error in the log shall not show seeds and hashes
            execution_options={"origin": self.origin},
            **_pooling(self.url),
        )
        if self.url.get_backend_name() == "sqlite":
            sa.event.listen(self.engine.sync_engine, "connect", _prepare_sqlite)
        self.looking = self.engine
        """For single queries that only look: PostgreSQL answers them in half the time without a transaction."""
        if self.shared:
            sa.event.listen(self.engine.sync_engine, "checkout", _still_open)
            self.looking = self.engine.execution_options(isolation_level="AUTOCOMMIT")

    @property
    def file(self) -> Path | None:
        """The file that holds it all, where one does."""
        if self.url.get_backend_name() != "sqlite" or self.url.database in (None, "", ":memory:"):
            return None
        return Path(str(self.url.database)).resolve()

    async def open(self) -> None:
        """Bring the tables up to date; makes the file and its folder where there is none."""
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
        async with self.engine.begin() as connection:
            if self.shared:  # of several that begin at once one comes after the other
                await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCKS, 0)))
            await connection.run_sync(migrate)

    async def close(self) -> None:
        """Let go of all connections."""
        await asyncio.gather(*self.under_way, return_exceptions=True)
        await self.engine.dispose()

    @to_the_end
    async def answers(self) -> bool:
        """Does the database answer?"""
        async with self.engine.connect() as connection:
            return bool((await connection.execute(sa.select(sa.literal(1)))).scalar() == 1)

    @to_the_end
    async def writes(self) -> None:
        """Try whether something can be written, and stays on the disk; nothing else changes."""
        kept = keeping_table
        async with self.engine.begin() as connection:
            await connection.execute(kept.delete().where(kept.c.name == "trial"))
            await connection.execute(kept.insert(), {"name": "trial", "value": "x" * 4096})
        async with self.engine.begin() as connection:
            await connection.execute(kept.delete().where(kept.c.name == "trial"))

    # Matches

    @to_the_end
    async def add(
        self,
        kept: Kept,
        entries: Sequence[Entry],
        people: Mapping[str, Person],
        links: Sequence[tuple[str, Place]],
        quota: Quota | None = None,
    ) -> list[str]:
        """A new match, with the lines it may already have, its people, and the links that lead to it.

        The links to seats are those of whoever begins it, with the account that these seats are kept with. Where there
        is a quota, what must give way is removed: these matches are told.
        """
        row = {
            "id": kept.id,
            "name": kept.name,
            "heading": encoded(kept.heading),
            "seed": kept.seed.hex(),
            "seed_known": kept.seed_known,
            "seats": encoded(kept.seats),
            "created": kept.created,
            "changed": kept.changed,
            "line": kept.line,
            "revision": kept.revision,
            "result": _text_or_none(kept.result),
            "clock": _text_or_none(kept.clock),
            "ended": _text_or_none(kept.ended),
            "secret": kept.secret.hex() or None,
            "card": _text_or_none(kept.card),
            "archived": kept.archived,
            "practice": kept.practice,
        }
        seats = [{"match": kept.id, "seat": seat, **msgspec.to_builtins(who)} for seat, who in people.items()]
        gone: list[str] = []
        async with self.engine.begin() as connection:
            if quota is not None:
                if self.shared:  # of two who hand something in at once one comes after the other
                    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCKS, UPLOADS)))
                size = len(encoded(kept.heading)) + sum(len(encoded(entry)) for entry in entries)
                gone = await make_room(connection, quota, size)
            await connection.execute(match_table.insert(), row)
            if quota is not None:
                counted = {"source": quota.source, "anonymous": quota.anonymous, "bytes": size}
                now = {"match": kept.id, "at": time.time_ns() // 1_000_000}  # many can come in one second
                await connection.execute(upload_table.insert(), counted | now)
            if seats:
                await connection.execute(seat_table.insert(), seats)
            await _add_entries(connection, kept.id, entries, 0, kept.revision, kept.created)
            account = next((who.account for who in people.values() if who.account is not None), None)
            own = [(token, place) for token, place in links if place.kind == "seat"]
            await add_links(connection, own, kept.created, account=account)
            await add_links(connection, [link for link in links if link not in own], kept.created)
        return gone

    @to_the_end
    async def match(self, name: str) -> Kept | None:
        """A match by its id."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(sa.select(match_table).where(match_table.c.id == name))).one_or_none()
        return None if row is None else kept_match(row)

    @to_the_end
    async def matches(self, names: Sequence[str] | None, most: int = 500) -> list[Kept]:
        """The matches with these ids (all of them: None), the one played last first."""
        wanted = sa.select(match_table).order_by(match_table.c.changed.desc(), match_table.c.id).limit(most)
        if names is not None:
            wanted = wanted.where(match_table.c.id.in_(names))
        async with self.engine.connect() as connection:
            return list(readable(await connection.execute(wanted)))

    @to_the_end
    async def record(self, name: str) -> list[Written]:
        """The lines of a match in order."""
        wanted = sa.select(entry_table).where(entry_table.c.match == name).order_by(entry_table.c.line)
        async with self.engine.connect() as connection:
            rows = await connection.execute(wanted)
            return [Written(row.revision, row.at, decoded(row.body, Entry)) for row in rows]

    @to_the_end
    async def people(self, name: str) -> dict[str, Person]:
        """Who holds the seats of a match that are for people."""
        wanted = sa.select(seat_table).where(seat_table.c.match == name).order_by(seat_table.c.seat)
        async with self.engine.connect() as connection:
            return {row.seat: person(row) for row in await connection.execute(wanted)}

    @to_the_end
    async def commit(self, name: str, change: Change) -> None:
        """Write a change; Stale if the match is no longer at the revision before it."""
        moved = {
            "match": name,
            "before": change.revision - 1,
            "new_revision": change.revision,
            "new_line": change.keep + len(change.entries),
            "now": change.now,
            "new_result": _text_or_none(change.result),
            "new_clock": _text_or_none(change.clock),
            "new_card": _text_or_none(change.card),
        }
        try:
            async with self.engine.begin() as connection:
                if self.shared:
                    moved["letter"] = sealed(self.origin, Changed(name, change.revision))
                    done = len((await connection.execute(MOVED_AND_TOLD, moved)).all())
                else:
                    done = (await connection.execute(MOVED, moved)).rowcount
                if done != 1:
                    raise Stale(name)
                if change.keep < change.lines:
                    await connection.execute(TAKEN_BACK, {"match": name, "keep": change.keep})
                await _add_entries(connection, name, change.entries, change.keep, change.revision, change.now)
                await _call(connection, name, change)
        except sa.exc.IntegrityError as wrong:
            raise Stale(name) from wrong

    @to_the_end
    async def set_clock(self, name: str, revision: int, clock: Clock | None) -> bool:
        """The clocks of a match begin to run, or stop, without anybody having decided anything.

        False if the match is no longer at this revision: then whoever has moved it on has seen to the clocks.
        """
        which = (match_table.c.id == name) & (match_table.c.revision == revision)
        async with self.engine.begin() as connection:
            done = await connection.execute(match_table.update().where(which).values(clock=_text_or_none(clock)))
            await tell(connection, Changed(name))
            return done.rowcount == 1

    @to_the_end
    async def end(self, name: str, revision: int, ended: End) -> bool:
        """End a match that is still at this revision; False if it is not, or is over."""
        table = match_table
        which = (table.c.id == name) & (table.c.revision == revision) & table.c.ended.is_(None)
        async with self.engine.begin() as connection:
            done = await connection.execute(table.update().where(which).values(ended=encoded(ended), changed=ended.at))
            gone = notice_table.update().where(notice_table.c.match == name, notice_table.c.code.is_(None))
            await connection.execute(gone.values(due=None))
            await tell(connection, Changed(name))
            return done.rowcount == 1


def migrate(connection: sa.Connection) -> None:
    """Bring the tables of a database up to date. Alembic is loaded only where there is something to do: it takes a
    fifth of what it takes to load a server."""
    with as_file(files("fronte.server.store") / "migrations") as folder:
        if _revision(connection) == max(file.name.partition("_")[0] for file in folder.glob("versions/[0-9]*_*.py")):
            return
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _revision(connection: sa.Connection) -> str:
    """The last step that the tables of a database have been through; empty where there are none yet."""
    if not sa.inspect(connection).has_table(VERSIONS):
        return ""
    return connection.execute(sa.select(sa.column("version_num")).select_from(sa.table(VERSIONS))).scalar() or ""


def _pooling(url: sa.URL) -> dict[str, Any]:
    """SQLite has one writer at a time, so one connection serves it best; PostgreSQL gets a few.

    They stay open: more are wanted when there is most to do, and to open one takes longer than what is asked of it. The
    one used last is used first, as it knows the questions.
    """
    if url.get_backend_name() == "sqlite":
        return {"poolclass": sa.pool.AsyncAdaptedQueuePool, "pool_size": 1, "max_overflow": 0}
    return {"pool_size": 15, "max_overflow": 0, "pool_use_lifo": True, "pool_recycle": 600}


def _still_open(connection: Any, record: Any, proxy: Any) -> None:
    """A connection that PostgreSQL has closed is not used again; to look costs nothing, as the driver has noticed."""
    if connection.driver_connection.is_closed():
        raise sa.exc.DisconnectionError


PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")
"""How SQLite is used. FULL: what is committed is on the disk, even when the power fails."""


def _prepare_sqlite(connection: Any, record: Any) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def _add_entries(
    connection: AsyncConnection, name: str, entries: Sequence[Entry], after: int, revision: int, now: int
) -> None:
    rows = [
        {"match": name, "line": line, "revision": revision, "body": encoded(entry), "at": now}
        for line, entry in enumerate(entries, after + 1)
    ]
    if rows:
        await connection.execute(ADDED, rows)


async def add_links(
    connection: AsyncConnection,
    links: Sequence[tuple[str, Place]],
    now: int,
    parent: str | None = None,
    account: str | None = None,
) -> None:
    """Keep links: only hashes of their tokens, with the link they were made from and the account they are for."""
    rows = [
        {
            "hash": hashed(token),
            "id": link_name(token),
            "match": place.match,
            "seat": place.seat,
            "kind": place.kind,
            "created": now,
            "parent": parent or None,
            "account": account,
        }
        for token, place in links
    ]
    if rows:
        await connection.execute(link_table.insert(), rows)


async def _call(connection: AsyncConnection, name: str, change: Change) -> None:
    """Let those be called who owe a decision from now on, and none of the others."""
    if change.owes is None and change.result is None:
        return  # whoever owed a decision still does
    when = change.now + change.notice_after
    await connection.execute(CALLED, {"of_match": name, "owes": change.owes or "", "when": when})


def encoded(data: Any) -> str:
    """Data as the text of a column."""
    return msgspec.json.encode(data).decode()


def _text_or_none(data: Any) -> str | None:
    return None if data is None else encoded(data)


def person(row: Any) -> Person:
    """Who holds the seat of a row."""
    return Person(
        row.state,
        row.name,
        row.account,
        row.forced,
        row.spectators,
        row.seal,
        row.word,
        row.anew,
        row.draw,
        row.archived,
        row.hints,
    )


def kept_match(row: Any) -> Kept:
    """The match of a row; Damaged if it cannot be read."""
    return Kept(
        id=row.id,
        name=row.name,
        heading=decoded(row.heading, Heading),
        seed=_bytes(row.seed),
        seed_known=row.seed_known,
        seats=decoded(row.seats, dict[str, str]),
        created=row.created,
        changed=row.changed,
        line=row.line,
        revision=row.revision,
        result=None if row.result is None else decoded(row.result, dict[str, Any]),
        clock=None if row.clock is None else decoded(row.clock, Clock),
        ended=None if row.ended is None else decoded(row.ended, End),
        card=None if row.card is None else decoded(row.card, dict[str, Any]),
        archived=row.archived,
        practice=row.practice,
        secret=_bytes(row.secret or ""),
    )


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Damaged from None


@transaction
async def change_match(connection: AsyncConnection, name: str, values: Mapping[str, Any]) -> None:
    """What is no part of the record: the name of a match, or whether it is put away."""
    await connection.execute(match_table.update().where(match_table.c.id == name).values(dict(values)))
    await tell(connection, Changed(name))


@transaction
async def delete_match(connection: AsyncConnection, name: str) -> None:
    """A match with everything that belongs to it."""
    await remove(connection, [name])
    await tell(connection, Changed(name))


@transaction
async def kept_secret(connection: AsyncConnection, name: str, fresh: str) -> str:
    """A secret of the server, kept under this name from the first day on."""
    wanted = sa.select(keeping_table.c.value).where(keeping_table.c.name == name)
    found: str | None = (await connection.execute(wanted)).scalar_one_or_none()
    if found is not None:
        return found
    with contextlib.suppress(sa.exc.IntegrityError):
        async with connection.begin_nested():
            await connection.execute(keeping_table.insert(), {"name": name, "value": fresh})
    return str((await connection.execute(wanted)).scalar_one())
