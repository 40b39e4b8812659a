"""Tables: what a seat has before it, and nothing else. Everything a browser is told about a match is made here."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.pack import Pack
from fronte.engine.rules import Rules
from fronte.engine.sheet import Sheet
from fronte.engine.standing import DEFENCE, NOW, Parameter, takes
from fronte.engine.text import Texts
from fronte.engine.view import View
from fronte.engine.ways import unpacked
from fronte.server.api_types import Asked, Ended, FactShown, Reason, RowShown, SheetShown, Table, Told
from fronte.server.problem import Problem
from fronte.server.store.rows import End

NOTHING = msgspec.Raw(b"null")
ALL = "*"
"""In the place of a seat: whoever sees what every seat sees, once nothing is secret any more."""


def texts(rules: Rules[Any], language: str) -> Texts:
    """The texts of a game in a language."""
    return _texts(rules.pack.folders, language)


@lru_cache(maxsize=16)
def _texts(folders: tuple[Path, ...], language: str) -> Texts:
    return Texts.read(Pack(folders), language)


def view(match: Match, seat: str | None) -> View:
    """What a seat may know; None: what all may know; ALL: what each of them knows, together."""
    if seat == ALL:
        return lifted(match)
    return match.rules.public_view(match.state) if seat is None else match.view(seat)


def lifted(match: Match) -> View:
    """The whole board without fog: of every seat what it knows of its own, on the board that all see."""
    rules = match.rules
    seen = rules.public_view(match.state)
    views = [match.view(seat) for seat in rules.seats]
    own = [msgspec.structs.replace(piece, mine=False) for known in views for piece in known.own()]
    forces = {piece.force for piece in own}
    others = [piece for piece in seen.pieces if piece.force not in forces]
    signs = list(seen.signs)
    for known in views:
        signs += [sign for sign in known.signs if sign not in signs]
    tracks = list(seen.tracks)
    for known in views:
        there = {(track.name, track.force) for track in tracks}
        tracks += [track for track in known.tracks if (track.name, track.force) not in there]
    return msgspec.structs.replace(seen, pieces=(*own, *others), signs=tuple(signs), tracks=tuple(tracks))


def sheet(rules: Rules[Any], found: Sheet, language: str) -> SheetShown:
    """A sheet of odds in words."""
    words = texts(rules, language)
    facts = [
        FactShown(fact.key, words.odds(fact.key, fact.data), words.ratio(fact.effect), fact.rule)
        for fact in found.facts
    ]
    rows = [RowShown(row.what, words.odds(row.what, {}), row.who, row.counts, row.rule) for row in found.rows]
    heading, unknown = words.odds(found.heading, found.data), words.unknown(found)
    return SheetShown(heading, found.of, facts, rows, unknown, words.recalled(found))


def events(match: Match, seat: str | None, language: str, after: int, until: int) -> list[Told]:
    """What happened in the lines after `after` up to `until`, as a seat may know it; after -1 comes the opening.

    Seat None is told what all may know, here and in all of this module.
    """
    words = texts(match.rules, language)
    index = None if seat in (None, ALL) else match.rules.seat_index(str(seat))
    told = []
    for line in range(max(after + 1, 0), min(until, len(match.entries)) + 1):
        first = match.marks[line - 1] if line else 0
        for event in match.events[first : match.marks[line]]:
            whole = Event(event.kind, event.rules, event.data) if seat == ALL else None
            seen = whole or (event.public() if index is None else event.to(index))
            if seen is not None:
                told.append(Told(line, seen.kind, seen.rules, seen.data, words.event(seen, cite=False)))
    return told


def asked(match: Match, seat: str | None, language: str) -> Asked | None:
    """The decision that is owed, in words for the seat that owes it."""
    decision = match.decision
    if decision is None:
        return None
    if decision.seat != seat:
        return Asked(decision.seat, decision.kind, decision.panel, decision.rules)
    words = texts(match.rules, language)
    return Asked(
        decision.seat,
        decision.kind,
        decision.panel,
        decision.rules,
        decision.about,
        words.brief(decision),
        words.hint(decision),
        decision.odds,
        decision.whole,
    )


def reason(match: Match, refusal: Refusal, language: str) -> Reason:
    """Why the rules forbid something."""
    return Reason(refusal.rule, match.rules.texts(language).refusal(refusal))


def illegal(match: Match, refusal: Refusal, status: int = 422, line: int | None = None) -> Problem:
    """The answer to a request for what the rules forbid."""
    problem = Problem(status, refusal.why, refusal.rule, line)
    problem.words = lambda language: match.rules.texts(language).refusal(refusal)
    return problem


def ended(match: Match, language: str) -> Ended | None:
    """The result, once the match is over."""
    result = match.result
    if result is None:
        return None
    words = texts(match.rules, language)
    return Ended(result.level, result.score, result.winner, result.rules, words.word("level", result.level))


EARLY = {
    "time": {"en": "won on time", "it": "vinta per il tempo"},
    "resigned": {"en": "one side has resigned", "it": "una parte si è arresa"},
    "agreed": {"en": "both sides agreed on a draw", "it": "le due parti si sono accordate per il pareggio"},
}
"""Where no rule ended a match, how it ended: as part of a sentence, like the levels of the packs."""


def closed(found: Table, end: End, language: str) -> Table:
    """The table of a match that ended before the rules ended it."""
    found.decision, found.offer, found.undo = None, NOTHING, False
    found.result = Ended(end.by, 0, end.winner, (), EARLY[end.by][language])
    return found


class Cached:
    """View and offers of a match that does not change, encoded once for all who ask."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.views: dict[str | None, msgspec.Raw] = {}
        self.offered: msgspec.Raw | None = None
        """With ways as trees (`engine.ways`)."""
        self.offered_whole: msgspec.Raw | None = None

    def weight(self) -> int:
        """Bytes of all that is kept here."""
        offers = [offer for offer in (self.offered, self.offered_whole) if offer is not None]
        return sum(len(bytes(part)) for part in (*self.views.values(), *offers))

    def view(self, seat: str | None) -> msgspec.Raw:
        """What the seat may know."""
        if seat not in self.views:
            self.views[seat] = _raw(view(self.match, seat))
        return self.views[seat]

    def offer(self, seat: str, packed: bool = False) -> msgspec.Raw:
        """What is on offer to the seat, if it owes the decision; every way whole, or as trees."""
        match = self.match
        if match.seat < 0 or match.rules.seats[match.seat] != seat:
            return NOTHING
        if self.offered is None:
            self.offered = msgspec.Raw(match.offer_json())
        if packed:
            return self.offered
        if self.offered_whole is None:
            told = msgspec.json.decode(self.offered)
            whole = unpacked(told)
            self.offered_whole = self.offered if whole is told else _raw(whole)
        return self.offered_whole


def _raw(data: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(data))


def orders(match: Match, seat: str | None) -> dict[str, str]:
    """The standing orders of a seat."""
    if seat is None or seat == ALL:
        return {}
    index = match.rules.seat_index(seat)
    given = {kind: policy for (owner, kind), policy in sorted(match.orders.items()) if owner == index}
    if given.pop(DEFENCE, None) and match.defends(index):
        given[DEFENCE] = NOW
    return given


def obeyed(match: Match, seat: str | None, after: int) -> list[str]:
    """The kinds of decision that standing orders of a seat have answered in the lines after `after`."""
    if seat is None or seat == ALL:
        return []
    verbs = {entry.action["do"] for entry in match.entries[max(after, 0) :] if entry.standing and entry.seat == seat}
    choices = match.rules.choices
    tags = {kind: {str(verb.__struct_config__.tag) for verb in choices[kind].verbs} for kind in match.rules.standing}
    return [kind for kind in orders(match, seat) if tags.get(kind, set()) & verbs]


def policies(match: Match) -> dict[str, dict[str, tuple[Parameter, ...]]]:
    """The standing orders there are, each with what it takes."""
    return {
        kind: {name: takes(policy) for name, policy in named.items()} for kind, named in match.rules.standing.items()
    }


def table(
    known: Cached, seat: str | None, watches: bool, language: str, after: int, revision: int, packed: bool = False
) -> Table:
    """The table of a seat now, with the events of the lines after `after`. Who only watches is offered nothing."""
    match = known.match
    line = len(match.entries)
    return Table(
        line=line,
        revision=revision,
        after=after,
        view=known.view(seat),
        decision=asked(match, seat, language),
        offer=NOTHING if watches or seat is None else known.offer(seat, packed),
        undo=not watches and match.can_undo(seat),
        orders=orders(match, seat),
        obeyed=obeyed(match, seat, after) if after >= 0 else [],
        policies=policies(match),
        result=ended(match, language),
        events=events(match, seat, language, after, line),
    )


def earlier_table(
    then: Match, now: Match, line: int, seat: str | None, language: str, after: int, revision: int
) -> Table:
    """The table of a seat as it was after so many lines: nothing can be done there."""
    return Table(
        line=line,
        revision=revision,
        after=after,
        view=_raw(view(then, seat)),
        decision=asked(then, seat, language),
        offer=NOTHING,
        undo=False,
        orders={},
        obeyed=[],
        policies={},
        result=ended(then, language),
        events=events(now, seat, language, after, line),
    )
