"""Counters from the face that their pack describes (`engine.look`): drawn around 0,0 and 60 wide.

Where a slot lies and what a badge looks like is said here once; the browser gets it with the parts (`laid_out`). The
forces differ in shape as well as in colour.
"""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

import msgspec

from fronte.engine.look import Part, Shown, face_of
from fronte.engine.pack import Pack
from fronte.engine.view import Piece

from .curves import number
from .labels import SANS
from .sheet import Sheet
from .tokens import TOKENS, card, tone

BAND = "M-29,5V-9L-9,-29H5Z"
ARROW = "M-9,-29L0,-41L9,-29Z"
"""Where a piece looks, before it is turned."""


class Place(msgspec.Struct, frozen=True):
    """A slot: its middle, the size of its letters, and how wide its text may be."""

    x: float
    y: float
    size: float
    fit: float
    bold: bool = True


SLOTS = {
    "band": Place(-18, -18, 8, 20),
    "symbol": Place(0, -8.5, 8, 30),
    "title": Place(0, -9, 17, 52),
    "lines": Place(0, 8, 10, 54, False),
    "top": Place(0, -22.3, 8, 54),
    "name": Place(0, 6.9, 7.6, 54, False),
    "bottom": Place(0, 19.8, 15, 54),
    "left": Place(-22.2, -11.5, 6.2, 10),
    "right": Place(22, -11.5, 9, 12),
    "top-left": Place(-22, -22, 9, 16),
    "top-right": Place(22, -22, 9, 16),
    "middle-left": Place(-22, 2, 8.5, 14),
    "middle-right": Place(22, 2, 8.5, 14),
    "bottom-left": Place(-19, 19.8, 14, 20),
    "bottom-right": Place(19, 19.8, 14, 20),
    "edge-nw": Place(-30, -31, 9.5, 20),
    "edge-ne": Place(21, -32.5, 9.5, 24),
    "edge-e": Place(31, 8, 9.5, 14),
    "edge-se": Place(27, 29, 9.5, 14),
    "edge-sw": Place(-17, 31, 9.5, 28),
    "edge-w": Place(-31, 8, 9.5, 14),
}


def _circle(r: float) -> str:
    return f"M{-r},0a{r},{r} 0 1,0 {2 * r},0a{r},{r} 0 1,0 {-2 * r},0Z"


# the outline around the middle of a slot, and whether print on it is light
BADGES: dict[str, tuple[str, str, bool]] = {
    "box": ("M-5.75,-6.5H5.75V6.5H-5.75Z", "badge", True),
    "tag": ("M-15,-6.5H15V6.5H-15Z", "badge", True),
    "bar": ("M-28,-4H28V4H-28Z", "badge", True),
    "ring": (_circle(6), "card", False),
    "disc": (_circle(8), "badge", True),
    "diamond": ("M0,-11L11,0L0,11L-11,0Z", "marker", False),
    "star": (
        "M0,-11L2.2,-4.7L8.5,-6.5L5.3,-0.8L11,2.5L4.6,3.7L5.3,10.3L0,6.2L-5.3,10.3L-4.6,3.7L-11,2.5L-5.3,-0.8L-8.5,-6.5"
        "L-2.2,-4.7Z",
        "broken",
        False,
    ),
}


class LaidOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part with its place: all that somebody needs who draws it and has filled it."""

    part: Part
    x: float
    y: float
    """Of the middle of the slot."""
    base: float
    """Of the line on which the letters stand."""
    size: float
    fit: float
    bold: bool
    shape: str = ""
    fill: str = ""
    """Of the badge, where the part chooses none."""
    ink: str = TOKENS["print"]


def laid_out(part: Part) -> LaidOut:
    """Where a part is drawn, and on what."""
    place = SLOTS[part.slot]
    size = part.size or place.size
    shape, fill, light = BADGES[part.badge] if part.badge else ("", "", False)
    if part.slot == "band":
        shape, fill = BAND, "band"
    ink = tone(part.ink) if part.ink else "#ffffff" if light else TOKENS["print"]
    base = round(place.y + size * 0.35, 1)
    return LaidOut(part, place.x, place.y, base, size, place.fit, place.bold, shape, tone(fill), ink)


def draw_counter(sheet: Sheet, pack: Pack, piece: Piece) -> str:
    """One counter: what is printed on it, and of its markers what the view tells."""
    side: dict[str, Any] = pack.toml("pack.toml").get("sides", {}).get(piece.force, {})
    round_ = 1 if side.get("shape", "square") == "square" else 15
    colour = card(str(side.get("colour", "#cccccc")))
    parts = [
        _box(-28, -27, 60, "#000", f'opacity="0.35" rx="{round_}"'),
        _box(-30, -30, 60, colour, f'stroke="{TOKENS["ink"]}" stroke-width="1.6" rx="{round_}"'),
    ]
    if round_ > 1:
        ring = f'stroke="{sheet.ink(piece.force)}" stroke-width="1.4" rx="{round_ - 3}"'
        parts.append(_box(-27.5, -27.5, 55, "none", ring))
    parts += [_draw(shown) for shown in face_of(pack, piece)]
    if piece.facing is not None:
        turn = f'transform="rotate({piece.facing * 60})" fill="{TOKENS["ink"]}" stroke="{TOKENS["band"]}"'
        parts.append(f'<path class="facing" d="{ARROW}" {turn} stroke-width="1.5" stroke-linejoin="round"/>')
    return "".join(parts)


def _box(x: float, y: float, wide: float, fill: str, more: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{wide}" fill="{fill}" {more}/>'


def _draw(shown: Shown) -> str:
    """A part of a face. Letters that would not fit are drawn closer."""
    part, at = shown.part, laid_out(shown.part)
    if part.symbol:
        return f'<use href="#branch-{escape(shown.text)}"/>'
    out = []
    if at.shape:
        fill = tone(shown.colour) if shown.colour else at.fill
        line = "" if part.slot == "band" else f'stroke="{TOKENS["ink"]}" stroke-width="1"'
        move = "" if part.slot == "band" else f'transform="translate({at.x},{at.y})"'
        strength = 'fill-opacity="0.75"' if part.slot == "band" else ""
        out.append(f'<path d="{at.shape}" fill="{fill}" {line} {move} {strength}/>')
    if shown.text:
        wide = len(shown.text) * at.size * (0.62 if at.bold else 0.58)
        squeeze = f' textLength="{number(at.fit)}" lengthAdjust="spacingAndGlyphs"' if wide > at.fit else ""
        ink = at.ink if part.badge or not shown.colour else tone(shown.colour)
        weight = ' font-weight="bold"' if at.bold else ""
        out.append(
            f'<text x="{at.x}" y="{at.base}" font-size="{at.size}" fill="{ink}"{weight}{squeeze}>'
            f"{escape(shown.text)}</text>"
        )
    name = f'class="{part.slot} {part.mark}"'.replace(' "', '"')
    return f"<g {name}>{''.join(out)}</g>"


def frame(drawn: str, x: float, y: float, scale: float) -> str:
    """A counter at its place on a picture."""
    place = f'transform="translate({number(x)},{number(y)}) scale({scale:.3f})"'
    return f'<g class="counter" {place} font-family="{SANS}" text-anchor="middle">{drawn}</g>'
