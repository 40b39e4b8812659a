"""One step from many hexes at once is the step from each of them."""

from __future__ import annotations

from random import Random

from fronte.hexes import Grid, Spread, apart, bits, mask_of, side_by_side


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


def test_a_spread_can_be_made_from_its_steps() -> None:
    rng = Random(6)
    grid = Grid.rectangle((1, 9), (1, 12))
    some = [ring & rng.getrandbits(grid.size) for ring in grid.ring]
    spread = Spread.of((here, there) for here, ring in enumerate(some) for there in bits(ring))
    assert [spread(1 << h) for h in range(grid.size)] == some
    assert Spread.of(())(grid.everything) == 0


def test_steps_are_joined_to_a_spread_that_stays_as_it_is() -> None:
    rng = Random(4)
    grid = Grid.rectangle((1, 9), (1, 12))
    some = [ring & rng.getrandbits(grid.size) for ring in grid.ring]
    spread = Spread(some)
    pairs = [(a, b) for a in range(grid.size) for b in bits(grid.ring[a]) if rng.random() < 0.1]
    joined = spread.joined(pairs)
    for h in range(grid.size):
        besides = mask_of(b for a, b in pairs if a == h) | mask_of(a for a, b in pairs if b == h)
        assert joined(1 << h) == some[h] | besides
        assert spread(1 << h) == some[h]


def test_a_step_on_many_maps_is_the_step_on_each_of_them() -> None:
    rng = Random(7)
    grid = Grid.rectangle((1, 9), (1, 12))
    spread = Spread([ring & rng.getrandbits(grid.size) for ring in grid.ring])
    maps, width = [rng.getrandbits(grid.size) & rng.getrandbits(grid.size) for _ in range(5)], 112
    many = spread.abreast(len(maps), width)
    assert many(side_by_side(maps, width)) == side_by_side([spread(one) for one in maps], width)
    within = [rng.getrandbits(grid.size) for _ in maps]
    floods = [spread.flood(one, area) for one, area in zip(maps, within, strict=True)]
    assert apart(many.flood(side_by_side(maps, width), side_by_side(within, width)), len(maps), width) == floods


def test_a_flood_is_every_step_within_until_nothing_is_new() -> None:
    rng = Random(5)
    grid = Grid.rectangle((1, 9), (1, 12))
    for _ in range(20):
        spread = Spread([ring & rng.getrandbits(grid.size) for ring in grid.ring])
        within = rng.getrandbits(grid.size) | rng.getrandbits(grid.size)
        start = 1 << rng.randrange(grid.size) | 1 << rng.randrange(grid.size)
        found = start & within
        while spread(found) & within & ~found:
            found |= spread(found) & within
        assert spread.flood(start, within) == found
