"""2: counters. Combat units and commanders, as they are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fronte.engine.pack import Row
from fronte.games.common.boards import read_counters

SIDES = ("garibaldini", "napoletani")
GARIBALDINI, NAPOLETANI = range(2)
KINDS = ("line", "light", "cavalry", "field_artillery", "horse_artillery", "cdf", "cic")
LINE, LIGHT, CAVALRY, FIELD, HORSE, CDF, CIC = range(7)
BRANCHES = ("infantry", "infantry", "cavalry", "artillery", "artillery", "cdf", "cic")
"""2.1.p6: what the back of a counter shows of its kind."""
SIZES = ("battalion", "regiment", "brigade", "battery")
FORMATIONS = ("G16", "G17", "GS", "G15", "G18", "NG", "N2", "NR", "NM", "NC")
"""2.3: the formations; every number of a formation is a place in this list."""
SIDE_OF = tuple(GARIBALDINI if name[0] == "G" else NAPOLETANI for name in FORMATIONS)
RESERVE, RUIZ = FORMATIONS.index("G15"), FORMATIONS.index("NR")
NO_FORMATION = -1
COMPASS = ("n", "ne", "se", "s", "sw", "nw")
"""3.1: the six hexsides, by the number of the direction."""
INFANTRY_FOOT, CAVALRY_FOOT, GUNS_FOOT, LEADER_FOOT = 0, 2, 4, 5
"""The columns of the terrain chart; in column infantry and cavalry use the next one."""
FOOT = (INFANTRY_FOOT, INFANTRY_FOOT, CAVALRY_FOOT, GUNS_FOOT, GUNS_FOOT, LEADER_FOOT, LEADER_FOOT)
COLUMNS = [
    "id",
    "side",
    "name",
    "full_name",
    "kind",
    "size",
    "formation",
    "strength",
    "cohesion",
    "ma",
    "stacking",
    "command",
    "at",
    "facing",
    "state",
    "scenario",
    "source",
    "note",
]
HALVES = 2
"""Movement is counted in halves of a point."""
MOST_MA = 12
LIGHT_MA = 6
"""2.1.p1."""
CACCIATORI = "n-cacc-"
"""How the names of the counters of Cacciatori on foot begin."""


class Counter(NamedTuple):
    """A printed counter. Commanders have a command value and no strength, cohesion or stacking value."""

    id: str
    side: int
    name: str
    kind: int
    size: str
    formation: int
    strength: int
    cohesion: int
    ma: int
    """2.1.3: movement allowance in points."""
    stacking: int
    command: int
    """2.2.1, 2.2.2: of commanders."""
    at: str
    facing: int
    column: bool
    """In column, or limbered, at the historical set-up."""

    @property
    def is_leader(self) -> bool:
        """2.2: a commander, who fights nobody."""
        return self.kind >= CDF

    @property
    def is_infantry(self) -> bool:
        """2.1: of the line or light."""
        return self.kind <= LIGHT

    @property
    def is_artillery(self) -> bool:
        """2.1: field or horse."""
        return self.kind in (FIELD, HORSE)

    @property
    def is_cavalry(self) -> bool:
        """2.1: mounted."""
        return self.kind == CAVALRY

    @property
    def points(self) -> int:
        """2.1.3: movement allowance in halves."""
        return self.ma * HALVES

    @property
    def back(self) -> tuple[int, str, int, int]:
        """2.1.p6, 8.6: what an enemy sees of it: side, branch, stacking value and formation."""
        return self.side, BRANCHES[self.kind], self.stacking, self.formation


def read(pack: Any, options: Mapping[str, Any], scenario: str) -> tuple[Counter, ...]:
    """The counters of a scenario: units first, then commanders, with what the options say of them."""
    rows: dict[str, str] = {}

    def make(row: Row) -> Counter:
        rows[row["id"]] = row["scenario"]
        return _counter(row, options)

    found = read_counters(pack, COLUMNS, make, "2")
    there = [c for c in found if rows[c.id] in ("", scenario) and not _left_out(c, options)]
    return (*(c for c in there if not c.is_leader), *(c for c in there if c.is_leader))


def _counter(row: Row, options: Mapping[str, Any]) -> Counter:
    kind = _kind(row, options)
    leader = kind >= CDF
    formation = row.one_of("formation", FORMATIONS, empty=kind == CIC)
    side = SIDES.index(row.one_of("side", SIDES))
    if formation and SIDE_OF[FORMATIONS.index(formation)] != side:
        raise row.error(f"formation {formation} is not of {SIDES[side]}")
    size = row.one_of("size", SIZES, empty=leader)
    row.one_of("scenario", ("full", "short"), empty=True)
    return Counter(
        row["id"],
        side,
        row["name"],
        kind,
        size,
        FORMATIONS.index(formation) if formation else NO_FORMATION,
        0 if leader else row.integer("strength", 1, 9),
        0 if leader else row.integer("cohesion", 4, 12),
        _allowance(kind, row["kind"], row.integer("ma", 1, MOST_MA), options),
        0 if leader else _stacking(size, row.integer("stacking", 1, 5), options),
        row.integer("command", 0, 6) if leader else 0,
        row["at"],
        COMPASS.index(row.one_of("facing", COMPASS)) if not leader else 0,
        row.one_of("state", ("column",), empty=True) == "column",
    )


def _kind(row: Row, options: Mapping[str, Any]) -> int:
    """gap.light-units: Cacciatori are listed as plain regiments; by option they are light."""
    kind = KINDS.index(row.one_of("kind", KINDS))
    return LIGHT if kind == LINE and row["id"].startswith(CACCIATORI) and options["cacciatori_light"] else kind


def _allowance(kind: int, listed: str, printed: int, options: Mapping[str, Any]) -> int:
    """2.1.p1 to p3: light infantry has 6; the booklet is silent or unclear about cavalry and field guns."""
    if kind == LIGHT and listed != KINDS[LIGHT]:
        return LIGHT_MA
    if kind == CAVALRY and options["cavalry_ma"] != "8":
        return int(options["cavalry_ma"])
    if kind == FIELD and options["field_artillery_ma"] != "6":
        return int(options["field_artillery_ma"])
    return printed


def _stacking(size: str, printed: int, options: Mapping[str, Any]) -> int:
    """2.1.p4: brigades are in the list of units, not in that of sizes."""
    return int(options["brigade_stacking"]) if size == "brigade" and options["brigade_stacking"] != "3" else printed


def _left_out(counter: Counter, options: Mapping[str, Any]) -> bool:
    """gap.la-porta, gap.cic-setup: counters that an option takes away."""
    if counter.kind == CIC:
        return str(options["cic_in_full_scenario"]) == "absent"
    other = {"16th-only": "g-laporta-17", "17th-only": "g-laporta-16"}.get(str(options["la_porta"]), "")
    return counter.id == other


def of_formation(counters: Sequence[Counter], formation: int) -> tuple[int, ...]:
    """2.3: the combat units of a formation."""
    return tuple(u for u, c in enumerate(counters) if c.formation == formation and not c.is_leader)
