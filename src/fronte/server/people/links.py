"""Links: unguessable capabilities that open a match. Only hashes are kept; whoever has the token has the place.

A link that was ended stays known, so that whoever comes with it is told why it opens nothing any more.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.store.database import Store, add_links, hashed, link_name, to_the_end, transaction
from fronte.server.store.notify import Changed, tell, tell_gone
from fronte.server.store.rows import Place
from fronte.server.store.schema import link_table, notice_table, seat_table

SURE = 5.0
"""Seconds in which a link that was good is taken to be good still."""
MOST_KNOWN = 5000
ENDED = {
    "revoked": "this link has been revoked",
    "replaced": "this link has been replaced by a newer one",
    "handed on": "this seat has been handed to somebody else; this link is no longer good",
    "used": "this invitation has been used already",
}


class Link(msgspec.Struct, frozen=True):
    """A link as it is kept: its place, when it was made, and why it is no longer good."""

    place: Place
    created: int
    ended: str | None


class Known:
    """Links that were found a moment ago, so that not every request asks the database.

    What is ended is forgotten at once, by another process when there is news of it, or after a few seconds.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.found: OrderedDict[str, tuple[float, Link]] = OrderedDict()

    async def find(self, token: str) -> Link | None:
        """The link of a token."""
        key, now = hashed(token), time.monotonic()
        until, link = self.found.get(key, (0.0, None))
        if link is not None and now < until:
            return link
        self.found.pop(key, None)
        link = next(iter(await find(self.store, [token])), None)
        if link is not None and link.ended is None:
            self.found[key] = now + SURE, link
            while len(self.found) > MOST_KNOWN:
                self.found.popitem(last=False)
        return link

    def forget(self, names: Collection[str]) -> None:
        """These links were ended."""
        for key in [key for key in self.found if key[:24] in names]:
            del self.found[key]

    def forget_matches(self, names: Collection[str]) -> None:
        """These matches were removed, and all their links with them."""
        for key in [key for key, (_, link) in self.found.items() if link.place.match in names]:
            del self.found[key]


def new_token() -> str:
    """A new secret: 192 bits."""
    return secrets.token_urlsafe(24)


def _link(row: sa.Row[tuple[object, ...]]) -> Link:
    return Link(Place(row.match, row.seat, row.kind, row.id), row.created, row.ended)


@to_the_end
async def find(store: Store, tokens: Sequence[str]) -> list[Link]:
    """The links that these tokens are of; unknown ones are left out."""
    wanted = sa.select(link_table).where(link_table.c.hash.in_([hashed(token) for token in tokens]))
    async with store.looking.connect() as connection:
        return [_link(row) for row in await connection.execute(wanted)]


@transaction
async def ended_among(connection: AsyncConnection, names: Sequence[str]) -> list[Link]:
    """Those of these links that are no longer good."""
    links = link_table.c
    wanted = sa.select(link_table).where(links.id == sa.any_(sa.bindparam("names", list(names), sa.ARRAY(sa.String))))
    return [_link(row) for row in await connection.execute(wanted.where(links.ended.is_not(None)))]


@transaction
async def of_match(connection: AsyncConnection, match: str) -> list[Link]:
    """All links of a match that are good, oldest first; those of the same second by seat and kind."""
    links = link_table.c
    wanted = sa.select(link_table).where(links.match == match, links.ended.is_(None))
    return [
        _link(row) for row in await connection.execute(wanted.order_by(links.created, links.seat, links.kind, links.id))
    ]


@transaction
async def add(connection: AsyncConnection, place: Place, now: int, parent: str) -> tuple[str, Place]:
    """A new link to a place, made from another."""
    return await make(connection, place, now, parent)


async def make(
    connection: AsyncConnection, place: Place, now: int, parent: str | None = None, account: str | None = None
) -> tuple[str, Place]:
    """A new link, within a transaction."""
    token = new_token()
    await add_links(connection, [(token, place)], now, parent, account)
    return token, msgspec.structs.replace(place, link=link_name(token))


async def end(
    connection: AsyncConnection, match: str, why: str, *, seat: str | None = None, kinds: Collection[str] = ()
) -> list[str]:
    """End the good links of a seat that are of these kinds; the names of those that were."""
    links = link_table.c
    which = sa.select(links.id).where(
        links.match == match, links.seat == seat, links.kind.in_(kinds), links.ended.is_(None)
    )
    found = list((await connection.execute(which)).scalars())
    if found:
        await connection.execute(link_table.update().where(links.id.in_(found)).values(ended=why))
        await tell_gone(connection, match, found, why)
    return found


# Ending them by hand


@transaction
async def revoke(connection: AsyncConnection, match: str, name: str, account: str | None) -> list[str]:
    """End a link and all that came of it; the names of those that were good. `account` is whoever asks.

    If whoever had it has claimed the seat for an account of his, that ends too, with the links he got by it.
    """
    links = link_table.c
    rows = list(await connection.execute(sa.select(link_table).where(links.match == match)))
    good = {row.id for row in rows if row.ended is None}
    if name not in good:
        return []
    gone = _come_of(rows, {name})
    claimed = {row.account for row in rows if row.id in gone and row.account is not None and row.account != account}
    for row in rows:
        if row.id == name and row.kind == "seat":
            lost = [one for one in claimed if await unclaim(connection, match, row.seat, one)]
            gone = _come_of(
                rows, gone | {other.id for other in rows if other.seat == row.seat and other.account in lost}
            )
    found = sorted(gone & good)
    await connection.execute(link_table.update().where(links.id.in_(found)).values(ended="revoked"))
    await tell_gone(connection, match, found, "revoked")
    return found


def _come_of(rows: Sequence[Any], names: set[str]) -> set[str]:
    """These links and all that were made from them, over however many hands."""
    found = set(names)
    while True:
        more = {row.id for row in rows if row.parent in found} - found
        if not more:
            return found
        found |= more


async def unclaim(connection: AsyncConnection, match: str, seat: str, account: str) -> bool:
    """The seat is no longer kept with this account; False if it was not. Its notices end."""
    which = (seat_table.c.match == match) & (seat_table.c.seat == seat) & (seat_table.c.account == account)
    done = await connection.execute(seat_table.update().where(which).values(account=None))
    notices = (notice_table.c.match == match) & (notice_table.c.seat == seat) & (notice_table.c.account == account)
    await connection.execute(notice_table.delete().where(notices))
    await tell(connection, Changed(match))
    return done.rowcount == 1


@transaction
async def renew(
    connection: AsyncConnection, place: Place, now: int, account: str | None = None, parent: str | None = None
) -> tuple[str, Place, list[str]]:
    """A fresh link in the place of all others to the same: for whoever fears that one got into other hands.

    For a seat that is whatever leads to it: links of every kind, and an account that has claimed it and is not his.
    """
    kinds = ("seat", "watch", "invite") if place.kind == "seat" else (place.kind,)
    gone = await end(connection, place.match, "replaced", seat=place.seat, kinds=kinds)
    kept = None
    if place.kind == "seat":
        which = (seat_table.c.match == place.match) & (seat_table.c.seat == place.seat)
        kept = (await connection.execute(sa.select(seat_table.c.account).where(which))).scalar_one()
        if kept is not None and kept != account:
            await unclaim(connection, place.match, place.seat, kept)
            kept = None
    token, fresh = await make(connection, place, now, parent, kept)
    return token, fresh, gone
