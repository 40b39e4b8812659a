"""The board, the counters and the tables as a reader of the booklet sees them, read again from the pack's plain files.

Nothing here comes from the program's own rules: hexes, lines and levels are worked out anew.
"""

from __future__ import annotations

import csv
import tomllib
from copy import copy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
NUMBERS = {"historical": "1", "what_if": "2", "cividale": "3", "maggiore": "4"}


def other(side: str) -> str:
    """The other army."""
    return "ahg" if side == "italian" else "italian"


@cache
def spot(name: str) -> tuple[int, int]:
    """Column and half row of a hex; even columns lie half a hex lower."""
    column, row = int(name[:2]), int(name[2:])
    return column, 2 * row + (column + 1) % 2


def hex_at(column: int, half: int) -> str:
    """The name of the hex at a column and half row."""
    return f"{column:02d}{(half - (column + 1) % 2) // 2:02d}"


@cache
def distance(a: str, b: str) -> int:
    """Hexes from one to the other, the first not counted (3.0, range)."""
    (ca, ha), (cb, hb) = spot(a), spot(b)
    across, down = abs(ca - cb), abs(ha - hb)
    return across + max(0, (down - across) // 2)


def toward(a: str, b: str) -> int:
    """The direction from a hex to its neighbour."""
    (ca, ha), (cb, hb) = spot(a), spot(b)
    return STEPS.index((cb - ca, hb - ha))


def step(name: str, direction: int) -> str:
    """The neighbour in a direction, on the board or not."""
    column, half = spot(name)
    across, down = STEPS[direction % 6]
    return hex_at(column + across, half + down)


@cache
def _inside(across: int, down: int) -> tuple[tuple[tuple[int, int], bool], ...]:
    """Hexes that the straight line over this step meets between its ends; True where it only follows their edge.

    A hex is drawn with |y| <= 1, |x + y| <= 2, |x - y| <= 2 about its middle, columns three apart: all is exact.
    """
    found = []
    for column in range(min(0, across) - 1, max(0, across) + 2):
        for half in range(min(0, down) - 2, max(0, down) + 3):
            if (column + half) % 2 or (column, half) in {(0, 0), (across, down)}:
                continue
            begins, ends, edge = Fraction(0), Fraction(1), False
            for start, change, bound in (
                (-half, down, 1),
                (-3 * column - half, 3 * across + down, 2),
                (-3 * column + half, 3 * across - down, 2),
            ):
                if change:
                    one, two = Fraction(-bound - start, change), Fraction(bound - start, change)
                    begins, ends = max(begins, min(one, two)), min(ends, max(one, two))
                elif abs(start) > bound:
                    ends = Fraction(-1)
                elif abs(start) == bound:
                    edge = True
            if begins < ends:
                found.append(((column, half), edge))
    return tuple(found)


def line(a: str, b: str) -> tuple[list[str], list[str]]:
    """The hexes that a straight line crosses between its ends, and those along whose edge it runs."""
    (ca, ha), (cb, hb) = spot(a), spot(b)
    crossed, edged = [], []
    for (column, half), edge in _inside(cb - ca, hb - ha):
        (edged if edge else crossed).append(hex_at(ca + column, ha + half))
    return crossed, edged


class Hex:
    """What is printed in a hex."""

    def __init__(self, row: dict[str, str], number: str) -> None:
        self.name = row["hex"]
        self.terrain = row["terrain"]
        self.level = int(row["level"])
        self.peak = bool(row["peak"])
        self.settlement = row["settlement"]
        self.stream = row["stream"]
        self.trench = row["trench"]
        self.trench_level = int(row["trench_level"] or 0)
        self.sector = row["sector"]
        self.barred = bool(row["out_of_play"])
        self.source = row["flag" + number if number in "34" else "flag"]
        self.exit = bool(row["exit"])
        self.vp = int(row["vp"] or 0)
        self.depot = row["depot"]
        self.control = row["control27" if number in "34" else "control"]
        self.playable = number not in "34" or bool(row["scenario" + number])


class Side:
    """What lies between two hexes."""

    def __init__(self, row: dict[str, str] | None = None) -> None:
        row = row or {}
        self.water = row.get("water", "")
        self.stream = row.get("stream", "")
        self.cliff = bool(row.get("cliff"))
        self.crest = bool(row.get("crest"))
        self.routes = [kind for kind in ("road", "railway", "trail") if row.get(kind)]
        self.bridge = row.get("bridge", "")
        self.blown = (row.get("blown") or "").split()
        self.charged = bool(row.get("charged"))
        self.link = row.get("trench_link", "")
        self.trench = row.get("side_trench", "")
        self.trench_level = int(row.get("side_trench_level") or 0)
        self.trench_hex = row.get("side_trench_hex", "")


class Counter:
    """What is printed on a counter."""

    def __init__(self, row: dict[str, str], classes: dict[str, Any], scenario: str) -> None:
        self.id = row["id"]
        self.side = row["side"]
        self.wing = row["wing"]
        self.nation = row["nation"]
        self.kind = row["class"]
        self.size = row["size"]
        self.corps = row["corps"]
        self.division = row["division"]
        self.formation = row["formation"]
        self.regiment = row["regiment"]
        self.cf, self.mg = int(row["cf"] or 0), number(row["mg"])
        self.cf2, self.mg2 = int(row["cf2"] or 0), number(row["mg2"])
        self.morale = int(row["morale"] or 0)
        self.ma = int(row["ma"] or 0)
        self.steps = int(row["steps"] or 0)
        self.factor = int(row["factor"] or 0)
        self.range = int(row["range"] or 0)
        self.initiative = int(row["initiative"] or 0)
        self.command = int(row["command"] or 0)
        self.group = "group" in row["traits"]
        self.motorised = "motorised" in row["traits"]
        self.start = row[scenario]
        for word in self.start.split():
            if word.startswith("as="):
                self.formation = word[3:].rstrip("-")
        entry = classes[self.kind]
        self.branch = entry["branch"]
        self.foot = entry["foot"]
        self.infiltrates = bool(entry.get("infiltration"))
        self.pontoon = bool(entry.get("pontoon"))
        self.assaults = entry.get("assaults", True)
        self.gun = self.branch == "artillery"
        self.hq = self.branch == "headquarters"
        self.flame = self.branch == "flamethrower"
        self.machine_gun = self.branch == "machine_gun"
        self.engineer = self.branch == "engineer"
        self.cavalry = self.branch == "cavalry"
        self.german_battalion = self.nation == "german" and self.size == "bn"

    @property
    def fights(self) -> bool:
        """2.2.1: a combat unit."""
        return not self.gun and not self.hq

    @property
    def mountain(self) -> bool:
        """Mountain infantry."""
        return self.fights and self.foot == "mountain"


def number(text: str) -> int:
    """A printed number; a letter (P of the pontoon engineers) is none."""
    return int(text) if text.lstrip("-").isdigit() else 0


class Book:
    """The printed matter of one scenario."""

    def __init__(self, data: Path, scenario: str) -> None:
        self.scenario = scenario
        self.tables: dict[str, Any] = tomllib.loads((data / "tables.toml").read_text())
        self.printed: dict[str, Any] = tomllib.loads((data / "scenarios.toml").read_text())[scenario]
        self.number = NUMBERS[scenario]
        with (data / "hexes.csv").open() as lines:
            hexes = [Hex(row, self.number) for row in csv.DictReader(lines)]
        self.hexes = {h.name: h for h in hexes if h.playable}
        self.sides: dict[tuple[str, str], Side] = {}
        with (data / "hexsides.csv").open() as lines:
            for row in csv.DictReader(lines):
                if row["a"] in self.hexes and row["b"] in self.hexes:
                    self.sides[row["a"], row["b"]] = self.sides[row["b"], row["a"]] = Side(row)
        self.plain = Side()
        self.bridges = [pair for pair, side in self.sides.items() if side.bridge]
        self.trenches = {name: h.trench_level for name, h in self.hexes.items() if h.trench}
        self.side_trenches = {pair: side.trench_level for pair, side in self.sides.items() if side.trench}
        with (data / "units.csv").open() as lines:
            self.counters = {row["id"]: Counter(row, self.tables["classes"], scenario) for row in csv.DictReader(lines)}
        self.hqs = {c.formation: c for c in self.counters.values() if c.hq}
        self.next_to = {
            name: tuple(n for n in (step(name, d) for d in range(6)) if n in self.hexes) for name in self.hexes
        }
        self.feet = {name: i for i, name in enumerate(self.tables["feet"]["columns"])}

    def counter(self, name: str) -> Counter:
        """The counter of this name; 21.10: a company that was made in play has those of its battalion."""
        if name not in self.counters:
            battalion = self.counters[name.rpartition("-co")[0]]
            company = copy(battalion)
            company.id, company.size, company.steps, company.german_battalion = name, "co", 1, False
            company.cf, company.mg, company.ma = 1, 2, 6
            self.counters[name] = company
        return self.counters[name]

    def side(self, a: str, b: str) -> Side:
        """What lies between two neighbours."""
        return self.sides.get((a, b), self.plain)

    def weather(self, turn: int, at: str) -> str:
        """24.11, 26.1, 27.1, 8.1: the weather in a hex."""
        here = self.hexes[at]
        low, middle, high = self.tables["weather"]["turns"][turn - 1]
        if here.terrain == "high_mountain":
            return str(high)
        return str(low if here.level in {1, 2} else middle)

    def blind(self, turn: int, at: str) -> bool:
        """8.1: fog or blizzard in a hex."""
        return self.weather(turn, at) in {"fog", "blizzard"}

    def uphill(self, a: str, b: str) -> bool:
        """10.0.7, 10.0.8, 10.0.10: does one move or attack uphill from one hex into the next?"""
        here, there, side = self.hexes[a], self.hexes[b], self.side(a, b)
        if there.peak or side.crest:
            return True
        if here.stream and not side.stream:  # where streams meet a hex names one of them, the hexside says which
            return True
        return there.level > here.level

    def clear_line(self, a: str, b: str, screens: bool) -> bool:
        """12.1, 12.1.1.1, 12.1.1.3, 12.1.1.4: does nothing between two hexes stand in the way?

        A higher hex does; with `screens` woods and towns on the level of one of the ends do, too.
        """
        one, two = self.hexes[a].level, self.hexes[b].level

        def blocks(at: str) -> bool:
            here = self.hexes.get(at)
            if here is None:
                return False
            if here.level > max(one, two):
                return True
            screen = here.terrain == "woods" or here.settlement == "town"
            return screens and screen and here.level in {one, two}

        crossed, edged = line(a, b)
        if any(blocks(at) for at in crossed):
            return False
        pairs: dict[int, list[str]] = {}
        for at in edged:
            pairs.setdefault(distance(a, at), []).append(at)
        return not any(len(pair) > 1 and all(blocks(at) for at in pair) for pair in pairs.values())

    def sight(self, turn: int, a: str, b: str) -> bool:
        """12.1.1, 8.1: a line of sight from the middle of a hex to the middle of another."""
        far = distance(a, b)
        if self.blind(turn, a) or self.blind(turn, b):
            return False
        limit = 6
        for at in (a, b):
            kind = self.weather(turn, at)
            limit = min(limit, {"clear": 6, "cloudy": 4, "rain": 2}[kind])
        if self.weather(turn, a) == "clear" == self.weather(turn, b):
            limit = min(10, 6 + max(0, self.hexes[a].level - self.hexes[b].level))
        return far <= limit and self.clear_line(a, b, True)
