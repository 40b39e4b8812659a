"""The panel that the Inferno games bring: preparing an attack."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fronte.engine import panel

ATTACK = "inferno.attack"
"""Targets, each with the units and guns that can take part; or bombardments, or an end of it."""


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hex that can be attacked: by whom, with which guns, and a good set to begin with."""

    units: tuple[str, ...]
    guns: tuple[str, ...]
    first: tuple[str, ...]
    first_guns: tuple[str, ...]
    """12.3: all guns where to fire costs them nothing, else none."""
    steps_per_hex: int
    """7.2: how many steps may attack from one hex."""


class Attack(panel.Choose, frozen=True, kw_only=True):
    """The offer of an attack; among the actions is one on each target with its first set."""

    targets: dict[str, Target]


PANELS: Mapping[str, type[panel.Choose]] = {**panel.PANELS, ATTACK: Attack}
