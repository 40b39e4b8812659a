"""The panels of this game: ways to answer a decision that no other game has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fronte.engine import panel

SET_UP = "volturno.set_up"
DECLARE = "volturno.declare"
REACT = "volturno.react"
REDIRECT = "volturno.redirect"
CHARGE_ON = "volturno.charge"
"""Whether a charge is called off, and whether it goes on."""
DRESS = "volturno.dress"


class SetUp(panel.Choose, frozen=True, kw_only=True):
    """The offer of a set-up: for each counter of the side where it may stand, also for those that stand already."""

    zones: dict[str, tuple[str, ...]]


PANELS: Mapping[str, type[panel.Choose]] = MappingProxyType(
    {**panel.PANELS, SET_UP: SetUp, **dict.fromkeys((DECLARE, REACT, REDIRECT, CHARGE_ON, DRESS), panel.Choose)}
)
