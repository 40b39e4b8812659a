"""Dice that both sides can trust, at this table (docs/dice.md): the secret of the house and a word of each seat.

The house is bound to its secret when a match begins. Each seat of a person puts in a word, which nobody sees before all
are there: openly, under seal first, or none at all. When the last word is there the seed is made, and dice can fall. A
match may go on until then as long as no die is needed. A word that was lost lets it all begin anew (`restart`).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.engine import trust
from fronte.engine.dice import commitment
from fronte.engine.record import Anew, Heading, Pledge
from fronte.server.api_types import Asking, Pledged
from fronte.server.problem import Problem
from fronte.server.store.database import encoded, kept_match, person, transaction
from fronte.server.store.notify import Changed, tell
from fronte.server.store.rows import HUMAN, Kept, Person
from fronte.server.store.schema import match_table, seat_table

ASKED, AGREED = "asked", "agreed"
"""What a seat has said to beginning the dice anew."""


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


def settled() -> Problem:
    """Nothing can be put in or begun anew any more."""
    return Problem(422, "the dice of this match are settled")


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
    before = kept.heading.pledge.anew if kept.heading.pledge else ()
    pledge = msgspec.structs.replace(pledge, anew=before)
    heading = msgspec.structs.replace(kept.heading, commitment=commitment(seed), pledge=pledge)
    return msgspec.structs.replace(kept, seed=seed, heading=heading)


def waiting(heading: Heading, secret: bytes, anew: tuple[Anew, ...] = ()) -> Heading:
    """The heading of a match whose seed is not made yet: all it says of the dice is what the house is bound to."""
    return msgspec.structs.replace(heading, commitment="", pledge=Pledge(trust.house_commitment(secret), (), anew=anew))


async def give(connection: AsyncConnection, kept: Kept, seat: str, given: tuple[str | None, str]) -> None:
    """What a seat puts in when somebody sits down; what was put in before stays. The match is locked."""
    if kept.waits:
        _fresh(kept, given[1])
        table = seat_table
        await connection.execute(table.update().where(table.c.match == kept.id).values(anew=None))  # asked of another
        empty = (table.c.match == kept.id) & (table.c.seat == seat) & table.c.seal.is_(None)
        await connection.execute(table.update().where(empty).values(word=given[0], seal=given[1]))
        await _bind(connection, kept)


def _fresh(kept: Kept, seal: str) -> None:
    """Refuse a word that was put in before the dice were begun anew: the house may have known it when it was bound."""
    before = kept.heading.pledge.anew if kept.heading.pledge else ()
    if seal != NOTHING[1] and any(seal in once.seals.values() for once in before):
        raise Problem(422, "this word was put in before the dice were begun anew; put in another")


async def locked(connection: AsyncConnection, name: str) -> Kept:
    """A match whose seats and seed nobody else changes until the transaction is over."""
    one = sa.select(match_table).where(match_table.c.id == name).with_for_update(key_share=True)
    return kept_match((await connection.execute(one)).one())


async def people_of(connection: AsyncConnection, match: str) -> dict[str, Person]:
    """The seats of people, and what they have put in."""
    wanted = sa.select(seat_table).where(seat_table.c.match == match).order_by(seat_table.c.seat)
    return {row.seat: person(row) for row in await connection.execute(wanted)}


async def _bind(connection: AsyncConnection, kept: Kept) -> None:
    """Make the seed if the last word has come. Who has found his word does not ask for others any more."""
    people = await people_of(connection, kept.id)
    if any(who.anew == ASKED and who.word is not None for who in people.values()):
        await connection.execute(seat_table.update().where(seat_table.c.match == kept.id).values(anew=None))
    found = bound(kept, people)
    if found is not kept:
        values = {"seed": found.seed.hex(), "heading": encoded(found.heading)}
        await connection.execute(match_table.update().where(match_table.c.id == kept.id).values(values))


@transaction
async def open_word(connection: AsyncConnection, match: str, seat: str, word: str) -> None:
    kept = await locked(connection, match)
    table, sealed = seat_table, trust.seal(word)
    _fresh(kept, sealed)
    fits = table.c.seal == sealed  # whoever knows the word may open it: one may serve several seats
    if kept.waits:
        fits |= (table.c.seat == seat) & table.c.seal.is_(None)
    here = table.update().where(table.c.match == match, fits)
    if not (await connection.execute(here.values(word=word, seal=sealed))).rowcount:
        if kept.waits:
            raise Problem(422, "no seat has sealed this word")
        raise settled()
    if kept.waits:
        await _bind(connection, kept)
    await tell(connection, Changed(match))


@transaction
async def seal_word(connection: AsyncConnection, match: str, seat: str, seal: str) -> None:
    table, kept = seat_table, await locked(connection, match)
    if not kept.waits:
        raise settled()
    _fresh(kept, seal)
    empty = (table.c.match == match) & (table.c.seat == seat) & table.c.seal.is_(None)
    if not (await connection.execute(table.update().where(empty).values(seal=seal))).rowcount:
        raise Problem(422, "this seat has put in its word already")
    await tell(connection, Changed(match))


# Showing it


def shown(kept: Kept, people: Mapping[str, Person]) -> Pledged | None:
    """What all may know of how the dice come about: words when all are there, secret and seed when all is over."""
    pledge = kept.heading.pledge
    if pledge is None:
        return None
    seals = {seat: who.seal for seat, who in people.items() if who.seal}
    words = dict(zip(kept.seats, pledge.words, strict=True)) if pledge.words else {}
    found = Pledged(pledge.house, seals, words, anew=pledge.anew)
    by = next((seat for seat, who in people.items() if who.anew == ASKED), None)
    if by is not None:
        agreed = [seat for seat, who in people.items() if who.anew == AGREED]
        found.asked = Asking(by, agreed, missing(people))
    if kept.result is not None or kept.ended is not None:
        found.secret = kept.secret.hex() or pledge.secret or None
        found.seed = None if kept.stream is None else kept.stream.hex()
    return found


def missing(people: Mapping[str, Person]) -> list[str]:
    """The seats that have yet to agree to begin anew: all that have put in something, but who asks."""
    return [seat for seat, who in people.items() if who.seal is not None and who.anew is None]
