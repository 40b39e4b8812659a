"""Geometry of hex maps: grids, sets of hexes as integers, paths, lines of sight, facing. Knows no war."""

from fronte.hexes.facing import Facing, bearings, opposite, turn
from fronte.hexes.grid import Grid
from fronte.hexes.mask import apart, bits, count, layered, mask_of, nth, side_by_side
from fronte.hexes.path import flood, trace
from fronte.hexes.sight import FAR, Reach, Sight
from fronte.hexes.spread import Spread

__all__ = [
    "FAR", "Facing", "Grid", "Reach", "Sight", "Spread", "apart", "bearings", "bits", "count", "flood", "layered",
    "mask_of", "nth", "opposite", "side_by_side", "trace", "turn",
]  # fmt: skip
