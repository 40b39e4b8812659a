"""The board of Altipiani: heights, crags, towns and the friendly edges of both sides."""

from __future__ import annotations

from collections.abc import Sequence

from fronte.engine.pack import Row
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.ground import DRY, STREAM, Board, Hexside
from fronte.hexes import bits, mask_of

HEIGHTS = (0, 9)


class AltipianiBoard(Board):
    """A board of Inferno sugli Altipiani."""

    terrains = {"clear": HEIGHTS, "low_mountain": HEIGHTS, "high_mountain": HEIGHTS}
    hex_columns = (
        *("hex", "terrain", "level", "peak", "settlement", "mark", "name", "local_name", "fort", "fort_side"),
        *("control", "edge", "flag", "vp", "source"),
    )
    side_columns = ("a", "b", "water", "crag", "road", "railway", "bridge", "name", "source")
    marks = {"peak": "peaks"}
    owners = {"flag": "flags", "edge": "home"}

    def _read_hexes(self, rows: Sequence[Row]) -> None:
        self.home = [0, 0]
        """13.0.a, 13.0.b: the friendly map edge of each side."""
        self.towns = self.small_towns = 0
        self.vp: dict[int, int] = {}
        """14.0.b: what hexes are worth as printed, where a number is."""
        super()._read_hexes(rows)

    def _prepare(self) -> None:
        super()._prepare()
        self.overlooks = [
            [{edge.to: self._overlooking(side, h, edge.to) for edge in self.edges[h]} for h in range(self.grid.size)]
            for side in (ITALIAN, AH)
        ]
        """6.4: for each side and each step, the higher hexes whose zone for that side has both ends of the step."""

    def _overlooking(self, side: int, a: int, b: int) -> int:
        zone, height = self.zoc_from[side], max(self.level[a], self.level[b])
        both = bits(self.grid.ring[a] & self.grid.ring[b])
        return mask_of(h for h in both if zone[h] >> a & 1 and zone[h] >> b & 1 and self.level[h] > height)

    def _read_hex(self, row: Row, h: int) -> None:
        super()._read_hex(row, h)
        kind = row.one_of("settlement", ("small_town", "town"), empty=True)
        if kind:
            self.settlements |= 1 << h
        self.towns |= (kind == "town") << h
        self.small_towns |= (kind == "small_town") << h
        worth = row.integer("vp", 0, 20, 0)
        if worth:
            self.vp[h] = worth

    def _side(self, row: Row, a: int, b: int) -> Hexside:
        """9.2.3: stream, minor river and river are one thing here; railways carry nobody (table.tec)."""
        water = STREAM if row.one_of("water", ("stream", "river"), empty=True) else DRY
        bridge = row.flag("bridge")
        if bridge and not water:
            raise row.error("a bridge needs water under it")
        return Hexside(
            a=a,
            b=b,
            water=water,
            road=row.flag("road"),
            trail=False,
            railway=False,
            bridge_hex=a if bridge else -1,
            destroyed=False,
            link=-1,
            crag=row.flag("crag"),
            name=row["name"],
        )
