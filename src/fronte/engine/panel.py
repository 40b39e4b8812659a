"""Panels: the ways in which a decision can be answered, each with the shape of its offer.

A decision names its panel (`Choice.panel`). A screen has one means for each panel and knows no decision by name. Where
it has none for a panel, the plain list of answers in words (`choose`) is always there.
"""

from __future__ import annotations

from typing import Any

import msgspec

CHOOSE = "choose"
"""One of a few answers, each a button."""
SUBSET = "subset"
"""Some pieces out of several."""
SPREAD = "spread"
"""A number for each piece: losses to be spread."""
PATH = "path"
"""One of several ways over the map."""
PLACE = "place"
"""Pieces, each with the places where it may be put, or be worked with; or an end of it."""
MOVE = "move"
"""Pieces, each with where it can go and what that costs; or an end of it."""
ATTACK = "attack"
"""Targets, each with the pieces that can take part; or an end of it."""
ALLOCATE = "allocate"
"""Numbers from several sources to several targets."""

PANELS = (CHOOSE, SUBSET, SPREAD, PATH, PLACE, MOVE, ATTACK, ALLOCATE)


class Answers(msgspec.Struct, frozen=True):
    """The offer of `choose`, and the fallback of all panels: every answer, as data and in words."""

    actions: tuple[dict[str, Any], ...]
