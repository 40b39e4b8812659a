"""The endpoints, one by one (docs/server.md is their contract)."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from fronte.engine.decision import IllegalAction, Refusal
from fronte.engine.match import Match
from fronte.engine.record import write
from fronte.games.registry import GAMES, for_header
from fronte.server import board, links, metrics, pledges, seating, spectators, tables
from fronte.server.bodies import (
    About,
    Health,
    History,
    Judgement,
    Listing,
    Order,
    Play,
    Problem,
    Question,
    SupplyFound,
    Table,
    Undo,
    Via,
    WayFound,
    Zones,
)
from fronte.server.http import Call, bearer, endpoint, find_match
from fronte.server.memory import Live, holder
from fronte.server.store import Kept, Person, Place
from fronte.server.words import said

ANY = ("seat", "watch", "spectator", "owner", "invite")

# What is printed


def _printed(call: Call, page: board.Page, media: str = "application/json") -> Response:
    """Something that does not change: a browser that has it already is told so."""
    headers = {"etag": page.tag, "cache-control": "no-cache"}
    if page.tag in call.request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    return Response(page.body, 200, headers, media)


def _game(call: Call) -> str:
    name: str = call.request.path_params["game"]
    if name not in GAMES:
        raise Problem(404, f"no game {name!r}; the games are {', '.join(GAMES)}")
    return name


@endpoint("GET", "/api/games", "The games, and what can be chosen when a match is begun")
async def list_games(call: Call) -> Response:
    """Titles, scenarios, options, seats and machine players."""
    return _printed(call, await asyncio.to_thread(board.games))


@endpoint("GET", "/api/games/{game}/board", "Everything printed: board, counters, tables, words")
async def show_board(call: Call) -> Response:
    """What does not change during a match."""
    return _printed(call, await asyncio.to_thread(board.board, _game(call)))


@endpoint("GET", "/api/games/{game}/rules", "The rules reference", query=("language",))
async def show_rules(call: Call) -> Response:
    """The rules in our own words."""
    return _printed(call, await asyncio.to_thread(board.rules_reference, _game(call), call.language))


@endpoint("GET", "/api/games/{game}/picture", "The relief picture of the board", media="image/*")
async def show_picture(call: Call) -> Response:
    """The picture under the hexes."""
    page, media = await asyncio.to_thread(board.picture, _game(call))
    return _printed(call, page, media)


@endpoint("GET", "/api/games/{game}/lesson", "A first lesson on a corner of the board")
async def show_lesson(call: Call) -> Response:
    """The position and the steps of the lesson, for the games that have one."""
    page = await asyncio.to_thread(board.lesson, _game(call))
    if page is None:
        raise Problem(404, f"{_game(call)} has no lesson")
    return _printed(call, page)


@endpoint("GET", "/api/health", "Does the database answer?", answer=Health)
async def health(call: Call) -> Health:
    """For whoever keeps the server running."""
    return Health(await call.server.store.answers())


@endpoint("GET", "/api/metrics", "Metrics for Prometheus", media="text/plain")
async def show_metrics(call: Call) -> Response:
    """For whoever has the token of the settings; at a local table for all."""
    settings = call.server.settings
    given = bearer(call.request)
    if not settings.local and not (settings.metrics and hmac.compare_digest(given.encode(), settings.metrics.encode())):
        raise Problem(401, "the token for metrics is needed")
    return Response(call.server.metrics.text(call.server), 200, {"cache-control": "no-store"}, metrics.TEXT)


# Matches


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
    return Listing([await _listed(call, kept, places.get(kept.id)) for kept in found])


@endpoint("GET", "/api/matches/open", "Matches with a seat that anybody may take", answer=Listing)
async def list_open(call: Call) -> Listing:
    """The newest first; none where the host keeps no such list."""
    if not call.server.settings.open_matches:
        return Listing([])
    return Listing([await _listed(call, kept, None) for kept in await seating.open_matches(call.server.store)])


async def _listed(call: Call, kept: Kept, place: Place | None) -> About:
    live = None if call.server.store.shared else call.matches.live.get(kept.id)
    people = live.people if live is not None else await call.server.store.people(kept.id)
    found = _about(kept, place, people, call.language)
    here = call.matches.here(kept.id)
    found.people = {seat: holder(person, seat in here) for seat, person in people.items()}
    return found


def _about(kept: Kept, place: Place | None, people: Mapping[str, Person], language: str) -> About:
    header = kept.heading.header
    error = None
    try:
        for_header(header)
    except ValueError as wrong:
        error = said(str(wrong), language)
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
        created=_date(kept.created),
        changed=_date(kept.changed),
        you=place.seat or None if place else None,
        watches=place.watches if place else False,
        role=place.kind if place else None,
        spectators=spectators.agreed(people),
        wishes={seat: spectators.wish(person) for seat, person in people.items()},
        clock=kept.clock.rule if kept.clock else None,
        ended=kept.ended.by if kept.ended else None,
        pledge=pledges.shown(kept, people),
        error=error,
    )


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


@endpoint("GET", "/api/matches/{id}", "What a match is", answer=About, seat=True, kinds=ANY)
async def show_match(call: Call) -> About:
    """Game, options, seats, and who you are."""
    return await _listed(call, await find_match(call.server, call.id), call.place)


# Looking


def _after(live: Live, call: Call) -> int:
    since = call.number("since")
    return live.line if since is None else max(-1, live.known(since, call.number("revision")))


@endpoint(
    "GET",
    "/api/matches/{id}/state",
    "The table of a seat, now or after `at` lines",
    answer=Table,
    query=("at", "since", "revision", "language"),
    seat=True,
)
async def show_state(call: Call) -> Table:
    """All that the seat has before it."""
    at = call.number("at")
    async with call.matches.at(call.id) as live:
        if call.place.kind == "spectator" and at is not None:
            after = at if call.number("since") is None else _after(live, call)
            return await asyncio.to_thread(spectators.earlier, live, at, call.language, after, int(time.time()))
        if at is None or at == live.line:
            return live.table(call.place, call.language, _after(live, call))
        if not 0 <= at < live.line:
            raise Problem(404, f"the record has {live.line} lines", line=live.line)
        then = await asyncio.to_thread(live.past.at, live.match, at)
        after = at if call.number("since") is None else min(at, _after(live, call))
        return tables.earlier_table(then, live.match, at, call.place.seat, call.language, after, live.revision)


@endpoint(
    "GET",
    "/api/matches/{id}/events",
    "What happened, as the seat may know it",
    answer=History,
    query=("since", "until", "language"),
    seat=True,
)
async def show_events(call: Call) -> History:
    """The events of the lines after `since`; from the very beginning without it."""
    since, until = call.number("since"), call.number("until")
    async with call.matches.at(call.id) as live:
        last = live.line if until is None else min(until, live.line)
        first = -1 if since is None else max(-1, since)
        if call.place.kind == "spectator":
            return spectators.history(live, call.language, first, last, int(time.time()))
        return History(tables.events(live.match, call.place.seat, call.language, first, last))


@endpoint("GET", "/api/matches/{id}/save", "The match as a text file", media="text/plain", query=("token",), seat=True)
async def show_save(call: Call) -> Response:
    """With all that belongs to its dice when it is over; at a local table at any time, with its seed."""
    async with call.matches.at(call.id) as live:
        if not live.over and not call.server.settings.local:
            raise Problem(403, "the save holds what the other seat may not know; it can be had when the match is over")
        heading = pledges.heading_of_save(live)
        text = write(heading, live.match.entries)
    name = f"{heading.header.game}-{call.id}.fronte"
    return Response(text, 200, {"content-disposition": f'attachment; filename="{name}"'}, "text/plain")


# Acting


def _foreign(match: Match, seat: str) -> None:
    """Refuse a seat that does not owe the decision."""
    if match.seat >= 0 and match.rules.seats[match.seat] != seat:
        refusal = Refusal("", "not_your_decision", {"owes": match.rules.seats[match.seat], "asks": seat})
        raise tables.illegal(match, match.rules.told(refusal), 403, len(match.entries))


def player_action(seat: str, action: Any) -> Any:
    """An action as something to do to a match."""

    def do(match: Match) -> None:
        _foreign(match, seat)
        try:
            match.play(action, seat)
        except IllegalAction as wrong:
            raise tables.illegal(match, wrong.refusal) from None

    return do


def player_undo(seat: str) -> Any:
    """Undo as something to do to a match."""

    def do(match: Match) -> None:
        if not match.can_undo(seat):
            raise Problem(422, "nothing can be taken back: dice fell, something was revealed, or the other decided")
        match.undo()

    return do


def player_orders(seat: str, orders: Mapping[str, str | None]) -> Any:
    """Standing orders as something to do to a match."""

    def do(match: Match) -> None:
        for kind, policy in orders.items():
            known = match.rules.standing.get(kind)
            if known is None:
                raise Problem(
                    422, f"no standing order can answer {kind!r}; possible: {', '.join(match.rules.standing)}"
                )
            if policy is not None and policy not in known:
                raise Problem(422, f"no policy {policy!r} for {kind}; the policies are {', '.join(known)}")
        for kind, policy in orders.items():
            if match.orders.get((match.rules.seat_index(seat), kind)) != policy:
                match.order(seat, kind, policy)

    return do


async def _changed(call: Call, line: int | None, revision: int | None, do: Any) -> Table:
    async with call.matches.at(call.id) as live:
        before = live.line if line is None else line
    await call.matches.change(call.id, line, revision, do)
    async with call.matches.at(call.id) as live:
        return live.table(call.place, call.language, min(before, live.line))


@endpoint(
    "POST",
    "/api/matches/{id}/actions",
    "Play an action",
    body=Play,
    answer=Table,
    query=("language",),
    seat=True,
    rate="action",
)
async def play(call: Call) -> Table:
    """Plays it if `line` is still the present one; the answer comes after the commit."""
    wanted: Play = call.body
    return await _changed(call, wanted.line, wanted.revision, player_action(call.acting(), wanted.action))


@endpoint(
    "POST",
    "/api/matches/{id}/undo",
    "Take back",
    body=Undo,
    answer=Table,
    query=("language",),
    seat=True,
    rate="action",
)
async def undo(call: Call) -> Table:
    """Takes back the seat's last action, as far as undo reaches."""
    wanted: Undo = call.body
    return await _changed(call, wanted.line, wanted.revision, player_undo(call.acting()))


@endpoint(
    "POST",
    "/api/matches/{id}/orders",
    "Give a standing order",
    body=Order,
    answer=Table,
    query=("language",),
    seat=True,
)
async def order(call: Call) -> Table:
    """From now on this policy answers this kind of decision; null ends that."""
    wanted: Order = call.body
    return await _changed(call, None, None, player_orders(call.acting(), {wanted.kind: wanted.policy}))


# Asking


@endpoint(
    "POST",
    "/api/matches/{id}/why",
    "May this be played?",
    body=Question,
    answer=Judgement,
    query=("language",),
    seat=True,
)
async def why(call: Call) -> Judgement:
    """The rule that forbids an action, if one does."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        refused = live.match.why_not(call.body.action, seat)
        return Judgement(None if refused is None else tables.reason(live.match, refused, call.language))


@endpoint(
    "POST", "/api/matches/{id}/odds", "The exact odds of an action", body=Question, query=("language",), seat=True
)
async def odds(call: Call) -> dict[str, Any]:
    """As the seat that decides can know them."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        _foreign(live.match, seat)
        try:
            return live.match.odds(call.body.action, seat)
        except IllegalAction as wrong:
            raise tables.illegal(live.match, wrong.refusal) from None


@endpoint(
    "POST",
    "/api/matches/{id}/path",
    "The cheapest path through hexes",
    body=Via,
    answer=WayFound,
    query=("language",),
    seat=True,
)
async def path(call: Call) -> WayFound:
    """For a unit of the seat that decides."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        _foreign(live.match, seat)
        rules = live.match.rules
        found = rules.path_through(live.match.state, call.body.unit, call.body.via)
        if isinstance(found, Refusal):
            return WayFound([], None, tables.reason(live.match, rules.told(found), call.language))
    return WayFound(list(found.path), found.left, None)


@endpoint(
    "GET",
    "/api/matches/{id}/supply/{unit}",
    "The supply path of a unit",
    answer=SupplyFound,
    query=("language",),
    seat=True,
)
async def supply(call: Call) -> SupplyFound:
    """Of a unit of one's own."""
    async with call.matches.at(call.id) as live:
        rules = live.match.rules
        seat = rules.seat_index(call.seat())
        found = rules.supply_line(live.match.state, call.request.path_params["unit"], seat)
        if isinstance(found, Refusal):
            raise tables.illegal(live.match, rules.told(found))
    return SupplyFound(found.path, found.length, found.state)


@endpoint("GET", "/api/matches/{id}/zones", "The zones of control of both sides", answer=Zones, seat=True)
async def zones(call: Call) -> Zones:
    """As far as all may know them."""
    async with call.matches.at(call.id) as live:
        if call.place.kind == "spectator":
            return spectators.zones(live, int(time.time()))
        return Zones(live.match.rules.zones(live.match.state))
