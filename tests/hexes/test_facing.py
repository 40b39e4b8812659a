"""Facing: what lies in front, on the flanks and behind, near and far, and turning."""

from __future__ import annotations

from functools import cache

import pytest
from gridkinds import BOTH, EVEN_LOW, ODD_LOW, UNHURRIED, grids, hexes, masked, names
from hypothesis import given
from hypothesis import strategies as st

from fronte.hexes import Facing, Grid, bearings, bits, opposite, turn
from fronte.hexes.grid import OFF_MAP
from fronte.hexes.line import way

VOLTURNO = Grid.rectangle((14, 26), (13, 27))
facings = st.integers(0, 5)
tables = cache(Facing)


def test_volturno_3_1_1_three_hexes_in_front_and_three_behind() -> None:
    facing, h = Facing(VOLTURNO), VOLTURNO.index["2020"]
    assert names(VOLTURNO, facing.front[h][0]) == ["1919", "2019", "2119"]
    assert names(VOLTURNO, facing.rear[h][0]) == ["1920", "2021", "2120"]
    assert facing.flank[h][0] == 0


def test_volturno_3_1_1_in_a_village_all_six_are_front() -> None:
    h, beside = VOLTURNO.index["2020"], VOLTURNO.index["2021"]
    facing = Facing(VOLTURNO, all_round=masked(VOLTURNO, "2020"))
    for to in range(6):
        assert (facing.front[h][to], facing.rear[h][to]) == (VOLTURNO.ring[h], 0)
    assert facing.rear[beside][0].bit_count() == 3
    assert facing.field(h, 0) == VOLTURNO.everything & ~(1 << h)


@pytest.mark.parametrize(("target", "is_before"), [("2015", True), ("2025", False), ("2220", True), ("1820", True)])
def test_volturno_9_far_hexes_are_before_a_unit_in_the_half_of_the_map_it_faces(target: str, is_before: bool) -> None:
    facing = Facing(VOLTURNO)
    assert facing.is_before(VOLTURNO.index["2020"], 0, VOLTURNO.index[target]) == is_before
    assert facing.is_before(VOLTURNO.index["2020"], 3, VOLTURNO.index[target]) == (not is_before or target[2:] == "20")


def test_flanks_lie_between_front_and_rear() -> None:
    h = ODD_LOW.index["1205"]
    facing = Facing(ODD_LOW, front=1, flank=4)
    assert names(ODD_LOW, facing.front[h][1]) == ["1304"]
    assert names(ODD_LOW, facing.flank[h][1]) == ["1104", "1204", "1206", "1305"]
    assert names(ODD_LOW, facing.rear[h][1]) == ["1105"]


@pytest.mark.parametrize(("front", "flank"), [(2, 0), (7, 0), (3, 1), (3, 4), (5, 2)])
def test_odd_fronts_and_even_flanks_only(front: int, flank: int) -> None:
    with pytest.raises(ValueError, match="odd number"):
        Facing(ODD_LOW, front, flank)


@UNHURRIED
@given(grids, hexes, facings, st.sampled_from([(1, 0), (1, 2), (1, 4), (3, 0), (3, 2), (5, 0)]))
def test_front_flank_and_rear_share_out_the_neighbours(grid: Grid, h: int, to: int, kind: tuple[int, int]) -> None:
    facing = tables(grid, *kind)
    parts = facing.front[h][to], facing.flank[h][to], facing.rear[h][to]
    assert parts[0] | parts[1] | parts[2] == grid.ring[h]
    assert sum(part.bit_count() for part in parts) == grid.ring[h].bit_count()
    assert parts[0] == facing.field(h, to) & grid.ring[h]


def test_at_the_edge_of_the_map_nothing_lies_beyond() -> None:
    facing, corner = Facing(ODD_LOW), ODD_LOW.index["0801"]
    assert facing.front[corner][0] == 0
    assert names(ODD_LOW, facing.rear[corner][0]) == ["0802", "0901"]
    assert facing.ahead(corner, 0) == []


@pytest.mark.parametrize("grid", BOTH)
def test_straight_ahead_to_the_edge(grid: Grid) -> None:
    upper_right = {ODD_LOW: ["1903", "2003"], EVEN_LOW: ["1904", "2003"]}[grid]
    facing = tables(grid)
    assert [grid.ids[h] for h in facing.ahead(grid.index["1804"], 1)] == upper_right
    assert [grid.ids[h] for h in facing.ahead(grid.index["1804"], 0)] == ["1803", "1802", "1801"]


@UNHURRIED
@given(grids, hexes, facings)
def test_hexes_straight_ahead_bear_that_way_only(grid: Grid, h: int, to: int) -> None:
    facing = tables(grid)
    for distance, there in enumerate(facing.ahead(h, to), 1):
        assert bearings(grid, h, there) == (to,)
        assert grid.distance(h, there) == distance


@UNHURRIED
@given(grids, hexes)
def test_the_facing_to_a_neighbour_is_opposite_to_the_way_back(grid: Grid, a: int) -> None:
    facing = tables(grid)
    for b in grid.adjacent[a]:
        assert facing.toward(b, a) == opposite(facing.toward(a, b))
        assert bearings(grid, a, b) == (facing.toward(a, b),)


@UNHURRIED
@given(grids, hexes, hexes)
def test_a_bearing_is_the_side_by_which_the_line_leaves(grid: Grid, a: int, b: int) -> None:
    (ca, da), (cb, db) = grid.place[a], grid.place[b]
    met = way((cb - ca, db - da))
    if a == b:
        assert bearings(grid, a, b) == ()
        return
    around = [(grid.place[n][0] - ca, grid.place[n][1] - da) if n != OFF_MAP else None for n in grid.neighbours[a]]
    found = [around.index(step) for step in met[1] if step in around]
    sides = bearings(grid, a, b)
    assert set(found) <= set(sides)
    assert len(met[1]) == len(sides) == (2 if turn(sides[0], sides[-1]) == 1 else 1)


@UNHURRIED
@given(facings, facings)
def test_turning_is_the_shorter_way_round(one: int, other: int) -> None:
    assert turn(one, other) == turn(other, one) <= 3
    assert turn(one, opposite(one)) == 3
    assert (turn(one, other) == 0) == (one == other)
    assert turn(one, other) + turn(other, opposite(one)) == 3


def test_a_field_is_every_hex_before_the_facing() -> None:
    facing, h = Facing(EVEN_LOW), EVEN_LOW.index["1409"]
    for to in range(6):
        assert list(bits(facing.field(h, to))) == [b for b in range(EVEN_LOW.size) if facing.is_before(h, to, b)]
        assert facing.field(h, to) | facing.field(h, opposite(to)) == EVEN_LOW.everything & ~(1 << h)
