"""What every board is made of while it is being made: the grid, the warp, the lines, the hexes and their sides."""

from __future__ import annotations

import csv
import itertools
import json
import tomllib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from shapely.geometry import LineString

from . import geo, snap, warp
from .geo import Array, Line, Place, Plane, Raster
from .hexgrid import Corner, Grid
from .network import Network

PROJECT = Path(__file__).resolve().parent.parent
GEODATA = PROJECT.parent / "shared" / "geodata"
# the class of a road as a factor of its length; motorways, trunk roads and tunnels are of our time
ROAD_WEIGHTS = {"primary": 1.0, "secondary": 1.0, "tertiary": 1.05, "minor": 1.5, "path": 2.2, "track": 2.0, "": 1.6}

CREDITS = {
    "isonzo": "Elevation: NASA SRTM, J. de Ferranti (viewfinderpanoramas.org), NGA DTED0. "
    "Rivers, roads, places, land cover: OpenStreetMap contributors (ODbL).",
    "caporetto": "Elevation: NASA SRTM, J. de Ferranti (viewfinderpanoramas.org), NGA DTED0. "
    "Rivers, roads, places, land cover: OpenStreetMap contributors (ODbL).",
    "altipiani": "Elevation: AW3D30 (c) JAXA. Rivers, roads, places, land cover: OpenStreetMap contributors (ODbL).",
    "volturno": "Elevation: Sonny's LiDAR DTM of Europe (CC BY 4.0), J. de Ferranti (viewfinderpanoramas.org), "
    "NGA DTED0. Rivers, roads, places, land cover: OpenStreetMap contributors (ODbL).",
}


@dataclass
class Draft:
    """A board in the making. `hexes` and `sides` hold the columns of the files to be written."""

    name: str
    grid: Grid
    plane: Plane
    hand: dict[str, Any]
    warp: warp.Warp
    height: Raster
    cover: Raster
    quality: Raster | None
    water: list[Line]
    roads: list[Line]
    rails: list[Line]
    gazetteer: list[Place]
    hexes: dict[str, dict[str, Any]] = field(default_factory=dict)
    sides: dict[snap.Side, dict[str, Any]] = field(default_factory=dict)
    rivers: list[tuple[str, str, Array]] = field(default_factory=list)
    river_corners: dict[str, list[Corner]] = field(default_factory=dict)
    spots: dict[str, str] = field(default_factory=dict)
    points: dict[str, Array] = field(default_factory=dict)
    ways: list[tuple[str, Array]] = field(default_factory=list)

    def side(self, a: str, b: str) -> dict[str, Any]:
        """The row of a hexside, made when first asked for."""
        return self.sides.setdefault(snap.side_key(a, b), {})

    def water_at(self, a: str, b: str) -> str:
        """The water on a hexside, or nothing."""
        return str(self.sides.get(snap.side_key(a, b), {}).get("water", ""))


def read_hand(name: str) -> dict[str, Any]:
    """The file of hand judgements of a board."""
    with (Path(__file__).parent / f"{name}.corrections.toml").open("rb") as stream:
        return tomllib.load(stream)


def make_grid(hand: dict[str, Any]) -> Grid:
    """The grid described in a corrections file."""
    about = hand["grid"]
    (first_column, last_column), (first_row, last_row) = about["columns"], about["rows"]
    sheets = tuple((c0, c1, r0, r1) for c0, c1, r0, r1 in about.get("sheets", []))
    return Grid(first_column, last_column, first_row, last_row, about.get("odd_columns_lower", True), sheets)


def anchors_of(hand: dict[str, Any], plane: Plane) -> list[warp.Anchor]:
    """The anchors of a corrections file."""
    return [warp.Anchor(a["name"], plane.km(*a["at"]), tuple(a["hexes"])) for a in hand["anchor"]]


def start(name: str, region: str, dem: str, geodata: Path) -> tuple[Draft, warp.Linear, list[warp.Anchor]]:
    """Read the inputs of a region and register the grid on them."""
    hand = read_hand(name)
    grid = make_grid(hand)
    plane = Plane(*hand["plane"])
    anchors = anchors_of(hand, plane)
    fit = warp.similarity if hand["fit"] == "similarity" else warp.affine
    linear = fit(anchors, warp.printed_points(grid, anchors))
    draft = Draft(
        name,
        grid,
        plane,
        hand,
        warp.register(grid, anchors, linear),
        geo.raster(geodata / "dem" / dem),
        geo.raster(geodata / "landcover" / f"{region}_landcover_3s.npy"),
        quality_of(geodata / "dem" / dem, geodata / "dem" / f"{region}_quality_3s.npy"),
        geo.lines(geodata / "rivers" / f"{region}_waterways_osm.geojson", plane),
        [
            line
            for part in ("roads", "minor_roads")
            for line in geo.lines(geodata / "roads" / f"{region}_{part}_osm.geojson", plane)
            if line.kind not in hand.get("modern", ["motorway", "trunk"]) and not line.tunnel
        ],
        [
            line
            for part in ("railways", "railways_narrow_abandoned")
            for line in geo.lines(geodata / "roads" / f"{region}_{part}_osm.geojson", plane)
        ],
        geo.places(geodata / "places" / f"{region}_osm_places_peaks.csv", plane),
    )
    draft.hexes = {h: {"hex": h} for h in grid.ids}
    return draft, linear, anchors


def quality_of(dem: Path, path: Path) -> Raster | None:
    """Where the heights are fine (1) or coarse (2), for the regions whose elevation data are mixed."""
    if not path.exists():
        return None
    heights = geo.raster(dem)
    return Raster(np.load(path).astype(float), heights.north, heights.west, heights.step)


def locate(draft: Draft, entry: dict[str, Any]) -> Array:
    """The real point of a place of the corrections file: given, or today's name nearest to a hint."""
    if "at" in entry:
        return draft.plane.km(*entry["at"])
    wanted = entry.get("osm", entry.get("local", entry["name"]))
    low, high = draft.grid.centres.min(axis=0) - 1, draft.grid.centres.max(axis=0) + 1
    found = []
    for place in draft.gazetteer:
        if place.name == wanted or wanted in place.name.split(" / "):
            spot = draft.warp.to_hex(place.point[None])[0]
            if (spot > low).all() and (spot < high).all():
                rank = {"city": 0, "town": 1, "village": 2, "peak": 3, "hamlet": 4}.get(place.kind, 5)
                if entry.get("kind") == "peak":
                    rank = 0 if place.kind == "peak" else 9
                found.append((rank, place.point.tolist()))
    if not found:
        raise ValueError(f"{draft.name}: no place called {wanted!r} on the board")
    return np.array(min(found)[1])


def settle(draft: Draft) -> None:
    """Put every named place of the corrections file into its hex."""
    for entry in draft.hand["place"]:
        point = locate(draft, entry)
        here = draft.warp.to_hex(point[None])[0]
        spot = entry.get("hex") or draft.grid.hex_at(here)
        if "hex" not in entry and float(np.hypot(*(draft.grid.centre(spot) - here))) > 0.7:
            raise ValueError(f"{draft.name}: {entry['name']} lies off the board")
        draft.points[entry["name"]] = point
        draft.spots[entry["name"]] = spot
        if entry["kind"] == "waypoint":
            continue
        row = draft.hexes[spot]
        if row.get("name"):
            raise ValueError(f"{draft.name}: {entry['name']} falls on {row['name']} in {spot}")
        row.update(name=entry["name"], local_name=entry.get("local", ""), kind=entry["kind"])
        row.update({k: v for k, v in entry.items() if k in ("vp", "town", "objective")})


def heights(draft: Draft) -> dict[str, Array]:
    """Sampled ground heights of each hex, through the warp."""
    return _sampled(draft, draft.height.at)


def covers(draft: Draft) -> dict[str, Array]:
    """Sampled land cover codes of each hex, through the warp."""
    return _sampled(draft, partial(draft.cover.at, smooth=False))


def _sampled(draft: Draft, at: Callable[[Array, Array], Array]) -> dict[str, Array]:
    """What a picture of the ground shows at many points of each hex."""
    shape = draft.grid.samples(draft.grid.ids[0], 21).shape[0]
    points = np.concatenate([draft.grid.samples(h, 21) for h in draft.grid.ids])
    lat, lon = draft.plane.degrees(draft.warp.to_km(points))
    return dict(zip(draft.grid.ids, at(lat, lon).reshape(-1, shape), strict=True))


def flow(draft: Draft) -> None:
    """Rivers in the order of the corrections file: each becomes an unbroken chain of hexsides.

    A river that names another in `into` ends on that one's chain.
    """
    for entry in draft.hand["river"]:
        names = set(entry["osm"])
        pieces = [line for line in draft.water if line.name in names and (line.name or line.kind == "river")]
        if not pieces:
            raise ValueError(f"no waterway called {sorted(names)}")
        course = Network(pieces, {"": 1.0}, join_km=2.5).route([draft.plane.km(*p) for p in entry["course"]])
        line = snap.clip_to_board(draft.grid, draft.warp.to_hex(course))
        barred = {snap.side_key(*pair) for pair in entry.get("never", [])}
        barred |= {side for side, row in draft.sides.items() if row.get("water")}
        through = [snap.side_key(*pair) for pair in entry.get("through", [])]
        ends = draft.river_corners.get(entry.get("into", ""), [])
        chain = snap.water_chain(draft.grid, line, barred, set(ends), through)
        draft.river_corners[entry["name"]] = chain
        draft.rivers.append((entry["name"], entry["water"], line))
        for side in snap.chain_sides(draft.grid, chain):
            draft.side(*side).update(water=entry["water"], river=entry["name"])


def crossing_toll(draft: Draft, way: Array) -> Callable[[str, str], float]:
    """What it costs a road to cross water: little where the real road crosses that river nearby, else much."""
    prices = {"stream": 1.6, "river": draft.hand.get("river_toll", 3.0)}
    met = snap.crossings(way, [(name, line) for name, _, line in draft.rivers])

    def toll(a: str, b: str) -> float:
        row = draft.sides.get(snap.side_key(a, b), {})
        if not row.get("water"):
            return 0.0
        price = float(prices.get(row["water"], 8.0))
        points = met.get(row["river"])
        if points is not None:
            middle = draft.grid.side(a, b).mean(axis=0)
            gap = float(np.hypot(*(points - middle).T).min())
            price *= min(1.0, max(0.3, gap - 0.4))
        return price

    return toll


def lay_routes(draft: Draft) -> None:
    """Roads, trails and railways: through their stops along the real network, then hex to hex.

    A route that names its `hexes` instead of stops runs through these and no others.
    """
    nets = {"road": Network(draft.roads, ROAD_WEIGHTS), "railway": Network(draft.rails, {"": 1.0})}
    nets["trail"] = nets["path"] = nets["road"]
    for entry in draft.hand["route"]:
        kind = entry["kind"]
        for p, q in itertools.pairwise(hexes_of(draft, entry)):
            draft.side(p, q)[kind] = 1
        for a, b in itertools.pairwise(entry.get("via", [])):
            ends = [stop_hex(draft, a), stop_hex(draft, b)]
            if entry.get("straight"):
                way = np.array([draft.grid.centre(h) for h in ends])
            else:
                net = nets[entry.get("along", kind)]
                way = draft.warp.to_hex(net.way(stop_point(draft, a), stop_point(draft, b)))
            way = np.concatenate([draft.grid.centre(ends[0])[None], way, draft.grid.centre(ends[1])[None]])
            chain = snap.hex_chain(draft.grid, way, ends, crossing_toll(draft, way))
            for p, q in itertools.pairwise(chain):
                draft.side(p, q)[kind] = 1


def hexes_of(draft: Draft, entry: dict[str, Any]) -> list[str]:
    """The hexes that a line names one by one, if it does; each must lie next to the one before."""
    chain: list[str] = entry.get("hexes", [])
    for a, b in itertools.pairwise(chain):
        if b not in draft.grid.neighbours(a):
            raise ValueError(f"{draft.name}: a line goes from {a} to {b}, which are not adjacent")
    return chain


def stop_hex(draft: Draft, stop: str) -> str:
    """A stop of a route is a place or a hex."""
    return stop if stop in draft.grid.known else draft.spots[stop]


def stop_point(draft: Draft, stop: str) -> Array:
    """The real point of a stop."""
    if stop in draft.grid.known:
        point: Array = draft.warp.to_km(draft.grid.centre(stop)[None])[0]
        return point
    return draft.points[stop]


def flood(grid: Grid, seeds: list[str], stop: Callable[[str, str], bool]) -> set[str]:
    """All hexes reached from the seeds without a step that `stop` forbids."""
    seen = set(seeds)
    queue = deque(seeds)
    while queue:
        a = queue.popleft()
        for b in grid.neighbours(a):
            if b not in seen and not stop(a, b):
                seen.add(b)
                queue.append(b)
    return seen


def write_rows(path: Path, columns: Sequence[str], rows: list[dict[str, Any]]) -> None:
    """A CSV file, replaced in one step so that readers never see half of it."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, extrasaction="ignore", restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    part.replace(path)


def behind(draft: Draft, line: list[list[float]], inside: list[float]) -> set[str]:
    """The hexes on the same side of a front (a line across the board) as a given point."""
    front = LineString(draft.warp.to_hex(np.array([draft.plane.km(*p) for p in line])))
    here = draft.warp.to_hex(draft.plane.km(*inside)[None])[0]
    seed = draft.grid.hex_at(here)

    def cut(a: str, b: str) -> bool:
        return bool(front.crosses(LineString([draft.grid.centre(a), draft.grid.centre(b)])))

    return flood(draft.grid, [seed], cut)


def steepness(draft: Draft, metres_per_hex: float) -> dict[snap.Side, float]:
    """For each hexside, the steepest stretch (as a slope) on the easiest way across it.

    Nine ways across the hexside are tried; on each the steepest eighth of a hex counts.
    """
    sides = draft.grid.sides
    ends = np.array([draft.grid.side(a, b) for a, b in sides])
    middle = ends.mean(axis=1)
    along = ends[:, 1] - ends[:, 0]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    shares = np.linspace(-0.42, 0.42, 9)
    steps = np.linspace(-0.4, 0.4, 25)
    points = (
        middle[:, None, None, :]
        + along[:, None, None, :] * shares[None, :, None, None]
        + across[:, None, None, :] * steps[None, None, :, None]
    )
    lat, lon = draft.plane.degrees(draft.warp.to_km(points))
    heights = draft.height.at(lat, lon)
    run = float(steps[4] - steps[0]) * metres_per_hex
    slope = np.abs(heights[:, :, 4:] - heights[:, :, :-4]).max(axis=2) / run
    easiest = np.quantile(slope, 0.25, axis=1)
    return dict(zip(sides, easiest.tolist(), strict=True))


def wall(draft: Draft, key: str, metres_per_hex: float, least: float, spared: Sequence[str]) -> None:
    """Mark the hexsides at least so steep, steepest first, where none of the `spared` is; at most three to a hex."""
    walls: dict[str, int] = {}
    for (a, b), slope in sorted(steepness(draft, metres_per_hex).items(), key=lambda item: (-item[1], item[0])):
        row = draft.sides.get((a, b), {})
        if slope < least or any(row.get(other) for other in spared):
            continue
        if max(walls.get(a, 0), walls.get(b, 0)) < 3:
            draft.side(a, b)[key] = 1
            walls[a] = walls.get(a, 0) + 1
            walls[b] = walls.get(b, 0) + 1


def bridge_routes(draft: Draft) -> None:
    """A bridge stands wherever a route crosses water."""
    for row in draft.sides.values():
        if row.get("water") and any(row.get(kind) for kind in ("road", "trail", "railway")):
            row["bridge"] = 1


def finished_sides(draft: Draft, keys: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of hexsides.csv: those where any of the keys is set."""
    return [
        row | {"a": a, "b": b, "name": row.get("river", ""), "source": row.get("source", "reconstructed")}
        for (a, b), row in sorted(draft.sides.items())
        if any(row.get(key) for key in keys)
    ]


def inset_lines(hand: dict[str, Any]) -> list[str]:
    """The table of a part of the board that is also printed on a map of its own."""
    if "inset" not in hand:
        return []
    told = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in hand["inset"].items())
    return ["[inset]", *told, ""]


def write_about(draft: Draft, folder: Path, look: Any, about: Mapping[str, str | int | list[int]]) -> None:
    """board.toml: the grid, an inset where there is one, and how the picture lies under it."""
    grid = draft.grid
    origin = f"mapmaking/{draft.name}.py"
    lines = [f"# Made by {origin} from terrain data and mapmaking/{draft.name}.corrections.toml. Do not edit."]
    lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in about.items()]
    lines += [
        'source = "reconstructed"',
        f"credits = {json.dumps(CREDITS[draft.name], ensure_ascii=False)}",
        "",
        "[grid]",
        f"columns = [{grid.first_column}, {grid.last_column}]",
        f"rows = [{grid.first_row}, {grid.last_row}]",
        f"odd_columns_lower = {str(grid.odd_columns_lower).lower()}",
        *([f"sheets = {[list(sheet) for sheet in grid.sheets]}"] if grid.sheets else []),
        "",
        "[files]",
        'hexes = "hexes.csv"',
        'hexsides = "hexsides.csv"',
        "",
        *inset_lines(draft.hand),
        look.toml(),
    ]
    part = folder / "board.part"
    part.write_text("\n".join(lines), encoding="utf-8")
    part.replace(folder / "board.toml")
