"""What can be laid over the map of an Inferno game: zones of control, supply, objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.overlay import ZONE, Asked, Layer, Overlay
from fronte.games.inferno import cites, supply
from fronte.games.inferno.state import SUPPLY, State
from fronte.games.inferno.zoc import zoc
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

OVERLAYS = ("zones", "supply", "objectives")
OF_PIECES = ("supply",)


def overlay(rules: Inferno, state: State, seat: int, name: str, about: Asked) -> Overlay | Refusal:
    """An overlay by its name."""
    if name == "zones":
        return zones(rules, state)
    if name == "supply":
        return supply_line(rules, state, seat, about.piece)
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
    unit = rules.number.get(name, -1)
    if unit < 0:
        return rules.unknown_unit(name)
    if rules.side[unit] != seat or state.at[unit] < 0:
        return Refusal(cites.SUPPLY_PATH, "not_yours_on_map", {"unit": name})
    length = supply.supply_length(rules, state, unit)
    way = rules.hex_ids(supply.supply_path(rules, state, unit) or [])
    found = "none" if length is None else "length"
    data = {"length": length, "state": SUPPLY[supply.state_of(length)], "found": found}
    return Overlay("supply", (Layer(path=way),), data)
