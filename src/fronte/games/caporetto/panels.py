"""The panels of this game: ways to answer a decision that no other game has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fronte.engine import panel
from fronte.games.caporetto import aims

SET_UP = "caporetto.set_up"
PLAN = "caporetto.plan"
ACTIVATE = "caporetto.activate"
"""Formations by corps and division, and what can be done besides: of a turn to act and of a reaction."""
HEADQUARTERS = "caporetto.hq"
WAVE = "caporetto.wave"
"""Who fights together and whose morale counts: of an assault and of who meets it."""
LOSSES = "caporetto.losses"
COUNTER = "caporetto.counter"
ORDER = "caporetto.order"
"""All answers are orders of the same targets."""


class SetUp(panel.Choose, frozen=True, kw_only=True):
    """The offer of a set-up: the places in which units may be put, by what they have in common, and whose they are."""

    zones: dict[str, tuple[str, ...]]
    units: dict[str, str]
    """For each unit that may be put somewhere, also of those that stand already, its zone."""
    markers: dict[str, tuple[str, ...]] = {}
    """25.13: for each mine or gas, by the hex printed on it, where it may be laid."""


class Plan(panel.Choose, frozen=True, kw_only=True):
    """The offer of a plan: each formation with the guns it may have, and what can be paid (None: anything)."""

    formations: dict[str, tuple[int, ...]]
    points: int | None
    companies: tuple[str, ...] = ()
    """21.6: of which at most four that are together follow Rommel."""


class Headquarters(panel.Choose, frozen=True, kw_only=True):
    """The offer of a place for a headquarters: how many units of the formation it has in range from each."""

    commands: dict[str, int]


class Wave(panel.Choose, frozen=True, kw_only=True):
    """The offer of those who fight together: the best answer is `best`."""

    best: panel.Given


class Losses(panel.Choose, frozen=True, kw_only=True):
    """The offer of a split of steps: how many each unit can lose, and the answer that costs least."""

    best: panel.Given
    steps: dict[str, int]


PANELS: Mapping[str, type[panel.Choose]] = MappingProxyType(
    {
        **panel.PANELS,
        SET_UP: SetUp,
        PLAN: Plan,
        ACTIVATE: panel.Choose,
        HEADQUARTERS: Headquarters,
        WAVE: Wave,
        LOSSES: Losses,
        COUNTER: panel.Choose,
        ORDER: panel.Choose,
        aims.PANEL: aims.Aims,
    }
)
