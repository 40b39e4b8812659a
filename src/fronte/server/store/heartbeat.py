"""Signs of life of the server: the time in which none ran costs nobody anything on the clock."""

from __future__ import annotations

import contextlib

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server import clocks
from fronte.server.clocks import Clock
from fronte.server.store.database import LOCKS, SERVING, Damaged, Store, decoded, encoded, transaction
from fronte.server.store.schema import keeping_table, match_table

PULSE = 5
"""Seconds between two signs of life."""
ASLEEP = 20
"""A longer silence of a server that runs means that it was asleep, as when the lid of its machine is closed."""


async def begin(store: Store, now: int) -> int:
    """A server begins. If no other was running, all time since the last sign of life is put off: how much."""
    return await _pulse(store, now, True)


async def pulse(store: Store, now: int) -> int:
    """Give a sign of life. If there was none for long, the clocks are put off by that time: by how much."""
    return await _pulse(store, now, False)


async def farewell(store: Store, now: int) -> None:
    """A server ends in good order: it says when."""
    await _pulse(store, now, False)


@transaction
async def _pulse(connection: AsyncConnection, now: int, first: bool) -> int:
    kept = keeping_table
    last = (await connection.execute(sa.select(kept.c.value).where(kept.c.name == "pulse"))).scalar_one_or_none()
    if last is None:
        with contextlib.suppress(sa.exc.IntegrityError):  # another process was quicker
            async with connection.begin_nested():
                await connection.execute(kept.insert(), {"name": "pulse", "value": str(now)})
        return 0
    alone = first and await _alone(connection)
    ours = (kept.c.name == "pulse") & (kept.c.value == last)
    quicker = (
        await connection.execute(
            kept.update().where(ours).values(value=str(max(now, int(last) if last.isdigit() else 0)))
        )
    ).rowcount
    silent = now - int(last) if last.isdigit() else 0
    if not quicker or silent <= (0 if alone else ASLEEP):
        return 0
    running = sa.select(match_table.c.id, match_table.c.clock).where(
        match_table.c.clock.is_not(None), match_table.c.result.is_(None), match_table.c.ended.is_(None)
    )
    for row in list(await connection.execute(running)):
        with contextlib.suppress(Damaged):
            clock = clocks.slept(decoded(row.clock, Clock), silent * 1000, now * 1000)
            later = match_table.update().where(match_table.c.id == row.id)
            await connection.execute(later.values(clock=encoded(clock)))
    return silent


async def _alone(connection: AsyncConnection) -> bool:
    """Is no other process serving? SQLite has one at a time; with PostgreSQL each holds a lock while it listens."""
    if connection.dialect.name != "postgresql":
        return True
    return bool((await connection.execute(sa.select(sa.func.pg_try_advisory_xact_lock(LOCKS, SERVING)))).scalar())
