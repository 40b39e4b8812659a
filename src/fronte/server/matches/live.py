"""A match in memory: a cache of its record, and all that is worked out from it."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from fronte.ai import usual_player
from fronte.engine.decision import IllegalAction
from fronte.engine.match import Match
from fronte.engine.record import Entry
from fronte.engine.sheet import Sheet
from fronte.server import clocks
from fronte.server.api_types import Act, Holder, Table
from fronte.server.matches import spectators, tables
from fronte.server.matches.replay import Past, follow, load
from fronte.server.store.rows import HELD, HUMAN, Change, End, Kept, Person, Place, Written

BASE, PER_LINE, PER_STATE = 150_000, 1_300, 10_000
"""Bytes of a match in memory: for itself, for each line with its events, for each copy of the state."""


class Live:
    """A match in memory."""

    def __init__(
        self, kept: Kept, record: Sequence[Written], people: dict[str, Person], packs: Sequence[Path] = ()
    ) -> None:
        self.kept = kept
        self.people = people
        self.match = load(kept.heading, kept.stream, [written.entry for written in record], packs)
        self.match.players = kept.seats
        self.packs = packs
        self.revisions = [written.revision for written in record]
        """For each line the revision in which it was written; never falling."""
        self.times = [written.at for written in record]
        """For each line when it was written."""
        self.revision = kept.revision
        self.clock = kept.clock
        self.ended: End | None = kept.ended
        self.trail: tuple[int, Match] | None = None
        """The match as it was some lines ago, for those who look on with a delay."""
        self.past = Past(kept.heading, packs)
        self.cached = tables.Cached(self.match)
        self.used = time.monotonic()
        """When somebody came to it last."""

    def odds(self, action: Act, seat: str) -> Sheet:
        """The odds of an action. Whoever asks first waits until it is known what the seats remember: that is made from
        the whole record, and kept from then on."""
        if not self.match.remembers:
            self.match.remember(load(self.kept.heading, self.kept.stream, self.match.entries, self.packs, True))
        return self.match.odds(action, seat)

    def odds_of_many(self, actions: Sequence[Act], seat: str) -> list[Sheet | None]:
        """The odds of each; None where it has none, or may not be played."""
        found: list[Sheet | None] = []
        for action in actions:
            try:
                found.append(self.odds(action, seat))
            except IllegalAction:
                found.append(None)
        return found

    def weight(self) -> int:
        """About how many bytes it takes, as measured: what it is made of, and what can be taken back."""
        states = self.match.undo_points + len(self.past.stops) + (self.trail is not None)
        return BASE + PER_LINE * self.line + PER_STATE * states + self.cached.weight()

    @property
    def line(self) -> int:
        """Lines of the record so far."""
        return len(self.match.entries)

    def known(self, line: int, revision: int | None) -> int:
        """How many lines of the present record somebody knows who was at this line in this revision."""
        lines = self.line if revision is None else bisect_right(self.revisions, revision)
        return min(line, lines, self.line)

    @property
    def over(self) -> bool:
        """Is nothing owed any more?"""
        return self.match.seat < 0 or self.ended is not None

    @property
    def owes(self) -> str | None:
        """The seat that owes the decision, if one does."""
        return None if self.over else self.match.rules.seats[self.match.seat]

    def alone(self) -> list[str]:
        """The seat of a person, if there is nobody else but machines; none before the seed is made."""
        people = [seat for seat, level in self.kept.seats.items() if level == HUMAN]
        return people if len(people) == 1 and len(self.kept.seats) > 1 and not self.kept.waits else []

    @property
    def practice(self) -> bool:
        """May whoever plays ask the machine what it would do? So it is where nobody else plays."""
        people = [seat for seat, level in self.kept.seats.items() if level == HUMAN]
        return self.kept.practice or len(people) < 2

    def machine(self) -> str | None:
        """The seat that owes the decision, if a machine decides for it: its own, or one that defends a person."""
        if self.owes is None or self.kept.waits:  # without a seed its action could not be carried out
            return None
        return self.owes if self.kept.seats[self.owes] != HUMAN or self.match.defended else None

    def answers(self, seat: str) -> str:
        """Which machine player decides for a seat: its own, or the usual one for a person who is defended."""
        player = self.kept.seats[seat]
        return usual_player(self.match.rules.header.game) if player == HUMAN else player

    def table(self, place: Place, language: str, after: int, packed: bool = False) -> Table:
        """The table of a place now; with `packed` ways are trees."""
        now = time.time()
        if place.kind == "spectator":
            found = spectators.table(self, language, after, int(now))
        else:
            found = tables.table(self.cached, place.seat, place.watches, language, after, self.revision, packed)
        if self.clock is not None:
            found.clock = clocks.shown(self.clock, int(now * 1000))
        return found if self.ended is None else tables.closed(found, self.ended, language)

    def behind(self, line: int) -> Match:
        """The match as it was after so many lines, for those who follow it with a delay."""
        known, then = self.trail or (line + 1, self.match)
        if known > line:
            then = self.past.at(self.match, line)
        else:
            follow(then, self.match.entries[known:line])
        self.trail = line, then
        return then

    def clock_now(self, taken_back: bool = False) -> clocks.Clock | None:
        """The clocks once the seat that owes the decision is on time: they run when everybody is there."""
        if self.clock is None:
            return None
        there = not self.kept.waits and all(person.state == HELD for person in self.people.values())
        turn = clocks.take_back if taken_back else clocks.pass_to
        return turn(self.clock, self.owes if there else None, int(time.time() * 1000))

    def changed(self, before: Sequence[Entry], owed: str | None, notice_after: int, card: dict[str, Any]) -> Change:
        """What has been done to the match since it had these lines, as a change of the record, with its new card."""
        moment = int(time.time())
        now = self.match.entries
        keep = next((n for n, (a, b) in enumerate(zip(before, now, strict=False)) if a is not b), None)
        keep = min(len(before), len(now)) if keep is None else keep
        self.revision += 1
        self.revisions[keep:] = [self.revision] * (len(now) - keep)
        self.times[keep:] = [moment] * (len(now) - keep)
        if self.trail is not None and self.trail[0] > keep:
            self.trail = None
        self.past.cut(keep)
        self.past.passed(len(now), self.match.state)
        self.cached = tables.Cached(self.match)
        result = self.match.result
        told = None if result is None else msgspec.to_builtins(result)
        self.clock = self.clock_now(taken_back=keep < len(before))
        owes = None if self.owes == owed else self.owes
        return Change(
            len(before),
            keep,
            now[keep:],
            self.revision,
            told,
            moment,
            self.clock,
            owes,
            notice_after,
            card,
        )


def holder(person: Person, here: bool) -> Holder:
    """Who holds a seat, as all may know it."""
    hints = [int(line) for line in person.hints.split()]
    return Holder(person.state, person.name, here, person.forced, person.draw, hints)
