"""A position as the booklet judges it: zones, stacks, costs, supply, command, sight, and what each table adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from book_board import Book, Counter, distance, other

QUARTERS = 4
FORBIDDEN = -1
WHOLE = -2


class Unit:
    """One counter in one position."""

    def __init__(self, counter: Counter, at: str = "", place: str = "", dp: int = 0, lost: int = 0) -> None:
        self.c = counter
        self.id = counter.id
        self.at = at
        self.place = place
        self.dp = dp
        self.lost = lost
        self.emplaced = False
        self.marks: set[str] = set()

    @property
    def side(self) -> str:
        """Whose it is."""
        return self.c.side

    @property
    def steps(self) -> int:
        """16.1, 21.10: steps that are left."""
        return self.c.steps - self.lost

    @property
    def company(self) -> bool:
        """11.1.2, 21.10: a company, or a German battalion of which no more is left."""
        return self.c.size == "co" or (self.c.german_battalion and self.steps == 1)

    @property
    def cf(self) -> int:
        """2.2.1, 16.1, 21.10: the combat factor of now."""
        if self.c.gun:
            return 0
        if not self.lost:
            return self.c.cf
        if self.c.german_battalion:
            return max(1, self.c.cf - self.lost)
        return self.c.cf2

    @property
    def mg(self) -> int:
        """2.2.1, 16.1, 21.10: the machine-gun factor of now."""
        if not self.lost:
            return self.c.mg
        if self.c.german_battalion:
            return 2 if self.steps == 1 else max(0, self.c.mg2 - 2 * (self.lost - 1))
        return self.c.mg2

    @property
    def morale(self) -> int:
        """15.1: the morale of now."""
        return self.c.morale - self.dp

    @property
    def weight(self) -> int:
        """3.0, 11.1, 11.1.2: quarters of a battalion-equivalent."""
        if self.c.hq or self.c.flame or self.c.machine_gun or (self.c.gun and self.emplaced):
            return 0
        return 1 if self.company else QUARTERS

    @property
    def solid(self) -> int:
        """The same at the narrowest reading: 3.0 names generic companies, so engineers are none; 11.5 one MG."""
        if self.c.machine_gun:
            return 1
        return QUARTERS if self.c.engineer and self.weight else self.weight

    @property
    def free(self) -> bool:
        """11.5: one such company stacks free."""
        return self.company and (self.c.machine_gun or self.c.mountain or self.c.infiltrates)


def one(book: Book, name: str, given: dict[str, Any]) -> Unit:
    """A unit as a position has it."""
    at = given.get("at", "")
    on_map = at[:4].isdigit() and len(at) == 4
    unit = Unit(book.counter(name), at if on_map else "", "" if on_map else at, given.get("dp", 0))
    unit.lost = given.get("lost", 0)
    unit.marks = set(given.get("marks", ()))
    unit.emplaced = "emplaced" in unit.marks
    return unit


GROUND = ("turn", "lowered", "side_trenches", "standing", "built")
"""What else of a position zones and lines hang on."""


def read(book: Book, data: dict[str, Any], before: World | None = None) -> World:
    """The world of a position in its plain form. Of the one before is kept what is still so."""
    was = before.data["units"] if before is not None else {}
    same = {} if before is None else before.units
    settled = before is not None and all(before.data.get(key) == data.get(key) for key in GROUND)
    if before is not None and settled and was == data["units"]:
        return before.with_data(data)
    units = [same[name] if was.get(name) == given else one(book, name, given) for name, given in data["units"].items()]
    found = World(book, data, units)
    if before is not None and settled:
        found._around = before._around
    for at in data.get("lowered", ()):
        found.trenches[at] = max(0, book.hexes[at].trench_level - 1)
    if "side_trenches" in data:  # 17.8: those that are destroyed are left out
        found.side_trenches = dict.fromkeys(book.side_trenches, 0)
    for pair, level in data.get("side_trenches", {}).items():
        a, b = pair.split("/")
        found.side_trenches[a, b] = found.side_trenches[b, a] = level
    if "standing" in data:
        stands = {tuple(pair.split("/")) for pair in data["standing"]}
        found.blown = {(a, b) for a, b in book.bridges if (a, b) not in stands and (b, a) not in stands}
    for pair in data.get("built", ()):
        a, b = pair.split("/")
        found.built |= {(a, b), (b, a)}
    return found


class World:
    """A position, with everything that the booklet lets follow from it."""

    def __init__(self, book: Book, data: dict[str, Any], units: Iterable[Unit]) -> None:
        self.book = book
        self.data = data
        self.turn: int = data["turn"]
        self.units = {unit.id: unit for unit in units}
        self.stacks: dict[str, list[Unit]] = {}
        for unit in self.units.values():
            if unit.at and not unit.c.hq:
                self.stacks.setdefault(unit.at, []).append(unit)
        self.trenches = dict(book.trenches)
        self.side_trenches = dict(book.side_trenches)
        self.blown: set[tuple[str, str]] = set()
        self.built: set[tuple[str, str]] = set()
        self.narrow = False
        """Roads by the narrowest reading of battalion-equivalents."""
        self._zones: dict[str, set[str]] = {}
        self._around: dict[Unit, set[str]] = {}
        self._near: dict[str, set[str]] = {}
        self._net: dict[tuple[str, str, str, bool], set[str]] = {}

    def with_data(self, data: dict[str, Any]) -> World:
        """The same units on the same ground, when something else has changed."""
        found = copy(self)
        found.data = data
        return found

    def with_units(self, units: Iterable[Unit]) -> World:
        """The same ground with units elsewhere."""
        found = World(self.book, self.data, units)
        found.trenches, found.side_trenches, found.blown = self.trenches, self.side_trenches, self.blown
        found.built, found._around = self.built, self._around
        return found

    # who is where

    def units_at(self, at: str, side: str) -> list[Unit]:
        """The units of a side in a hex, guns too."""
        return [u for u in self.stacks.get(at, ()) if u.side == side]

    def troops(self, at: str, side: str) -> list[Unit]:
        """The combat units of a side in a hex."""
        return [u for u in self.stacks.get(at, ()) if u.side == side and u.c.fights]

    def on_map(self, side: str) -> Iterator[Unit]:
        """All units of a side that stand on the map."""
        return (u for u in self.units.values() if u.at and u.side == side and not u.c.hq)

    def near(self, side: str) -> set[str]:
        """Hexes next to units of a side."""
        if side not in self._near:
            self._near[side] = {n for u in self.on_map(side) for n in self.book.next_to[u.at]}
        return self._near[side]

    def touches(self, unit: Unit) -> list[Unit]:
        """Enemy units next to a unit."""
        return [u for n in self.book.next_to[unit.at] for u in self.units_at(n, other(unit.side))]

    # the ground

    def bridged(self, a: str, b: str) -> str:
        """19, 21.1: the bridge that stands between two hexes, printed or built in play."""
        if (a, b) in self.built:
            return "bridge"
        return "" if (a, b) in self.blown else self.book.side(a, b).bridge

    def routes(self, a: str, b: str) -> list[str]:
        """10.0.4, 19.2.2: what leads from one hex to the next; nothing over a river without its bridge."""
        side = self.book.side(a, b)
        if side.water and not self.bridged(a, b):
            return []
        return list(side.routes)

    def trench(self, at: str, side: str) -> int:
        """17.6: the level of a trench for its own side."""
        return self.trenches.get(at, 0) if self.book.hexes[at].trench == side else 0

    def side_trench(self, at: str, outside: str, side: str) -> int:
        """17.9: the level of a trench along a hexside of this hex, for its own side."""
        found = self.book.side(at, outside)
        if found.trench != side or found.trench_hex != at:
            return 0
        return self.side_trenches.get((at, outside), 0)

    def linked(self, a: str, b: str, side: str) -> bool:
        """17.7: do connected trenches of a side lead from one hex to the next?"""
        between = self.book.side(a, b)
        return between.link == side and not between.water and self.trench(a, side) > 0 and self.trench(b, side) > 0

    # 24.1, 24.3: sectors

    def sector(self, unit: Unit) -> str:
        """24.1: the sector in which the wing of a unit fights; empty where there are none."""
        if not self.book.printed.get("sectors"):
            return ""
        if unit.side == "ahg":
            return unit.c.wing
        return {"left": "right", "right": "left"}.get(unit.c.wing, "")

    def is_at_home(self, unit: Unit, at: str) -> bool:
        """24.3: is a hex of a unit's own sector, or of both?"""
        own = self.sector(unit)
        return not own or self.book.hexes[at].sector in {own, "common"}

    def may_cross(self, unit: Unit, at: str) -> bool:
        """24.3: could a unit ever be moved to a hex, as far as sectors go? Vicenza may, until it has crossed; who began
        in a hex of both sectors and is there may not move at all."""
        if self.began_there(unit):
            return False
        crossing = unit.c.formation in self.book.printed.get("crosses_over", ()) and not self.is_at_home(unit, unit.at)
        return crossing or self.is_at_home(unit, at)

    def began_there(self, unit: Unit) -> bool:
        """24.3: does it stand in the hex of both sectors in which it began the game?"""
        common = bool(self.sector(unit)) and self.book.hexes[unit.at].sector == "common"
        return common and unit.c.start[:4] == unit.at and "GT" not in unit.c.start

    # 3.0: zones of control

    def reaches(self, unit: Unit, at: str) -> bool:
        """3.0, 8.1: does the zone of a combat unit go into a hex next to it?"""
        if not unit.c.fights or unit.c.flame:
            return False
        here, side = self.book.hexes[at], self.book.side(unit.at, at)
        if here.settlement == "town" or here.terrain == "woods":
            return False
        if self.trench(at, other(unit.side)) or self.side_trench(at, unit.at, other(unit.side)):
            return False
        if side.cliff or (side.water and not self.bridged(unit.at, at)):
            return False
        if self.book.blind(self.turn, unit.at) or self.book.blind(self.turn, at):
            return False
        if self.sector(unit):  # 24.3: it could not move there; who stands across the line has his zone there
            part = self.sector(unit) if self.is_at_home(unit, unit.at) else self.book.hexes[unit.at].sector
            if self.book.hexes[at].sector not in {part, "common"}:
                return False
        return self.can_enter(unit, unit.at, at)

    def zone(self, side: str) -> set[str]:
        """3.0: hexes in the zones of a side."""
        if side not in self._zones:
            self._zones[side] = set().union(*(self.zone_around(u) for u in self.on_map(side)))
        return self._zones[side]

    def zone_around(self, unit: Unit) -> set[str]:
        """3.0: the zone of one unit; it hangs on the ground and on nobody else."""
        if unit not in self._around:
            self._around[unit] = {n for n in self.book.next_to[unit.at] if self.reaches(unit, n)}
        return self._around[unit]

    def watched(self, at: str, side: str) -> bool:
        """Is the hex in a zone of the enemies of a side?"""
        return at in self.zone(other(side))

    # 10: what a step costs

    def ground(self, unit: Unit, a: str, b: str) -> int:
        """10.0.2, 10.0.7 to 10.0.10: quarters of a point off the roads; -1 where one may not go, -2 for the whole."""
        tables, foot = self.book.tables, self.book.feet[unit.c.foot]
        here, side = self.book.hexes[b], self.book.side(a, b)
        cost = tables["settlement"].get(here.settlement, tables["terrain"][here.terrain])[foot]
        if cost < 0:
            return FORBIDDEN
        if side.cliff:
            return WHOLE if unit.c.mountain else FORBIDDEN
        extras = []
        if side.water and (a, b) not in self.built:  # 21.1: over a bridge that was built, on which no road leads
            extras.append(tables["hexside"][side.water][foot])
        if self.book.uphill(a, b):
            extras.append(tables["hexside"]["uphill"][foot])
        elif here.level != self.book.hexes[a].level:
            extras.append(tables["hexside"]["level"][foot])
        if any(extra < 0 for extra in extras):
            return FORBIDDEN
        return cost + sum(extras) + self.snow(unit, b, cost + sum(extras))

    def snow(self, unit: Unit, at: str, cost: int) -> int:
        """8.1: what a blizzard adds."""
        if self.book.weather(self.turn, at) != "blizzard":
            return 0
        return cost if unit.c.gun else QUARTERS

    def by_road(self, unit: Unit, a: str, b: str, halved: bool = True) -> int:
        """10.0.4, 19.1.2, 21.8: quarters of a point along the best road, or -1."""
        foot = self.book.feet[unit.c.foot]
        costs = []
        bridge = self.bridged(a, b)
        for kind in self.routes(a, b):
            cost = self.book.tables["route"][kind][foot]
            if bridge == "footbridge":
                crossing = self.book.tables["route"]["footbridge"][foot]
                cost = FORBIDDEN if crossing < 0 else max(cost, crossing)
            if cost >= 0:
                if halved and (unit.c.branch == "bicycle" or unit.c.motorised) and b not in self.near(other(unit.side)):
                    cost = cost // 2
                costs.append(cost + self.snow(unit, b, cost))
        return min(costs) if costs else FORBIDDEN

    def by_trench(self, unit: Unit, a: str, b: str) -> int:
        """17.7.2: along connected trenches as on a trail, if there is no road."""
        if self.routes(a, b) or not self.linked(a, b, unit.side):
            return FORBIDDEN
        cost = int(self.book.tables["route"]["trench"][self.book.feet[unit.c.foot]])
        return cost if cost < 0 else cost + self.snow(unit, b, cost)

    def can_enter(self, unit: Unit, a: str, b: str) -> bool:
        """Could the unit ever go from one hex to the next, whoever stands there?"""
        if self.book.hexes[b].barred:
            return False
        return self.ground(unit, a, b) != FORBIDDEN or self.by_road(unit, a, b) >= 0 or self.by_trench(unit, a, b) >= 0

    def road_open(self, unit: Unit, b: str, strict: bool = True) -> bool:
        """10.0.4, 11.3: may a unit enter a hex along a road, seeing who of its own side is there?"""
        there = [u for u in self.units_at(b, unit.side) if u is not unit]
        if any(u.c.gun and not u.emplaced for u in self.stacks.get(b, ()) if u is not unit):  # of either side
            return False
        # 3.0, 11.1.2: one to four companies are a battalion-equivalent, but for the one that is free (11.5)
        return sum(u.weight for u in there) - self.allowance(there, not strict) <= 0

    @staticmethod
    def allowance(units: list[Unit], lenient: bool) -> int:
        """11.5: the quarters of companies that stack free: one in all, or by the widest reading one of each kind."""
        free = [u for u in units if u.free and u.weight]
        if not lenient:
            return min(1, len(free))
        return min(2, len(free))

    def step_cost(self, unit: Unit, a: str, b: str, alone: bool = True) -> int:
        """What entering a hex costs, in quarters: -1 where it is forbidden, -2 where it takes the whole allowance."""
        costs = [self.by_trench(unit, a, b)]
        if alone and self.road_open(unit, b):
            costs.append(self.by_road(unit, a, b))
        costs.append(self.ground(unit, a, b))
        good = [c for c in costs if c >= 0]
        if good:
            return min(good)
        return WHOLE if WHOLE in costs else FORBIDDEN

    def leaving(self, unit: Unit, a: str, gone: Iterable[Unit] = ()) -> int:
        """10.1.1, 21.5.1: what leaving an enemy zone costs."""
        if unit.c.infiltrates or not self.watched(a, unit.side):
            return 0
        rest = [u for u in self.troops(a, unit.side) if u is not unit and u not in set(gone)]
        return 0 if rest else QUARTERS

    def allowance_of(self, unit: Unit, forced: bool = False, strategic: bool = False) -> int:
        """10.0.1, 10.3.2, 10.4, 21.6: quarters of a point."""
        points = unit.c.ma * QUARTERS
        if "rommel" in unit.marks:
            points += QUARTERS
        if strategic:
            points *= 2
        if forced:
            points = points * 3 // 2
        return points

    def may_force(self, unit: Unit) -> bool:
        """10.4: may it force its march?"""
        return not unit.c.gun and unit.dp < unit.c.morale - 1

    def bars(self, unit: Unit, b: str, tactical: bool) -> bool:
        """10.0.5, 10.3.1, 18.4, 21.7: do those who stand in a hex bar it?"""
        foes = self.units_at(b, other(unit.side))
        if any(not u.c.gun for u in foes) or (foes and not tactical) or (foes and unit.c.gun):
            return True
        if unit.c.gun and self.watched(b, unit.side) and not self.troops(b, unit.side):
            return True
        return self.book.hexes[b].barred

    def reach(
        self,
        unit: Unit,
        points: int,
        tactical: bool,
        start: str = "",
        spent: bool = False,
        whole: int = 0,
        sector: str = "",
    ) -> dict[str, int]:
        """Hexes that a unit can come to, with the quarters that it has left there. `whole` is what a cliff takes."""
        start = start or unit.at
        best = {start: points}
        queue = [(-points, start)]
        while queue:
            left, at = heappop(queue)
            left = -left
            if left < best[at]:
                continue
            if at != start and not unit.c.infiltrates and self.watched(at, unit.side):
                continue
            for to in self.book.next_to[at]:
                if self.bars(unit, to, tactical):
                    continue
                if sector and self.book.hexes[to].sector not in {sector, "common"}:
                    continue
                cost = self.step_cost(unit, at, to)
                if cost == FORBIDDEN:
                    continue
                if cost == WHOLE:
                    if at != start or spent:
                        continue
                    cost = whole or points  # 10.0.9: nothing costs more, the point for leaving a zone is within it
                elif at == start:
                    cost += self.leaving(unit, at)
                if cost <= left and left - cost > best.get(to, -1):
                    best[to] = left - cost
                    heappush(queue, (cost - left, to))
        return best

    # 11: stacking

    def limit(self, at: str) -> int:
        """11.1: quarters of battalion-equivalents that a side may have in a hex."""
        return QUARTERS if self.book.hexes[at].terrain == "high_mountain" else 2 * QUARTERS

    def crowded(self, at: str, side: str, lenient: bool = True) -> bool:
        """11.1 to 11.5: are there too many of a side in a hex?"""
        units = self.units_at(at, side)
        if sum(1 for u in units if u.c.gun and u.emplaced) > 2:
            return True
        weights = [u for u in units if u.weight]
        load = sum(u.weight for u in weights) - self.allowance(weights, lenient)
        if not lenient:  # 11.5, 21.3: one machine-gun company is free; by 3.0 all of them are
            companies = [u for u in units if u.free]
            load = sum(u.solid for u in units) - min(1, len(companies))
        if load <= self.limit(at):
            return False
        counted = [u for u in units if u.weight or (u.c.machine_gun and not lenient)]
        regiments = {u.c.regiment for u in weights if not u.c.gun and not (u.company and u.free)}
        strangers = [u for u in counted if u.free and u.c.regiment not in regiments]
        one = len(regiments) == 1 and "" not in regiments and not any(u.c.gun for u in weights)
        one = one and (lenient or len(strangers) < 2)
        return not (one and (lenient or self.limit(at) > QUARTERS))

    # 9: supply

    def net(self, side: str, sector: str = "", interdicted: str = "", barred: bool = True) -> set[str]:
        """9.2 to 9.2.3, 9.4.1, 24.3: road hexes from which the road leads to a source of supply; over the left bank too
        (`barred`), which is out of play (21.7)."""
        key = (side, sector, interdicted, barred)
        if key not in self._net:
            near = self.near(other(side))
            under = self.interdicted(side) if interdicted else set()

            def good(at: str) -> bool:
                here = self.book.hexes[at]
                inside = not sector or here.sector in {sector, "common"}
                free = at not in near and at not in under and not self.units_at(at, other(side))
                return inside and free and (barred or not here.barred)

            found = {at for at, here in self.book.hexes.items() if here.source == side and good(at)}
            queue = list(found)
            while queue:
                at = queue.pop()
                for to in self.book.next_to[at]:
                    if to in found or not self.routes(at, to) or self.bridged(at, to) == "footbridge" or not good(to):
                        continue
                    found.add(to)
                    queue.append(to)
            self._net[key] = found
        return self._net[key]

    def interdicted(self, side: str) -> set[str]:
        """9.4.1: hexes within range and sight of enemy guns in battery."""
        found: set[str] = set()
        for gun in self.on_map(other(side)):
            if gun.c.gun and gun.emplaced:
                for at in self.book.hexes:
                    if at not in found and distance(gun.at, at) <= gun.c.range:
                        if self.book.sight(self.turn, gun.at, at):
                            found.add(at)
        return found

    def supplied(
        self, at: str, side: str, sector: str = "", rivers: bool = True, interdicted: str = "", junction: bool = False
    ) -> bool:
        """9.2, 9.2.1, 9.2.2: does a line of supply lead to a hex? Of wading rivers the book says nothing.

        With `junction` the hex in which it comes to the road is not yet part of the road.
        """
        if sector and self.book.hexes[at].sector not in {sector, "common"}:  # 24.3: the line would cut it at once
            return False
        net = self.net(side, sector, interdicted, rivers)

        def joins(here: str) -> bool:
            if junction and self.book.hexes[here].source == side:
                return True
            return junction and any(
                to in net and self.routes(here, to) and self.bridged(here, to) != "footbridge"
                for to in self.book.next_to[here]
            )

        seen = {at}
        ring = [at]
        for far in range(6):
            if any(here in net or joins(here) for here in ring):
                return True
            fresh = []
            for here in ring:
                for to in self.book.next_to[here]:
                    if to in seen:
                        continue
                    between = self.book.side(here, to)
                    if between.cliff and not self.routes(here, to) and far:
                        continue
                    if not rivers and self.book.hexes[to].barred:
                        continue
                    if between.water and not rivers and not self.bridged(here, to):
                        continue
                    if sector and self.book.hexes[to].sector not in {sector, "common"}:
                        continue
                    if self.units_at(to, other(side)):
                        continue
                    if self.watched(to, side) and not self.units_at(to, side):
                        continue
                    seen.add(to)
                    fresh.append(to)
            ring = fresh
        return False

    # 7.1: command

    def command(self, at: str, side: str, far: int, zones: bool) -> set[str]:
        """7.1: hexes in the range of a headquarters; with `zones` through enemy zones too, as if all dice were kind."""
        seen = {at}
        ring = [at]
        for _ in range(far):
            fresh = []
            for here in ring:
                for to in self.book.next_to[here]:
                    if to in seen or self.units_at(to, other(side)):
                        continue
                    if not zones and self.watched(to, side) and not self.units_at(to, side):
                        continue
                    if not zones and self.book.hexes[to].barred:  # 21.7: is what is out of play in the way?
                        continue
                    seen.add(to)
                    fresh.append(to)
            ring = fresh
        return seen

    # 12: fire

    def factor(self, gun: Unit) -> Fraction:
        """18.6: the bombardment factor of now; 18.1: none in movement."""
        if not gun.emplaced:
            return Fraction(0)
        return Fraction(gun.c.factor) * max(0, 2 - gun.dp) / 2

    def direct(self, a: str, b: str) -> bool:
        """12.1: a line without anything higher than both ends."""
        return self.book.clear_line(a, b, False)

    def aims(self, gun: Unit, at: str) -> Fraction:
        """12.1: with what factor a gun can bombard a hex that is observed; 0 where it cannot."""
        if distance(gun.at, at) > gun.c.range:
            return Fraction(0)
        factor = self.factor(gun)
        if not self.direct(gun.at, at):
            if gun.c.kind == "light":
                return Fraction(0)
            if gun.c.kind == "medium":
                factor /= 2
        if self.book.weather(self.turn, at) == "blizzard":
            factor /= 2
        return factor

    def observers(self, side: str, commanded: set[str] | None = None) -> set[str]:
        """12.1.1: hexes from which a side observes: of units in command, in places that see far."""
        found = set()
        for unit in self.on_map(side):
            if commanded is not None and unit.id not in commanded:
                continue
            if commanded is None and "out_of_command" in unit.marks:
                continue
            here = self.book.hexes[unit.at]
            if here.settlement or here.peak or any(u.c.gun for u in self.units_at(unit.at, side)):
                found.add(unit.at)
        return found

    def observed(self, at: str, side: str, commanded: set[str] | None = None) -> bool:
        """12.1.1: does one of them see the hex?"""
        return any(self.book.sight(self.turn, seer, at) for seer in self.observers(side, commanded))

    def fire_column(self, factors: Fraction | int) -> int:
        """12.1.4, 12.2.1: the column of the fire table; -1 left of it."""
        column = -1
        for i, least in enumerate(self.book.tables["fire"]["from"]):
            if factors >= least:
                column = i
        return column

    def cover(self, at: str, units: list[Unit], trenches: bool = True) -> int:
        """Shifts of the fire table for where the target is; 17.4 for its own trenches, 21.2 for cavalry."""
        shifts = self.book.tables["fire"]["target"]
        here = self.book.hexes[at]
        shift = int(shifts.get(here.settlement, 0))
        if here.terrain == "woods":
            shift += shifts["woods"]
        side = units[0].side if units else ""
        levels = [self.trench(at, side)] if side else [0]
        levels += [self.side_trench(at, n, side) for n in self.book.next_to[at]] if side else []
        if not trenches or (units and all(u.c.cavalry for u in units)):
            levels = [0]
        return shift + int(shifts["trench"][max(levels)])

    def cover_from(self, at: str, units: list[Unit], sources: set[str]) -> int:
        """12.1.7, 17.9: cover against support fire alone: a trench along a hexside only if it is fired across."""
        shifts = self.book.tables["fire"]["target"]
        here = self.book.hexes[at]
        shift = int(shifts.get(here.settlement, 0)) + (shifts["woods"] if here.terrain == "woods" else 0)
        side = units[0].side
        levels = [self.trench(at, side), min((self.side_trench(at, s, side) for s in sources), default=0)]
        return shift + (0 if all(u.c.cavalry for u in units) else int(shifts["trench"][max(levels)]))

    def trench_toward(self, unit: Unit, to: str) -> int:
        """17.4, 17.9, 21.2: the trench from which a unit fires at a hex next to it."""
        return 0 if unit.c.cavalry else max(self.trench(unit.at, unit.side), self.side_trench(unit.at, to, unit.side))

    # 12.3: assaults

    def ratio_column(self, attack: int, defence: int) -> int | None:
        """12.3.3, 12.3.6: the column of the assault table before shifts; -1 left of it; None right of it by ratio."""
        ratios = [Fraction(*pair) for pair in self.book.tables["assault"]["ratio"]]
        if defence <= 0:
            return len(ratios) - 1
        ratio = Fraction(attack, defence)
        column = -1
        for i, least in enumerate(ratios):
            if ratio >= least:
                column = i
        return column
