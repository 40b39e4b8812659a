"""What the browser gets of the painter: the board to lay under a match, and how to draw what lies on it.

It is printed matter: made once for a game and an owner's data, and kept by browsers under its fingerprint.
"""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from fronte.engine.look import look_of
from fronte.engine.pack import Pack

from .board import board_layers, joined, opened, symbols
from .counters import ARROW, laid_out
from .legend import kinds, sample_symbols
from .sheet import Sheet, read_sheet
from .signs import AROUND, BESIDE, POINTING, UNKNOWN, look_of_sign
from .tokens import TOKENS, card
from .works import crossing, is_bridged


def table_svg(pack: Pack, picture: str) -> str:
    """The board as it lies under a match, with the relief at this address."""
    sheet = read_sheet(pack)
    layers = board_layers(sheet, escape(picture, {'"': "&quot;"}), table=True)
    return f"{opened(sheet)}{symbols(sheet)}<defs>{sample_symbols(sheet)}</defs>{joined(layers)}</svg>"


def table_look(pack: Pack) -> dict[str, Any]:
    """Colours, the parts of a counter's face, and the signs of a game; `web/src/lib/types.ts` names the fields."""
    look, sheet = look_of(pack), read_sheet(pack)
    sides = pack.toml("pack.toml").get("sides", {})
    return {
        "tokens": TOKENS,
        "cards": {force: card(str(side["colour"])) for force, side in sides.items() if "colour" in side},
        "faces": look.faces,
        "parts": [laid_out(part) for part in look.part],
        "text": look.text,
        "arrow": ARROW,
        "spent": look.spent,
        "front": look.front,
        "all_round": look.all_round,
        "signs": {kind: look_of_sign(sheet, kind) for kind in look.sign},
        "layers": look.layer,
        "unknown": UNKNOWN,
        "beside": BESIDE,
        "around": AROUND,
        "pointing": POINTING,
        "crossings": _crossings(sheet),
        "legend": kinds(sheet),
    }


def _crossings(sheet: Sheet) -> dict[str, tuple[float, float]]:
    """Where the bridges are."""
    found = {}
    for row in sheet.sides:
        if is_bridged(row):
            x, y = crossing(sheet, row["a"], row["b"])[0]
            found[f"{row['a']}/{row['b']}"] = (round(x, 1), round(y, 1))
    return found
