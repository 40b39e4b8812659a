"""Endpoints of whoever decides: an action, taking back, standing orders; and what he asks before he does."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from fronte.engine import standing
from fronte.engine.decision import IllegalAction, Refusal
from fronte.engine.match import Match
from fronte.engine.overlay import Asked, Overlay
from fronte.server.api_types import (
    CardLine,
    CardShown,
    Judgement,
    Order,
    Play,
    Question,
    Questions,
    SheetShown,
    SheetsShown,
    Table,
    Undo,
    Via,
    WayFound,
)
from fronte.server.http.endpoint import Call, of_match
from fronte.server.matches import spectators, tables
from fronte.server.matches.live import Live
from fronte.server.problem import Problem

SPOKEN = ("language",)
ABOUT = ("piece", "hex", "facing", "force", *SPOKEN)
CARD = ("piece", "hex", "at", *SPOKEN)


def _foreign(match: Match, seat: str) -> None:
    """Refuse a seat that does not owe the decision."""
    if match.seat >= 0 and match.rules.seats[match.seat] != seat:
        refusal = Refusal("", "not_your_decision", {"owes": match.rules.seats[match.seat], "asks": seat})
        raise tables.illegal(match, match.rules.told(refusal), 403, len(match.entries))


def player_action(seat: str, action: Any, whole: bool = False) -> Any:
    """An action as something to do to a match; `whole` lets a whole move pass."""

    def do(match: Match) -> None:
        _foreign(match, seat)
        try:
            match.play(action, seat, whole=whole)
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
        wanted: dict[str, str | None] = {}
        for kind, policy in orders.items():
            if kind == standing.DEFENCE:
                if policy not in (standing.NOW, None):
                    raise Problem(422, f"the policy of {kind} is {standing.NOW}, not {policy!r}")
                wanted[kind] = policy
                continue
            if kind not in match.rules.standing:
                raise Problem(
                    422, f"no standing order can answer {kind!r}; possible: {', '.join(match.rules.standing)}"
                )
            try:
                wanted[kind] = policy and standing.written(standing.read(match.rules, kind, policy))
            except ValueError as wrong:
                raise Problem(422, str(wrong)) from None
        index = match.rules.seat_index(seat)
        for kind, policy in wanted.items():
            defended = kind == standing.DEFENCE and match.defends(index)
            if (standing.NOW if defended else match.orders.get((index, kind))) != policy:
                match.order(seat, kind, policy)

    return do


async def _changed(call: Call, line: int | None, revision: int | None, do: Any) -> Table:
    with call.server.load.act(call.id):
        async with call.matches.at(call.id) as live:
            before = live.line if line is None else line
        await call.matches.change(call.id, line, revision, do)
        async with call.matches.at(call.id) as live:
            return await call.matches.table(live, call.place, call.language, min(before, live.line))


@of_match("POST", "/actions", "Play an action", body=Play, answer=Table, query=SPOKEN, rate="action")
async def play(call: Call) -> Table:
    """Plays it if `line` is still the present one; the answer comes after the commit."""
    wanted: Play = call.body
    return await _changed(call, wanted.line, wanted.revision, player_action(call.acting(), wanted.action, wanted.whole))


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


@of_match("POST", "/odds", "The exact odds of an action", body=Question, answer=SheetShown, query=SPOKEN, rate="ask")
async def odds(call: Call) -> SheetShown:
    """As the seat that decides can know them."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        _foreign(live.match, seat)
        try:
            found = await call.matches.work(call.id, live.odds, call.body.action, seat)
            return tables.sheet(live.match.rules, found, call.language)
        except IllegalAction as wrong:
            raise tables.illegal(live.match, wrong.refusal) from None


@of_match("POST", "/odds/many", "The odds of several", body=Questions, answer=SheetsShown, query=SPOKEN, rate="ask")
async def odds_of_many(call: Call) -> SheetsShown:
    """The same of a few actions at once, in one answer, which is much shorter than that many."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        _foreign(live.match, seat)
        found = await call.matches.work(call.id, live.odds_of_many, call.body.actions, seat)
        rules = live.match.rules
        return SheetsShown([tables.sheet(rules, sheet, call.language) if sheet else None for sheet in found])


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


@of_match("GET", "/overlays/{name}", "Something to lay over the map", answer=Overlay, query=ABOUT, rate="ask")
async def overlay(call: Call) -> Overlay:
    """Zones, supply and whatever else the game can show, as far as whoever asks may know it."""
    name = call.request.path_params["name"]
    facing = call.number("facing")
    about = Asked(call.word("piece"), call.word("hex"), facing, call.word("force"))
    async with call.matches.at(call.id) as live:
        match, seat = await call.matches.work(call.id, _as_seen, live, call)
        rules = match.rules
        if name not in rules.capabilities.overlays:
            raise Problem(404, f"{rules.header.game} has no overlay {name!r}")
        found = await call.matches.work(call.id, rules.overlay, match.state, seat, name, about)
        if isinstance(found, Refusal):
            raise tables.illegal(match, rules.told(found))
    return found


@of_match("GET", "/cards", "What is told of a piece or a hex", answer=CardShown, query=CARD, rate="ask")
async def card(call: Call) -> CardShown:
    """Line by line, in the language of whoever asks; with `at`, as it was after so many lines."""
    piece, name = call.word("piece"), call.word("hex")
    async with call.matches.at(call.id) as live:
        match, seat = await call.matches.work(call.id, _as_seen, live, call)
        rules = match.rules
        if bool(piece) == bool(name):
            raise Problem(422, "a card is of a piece or of a hex")
        if (piece and piece not in rules.texts("en").names.unit) or (name and name not in rules.grid.index):
            raise Problem(404, f"there is no {piece or name!r}")
        tell = rules.piece_card if piece else rules.hex_card
        if (
            piece and seat < 0 and (live.over or call.place.seat == tables.ALL)
        ):  # without fog whoever has it tells of it
            seat = next((n for n in range(len(rules.seats)) if _has(match, n, piece)), seat)
        found = await call.matches.work(call.id, tell, match.state, seat, piece or name)
    words = tables.texts(rules, call.language)
    groups = [[(words.told(line, cited=False), rules.cite(line.rule)) for line in group] for group in found.groups]
    return CardShown([[CardLine(*line) for line in group] for group in groups])


def _has(match: Match, seat: int, piece: str) -> bool:
    known = match.rules.view(match.state, seat).piece(piece)
    return known is not None and known.mine


def _as_seen(live: Live, call: Call) -> tuple[Match, int]:
    """The match and the seat as which somebody looks at it; -1 for spectators, who may see an earlier point."""
    at = call.number("at")
    if call.place.kind == "spectator":
        return spectators.shown_match(live, int(time.time()), at), -1
    seat = -1 if call.seat() == tables.ALL else live.match.rules.seat_index(call.seat())
    if at is None or at == live.line:
        return live.match, seat
    if not 0 <= at < live.line:
        raise Problem(404, f"the record has {live.line} lines", line=live.line)
    return live.past.at(live.match, at), seat
