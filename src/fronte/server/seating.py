"""Who sits where: the people and links of a new match, accepting an invitation, taking an open seat, and one's wishes.

Whoever begins a match keeps the seats he does not give away. A seat for somebody else gets an invitation: it opens
nothing, and is exchanged once for the seat. From then on only its holder has links to it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from fronte.server import links, spectators
from fronte.server.accounts import Account, clean
from fronte.server.api_types import Choice, Given, Name, Opened, Seal, Word
from fronte.server.clocks import ClockRule
from fronte.server.dice import pledges
from fronte.server.http.endpoint import Call, endpoint, find_match, of_match, seated
from fronte.server.problem import Problem
from fronte.server.store.database import add_links, readable, transaction
from fronte.server.store.notify import Changed, tell
from fronte.server.store.rows import HELD, HUMAN, INVITED, OPEN, Kept, Person, Place
from fronte.server.store.schema import link_table, match_table, notice_table, seat_table


class Seating(msgspec.Struct, frozen=True):
    """How a new match is filled."""

    watch: list[str] = []
    invite: list[str] = []
    open: list[str] = []
    holder: str = ""
    clock: ClockRule | None = None
    given: tuple[str | None, str] | None = None
    """What the seats that are kept put into the dice: word and seal."""


class Guest(msgspec.Struct, forbid_unknown_fields=True):
    """The name of whoever accepts an invitation, if one is given, and a word for the dice, openly or under seal."""

    name: Name = ""
    word: Given | None = None
    seal: Seal | None = None


class SitDown(msgspec.Struct, forbid_unknown_fields=True):
    """An open seat to be taken, with a word for the dice, openly or under seal."""

    seat: Word
    name: Name = ""
    word: Given | None = None
    seal: Seal | None = None


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """What the holder of a seat wants; what is left out stays as it is."""

    name: Name | None = None
    forced: bool | None = None
    """Answer decisions with one legal answer at once."""
    spectators: Choice | None = None


# A new match


def _named(kept: Kept, seats: Iterable[str], people: bool = True) -> None:
    for seat in seats:
        if seat not in kept.seats:
            raise Problem(422, f"no seat {seat!r}; the seats are {', '.join(kept.seats)}")
        if people and kept.seats[seat] != HUMAN:
            raise Problem(422, f"{seat} is played by the machine; nobody else can sit there")


async def seat_people(
    call: Call, kept: Kept, seating: Seating
) -> tuple[dict[str, Person], Opened, list[tuple[str, Place]]]:
    """The people of a new match, the tokens that are told, and their places."""
    settings = call.server.settings
    _named(kept, (*seating.invite, *seating.open))
    _named(kept, seating.watch, people=False)
    if set(seating.invite) & set(seating.open):
        raise Problem(422, "a seat is either open or for somebody who is invited")
    if seating.open and not settings.open_matches:
        raise Problem(403, "this server keeps no list of open matches")
    if not settings.local and any(player == HUMAN for player in kept.seats.values()):
        if any(kept.seats[seat] == HUMAN for seat in seating.watch):
            raise Problem(403, "only whoever holds a seat can let others look over its shoulder")
        if seating.watch:
            raise Problem(403, "nobody looks over the shoulder of a machine that plays against people")
    account = await call.account()
    name = clean(seating.holder) or (account.name if account else "")
    people = {}
    for seat, player in kept.seats.items():
        if player == HUMAN:
            state = INVITED if seat in seating.invite else OPEN if seat in seating.open else HELD
            word, seal = seating.given or (None, None)
            kept_seat = Person(HELD, name, account.id if account else None, seal=seal, word=word)
            people[seat] = kept_seat if state == HELD else Person(state)
    opened, places = tokens_of(kept, people, seating.watch)
    for kind, seat in (("spectator", ""), ("owner", "")):
        places.append((links.new_token(), Place(kept.id, seat, kind)))
    opened.spectators, opened.owner = places[-2][0], places[-1][0]
    return people, opened, places


def tokens_of(kept: Kept, people: dict[str, Person], watch: Iterable[str]) -> tuple[Opened, list[tuple[str, Place]]]:
    """A token for each seat that is held, an invitation for the others; where only machines play, ways to watch."""
    opened = Opened(kept.id, {}, {})
    found = []
    for seat, person in people.items():
        if person.state == OPEN:
            continue
        kind, told = ("seat", opened.tokens) if person.state == HELD else ("invite", opened.invitations)
        told[seat] = links.new_token()
        found.append((told[seat], Place(kept.id, seat, kind)))
    for seat in watch if people else kept.seats:
        opened.watch[seat] = links.new_token()
        found.append((opened.watch[seat], Place(kept.id, seat, "watch")))
    return opened, found


@endpoint(
    "POST",
    "/api/matches/{id}/join",
    "Open a match again: one of this machine (local mode), or one of the account",
    answer=Opened,
    rate="link",
    status=201,
)
async def join(call: Call) -> Opened:
    """New tokens: for all seats where everybody sits at one table, else for those that the account holds."""
    store = call.server.store
    kept = await find_match(call.server, call.request.path_params["id"])
    people = await store.people(kept.id)
    if not call.server.settings.local:
        account = await call.account()
        people = {
            seat: person for seat, person in people.items() if account is not None and person.account == account.id
        }
        if not people:
            raise Problem(403, "only a local server gives out the tokens of a match again, or one's own account")
    people = {seat: person for seat, person in people.items() if person.state == HELD}
    opened, places = tokens_of(kept, people, ())
    if not call.server.settings.local and not people:
        opened.watch, places = {}, []
    await _keep(store, places, int(time.time()), next((person.account for person in people.values()), None))
    return opened


@transaction
async def _keep(
    connection: AsyncConnection, places: list[tuple[str, Place]], now: int, account: str | None = None
) -> None:
    await add_links(connection, places, now, account=account)


# Taking a seat


async def told(call: Call, match: str, ended: list[str], why: str) -> None:
    """Whoever is here by a link that was ended goes, and all others learn who sits where."""
    call.matches.drop(match, ended, Problem(401, links.ENDED[why]))
    await call.matches.people_changed(match)


class Coming(msgspec.Struct, frozen=True):
    """Whoever takes a seat, when, and what he puts into the dice."""

    name: str
    account: Account | None
    at: int
    given: tuple[str | None, str] = pledges.NOTHING


async def _coming(call: Call) -> Coming:
    account = await call.account()
    name = clean(call.body.name) or (account.name if account else "")
    return Coming(name, account, int(time.time()), pledges.contribution(call.body.word, call.body.seal))


@of_match(
    "POST",
    "/accept",
    "Exchange an invitation for its seat",
    body=Guest,
    answer=Opened,
    kinds=("invite",),
    rate="link",
    status=201,
)
async def accept(call: Call) -> Opened:
    """A fresh token for the seat; the invitation and whatever led to the seat before open nothing any more."""
    found = await _accept(call.server.store, call.place, await _coming(call))
    if found is None:
        raise Problem(401, links.ENDED["used"])
    token, ended = found
    call.matches.drop(call.id, [call.place.link], Problem(401, links.ENDED["used"]))
    await told(call, call.id, ended, "handed on")
    await call.matches.merge(call.id)
    return Opened(call.id, {call.place.seat: token}, {})


@transaction
async def _accept(connection: AsyncConnection, place: Place, who: Coming) -> tuple[str, list[str]] | None:
    kept = await pledges.locked(connection, place.match)
    await seat_state(connection, place.match, place.seat)  # of two who want the seat one comes after the other
    good = (link_table.c.id == place.link) & link_table.c.ended.is_(None)
    used = await connection.execute(link_table.update().where(good).values(ended="used"))
    if used.rowcount != 1:
        return None  # somebody was quicker
    ended = await links.end(connection, place.match, "handed on", seat=place.seat, kinds=("seat", "watch", "invite"))
    return await _take(connection, kept, place.seat, who), ended


async def _take(connection: AsyncConnection, kept: Kept, seat: str, who: Coming) -> str:
    """The seat is held from now on, and its word is in: the token of whoever holds it."""
    await _hold(connection, kept.id, seat, who)
    await pledges.give(connection, kept, seat, who.given)
    account = who.account.id if who.account else None
    return (await links.make(connection, Place(kept.id, seat), who.at, account=account))[0]


def the_seat(match: str, seat: str) -> sa.ColumnElement[bool]:
    return (seat_table.c.match == match) & (seat_table.c.seat == seat)


async def seat_state(connection: AsyncConnection, match: str, seat: str) -> str:
    """Whether a seat is held; nobody else can change that until the transaction is over."""
    wanted = sa.select(seat_table.c.state).where(the_seat(match, seat)).with_for_update()
    return str((await connection.execute(wanted)).scalar_one())


async def _hold(connection: AsyncConnection, match: str, seat: str, who: Coming) -> None:
    held = {
        "state": HELD,
        "name": who.name,
        "account": who.account.id if who.account else None,
        "forced": False,
        "spectators": None,
    }
    await connection.execute(seat_table.update().where(the_seat(match, seat)).values(held))
    notices = (notice_table.c.match == match) & (notice_table.c.seat == seat)
    await connection.execute(notice_table.delete().where(notices))  # those of whoever sat here before
    await tell(connection, Changed(match))


@endpoint("POST", "/api/matches/{id}/sit", "Take an open seat", body=SitDown, answer=Opened, rate="link", status=201)
async def sit(call: Call) -> Opened:
    """A token for a seat that anybody may take."""
    kept = await find_match(call.server, call.request.path_params["id"])
    _named(kept, (call.body.seat,))
    token = await _sit(call.server.store, Place(kept.id, call.body.seat), await _coming(call))
    if token is None:
        raise Problem(403, f"{call.body.seat} is not open")
    await call.matches.people_changed(kept.id)
    await call.matches.merge(kept.id)
    return Opened(kept.id, {call.body.seat: token}, {})


@transaction
async def _sit(connection: AsyncConnection, place: Place, who: Coming) -> str | None:
    kept = await pledges.locked(connection, place.match)
    if await seat_state(connection, place.match, place.seat) != OPEN:
        return None
    return await _take(connection, kept, place.seat, who)


@transaction
async def open_matches(connection: AsyncConnection, most: int = 100) -> list[Kept]:
    """Matches with an open seat, the newest first."""
    free = sa.select(seat_table.c.match).where(seat_table.c.state == OPEN)
    wanted = sa.select(match_table).where(match_table.c.id.in_(free), match_table.c.result.is_(None))
    found = await connection.execute(wanted.order_by(match_table.c.created.desc(), match_table.c.id).limit(most))
    return list(readable(found))


@seated("POST", "/claim", "Keep a seat with the account that is logged in", answer=Opened, rate="link")
async def claim(call: Call) -> Opened:
    """The seat is found again from every device of the account."""
    account = await call.account()
    if account is None:
        raise Problem(401, "nobody has logged in")
    await _claim(call.server.store, call.place, account)
    await call.matches.people_changed(call.id)
    return Opened(call.id, {}, {})


@transaction
async def _claim(connection: AsyncConnection, place: Place, account: Account) -> None:
    """The link is written down with it: when it is revoked the claim ends."""
    await connection.execute(link_table.update().where(link_table.c.id == place.link).values(account=account.id))
    await connection.execute(seat_table.update().where(the_seat(place.match, place.seat)).values(account=account.id))
    await tell(connection, Changed(place.match))


# The seat itself


@transaction
async def _set_seat(connection: AsyncConnection, match: str, seat: str, values: dict[str, object]) -> None:
    await connection.execute(seat_table.update().where(the_seat(match, seat)).values(values))
    await tell(connection, Changed(match))


@seated(
    "POST",
    "/seat",
    "What the holder of a seat wants: a name, merged forced steps, what spectators see",
    body=SeatWish,
    answer=SeatWish,
    rate="link",
)
async def wish(call: Call) -> SeatWish:
    """Changes what is given; the answer is what holds now."""
    wanted: SeatWish = call.body
    values: dict[str, object] = {}
    if wanted.name is not None:
        values["name"] = clean(wanted.name)
    if wanted.forced is not None:
        values["forced"] = wanted.forced
    if wanted.spectators is not None:
        kept = await find_match(call.server, call.id)
        values["spectators"] = msgspec.json.encode(spectators.checked(wanted.spectators, kept.seats)).decode()
    if values:
        await _set_seat(call.server.store, call.id, call.place.seat, values)
        await call.matches.people_changed(call.id)
    if wanted.forced:
        await call.matches.merge(call.id)
    person = (await call.server.store.people(call.id))[call.place.seat]
    return SeatWish(person.name, person.forced, spectators.wish(person))


@transaction
async def mine(connection: AsyncConnection, account: Account) -> dict[str, str]:
    """The matches of an account, each with one of its seats."""
    wanted = sa.select(seat_table.c.match, seat_table.c.seat).where(seat_table.c.account == account.id)
    return {row.match: row.seat for row in await connection.execute(wanted.order_by(seat_table.c.seat.desc()))}
