"""The printed matter of Volturno 1860: board, counters, tables and scenario, read once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fronte.engine.pack import Pack, PackError, reading, table
from fronte.games.common.printed import Printed
from fronte.games.volturno import counters
from fronte.games.volturno.counters import CDF, CIC, FORMATIONS, LEADER_FOOT, SIDE_OF, Counter
from fronte.games.volturno.state import AWAY, State
from fronte.games.volturno.terrain import Ground, foot
from fronte.hexes import mask_of

TABLES = [
    "turns",
    "status",
    "stacking",
    "command",
    "markers",
    "morale",
    "personal_initiative",
    "coordination",
    "fire",
    "ammunition",
    "assault",
    "charge",
    "cohesion_modifiers",
    "cohesion_effects",
    "recovery",
    "terrain",
    "hexside",
    "road",
    "rail",
]
DAY, NIGHT, FOG, TWILIGHT = "day", "night", "fog", "twilight"


class Zone:
    """16.1.3.p2: where units may be set up: the hexes, the rule that names them, and the units."""

    def __init__(self, rule: str, hexes: int, units: tuple[int, ...], beside: bool, near: int) -> None:
        self.rule, self.hexes, self.units = rule, hexes, units
        self.beside = beside
        """gap.cic-setup: or with any own unit,"""
        self.near = near
        """which is in one of these hexes."""


class VolturnoPrinted(Printed):
    """Everything fixed for a match that is on paper."""

    away = AWAY
    scenario_rule = "16"
    unit_rule = "2"
    hex_rule = "1.3"
    twice_rule = "7.2"
    counters: tuple[Counter, ...]

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        super().__init__(pack, scenario, options)
        found = pack.toml("tables.toml")
        self.tables: dict[str, Mapping[str, Any]] = {name: table(found, "tables.toml", name) for name in TABLES}
        with reading("scenarios.toml"):
            first, last = map(int, self.scenario["columns"])
            self.last_turn = int(self.scenario["turns"])
        self.ground = Ground(pack, self.option, (first, last))
        self.grid = self.ground.grid
        self.number_units(counters.read(pack, self.option, scenario))
        self._columns()
        with reading("tables.toml"):
            self._turns(self.tables["turns"])
            self._numbers()
        with reading("scenarios.toml"):
            self.objectives = {self._hex(name): int(vp) for name, vp in self.scenario["objectives"].items()}
            self.zones = tuple(self._zone(name, data) for name, data in self.scenario["zones"].items())
        self.zone_of_unit: dict[int, Zone] = {}
        for zone in self.zones:
            self.zone_of_unit |= dict.fromkeys(zone.units, zone)
        self._starts()

    def _columns(self) -> None:
        """Columns of the counters, for speed."""
        self.side = [c.side for c in self.counters]
        self.stacking = [c.stacking for c in self.counters]
        self.points = [c.points for c in self.counters]
        self.backs = [c.back for c in self.counters]
        self.alike = [self.backs.index(back) for back in self.backs]
        """For each counter the first one that has the same back."""
        self.gun_set = frozenset(u for u, c in enumerate(self.counters) if c.is_artillery)
        self.foot = [(foot(c.kind, False), foot(c.kind, True)) for c in self.counters]
        """For each counter its columns of the terrain chart: not in column, and in column."""
        self.most_points = [0] * (LEADER_FOOT + 1)
        """For each column of the terrain chart the most that anybody has who moves by it."""
        for points, feet in zip(self.points, self.foot, strict=True):
            for way in feet:
                self.most_points[way] = max(self.most_points[way], points)
        self.units_of_side = tuple(
            tuple(u for u, c in enumerate(self.counters) if c.side == side and not c.is_leader) for side in range(2)
        )
        self.leader_set = frozenset(u for u, c in enumerate(self.counters) if c.is_leader)
        self.leaders = tuple(u for u, c in enumerate(self.counters) if c.is_leader)
        self.leaders_of_side = tuple(tuple(u for u in self.leaders if self.side[u] == side) for side in range(2))
        self.leader_of = tuple(self._leader(CDF, formation=f) for f in range(len(FORMATIONS)))
        """2.2: the commander of each formation; -1 where it does not take part."""
        self.chief = tuple(self._leader(CIC, side=side) for side in range(2))
        """2.2: the commander in chief of each side; -1 where there is none."""
        self.members = tuple(counters.of_formation(self.counters, f) for f in range(len(FORMATIONS)))
        self.member_mask = tuple(mask_of(units) for units in self.members)
        self.side_mask = tuple(mask_of(units) for units in self.units_of_side)
        self.formations = tuple(
            tuple(f for f in range(len(FORMATIONS)) if SIDE_OF[f] == side and self.members[f]) for side in range(2)
        )
        for f in range(len(FORMATIONS)):
            if self.members[f] and self.leader_of[f] < 0:
                raise PackError("units.csv", None, f"formation {FORMATIONS[f]} has units and no commander (6)")

    def _leader(self, kind: int, formation: int | None = None, side: int | None = None) -> int:
        for u, c in enumerate(self.counters):
            if c.kind == kind and (formation is None or c.formation == formation) and (side is None or c.side == side):
                return u
        return -1

    def _hex(self, name: str) -> int:
        if name not in self.grid.index:
            raise PackError("scenarios.toml", None, f"{name} is no hex of the board")
        return self.grid.index[name]

    def _turns(self, turns: Mapping[str, Any]) -> None:
        """15.2, 15.2.p1: what light each turn has, and how far one sees in it (0: no limit)."""
        self.light = [DAY] * (self.last_turn + 1)
        for light in (NIGHT, FOG, TWILIGHT):
            for turn in turns[light]:
                if turn <= self.last_turn:
                    self.light[turn] = light
        if self.option["gt15_light"] == NIGHT and turns["unnamed"] <= self.last_turn:
            self.light[turns["unnamed"]] = NIGHT
        self.open_counters = bool(self.option["open_counters"])
        """8.6: two at one table may agree that nothing is hidden."""
        far = self.option["sighting_range_day"]
        self.day_sight = 0 if far == "unlimited" else int(far)
        self.sight_limit = [int(turns["sight"].get(light, 0)) for light in self.light]
        self.first_hour = int(turns["first_hour"])

    def _numbers(self) -> None:
        """Numbers of the tables that are asked for again and again."""
        self.status = [int(n) for n in self.tables["status"]["modifier"]]
        self.most_stacked, self.most_on_road = (int(self.tables["stacking"][key]) for key in ("most", "road"))
        command = self.tables["command"]
        self.command_radius = int(command["radius"])
        self.command_cost = int(command["hex"]), int(command["road"])
        self.traced: dict[tuple[int, int, int], dict[int, int]] = {}
        self.trace_through_enemy = bool(self.option["trace_through_enemy_hex"])
        self.one_marker = bool(self.option["one_marker_per_hex"])
        self.spent_pass = bool(self.option["exhausted_move_through_ezor"])
        """10.3.p1: exhausted cavalry may pass enemy zones, but not end in one."""
        self.barred_from_charging = tuple(map(str, self.tables["charge"]["barred"]))
        barred = {counters.SIDES.index(side) for side in self.barred_from_charging}
        self.chargers = frozenset(u for u, c in enumerate(self.counters) if c.is_cavalry and c.side not in barred)
        self.passing = str(self.option["pass_through_marker_hexes"]).lower()
        self.guns_withdraw = str(self.option["withdrawal_unlimbered_artillery"])
        self.free_change = self.option["exit_column_reaction"] == "free-in-addition"
        self.static_trigger = bool(self.option["static_assault_trigger"])
        self.one_facing = self.option["stack_facing"] == "shared-hex"
        self.faces_marker = bool(self.option["attacker_faces_marker"])
        self.rehides = bool(self.option["fow_rehide"])
        self.after_withdrawal = int(self.option["recovery_after_withdrawal"])
        self.rail_cost = sum(int(self.tables["rail"][key]) for key in ("board", "ride", "leave"))
        self.target_counts = bool(self.option["assault_range_includes_target"])
        self.counts_reference = self.option["uncertain_loss_metric"] == "reference-unit"
        self.morale_drm = [int(n) for n in self.tables["morale"]["drm"]]
        self.most_morale = len(self.morale_drm) // 2

    def is_night(self, turn: int) -> bool:
        """15.2."""
        return self.light[turn] == NIGHT

    def stacked(self, state: State, h: int) -> int:
        """6.3: the stacking points in a hex."""
        stacking = self.stacking
        return sum([stacking[unit] for unit in state.stacks.get(h, ())])

    def hour(self, turn: int) -> int:
        """1.2: the hour at which a turn begins."""
        return self.first_hour + turn - 1

    def _zone(self, name: str, data: Mapping[str, Any]) -> Zone:
        grid = self.grid
        centre = self._hex(data["centre"])
        low, high = data.get("rows", (0, 99))
        hexes = grid.within(centre, int(data["within"])) & self.ground.extent
        bank = data.get("bank", "")
        hexes &= mask_of(
            h for h in range(grid.size) if low <= grid.row[h] <= high and (not bank or self.ground.bank[h] == bank)
        )
        if "units" in data:
            units = tuple(self.number[u] for u in data["units"] if u in self.number)
        else:
            named = {u for zone in self.scenario["zones"].values() for u in zone.get("units", ())}
            formation = FORMATIONS.index(name)
            units = tuple(u for u, c in enumerate(self.counters) if c.formation == formation and c.id not in named)
        near = grid.within(centre, int(data["near"])) if "near" in data else grid.everything
        return Zone(str(data["rule"]), hexes, units, bool(data.get("with", False)), near & self.ground.extent)

    def _starts(self) -> None:
        """16.1.4: the historical set-up, which must obey the zones."""
        self.begins = [-1] * len(self.counters)
        stacked: dict[int, int] = {}
        taken = {self.grid.index[c.at] for c in self.counters if not c.is_leader and c.at in self.grid.index}
        for u, c in enumerate(self.counters):
            if u not in self.zone_of_unit:
                continue
            zone = self.zone_of_unit[u]
            h = self.grid.index.get(c.at, -1)
            ok = h >= 0 and (zone.hexes >> h & 1 or (zone.beside and zone.near >> h & 1 and h in taken))
            if not ok:
                raise PackError("units.csv", None, f"unit {c.id}: {c.at!r} is not in its zone ({zone.rule})")
            self.begins[u] = h
            stacked[h] = stacked.get(h, 0) + c.stacking
            if stacked[h] > int(self.tables["stacking"]["most"]):
                raise PackError("units.csv", None, f"unit {c.id}: {c.at} is full at the start (6.3.1)")

    def printed(self, path: str) -> Any:
        """Something printed, by its place; also `light.3`, `hour.8`, `terrain.2425`, `zone.G16`, `objective.2425`,
        `units.garibaldini` and of the scenario `scenario.levels.draw`."""
        head, _, rest = path.partition(".")
        if head == "scenario":
            found: Any = self.scenario
            for part in rest.split("."):
                found = found[part]
            return found
        if head == "objective":
            return self.objectives[self.read_hex(rest)]
        if head == "units":
            return len(self.units_of_side[counters.SIDES.index(rest)])
        if head == "turns":
            return self.last_turn
        if head == "light":
            return self.light[int(rest)]
        if head == "hour":
            return self.hour(int(rest))
        if head == "terrain":
            return self.ground.terrain[self.read_hex(rest)]
        if head == "zone":
            zone = self.zone_of_unit[self.leader_of[FORMATIONS.index(rest)]]
            return zone.hexes.bit_count()
        return super().printed(path)
