"""Endpoints of the dice (docs/dice.md): putting in a word, beginning anew, and the fingerprint of the record."""

from __future__ import annotations

import msgspec

from fronte.engine import trust
from fronte.server.api_types import Given, Pledged, Seal
from fronte.server.dice import pledges, restart
from fronte.server.http.endpoint import Call, of_match, seated
from fronte.server.problem import Problem


class PutIn(msgspec.Struct, forbid_unknown_fields=True):
    """A word, or its seal."""

    word: Given | None = None
    seal: Seal | None = None


class Fingerprint(msgspec.Struct):
    """The fingerprint of a record so far; null where it could give something away, or there is no seed yet."""

    line: int
    fingerprint: str | None


class Agreement(msgspec.Struct, forbid_unknown_fields=True):
    """Ask, or agree to what was asked; false takes it back or declines."""

    agree: bool = True


@seated(
    "POST",
    "/word",
    "Put in a word or its seal, or open the word that was sealed",
    body=PutIn,
    answer=Pledged,
    rate="link",
)
async def put_in(call: Call) -> Pledged:
    """The word stays between the seat and the house until those of all seats are there."""
    given: PutIn = call.body
    if given.word is not None and given.seal is None:
        await pledges.open_word(call.server.store, call.id, call.place.seat, given.word)
    elif given.seal is not None and given.word is None:
        await pledges.seal_word(call.server.store, call.id, call.place.seat, given.seal)
    else:
        raise Problem(400, "either a word or a seal goes in")
    return await told(call)


async def told(call: Call) -> Pledged:
    """Everybody learns what has been put in; whoever did it is answered."""
    await call.matches.people_changed(call.id)
    await call.matches.merge(call.id)
    async with call.matches.at(call.id) as live:
        found = pledges.shown(live.kept, live.people)
        assert found is not None
        return found


@seated(
    "POST",
    "/anew",
    "Ask to begin the dice anew as a word was lost, or agree to it",
    body=Agreement,
    answer=Pledged,
    rate="link",
)
async def begin_anew(call: Call) -> Pledged:
    """With the last one who agrees it happens; then every seat puts in a fresh word."""
    await restart.say(call.server.store, call.id, call.place.seat, call.body.agree)
    return await told(call)


@of_match(
    "GET",
    "/fingerprint",
    "The fingerprint of the record so far, to be noted",
    answer=Fingerprint,
    kinds=("seat", "watch"),
)
async def show_fingerprint(call: Call) -> Fingerprint:
    """Keyed with the seed, so it tells nothing about hidden actions, unless somebody knows the seed."""
    async with call.matches.at(call.id) as live:
        kept = live.kept
        if kept.stream is None or (kept.seed_known and not live.over):
            return Fingerprint(live.line, None)
        entries = live.match.entries
        found = await call.matches.work(call.id, trust.fingerprint, kept.stream, kept.heading, entries)
        return Fingerprint(len(entries), found)
