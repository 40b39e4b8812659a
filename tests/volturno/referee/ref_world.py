"""A position as the booklet judges it: zones, fronts, costs, command, sight, and what each table adds."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any

from ref_board import FACINGS, Book, Counter, around, distance, line, toward

LEVELS = ("", "shaken", "disordered", "disorganized")
NO_ZONE = {"village", "woods"}
"""Rule 3 names villages and woods; 14.2 says that farms and cities have an effect too and sends back to rule 3."""
ALL_ROUND = {"village", "farm"}
"""3.1.1 names villages and farms; 14.2 sends there for cities too."""
BLOCKS = {"village", "farm"}
"""9.4.4 names Villaggio, Cascina, Fattoria; nothing of cities, woods or hills."""
CITIES = {"zone": True, "front": True, "sight": False}
"""What the program takes a city for, where only 14.2 speaks of it: see the list of readings in test_referee."""


class Unit:
    """One counter in one position."""

    __slots__ = ("at", "c", "column", "facing", "id", "level", "marks")

    def __init__(self, counter: Counter, data: dict[str, Any]) -> None:
        self.c = counter
        self.id = counter.id
        at = data["at"]
        self.at = at if at[:1].isdigit() else ""
        self.facing = FACINGS.index(data["facing"]) if data.get("facing") else 0
        self.level = LEVELS.index(data.get("level", ""))
        self.marks = set(data.get("marks", ()))
        self.column = "column" in self.marks

    @property
    def side(self) -> str:
        """Whose it is."""
        return self.c.side

    @property
    def ccv(self) -> int:
        """13: the cohesion of now."""
        return self.c.cohesion - self.level


def other(side: str) -> str:
    """The other side."""
    return "napoletani" if side == "garibaldini" else "garibaldini"


class World:
    """A position, with everything that the booklet lets follow from it."""

    def __init__(self, book: Book, data: dict[str, Any]) -> None:
        self.book = book
        self.data = data
        self.turn: int = data["turn"]
        self.units = {name: Unit(book.counters[name], given) for name, given in data["units"].items()}
        self.stacks: dict[str, list[Unit]] = {}
        for unit in self.units.values():
            if unit.at:
                self.stacks.setdefault(unit.at, []).append(unit)
        self.markers: list[tuple[str, str, int, str]] = [
            (kind, at, FACINGS.index(facing), unit) for kind, at, facing, unit in data["markers"]
        ]
        self._zones: dict[str, dict[str, list[Unit]]] = {}

    # who is where

    def troops(self, at: str, side: str) -> list[Unit]:
        """The fighting units of a side in a hex."""
        return [u for u in self.stacks.get(at, ()) if u.side == side and not u.c.leader]

    def fighting(self, side: str) -> Iterator[Unit]:
        """All fighting units of a side on the map."""
        return (u for u in self.units.values() if u.at and u.side == side and not u.c.leader)

    def load(self, at: str, side: str) -> int:
        """6.3: stacking points in a hex."""
        return sum(u.c.stacking for u in self.troops(at, side))

    def beside(self, unit: Unit) -> bool:
        """Is an enemy fighting unit adjacent?"""
        return any(self.troops(n, other(unit.side)) for n in self.book.next_to[unit.at])

    # 3: zones and fronts

    def shut(self, at: str) -> bool:
        """3: a hex into which no zone goes."""
        return self.book.terrain[at] in NO_ZONE or (CITIES["zone"] and self.book.terrain[at] == "city")

    def zone(self, side: str) -> dict[str, list[Unit]]:
        """3: hexes in the zone of reaction of a side, with the units whose zone it is."""
        if side not in self._zones:
            found: dict[str, list[Unit]] = {}
            for unit in self.fighting(side):
                if not unit.column:
                    for at in self.book.next_to[unit.at]:
                        if not self.shut(at):
                            found.setdefault(at, []).append(unit)
            self._zones[side] = found
        return self._zones[side]

    def watched(self, at: str, side: str) -> list[Unit]:
        """The enemies of a side in whose zone a hex lies."""
        return self.zone(other(side)).get(at, [])

    def all_round(self, at: str) -> bool:
        """3.1.1: a hex in which a unit has only front hexes."""
        return self.book.terrain[at] in ALL_ROUND or (CITIES["front"] and self.book.terrain[at] == "city")

    def front(self, unit: Unit) -> set[int]:
        """3.1.1: the directions of a unit's front hexes."""
        return set(range(6)) if self.all_round(unit.at) else set(around(unit.facing))

    def from_rear(self, unit: Unit, at: str) -> bool | None:
        """Does what comes from this hex come through a rear hex? None where the line enters by a corner."""
        if distance(unit.at, at) == 1:
            found = {toward(unit.at, at) in self.front(unit)}
        else:
            found = {d in self.front(unit) for d in self.exits(unit.at, at)}
        return None if len(found) > 1 else not found.pop()

    def exits(self, at: str, to: str) -> set[int]:
        """The directions in which a line leaves a hex."""
        inside, pairs = line(at, to)
        hexes = [h for h in inside if distance(at, h) == 1]
        for pair in pairs:
            hexes += [h for h in pair if distance(at, h) == 1]
        return {toward(at, h) for h in hexes}

    # 9.4.4: sight

    def blocks(self, at: str) -> bool:
        """9.4.4: units of either side, villages, farms."""
        terrain = self.book.terrain.get(at, "clear")
        if terrain in BLOCKS or (CITIES["sight"] and terrain == "city"):
            return True
        return any(not u.c.leader for u in self.stacks.get(at, ()))

    def sees(self, a: str, b: str) -> bool:
        """9.4.4 and 15.2: is there a line of sight?"""
        far = distance(a, b)
        if far > self.book.sight(self.turn):
            return False
        if far <= 1:
            return True
        inside, pairs = line(a, b)
        return not any(self.blocks(h) for h in inside) and not any(all(self.blocks(h) for h in pair) for pair in pairs)

    # 8: what a step costs

    def road(self, unit: Unit, a: str, b: str, column: bool, clear: bool = False) -> int:
        """8.3, 8.3.2, 8.5: what a step along a road costs in halves, 0 where there is none to use."""
        side = self.book.side(a, b)
        if not (side.road or side.path) or not (column or unit.c.leader):
            return 0
        if (
            not unit.c.leader
            and not clear
            and self.load(b, unit.side) + unit.c.stacking > self.book.tables["stacking"]["road"]
        ):
            return 0
        return int(self.book.tables["road"]["road" if side.road else "path"])

    def cost(self, unit: Unit, a: str, b: str, column: bool, clear: bool = False) -> int | None:
        """8, 14.1: what a step costs in halves of a point, None where it is forbidden ground.

        `clear` supposes that friends on the road have moved away by then.
        """
        book = self.book
        if b not in book.hexes:
            return None
        side = book.side(a, b)
        c = unit.c
        by_road = self.road(unit, a, b, column, clear)
        if by_road and (not side.water or side.bridge):
            return by_road
        if side.water == "river":
            return None
        row = 5 if c.leader else 4 if c.guns else (2 if c.cavalry else 0) + column
        found = book.tables["terrain"][book.terrain[b]][row]
        if found < 0:
            return None
        total = int(found)
        if side.water == "stream":
            more = book.tables["hexside"]["stream"][row]
            if more < 0:
                return None
            total += more
        if side.slope:
            name = f"{side.slope}_up" if side.up == b else f"{side.slope}_down"
            more = book.tables["hexside"].get(name, [0] * 6)[row]
            if more < 0:
                return None
            total += more
        return total

    def wades(self, unit: Unit, a: str, b: str, column: bool) -> bool:
        """14.1: does infantry go through a stream without using a bridge?"""
        side = self.book.side(a, b)
        if side.water != "stream" or not unit.c.infantry:
            return False
        return not (side.bridge and self.road(unit, a, b, column))

    def barred(self, unit: Unit, b: str, *, marked: bool = True, column: bool = False) -> str:
        """Why a unit may not step into a hex, apart from what it costs; empty where it may."""
        side = unit.side
        if b not in self.book.hexes:
            return "off the board"
        if self.troops(b, other(side)):
            return "enemy (8)"
        if side == "garibaldini" and b in self.book.capua and not unit.c.leader:
            return "Capua (15.6)"
        if unit.c.leader:
            if self.watched(b, side) and not self.troops(b, side):
                return "zone, leader alone (3.1.2)"
            return ""
        if self.load(b, side) + unit.c.stacking > self.book.tables["stacking"]["most"]:
            return "stacking (6.3.1)"
        if self.watched(b, side):
            if self.book.light(self.turn) == "night":
                return "zone at night (15.2)"
            if not (marked and any(at == b for _, at, _, _ in self.markers)):
                return "zone without a marker (3.1.2)"
        return ""

    # 5: command

    def reach(self, leader: Unit, radius: int) -> dict[str, int]:
        """5.2: how far a commander's radius goes, in halves; a hex with a road costs one half (5.2.1)."""
        book, side = self.book, leader.side
        best = {leader.at: 0}
        queue = [(0, leader.at)]
        while queue:
            so_far, at = heappop(queue)
            if so_far > best[at]:
                continue
            for n in book.next_to[at]:
                between = book.side(at, n)
                if between.water and not between.bridge:
                    continue
                if self.watched(n, side) and not self.troops(n, side):
                    continue
                total = so_far + (1 if n in book.on_road else 2)
                if total <= radius and total < best.get(n, 99):
                    best[n] = total
                    heappush(queue, (total, n))
        return best

    def out_of_command(self) -> set[str]:
        """5.1, 5.2: who is out of command."""
        found = set()
        for formation, counter in self.book.leaders.items():
            leader = self.units[counter.id]
            reach = self.reach(leader, 8) if leader.at else {}
            for unit in self.units.values():
                if unit.at and unit.c.formation == formation and not unit.c.leader and unit.at not in reach:
                    found.add(unit.id)
        return found

    def near_chief(self, formation: str) -> bool:
        """2.2.2, 6.1.4: is the commander of a formation within the radius of its commander in chief?"""
        leader = self.units[self.book.leaders[formation].id]
        chief = self.book.chiefs.get(leader.side)
        if chief is None or not leader.at or not self.units[chief.id].at:
            return False
        return leader.at in self.reach(self.units[chief.id], 2 * chief.command)

    # 9.3: fire

    def fire_drm(self, firer: Unit, target: Unit) -> set[int]:
        """9.3: the modifiers of a shot; more than one sum where a line comes in by a corner."""
        table = self.book.tables["fire"]
        drm = 0
        for least, more in table["strength"]:
            if firer.c.strength >= least:
                last = more
        drm += last
        if firer.c.light:
            drm += table["light_infantry"]
        if firer.c.guns:
            drm += table["artillery_range"][distance(firer.at, target.at) - 1]
        if self.load(target.at, target.side) >= table["massed_from"]:
            drm += table["massed"]
        if target.column:
            drm += table["column"]
        if target.c.cavalry:
            drm += table["cavalry"]
        if target.c.guns and not target.column:
            drm += table["guns"]
        drm += table["terrain"].get(self.book.terrain[target.at], 0)
        rear = self.from_rear(target, firer.at)
        if rear is None:
            return {drm, drm + table["rear"]}
        return {drm + table["rear"] * rear}

    def fire_levels(self, total: int) -> int:
        """9.4: levels lost."""
        return max((n for least, n in self.book.tables["fire"]["levels"] if total >= least), default=0)

    # 11.2: assault and charge

    def champion(self, at: str, side: str) -> Unit | None:
        """11.2: the strongest unit of the defenders that is no artillery."""
        found = [u for u in self.troops(at, side) if not u.c.guns]
        return max(found, key=lambda u: u.c.strength, default=None)

    def champions(self, at: str, side: str) -> list[Unit]:
        """All that could be it: the booklet does not say which of two equally strong ones counts."""
        found = [u for u in self.troops(at, side) if not u.c.guns]
        most = max((u.c.strength for u in found), default=0)
        return [u for u in found if u.c.strength == most]

    def assault_drm(self, attacker: Unit, defender: Unit, charge: bool) -> int:
        """11.2: the modifiers of an assault or charge on the hex of this defender."""
        table = self.book.tables["assault"]
        a, d = attacker.c.strength, defender.c.strength
        drm = 0
        for many, few, more in table["ratio"]:
            if a * few >= many * d:
                drm += more
                break
        else:
            for many, few, more in table["ratio"]:
                if d * few >= many * a:
                    drm -= more
                    break
        gap = attacker.ccv - defender.ccv
        drm += next(more for least, more in table["cohesion"] if gap >= least)
        if self.from_rear(defender, attacker.at):
            drm += table["rear"]
        if attacker.column:
            drm += table["column"]["attacker"]
        if defender.column:
            drm += table["column"]["defender"]
        if "out" in attacker.marks:
            drm += table["out_of_ammo"]["attacker"]
        if "out" in defender.marks:
            drm += table["out_of_ammo"]["defender"]
        if "exhausted" in attacker.marks:
            drm += table["exhausted"]["attacker"]
        if "exhausted" in defender.marks:
            drm += table["exhausted"]["defender"]
        if charge and defender.c.infantry and not defender.level and not self.from_rear(defender, attacker.at):
            drm += table["charge_on_good_infantry"]
        if attacker.side == "garibaldini" and not charge:
            drm += table["ardour"]
        drm += table["terrain"].get(self.book.terrain[defender.at], 0)
        between = self.book.side(attacker.at, defender.at)
        if between.slope and between.up == defender.at:
            drm += table["uphill"][between.slope]
        if between.water:
            bridge = between.bridge and (between.water == "river" or attacker.column)
            drm += table["across"]["bridge" if bridge else "stream"]
        return drm

    def assault_row(self, total: int, charge: bool) -> list[str]:
        """11.2: the row of the table."""
        table = self.book.tables["assault"]
        rows = table["charge" if charge else "assault"]
        return list(rows[min(max(total - table["lowest"], 0), len(rows) - 1)])

    # 13.1: checks

    def check_drm(self, unit: Unit, *, more: int = 0, charged: bool = False, rear: bool = False) -> int:
        """13.1: what is added to the dice of a check."""
        table = self.book.tables["cohesion_modifiers"]
        drm = more
        if charged and unit.c.infantry:
            drm += table["charged"]
        if rear:
            drm += table["rear"]
        if unit.column:
            drm += table["column"]
        if "ooc" in unit.marks:
            drm += table["out_of_command"]
        if "exhausted" in unit.marks:
            drm += table["exhausted"]
        if self.book.terrain[unit.at] in ("village", "farm", "city"):
            drm += table["built_up"]
        return drm

    def check_levels(self, failed_by: int) -> int:
        """13.1.2: levels lost."""
        return max((n for least, n in self.book.tables["cohesion_effects"]["levels"] if failed_by >= least), default=0)
