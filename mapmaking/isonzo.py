"""The Isonzo board: `python -m mapmaking.isonzo [--geodata FOLDER]`."""

from __future__ import annotations

import itertools

import numpy as np

from . import board, snap
from .board import Draft
from .geo import Array
from .recipe import Recipe, main

HEX_COLUMNS = [
    "hex", "terrain", "level", "peak", "settlement", "name", "local_name", "trench", "stream_hex",
    "control", "east", "beyond", "flag", "gorizia", "source",
]  # fmt: skip
SIDE_COLUMNS = [
    "a", "b", "water", "road", "trail", "railway", "bridge_hex", "destroyed", "trench_link", "name", "source",
]  # fmt: skip
# lower limits, in metres of mean height, of hill levels 1 to 8 and low mountain levels 9 and 10
HILL_FLOORS = [0, 200, 300, 400, 500, 600, 700, 800]
MOUNTAIN_FLOORS = [920, 1090]


def ground(draft: Draft) -> None:
    """Terrain and level of every hex: plains and basins clear, the rest by mean height."""
    for hex_id, values in board.heights(draft).items():
        row = draft.hexes[hex_id]
        # a hex named after its summit is as high as the fight for that summit
        terrain, level = classify((values + values.max()) / 2 if row.get("kind") == "peak" else values)
        row.update(terrain=terrain, level=level, height=round(float(values.mean())))
    for hex_id, fix in draft.hand.get("ground", {}).items():
        draft.hexes[hex_id].update(fix)


def classify(values: Array) -> tuple[str, int]:
    """The terrain type and level for the heights sampled in one hex."""
    mean = float(values.mean())
    # a plain, a basin or a wide valley floor: most of the hex lies low and within a few tens of metres
    floor = float(np.quantile(values, 0.1))
    flat = float((values < floor + 45).mean())
    if mean < 340 and flat > 0.62:
        return "clear", 0
    mountain = sum(mean >= limit for limit in MOUNTAIN_FLOORS)
    if mountain:
        return "low_mountain", 8 + mountain
    return "hill", sum(mean >= limit for limit in HILL_FLOORS)


def front(draft: Draft) -> None:
    """Both trench lines with their links, and what follows from them: territory, `beyond`, the eastern bank."""
    grid, hand = draft.grid, draft.hand["front"]
    for side in ("italian", "ah"):
        line = hand[side]
        for hex_id in line:
            draft.hexes[hex_id]["trench"] = side
        for a, b in itertools.pairwise(line):
            if b not in grid.neighbours(a):
                raise ValueError(f"the {side} line jumps from {a} to {b}")
            draft.side(a, b)["trench_link"] = side
    top = [h for h in grid.ids if h.endswith("01")]
    italian = set(hand["italian"])
    beyond = board.flood(grid, top, lambda a, b: b in italian)
    east = board.flood(grid, top, lambda a, b: draft.water_at(a, b) == "isonzo")
    for hex_id, row in draft.hexes.items():
        row["control"] = "ah" if hex_id in beyond else "italian"
        row["beyond"] = 1 if hex_id in beyond else ""
        row["east"] = 1 if hex_id in east else ""
    for side, hexes in draft.hand["flags"].items():
        for hex_id in hexes:
            draft.hexes[hex_id]["flag"] = side
    for hex_id in draft.hand["gorizia"]:
        draft.hexes[hex_id]["gorizia"] = 1


def bridges(draft: Draft) -> None:
    """A bridge stands wherever a route crosses water; those listed as destroyed are down when the game begins.

    Bridges with the same `bridge_hex` fall together (14.4.b): only those listed so share one.
    """
    hand = draft.hand["bridges"]
    down = {snap.side_key(*pair) for pair in hand["destroyed"]}
    absent = {snap.side_key(*pair) for pair in hand["absent"]}
    together = {snap.side_key(*pair): hex_id for hex_id, pairs in hand["together"].items() for pair in pairs}
    used = set(together.values())
    for (a, b), row in sorted(draft.sides.items()):
        routes = [kind for kind in ("road", "trail", "railway") if row.get(kind)]
        if (a, b) in absent:
            for kind in routes:
                del row[kind]
        elif routes and row.get("water"):
            row["bridge_hex"] = together.get((a, b)) or (b if a in used else a)
            used.add(row["bridge_hex"])
            if (a, b) in down:
                row["destroyed"] = 1


def finish(draft: Draft) -> None:
    """The columns that follow from the others."""
    for row in draft.hexes.values():
        row["settlement"] = 1 if row.get("kind") == "settlement" else ""


RECIPE = Recipe(
    name="isonzo",
    region="isonzo",
    heights="isonzo_merged_3s.npy",
    hex_columns=HEX_COLUMNS,
    side_columns=SIDE_COLUMNS,
    side_keys=("water", "road", "trail", "railway", "trench_link"),
    ground=ground,
    works=(bridges, front, finish),
    per_hex=96,
    about={
        "title": "Inferno sull'Isonzo",
        "scale": "about 1.6 km per hex",
        "top_of_map": "east",
        "top_level": 10,
        "how": "Real terrain fitted to the hexes that the rulebook names; see mapmaking/README.md.",
    },
)


if __name__ == "__main__":
    main(RECIPE, __doc__)
