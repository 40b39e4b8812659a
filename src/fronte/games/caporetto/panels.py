"""The panels of this game: ways to answer a decision that no other game has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fronte.engine import panel
from fronte.games.caporetto import aims

SET_UP = "caporetto.set_up"
PLAN = "caporetto.plan"


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


PANELS: Mapping[str, type[panel.Choose]] = MappingProxyType(
    {**panel.PANELS, SET_UP: SetUp, PLAN: Plan, aims.PANEL: aims.Aims}
)
