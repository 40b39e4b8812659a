"""Grids for tests: of both kinds of columns, and with holes."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from fronte.hexes import Grid, bits

ODD_LOW = Grid.rectangle((8, 20), (1, 18))
EVEN_LOW = Grid.rectangle((8, 20), (1, 18), odd_columns_lower=False)
BOTH = (ODD_LOW, EVEN_LOW)
_rng = Random(7)
WITH_HOLES = Grid((name for name in EVEN_LOW.ids if _rng.random() < 0.8), odd_columns_lower=False)

UNHURRIED = settings(deadline=None)
"""For tests that make tables, on machines that do other things too."""

grids = st.sampled_from((*BOTH, WITH_HOLES))
hexes = st.integers(0, WITH_HOLES.size - 1)
"""A hex of any of these grids."""


def names(grid: Grid, mask: int) -> list[str]:
    """The printed names of a mask."""
    return [grid.ids[h] for h in bits(mask)]


def masked(grid: Grid, *ids: str) -> int:
    """The mask of these hexes."""
    return sum(1 << grid.index[name] for name in ids)
