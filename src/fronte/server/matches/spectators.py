"""Those who look on: what both sides know, or one side after a while, as the players choose.

What both sides know can be shown at once, since nobody can learn anything from it that he does not know. One side's
view holds secrets: it is shown only where both players have asked for the same, and only as it was some decisions or
minutes ago. Where they do not agree, what both know is shown; either of them alone can close the doors. A machine
cannot agree: whoever plays against it could else look on at his own match and see what it hides.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from fronte.engine.match import Match
from fronte.server.api_types import Choice, History, Table
from fronte.server.matches import tables
from fronte.server.problem import Problem
from fronte.server.store.rows import HUMAN, Person

if TYPE_CHECKING:
    from fronte.server.matches.live import Live

COMMON, NOTHING = "common", "nothing"


def checked(choice: Choice, seats: Mapping[str, str]) -> Choice:
    """A choice that can be made in a match with these seats."""
    if choice.see in (COMMON, NOTHING):
        return Choice(choice.see)
    if choice.see not in seats:
        raise Problem(422, f"spectators can see {COMMON}, {NOTHING}, or a seat: {', '.join(seats)}")
    if not all(player == HUMAN for player in seats.values()):
        raise Problem(422, "against a machine spectators see what both sides know")
    if not choice.lines and not choice.minutes:
        raise Problem(422, "one side's view is shown only with a delay: give lines or minutes")
    return choice


def wish(person: Person) -> Choice | None:
    """What somebody wants spectators to see; a wish that cannot be read any more is none."""
    if person.spectators is None:
        return None
    try:
        return msgspec.json.decode(person.spectators, type=Choice)
    except (msgspec.DecodeError, RecursionError):
        return None


def agreed(people: Mapping[str, Person], seats: Mapping[str, str]) -> Choice:
    """What spectators see: what all who play want. With a machine among them that is what both know, or nothing."""
    wishes = [wish(person) for person in people.values()]
    if any(found is not None and found.see == NOTHING for found in wishes):
        return Choice(NOTHING)
    first = wishes[0] if wishes and len(people) == len(seats) else None
    return first if first is not None and all(found == first for found in wishes) else Choice(COMMON)


def shown_line(live: Live, now: int) -> int:
    """How far into the record spectators see; all of it once the match is over."""
    choice = agreed(live.people, live.kept.seats)
    if choice.see == NOTHING:
        raise Problem(403, "the players let nobody look on")
    if choice.see == COMMON or live.over:
        return live.line
    seen = live.line - choice.lines
    if choice.minutes:
        seen = min(seen, bisect_right(live.times, now - 60 * choice.minutes))
    return max(0, seen)


def _side(live: Live) -> str | None:
    choice = agreed(live.people, live.kept.seats)
    return None if choice.see == COMMON else choice.see


def table(live: Live, language: str, after: int, now: int) -> Table:
    """The table of a spectator, with the events of the lines after `after`."""
    line, side = shown_line(live, now), _side(live)
    after = min(after, line)
    if line == live.line:
        return tables.table(live.cached, side, True, language, after, live.revision)
    return tables.earlier_table(live.behind(line), live.match, line, side, language, after, live.revision)


def earlier(live: Live, at: int, language: str, after: int, now: int) -> Table:
    """The table of a spectator after so many lines."""
    if not 0 <= at <= shown_line(live, now):
        raise Problem(404, f"the record has {shown_line(live, now)} lines", line=shown_line(live, now))
    then = live.past.at(live.match, at)
    return tables.earlier_table(then, live.match, at, _side(live), language, min(after, at), live.revision)


def history(live: Live, language: str, first: int, last: int, now: int) -> History:
    """What happened, as a spectator may know it."""
    return History(tables.events(live.match, _side(live), language, first, min(last, shown_line(live, now))))


def shown_match(live: Live, now: int, at: int | None = None) -> Match:
    """The match as it was at the line that spectators see, or after so many lines before that."""
    line = shown_line(live, now)
    if at is not None and at != line:
        if not 0 <= at < line:
            raise Problem(404, f"the record has {line} lines", line=line)
        return live.past.at(live.match, at)
    return live.match if line == live.line else live.behind(line)
