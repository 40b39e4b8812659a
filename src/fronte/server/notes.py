"""Notes that a seat makes on hexes: kept with the seat, and sent to nobody else."""

from __future__ import annotations

from typing import Annotated

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server.http.endpoint import Call, Server, seated
from fronte.server.problem import Problem
from fronte.server.store.database import transaction
from fronte.server.store.notify import Noted, tell
from fronte.server.store.rows import Place
from fronte.server.store.schema import match_table, note_table

MOST = 400


class Note(msgspec.Struct, forbid_unknown_fields=True):
    """A note on a hex; without text it is taken away."""

    hex: Annotated[str, msgspec.Meta(max_length=16)]
    text: Annotated[str, msgspec.Meta(max_length=2000)]


class Notes(msgspec.Struct):
    """The notes of a seat by hex."""

    notes: dict[str, str]


@transaction
async def _read(connection: AsyncConnection, place: Place) -> dict[str, str]:
    return await _notes(connection, place)


async def _notes(connection: AsyncConnection, place: Place) -> dict[str, str]:
    note = note_table.c
    wanted = sa.select(note_table).where(note.match == place.match, note.seat == place.seat).order_by(note.hex)
    return {row.hex: row.text for row in await connection.execute(wanted)}


@transaction
async def _write(connection: AsyncConnection, place: Place, hex: str, text: str) -> dict[str, str]:
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


def _tell(server: Server, match: str, seat: str, found: Notes) -> None:
    server.matches.say(match, lambda place: found if place.kind == "seat" and place.seat == seat else None)


async def pass_on(server: Server, match: str, seat: str) -> None:
    """Tell the devices of a seat that are here of a note made in another process."""
    _tell(server, match, seat, Notes(await _read(server.store, Place(match, seat))))


@seated("GET", "/notes", "One's notes on hexes", answer=Notes)
async def show_notes(call: Call) -> Notes:
    """Only those of the seat that asks."""
    return Notes(await _read(call.server.store, call.place))


@seated("POST", "/notes", "Make or change a note on a hex", body=Note, answer=Notes, rate="note")
async def write_note(call: Call) -> Notes:
    """The answer is all notes of the seat; other devices of the seat are told."""
    async with call.matches.at(call.id) as live:
        if call.body.hex not in live.match.rules.grid.index:
            raise Problem(422, f"there is no hex {call.body.hex!r}")
    text = call.body.text.replace("\0", "").strip()
    found = Notes(await _write(call.server.store, call.place, call.body.hex, text))
    _tell(call.server, call.id, call.place.seat, found)
    return found
