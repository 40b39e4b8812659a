"""Geometry of hex maps: grids, sets of hexes as integers, paths. Knows no war."""

from fronte.hexes.grid import Grid
from fronte.hexes.mask import bits, count, mask_of
from fronte.hexes.path import flood, trace

__all__ = ["Grid", "bits", "count", "flood", "mask_of", "trace"]
