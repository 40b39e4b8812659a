"""A word that was lost: the dice of a match begin anew, as long as none has been thrown (docs/dice.md).

All seals and words are void, and the house binds itself to another secret, so that whatever anybody knew is worth
nothing. Every seat that has put in something must agree: who had opened his word already might else be made to throw
again until house and other side like what they see.
"""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.engine.record import Anew
from fronte.server.dice import pledges
from fronte.server.dice.pledges import AGREED, ASKED
from fronte.server.problem import Problem
from fronte.server.store.database import encoded, transaction
from fronte.server.store.notify import Changed, tell
from fronte.server.store.rows import Kept, Person
from fronte.server.store.schema import match_table, seat_table

MOST = 5
"""How often the dice of one match can be begun anew."""


@transaction
async def say(connection: AsyncConnection, match: str, seat: str, agree: bool) -> None:
    kept = await pledges.locked(connection, match)
    if not kept.waits:
        raise pledges.settled()
    people = await pledges.people_of(connection, match)
    asked = next((other for other, who in people.items() if who.anew == ASKED), None)
    if not agree:
        await _mark(connection, match, None, None)
    elif asked is None:
        _may_ask(kept, people[seat])
        people = await _mark(connection, match, seat, ASKED)
        asked = seat
    elif asked != seat:
        people = await _mark(connection, match, seat, AGREED)
    if agree and asked is not None and not pledges.missing(people):
        await _begin(connection, kept, asked, people)
    await tell(connection, Changed(match))


def _may_ask(kept: Kept, mine: Person) -> None:
    """Only a seat that has a word to lose may ask, and not without end."""
    if mine.seal is None or mine.word is not None:
        raise Problem(422, "only a seat whose word is still under seal can ask to begin anew")
    if kept.heading.pledge is not None and len(kept.heading.pledge.anew) >= MOST:
        raise Problem(422, f"the dice of this match have been begun anew {MOST} times; begin another match")


async def _mark(connection: AsyncConnection, match: str, seat: str | None, said: str | None) -> dict[str, Person]:
    """Write what a seat has said, or for all that nothing was said; the people as they are then."""
    which = seat_table.c.match == match
    if seat is not None:
        which &= seat_table.c.seat == seat
    await connection.execute(seat_table.update().where(which).values(anew=said))
    return await pledges.people_of(connection, match)


async def _begin(connection: AsyncConnection, kept: Kept, asked: str, people: dict[str, Person]) -> None:
    """Another secret, no words, and a line about it in the heading."""
    assert kept.heading.pledge is not None
    agreed = tuple(seat for seat in kept.seats if seat in people and people[seat].anew == AGREED)
    void = {seat: seal for seat in kept.seats if seat in people and (seal := people[seat].seal)}
    times = (*kept.heading.pledge.anew, Anew(asked, kept.heading.pledge.house, agreed, void))
    secret = pledges.new_secret()
    heading = encoded(pledges.waiting(kept.heading, secret, times))
    changed = match_table.update().where(match_table.c.id == kept.id)
    await connection.execute(changed.values(secret=secret.hex(), heading=heading))
    seats = seat_table.update().where(seat_table.c.match == kept.id)
    await connection.execute(seats.values(seal=None, word=None, anew=None))
