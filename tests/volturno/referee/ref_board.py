"""The board, the counters and the tables as a reader of the booklet sees them, read again from the pack's plain files.

Nothing here comes from the program's own rules: hexes, lines and fronts are worked out anew.
"""

from __future__ import annotations

import csv
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

FACINGS = ("n", "ne", "se", "s", "sw", "nw")
STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
INFANTRY = ("line", "light")
GUNS = ("field_artillery", "horse_artillery")
LEADERS = ("cdf", "cic")


def spot(name: str) -> tuple[int, int]:
    """Column and half row of a hex; odd columns lie half a hex lower."""
    column, row = int(name[:2]), int(name[2:])
    return column, 2 * row + column % 2


def hex_at(column: int, half: int) -> str:
    """The name of the hex at a column and half row."""
    return f"{column:02d}{(half - column % 2) // 2:02d}"


def step(name: str, facing: int) -> str:
    """The neighbour of a hex in a direction, on the board or not."""
    column, half = spot(name)
    across, down = STEPS[facing % 6]
    return hex_at(column + across, half + down)


def distance(a: str, b: str) -> int:
    """Hexes from one to the other."""
    (ca, ha), (cb, hb) = spot(a), spot(b)
    across, down = abs(ca - cb), abs(ha - hb)
    return across + max(0, (down - across) // 2)


def toward(a: str, b: str) -> int:
    """The direction from a hex to its neighbour."""
    (ca, ha), (cb, hb) = spot(a), spot(b)
    return STEPS.index((cb - ca, hb - ha))


def around(facing: int) -> tuple[int, int, int]:
    """The directions of the three front hexes (3.1.1)."""
    return (facing - 1) % 6, facing, (facing + 1) % 6


@cache
def _crossed(across: int, down: int) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[tuple[int, int], ...], ...]]:
    """What a line over this step crosses: hexes whose inside it enters, and pairs between which it runs.

    In columns of three and half rows of one a hex is |y| < 1, |x + y| < 2, |x - y| < 2 around its middle: all is exact.
    """
    inside: list[tuple[int, int]] = []
    along: dict[tuple[Fraction, Fraction], list[tuple[int, int]]] = {}
    dx, dy = 3 * across, down
    for column in range(min(0, across) - 1, max(0, across) + 2):
        for half in range(min(0, down) - 2, max(0, down) + 3):
            if (column + half) % 2 or (column, half) in ((0, 0), (across, down)):
                continue
            x0, y0 = -3 * column, -half
            low, high, touches = Fraction(0), Fraction(1), False
            for start, change, most in ((y0, dy, 1), (x0 + y0, dx + dy, 2), (x0 - y0, dx - dy, 2)):
                if change == 0:
                    if abs(start) > most:
                        low, high = Fraction(1), Fraction(0)
                    touches |= abs(start) == most
                    continue
                ends = sorted((Fraction(-most - start, change), Fraction(most - start, change)))
                low, high = max(low, ends[0]), min(high, ends[1])
            if low >= high:
                continue
            if touches:
                along.setdefault((low, high), []).append((column, half))
            else:
                inside.append((column, half))
    return tuple(inside), tuple(tuple(pair) for pair in along.values())


def line(a: str, b: str) -> tuple[list[str], list[list[str]]]:
    """9.4.4: the hexes that a straight line crosses, and the pairs whose common side it follows."""
    (ca, ha), (cb, hb) = spot(a), spot(b)
    inside, along = _crossed(cb - ca, hb - ha)
    return (
        [hex_at(ca + c, ha + h) for c, h in inside],
        [[hex_at(ca + c, ha + h) for c, h in pair] for pair in along],
    )


class Side:
    """What lies between two hexes."""

    def __init__(self, row: dict[str, str] | None = None) -> None:
        row = row or {}
        self.water = row.get("water", "")
        self.slope = row.get("slope", "")
        self.up = row.get("up", "")
        self.road = bool(row.get("road"))
        self.path = bool(row.get("path"))
        self.railway = bool(row.get("railway"))
        self.bridge = bool(row.get("bridge"))


class Counter:
    """What is printed on a counter."""

    def __init__(self, row: dict[str, str]) -> None:
        self.id = row["id"]
        self.side = row["side"]
        self.kind = row["kind"]
        self.formation = row["formation"]
        self.strength = int(row["strength"] or 0)
        self.cohesion = int(row["cohesion"] or 0)
        self.ma = int(row["ma"])
        self.stacking = int(row["stacking"] or 0)
        self.command = int(row["command"] or 0)
        self.scenario = row["scenario"]
        self.leader = self.kind in LEADERS
        self.infantry = self.kind in INFANTRY
        self.guns = self.kind in GUNS
        self.cavalry = self.kind == "cavalry"
        self.light = self.kind == "light"


class Book:
    """The printed matter of one scenario."""

    def __init__(self, data: Path, scenario: str) -> None:
        self.scenario = scenario
        self.tables: dict[str, Any] = tomllib.loads((data / "tables.toml").read_text())
        self.printed: dict[str, Any] = tomllib.loads((data / "scenarios.toml").read_text())[scenario]
        with (data / "hexes.csv").open() as lines:
            rows = list(csv.DictReader(lines))
        self.hexes = {row["hex"]: row for row in rows if scenario == "full" or row["short"] == "1"}
        self.terrain = {name: row["terrain"] for name, row in self.hexes.items()}
        self.capua = {name for name, row in self.hexes.items() if row["capua"]}
        self.sides: dict[tuple[str, str], Side] = {}
        with (data / "hexsides.csv").open() as lines:
            for row in csv.DictReader(lines):
                self.sides[row["a"], row["b"]] = self.sides[row["b"], row["a"]] = Side(row)
        self.plain = Side()
        self.on_road = {a for (a, _), side in self.sides.items() if side.road or side.path}
        with (data / "units.csv").open() as lines:
            counters = [Counter(row) for row in csv.DictReader(lines)]
        self.counters = {c.id: c for c in counters if scenario == "full" or not c.scenario}
        self.leaders = {c.formation: c for c in self.counters.values() if c.kind == "cdf"}
        self.chiefs = {c.side: c for c in self.counters.values() if c.kind == "cic"}
        self.next_to = {
            name: tuple(n for n in (step(name, d) for d in range(6)) if n in self.hexes) for name in self.hexes
        }

    def side(self, a: str, b: str) -> Side:
        """What lies between two neighbours."""
        return self.sides.get((a, b), self.plain)

    def light(self, turn: int) -> str:
        """15.2: night, fog, twilight or day: turn 15 is not named, so it is a day like the others."""
        turns = self.tables["turns"]
        for name in ("night", "fog", "twilight"):
            if turn in turns[name]:
                return name
        return "day"

    def sight(self, turn: int) -> int:
        """15.2: how many hexes a line of sight may be long."""
        return int(self.tables["turns"]["sight"].get(self.light(turn), 999))
