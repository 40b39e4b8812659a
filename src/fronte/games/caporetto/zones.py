"""24.8, 25.8: where units may be set up. A unit without a zone has its listed hex and no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from fronte.engine.pack import PackError
from fronte.games.caporetto.counters import LIGHT
from fronte.games.caporetto.scenarios import FILE
from fronte.games.caporetto.terrain import ISONZO, SIDES, Ground
from fronte.hexes import Grid, Spread, bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted

FRONT, RESERVE, HEXES, GUNS = KINDS = ("front", "reserve", "hexes", "guns")


class Zone(NamedTuple):
    """Where some units may be set up."""

    name: str
    rule: str
    hexes: int
    units: tuple[int, ...]
    chained: bool
    """24.8: or next to units placed before, in a chain that begins in these hexes."""


def read_zones(printed: CaporettoPrinted, listed: Mapping[str, Mapping[str, Any]]) -> tuple[Zone, ...]:
    """The zones of a scenario. Each unit has one at most; `others` takes the combat units of a side that are left."""
    found: list[Zone] = []
    taken = 0
    for name, data in listed.items():
        if data["kind"] not in KINDS or data["side"] not in SIDES:
            raise PackError(FILE, None, f"zones: {name} is of no kind or side that there is")
        side = SIDES.index(data["side"])
        units = [u for u in bits(_units(printed, data, side) & ~taken) if printed.begins[u] >= 0]
        taken |= mask_of(units)
        if data["kind"] == GUNS:
            found += _gun_zones(printed, name, str(data["rule"]), side, units)
        else:
            hexes = _hexes(printed, data, side) & printed.ground.held[side] & printed.ground.extent
            found.append(Zone(name, str(data["rule"]), hexes, tuple(units), data["kind"] == FRONT))
    return tuple(found)


def _units(printed: CaporettoPrinted, data: Mapping[str, Any], side: int) -> int:
    if data["kind"] == GUNS:
        return printed.guns & printed.of_side[side] & ~printed.groups
    named = 0
    for formation in data.get("formations", ()):
        named |= printed.formations[printed.formation_number(formation)].mask
    for division in data.get("divisions", ()):
        named |= printed.of_division[printed.divisions.index((side, division))] & printed.independents
    if data.get("others"):
        named |= printed.combat & printed.of_side[side]
    return named & ~printed.guns


def _hexes(printed: CaporettoPrinted, data: Mapping[str, Any], side: int) -> int:
    ground = printed.ground
    if data["kind"] == FRONT:
        found = 0
        for line in data["lines"]:
            one, other = (printed.scene.hex(end) for end in line.split("/"))
            found |= between(ground, side, one, other) & ground.inside[data["sector"]] | 1 << one | 1 << other
        return found & ground.trench[side]
    if data["kind"] == RESERVE:
        near = 0
        for h in bits(ground.trench[1 - side]):
            near |= ground.grid.within(h, int(data["away"]) - 1)
        return bank(ground, printed.scene.hex(data["bank"])) & ~near
    return mask_of(printed.scene.hex(h) for h in data["hexes"])


def between(ground: Ground, side: int, one: int, other: int) -> int:
    """24.8: the trenches of a side on the lines that lead from a hex to another: joined to either, in the columns from
    the one to the other."""
    low, high = sorted((ground.grid.column[one], ground.grid.column[other]))
    joined = ground.grid.around.flood(1 << one | 1 << other, ground.trench[side])
    return mask_of(h for h in bits(joined) if low <= ground.grid.column[h] <= high)


def bank(ground: Ground, here: int) -> int:
    """The hexes on the same bank of the Isonzo."""
    leads = [
        mask_of(there for way, there in ground.ways_from(h) if ground.water[way] != ISONZO)
        for h in range(ground.grid.size)
    ]
    return Spread(leads).flood(1 << here, ground.grid.everything)


def _gun_zones(printed: CaporettoPrinted, name: str, rule: str, side: int, units: Iterable[int]) -> list[Zone]:
    """25.8: guns must be able to fire at an enemy trench: in range, light ones with a direct line (12.1)."""
    ground = printed.ground
    reach: dict[tuple[int, bool], list[int]] = {}
    for u in units:
        c = printed.counters[u]
        reach.setdefault((c.range, c.kind.gun == LIGHT), []).append(u)
    found = []
    targets = ground.trench[1 - side] | mask_of(t.hex for t in ground.side_trenches if t.owner != side)
    for (far, direct), guns in reach.items():
        hexes = 0
        for target in bits(targets):
            near = ground.grid.within(target, far)
            hexes |= mask_of(h for h in bits(near) if ground.direct.sees(h, target)) if direct else near
        found.append(Zone(name, rule, hexes & ground.held[side] & ground.extent, tuple(guns), False))
    return found


def chained(grid: Grid, hexes: int, occupied: int) -> int:
    """24.8: the hexes of a zone, and those to which a chain of occupied hexes leads from one of them."""
    return hexes | grid.around.flood(hexes, occupied)
