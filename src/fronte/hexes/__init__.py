"""Geometry of hex maps: grids, sets of hexes as integers, paths. Knows no war."""

from fronte.hexes.grid import Grid
from fronte.hexes.mask import bits, count, layered, mask_of
from fronte.hexes.path import flood, trace
from fronte.hexes.spread import Spread

__all__ = ["Grid", "Spread", "bits", "count", "flood", "layered", "mask_of", "trace"]
