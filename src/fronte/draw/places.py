"""Places: settlements, summits, forts, flags, victory points, the compass, and the names of all of them."""

from __future__ import annotations

import math

from fronte.engine.text import typographic

from .curves import number, spot
from .labels import Desk, letters
from .sheet import Point, Row, Sheet
from .tokens import TOKENS
from .works import crossing, is_crossed, lone_trenches

HOUSES = ((-1.3, -0.5), (0.1, -1.2), (1.2, -0.2), (-0.4, 0.7), (0.9, 1.0))
SUBURBS = ((-2.2, 0.8), (2.3, 0.9), (-0.9, -1.9), (1.7, -1.7), (0.2, 2.0))


def draw_symbols(sheet: Sheet, desk: Desk, around: bool = False) -> str:
    """Settlements, peaks, forts and flags; names keep off them, off crossings and off the numbers of hexes.

    `around` counters they keep off the levels too, which are larger then.
    """
    s = sheet.size
    out = []
    for row in sheet.hexes:
        x, y = sheet.centre(row["hex"])
        desk.block((x, y - s * 0.4), s * 0.2, s * 0.06)
        if around and row.get("level") not in ("0", "", None):
            desk.block((x + s * 0.4, y - s * 0.03), s * 0.07, s * 0.09)
        if around and any(row.get(column) for column in ("vp", "objective", "settlement", "peak")):
            desk.block((x - s * 0.465, y), s * 0.12, s * 0.12)  # where a table says what a place is worth
        elif row.get("vp"):
            desk.block((x - s * 0.325, y - s * 0.205), s * 0.1, s * 0.1)
        if row.get("settlement") or row.get("mark") in ("village", "city"):
            out.append(draw_settlement(sheet, row, (x, y)))
            desk.block((x, y), s * 0.14, s * 0.1)
        elif row.get("peak") or row.get("mark") == "summit":
            out.append(draw_summit((x, y), s, bool(row.get("peak"))))
            desk.block((x, y), s * 0.12, s * 0.1)
        if row.get("fort"):
            out.append(draw_fort(sheet.ink(row.get("fort_side", "")), (x - s * 0.3, y + s * 0.02), s))
            desk.block((x - s * 0.3, y + s * 0.02), s * 0.12, s * 0.12)
        if row.get("depot"):
            out.append(draw_depot((x - s * 0.3, y + s * 0.3), s))
            desk.block((x - s * 0.3, y + s * 0.3), s * 0.12, s * 0.11)
        if row.get("flag"):
            out.append(draw_flag(sheet, row["flag"], (x + s * 0.2, y + s * 0.34)))
            desk.block((x + s * 0.33, y + s * 0.28), s * 0.15, s * 0.12)
    for force in sorted({row.get("trench", "") for row in sheet.hexes} - {""}):
        for (x, y), (dx, dy) in lone_trenches(sheet, force).values():
            desk.block((x + dx, y + dy), s * 0.28, s * 0.1)
    for side in sheet.sides:
        if is_crossed(side):
            desk.block(crossing(sheet, side["a"], side["b"])[0], s * 0.13, s * 0.13)
        if side.get("side_trench"):
            (left, top), (right, low) = sheet.side(side["a"], side["b"])
            desk.block(sheet.middle(side["a"], side["b"]), abs(right - left) / 2, abs(low - top) / 2 + s * 0.06)
    return "".join(out)


def draw_summit(at: Point, s: float, objective: bool) -> str:
    """A triangle; hollow where the summit is only a name."""
    size = 1.0 if objective else 0.7
    corners = ((-0.12, 0.09), (0.12, 0.09), (0, -0.12))
    points = " ".join(spot((at[0] + dx * s * size, at[1] + dy * s * size)) for dx, dy in corners)
    fill, line = [TOKENS[name] for name in (("summit", "paper") if objective else ("paper", "summit"))]
    return f'<polygon points="{points}" fill="{fill}" stroke="{line}" stroke-width="{number(s * 0.02)}"/>'


def draw_fort(colour: str, at: Point, s: float) -> str:
    """A bastioned work in the colour of its force."""
    turns = [math.radians(45 * i + 22.5) for i in range(8)]
    radii = [0.14 if i % 2 else 0.1 for i in range(8)]
    points = " ".join(
        spot((at[0] + math.cos(t) * r * s, at[1] + math.sin(t) * r * s)) for t, r in zip(turns, radii, strict=True)
    )
    return f'<polygon points="{points}" fill="{colour}" stroke="{TOKENS["paper"]}" stroke-width="{number(s * 0.02)}"/>'


def draw_depot(at: Point, s: float) -> str:
    """A depot: a crate with its planks crossed."""
    half = s * 0.085
    left, right, top, low = (number(v) for v in (at[0] - half, at[0] + half, at[1] - half, at[1] + half))
    box = f"M{left},{top}H{right}V{low}H{left}ZL{right},{low}M{right},{top}L{left},{low}"
    return (
        f'<path class="depot" d="{box}" fill="{TOKENS["roadway"]}" stroke="{TOKENS["ink"]}" '
        f'stroke-width="{number(s * 0.018)}"/>'
    )


def draw_settlement(sheet: Sheet, row: Row, at: Point) -> str:
    """A cluster of houses, larger for a town; a small place is a ring."""
    s, big = sheet.size, sheet.is_town(row)
    if row.get("mark") == "village" or row.get("settlement") == "farm":
        return (
            f'<circle cx="{number(at[0])}" cy="{number(at[1])}" r="{number(s * 0.045)}" fill="{TOKENS["paper"]}" '
            f'stroke="{TOKENS["ink"]}" stroke-width="{number(s * 0.01)}"/>'
        )
    size = s * (0.075 if big else 0.055)
    path = "".join(
        f"M{spot((at[0] + dx * size - size / 2, at[1] + dy * size - size / 2))}"
        f"h{number(size * 1.25)}v{number(size)}h{number(-size * 1.25)}z"
        for dx, dy in (HOUSES + SUBURBS if big else HOUSES)
    )
    return f'<path d="{path}" fill="{TOKENS["house"]}" stroke="{TOKENS["paper"]}" stroke-width="0.8"/>'


def draw_flag(sheet: Sheet, force: str, at: Point) -> str:
    """A supply flag: the force's colours on a pole."""
    s, (x, y) = sheet.size, at
    w, h = s * 0.26, s * 0.15
    how = sheet.look.force.get(force)
    bands = (how and how.flag) or (sheet.ink(force),)
    pole = f"M{spot((x, y + s * 0.06))}V{number(y - h)}"
    parts = [f'<path d="{pole}" stroke="{TOKENS["ink"]}" stroke-width="{number(s * 0.02)}"/>']
    for i, colour in enumerate(bands):
        n = len(bands)
        box = (x + w * i / n, y - h, w / n, h) if how and how.upright else (x, y - h + h * i / n, w, h / n)
        parts.append('<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>'.format(*map(number, box), colour))
    parts.append(
        f'<rect x="{number(x)}" y="{number(y - h)}" width="{number(w)}" height="{number(h)}" fill="none" '
        f'stroke="{TOKENS["ink"]}" stroke-width="0.8"/>'
    )
    return "".join(parts)


def draw_points(sheet: Sheet) -> str:
    """Victory points in a red box at the upper left of the hex; a red ring where a scenario has another objective."""
    s = sheet.size
    out = []
    for row in sheet.hexes:
        if row.get("objective"):
            x, y = sheet.centre(row["hex"])
            inner = " ".join(spot((x + (cx - x) * RING, y + (cy - y) * RING)) for cx, cy in sheet.corners(row["hex"]))
            out.append(
                f'<polygon class="{row["objective"]}" points="{inner}" stroke="{TOKENS["points"]}" '
                f'stroke-width="{number(s * 0.03)}" stroke-dasharray="{number(s * 0.09)} {number(s * 0.06)}"/>'
            )
        if row.get("vp"):
            x, y = sheet.centre(row["hex"])
            left, top = x - s * 0.42, y - s * 0.3
            out.append(
                f'<rect x="{number(left)}" y="{number(top)}" width="{number(s * 0.19)}" height="{number(s * 0.19)}" '
                f'rx="{number(s * 0.03)}" fill="{TOKENS["points"]}" stroke="{TOKENS["paper"]}" '
                f'stroke-width="{number(s * 0.015)}"/>'
                f'<text x="{number(left + s * 0.095)}" y="{number(top + s * 0.148)}" font-size="{number(s * 0.15)}" '
                f'text-anchor="middle" {letters("points", s)}>{row["vp"]}</text>'
            )
    return "".join(out)


RING = 0.9
"""How large that ring is, in hexes."""


def draw_compass(sheet: Sheet) -> str:
    """An arrow to the north, in the upper left corner."""
    turn = {"north": 0, "east": -90, "south": 180, "west": 90, "south-west": 135}[sheet.about["top_of_map"]]
    s = sheet.size
    arrow = " ".join(spot((dx * s, dy * s)) for dx, dy in ((0, -0.3), (0.1, 0.2), (0, 0.12), (-0.1, 0.2)))
    return (
        f'<g transform="translate({spot((s * 0.6, s * 0.55))}) rotate({turn})">'
        f'<circle r="{number(s * 0.33)}" fill="{TOKENS["paper"]}" fill-opacity="0.85" stroke="{TOKENS["ink"]}"/>'
        f'<polygon points="{arrow}" fill="{TOKENS["ink"]}"/>'
        f'<text y="{number(s * -0.33)}" font-size="{number(s * 0.2)}" text-anchor="middle" '
        f"{letters('town', s)}>N</text></g>"
    )


def draw_names(sheet: Sheet, desk: Desk, around: bool) -> str:
    """Names of places: beside their signs, or `around` the counters that will lie on them."""
    s = sheet.size
    named = [row for row in sheet.hexes if row.get("name")]
    named.sort(key=lambda row: (not sheet.is_town(row), not row.get("settlement"), row["hex"]))
    out = []
    for row in named:
        town = sheet.is_town(row) or (around and bool(row.get("settlement")))
        peak = row.get("peak") or row.get("mark") == "summit"
        kind = "peakname" if peak else "town" if town else "place"
        share = (0.19 if sheet.is_town(row) else 0.145) if around else 0.22 if town else 0.165
        lines = [(typographic(row["name"]), kind, s * share)]
        if not around and row.get("local_name") and row["local_name"] != row["name"]:
            lines.append((row["local_name"], "local", s * 0.115))
        gap = s * (COUNTER if around else 0.14)
        out.append(desk.place(lines, sheet.centre(row["hex"]), gap, row["hex"], edges=around))
    return "".join(out)


COUNTER = 0.36
"""How far from the middle of a hex a name keeps that shall be read above a counter, in hexes."""


def draw_lesser_names(sheet: Sheet, desk: Desk, around: bool = False) -> str:
    """Names of rivers and ferries, and of forts where no counters lie on them."""
    s = sheet.size
    out = []
    for row in sheet.hexes:
        if row.get("fort") and not around:
            x, y = sheet.centre(row["hex"])
            out.append(desk.place([(row["fort"], "fort", s * 0.12)], (x - s * 0.3, y + s * 0.02), s * 0.1))
    for row in sheet.sides:
        if row.get("ferry"):
            out.append(desk.place([(row["ferry"], "rivername", s * 0.15)], sheet.middle(row["a"], row["b"]), s * 0.2))
    for name in sorted({row["name"] for row in sheet.sides if row.get("water") and row.get("name")}):
        course = [row for row in sheet.sides if row.get("water") and row.get("name") == name]
        size = s * (0.24 if sheet.water(course[0]) == "great_river" else 0.15)
        for row in course[len(course) // 5 :: 26]:
            out.append(desk.place([(name, "rivername", size)], sheet.middle(row["a"], row["b"]), s * 0.12))
    return "".join(out)
