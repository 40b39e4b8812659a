"""The ground: relief, terrain, water, slopes and crags, and the hexes over them."""

from __future__ import annotations

import base64
from math import hypot
from pathlib import Path

from . import curves
from .curves import number, spot
from .labels import letters
from .sheet import Point, Row, Sheet, between
from .tokens import LEVELS, TOKENS

# how strongly the colour of a terrain covers the relief
TERRAIN = {
    "clear": 0.42,
    "woods": 0.5,
    "swamp": 0.6,
    "city": 0.75,
    "village": 0.6,
    "farm": 0.5,
    "hill": 0.45,
    "low_mountain": 0.45,
    "mountain": 0.45,
    "high_mountain": 0.6,
}
PEAKS_SIGN = {"low_mountain": 1, "mountain": 1, "high_mountain": 2}
FLAT = ("clear", "swamp", "woods", "city", "village", "farm")
WATER = {"stream": 0.035, "river": 0.075, "great_river": 0.14}
"""How wide water is, in hexes."""
REEDS = ((-0.2, -0.18), (0.08, -0.1), (-0.28, 0.1), (0.02, 0.2), (0.25, 0.1))
TREES = ((-0.3, -0.12), (0.12, -0.2), (0.32, 0.16), (-0.12, 0.14), (-0.34, 0.22), (0.08, 0.34))
HACHURES = (0.9, 0.55, 1.0, 0.5, 0.8, 0.6, 1.0, 0.5, 0.85, 0.55, 0.95)
"""The strokes down from a cliff, one after another along its hexside: how long each is beside the longest."""
DROP, STROKE, RIM = 0.2, 0.044, 0.026
"""How long the longest hachure is, how thick one is at the rim where it begins, and the rim: in hexes."""


def draw_picture(sheet: Sheet, address: str = "") -> str:
    """The relief: at its address, or inside the file so that the SVG stands alone; paper where there is none."""
    picture = sheet.about["picture"]
    if not picture["file"]:
        return f'<rect width="{picture["width"]}" height="{picture["height"]}" fill="{TOKENS["paper"]}"/>'
    if not address:
        kind = Path(picture["file"]).suffix.lstrip(".").replace("jpg", "jpeg").replace("svg", "svg+xml")
        address = f"data:image/{kind};base64,{base64.b64encode(sheet.picture).decode('ascii')}"
    return (
        f'<image width="{picture["width"]}" height="{picture["height"]}" preserveAspectRatio="none" href="{address}"/>'
    )


def outline(sheet: Sheet, hex_id: str) -> str:
    """Path data around a hex."""
    return f"M{'L'.join(spot(p) for p in sheet.corners(hex_id))}Z"


def line(path: str, colour: str, width: float, more: str = "") -> str:
    """A path that is drawn and not filled; nothing where there is no path."""
    if not path:
        return ""
    return f'<path d="{path}" stroke="{TOKENS.get(colour, colour)}" stroke-width="{number(width)}"{more}/>'


def tint(sheet: Sheet, row: Row) -> tuple[str, float]:
    """The colour of a hex and how strongly it covers the relief."""
    terrain, level = sheet.terrain(row), int(row.get("level") or 0)
    top = sheet.about.get("top_level") or 1
    colour, strength = TOKENS.get(terrain, "#ffffff"), TERRAIN.get(terrain, 0.0)
    if level and terrain not in FLAT:
        colour = LEVELS[round(level / top * 10)]
    elif terrain == "clear" and sheet.about.get("hill_from", 99) <= level:
        # a game without hills as a terrain of their own: the level alone tells them
        colour, strength = LEVELS[round(level / top * 10)], 0.5
    return colour, strength


def draw_ground(sheet: Sheet) -> str:
    """Terrain tints, hexes of one colour in one path, and the signs of woods, marshes and mountains."""
    s = sheet.size
    tints: dict[tuple[str, float], list[str]] = {}
    signs: dict[str, list[str]] = {"out": [], "swamp": [], "woods": [], "peaks": []}
    for row in sheet.hexes:
        terrain, around = sheet.terrain(row), outline(sheet, row["hex"])
        tints.setdefault(tint(sheet, row), []).append(around)
        at = sheet.centre(row["hex"])
        if terrain == "swamp":
            signs["swamp"].append(_reeds(at, s))
        elif terrain == "woods":
            signs["woods"].append(_trees(at, s))
        if row.get("out_of_play"):
            signs["out"].append(around)
        signs["peaks"].append(_peaks((at[0] + s * 0.4, at[1] - s * 0.1), s, PEAKS_SIGN.get(terrain, 0)))
    parts = [
        f'<path d="{"".join(paths)}" fill="{colour}" fill-opacity="{strength:.2f}"/>'
        for (colour, strength), paths in sorted(tints.items())
        if strength
    ]
    parts.append(_area("".join(signs["woods"]), "tree", 0.75))
    parts.append(_area("".join(signs["out"]), "out", 0.45))
    parts.append(line("".join(signs["swamp"]), "reed", s * 0.02))
    parts.append(line("".join(signs["peaks"]), "level", s * 0.02, ' stroke-opacity="0.85"'))
    return "".join(parts)


def _area(path: str, colour: str, strength: float) -> str:
    return f'<path d="{path}" fill="{TOKENS[colour]}" fill-opacity="{strength}"/>' if path else ""


def _reeds(at: Point, s: float) -> str:
    """The marsh sign."""
    x, y = at
    return "".join(
        f"M{spot((x + dx * s - s * 0.08, y + dy * s))}h{number(s * 0.16)}"
        f"M{spot((x + dx * s, y + dy * s))}v{number(-s * 0.09)}"
        for dx, dy in REEDS
    )


def _trees(at: Point, s: float) -> str:
    """The sign for woods: a few round crowns."""
    r = number(s * 0.07)
    turn, back = number(s * 0.14), number(-s * 0.14)
    return "".join(
        f"M{spot((at[0] + dx * s - s * 0.07, at[1] + dy * s))}a{r},{r} 0 1,0 {turn},0a{r},{r} 0 1,0 {back},0"
        for dx, dy in TREES
    )


def _peaks(at: Point, s: float, count: int) -> str:
    """One or two carets over the level: mountains are told from hills without colour."""
    x, y = at
    return "".join(
        f"M{spot((x - s * 0.05, y - i * s * 0.05))}L{spot((x, y - s * 0.05 - i * s * 0.05))}"
        f"L{spot((x + s * 0.05, y - i * s * 0.05))}"
        for i in range(count)
    )


def draw_water(sheet: Sheet) -> str:
    """Streams through hexes, then along hexsides streams, rivers and the great river, each with a darker bank."""
    s = sheet.size
    parts = []
    through = [row for row in sheet.sides if row.get("stream")]
    for name in sorted({row["stream"] for row in through}):
        path = curves.along_hexes(sheet, [row for row in through if row["stream"] == name], -0.2)
        parts.append(line(path, "stream", s * 0.04))
    for kind, width in WATER.items():
        rows = [row for row in sheet.sides if sheet.water(row) == kind]
        # one path a river, so that two that meet do not blend into one curve
        for name in sorted({row.get("name", "") for row in rows}):
            path = curves.along_sides(sheet, [row for row in rows if row.get("name", "") == name])
            parts.append(line(path, "bank", (width + 0.03) * s, ' stroke-opacity="0.7"'))
            parts.append(line(path, kind, width * s))
    return "".join(parts)


def draw_grid(sheet: Sheet) -> str:
    """The outlines of the hexes."""
    path = "".join(outline(sheet, row["hex"]) for row in sheet.hexes)
    return line(path, "grid", sheet.size * 0.012, ' stroke-opacity="0.45"')


def draw_numbers(sheet: Sheet) -> str:
    """The numbers of the hexes."""
    s = sheet.size
    parts = []
    for row in sheet.hexes:
        x, y = sheet.centre(row["hex"])
        parts.append(f'<text class="id" x="{number(x)}" y="{number(y - s * NUMBER_UP)}">{row["hex"]}</text>')
    return f'<g font-size="{number(s * 0.115)}" text-anchor="middle" {letters("id", s)}>{"".join(parts)}</g>'


NUMBER_UP = 0.38
"""How far above the middle of its hex a number stands, in hexes."""


def draw_levels(sheet: Sheet, share: float) -> str:
    """The levels of the hexes, in letters of this share of a hex."""
    s = sheet.size
    parts = []
    for row in sheet.hexes:
        if row.get("level") not in ("0", "", None):
            x, y = sheet.centre(row["hex"])
            parts.append(f'<text x="{number(x + s * 0.4)}" y="{number(y + s * 0.04)}">{row["level"]}</text>')
    return f'<g font-size="{number(s * share)}" text-anchor="middle" {letters("level", s)}>{"".join(parts)}</g>'


def draw_crags(sheet: Sheet) -> str:
    """Crag and cliff hexsides as hachures: strokes from the rim down into the lower hex, each thinner as it falls.
    A crest has short ones to both sides."""
    s = sheet.size
    levels = {row["hex"]: int(row.get("level") or 0) for row in sheet.hexes}
    rims, cliffs, crests = [], [], []
    for row in sheet.sides:
        a, b = row["a"], row["b"]
        p, q = sheet.side(a, b)
        if row.get("crag") or row.get("cliff"):
            cliffs.append(hachures(p, q, sheet.centre(a if levels[a] < levels[b] else b), s))
        elif row.get("crest"):
            crests += [hachures(p, q, sheet.centre(below), s, 0.45) for below in (a, b)]
        else:
            continue
        rims.append(f"M{spot(p)}L{spot(q)}")
    if not rims:
        return ""
    drawn = (
        f'<path class="{word}" d="{"".join(strokes)}" fill="{TOKENS["rim"]}"/>'
        for word, strokes in (("crest", crests), ("cliff", cliffs))
        if strokes
    )
    return "".join(drawn) + line("".join(rims), "rim", s * RIM)


def hachures(p: Point, q: Point, below: Point, s: float, share: float = 1.0) -> str:
    """Path data of the strokes from a hexside towards the middle of the hex below it, this share of a cliff's long."""
    (x, y), count = between(p, q, 0.5), len(HACHURES)
    away = hypot(below[0] - x, below[1] - y)
    dx, dy = ((end - start) / away * s * DROP * share for end, start in zip(below, (x, y), strict=True))
    half = STROKE * s / 2 / hypot(q[0] - p[0], q[1] - p[1])
    out = []
    for i, length in enumerate(HACHURES):
        at = (i + 0.5) / count
        foot = between(p, q, at)
        left, right = (between(p, q, at + end) for end in (-half, half))
        out.append(f"M{spot(left)}L{spot(right)}L{spot((foot[0] + dx * length, foot[1] + dy * length))}Z")
    return "".join(out)


def draw_slopes(sheet: Sheet) -> str:
    """Slope hexsides: short strokes down from the side; longer and closer where it is steep."""
    s = sheet.size
    parts = []
    for row in sheet.sides:
        if not row.get("slope"):
            continue
        p, q = sheet.side(row["a"], row["b"])
        down = row["a"] if row["up"] == row["b"] else row["b"]
        (x, y), middle = sheet.centre(down), between(p, q, 0.5)
        reach = 0.16 if row["slope"] == "gentle" else 0.3
        count = 4 if row["slope"] == "gentle" else 8
        dx, dy = (x - middle[0]) * reach, (y - middle[1]) * reach
        for i in range(count):
            top = between(p, q, (i + 0.5) / count)
            parts.append(f"M{spot(top)}l{spot((dx, dy))}")
    return line("".join(parts), "slope", s * 0.018, ' stroke-opacity="0.75"')
