"""Where the front stands: the line between what two sides hold, and the map of it turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fronte.draw.curves import number as short
from fronte.draw.curves import spot
from fronte.draw.sheet import Sheet
from fronte.hexes import bits, mask_of
from fronte.hexes.grid import Grid
from fronte.study.maps import sheet_of, size_of
from fronte.study.plan import Plan
from fronte.study.plot import TIME, mix, rect, text
from fronte.study.words import Words

POCKET = 6
"""An area of fewer hexes is no part of the front."""
FRONTS = 6
"""How many lines the map of the front shows besides the one at the start."""
Sides = list[tuple[str, str]]
"""Hexsides, each by its two hexes."""


class Fronted(Protocol):
    """Games in which there is a front."""

    plan: Plan
    turns: list[int]

    def front(self, row: int | None) -> Sides:
        """The hexsides of the front at the end of a turn, by its place among the turns; None: at the start."""


def in_most(held: NDArray[np.bool_]) -> list[bool]:
    """By game and hex who holds it: for each hex, whether it is so in most games."""
    return [bool(share > 0.5) for share in held.mean(axis=0)]


def front_line(grid: Grid, names: Sequence[str], mine: Sequence[bool]) -> Sides:
    """The hexsides around those of some hexes that one side holds, without pockets: places where somebody passed
    through are no front."""
    everything = mask_of(grid.index[name] for name in names)
    held = mask_of(grid.index[name] for name, is_mine in zip(names, mine, strict=True) if is_mine)
    held = without_pockets(grid, held, everything)
    pairs = [(a, b) for a in bits(everything) for b in grid.adjacent[a] if a < b and everything >> b & 1]
    return [(grid.ids[a], grid.ids[b]) for a, b in pairs if (held >> a ^ held >> b) & 1]


def without_pockets(grid: Grid, held: int, inside: int = -1) -> int:
    """What one side holds, if every connected area of fewer hexes than a pocket has belonged to the other side."""
    everything = grid.everything & inside
    for area in (held & everything, everything & ~held):
        left = area
        while left:
            pocket = new = left & -left
            while new:
                around = 0
                for h in bits(new):
                    around |= grid.ring[h]
                new = around & left & ~pocket
                pocket |= new
            left &= ~pocket
            if pocket.bit_count() < POCKET:
                held ^= pocket
    return held


def front_map(sample: Fronted, words: Words) -> str:
    """The line between what the sides hold in most games: the later the turn, the narrower and darker the line."""
    sheet = sheet_of(sample.plan.game)
    rows = _spread(len(sample.turns), FRONTS)
    parts = [_hexsides(sheet, sample.front(None), "#000000", 26), _hexsides(sheet, sample.front(None), "#ffffff", 20)]
    names, colours = [words("at_start")], ["#ffffff"]
    for k, row in enumerate(rows):
        colour = mix(TIME, k / max(1, len(rows) - 1))
        parts.append(_hexsides(sheet, sample.front(row), colour, 20 - 13 * (k + 1) / len(rows)))
        names.append(words("turn_is", turn=sample.turns[row]))
        colours.append(colour)
    width, height = size_of(sample.plan.game)
    each = (width - 80) / len(names)
    for k, (name, colour) in enumerate(zip(names, colours, strict=True)):
        left = 60 + each * k
        if k == 0:
            parts.append(rect(left - 3, height + 31, 56, 28, "#000000"))
        parts.append(rect(left, height + 34, 50, 22, colour))
        parts.append(text(left + 60, height + 55, name, 28))
    return "".join(parts)


def _spread(count: int, most: int) -> list[int]:
    """At most so many numbers below a count, evenly spread, the last one among them."""
    if count <= most:
        return list(range(count))
    return sorted({round((k + 1) * count / most) - 1 for k in range(most)})


def _hexsides(sheet: Sheet, sides: Sequence[tuple[str, str]], colour: str, width: float) -> str:
    ends = [sheet.side(a, b) for a, b in sides]
    path = "".join(f"M{spot(p)}L{spot(q)}" for p, q in ends)
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{short(width)}" stroke-linecap="round"/>'
