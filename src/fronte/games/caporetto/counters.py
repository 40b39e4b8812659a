"""2.2: counters. Combat units, guns and headquarters as they are printed, and where each is in a scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from fronte.engine.pack import Pack, PackError, Row, reading
from fronte.games.caporetto.terrain import ITALIAN, LEFT, RIGHT, SIDES, SOURCES
from fronte.games.common.boards import read_counters

ITALIANS, AH, GERMAN = range(3)
NATIONS = ("italian", "ah", "german")
BRANCHES = (
    *("infantry", "bersaglieri", "bicycle", "cavalry", "machine_gun", "engineer", "flamethrower"),
    *("artillery", "headquarters"),
)
INFANTRY, BERSAGLIERI, BICYCLE, CAVALRY, MACHINE_GUN, ENGINEER, FLAMETHROWER, ARTILLERY, HEADQUARTERS = range(9)
GUNS = ("light", "medium", "heavy", "bombarda")
LIGHT, MEDIUM, HEAVY, BOMBARDA = range(4)
NO_GUN = -1
COMPANY, BATTALION, REGIMENT = SIZES = ("co", "bn", "rgt")
SCENARIOS = ("maggiore", "cividale", "historical", "what_if")
"""27, 26, 24 and 25: the columns of units.csv that say where a counter is."""
GROUP, MOTORISED = TRAITS = ("group", "motorised")
"""18.9; 21.8."""
COLUMNS = [
    *("id", "side", "wing", "nation", "name", "full_name", "class", "size", "corps", "division", "formation"),
    *("regiment", "cf", "mg", "cf2", "mg2", "morale", "ma", "steps", "factor", "range", "initiative", "command"),
    *("traits", *SCENARIOS, "source", "note"),
]
QUARTERS = 4
"""Movement is counted in quarters of a point, stacking in quarters of a battalion-equivalent."""
INDEPENDENT = ""
"""2.2.3: in place of a formation."""
ROMMEL = "de-rommel"
"""21.6: the formation that is made in play."""
PIECE = "co"
"""How the names of generic companies end: de-23-1-co1 is the first that I/23 can detach (21.10)."""
_CELL = re.compile(r"(?P<hex>\d{4})(?P<worn> r)?(?: GT(?P<turn>[1-8]))?(?: as=(?P<formation>\S+))?")


class Kind(NamedTuple):
    """A class of counters: what the rules make of its symbol."""

    name: str
    branch: int
    foot: int
    """The column of the terrain chart."""
    mountain: bool
    """10.0.7, 10.0.9: mountain infantry."""
    infiltration: bool
    """21.5: the black triangle."""
    assaults: bool
    """21.1, 21.3: not machine guns, nor engineers with a white factor."""
    pontoon: bool
    rommel: bool
    """21.6: companies of the Württemberg Mountain Battalion that he may take."""
    gun: int
    """12.1: light, medium, heavy, bombarda; NO_GUN for all others."""


class Face(NamedTuple):
    """2.2.1: strength in assault and in fire."""

    cf: int
    mg: int


class Start(NamedTuple):
    """Where a counter is when a scenario begins, or comes in."""

    at: str
    """A hex; empty for headquarters and for companies that are not detached."""
    turn: int = 0
    """5.1: the turn in which it arrives; 0 if it is there from the start."""
    worn: bool = False
    """It begins with a step lost."""


class Values(NamedTuple):
    """What is printed on a counter. Movement is in quarters of a point, that of a gun in movement mode."""

    size: str = ""
    faces: tuple[Face, ...] = ()
    morale: int = 0
    ma: int = 0
    factor: int = 0
    range: int = 0
    initiative: int = 0
    command: int = 0


class Counter(NamedTuple):
    """A counter of a scenario. Of a headquarters, a gun and a combat unit each has only its own values."""

    id: str
    side: int
    wing: str
    nation: int
    name: str
    kind: Kind
    size: str
    corps: str
    division: str
    formation: str
    regiment: str
    faces: tuple[Face, ...]
    """16.1, 21.10: what it is worth after so many steps lost; none of a flamethrower."""
    morale: int
    ma: int
    """In quarters of a point; of a gun in movement mode."""
    factor: int
    range: int
    initiative: int
    command: int
    traits: tuple[str, ...]
    start: Start
    line: int
    """Where it stands in units.csv."""
    parent: str = ""
    """21.10: the battalion of a generic company."""

    @property
    def is_combat(self) -> bool:
        """2.2.1."""
        return self.kind.branch < ARTILLERY

    @property
    def is_gun(self) -> bool:
        """2.2.2."""
        return self.kind.branch == ARTILLERY

    @property
    def is_hq(self) -> bool:
        """2.2.3."""
        return self.kind.branch == HEADQUARTERS

    @property
    def steps(self) -> int:
        """16: as printed; 0 of what has none."""
        return 1 if self.is_gun else len(self.faces)

    @property
    def is_group(self) -> bool:
        """18.9."""
        return GROUP in self.traits

    @property
    def is_generic(self) -> bool:
        """21.10: a company that appears in play."""
        return bool(self.parent)

    @property
    def can_detach(self) -> bool:
        """21.10: a German battalion, whose steps are companies."""
        return self.nation == GERMAN and self.size == BATTALION and self.steps > 1

    @property
    def quarters(self) -> int:
        """3.0: its battalion-equivalents in quarters; guns count in movement mode only (11.1)."""
        if self.kind.branch in (FLAMETHROWER, HEADQUARTERS):
            return 0
        return 1 if self.size == COMPANY else QUARTERS


def read_kinds(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, Kind]:
    """2.2.1, 21: the classes of counters, as tables.toml has them."""
    known = {"branch", "foot", "infiltration", "assaults", "pontoon", "rommel"}
    feet = list(tables["feet"]["columns"])
    found = {}
    with reading("tables.toml"):
        for name, data in tables["classes"].items():
            if name == "source":
                continue
            if set(data) - known:
                raise PackError(
                    "tables.toml", None, f"[classes] {name}: unknown {', '.join(sorted(set(data) - known))}"
                )
            branch, foot = BRANCHES.index(data["branch"]), feet.index(data["foot"])
            found[name] = Kind(
                name,
                branch,
                foot,
                data["foot"] == "mountain",
                bool(data.get("infiltration", False)),
                bool(data.get("assaults", branch < ARTILLERY)),
                bool(data.get("pontoon", False)),
                bool(data.get("rommel", False)),
                GUNS.index(name) if branch == ARTILLERY else NO_GUN,
            )
    return found


def read(pack: Pack, tables: Mapping[str, Mapping[str, Any]], scenario: str) -> tuple[Counter, ...]:
    """The counters of a scenario: combat units, generic companies, guns, headquarters. Every line is checked."""
    kinds = read_kinds(tables)
    rows: dict[str, Row] = {}

    def make(row: Row) -> Counter:
        rows[row["id"]] = row
        return _counter(row, kinds, tables, scenario)

    every = read_counters(pack, COLUMNS, make, "2.2")
    _check_regiments(every, rows)
    there = [c for c in every if rows[c.id][scenario]]
    _check_formations(there, rows)
    with reading("tables.toml"):
        company = Face(int(tables["companies"]["cf"]), int(tables["companies"]["mg"]))
        points = int(tables["companies"]["ma"]) * QUARTERS
    units = [c for c in there if c.is_combat]
    made = [piece for c in units if c.can_detach for piece in _companies(c, company, points)]
    return (*units, *made, *(c for c in there if c.is_gun), *(c for c in there if c.is_hq))


def _counter(row: Row, kinds: Mapping[str, Kind], tables: Mapping[str, Mapping[str, Any]], scenario: str) -> Counter:
    side = SIDES.index(row.one_of("side", SIDES))
    nation = NATIONS.index(row.one_of("nation", NATIONS))
    if (nation == ITALIANS) != (side == ITALIAN):
        raise row.error(f"nation {row['nation']} does not fight for {row['side']}")
    kind = kinds[row.one_of("class", list(kinds))]
    row.one_of("source", SOURCES)
    wing = row.one_of("wing", (LEFT, RIGHT), empty=True)
    corps, division = _assigned(row, tables, wing)
    starts = {name: _start(row, name, kind) for name in SCENARIOS}
    start, formation = starts[scenario]
    if kind.branch == HEADQUARTERS and not row["formation"]:
        raise row.error("formation is missing")
    printed = _values(row, kind, nation)
    return Counter(
        row["id"],
        side,
        wing,
        nation,
        row["name"],
        kind,
        printed.size,
        corps,
        division,
        row["formation"] if formation is None else formation,
        row["regiment"],
        printed.faces,
        printed.morale,
        printed.ma,
        printed.factor,
        printed.range,
        printed.initiative,
        printed.command,
        _traits(row, kind, printed.ma),
        start,
        row.line,
    )


def _assigned(row: Row, tables: Mapping[str, Mapping[str, Any]], wing: str) -> tuple[str, str]:
    """2.2.2, 24.1: the corps and the division on the counter, which must be those of its side and its wing."""
    with reading("tables.toml"):
        corps, divisions = tables["corps"][row["side"]], tables["divisions"][row["side"]]
    row.one_of("corps", list(corps), empty=True)
    row.one_of("division", list(divisions), empty=True)
    if row["corps"] and wing and corps[row["corps"]] not in ("", wing):
        raise row.error(f"corps {row['corps']} is not of the {wing} wing (24.1)")
    return row["corps"], row["division"]


def _start(row: Row, scenario: str, kind: Kind) -> tuple[Start, str | None]:
    """A field of a scenario: `2528`, `2606 r`, `1111 GT2`, `5115 r as=-`; `hq` for headquarters. And the formation, if
    it is another one there."""
    cell = row[scenario]
    if not cell:
        return Start(""), None
    if kind.branch == HEADQUARTERS:
        row.one_of(scenario, ("hq",))
        return Start(""), None
    found = _CELL.fullmatch(cell)
    if found is None:
        raise row.error(f"{scenario} is {cell!r}, not a hex with r, GTn or as=FORMATION after it")
    if found["worn"] and not row["cf2"]:
        raise row.error(f"{scenario}: it has no reduced side (16.1)")
    formation = found["formation"]
    start = Start(found["hex"], int(found["turn"] or 0), bool(found["worn"]))
    return start, INDEPENDENT if formation == "-" else formation


def _traits(row: Row, kind: Kind, ma: int) -> tuple[str, ...]:
    """18.9, 21.8."""
    traits = tuple(row["traits"].split())
    for trait in traits:
        if trait not in TRAITS or kind.branch != ARTILLERY:
            raise row.error(f"traits has {trait!r}, which this counter cannot have")
    if GROUP in traits and row["side"] == SIDES[ITALIAN]:
        raise row.error("traits has group, and Italian guns are in none (18.9)")
    if kind.branch == ARTILLERY and (GROUP in traits) != (ma == 0):
        raise row.error(f"ma is {row['ma']}; groups, and they alone, do not move (18.9.1)")
    return traits


def _values(row: Row, kind: Kind, nation: int) -> Values:
    """2.2.1 to 2.2.3: what a counter of this kind must have."""
    if kind.branch == HEADQUARTERS:
        return Values(initiative=row.integer("initiative", 1, 6), command=row.integer("command", 1, 20))
    if kind.branch == ARTILLERY:
        return Values(
            morale=row.integer("morale", 1, 9),
            ma=row.integer("ma", 0, 12) * QUARTERS,
            factor=row.integer("factor", 1, 99),
            range=row.integer("range", 1, 30),
        )
    ma = row.integer("ma", 1, 12) * QUARTERS
    if kind.branch == FLAMETHROWER:
        return Values(ma=ma)
    size = row.one_of("size", SIZES)
    return Values(size, _faces(row, size, nation), row.integer("morale", 1, 9), ma)


def _faces(row: Row, size: str, nation: int) -> tuple[Face, ...]:
    """16.1, 21.10: front and back; of a German battalion also what the marker leaves, and the company."""
    steps = row.integer("steps", 1, 4)
    front = Face(row.integer("cf", 0, 9), row.integer("mg", 0, 12))
    if (steps > 1) != bool(row["cf2"]):
        raise row.error(f"steps is {steps}, and cf2 is {row['cf2']!r} (16.1)")
    if steps == 1:
        return (front,)
    back = Face(row.integer("cf2", 0, front.cf), row.integer("mg2", 0, front.mg))
    if nation != GERMAN or size != BATTALION:
        if steps != 2:
            raise row.error(f"steps is {steps}; only German battalions have more than two (16.1)")
        return front, back
    if steps != front.cf:
        raise row.error(f"steps is {steps}; a German battalion has one for each point of strength (21.10)")
    faces = [front, back]
    while len(faces) < steps:
        faces.append(Face(faces[-1].cf - 1, faces[-1].mg - 2))
    if faces[-1].cf < 1 or faces[-1].mg < 0:
        raise row.error(f"after its losses it would have {faces[-1].cf} and {faces[-1].mg} (21.10)")
    return tuple(faces)


def _companies(battalion: Counter, face: Face, points: int) -> Iterable[Counter]:
    """21.10: the companies that a battalion can detach; with its last step it is one itself."""
    for number in range(1, battalion.steps):
        yield battalion._replace(
            id=f"{battalion.id}-{PIECE}{number}",
            size=COMPANY,
            faces=(face,),
            ma=points,
            start=Start(""),
            parent=battalion.id,
        )


def _check_regiments(counters: Iterable[Counter], rows: Mapping[str, Row]) -> None:
    """11.1: a regiment is of one formation; only combat units have one."""
    home: dict[str, str] = {}
    for c in counters:
        if c.regiment and not c.is_combat:
            raise rows[c.id].error(f"unit {c.id}: only combat units have a regiment (11.1)")
        printed = rows[c.id]["formation"]
        if c.regiment and home.setdefault(c.regiment, printed) != printed:
            raise rows[c.id].error(f"unit {c.id}: regiment {c.regiment} is of {home[c.regiment]} (11.1)")


def _check_formations(counters: Iterable[Counter], rows: Mapping[str, Row]) -> None:
    """2.2.3: every formation of a scenario has one headquarters and at least one unit of its own side."""
    led: dict[str, Counter] = {}
    for c in counters:
        if c.is_hq:
            if c.formation in led:
                raise rows[c.id].error(f"unit {c.id}: {c.formation} has two headquarters (2.2.3)")
            led[c.formation] = c
    filled = set()
    for c in counters:
        if c.is_gun and c.formation:
            raise rows[c.id].error(f"unit {c.id}: guns have no formation (18.8)")
        if c.is_combat and c.formation:
            hq = led.get(c.formation)
            if hq is None or hq.side != c.side:
                raise rows[c.id].error(f"unit {c.id}: {c.formation} has no headquarters here (2.2.3)")
            filled.add(c.formation)
    for name, hq in led.items():
        if name not in filled and name != ROMMEL:
            raise rows[hq.id].error(f"unit {hq.id}: {name} has no unit here (7.7)")
