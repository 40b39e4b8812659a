"""The printed matter of a game: board, counters, tables, scenario and options, with names and numbers for all of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fronte.engine.decision import Refusal
from fronte.engine.given import PositionError
from fronte.engine.pack import Pack, reading
from fronte.engine.rulebook import Option, Rulebook
from fronte.engine.rules import Header
from fronte.games.inferno.counters import SIDES, Counter, Face, read_counters
from fronte.games.inferno.ground import Board, read_board
from fronte.games.inferno.state import AWAY, PLACES, State
from fronte.games.inferno.tables import Tables

PLAY_FILES = ("board.toml", "hexes.csv", "hexsides.csv", "units.csv", "tables.toml", "scenarios.toml")
"""The files of a pack that decide play."""


class Printed:
    """What is on paper, read once and never changed."""

    game: str
    version: str
    board_kind: type[Board]
    counter_columns: tuple[str, ...]
    unit_types: tuple[str, ...]
    citations: Mapping[str, str]
    seats: tuple[str, ...] = SIDES

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        self.pack = pack
        self.rulebook = Rulebook.read(pack)
        with reading("tables.toml"):
            self.tables = Tables(pack.toml("tables.toml"))
        self.mp = self.tables.mp
        with reading("board.toml"):
            self.board = self._read_board()
        self.grid = self.board.grid
        self.grid_index = self.grid.index
        with reading("units.csv"):
            self.counters: tuple[Counter, ...] = read_counters(pack, self.counter_columns, self.unit_types)
        self.scenario = self._scenario(scenario)
        self.option = self._options(options)
        chosen = {name: _word(value) for name, value in self.option.items()}
        self.header = Header(self.game, scenario, chosen, pack.fingerprint(PLAY_FILES), self.version)
        self._columns()

    def _read_board(self) -> Board:
        return read_board(self.pack, self.board_kind, self.tables.tec)

    def _scenario(self, name: str) -> Mapping[str, Any]:
        found = self.pack.toml("scenarios.toml")
        scenarios = {key: data for key, data in found.items() if isinstance(data, dict)}
        if name not in scenarios:
            rule = self.citations.get("1.3", "1.3")
            raise ValueError(f"no scenario {name!r} ({rule}); the scenarios are {', '.join(scenarios)}")
        self.scenarios = scenarios
        common = {key: data for key, data in found.items() if not isinstance(data, dict)}
        return common | scenarios[name]

    def _options(self, given: Mapping[str, str]) -> dict[str, Any]:
        known: dict[str, Option] = {option.name: option for option in self.rulebook.options}
        for name, value in given.items():
            if name not in known:
                raise ValueError(f"no option {name!r}; the options are {', '.join(known)}")
            if _word(value) not in known[name].values:
                raise ValueError(f"option {name} cannot be {value!r}; it can be {', '.join(known[name].values)}")
        words = {name: _word(given.get(name, option.default)) for name, option in known.items()}
        return {name: word == "true" if word in ("true", "false") else word for name, word in words.items()}

    def _columns(self) -> None:
        """Printed facts by unit number, for quick reading."""
        counters = self.counters
        self.ids = [c.id for c in counters]
        self.number = {c.id: n for n, c in enumerate(counters)}
        self.side = [c.side for c in counters]
        self.faces = [c.faces for c in counters]
        self.corps = [c.corps for c in counters]
        self.combat = [c.is_combat for c in counters]
        self.zoccer = [c.exerts_zoc for c in counters]
        self.gun = [c.is_gun for c in counters]
        self.engineer = [c.is_engineer for c in counters]
        self.battalion = [c.is_battalion for c in counters]
        self.mountain = [c.type == "mountain" for c in counters]
        self.infiltrates = [c.type == "infiltration" for c in counters]
        numbers = range(len(counters))
        self.of_side = [[n for n in numbers if self.side[n] == side] for side in (0, 1)]
        self.guns_of = [[n for n in mine if self.gun[n]] for mine in self.of_side]
        self.engineers_of = [[n for n in mine if self.engineer[n]] for mine in self.of_side]
        fort = [c.type == "fortress" for c in counters]
        self.immobile = fort
        """Works that neither move nor retreat."""
        self.counts = [self.combat[n] and not self.engineer[n] and not fort[n] for n in numbers]
        """5.1: units whose steps count for stacking."""
        self.supports = [self.gun[n] or fort[n] for n in numbers]
        self.supporters_of = [[n for n in mine if self.supports[n]] for mine in self.of_side]

    # Names and numbers

    def hex_id(self, h: int) -> str:
        """The printed number of a hex; the name of a place off the map."""
        return self.board.grid.ids[h] if h >= 0 else AWAY[h]

    def hex_ids(self, hexes: Iterable[int]) -> tuple[str, ...]:
        """The printed numbers of hexes."""
        ids = self.board.grid.ids
        return tuple([ids[h] for h in hexes])

    def unit_ids(self, units: Iterable[int]) -> tuple[str, ...]:
        """The ids of units."""
        return tuple([self.ids[unit] for unit in units])

    def hexes(self, names: Sequence[str]) -> list[int] | Refusal:
        """The hexes with these numbers, or a refusal that names the first that is none."""
        found = []
        for name in names:
            if name not in self.grid_index:
                return self.unknown_hex(name)
            found.append(self.grid_index[name])
        return found

    def units(self, names: Sequence[str]) -> tuple[int, ...] | Refusal:
        """The units with these ids, or a refusal that names the first that is none or is there twice."""
        found: list[int] = []
        for name in names:
            unit = self.number.get(name, -1)
            if unit < 0:
                return self.unknown_unit(name)
            if unit in found:
                return Refusal("7.1.d", "named_twice", {"unit": name})
            found.append(unit)
        return tuple(found)

    def known(self, names: Sequence[str]) -> list[int]:
        """The units with these ids, known to exist."""
        return [self.number[name] for name in names]

    def unknown_unit(self, name: str) -> Refusal:
        """The refusal of a name that is no unit's."""
        return Refusal("2.1", "no_unit", {"name": name})

    def unknown_hex(self, name: str) -> Refusal:
        """The refusal of a number that is no hex's."""
        return Refusal("4.2", "no_hex", {"name": name})

    def find_unit(self, name: str) -> int:
        """The unit with this id; PositionError if there is none."""
        if name not in self.number:
            raise PositionError(f"there is no unit {name!r}")
        return self.number[name]

    def read_hex(self, name: str) -> int:
        """The hex with this number; PositionError if there is none."""
        if name not in self.grid_index:
            raise PositionError(f"there is no hex {name!r} on the board")
        return self.grid_index[name]

    def where(self, state: State, unit: int) -> str:
        """Where a unit is, in words: a hex or a place off the map."""
        return self.hex_id(state.at[unit])

    def read_where(self, name: str) -> int:
        """The hex or the place off the map that a word means."""
        return PLACES[name] if name in PLACES else self.read_hex(name)

    def face(self, state: State, unit: int) -> Face:
        """2.1.d: the face that is up."""
        steps = state.steps[unit]
        return self.faces[unit][steps - 1 if steps else 0]

    def drm(self, name: str) -> int:
        """A modifier of the loss table."""
        return int(self.tables.lrt_drm[name])

    # What the casebook and the screen ask

    def full_steps(self, unit: str) -> int:
        """The steps of a fresh unit."""
        return self.counters[self.find_unit(unit)].steps

    def printed(self, path: str) -> Any:
        """Something printed, by its place: `tables.crt.row_2`, `unit.it-livorno.type`, `hex.2312.level`, `sides`."""
        head, _, rest = path.partition(".")
        if head == "tables":
            found: Any = self.tables.data
            for part in rest.split("."):
                found = found[part]
            return found
        if head == "unit":
            name, _, field = rest.partition(".")
            return getattr(self.counters[self.find_unit(name)], field)
        if head == "hex":
            name, _, field = rest.partition(".")
            return getattr(self.board, field)[self.read_hex(name)]
        if head == "seats":
            return list(self.seats)
        if head == "scenarios":
            return {name: data["first_gt"] for name, data in self.scenarios.items()}
        if head == "units":
            return sorted(c.id for c in self.counters if rest in (c.type, c.size))
        raise ValueError(f"nothing is printed at {path!r}")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
