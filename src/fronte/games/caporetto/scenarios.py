"""24 to 27: the scenarios as they are written: who plays what, how long, for what, and the rules of the first turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fronte.engine.pack import PackError, is_number, reading
from fronte.games.caporetto.terrain import ITALIAN, SIDES, Ground
from fronte.hexes import mask_of

FILE = "scenarios.toml"
MAJORITY, WINGS, POINTS = VICTORIES = ("majority", "wings", "points")
"""26.3 and 27.3; 24.7; 25.7."""
REINFORCEMENT, ARTILLERY_PHASE = BEGINNINGS = ("reinforcement", "artillery")
"""4.0, 24.9: the phase with which turn 1 begins."""


class Logistics(NamedTuple):
    """24.14, 25.14, 26.5, 27.5: points at the start, then each turn from a certain one on."""

    start: int
    income: int
    since: int


class FirstTurn(NamedTuple):
    """24.9 to 24.13, 25.9 to 25.13: what holds in turn 1."""

    begins: str = REINFORCEMENT
    preparation: bool = False
    """24.12, 24.13: the preparatory bombardment, gas and mines."""
    italians_planned: bool = True
    react_if_assaulted: bool = False
    move_if_attacked: bool = False
    """24.9: in phase 10 only independents and formations that were assaulted or bombarded."""
    limber: bool = True
    """24.9: Italian guns may be turned to movement."""
    strategic: bool = True
    friendly_fire: bool = False
    """12.1.5.6: never in turn 1."""
    demolition: bool = True
    bottlenecks: bool = False


class Blow(NamedTuple):
    """24.13, 25.13: mines or gas: the hexes of the markers, the column of the fire chart, how far they may be moved."""

    hexes: tuple[int, ...]
    column: int
    moved: int


class Scenario:
    """What scenarios.toml says of one scenario, checked against the board."""

    def __init__(self, data: Mapping[str, Any], ground: Ground, columns: tuple[str, ...], last: int) -> None:
        self.ground = ground
        with reading(FILE):
            self.rule = str(data["rule"])
            self.sectors = bool(data.get("sectors", False))
            self._seats(data)
            self.first_turn, self.last_turn = (int(turn) for turn in data["turns"])
            if not 1 <= self.first_turn <= self.last_turn <= last:
                raise PackError(FILE, None, f"turns are {self.first_turn} to {self.last_turn}, not within 1 to {last}")
            self._victory(data)
            self._logistics(data)
            opening = data.get("first_turn", {})
            if set(opening) - set(FirstTurn._fields) or opening.get("begins", REINFORCEMENT) not in BEGINNINGS:
                raise PackError(FILE, None, "first_turn says something that no rule knows")
            self.opening = FirstTurn(**opening)
            self.mines, self.gas = (self._blow(data.get(word), columns) for word in ("mines", "gas"))
            self.matajur = self.hex(data["matajur"]) if "matajur" in data else -1
            """24.15: the hex whose marker goes to who takes it first."""
            frozen = data.get("frozen", {})
            self.frozen, self.frozen_until = tuple(frozen.get("formations", ())), int(frozen.get("until", 0))
            """24.9.2."""
            self.without_guns = tuple(data.get("without_guns", ()))
            """24.9.2."""
            self.crosses_over = tuple(data.get("crosses_over", ()))
            """24.3: formations that begin in the other sector and must leave it."""
            building = data.get("building", {})
            self.builder, self.building = str(building.get("unit", "")), str(building.get("bridge", ""))
            """25.8: who may begin at work on which bridge,"""
            self.building_empty = self.hex(building["empty"]) if building else -1
            """if no Italian unit is here."""

    def hex(self, name: Any) -> int:
        """A hex of the board, by its number."""
        if name not in self.ground.grid.index:
            raise PackError(FILE, None, f"{name} is no hex of the board")
        return self.ground.grid.index[name]

    def _seats(self, data: Mapping[str, Any]) -> None:
        """24.1: which seat commands which force. A force is a side, or a side and its wing."""
        self.seats = tuple(map(str, data["seats"]))
        forces = {str(force): str(seat) for force, seat in data["forces"].items()}
        self.forces = tuple(forces)
        self.seat_of = tuple(self.seats.index(seat) for seat in forces.values())
        self.force_side = tuple(SIDES.index(force.partition("-")[0]) for force in forces)
        self.force_wing = tuple(force.partition("-")[2] for force in forces)
        if any(bool(wing) != self.sectors for wing in self.force_wing):
            raise PackError(FILE, None, "forces have wings where there are sectors, and nowhere else (24.1)")

    def force(self, side: int, wing: str) -> int:
        """The force of a unit."""
        name = f"{SIDES[side]}-{wing}" if self.sectors else SIDES[side]
        if name not in self.forces:
            raise PackError("units.csv", None, f"there is no force {name} in this scenario (24.1)")
        return self.forces.index(name)

    def _victory(self, data: Mapping[str, Any]) -> None:
        """23.1, 24.7, 24.16, 25.7, 25.15, 26.3, 27.3."""
        self.victory = str(data["victory"])
        if self.victory not in VICTORIES:
            raise PackError(FILE, None, f"victory is {self.victory!r}, not one of {', '.join(VICTORIES)}")
        given = data.get("objectives")
        self.objectives = dict(self.ground.points) if given is None else {self.hex(h): int(n) for h, n in given.items()}
        """By hex what it is worth; in the campaigns what is printed on the map."""
        self.holder = SIDES.index(data["held"]) if "held" in data else -1
        """26.3, 27.3: the side that holds all of them at the start; -1: as the front runs (23.1)."""
        self.needed = int(data.get("needed", 0))
        """26.3, 27.3: the points that are most of them."""
        self.levels = {str(level): int(most) for level, most in data.get("levels", {}).items()}
        """25.7: up to how many points."""
        listed = data.get("breakthrough", {})
        self.breakthrough = {
            f: mask_of(map(self.hex, listed[force])) for f, force in enumerate(self.forces) if force in listed
        }
        """24.16, 25.15: by force the hexes that it must hold,"""
        self.breakthrough_needed = {
            f: int(listed.get("needed", hexes.bit_count())) for f, hexes in self.breakthrough.items()
        }
        """and how many of them;"""
        self.counted_twice = self.hex(listed["twice"]) if "twice" in listed else -1
        """25.15: by an option one of them counts twice."""

    def bands(self, between: str) -> tuple[tuple[str, int | None], ...]:
        """25.7: the levels of victory by points, from the lowest on; none where points are compared.

        `between` is what the number that the booklet gives to nobody counts for (option vp_90).
        """
        if self.victory != POINTS:
            return ()
        least = self.levels["italian"] - (between == "draw")
        return ("italian_wins", least), ("draw", self.levels["draw"]), ("ahg_wins", None)

    def _logistics(self, data: Mapping[str, Any]) -> None:
        self.logistics: dict[int, Logistics] = {}
        for force, found in data["logistics"].items():
            numbers = [found[key] for key in ("start", "income", "from")]
            if force not in self.forces or not all(is_number(n) and n >= 0 for n in numbers):
                raise PackError(FILE, None, f"logistics: {force} with {numbers} cannot be")
            self.logistics[self.forces.index(force)] = Logistics(*numbers)
        campaign = self.victory != MAJORITY
        self.depots = {h: self.force(ITALIAN, wing) for h, wing in self.ground.depots.items()} if campaign else {}
        """24.14, 25.14: supply centres, with the force that loses points by them."""

    def _blow(self, data: Mapping[str, Any] | None, columns: tuple[str, ...]) -> Blow:
        if data is None:
            return Blow((), -1, 0)
        hexes = tuple(self.hex(h) for h in data["hexes"])
        for h in hexes:
            if not self.ground.trench[ITALIAN] >> h & 1:
                raise PackError(FILE, None, f"{self.ground.grid.ids[h]} has no Italian trench (24.13, 25.13)")
        return Blow(hexes, columns.index(str(data["column"])), int(data.get("moved", 0)))
