"""Machine seats: they think in processes of their own while the table goes on, and their answers are checked as any."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import IllegalAction
from fronte.engine.match import Match
from fronte.server.matches import reasons, tables
from fronte.server.matches.worker_pool import Answer
from fronte.server.problem import Problem
from fronte.server.processes.child import WorkerError
from fronte.server.store.notify import Thinking, Why
from fronte.server.store.outage import OUTAGE
from fronte.server.store.rows import HUMAN, Place

if TYPE_CHECKING:
    from fronte.server.matches.matches import Matches

log = logging.getLogger("fronte.server")

FALLBACK = "random"
FOR_YOU = {"en": "answered for you, since you defend sensibly", "it": "risposto per te: difendi con giudizio"}
WAIT = 1.0
"""Seconds until a process looks again whether the machine player of a match is for it."""
LONGEST_WAIT = 300.0
"""Seconds after which a player is tried again that has failed again and again: it must not take the others' time."""


async def think(matches: Matches, name: str) -> None:
    """Play for the machine seats of a match until a person owes a decision or the match is over.

    Of several processes one does it, the one that has claimed the match. The others wait, and take over if it dies.
    """
    line = matches.fanout
    failed = 0
    try:
        while not matches.pool.closed:
            try:
                if line is None or await line.claim(name):
                    if not await _decide(matches, name):
                        return
                    failed = 0
                    continue
                async with matches.at(name) as live:
                    if live.machine() is None or not matches.awaited(name, live):
                        return
            except OUTAGE as wrong:
                log.warning("the machine player of match %s waits for the database: %s", name, type(wrong).__name__)
            except WorkerError as wrong:
                if matches.pool.closed:
                    raise
                log.warning("the machine player of match %s waits for a free process: %s", name, wrong)
                failed += 1
            except Problem as wrong:  # it rests, or cannot be opened any more
                log.warning("the machine player of match %s stops: %s", name, wrong)
                return
            await asyncio.sleep(min(WAIT * 2**failed, LONGEST_WAIT) if failed else WAIT)
    finally:
        if line is not None:
            await line.release(name)


async def _decide(matches: Matches, name: str) -> bool:
    """One decision of a machine seat; False if none owes one, or nobody waits for it."""
    async with matches.at(name) as live:
        seat = live.machine()
        if seat is None or not matches.awaited(name, live):
            return False
        revision = live.revision
        job = matches.pool.job(live.kept, live.match.entries, live.revisions, seat)
        player, person = live.answers(seat), live.kept.seats[seat] == HUMAN
    matches.say(name, lambda place: {"thinking": seat})
    matches.tell_others(Thinking(name, seat))
    answer = await _answer(matches, job, player)
    if person:  # why is nobody's business but his
        answer = msgspec.structs.replace(answer, why=FOR_YOU, secret=True)
    try:
        await _play(matches, name, revision, seat, answer)
    except IllegalAction as wrong:
        log.error("%s answers %s in match %s: %s", player, answer.action, name, wrong)
        await _play(matches, name, revision, seat, await matches.pool.decide(job, FALLBACK))
    except Problem as wrong:
        if wrong.status != 409:  # 409: something has changed meanwhile, so think again
            raise
    return True


async def _answer(matches: Matches, job: Any, player: str) -> Answer:
    try:
        return await matches.pool.decide(job, player)
    except WorkerError as wrong:
        if matches.pool.closed:
            raise
        log.warning("%s in match %s: %s; a random action is played instead", player, job.match, wrong)
        return await matches.pool.decide(job, FALLBACK)


async def _play(matches: Matches, name: str, revision: int, seat: str, answer: Answer) -> None:
    line = 0

    def do(match: Match) -> None:
        nonlocal line
        match.play(answer.action, seat)
        line = len(match.entries)

    await matches.change(name, None, revision, do)
    if not answer.why:
        return
    async with matches.at(name) as live:
        hear = tuple(one for one in live.kept.seats if may_hear(live.match, Place(name, one), seat, answer))
        if hear:  # kept before it is told, so that whoever was told of it finds it
            await reasons.keep(matches.store, name, line, answer.why, hear)
        tell_why(matches, name, live.match, seat, answer, line)
    matches.tell_others(Why(name, seat, answer.why, answer.secret, line))


def tell_why(matches: Matches, name: str, match: Match, seat: str, answer: Answer, line: int) -> None:
    """Tell the reason of a machine player to all who are here and may hear it, with the line of its action."""
    told = {"why": answer.why, "line": line}
    matches.say(name, lambda place: told if may_hear(match, place, seat, answer) else None)


def may_hear(match: Match, place: Place, seat: str, answer: Answer) -> bool:
    """May a place be told why a machine player acts so? Not if that is secret, or names a unit it does not see.

    Reasons made from templates name no units; in plain text any name is looked for.
    """
    if place.kind == "spectator" or (answer.secret and place.seat != seat):
        return False
    if isinstance(answer.why, dict):
        return True
    seen = strings_in(msgspec.to_builtins(match.view(place.seat)))
    names = tables.texts(match.rules, "en").names
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
