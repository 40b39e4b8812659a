"""A sheet of odds: what an action or a throw can bring, in one shape for every game and any number of dice.

The chart in the browser, the table in the terminal, studies and luck read the same sheet. Words are made from its keys
by the texts of the game (`[odds]`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from fronte.engine.recollection import Recollection


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that counts: what it is, what fills its words, what it does to the throw, and by which rule."""

    key: str
    data: dict[str, Any] = {}
    effect: str = ""
    """As it is printed: `+1`, `3:1`, `1 column right`."""
    rule: str = ""


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that can happen to somebody: how many of the ways the dice can fall give 0, 1, 2 ... of it."""

    what: str
    counts: tuple[int, ...]
    who: str = ""
    """The force it happens to; empty: nobody's."""
    rule: str = ""

    @property
    def mean(self) -> float:
        """What is to be expected."""
        ways = sum(self.counts)
        return sum(many * number for many, number in enumerate(self.counts)) / ways if ways else 0.0


class Recalled(msgspec.Struct, frozen=True):
    """Units that cannot be seen and are counted as they were seen on a turn, because they must still be there."""

    turn: int
    units: tuple[str, ...]


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """What can come of it, exactly, as far as whoever asks can know."""

    heading: str
    """The key of what this is: an attack, a fire, a check."""
    of: int = 0
    """How many ways the dice can fall; 0: no dice are thrown, and `facts` say why."""
    data: dict[str, Any] = {}
    facts: tuple[Fact, ...] = ()
    rows: tuple[Row, ...] = ()
    unknown: tuple[str, ...] = ()
    """What is not known, by key of `[unknown]`, filled with `data`: it is left out, or one of the possibilities is
    counted."""
    recalled: tuple[Recalled, ...] = ()
    """What is counted from memory, the latest first."""

    def row(self, what: str, who: str = "") -> Row | None:
        """The row of one thing for one force."""
        return next((row for row in self.rows if row.what == what and who in ("", row.who)), None)

    def remembering(self, counted: Iterable[str], recalled: Recollection) -> Sheet:
        """The same, saying which of these units were counted from memory."""
        turns: dict[int, list[str]] = {}
        for unit in counted:
            turns.setdefault(recalled[unit].turn, []).append(unit)
        told = tuple([Recalled(turn, tuple(sorted(units))) for turn, units in sorted(turns.items(), reverse=True)])
        return msgspec.structs.replace(self, recalled=told) if told else self
