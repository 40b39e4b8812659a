"""14: terrain. What hexes and hexsides do to who crosses them, to zones, fronts and sight; worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fronte.engine.pack import Pack, reading, table
from fronte.games.common.boards import read_hexes, read_hexsides
from fronte.games.volturno.counters import CAVALRY_FOOT, FOOT, GUNS_FOOT, HALVES, INFANTRY_FOOT, LEADER_FOOT
from fronte.hexes import mask_of
from fronte.hexes.facing import Facing
from fronte.hexes.grid import DIRECTIONS, OFF_MAP
from fronte.hexes.sight import Sight

TERRAINS = ("clear", "woods", "farm", "village", "city")
HEX_COLUMNS = [
    "hex",
    "terrain",
    "level",
    "peak",
    "settlement",
    "mark",
    "name",
    "local_name",
    "capua",
    "station",
    "bank",
    "short",
    "objective",
    "vp",
    "source",
]
SIDE_COLUMNS = [
    "a",
    "b",
    "water",
    "slope",
    "up",
    "road",
    "path",
    "railway",
    "bridge",
    "ferry",
    "aqueduct",
    "name",
    "source",
]
CLOSED = 0
"""In place of a cost: the way is closed."""
FARTHER = 255
"""In place of a cost: more than anybody has."""
REMEMBERED = 512
"""Of so many goals it is remembered what it costs to come there."""
RIVER, STREAM = "river", "stream"
FOLLOWS_ROADS = (INFANTRY_FOOT + 1, CAVALRY_FOOT + 1, GUNS_FOOT, LEADER_FOOT)
"""8.3, 8.4.p3, 8.5: the columns of the chart of those who pay road rates: in column, limbered, commanders."""


class Ground:
    """The board: 1.3, 14 and what other chapters ask of it. Ways are numbered `hex * 6 + direction`."""

    def __init__(self, pack: Pack, options: Mapping[str, Any], columns: tuple[int, int]) -> None:
        self.grid, rows = read_hexes(pack, HEX_COLUMNS)
        size = self.grid.size
        self.terrain = [""] * size
        self.level = [0] * size
        self.place_name = [""] * size
        self.bank = [""] * size
        capua, stations = [], []
        for row in rows:
            h = self.grid.index[row["hex"]]
            self.terrain[h] = row.one_of("terrain", TERRAINS)
            self.level[h] = row.integer("level", 0, 20, 0)
            self.place_name[h] = row["name"]
            self.bank[h] = row.one_of("bank", ("north", "south"), empty=True)
            if row.flag("capua"):
                capua.append(h)
            if row["station"]:
                stations.append(h)
        self.capua, self.stations = mask_of(capua), mask_of(stations)
        self.extent = mask_of(h for h in range(size) if columns[0] <= self.grid.column[h] <= columns[1])
        """16.1.2, gap.map-edge: the hexes in play."""
        self.built_up = self._of("farm", "village", "city")
        """14.2."""
        self.facings = Facing(self.grid, all_round=self._of("farm", "village", *(["city"] if _city(options) else [])))
        closed = self._of("woods", "village", *(["city"] if _city(options) else []))
        if not options["zor_into_farm"]:
            closed |= self._of("farm")
        self._read_sides(pack)
        self.zone = self._zones(self.extent & ~closed, bool(options["zor_blocked_by_volturno"]))
        """3: for each hex the mask of the hexes into which the zone of a unit there reaches."""
        blocking = ["village", "farm"]
        blocking += ["woods"] if options["los_woods"] == "block" else []
        blocking += ["city"] if options["city_as_village"] == "every-rule" else []
        heights = self.level if options["los_elevation"] == "higher-than-both" else None
        self.sight = Sight(self.grid, obstacles=self._of(*blocking), heights=heights)
        """9.4.4."""
        self._price(pack.toml("tables.toml"))
        self._trace(options["road_command_cost"] == "any-road-hex")
        self.command_ends = self._waterside() if options["river_geometry"] == "in-hex" else 0
        """5.2.2: by option the hexes beside water without a bridge, through which no command is traced."""

    def _of(self, *terrains: str) -> int:
        return mask_of(h for h, terrain in enumerate(self.terrain) if terrain in terrains)

    def _read_sides(self, pack: Pack) -> None:
        ways = self.grid.size * DIRECTIONS
        self.water = [""] * ways
        """14.1: river or stream across this way."""
        self.bridge = [False] * ways
        self.road = [""] * ways
        """14.3: road or path along this way."""
        self.rail = [False] * ways
        self.along_rails: list[tuple[int, ...]] = []
        """15.5.p2: for each hex those to which the line goes on."""
        self.slope = [""] * ways
        """14.p2: gentle or steep, with `_up` or `_down` as one goes this way."""
        for row, a, b in read_hexsides(pack, SIDE_COLUMNS, self.grid):
            water = row.one_of("water", (RIVER, STREAM), empty=True)
            slope = row.one_of("slope", ("gentle", "steep"), empty=True)
            if slope and row["up"] not in (row["a"], row["b"]):
                raise row.error(f"up is {row['up']!r}, not one of the two hexes")
            road = "road" if row.flag("road") else "path" if row.flag("path") else ""
            for here, there in ((a, b), (b, a)):
                way = self.way(here, there)
                self.water[way], self.bridge[way], self.road[way] = water, row.flag("bridge"), road
                self.rail[way] = row.flag("railway")
                if slope:
                    self.slope[way] = f"{slope}_{'up' if row['up'] == self.grid.ids[there] else 'down'}"
        for h, six in enumerate(self.grid.neighbours):
            self.along_rails.append(tuple(o for d, o in enumerate(six) if o >= 0 and self.rail[h * DIRECTIONS + d]))

    def way(self, a: int, b: int) -> int:
        """The number of the way from a hex to its neighbour."""
        return a * DIRECTIONS + self.grid.neighbours[a].index(b)

    def _zones(self, open_hexes: int, blocked: bool) -> list[int]:
        """3, 3.p1, 3.p3: the six hexes around, but not villages and woods; an option stops zones at the Volturno."""
        zones = []
        for h, ring in enumerate(self.grid.ring):
            mask = ring & open_hexes
            if blocked:
                for d, other in enumerate(self.grid.neighbours[h]):
                    way = h * DIRECTIONS + d
                    if other != OFF_MAP and self.water[way] == RIVER and not self.bridge[way]:
                        mask &= ~(1 << other)
            zones.append(mask)
        return zones

    def _price(self, tables: Mapping[str, Any]) -> None:
        """8.p1: what each way costs, for each column of the chart; and by road, in column (8.3)."""
        with reading("tables.toml"):
            terrain, sides = table(tables, "tables.toml", "terrain"), table(tables, "tables.toml", "hexside")
            roads = table(tables, "tables.toml", "road")
            self.limber = int(roads["limber"])
            self.cost: list[list[int]] = [[CLOSED] * len(self.water) for _ in range(LEADER_FOOT + 1)]
            """By column of the chart and way, halves of a point off the roads; 0 where it is closed."""
            self.road_cost = [CLOSED] * len(self.water)
            """By way, halves of a point for who is in column and follows a road or path; 0 where there is none."""
            self._price_ways(terrain, sides, roads)
        self.price = [self._prices(foot) for foot in range(LEADER_FOOT + 1)]
        """By column of the chart and way what a step costs who finds room; 0 where it is closed."""
        self.leads = [self._leads(foot) for foot in range(LEADER_FOOT + 1)]
        """By column of the chart and hex: the hexes next to it that can be entered, each with its price, and its price
        for who finds the road there too full; for who follows no roads the two are the same."""
        self.least = [min([p for ways in leads for _, p, _ in ways], default=1) for leads in self.leads]
        """By column of the chart the least that any step costs."""
        self._toward: dict[tuple[int, int, int], bytes] = {}

    def _prices(self, foot: int) -> list[int]:
        if foot not in FOLLOWS_ROADS:
            return self.cost[foot]
        return [road or other for road, other in zip(self.road_cost, self.cost[foot], strict=True)]

    def _leads(self, foot: int) -> list[tuple[tuple[int, int, int], ...]]:
        cost, price = self.cost[foot], self.price[foot]
        found = []
        for h, six in enumerate(self.grid.neighbours):
            first = h * DIRECTIONS
            ways = ((there, price[first + d], cost[first + d]) for d, there in enumerate(six))
            found.append(tuple([way for way in ways if way[1]]))
        return found

    def toward(self, foot: int, goal: int, most: int) -> bytes:
        """By hex the least that it can cost to come from there to a goal, whoever is in the way; FARTHER if it is more
        than `most`. Remembered, since of the same goal much is asked."""
        found = self._toward.get((foot, goal, most))
        if found is None:
            if len(self._toward) >= REMEMBERED:
                self._toward.clear()
            found = self._toward[foot, goal, most] = self._flooded(foot, goal, most)
        return found

    def _flooded(self, foot: int, goal: int, most: int) -> bytes:
        price, neighbours = self.price[foot], self.grid.neighbours
        cost = bytearray([FARTHER]) * self.grid.size
        cost[goal] = 0
        buckets: list[list[int]] = [[] for _ in range(most + 1)]
        buckets[0].append(goal)
        for spent, bucket in enumerate(buckets):
            for there in bucket:
                if cost[there] != spent:
                    continue
                for direction, here in enumerate(neighbours[there], DIRECTIONS // 2):
                    if here == OFF_MAP or not price[here * DIRECTIONS + direction % DIRECTIONS]:
                        continue
                    total = spent + price[here * DIRECTIONS + direction % DIRECTIONS]
                    if total <= most and total < cost[here]:
                        cost[here] = total
                        buckets[total].append(here)
        return bytes(cost)

    def _price_ways(self, terrain: Mapping[str, Any], sides: Mapping[str, Any], roads: Mapping[str, Any]) -> None:
        """8.p1, 8.3: ways with the same ground before them and the same between cost the same."""
        known: dict[tuple[str, str, str], list[int]] = {}
        for h, six in enumerate(self.grid.neighbours):
            for way, there in enumerate(six, h * DIRECTIONS):
                if there == OFF_MAP or not self.extent >> there & 1:
                    continue
                water = self.water[way]
                if self.road[way] and (not water or self.bridge[way]):
                    self.road_cost[way] = int(roads[self.road[way]])
                if water == RIVER:
                    continue
                kind = self.terrain[there], self.slope[way], water
                prices = known.get(kind)
                if prices is None:
                    prices = known[kind] = _by_foot(*kind, terrain, sides)
                for cost, price in zip(self.cost, prices, strict=True):
                    cost[way] = price

    def _waterside(self) -> int:
        """5.2.2: the hexes along a river or stream that have no bridge over it."""
        wet = mask_of(way // DIRECTIONS for way, water in enumerate(self.water) if water)
        return wet & ~mask_of(way // DIRECTIONS for way, bridge in enumerate(self.bridge) if bridge)

    def _trace(self, any_road_hex: bool) -> None:
        """5.2.1, 5.2.2: along which ways command is traced, and which of them are ways of roads."""
        on_road = mask_of(way // DIRECTIONS for way, road in enumerate(self.road) if road)
        self.command_ways: list[tuple[tuple[int, bool], ...]] = []
        """For each hex those next to it to which command can be traced, and whether that step costs half."""
        for h, six in enumerate(self.grid.neighbours):
            found = []
            for d, other in enumerate(six):
                way = h * DIRECTIONS + d
                if other != OFF_MAP and self.extent >> other & 1 and (not self.water[way] or self.bridge[way]):
                    found.append((other, bool(on_road >> other & 1) if any_road_hex else bool(self.road[way])))
            self.command_ways.append(tuple(found))


def _by_foot(ground: str, slope: str, water: str, terrain: Mapping[str, Any], sides: Mapping[str, Any]) -> list[int]:
    """table.tec: by column of the chart what it costs to enter this ground up or down this slope, over a stream."""
    found = []
    for foot in range(LEADER_FOOT + 1):
        parts = [terrain[ground][foot]]
        if slope in sides:
            parts.append(sides[slope][foot])
        if water:
            parts.append(sides["stream"][foot])
        found.append(CLOSED if min(parts) < 0 else sum(map(int, parts)))
    return found


def _city(options: Mapping[str, Any]) -> bool:
    """3.1.1.p1, 14.2: a city is like a village for zones and fronts, unless the option says otherwise."""
    return bool(options["city_as_village"] != "none")


def foot(kind: int, column: bool) -> int:
    """table.tec: the column of the chart for a kind of unit, in column or not. Guns move limbered or not at all."""
    base = FOOT[kind]
    return base + 1 if column and base < GUNS_FOOT else base


def points(halves: int) -> str:
    """Halves as people write them."""
    whole, half = divmod(halves, HALVES)
    return f"{whole} 1/2" if half and whole else "1/2" if half else str(whole)
