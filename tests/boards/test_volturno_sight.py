"""9.4.4, 15.2, 15.3: lines of sight over the board of Volturno, by day and in the dark, with heights and without."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from volturno_default import BOARD, POSTS

from fronte.hexes import FAR, Grid, Reach, Sight, mask_of

GRID = Grid(BOARD.hexes, BOARD.about["grid"]["odd_columns_lower"])
BLOCKING = mask_of(GRID.index[h] for h, row in BOARD.hexes.items() if row["terrain"] in ("village", "farm"))
"""Villages and farms; neither woods nor towns."""
LETTER = Sight(GRID, obstacles=BLOCKING)
HEIGHTS = Sight(GRID, obstacles=BLOCKING, heights=[int(BOARD.hexes[h]["level"]) for h in GRID.ids])
DARK, TWILIGHT = Reach(1), Reach(3)
OURS = [post for post in POSTS if post.zone[0] != "N" and post.zone != "Colonna"]
THEIRS = [post for post in POSTS if post not in OURS]


def sees(sight: Sight, a: str, b: str, reach: Reach = FAR, occupied: Iterable[str] = ()) -> bool:
    ends = (1 << GRID.index[a]) | (1 << GRID.index[b])
    return sight.sees(GRID.index[a], GRID.index[b], reach, mask_of(GRID.index[h] for h in occupied) & ~ends)


def surprised(sight: Sight, reach: Reach) -> set[str]:
    """15.3: the Garibaldian formations of which no unit sees an enemy from the default set-up."""
    units = {post.hex for post in POSTS}
    awake = {post.zone for post in OURS for enemy in THEIRS if sees(sight, post.hex, enemy.hex, reach, occupied=units)}
    return {"G16", "G17", "GS", "G15", "G18"} - awake


@pytest.mark.parametrize(
    ("a", "b", "free", "why"),
    [
        ("2118", "2122", False, "the farm Parisi, 2120, lies between"),
        ("2120", "2123", True, "one sees out of a farm"),
        ("2117", "2120", True, "and into one"),
        ("1916", "1920", False, "the farm Virilasci, 1918"),
        ("2513", "2517", False, "the village of Sant'Angelo, 2515"),
        ("2513", "2515", True, "Sant'Angelo itself"),
        ("2423", "2427", True, "a town does not hide: Santa Maria, 2424 and 2425"),
        ("2812", "2815", True, "nor do woods: 2813 and 2814"),
        ("6228", "6232", False, "15.1: the aqueduct counts as a village, 6230"),
        ("6128", "6131", False, "likewise 6129"),
        ("2020", "2220", True, "along the side of the farm 2120, and 2119 is clear"),
        ("3014", "3018", True, "heights hide nothing by the letter: Tifata, 3016"),
        ("2527", "2530", True, "2528 and 2529 have nothing that hides"),
    ],
)
def test_lines_of_sight_by_the_letter(a: str, b: str, free: bool, why: str) -> None:
    assert sees(LETTER, a, b) == free, why
    assert sees(LETTER, b, a) == free, why


def test_units_between_hide() -> None:
    """Own or enemy; along a hexside only if the hex on the other side hides too."""
    assert sees(LETTER, "1619", "1623")
    assert not sees(LETTER, "1619", "1623", occupied=["1621"])
    assert sees(LETTER, "1619", "1623", occupied=["1619", "1623", "1721"])
    assert sees(LETTER, "1620", "1820", occupied=["1719"])
    assert not sees(LETTER, "1620", "1820", occupied=["1719", "1720"])
    assert not sees(LETTER, "2020", "2220", occupied=["2119"])


@pytest.mark.parametrize(("a", "b", "distance"), [("1618", "1619", 1), ("1618", "1621", 3), ("1618", "1622", 4)])
def test_night_fog_and_twilight(a: str, b: str, distance: int) -> None:
    """15.2: one hex at night and in fog, three at twilight."""
    assert GRID.distance(GRID.index[a], GRID.index[b]) == distance
    assert sees(LETTER, a, b)
    assert sees(LETTER, a, b, TWILIGHT) == (distance <= 3)
    assert sees(LETTER, a, b, DARK) == (distance <= 1)


@pytest.mark.parametrize(
    ("a", "b", "free"),
    [
        ("3014", "3018", False),  # over Tifata
        ("3016", "3024", True),  # down from it to San Prisco
        ("2425", "4426", False),  # from Santa Maria to Caserta: villages on the way
        ("7028", "7229", True),  # from Monte Longano down to Durazzano
        ("7229", "7227", False),  # out of the valley over the ridge 7228
        ("1419", "1424", True),  # the plain is flat
    ],
)
def test_heights_that_are_above_both_ends_hide_where_they_count(a: str, b: str, free: bool) -> None:
    assert sees(HEIGHTS, a, b) == free
    assert sees(HEIGHTS, b, a) == free


class TestMorningSurprise:
    """15.3: who may be activated from the default set-up, by the hour."""

    def test_nobody_sees_anything_at_night_and_in_fog(self) -> None:
        assert surprised(LETTER, DARK) == {"G16", "G17", "GS", "G15", "G18"}

    def test_by_the_letter_all_are_awake_at_eight(self) -> None:
        """The reserve at Caserta sees Ruiz across the massif, 22 hexes off, and Sacchi sees before Capua."""
        assert surprised(LETTER, FAR) == set()
        units = {post.hex for post in POSTS}
        assert sees(LETTER, "4625", "6211", occupied=units)
        assert GRID.distance(GRID.index["4625"], GRID.index["6211"]) == 22
        assert sees(LETTER, "4020", "1917", occupied=units)

    def test_with_heights_and_fifteen_hexes_only_the_front_before_capua_is(self) -> None:
        assert surprised(HEIGHTS, Reach(15)) == {"GS", "G15", "G18"}
