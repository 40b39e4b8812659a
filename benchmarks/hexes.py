"""Measure lines of sight and facing: tables of a whole board, and single questions. One core, pure Python.

    .venv/bin/python benchmarks/hexes.py [--json]

On the board of Volturno (two sheets, seven levels; villages, farms and heights block) and on a plain one of 53 columns
and 49 rows with as much on it. Tables are made and timed once; a question is the best of several rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

from timing import best, print_figures

from fronte.draw.sheet import read_rows
from fronte.games.registry import board_pack
from fronte.hexes import FAR, Facing, Grid, Reach, Sight, mask_of

ASKED = 2000
UNITS = 80


def volturno() -> tuple[Grid, int, list[int]]:
    """The grid of the board, what blocks on it, and its heights."""
    rows = {row["hex"]: row for row in read_rows(board_pack("volturno"), "hexes.csv")}
    grid = Grid(rows)
    obstacles = mask_of(h for h, name in enumerate(grid.ids) if rows[name]["terrain"] in ("village", "farm"))
    return grid, obstacles, [int(rows[name]["level"]) for name in grid.ids]


def plain() -> tuple[Grid, int, list[int]]:
    """A rectangle with some obstacles and heights."""
    rng, grid = Random(1), Grid.rectangle((1, 53), (1, 49))
    return grid, mask_of(rng.sample(range(grid.size), 55)), [rng.choice((0, 0, 0, 1, 2, 3, 6)) for _ in grid.ids]


def once(action: Callable[[], Any]) -> float:
    """The seconds of one call."""
    began = process_time()
    action()
    return process_time() - began


def measure(grid: Grid, obstacles: int, heights: list[int]) -> dict[str, Any]:
    """All figures of a board."""

    def tables(reach: Reach, with_heights: bool = True) -> float:
        return once(
            lambda: all_seen(Sight(grid, obstacles=obstacles, heights=heights if with_heights else None), reach)
        )

    def all_seen(sight: Sight, reach: Reach) -> None:
        for h in range(grid.size):
            sight.seen(h, reach)

    rng, sight, facing = Random(2), Sight(grid, obstacles=obstacles), Facing(grid)
    pairs = [(rng.randrange(grid.size), rng.randrange(grid.size)) for _ in range(ASKED)]
    units = mask_of(rng.sample(range(grid.size), UNITS))

    def each(question: Callable[[int, int], Any]) -> float:
        def ask() -> None:
            for a, b in pairs:
                question(a, b)

        ask()
        return round(best(ask, 1) / ASKED * 1e6, 2)

    return {
        "hexes": grid.size,
        "what blocks is read, ms": round(best(lambda: Sight(grid, obstacles=obstacles, heights=heights), 1) * 1e3, 1),
        "seen from every hex within 5 hexes, s": round(tables(Reach(5)), 2),
        "seen from every hex within 15 hexes, s": round(tables(Reach(15)), 2),
        "seen from every hex without limit, s": round(tables(FAR), 2),
        "the same without heights, s": round(tables(FAR, with_heights=False), 2),
        "between two hexes, a line met for the first time, us": round(
            once(lambda: [sight.between(a, b) for a, b in pairs]) / ASKED * 1e6, 1
        ),
        "between two hexes, us": each(lambda a, b: sight.between(a, b) & units),
        "does one see the other over the ground, us": each(sight.sees),
        "does one see the other past 80 units, us": each(lambda a, b: sight.sees(a, b, FAR, units)),
        "front and rear of every hex and facing, s": round(once(lambda: Facing(grid)), 2),
        "is a hex before a facing, us": each(lambda a, b: facing.is_before(a, 1, b)),
    }


if __name__ == "__main__":
    print_figures({"volturno": measure(*volturno()), "53 x 49": measure(*plain())})
