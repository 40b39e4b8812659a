"""What can be laid over the map: zones of reaction, the radius of a commander, reach, range, sight, objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.overlay import ZONE, Asked, Layer, Overlay
from fronte.games.volturno import fire, movement, special
from fronte.games.volturno.command import radius
from fronte.games.volturno.counters import HALVES, SIDES
from fronte.games.volturno.reaction_zones import zone_of
from fronte.games.volturno.state import State
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

OVERLAYS = ("zones", "command", "reach", "range", "all_ranges", "sight", "objectives")
OF_PIECES = ("command", "reach", "range")
USUAL = ("command", "range")


def overlay(rules: Volturno, state: State, seat: int, name: str, about: Asked) -> Overlay | Refusal:
    """An overlay by its name."""
    if name == "objectives":
        return Overlay(name, (Layer(values=dict(rules.setting.objectives)),))
    if name == "zones":
        return zones(rules, state)
    if name == "sight":
        return sight(rules, state, about.hex)
    if name == "all_ranges":
        return all_ranges(rules, state, seat)
    if name not in OF_PIECES:
        return Refusal("", "no_overlay", {"name": name})
    unit = rules.number.get(about.piece, -1)
    if unit < 0:
        return rules.unknown_unit(about.piece)
    if rules.side[unit] != seat:
        return Refusal("8.6", "not_yours", {"unit": about.piece})
    if state.at[unit] < 0:
        return Refusal("2.4.p2", "gone", {"unit": about.piece})
    if name == "range":
        return gun_range(rules, state, unit)
    return command(rules, state, unit) if name == "command" else reach(rules, state, unit)


def zones(rules: Volturno, state: State) -> Overlay:
    """3: the zones of reaction of both sides; fronts, columns and branches lie open to all (8.6)."""
    layers = [Layer(rules.hex_ids(bits(zone_of(rules, state, side))), SIDES[side], ZONE) for side in range(2)]
    return Overlay("zones", tuple(layers))


def command(rules: Volturno, state: State, unit: int) -> Overlay | Refusal:
    """5.2, 2.2.2: how far the commander of a unit's formation reaches now, or a commander himself."""
    counter = rules.counters[unit]
    leader = unit if counter.is_leader else rules.leader_of[counter.formation]
    if state.at[leader] < 0:
        return Refusal("5.1", "gone", {"unit": rules.ids[leader]})
    points = rules.command_radius if counter.formation >= 0 else counter.command * HALVES
    hexes = radius(rules, state, leader, points)
    inside = "own" if unit == leader else "in" if state.at[unit] in hexes else "out"
    data = {"leader": rules.ids[leader], "inside": inside}
    return Overlay("command", (Layer(rules.hex_ids(sorted(hexes)), SIDES[counter.side]),), data)


def reach(rules: Volturno, state: State, unit: int) -> Overlay:
    """8: where a unit could go if it acted now; guns that are unlimbered go nowhere before they limber (8.4)."""
    stands = rules.counters[unit].is_artillery and not movement.is_column(state, unit)
    hexes = [] if stands else sorted(movement.reach(rules, state, unit))
    data = {"n": len(hexes), "stands": "yes" if stands else "no"}
    return Overlay("reach", (Layer(rules.hex_ids(hexes), SIDES[rules.side[unit]]),), data)


def gun_range(rules: Volturno, state: State, unit: int) -> Overlay:
    """9.1, 9.4.4: the hexes that guns could fire into from where they stand; nothing of others."""
    if not rules.counters[unit].is_artillery:
        return Overlay("range")
    hexes = _in_range(rules, state, unit)
    return Overlay("range", (Layer(rules.hex_ids(hexes), SIDES[rules.side[unit]]),), {"n": len(hexes)})


def all_ranges(rules: Volturno, state: State, seat: int) -> Overlay:
    """9.1, 9.4.4: the hexes that any guns of one's own could fire into from where they stand."""
    hexes = set[int]()
    for unit, h in enumerate(state.at):
        if h >= 0 and rules.side[unit] == seat and rules.counters[unit].is_artillery:
            hexes.update(_in_range(rules, state, unit))
    return Overlay("all_ranges", (Layer(rules.hex_ids(sorted(hexes)), SIDES[seat]),) if hexes else ())


def _in_range(rules: Volturno, state: State, unit: int) -> list[int]:
    here, far = state.at[unit], special.sight_of(rules, state.turn)
    near = rules.grid.within(here, fire.reach_of(rules, unit)) & rules.ground.extent
    return [
        h
        for h in bits(near)
        if rules.grid.distance(here, h) == 1 or (h != here and special.sees(rules, state, here, h, far))
    ]


def sight(rules: Volturno, state: State, name: str) -> Overlay | Refusal:
    """9.4.4, 15.2: what is seen from a hex now: ground, units in the way and the light count."""
    h = rules.grid.index.get(name, -1)
    if h < 0:
        return rules.unknown_hex(name)
    far = special.sight_of(rules, state.turn)
    seen = rules.ground.sight.seen(h, far) & rules.ground.extent
    hexes = [there for there in bits(seen) if there != h and special.sees(rules, state, h, there, far)]
    return Overlay("sight", (Layer(rules.hex_ids(hexes)),), {"hex": name, "n": len(hexes)})
