"""Geometry: neighbours, distances and sets of hexes, whichever columns lie lower."""

from __future__ import annotations

import pytest
from gridkinds import BOTH, ODD_LOW, grids, hexes
from hypothesis import given
from hypothesis import strategies as st

from fronte.hexes import Grid, bits, count, flood, mask_of, trace
from fronte.hexes.grid import DIRECTIONS, OFF_MAP

whole = st.sampled_from(BOTH)


@pytest.mark.parametrize(
    ("a", "b"),
    [("1912", "1913"), ("1813", "1912"), ("1913", "1813"), ("2413", "2312"), ("2412", "2312"), ("2311", "2312")],
)
def test_hexes_that_the_rulebook_calls_adjacent_are_adjacent(a: str, b: str) -> None:
    grid = Grid.rectangle((8, 34), (1, 18))
    assert grid.index[b] in grid.adjacent[grid.index[a]]


def test_with_the_other_parity_the_even_columns_lie_lower() -> None:
    grid = Grid.rectangle((10, 13), (1, 4), odd_columns_lower=False)
    assert grid.index["1103"] in grid.adjacent[grid.index["1002"]]
    assert grid.index["1101"] not in grid.adjacent[grid.index["1002"]]


@pytest.mark.parametrize(
    ("odd_columns_lower", "hex_id", "around"),
    [
        (True, "1624", "1623 1723 1724 1625 1524 1523"),
        (True, "1724", "1723 1824 1825 1725 1625 1624"),
        (False, "1624", "1623 1724 1725 1625 1525 1524"),  # Caporetto 2.1
        (False, "1724", "1723 1823 1824 1725 1624 1623"),
    ],
)
def test_neighbours_go_clockwise_from_the_one_above(odd_columns_lower: bool, hex_id: str, around: str) -> None:
    grid = Grid.rectangle((14, 19), (20, 28), odd_columns_lower)
    assert [grid.ids[n] for n in grid.neighbours[grid.index[hex_id]]] == around.split()


@pytest.mark.parametrize("grid", BOTH)
def test_a_neighbour_is_reached_back_by_the_opposite_direction(grid: Grid) -> None:
    for h, six in enumerate(grid.neighbours):
        for direction, other in enumerate(six):
            assert other == OFF_MAP or grid.neighbours[other][(direction + 3) % DIRECTIONS] == h


@given(grids, hexes, hexes)
def test_neighbours_are_mutual_and_at_distance_one(grid: Grid, a: int, b: int) -> None:
    assert (b in grid.adjacent[a]) == (a in grid.adjacent[b]) == (grid.distance(a, b) == 1)


@given(grids, hexes, hexes, hexes)
def test_distance_is_a_distance(grid: Grid, a: int, b: int, c: int) -> None:
    assert grid.distance(a, b) == grid.distance(b, a) <= grid.span
    assert (grid.distance(a, b) == 0) == (a == b)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(whole, hexes, st.integers(0, 5))
def test_within_holds_just_the_hexes_near_enough(grid: Grid, centre: int, reach: int) -> None:
    near = [h for h in range(grid.size) if grid.distance(centre, h) <= reach]
    assert list(bits(grid.within(centre, reach))) == near


@given(whole, st.lists(hexes, max_size=4), st.integers(0, 5))
def test_near_holds_the_hexes_near_to_any(grid: Grid, some: list[int], reach: int) -> None:
    found = grid.near(mask_of(some), reach)
    for far in range(reach + 1):
        assert list(bits(found[far])) == [h for h in range(grid.size) if any(grid.distance(h, a) <= far for a in some)]


@given(grids, hexes, st.integers(0, 40))
def test_a_disc_holds_the_hexes_near_enough_over_gaps_too(grid: Grid, centre: int, reach: int) -> None:
    assert sorted(grid.disc(centre, reach)) == [h for h in range(grid.size) if grid.distance(centre, h) <= reach]


@given(whole, hexes, hexes)
def test_a_flood_at_cost_one_finds_distances_and_ways(grid: Grid, a: int, b: int) -> None:
    cost, before = flood((a,), 40, lambda h: [(n, 1) for n in grid.adjacent[h]])
    way = trace(before, b)
    assert cost[b] == grid.distance(a, b) == len(way)
    assert all(grid.distance(x, y) == 1 for x, y in zip([a, *way], way, strict=False))


def test_a_flood_stops_at_its_budget() -> None:
    cost, _ = flood((0,), 7, lambda h: [(n, 3) for n in ODD_LOW.adjacent[h]])
    assert set(cost.values()) == {0, 3, 6}


@given(st.sets(hexes))
def test_a_mask_holds_its_members(members: set[int]) -> None:
    mask = mask_of(members)
    assert list(bits(mask)) == sorted(members)
    assert count(mask) == len(members)


@pytest.mark.parametrize("grid", BOTH)
def test_the_edge_is_every_hex_with_a_missing_neighbour(grid: Grid) -> None:
    inside = [h for h in range(grid.size) if not grid.edge >> h & 1]
    assert all(len(grid.adjacent[h]) == 6 for h in inside)
    assert grid.index["0805"] not in inside
    assert grid.index["1209"] in inside
