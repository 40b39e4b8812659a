"""Endpoints of seats: the people and links of a new match, accepting an invitation, taking an open seat, and wishes.

Whoever begins a match keeps the seats he does not give away. A seat for somebody else gets an invitation: it opens
nothing, and is exchanged once for the seat. From then on only its holder has links to it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

import msgspec

from fronte.server.api_types import Choice, Given, Name, Opened, Seal, Word
from fronte.server.clocks import ClockRule
from fronte.server.dice import pledges
from fronte.server.http.endpoint import Call, endpoint, find_match, of_match, seated
from fronte.server.matches import spectators, tables
from fronte.server.people import links, seating
from fronte.server.people.accounts import clean
from fronte.server.problem import Problem
from fronte.server.store.rows import HELD, HUMAN, INVITED, OPEN, Kept, Person, Place


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
    for seat in watch if people else (tables.ALL, *kept.seats):
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
    await seating.give_links(
        store, places, int(time.time()), next((person.account for person in people.values()), None)
    )
    return opened


# Taking a seat


async def told(call: Call, match: str, ended: list[str], why: str) -> None:
    """Whoever is here by a link that was ended goes, and all others learn who sits where."""
    call.matches.drop(match, ended, Problem(401, links.ENDED[why]))
    await call.matches.people_changed(match)


async def _coming(call: Call) -> seating.Coming:
    account = await call.account()
    name = clean(call.body.name) or (account.name if account else "")
    return seating.Coming(name, account, int(time.time()), pledges.contribution(call.body.word, call.body.seal))


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
    found = await seating.accept(call.server.store, call.place, await _coming(call))
    if found is None:
        raise Problem(401, links.ENDED["used"])
    token, ended = found
    call.matches.drop(call.id, [call.place.link], Problem(401, links.ENDED["used"]))
    await told(call, call.id, ended, "handed on")
    await call.matches.merge(call.id)
    return Opened(call.id, {call.place.seat: token}, {})


@endpoint("POST", "/api/matches/{id}/sit", "Take an open seat", body=SitDown, answer=Opened, rate="link", status=201)
async def sit(call: Call) -> Opened:
    """A token for a seat that anybody may take."""
    kept = await find_match(call.server, call.request.path_params["id"])
    _named(kept, (call.body.seat,))
    token = await seating.sit(call.server.store, Place(kept.id, call.body.seat), await _coming(call))
    if token is None:
        raise Problem(403, f"{call.body.seat} is not open")
    await call.matches.people_changed(kept.id)
    await call.matches.merge(kept.id)
    return Opened(kept.id, {call.body.seat: token}, {})


@seated("POST", "/claim", "Keep a seat with the account that is logged in", answer=Opened, rate="link")
async def claim(call: Call) -> Opened:
    """The seat is found again from every device of the account."""
    account = await call.account()
    if account is None:
        raise Problem(401, "nobody has logged in")
    await seating.claim(call.server.store, call.place, account)
    await call.matches.people_changed(call.id)
    return Opened(call.id, {}, {})


# The seat itself


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
        await seating.change(call.server.store, call.id, call.place.seat, values)
        await call.matches.people_changed(call.id)
    if wanted.forced:
        await call.matches.merge(call.id)
    person = (await call.server.store.people(call.id))[call.place.seat]
    return SeatWish(person.name, person.forced, spectators.wish(person))
