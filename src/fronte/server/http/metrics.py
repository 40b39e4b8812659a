"""Metrics for Prometheus, and a line in the log for each request: routes and numbers, never addresses or tokens."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from fronte.server.http.endpoint import Server

log = logging.getLogger("fronte.server.requests")

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
TEXT = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """What has been counted since the server began."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        """By method, route and status."""
        self.seconds: Counter[str] = Counter()
        """By the upper bound of the time that they took."""
        self.spent = 0.0
        self.sockets = 0

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request has been answered."""
        self.requests[method, route, status] += 1
        self.spent += seconds
        self.seconds[next((f"{bound:g}" for bound in BOUNDS if seconds <= bound), "+Inf")] += 1

    def text(self, server: Server) -> str:
        """All metrics in the form that Prometheus reads."""
        return "".join(f"{line}\n" for line in self._lines(server))

    def _lines(self, server: Server) -> Iterator[str]:
        yield from _metric(
            "requests_total",
            "counter",
            "Requests answered",
            {_labels(method=m, route=r, status=str(s)): n for (m, r, s), n in sorted(self.requests.items())},
        )
        yield "# HELP fronte_request_seconds Time that requests took"
        yield "# TYPE fronte_request_seconds histogram"
        total = 0
        for bound in (*(f"{bound:g}" for bound in BOUNDS), "+Inf"):
            total += self.seconds[bound]
            yield f'fronte_request_seconds_bucket{{le="{bound}"}} {total}'
        yield f"fronte_request_seconds_sum {self.spent:.6f}"
        yield f"fronte_request_seconds_count {total}"
        matches = server.matches
        gauges = {
            "sockets": ("Websockets open", self.sockets),
            "matches_in_memory": ("Matches kept in memory", len(matches.live)),
            "matches_watched": ("Matches that somebody has open", len(matches.watchers)),
            "actions_under_way": ("Decisions that are being written", server.load.inside["action"]),
            "requests_under_way": ("Requests that are being answered", server.load.inside["request"]),
            "matches_bytes": ("About how much the matches in memory take", matches.weight()),
            "matches_resting": ("Matches at which something took too long", len(matches.resting)),
            "machines_thinking": ("Matches in which a machine player decides", len(matches.thinking)),
        }
        if matches.fanout is not None:
            gauges["other_processes"] = ("Other processes of the server", len(matches.fanout.elsewhere))
            broken = {"": matches.fanout.broken}
            yield from _metric("line_breaks_total", "counter", "Times the line to other processes broke", broken)
        for name, (text, value) in gauges.items():
            yield from _metric(name, "gauge", text, {"": value})
        for name, text in (("lines", "Lines written to records"), ("commits", "Commits of matches")):
            yield from _metric(f"{name}_total", "counter", text, {"": matches.counted[name]})
        late = {_labels(kind="work"): matches.threads.late, _labels(kind="trial"): server.sandbox.ended}
        yield from _metric("too_long_total", "counter", "Work that had to be given up", late)
        limited = {_labels(kind=kind): number for kind, number in sorted(server.limits.refused.items())}
        yield from _metric("limited_total", "counter", "Requests refused by a rate limit", limited)
        full = {_labels(kind=kind): number for kind, number in sorted(server.load.refused.items())}
        yield from _metric("sent_away_total", "counter", "What came when there was too much to do", full)
        sent = {_labels(kind=k, outcome=o): n for (k, o), n in sorted(server.notices.counted.items())}
        yield from _metric("notices_total", "counter", "Notices sent or failed", sent)


def _metric(name: str, kind: str, text: str, values: Mapping[str, float]) -> Iterator[str]:
    yield f"# HELP fronte_{name} {text}"
    yield f"# TYPE fronte_{name} {kind}"
    for labels, value in values.items():
        yield f"fronte_{name}{labels} {value}"


def _labels(**labels: str) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels.items()) + "}"


class Measured:
    """Counts and logs every request by its route. The address, whose query may hold a token, is not looked at."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            self.metrics.sockets += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self.metrics.sockets -= 1
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, start = 500, time.perf_counter()

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - start
            route = _route(scope)
            method = scope["method"] if scope["method"] in METHODS else "other"
            self.metrics.answered(method, route, status, seconds)
            log.info("%s %s", method, route, extra={"status": status, "milliseconds": round(seconds * 1000, 1)})


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def _route(scope: Scope) -> str:
    """The template of a route, never what was filled in."""
    return str(scope.get("fronte.route", "other"))
