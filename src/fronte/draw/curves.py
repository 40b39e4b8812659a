"""Lines from hexside to hexside (roads, railways, trenches) or along hexsides (water), drawn as smooth curves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from .sheet import Point, Row, Sheet, between, nearest


def number(value: float) -> str:
    """A coordinate with one decimal."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def spot(point: Point) -> str:
    """A point in path data."""
    return f"{number(point[0])},{number(point[1])}"


def star(centre: Point, ends: list[Point], straight: bool = False) -> str:
    """Path data that joins the ends: the straightest pair as one curve, the others into it; or all to the centre."""
    if len(ends) == 1 or straight:
        return "".join(f"M{spot(end)}L{spot(centre)}" for end in ends)
    first, second = straightest(centre, ends)
    parts = [f"M{spot(first)}Q{spot(centre)} {spot(second)}"]
    join = joint(centre, first, second)
    parts += [f"M{spot(end)}L{spot(join)}" for end in ends if end not in (first, second)]
    return "".join(parts)


def straightest(centre: Point, ends: list[Point]) -> tuple[Point, Point]:
    """The two ends between which the way is the straightest."""
    return min(itertools.combinations(ends, 2), key=lambda pair: (bend(centre, *pair), pair))


def joint(centre: Point, first: Point, second: Point) -> Point:
    """The middle of the curve between two ends, where others meet it."""
    return between(between(first, second, 0.5), centre, 0.5)


def bend(centre: Point, p: Point, q: Point) -> float:
    """How far from straight the way p - centre - q is: -1 is straight."""
    a, b = (p[0] - centre[0], p[1] - centre[1]), (q[0] - centre[0], q[1] - centre[1])
    size = math.hypot(*a) * math.hypot(*b)
    return round((a[0] * b[0] + a[1] * b[1]) / size, 3) if size else 1.0


def along_hexes(sheet: Sheet, rows: Iterable[Row], offset: float = 0.0, onto: Iterable[Row] = ()) -> str:
    """Path data of a route whose rows name the hexsides it crosses; `offset` moves it aside, in hexes.

    It runs on to the ferry or the edge of the map beside which it ends, and into a route of the rows `onto`.
    """
    ends, met = hex_ends(sheet, rows, offset), hex_ends(sheet, onto)
    for hex_id in sorted(ends):
        if sheet.rows[hex_id].get("flag"):
            ends[hex_id].append(way_out(sheet, hex_id))
        elif len(ends[hex_id]) == 1 and hex_id not in met and not sheet.rows[hex_id].get("settlement"):
            ends[hex_id] += way_on(sheet, hex_id, ends[hex_id][0])
    parts = []
    for hex_id, points in sorted(ends.items()):
        x, y = sheet.centre(hex_id)
        stop = bool(sheet.rows[hex_id].get("settlement"))
        centre = x + offset * sheet.size * 0.5, y + offset * sheet.size * 0.5
        if len(points) == 1 and not stop and len(met.get(hex_id, [])) > 1:
            centre = joint(centre, *straightest(centre, met[hex_id]))
        parts.append(star(centre, points, stop))
    return "".join(parts)


def hex_ends(sheet: Sheet, rows: Iterable[Row], offset: float = 0.0) -> dict[str, list[Point]]:
    """Where a route enters and leaves each of its hexes."""
    ends: dict[str, list[Point]] = {}
    for row in rows:
        p, q = sheet.side(row["a"], row["b"])
        point = between(p, q, 0.5 + offset)
        ends.setdefault(row["a"], []).append(point)
        ends.setdefault(row["b"], []).append(point)
    return ends


def way_out(sheet: Sheet, hex_id: str) -> Point:
    """Where a route leaves the map from a flagged hex: the middle of the outer side of that hex."""
    grid, (x, y) = sheet.about["grid"], sheet.centre(hex_id)
    column, row = int(hex_id[:2]), int(hex_id[2:])
    if row in grid["rows"]:
        return x, y + sheet.size * (0.5 if row == grid["rows"][1] else -0.5)
    return x + sheet.size * (0.5 if column == grid["columns"][1] else -0.5), y


def way_on(sheet: Sheet, hex_id: str, came: Point) -> list[Point]:
    """Where a route goes on that ends in a field: to a ferry, or off the map opposite to where it came from."""
    ferries = [row for row in sheet.sides if row.get("ferry") and hex_id in (row["a"], row["b"])]
    if ferries:
        return [sheet.middle(row["a"], row["b"]) for row in ferries]
    x, y = sheet.centre(hex_id)
    corners = sheet.corners(hex_id)
    sides = [between(p, q, 0.5) for p, q in zip(corners, corners[1:] + corners[:1], strict=True)]
    outer = [side for side in sides if nearest(sheet, (2 * side[0] - x, 2 * side[1] - y)) is None]
    return [min(outer, key=lambda side: (bend((x, y), came, side), side))] if outer else []


def along_sides(sheet: Sheet, rows: Iterable[Row]) -> str:
    """Path data of water that runs along the hexsides of these rows."""
    ends: dict[tuple[int, int], tuple[Point, list[Point]]] = {}
    for row in rows:
        p, q = sheet.side(row["a"], row["b"])
        for corner in (p, q):
            key = (round(corner[0]), round(corner[1]))
            ends.setdefault(key, (corner, []))[1].append(between(p, q, 0.5))
    return "".join(star(corner, points) for _, (corner, points) in sorted(ends.items()))


def trench_lines(sheet: Sheet, rows: list[Row], towards: dict[str, Point]) -> dict[str, str]:
    """Path data of a trench line in each of its hexes, moved inside them towards the enemy."""
    ends: dict[str, list[Point]] = {}
    for row in rows:
        (ax, ay), (bx, by) = towards.get(row["a"], (0.0, 0.0)), towards.get(row["b"], (0.0, 0.0))
        p, q = sheet.side(row["a"], row["b"])
        pull = ((q[0] - p[0]) * (ax + bx) + (q[1] - p[1]) * (ay + by)) / math.dist(p, q)
        point = between(p, q, 0.5 + max(-0.3, min(0.3, 0.3 * pull)))
        ends.setdefault(row["a"], []).append(point)
        ends.setdefault(row["b"], []).append(point)
    parts = {}
    for hex_id, points in sorted(ends.items()):
        x, y = sheet.centre(hex_id)
        dx, dy = towards.get(hex_id, (0.0, 0.0))
        parts[hex_id] = star((x + dx * sheet.size * 0.3, y + dy * sheet.size * 0.3), points)
    return parts
