"""Endpoints of information: what the server offers, how lucky each side has been, and whether it is well."""

from __future__ import annotations

import hmac
import time
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from starlette.responses import Response

from fronte.engine import luck
from fronte.engine.rules import Rules
from fronte.server.api_types import Health
from fronte.server.http import metrics
from fronte.server.http.endpoint import Call, bearer, endpoint, of_match
from fronte.server.matches import spectators
from fronte.server.matches.live import Live
from fronte.server.problem import Problem


class House(msgspec.Struct):
    """What this server offers, so that a page shows nothing else."""

    local: bool
    """One table, one machine: there is nobody to invite."""
    accounts: bool
    open_matches: bool
    public_url: str
    """The address that links shall begin with; empty: the one the browser came by."""
    packs: list[str]
    """The games that are played with the host's own data."""


@endpoint("GET", "/api/house", "What this server offers to visitors", answer=House)
async def show_house(call: Call) -> House:
    """For the first page."""
    settings = call.server.settings
    return House(
        settings.local,
        settings.accounts and not settings.local,
        settings.open_matches,
        settings.public_url,
        list(settings.packs),
    )


_KNOWN: WeakKeyDictionary[Live, tuple[tuple[int, int], dict[str, Any]]] = WeakKeyDictionary()
"""The last answer for each match in memory, with the revision and the line it was worked out for."""


@of_match("GET", "/luck", "What the dice gave against what was to be expected", rate="show")
async def show_luck(call: Call) -> dict[str, Any]:
    """The same for both sides: nothing in it is secret (docs/dice.md). Spectators get it as far as they see."""
    async with call.matches.at(call.id) as live:
        line = live.line
        if call.place.kind == "spectator":
            line = spectators.shown_line(live, int(time.time()))
        key = live.revision, line
        known, told = _KNOWN.get(live, (None, {}))
        if known == key:
            return told
        rules, heading, entries = live.match.rules, live.kept.heading, live.match.entries[:line]
    told = await call.matches.work(call.id, _luck, rules, heading, entries) | {"line": line}
    _KNOWN[live] = key, told
    return told


def _luck(rules: Rules[Any], heading: Any, entries: Any) -> dict[str, Any]:
    follower = luck.of_record(rules, heading, entries)
    return luck.panel(follower.throws, rules.seats) | {"dice": luck.faces(follower)}


# For whoever keeps the server running


@endpoint("GET", "/api/health", "Does the database answer?", answer=Health, always=True)
async def health(call: Call) -> Health:
    """For whoever keeps the server running."""
    return Health(await call.server.store.answers())


@endpoint("GET", "/api/metrics", "Metrics for Prometheus", media="text/plain", always=True)
async def show_metrics(call: Call) -> Response:
    """For whoever has the token of the settings; at a local table for all."""
    settings = call.server.settings
    given = bearer(call.request)
    if not settings.local and not (settings.metrics and hmac.compare_digest(given.encode(), settings.metrics.encode())):
        raise Problem(401, "the token for metrics is needed")
    return Response(call.server.metrics.text(call.server), 200, {"cache-control": "no-store"}, metrics.TEXT)
