"""Endpoints of what people write at a match: the chat, and notes on hexes."""

from __future__ import annotations

from typing import Annotated

import msgspec

from fronte.server.api_types import Saying
from fronte.server.http.endpoint import Call, of_match, seated
from fronte.server.matches import notes
from fronte.server.matches.chat import PLAYERS, SPECTATORS, Said, channel_of, read, say
from fronte.server.problem import Problem


class Talk(msgspec.Struct):
    """What was said after a number, the oldest first."""

    messages: list[Said]


class Note(msgspec.Struct, forbid_unknown_fields=True):
    """A note on a hex; without text it is taken away."""

    hex: Annotated[str, msgspec.Meta(max_length=16)]
    text: Annotated[str, msgspec.Meta(max_length=2000)]


@of_match("GET", "/chat", "What was said", answer=Talk, query=("since",))
async def show_chat(call: Call) -> Talk:
    """The last messages, or those after a number."""
    channels = [channel_of(call.place)]
    async with call.matches.at(call.id) as live:
        if live.over:
            channels = [PLAYERS, SPECTATORS]
    return Talk(await read(call.server.store, call.id, channels, call.number("since")))


@of_match("POST", "/chat", "Say something", body=Saying, answer=Said, rate="chat", status=201)
async def chat(call: Call) -> Said:
    """To the other players, or to the other spectators."""
    return await say(call.matches, call.place, call.body)


@seated("GET", "/notes", "One's notes on hexes", answer=notes.Notes)
async def show_notes(call: Call) -> notes.Notes:
    """Only those of the seat that asks."""
    return notes.Notes(await notes.read(call.server.store, call.place))


@seated("POST", "/notes", "Make or change a note on a hex", body=Note, answer=notes.Notes, rate="note")
async def write_note(call: Call) -> notes.Notes:
    """The answer is all notes of the seat; other devices of the seat are told."""
    async with call.matches.at(call.id) as live:
        if call.body.hex not in live.match.rules.grid.index:
            raise Problem(422, f"there is no hex {call.body.hex!r}")
    text = call.body.text.replace("\0", "").strip()
    found = notes.Notes(await notes.write(call.server.store, call.place, call.body.hex, text))
    notes.tell_seat(call.matches, call.id, call.place.seat, found)
    return found
