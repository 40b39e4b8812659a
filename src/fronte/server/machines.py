"""Machine seats: they think in processes of their own while the table goes on, and their answers are checked as any."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import IllegalAction
from fronte.engine.match import Match
from fronte.server import tables
from fronte.server.bodies import Problem
from fronte.server.store import Place
from fronte.server.workers import Answer, WorkerError

if TYPE_CHECKING:
    from fronte.server.matches import Matches

log = logging.getLogger("fronte.server")

FALLBACK = "random"


async def think(matches: Matches, name: str) -> None:
    """Play for the machine seats of a match until a person owes a decision or the match is over."""
    while True:
        async with matches.at(name) as live:
            seat = live.machine()
            if seat is None:
                return
            revision = live.revision
            job = matches.pool.job(live.kept, live.match.entries, live.revisions, seat)
        matches.say(name, lambda place, seat=seat: {"thinking": seat})  # type: ignore[misc]
        answer = await _answer(matches, job, live.kept.seats[seat])
        try:
            await _play(matches, name, revision, seat, answer)
        except IllegalAction as wrong:
            log.error("%s answers %s in match %s: %s", live.kept.seats[seat], answer.action, name, wrong)
            await _play(matches, name, revision, seat, await matches.pool.decide(job, FALLBACK))
        except Problem as wrong:
            if wrong.status != 409:  # 409: something has changed meanwhile, so think again
                raise


async def _answer(matches: Matches, job: Any, player: str) -> Answer:
    try:
        return await matches.pool.decide(job, player)
    except WorkerError as wrong:
        if matches.pool.closed:
            raise
        log.warning("%s in match %s: %s; a random action is played instead", player, job.match, wrong)
        return await matches.pool.decide(job, FALLBACK)


async def _play(matches: Matches, name: str, revision: int, seat: str, answer: Answer) -> None:
    def do(match: Match) -> None:
        match.play(answer.action, seat)

    await matches.change(name, None, revision, do)
    if not answer.why:
        return
    async with matches.at(name) as live:
        match = live.match
    matches.say(name, lambda place: {"why": answer.why} if may_hear(match, place, seat, answer) else None)


def may_hear(match: Match, place: Place, seat: str, answer: Answer) -> bool:
    """May a place be told why a machine player acts so? Not if that is secret, or names a unit it does not see.

    Reasons made from templates name no units; in plain text any name is looked for.
    """
    if place.kind == "spectator" or (answer.secret and place.seat != seat):
        return False
    if isinstance(answer.why, dict):
        return True
    seen = strings_in(match.view(place.seat))
    names = tables.texts(match.rules.header.game, "en").names
    hidden = [unit for unit in names.unit if unit not in seen]
    said = answer.why.lower()
    return not any(
        word.lower() in said for unit in hidden for word in (unit, names.unit[unit], names.full[unit]) if word
    )


def strings_in(data: Any) -> frozenset[str]:
    """All strings in a piece of data."""
    if isinstance(data, str):
        return frozenset((data,))
    if isinstance(data, dict):
        data = list(data.values()) + list(data)
    if isinstance(data, list | tuple):
        return frozenset().union(*map(strings_in, data))
    return frozenset()
