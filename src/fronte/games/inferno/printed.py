"""The printed matter of a game: board, counters, tables, scenario and options, with names and numbers for all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fronte.engine.pack import Pack, reading
from fronte.games.common import printed
from fronte.games.inferno import cites
from fronte.games.inferno.counters import SIDES, Counter, Face, read_counters
from fronte.games.inferno.ground import Board
from fronte.games.inferno.state import AWAY, State
from fronte.games.inferno.tables import Tables


class Printed(printed.Printed):
    """What is on paper, read once and never changed."""

    board_kind: type[Board]
    counter_columns: tuple[str, ...]
    unit_types: tuple[str, ...]
    seats: tuple[str, ...] = SIDES
    scenario_rule, unit_rule, hex_rule, twice_rule = cites.SCENARIO, cites.COUNTERS, cites.PATH, cites.ONE_PART
    away = AWAY
    counters: tuple[Counter, ...]

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        super().__init__(pack, scenario, options)
        with reading("tables.toml"):
            self.tables = Tables(pack.toml("tables.toml"))
        self.mp = self.tables.mp
        with reading("board.toml"):
            self.board = self.board_kind(pack, self.tables.tec)
        self.grid = self.board.grid
        self.grid_index = self.grid.index
        with reading("units.csv"):
            self.number_units(read_counters(pack, self.counter_columns, self.unit_types))
        self._columns()

    def _columns(self) -> None:
        """Printed facts by unit number, for quick reading."""
        counters = self.counters
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
        ranks = [0 if self.gun[n] else 1 if self.engineer[n] else 2 for n in numbers]
        self.heights = [
            tuple([(rank, face.attack) for face in (faces[0], *faces)])
            for rank, faces in zip(ranks, self.faces, strict=True)
        ]
        """5.3: how high a unit lies in its stack with so many steps: its rank and the attack on the face that is up."""
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

    def where(self, state: State, unit: int) -> str:
        """Where a unit is, in words: a hex or a place off the map."""
        return self.hex_id(state.at[unit])

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
        """Something printed, by its place; also `hex.2312.level`, `scenarios` and all `units` of a type or a size."""
        head, _, rest = path.partition(".")
        if head == "hex":
            name, _, field = rest.partition(".")
            return getattr(self.board, field)[self.read_hex(name)]
        if head == "scenarios":
            book = {name: data for name, data in self.scenarios.items() if data.get("source") == "printed"}
            return {name: data["first_gt"] for name, data in book.items()}
        if head == "units":
            return sorted(c.id for c in self.counters if rest in (c.type, c.size))
        return super().printed(path)
