"""Analysis of matches: a process of its own beside those of the machine players, so that neither holds up the other.

One question about a match at a time, and few in all. The values of many positions are worked out in the background,
some at a time, and kept as long as the lines they are of stand in the record.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import msgspec

from fronte.ai import offered, policy_for, usual_player
from fronte.server.api_types import Curve, Worth
from fronte.server.matches.analysis_main import Study
from fronte.server.matches.live import Live
from fronte.server.matches.tables import ALL
from fronte.server.matches.worker_pool import Job, Pool
from fronte.server.problem import Problem
from fronte.server.processes.child import WorkerError
from fronte.server.settings import Settings

if TYPE_CHECKING:
    from fronte.server.matches.matches import Matches

log = logging.getLogger("fronte.server")

T = TypeVar("T")

ADVISER = "planner"
"""Who is asked, where the game has it: the staff, with its two seconds."""
SECONDS = 60.0
"""What an answer may take before the process is ended; on the busiest machine it needs half of that."""
MOST_ASKED = 6
"""Questions that may wait for their answer."""
AT_ONCE = 1
"""Points of a curve that are asked for together: other questions come in between."""
MOST_KEPT = 200
"""Curves that are kept."""
WATCHED = 8.0
"""Seconds after which nobody looks at a curve any more: a page asks every two, and asking sets it going again."""


class Drawn:
    """A curve as far as it is known: the lines it has, and by line and revision what was found."""

    def __init__(self) -> None:
        self.lines: list[int] = []
        self.found: dict[tuple[int, int], Worth] = {}
        self.revision = -1
        self.asked = 0.0
        self.task: asyncio.Task[None] | None = None


class Analysts:
    """The process that analyses, and what it has found."""

    def __init__(self, settings: Settings) -> None:
        self.pool = Pool(1, SECONDS, settings.folders)
        self.asked: set[str] = set()
        self.curves: OrderedDict[tuple[str, str], Drawn] = OrderedDict()

    async def close(self) -> None:
        """No more is analysed."""
        tasks = [drawn.task for drawn in self.curves.values() if drawn.task is not None]
        for task in tasks:
            task.cancel()
        await self.pool.close()
        await asyncio.gather(*tasks, return_exceptions=True)

    @contextmanager
    def _one(self, name: str) -> Iterator[None]:
        """Room for one question about a match."""
        if name in self.asked:
            raise Problem(503, "somebody is asking about this match already", retry=2)
        if len(self.asked) >= MOST_ASKED:
            raise Problem(503, "too many are asking for advice; try again in a moment", retry=5)
        self.asked.add(name)
        try:
            yield
        finally:
            self.asked.discard(name)

    def job(self, live: Live, seat: str, study: Study) -> Job:
        """A question about a match as it is now."""
        if policy_for(live.match.rules) is None:
            raise Problem(422, f"nobody can judge a position of {live.match.rules.header.game}")
        job = self.pool.job(live.kept, live.match.entries, live.revisions, seat)
        job.study = study
        return job

    async def ask(self, job: Job, game: str, kind: type[T]) -> T:
        """The answer to a question; 503 where none comes."""
        adviser = ADVISER if ADVISER in offered(game) else usual_player(game)
        with self._one(job.match):
            try:
                answer = await self.pool.decide(job, adviser)
            except WorkerError as wrong:
                log.warning("no analysis of match %s: %s", job.match, wrong)
                raise Problem(503, "no answer was found in time", retry=10) from None
        return msgspec.json.decode(answer.found, type=kind)

    # The curve

    def curve(self, matches: Matches, live: Live, seat: str) -> Curve:
        """What is known of a seat's curve; what is not is worked out from now on."""
        key = live.kept.id, seat
        drawn = self.curves.setdefault(key, Drawn())
        self.curves.move_to_end(key)
        drawn.asked = asyncio.get_running_loop().time()
        if drawn.revision != live.revision:
            drawn.lines = []
        while len(self.curves) > MOST_KEPT:
            _, old = self.curves.popitem(last=False)
            if old.task is not None:
                old.task.cancel()
        points = [drawn.found[mark] for mark in _marks(live, drawn.lines) if mark in drawn.found]
        whole = bool(drawn.lines) and len(points) == len(drawn.lines)
        if not whole and (drawn.task is None or drawn.task.done()):
            self.job(live, seat, Study("lines"))  # refused at once where nobody can judge the game
            drawn.task = asyncio.create_task(self._draw(matches, key, drawn))
        return Curve(live.line, points, len(drawn.lines), whole)

    async def _draw(self, matches: Matches, key: tuple[str, str], drawn: Drawn) -> None:
        """Work out what is missing of a curve, some points at a time, as long as somebody looks at it."""
        name, seat = key
        clock = asyncio.get_running_loop().time
        try:
            while clock() - drawn.asked < WATCHED:
                async with matches.at(name) as live:
                    fresh = drawn.revision != live.revision or not drawn.lines
                    marks = _marks(live, drawn.lines)
                    wanted = [mark for mark in marks if mark not in drawn.found][:AT_ONCE]
                    if not fresh and not wanted:
                        return
                    study = Study("lines") if fresh else Study("worth", lines=[line for line, _ in wanted])
                    job, revision = self.job(live, seat, study), live.revision
                answer = await self.pool.decide(job, "")
                if fresh:
                    drawn.lines, drawn.revision = msgspec.json.decode(answer.found, type=list[int]), revision
                else:
                    found = msgspec.json.decode(answer.found, type=list[Worth])
                    drawn.found |= dict(zip(wanted, found, strict=True))
        except (Problem, WorkerError) as wrong:
            if not self.pool.closed:
                log.warning("the curve of match %s is not finished: %s", name, wrong)


def _marks(live: Live, lines: list[int]) -> list[tuple[int, int]]:
    """Each line with the revision in which it was written: what is found of it holds as long as that stands."""
    return [(line, live.revisions[line - 1] if line else 0) for line in lines if line <= live.line]


def may_ask(live: Live, seat: str, kind: str, own: str, at: int | None) -> bool:
    """May a place ask about the match as a seat sees it? True if that is a hint, to be written down and told.

    Once the match is over, and where nobody else plays, all may be asked. In a match between people under way only what
    to do now, by the seat that has to decide, and never in secret.
    """
    if live.over:
        return False
    if own not in (seat, ALL):
        raise Problem(403, "the view of another seat can be had when the match is over")
    if live.practice:
        return False
    if kind != "advice" or at not in (None, live.line) or live.owes != seat:
        raise Problem(403, "between people a match is analysed when it is over")
    return True
