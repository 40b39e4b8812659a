"""The database: matches, the lines of their records, and the tokens of their seats.

A line is written in the same transaction that moves the match on from the revision it was at, so of two writers that
both know the same revision one fails. Everything else the server knows is worked out from the record.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from fronte.engine.dice import commitment
from fronte.engine.record import Entry, Heading

metadata = sa.MetaData()
match_table = sa.Table(
    "match",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("heading", sa.Text, nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),
    sa.Column("seed_known", sa.Boolean, nullable=False),
    sa.Column("seats", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("result", sa.Text),
    sa.Index("match_changed", "changed"),
)
entry_table = sa.Table(
    "entry",
    metadata,
    sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
token_table = sa.Table(
    "token",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), nullable=False),
    sa.Column("seat", sa.String(32), nullable=False),
    sa.Column("watches", sa.Boolean, nullable=False),
    sa.Index("token_match", "match"),
)


class Stale(Exception):
    """Somebody else has moved the match on; nothing was written."""


class Kept(msgspec.Struct, frozen=True):
    """A match as the database keeps it, without its lines."""

    id: str
    name: str
    heading: Heading
    """Without the seed."""
    seed: bytes
    seed_known: bool
    """Whoever made the match chose or knows the seed, and could foresee the dice."""
    seats: dict[str, str]
    created: int
    changed: int
    line: int
    revision: int
    result: dict[str, Any] | None

    @property
    def stream(self) -> bytes | None:
        """The seed from which the dice come; None where the match came without it and is over."""
        return self.seed if commitment(self.seed) == self.heading.commitment else None


class Place(msgspec.Struct, frozen=True):
    """What a token stands for: a seat of a match; one that only watches may not act."""

    match: str
    seat: str
    watches: bool


class Change(msgspec.Struct, frozen=True):
    """What one commit does to a record: of `lines` lines those after `keep` go, then `entries` come."""

    lines: int
    keep: int
    entries: Sequence[Entry]
    revision: int
    """The revision that this change makes."""
    result: dict[str, Any] | None
    now: int


def hashed(token: str) -> str:
    """Only hashes of tokens are kept."""
    return hashlib.sha256(token.encode()).hexdigest()


P = ParamSpec("P")
T = TypeVar("T")


def to_the_end(run: Callable[Concatenate[Store, P], Awaitable[T]]) -> Callable[Concatenate[Store, P], Awaitable[T]]:
    """What is begun with the database goes on to its end, even if whoever asked has gone."""

    @wraps(run)
    async def whole(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        task = asyncio.ensure_future(run(store, *args, **kwargs))
        store.under_way.add(task)
        task.add_done_callback(store.under_way.discard)
        return await asyncio.shield(task)

    return whole


class Store:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.url = sa.engine.make_url(url)
        self.under_way: set[asyncio.Future[Any]] = set()
        self.engine: AsyncEngine = create_async_engine(self.url, **_pooling(self.url))
        if self.url.get_backend_name() == "sqlite":
            sa.event.listen(self.engine.sync_engine, "connect", _prepare_sqlite)

    async def open(self) -> None:
        """Bring the tables up to date; makes the file and its folder where there is none."""
        if self.url.get_backend_name() == "sqlite" and self.url.database not in (None, "", ":memory:"):
            Path(str(self.url.database)).parent.mkdir(parents=True, exist_ok=True)
        async with self.engine.begin() as connection:
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

    # Matches

    @to_the_end
    async def add(self, kept: Kept, entries: Sequence[Entry], tokens: Sequence[tuple[str, Place]]) -> None:
        """A new match, with the lines it may already have and the tokens of its seats."""
        row = {
            "id": kept.id,
            "name": kept.name,
            "heading": _text(kept.heading),
            "seed": kept.seed.hex(),
            "seed_known": kept.seed_known,
            "seats": _text(kept.seats),
            "created": kept.created,
            "changed": kept.changed,
            "line": kept.line,
            "revision": kept.revision,
            "result": None if kept.result is None else _text(kept.result),
        }
        async with self.engine.begin() as connection:
            await connection.execute(match_table.insert(), row)
            await _add_entries(connection, kept.id, entries, 0, kept.revision)
            await _add_tokens(connection, tokens)

    @to_the_end
    async def match(self, name: str) -> Kept | None:
        """A match by its id."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(sa.select(match_table).where(match_table.c.id == name))).one_or_none()
        return None if row is None else _kept(row)

    @to_the_end
    async def matches(self, names: Sequence[str] | None, most: int = 500) -> list[Kept]:
        """The matches with these ids (all of them: None), the one played last first."""
        wanted = sa.select(match_table).order_by(match_table.c.changed.desc(), match_table.c.id).limit(most)
        if names is not None:
            wanted = wanted.where(match_table.c.id.in_(names))
        async with self.engine.connect() as connection:
            return [_kept(row) for row in await connection.execute(wanted)]

    @to_the_end
    async def record(self, name: str) -> list[tuple[int, Entry]]:
        """The lines of a match in order, each with the revision in which it was written."""
        wanted = sa.select(entry_table.c.revision, entry_table.c.body).where(entry_table.c.match == name)
        async with self.engine.connect() as connection:
            rows = await connection.execute(wanted.order_by(entry_table.c.line))
            return [(row.revision, msgspec.json.decode(row.body, type=Entry)) for row in rows]

    @to_the_end
    async def commit(self, name: str, change: Change) -> None:
        """Write a change; Stale if the match is no longer at the revision before it."""
        table = match_table
        moved = (
            table.update()
            .where(table.c.id == name, table.c.revision == change.revision - 1)
            .values(
                revision=change.revision,
                line=change.keep + len(change.entries),
                changed=change.now,
                result=None if change.result is None else _text(change.result),
            )
        )
        try:
            async with self.engine.begin() as connection:
                if (await connection.execute(moved)).rowcount != 1:
                    raise Stale(name)
                if change.keep < change.lines:
                    gone = (entry_table.c.match == name) & (entry_table.c.line > change.keep)
                    await connection.execute(entry_table.delete().where(gone))
                await _add_entries(connection, name, change.entries, change.keep, change.revision)
        except sa.exc.IntegrityError as wrong:
            raise Stale(name) from wrong

    # Tokens

    @to_the_end
    async def add_tokens(self, tokens: Sequence[tuple[str, Place]]) -> None:
        """More tokens for seats of a match."""
        async with self.engine.begin() as connection:
            await _add_tokens(connection, tokens)

    @to_the_end
    async def places(self, tokens: Sequence[str]) -> list[Place]:
        """What these tokens stand for; unknown ones stand for nothing."""
        wanted = sa.select(token_table).where(token_table.c.hash.in_([hashed(token) for token in tokens]))
        async with self.engine.connect() as connection:
            return [Place(row.match, row.seat, row.watches) for row in await connection.execute(wanted)]


def migrate(connection: sa.Connection) -> None:
    """Bring the tables of a database up to date."""
    with as_file(files("fronte.server") / "migrations") as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _pooling(url: sa.URL) -> dict[str, Any]:
    """SQLite has one writer at a time, so one connection serves it best; PostgreSQL gets a few."""
    if url.get_backend_name() == "sqlite":
        return {"poolclass": sa.pool.AsyncAdaptedQueuePool, "pool_size": 1, "max_overflow": 0}
    return {"pool_size": 5, "pool_pre_ping": True}


def _prepare_sqlite(connection: Any, record: Any) -> None:
    cursor = connection.cursor()
    # FULL: what is committed is on the disk, even when the power fails
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def _add_entries(
    connection: AsyncConnection, name: str, entries: Sequence[Entry], after: int, revision: int
) -> None:
    rows = [
        {"match": name, "line": line, "revision": revision, "body": _text(entry)}
        for line, entry in enumerate(entries, after + 1)
    ]
    if rows:
        await connection.execute(entry_table.insert(), rows)


async def _add_tokens(connection: AsyncConnection, tokens: Sequence[tuple[str, Place]]) -> None:
    rows = [
        {"hash": hashed(token), "match": place.match, "seat": place.seat, "watches": place.watches}
        for token, place in tokens
    ]
    if rows:
        await connection.execute(token_table.insert(), rows)


def _text(data: Any) -> str:
    return msgspec.json.encode(data).decode()


def _kept(row: Any) -> Kept:
    return Kept(
        id=row.id,
        name=row.name,
        heading=msgspec.json.decode(row.heading, type=Heading),
        seed=bytes.fromhex(row.seed),
        seed_known=row.seed_known,
        seats=msgspec.json.decode(row.seats),
        created=row.created,
        changed=row.changed,
        line=row.line,
        revision=row.revision,
        result=None if row.result is None else msgspec.json.decode(row.result),
    )
