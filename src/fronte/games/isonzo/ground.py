"""The board of Isonzo: trenches, the river, the Bainsizza beyond the Italian lines, and what is printed where."""

from __future__ import annotations

from fronte.engine.pack import Row
from fronte.games.inferno.counters import SIDES
from fronte.games.inferno.ground import WATERS, Board, Hexside


class IsonzoBoard(Board):
    """A board of Inferno sull'Isonzo."""

    terrains = {"clear": (0, 0), "swamp": (0, 0), "hill": (1, 8), "low_mountain": (9, 10)}
    hex_columns = (
        *("hex", "terrain", "level", "peak", "settlement", "name", "local_name", "trench", "stream_hex"),
        *("control", "east", "beyond", "flag", "gorizia", "source"),
    )
    side_columns = (
        *("a", "b", "water", "road", "trail", "railway", "bridge_hex", "destroyed", "trench_link", "name", "source"),
    )
    marks = {
        "peak": "peaks",
        "settlement": "settlements",
        "stream_hex": "streams",
        "east": "east",
        "beyond": "beyond",
        "gorizia": "gorizia",
    }
    owners = {"trench": "trench", "flag": "flags"}

    east: int
    """12.3.1.b: hexes east of the Isonzo."""
    beyond: int
    """14.3.1: hexes on the A-H side of the Italian trenches."""
    gorizia: int
    """15.e: the hexes of Gorizia."""

    def _side(self, row: Row, a: int, b: int) -> Hexside:
        water = WATERS.index(row.one_of("water", WATERS[1:], empty=True))
        bridge = row["bridge_hex"]
        if bridge and bridge not in (row["a"], row["b"]):
            raise row.error(f"bridge_hex {bridge} is not an end of the hexside")
        if bridge and not (water and (row["road"] or row["trail"] or row["railway"])):
            raise row.error("a bridge needs water and a road, trail or railway over it (14.4.a)")
        if not bridge and water and (row["road"] or row["railway"]):
            raise row.error("a road or railway crosses water here without a bridge (14.4.a)")
        link = row.one_of("trench_link", SIDES, empty=True)
        return Hexside(
            a=a,
            b=b,
            water=water,
            road=row.flag("road"),
            trail=row.flag("trail"),
            railway=row.flag("railway"),
            bridge_hex=self.grid.index[bridge] if bridge else -1,
            destroyed=row.flag("destroyed"),
            link=SIDES.index(link) if link else -1,
            crag=False,
            name=row["name"],
        )
