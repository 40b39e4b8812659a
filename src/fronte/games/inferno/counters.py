"""Chapter 2, the playing pieces: counters with their faces, sizes, types and corps.

A counter is printed matter and never changes; what happens to it in play is in the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fronte.engine.pack import Pack, Row
from fronte.games.common import boards

ITALIAN, AH = 0, 1
SIDES = ("italian", "ah")
SIZES = ("brigade", "regiment", "battalion")
GUNS = ("artillery", "heavy_artillery")
RECOVERING = ("infantry", "bersaglieri", "mountain")

FACE_COLUMNS = ("attack", "defence", "ma", "av", "attack2", "defence2", "ma2", "av2")
COLUMNS = (
    "id",
    "side",
    "name",
    "full_name",
    "size",
    "type",
    "corps",
    *FACE_COLUMNS,
    "setup",
    "entry",
    "source",
    "note",
)
"""The columns of every game; each adds its own."""

BOX = "box"


class Face(NamedTuple):
    """2.1: the four values printed on one face of a counter."""

    attack: int
    defence: int
    ma: int
    av: int


class Counter(NamedTuple):
    """2.1: a counter as printed."""

    id: str
    side: int
    name: str
    full_name: str
    size: str
    type: str
    corps: str
    faces: tuple[Face, ...]
    """By steps left: faces[steps - 1]. A one-step unit has one face."""
    setup: tuple[str, ...]
    entry: int
    """The turn it enters, 0 if it starts on the map or in the box."""
    in_box: bool
    reserve: bool
    source: str
    note: str
    entry_hexes: tuple[str, ...] = ()
    """The hexes where it enters, if the schedule names any."""
    frozen: bool = False
    """It may not move on the first turns unless attacked."""

    @property
    def steps(self) -> int:
        """2.5.c/2.5: the steps of the fresh unit; artillery has one counter and no steps."""
        return len(self.faces)

    @property
    def is_gun(self) -> bool:
        """2.5.a/2.5: artillery is no combat unit."""
        return self.type in GUNS

    @property
    def is_engineer(self) -> bool:
        """2.5.b: a bridge engineer is a combat unit with the limits of 12.2."""
        return self.type == "engineer"

    @property
    def is_combat(self) -> bool:
        """2.5: a printed defence of 1 or more, and no artillery."""
        return not self.is_gun and self.faces[-1].defence >= 1

    @property
    def exerts_zoc(self) -> bool:
        """6: every combat unit but engineers and fortresses."""
        return self.is_combat and self.type not in ("engineer", "fortress")

    @property
    def is_battalion(self) -> bool:
        """2.1.f: size II."""
        return self.size == "battalion"


def read_counters(pack: Pack, columns: Sequence[str], types: Sequence[str]) -> tuple[Counter, ...]:
    """table.setup: every counter of a pack, checked line by line."""
    return boards.read_counters(pack, columns, lambda row: _counter(row, types), "table.setup")


def _counter(row: Row, types: Sequence[str]) -> Counter:
    kind = row.one_of("type", types)
    side = SIDES.index(row.one_of("side", SIDES))
    setup = tuple(row["setup"].split())
    in_box = setup == (BOX,)
    entry = row.integer("entry", 1, 30, 0)
    if bool(setup) == bool(entry):
        raise row.error("it needs a set-up hex or an entry turn, and not both (1.1)")
    reserve = "reserve" in row and row.flag("reserve")
    if in_box and not reserve:
        raise row.error("it is in the box but not in reserve (13.1)")
    if reserve and (side != ITALIAN or entry):
        raise row.error("only Italian units that begin on the map or in the box are in reserve (13.1)")
    return Counter(
        id=row["id"],
        side=side,
        name=row["name"],
        full_name=row["full_name"],
        size=row.one_of("size", SIZES),
        type=kind,
        corps=row["corps"],
        faces=_faces(row, 0 if kind in GUNS else 1),
        setup=() if in_box else setup,
        entry=entry,
        in_box=in_box,
        reserve=reserve,
        source=row.one_of("source", ("printed", "reconstructed")),
        note=row["note"],
        entry_hexes=tuple(row.get("entry_hexes", "").split()),
        frozen="frozen" in row and row.flag("frozen"),
    )


def _faces(row: Row, least_defence: int) -> tuple[Face, ...]:
    full = Face(
        row.integer("attack", 0, 20),
        row.integer("defence", least_defence, 20),
        row.integer("ma", 0, 20),
        row.integer("av", 0, 20),
    )
    back = ("attack2", "defence2", "ma2", "av2")
    if not any(row[column] for column in back):
        return (full,)
    reduced = Face(
        row.integer("attack2", 0, 20),
        row.integer("defence2", least_defence, 20),
        row.integer("ma2", 0, 20),
        row.integer("av2", 0, 20),
    )
    return (reduced, full)
