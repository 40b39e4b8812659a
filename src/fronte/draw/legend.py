"""The legend of a board: every kind of thing that is printed on it, each drawn once by the painter that draws the map.

A kind is a column of `hexes.csv` or `hexsides.csv`, with a word in it or with any. The browser finds by the same what
lies under the pointer; what a kind is called stands in the texts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .board import board_layers, joined
from .curves import number
from .sheet import Row, Sheet

ABOVE, BELOW = "0201", "0202"
"""The two hexes of a sample; what is of a hexside lies between them."""
LEFT_OUT = ("relief", "numbers", "levels", "rivers", "names", "compass")
"""Layers that a sample does not need."""
WET = ("bridge", "bridge_hex", "ford", "ferry")
"""What is drawn across water."""
ASIDE = {"flag": (0.33, 0.28), "depot": (-0.3, 0.3), "station": (0.265, 0.185), "fort": (-0.3, 0.02)}
"""Where small things lie that are not in the middle of their hex, in hexes."""
WIDE, HIGH = 1.2, 1.04
"""How much a sample of a hex shows, in hexes; one of a small thing half of that."""


@dataclass(frozen=True)
class Kind:
    """Something that is printed: where, in which column, and as which word; an empty word stands for any."""

    key: str
    group: str
    of: str
    column: str
    value: str = ""


PLAIN = (
    Kind("slope", "relief", "side", "slope"),
    Kind("crag", "relief", "side", "crag"),
    Kind("cliff", "relief", "side", "cliff"),
    Kind("crest", "relief", "side", "crest"),
    Kind("peak", "relief", "hex", "peak"),
    Kind("water", "water", "side", "water"),
    Kind("stream", "water", "side", "stream"),
    Kind("bridge", "water", "side", "bridge"),
    Kind("bridge", "water", "side", "bridge_hex"),
    Kind("ford", "water", "side", "ford"),
    Kind("ferry", "water", "side", "ferry"),
    Kind("aqueduct", "water", "side", "aqueduct"),
    Kind("road", "routes", "side", "road"),
    Kind("trail", "routes", "side", "trail"),
    Kind("trail", "routes", "side", "path"),
    Kind("railway", "routes", "side", "railway"),
    Kind("station", "routes", "hex", "station"),
    Kind("settlement", "places", "hex", "settlement"),
    Kind("mark", "places", "hex", "mark"),
    Kind("fort", "works", "hex", "fort"),
    Kind("trench", "works", "hex", "trench"),
    Kind("trench", "works", "hex", "trench_level", "1"),
    Kind("strong_trench", "works", "hex", "trench_level", "2"),
    Kind("side_trench", "works", "side", "side_trench"),
    Kind("flag", "works", "hex", "flag"),
    Kind("depot", "works", "hex", "depot"),
    Kind("common", "works", "hex", "sector", "common"),
    Kind("out_of_play", "works", "hex", "out_of_play"),
)
"""What there can be, in the order of a legend, besides terrain."""
BY_WORD = ("slope", "water", "settlement", "mark", "bridge", "flag")
"""Columns in which every word looks different, or is called differently."""


def kinds(sheet: Sheet) -> list[Kind]:
    """All that this board has."""
    grounds = _words(sheet.hexes, "terrain")
    found = [Kind(word, "terrain", "hex", "terrain", word) for word in grounds]
    levels = _words(sheet.hexes, "trench_level")
    for kind in PLAIN:
        if kind.column == "trench" and levels:
            continue
        words = _words(sheet.hexes if kind.of == "hex" else sheet.sides, kind.column)
        if kind.column in BY_WORD:
            # a settlement that is a terrain is in the legend as that
            found += [replace(kind, key=_key(kind, word), value=word) for word in words if word not in grounds]
        elif kind.value in words if kind.value else words:
            found.append(kind)
    return found


def _words(rows: list[Row], column: str) -> list[str]:
    """The words of a column, in their order on the board."""
    return list(dict.fromkeys(row[column] for row in rows if row.get(column)))


def _key(kind: Kind, word: str) -> str:
    """How one of several words of a column is called: `gentle_slope`, `river`, `settlement` where it is only marked."""
    if word == "1":
        return kind.key
    return {"slope": f"{word}_slope", "mark": f"{word}_mark", "flag": f"flag_{word}"}.get(kind.column, word)


def sample_symbols(sheet: Sheet) -> str:
    """Every kind as a symbol of an SVG, `legend-woods`, as it is drawn on the map."""
    return "".join(_symbol(sheet, kind) for kind in kinds(sheet))


def _symbol(sheet: Sheet, kind: Kind) -> str:
    tiny = _tiny(sheet, kind)
    layers = board_layers(tiny, table=True)
    drawn = joined({name: layer for name, layer in layers.items() if name not in LEFT_OUT})
    s = sheet.size
    x, y = tiny.centre(BELOW) if len(tiny.hexes) == 1 else tiny.middle(ABOVE, BELOW)
    size = 0.5 if kind.group == "places" or kind.column in ("peak", *ASIDE) else 1.0 if kind.of == "hex" else 0.83
    dx, dy = ASIDE.get(kind.column, (0.0, 0.0))
    wide, high = WIDE * size * s, HIGH * size * s
    box = (x + dx * s - wide / 2, y + dy * s - high / 2, wide, high)
    return f'<symbol id="legend-{kind.key}" viewBox="{" ".join(map(number, box))}">{drawn}</symbol>'


def _tiny(sheet: Sheet, kind: Kind) -> Sheet:
    """A board of one or two hexes with nothing else on it."""
    hexes, sides = _rows(sheet, kind)
    grid = sheet.about["grid"] | {"columns": [1, 3], "rows": [1, 3]}
    s, across = sheet.size, sheet.about["picture"]["dx"]
    picture = {"file": "", "width": 5 * s, "height": 5 * s, "x0": s, "y0": s, "dx": across, "dy": s}
    return replace(sheet, about=sheet.about | {"grid": grid, "picture": picture}, hexes=hexes, sides=sides)


def _rows(sheet: Sheet, kind: Kind) -> tuple[list[Row], list[Row]]:
    """Its hexes and hexsides, with what is like most of this kind on the board."""
    rows = sheet.hexes if kind.of == "hex" else sheet.sides
    like = [row for row in rows if row.get(kind.column) and kind.value in ("", row[kind.column])]
    like.sort(key=lambda row: int(row.get("level") or 0))  # neither the lowest nor the highest
    one = like[len(like) // 2]
    above, below = ({"hex": name, "terrain": "", "level": "0"} for name in (ABOVE, BELOW))
    side = {"a": ABOVE, "b": BELOW}
    if "trench" in kind.key and kind.of == "hex":
        dug = {"trench": one["trench"], "trench_level": kind.value}
        return [above | dug, below | dug], [side | {"trench_link": one["trench"]}]
    if kind.column == "sector":
        return [above | {"sector": "left"}, below | {"sector": kind.value}], []
    if kind.of == "hex":
        more = ("level", "settlement") if kind.column == "terrain" else ("fort_side",)
        return [below | {column: one.get(column, "") for column in (kind.column, *more)}], []
    return [above | {"level": "1"}, below], [side | {kind.column: one[kind.column]} | _besides(sheet, kind)]


def _besides(sheet: Sheet, kind: Kind) -> Row:
    """What belongs to a thing on a hexside: the water that is crossed, and by what; where it falls."""
    if kind.column in WET:
        waters = [row["water"] for row in sheet.sides if row.get(kind.column) and row.get("water")]
        return {"water": waters[0] if waters else "river"} | ({"road": "1"} if kind.key == "bridge" else {})
    return {"up": ABOVE, "side_trench_hex": BELOW}
