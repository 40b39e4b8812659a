"""The application: endpoints, the websocket, the browser client, and what stands guard before them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from fronte.games.registry import ruleset
from fronte.server import pages
from fronte.server.http import (
    accounts,
    actions,
    analysis,
    asking,
    clock,
    dice,
    endings,
    info,
    keeping,
    links,
    matches,
    new_match,
    notices,
    openapi,
    printed,
    seats,
    talk,
)
from fronte.server.http.endpoint import ENDPOINTS, Server, answering, refused, spoken
from fronte.server.http.metrics import Measured
from fronte.server.http.packing import ClientFiles
from fronte.server.http.security import LOOPBACK, Guard
from fronte.server.http.websocket import live
from fronte.server.matches.subscriber import Subscriber
from fronte.server.problem import Problem
from fronte.server.processes.collector import look_through
from fronte.server.settings import Settings
from fronte.server.store import heartbeat
from fronte.server.store.database import kept_secret
from fronte.server.store.file_lock import FileLock
from fronte.server.store.outage import OUTAGE

log = logging.getLogger("fronte.server")

PARTS = (
    *(printed, matches, actions, asking, info, new_match, dice),
    *(seats, links, accounts, talk, notices, clock, endings, analysis, keeping),
)
"""Their functions are entered in ENDPOINTS when they are imported."""

TICK = 2.0
EVERYTHING = 1800
"""After so many ticks, once an hour, Python's collector looks through all there is, as soon as nobody waits."""
LISTENS_WITHIN = 15.0
NO_CLIENT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Fronte</title>
<h1>Fronte</h1>
<p>The server runs, but the browser client has not been built. In the project's folder:</p>
<pre>.venv/bin/python scripts/client.py</pre>
<p>The interface is described at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</html>
"""


def create_app(settings: Settings | None = None, lock: FileLock | None = None) -> Starlette:
    """A server with these settings, by default those of the environment.

    It holds its SQLite file while it runs, if whoever starts it does not hold it already.
    """
    chosen = Settings.from_environment() if settings is None else settings
    for game, folders in chosen.packs.items():
        ruleset(game, folders=folders)  # ValueError says in which file and line a pack is wrong
    server = Server(chosen)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        file = server.store.file
        with nullcontext() if lock is not None or file is None else FileLock(file):
            async with _running(server):
                yield

    app = Starlette(
        routes=_routes(server),
        lifespan=lifespan,
        middleware=[
            Middleware(Measured, metrics=server.metrics),
            Middleware(Guard, hosts=_names(chosen), public=chosen.public_url),
            Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4),
        ],
        exception_handlers={HTTPException: _not_found, Exception: _failed},
    )
    app.router.default = _client(chosen)
    app.state.server = server
    return app


@asynccontextmanager
async def _running(server: Server) -> AsyncIterator[None]:
    """The database is open, time is kept, notices are sent."""
    await server.store.open()
    server.secret = await kept_secret(server.store, "secret", secrets.token_hex(32))
    await server.notices.open()
    await heartbeat.begin(server.store, int(time.time()))
    beside = [asyncio.create_task(work) for work in (_keep_time(server), server.notices.run())]
    async with _among_others(server):
        try:
            yield
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            server.notices.close()
            await server.matches.close()
            await server.sandbox.close()
            with contextlib.suppress(*OUTAGE):
                await heartbeat.farewell(server.store, int(time.time()))
    await server.store.close()


def _names(settings: Settings) -> tuple[str, ...] | None:
    """The names under which the server answers; None: under any."""
    public = urlsplit(settings.public_url).hostname
    if not settings.local and public is None:
        return None
    return (*LOOPBACK, *settings.hosts, *([public] if public else []))


@asynccontextmanager
async def _among_others(server: Server) -> AsyncIterator[None]:
    """Hear what other processes do, where the database may have others."""
    line = server.matches.fanout
    if line is None:
        yield
        return
    subscriber = Subscriber(server.matches, line)
    listening = asyncio.create_task(line.run())
    try:
        with contextlib.suppress(TimeoutError):  # then it begins to listen when it can
            async with asyncio.timeout(LISTENS_WITHIN):
                await line.listening.wait()
        yield
    finally:
        await subscriber.close()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await line.close()


async def _keep_time(server: Server) -> None:
    """Signs of life, more to see for those who look on with a delay, and a look through memory while nobody waits."""
    beats = ticks = 0
    while True:
        await asyncio.sleep(TICK)
        beats += 1
        try:
            await server.matches.tick()
            await server.sandbox.tick()
            ticks += 1
            if not any(server.load.inside.values()):
                look_through(everything=ticks >= EVERYTHING)
                ticks %= EVERYTHING
            if beats * TICK >= heartbeat.PULSE:
                beats = 0
                await beat(server)
        except Exception:
            log.exception("time cannot be kept now")


async def beat(server: Server) -> None:
    """A sign of life; after a silence the matches in memory are put off as those in the database are."""
    now = int(time.time())
    slept = await heartbeat.pulse(server.store, now)
    if slept and not server.store.shared:  # with several processes each match is read again before it is used
        server.matches.slept(slept * 1000, now * 1000)


def _routes(server: Server) -> list[BaseRoute]:
    async def describe(request: Request) -> Response:
        return Response(openapi.description(), media_type="application/json")

    async def socket(websocket: WebSocket) -> None:
        await live(server, websocket)

    found: list[BaseRoute] = [
        Route(endpoint.path, answering(server, endpoint), methods=[endpoint.method]) for endpoint in ENDPOINTS
    ]
    found.append(Route("/api/openapi.json", describe))
    found.append(WebSocketRoute("/api/matches/{id}/live", socket))
    return found + pages.ROUTES


def _client(settings: Settings) -> ASGIApp:
    """The browser client, or a page that says how to build it."""
    if (settings.static / "index.html").is_file():
        return ClientFiles(directory=settings.static, html=True)

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/":
            raise HTTPException(404)
        await HTMLResponse(NO_CLIENT)(scope, receive, send)

    return page


async def _not_found(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HTTPException)
    why = f"nothing is at {request.url.path}" if wrong.status_code == 404 else str(wrong.detail)
    return refused(Problem(wrong.status_code, why), spoken(request))


async def _failed(request: Request, wrong: Exception) -> Response:
    return refused(Problem(500, "something went wrong in the server; its log says what"), spoken(request))
