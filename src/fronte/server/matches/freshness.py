"""The present of a match, as the database has it: all that a process keeps of a match is held against this.

With several processes any of them may move a match on. Each looks before it uses what it has in memory, which takes
one short query, and reads what it has missed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.engine.decision import IllegalAction
from fronte.engine.record import Entry
from fronte.server.clocks import Clock
from fronte.server.matches import tables
from fronte.server.store.database import Store, decoded, given, kept_match, person, to_the_end
from fronte.server.store.rows import End, Kept, Person, Written
from fronte.server.store.schema import entry_table, match_table, seat_table

if TYPE_CHECKING:
    from fronte.server.matches.live import Live


class Present(msgspec.Struct, frozen=True):
    """What tells whether a match in memory is up to date, and what of it changes without a revision."""

    revision: int
    seed: str
    clock: Clock | None
    ended: End | None
    people: dict[str, Person]


class Whole(msgspec.Struct, frozen=True):
    """A match with its people and those of its lines that were asked for, all of one moment."""

    kept: Kept
    record: list[Written]
    people: dict[str, Person]


_match, _entry, _seat = match_table.c, entry_table.c, seat_table.c
PRESENT = (
    sa.select(_match.revision, _match.seed, _match.clock, _match.ended, *(c for c in _seat if c.name != "match"))
    .select_from(match_table.outerjoin(seat_table, _seat.match == _match.id))
    .where(_match.id == given("match"))
    .order_by(_seat.seat)
)
THE_MATCH = sa.select(match_table).where(_match.id == given("match"))
LINES = (
    sa.select(entry_table).where(_entry.match == given("match"), _entry.revision > given("after")).order_by(_entry.line)
)
SEATS = sa.select(seat_table).where(_seat.match == given("match")).order_by(_seat.seat)


@to_the_end
async def present(store: Store, name: str) -> Present | None:
    """How a match stands; None if there is none."""
    async with store.looking.connect() as connection:
        rows = list(await connection.execute(PRESENT, {"match": name}))
    if not rows:
        return None
    return Present(
        rows[0].revision,
        rows[0].seed,
        None if rows[0].clock is None else decoded(rows[0].clock, Clock),
        None if rows[0].ended is None else decoded(rows[0].ended, End),
        {row.seat: person(row) for row in rows if row.seat is not None},
    )


@to_the_end
async def whole(store: Store, name: str, after: int = -1) -> Whole | None:
    """A match with the lines that were written after a revision; None if there is none."""
    async with _one_moment(store) as connection:
        row = (await connection.execute(THE_MATCH, {"match": name})).one_or_none()
        if row is None:
            return None
        lines = await connection.execute(LINES, {"match": name, "after": after})
        record = [Written(line.revision, line.at, decoded(line.body, Entry)) for line in lines]
        seats = await connection.execute(SEATS, {"match": name})
        return Whole(kept_match(row), record, {row.seat: person(row) for row in seats})


@asynccontextmanager
async def _one_moment(store: Store) -> AsyncIterator[AsyncConnection]:
    """A connection whose queries all see the same moment."""
    async with store.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


def take(live: Live, now: Present) -> None:
    """Let a match in memory have what changes without a revision."""
    live.people, live.clock, live.ended = now.people, now.clock, now.ended
    if now.ended is not None:
        live.clock = live.clock_now()


def follow_on(live: Live, found: Whole) -> bool:
    """Bring a match in memory up to date with the lines it has missed; False if it must be read anew."""
    kept = found.kept
    if kept.line - len(found.record) != live.line:
        return False  # lines were taken back
    match = live.match
    match.obeying = False  # what standing orders answered is in the record
    try:
        for written in found.record:
            entry = written.entry
            if "order" in entry.action:
                match.order(entry.seat, entry.action["order"], entry.action.get("policy"))
            else:
                match.play(entry.action, entry.seat, entry.standing)
            if match.entries[-1].rolls != entry.rolls:
                return False
            live.past.passed(live.line, match.state)
    except (IllegalAction, ValueError):
        return False
    finally:
        match.obeying = True
    live.kept, live.revision = kept, kept.revision
    live.revisions += [written.revision for written in found.record]
    live.times += [written.at for written in found.record]
    live.cached = tables.Cached(match)
    take(live, Present(kept.revision, kept.seed.hex(), kept.clock, kept.ended, found.people))
    return True
