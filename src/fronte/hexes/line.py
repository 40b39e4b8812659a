"""Straight lines from hex to hex: what they cross and where they run between two hexes, in whole numbers.

Points are measured from the centre of the hex where a line starts: a unit across is a quarter of a hexside, a unit down
a quarter of a hex's height. Centres then lie at six times their column and twice their half row, corners and middles of
hexsides at whole numbers too, and a line is compared with a hex by products of whole numbers.
"""

from __future__ import annotations

Step = tuple[int, int]
"""From one hex to another: columns, and half rows downwards, as in `Grid.place`."""

Point = tuple[int, int]
"""A point of the hex where a line starts."""

Way = tuple[tuple[Step, ...], ...]
"""What a line meets, in order: a hex that it crosses, or the two hexes between which it runs along their hexside."""

CENTRE: Point = (0, 0)
MIDDLES: tuple[Point, ...] = ((0, -2), (3, -1), (3, 1), (0, 2), (-3, 1), (-3, -1))
"""The middles of a hex's sides, by direction."""
CORNERS: tuple[Point, ...] = ((2, -2), (4, 0), (2, 2), (-2, 2), (-4, 0), (-2, -2))
"""The corners of a hex: each lies between the side of its number and the next."""


def way(to: Step, start: Point = CENTRE) -> Way:
    """What a line meets that ends in the centre of the hex at `to`, both ends included where it runs through them.

    It starts in a centre, a corner or the middle of a side. A hex that is touched in a corner only is not met.
    """
    (x0, y0), (columns, halves) = start, to
    dx, dy = 6 * columns - x0, 2 * halves - y0
    if dx < 0:
        return tuple(tuple((-c, d) for c, d in met) for met in way((-columns, halves), (-x0, y0)))
    length = dx * dx + 3 * dy * dy
    # How far from the line, in the measure of `aside`, the corners of a hex reach; where two of them reach as far, the
    # line has the direction of a hexside.
    reaches = sorted((abs(4 * dy), abs(2 * dx - 2 * dy), abs(2 * dx + 2 * dy)))
    half, is_along_sides = reaches[2], reaches[1] == reaches[2]
    met: dict[int, list[Step]] = {}
    for c in range(-1, columns + 2):
        across = 6 * c - x0
        low, high = sorted((0, halves))
        if dx:
            middle = across * dy + y0 * dx
            low, high = -((half - middle) // (2 * dx)), (middle + half) // (2 * dx)
        for d in range(low + (low - c) % 2, high + 1, 2):
            down = 2 * d - y0
            along, aside = across * dx + 3 * down * dy, abs(down * dx - across * dy)
            if 0 <= along <= length and (aside < half or (aside == half and is_along_sides)):
                met.setdefault(along, []).append((c, d))
    return tuple(tuple(met[along]) for along in sorted(met))
