"""What can be laid over the map of an Inferno game: zones of control, supply, ranges of guns, objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.overlay import ZONE, Asked, Layer, Overlay
from fronte.games.inferno import cites, supply
from fronte.games.inferno.state import LOW_SUPPLY, SUPPLY, State
from fronte.games.inferno.zoc import zoc
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

OVERLAYS = ("zones", "supply", "range", "all_supply", "all_ranges", "objectives")
OF_PIECES = ("supply", "range")


def overlay(rules: Inferno, state: State, seat: int, name: str, about: Asked) -> Overlay | Refusal:
    """An overlay by its name."""
    if name == "zones":
        return zones(rules, state)
    if name == "supply":
        return supply_line(rules, state, seat, about.piece)
    if name == "range":
        return gun_range(rules, state, seat, about.piece)
    if name == "all_supply":
        return all_supply(rules, state, seat)
    if name == "all_ranges":
        return all_ranges(rules, state, seat)
    if name == "objectives":
        return Overlay(name, (Layer(values=dict(rules.setting.objectives)),))
    return Refusal("", "no_overlay", {"name": name})


def zones(rules: Inferno, state: State) -> Overlay:
    """6, 5.3: open to both, since a unit that exerts a zone lies above those that exert none."""
    sides = enumerate(rules.seats)
    layers = [Layer(rules.hex_ids(bits(zoc(rules, state, side))), force, ZONE) for side, force in sides]
    return Overlay("zones", tuple(layers))


def supply_line(rules: Inferno, state: State, seat: int, name: str) -> Overlay | Refusal:
    """11.3: the supply path of a unit of one's own, its length, and the state it would give now."""
    unit = _own(rules, state, seat, name, cites.SUPPLY_PATH)
    if isinstance(unit, Refusal):
        return unit
    length = supply.supply_length(rules, state, unit)
    way = rules.hex_ids(supply.supply_path(rules, state, unit) or [])
    found = "none" if length is None else "length"
    data = {"length": length, "state": SUPPLY[supply.state_of(length)], "found": found}
    return Overlay("supply", (Layer(path=way),), data)


def _own(rules: Inferno, state: State, seat: int, name: str, rule: str) -> int | Refusal:
    """A unit of one's own on the map by its name."""
    unit = rules.number.get(name, -1)
    if unit < 0:
        return rules.unknown_unit(name)
    if rules.side[unit] != seat or state.at[unit] < 0:
        return Refusal(rule, "not_yours_on_map", {"unit": name})
    return unit


def all_supply(rules: Inferno, state: State, seat: int) -> Overlay:
    """11.3: where one's own units stand, by the state that their supply would have now; and the paths of those that
    are not in supply any more but have one."""
    where: dict[int, set[int]] = {}
    paths = []
    for unit, h in enumerate(state.at):
        if rules.side[unit] != seat or h < 0:
            continue
        found = supply.state_of(supply.supply_length(rules, state, unit))
        if h not in where.setdefault(found, set()) and found == LOW_SUPPLY:
            paths.append(Layer(path=rules.hex_ids(supply.supply_path(rules, state, unit) or [])))
        where[found].add(h)
    layers = [Layer(rules.hex_ids(sorted(hexes)), kind=SUPPLY[found]) for found, hexes in sorted(where.items())]
    return Overlay("all_supply", (*layers, *paths), {SUPPLY[found]: len(hexes) for found, hexes in where.items()})


def gun_range(rules: Inferno, state: State, seat: int, name: str) -> Overlay | Refusal:
    """12.3.b, 12.3.e: the hexes in range of a gun or a fortress of one's own; nothing of other units."""
    unit = _own(rules, state, seat, name, cites.GUN_RANGE)
    if isinstance(unit, Refusal):
        return unit
    if not rules.supports[unit]:
        return Overlay("range")
    hexes = _in_range(rules, state, unit)
    return Overlay("range", (Layer(rules.hex_ids(bits(hexes)), rules.seats[seat]),), {"n": _reach(rules, unit)})


def all_ranges(rules: Inferno, state: State, seat: int) -> Overlay:
    """12.3.b, 12.3.e: the hexes in range of any gun or fortress of one's own."""
    hexes = 0
    for unit, h in enumerate(state.at):
        if h >= 0 and rules.side[unit] == seat and rules.supports[unit]:
            hexes |= _in_range(rules, state, unit)
    return Overlay("all_ranges", (Layer(rules.hex_ids(bits(hexes)), rules.seats[seat]),) if hexes else ())


def _reach(rules: Inferno, unit: int) -> int:
    return rules.heavy_reach if rules.counters[unit].type == "heavy_artillery" else rules.gun_reach


def _in_range(rules: Inferno, state: State, unit: int) -> int:
    return rules.board.grid.within(state.at[unit], _reach(rules, unit)) & ~(1 << state.at[unit])
