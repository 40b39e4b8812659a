"""What a seat remembers of others' counters that it cannot see any more: who lay where, and when that was.

It is made of nothing but what the seat was told: its share of the events, and the counters that it knows by name
whenever something is to be decided. Whoever was shown a counter may remember it as long as it must still lie there:
until somebody whom the seat could not name has left that hex. So two states that a seat cannot tell apart, reached in
ways that it cannot tell apart, leave it with the same recollection.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fronte.engine.event import Event
from fronte.engine.view import View

if TYPE_CHECKING:
    from fronte.engine.rules import Rules


class Sighting(msgspec.Struct, frozen=True, gc=False):
    """Where somebody was seen last, on which turn, and how many steps it had lost then."""

    at: str
    turn: int
    lost: int = 0


Recollection = Mapping[str, Sighting]
"""By unit."""
NOTHING: Recollection = {}
"""What somebody remembers who has just come."""


class Shown(NamedTuple):
    """A counter of somebody else that a seat knows by name."""

    unit: str
    at: str
    lost: int = 0


class Others(NamedTuple):
    """What a seat sees of the others at a moment: whom it knows by name, and where anybody stands."""

    turn: int
    known: Sequence[Shown]
    stand: frozenset[str]


def look(view: View, hexes: Container[str]) -> Others:
    """What a view tells of the others."""
    others = [piece for piece in view.pieces if not piece.mine]
    known = [Shown(piece.id, piece.at, piece.face) for piece in others if piece.id]
    return Others(view.stage.turn, known, frozenset(piece.at for piece in others if piece.at in hexes))


def begin(others: Others) -> dict[str, Sighting]:
    """What is remembered at first: what is seen."""
    return {one.unit: Sighting(one.at, others.turn, one.lost) for one in others.known if one.at in others.stand}


def after(
    rules: Rules[Any], before: Recollection, turn: int, told: Iterable[Event], others: Others
) -> dict[str, Sighting]:
    """What is remembered after something has happened: `told` is the seat's share of it, on this turn."""
    found = dict(before)
    for event in told:
        for one in rules.shown_in(event):
            found[one.unit] = Sighting(one.at, turn, one.lost)
        way = way_of(event)
        for unit in named(event) if way else ():
            if unit in found:
                found[unit] = Sighting(way[-1], turn, found[unit].lost)
        for left in rules.left_by_strangers(event):
            for unit in [unit for unit, seen in found.items() if seen.at == left]:
                del found[unit]
    now, stand = others.turn, others.stand
    for unit, at, lost in others.known:
        old = found.get(unit)
        if old is None or old.at != at or old.turn != now or old.lost != lost:
            found[unit] = Sighting(at, now, lost)
    gone = [unit for unit, seen in found.items() if seen.at not in stand]
    for unit in gone:
        del found[unit]
    return found


def strangers_way(event: Event) -> tuple[str, ...]:
    """The hex that somebody without a name leaves in an event that tells his way."""
    return way_of(event)[:1] if "" in named(event) else ()


def way_of(event: Event) -> tuple[str, ...]:
    """The way that somebody goes in an event; empty where nobody goes anywhere."""
    data = event.data
    if data.get("path"):
        return tuple(data["path"])
    return (data["hex"], data["to"]) if "hex" in data and "to" in data else ()


def named(event: Event) -> list[str]:
    """Who is named in an event, the empty name being somebody whom the seat does not know."""
    found = [event.data["unit"]] if isinstance(event.data.get("unit"), str) else []
    return [*found, *[unit for unit in event.data.get("units", ()) if isinstance(unit, str)]]
