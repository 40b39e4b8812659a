"""Dice that both sides can trust, at this table (docs/dice.md): the secret of the house and a word of each seat.

The house is bound to its secret when a match begins. Each seat puts in a word, which nobody sees before all are there:
under seal first, or none at all. When the last word is there the seed is made, and dice can fall. A match may go on
until then as long as no die is needed.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.engine import trust
from fronte.engine.dice import commitment
from fronte.engine.record import Heading, Pledge
from fronte.engine.rules import Result
from fronte.server.bodies import Given, Pledged, Problem
from fronte.server.http import Call, endpoint
from fronte.server.memory import HUMAN, Live
from fronte.server.news import Changed, tell
from fronte.server.replay import with_seed
from fronte.server.schema import match_table, seat_table
from fronte.server.store import Kept, Person, encoded, kept_match, person, transaction


class Opening(msgspec.Struct, forbid_unknown_fields=True):
    """The word behind a seal."""

    word: Given


class Fingerprint(msgspec.Struct):
    """The fingerprint of a record so far; null where it could give something away, or there is no seed yet."""

    line: int
    fingerprint: str | None


def new_secret() -> bytes:
    """What the house binds itself to."""
    return secrets.token_bytes(trust.SECRET_BYTES)


def contribution(word: str | None, seal: str | None) -> tuple[str | None, str]:
    """What a seat puts in: a word and its seal, a seal whose word comes later, or nothing."""
    if word is None and seal is not None:
        return None, seal
    given = word or ""
    if seal is not None and trust.seal(given) != seal:
        raise Problem(422, "the word is not the one that was sealed")
    return given, trust.seal(given)


NOTHING = contribution(None, None)

# Making the seed


def bound(kept: Kept, people: Mapping[str, Person]) -> Kept:
    """The match with its seed, if all words are there; else as it is. Machine seats put in nothing."""
    if not kept.waits:
        return kept
    words = [people[seat].word if player == HUMAN else "" for seat, player in kept.seats.items()]
    given = [word for word in words if word is not None]
    if len(given) < len(words):
        return kept
    seed = trust.match_seed(kept.secret, given)
    pledge = trust.pledge(kept.secret, given, [trust.seal(word) for word in given])
    heading = msgspec.structs.replace(kept.heading, commitment=commitment(seed), pledge=pledge)
    return msgspec.structs.replace(kept, seed=seed, heading=heading)


def waiting(heading: Heading, secret: bytes) -> Heading:
    """The heading of a match whose seed is not made yet: all it says of the dice is what the house is bound to."""
    return msgspec.structs.replace(heading, commitment="", pledge=Pledge(trust.house_commitment(secret), ()))


async def give(connection: AsyncConnection, match: str, seat: str, given: tuple[str | None, str]) -> None:
    """What a seat puts in when somebody sits down; what was put in before stays."""
    kept = await _locked(connection, match)
    if kept.waits:
        table = seat_table
        empty = (table.c.match == match) & (table.c.seat == seat) & table.c.seal.is_(None)
        await connection.execute(table.update().where(empty).values(word=given[0], seal=given[1]))
        await _bind(connection, kept)


async def _locked(connection: AsyncConnection, name: str) -> Kept:
    """A match of which nobody else makes the seed until the transaction is over."""
    one = sa.select(match_table).where(match_table.c.id == name).with_for_update(key_share=True)
    return kept_match((await connection.execute(one)).one())


async def _bind(connection: AsyncConnection, kept: Kept) -> None:
    """Make the seed if the last word has come."""
    rows = await connection.execute(sa.select(seat_table).where(seat_table.c.match == kept.id))
    found = bound(kept, {row.seat: person(row) for row in rows})
    if found is not kept:
        values = {"seed": found.seed.hex(), "heading": encoded(found.heading)}
        await connection.execute(match_table.update().where(match_table.c.id == kept.id).values(values))


@endpoint(
    "POST",
    "/api/matches/{id}/word",
    "Open the word that was sealed",
    body=Opening,
    answer=Pledged,
    seat=True,
    kinds=("seat",),
    rate="link",
)
async def open_word(call: Call) -> Pledged:
    """The word stays between the seat and the house until those of all seats are there."""
    await _open(call.server.store, call.id, call.body.word)
    await call.matches.people_changed(call.id)
    await call.matches.merge(call.id)
    async with call.matches.at(call.id) as live:
        found = shown(live.kept, live.people)
        assert found is not None
        return found


@transaction
async def _open(connection: AsyncConnection, match: str, word: str) -> None:
    kept = await _locked(connection, match)
    table = seat_table
    sealed = (table.c.match == match) & (table.c.seal == trust.seal(word))  # whoever knows the word may open it
    if not (await connection.execute(table.update().where(sealed).values(word=word))).rowcount:
        raise Problem(422, "no seat has sealed this word")
    await _bind(connection, kept)
    await tell(connection, Changed(match))


# Showing it


def shown(kept: Kept, people: Mapping[str, Person]) -> Pledged | None:
    """What all may know of how the dice come about: words when all are there, secret and seed when all is over."""
    pledge = kept.heading.pledge
    if pledge is None:
        return None
    seals = {seat: who.seal for seat, who in people.items() if who.seal}
    words = dict(zip(kept.seats, pledge.words, strict=True)) if pledge.words else {}
    found = Pledged(pledge.house, seals, words)
    if kept.result is not None or kept.ended is not None:
        found.secret = kept.secret.hex() or pledge.secret or None
        found.seed = None if kept.stream is None else kept.stream.hex()
    return found


def heading_of_save(live: Live) -> Heading:
    """The heading of a save: with everything shown when the match is over, else with its seed alone."""
    kept, result, ended = live.kept, live.match.result, live.ended
    heading = with_seed(kept.heading, kept.stream)
    if ended is not None:
        early = Result(ended.by, 0, ended.winner, ())
        return trust.closed(heading, live.match.entries, kept.stream or b"", early, kept.secret, ended.by)
    if result is None or kept.stream is None:
        return heading
    return trust.closed(heading, live.match.entries, kept.stream, result, kept.secret)


@endpoint(
    "GET",
    "/api/matches/{id}/fingerprint",
    "The fingerprint of the record so far, to be noted",
    answer=Fingerprint,
    seat=True,
    kinds=("seat", "watch"),
)
async def show_fingerprint(call: Call) -> Fingerprint:
    """Keyed with the seed, so it tells nothing about hidden actions, unless somebody knows the seed."""
    async with call.matches.at(call.id) as live:
        kept = live.kept
        if kept.stream is None or (kept.seed_known and not live.over):
            return Fingerprint(live.line, None)
        return Fingerprint(live.line, trust.fingerprint(kept.stream, kept.heading, live.match.entries))
