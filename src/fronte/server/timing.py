"""Time at the table: claiming a match when the other side's time is up, and the hours in which the server slept.

Nothing ends by itself: a side whose time is up may still decide, and then plays on. But while it owes the decision the
other side may claim the match. The time in which no server ran costs nobody anything.
"""

from __future__ import annotations

import contextlib
import time

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server import clocks
from fronte.server.bodies import Problem, Table
from fronte.server.clocks import Clock
from fronte.server.http import Call, seated
from fronte.server.kept import End
from fronte.server.memory import Live
from fronte.server.schema import keeping_table, match_table
from fronte.server.store import transaction

PULSE = 20
"""Seconds between two signs of life."""
ASLEEP = 60
"""A longer silence means that no server was running."""


@seated("POST", "/win", "Claim the match: the time of the other side is up", answer=Table, query=("language",))
async def win_on_time(call: Call) -> Table:
    """Ends the match, if the side that owes the decision has no time left."""
    seat = call.place.seat

    def judge(live: Live) -> End:
        now = time.time()
        late = None if live.clock is None or live.over else clocks.fallen(live.clock, int(now * 1000))
        if late is None:
            raise Problem(422, "nobody's time is up")
        if late == seat:
            raise Problem(422, "your own time is up")
        return End("time", seat, int(now))

    await call.matches.end(call.id, judge)
    async with call.matches.at(call.id) as live:
        return live.table(call.place, call.language, live.line)


@transaction
async def pulse(connection: AsyncConnection, now: int) -> int:
    """Give a sign of life. If there was none for long, the clocks are put off by that time: by how much."""
    kept = keeping_table
    last = (await connection.execute(sa.select(kept.c.value).where(kept.c.name == "pulse"))).scalar_one_or_none()
    if last is None:
        with contextlib.suppress(sa.exc.IntegrityError):  # another process was quicker
            async with connection.begin_nested():
                await connection.execute(kept.insert(), {"name": "pulse", "value": str(now)})
        return 0
    ours = (kept.c.name == "pulse") & (kept.c.value == last)
    first = (await connection.execute(kept.update().where(ours).values(value=str(max(now, int(last)))))).rowcount == 1
    slept = now - int(last)
    if not first or slept <= ASLEEP:
        return 0
    running = sa.select(match_table.c.id, match_table.c.clock).where(
        match_table.c.clock.is_not(None), match_table.c.result.is_(None), match_table.c.ended.is_(None)
    )
    for row in list(await connection.execute(running)):
        clock = msgspec.json.decode(row.clock, type=Clock)
        later = msgspec.json.encode(clocks.put_off(clock, min(slept * 1000, now * 1000 - clock.since))).decode()
        await connection.execute(match_table.update().where(match_table.c.id == row.id).values(clock=later))
    return slept
