"""Counters as they would be printed: colour of the side, sign of the arm, name and values, and what lies on them.

A counter is drawn around 0,0 and 60 wide. The sides differ in shape as well as in colour.
"""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from fronte.engine.view import Piece

SIZE_MARKS = {"brigade": "X", "regiment": "III", "battalion": "II"}
CORPS_COLOURS = ("#8c2f39", "#1f5673", "#5b4a8a", "#2f6b3c", "#9a5a12", "#3b3b3b", "#7a2f6b", "#0f6b6b")
SIGNS = {
    "infantry": "",
    "mountain": '<path class="solid" d="M-5.5,1H5.5L0,-7Z"/>',
    "bersaglieri": '<path d="M-7,1Q0,-8 7,1"/><circle class="solid" cy="-14.5" r="2"/>',
    "infiltration": '<path class="heavy" d="M0,-1V-16M-4,-12L0,-16.5L4,-12"/>',
    "engineer": '<path class="heavy" d="M-8,-4V-13H8V-4M0,-13V-4"/>',
    "fortress": '<path class="solid" d="M-11,1V-9H-7V-13H-3V-9H3V-13H7V-9H11V1Z"/>',
    "artillery": '<circle class="solid" cy="-8.5" r="4"/>',
    "heavy_artillery": '<circle class="solid" cy="-8.5" r="4"/><path class="heavy" d="M-9,-3H9M-9,-14H9"/>',
}
"""The sign of each arm, inside the box of its symbol."""
NO_CROSS = ("engineer", "fortress", "artillery", "heavy_artillery")
SUPPLY = {"low": ("#b35309", "LS"), "out": ("#a31515", "OOS")}
FIRST_TURNS = {
    "frozen": '<g class="frozen"><circle cx="27" cy="29" r="8.5" fill="#e8730c" stroke="#fff" stroke-width="1.4"/>'
    '<path style="stroke:#fff;stroke-width:3" d="M21.5,29H32.5"/></g>',
    "barrage": '<path class="barrage" style="fill:#d3200f;stroke:#fff3b0;stroke-width:1.2" transform="translate(4,0)" '
    'd="M27,-2L29.2,4.3L35.5,2.5L32.3,8.2L38,11.5L31.6,12.7L32.3,19.3L27,15.2L21.7,19.3L22.4,12.7L16,11.5L21.7,8.2'
    'L18.5,2.5L24.8,4.3Z"/>',
}
"""Altipiani 12.4: a unit that may not move yet, and a gun of the barrage."""
SANS = "font-family:'DejaVu Sans',Arial,sans-serif"


def style(within: str) -> str:
    """The style sheet of counters, for one picture."""
    rules = {
        ".counter text": f"{SANS};stroke:none;text-anchor:middle;fill:#14120e;font-weight:bold",
        ".counter .light": "fill:#fff",
        ".counter path": "stroke:#1d1a16;stroke-width:1.4",
        ".counter .heavy": "stroke-width:2",
        ".counter .solid": "fill:#1d1a16;stroke:none",
    }
    return "".join(f"{within}{selector}{{{how}}}" for selector, how in rules.items())


def _text(words: str, x: float, y: float, size: float, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}"{more}>{escape(words)}</text>'


def _box(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"{more}/>'


def draw_counter(counter: Any, piece: Piece, colour: str) -> str:
    """One counter: what is printed on it, and of its markers what the view tells."""
    face = counter.faces[len(counter.faces) - 1 - piece.face]
    round_ = 1 if counter.side == 0 else 14
    parts = [
        _box(-27, -26, 60, 60, "#000", f' opacity="0.3" rx="{round_}"'),
        _box(-30, -30, 60, 60, colour, f' stroke="#1d1a16" stroke-width="1.6" rx="{round_}"'),
    ]
    if piece.face:
        parts.append('<path style="fill:#fffdf2;stroke:none;opacity:.75" d="M-29,5V-9L-9,-29H5Z"/>')
    parts += [_symbol(counter), _text(SIZE_MARKS.get(counter.size, ""), 0, -20, 8)]
    parts += [_corps(counter.corps), _artillery_value(face.av)]
    squeeze = ' textLength="54" lengthAdjust="spacingAndGlyphs"' if len(counter.name) > 9 else ""
    parts.append(_text(counter.name, 0, 10, 7.6, squeeze))
    parts.append(_text(f"{face.attack}-{face.defence}-{face.ma}", 0, 25, 15))
    parts += [_loss(int(piece.values.get("ce", 0))), _supply(str(piece.values.get("supply", "in")))]
    if "mov" in piece.marks:
        parts.append(_box(-32, 26, 30, 12, "#333a4d", ' rx="2"') + _text("MOV", -17, 35.5, 9.5, ' class="light"'))
    if "reserve" in piece.marks:
        parts.append('<circle cx="27" cy="29" r="8" fill="#27458f"/>' + _text("R", 27, 33, 9.5, ' class="light"'))
    parts += [sign for mark, sign in FIRST_TURNS.items() if mark in piece.marks]
    return "".join(parts)


def _symbol(counter: Any) -> str:
    cross = "" if counter.type in NO_CROSS else '<path d="M-15,-18L15,1M15,-18L-15,1"/>'
    box = _box(-15, -18, 30, 19, "#fbf8ec", ' stroke="#1d1a16" stroke-width="1.4"')
    return box + cross + SIGNS.get(counter.type, "")


def _corps(corps: str) -> str:
    if not corps:
        return ""
    colour = CORPS_COLOURS[int(corps) % len(CORPS_COLOURS)] if corps.isdigit() else CORPS_COLOURS[0]
    return _box(-28, -16, 11.5, 13, colour, ' rx="1"') + _text(corps, -22.2, -6.5, 8, ' class="light"')


def _artillery_value(value: int) -> str:
    if value <= 0:
        return ""
    return '<circle cx="22" cy="-9.5" r="6" fill="#fbf8ec" stroke="#1d1a16"/>' + _text(str(value), 22, -6.2, 9)


def _loss(ce: int) -> str:
    """10: the marker of reduced effectiveness."""
    if not ce:
        return ""
    return '<path style="fill:#f6c945" d="M-30,-42L-19,-31L-30,-20L-41,-31Z"/>' + _text(f"−{ce}", -30.5, -27.5, 9.5)


def _supply(supply: str) -> str:
    """11: the marker of a unit that is not in supply."""
    if supply not in SUPPLY:
        return ""
    colour, words = SUPPLY[supply]
    return _box(8, -39, 26, 13, colour, ' rx="2"') + _text(words, 21, -29, 9.5, ' class="light"')
