"""Endpoints of whoever thinks before he decides: why not there, who is idle, what lies ahead, what a lesson asks."""

from __future__ import annotations

import asyncio

from fronte.engine.card import Line
from fronte.engine.decision import IllegalAction, Refusal
from fronte.engine.match import Match
from fronte.engine.whynot import Part
from fronte.server import printed
from fronte.server.api_types import (
    CardLine,
    Cautions,
    IdleShown,
    IdleUnits,
    ObstacleShown,
    OutlookShown,
    PartShown,
    Question,
    StepStands,
    WhyNotShown,
)
from fronte.server.http.actions import SPOKEN
from fronte.server.http.endpoint import Call, of_match
from fronte.server.lessons import can_be_done
from fronte.server.matches import tables
from fronte.server.problem import Problem

MOST_ALONG = 12
"""So many units are asked for at once, that would go together."""
MOST_CHARACTERS = 1000


def _lines(match: Match, table: str, lines: tuple[Line, ...], language: str) -> list[CardLine]:
    """Lines in words; what the game has no words for is left out."""
    words = match.rules.texts(language)
    told = [(words.said(table, line), match.rules.cite(line.rule)) for line in lines]
    return [CardLine(text, rule) for text, rule in dict.fromkeys(told) if text]


def _part(match: Match, part: Part, language: str) -> PartShown:
    words = match.rules.texts(language)
    obstacles = [
        ObstacleShown(match.rules.cite(one.refusal.rule), words.refusal(one.refusal), list(one.at))
        for one in part.obstacles
    ]
    return PartShown(obstacles, _lines(match, "help", part.helps, language), part.single)


@of_match(
    "GET",
    "/whynot",
    "Why a unit cannot go to a hex or attack it",
    answer=WhyNotShown,
    query=("piece", "hex", "along", *SPOKEN),
    rate="ask",
)
async def why_not(call: Call) -> WhyNotShown:
    """The best way of a unit of one's own, where it fails and by which rule, and what would help."""
    seat, piece, goal = call.acting(), call.word("piece"), call.word("hex")
    along = [name for name in call.request.query_params.get("along", "")[:MOST_CHARACTERS].split(",") if name]
    if len(along) > MOST_ALONG:
        raise Problem(422, f"at most {MOST_ALONG} units go along")
    async with call.matches.at(call.id) as live:
        match = live.match
        if not match.rules.capabilities.reasons:
            raise Problem(404, f"{match.rules.header.game} does not tell why not")
        found = await call.matches.work(call.id, match.why_not_there, seat, piece, goal, along)
        if isinstance(found, Refusal):
            raise tables.illegal(match, found)
        parts = [_part(match, part, call.language) if part else None for part in (found.own, found.way, found.attack)]
    own, way, attack = parts
    assert own is not None and way is not None
    return WhyNotShown(found.piece, found.hex, list(found.path), found.gone, own, way, attack)


@of_match("GET", "/idle", "Who can do nothing, and why", answer=IdleUnits, query=SPOKEN, rate="ask")
async def idle(call: Call) -> IdleUnits:
    """Of one's own units on the map, in the decision that one owes; empty if another decides."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        match = live.match
        found = await call.matches.work(call.id, match.idle, seat)
        words = match.rules.texts(call.language)
        return IdleUnits(
            {
                unit: IdleShown(match.rules.cite(one.refusal.rule), words.refusal(one.refusal), one.quiet)
                for unit, one in found.items()
            }
        )


@of_match("GET", "/outlook", "What can be foreseen of the next turn", answer=OutlookShown, query=SPOKEN, rate="ask")
async def outlook(call: Call) -> OutlookShown:
    """As far as the seat that asks can know: supply, sources, what enemies could reach and attack, empty objectives."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        match = live.match
        if not match.rules.capabilities.outlook:
            raise Problem(404, f"{match.rules.header.game} has no outlook")
        found = await call.matches.work(call.id, match.outlook, seat)
        return OutlookShown(_lines(match, "outlook", found.lines, call.language), list(found.layers))


@of_match(
    "POST", "/cautions", "What an action would leave behind", body=Question, answer=Cautions, query=SPOKEN, rate="ask"
)
async def cautions(call: Call) -> Cautions:
    """A word before a move: an objective left empty, a gun alone, a unit without supply; none is the usual answer."""
    seat = call.acting()
    async with call.matches.at(call.id) as live:
        match = live.match
        if not match.rules.capabilities.outlook:
            return Cautions([])
        try:
            found = await call.matches.work(call.id, match.cautions, seat, call.body.action)
        except IllegalAction as wrong:
            raise tables.illegal(match, wrong.refusal) from None
        return Cautions(_lines(match, "caution", found, call.language))


@of_match(
    "GET",
    "/lesson",
    "Whether what a step of a lesson asks for can still be done",
    answer=StepStands,
    query=("name", "step", *SPOKEN),
    rate="ask",
)
async def lesson(call: Call) -> StepStands:
    """In the match in which the lesson is taken. What it asks for is not told: the learner finds it for himself."""
    seat, name, number = call.acting(), call.word("name"), call.number("step")
    async with call.matches.at(call.id) as live:
        game = live.match.rules.header.game
        packs = call.server.settings.folders(game)
        step = await asyncio.to_thread(printed.lesson_step, game, packs, name, -1 if number is None else number)
        if step is None:
            raise Problem(404, f"{game} has no such step of a lesson")
        return StepStands(await call.matches.work(call.id, can_be_done, live.match, seat, step))
