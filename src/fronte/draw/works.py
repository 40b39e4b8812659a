"""What people built and drew on the ground: routes, bridges, trenches, sector lines."""

from __future__ import annotations

import math

from . import curves
from .curves import number, spot
from .sheet import Point, Row, Sheet, between

SIDES = {"italian": "#1c6b34", "ah": "#a3271f", "ahg": "#a3271f", "garibaldian": "#a3271f", "bourbon": "#23407f"}


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
    trails = [row for row in sheet.sides if (row.get("trail") or row.get("path")) and not row.get("road")]
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
    line = round((at[1] - picture["y0"]) / picture["dy"] - sheet.drop(column)) + grid["rows"][0]
    return sheet.rows.get(f"{column:02d}{line:02d}")
