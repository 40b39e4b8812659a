"""Signs and names: settlements, summits, forts, flags, victory points, the compass."""

from __future__ import annotations

import math

from .curves import number, spot
from .labels import Desk
from .sheet import Point, Row, Sheet
from .works import SIDES

FLAGS = {
    "italian": ["#1c7a3a", "#f4f4f0", "#c3252b"],
    "ah": ["#c3252b", "#f4f4f0", "#c3252b"],
    "ahg": ["#222222", "#f4f4f0", "#c3252b"],
    "garibaldian": ["#1c7a3a", "#f4f4f0", "#c3252b"],
    "bourbon": ["#f4f4f0"],
}


def draw_symbols(sheet: Sheet, desk: Desk) -> str:
    """Settlements, peaks and flags; names keep off them and off the hex numbers."""
    s = sheet.size
    out = []
    for row in sheet.hexes:
        x, y = sheet.centre(row["hex"])
        desk.block((x, y - s * 0.4), s * 0.2, s * 0.06)
        if row.get("vp"):
            desk.block((x - s * 0.325, y - s * 0.205), s * 0.1, s * 0.1)
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


def is_town(row: Row) -> bool:
    """Is this a place of more than local weight?"""
    return bool(row.get("gorizia")) or row.get("settlement") in ("town", "city") or row.get("mark") == "city"


def draw_settlement(row: Row, at: Point, s: float) -> str:
    """A cluster of houses; larger for a city."""
    big = is_town(row)
    size = s * (0.075 if big else 0.055)
    if row.get("mark") == "village" or row.get("settlement") == "farm":
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
