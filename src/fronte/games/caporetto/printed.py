"""The printed matter of Caporetto 1917: board, counters, tables and scenario, read once, and the set-up checked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import date
from typing import Any

from fronte.engine.pack import Pack, PackError, reading
from fronte.engine.view import Setting
from fronte.games.caporetto import counters, stacking
from fronte.games.caporetto.counters import QUARTERS
from fronte.games.caporetto.prices import Prices
from fronte.games.caporetto.roster import NO_ONE, Roster
from fronte.games.caporetto.scenarios import Scenario
from fronte.games.caporetto.tables import CLEAR, HIGH, LOW, MIDDLE, Tables
from fronte.games.caporetto.terrain import COMMON, ITALIAN, LEFT, RIGHT, SIDES, Ground
from fronte.games.caporetto.zones import Zone, chained, read_zones
from fronte.games.common.memory import Memory
from fronte.hexes import bits, mask_of
from fronte.hexes.sight import Reach

ELIMINATED, SURRENDERED, ROUTED, EXITED, DUE, WAITING, DISPLAY, UNMADE = range(-1, -9, -1)
"""The places off the map: 16.1, 15.4, 12.3.5.7, 21.9, 5.1, 24.8, 7.2 and 21.10."""
AWAY = {
    ELIMINATED: "eliminated",
    SURRENDERED: "surrendered",
    ROUTED: "routed",
    EXITED: "exited",
    DUE: "due",
    WAITING: "waiting",
    DISPLAY: "display",
    UNMADE: "reserve",
}


MOST_STACKS = 1 << 14
"""Of so many stacks it is remembered why they may not be together."""


class CaporettoPrinted(Roster):
    """Everything fixed for a match that is on paper. Sets of units and of hexes are integers, by their numbers."""

    game, version = "caporetto", "1"
    away = AWAY
    scenario_rule = "2.2.6"
    unit_rule = "2.2"
    hex_rule = "2.1.e3"
    twice_rule = "10.0.6"

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        super().__init__(pack, scenario, options)
        self.tables = Tables(pack)
        with reading("scenarios.toml"):
            number = int(self.scenario["number"])
        self.ground = Ground(pack, number)
        self.grid = self.ground.grid
        last = self.tables.number("turns", "last")
        self.scene = Scenario(self.scenario, self.ground, self.tables.fire.columns, last)
        self.seats = self.scene.seats
        self._homes()
        self.number_units(counters.read(pack, self.tables.found, scenario))
        self.enrol()
        self._numbers()
        self.prices = Prices(self)
        self._weather()
        self._starts()
        with reading("scenarios.toml"):
            self.zones = read_zones(self, self.scenario.get("zones", {}))
        self.zone_of_unit: dict[int, Zone] = {u: zone for zone in self.zones for u in zone.units}
        self._check_names()
        self.crossing = self._crossing_units()
        """24.3: the units that begin across the line."""
        self._check_starts()
        self._setting()

    # Numbers

    def _numbers(self) -> None:
        """What rules ask of the tables again and again."""
        number, part = self.tables.number, self.tables.part
        self.most_stacked, self.most_high = number("stacking", "most"), number("stacking", "high_mountain")
        self.most_guns, self.set_up_battalions = number("stacking", "guns"), number("stacking", "set_up_battalions")
        if number("stacking", "battalion") != QUARTERS or number("stacking", "company") != 1:
            raise PackError("tables.toml", None, f"[stacking] a battalion is {QUARTERS} companies (11.1.2)")
        self.command_blocked, self.most_assigned = number("command", "zone_blocks"), number("command", "guns")
        self.most_independents = number("command", "independents")
        self.off_road = number("supply", "off_road")
        self.leave_zone, self.uphill = number("march", "leave_zone"), number("march", "uphill")
        self.forced, self.strategic = part("march", "forced"), part("march", "strategic")
        self.strategic_distance = number("march", "strategic_distance")
        self.blizzard, self.blizzard_guns = number("march", "blizzard"), number("march", "blizzard_guns")
        self.bottleneck = self.scene.first_turn if self.scene.opening.bottlenecks else 0
        """24.10: the turn in which Italians stop behind the bridges of the Isonzo; 0 for none."""
        self.halved_roads = part("march", "halved_roads")
        self.counter_assault_reach = number("reaction", "counter_assault")
        self.gun_loss, self.defensive_part = part("guns", "lost_by_dp"), part("guns", "defensive_part")
        self.defensive_range, self.defensive_least = (
            number("guns", "defensive_range"),
            number("guns", "defensive_least"),
        )
        self.out_of_command_fire = part("command", "out_of_command_fire")
        self.interdiction_each = number("logistics", "interdiction_each")
        self.bridge_blown, self.bridge_approach = number("bridges", "blown"), number("bridges", "approach")
        self.bridge_reach = number("bridges", "reach")
        self.rommel_points = number("companies", "rommel_mp")
        """21.6: the additional point of his companies, in quarters."""
        self.marker = number("companies", "marker_cf"), number("companies", "marker_mg")
        """21.10: what the marker of a lost step takes from strength and machine guns."""
        self.enter_cost = tuple(
            tuple(self._enter_cost(foot, h) for h in range(self.grid.size)) for foot in range(len(self.tables.feet))
        )
        """10.0.2: by column of the chart and hex, quarters of a point off the road; CLOSED where it is forbidden."""

    def _enter_cost(self, foot: int, h: int) -> int:
        ground, tables = self.ground, self.tables
        if ground.towns >> h & 1:
            return tables.settlement_cost["town"][foot]
        if ground.villages >> h & 1:
            return tables.settlement_cost["village"][foot]
        return tables.hex_cost[ground.terrain[h]][foot]

    def _weather(self) -> None:
        """8.1, 24.11: the band of each hex, and by turn what follows from its weather."""
        ground, tables = self.ground, self.tables
        low = 0
        for level in tables.low_levels:
            low |= ground.at_level[level]
        high = ground.high
        self.bands = (low & ~high, self.grid.everything & ~low & ~high, high)
        """The hexes of each band of the weather: LOW, MIDDLE, HIGH."""
        self.band = [HIGH if high >> h & 1 else LOW if low >> h & 1 else MIDDLE for h in range(self.grid.size)]
        self.blind = [self._under(bands, tables.blind) for bands in ((CLEAR,) * 3, *tables.weather)]
        """By turn the hexes of fog and blizzard;"""
        self.snow = [self._under(bands, tables.halved) for bands in ((CLEAR,) * 3, *tables.weather)]
        """by turn those of blizzard."""
        lift, most = self.tables.number("weather", "lift"), self.tables.number("weather", "farthest")
        self.reach = {
            word: Reach(far, lift, most) if word == CLEAR else Reach(far) for word, far in tables.sight.items()
        }
        """12.1.1: how far one sees in each weather,"""
        self.sights: list[dict[int, int]] = [{} for _ in self.blind]
        """by turn and hex what is seen from there,"""
        self.seen: Memory[tuple[int, int], int] = Memory()
        """by turn what is seen from several hexes,"""
        self.stacked: Memory[Hashable, str] = Memory(MOST_STACKS)
        """11.1: why units may not be together (`stacking`),"""
        self.commanding: Memory[Hashable, int] = Memory()
        """7.1: the hexes from which a range of so many hexes reaches others, by all on which that depends,"""
        self.in_range: Memory[Hashable, int] = Memory()
        """and those that it reaches from one."""
        self.denied: Memory[Hashable, int] = Memory()
        """9.4.1: and by turn, guns and where all guns are, the roads that they deny to headquarters (`supply`)."""

    def _under(self, bands: tuple[str, ...], words: frozenset[str]) -> int:
        found = 0
        for band, word in enumerate(bands):
            if word in words:
                found |= self.bands[band]
        return found

    def weather_at(self, turn: int, h: int) -> str:
        """24.11: the weather of a hex."""
        return self.tables.weather[turn - 1][self.band[h]]

    # Set-up

    def _starts(self) -> None:
        """24.8: where each unit begins, and when and where it arrives."""
        size = len(self.counters)
        self.begins, self.entry, self.arrives = [NO_ONE] * size, [NO_ONE] * size, [0] * size
        """By unit the hex in which it begins; the hex and the turn in which it comes in (5.1)."""
        for u, c in enumerate(self.counters):
            if not c.start.at:
                continue
            if c.start.at not in self.grid.index:
                raise self.fault(u, f"{c.start.at} is no hex of the board")
            if c.start.turn:
                self.entry[u], self.arrives[u] = self.grid.index[c.start.at], c.start.turn
            else:
                self.begins[u] = self.grid.index[c.start.at]
        self.reduced = mask_of(u for u, c in enumerate(self.counters) if c.start.worn)
        """26.4, 27.4: units that begin with a step lost."""
        self.reinforcements = tuple(
            tuple(u for u, turn in enumerate(self.arrives) if now and turn == now)
            for now in range(self.scene.last_turn + 1)
        )
        """5.1: by turn."""

    def fault(self, unit: int, why: str) -> PackError:
        """An error about the line of a counter."""
        c = self.counters[unit]
        return PackError("units.csv", c.line, f"unit {c.id}: {why}")

    def _homes(self) -> None:
        """24.1, 24.3: by force the hexes of its sector and the common ones, or all that are in play. The Italian left
        wing stands in the right sector."""
        ground, scene = self.ground, self.scene
        other = {LEFT: RIGHT, RIGHT: LEFT}
        self.homes = tuple(
            ground.inside[wing if side != ITALIAN else other[wing]] if scene.sectors else ground.extent
            for side, wing in zip(scene.force_side, scene.force_wing, strict=True)
        )
        self.abroad = tuple([self.grid.everything & ~home | ground.outside for home in self.homes])
        """All other hexes, those that are out of play among them."""

    def home(self, unit: int) -> int:
        """24.3: the hexes in which a unit may be."""
        return self.homes[self.force[unit]]

    def _check_names(self) -> None:
        """The formations and the unit that the scenario names are in it."""
        for name in (*self.scene.frozen, *self.scene.without_guns, *self.scene.crosses_over):
            self.formation_number(name)
        if self.scene.builder and self.scene.builder not in self.number:
            raise PackError("scenarios.toml", None, f"there is no unit {self.scene.builder} in this scenario")

    def _check_starts(self) -> None:
        """24.8 to 27.4: every unit begins in play, on its side of the front, in its zone, and not one too many."""
        together: dict[int, list[int]] = {}
        for u, h in enumerate(self.begins):
            if self.entry[u] >= 0:
                self._check_entry(u)
            if h < 0:
                continue
            name = self.grid.ids[h]
            if not self.ground.extent >> h & 1:
                raise self.fault(u, f"{name} is not in play (21.7, 26.2, 27.2)")
            if not self.crossing >> u & 1 and not self.home(u) >> h & 1:
                raise self.fault(u, f"{name} is not in its sector (24.3)")
            if not self.ground.held[self.side[u]] >> h & 1:
                raise self.fault(u, f"{name} is beyond the front (24.8, 26.4, 27.4)")
            together.setdefault(h, []).append(u)
        for h, units in together.items():
            self._check_stack(h, units)
        self._check_zones(together)

    def _crossing_units(self) -> int:
        found = 0
        for name in self.scene.crosses_over:
            found |= self.formations[self.formation_number(name)].mask
        return found

    def _check_entry(self, u: int) -> None:
        """5.1, 21.7: reinforcements come in within the game, on the map, perhaps on the left bank."""
        h, turn = self.entry[u], self.arrives[u]
        ground = self.ground
        if not self.scene.first_turn < turn <= self.scene.last_turn:
            raise self.fault(u, f"turn {turn} is none of its arrivals (5.1)")
        if not (self.home(u) | ground.left_bank) >> h & 1 or not ground.held[self.side[u]] >> h & 1:
            raise self.fault(u, f"it cannot come in at {self.grid.ids[h]} (5.1, 24.3)")

    def _check_stack(self, h: int, units: list[int]) -> None:
        if len({self.side[u] for u in units}) > 1:
            raise self.fault(units[-1], f"there are enemies in {self.grid.ids[h]} (10.0.5)")
        rule = stacking.why_not(self, h, units, single=0, set_up=True)
        if rule:
            raise self.fault(units[-1], f"{self.grid.ids[h]} is too full ({rule})")

    def _check_zones(self, together: Mapping[int, list[int]]) -> None:
        for zone in self.zones:
            side = self.side[zone.units[0]] if zone.units else 0
            occupied = mask_of(h for h, units in together.items() if self.side[units[0]] == side)
            allowed = chained(self.grid, zone.hexes, occupied) if zone.chained else zone.hexes
            for u in zone.units:
                if not allowed >> self.begins[u] & 1:
                    raise self.fault(u, f"{self.grid.ids[self.begins[u]]} is not in its zone {zone.name} ({zone.rule})")

    def holder(self, h: int) -> int:
        """23.1, 26.3, 27.3: the force that holds a hex at the start; NO_ONE of a common hex in which nobody begins."""
        scene, ground = self.scene, self.ground
        side = scene.holder if scene.holder >= 0 else next(s for s in range(len(SIDES)) if ground.held[s] >> h & 1)
        if not scene.sectors:
            return scene.forces.index(SIDES[side])
        if ground.sector[COMMON] >> h & 1:
            return next((self.force[u] for u, at in enumerate(self.begins) if at == h), NO_ONE)
        wing = LEFT if ground.sector[LEFT] >> h & 1 else RIGHT
        if side == ITALIAN:  # 24.1
            wing = RIGHT if wing == LEFT else LEFT
        return scene.force(side, wing)

    def _setting(self) -> None:
        """What a scenario fixes for everybody."""
        scene = self.scene
        holders = {h: self.holder(h) for h in scene.objectives}
        self.setting = Setting(
            scene.seats,
            {force: scene.seats[seat] for force, seat in zip(scene.forces, scene.seat_of, strict=True)},
            {self.grid.ids[h]: vp for h, vp in scene.objectives.items()},
            scene.bands(str(self.option["vp_90"])),
            self.hex_ids(bits(self.ground.extent)),
            {
                name: self.hex_ids(h for h, one in holders.items() if one == force)
                for force, name in enumerate(scene.forces)
            },
            QUARTERS,
            scene.last_turn,
        )

    # What is told

    def half_day(self, turn: int) -> tuple[str, str]:
        """2.1.1: the day of a turn and the half of it."""
        with reading("tables.toml"):
            days, halves = self.tables.found["turns"]["days"], self.tables.found["turns"]["halves"]
            return str(days[(turn - 1) // len(halves)]), str(halves[(turn - 1) % len(halves)])

    def span(self, turn: int) -> tuple[date, date] | None:
        """2.1.1: the day of a turn, which is half a day; None for a turn that is not on the track."""
        if not 1 <= turn <= len(self.tables.found["turns"]["days"]) * len(self.tables.found["turns"]["halves"]):
            return None
        day = date.fromisoformat(self.half_day(turn)[0])
        return day, day

    def printed(self, path: str) -> Any:
        """Something printed, by its place; also `weather.1.0903`, `formation.it-friuli.initiative`, `force.it-87-1`,
        `objective.2602`, `units.italian`, `sector.2602`, `in_play.2602` and `uphill.3628.3629`, the levels from a hex
        to the next."""
        head, _, rest = path.partition(".")
        if not rest:
            return super().printed(path)
        if head == "weather":
            turn, _, name = rest.partition(".")
            return self.weather_at(int(turn), self.read_hex(name))
        if head == "formation":
            name, _, field = rest.partition(".")
            return getattr(self.formations[self.formation_number(name)], field)
        if head == "force":
            return self.scene.forces[self.force[self.find_unit(rest)]]
        if head == "objective":
            return self.scene.objectives[self.read_hex(rest)]
        if head == "units":
            return (self.of_side[SIDES.index(rest)] & self.combat & ~self.generic).bit_count()
        if head == "uphill":
            here, _, there = rest.partition(".")
            return self.prices.uphill[self.ground.way(self.read_hex(here), self.read_hex(there))]
        if head == "sector":
            h = self.read_hex(rest)
            return next(name for name in (COMMON, LEFT, RIGHT) if self.ground.sector[name] >> h & 1)
        if head == "in_play":
            return bool(self.ground.extent >> self.read_hex(rest) & 1)
        return super().printed(path)
