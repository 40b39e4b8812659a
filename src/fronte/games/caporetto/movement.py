"""10: movement. What a unit or a stack can spend, where it stops, and where it can go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from fronte.engine.decision import Refusal
from fronte.games.caporetto import sectors, trenches
from fronte.games.caporetto.counters import QUARTERS
from fronte.games.caporetto.prices import along_road, halved, is_company, is_full, off_road, over_built
from fronte.games.caporetto.state import UNKNOWN, State, zone_of
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.games.caporetto.terrain import ISONZO, ITALIAN
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted

NEVER = 10**6
"""More than anybody has."""
TACTICAL, OTHERS = "tactical", "others"
"""10.1: in an action, a reaction or a counter-assault; 10.3: guns and units that were not activated."""


class Manner(NamedTuple):
    """How one moves: when, and with what effort."""

    when: str = TACTICAL
    forced: bool = False
    """10.4."""
    strategic: bool = False
    """10.3.2."""
    by_road: bool = True
    """10.0.4: along roads where that is cheaper; who leaves them out is a harder target (10.0.4.e3)."""


# Points


def allowance(rules: CaporettoPrinted, state: State, units: Sequence[int], manner: Manner) -> int:
    """10.0, 10.4, 10.3.2, 21.6: quarters of a point that these units together can spend: what the slowest has.

    A forced march adds a half, strategic movement doubles, and both together multiply, unless by option they add up.
    """
    least = min([own_points(rules, state, unit) for unit in units])
    total = least
    if manner.strategic:
        total = total * rules.strategic.part // rules.strategic.of
    if manner.forced:
        base = total if rules.option["forced_strategic"] == "multiply" else least
        total += base * rules.forced.part // rules.forced.of - base
    return total


def own_points(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """10.0, 21.6: what a unit has without any effort, in quarters of a point."""
    return rules.points[unit] + rules.rommel_points if state.rommel >> unit & 1 else rules.points[unit]


def why_not_so(rules: CaporettoPrinted, state: State, units: Sequence[int], manner: Manner) -> Refusal | None:
    """10.4, 10.3.2: why these units cannot move in this manner: guns march no faster, nor who is about to give up; at
    strategic speed nobody near an enemy, out of command, or in an action."""
    for unit in units:
        if manner.forced and rules.guns >> unit & 1:
            return Refusal("10.4", "guns_do_not_march", {"unit": rules.ids[unit]})
        if manner.forced and rules.morale[unit] and state.dp[unit] >= rules.morale[unit] - 1:
            return Refusal("10.4", "too_worn_to_march", {"unit": rules.ids[unit]})
        if manner.strategic and state.ooc >> unit & 1:
            return Refusal("10.3.2.e2", "out_of_command", {"unit": rules.ids[unit]})
        if manner.strategic and near_enemies(rules, state, rules.side[unit]) >> state.at[unit] & 1:
            return Refusal("10.3.2", "enemy_near", {"unit": rules.ids[unit]})
    if manner.strategic and manner.when == TACTICAL:
        return Refusal("10.3.2", "not_in_action", {})
    if manner.strategic and not rules.scene.opening.strategic and state.turn == rules.scene.first_turn:
        return Refusal("24.9", "no_strategic_movement", {})
    return None


def near_enemies(rules: CaporettoPrinted, state: State, side: int) -> int:
    """10.3.2: the hexes that are less than three from an enemy unit."""
    far = rules.strategic_distance - 1
    return rules.grid.near(state.occ[1 - side] | state.guns[1 - side], far)[far]


# Steps


class Going(msgspec.Struct, gc=False):
    """What units find on their way: hexes that are closed to them, those in which they stop, and the zones that cost a
    point to leave."""

    closed: int
    stops: int
    zones: int
    roads: bool
    """10.0.4: are they few enough to go along a road?"""
    moving: int
    """The mask of those who go."""
    kept: int = 0
    """24.3: of who is across the line the hexes of his sector, out of which he does not go again."""
    narrow: bool = False
    """24.10: do they stop behind the bridges of the Isonzo?"""

    def closed_from(self, here: int) -> int:
        """The hexes that are closed to who is in a hex on the way."""
        return self.closed | ~self.kept if self.kept >> here & 1 else self.closed


def going(rules: CaporettoPrinted, state: State, units: Sequence[int], manner: Manner) -> Going:
    """10.0.5, 10.1.1, 10.3.1, 18.4, 21.5.1, 24.3: where these units could go now, whatever they have left."""
    side, moving, kept = rules.side[units[0]], 0, 0
    foes = 1 - side
    closed, zones = state.occ[foes], state.zoc[foes]
    for unit in units:
        moving |= 1 << unit
        force = rules.force[unit]
        home = rules.homes[force]
        if home >> state.at[unit] & 1:
            closed |= rules.abroad[force]
        else:
            closed |= rules.grid.everything & ~sectors.may_go(rules, state, unit) | rules.ground.outside
            kept |= home
    if manner.when != TACTICAL:
        closed |= state.guns[foes]
    if manner.strategic:
        closed |= near_enemies(rules, state, side)
    if zones == UNKNOWN:
        zones = zone_of(rules, state, foes)
    if moving & rules.guns:
        closed |= zones & ~state.occ[side]
    if not moving & ~rules.infiltration:
        zones = 0
    roads = manner.by_road and (len(units) == 1 or fits_road(rules, state, units))
    return Going(closed, zones, zones, roads, moving, kept, state.turn == rules.bottleneck and side == ITALIAN)


def fits_road(rules: CaporettoPrinted, state: State, units: Sequence[int]) -> bool:
    """10.0.4, 10.0.4.e1, 11.5: a battalion-equivalent at a time, with one company that stacks free; flamethrowers go
    along with it. A gun is a battalion."""
    total, free = 0, 0
    for unit in units:
        bit = 1 << unit
        if bit & rules.flamethrowers:
            continue
        small = not bit & rules.guns and is_company(rules, state, unit)
        spared = small and bit & (rules.machine_guns | rules.mountain | rules.infiltration)
        if spared and not free:
            free = 1
            continue
        total += 1 if small else QUARTERS
    return total <= QUARTERS


class Toll(msgspec.Struct, frozen=True, gc=False):
    """What a step costs, in quarters of a point, and whether it goes along a road (10.0.4.e3)."""

    paid: int
    by_road: bool


NO_WAY = Toll(CLOSED, False)


def toll(rules: CaporettoPrinted, state: State, units: Sequence[int], here: int, there: int, ways: Going) -> Toll:
    """10.0.2, 10.0.4, 11.3: what a step costs these units together: off the road what the slowest pays, along it the
    rate of the road where it is free and cheaper; CLOSED where one of them cannot go, WHOLE_ALLOWANCE across a cliff.
    """
    if len(units) == 1 and not rules.wheeled >> units[0] & 1 and not (state.built and over_built(state, here, there)):
        return _toll_of_one(rules, state, units[0], here, there, ways)
    way = rules.ground.way(here, there)
    rough = _dearest([off_road(rules, state, unit, way, here, there) for unit in units])
    if not ways.roads or not rules.ground.route[way]:
        return Toll(rough, False)
    if there in state.stacks and is_full(rules, state, there, ways.moving):
        return Toll(rough, False)
    smooth = _dearest([along_road(rules, state, unit, way, there) for unit in units])
    if smooth == CLOSED or 0 <= rough <= smooth:
        return Toll(rough, False)
    return Toll(smooth, True)


def _toll_of_one(rules: CaporettoPrinted, state: State, unit: int, here: int, there: int, ways: Going) -> Toll:
    """10.0.2, 10.0.4: the same of one unit that walks, not over a bridge that was built (21.1)."""
    for way in rules.prices.steps[rules.side[unit]][rules.foot[unit]][here]:
        if way[0] == there:
            break
    else:
        return NO_WAY
    _, rough, smooth, bridge = way
    by_road = smooth > 0 and ways.roads and (not bridge or bool(state.standing & bridge))
    if by_road and there in state.stacks:
        by_road = not is_full(rules, state, there, ways.moving)
    paid = smooth if by_road else rough
    if paid >= 0 and rules.snow[state.turn] >> there & 1:
        paid = paid * rules.blizzard_guns if rules.guns >> unit & 1 else paid + rules.blizzard
    return Toll(paid, by_road)


def price(rules: CaporettoPrinted, state: State, units: Sequence[int], here: int, there: int, ways: Going) -> int:
    """10.0.2: the same without the way."""
    return toll(rules, state, units, here, there, ways).paid


def _dearest(prices: list[int]) -> int:
    if len(prices) == 1:
        return prices[0]
    if CLOSED in prices:
        return CLOSED
    return WHOLE_ALLOWANCE if WHOLE_ALLOWANCE in prices else max(prices)


def leaving_price(rules: CaporettoPrinted, state: State, here: int, ways: Going) -> int:
    """10.1.1, 2.2.1: a point more out of an enemy zone, unless another combat unit of one's own is there, be it only a
    flamethrower; by option it has to stay behind, which none does."""
    if not ways.zones >> here & 1:
        return 0
    others = [unit for unit in state.stacks.get(here, ()) if rules.combat >> unit & 1]
    if rules.option["ezoc_companion"] == "stays":
        alone = not [unit for unit in others if not (ways.moving | rules.flamethrowers) >> unit & 1]
    else:
        alone = not others or (len(others) == 1 and bool(ways.moving >> others[0] & 1))  # a gun is not one of them
    return rules.leave_zone if alone else 0


def must_stop(rules: CaporettoPrinted, state: State, units: Sequence[int], here: int, there: int, ways: Going) -> bool:
    """10.1.1, 24.10: in an enemy zone; in turn 1 of scenario 1 Italians also behind a bridge of the Isonzo."""
    return bool(ways.stops >> there & 1) or (ways.narrow and _over_isonzo(rules, here, there))


def _over_isonzo(rules: CaporettoPrinted, here: int, there: int) -> bool:
    return rules.ground.water[rules.ground.way(here, there)] == ISONZO


# Where units can go


class Reached(NamedTuple):
    """By hex what is left there in quarters of a point, and the hex before it on the cheapest way."""

    left: dict[int, int]
    before: dict[int, int]


def spread(
    rules: CaporettoPrinted,
    state: State,
    units: Sequence[int],
    left: int,
    manner: Manner,
    start: int = -1,
    goals: int = -1,
) -> Reached:
    """10: where units that are together can go with what they have left, by the cheapest way; from where they are, or
    from a hex farther on the way. Who asks for some hexes (`goals`) is told of these, and of others as it may be.

    There is no minimum move (10.0.3). A cliff takes all that one has, and only who has spent nothing may climb it
    (10.0.9).
    """
    start = state.at[units[0]] if start < 0 else start
    ways = going(rules, state, units, manner)
    whole = left if left == allowance(rules, state, units, manner) else NEVER
    cost = {start: 0}
    before: dict[int, int] = {}
    buckets: list[list[int]] = [[] for _ in range(left + 1)]
    buckets[0].append(start)
    stopped: set[int] = set()
    found, stops, narrow = offers(rules, state, units, ways), ways.stops, ways.narrow
    sought, wanted = goals >= 0, goals & ~ways.closed & ~(1 << start)
    behind = 0  # who is reached most cheaply is never reached again
    for spent, bucket in enumerate(buckets):
        for here in bucket:
            if cost[here] != spent:
                continue
            if sought:
                wanted &= ~(1 << here)
                if not wanted:
                    break
            behind |= 1 << here
            if here in stopped:
                continue
            extra = leaving_price(rules, state, here, ways) if here == start else 0
            for there, paid in found(here, behind):
                if paid == WHOLE_ALLOWANCE:
                    paid = whole if not spent else NEVER
                else:
                    paid += extra
                total = spent + paid
                if total > left or total >= cost.get(there, NEVER):
                    continue
                cost[there], before[there] = total, here
                buckets[total].append(there)
                if stops >> there & 1 or (narrow and _over_isonzo(rules, here, there)):
                    stopped.add(there)
                else:
                    stopped.discard(there)
    del cost[start]
    return Reached({h: left - spent for h, spent in cost.items()}, before)


class Offers(Protocol):
    """Where one can go out of a hex, and for how much."""

    def __call__(self, here: int, behind: int = 0) -> Iterable[tuple[int, int]]:
        """The hexes that can be entered out of this one, but for some, with their prices."""


def offers(rules: CaporettoPrinted, state: State, units: Sequence[int], ways: Going) -> Offers:
    """For a hex the hexes that can be entered out of it, but for some, with their prices: what `price` says, found with
    less asking where all have the same feet, nobody rides and no new bridge leads out of the hex."""
    foot = rules.foot[units[0]]
    plain = not ways.moving & rules.wheeled and (len(units) == 1 or {rules.foot[unit] for unit in units} == {foot})

    def slowly(here: int, behind: int = 0) -> Iterable[tuple[int, int]]:
        closed = ways.closed_from(here) | behind
        for there in rules.grid.adjacent[here]:
            if not closed >> there & 1:
                paid = price(rules, state, units, here, there, ways)
                if paid != CLOSED:
                    yield there, paid

    if not plain:
        return slowly
    leads, standing = rules.prices.steps[rules.side[units[0]]][foot], state.standing
    snow, dear = rules.snow[state.turn], rules.blizzard_guns if ways.moving & rules.guns else 0
    full: dict[int, bool] = {}
    ends = {h for bridge in state.built for h in bridge} if state.built else ()

    roads = ways.roads

    def quickly(here: int, behind: int = 0) -> Iterable[tuple[int, int]]:
        closed, found = (ways.closed_from(here) if ways.kept else ways.closed) | behind, []
        for there, paid, on_road, bridge in leads[here]:
            if closed >> there & 1:
                continue
            if on_road > 0 and roads and (not bridge or standing & bridge):
                taken = full.get(there)
                if taken is None:
                    taken = full[there] = there in state.stacks and is_full(rules, state, there, ways.moving)
                if not taken:
                    paid = on_road
            if paid == CLOSED:
                continue
            if paid > 0 and snow >> there & 1:
                paid = paid * dear if dear else paid + rules.blizzard
            found.append((there, paid))
        return found

    return (lambda here, behind=0: (slowly if here in ends else quickly)(here, behind)) if ends else quickly


def can_exit(rules: CaporettoPrinted, state: State, units: Sequence[int], left: int, manner: Manner) -> bool:
    """21.9: could these units leave the map now? They stand where a road leads over the edge, and can pay its rate for
    the hex beyond."""
    here = state.at[units[0]]
    ways = going(rules, state, units, manner)
    if not rules.ground.exits >> here & 1 or not ways.roads:
        return False
    rate = exit_price(rules, state, units, here)
    return rate != CLOSED and rate + leaving_price(rules, state, here, ways) <= left


def exit_price(rules: CaporettoPrinted, state: State, units: Sequence[int], here: int) -> int:
    """21.9, 21.8: the rate of the best road that leads to the edge here; cyclists pay half of it, as nobody is next to
    the hex beyond."""
    routes = {rules.ground.route[way] for way, _ in rules.ground.ways_from(here)} - {""}
    costs = [
        max(halved(rules, unit, rules.tables.route_cost[route][rules.foot[unit]]) for unit in units)
        for route in routes
        if all(rules.tables.route_cost[route][rules.foot[unit]] > 0 for unit in units)
    ]
    return min(costs, default=CLOSED)


# 10.1.2: who may fire at a step


def watchers(rules: CaporettoPrinted, state: State, units: Sequence[int], here: int, there: int) -> list[int]:
    """10.1.2, 10.1.2.e1, 8.1, 17.7.1: the enemy combat units that may fire at units on this step: next to both hexes,
    with no cliff between, nothing in fog or blizzard, and not at who enters a trench of his own (or, by option, goes
    along connected ones)."""
    ground, side = rules.ground, rules.side[units[0]]
    blind = rules.blind[state.turn]
    if (blind >> here | blind >> there) & 1 or _in_own_trench(rules, side, here, there):
        return []
    found = []
    for h in bits(rules.grid.ring[here] & rules.grid.ring[there] & state.occ[1 - side] & ~blind):
        if ground.cliff[ground.way(h, here)] or ground.cliff[ground.way(h, there)]:
            continue
        mask = rules.combat & ~rules.flamethrowers & rules.of_side[1 - side]
        found += [unit for unit in state.stacks[h] if mask >> unit & 1]
    return found


def _in_own_trench(rules: CaporettoPrinted, side: int, here: int, there: int) -> bool:
    if rules.option["infiltration_trench"] == "any-friendly-trench" and rules.ground.trench[side] >> there & 1:
        return True
    return trenches.connected(rules, here, there, side)
