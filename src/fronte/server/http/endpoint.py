"""The HTTP part: what an endpoint is, how a request is read and refused, and how it is answered."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from fronte.engine.text import LANGUAGES
from fronte.server.http.metrics import Metrics
from fronte.server.http.rate_limits import Limits, rates
from fronte.server.load_shedding import Load
from fronte.server.matches.matches import CHANGES, WHOLE, Matches
from fronte.server.matches.worker_pool import Pool
from fronte.server.notices.delivery import Notices
from fronte.server.people import accounts, links
from fronte.server.people.accounts import Account
from fronte.server.problem import Problem
from fronte.server.processes.sandbox import Sandbox
from fronte.server.settings import Settings
from fronte.server.store.database import Store
from fronte.server.store.outage import FAULTS, fault
from fronte.server.store.rows import Kept, Place

MATCH_ID = re.compile(r"[a-z0-9]{1,32}")
NUMBER = re.compile(r"-?[0-9]{1,7}")


class Server:
    """All that a running server has."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.url)
        self.pool = Pool(settings.workers, settings.think_seconds, settings.folders)
        self.matches = Matches(self.store, self.pool, settings)
        self.limits = Limits({} if settings.local and not settings.rates else rates(settings.rates))
        self.load = Load(settings)
        self.sandbox = Sandbox(settings.trial_seconds, self.load)
        self.metrics = Metrics()
        self.windows: Counter[tuple[str, str]] = Counter()
        """How many browsers have a table open, by match and link."""
        self.secret = ""
        """Kept in the database: what only this server can have signed (see `accounts`)."""
        self.notices = Notices(settings, self.store)
        self.notices.present = lambda match, seat: seat in self.matches.here(match)


class Call:
    """One request, read: who asks, in which language, and the body."""

    def __init__(self, server: Server, request: Request, place: Place | None, body: Any) -> None:
        self.server = server
        self.matches = server.matches
        self.request = request
        self.language = language(request)
        self.body = body
        self._place = place

    @property
    def place(self) -> Place:
        """The seat that asks."""
        assert self._place is not None
        return self._place

    @property
    def id(self) -> str:
        """The match it is about."""
        return self.place.match

    def number(self, name: str) -> int | None:
        """A number of the query, if it is there."""
        return number(self.request, name)

    def word(self, name: str) -> str:
        """A word of the query; empty if it is not there."""
        return self.request.query_params.get(name, "")[:100]

    def acting(self) -> str:
        """The seat that asks, if it may do more than watch."""
        if self.place.watches:
            raise Problem(403, "this token only watches")
        return self.place.seat

    def seat(self) -> str:
        """The seat that asks or is watched; spectators have none."""
        if self.place.kind == "spectator":
            raise Problem(403, "spectators have no seat")
        return self.place.seat

    @property
    def secure(self) -> bool:
        """Does the browser come by https?"""
        return self.request.url.scheme == "https" or self.server.settings.public_url.startswith("https://")

    @property
    def session(self) -> str:
        """The token of the log-in, if there is one."""
        return self.request.cookies.get(cookie_name(self.secure), "")

    async def account(self) -> Account | None:
        """Who has logged in. What changes something must also prove that the page is ours."""
        token = self.session
        found = await accounts.of_session(self.server.store, token, int(time.time())) if token else None
        if found is not None and self.request.method not in ("GET", "HEAD"):
            given = self.request.headers.get("x-fronte-csrf", "")
            if not hmac.compare_digest(given.encode(), accounts.csrf_of(token).encode()):
                raise Problem(403, "the header X-Fronte-CSRF is missing or wrong; GET /api/account tells it")
        return found


class Endpoint(msgspec.Struct, frozen=True):
    """A request that the server answers, as code and description need it."""

    method: str
    path: str
    run: Callable[[Call], Awaitable[Any]]
    summary: str
    body: Any = None
    """The type of a JSON body; str for a body of plain text."""
    answer: Any = None
    """The type of the answer; None where it is not JSON or is not described further."""
    media: str = "application/json"
    query: tuple[str, ...] = ()
    seat: bool = False
    """Does it need the token of a match?"""
    kinds: tuple[str, ...] = ("seat", "watch", "spectator")
    """The kinds of links that may use it."""
    rate: str = "request"
    """The rate limit it counts for, besides that of its address."""
    status: int = 200
    always: bool = False
    """Is it answered even when the server has too much to do?"""


BY_ADDRESS = ("show", "ask")
"""Rates that count by address also for those who have a link: one can make many matches, each with its links."""
ENDPOINTS: list[Endpoint] = []
PROTOCOLS = {"fronte.2": CHANGES, "fronte": WHOLE}
"""The subprotocols of websockets, the newest first, with the form in which each is told of tables; who offers none is
told whole. The token comes in the handshake too, instead of in the address."""


def cookie_name(secure: bool) -> str:
    """A browser takes the first name only from a server of its own that comes by https."""
    return "__Host-fronte" if secure else "fronte"


def endpoint(method: str, path: str, summary: str, **more: Any) -> Callable[[Any], Any]:
    """Enter a function as the answer to a request."""

    def enter(run: Any) -> Any:
        ENDPOINTS.append(Endpoint(method, path, run, summary, **more))
        return run

    return enter


def of_match(method: str, path: str, summary: str, **more: Any) -> Callable[[Any], Any]:
    """Enter an endpoint about a match, for those who have a link to it, by what follows the match in its path."""
    return endpoint(method, f"/api/matches/{{id}}{path}", summary, seat=True, **more)


def seated(method: str, path: str, summary: str, **more: Any) -> Callable[[Any], Any]:
    """Enter an endpoint about a match for whoever holds a seat of it."""
    return of_match(method, path, summary, kinds=("seat",), **more)


# Reading


def language(connection: HTTPConnection) -> str:
    """The language asked for."""
    asked = connection.query_params.get("language", "en")
    if asked not in LANGUAGES:
        raise Problem(400, f"no language {asked!r}; the languages are {', '.join(LANGUAGES)}")
    return asked


def number(connection: HTTPConnection, name: str) -> int | None:
    """A number of the query, if it is there."""
    text = connection.query_params.get(name)
    if text is None:
        return None
    if not NUMBER.fullmatch(text):
        raise Problem(400, f"{name} is {text!r}, not a number")
    return int(text)


async def find_match(server: Server, name: str) -> Kept:
    """The match with this id."""
    found = await server.store.match(name) if MATCH_ID.fullmatch(name) else None
    if found is None:
        raise Problem(404, f"there is no match {name!r}")
    return found


def bearer(connection: HTTPConnection) -> str:
    """The token that a request comes with: in a header, in the handshake of a websocket, or in the address."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    offered = [part.strip() for part in connection.headers.get("sec-websocket-protocol", "").split(",")]
    carried = next((part.removeprefix("bearer.") for part in offered if part.startswith("bearer.")), "")
    return carried or connection.query_params.get("token", "").strip()


def bearers(connection: HTTPConnection) -> list[str]:
    """The tokens of a websocket's handshake: somebody who holds several seats sits down to all of them at once."""
    offered = [part.strip() for part in connection.headers.get("sec-websocket-protocol", "").split(",")]
    carried = [part.removeprefix("bearer.") for part in offered if part.startswith("bearer.")]
    return list(dict.fromkeys(carried)) or [bearer(connection)]


async def find_place(
    server: Server, connection: HTTPConnection, kinds: Collection[str], token: str | None = None
) -> Place:
    """The place at this match that a request comes from, or that a token is for."""
    name = connection.path_params["id"]
    token = bearer(connection) if token is None else token
    link = await server.matches.links.find(token) if token else None
    if link is None or link.place.match != name:
        await find_match(server, name)
    if link is None:
        raise Problem(401, "a token of this match is needed" if not token else "the token is not known")
    if link.place.match != name:
        raise Problem(403, "the token is of another match")
    if link.ended is not None:
        raise Problem(401, links.ENDED[link.ended])
    if link.place.kind not in kinds:
        raise Problem(403, NOT_FOR[link.place.kind])
    return link.place


NOT_FOR = {
    "seat": "that is not for those who play",
    "watch": "this token only watches",
    "spectator": "that is not for spectators",
    "owner": "this link only hands out other links",
    "invite": "an invitation must be accepted first",
}


def address(connection: HTTPConnection) -> str:
    """Where a request comes from, for counting: of the newer addresses all that one line has are one."""
    host = connection.client.host if connection.client else ""
    if ":" in host:
        with contextlib.suppress(ValueError):
            return str(ipaddress.ip_network((host.partition("%")[0], 64), strict=False))
    return host


async def read_bytes(request: Request, most: int, seconds: float) -> bytes:
    """The body, as long as it is not too long and comes in time."""
    found = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                found += part
                if len(found) > most:
                    raise Problem(413, f"the body is longer than {most} bytes")
    except TimeoutError:
        raise Problem(408, f"the body has not come within {seconds:g} seconds") from None
    except ClientDisconnect:
        raise Problem(400, "the body broke off") from None
    return bytes(found)


async def read_body(server: Server, request: Request, kind: Any) -> Any:
    """The body as the endpoint wants it."""
    if kind is None:
        return None
    if kind is str:
        data = await read_bytes(request, server.settings.upload_bytes, 3 * server.settings.body_seconds)
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise Problem(400, "the save is not text (UTF-8)") from None
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != "application/json":  # also keeps pages of other sites from posting here unasked
        raise Problem(400, f"the body must be application/json, not {given or 'without a type'}")
    data = await read_bytes(request, server.settings.body_bytes, server.settings.body_seconds)
    return decode(data, kind)


def decode(data: bytes | str, kind: Any) -> Any:
    """JSON of this kind; 400 with the reason if it is not."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise Problem(400, f"the body cannot be read: {wrong}") from None


# Answering


def json_response(data: Any, status: int = 200) -> Response:
    """An answer as JSON."""
    return Response(msgspec.json.encode(data), status, {"cache-control": "no-store"}, "application/json")


def spoken(connection: HTTPConnection) -> str:
    """The language in which somebody is told what is wrong, even with the request for a language."""
    asked = connection.query_params.get("language", "")
    return asked if asked in LANGUAGES else LANGUAGES[0]


def answering(server: Server, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """What Starlette calls for an endpoint."""

    async def answer(request: Request) -> Response:
        request.scope["fronte.route"] = endpoint.path
        try:
            found = await _answer(server, endpoint, request)
        except Problem as wrong:
            found = refused(wrong, spoken(request))
        except FAULTS as wrong:
            found = refused(fault(wrong), spoken(request))
        return found if isinstance(found, Response) else json_response(found, endpoint.status)

    return answer


async def _answer(server: Server, endpoint: Endpoint, request: Request) -> Any:
    def under_way() -> AbstractContextManager[None]:
        return nullcontext() if endpoint.always else server.load.enter("request")

    if any("\0" in str(value) for value in request.path_params.values()):
        raise Problem(404, f"nothing is at {request.url.path}")
    with under_way():
        server.limits.take("request", address(request))
        place = await find_place(server, request, endpoint.kinds) if endpoint.seat else None
        if endpoint.rate != "request":
            link = None if place is None or endpoint.rate in BY_ADDRESS else place.link
            server.limits.take(endpoint.rate, address(request) if link is None else link)
    if place is not None:
        server.matches.look(place.match)
    body = await read_body(server, request, endpoint.body)  # whoever sends it slowly keeps nobody out
    with under_way():
        return await endpoint.run(Call(server, request, place, body))


def refused(problem: Problem, language: str = LANGUAGES[0]) -> Response:
    """The answer to a request that is refused."""
    response = json_response(problem.told(language), problem.status)
    if problem.status == 401:
        response.headers["www-authenticate"] = "Bearer"
    if problem.retry is not None:
        response.headers["retry-after"] = str(problem.retry)
    return response
