"""The printed matter of a game: rulebook, scenario and options, with names and numbers for hexes and units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from fronte.engine.decision import Refusal
from fronte.engine.given import PositionError, said
from fronte.engine.handicap import OPTION as HANDICAP
from fronte.engine.pack import Pack
from fronte.engine.rulebook import Option, Rulebook
from fronte.engine.rules import Header
from fronte.hexes import Grid, bits

PLAY_FILES = ("board.toml", "hexes.csv", "hexsides.csv", "units.csv", "tables.toml", "scenarios.toml")
"""The files of a pack that decide play."""


class Printed:
    """What is on paper, read once and never changed. A family reads its own tables, board and counters after it."""

    game: str
    version: str
    seats: tuple[str, ...]
    citations: Mapping[str, str] = {}
    scenario_rule = ""
    """The rule that names the scenarios."""
    unit_rule = ""
    """The rule by which a name that is no unit's is refused."""
    hex_rule = ""
    """The rule by which a number that is no hex's is refused."""
    twice_rule = ""
    """The rule by which a unit that is named twice is refused."""
    away: Mapping[int, str] = {}
    """The places off the map, by their (negative) numbers."""
    grid: Grid
    counters: Sequence[Any]
    ids: Sequence[str]
    number: Mapping[str, int]

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        self.pack = pack
        self.rulebook = Rulebook.read(pack)
        self.scenario = self._scenario(scenario)
        given = {name: value for name, value in options.items() if name != HANDICAP}
        self.option = self._options(given)
        chosen = {name: _word(value) for name, value in self.option.items()}
        if HANDICAP in options:
            chosen[HANDICAP] = str(options[HANDICAP])
        self.header = Header(self.game, scenario, chosen, pack.fingerprint(PLAY_FILES), self.version)

    def _scenario(self, name: str) -> Mapping[str, Any]:
        """What a scenario says, with what holds for all of them."""
        found = self.pack.toml("scenarios.toml")
        self.scenarios = {key: data for key, data in found.items() if isinstance(data, dict)}
        if name not in self.scenarios:
            rule = self.citations.get(self.scenario_rule, self.scenario_rule)
            told = f" ({rule})" if rule else ""
            raise ValueError(f"no scenario {name!r}{told}; the scenarios are {', '.join(self.scenarios)}")
        common = {key: data for key, data in found.items() if not isinstance(data, dict)}
        return common | self.scenarios[name]

    def _options(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Every option with its value: those given, else the defaults."""
        known: dict[str, Option] = {option.name: option for option in self.rulebook.options}
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"no option {name!r}; the options are {', '.join(known)}")
            if _word(value) not in known[name].values:
                raise ValueError(f"option {name} cannot be {value!r}; it can be {', '.join(known[name].values)}")
        words = {name: _word(given.get(name, option.default)) for name, option in known.items()}
        return {name: word == "true" if word in ("true", "false") else word for name, word in words.items()}

    # Names and numbers

    def number_units(self, counters: Sequence[Any]) -> None:
        """Let each counter be the unit with the number of its place in this list."""
        self.counters = counters
        self.ids = [counter.id for counter in counters]
        self.number = {name: number for number, name in enumerate(self.ids)}

    def hex_id(self, h: int) -> str:
        """The printed number of a hex; the name of a place off the map."""
        return self.grid.ids[h] if h >= 0 else self.away[h]

    def hex_ids(self, hexes: Iterable[int]) -> tuple[str, ...]:
        """The printed numbers of hexes."""
        ids = self.grid.ids
        return tuple([ids[h] for h in hexes])

    def numbers_in(self, mask: int) -> tuple[str, ...]:
        """The printed numbers of the hexes of a mask that is asked for again and again, as who holds what."""
        return _numbers_in(self.grid, mask)

    def unit_ids(self, units: Iterable[int]) -> tuple[str, ...]:
        """The ids of units."""
        return tuple([self.ids[unit] for unit in units])

    def hexes(self, names: Sequence[str]) -> list[int] | Refusal:
        """The hexes with these numbers, or a refusal that names the first that is none."""
        found, index = [], self.grid.index
        for name in names:
            if name not in index:
                return self.unknown_hex(name)
            found.append(index[name])
        return found

    def units(self, names: Sequence[str]) -> tuple[int, ...] | Refusal:
        """The units with these ids, or a refusal that names the first that is none or is there twice."""
        found: list[int] = []
        for name in names:
            unit = self.number.get(name, -1)
            if unit < 0:
                return self.unknown_unit(name)
            if unit in found:
                return Refusal(self.twice_rule, "named_twice", {"unit": name})
            found.append(unit)
        return tuple(found)

    def known(self, names: Sequence[str]) -> list[int]:
        """The units with these ids, known to exist."""
        return [self.number[name] for name in names]

    def unknown_unit(self, name: str) -> Refusal:
        """The refusal of a name that is no unit's."""
        return Refusal(self.unit_rule, "no_unit", {"name": name})

    def unknown_hex(self, name: str) -> Refusal:
        """The refusal of a number that is no hex's."""
        return Refusal(self.hex_rule, "no_hex", {"name": name})

    def find_unit(self, name: str) -> int:
        """The unit with this id; PositionError if there is none."""
        if name not in self.number:
            raise PositionError(f"there is no unit {said(name)}")
        return self.number[name]

    def read_hex(self, name: str) -> int:
        """The hex with this number; PositionError if there is none."""
        if name not in self.grid.index:
            raise PositionError(f"there is no hex {said(name)} on the board")
        return self.grid.index[name]

    def read_where(self, name: str) -> int:
        """The hex or the place off the map that a word means; PositionError if it means neither."""
        found = next((number for number, place in self.away.items() if place == name), None)
        return self.read_hex(name) if found is None else found

    # What the casebook asks

    def printed(self, path: str) -> Any:
        """Something printed, by its place: `tables.fire.row_2`, `unit.red-1.name`, `seats`."""
        head, _, rest = path.partition(".")
        if head == "tables":
            found: Any = self.pack.toml("tables.toml")
            for part in rest.split("."):
                found = found[part]
            return found
        if head == "unit":
            name, _, field = rest.partition(".")
            return getattr(self.counters[self.find_unit(name)], field)
        if head == "seats":
            return list(self.seats)
        raise ValueError(f"nothing is printed at {path!r}")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@lru_cache(maxsize=512)
def _numbers_in(grid: Grid, mask: int) -> tuple[str, ...]:
    return tuple([grid.ids[h] for h in bits(mask)])
