"""The HTTP part: what an endpoint is, how a request is read and refused, and how it is answered."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from fronte.engine.decision import IllegalAction
from fronte.engine.text import LANGUAGES
from fronte.server.bodies import Problem
from fronte.server.matches import Matches
from fronte.server.settings import Settings
from fronte.server.store import Kept, Place, Store
from fronte.server.workers import Pool

MATCH_ID = re.compile(r"[a-z0-9]{1,32}")
NUMBER = re.compile(r"-?[0-9]{1,7}")


class Server:
    """All that a running server has."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.url)
        self.pool = Pool(settings.workers, settings.think_seconds)
        self.matches = Matches(self.store, self.pool, settings.keep_matches)


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

    def acting(self) -> str:
        """The seat that asks, if it may do more than watch."""
        if self.place.watches:
            raise Problem(403, "this token only watches")
        return self.place.seat


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
    """Does it need the token of a seat?"""
    status: int = 200


ENDPOINTS: list[Endpoint] = []


def endpoint(method: str, path: str, summary: str, **more: Any) -> Callable[[Any], Any]:
    """Enter a function as the answer to a request."""

    def enter(run: Any) -> Any:
        ENDPOINTS.append(Endpoint(method, path, run, summary, **more))
        return run

    return enter


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


async def find_place(server: Server, connection: HTTPConnection) -> Place:
    """The seat of this match that a request comes from."""
    name = connection.path_params["id"]
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        token = connection.query_params.get("token", "")
    place = await server.matches.place(token.strip()) if token else None
    if place is None or place.match != name:
        await find_match(server, name)
    if place is None:
        raise Problem(401, "a token of this match is needed" if not token else "the token is not known")
    if place.match != name:
        raise Problem(403, "the token is of another match")
    return place


async def read_bytes(request: Request, most: int) -> bytes:
    """The body, as long as it is not too long."""
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > most:
            raise Problem(413, f"the body is longer than {most} bytes")
    return bytes(found)


async def read_body(server: Server, request: Request, kind: Any) -> Any:
    """The body as the endpoint wants it."""
    if kind is None:
        return None
    if kind is str:
        data = await read_bytes(request, server.settings.upload_bytes)
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise Problem(400, "the save is not text (UTF-8)") from None
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != "application/json":  # also keeps pages of other sites from posting here unasked
        raise Problem(400, f"the body must be application/json, not {given or 'without a type'}")
    data = await read_bytes(request, server.settings.body_bytes)
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


def refusal(wrong: Exception) -> Problem:
    """What a browser is told of an error."""
    if isinstance(wrong, Problem):
        return wrong
    if isinstance(wrong, IllegalAction):
        return Problem(422, wrong.why, wrong.rule)
    raise wrong


def answering(server: Server, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """What Starlette calls for an endpoint."""

    async def answer(request: Request) -> Response:
        try:
            place = await find_place(server, request) if endpoint.seat else None
            body = await read_body(server, request, endpoint.body)
            found = await endpoint.run(Call(server, request, place, body))
        except (Problem, IllegalAction) as wrong:
            problem = refusal(wrong)
            headers = {"www-authenticate": "Bearer"} if problem.status == 401 else None
            response = json_response(problem.body, problem.status)
            response.headers.update(headers or {})
            return response
        return found if isinstance(found, Response) else json_response(found, endpoint.status)

    return answer
