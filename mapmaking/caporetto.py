"""The Caporetto board: `python -m mapmaking.caporetto [--geodata FOLDER]`."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
from shapely.geometry import LineString

from . import board, snap
from .board import Draft
from .hexgrid import corner_point
from .network import Network
from .recipe import Recipe, main

HEX_COLUMNS = [
    "hex", "terrain", "level", "peak", "settlement", "mark", "name", "local_name", "stream", "trench", "trench_level",
    "control", "control27", "sector", "out_of_play", "scenario3", "scenario4", "edge", "flag", "flag3", "flag4", "exit",
    "depot", "vp", "source",
]  # fmt: skip
SIDE_COLUMNS = [
    "a", "b", "water", "stream", "cliff", "crest", "road", "trail", "railway", "bridge", "blown", "charged",
    "trench_link", "side_trench", "side_trench_level", "side_trench_hex", "name", "source",
]  # fmt: skip
# levels 2 to 8 begin at these metres; fog lies on levels 1 and 2 (8.1), High Mountain is level 7 and 8
FLOORS = [250, 500, 800, 1100, 1450, 1800, 2150]
HIGH_LEVEL = 7
PLACES = ("town", "village", "locality", "peak")
# what is only drawn (docs/looks.md)
MARKS = {"summit": "summit", "spot": "village"}
WOOD_SHARE = 0.98
CLIFF_SLOPE = 0.78
METRES_PER_HEX = 990.0


def ground(draft: Draft) -> None:
    """Level at the centre of each hex (1.0), high mountains, woods."""
    covers = board.covers(draft)
    inner = np.hypot(*(draft.grid.samples("0601", 21) - draft.grid.centre("0601")).T) < 0.3
    for hex_id, values in board.heights(draft).items():
        row = draft.hexes[hex_id]
        top = row.get("kind") == "peak"
        height = float(values.max()) if top else float(values[inner].mean())
        level = 1 + sum(height >= floor for floor in FLOORS)
        wooded = float((covers[hex_id] == 1).mean()) >= WOOD_SHARE and row.get("kind") not in PLACES
        terrain = "high_mountain" if level >= HIGH_LEVEL else "woods" if wooded else "clear"
        row.update(terrain=terrain, level=level)
    for hex_id, level in draft.hand["levels"].items():
        draft.hexes[hex_id]["level"] = level
    for a, b in draft.hand["crest"]["sides"]:
        draft.hexes[b].update(level=draft.hexes[a]["level"], terrain=draft.hexes[a]["terrain"])
        draft.side(a, b)["crest"] = 1


def run_streams(draft: Draft) -> None:
    """10.0.10: streams run through hexes; they end in the hex next to the river that they join."""
    for entry in draft.hand["stream"]:
        pieces = [line for line in draft.water if line.name in set(entry["osm"])]
        course = Network(pieces, {"": 1.0}, join_km=2.5).route([draft.plane.km(*p) for p in entry["course"]])
        line = snap.clip_to_board(draft.grid, draft.warp.to_hex(course))
        ends = [draft.grid.hex_at(line[0]), draft.grid.hex_at(line[-1])]
        chain = snap.hex_chain(draft.grid, line, ends, lambda a, b: 6.0 if draft.water_at(a, b) else 0.0)
        for hex_id in chain:
            draft.hexes[hex_id]["stream"] = entry["name"]
        for a, b in itertools.pairwise(chain):
            draft.side(a, b)["stream"] = entry["name"]


def cliffs(draft: Draft) -> None:
    """Hexsides too steep to cross off the road (10.0.9); no hex is walled in."""
    board.wall(draft, "cliff", METRES_PER_HEX, CLIFF_SLOPE, ("road", "trail", "railway", "water", "stream"))


def bridges(draft: Draft) -> None:
    """19.1.2: routes cross water on bridges, trails the Isonzo on footbridges; some are blown in some scenarios."""
    blown = {tuple(key.split("-")): value for key, value in draft.hand["bridges"]["blown"].items()}
    for side, row in draft.sides.items():
        if row.get("water"):
            if row.get("road") or row.get("railway") or (row.get("trail") and row["water"] != "isonzo"):
                row["bridge"] = "bridge"
            elif row.get("trail"):
                row["bridge"] = "footbridge"
        if side in blown:
            row["blown"] = " ".join(map(str, blown[side]))


def front(draft: Draft) -> None:
    """Who holds what on 24 October 1917, and both front lines."""
    hand, grid = draft.hand, draft.grid
    ahg = board.behind(draft, hand["front"]["line"], hand["front"]["ahg_at"]) - set(hand["front"]["italian"])
    bank = draft.warp.to_hex(draft.plane.km(*hand["out_of_play"]["bank_at"])[None])[0]
    left = board.flood(grid, [grid.hex_at(bank)], lambda a, b: draft.water_at(a, b) == "isonzo")
    first, last = hand["out_of_play"]["rows"]
    for hex_id, row in draft.hexes.items():
        out = hex_id in left and first <= int(hex_id[2:]) <= last
        row["out_of_play"] = 1 if out else ""
        row["control"] = "italian" if out or hex_id not in ahg else "ahg"
        row["control27"] = "ahg" if nearest(draft, hex_id, "ahg") < nearest(draft, hex_id, "italian") else "italian"
    for owner in ("italian", "ahg"):
        dig(draft, owner, front_line(draft, owner), 1)
    for entry in hand["trench"]:
        chain = board.hexes_of(draft, entry)
        if not chain:
            stops = [board.stop_hex(draft, stop) for stop in entry["via"]]
            way = np.array([grid.centre(h) for h in stops])
            chain = snap.hex_chain(grid, way, stops, lambda a, b: 20.0 if draft.water_at(a, b) else 0.0)
        dig(draft, entry["owner"], chain, entry["level"])
    for owner, hexes in hand["strong"].items():
        for hex_id in hexes:
            if draft.hexes[hex_id].get("trench") == owner:
                draft.hexes[hex_id]["trench_level"] = 2
    for entry in hand["side_trench"]:
        for other in entry["against"]:
            draft.side(entry["hex"], other).update(
                side_trench=entry["owner"], side_trench_level=entry["level"], side_trench_hex=entry["hex"]
            )


def nearest(draft: Draft, hex_id: str, side: str) -> float:
    """How far a hex is from the foremost positions of a side on 27 October, in hexes."""
    here = draft.grid.centre(hex_id)
    return min(float(np.hypot(*(draft.grid.centre(h) - here))) for h in draft.hand["front27"][side])


def front_line(draft: Draft, owner: str) -> list[str]:
    """The chain of a side's own hexes along the enemy, from one end of the front to the other."""
    grid = draft.grid
    mine = {h for h, row in draft.hexes.items() if row["control"] == owner and not row["out_of_play"]}
    theirs = {h for h, row in draft.hexes.items() if row["control"] != owner and not row["out_of_play"]}
    line = {h for h in mine if any(n in theirs for n in grid.neighbours(h))}
    top = [h for h in line if int(h[2:]) == grid.last_row]
    deep = min(line, key=lambda h: (int(h[:2]), int(h[2:])))
    return snap.cheapest(top, {deep}, lambda h: [(n, 1.0) for n in grid.neighbours(h) if n in line])


def dig(draft: Draft, owner: str, chain: list[str], level: int) -> None:
    """A trench line: its hexes, and its links except across rivers (17.7)."""
    for hex_id in chain:
        row = draft.hexes[hex_id]
        row["trench"] = owner
        row["trench_level"] = max(level, int(row.get("trench_level") or 0))
    for a, b in itertools.pairwise(chain):
        if not draft.water_at(a, b):
            draft.side(a, b)["trench_link"] = owner


def areas(draft: Draft) -> None:
    """The sectors of scenario 1, the map areas of scenarios 3 and 4, edges, exits, supply sources and centres."""
    hand, grid = draft.hand, draft.grid
    left = board.behind(draft, hand["sectors"]["line"], hand["sectors"]["left_at"])
    west = board.flood(grid, ["2602"], judrio_limit(draft))
    for hex_id, row in draft.hexes.items():
        column = int(hex_id[:2])
        row["sector"] = "left" if hex_id in left else "right"
        row["scenario3"] = 1 if hex_id in west and column <= 33 else ""
        row["scenario4"] = 1 if column >= 33 else ""
        row["edge"] = edge_owner(draft, hex_id)
    for sector in ("right", "common"):
        for hex_id in hand["sectors"][sector]:
            draft.hexes[hex_id]["sector"] = sector
    for hex_id in hand["exits"]["hexes"]:
        draft.hexes[hex_id]["exit"] = 1
    for column, table in (("flag", "flags"), ("flag3", "flags3"), ("flag4", "flags4"), ("depot", "depots")):
        for owner, hexes in hand[table].items():
            for hex_id in hexes:
                draft.hexes[hex_id][column] = owner


def judrio_limit(draft: Draft) -> Callable[[str, str], bool]:
    """26.2: the limit of scenario 3 is the Judrio, and beyond its source a line straight on to the far edge."""
    x, y = corner_point(draft.river_corners["Judrio"][0])
    beyond = LineString([(x, y), (x, draft.grid.last_row + 1)])

    def cut(a: str, b: str) -> bool:
        if draft.sides.get(snap.side_key(a, b), {}).get("river") == "Judrio":
            return True
        return bool(beyond.intersects(LineString([draft.grid.centre(a), draft.grid.centre(b)])))

    return cut


def edge_owner(draft: Draft, hex_id: str) -> str:
    """Whose map edge this hex is on: by who holds it at the start."""
    return str(draft.hexes[hex_id]["control"]) if len(draft.grid.neighbours(hex_id)) < 6 else ""


def charges(draft: Draft) -> None:
    """19.2.1: the bridges over the Isonzo that may be blown as the enemy comes: those behind the Italian front."""
    for (a, b), row in draft.sides.items():
        behind = draft.hexes[a]["control"] == draft.hexes[b]["control"] == "italian"
        if behind and row.get("bridge") and row["water"] == "isonzo" and not row.get("blown"):
            row["charged"] = 1


def finish(draft: Draft) -> None:
    """The columns that follow from the others."""
    for row in draft.hexes.values():
        kind = row.get("kind", "")
        row["settlement"] = kind if kind in PLACES[:-1] else ""
        row["mark"] = MARKS.get(kind, "")


RECIPE = Recipe(
    name="caporetto",
    region="isonzo",
    heights="isonzo_merged_3s.npy",
    hex_columns=HEX_COLUMNS,
    side_columns=SIDE_COLUMNS,
    side_keys=("water", "stream", "cliff", "crest", "road", "trail", "railway", "trench_link", "side_trench"),
    ground=ground,
    works=(run_streams, bridges, cliffs, front, areas, charges, finish),
    per_hex=60,
    about={
        "title": "Caporetto 1917",
        "scale": "about 1 km per hex",
        "top_of_map": "south-west",
        "top_level": 8,
        "hill_from": 2,
        "floors": FLOORS,
        "how": "Real terrain fitted to the hexes that the rulebook names; see mapmaking/README.md.",
    },
)


if __name__ == "__main__":
    main(RECIPE, __doc__)
