"""The application: endpoints, the websocket, the browser client, and what stands guard before them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from fronte.server import openapi, opening, routes
from fronte.server.bodies import Problem
from fronte.server.http import ENDPOINTS, Server, answering, json_response
from fronte.server.live import live
from fronte.server.settings import Settings

LOOPBACK = ("localhost", "127.0.0.1", "::1")
assert opening and routes  # their functions are entered in ENDPOINTS when they are imported

NO_CLIENT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Fronte</title>
<h1>Fronte</h1>
<p>The server runs, but the browser client has not been built. In the project's folder:</p>
<pre>.venv/bin/python scripts/client.py</pre>
<p>The interface is described at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</html>
"""


class Guard:
    """Refuses what pages of other sites send, and in local mode what comes under a name that is not the loopback's."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] | None) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and not self._welcome(Headers(scope=scope)):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 4403, "reason": "another site"})
                return
            refused = json_response(Problem(403, "requests from other sites are not answered").body, 403)
            await refused(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _welcome(self, headers: Headers) -> bool:
        host = headers.get("host", "")
        name = urlsplit(f"//{host}").hostname or ""
        if self.hosts is not None and name not in self.hosts:
            return False  # a name that leads to the loopback but is not its own
        origin = headers.get("origin")
        return origin is None or urlsplit(origin).netloc == host


def create_app(settings: Settings | None = None) -> Starlette:
    """A server with these settings, by default those of the environment."""
    chosen = Settings.from_environment() if settings is None else settings
    server = Server(chosen)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await server.store.open()
        try:
            yield
        finally:
            await server.matches.close()
            await server.store.close()

    packing = [] if chosen.local else [Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4)]
    hosts = (*LOOPBACK, *chosen.hosts) if chosen.local else None
    app = Starlette(
        routes=_routes(server),
        lifespan=lifespan,
        middleware=[Middleware(Guard, hosts=hosts), *packing],
        exception_handlers={HTTPException: _not_found, Exception: _failed},
    )
    app.router.default = _client(chosen)
    app.state.server = server
    return app


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
    return found


def _client(settings: Settings) -> ASGIApp:
    """The browser client, or a page that says how to build it."""
    if (settings.static / "index.html").is_file():
        return StaticFiles(directory=settings.static, html=True)

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/":
            raise HTTPException(404)
        await HTMLResponse(NO_CLIENT)(scope, receive, send)

    return page


async def _not_found(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HTTPException)
    why = f"nothing is at {request.url.path}" if wrong.status_code == 404 else str(wrong.detail)
    return json_response(Problem(wrong.status_code, why).body, wrong.status_code)


async def _failed(request: Request, wrong: Exception) -> Response:
    return json_response(Problem(500, "something went wrong in the server; its log says what").body, 500)
