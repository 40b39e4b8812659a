"""The map that only Inferno games have: the front, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence

from fronte.draw.curves import number as short
from fronte.draw.curves import spot
from fronte.draw.sheet import Sheet
from fronte.study.inferno.measures import Sample
from fronte.study.maps import sheet_of, size_of
from fronte.study.plot import TIME, mix, rect, text
from fronte.study.words import Words

FRONTS = 6
"""How many lines the map of the front shows besides the one at the start."""


def front_map(sample: Sample, words: Words) -> str:
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
