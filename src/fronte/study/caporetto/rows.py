"""The rows of the tables of Caporetto; docs/studies/README.md describes their columns."""

from __future__ import annotations

import msgspec

from fronte.study.rows import Course


class Loss(msgspec.Struct, array_like=True, frozen=True):
    """Steps that a unit lost: by dying, by surrender (as 23.1 counts them) or by rout; `gone` if it left play."""

    turn: int
    seat: str
    force: str
    piece: str
    formation: str | None
    hex: str | None
    steps: int
    how: str
    gone: bool


class Fire(msgspec.Struct, array_like=True, frozen=True):
    """A fire that fell: its kind, upon whom, and what it did."""

    turn: int
    kind: str
    hex: str
    force: str | None
    units: int
    points: int
    """Of disorganisation, for each unit."""
    steps: int
    suppressed: bool


class Assault(msgspec.Struct, array_like=True, frozen=True):
    """A wave of an assault: by whom, its column, and whether the hex fell."""

    turn: int
    force: str
    hex: str
    counter: bool
    column: str
    won: bool


class Act(msgspec.Struct, array_like=True, frozen=True):
    """A formation that acted, and why."""

    turn: int
    force: str
    formation: str
    kind: str


class Bridge(msgspec.Struct, array_like=True, frozen=True):
    """A bridge that was blown (or built)."""

    turn: int
    bridge: str
    blown: bool
    rule: str


class Turn(msgspec.Struct, array_like=True, frozen=True):
    """How a force stood at the end of a turn, and what the turn had cost it in steps."""

    turn: int
    seat: str
    force: str
    points: int | None
    """Victory points; None of those who make none."""
    pieces: int
    hexes: int
    objectives: int
    dead: int
    prisoners: int
    acted: int
    assaults: int
    won: int


class Game(Course, array_like=True, frozen=True):
    """A game as a whole."""

    merits: list[int]
