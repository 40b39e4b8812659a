"""Endpoints of whoever decides: an action, taking back, standing orders; and what he asks before he does."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from fronte.engine.decision import IllegalAction, Refusal
from fronte.engine.match import Match
from fronte.server import spectators, tables
from fronte.server.bodies import (
    Judgement,
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
from fronte.server.http import Call, of_match

SPOKEN = ("language",)


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
    with call.server.room.act(call.id):
        async with call.matches.at(call.id) as live:
            before = live.line if line is None else line
        await call.matches.change(call.id, line, revision, do)
        async with call.matches.at(call.id) as live:
            return await call.matches.table(live, call.place, call.language, min(before, live.line))


@of_match("POST", "/actions", "Play an action", body=Play, answer=Table, query=SPOKEN, rate="action")
async def play(call: Call) -> Table:
    """Plays it if `line` is still the present one; the answer comes after the commit."""
    wanted: Play = call.body
    return await _changed(call, wanted.line, wanted.revision, player_action(call.acting(), wanted.action))


@of_match("POST", "/undo", "Take back", body=Undo, answer=Table, query=SPOKEN, rate="action")
async def undo(call: Call) -> Table:
    """Takes back the seat's last action, as far as undo reaches."""
    wanted: Undo = call.body
    return await _changed(call, wanted.line, wanted.revision, player_undo(call.acting()))


@of_match("POST", "/orders", "Give a standing order", body=Order, answer=Table, query=SPOKEN, rate="action")
async def order(call: Call) -> Table:
    """From now on this policy answers this kind of decision; null ends that."""
    wanted: Order = call.body
    return await _changed(call, None, None, player_orders(call.acting(), {wanted.kind: wanted.policy}))


# Asking


@of_match("POST", "/why", "May this be played?", body=Question, answer=Judgement, query=SPOKEN, rate="ask")
async def why(call: Call) -> Judgement:
    """The rule that forbids an action, if one does."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        refused = await call.matches.work(call.id, live.match.why_not, call.body.action, seat)
        return Judgement(None if refused is None else tables.reason(live.match, refused, call.language))


@of_match("POST", "/odds", "The exact odds of an action", body=Question, query=SPOKEN, rate="ask")
async def odds(call: Call) -> dict[str, Any]:
    """As the seat that decides can know them."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        _foreign(live.match, seat)
        try:
            found: dict[str, Any] = await call.matches.work(call.id, live.match.odds, call.body.action, seat)
            return found
        except IllegalAction as wrong:
            raise tables.illegal(live.match, wrong.refusal) from None


@of_match("POST", "/path", "The cheapest path through hexes", body=Via, answer=WayFound, query=SPOKEN, rate="ask")
async def path(call: Call) -> WayFound:
    """For a unit of the seat that decides."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        _foreign(live.match, seat)
        rules = live.match.rules
        found = await call.matches.work(call.id, rules.path_through, live.match.state, call.body.unit, call.body.via)
        if isinstance(found, Refusal):
            return WayFound([], None, tables.reason(live.match, rules.told(found), call.language))
    return WayFound(list(found.path), found.left, None)


@of_match("GET", "/supply/{unit}", "The supply path of a unit", answer=SupplyFound, query=SPOKEN, rate="ask")
async def supply(call: Call) -> SupplyFound:
    """Of a unit of one's own."""
    async with call.matches.at(call.id) as live:
        rules = live.match.rules
        seat = rules.seat_index(call.seat())
        found = await call.matches.work(
            call.id, rules.supply_line, live.match.state, call.request.path_params["unit"], seat
        )
        if isinstance(found, Refusal):
            raise tables.illegal(live.match, rules.told(found))
    return SupplyFound(found.path, found.length, found.state)


@of_match("GET", "/zones", "The zones of control of both sides", answer=Zones, rate="ask")
async def zones(call: Call) -> Zones:
    """As far as all may know them."""
    async with call.matches.at(call.id) as live:
        if call.place.kind == "spectator":
            return await call.matches.work(call.id, spectators.zones, live, int(time.time()))
        return Zones(await call.matches.work(call.id, live.match.rules.zones, live.match.state))
