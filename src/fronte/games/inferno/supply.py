"""Chapter 11, supply: sources, paths, states and attrition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Frame
from fronte.engine.event import Event
from fronte.games.inferno.effectiveness import is_dead, reduce
from fronte.games.inferno.ground import ISONZO, RIVER
from fronte.games.inferno.state import IN_SUPPLY, LOW_SUPPLY, OUT_OF_SUPPLY, SUPPLY, State
from fronte.games.inferno.zoc import supply_barrier
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

IN_RANGE, LOW_RANGE = 4, 8


def sources(rules: Inferno, state: State, side: int) -> int:
    """11.2: friendly flags on the map edge, and the road, trail and railway hexes joined to them."""
    board = rules.board
    free = ~supply_barrier(rules, state, side)
    found = new = board.flags[side] & free
    while new:
        joined = 0
        for here in bits(new):
            joined |= board.routes[here]
            for edge in board.route_bridges[here]:
                if rules.route_open(state, edge):
                    joined |= 1 << edge.to
        new = joined & free & ~found
        found |= new
    return found


def supply_layers(rules: Inferno, state: State, side: int) -> list[int]:
    """11.3, 11.4.1: by length, the hexes whose shortest supply path is so long: 0, 1, and so on up to the range."""
    board = rules.board
    free = ~supply_barrier(rules, state, side)
    surcharge = rules.river_supply
    due = [0] * (LOW_RANGE + surcharge + 2)
    due[0] = sources(rules, state, side)
    seen = 0
    for length in range(LOW_RANGE + 1):
        layer = due[length] & free & ~seen
        due[length] = layer
        seen |= layer
        near = 0
        for here in bits(layer):
            near |= board.dry[here]
            for edge in board.wet[here]:
                if rules.is_bridged(state, edge):
                    near |= 1 << edge.to
                else:
                    due[length + 1 + surcharge] |= 1 << edge.to
        due[length + 1] |= near
    return due[: LOW_RANGE + 1]


def supply_length(rules: Inferno, state: State, unit: int) -> int | None:
    """11.3, 11.4.1: the length of the unit's shortest supply path; None without one in range."""
    layers = supply_layers(rules, state, rules.side[unit])
    return next((n for n, layer in enumerate(layers) if layer >> state.at[unit] & 1), None)


def supply_path(rules: Inferno, state: State, unit: int) -> list[int] | None:
    """11.3: the hexes of the unit's shortest supply path, from the unit to the source; None without one in range."""
    layers = supply_layers(rules, state, rules.side[unit])
    length = {h: n for n, layer in enumerate(layers) for h in bits(layer)}
    here = state.at[unit]
    if here not in length:
        return None
    surcharge = rules.river_supply
    way = [here]
    while length[way[-1]]:
        for edge in rules.board.edges[way[-1]]:
            river = edge.water in (RIVER, ISONZO) and not rules.is_bridged(state, edge)
            step = 1 + surcharge if river else 1
            if length.get(edge.to, LOW_RANGE + 1) == length[way[-1]] - step:
                way.append(edge.to)
                break
    return way


def supply_phase(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """3.1.A-1: the state of all units of the phasing side; those out of supply once more suffer attrition."""
    state.phase = "supply"
    side = state.active
    layers = supply_layers(rules, state, side)
    well = sum(layers[: IN_RANGE + 1])
    low = sum(layers[IN_RANGE + 1 :])
    out.append(Event("phase", ("3.1.A-1",), {"phase": "supply", "side": rules.seats[side], "turn": state.turn}))
    for unit in rules.of_side[side]:
        if state.at[unit] < 0:
            continue
        before = state.supply[unit]
        h = state.at[unit]
        now = IN_SUPPLY if well >> h & 1 else LOW_SUPPLY if low >> h & 1 else OUT_OF_SUPPLY
        state.supply[unit] = now
        if now != before:
            data = {"unit": rules.ids[unit], "hex": rules.hex_id(state.at[unit]), "supply": SUPPLY[now]}
            out.append(Event("supply", ("11.4",), data, 1 << side))
        if now == before == OUT_OF_SUPPLY and rules.combat[unit]:
            data = {"unit": rules.ids[unit], "hex": rules.hex_id(state.at[unit])}
            out.append(Event("attrition", ("11.5",), data, 1 << side))
            reduce(rules, state, unit, 2, ("11.5.1",), out)
        elif rules.supply_kills and rules.combat[unit] and is_dead(rules, state, unit):
            rules.eliminate(state, unit, ("7.5.b",), out)
