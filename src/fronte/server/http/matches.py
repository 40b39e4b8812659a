"""Endpoints of matches: which there are, what one is, how it stands, what happened, and its save."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec
from starlette.responses import Response

from fronte.engine import trust
from fronte.engine.pack import PackError
from fronte.engine.record import Heading, write
from fronte.engine.rules import Result
from fronte.games.registry import check_header
from fronte.server.api_types import About, History, Listing, Table
from fronte.server.dice import pledges
from fronte.server.http.endpoint import Call, endpoint, find_match, of_match
from fronte.server.matches import reasons, spectators, tables
from fronte.server.matches.live import Live, holder
from fronte.server.matches.reasons import Reasons
from fronte.server.matches.replay import with_seed
from fronte.server.people import links, seating
from fronte.server.problem import Problem
from fronte.server.store.outage import fault
from fronte.server.store.rows import HUMAN, Kept, Person, Place
from fronte.server.words import said

ANY = ("seat", "watch", "spectator", "owner", "invite")


@endpoint("GET", "/api/matches", "The matches that may be listed", answer=Listing)
async def list_matches(call: Call) -> Listing:
    """In local mode all, else those whose tokens are sent in X-Fronte-Tokens, and those of the account."""
    sent = [token.strip() for token in call.request.headers.get("x-fronte-tokens", "").split(",") if token.strip()]
    good = [link.place for link in await links.find(call.server.store, sent[:200]) if link.ended is None]
    account = await call.account()
    mine = {} if account is None else await seating.mine(call.server.store, account)
    places = {match: Place(match, seat) for match, seat in mine.items()}
    places |= {place.match: place for place in reversed(good)}
    names = None if call.server.settings.local else list(places)
    found = await call.server.store.matches(names)
    errors = await asyncio.to_thread(_errors, call, found)
    return Listing([await _listed(call, kept, places.get(kept.id), errors[kept.id]) for kept in found])


@endpoint("GET", "/api/matches/open", "Matches with a seat that anybody may take", answer=Listing)
async def list_open(call: Call) -> Listing:
    """The newest first; none where the host keeps no such list."""
    if not call.server.settings.open_matches:
        return Listing([])
    found = await seating.open_matches(call.server.store)
    errors = await asyncio.to_thread(_errors, call, found)
    return Listing([await _listed(call, kept, None, errors[kept.id]) for kept in found])


def _errors(call: Call, found: Sequence[Kept]) -> dict[str, str | None]:
    """Why matches cannot be opened any more, as far as their headings tell."""
    return {kept.id: _error(call, kept) for kept in found}


def _error(call: Call, kept: Kept) -> str | None:
    header = kept.heading.header
    try:
        check_header(header, call.server.settings.folders(header.game))
    except PackError as wrong:
        return said(fault(wrong).why, call.language)
    except ValueError as wrong:
        return said(str(wrong), call.language)
    return None


async def _listed(call: Call, kept: Kept, place: Place | None, error: str | None) -> About:
    live = None if call.server.store.shared else call.matches.live.get(kept.id)
    people = live.people if live is not None else await call.server.store.people(kept.id)
    found = _about(kept, place, people, error)
    here = call.matches.here(kept.id)
    closed = place is None or (place.kind == "spectator" and not _open(kept, people))
    found.card = None if closed and not call.server.settings.local else kept.card
    mine = people.get(place.seat) if place is not None and place.kind == "seat" else None
    found.archived = kept.archived if call.server.settings.local else mine is not None and mine.archived
    found.people = {seat: holder(person, seat in here) for seat, person in people.items()}
    return found


def _open(kept: Kept, people: Mapping[str, Person]) -> bool:
    """Do those who look on see what everybody may know, and at once?"""
    choice = spectators.agreed(people, kept.seats)
    over = kept.result is not None or kept.ended is not None
    return choice.see == spectators.COMMON or (over and choice.see != spectators.NOTHING)


def _about(kept: Kept, place: Place | None, people: Mapping[str, Person], error: str | None) -> About:
    header = kept.heading.header
    return About(
        id=kept.id,
        name=kept.name,
        game=header.game,
        scenario=header.scenario,
        options=header.options,
        seats=kept.seats,
        line=kept.line,
        revision=kept.revision,
        result=kept.result,
        commitment=kept.heading.commitment,
        seed_known=kept.seed_known,
        practice=kept.practice or list(kept.seats.values()).count(HUMAN) < 2,
        created=_date(kept.created),
        changed=_date(kept.changed),
        you=place.seat or None if place else None,
        watches=place.watches if place else False,
        role=place.kind if place else None,
        spectators=spectators.agreed(people, kept.seats),
        wishes={seat: spectators.wish(person) for seat, person in people.items()},
        clock=kept.clock.rule if kept.clock else None,
        ended=kept.ended.by if kept.ended else None,
        winner=kept.ended.winner if kept.ended else (kept.result or {}).get("winner"),
        pledge=pledges.shown(kept, people),
        error=error,
    )


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


@of_match("GET", "", "What a match is", answer=About, kinds=ANY)
async def show_match(call: Call) -> About:
    """Game, options, seats, and who you are."""
    kept = await find_match(call.server, call.id)
    return await _listed(call, kept, call.place, await asyncio.to_thread(_error, call, kept))


# Looking


def _after(live: Live, call: Call) -> int:
    since = call.number("since")
    return live.line if since is None else max(-1, live.known(since, call.number("revision")))


@of_match(
    "GET",
    "/state",
    "The table of a seat, now or after `at` lines",
    answer=Table,
    query=("at", "since", "revision", "language", "open"),
    rate="show",
)
async def show_state(call: Call) -> Table:
    """All that the seat has before it; with `open` without fog, once the match is over."""
    at = call.number("at")
    async with call.matches.at(call.id) as live:
        if call.number("open"):
            return await call.matches.work(call.id, _lifted, live, call, at)
        if call.place.kind == "spectator" and at is not None:
            after = at if call.number("since") is None else _after(live, call)
            return await call.matches.work(
                call.id, spectators.earlier, live, at, call.language, after, int(time.time())
            )
        if at is None or at == live.line:
            return await call.matches.table(live, call.place, call.language, _after(live, call))
        if not 0 <= at < live.line:
            raise Problem(404, f"the record has {live.line} lines", line=live.line)
        after = at if call.number("since") is None else min(at, _after(live, call))
        return await call.matches.work(call.id, _earlier, live, at, call.place.seat, call.language, after)


def _lifted(live: Live, call: Call, at: int | None) -> Table:
    """What all seats see together: nothing is secret once a match is over."""
    if not live.over:
        raise Problem(403, "the fog lifts when the match is over")
    if call.place.kind == "spectator":
        spectators.shown_line(live, int(time.time()))  # the players may let nobody look on
    line = live.line if at is None else at
    if not 0 <= line <= live.line:
        raise Problem(404, f"the record has {live.line} lines", line=live.line)
    after = line if call.number("since") is None else min(line, _after(live, call))
    found = _earlier(live, line, tables.ALL, call.language, after)
    ended = live.ended if line == live.line else None
    return found if ended is None else tables.closed(found, ended, call.language)


def _earlier(live: Live, at: int, seat: str, language: str, after: int) -> Table:
    then = live.past.at(live.match, at)
    return tables.earlier_table(then, live.match, at, seat, language, after, live.revision)


@of_match(
    "GET",
    "/events",
    "What happened, as the seat may know it",
    answer=History,
    query=("since", "until", "language"),
    rate="show",
)
async def show_events(call: Call) -> History:
    """The events of the lines after `since`; from the very beginning without it."""
    since, until = call.number("since"), call.number("until")
    async with call.matches.at(call.id) as live:
        last = live.line if until is None else min(until, live.line)
        first = -1 if since is None else max(-1, since)
        if call.place.kind == "spectator":
            return await call.matches.work(
                call.id, spectators.history, live, call.language, first, last, int(time.time())
            )
        seat = call.place.seat
        return History(await call.matches.work(call.id, tables.events, live.match, seat, call.language, first, last))


@of_match("GET", "/reasons", "Why the machine players did what they did", answer=Reasons)
async def show_reasons(call: Call) -> Reasons:
    """As far as the seat may hear it, by line."""
    async with call.matches.at(call.id) as live:
        last = live.line
    return Reasons(await reasons.of_place(call.server.store, call.place, last))


@of_match("GET", "/save", "The match as a text file", media="text/plain", query=("token",), rate="show")
async def show_save(call: Call) -> Response:
    """With all that belongs to its dice when it is over; at a local table at any time, with its seed."""
    async with call.matches.at(call.id) as live:
        if not live.over and not call.server.settings.local:
            raise Problem(403, "the save holds what the other seat may not know; it can be had when the match is over")
        heading, text = await call.matches.work(call.id, _save, live)
    name = f"{heading.header.game}-{call.id}.fronte"
    return Response(text, 200, {"content-disposition": f'attachment; filename="{name}"'}, "text/plain")


def _save(live: Live) -> tuple[Heading, str]:
    heading = _heading(live)
    return heading, write(heading, live.match.entries)


def _heading(live: Live) -> Heading:
    """The heading of a save: with everything shown when the match is over, else with its seed alone."""
    kept, result, ended = live.kept, live.match.result, live.ended
    asked = {seat: tuple(map(int, person.hints.split())) for seat, person in live.people.items() if person.hints}
    heading = msgspec.structs.replace(with_seed(kept.heading, kept.stream), players=kept.seats, hints=asked)
    if ended is not None:
        early = Result(ended.by, 0, ended.winner, ())
        return trust.closed(heading, live.match.entries, kept.stream or b"", early, kept.secret, ended.by)
    if result is None or kept.stream is None:
        return heading
    return trust.closed(heading, live.match.entries, kept.stream, result, kept.secret)
