"""Why machine players did what they did: kept when it is said, so that the log of a match has it later too."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.matches.tables import ALL
from fronte.server.store.database import decoded, transaction
from fronte.server.store.rows import Place
from fronte.server.store.schema import reason_table

Why = str | dict[str, str]
"""In one language, or in all."""


class Reasons(msgspec.Struct):
    """The reasons by the line of the action that they are for."""

    reasons: dict[int, Why]


@transaction
async def keep(connection: AsyncConnection, match: str, line: int, why: Why, seats: tuple[str, ...]) -> None:
    """Keep the reason for a line, with the seats that may hear it."""
    reason = reason_table.c
    await connection.execute(reason_table.delete().where(reason.match == match, reason.line == line))
    row = {"match": match, "line": line, "seats": ",".join(seats), "why": msgspec.json.encode(why).decode()}
    await connection.execute(reason_table.insert(), row)


@transaction
async def of_place(connection: AsyncConnection, place: Place, last: int) -> dict[int, Why]:
    """The reasons up to a line that a place may hear; whoever looks on from no seat hears none."""
    if place.kind == "spectator":
        return {}
    reason = reason_table.c
    wanted = sa.select(reason_table).where(reason.match == place.match, reason.line <= last).order_by(reason.line)
    found = [row for row in await connection.execute(wanted) if place.seat in (ALL, *row.seats.split(","))]
    return {row.line: decoded(row.why, Why) for row in found}
