"""Endpoints of the list of matches: naming one, putting it away, deleting it.

At a local table whoever is there may do all of it. Elsewhere the name is given by whoever began the match, each holder
of a seat puts the match away for himself, and what others play cannot be deleted.
"""

from __future__ import annotations

import unicodedata
from typing import Annotated

import msgspec

from fronte.server.api_types import About
from fronte.server.http.endpoint import Call, of_match
from fronte.server.http.matches import show_match
from fronte.server.people import links, seating
from fronte.server.problem import Problem
from fronte.server.store import database
from fronte.server.store.rows import HELD

ANY = ("seat", "watch", "spectator", "owner")


class Named(msgspec.Struct, forbid_unknown_fields=True):
    """A name for a match; empty: that of its scenario."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class PutAway(msgspec.Struct, forbid_unknown_fields=True):
    """Put a match away, or take it out again."""

    archived: bool = True


class Deleted(msgspec.Struct):
    """A match that is no longer there."""

    id: str


def clean_name(name: str) -> str:
    """A name as it is kept."""
    return "".join(c for c in name if unicodedata.category(c)[0] != "C").strip()[:200]


@of_match("POST", "/name", "Name a match", body=Named, answer=About, kinds=ANY, rate="link")
async def rename(call: Call) -> About:
    """For whoever began it; at a local table for all."""
    if not call.server.settings.local and call.place.kind != "owner":
        raise Problem(403, "only whoever began the match can name it")
    await database.change_match(call.server.store, call.id, {"name": clean_name(call.body.name)})
    await call.matches.renamed(call.id)
    found: About = await show_match(call)
    return found


@of_match("POST", "/archive", "Put a match away, or take it out", body=PutAway, answer=About, kinds=ANY, rate="link")
async def archive(call: Call) -> About:
    """For the seat that asks alone; at a local table for all."""
    wanted: PutAway = call.body
    if call.server.settings.local:
        await database.change_match(call.server.store, call.id, {"archived": wanted.archived})
        await call.matches.renamed(call.id)
    elif call.place.kind == "seat":
        await seating.change(call.server.store, call.id, call.place.seat, {"archived": wanted.archived})
        await call.matches.people_changed(call.id)
    else:
        raise Problem(403, "only whoever holds a seat can put the match away")
    found: About = await show_match(call)
    return found


@of_match("DELETE", "", "Delete a match for good", answer=Deleted, kinds=ANY, rate="link")
async def delete(call: Call) -> Deleted:
    """Not where somebody else holds a seat: further seats that one holds are proven by X-Fronte-Tokens."""
    if not call.server.settings.local:
        people = await call.server.store.people(call.id)
        held = {seat for seat, person in people.items() if person.state == HELD}
        sent = [token.strip() for token in call.request.headers.get("x-fronte-tokens", "").split(",") if token.strip()]
        places = [link.place for link in await links.find(call.server.store, sent[:20]) if link.ended is None]
        mine = {place.seat for place in (*places, call.place) if place.match == call.id and place.kind == "seat"}
        if not held <= mine:
            raise Problem(403, "somebody else plays this match too: it can be put away, not deleted")
        if not held and call.place.kind != "owner":
            raise Problem(403, "only whoever began the match can delete it")
    await call.matches.delete(call.id)
    return Deleted(call.id)
