"""What people built and drew on the ground: routes, bridges, fords, trenches, sector lines."""

from __future__ import annotations

import math

from . import curves
from .curves import number, spot
from .ground import line
from .sheet import Point, Row, Sheet, between, nearest
from .tokens import TOKENS

ASIDE = 0.16
"""How far a railway runs beside the road through the same hexes, in hexsides."""


def draw_routes(sheet: Sheet) -> str:
    """Railways, trails and roads, the most important on top."""
    s = sheet.size
    rails = [row for row in sheet.sides if row.get("railway")]
    trails = [row for row in sheet.sides if (row.get("trail") or row.get("path")) and not row.get("road")]
    roads = [row for row in sheet.sides if row.get("road")]
    rail, road = curves.along_hexes(sheet, rails, ASIDE), curves.along_hexes(sheet, roads)
    trail = curves.along_hexes(sheet, trails, onto=roads)
    ties = f' stroke-linecap="butt" stroke-dasharray="{number(s * 0.09)} {number(s * 0.09)}"'
    steps = f' stroke-dasharray="{number(s * 0.11)} {number(s * 0.07)}"'
    return (
        line(rail, "rail", s * 0.06)
        + line(rail, "sleeper", s * 0.034, ties)
        + line(trail, "trailside", s * 0.055, ' stroke-opacity="0.8"')
        + line(trail, "trail", s * 0.03, steps)
        + line(road, "road", s * 0.07)
        + line(road, "roadway", s * 0.038)
    )


def crossing(sheet: Sheet, a: str, b: str) -> tuple[Point, float]:
    """Where what crosses a hexside lies, on its bridge if it has one, and the turn towards the second hex."""
    row = sheet.by_side.get((a, b), {})
    rail_only = row.get("railway") and not (row.get("road") or row.get("trail"))
    (ax, ay), (bx, by) = sheet.centre(a), sheet.centre(b)
    point = between(*sheet.side(a, b), 0.5 + (ASIDE if rail_only and is_bridged(row) else 0.0))
    return point, math.degrees(math.atan2(by - ay, bx - ax))


def is_bridged(row: Row) -> bool:
    """Is there a bridge across this hexside?"""
    return bool(row.get("bridge_hex") or row.get("bridge"))


def is_crossed(row: Row) -> bool:
    """Is a bridge, a ford or a ferry drawn on this hexside?"""
    return is_bridged(row) or bool(row.get("ford") or row.get("ferry"))


def draw_crossings(sheet: Sheet) -> str:
    """Bridges as two bars across the water, fords as stones in it, ferries as a boat on its rope."""
    s = sheet.size
    out = []
    for row in sheet.sides:
        if not is_crossed(row):
            continue
        at, turn = crossing(sheet, row["a"], row["b"])
        frame = f'<g transform="translate({spot(at)}) rotate({number(turn)})">'
        if is_bridged(row):
            small = row.get("bridge") == "footbridge"
            half, gap = s * (0.09 if small else 0.12), s * (0.03 if small else 0.06)
            bars = "".join(f"M{number(-half)},{number(side)}H{number(half)}" for side in (-gap, gap))
            out.append(f"{frame}{line(bars, 'ink', s * 0.028)}</g>")
        elif row.get("ferry"):
            out.append(f"{frame}{draw_ferry(s)}</g>")
        else:
            stones = "".join(f"M{spot((dx * s, dy * s))}h0.01" for dx in (-0.09, 0, 0.09) for dy in (-0.06, 0.06))
            out.append(f"{frame}{line(stones, 'bank', s * 0.085)}{line(stones, 'roadway', s * 0.055)}</g>")
    return "".join(out)


def draw_ferry(s: float) -> str:
    """A flat boat in the middle of its rope, which runs from bank to bank along the x axis."""
    rope = line(f"M{number(-s * 0.2)},0H{number(s * 0.2)}", "ink", s * 0.02)
    bow, half, beam = (number(s * share) for share in (0.12, 0.07, 0.05))
    hull = f"M-{bow},0L-{half},-{beam}H{half}L{bow},0L{half},{beam}H-{half}Z"
    return (
        f'{rope}<path class="ferry" d="{hull}" fill="{TOKENS["roadway"]}" stroke="{TOKENS["ink"]}" '
        f'stroke-width="{number(s * 0.02)}"/>'
    )


ARCHES, HIGH, CHANNEL = 5, 0.2, 0.06
"""So many arches an aqueduct has from the middle of a hex to that of the next; how high it stands, and the wall over
the arches, in hexes."""


def draw_aqueducts(sheet: Sheet) -> str:
    """Rows of arches from hex to hex, seen from the side: a wall with its openings cut out, and the water on top."""
    s = sheet.size
    out = []
    for row in sheet.sides:
        if row.get("aqueduct"):
            p, q = sorted((sheet.centre(row["a"]), sheet.centre(row["b"])))
            turn = math.degrees(math.atan2(q[1] - p[1], q[0] - p[0]))
            out.append(f'<g transform="translate({spot(p)}) rotate({number(turn)})">{draw_arches(s)}</g>')
    return "".join(out)


def draw_arches(s: float) -> str:
    """The stretch of an aqueduct from one hex to the next, along the x axis."""
    foot, span = s * HIGH / 2, s / ARCHES
    wide, radius = span * 0.6, number(span * 0.3)
    wall = f"M0,{number(-foot)}h{number(s)}v{number(2 * foot)}h{number(-s)}z"
    for i in range(ARCHES):
        wall += (
            f"M{number(span * i + (span - wide) / 2)},{number(foot)}V{number(s * CHANNEL - foot + wide / 2)}"
            f"a{radius},{radius} 0 0,1 {number(wide)},0V{number(foot)}z"
        )
    stone = f'fill="{TOKENS["paper"]}" fill-rule="evenodd" stroke="{TOKENS["ink"]}"'
    water = line(f"M0,{number(-foot)}h{number(s)}", "stream", s * 0.035)
    return f'<path class="aqueduct" d="{wall}" {stone} stroke-width="{number(s * 0.018)}"/>{water}'


def draw_trenches(sheet: Sheet) -> str:
    """The trench lines of all forces, on the side of the hex that faces the enemy; strong ones are double."""
    s = sheet.size
    out = []
    dashes = f' stroke-linecap="butt" stroke-dasharray="{number(s * 0.03)} {number(s * 0.06)}"'
    strong = {row["hex"] for row in sheet.hexes if row.get("trench_level") == "2"}
    for force in sorted({row.get("trench_link", "") for row in sheet.sides} - {""}):
        rows = [row for row in sheet.sides if row.get("trench_link") == force]
        parts, colour = curves.trench_lines(sheet, rows, facing(sheet, force)), sheet.ink(force)
        parts |= {hex_id: draw_lone(*lone) for hex_id, lone in lone_trenches(sheet, force).items()}
        path = "".join(parts.values())
        out.append(line(path, "paper", s * 0.1, ' stroke-opacity="0.75"'))
        out.append(line(path, colour, s * 0.14, dashes))
        out.append(line(path, colour, s * 0.045))
        double = "".join(part for hex_id, part in parts.items() if hex_id in strong)
        out.append(line(double, colour, s * 0.19, dashes))
        out.append(line(double, colour, s * 0.11) + line(double, "paper", s * 0.04))
    for row in sheet.sides:
        if row.get("side_trench"):
            inside = sheet.centre(row["side_trench_hex"])
            ends = [between(point, inside, 0.12) for point in sheet.side(row["a"], row["b"])]
            out.append(line(f"M{spot(ends[0])}L{spot(ends[1])}", sheet.ink(row["side_trench"]), s * 0.07))
    return "".join(out)


def lone_trenches(sheet: Sheet, force: str) -> dict[str, tuple[Point, Point]]:
    """For each trench hex of a force that is joined to no other, its middle and the way from there to the trench: that
    to the nearest enemy trench."""
    joined = {row[end] for row in sheet.sides if row.get("trench_link") for end in ("a", "b")}
    lone = [row["hex"] for row in sheet.hexes if row.get("trench") == force and row["hex"] not in joined]
    theirs = [sheet.centre(row["hex"]) for row in sheet.hexes if row.get("trench") and row["trench"] != force]
    out = {}
    for hex_id in lone:
        x, y = here = sheet.centre(hex_id)
        enemy = min(theirs, key=lambda p: (math.dist(p, here), p), default=(x, y + 1))
        share = sheet.size * 0.3 / math.dist(enemy, here)
        out[hex_id] = here, ((enemy[0] - x) * share, (enemy[1] - y) * share)
    return out


def draw_lone(here: Point, to: Point) -> str:
    """Path data of a trench that is joined to no other."""
    (x, y), (dx, dy) = here, to
    ends = (x + dx * 0.7 - dy, y + dy * 0.7 + dx), (x + dx * 0.7 + dy, y + dy * 0.7 - dx)
    return f"M{spot(ends[0])}Q{spot((x + dx * 1.5, y + dy * 1.5))} {spot(ends[1])}"


def facing(sheet: Sheet, force: str) -> dict[str, Point]:
    """For each trench hex of a force, the direction of the enemy trenches next to it."""
    mine = [row["hex"] for row in sheet.hexes if row.get("trench") == force]
    theirs = [sheet.centre(row["hex"]) for row in sheet.hexes if row.get("trench") and row["trench"] != force]
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
    return line("".join(parts), "sector", sheet.size * 0.08, ' stroke-opacity="0.9"')


def draw_stations(sheet: Sheet) -> str:
    """Railway stations: a small black and white square beside the middle of the hex."""
    s = sheet.size
    found = [sheet.centre(row["hex"]) for row in sheet.hexes if row.get("station")]
    return "".join(
        f'<rect x="{number(x + s * 0.2)}" y="{number(y + s * 0.12)}" width="{number(s * 0.13)}" '
        f'height="{number(s * 0.13)}" fill="{TOKENS["paper"]}" stroke="{TOKENS["rail"]}" '
        f'stroke-width="{number(s * 0.03)}"/>'
        for x, y in found
    )
