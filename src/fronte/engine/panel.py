"""Panels: the ways in which a decision can be answered, each with the shape of its offer.

A decision names its panel (`Choice.panel`). A screen has one means for each panel and knows no decision by name. A
family of games may add panels of its own (`Rules.panels`). Where a screen has no means for a panel, the plain list of
answers (`actions`) is always there: all that can be answered, or so much of it that nobody is stuck.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

CHOOSE = "choose"
"""One of a few answers, each a button."""
SUBSET = "subset"
"""Some pieces out of several."""
ALLOCATE = "allocate"
"""A number for each piece or hex, within bounds and with a fixed sum: losses, points."""
PATH = "path"
"""One of several ways over the map."""
PLACE = "place"
"""Pieces, each with the places where it may be put, or be worked with; or an end of it."""
MOVE = "move"
"""Pieces, each with where it can go and what that costs; or an end of it."""

Given = dict[str, Any]
"""An action as data."""
Notes = dict[str, dict[str, int]]
"""What is to be known of an answer before it is given, by a hex or by the hexes of a way (`2411-2410`): keys of the
texts' table `[note]`, each with a number. What is 0 is not told."""


class Choose(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The offer of `choose`, and what every offer has: answers as data."""

    actions: tuple[Given, ...]
    more: bool = False
    """There are more than these."""
    warnings: dict[str, tuple[str, ...]] = {}
    """What one should know before ending: keys of the texts' table `[warning]`, with the hexes or pieces meant."""
    named: dict[str, tuple[str, ...]] = {}
    """Pieces that may be named with the end, by the field of the action."""


class Place(Choose, frozen=True):
    """The offer of `place`."""


class Subset(Choose, frozen=True, kw_only=True):
    """The offer of `subset`: which sets are allowed is what the actions say, or any set is (`free`)."""

    verb: str
    field: str
    """The field of the action that holds the pieces."""
    pieces: tuple[str, ...]
    free: bool = False
    first: tuple[str, ...] = ()
    """Those that are chosen from the start, where one can hardly want less."""
    notes: Notes = {}


class Allocate(Choose, frozen=True, kw_only=True):
    """The offer of `allocate`: so much in all, each share within its bounds. The rules judge what else must be."""

    verb: str
    field: str
    """The field of the action that holds pairs of a name and a number."""
    total: int
    shares: dict[str, tuple[int, int]]
    """For each piece or hex the least and the most."""


class Path(Choose, frozen=True):
    """The offer of `path`: the actions have a `path`, and may have pieces that go along."""

    notes: Notes = {}


class Reached(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hex in reach: the points left there, in the smallest fraction, and the way."""

    left: int
    path: tuple[str, ...]


class Mover(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece that can act: the points it has, and where it can go."""

    left: int
    reach: dict[str, Reached]
    part: bool = False
    """These are not all hexes in reach, which would be too many for one offer."""


class Move(Choose, frozen=True, kw_only=True):
    """The offer of `move`: where pieces can go; the actions are what can be done besides."""

    units: dict[str, Mover]
    move: str = "move"
    """The verb of a move."""
    facings: tuple[str, ...] = ()
    """Where a piece can be made to look at the end of its move (the `facing` of the action): keys of `[compass]`."""
    along: tuple[str, ...] = ()
    """Verbs that pieces of one hex do together: the action names one as `unit` and the others in `along`."""


PANELS: Mapping[str, type[Choose]] = MappingProxyType(
    {CHOOSE: Choose, SUBSET: Subset, ALLOCATE: Allocate, PATH: Path, PLACE: Place, MOVE: Move}
)
"""The panels that every screen has."""


def subset(offer: dict[str, Any], verb: str, field: str) -> dict[str, Any]:
    """The offer of `subset` from its answers: the pieces are those that they name, in their order."""
    pieces = dict.fromkeys(name for action in offer["actions"] for name in action.get(field, ()))
    return offer | {"verb": verb, "field": field, "pieces": list(pieces)}


def checked(panels: Mapping[str, type[Choose]], panel: str, offer: Mapping[str, Any]) -> Choose:
    """An offer as its panel has it; ValueError where it is of another shape, or where nothing can be answered."""
    if panel not in panels:
        raise ValueError(f"there is no panel {panel!r}; the panels are {', '.join(panels)}")
    found = msgspec.convert(offer, panels[panel], strict=True)
    if not found.actions:
        raise ValueError(f"an offer of {panel!r} without an answer")
    return found
