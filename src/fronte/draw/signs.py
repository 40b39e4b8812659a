"""Signs that lie on hexes and hexsides during a match: each kind drawn once, and where every one of them goes.

The browser gets the drawings with the board and puts them by the same rule (`web/src/lib/signs.ts`).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, radians, sin

from fronte.engine.look import SignLook
from fronte.engine.view import Sign

from .curves import number, spot
from .sheet import Sheet, between
from .tokens import TOKENS as T
from .works import crossing, is_bridged

BESIDE = (-0.22, 0.22, -0.38, 0.38)
"""Where signs go that must leave the middle of a hexside free, in hexsides."""
AROUND = ((0.3, 0.3), (-0.3, 0.3), (0.3, -0.26), (-0.3, -0.26))
"""Where signs of a hex go, in hexes: beside the counters."""
POINTING = 0.47
"""How far from the middle of its hex a sign lies that points at a hexside."""
UNKNOWN = SignLook("marker")
"""How a sign is drawn of which the pack says nothing."""
CLOUD = "M-13,6A6,6 0 0,1 -9,-4A8,8 0 0,1 5,-6A6,6 0 0,1 13,6Z"
# in hundredths of a hex, the second hex of a hexside to the right
SYMBOLS = {
    "cross": f'<path d="M-11,-11L11,11M-11,11L11,-11" stroke="{T["broken"]}" stroke-width="4.5"/>',
    "pontoon": f'<path d="M-15,-6H15V6H-15Z" fill="{T["pontoon"]}" stroke="{T["ink"]}" stroke-width="1.6"/>'
    f'<path d="M-8,-9V9M0,-9V9M8,-9V9" stroke="{T["ink"]}" stroke-width="2.1"/>',
    "arrow": f'<path d="M-10,0H10M3,-6L10,0L3,6" stroke="{T["ink"]}" stroke-opacity="0.5" stroke-width="6"/>'
    f'<path d="M-10,0H10M3,-6L10,0L3,6" stroke="{T["used"]}" stroke-width="3.4"/>',
    "trench": '<path d="M-16,6L-8,-5L0,6L8,-5L16,6" stroke="currentColor" stroke-width="4.5"/>',
    "burst": '<path d="M0,-13L2.8,-5.2L10.8,-7.5L6.7,-0.4L13.5,3.6L5.6,5.2L6.5,13L0,8L-6.5,13L-5.6,5.2L-13.5,3.6'
    f'L-6.7,-0.4L-10.8,-7.5L-2.8,-5.2Z" fill="{T["broken"]}" stroke="{T["used"]}" stroke-width="1.5"/>',
    "mine": f'<circle r="7" fill="{T["ink"]}"/><path d="M-11,0H11M0,-11V11M-8,-8L8,8M-8,8L8,-8" stroke="{T["ink"]}" '
    'stroke-width="2"/>',
    "cloud": f'<path d="{CLOUD}" fill="{T["swamp"]}" fill-opacity="0.9" stroke="{T["ink"]}" stroke-width="1.4"/>',
    "fog": f'<path d="M-13,-6q4,-5 8.7,0t8.7,0t8.7,0M-13,1q4,-5 8.7,0t8.7,0t8.7,0M-13,8q4,-5 8.7,0t8.7,0t8.7,0" '
    f'stroke="{T["mist"]}" stroke-width="2.6"/>',
    "overcast": f'<path d="{CLOUD}" fill="{T["mist"]}" fill-opacity="0.85" stroke="{T["paper"]}" stroke-width="1"/>',
    "rain": f'<path d="{CLOUD}" transform="translate(0,-4)" fill="{T["mist"]}" fill-opacity="0.85"/>'
    f'<path d="M-8,5L-11,12M0,5L-3,12M8,5L5,12" stroke="{T["river"]}" stroke-width="2.4"/>',
    "snow": f'<path d="M0,-12V12M-10.4,-6L10.4,6M-10.4,6L10.4,-6M-3,-10L0,-7L3,-10M-3,10L0,7L3,10" '
    f'stroke="{T["mist"]}" stroke-width="2.4"/>',
    "flag": f'<path d="M-8,12V-12" stroke="{T["ink"]}" stroke-width="2.4"/><path d="M-8,-12H11L6,-6L11,0H-8Z" '
    f'fill="currentColor" stroke="{T["ink"]}" stroke-width="1"/>',
    "assault": f'<path d="M-17,-6H1V-13L17,0L1,13V6H-17Z" fill="currentColor" stroke="{T["paper"]}" stroke-width="2"/>',
    "charge": f'<path d="M-17,-12H-9L1,0L-9,12H-17L-8,0ZM-2,-12H6L18,0L6,12H-2L8,0Z" fill="currentColor" '
    f'stroke="{T["paper"]}" stroke-width="1.8"/>',
    "marker": f'<path d="M0,-11L11,0L0,11L-11,0Z" fill="currentColor" stroke="{T["paper"]}" stroke-width="1.8"/>',
}
"""What can be drawn for a sign; `currentColor` is the colour of its force."""


def sign_symbols(sheet: Sheet) -> str:
    """The drawings as symbols of an SVG, in the size of this board."""
    scale = f'transform="scale({sheet.size / 100:.3f})" fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return "".join(
        f'<symbol id="sign-{name}" overflow="visible"><g {scale}>{drawn}</g></symbol>'
        for name, drawn in SYMBOLS.items()
    )


def look_of_sign(sheet: Sheet, kind: str) -> SignLook:
    """How signs of a kind are drawn on this board."""
    return sheet.look.sign.get(kind, UNKNOWN)


def draw_signs(sheet: Sheet, signs: Iterable[Sign]) -> str:
    """All signs of a view."""
    out = []
    taken: dict[str, int] = {}
    for sign in signs:
        how = look_of_sign(sheet, sign.kind)
        if not how.symbol:
            continue
        x, y, turn = _place(sheet, sign, how, taken)
        colour = sheet.ink(sign.force)
        out.append(
            f'<g class="sign {sign.kind}" transform="translate({spot((x, y))}) rotate({number(turn)})" '
            f'color="{colour}"><use href="#sign-{how.symbol}"/></g>'
        )
    return "".join(out)


def _place(sheet: Sheet, sign: Sign, how: SignLook, taken: dict[str, int]) -> tuple[float, float, float]:
    """Where a sign lies and how it is turned; several at one place stand beside each other."""
    a, _, b = sign.at.partition("/")
    if not b and sign.facing is not None:
        return _pointing(sheet, a, sign.facing)
    if not b:
        number_, taken[sign.at] = taken.get(sign.at, 0), taken.get(sign.at, 0) + 1
        (x, y), (dx, dy) = sheet.centre(a), AROUND[number_ % len(AROUND)]
        return x + dx * sheet.size, y + dy * sheet.size, 0.0
    (x, y), turn = crossing(sheet, a, b)
    if how.crossing:
        return x, y, turn
    places = BESIDE if is_bridged(sheet.by_side.get((a, b), {})) else (0.0, *BESIDE)
    number_, taken[sign.at] = taken.get(sign.at, 0), taken.get(sign.at, 0) + 1
    x, y = between(*sheet.side(a, b), 0.5 + places[number_ % len(places)])
    return x, y, turn


def _pointing(sheet: Sheet, name: str, facing: int) -> tuple[float, float, float]:
    """A sign that points somewhere lies over the hexside at which it points."""
    (x, y), turn = sheet.centre(name), facing * 60 - 90
    out = radians(turn)
    return x + cos(out) * POINTING * sheet.size, y + sin(out) * POINTING * sheet.size, turn
