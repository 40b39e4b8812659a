"""Lines of sight: what blocks them under which ruling, and that seeing is mutual where it must be."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from gridkinds import BOTH, EVEN_LOW, ODD_LOW, UNHURRIED, grids, hexes, masked, names
from hypothesis import given, settings
from hypothesis import strategies as st

from fronte.hexes import FAR, Grid, Reach, Sight, bits, mask_of
from fronte.hexes.line import CORNERS, MIDDLES, way
from fronte.hexes.sight import MOST_KEPT

CAPORETTO = Grid.rectangle((1, 14), (1, 16), odd_columns_lower=False)


def heights_of(grid: Grid, **given: int) -> list[int]:
    """Heights written as h0908=3; 1 elsewhere."""
    return [given.get(f"h{name}", 1) for name in grid.ids]


def sees(sight: Sight, a: str, b: str, reach: Reach = FAR, occupied: Sequence[str] = ()) -> bool:
    grid = sight.grid
    return sight.sees(grid.index[a], grid.index[b], reach, masked(grid, *occupied))


class TestPrintedExamples:
    """What the books show and the index of their rules asks."""

    def test_caporetto_12_1_1_the_town_at_the_level_of_the_target_hides_1007_from_0610(self) -> None:
        heights = heights_of(CAPORETTO, h0610=4, h0908=2, h1007=2)
        town = masked(CAPORETTO, "0908")
        assert not sees(Sight(CAPORETTO, heights=heights, screens=town), "0610", "1007")
        assert sees(Sight(CAPORETTO, heights=heights), "0610", "1007")
        assert sees(
            Sight(CAPORETTO, heights=heights_of(CAPORETTO, h0610=4, h0908=3, h1007=2), screens=town), "0610", "1007"
        )

    def test_caporetto_the_line_of_the_example_crosses_vrh_only_where_even_columns_lie_lower(self) -> None:
        for grid, crossed in (
            (CAPORETTO, ["0710", "0808", "0809", "0908"]),
            (Grid.rectangle((1, 14), (1, 16)), ["0709", "0808", "0809", "0907"]),
        ):
            assert names(grid, Sight(grid).between(grid.index["0610"], grid.index["1007"])) == crossed

    def test_volturno_9_4_4_the_hexes_between_2425_and_2421(self) -> None:
        grid = Grid.rectangle((20, 28), (18, 28))
        sight = Sight(grid)
        assert names(grid, sight.between(grid.index["2425"], grid.index["2421"])) == ["2422", "2423", "2424"]

    @pytest.mark.parametrize(("between", "is_free"), [(5, True), (4, True), (6, False)])
    def test_caporetto_12_1_1_1_only_what_is_higher_than_both_ends_blocks(self, between: int, is_free: bool) -> None:
        sight = Sight(CAPORETTO, heights=heights_of(CAPORETTO, h0505=3, h0507=between, h0509=5))
        assert sees(sight, "0505", "0509") == sees(sight, "0509", "0505") == is_free

    @pytest.mark.parametrize(("level", "is_free"), [(2, False), (3, True), (4, False), (1, True)])
    def test_caporetto_12_1_1_3_woods_block_at_the_level_of_an_end(self, level: int, is_free: bool) -> None:
        woods = masked(CAPORETTO, "0507")
        sight = Sight(CAPORETTO, heights=heights_of(CAPORETTO, h0505=4, h0507=level, h0509=2), screens=woods)
        assert sees(sight, "0505", "0509") == is_free

    @pytest.mark.parametrize(("drop", "farthest"), [(-2, 6), (0, 6), (3, 9), (4, 10), (6, 10)])
    def test_caporetto_12_1_1_2_one_sees_farther_from_above(self, drop: int, farthest: int) -> None:
        clear = Reach(6, lift=1, most=10)
        grid = Grid.rectangle((1, 3), (1, 15), odd_columns_lower=False)
        heights = [3 + max(drop, 0) if name == "0201" else 3 + max(-drop, 0) for name in grid.ids]
        far = [row for row in range(2, 16) if sees(Sight(grid, heights=heights), "0201", f"02{row:02d}", clear)]
        assert max(far) - 1 == farthest

    @pytest.mark.parametrize(("limit", "far", "is_seen"), [(1, 1, True), (1, 2, False), (3, 3, True), (3, 4, False)])
    def test_volturno_15_2_night_fog_and_twilight(self, limit: int, far: int, is_seen: bool) -> None:
        assert sees(Sight(ODD_LOW), "1003", f"10{3 + far:02d}", Reach(limit)) == is_seen

    def test_volturno_9_4_4_fire_into_and_out_of_a_blocking_hex(self) -> None:
        sight = Sight(ODD_LOW, obstacles=masked(ODD_LOW, "1003", "1007"))
        assert sees(sight, "1003", "1007")
        assert not sees(sight, "1002", "1005")

    def test_volturno_los_elevation(self) -> None:
        heights = heights_of(ODD_LOW, h1003=1, h1005=3, h1007=2)
        assert sees(Sight(ODD_LOW, heights=heights, over=None), "1003", "1007")
        assert not sees(Sight(ODD_LOW, heights=heights), "1003", "1007")

    def test_caporetto_3_0_the_reading_that_higher_than_one_end_is_enough(self) -> None:
        heights = heights_of(CAPORETTO, h0505=3, h0507=4, h0509=5)
        assert sees(Sight(CAPORETTO, heights=heights), "0505", "0509")
        assert not sees(Sight(CAPORETTO, heights=heights, over=min), "0505", "0509")


class TestAlongAHexside:
    """From 1005 to 1205 the line runs between two hexes of column 11."""

    SIDES = {ODD_LOW: ("1104", "1105"), EVEN_LOW: ("1105", "1106")}

    @pytest.mark.parametrize("grid", BOTH)
    def test_both_sides_have_to_block(self, grid: Grid) -> None:
        upper, lower = self.SIDES[grid]
        for blocked in ([upper], [lower]):
            assert sees(Sight(grid, obstacles=masked(grid, *blocked)), "1005", "1205")
            assert sees(Sight(grid), "1005", "1205", occupied=blocked)
        assert not sees(Sight(grid, obstacles=masked(grid, upper, lower)), "1005", "1205")

    @pytest.mark.parametrize("grid", BOTH)
    def test_under_the_other_ruling_one_side_is_enough(self, grid: Grid) -> None:
        for side in self.SIDES[grid]:
            assert not sees(Sight(grid, obstacles=masked(grid, side), one_side_blocks=True), "1005", "1205")
            assert not sees(Sight(grid, one_side_blocks=True), "1005", "1205", occupied=[side])

    @pytest.mark.parametrize("grid", BOTH)
    def test_ground_on_one_side_and_a_unit_on_the_other_block_together(self, grid: Grid) -> None:
        upper, lower = self.SIDES[grid]
        sight = Sight(grid, obstacles=masked(grid, upper))
        assert sees(sight, "1005", "1205", occupied=["1206"])
        assert not sees(sight, "1005", "1205", occupied=[lower])

    @pytest.mark.parametrize("grid", BOTH)
    def test_the_two_hexes_are_named_as_a_pair_and_not_between(self, grid: Grid) -> None:
        sight, a, b = Sight(grid), grid.index["1005"], grid.index["1205"]
        assert sight.between(a, b) == 0
        assert sight.beside(a, b) == (masked(grid, *self.SIDES[grid]),)
        alone = Sight(grid, one_side_blocks=True)
        assert (alone.between(a, b), alone.beside(a, b)) == (masked(grid, *self.SIDES[grid]), ())

    def test_beside_the_edge_of_the_map_nothing_blocks_on_the_far_side(self) -> None:
        sight = Sight(ODD_LOW, obstacles=masked(ODD_LOW, "1101"))
        assert sees(sight, "1001", "1201", occupied=["1101"])
        assert sight.beside(ODD_LOW.index["1001"], ODD_LOW.index["1201"]) == ()


class TestUnits:
    def test_a_unit_between_blocks_and_one_elsewhere_does_not(self) -> None:
        sight = Sight(ODD_LOW)
        assert not sees(sight, "1003", "1007", occupied=["1005"])
        assert sees(sight, "1003", "1007", occupied=["1105", "1003", "1007"])

    def test_neighbours_always_see_each_other(self) -> None:
        everything = [ODD_LOW.ids[h] for h in bits(ODD_LOW.everything)]
        assert sees(Sight(ODD_LOW, obstacles=ODD_LOW.everything), "1003", "1004", Reach(1), everything)

    def test_a_view_is_what_is_seen_past_the_units(self) -> None:
        sight = Sight(ODD_LOW)
        view = sight.view(ODD_LOW.index["1003"], masked(ODD_LOW, "1005"), Reach(4))
        hidden = ODD_LOW.within(ODD_LOW.index["1003"], 4) & ~view
        assert names(ODD_LOW, hidden) == ["0906", "1006", "1007", "1106"]

    def test_masks_between_are_let_go_when_there_are_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert MOST_KEPT > 1000
        monkeypatch.setattr("fronte.hexes.sight.MOST_KEPT", 3)
        sight = Sight(ODD_LOW)
        first = [sight.between(0, b) for b in range(20)]
        assert [sight.between(0, b) for b in range(20)] == first


class TestCrests:
    """Hexsides with a height of their own: the line from 0505 down to 0509."""

    def crested(self, height: int, *sides: str, **heights: int) -> Sight:
        index = CAPORETTO.index
        crests = {(index[a], index[b]): height for a, b in (side.split("/") for side in sides)}
        return Sight(CAPORETTO, heights=heights_of(CAPORETTO, **heights), crests=crests)

    @pytest.mark.parametrize("side", ["0506/0507", "0507/0506", "0505/0506", "0509/0508"])
    def test_a_crest_higher_than_both_ends_blocks_the_line_across_it(self, side: str) -> None:
        assert not sees(self.crested(2, side), "0505", "0509")
        assert not sees(self.crested(2, side), "0509", "0505")
        assert sees(self.crested(2, side, h0505=2), "0505", "0509")
        assert sees(self.crested(2, "0506/0606"), "0505", "0509")

    def test_neighbours_see_each_other_over_a_crest(self) -> None:
        assert sees(self.crested(9, "0505/0506"), "0505", "0506")

    def test_past_a_hexside_a_crest_on_one_hand_leaves_the_other_hand_free(self) -> None:
        # Even columns lie lower: the line from 0505 to 0705 runs between 0604 and 0605.
        assert sees(self.crested(2, "0505/0604"), "0505", "0705")
        assert sees(self.crested(2, "0604/0605"), "0505", "0705")
        assert not sees(self.crested(2, "0505/0604", "0605/0705"), "0505", "0705")
        assert not sees(self.crested(2, "0505/0604"), "0505", "0705", occupied=["0605"])
        assert sees(self.crested(2, "0505/0604"), "0505", "0705", occupied=["0604"])


class TestStarts:
    """Caporetto 12.1.1: who looks out of a village may do so from any point of its drawing."""

    A, B = CAPORETTO.index["0505"], CAPORETTO.index["0608"]
    LOWER_RIGHT, LOWER_LEFT = CORNERS[2], CORNERS[3]

    def test_from_a_corner_one_may_see_what_the_centre_does_not(self) -> None:
        woods = masked(CAPORETTO, "0507")
        village = Sight(CAPORETTO, obstacles=woods, starts={self.A: [self.LOWER_RIGHT]})
        assert not Sight(CAPORETTO, obstacles=woods).sees(self.A, self.B)
        assert village.sees(self.A, self.B)
        assert village.seen(self.A) >> self.B & 1
        assert not village.sees(self.B, self.A)

    def test_the_wrong_corner_does_not_help(self) -> None:
        sight = Sight(CAPORETTO, obstacles=masked(CAPORETTO, "0507"), starts={self.A: [self.LOWER_LEFT]})
        assert not sight.sees(self.A, self.B)

    def test_the_centre_stays_a_start(self) -> None:
        sight = Sight(CAPORETTO, obstacles=masked(CAPORETTO, "0605"), starts={self.A: [CORNERS[1]]})
        assert names(CAPORETTO, sight.between(self.A, self.B, CORNERS[1])) == ["0605", "0606", "0607"]
        assert sight.sees(self.A, self.B)

    def test_a_unit_is_seen_past_from_another_start(self) -> None:
        in_the_way = masked(CAPORETTO, "0507")
        assert not Sight(CAPORETTO).sees(self.A, self.B, FAR, in_the_way)
        assert Sight(CAPORETTO, starts={self.A: [self.LOWER_RIGHT]}).sees(self.A, self.B, FAR, in_the_way)

    def test_along_a_side_of_its_own_hex_only_the_other_hex_can_block(self) -> None:
        # From the middle of its lower side towards 0805 the line first runs between 0505 and 0506.
        end, start = CAPORETTO.index["0805"], MIDDLES[3]
        sight = Sight(CAPORETTO)
        assert names(CAPORETTO, sight.between(self.A, end, start)) == ["0605"]
        assert sight.beside(self.A, end, start) == (masked(CAPORETTO, "0705", "0706"),)
        strict = Sight(CAPORETTO, one_side_blocks=True)
        assert names(CAPORETTO, strict.between(self.A, end, start)) == ["0506", "0605", "0705", "0706"]


def rough(grid: Grid, seed: int) -> tuple[list[int], int, int]:
    """Random heights, obstacles and screens."""
    rng = Random(seed)
    sparse = [rng.getrandbits(grid.size) & rng.getrandbits(grid.size) & rng.getrandbits(grid.size) for _ in range(2)]
    return [rng.choice((1, 1, 1, 2, 3)) for _ in range(grid.size)], sparse[0], sparse[1]


def slowly(sight: Sight, a: int, b: int, blocks: int, one_side_blocks: bool) -> bool:
    """The rule said again: a line is free if no place on it is blocked."""
    grid = sight.grid
    (ca, da), (cb, db) = grid.place[a], grid.place[b]
    for met in way((cb - ca, db - da))[1:-1]:
        there = [grid.at.get((ca + c, da + d)) for c, d in met]
        blocked = [h is not None and blocks >> h & 1 for h in there]
        if any(blocked) if one_side_blocks else all(blocked):
            return False
    return True


@settings(UNHURRIED, max_examples=60)
@given(grids, st.integers(0, 5), st.booleans(), st.sampled_from((max, min, None)), hexes, st.data())
def test_seeing_is_mutual_and_agrees_with_the_rule_said_slowly(grid, seed, one_side_blocks, over, a, data) -> None:  # type: ignore[no-untyped-def]
    heights, obstacles, screens = rough(grid, seed)
    occupied = mask_of(data.draw(st.lists(st.integers(0, grid.size - 1), max_size=12)))
    sight = Sight(
        grid, obstacles=obstacles, heights=heights, over=over, screens=screens, one_side_blocks=one_side_blocks
    )
    for b in data.draw(st.lists(st.integers(0, grid.size - 1), min_size=5, max_size=20)):
        level = {heights[a], heights[b]}
        blocks = obstacles | mask_of(h for h in bits(screens) if heights[h] in level)
        if over:
            blocks |= mask_of(h for h in range(grid.size) if heights[h] > over(heights[a], heights[b]))
        for mask in (0, occupied):
            expected = grid.distance(a, b) <= 1 or slowly(sight, a, b, blocks | mask, one_side_blocks)
            assert sight.sees(a, b, FAR, mask) == sight.sees(b, a, FAR, mask) == expected


@settings(UNHURRIED, max_examples=30)
@given(grids, st.integers(0, 5), hexes, st.sampled_from((FAR, Reach(0), Reach(4), Reach(3, 1, 6))))
def test_what_is_seen_is_every_hex_that_one_sees(grid: Grid, seed: int, a: int, reach: Reach) -> None:
    heights, obstacles, screens = rough(grid, seed)
    starts = {a: CORNERS[:2]} if seed == 0 else {}
    sight = Sight(grid, obstacles=obstacles, heights=heights, screens=screens, starts=starts)
    expected = [b for b in range(grid.size) if sight.sees(a, b, reach)]
    assert list(bits(sight.seen(a, reach))) == expected
    assert list(bits(sight.view(a, 0, reach))) == expected


@UNHURRIED
@given(grids, hexes, hexes)
def test_what_lies_between_is_the_same_both_ways(grid: Grid, a: int, b: int) -> None:
    sight = Sight(grid)
    assert sight.between(a, b) == sight.between(b, a)
    assert sorted(sight.beside(a, b)) == sorted(sight.beside(b, a))
    assert not sight.between(a, b) >> a & 1
    assert not sight.between(a, b) >> b & 1
