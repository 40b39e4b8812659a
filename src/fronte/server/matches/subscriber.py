"""The subscriber to the other processes: it looks at what has changed and tells whoever is here.

News of one match is taken in its order, of different matches side by side. Nothing depends on news for being right,
only for being told at once: a process looks at the database before it uses what it has of a match. Where news may have
been missed everything that somebody has open is looked at.
"""

from __future__ import annotations

import asyncio
import logging

from fronte.server.matches import chat, notes
from fronte.server.matches.machine_seats import tell_why
from fronte.server.matches.matches import Matches
from fronte.server.matches.worker_pool import Answer
from fronte.server.people import links
from fronte.server.problem import Problem
from fronte.server.store.fanout import AGAIN, Fanout
from fronte.server.store.notify import Bye, Changed, Gone, Hello, Here, News, Noted, OfMatch, Spoken, Thinking, Why
from fronte.server.store.outage import OUTAGE

log = logging.getLogger("fronte.server")


class Subscriber:
    """What was heard and is yet to be looked at."""

    def __init__(self, matches: Matches, fanout: Fanout) -> None:
        self.matches = matches
        self.fanout = fanout
        self.waiting: dict[str, list[OfMatch]] = {}
        """For each match what came and was not looked at; it is being looked after as long as it is here."""
        self.tasks: set[asyncio.Task[None]] = set()
        fanout.heard = self.heard
        fanout.opened = self.look_at_all

    async def close(self) -> None:
        """Look no further."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def heard(self, news: News, own: bool) -> None:
        """Take news in; what needs the database is done beside."""
        matches = self.matches
        if isinstance(news, Hello):
            if not own:
                self.fanout.announce(matches.all_here())
        elif isinstance(news, Here):
            for name in news.seats:
                matches.tell_people(name)
        elif isinstance(news, Gone):
            if not own:
                matches.drop(news.match, news.links, Problem(401, links.ENDED[news.why]))
        elif isinstance(news, Changed):
            if not (own and matches.has_told(news.match, news.revision)):
                self._later(news)
        elif not own and not isinstance(news, Bye):
            self._later(news)

    def _later(self, news: OfMatch) -> None:
        name = news.match
        if name not in self.matches.watchers:
            return
        if name in self.waiting:
            self.waiting[name].append(news)
            return
        self.waiting[name] = [news]
        task = asyncio.create_task(self._look_after(name))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _look_after(self, name: str) -> None:
        try:
            while self.waiting[name]:
                if name not in self.matches.watchers:
                    return
                news = self.waiting[name].pop(0)
                later = any(isinstance(other, Changed) for other in self.waiting[name])
                if isinstance(news, Changed) and later:
                    continue  # one look tells of both
                try:
                    await self._look(name, news)
                except OUTAGE as wrong:
                    log.warning("what happened in match %s cannot be told now: %s", name, type(wrong).__name__)
                    self.waiting[name].insert(0, news)
                    await asyncio.sleep(AGAIN)
        except Exception:
            log.exception("what happened in match %s cannot be told", name)
        finally:
            del self.waiting[name]

    async def _look(self, name: str, news: OfMatch) -> None:
        matches = self.matches
        if isinstance(news, Changed):
            await matches.wake(name, news.revision)
        elif isinstance(news, Spoken):
            await chat.pass_on(matches, name, news.number)
        elif isinstance(news, Noted):
            await notes.pass_on(matches, name, news.seat)
        elif isinstance(news, Thinking):
            matches.say(name, lambda place: {"thinking": news.seat})
        elif isinstance(news, Why):
            async with matches.at(name) as live:
                tell_why(matches, name, live.match, news.seat, Answer(why=news.why, secret=news.secret), news.line)

    async def look_at_all(self) -> None:
        """News may have been missed: look at everything that somebody has open here."""
        matches = self.matches
        matches.links.found.clear()
        self.fanout.announce(matches.all_here())
        open_links = {watcher.place.link: name for name, all in matches.watchers.items() for watcher in all}
        for link in await links.ended_among(matches.store, list(open_links)):
            if link.ended is not None:
                matches.drop(link.place.match, [link.place.link], Problem(401, links.ENDED[link.ended]))
        for name in list(matches.watchers):
            self._later(Changed(name))
