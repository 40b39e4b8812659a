"""What can be laid over the map when somebody asks: zones, supply, command, lines of sight, reach, objectives."""

from __future__ import annotations

from typing import Any

import msgspec

ZONE = "zone"
"""The kind of a layer that is drawn as marks in a corner of its hexes, so that those of several forces can overlap."""


class Layer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hexes or hexsides that are marked alike, for a force or for all."""

    hexes: tuple[str, ...] = ()
    force: str = ""
    kind: str = ""
    """What the layer shows, where an overlay has several, or ZONE."""
    path: tuple[str, ...] = ()
    """A way from hex to hex, drawn as a line."""
    values: dict[str, int] = {}
    """A number for a hex: a cost, a distance."""


class Overlay(msgspec.Struct, frozen=True, omit_defaults=True):
    """An overlay by its name; the words come from the game's texts: `[overlay]` has its name, and `[overlay_line]` what
    is told with `data` of the piece it is about."""

    name: str
    layers: tuple[Layer, ...] = ()
    data: dict[str, Any] = {}


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """About what an overlay is asked: a piece, a hex, a facing; which of them counts depends on the overlay."""

    piece: str = ""
    hex: str = ""
    facing: int | None = None
    force: str = ""
