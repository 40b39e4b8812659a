"""Geometry: neighbours, distances and sets of hexes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fronte.hexes import Grid, bits, count, flood, mask_of, trace

GRID = Grid.rectangle((8, 20), (1, 18))
hexes = st.integers(0, GRID.size - 1)


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


@given(hexes, hexes)
def test_neighbours_are_mutual_and_at_distance_one(a: int, b: int) -> None:
    assert (b in GRID.adjacent[a]) == (a in GRID.adjacent[b]) == (GRID.distance(a, b) == 1)


@given(hexes, hexes, hexes)
def test_distance_is_a_distance(a: int, b: int, c: int) -> None:
    assert GRID.distance(a, b) == GRID.distance(b, a)
    assert (GRID.distance(a, b) == 0) == (a == b)
    assert GRID.distance(a, c) <= GRID.distance(a, b) + GRID.distance(b, c)


@given(hexes, st.integers(0, 5))
def test_within_holds_just_the_hexes_near_enough(centre: int, reach: int) -> None:
    near = [h for h in range(GRID.size) if GRID.distance(centre, h) <= reach]
    assert list(bits(GRID.within(centre, reach))) == near


@given(hexes, hexes)
def test_a_flood_at_cost_one_finds_distances_and_ways(a: int, b: int) -> None:
    cost, before = flood((a,), 40, lambda h: [(n, 1) for n in GRID.adjacent[h]])
    way = trace(before, b)
    assert cost[b] == GRID.distance(a, b) == len(way)
    assert all(GRID.distance(x, y) == 1 for x, y in zip([a, *way], way, strict=False))


def test_a_flood_stops_at_its_budget() -> None:
    cost, _ = flood((0,), 7, lambda h: [(n, 3) for n in GRID.adjacent[h]])
    assert set(cost.values()) == {0, 3, 6}


@given(st.sets(hexes))
def test_a_mask_holds_its_members(members: set[int]) -> None:
    mask = mask_of(members)
    assert list(bits(mask)) == sorted(members)
    assert count(mask) == len(members)


def test_the_edge_is_every_hex_with_a_missing_neighbour() -> None:
    inside = [h for h in range(GRID.size) if not GRID.edge >> h & 1]
    assert all(len(GRID.adjacent[h]) == 6 for h in inside)
    assert GRID.index["0805"] not in inside
    assert GRID.index["1209"] in inside
