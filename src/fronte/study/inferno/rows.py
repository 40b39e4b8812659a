"""The rows of the tables of the Inferno games; docs/studies/README.md describes their columns."""

from __future__ import annotations

import msgspec

from fronte.study.rows import Course


class Combat(msgspec.Struct, array_like=True):
    """A combat: what was declared, what the dice said against what they were expected to say, and what it cost."""

    combat: int
    turn: int
    seat: str
    target: str
    attackers: list[str]
    origins: list[str]
    defenders: list[str]
    guns: list[str]
    outcome: str = "open"
    column: str | None = None
    attack: int | None = None
    defence: int | None = None
    attack_av: int | None = None
    defence_av: int | None = None
    steps: int | None = None
    flanked: bool | None = None
    trench: bool | None = None
    terrain: str | None = None
    crt: int | None = None
    lrt: int | None = None
    attack_retreat: int | None = None
    defence_retreat: int | None = None
    attack_loss: int | None = None
    defence_loss: int | None = None
    attack_retreat_expected: float | None = None
    defence_retreat_expected: float | None = None
    attack_loss_expected: float | None = None
    defence_loss_expected: float | None = None
    attack_steps_lost: int = 0
    defence_steps_lost: int = 0
    attack_units_lost: int = 0
    defence_units_lost: int = 0
    advanced: bool = False


RATIO = ("column", "attack", "defence", "attack_av", "defence_av", "steps", "flanked", "trench", "terrain")
"""What the event `ratio` says of a combat."""


class Loss(msgspec.Struct, array_like=True, frozen=True):
    """Steps that a unit lost, in a combat or otherwise; `eliminated` if it left play."""

    turn: int
    seat: str
    unit: str
    hex: str
    steps: int
    eliminated: bool
    combat: int | None


class Change(msgspec.Struct, array_like=True, frozen=True):
    """A hex that changed hands."""

    turn: int
    hex: str
    seat: str


class Turn(msgspec.Struct, array_like=True, frozen=True):
    """How a side stood at the end of a turn, and what the turn had cost it. The score is the game's, for both sides."""

    turn: int
    seat: str
    score: int
    hexes: int
    objectives: int
    attacks: int
    units_lost: int
    steps_lost: int


class Game(Course, array_like=True, frozen=True):
    """A game as a whole."""

    combats: int


class Hex(msgspec.Struct, frozen=True):
    """A hex as a variant begins with it."""

    hex: str
    name: str
    objective: int
    seat: str
