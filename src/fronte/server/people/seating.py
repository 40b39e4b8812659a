"""Who sits where, in the database: accepting an invitation, taking an open seat, keeping one with an account."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.dice import pledges
from fronte.server.people import links
from fronte.server.people.accounts import Account
from fronte.server.store.database import add_links, readable, transaction
from fronte.server.store.notify import Changed, tell
from fronte.server.store.rows import HELD, INVITED, OPEN, Kept, Place
from fronte.server.store.schema import link_table, match_table, notice_table, seat_table


@transaction
async def give_links(
    connection: AsyncConnection, places: list[tuple[str, Place]], now: int, account: str | None = None
) -> None:
    """Links that were made, so that they open something."""
    await add_links(connection, places, now, account=account)


class Coming(msgspec.Struct, frozen=True):
    """Whoever takes a seat, when, and what he puts into the dice."""

    name: str
    account: Account | None
    at: int
    given: tuple[str | None, str] = pledges.NOTHING


@transaction
async def accept(connection: AsyncConnection, place: Place, who: Coming) -> tuple[str, list[str]] | None:
    """Exchange an invitation for its seat: the token, and the links that ended; None if somebody was quicker."""
    kept = await pledges.locked(connection, place.match)
    await seat_state(connection, place.match, place.seat)  # of two who want the seat one comes after the other
    good = (link_table.c.id == place.link) & link_table.c.ended.is_(None)
    used = await connection.execute(link_table.update().where(good).values(ended="used"))
    if used.rowcount != 1:
        return None
    ended = await links.end(connection, place.match, "handed on", seat=place.seat, kinds=("seat", "watch", "invite"))
    return await _take(connection, kept, place.seat, who), ended


async def _take(connection: AsyncConnection, kept: Kept, seat: str, who: Coming) -> str:
    """The seat is held from now on, and its word is in: the token of whoever holds it."""
    await _hold(connection, kept.id, seat, who)
    await pledges.give(connection, kept, seat, who.given)
    account = who.account.id if who.account else None
    return (await links.make(connection, Place(kept.id, seat), who.at, account=account))[0]


def the_seat(match: str, seat: str) -> sa.ColumnElement[bool]:
    return (seat_table.c.match == match) & (seat_table.c.seat == seat)


async def seat_state(connection: AsyncConnection, match: str, seat: str) -> str:
    """Whether a seat is held; nobody else can change that until the transaction is over."""
    wanted = sa.select(seat_table.c.state).where(the_seat(match, seat)).with_for_update()
    return str((await connection.execute(wanted)).scalar_one())


async def _hold(connection: AsyncConnection, match: str, seat: str, who: Coming) -> None:
    held = {
        "state": HELD,
        "name": who.name,
        "account": who.account.id if who.account else None,
        "forced": False,
        "spectators": None,
        "draw": False,
        "archived": False,
    }
    await connection.execute(seat_table.update().where(the_seat(match, seat)).values(held))
    notices = (notice_table.c.match == match) & (notice_table.c.seat == seat)
    await connection.execute(notice_table.delete().where(notices))  # those of whoever sat here before
    await tell(connection, Changed(match))


@transaction
async def invite(connection: AsyncConnection, match: str, seat: str, now: int) -> tuple[str, Place, list[str]] | None:
    """A new invitation to a seat that nobody holds, in the place of any other; None if somebody does."""
    if await seat_state(connection, match, seat) == HELD:
        return None
    await connection.execute(seat_table.update().where(the_seat(match, seat)).values(state=INVITED))
    await tell(connection, Changed(match))
    gone = await links.end(connection, match, "replaced", seat=seat, kinds=("invite",))
    token, fresh = await links.make(connection, Place(match, seat, "invite"), now)
    return token, fresh, gone


@transaction
async def sit(connection: AsyncConnection, place: Place, who: Coming) -> str | None:
    """Take an open seat: its token; None if it is not open any more."""
    kept = await pledges.locked(connection, place.match)
    if await seat_state(connection, place.match, place.seat) != OPEN:
        return None
    return await _take(connection, kept, place.seat, who)


@transaction
async def open_matches(connection: AsyncConnection, most: int = 100) -> list[Kept]:
    """Matches with an open seat, the newest first."""
    free = sa.select(seat_table.c.match).where(seat_table.c.state == OPEN)
    wanted = sa.select(match_table).where(match_table.c.id.in_(free), match_table.c.result.is_(None))
    found = await connection.execute(wanted.order_by(match_table.c.created.desc(), match_table.c.id).limit(most))
    return list(readable(found))


@transaction
async def claim(connection: AsyncConnection, place: Place, account: Account) -> None:
    """The link is written down with it: when it is revoked the claim ends."""
    await connection.execute(link_table.update().where(link_table.c.id == place.link).values(account=account.id))
    await connection.execute(seat_table.update().where(the_seat(place.match, place.seat)).values(account=account.id))
    await tell(connection, Changed(place.match))


@transaction
async def change(connection: AsyncConnection, match: str, seat: str, values: dict[str, object]) -> None:
    """What the holder of a seat wants from now on."""
    await connection.execute(seat_table.update().where(the_seat(match, seat)).values(values))
    await tell(connection, Changed(match))


@transaction
async def offer_draw(connection: AsyncConnection, match: str, seat: str, agree: bool) -> None:
    """A seat offers a draw or agrees to one; or else nobody offers one any more."""
    which = the_seat(match, seat) if agree else seat_table.c.match == match
    await connection.execute(seat_table.update().where(which).values(draw=agree))
    await tell(connection, Changed(match))


@transaction
async def mark_hint(connection: AsyncConnection, match: str, seat: str, line: int) -> None:
    """A seat has asked what to do after so many lines; asking again there is the same hint."""
    which = the_seat(match, seat)
    known = str((await connection.execute(sa.select(seat_table.c.hints).where(which))).scalar_one())
    lines = dict.fromkeys([*known.split(), str(line)])
    await connection.execute(seat_table.update().where(which).values(hints=" ".join(lines)))
    await tell(connection, Changed(match))


@transaction
async def mine(connection: AsyncConnection, account: Account) -> dict[str, str]:
    """The matches of an account, each with one of its seats."""
    wanted = sa.select(seat_table.c.match, seat_table.c.seat).where(seat_table.c.account == account.id)
    return {row.match: row.seat for row in await connection.execute(wanted.order_by(seat_table.c.seat.desc()))}
