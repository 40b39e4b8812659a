"""What the database keeps of a match, as it is used: the match, its people, its links, and a change of its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from fronte.engine.dice import commitment
from fronte.engine.record import Entry, Heading
from fronte.server.clocks import Clock

HELD, INVITED, OPEN = "held", "invited", "open"
HUMAN = "human"
"""Who plays a seat that no machine plays."""


class End(msgspec.Struct, frozen=True):
    """A match that ended before the rules ended it: how, and who has won."""

    by: str
    """`time`, `resigned` or `agreed`."""
    winner: str | None
    """None: a draw that both sides agreed on."""
    at: int


class Kept(msgspec.Struct, frozen=True):
    """A match as the database keeps it, without its lines."""

    id: str
    name: str
    heading: Heading
    """Without the seed."""
    seed: bytes
    seed_known: bool
    """Whoever made the match chose or knows the seed, and could foresee the dice."""
    seats: dict[str, str]
    created: int
    changed: int
    line: int
    revision: int
    result: dict[str, Any] | None
    clock: Clock | None = None
    ended: End | None = None
    card: dict[str, Any] | None = None
    """What a list shows of it (`matches.cards`)."""
    archived: bool = False
    practice: bool = False
    """It is played for practice: whoever plays may ask the machine what it would do."""
    secret: bytes = b""
    """What the house bound itself to (see `pledges`): for nobody's eyes until the match is over. Empty: no pledge."""

    @property
    def waits(self) -> bool:
        """Is the seed not made yet, as the word of a seat is missing?"""
        return bool(self.secret) and not self.seed

    @property
    def stream(self) -> bytes | None:
        """The seed from which the dice come; None where the match came without it and is over."""
        return self.seed if commitment(self.seed) == self.heading.commitment else None


class Place(msgspec.Struct, frozen=True):
    """What a link stands for.

    `seat`: plays this seat. `watch`: looks over its shoulder. `spectator`: sees what the players let spectators see.
    `owner`: may hand out the links of seats that nobody holds. `invite`: can be exchanged for the seat, once.
    """

    match: str
    seat: str
    kind: str = "seat"
    link: str = ""
    """The link itself, by the name under which it can be listed and ended."""

    @property
    def watches(self) -> bool:
        """May it not act?"""
        return self.kind != "seat"


class Person(msgspec.Struct, frozen=True):
    """Who holds a seat: nobody yet where the seat is `invited` or `open`."""

    state: str = HELD
    name: str = ""
    account: str | None = None
    forced: bool = False
    """Decisions with one legal answer are answered at once."""
    spectators: str | None = None
    """What this seat lets spectators see, as JSON; None has no wish."""
    seal: str | None = None
    word: str | None = None
    """What this seat puts into the dice, under seal and openly (see `pledges`)."""
    anew: str | None = None
    """Whether this seat has asked to begin the dice anew, or has agreed to it (see `dice.restart`)."""
    draw: bool = False
    """This seat offers a draw."""
    archived: bool = False
    """Whoever holds it has put the match away."""
    hints: str = ""
    """The lines at which this seat asked the machine what it would do, in a match that is not for practice."""


class Written(msgspec.Struct, frozen=True):
    """A line of a record, the revision in which it was written, and when."""

    revision: int
    at: int
    entry: Entry


class Change(msgspec.Struct, frozen=True):
    """What one commit does to a record: of `lines` lines those after `keep` go, then `entries` come."""

    lines: int
    keep: int
    entries: Sequence[Entry]
    revision: int
    """The revision that this change makes."""
    result: dict[str, Any] | None
    now: int
    clock: Clock | None = None
    owes: str | None = None
    """The seat that owes a decision from now on and did not before: it gets a notice in a while."""
    notice_after: int = 0
    card: Any = None
    """What a list shows of the match from now on."""
