"""Straight lines: what they meet, against a slow measurement with fractions; and that they can be walked back."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from gridkinds import UNHURRIED
from hypothesis import given
from hypothesis import strategies as st

from fronte.hexes.grid import STEPS
from fronte.hexes.line import CENTRE, CORNERS, MIDDLES, Point, Step, way

steps = st.tuples(st.integers(-12, 12), st.integers(-12, 12)).map(lambda s: (s[0], 2 * s[1] + s[0] % 2))
starts = st.sampled_from((CENTRE, *CORNERS, *MIDDLES))


def chord(to: Step, start: Point, hexagon: Step) -> tuple[Fraction, Fraction] | None:
    """The part of the line that lies in this hex or on its edge, as shares of the whole line."""
    (x, y), (dx, dy) = start, (6 * to[0] - start[0], 2 * to[1] - start[1])
    x, y = x - 6 * hexagon[0], y - 2 * hexagon[1]
    first, last = Fraction(0), Fraction(1)
    for here, change, wide in ((y, dy, 2), (x + y, dx + dy, 4), (x - y, dx - dy, 4)):
        if change == 0:
            if abs(here) > wide:
                return None
            continue
        ends = sorted((Fraction(-wide - here, change), Fraction(wide - here, change)))
        first, last = max(first, ends[0]), min(last, ends[1])
    return (first, last) if first < last else None


def slow_way(to: Step, start: Point) -> list[set[Step]]:
    """What a line meets, hex by hex of all that are near: those that have the same part of it lie on its two sides."""
    columns = range(min(0, to[0]) - 2, max(0, to[0]) + 3)
    rows = range(min(0, to[1]) - 4, max(0, to[1]) + 5)
    found: dict[tuple[Fraction, Fraction], set[Step]] = {}
    for c in columns:
        for d in rows:
            part = chord(to, start, (c, d)) if (c - d) % 2 == 0 else None
            if part:
                found.setdefault(part, set()).add((c, d))
    return [found[part] for part in sorted(found)]


@UNHURRIED
@given(steps, starts)
def test_a_line_meets_what_a_slow_measurement_finds(to: Step, start: Point) -> None:
    if to != (0, 0):
        assert [set(met) for met in way(to, start)] == slow_way(to, start)


@UNHURRIED
@given(steps)
def test_a_line_between_centres_can_be_walked_back(to: Step) -> None:
    there = [set(met) for met in way(to)]
    back = [{(to[0] + c, to[1] + d) for c, d in met} for met in way((-to[0], -to[1]))]
    assert there == back[::-1]


@UNHURRIED
@given(steps)
def test_a_line_goes_from_neighbour_to_neighbour(to: Step) -> None:
    met = way(to)
    assert (met[0], met[-1]) == (((0, 0),), (to,))
    for here, there in pairwise(met):
        assert all((q[0] - p[0], q[1] - p[1]) in STEPS for p in here for q in there)


@pytest.mark.parametrize("to", [(2, 0), (1, 3), (-1, 3), (-2, 0), (-1, -3), (1, -3)])
def test_in_six_directions_a_line_runs_along_hexsides(to: Step) -> None:
    assert [len(met) for met in way(to)] == [1, 2, 1]
    assert [len(met) for met in way((3 * to[0], 3 * to[1]))] == [1, 2, 1, 2, 1, 2, 1]


def test_a_hex_touched_in_a_corner_is_not_met() -> None:
    to, touched = (4, -6), (3, -3)
    corner_x, corner_y = (6 * touched[0] + CORNERS[5][0], 2 * touched[1] + CORNERS[5][1])
    assert corner_x * 2 * to[1] == corner_y * 6 * to[0]
    assert way(to) == (((0, 0),), ((1, -1),), ((2, -2),), ((2, -4),), ((3, -5),), (to,))


def test_a_line_that_starts_on_the_edge_does_not_cross_the_hex_behind_it() -> None:
    assert way((2, 0), CORNERS[1]) == (((1, -1), (1, 1)), ((2, 0),))
    assert way((0, 4), MIDDLES[3]) == (((0, 2),), ((0, 4),))
    assert way((0, 4), MIDDLES[0])[0] == ((0, 0),)
