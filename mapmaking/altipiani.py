"""The Altipiani board: `python -m mapmaking.altipiani [--geodata FOLDER]`."""

from __future__ import annotations

import numpy as np

from . import board
from .board import Draft
from .geo import Array
from .recipe import Recipe, main

HEX_COLUMNS = [
    "hex", "terrain", "level", "peak", "settlement", "mark", "name", "local_name", "fort", "fort_side",
    "control", "edge", "flag", "vp", "source",
]  # fmt: skip
SIDE_COLUMNS = ["a", "b", "water", "crag", "road", "railway", "bridge", "name", "source"]
VALUE = {"town": 5, "small_town": 1, "peak": 3}
# heights 1, 2, 3 ... begin at these metres of mean height
HEIGHT_FLOORS = [300, 600, 900, 1200, 1500, 1800]
HIGH = 1500
CRAG_SLOPE = 0.83
METRES_PER_HEX = 2130.0


def ground(draft: Draft) -> None:
    """Terrain and height of every hex."""
    for hex_id, values in board.heights(draft).items():
        terrain = classify(values)
        height = float(values.mean())
        if draft.hexes[hex_id].get("kind") == "peak":
            # as high as the fight for the summit, so that no peak lies below its neighbours
            height = (height + float(values.max())) / 2
        level = sum(height >= floor for floor in HEIGHT_FLOORS)
        draft.hexes[hex_id].update(terrain=terrain, level=level if terrain == "clear" else max(1, level))
    for hex_id, fix in draft.hand.get("ground", {}).items():
        draft.hexes[hex_id].update(fix)


def classify(values: Array) -> str:
    """Plain, valley floor and the Asiago basin clear; above 1,500 m on the mean, or steep not far below, high."""
    mean = float(values.mean())
    floor = float(np.quantile(values, 0.1))
    if mean < 1150 and float((values < floor + 90).mean()) > 0.56:
        return "clear"
    relief = float(values.max() - values.min())
    return "high_mountain" if mean >= HIGH or (mean >= 1250 and relief > 900) else "low_mountain"


def crags(draft: Draft) -> None:
    """Hexsides too steep to cross (4.5), never where a route passes; no hex is walled in."""
    board.wall(draft, "crag", METRES_PER_HEX, CRAG_SLOPE, ("road", "railway"))


def sides_at_war(draft: Draft) -> None:
    """Who holds what on 15 May 1916, the friendly edges of 13.0, supply flags and forts."""
    grid, hand = draft.grid, draft.hand
    austrian = board.behind(draft, hand["front"]["line"], hand["front"]["ah_at"])
    for hex_id, row in draft.hexes.items():
        row["control"] = "ah" if hex_id in austrian else "italian"
        row["edge"] = edge_owner(draft, hex_id)
    for side, hexes in hand["flags"].items():
        for hex_id in hexes:
            draft.hexes[hex_id]["flag"] = side
    for fort in hand["fort"]:
        spot = fort.get("hex") or grid.hex_at(draft.warp.to_hex(draft.plane.km(*fort["at"])[None])[0])
        if draft.hexes[spot].get("fort"):
            raise ValueError(f"two forts in {spot}")
        draft.hexes[spot].update(fort=fort["name"], fort_side=fort["side"])


def edge_owner(draft: Draft, hex_id: str) -> str:
    """13.0: whose friendly map edge this hex is, if anyone's."""
    grid, edges = draft.grid, draft.hand["edges"]
    column, row = int(hex_id[:2]), int(hex_id[2:])
    first, last = edges["ah"]["columns"]
    if row == grid.first_row and first <= column <= last:
        return "ah"
    west = column == grid.first_column and row >= edges["italian_west_from"]
    east = column == grid.last_column and row >= edges["italian_east_from"]
    return "italian" if west or east or row == grid.last_row else ""


def finish(draft: Draft) -> None:
    """The columns that follow from the others."""
    for row in draft.hexes.values():
        kind = row.get("kind", "")
        row["settlement"] = kind if kind in ("town", "small_town") else ""
        row["mark"] = kind if kind in ("summit", "village", "city") else ""
        row["vp"] = VALUE.get(kind, "")


RECIPE = Recipe(
    name="altipiani",
    region="altipiani",
    heights="altipiani_aw3d30_3s.npy",
    hex_columns=HEX_COLUMNS,
    side_columns=SIDE_COLUMNS,
    side_keys=("water", "crag", "road", "railway"),
    ground=ground,
    works=(board.bridge_routes, crags, sides_at_war, finish),
    per_hex=88,
    about={
        "title": "Inferno sugli Altipiani",
        "scale": "about 2.1 km per hex",
        "top_of_map": "north",
        "top_level": 6,
        "how": "Real terrain; the rulebook names only edges and one set-up hex, and the grid is the reading that makes "
        "them sensible together; see mapmaking/README.md.",
    },
)


if __name__ == "__main__":
    main(RECIPE, __doc__)
