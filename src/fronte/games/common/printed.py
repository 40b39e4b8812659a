"""The printed matter of a game: rulebook, scenario and options, with names and numbers for hexes and pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fronte.engine.decision import Refusal
from fronte.engine.given import PositionError
from fronte.engine.pack import Pack, Row
from fronte.engine.rulebook import Option, Rulebook
from fronte.engine.rules import Header
from fronte.hexes import Grid

PLAY_FILES = ("board.toml", "hexes.csv", "hexsides.csv", "units.csv", "tables.toml", "scenarios.toml")
"""The files of a pack that decide play."""


class Printed:
    """What is on paper, read once and never changed. A family reads its own board and counters (`read`)."""

    game: str
    version: str
    citations: Mapping[str, str] = {}
    scenario_rule = ""
    """The rule that names the scenarios."""
    grid: Grid
    ids: Sequence[str]
    number: Mapping[str, int]

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        self.pack = pack
        self.rulebook = Rulebook.read(pack)
        self.scenario = self._scenario(scenario)
        self.option = self._options(options)
        chosen = {name: _word(value) for name, value in self.option.items()}
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

    def hex_ids(self, hexes: Iterable[int]) -> tuple[str, ...]:
        """The printed numbers of hexes."""
        ids = self.grid.ids
        return tuple([ids[h] for h in hexes])

    def unit_ids(self, units: Iterable[int]) -> tuple[str, ...]:
        """The ids of units."""
        return tuple([self.ids[unit] for unit in units])

    def hexes(self, names: Sequence[str]) -> list[int] | Refusal:
        """The hexes with these numbers, or a refusal that names the first that is none."""
        found = []
        for name in names:
            if name not in self.grid.index:
                return self.unknown_hex(name)
            found.append(self.grid.index[name])
        return found

    def known(self, names: Sequence[str]) -> list[int]:
        """The units with these ids, known to exist."""
        return [self.number[name] for name in names]

    def unknown_unit(self, name: str) -> Refusal:
        """The refusal of a name that is no unit's."""
        return Refusal("", "no_unit", {"name": name})

    def unknown_hex(self, name: str) -> Refusal:
        """The refusal of a number that is no hex's."""
        return Refusal("", "no_hex", {"name": name})

    def find_unit(self, name: str) -> int:
        """The unit with this id; PositionError if there is none."""
        if name not in self.number:
            raise PositionError(f"there is no unit {name!r}")
        return self.number[name]

    def read_hex(self, name: str) -> int:
        """The hex with this number; PositionError if there is none."""
        if name not in self.grid.index:
            raise PositionError(f"there is no hex {name!r} on the board")
        return self.grid.index[name]


def read_hexes(pack: Pack, columns: Sequence[str]) -> tuple[Grid, list[Row]]:
    """The lines of a board's hexes, each once, and the grid they make."""
    about = pack.toml("board.toml")
    rows = pack.csv("hexes.csv", columns)
    seen: set[str] = set()
    for row in rows:
        if not (len(row["hex"]) == 4 and row["hex"].isdigit()):
            raise row.error(f"hex is {row['hex']!r}, not a number of four digits")
        if row["hex"] in seen:
            raise row.error(f"hex {row['hex']} is there twice")
        seen.add(row["hex"])
    return Grid(seen, bool(about.get("grid", {}).get("odd_columns_lower", True))), rows


def hexside_ends(grid: Grid, row: Row) -> tuple[int, int]:
    """The two hexes that a line about a hexside names, which must be neighbours."""
    for column in ("a", "b"):
        if row[column] not in grid.index:
            raise row.error(f"{column} is {row[column]!r}, not a hex of the board")
    a, b = grid.index[row["a"]], grid.index[row["b"]]
    if b not in grid.adjacent[a]:
        raise row.error(f"{row['a']} and {row['b']} are not adjacent")
    return a, b


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
