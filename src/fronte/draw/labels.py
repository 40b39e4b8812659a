"""Names on the map, placed one after another so that none lies on another or on a symbol."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from .curves import number
from .sheet import Point
from .tokens import tone

SERIF = "'DejaVu Serif',Georgia,serif"
SANS = "'DejaVu Sans',Arial,sans-serif"
Box = tuple[float, float, float, float]
# family, colour, colour of the halo, its width in hexes, and what else; a page's own policy forbids style sheets here
LETTERS = {
    "id": (SANS, "number", "", 0.0, 'opacity="0.8"'),
    "level": (SANS, "level", "paper", 0.03, 'font-weight="bold"'),
    "place": (SERIF, "ink", "paper", 0.05, ""),
    "town": (SERIF, "ink", "paper", 0.055, 'font-weight="bold"'),
    "peakname": (SERIF, "peakname", "paper", 0.05, 'font-style="italic" font-weight="bold"'),
    "local": (SERIF, "local", "paper", 0.026, 'font-style="italic"'),
    "fort": (SANS, "ink", "paper", 0.026, ""),
    "points": (SANS, "#fff", "", 0.0, 'font-weight="bold"'),
    "rivername": (SERIF, "watername", "waterhalo", 0.028, 'font-style="italic"'),
}
# the mean width of a letter, in units of its size
WIDTHS = {"town": 0.68, "peakname": 0.6, "local": 0.54}
# where a name may stand: beside its symbol, in units of the distance asked for; anchor of the text
PLACES = [
    (0.0, 1.0, "middle"), (0.0, -1.0, "middle"), (1.0, 0.0, "start"), (-1.0, 0.0, "end"),
    (0.8, 0.8, "start"), (-0.8, 0.8, "end"), (0.8, -0.8, "start"), (-0.8, -0.8, "end"),
    (0.0, 1.7, "middle"), (0.0, -1.7, "middle"), (1.5, 1.3, "start"), (-1.5, 1.3, "end"),
    (1.5, -1.3, "start"), (-1.5, -1.3, "end"), (0.0, 2.6, "middle"), (0.0, -2.6, "middle"),
]  # fmt: skip

# where a name may stand that a counter must not cover: below it or above it, and a little aside
EDGES = [(dx, dy, "middle") for dy in (1.0, -1.0) for dx in (0.0, 0.35, -0.35, 0.7, -0.7)]
ASTRAY = 0.35
"""How bad it is to leave those, beside lying on something with the whole name."""


def letters(kind: str, unit: float) -> str:
    """How text of a kind is written, as attributes."""
    family, colour, halo, share, more = LETTERS[kind]
    found = f'font-family="{family}" fill="{tone(colour)}" {more}'.strip()
    if not halo:
        return found
    width = number(unit * share)
    return f'{found} paint-order="stroke" stroke="{tone(halo)}" stroke-width="{width}" stroke-linejoin="round"'


@dataclass
class Desk:
    """What is taken on the sheet, and the names placed so far."""

    width: float
    height: float
    unit: float
    """The height of a hex, by which halos grow."""
    taken: list[Box] = field(default_factory=list)
    names: list[Box] = field(default_factory=list)

    def block(self, centre: Point, half_width: float, half_height: float) -> None:
        """Keep names off a symbol."""
        x, y = centre
        self.taken.append((x - half_width, y - half_height, x + half_width, y + half_height))

    def near(self, at: Point, reach: float) -> list[Box]:
        """What is taken within reach of a point."""
        x, y = at
        return [
            box
            for box in self.taken
            if box[0] < x + reach and box[2] > x - reach and box[1] < y + reach and box[3] > y - reach
        ]

    def cost(self, box: Box, near: list[Box]) -> float:
        """How badly a name here would collide: area shared with what is taken, and what runs off the sheet."""
        left, top, right, bottom = box
        shared = 0.0
        for a, b, c, d in near:
            wide, high = min(right, c) - max(left, a), min(bottom, d) - max(top, b)
            if wide > 0 and high > 0:
                shared += wide * high
        off = max(0.0, -left) + max(0.0, -top) + max(0.0, right - self.width) + max(0.0, bottom - self.height)
        return shared + off * 1000

    def place(
        self, lines: list[tuple[str, str, float]], at: Point, gap: float, of: str = "", edges: bool = False
    ) -> str:
        """Write lines of (text, class, size) next to a point, where they collide least.

        `of` is the hex they name, at whose `edges` they may have to stay.
        """
        wide = max(len(text) * size * WIDTHS.get(kind, 0.58) for text, kind, size in lines)
        high = sum(size * 1.12 for _, _, size in lines)
        near = self.near(at, wide + 3 * (gap + high))
        choices = [*EDGES, *PLACES] if edges else PLACES
        best: tuple[float, int, Box] | None = None
        for rank, (dx, dy, anchor) in enumerate(choices):
            x = at[0] + dx * gap
            y = at[1] + dy * (gap + high / 2)
            left = {"middle": x - wide / 2, "start": x, "end": x - wide}[anchor]
            box = (left, y - high / 2, left + wide, y + high / 2)
            cost = self.cost(box, near) + (wide * high * ASTRAY if edges and rank >= len(EDGES) else 0.0)
            if best is None or cost < best[0] - 1e-6:
                best = (cost, rank, box)
        assert best is not None
        _, rank, box = best
        anchor = choices[rank][2]
        x = {"middle": (box[0] + box[2]) / 2, "start": box[0], "end": box[2]}[anchor]
        y = box[1]
        about = f' data-place="{of}"' if of else ""
        written = []
        for text, kind, size in lines:
            y += size * 1.12
            written.append(
                f'<text class="{kind}" x="{number(x)}" y="{number(y - size * 0.26)}" text-anchor="{anchor}" '
                f'font-size="{number(size)}" {letters(kind, self.unit)}{about}>{escape(text)}</text>'
            )
        self.taken.append(box)
        self.names.append(box)
        return "".join(written)
