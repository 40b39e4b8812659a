"""The endpoint of the clock: claiming a match when the other side's time is up.

Nothing ends by itself: a side whose time is up may still decide, and then plays on. But while it owes the decision the
other side may claim the match.
"""

from __future__ import annotations

import time

from fronte.server import clocks
from fronte.server.api_types import Table
from fronte.server.http.endpoint import Call, seated
from fronte.server.matches.live import Live
from fronte.server.problem import Problem
from fronte.server.store.rows import End


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
        return await call.matches.table(live, call.place, call.language, live.line)
