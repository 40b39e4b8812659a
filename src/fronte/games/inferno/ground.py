"""The board: what is printed in each hex and on each hexside, with everything terrain decides once and for all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from fronte.engine.pack import Pack, Row
from fronte.games.common.boards import read_hexes, read_hexsides
from fronte.games.inferno.counters import AH, ITALIAN, SIDES
from fronte.hexes import Spread, mask_of

DRY, STREAM, RIVER, ISONZO = range(4)
WATERS = ("", "stream", "river", "isonzo")
SOURCES = ("printed", "reconstructed")
REMEMBERED = 500
"""For how many sets of hexes it is remembered what lies beside them."""


class Hexside(NamedTuple):
    """A hexside with something on it."""

    a: int
    b: int
    water: int
    road: bool
    trail: bool
    railway: bool
    bridge_hex: int
    """The hex whose bridges fall together (14.4.e); -1 where there is no bridge."""
    destroyed: bool
    link: int
    """6.3.1: the side whose trench runs across; -1 for none."""
    crag: bool
    """A hexside that nothing crosses."""
    name: str

    @property
    def has_route(self) -> bool:
        """11.2: does a road, trail or railway cross it?"""
        return self.road or self.trail or self.railway


class Edge(NamedTuple):
    """A step from a hex to a neighbour, as terrain prices it (in sixths of a movement point)."""

    to: int
    side: int
    """The hexside's number, -1 if nothing is on it."""
    water: int
    ground: int
    """Cost off road: terrain of the hex entered and the surcharge of an ordinary river or stream."""
    route: int
    """Cost along the best road, trail or railway; 0 if there is none."""
    road: bool
    bridge: int
    """The bridge's number, -1 for none."""
    plain: int
    """What the step costs where nothing but the ground counts (`movement.open_ground`); 0 where a bridge or a crossing
    of the Isonzo does."""


class Board(ABC):
    """A map with its hexes, hexsides and everything that terrain fixes for good. Each game has its own columns."""

    terrains: ClassVar[Mapping[str, tuple[int, int]]]
    """The kinds of terrain with their lowest and highest level."""
    hex_columns: ClassVar[Sequence[str]]
    side_columns: ClassVar[Sequence[str]]
    marks: ClassVar[Mapping[str, str]] = {}
    """Columns of hexes that are 1 or empty, and the masks they fill."""
    owners: ClassVar[Mapping[str, str]] = {}
    """Columns of hexes that name a side, and the masks by side they fill."""

    def __init__(self, pack: Pack, tec: Mapping[str, Any]) -> None:
        self.grid, rows = read_hexes(pack, self.hex_columns)
        self.tec = tec
        self._read_hexes(rows)
        self._read_sides(read_hexsides(pack, self.side_columns, self.grid))
        self._prepare()

    # Reading

    def _read_hexes(self, rows: Sequence[Row]) -> None:
        size = self.grid.size
        self.terrain = [""] * size
        self.level = [0] * size
        self.name = [""] * size
        self.local_name = [""] * size
        self.peaks = self.settlements = self.streams = 0
        for attribute in self.marks.values():
            setattr(self, attribute, 0)
        self.trench = [0, 0]
        self.flags = [0, 0]
        self.control = [0, 0]
        for row in rows:
            self._read_hex(row, self.grid.index[row["hex"]])

    def _read_hex(self, row: Row, h: int) -> None:
        bit = 1 << h
        terrain = row.one_of("terrain", tuple(self.terrains))
        low, high = self.terrains[terrain]
        self.terrain[h] = terrain
        self.level[h] = row.integer("level", low, high, low if low == high else None)
        self.name[h], self.local_name[h] = row["name"], row["local_name"]
        for column, attribute in self.marks.items():
            if row.flag(column):
                setattr(self, attribute, getattr(self, attribute) | bit)
        for column, attribute in self.owners.items():
            owner = row.one_of(column, SIDES, empty=True)
            if owner:
                getattr(self, attribute)[SIDES.index(owner)] |= bit
        self.control[SIDES.index(row.one_of("control", SIDES))] |= bit
        row.one_of("source", SOURCES)

    def _read_sides(self, rows: Iterable[tuple[Row, int, int]]) -> None:
        self.sides: list[Hexside] = []
        self.side_at: dict[tuple[int, int], int] = {}
        for row, a, b in rows:
            side = self._side(row, a, b)
            row.one_of("source", SOURCES)
            self.side_at[side.a, side.b] = self.side_at[side.b, side.a] = len(self.sides)
            self.sides.append(side)
        self.bridges: list[int] = [n for n, side in enumerate(self.sides) if side.bridge_hex >= 0]
        """The hexsides that carry a bridge, in order; a bridge's number is its place here."""
        self.bridge_at = {side: number for number, side in enumerate(self.bridges)}
        self.ends = [(1 << side.a, 1 << side.b) for side in self.sides]
        """For each hexside the two hexes it parts, as masks."""

    @abstractmethod
    def _side(self, row: Row, a: int, b: int) -> Hexside:
        """What a line says of a hexside."""

    # What follows from the terrain alone

    def _prepare(self) -> None:
        grid = self.grid
        mp = {terrain: int(self.tec[terrain]["mp"]) for terrain in self.terrains}
        self.stacking = [int(self.tec[terrain]["stack"]) for terrain in self.terrain]
        """5.1: the stacking limit of each hex in steps."""
        self.edges: list[tuple[Edge, ...]] = [
            tuple(self._edge(a, b, mp) for b in grid.adjacent[a] if not self.has_crag(a, b)) for a in range(grid.size)
        ]
        """For each hex the steps that lead out of it; nothing crosses a crag."""
        self.land = [tuple(edge for edge in edges if edge.water != ISONZO) for edges in self.edges]
        self.across = [tuple(edge for edge in edges if edge.water == ISONZO) for edges in self.edges]
        """For each hex the steps that do not, and that do, lead across the Isonzo."""
        self.edge_to: list[dict[int, Edge]] = [{edge.to: edge for edge in edges} for edges in self.edges]
        self.zoc_from = [[self._zoc(h, side) for h in range(grid.size)] for side in (ITALIAN, AH)]
        """6.1: for each side and hex, the neighbours that a zone of control reaches from there."""
        self.linked = [self._linked(h) for h in range(grid.size)]
        """6.3.1: for each trench hex, the connected trench hexes whose zone of control reaches it."""
        self.dry = [_mask(edge for edge in edges if edge.water not in (RIVER, ISONZO)) for edges in self.edges]
        """For each hex the neighbours that no river parts from it."""
        self.wet = [tuple(edge for edge in edges if edge.water in (RIVER, ISONZO)) for edges in self.edges]
        self.routes = [_mask(edge for edge in edges if edge.route and edge.bridge < 0) for edges in self.edges]
        """For each hex the neighbours that a road, trail or railway without a bridge leads to."""
        self.route_bridges = [tuple(edge for edge in edges if edge.route and edge.bridge >= 0) for edges in self.edges]
        self.around = Spread(grid.ring)
        self.over_dry, self.over_wet = Spread(self.dry), Spread([_mask(edges) for edges in self.wet])
        self.behind_crags = [mask_of(b for b in grid.adjacent[a] if self.has_crag(a, b)) for a in range(grid.size)]
        self.over_crags = Spread(self.behind_crags)
        self.along_routes = Spread(self.routes)
        self.zone = [Spread(self.zoc_from[side]) for side in (ITALIAN, AH)]
        """The same for many hexes at once: neighbours over dry or wet hexsides, over crags, along routes, in zones."""
        self.with_water = mask_of(h for h in range(grid.size) if self.wet[h])
        self.on_routes = mask_of(h for h in range(grid.size) if any(edge.route for edge in self.edges[h]))
        self.on_routes |= self.flags[ITALIAN] | self.flags[AH]
        """11.2: the hexes on which it depends what is joined to a flag."""
        self._beside: dict[int, int] = {}
        self._far: dict[int, tuple[int, ...]] = {}
        self._no_farther: dict[tuple[int, int], int] = {}
        self._nearer: dict[tuple[int, int], int] = {}

    def has_crag(self, a: int, b: int) -> bool:
        """Does a crag part these hexes?"""
        number = self.side_at.get((a, b), -1)
        return number >= 0 and self.sides[number].crag

    def _edge(self, a: int, b: int, mp: Mapping[str, int]) -> Edge:
        number = self.side_at.get((a, b), -1)
        ground = mp[self.terrain[b]]
        if number < 0:
            return Edge(b, -1, DRY, ground, 0, False, -1, ground)
        side = self.sides[number]
        if side.water in (STREAM, RIVER):
            ground += int(self.tec[WATERS[side.water]]["mp"])
        rates = [int(self.tec[kind]["mp"]) for kind in ("road", "trail", "railway") if getattr(side, kind)]
        route, bridge = min(rates, default=0), self.bridge_at.get(number, -1)
        plain = (route or ground) if bridge < 0 and side.water != ISONZO else 0
        return Edge(b, number, side.water, ground, route, side.road, bridge, plain)

    def _zoc(self, h: int, side: int) -> int:
        """6.1.a, 6.1.b: not across rivers, not into trenches of the other side."""
        reached = 0
        for edge in self.edges[h]:
            if edge.water not in (RIVER, ISONZO):
                reached |= 1 << edge.to
        return reached & ~self.trench[1 - side]

    def _linked(self, h: int) -> int:
        connected = 0
        for edge in self.edges[h]:
            if edge.side >= 0 and self.sides[edge.side].link >= 0:
                owner = self.sides[edge.side].link
                if self.zoc_from[owner][edge.to] >> h & 1:
                    connected |= 1 << edge.to
        return connected

    def beside(self, hexes: int) -> int:
        """What `around` gives, remembered: where enemies stand is asked of several times in every move."""
        found = self._beside.get(hexes)
        if found is None:
            if len(self._beside) >= REMEMBERED:
                self._beside.clear()
            found = self._beside[hexes] = self.around(hexes)
        return found

    def distances(self, source: int) -> tuple[int, ...]:
        """The distance in hexes from every hex to this one."""
        found = self._far.get(source)
        if found is None:
            found = tuple(self.grid.distance(h, source) for h in range(self.grid.size))
            self._far[source] = found
        return found

    def no_farther_from(self, there: int, here: int) -> int:
        """The hexes to which it is no farther from there than from here."""
        found = self._no_farther.get((there, here))
        if found is None:
            pairs = zip(reversed(self.distances(there)), reversed(self.distances(here)), strict=True)
            found = int("".join(["1" if far <= before else "0" for far, before in pairs]), 2)
            self._no_farther[there, here] = found
        return found

    def nearer_from(self, there: int, here: int) -> int:
        """The hexes to which it is nearer from there than from here."""
        found = self._nearer.get((there, here))
        if found is None:
            found = self._nearer[there, here] = self.grid.everything & ~self.no_farther_from(here, there)
        return found

    def hexside_name(self, number: int) -> str:
        """A hexside as people write it: 1912/1913."""
        side = self.sides[number]
        return f"{self.grid.ids[side.a]}/{self.grid.ids[side.b]}"

    def hexside(self, name: str) -> int:
        """The number of a hexside written as 1912/1913, in either order; -1 if nothing is there."""
        ends = [self.grid.index.get(part, -1) for part in name.split("/")]
        return self.side_at.get((ends[0], ends[1]), -1) if len(ends) == 2 else -1


def _mask(edges: Iterable[Edge]) -> int:
    return mask_of(edge.to for edge in edges)
