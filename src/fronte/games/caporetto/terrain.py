"""2.1: the map. What is printed in each hex and on each hexside, and what terrain fixes once and for all."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from fronte.engine.pack import Pack, PackError, Row
from fronte.games.common.boards import read_hexes, read_hexsides
from fronte.games.common.memory import Memory
from fronte.hexes import Sight, Spread, bits, mask_of
from fronte.hexes.grid import DIRECTIONS
from fronte.hexes.line import MIDDLES, Point

BOARD = "board.toml"

SIDES = ("ahg", "italian")
AHG, ITALIAN = range(2)
TERRAINS = ("clear", "woods", "high_mountain")
SETTLEMENTS = ("town", "village", "locality")
LEFT, RIGHT, COMMON = SECTORS = ("left", "right", "common")
RIVER, ISONZO = WATERS = ("river", "isonzo")
BRIDGE, FOOTBRIDGE = BRIDGES = ("bridge", "footbridge")
ROUTES = ("road", "railway", "trail")
"""10.0.4: what a road is, the best first."""
SOURCES = ("printed", "reconstructed")
HIGHEST = 8
HEX_COLUMNS = [
    *("hex", "terrain", "level", "peak", "settlement", "mark", "name", "local_name", "stream", "trench"),
    *("trench_level", "control", "control27", "sector", "out_of_play", "scenario3", "scenario4", "edge"),
    *("flag", "flag3", "flag4", "exit", "depot", "vp", "source"),
]
SIDE_COLUMNS = [
    *("a", "b", "water", "stream", "cliff", "crest", "road", "trail", "railway", "bridge", "blown", "charged"),
    *("trench_link", "side_trench", "side_trench_level", "side_trench_hex", "name", "source"),
]
BATTLE, CIVIDALE, MAGGIORE = (1, 2), 3, 4
"""24 to 27: the scenarios of 24 October, and the two of the 27th."""


class Bridge(NamedTuple):
    """19.1.2: a bridge over a river; its number is its place in `Ground.bridges`."""

    a: int
    b: int
    isonzo: bool
    foot: bool
    """A footbridge: for no gun, and for no road of a supply line."""
    charged: bool
    """19.2.1: a die is thrown when the first unit of the AHG comes to it."""
    name: str
    """The river."""


class SideTrench(NamedTuple):
    """17.9: a trench along a hexside; its number is its place in `Ground.side_trenches`."""

    hex: int
    """The hex that it protects,"""
    against: int
    """and where an attack must come from."""
    owner: int
    level: int


class Ground:
    """The board as one of the four scenarios uses it. Ways are numbered `hex * 6 + direction`."""

    def __init__(self, pack: Pack, scenario: int) -> None:
        self.grid, rows = read_hexes(pack, HEX_COLUMNS)
        self.scenario = scenario
        self._read_places(rows)
        self._read_areas(rows)
        self._read_drawings(pack)
        self._read_sides(pack)
        self._prepare()

    # Reading

    def _read_places(self, rows: Sequence[Row]) -> None:
        """2.1.e1, 10.0.8, 12.1.1: terrain, level, places."""
        size = self.grid.size
        self.terrain = [""] * size
        self.level = [0] * size
        self.name, self.local_name = [""] * size, [""] * size
        self.stream = [""] * size
        """10.0.10: the name of the stream in each hex."""
        self.points: dict[int, int] = {}
        """23.1: what hexes are worth."""
        masks = dict.fromkeys((*TERRAINS, *SETTLEMENTS, "peak"), 0)
        for row in rows:
            h = self.grid.index[row["hex"]]
            terrain = self.terrain[h] = row.one_of("terrain", TERRAINS)
            self.level[h] = row.integer("level", 1, HIGHEST)
            self.name[h], self.local_name[h], self.stream[h] = row["name"], row["local_name"], row["stream"]
            if row["vp"]:
                self.points[h] = row.integer("vp", 1, 99)
            settlement = row.one_of("settlement", SETTLEMENTS, empty=True)
            for word in (terrain, settlement, "peak" if row.flag("peak") else ""):
                if word:
                    masks[word] |= 1 << h
            row.one_of("source", SOURCES)
        self.woods, self.high, self.towns, self.villages, self.peaks = (
            masks[word] for word in ("woods", "high_mountain", "town", "village", "peak")
        )
        self.at_level = [mask_of(h for h in range(size) if self.level[h] == n) for n in range(HIGHEST + 1)]
        """8.1: the hexes of each level; the lowest have fog, High Mountain has blizzards."""
        self.observers = masks["town"] | masks["village"] | masks["locality"] | masks["peak"]
        """12.1.1: towns, villages, localities and mountain tops, from which one observes."""

    def _read_drawings(self, pack: Pack) -> None:
        """12.1.1.e1: `[sight]` of the board: of places and summits that are not drawn in the middle of their hexes, to
        the middles of which hexsides they reach, numbered as the die of 12.1.5.6 counts them."""
        self.drawn: dict[int, tuple[Point, ...]] = {}
        for name, sides in pack.toml(BOARD).get("sight", {}).items():
            h = self.grid.index.get(name, -1)
            if h < 0 or not self.observers >> h & 1:
                raise PackError(BOARD, None, f"[sight] {name}: there is no place or mountain top (12.1.1)")
            if not isinstance(sides, list) or not set(sides) <= set(range(1, DIRECTIONS + 1)):
                raise PackError(BOARD, None, f"[sight] {name}: hexsides are numbered 1 to {DIRECTIONS}")
            self.drawn[h] = tuple([MIDDLES[side - 1] for side in sides])

    def _read_areas(self, rows: Sequence[Row]) -> None:
        """9.2.3, 21.7, 21.9, 24.3, 24.14, 26.2, 27.2: whose hexes are which, and who may be where."""
        scenario = self.scenario
        later = scenario not in BATTLE
        self.extent = self.left_bank = self.exits = 0
        self.sector = dict.fromkeys(SECTORS, 0)
        self.held, self.sources, self.trench = [0, 0], [0, 0], [0, 0]
        self.trench_level = [0] * self.grid.size
        self.depots: dict[int, str] = {}
        """24.14: the supply centres, with the Italian wing that loses by them."""
        for row in rows:
            h = self.grid.index[row["hex"]]
            bit = 1 << h
            if row.flag("out_of_play"):
                self.left_bank |= bit
            elif not later or row.flag(f"scenario{scenario}"):
                self.extent |= bit
            self.exits |= bit * row.flag("exit")
            self.sector[row.one_of("sector", SECTORS)] |= bit
            self.held[SIDES.index(row.one_of("control27" if later else "control", SIDES))] |= bit
            for column, masks in ((f"flag{scenario}" if later else "flag", self.sources), ("trench", self.trench)):
                owner = row.one_of(column, SIDES, empty=True)
                if owner:
                    masks[SIDES.index(owner)] |= bit
            self.trench_level[h] = row.integer("trench_level", 1, 2, 0)
            if bool(row["trench"]) != bool(self.trench_level[h]):
                raise row.error("trench and trench_level must stand together (17.8)")
            depot = row.one_of("depot", (LEFT, RIGHT), empty=True)
            if depot:
                self.depots[h] = depot
        self.inside = {wing: self.extent & (self.sector[wing] | self.sector[COMMON]) for wing in (LEFT, RIGHT)}
        """24.3: for each wing of scenario 1 the hexes of its sector and those of both."""

    def _read_sides(self, pack: Pack) -> None:
        ways = self.grid.size * DIRECTIONS
        self.water, self.route, self.stream_along = [""] * ways, [""] * ways, [""] * ways
        """By way: river or Isonzo across it; road, railway or trail along it; the stream along it (10.0.10)."""
        self.cliff, self.crest = [False] * ways, [False] * ways
        """10.0.9; 10.0.8: by way, a hexside higher than the hexes on both sides of it."""
        self.link = [-1] * ways
        """17.7: by way, the side whose trenches are connected along it; across a river none are."""
        self.bridge = [-1] * ways
        """19.1.2: by way, the number of the bridge on it."""
        self.bridges: list[Bridge] = []
        self.blown = 0
        """24.8, 25.8: the bridges that are down when the scenario begins, by their numbers."""
        self.side_trenches: list[SideTrench] = []
        for row, a, b in read_hexsides(pack, SIDE_COLUMNS, self.grid):
            route = next((kind for kind in ROUTES if row.flag(kind)), "")
            link = row.one_of("trench_link", SIDES, empty=True)
            for way in (self.way(a, b), self.way(b, a)):
                self.water[way], self.route[way] = row.one_of("water", WATERS, empty=True), route
                self.cliff[way], self.crest[way] = row.flag("cliff"), row.flag("crest")
                self.stream_along[way] = row["stream"]
                self.link[way] = SIDES.index(link) if link and not row["water"] else -1
            self._read_bridge(row, a, b)
            self._read_side_trench(row, a, b)
            row.one_of("source", SOURCES)

    def _read_bridge(self, row: Row, a: int, b: int) -> None:
        kind = row.one_of("bridge", BRIDGES, empty=True)
        wanted = bool(row["water"]) and bool(self.route[self.way(a, b)])
        if bool(kind) != wanted:
            raise row.error("wherever a road crosses a river, and nowhere else, there is a bridge (19.1.2)")
        if kind == FOOTBRIDGE and row["water"] != ISONZO:
            raise row.error("only the Isonzo has footbridges (19.1.2)")
        if not kind:
            return
        number = len(self.bridges)
        self.bridge[self.way(a, b)] = self.bridge[self.way(b, a)] = number
        isonzo, foot = row["water"] == ISONZO, kind == FOOTBRIDGE
        self.bridges.append(Bridge(a, b, isonzo, foot, row.flag("charged"), row["name"]))
        if str(self.scenario) in row["blown"].split():
            self.blown |= 1 << number

    def _read_side_trench(self, row: Row, a: int, b: int) -> None:
        owner = row.one_of("side_trench", SIDES, empty=True)
        if not owner:
            return
        ends = {row["a"]: (a, b), row["b"]: (b, a)}
        if row["side_trench_hex"] not in ends:
            raise row.error(f"side_trench_hex is {row['side_trench_hex']!r}, not one of the two hexes")
        level = row.integer("side_trench_level", 1, 2)
        self.side_trenches.append(SideTrench(*ends[row["side_trench_hex"]], SIDES.index(owner), level))

    # What follows

    def _prepare(self) -> None:
        water, cliff = self.water, self.cliff
        self.along_routes = self._spread(lambda way, _: bool(self.route[way]) and self.bridge[way] < 0)
        """9.2: one step along roads, trails and railways, bridges apart."""
        self.over_ground = self._spread(lambda way, _: water[way] != ISONZO and not cliff[way])
        """19.1, ours for supply: one step off the roads of whoever walks, over no cliff and no bridge of the Isonzo."""
        self.over_cliffs = self._spread(lambda way, _: cliff[way])
        """9.2.2: one step across a cliff."""
        self.deep = mask_of(h for h in range(self.grid.size) if self.trench_level[h] > 1)
        """17.8: the hexes whose trench can lose a level."""
        self.roads = mask_of(way // DIRECTIONS for way, route in enumerate(self.route) if route)
        """10.0.4: the hexes with any road."""
        self.bridged = mask_of(h for bridge in self.bridges for h in (bridge.a, bridge.b))
        """The hexes at both ends of bridges."""
        self.banks = mask_of(way // DIRECTIONS for way, river in enumerate(water) if river)
        """19.3: the hexes beside rivers, where bridges could be."""
        self.all_bridges = (1 << len(self.bridges)) - 1
        self.around = Spread(self.grid.ring)
        """All hexes next to some, whatever lies between."""
        doors = {(trench.hex, trench.against) for trench in self.side_trenches}
        doors |= {(there, here) for here, there in doors}
        self.closed_to = [self.towns | self.woods | self.trench[1 - side] for side in range(2)]
        """3.0: for each side the hexes into which its zones never reach."""
        self.zone = [self._zones(side, doors) for side in range(2)]
        """3.0: for each side one step of its zones, bridges and hexsides with trenches apart."""
        self.road_bridges = mask_of(number for number, bridge in enumerate(self.bridges) if not bridge.foot)
        self.isonzo_bridges = mask_of(number for number, bridge in enumerate(self.bridges) if bridge.isonzo)
        """9.2.1: bridges that carry a road for supply, and those over the Isonzo, by their numbers."""
        self.charged = mask_of(number for number, bridge in enumerate(self.bridges) if bridge.charged)
        """19.2.1,"""
        self.outside = self.grid.everything & ~self.extent
        """What is out of play."""
        self.charged_ends = mask_of(h for bridge in self.bridges if bridge.charged for h in (bridge.a, bridge.b))
        """and the hexes at both ends of these."""
        self.side_levels = tuple([one.level for one in self.side_trenches])
        """17.9: the printed levels of the trenches along hexsides, by their numbers,"""
        self.trenches_along: dict[tuple[int, int], tuple[int, ...]] = {}
        """by hex and owner those along its hexsides,"""
        for number, one in enumerate(self.side_trenches):
            key = one.hex, one.owner
            self.trenches_along[key] = (*self.trenches_along.get(key, ()), number)
        self.trench_towards = {
            (one.hex, one.against, one.owner): number for number, one in reversed([*enumerate(self.side_trenches)])
        }
        """and by the hexes on both sides and owner that of one hexside."""
        self.supplied: Memory[Hashable, int] = Memory()
        """9.2: what was last found of supply lines (`supply`),"""
        self.junctions: Memory[Hashable, int] = Memory()
        """of where they come to the roads,"""
        self._over: Memory[Hashable, Spread] = Memory()
        """and one step over the bridges that stood then."""

    def over_roads(self, standing: int) -> Spread:
        """9.2.1, 19.2.2: one step along roads, over bridges that stand but no footbridge."""
        carrying = standing & self.road_bridges
        found = self._over.get(carrying)
        if found is None:
            found = self._over.keep(carrying, self.along_routes.joined(self._ends(carrying)))
        return found

    def on_foot(self, standing: int, built: tuple[tuple[int, int], ...]) -> Spread:
        """19.1, 21.1: one step off the roads, over the Isonzo on any bridge that stands, new ones and footbridges among
        them; over no cliff."""
        key = standing & self.isonzo_bridges, built
        found = self._over.get(key)
        if found is None:
            found = self._over.keep(key, self.over_ground.joined([*self._ends(key[0]), *built]))
        return found

    def zones(self, side: int, standing: int, levelled: int, built: tuple[tuple[int, int], ...] = ()) -> Spread:
        """3.0, 17.8: one step of the zones of a side, over bridges that stand or were made in play (`built`) and past
        trenches along hexsides that are its own or destroyed (`levelled`); what leads to hexes in which it has none
        (`closed_to`) is for who asks."""
        key = side, standing, levelled, built
        found = self._over.get(key)
        if found is None:
            found = self._over.keep(key, self.zone[side].joined(self._doors(side, standing, levelled, built)))
        return found

    def _ends(self, bridges: int) -> list[tuple[int, int]]:
        return [(self.bridges[number].a, self.bridges[number].b) for number in bits(bridges)]

    def _doors(
        self, side: int, standing: int, levelled: int, built: Sequence[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """The hexsides with a bridge or a trench of their own that zones of a side cross."""
        walls, found = set(), []
        for number, (here, there, owner, _) in enumerate(self.side_trenches):
            way = self.way(here, there)
            if owner != side and not levelled >> number & 1:
                walls |= {way, self.way(there, here)}
            elif not self.water[way] and not self.cliff[way]:
                found.append((here, there))
        return found + [(a, b) for a, b in [*self._ends(standing), *built] if self.way(a, b) not in walls]

    def _zones(self, side: int, doors: Container[tuple[int, int]]) -> Spread:
        def passes(way: int, there: int) -> bool:
            if self.water[way] or self.cliff[way] or (way // DIRECTIONS, there) in doors:
                return False
            return not self.closed_to[side] >> there & 1

        return self._spread(passes)

    def _spread(self, passes: Callable[[int, int], bool]) -> Spread:
        """One step within the scenario's area along the ways that pass."""
        extent = self.extent
        pairs = (
            (h, there)
            for h in bits(extent)
            for way, there in self.ways_from(h)
            if extent >> there & 1 and passes(way, there)
        )
        return Spread.of(pairs)

    @cached_property
    def sight(self) -> Sight:
        """12.1.1.1, 12.1.1.3, 12.1.1.e1: lines of sight, from the centre or from where a place or summit is drawn; a
        crest is one level above the hexes beside it (10.0.8)."""
        screens = self.woods | self.towns
        return Sight(self.grid, heights=self.level, screens=screens, crests=self._crests(), starts=self.drawn)

    @cached_property
    def direct(self) -> Sight:
        """12.1: the straight lines of direct fire, which only higher ground bars, a crest among it (10.0.8)."""
        return Sight(self.grid, heights=self.level, crests=self._crests())

    def _crests(self) -> dict[tuple[int, int], int]:
        """10.0.8: the height of each hexside that is above both its hexes."""
        return {
            (h, there): 1 + max(self.level[h], self.level[there])
            for h in range(self.grid.size)
            for way, there in self.ways_from(h)
            if self.crest[way] and h < there
        }

    def way(self, a: int, b: int) -> int:
        """The number of the way from a hex to its neighbour."""
        return a * DIRECTIONS + self.grid.neighbours[a].index(b)

    def ways_from(self, h: int) -> Iterator[tuple[int, int]]:
        """The ways out of a hex and where they lead."""
        return ((h * DIRECTIONS + d, there) for d, there in enumerate(self.grid.neighbours[h]) if there >= 0)
