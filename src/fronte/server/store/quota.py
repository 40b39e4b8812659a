"""A quota for what is handed in: how much of the disk saves and positions take, of one visitor and in all.

Where there is no room, what nobody has played on gives way, the oldest first. What has been played on stays, and so
does what somebody has open or has taken into an account; then whoever hands in more is refused.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.problem import Problem
from fronte.server.store.schema import match_table, metadata, seat_table, upload_table

MB = 1024 * 1024


class Quota(msgspec.Struct, frozen=True):
    """Who hands something in, how much he may, and what must not give way because it is in use."""

    source: str
    """An account, or what stands for an address: from the same one comes the same, and nothing else can be told."""
    anonymous: bool
    """Without an account: counts also for what all these may have together."""
    most: int
    """Bytes for one source."""
    most_of_all: int
    """Bytes for all that are anonymous."""
    in_use: Collection[str] = ()


async def make_room(connection: AsyncConnection, quota: Quota, size: int) -> list[str]:
    """Let matches give way until there is room for so many bytes: which did. 507 if there is none; then none did."""
    upload = upload_table.c
    gone = await _giving_way(connection, quota, upload.source == quota.source, quota.most - size)
    if gone is None:
        raise Problem(507, f"this server keeps {quota.most // MB} MB of what one visitor uploads, and no more")
    if quota.anonymous:
        here = upload.anonymous & upload.match.not_in(gone)
        more = await _giving_way(connection, quota, here, quota.most_of_all - size)
        if more is None:
            raise Problem(507, f"this server keeps {quota.most_of_all // MB} MB of uploads, and all of it is in use")
        gone += more
    await remove(connection, gone)
    return gone


async def _giving_way(
    connection: AsyncConnection, quota: Quota, counted: sa.ColumnElement[bool], most: int
) -> list[str] | None:
    """Which of the matches that count must go, so that the others take no more than this; None: not enough can go."""
    upload = upload_table.c
    total = sa.select(sa.func.coalesce(sa.func.sum(upload.bytes), 0)).where(counted)
    over = int((await connection.execute(total)).scalar_one()) - most
    if over <= 0:
        return []
    taken = sa.select(seat_table.c.match).where(seat_table.c.account.is_not(None))
    idle = (match_table.c.revision == 0) & match_table.c.id.not_in(taken)
    wanted = sa.select(upload.match, upload.bytes).join(match_table, match_table.c.id == upload.match)
    gone = []
    for row in await connection.execute(wanted.where(counted, idle).order_by(upload.at, upload.match)):
        if row.match not in quota.in_use:
            gone.append(row.match)
            over -= row.bytes
            if over <= 0:
                return gone
    return None


async def remove(connection: AsyncConnection, matches: Collection[str]) -> None:
    """Matches with everything that belongs to them."""
    for table in reversed(metadata.sorted_tables):
        column = table.c.id if table is match_table else table.c.get("match")
        if column is not None and matches:
            await connection.execute(table.delete().where(column.in_(matches)))
