"""Endpoints of analysis: what the machine would do, how a match stands, what a decision cost, and playing on.

While people play one another nobody is advised in secret: a hint is written down with its line and told to all at the
table. Where nobody else plays, in a match for practice, and when a match is over, everything may be asked.
"""

from __future__ import annotations

import asyncio

import msgspec

from fronte.server import printed
from fronte.server.api_types import (
    AdviceShown,
    Branch,
    CostShown,
    Curve,
    JudgementShown,
    NewMatch,
    Opened,
    PuzzleJudged,
)
from fronte.server.http.endpoint import Call, of_match
from fronte.server.http.new_match import begin
from fronte.server.matches.analysis import may_ask
from fronte.server.matches.analysis_main import Study
from fronte.server.matches.live import Live
from fronte.server.matches.tables import ALL
from fronte.server.people import seating
from fronte.server.problem import Problem
from fronte.server.store.rows import HUMAN

LOOKING = ("seat", "watch")
"""Whoever sees what a seat sees; spectators see too little to ask."""
QUERY = ("at", "seat", "language")
PUZZLE = ("name", "show", "language")


def _about(call: Call, live: Live, kind: str) -> tuple[str, int, bool]:
    """The seat and the line that are asked about, and whether it is a hint."""
    own, at = call.place.seat, call.number("at")
    seats = live.match.rules.seats
    seat = call.word("seat") or (seats[0] if own == ALL else own)
    if seat not in seats:
        raise Problem(422, f"no seat {seat!r}; the seats are {', '.join(seats)}")
    if at is not None and not 0 <= at <= live.line:
        raise Problem(404, f"the record has {live.line} lines", line=live.line)
    hint = may_ask(live, seat, kind, own, at)
    if hint:
        call.acting()
    return seat, live.line if at is None else at, hint


async def _asked(call: Call, kind: str, answer: type[msgspec.Struct]) -> msgspec.Struct:
    async with call.matches.at(call.id) as live:
        seat, at, hint = _about(call, live, kind)
        then = await call.matches.work(call.id, live.past.at, live.match, at)
        owes = then.rules.seats[then.seat] if then.seat >= 0 else None
        if kind != "judgement" and owes != seat:
            raise Problem(422, "there is nothing for this seat to decide there")
        if kind == "cost" and at == live.line:
            raise Problem(422, "nothing has been decided there yet")
        job = call.matches.analysts.job(live, seat, Study(kind, at, language=call.language))
        game = live.kept.heading.header.game
    if hint:  # written down before it is told, so that nobody gets one that is not
        await seating.mark_hint(call.server.store, call.id, seat, at)
        await call.matches.people_changed(call.id)
    return await call.matches.analysts.ask(job, game, answer)


@of_match("POST", "/advice", "What the machine would do", answer=AdviceShown, query=QUERY, rate="ask", kinds=LOOKING)
async def advice(call: Call) -> AdviceShown:
    """For the seat that decides there, with the reason and what was compared. Between people it is a hint, and told."""
    found = await _asked(call, "advice", AdviceShown)
    assert isinstance(found, AdviceShown)
    return found


@of_match("GET", "/judgement", "How good a position is", answer=JudgementShown, query=QUERY, rate="ask", kinds=LOOKING)
async def judgement(call: Call) -> JudgementShown:
    """By playouts to the end, as the seat could know it."""
    found = await _asked(call, "judgement", JudgementShown)
    assert isinstance(found, JudgementShown)
    return found


@of_match("GET", "/cost", "What a decision cost", answer=CostShown, query=QUERY, rate="ask", kinds=LOOKING)
async def cost(call: Call) -> CostShown:
    """Of what the seat decided after so many lines, against the best that is found beside it."""
    found = await _asked(call, "cost", CostShown)
    assert isinstance(found, CostShown)
    return found


@of_match("GET", "/puzzle", "What one's decisions in a puzzle are worth", answer=PuzzleJudged, query=PUZZLE, rate="ask")
async def puzzle(call: Call) -> PuzzleJudged:
    """By exact odds, in a match that began with the position of the puzzle. `show=1` tells the best line anyhow."""
    name, seat = call.word("name"), call.acting()
    async with call.matches.at(call.id) as live:
        rules = live.match.rules
        game, packs = rules.header.game, call.server.settings.folders(rules.header.game)
        found = await asyncio.to_thread(printed.puzzle_of, game, packs, name)
        if found is None:
            raise Problem(404, f"{game} has no puzzle {name!r}")
        if found.seat != seat or found.origin != live.kept.heading.position:
            raise Problem(422, "this match is not of that puzzle")
        # what is hidden counts in it, so nobody asks in a match between people that is under way
        may_ask(live, seat, "puzzle", call.place.seat, None)
        study = Study("puzzle", language=call.language, name=name, shown=call.word("show") == "1")
        job = call.matches.analysts.job(live, seat, study)
    return await call.matches.analysts.ask(job, game, PuzzleJudged)


@of_match("GET", "/curve", "How a match stood, line by line", answer=Curve, query=QUERY, rate="show", kinds=LOOKING)
async def curve(call: Call) -> Curve:
    """As far as it is known; the rest is worked out in the background, and had by asking again."""
    async with call.matches.at(call.id) as live:
        seat, _, _ = _about(call, live, "curve")
        return call.matches.analysts.curve(call.matches, live, seat)


@of_match(
    "POST", "/branch", "Play on from a position", body=Branch, answer=Opened, rate="create", status=201, kinds=LOOKING
)
async def branch(call: Call) -> Opened:
    """A new match for practice from an earlier point of this one. Under way only where nobody else plays, and from the
    same side of the table: the rest is hidden still."""
    wanted: Branch = call.body
    async with call.matches.at(call.id) as live:
        if not 0 <= wanted.at <= live.line:
            raise Problem(404, f"the record has {live.line} lines", line=live.line)
        seats = wanted.seats or live.kept.seats
        if not live.over:
            people = {seat for seat, player in seats.items() if player == HUMAN}
            if not live.practice or not people <= {call.acting()} or set(seats) != set(live.kept.seats):
                raise Problem(403, "while a match is under way only its own side can be played on with")
        then = await call.matches.work(call.id, live.past.at, live.match, wanted.at)
        if then.seat < 0:
            raise Problem(422, "the match is over there")
        header = live.kept.heading.header
        position = then.rules.to_position(then.state)
    name = wanted.name or live.kept.name
    call.body = NewMatch(
        header.game, header.scenario, dict(header.options), dict(seats), name=name, position=position, practice=True
    )
    opened: Opened = await begin(call)
    return opened
