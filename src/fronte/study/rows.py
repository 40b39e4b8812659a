"""The rows of the tables that every game has; docs/studies/README.md describes their columns.

A family may put rows of its own in their place, and add tables. Columns stay as they are.
"""

from __future__ import annotations

import msgspec


class Course(msgspec.Struct, array_like=True, frozen=True):
    """What is told of a whole game in every family."""

    seed: int
    scenario: str
    players: list[str]
    level: str
    winner: str | None
    score: int
    ended_by: list[str]
    """The rules that made an end of it."""
    first_turn: int
    last_turn: int
    actions: int


class Game(Course, array_like=True, frozen=True):
    """A game as a whole."""

    merits: list[int]
    """What the result was worth to each seat (`Rules.merit`)."""


class Turn(msgspec.Struct, array_like=True, frozen=True):
    """How a force stood at the end of a turn, and what the turn had cost it."""

    turn: int
    seat: str
    force: str
    pieces: int
    lost: int
    hexes: int | None
    objectives: int | None


class Standing(msgspec.Struct, array_like=True, frozen=True):
    """What stood on a track at the end of a turn."""

    turn: int
    track: str
    force: str | None
    value: int


class Change(msgspec.Struct, array_like=True, frozen=True):
    """A hex that changed hands."""

    turn: int
    hex: str
    force: str | None


class Loss(msgspec.Struct, array_like=True, frozen=True):
    """A piece that left the map for good, and where it stood last."""

    turn: int
    seat: str
    force: str
    piece: str
    hex: str


class Throw(msgspec.Struct, array_like=True, frozen=True):
    """One thing that a throw could bring to somebody: what was to be expected and, where it can be told, what fell."""

    throw: int
    turn: int
    kind: str
    hex: str | None
    seat: str | None
    loser: str | None
    force: str | None
    what: str
    expected: float
    fell: int | None
    of: int


class Hex(msgspec.Struct, frozen=True):
    """A hex in play as a variant begins with it."""

    hex: str
    name: str
    objective: int
    force: str | None
