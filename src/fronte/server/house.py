"""What the house tells: what it offers to visitors, and how lucky each side of a match has been."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from fronte.engine import luck
from fronte.server import spectators
from fronte.server.http import Call, endpoint
from fronte.server.memory import Live


class House(msgspec.Struct):
    """What this server offers, so that a page shows nothing else."""

    local: bool
    """One table, one machine: there is nobody to invite."""
    accounts: bool
    open_matches: bool
    public_url: str
    """The address that links shall begin with; empty: the one the browser came by."""


@endpoint("GET", "/api/house", "What this server offers to visitors", answer=House)
async def show_house(call: Call) -> House:
    """For the first page."""
    settings = call.server.settings
    return House(settings.local, settings.accounts and not settings.local, settings.open_matches, settings.public_url)


_KNOWN: WeakKeyDictionary[Live, tuple[tuple[int, int], dict[str, Any]]] = WeakKeyDictionary()
"""The last answer for each match in memory, with the revision and the line it was worked out for."""


@endpoint("GET", "/api/matches/{id}/luck", "What the dice gave against what was to be expected", seat=True)
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
    told = await asyncio.to_thread(_luck, rules, heading, entries) | {"line": line}
    _KNOWN[live] = key, told
    return told


def _luck(rules: Any, heading: Any, entries: Any) -> dict[str, Any]:
    follower = luck.of_record(rules, heading, entries)
    return luck.panel(follower.throws, rules.seats) | {"dice": luck.faces(follower)}
