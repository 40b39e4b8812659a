"""Chat: players among themselves, and spectators among themselves, so that nobody tells a player what he may not know.

During play each hears only his own; when the match is over everything is open to all. Whoever looks over the shoulder
of a seat knows its secrets and has no voice.
"""

from __future__ import annotations

import time
import unicodedata

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.api_types import Saying
from fronte.server.matches.matches import Matches
from fronte.server.people.accounts import clean
from fronte.server.problem import Problem
from fronte.server.store.database import transaction
from fronte.server.store.notify import Spoken, tell
from fronte.server.store.rows import Place
from fronte.server.store.schema import chat_table, match_table

PLAYERS, SPECTATORS = "players", "spectators"
MOST = 5000
"""Messages in a match."""
AT_ONCE = 200


class Said(msgspec.Struct):
    """Something that was said: by a seat, or by a spectator under a name."""

    number: int
    channel: str
    seat: str
    name: str
    text: str
    at: int


def channel_of(place: Place) -> str:
    """Where somebody speaks and listens."""
    if place.kind == "watch":
        raise Problem(403, "whoever looks over a shoulder has no voice")
    return PLAYERS if place.kind == "seat" else SPECTATORS


async def say(matches: Matches, place: Place, saying: Saying) -> Said:
    """Keep what is said and tell all who may hear it."""
    channel = channel_of(place)
    text = "".join(
        c for c in saying.text if c == "\n" or unicodedata.category(c) not in ("Cc", "Cs", "Co", "Cn")
    ).strip()
    if not text:
        raise Problem(422, "that says nothing")
    async with matches.at(place.match) as live:
        name = live.people[place.seat].name if place.seat in live.people else clean(saying.name)
        over = live.over
    said = await _keep(matches.store, place.match, Said(0, channel, place.seat, name, text, int(time.time())))
    _tell(matches, place.match, said, over)
    return said


def _tell(matches: Matches, match: str, said: Said, over: bool) -> None:
    matches.say(match, lambda other: {"chat": said} if over or _hears(other, said.channel) else None)


async def pass_on(matches: Matches, match: str, number: int) -> None:
    """Tell what was said in another process to those who are here and may hear it."""
    async with matches.at(match) as live:
        over = live.over
    for said in await read(matches.store, match, [PLAYERS, SPECTATORS], number - 1):
        if said.number == number:
            _tell(matches, match, said, over)


def _hears(place: Place, channel: str) -> bool:
    return place.kind != "watch" and channel == channel_of(place)


@transaction
async def _keep(connection: AsyncConnection, match: str, said: Said) -> Said:
    # the row of the match is held, so that of two who speak at once one comes after the other
    await connection.execute(match_table.update().where(match_table.c.id == match).values(name=match_table.c.name))
    last = sa.select(sa.func.coalesce(sa.func.max(chat_table.c.number), 0)).where(chat_table.c.match == match)
    number = int((await connection.execute(last)).scalar_one()) + 1
    if number > MOST:
        raise Problem(422, f"all has been said: a match has room for {MOST} messages")
    kept = msgspec.structs.replace(said, number=number)
    await connection.execute(chat_table.insert(), {"match": match} | msgspec.structs.asdict(kept))
    await tell(connection, Spoken(match, number))
    return kept


@transaction
async def read(connection: AsyncConnection, match: str, channels: list[str], since: int | None) -> list[Said]:
    chat = chat_table.c
    wanted = sa.select(chat_table).where(chat.match == match, chat.channel.in_(channels))
    if since is None:
        wanted = wanted.order_by(chat.number.desc())
    else:
        wanted = wanted.where(chat.number > since).order_by(chat.number)
    rows = list(await connection.execute(wanted.limit(AT_ONCE)))
    found = [Said(row.number, row.channel, row.seat, row.name, row.text, row.at) for row in rows]
    return found[::-1] if since is None else found
