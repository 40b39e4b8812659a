"""The charts and numbers of tables.toml, read once: fire (12.1.4, 12.2.9), assault (12.3.3), terrain (10), the rest."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fronte.engine.pack import Pack, PackError, is_number, reading, table
from fronte.games.caporetto.counters import GUNS, QUARTERS
from fronte.games.caporetto.terrain import HIGHEST, ROUTES, TERRAINS

FILE = "tables.toml"
TABLES = (
    *("turns", "weather", "stacking", "command", "logistics", "supply", "march", "feet", "terrain", "settlement"),
    *("route", "hexside", "zones", "sight", "guns", "fire", "assault", "retreat", "reaction", "trenches", "bridges"),
    *("recovery", "companies", "victory", "classes", "divisions", "corps"),
)
CLEAR, CLOUDY, RAIN, FOG, BLIZZARD = WEATHERS = ("clear", "cloudy", "rain", "fog", "blizzard")
LOW, MIDDLE, HIGH = range(3)
"""24.11: the bands of the weather, from the valleys to High Mountain."""
DIE = 6
CLOSED, WHOLE_ALLOWANCE = -1, -2
"""In place of a cost: forbidden; 10.0.9, all that a unit has."""
_RESULT = re.compile(r"(?=.)(?:D(?P<dp>[1-9]))?(?P<retreat>R)?(?:/(?P<steps>[1-9]))?(?: ?(?P<mark>[ST]))?")


class Fraction(NamedTuple):
    """A part of something, in whole numbers."""

    part: int
    of: int


class Outcome(NamedTuple):
    """12.1.5, 12.2.10, 12.3.4: what a cell of a chart says."""

    dp: int = 0
    """For each unit."""
    steps: int = 0
    """In all."""
    retreat: bool = False
    suppressed: bool = False
    trench: bool = False
    """T, which is S too."""
    again: bool = False
    """*: a second die."""


NOTHING = Outcome()


class Fire:
    """12.1.4, 12.2.9: the chart of all fire."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.columns = tuple(map(str, data["columns"]))
        self.start = [whole(data, "fire", "from", n) for n in range(len(self.columns))]
        if self.start != sorted(set(self.start)):
            raise PackError(FILE, None, "[fire] from: the columns must rise")
        self.results = _chart(data, "fire", "results", len(self.columns))
        self.again, self.most_shift = whole(data, "fire", "again"), whole(data, "fire", "most_shift")
        self.friendly_fire, self.road_die = whole(data, "fire", "friendly_fire"), whole(data, "fire", "road_die")
        self.friendly_fire_part = fraction(data, "fire", "friendly_fire_part")
        self.interdiction_part = fraction(data, "fire", "interdiction_part")
        target, own = data["target"], data["defensive"]
        self.cover = {word: whole(target, "fire.target", word) for word in ("woods", "village", "town")}
        self.trench_cover = [whole(target, "fire.target", "trench", n) for n in range(3)]
        """By the level of the target's trench."""
        self.cavalry = whole(target, "fire.target", "cavalry")
        self.trench_help = [whole(own, "fire.defensive", "trench", n) for n in range(3)]
        """By the level of the trench of those who fire."""
        self.crossing, self.blind = whole(own, "fire.defensive", "crossing"), whole(own, "fire.defensive", "blind")

    def column(self, total: int, parts: int = 1) -> int:
        """12.1.4.B: the column of so many factors, counted in parts of one; -1 for less than the first."""
        return bisect_right(self.start, total // parts) - 1

    def read_in(self, column: int) -> str:
        """12.1.4.C: the head of a column; right of the chart that of the last, left of it none."""
        return self.columns[min(column, len(self.columns) - 1)] if column >= 0 else ""

    def result(self, column: int, die: int) -> Outcome:
        """12.1.5: left of the chart nothing, right of it the last column."""
        if column < 0:
            return NOTHING
        return self.results[min(die, DIE) - 1][min(column, len(self.columns) - 1)]


class Assault:
    """12.3.3: the assault table. Columns beyond its ends are whole ratios: -1 is 1:3, the first after the last 6:1."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.columns = tuple(map(str, data["columns"]))
        self.ratio = [fraction(data, "assault", "ratio", n) for n in range(len(self.columns))]
        if any(a.part * b.of >= b.part * a.of for a, b in zip(self.ratio, self.ratio[1:], strict=False)):
            raise PackError(FILE, None, "[assault] ratio: the columns must rise")
        if self.ratio[0].part != 1 or self.ratio[-1].of != 1:
            raise PackError(FILE, None, "[assault] ratio: the ends must be 1:n and n:1 (12.3.3)")
        self.attacker = _chart(data, "assault", "attacker", len(self.columns))
        self.defender = _chart(data, "assault", "defender", len(self.columns))
        first, second = data["below"]
        self.below = outcome(first), outcome(second)
        self.most_shift = whole(data, "assault", "most_shift")
        shifts = data["shifts"]
        self.trench = [whole(shifts, "assault.shifts", "trench", n) for n in range(3)]
        self.shift = {word: whole(shifts, "assault.shifts", word) for word in shifts if word != "trench"}
        """By word, for the attacker: woods, uphill, flamethrower ..."""
        self.last = len(self.columns) - 1

    def column(self, attack: int, defence: int) -> int:
        """12.3.3.B: the ratio rounded down. Against a strength of 0 the last column, of a strength of 0 none."""
        low, high = self.ratio[0].of, self.ratio[-1].part
        if not defence:
            return self.last
        if not attack:
            return -(10**6)
        if attack >= defence * high:
            return self.last + attack // defence - high
        if attack * low < defence:
            return low - -(-defence // attack)
        return sum(attack * ratio.of >= defence * ratio.part for ratio in self.ratio) - 1

    def result(self, column: int, die: int) -> tuple[Outcome, Outcome]:
        """12.3.3.C, 12.3.4: the attacker's line and the defender's; below the table no die is needed."""
        if column < 0:
            return self.below
        column = min(column, self.last)
        return self.attacker[die - 1][column], self.defender[die - 1][column]


class Gun(NamedTuple):
    """12.1, 12.2.4, 12.1.5, 18.2: what a class of guns can do."""

    indirect: Fraction
    """How much of it fires where it has no direct line."""
    defends: bool
    breaks: bool
    """Its T hurts trenches."""
    emplaced_dp: int


class Tables:
    """All of tables.toml, checked."""

    def __init__(self, pack: Pack) -> None:
        data = pack.toml(FILE)
        self._numbers: dict[tuple[str, str], int] = {}
        self.found: dict[str, Mapping[str, Any]] = {name: table(data, FILE, name) for name in TABLES}
        with reading(FILE):
            self.fire, self.assault = Fire(self.found["fire"]), Assault(self.found["assault"])
            self._weather(self.found["weather"])
            self._costs()
            guns = self.found["guns"]
            self.guns = tuple(
                Gun(
                    fraction(guns[name], name, "indirect"),
                    bool(guns[name]["defends"]),
                    bool(guns[name]["breaks"]),
                    whole(guns[name], name, "emplaced_dp"),
                )
                for name in GUNS
            )
            self.boxes = tuple(whole(self.found["command"], "command", "boxes", n) for n in range(4))

    def number(self, name: str, key: str) -> int:
        """A whole number of a table; what is missing or something else is an error of the file."""
        found = self._numbers.get((name, key))
        if found is None:
            with reading(FILE):
                found = self._numbers[name, key] = whole(self.found[name], name, key)
        return found

    def part(self, name: str, key: str) -> Fraction:
        """A fraction of a table."""
        with reading(FILE):
            return fraction(self.found[name], name, key)

    def _weather(self, data: Mapping[str, Any]) -> None:
        """24.11, 8.1: by turn the weather of each band, how far one sees in it, and where nothing is seen."""
        self.weather = [tuple(str(word) for word in bands) for bands in data["turns"]]
        self.sight = {word: whole(data["sight"], "weather.sight", word) for word in WEATHERS}
        self.blind = frozenset(data["blind"])
        self.halved = frozenset(data["halved_bombardment"])
        """8.1: into such hexes bombardment has half its factors."""
        self.low_levels = tuple(int(level) for level in data["low_levels"])
        if not all(1 <= level <= HIGHEST for level in self.low_levels) or data["high_terrain"] not in TERRAINS:
            raise PackError(FILE, None, "[weather] names a level or a terrain that the board has not")
        if len(self.weather) != whole(self.found["turns"], "turns", "last"):
            raise PackError(FILE, None, "[weather] turns: there must be one line for each turn")
        for bands in self.weather:
            if len(bands) != HIGH + 1 or not set(bands) <= set(WEATHERS):
                raise PackError(FILE, None, f"[weather] turns: {', '.join(bands)} is not the weather of three bands")

    def _costs(self) -> None:
        """10.0.2: quarters of a point by column of the chart; CLOSED where it is forbidden."""
        feet = self.feet = tuple(map(str, self.found["feet"]["columns"]))
        self.hex_cost = {word: self._line("terrain", word) for word in TERRAINS}
        self.settlement_cost = {word: self._line("settlement", word) for word in ("town", "village")}
        """In place of the terrain."""
        self.route_cost = {word: self._line("route", word) for word in (*ROUTES, "trench", "footbridge")}
        words = ("uphill", "level", "river", "isonzo", "cliff")
        self.side_cost = {word: self._line("hexside", word) for word in words}
        """Added to the hex; `cliff` may be WHOLE_ALLOWANCE, `level` is a step down."""
        if len(set(feet)) != len(feet):
            raise PackError(FILE, None, "[feet] columns: one of them is there twice")

    def _line(self, name: str, word: str) -> tuple[int, ...]:
        line = self.found[name][word]
        lowest = WHOLE_ALLOWANCE if word == "cliff" else CLOSED
        good = len(line) == len(self.feet) and all(is_number(n) and lowest <= n <= 99 * QUARTERS for n in line)
        if not good:
            raise PackError(FILE, None, f"[{name}] {word} is {line!r}, not {len(self.feet)} costs")
        return tuple(line)


def outcome(word: str) -> Outcome:
    """A cell as it is written: `-`, `*`, `D2R/1`, `D1/1 S`, or a letter alone as `S`."""
    if word == "-":
        return NOTHING
    if word == "*":
        return Outcome(again=True)
    found = _RESULT.fullmatch(word)
    if found is None:
        raise PackError(FILE, None, f"{word!r} is no result of a chart")
    mark = found["mark"] or ""
    return Outcome(int(found["dp"] or 0), int(found["steps"] or 0), bool(found["retreat"]), bool(mark), mark == "T")


def _chart(data: Mapping[str, Any], name: str, key: str, columns: int) -> list[list[Outcome]]:
    rows = [[outcome(word) for word in line] for line in data[key]]
    if len(rows) != DIE or any(len(line) != columns for line in rows):
        raise PackError(FILE, None, f"[{name}] {key}: there must be {DIE} lines of {columns} results")
    return rows


def whole(data: Mapping[str, Any], name: str, key: str, place: int = -1) -> int:
    """A whole number, or that in a place of a list."""
    value = data[key] if place < 0 else data[key][place]
    if not is_number(value):
        raise PackError(FILE, None, f"[{name}] {key} is {value!r}, not a whole number")
    return int(value)


def fraction(data: Mapping[str, Any], name: str, key: str, place: int = -1) -> Fraction:
    """Two whole numbers, the second above 0."""
    value: Sequence[Any] = data[key] if place < 0 else data[key][place]
    if len(value) != 2 or not all(map(is_number, value)) or value[0] < 0 or value[1] < 1:
        raise PackError(FILE, None, f"[{name}] {key} is {value!r}, not a part and a whole")
    return Fraction(*value)
