"""Chapter 11, supply: sources, paths, states and attrition."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.decision import Frame
from fronte.engine.event import Event
from fronte.engine.frames import Chapter
from fronte.games.inferno import cites
from fronte.games.inferno.effectiveness import is_dead, reduce
from fronte.games.inferno.frames import phasing_side
from fronte.games.inferno.ground import ISONZO, RIVER
from fronte.games.inferno.state import IN_SUPPLY, LOW_SUPPLY, OUT_OF_SUPPLY, SUPPLY, State
from fronte.games.inferno.zoc import supply_barrier, zoc
from fronte.hexes import Spread, bits, flood, side_by_side, trace

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

CHAPTER = Chapter()

IN_RANGE, LOW_RANGE = 4, 8


def sources(rules: Inferno, state: State, side: int) -> int:
    """11.2: friendly flags on the map edge, and the road, trail and railway hexes joined to them."""
    barrier = supply_barrier(rules, state, side) & rules.board.on_routes
    key = side, barrier, rules.routes_cut(state)
    found = rules.sources_known.get(key)
    if found is None:
        found = rules.sources_known.keep(key, _along_routes(rules, state).flood(rules.board.flags[side], ~barrier))
    return found


def _along_routes(rules: Inferno, state: State) -> Spread:
    """11.2, 4.5: a step along a road, trail or railway, with the bridges that carry it now."""
    key = rules.routes_cut(state)
    found = rules.routes_known.get(key)
    if found is None:
        board = rules.board
        carried = [
            (h, e.to) for h, edges in enumerate(board.route_bridges) for e in edges if rules.route_open(state, e)
        ]
        found = rules.routes_known.keep(key, board.along_routes.joined(carried))
    return found


def over_land(rules: Inferno, state: State, side: int) -> Spread:
    """11.3: a step that crosses no river, or one where there is a bridge for this side."""
    key = tuple(rules.bridged_sides(state, side))
    found = rules.land_known.get(key)
    if found is None:
        sides = rules.board.sides
        found = rules.land_known.keep(key, rules.board.over_dry.joined((sides[n].a, sides[n].b) for n in key))
    return found


class Net(NamedTuple):
    """What supply of a side runs over, on one map or on several side by side (`mask.side_by_side`)."""

    flags: int
    routes: Spread
    land: Spread
    crags: Spread
    wet: Spread
    with_water: int

    def abreast(self, number: int, width: int) -> Net:
        """The same for so many maps side by side."""
        flags, with_water = (side_by_side([mask] * number, width) for mask in (self.flags, self.with_water))
        routes, land, crags, wet = (spread.abreast(number, width) for spread in self[1:5])
        return Net(flags, routes, land, crags, wet, with_water)


def net(rules: Inferno, state: State, side: int) -> Net:
    """11.2, 11.3: the ground of one map, with the bridges that there are now."""
    board = rules.board
    routes, land = _along_routes(rules, state), over_land(rules, state, side)
    return Net(board.flags[side], routes, land, board.over_crags, board.over_wet, board.with_water)


def supply_layers(rules: Inferno, state: State, side: int) -> list[int]:
    """11.3, 11.4.1: by length, the hexes whose shortest supply path is so long: 0, 1, and so on up to the range."""
    risky = zoc(rules, state, 1 - side) & ~state.occ[side]
    return path_layers(rules, net(rules, state, side), sources(rules, state, side), state.occ[1 - side], risky)


def path_layers(rules: Inferno, net: Net, start: int, enemies: int, risky: int) -> list[int]:
    """The same from these sources, with enemies in some hexes and others at risk in their zones.

    Where a path may lead through hexes in enemy zones, ways with fewer of them are kept apart from those with more.
    """
    gaps = rules.supply_gaps
    if not gaps:
        return whole_layers(rules, net, start, enemies | risky)[0]
    due = [[0] * (LOW_RANGE + rules.river_supply + 2) for _ in range(gaps + 2)]
    due[0][0] = start
    due[1][0] = net.flags & risky  # 11.2: a zone cuts the road behind a flag, the flag itself is one gap
    seen = [0] * (gaps + 1)
    found = []
    everywhere = 0
    for length in range(LOW_RANGE + 1):
        these = 0
        for used in range(gaps + 1):
            layer = due[used][length] & ~enemies & ~seen[used]
            for more in range(used, gaps + 1):
                seen[more] |= layer
            these |= layer
            if layer and length < LOW_RANGE:
                _spread(rules, net, layer, risky, due[used], due[used + 1], length)
        found.append(these & ~everywhere)
        everywhere |= these
    return found


def whole_layers(rules: Inferno, net: Net, start: int, barred: int) -> tuple[list[int], list[int]]:
    """11.3: the same where no path may lead through an enemy zone, which has only one kind of way; and by length the
    hexes that such ways come to, also where they cannot go on."""
    free, seen = ~barred, 0
    due = [0] * (LOW_RANGE + rules.river_supply + 2)
    due[0] = start
    found = []
    for length in range(LOW_RANGE + 1):
        layer = due[length] & free & ~seen
        seen |= layer
        found.append(layer)
        if layer and length < LOW_RANGE:
            near = net.land(layer)
            if rules.supply_over_crags:
                near |= net.crags(layer)
            if layer & net.with_water:
                due[length + 1 + rules.river_supply] |= net.wet(layer)
            due[length + 1] |= near
    return found, due


def _spread(
    rules: Inferno, net: Net, layer: int, risky: int, same: list[int], next_gap: list[int], length: int
) -> None:
    """Go one step on from the hexes of a layer; a hex in an enemy zone uses up a gap."""
    near, far = net.land(layer), 0
    if rules.supply_over_crags:
        near |= net.crags(layer)
    if layer & net.with_water:
        far = net.wet(layer)
    same[length + 1] |= near & ~risky
    next_gap[length + 1] |= near & risky
    beyond = length + 1 + rules.river_supply
    same[beyond] |= far & ~risky
    next_gap[beyond] |= far & risky


def supply_length(rules: Inferno, state: State, unit: int) -> int | None:
    """11.3, 11.4.1: the length of the unit's shortest supply path; None without one in range."""
    layers = supply_layers(rules, state, rules.side[unit])
    return next((n for n, layer in enumerate(layers) if layer >> state.at[unit] & 1), None)


def supply_path(rules: Inferno, state: State, unit: int) -> list[int] | None:
    """11.3: the hexes of the unit's shortest supply path, from the unit to the source; None without one in range."""
    side = rules.side[unit]
    ends = sources(rules, state, side) | rules.board.flags[side]
    enemies = state.occ[1 - side]
    risky = zoc(rules, state, 1 - side) & ~state.occ[side]
    bridged = rules.bridged_sides(state, side)
    width = rules.supply_gaps + 1  # a place is a hex and how many hexes in enemy zones led to it

    def edges(place: int) -> list[tuple[int, int]]:
        here, used = divmod(place, width)
        found = []
        for edge in rules.board.edges[here]:
            gap = used + (risky >> edge.to & 1)
            if enemies >> edge.to & 1 or gap >= width:
                continue
            river = edge.water in (RIVER, ISONZO) and edge.side not in bridged
            found.append((edge.to * width + gap, 1 + (rules.river_supply if river else 0)))
        for there in bits(rules.board.behind_crags[here] if rules.supply_over_crags else 0):
            gap = used + (risky >> there & 1)
            if not enemies >> there & 1 and gap < width:
                found.append((there * width + gap, 1))
        return found

    cost, before = flood((state.at[unit] * width,), LOW_RANGE, edges)
    reached = [(spent, place) for place, spent in cost.items() if ends >> place // width & 1]
    if not reached:
        return None
    return [state.at[unit], *(place // width for place in trace(before, min(reached)[1]))]


def state_of(length: int | None) -> int:
    """11.a/11.0: the state that a supply path of this length gives; None: there is none in range."""
    return OUT_OF_SUPPLY if length is None else IN_SUPPLY if length <= IN_RANGE else LOW_SUPPLY


@CHAPTER.step(cites.SUPPLY_PHASE, on="reinforcement_phase", secrets=phasing_side)
def supply_phase(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """3.1.A-1/3.1.1: the state of all units of the phasing side; those out of supply once more suffer attrition."""
    state.phase = "supply"
    side = state.active
    layers = supply_layers(rules, state, side)
    well = sum(layers[: IN_RANGE + 1])
    low = sum(layers[IN_RANGE + 1 :])
    out.append(
        Event("phase", (cites.SUPPLY_PHASE,), {"phase": "supply", "side": rules.seats[side], "turn": state.turn})
    )
    for unit in rules.of_side[side]:
        stands = 1 << state.at[unit] if state.at[unit] >= 0 else rules.supplied_in(state, unit)
        if not stands:
            continue
        before = state.supply[unit]
        now = IN_SUPPLY if well & stands else LOW_SUPPLY if low & stands else OUT_OF_SUPPLY
        state.supply[unit] = now
        where = "" if now == before == IN_SUPPLY else rules.hex_id(next(bits(stands)))
        if now != before:
            data = {"unit": rules.ids[unit], "hex": where, "supply": SUPPLY[now]}
            out.append(Event("supply", (cites.SUPPLY_STATE,), data, 1 << side))
        if now == before == OUT_OF_SUPPLY and rules.combat[unit]:
            data = {"unit": rules.ids[unit], "hex": where}
            out.append(Event("attrition", (cites.ATTRITION,), data, 1 << side))
            reduce(rules, state, unit, 2, (cites.ATTRITION_LOSS,), out)
        elif rules.supply_kills and rules.combat[unit] and is_dead(rules, state, unit):
            rules.eliminate(state, unit, (cites.NO_DEFENCE,), out)
