"""A whole board as one SVG picture, and as PNG where the optional `resvg-py` is installed."""

from __future__ import annotations

import base64
import math
from pathlib import Path
from xml.sax.saxutils import escape

from . import curves
from .curves import number, spot
from .labels import Desk
from .sheet import Point, Row, Sheet, between, read_sheet

# terrain: colour and opacity laid over the relief
TERRAIN = {
    "clear": ("#eef3d4", 0.5),
    "woods": ("#7fa05a", 0.5),
    "swamp": ("#9cc7bf", 0.6),
    "hill": ("#e2c37c", 0.45),
    "low_mountain": ("#a06c40", 0.45),
    "mountain": ("#855536", 0.45),
    "high_mountain": ("#77686c", 0.6),
}
PEAKS_SIGN = {"low_mountain": 1, "mountain": 1, "high_mountain": 2}
FLAT = ("clear", "swamp", "woods")
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
SIDES = {"italian": "#1c6b34", "ah": "#a3271f", "ahg": "#a3271f", "garibaldian": "#a3271f", "bourbon": "#23407f"}
FLAGS = {
    "italian": ["#1c7a3a", "#f4f4f0", "#c3252b"],
    "ah": ["#c3252b", "#f4f4f0", "#c3252b"],
    "ahg": ["#222222", "#f4f4f0", "#c3252b"],
    "garibaldian": ["#1c7a3a", "#f4f4f0", "#c3252b"],
    "bourbon": ["#f4f4f0"],
}
STYLE = """
text{font-family:'DejaVu Serif',Georgia,serif;fill:#1d1a16;paint-order:stroke;stroke:#f7f1df;stroke-linejoin:round}
.id{font-family:'DejaVu Sans',Arial,sans-serif;fill:#4b463c;stroke:none;opacity:.75}
.level{font-family:'DejaVu Sans',Arial,sans-serif;fill:#5d3c1c;stroke:none;opacity:.8}
.place{stroke-width:3}.local{font-style:italic;fill:#4d473d;stroke-width:2.4}
.town{font-weight:bold;stroke-width:3.4}.peakname{font-style:italic;fill:#54260f;stroke-width:3}
.fort{font-family:'DejaVu Sans',Arial,sans-serif;stroke-width:2.4}
.points{font-family:'DejaVu Sans',Arial,sans-serif;font-weight:bold;fill:#fff;stroke:none}
.water{font-style:italic;fill:#164f8c;stroke:#eef3f5;stroke-width:2.6}
path{fill:none;stroke-linecap:round;stroke-linejoin:round}path.ticks{stroke-linecap:butt}
"""


def board_svg(sheet: Sheet) -> str:
    """The board with everything that is printed on it."""
    picture = sheet.about["picture"]
    desk = Desk(picture["width"], picture["height"])
    symbols = draw_symbols(sheet, desk)
    draw_names(sheet, desk)
    layers = [
        draw_picture(sheet),
        draw_ground(sheet),
        draw_streams(sheet),
        draw_water(sheet),
        draw_hexes(sheet),
        draw_crags(sheet),
        draw_routes(sheet),
        draw_crossings(sheet),
        draw_trenches(sheet),
        draw_sectors(sheet),
        symbols,
        "".join(desk.text),
        draw_points(sheet),
        draw_compass(sheet),
    ]
    width, height = picture["width"], picture["height"]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    title = escape(str(sheet.about.get("title", "")))
    return f"{head}<title>{title}</title><style>{STYLE}</style>{''.join(layers)}</svg>"


def draw_picture(sheet: Sheet) -> str:
    """The relief, inside the file so that the SVG stands alone."""
    picture = sheet.about["picture"]
    kind = Path(picture["file"]).suffix.lstrip(".").replace("jpg", "jpeg")
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
        elif row["terrain"] == "clear" and sheet.about.get("hill_from", 99) <= int(row["level"]):
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


def draw_sectors(sheet: Sheet) -> str:
    """The line between sectors; hexes that belong to both are ringed."""
    s = sheet.size
    parts = []
    for row in sheet.hexes:
        here = row.get("sector")
        if not here:
            continue
        x, y = sheet.centre(row["hex"])
        corners = sheet.corners(row["hex"])
        for i, p in enumerate(corners):
            q = corners[(i + 1) % 6]
            beyond = nearest(sheet, (p[0] + q[0] - x, p[1] + q[1] - y))
            if beyond and beyond.get("sector") != here and (here == "common" or row["hex"] < beyond["hex"]):
                parts.append(f"M{spot(p)}L{spot(q)}")
    path = "".join(parts)
    return f'<path d="{path}" stroke="#f2c21a" stroke-opacity="0.9" stroke-width="{number(s * 0.08)}"/>' if path else ""


def nearest(sheet: Sheet, at: Point) -> Row | None:
    """The row of the hex with its centre at this point, if the board has one."""
    grid, picture = sheet.about["grid"], sheet.about["picture"]
    column = round((at[0] - picture["x0"]) / picture["dx"]) + grid["columns"][0]
    low = 0.5 if (column % 2 == 1) == grid["odd_columns_lower"] else 0.0
    line = round((at[1] - picture["y0"]) / picture["dy"] - low) + grid["rows"][0]
    return sheet.rows.get(f"{column:02d}{line:02d}")


def draw_points(sheet: Sheet) -> str:
    """Victory points in a red box at the lower right of the hex."""
    s = sheet.size
    out = []
    for row in sheet.hexes:
        if row.get("vp"):
            x, y = sheet.centre(row["hex"])
            left, top = x - s * 0.42, y - s * 0.3
            out.append(
                f'<rect x="{number(left)}" y="{number(top)}" width="{number(s * 0.19)}" height="{number(s * 0.19)}" '
                f'rx="{number(s * 0.03)}" fill="#b3201a" stroke="#f7f1df" stroke-width="{number(s * 0.015)}"/>'
                f'<text class="points" x="{number(left + s * 0.095)}" y="{number(top + s * 0.148)}" '
                f'font-size="{number(s * 0.15)}" text-anchor="middle">{row["vp"]}</text>'
            )
    return "".join(out)


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
    """Crag and cliff hexsides: a dark line with hachures."""
    s = sheet.size
    parts = []
    for row in sheet.sides:
        if row.get("crag") or row.get("cliff"):
            p, q = sheet.side(row["a"], row["b"])
            parts.append(f"M{spot(between(p, q, 0.06))}L{spot(between(p, q, 0.94))}")
    path = "".join(parts)
    dashes = f"{number(s * 0.022)} {number(s * 0.05)}"
    return (
        f'<path d="{path}" stroke="#3a2a20" stroke-width="{number(s * 0.045)}"/>'
        f'<path class="ticks" d="{path}" stroke="#3a2a20" stroke-width="{number(s * 0.16)}" '
        f'stroke-dasharray="{dashes}"/>'
    )


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


def draw_routes(sheet: Sheet) -> str:
    """Railways, trails and roads, the most important on top."""
    s = sheet.size
    out = []
    rails = [row for row in sheet.sides if row.get("railway")]
    if rails:
        path = curves.along_hexes(sheet, rails, 0.16)
        out.append(f'<path d="{path}" stroke="#2b2b2b" stroke-width="{number(s * 0.06)}"/>')
        dashes = f"{number(s * 0.09)} {number(s * 0.09)}"
        out.append(
            f'<path class="ticks" d="{path}" stroke="#f4f0e6" stroke-width="{number(s * 0.034)}" '
            f'stroke-dasharray="{dashes}"/>'
        )
    trails = [row for row in sheet.sides if row.get("trail") and not row.get("road")]
    if trails:
        path = curves.along_hexes(sheet, trails)
        dashes = f"{number(s * 0.11)} {number(s * 0.07)}"
        out.append(f'<path d="{path}" stroke="#f6efd9" stroke-opacity="0.8" stroke-width="{number(s * 0.055)}"/>')
        out.append(f'<path d="{path}" stroke="#7a4a22" stroke-width="{number(s * 0.03)}" stroke-dasharray="{dashes}"/>')
    roads = [row for row in sheet.sides if row.get("road")]
    path = curves.along_hexes(sheet, roads)
    out.append(f'<path d="{path}" stroke="#6b3a1c" stroke-width="{number(s * 0.07)}"/>')
    out.append(f'<path d="{path}" stroke="#f3d9a2" stroke-width="{number(s * 0.038)}"/>')
    return "".join(out)


def draw_crossings(sheet: Sheet) -> str:
    """Bridges as two bars across the water; a destroyed one is broken by a cross."""
    s = sheet.size
    out = []
    for row in sheet.sides:
        if not row.get("bridge_hex") and not row.get("bridge"):
            continue
        footbridge = row.get("bridge") == "footbridge"
        offset = 0.16 if row.get("railway") and not (row.get("road") or row.get("trail")) else 0.0
        p, q = sheet.side(row["a"], row["b"])
        x, y = between(p, q, 0.5 + offset)
        (ax, ay), (bx, by) = sheet.centre(row["a"]), sheet.centre(row["b"])
        turn = number(math.degrees(math.atan2(by - ay, bx - ax)))
        frame = f'<g transform="translate({spot((x, y))}) rotate({turn})" stroke="#1d1a16" fill="none">'
        half, gap = s * (0.09 if footbridge else 0.12), s * (0.03 if footbridge else 0.06)
        bars = "".join(f"M{number(-half)},{number(side)}H{number(half)}" for side in (-gap, gap))
        out.append(f'{frame}<path d="{bars}" stroke-width="{number(s * 0.028)}"/>')
        if row.get("destroyed") or row.get("blown"):
            cross = s * 0.11
            lines = f"M{spot((-cross, -cross))}L{spot((cross, cross))}M{spot((-cross, cross))}L{spot((cross, -cross))}"
            out.append(f'<path d="{lines}" stroke="#c01818" stroke-width="{number(s * 0.045)}"/>')
        out.append("</g>")
    return "".join(out)


def draw_trenches(sheet: Sheet) -> str:
    """The trench lines of both sides, on the side of the hex that faces the enemy."""
    s = sheet.size
    out = []
    for side in sorted({row.get("trench_link", "") for row in sheet.sides} - {""}):
        rows = [row for row in sheet.sides if row.get("trench_link") == side]
        path = curves.trench_line(sheet, rows, facing(sheet, side))
        colour = SIDES.get(side, "#333333")
        dashes = f"{number(s * 0.03)} {number(s * 0.06)}"
        out.append(f'<path d="{path}" stroke="#f7f1df" stroke-opacity="0.75" stroke-width="{number(s * 0.1)}"/>')
        out.append(
            f'<path class="ticks" d="{path}" stroke="{colour}" stroke-width="{number(s * 0.14)}" '
            f'stroke-dasharray="{dashes}"/>'
        )
        out.append(f'<path d="{path}" stroke="{colour}" stroke-width="{number(s * 0.045)}"/>')
        strong = {row["hex"] for row in sheet.hexes if row.get("trench_level") == "2"}
        double = [row for row in rows if row["a"] in strong and row["b"] in strong]
        if double:
            path = curves.trench_line(sheet, double, facing(sheet, side))
            out.append(f'<path d="{path}" stroke="{colour}" stroke-width="{number(s * 0.1)}"/>')
            out.append(f'<path d="{path}" stroke="#f7f1df" stroke-width="{number(s * 0.035)}"/>')
    for row in sheet.sides:
        if row.get("side_trench"):
            p, q = sheet.side(row["a"], row["b"])
            x, y = sheet.centre(row["side_trench_hex"])
            ends = [between(point, (x, y), 0.12) for point in (p, q)]
            colour = SIDES.get(row["side_trench"], "#333333")
            path = f"M{spot(ends[0])}L{spot(ends[1])}"
            out.append(f'<path d="{path}" stroke="{colour}" stroke-width="{number(s * 0.07)}"/>')
    return "".join(out)


def facing(sheet: Sheet, side: str) -> dict[str, Point]:
    """For each trench hex of a side, the direction of the enemy trenches next to it."""
    mine = [row["hex"] for row in sheet.hexes if row.get("trench") == side]
    theirs = [sheet.centre(row["hex"]) for row in sheet.hexes if row.get("trench") and row["trench"] != side]
    out = {}
    for hex_id in mine:
        here = sheet.centre(hex_id)
        near = [p for p in theirs if math.dist(p, here) < sheet.size * 1.2]
        x, y = sum(p[0] - here[0] for p in near), sum(p[1] - here[1] for p in near)
        size = math.hypot(x, y)
        if size:
            out[hex_id] = (x / size, y / size)
    return out


def draw_symbols(sheet: Sheet, desk: Desk) -> str:
    """Settlements, peaks and flags; names keep off them and off the hex numbers."""
    s = sheet.size
    out = []
    for row in sheet.hexes:
        x, y = sheet.centre(row["hex"])
        desk.block((x, y - s * 0.4), s * 0.2, s * 0.06)
        if row.get("settlement") or row.get("mark") in ("village", "city"):
            out.append(draw_settlement(row, (x, y), s))
            desk.block((x, y), s * 0.14, s * 0.1)
        elif row.get("peak") or row.get("mark") == "summit":
            out.append(draw_summit((x, y), s, bool(row.get("peak"))))
            desk.block((x, y), s * 0.12, s * 0.1)
        if row.get("fort"):
            out.append(draw_fort(row["fort_side"], (x - s * 0.3, y + s * 0.02), s))
            desk.block((x - s * 0.3, y + s * 0.02), s * 0.12, s * 0.12)
        if row.get("flag"):
            out.append(draw_flag(row["flag"], (x + s * 0.2, y + s * 0.34), s))
            desk.block((x + s * 0.33, y + s * 0.28), s * 0.15, s * 0.12)
    return "".join(out)


def draw_summit(at: Point, s: float, objective: bool) -> str:
    """A triangle; hollow where the summit is only a name."""
    size = 1.0 if objective else 0.7
    corners = ((-0.12, 0.09), (0.12, 0.09), (0, -0.12))
    points = " ".join(spot((at[0] + dx * s * size, at[1] + dy * s * size)) for dx, dy in corners)
    fill, line = ("#5a2c12", "#f7f1df") if objective else ("#f7f1df", "#5a2c12")
    return f'<polygon points="{points}" fill="{fill}" stroke="{line}" stroke-width="{number(s * 0.02)}"/>'


def draw_fort(side: str, at: Point, s: float) -> str:
    """A bastioned work in the colour of its side."""
    turns = [math.radians(45 * i + 22.5) for i in range(8)]
    radii = [0.14 if i % 2 else 0.1 for i in range(8)]
    points = " ".join(
        spot((at[0] + math.cos(t) * r * s, at[1] + math.sin(t) * r * s)) for t, r in zip(turns, radii, strict=True)
    )
    colour = SIDES.get(side, "#333333")
    return f'<polygon points="{points}" fill="{colour}" stroke="#f7f1df" stroke-width="{number(s * 0.02)}"/>'


def draw_settlement(row: Row, at: Point, s: float) -> str:
    """A cluster of houses; larger for a city."""
    big = is_town(row)
    size = s * (0.075 if big else 0.055)
    if row.get("mark") == "village":
        return (
            f'<circle cx="{number(at[0])}" cy="{number(at[1])}" r="{number(s * 0.045)}" fill="#f7f1df" stroke="#222"/>'
        )
    spots = [(-1.3, -0.5), (0.1, -1.2), (1.2, -0.2), (-0.4, 0.7), (0.9, 1.0)]
    if big:
        spots += [(-2.2, 0.8), (2.3, 0.9), (-0.9, -1.9), (1.7, -1.7), (0.2, 2.0)]
    return "".join(
        f'<rect x="{number(at[0] + dx * size - size / 2)}" y="{number(at[1] + dy * size - size / 2)}" '
        f'width="{number(size * 1.25)}" height="{number(size)}" fill="#8c1f1a" stroke="#f7f1df" stroke-width="0.8"/>'
        for dx, dy in spots
    )


def draw_flag(side: str, at: Point, s: float) -> str:
    """A supply flag: the side's colours on a pole."""
    x, y = at
    w, h = s * 0.26, s * 0.15
    bands = FLAGS.get(side, ["#777777"])
    upright = side in ("italian", "garibaldian")
    parts = [f'<path d="M{spot((x, y + s * 0.06))}V{number(y - h)}" stroke="#222" stroke-width="{number(s * 0.02)}"/>']
    for i, colour in enumerate(bands):
        n = len(bands)
        box = (x + w * i / n, y - h, w / n, h) if upright else (x, y - h + h * i / n, w, h / n)
        parts.append('<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>'.format(*map(number, box), colour))
    parts.append(
        f'<rect x="{number(x)}" y="{number(y - h)}" width="{number(w)}" height="{number(h)}" fill="none" '
        f'stroke="#222" stroke-width="0.8"/>'
    )
    return "".join(parts)


def draw_compass(sheet: Sheet) -> str:
    """An arrow to the north, in the upper left corner."""
    turn = {"north": 0, "east": -90, "south": 180, "west": 90, "south-west": 135}[sheet.about["top_of_map"]]
    s = sheet.size
    arrow = " ".join(spot((dx * s, dy * s)) for dx, dy in ((0, -0.3), (0.1, 0.2), (0, 0.12), (-0.1, 0.2)))
    return (
        f'<g transform="translate({spot((s * 0.6, s * 0.55))}) rotate({turn})">'
        f'<circle r="{number(s * 0.33)}" fill="#f7f1df" fill-opacity="0.85" stroke="#1d1a16"/>'
        f'<polygon points="{arrow}" fill="#1d1a16"/>'
        f'<text x="0" y="{number(s * -0.33)}" font-size="{number(s * 0.2)}" text-anchor="middle" '
        f'style="stroke-width:3;font-weight:bold">N</text></g>'
    )


def is_town(row: Row) -> bool:
    """Is this a place of more than local weight?"""
    return bool(row.get("gorizia")) or row.get("settlement") == "town" or row.get("mark") == "city"


def draw_names(sheet: Sheet, desk: Desk) -> None:
    """Names of places, then of rivers."""
    s = sheet.size
    named = [row for row in sheet.hexes if row.get("name")]
    named.sort(key=lambda row: (not is_town(row), not row.get("settlement"), row["hex"]))
    for row in named:
        peak = row.get("peak") or row.get("mark") == "summit"
        kind = "peakname" if peak else ("town" if is_town(row) else "place")
        lines = [(row["name"], kind, s * (0.22 if is_town(row) else 0.165))]
        if row.get("local_name") and row["local_name"] != row["name"]:
            lines.append((row["local_name"], "local", s * 0.115))
        desk.place(lines, sheet.centre(row["hex"]), s * 0.14)
    for row in sheet.hexes:
        if row.get("fort"):
            x, y = sheet.centre(row["hex"])
            desk.place([(row["fort"], "fort", s * 0.12)], (x - s * 0.3, y + s * 0.02), s * 0.1)
    for name in sorted({row["name"] for row in sheet.sides if row.get("water") and row["name"]}):
        course = [row for row in sheet.sides if row.get("water") and row["name"] == name]
        size = s * (0.24 if course[0]["water"] == "isonzo" else 0.15)
        for row in course[len(course) // 5 :: 26]:
            desk.place([(name, "water", size)], sheet.middle(row["a"], row["b"]), s * 0.12)


def board_png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG; needs the optional package `resvg-py` (extra `png`)."""
    try:
        import resvg_py
    except ImportError as missing:
        raise RuntimeError("PNG output needs the package resvg-py: pip install 'fronte[png]'") from missing
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))


def render(folder: Path, out: Path, width: int | None = None) -> None:
    """Draw the board of a data folder into an .svg or .png file."""
    svg = board_svg(read_sheet(folder))
    if out.suffix == ".png":
        out.write_bytes(board_png(svg, width))
    else:
        out.write_text(svg, encoding="utf-8")
