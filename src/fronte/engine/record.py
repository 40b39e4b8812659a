"""The record of a match as text: a heading, then one JSON line per decision with the dice it led to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from fronte.engine.rules import Header

FORMAT = 1


class SaveError(ValueError):
    """A save that cannot be read, does not replay or cannot go on; the message names the line."""


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the record: an action and the dice it led to, or a standing order that was given."""

    seat: str
    action: dict[str, Any]
    rolls: tuple[tuple[int, ...], ...] = ()
    standing: bool = False
    """The action was played by a standing order."""


class Anew(msgspec.Struct, frozen=True):
    """The seed was begun anew before any die fell, as a side had lost the word behind its seal."""

    by: str
    """The seat that asked for it."""
    house: str
    """What the house had been bound to until then."""
    agreed: tuple[str, ...] = ()
    """The other seats that had put in a word, all of which agreed."""
    seals: dict[str, str] = {}
    """What the seats had put in, under seal; none of these words is put in again."""


class Pledge(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the seed came about (see `trust`): a secret of the house, to which it was bound, and a word of each side."""

    house: str
    """The commitment of the house's secret, shown before any word was given."""
    words: tuple[str, ...]
    """What each side put in, in the order of the seats."""
    seals: tuple[str, ...] = ()
    """The words under seal, where both sides sealed theirs before either was opened."""
    secret: str = ""
    """The house's secret in hexadecimal, once the match is over."""
    anew: tuple[Anew, ...] = ()
    """The times it was all begun anew: with another secret of the house and another word of each side."""


class End(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a finished save says of its end, to be checked by replaying it."""

    level: str
    score: int
    winner: str | None
    lines: int
    fingerprint: str = ""
    """Of the heading and the whole record, keyed with the seed."""
    by: str = ""
    """How it ended, where no rule ended it: `time`, `resigned`, `agreed`. The winner then is the house's word."""


class Heading(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line of a save."""

    fronte: int
    header: Header
    commitment: str
    seed: str = ""
    """Empty where nobody shall foresee the dice to come."""
    opening: tuple[tuple[int, ...], ...] = ()
    position: dict[str, Any] | None = None
    """The position the match began with, when it was not the scenario's own."""
    pledge: Pledge | None = None
    end: End | None = None
    players: dict[str, str] = {}
    """Who plays each seat, where that is known: `human` or the name of a machine player. No part of what is proven."""
    hints: dict[str, tuple[int, ...]] = {}
    """The lines after which seats asked a machine what to do. No part of what is proven either."""


class Snapshot(msgspec.Struct, frozen=True):
    """A position after so many lines of the record, with a fingerprint of those lines."""

    after: int
    lines: str
    position: dict[str, Any]


def write(heading: Heading, entries: Iterable[Entry]) -> str:
    """A heading and a record as text."""
    lines = [msgspec.json.encode(heading).decode()]
    lines += [msgspec.json.encode(entry).decode() for entry in entries]
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[Heading, list[Entry]]:
    """The heading and the record of a save; SaveError with the line if it is damaged."""
    lines = text.split("\n")  # and at nothing else: a word may hold other characters that break lines
    if not lines[-1].strip():
        lines.pop()
    if not lines:
        raise SaveError("line 1: the save is empty")
    heading = _decode(lines[0], Heading, 1)
    if heading.fronte != FORMAT:
        raise SaveError(f"line 1: format {heading.fronte} is not known, only {FORMAT}")
    return heading, [_decode(line, Entry, number) for number, line in enumerate(lines[1:], 2)]


def _decode(line: str, kind: type[Any], number: int) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeError) as wrong:
        raise SaveError(f"line {number}: {wrong}") from None
    except RecursionError:
        raise SaveError(f"line {number}: it is nested too deeply") from None
