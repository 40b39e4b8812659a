"""Security before the application: no requests from pages of other sites, and headers that bind our own pages."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fronte.server.http.endpoint import refused
from fronte.server.problem import Problem

LOOPBACK = ("localhost", "127.0.0.1", "::1")
SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
HSTS = "max-age=31536000"


class Guard:
    """Refuses what pages of other sites send, and what comes under a name that is not the server's."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] | None, public: str = "") -> None:
        self.app = app
        self.hosts = hosts
        self.public = urlsplit(public)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if not self._welcome(scope, Headers(scope=scope)):
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 4403, "reason": "another site"})
                return
            problem = Problem(403, "requests from other sites are not answered")
            await refused(problem)(scope, receive, self._dressed(scope, send))
            return
        await self.app(scope, receive, self._dressed(scope, send))

    def _welcome(self, scope: Scope, headers: Headers) -> bool:
        host = headers.get("host", "")
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if self.hosts is not None and name not in self.hosts:
            return False  # a name that leads here but is not ours
        origin = headers.get("origin")
        if origin is not None:
            return self._ours(origin, host)
        fetched = headers.get("sec-fetch-site", "same-origin")
        unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE
        return not unsafe or fetched in ("same-origin", "none")

    def _ours(self, origin: str, host: str) -> bool:
        """Is this the origin of our own pages?"""
        try:
            given = urlsplit(origin)
        except ValueError:
            return False
        if self.public.netloc and given.netloc == self.public.netloc:
            return given.scheme == self.public.scheme
        return bool(given.netloc) and given.netloc == host

    def _dressed(self, scope: Scope, send: Send) -> Send:
        """Send with the headers that every answer has."""
        secure = scope["scheme"] in ("https", "wss") or self.public.scheme == "https"

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if secure:
                    headers.setdefault("strict-transport-security", HSTS)
            await send(message)

        return dressed
