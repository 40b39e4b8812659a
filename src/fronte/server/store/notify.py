"""News between the processes of one server: what has changed, by name and number only.

They go through PostgreSQL (NOTIFY) in the transaction that makes the change, so that there is news of everything that
is committed and of nothing else. What has changed is then read from the database. SQLite serves one process, which
needs no news.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

CHANNEL = "fronte"
LONGEST = 7900
"""PostgreSQL carries less than 8000 bytes at a time."""
AT_ONCE = 100
"""Names in one piece of news."""


class Changed(msgspec.Struct, frozen=True, tag=True):
    """A match has gone on, is over, or its people have changed."""

    match: str
    revision: int = -1
    """The revision it is at now, where that has changed."""


class Gone(msgspec.Struct, frozen=True, tag=True):
    """Links are no longer good."""

    match: str
    links: tuple[str, ...]
    why: str


class Spoken(msgspec.Struct, frozen=True, tag=True):
    """Something was said."""

    match: str
    number: int


class Noted(msgspec.Struct, frozen=True, tag=True):
    """A seat has made a note."""

    match: str
    seat: str


class Thinking(msgspec.Struct, frozen=True, tag=True):
    """A machine player begins to think."""

    match: str
    seat: str


class Why(msgspec.Struct, frozen=True, tag=True):
    """The reason of a machine player for what it did."""

    match: str
    seat: str
    why: str | dict[str, str]
    secret: bool
    line: int = 0


class Here(msgspec.Struct, frozen=True, tag=True):
    """Which seats have a match open in the process that says so; also its sign of life."""

    seats: dict[str, tuple[str, ...]] = {}


class Hello(msgspec.Struct, frozen=True, tag=True):
    """A process has come, or come back, and asks the others who is here."""


class Bye(msgspec.Struct, frozen=True, tag=True):
    """A process goes."""


OfMatch = Changed | Spoken | Noted | Thinking | Why
"""News for whoever has a match open."""
News = OfMatch | Gone | Here | Hello | Bye


class Letter(msgspec.Struct, frozen=True):
    """News, and the process it comes from."""

    origin: str
    news: News


def sealed(origin: str, news: News) -> str:
    """A letter as it travels."""
    return msgspec.json.encode(Letter(origin, news)).decode()


async def tell(connection: AsyncConnection, news: News) -> None:
    """Let the other processes know, if the transaction of this connection is committed."""
    if connection.dialect.name == "postgresql":
        assert connection.sync_connection is not None
        origin = connection.sync_connection.get_execution_options()["origin"]
        await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, sealed(origin, news))))


async def tell_gone(connection: AsyncConnection, match: str, links: Collection[str], why: str) -> None:
    """Let the other processes know that links are no longer good, however many."""
    names = tuple(links)
    for first in range(0, len(names), AT_ONCE):
        await tell(connection, Gone(match, names[first : first + AT_ONCE], why))
