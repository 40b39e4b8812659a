"""Charts as SVG, written by hand: a frame with two axes, and marks in the numbers of the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from fronte.draw.curves import number as short

FONT = "font-family=\"'DejaVu Sans','Segoe UI',Arial,sans-serif\""
INK, GREY, FAINT = "#222222", "#6b6b6b", "#dddddd"
SEATS = VARIANTS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#222222")
"""Colours of seats, of forces and of variants, apart for all eyes (after Okabe and Ito)."""
HEAT = ("#ffffb2", "#fecc5c", "#fd8d3c", "#f03b20", "#bd0026")
BLUES = ("#f7fbff", "#c6dbef", "#6baed6", "#2171b5", "#08306b")
TIME = ("#fde725", "#5ec962", "#21918c", "#3b528b", "#440154")


def mix(colours: Sequence[str], share: float) -> str:
    """The colour so far along a scale of colours."""
    at = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    k = min(int(at), len(colours) - 2)
    first, second = (tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5)) for colour in colours[k : k + 2])
    return "#" + "".join(f"{round(a + (b - a) * (at - k)):02x}" for a, b in zip(first, second, strict=True))


def is_dark(colour: str) -> bool:
    """Is white text better on this colour?"""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers between two others, about so many."""
    if high <= low:
        return [low]
    raw = (high - low) / max(1, about)
    size = 10 ** math.floor(math.log10(raw))
    step = next(k * size for k in (1, 2, 5, 10) if k * size >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 10) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def text(
    x: float, y: float, words: str, size: float = 12, anchor: str = "start", colour: str = INK, bold: bool = False
) -> str:
    """A line of text."""
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{short(x)}" y="{short(y)}" font-size="{short(size)}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}{weight}>{escape(words)}</text>"


def line(x1: float, y1: float, x2: float, y2: float, colour: str = INK, width: float = 1, dash: str = "") -> str:
    """A straight line."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    ends = f'x1="{short(x1)}" y1="{short(y1)}" x2="{short(x2)}" y2="{short(y2)}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{short(width)}"{dashes}/>'


def rect(x: float, y: float, width: float, height: float, fill: str, opacity: float = 1, hint: str = "") -> str:
    """A filled rectangle; the hint is shown when one points at it."""
    place = f'x="{short(x)}" y="{short(y)}" width="{short(max(0, width))}" height="{short(max(0, height))}"'
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    return f'<rect {place} fill="{fill}" fill-opacity="{short(opacity)}">{inside}</rect>'


def polygon(points: Sequence[tuple[float, float]], fill: str, opacity: float = 1, hint: str = "") -> str:
    """A filled polygon."""
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    return f'<polygon points="{_points(points)}" fill="{fill}" fill-opacity="{short(opacity)}">{inside}</polygon>'


def polyline(points: Sequence[tuple[float, float]], colour: str, width: float = 2, dash: str = "") -> str:
    """A line through points."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    drawn = f'fill="none" stroke="{colour}" stroke-width="{short(width)}" stroke-linejoin="round"{dashes}'
    return f'<polyline points="{_points(points)}" {drawn}/>'


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{short(x)},{short(y)}" for x, y in points)


def marker(x: float, y: float, kind: int, colour: str, size: float = 5, hint: str = "") -> str:
    """A mark whose shape tells as much as its colour: circle, square, triangle, diamond, cross."""
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    if kind % 5 == 0:
        return f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(size)}" fill="{colour}">{inside}</circle>'
    shapes = {
        1: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        2: ((0, -1.3), (1.2, 0.9), (-1.2, 0.9)),
        3: ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)),
        4: ((-1.2, -0.4), (-0.4, -0.4), (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4))
        + ((1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4)),
    }
    return polygon([(x + dx * size * 0.9, y + dy * size * 0.9) for dx, dy in shapes[kind % 5]], colour, 1, hint)


class Chart:
    """A drawing with room for axes; `x` and `y` turn numbers of the data into places."""

    def __init__(
        self,
        width: float,
        height: float,
        left: float = 56,
        right: float = 16,
        top: float = 14,
        bottom: float = 46,
    ) -> None:
        self.width, self.height = width, height
        self.left, self.right, self.top, self.bottom = left, width - right, top, height - bottom
        self.parts: list[str] = []
        self.x_range: tuple[float, float] = (0.0, 1.0)
        self.y_range: tuple[float, float] = (0.0, 1.0)

    def x(self, value: float) -> float:
        """Where a number lies from left to right."""
        low, high = self.x_range
        return self.left + (value - low) / ((high - low) or 1) * (self.right - self.left)

    def y(self, value: float) -> float:
        """Where a number lies from bottom to top."""
        low, high = self.y_range
        return self.bottom - (value - low) / ((high - low) or 1) * (self.bottom - self.top)

    def add(self, *parts: str) -> None:
        """Draw on top of what is there."""
        self.parts += parts

    def bottom_axis(self, values: Sequence[float], label: str, names: Sequence[str] | None = None) -> None:
        """The axis from left to right."""
        self.add(line(self.left, self.bottom, self.right, self.bottom, GREY))
        for value, name in zip(values, names or [_plain(value) for value in values], strict=True):
            self.add(line(self.x(value), self.bottom, self.x(value), self.bottom + 4, GREY))
            self.add(text(self.x(value), self.bottom + 17, name, 11, "middle", GREY))
        self.add(text((self.left + self.right) / 2, self.bottom + 36, label, 12, "middle"))

    def left_axis(self, values: Sequence[float], label: str, names: Sequence[str] | None = None) -> None:
        """The axis from bottom to top, with faint lines across."""
        for value, name in zip(values, names or [_plain(value) for value in values], strict=True):
            self.add(line(self.left, self.y(value), self.right, self.y(value), FAINT))
            self.add(text(self.left - 6, self.y(value) + 4, name, 11, "end", GREY))
        if label:
            middle = (self.top + self.bottom) / 2
            self.add(f'<g transform="rotate(-90 14 {short(middle)})">{text(14, middle, label, 12, "middle")}</g>')

    def whisker(self, low: float, high: float, at: float, colour: str) -> None:
        """An interval from left to right, at a height in pixels."""
        self.add(line(self.x(low), at, self.x(high), at, colour, 2))
        for end in (low, high):
            self.add(line(self.x(end), at - 4, self.x(end), at + 4, colour, 2))

    def svg(self, title: str) -> str:
        """The whole drawing."""
        return picture(self.width, self.height, title, "".join(self.parts))


def picture(width: float, height: float, title: str, inside: str) -> str:
    """An SVG picture of this size on white."""
    size = f'viewBox="0 0 {short(width)} {short(height)}" width="{short(width)}" height="{short(height)}"'
    ground = rect(0, 0, width, height, "#ffffff")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {FONT}>'
    return f"{head}<title>{escape(title)}</title>{ground}{inside}</svg>"


def _plain(value: float) -> str:
    return f"{value:g}".replace("-", "\N{MINUS SIGN}")
