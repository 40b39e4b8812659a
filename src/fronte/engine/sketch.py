"""A board in a few characters: what a terminal needs to draw a map of any game."""

from __future__ import annotations

import msgspec

LINES = DRY, STREAM, RIVER, CLIFF = "", "stream", "river", "cliff"
"""How the line of a hexside can be drawn."""


class HexSketch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A hex: up to two characters for its ground, one or two for what stands there, and its name."""

    ground: str = ""
    mark: str = ""
    name: str = ""


class SideSketch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A hexside: how its line is drawn, and one character for what leads across."""

    line: str = DRY
    crossing: str = ""

    def __post_init__(self) -> None:
        if self.line not in LINES:
            raise ValueError(
                f"a hexside is drawn as {', '.join(filter(None, LINES))} or not at all, not as {self.line!r}"
            )


class Sketch(msgspec.Struct, frozen=True):
    """The board as a seat sees it; what is not listed is plain."""

    hexes: dict[str, HexSketch]
    sides: dict[tuple[str, str], SideSketch]
    """By the two hexes, in either order."""

    def side(self, a: str, b: str) -> SideSketch:
        """The hexside between two hexes."""
        return self.sides.get((a, b)) or self.sides.get((b, a)) or PLAIN


PLAIN = SideSketch()
