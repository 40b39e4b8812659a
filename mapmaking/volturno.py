"""The Volturno board: `python -m mapmaking.volturno [--geodata FOLDER]`."""

from __future__ import annotations

import itertools

import numpy as np

from . import board
from .board import Draft
from .recipe import Recipe, main

HEX_COLUMNS = [
    "hex", "terrain", "level", "peak", "settlement", "mark", "name", "local_name", "capua", "station", "bank",
    "short", "objective", "vp", "source",
]  # fmt: skip
SIDE_COLUMNS = [
    "a", "b", "water", "slope", "up", "road", "path", "railway", "bridge", "ferry", "aqueduct", "name", "source",
]  # fmt: skip
# levels 1, 2, 3 ... begin at these metres
FLOORS = [65, 120, 185, 260, 345, 440]
WOOD_SHARE = 0.6


def ground(draft: Draft) -> None:
    """Level and cover at the centre of each hex."""
    covers = board.covers(draft)
    first = draft.grid.ids[0]
    inner = np.hypot(*(draft.grid.samples(first, 21) - draft.grid.centre(first)).T) < 0.4
    for hex_id, values in board.heights(draft).items():
        row = draft.hexes[hex_id]
        peak = row.get("kind") == "peak"
        height = float(values.max()) if peak else float(values[inner].mean())
        wooded = float((covers[hex_id] == 1).mean()) >= WOOD_SHARE
        kind = row.get("kind", "")
        terrain = kind if kind in ("city", "village", "farm") else "woods" if wooded and not peak else "clear"
        row.update(terrain=terrain, level=sum(height >= floor for floor in FLOORS))
    for hex_id in draft.hand["built"]["city"]:
        draft.hexes[hex_id].update(terrain="city", built="city")
    for hex_id in draft.hand["aqueduct"]["hexes"]:
        draft.hexes[hex_id]["terrain"] = "village"
    for hex_id, level in draft.hand["levels"].items():
        draft.hexes[hex_id]["level"] = level


def slopes(draft: Draft) -> None:
    """A hexside where the level changes is a slope, up towards the higher hex: gentle by one level, steep by more."""
    for a, b in draft.grid.sides:
        step = draft.hexes[b]["level"] - draft.hexes[a]["level"]
        if step:
            draft.side(a, b).update(slope="gentle" if abs(step) == 1 else "steep", up=b if step > 0 else a)


def areas(draft: Draft) -> None:
    """Banks of the Volturno, the short scenario, objectives, stations."""
    hand, grid = draft.hand, draft.grid
    start = grid.hex_at(draft.warp.to_hex(draft.plane.km(*hand["limits"]["north_at"])[None])[0])
    north = board.flood(grid, [start], lambda a, b: draft.water_at(a, b) == "river")
    for hex_id, row in draft.hexes.items():
        row["bank"] = "north" if hex_id in north else "south"
        row["short"] = 1 if int(hex_id[:2]) <= hand["limits"]["short_last_column"] else ""
        row["capua"] = 1 if hex_id in hand["built"]["capua"] else ""
        row["station"] = 1 if hex_id in hand["stations"]["hexes"] else ""
        row["objective"] = "short" if hex_id in hand["objectives"]["short"] else ""


def signs(draft: Draft) -> None:
    """What is drawn and has no effect: the ferry, and the arches of the aqueduct from hex to hex."""
    for ferry in draft.hand["ferry"]:
        draft.side(*ferry["side"])["ferry"] = ferry["name"]
    for a, b in itertools.pairwise(draft.hand["aqueduct"]["hexes"]):
        draft.side(a, b)["aqueduct"] = 1


MARKS = {"summit": "summit", "spot": "village"}


def finish(draft: Draft) -> None:
    """The columns that follow from the others."""
    for row in draft.hexes.values():
        kind = row.get("kind", "")
        row["mark"] = MARKS.get(kind, "")
        row["settlement"] = kind if kind in ("city", "village", "farm") else row.get("built", "")
    for row in draft.sides.values():
        if row.get("water") and any(row.get(kind) for kind in ("road", "path", "railway")):
            row["bridge"] = 1


RECIPE = Recipe(
    name="volturno",
    region="volturno",
    heights="volturno_merged_3s.npy",
    hex_columns=HEX_COLUMNS,
    side_columns=SIDE_COLUMNS,
    side_keys=("water", "slope", "road", "path", "railway", "ferry", "aqueduct"),
    ground=ground,
    works=(slopes, areas, signs, finish),
    per_hex=52,
    about={
        "title": "Volturno 1860",
        "scale": "about 330 m per column and 460 m per row",
        "top_of_map": "north",
        "top_level": 6,
        "hill_from": 1,
        "how": "Real terrain fitted to the hexes that the rulebook names; see mapmaking/README.md.",
    },
)


if __name__ == "__main__":
    main(RECIPE, __doc__)
