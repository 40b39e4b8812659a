"""The ground: relief, terrain, water, slopes and crags, and the hexes over them."""

from __future__ import annotations

import base64
from math import hypot
from pathlib import Path

from . import curves
from .curves import number, spot
from .sheet import Point, Sheet, between

# terrain: colour and opacity laid over the relief
TERRAIN = {
    "clear": ("#eef3d4", 0.5),
    "woods": ("#7fa05a", 0.5),
    "swamp": ("#9cc7bf", 0.6),
    "city": ("#d9a08c", 0.75),
    "village": ("#e3bfa0", 0.6),
    "farm": ("#eadfb4", 0.5),
    "hill": ("#e2c37c", 0.45),
    "low_mountain": ("#a06c40", 0.45),
    "mountain": ("#855536", 0.45),
    "high_mountain": ("#77686c", 0.6),
}
PEAKS_SIGN = {"low_mountain": 1, "mountain": 1, "high_mountain": 2}
FLAT = ("clear", "swamp", "woods", "city", "village", "farm")
# the colour of all other ground, from the lowest to the highest level
LEVELS = [
    "",
    "#f3e9b4",
    "#f0e0a2",
    "#ecd592",
    "#e6c882",
    "#dfba73",
    "#d6aa64",
    "#cc9a57",
    "#c18a4b",
    "#a56f40",
    "#865634",
]
WATER = {
    "stream": ("#3f86c4", 0.035),
    "river": ("#2f78bd", 0.075),
    "isonzo": ("#1f62a8", 0.14),
}


TEETH, DROP, RIM = 5, 0.13, 0.04
"""How many teeth a cliff has, how far they reach down, and where its rim begins: in hexes and hexsides."""


def draw_picture(sheet: Sheet) -> str:
    """The relief, inside the file so that the SVG stands alone."""
    picture = sheet.about["picture"]
    kind = Path(picture["file"]).suffix.lstrip(".").replace("jpg", "jpeg").replace("svg", "svg+xml")
    data = base64.b64encode(sheet.picture).decode("ascii")
    return (
        f'<image width="{picture["width"]}" height="{picture["height"]}" preserveAspectRatio="none" '
        f'href="data:image/{kind};base64,{data}"/>'
    )


def polygon(sheet: Sheet, hex_id: str) -> str:
    """The points of a hex."""
    return " ".join(spot(p) for p in sheet.corners(hex_id))


def draw_ground(sheet: Sheet) -> str:
    """Terrain tints."""
    parts = []
    for row in sheet.hexes:
        colour, strength = TERRAIN.get(row["terrain"], ("#ffffff", 0.0))
        if row["terrain"] not in FLAT and row.get("level"):
            colour = LEVELS[round(int(row["level"]) / sheet.about["top_level"] * 10)]
        elif row["terrain"] == "clear" and sheet.about.get("hill_from", 99) <= int(row.get("level") or 0):
            # a game without hills as a terrain of their own: the level alone tells them
            colour, strength = LEVELS[round(int(row["level"]) / sheet.about["top_level"] * 10)], 0.5
        points = polygon(sheet, row["hex"])
        parts.append(f'<polygon points="{points}" fill="{colour}" fill-opacity="{number(strength * 100)}%"/>')
        if row["terrain"] == "swamp":
            parts.append(draw_reeds(sheet, row["hex"]))
        if row["terrain"] == "woods":
            parts.append(draw_trees(sheet, row["hex"]))
        if row.get("out_of_play"):
            parts.append(f'<polygon points="{points}" fill="#777777" fill-opacity="45%"/>')
    return f'<g stroke="none">{"".join(parts)}</g>'


def draw_reeds(sheet: Sheet, hex_id: str) -> str:
    """The marsh sign."""
    x, y = sheet.centre(hex_id)
    s = sheet.size
    rows = [(-0.2, -0.18), (0.08, -0.1), (-0.28, 0.1), (0.02, 0.2), (0.25, 0.1)]
    path = "".join(
        f"M{spot((x + dx * s - s * 0.08, y + dy * s))}h{number(s * 0.16)}"
        f"M{spot((x + dx * s, y + dy * s))}v{number(-s * 0.09)}"
        for dx, dy in rows
    )
    return f'<path d="{path}" stroke="#2f6f6a" stroke-width="{number(s * 0.02)}"/>'


def draw_trees(sheet: Sheet, hex_id: str) -> str:
    """The sign for woods: a few round crowns."""
    x, y = sheet.centre(hex_id)
    s = sheet.size
    spots = [(-0.3, -0.12), (0.12, -0.2), (0.32, 0.16), (-0.12, 0.14), (-0.34, 0.22), (0.08, 0.34)]
    return "".join(
        f'<circle cx="{number(x + dx * s)}" cy="{number(y + dy * s)}" r="{number(s * 0.07)}" fill="#5d8443" '
        f'fill-opacity="0.75"/>'
        for dx, dy in spots
    )


def draw_streams(sheet: Sheet) -> str:
    """Streams that run through hexes instead of along hexsides."""
    rows = [row for row in sheet.sides if row.get("stream")]
    out = []
    for name in sorted({row["stream"] for row in rows}):
        path = curves.along_hexes(sheet, [row for row in rows if row["stream"] == name], -0.2)
        out.append(f'<path d="{path}" stroke="#3f86c4" stroke-width="{number(sheet.size * 0.04)}"/>')
    return "".join(out)


def draw_water(sheet: Sheet) -> str:
    """Streams, rivers and the great river, each with a darker bank."""
    parts = []
    for kind, (colour, width) in WATER.items():
        rows = [row for row in sheet.sides if row["water"] == kind]
        # one path a river, so that two that meet do not blend into one curve
        for name in sorted({row["name"] for row in rows}):
            path = curves.along_sides(sheet, [row for row in rows if row["name"] == name])
            bank = number((width + 0.03) * sheet.size)
            parts.append(f'<path d="{path}" stroke="#20456b" stroke-opacity="0.7" stroke-width="{bank}"/>')
            parts.append(f'<path d="{path}" stroke="{colour}" stroke-width="{number(width * sheet.size)}"/>')
    return "".join(parts)


def draw_hexes(sheet: Sheet) -> str:
    """Outlines, numbers and levels."""
    s = sheet.size
    parts = []
    for row in sheet.hexes:
        x, y = sheet.centre(row["hex"])
        parts.append(f'<polygon points="{polygon(sheet, row["hex"])}"/>')
        parts.append(
            f'<text class="id" x="{number(x)}" y="{number(y - s * 0.36)}" font-size="{number(s * 0.115)}" '
            f'text-anchor="middle">{row["hex"]}</text>'
        )
        if row.get("level") not in ("0", "", None):
            parts.append(
                f'<text class="level" x="{number(x + s * 0.4)}" y="{number(y + s * 0.04)}" '
                f'font-size="{number(s * 0.13)}" text-anchor="middle">{row["level"]}</text>'
            )
        parts.append(draw_peaks_sign((x + s * 0.4, y - s * 0.1), s, PEAKS_SIGN.get(row["terrain"], 0)))
    width = number(s * 0.012)
    return f'<g fill="none" stroke="#5b5342" stroke-opacity="0.55" stroke-width="{width}">{"".join(parts)}</g>'


def draw_peaks_sign(at: Point, s: float, count: int) -> str:
    """One or two carets over the level: mountains are told from hills without colour."""
    x, y = at
    path = "".join(
        f"M{spot((x - s * 0.05, y - i * s * 0.05))}L{spot((x, y - s * 0.05 - i * s * 0.05))}"
        f"L{spot((x + s * 0.05, y - i * s * 0.05))}"
        for i in range(count)
    )
    return (
        f'<path d="{path}" stroke="#5d3c1c" stroke-opacity="0.85" stroke-width="{number(s * 0.02)}"/>' if path else ""
    )


def draw_crags(sheet: Sheet) -> str:
    """Crag and cliff hexsides: a dark rim with teeth that point down into the lower hex."""
    s = sheet.size
    levels = {row["hex"]: int(row.get("level") or 0) for row in sheet.hexes}
    rims, teeth = [], []
    for row in sheet.sides:
        if not (row.get("crag") or row.get("cliff")):
            continue
        p, q = sheet.side(row["a"], row["b"])
        below = sheet.centre(row["a"] if levels[row["a"]] < levels[row["b"]] else row["b"])
        middle = between(p, q, 0.5)
        down = s * DROP / hypot(below[0] - middle[0], below[1] - middle[1])
        dx, dy = (below[0] - middle[0]) * down, (below[1] - middle[1]) * down
        marks = [between(p, q, RIM + (1 - 2 * RIM) * i / (10 * TEETH)) for i in range(10 * TEETH + 1)]
        rims.append(f"M{spot(marks[0])}L{spot(marks[-1])}")
        for i in range(0, 10 * TEETH, 10):
            x, y = marks[i + 5]
            teeth.append(f"M{spot(marks[i])}L{spot(marks[i + 8])}L{spot((x + dx, y + dy))}Z")
    return (
        f'<path class="cliff" d="{"".join(teeth)}" stroke="#f7f1df" stroke-opacity="0.55" '
        f'stroke-width="{number(s * 0.012)}"/>'
        f'<path d="{"".join(rims)}" stroke="#4a3226" stroke-width="{number(s * 0.05)}"/>'
    )


def draw_slopes(sheet: Sheet) -> str:
    """Slope hexsides: short strokes down from the side; longer and closer where it is steep."""
    s = sheet.size
    paths: dict[str, list[str]] = {"gentle": [], "steep": []}
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
            paths[row["slope"]].append(f"M{spot(top)}L{spot((top[0] + dx, top[1] + dy))}")
    return "".join(
        f'<path d="{"".join(parts)}" stroke="#7a5230" stroke-opacity="0.75" stroke-width="{number(s * 0.018)}"/>'
        for parts in paths.values()
        if parts
    )
