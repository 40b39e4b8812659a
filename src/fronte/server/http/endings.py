"""Endpoints of endings: resigning, a draw that both sides agree on, and what a match that is over tells.

These ends are the players' and no rule's: they stand beside the record, which stays as it was played, and a save names
them in its heading (`engine.trust.closed`).
"""

from __future__ import annotations

import time
from weakref import WeakKeyDictionary

import msgspec

from fronte.server.api_types import Table
from fronte.server.http.endpoint import Call, of_match, seated
from fronte.server.matches import spectators
from fronte.server.matches.live import Live
from fronte.server.matches.story import Story, story_of
from fronte.server.people import seating
from fronte.server.problem import Problem
from fronte.server.store.rows import HUMAN, End


class Offer(msgspec.Struct, forbid_unknown_fields=True):
    """Offer a draw, or agree to one that is offered; false declines it or takes one's own back."""

    agree: bool = True


def _other(live: Live, seat: str) -> str:
    """The only other seat, as long as the match goes on."""
    if live.over:
        raise Problem(422, "the match is over")
    others = [other for other in live.kept.seats if other != seat]
    if len(others) != 1:
        raise Problem(422, "only a match of two sides can be given up or drawn")
    return others[0]


async def _table(call: Call) -> Table:
    async with call.matches.at(call.id) as live:
        return await call.matches.table(live, call.place, call.language, live.line)


@seated("POST", "/resign", "Give the match up", answer=Table, query=("language",), rate="link")
async def resign(call: Call) -> Table:
    """At any time, whoever has to decide; the other side has won."""
    seat = call.place.seat
    await call.matches.end(call.id, lambda live: End("resigned", _other(live, seat), int(time.time())))
    return await _table(call)


@seated("POST", "/draw", "Offer a draw, or agree to one", body=Offer, answer=Table, query=("language",), rate="link")
async def draw(call: Call) -> Table:
    """It is a draw when both sides have said so. An offer stands until it is declined or taken back."""
    seat, wanted = call.place.seat, call.body
    async with call.matches.at(call.id) as live:
        other = _other(live, seat)
        if live.kept.seats[other] != HUMAN:
            raise Problem(422, "a machine takes no offer of a draw")
    await seating.offer_draw(call.server.store, call.id, seat, wanted.agree)
    await call.matches.people_changed(call.id)

    def judge(live: Live) -> End:
        _other(live, seat)
        if not all(person.draw for person in live.people.values()):
            raise Problem(409, "the match has gone on meanwhile", line=live.line)
        return End("agreed", None, int(time.time()))

    async with call.matches.at(call.id) as live:
        agreed = wanted.agree and all(person.draw for person in live.people.values())
    if agreed:
        await call.matches.end(call.id, judge)
    return await _table(call)


_KNOWN: WeakKeyDictionary[Live, dict[str, Story]] = WeakKeyDictionary()
"""What was told of matches in memory that are over, by language."""


@of_match("GET", "/story", "What a match that is over tells", answer=Story, query=("language",), rate="show")
async def show_story(call: Call) -> Story:
    """Score by turn, losses, turning points, the front then and now. Nothing of it before the match is over."""
    async with call.matches.at(call.id) as live:
        if not live.over:
            raise Problem(403, "what a match tells can be had when it is over")
        if call.place.kind == "spectator":
            spectators.shown_line(live, int(time.time()))  # the players may let nobody look on
        found = _KNOWN.get(live)
        if found is None:
            seconds = call.server.settings.work_seconds * 0.6
            found = _KNOWN[live] = await call.matches.work(call.id, story_of, live, seconds)
    return found[call.language]
