"""10.0: what a step costs. Worked out once for every column of the terrain chart and every way of the board.

Weather, bridges that are down and roads that are full change from turn to turn; who asks for the price of a step adds
them (`step_price`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.games.caporetto.terrain import ISONZO, SIDES
from fronte.games.common.made import Made
from fronte.hexes.grid import DIRECTIONS

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

TRENCH = "trench"
"""17.7.2: the line of the chart for connected trenches."""


class Lead(NamedTuple):
    """A way out of a hex: where it leads, and what it costs off the road, along it, and in a trench of one's own."""

    there: int
    off_road: int
    on_road: int
    bridge: int
    """The bit of the bridge that carries the road; 0 for none."""
    owner: int
    """17.7.2: the side whose trenches are connected along it where no road is; -1 for none,"""
    in_trench: int
    """and what it costs that side."""


Steps = Made[tuple[tuple[int, int, int, int], ...]]


class Prices:
    """By column of the chart and way: quarters of a point off the road and along it; CLOSED where it is forbidden."""

    def __init__(self, printed: CaporettoPrinted) -> None:
        self.printed = printed
        self.uphill = [self._levels_up(way) for way in range(printed.grid.size * DIRECTIONS)]
        """10.0.7, 10.0.8, 10.0.10: by way how many levels it leads up; 1 where it counts as uphill all the same."""
        entered = tuple(zip(*printed.enter_cost, strict=True))
        self._country = self._alike(lambda way, there: (entered[there], *self._climb(way, there)))
        self._carried = self._alike(lambda way, there: self._carrier(way))
        self.off_road = Made(lambda foot: self._priced(self._country, foot, self._off_road))
        """10.0.2: hex and hexside together; across a cliff mountain infantry pays all it has (10.0.9)."""
        self.on_road = Made(lambda foot: self._priced(self._carried, foot, self._on_road))
        """10.0.4, 19.1.2: along road, railway or trail, over its bridge where there is one."""
        self.leads = Made(lambda foot: Made(partial(self._leads, foot)))
        """By column and hex the ways out of it that are open to somebody."""
        self.steps: list[Made[Steps]] = [Made(partial(self._steps, side)) for side in range(len(SIDES))]
        """By side, column and hex the same for who goes: where to, for how much off the road, in a trench of his own
        where that is cheaper, how much along a road that is cheaper still (else 0), and the bit of its bridge."""

    def _alike(self, kind: Callable[[int, int], Hashable]) -> list[list[int]]:
        """The ways within the scenario's area, those together that cost the same whoever goes."""
        found: dict[Hashable, list[int]] = {}
        for h in range(self.printed.grid.size):
            for way, there in self.printed.ground.ways_from(h):
                if self.printed.ground.extent >> there & 1:
                    found.setdefault(kind(way, there), []).append(way)
        return list(found.values())

    def _priced(self, alike: list[list[int]], foot: int, price: Callable[[int, int], int]) -> list[int]:
        """By way its price, asked once of those that cost the same; CLOSED where it leads out of play."""
        found = [CLOSED] * len(self.uphill)
        for ways in alike:
            each = price(foot, ways[0])
            for way in ways:
                found[way] = each
        return found

    def _climb(self, way: int, there: int) -> tuple[str, bool, int, bool]:
        """10.0.7, 10.0.9: what lies between the hexes of a way: water, a cliff, how far up it leads, and if down."""
        ground = self.printed.ground
        falls = ground.level[there] < ground.level[way // DIRECTIONS]
        return ground.water[way], ground.cliff[way], self.uphill[way], falls

    def _carrier(self, way: int) -> str:
        """10.0.4, 19.1.2: the line of the chart for the road along a way; none where there is no road."""
        ground, bridge = self.printed.ground, self.printed.ground.bridge[way]
        return "footbridge" if ground.route[way] and bridge >= 0 and ground.bridges[bridge].foot else ground.route[way]

    def _leads(self, foot: int, h: int) -> tuple[Lead, ...]:
        ground, off_road, on_road = self.printed.ground, self.off_road[foot], self.on_road[foot]
        trench = self.printed.tables.route_cost[TRENCH][foot]
        found = []
        for way, there in ground.ways_from(h):
            off, on = off_road[way], on_road[way]
            owner = ground.link[way] if not ground.route[way] else -1
            along = trench if owner >= 0 else CLOSED
            if off != CLOSED or on != CLOSED or along != CLOSED:
                bridge = 1 << ground.bridge[way] if ground.bridge[way] >= 0 else 0
                found.append(Lead(there, off, on, bridge, owner, _least(off, along)))
        return tuple(found)

    def _steps(self, side: int, foot: int) -> Steps:
        leads = self.leads[foot]
        return Made(lambda h: tuple([_step(lead, side) for lead in leads[h]]))

    def _there(self, way: int) -> int:
        return self.printed.grid.neighbours[way // DIRECTIONS][way % DIRECTIONS]

    def _levels_up(self, way: int) -> int:
        ground, here, there = self.printed.ground, way // DIRECTIONS, self._there(way)
        if there < 0:
            return 0
        up = ground.level[there] - ground.level[here]
        leaves_stream = bool(ground.stream[here]) and not ground.stream_along[way]
        always = ground.crest[way] or ground.peaks >> there & 1 or leaves_stream
        return max(up, 1) if always else max(up, 0)

    def _off_road(self, foot: int, way: int) -> int:
        water, price = self.printed.ground.water[way], self.over_land(foot, way)
        if not water or price < 0:
            return price
        more = self.printed.tables.side_cost[water][foot]
        return CLOSED if more == CLOSED else price + more

    def over_land(self, foot: int, way: int) -> int:
        """10.0.2, 10.0.7: the price of a way across country, as if no water were between its hexes."""
        printed, there = self.printed, self._there(way)
        ground, sides = printed.ground, printed.tables.side_cost
        if there < 0 or not ground.extent >> there & 1:
            return CLOSED
        if ground.cliff[way]:
            return sides["cliff"][foot]
        parts = [printed.enter_cost[foot][there]]
        if self.uphill[way]:
            each = sides["uphill"][foot]
            levels = self.uphill[way] if printed.option["uphill_cost"] == "per-level" else 1
            parts.append(each if each < 0 else each * levels)
        elif ground.level[there] < ground.level[way // DIRECTIONS]:
            parts.append(sides["level"][foot])
        return CLOSED if CLOSED in parts else sum(parts)

    def _on_road(self, foot: int, way: int) -> int:
        carrier = self._carrier(way)
        return self.printed.tables.route_cost[carrier][foot] if carrier else CLOSED


def _step(lead: Lead, side: int) -> tuple[int, int, int, int]:
    """10.0.2, 10.0.4, 17.7.2: a way as it is for a side."""
    paid = lead.in_trench if lead.owner == side else lead.off_road
    is_better = lead.on_road > 0 and (paid < 0 or lead.on_road < paid)
    return lead.there, paid, lead.on_road if is_better else 0, lead.bridge


def step_price(rules: CaporettoPrinted, state: State, unit: int, here: int, there: int, by_road: bool) -> int:
    """10.0.2, 10.0.4, 8.1, 21.8: quarters of a point for a step off the road, or along it where it is not full;
    CLOSED where there is no way, WHOLE_ALLOWANCE across a cliff (10.0.9).

    Connected trenches of one's own are like a trail where no road runs along them (17.7.2); nobody is in the way there.
    """
    way = rules.ground.way(here, there)
    if by_road:
        return along_road(rules, state, unit, way, there)
    return off_road(rules, state, unit, way, here, there)


def off_road(rules: CaporettoPrinted, state: State, unit: int, way: int, here: int, there: int) -> int:
    """10.0.2, 17.7.2, 21.1: the price of a way across country, in a trench of one's own, or over a new bridge."""
    ground, foot = rules.ground, rules.foot[unit]
    price = rules.prices.off_road[foot][way]
    if state.built and ground.water[way] == ISONZO and over_built(state, here, there):
        price = rules.prices.over_land(foot, way)  # 21.1: no road leads over it, so that hex and climb are paid for
    if ground.link[way] == rules.side[unit] and not ground.route[way]:
        price = _least(price, rules.tables.route_cost[TRENCH][foot])
    return price if price < 0 else _in_snow(rules, state, unit, there, price)


def along_road(rules: CaporettoPrinted, state: State, unit: int, way: int, there: int) -> int:
    """10.0.4: the rate of the road; not over a bridge that is down (19.2.2). Cyclists and motorised guns pay half of it
    where no enemy is next to the hex (21.8)."""
    bridge = rules.ground.bridge[way]
    if bridge >= 0 and not state.standing >> bridge & 1:
        return CLOSED
    price = rules.prices.on_road[rules.foot[unit]][way]
    if price > 0 and rules.wheeled >> unit & 1:
        side = rules.side[unit]
        near = rules.grid.ring[there] & (state.occ[1 - side] | state.guns[1 - side])
        price = price if near else halved(rules, unit, price)
    return price if price < 0 else _in_snow(rules, state, unit, there, price)


def halved(rules: CaporettoPrinted, unit: int, price: int) -> int:
    """21.8: what cyclists and motorised guns pay of the rate of a road where no enemy is near; others all of it."""
    return price * rules.halved_roads.part // rules.halved_roads.of if rules.wheeled >> unit & 1 else price


def is_full(rules: CaporettoPrinted, state: State, there: int, moving: int = 0) -> bool:
    """10.0.4, 11.3: is the road in a hex taken, by a battalion-equivalent or a gun on the move? One to four companies
    are one (3.0), but for that which is free for any purpose (11.5). Machine guns, flamethrowers and emplaced guns are
    in nobody's way; those that are moving themselves, a mask, do not count."""
    companies, free = 0, False
    for unit in state.stacks.get(there, ()):
        bit = 1 << unit
        if bit & (moving | rules.machine_guns):
            continue
        if bit & rules.guns:
            if not bit & state.emplaced:
                return True
        elif not bit & rules.flamethrowers:
            if not is_company(rules, state, unit):
                return True
            companies += 1
            free = free or bool(bit & (rules.mountain | rules.infiltration))
    return companies > free


def is_company(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """21.10: a company, or a German battalion of which one is left."""
    return rules.quarters[unit] == 1 or bool(
        rules.can_detach >> unit & 1 and state.lost[unit] == rules.full_steps[unit] - 1
    )


def over_built(state: State, here: int, there: int) -> bool:
    """21.1: is there a bridge that was built in play?"""
    return (here, there) in state.built or (there, here) in state.built


def _least(one: int, other: int) -> int:
    """The cheaper of two ways; what is closed is none."""
    if one in (CLOSED, WHOLE_ALLOWANCE):
        return other if other != CLOSED else one
    return one if other == CLOSED else min(one, other)


def _in_snow(rules: CaporettoPrinted, state: State, unit: int, there: int, price: int) -> int:
    """8.1: in a blizzard each hex costs a point more, and guns pay twice."""
    if not rules.snow[state.turn] >> there & 1:
        return price
    return price * rules.blizzard_guns if rules.guns >> unit & 1 else price + rules.blizzard
