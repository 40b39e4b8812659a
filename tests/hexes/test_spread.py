"""One step from many hexes at once is the step from each of them."""

from __future__ import annotations

from random import Random

from fronte.hexes import Grid, Spread, bits, mask_of


def test_a_spread_is_the_step_from_every_hex() -> None:
    rng = Random(3)
    whole = Grid.rectangle((1, 9), (1, 12))
    holes = Grid(name for name in whole.ids if rng.random() < 0.8)
    for grid in (whole, holes):
        some = [ring & rng.getrandbits(grid.size) for ring in grid.ring]
        for leads_to in (grid.ring, some):
            spread = Spread(leads_to)
            for _ in range(20):
                hexes = rng.getrandbits(grid.size)
                expected = mask_of(there for here in bits(hexes) for there in bits(leads_to[here]))
                assert spread(hexes) == expected
    assert Spread(whole.ring)(0) == 0
