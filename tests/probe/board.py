"""The printed matter of the probe game: its board, its counters and its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fronte.engine.capabilities import Capabilities
from fronte.engine.pack import Pack, Row
from fronte.games.common.boards import read_counters, read_hexes, read_hexsides
from fronte.games.common.printed import Printed
from fronte.hexes import mask_of
from fronte.hexes.facing import Facing

from .state import GONE

FORCES = ("red", "gold", "blue", "green")
COMMAND = (0, 0, 1, 1)
"""The seat that commands each force."""
HEX_COLUMNS = ("hex", "terrain", "name")
SIDE_COLUMNS = ("a", "b", "water", "ford", "name")
UNIT_COLUMNS = ("id", "side", "name", "full_name", "kind", "ford", "farm")
"""The last two columns: where a piece begins in each scenario, as 0302/3: hex and facing."""
KINDS = ("company", "gun", "patrol")
PATROL = 2
CAPABILITIES = Capabilities(hidden=True, odds=True, luck=True, overlays=("fronts", "objectives"), paths=True)
"""What can be asked of it. It is not played by file, and learners have no planes of it."""


class Counter(NamedTuple):
    """A printed counter."""

    id: str
    force: int
    name: str
    kind: int
    begins: Mapping[str, str]


def _counter(row: Row) -> Counter:
    return Counter(
        row["id"],
        FORCES.index(row.one_of("side", FORCES)),
        row["name"],
        KINDS.index(row.one_of("kind", KINDS[:2])),
        {name: row[name] for name in ("ford", "farm")},
    )


class ProbeBoard(Printed):
    """Everything fixed for a match that is on paper."""

    away = {GONE: "gone"}

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        super().__init__(pack, scenario, options)
        self.tables: dict[str, Any] = pack.toml("tables.toml")
        self.grid, rows = read_hexes(pack, HEX_COLUMNS)
        self.facings = Facing(self.grid)
        self.terrain = [""] * self.grid.size
        self.place_name = [""] * self.grid.size
        for row in rows:
            h = self.grid.index[row["hex"]]
            self.terrain[h] = row.one_of("terrain", tuple(self.tables["cost"]["terrain"]))
            self.place_name[h] = row["name"]
        self.woods = mask_of(h for h, terrain in enumerate(self.terrain) if terrain == "wood")
        self.water: dict[tuple[int, int], bool] = {}
        """Hexsides with water, in either order; true where there is a ford."""
        for row, a, b in read_hexsides(pack, SIDE_COLUMNS, self.grid):
            row.one_of("water", ("river",))
            self.water[a, b] = self.water[b, a] = row.flag("ford")
        self.number_units(read_counters(pack, UNIT_COLUMNS, _counter))
        self.extent = self._extent()

    def _extent(self) -> int:
        first, last = self.scenario["columns"]
        return mask_of(h for h, column in enumerate(self.grid.column) if first <= column <= last)

    def cost(self, a: int, b: int, column: bool) -> int | None:
        """2: what a step costs in quarters of a point; None where it is not possible."""
        table = self.tables["cost"]
        price = int(table["terrain"][self.terrain[b]])
        if column and self.terrain[b] == "clear":
            price = int(table["column"])
        if (a, b) in self.water:
            if column or not self.water[a, b]:
                return None
            price += int(table["ford"])
        return price
