"""Notes that a seat makes on hexes: kept with the seat, and sent to nobody else."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.matches.matches import Matches
from fronte.server.problem import Problem
from fronte.server.store.database import transaction
from fronte.server.store.notify import Noted, tell
from fronte.server.store.rows import Place
from fronte.server.store.schema import match_table, note_table

MOST = 400


class Notes(msgspec.Struct):
    """The notes of a seat by hex."""

    notes: dict[str, str]


@transaction
async def read(connection: AsyncConnection, place: Place) -> dict[str, str]:
    return await _notes(connection, place)


async def _notes(connection: AsyncConnection, place: Place) -> dict[str, str]:
    note = note_table.c
    wanted = sa.select(note_table).where(note.match == place.match, note.seat == place.seat).order_by(note.hex)
    return {row.hex: row.text for row in await connection.execute(wanted)}


@transaction
async def write(connection: AsyncConnection, place: Place, hex: str, text: str) -> dict[str, str]:
    # the row of the match is held, so that two devices of one seat write one after the other
    held = match_table.update().where(match_table.c.id == place.match).values(name=match_table.c.name)
    await connection.execute(held)
    note = note_table.c
    which = (note.match == place.match) & (note.seat == place.seat) & (note.hex == hex)
    await connection.execute(note_table.delete().where(which))
    if text:
        row = {"match": place.match, "seat": place.seat, "hex": hex, "text": text}
        await connection.execute(note_table.insert(), row)
    found = await _notes(connection, place)
    if len(found) > MOST:
        raise Problem(422, f"a seat can make {MOST} notes")
    await tell(connection, Noted(place.match, place.seat))
    return found


def tell_seat(matches: Matches, match: str, seat: str, found: Notes) -> None:
    """Tell all devices of a seat that are here."""
    matches.say(match, lambda place: found if place.kind == "seat" and place.seat == seat else None)


async def pass_on(matches: Matches, match: str, seat: str) -> None:
    """Tell the devices of a seat that are here of a note made in another process."""
    tell_seat(matches, match, seat, Notes(await read(matches.store, Place(match, seat))))
