"""Looking ahead: what a seat can foresee of the next turn from what it knows, for whoever plans.

Lines say it in words (`[outlook]` of the texts), layers show it on the map; a layer's `kind` is the key of its words in
`[overlay_kind]`, as with other overlays. Nothing here is hidden from the seat: who is covered counts as somebody.
"""

from __future__ import annotations

import msgspec

from fronte.engine.card import Line
from fronte.engine.overlay import Layer

THREAT, STRIKE, VACANT, SOURCE, STARVED = "threat", "strike", "vacant", "source", "starved"
"""Hexes that enemies could enter; hexes of one's own that they could attack; objectives on which nobody stands; sources
of supply; units of one's own that would be out of supply."""
MOST_NAMED = 12
"""So many units or hexes are named in one line; the number tells of the others."""


class Outlook(msgspec.Struct, frozen=True, omit_defaults=True):
    """What can be foreseen."""

    lines: tuple[Line, ...] = ()
    layers: tuple[Layer, ...] = ()
