"""Chapter 11, supply: sources, paths, states and attrition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Frame
from fronte.engine.event import Event
from fronte.games.inferno.effectiveness import is_dead, reduce
from fronte.games.inferno.ground import ISONZO, RIVER
from fronte.games.inferno.state import IN_SUPPLY, LOW_SUPPLY, OUT_OF_SUPPLY, SUPPLY, State
from fronte.games.inferno.zoc import supply_barrier
from fronte.hexes import bits, flood, trace

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

IN_RANGE, LOW_RANGE = 4, 8


def sources(rules: Inferno, state: State, side: int) -> int:
    """11.2: friendly flags on the map edge, and the road, trail and railway hexes joined to them."""
    barrier = supply_barrier(rules, state, side)
    found = rules.board.flags[side] & ~barrier
    edge = list(bits(found))
    for here in edge:
        for step in rules.board.edges[here]:
            bit = 1 << step.to
            if step.route and not found & bit and not barrier & bit and rules.route_open(state, step):
                found |= bit
                edge.append(step.to)
    return found


def supply_lengths(rules: Inferno, state: State, side: int) -> tuple[dict[int, int], dict[int, int]]:
    """11.3, 11.4.1: the length of the shortest supply path to each hex within range, and the next hex towards it."""
    barrier = supply_barrier(rules, state, side)
    surcharge = int(rules.tables.tec["river"].get("supply", 3))

    def edges(here: int) -> list[tuple[int, int]]:
        found = []
        for edge in rules.board.edges[here]:
            if not barrier >> edge.to & 1:
                river = edge.water in (RIVER, ISONZO) and not rules.is_bridged(state, edge)
                found.append((edge.to, 1 + surcharge if river else 1))
        return found

    return flood(bits(sources(rules, state, side)), LOW_RANGE, edges)


def supply_path(rules: Inferno, state: State, unit: int) -> list[int] | None:
    """11.3: the hexes of the unit's shortest supply path, from the source to the unit; None without one in range."""
    lengths, before = supply_lengths(rules, state, rules.side[unit])
    here = state.at[unit]
    if here not in lengths:
        return None
    way = trace(before, here)
    return [before[way[0]], *way] if way else [here]


def supply_state(length: int | None) -> int:
    """11.4: up to 4 in supply, up to 8 low, else out."""
    if length is None or length > LOW_RANGE:
        return OUT_OF_SUPPLY
    return IN_SUPPLY if length <= IN_RANGE else LOW_SUPPLY


def supply_phase(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """3.1.A-1: the state of all units of the phasing side; those out of supply once more suffer attrition."""
    state.phase = "supply"
    side = state.active
    lengths, _ = supply_lengths(rules, state, side)
    out.append(Event("phase", ("3.1.A-1",), {"phase": "supply", "side": rules.seats[side], "turn": state.turn}))
    for unit in rules.of_side[side]:
        if state.at[unit] < 0:
            continue
        before = state.supply[unit]
        now = supply_state(lengths.get(state.at[unit]))
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
