"""What the map says: distances to objectives once and for all, and the picture of a phase."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from operator import add
from operator import sub as subtract
from typing import TYPE_CHECKING, NamedTuple

from fronte.ai.inferno.steady.weights import Weights, late
from fronte.games.common.memory import Memory
from fronte.games.inferno.combat import hex_effects, is_higher, is_lower
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.ground import DRY, ISONZO
from fronte.games.inferno.movement import step_cost
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State
from fronte.games.inferno.supply import IN_RANGE, LOW_RANGE, Net, net, path_layers, sources, whole_layers
from fronte.games.inferno.zoc import zoc
from fronte.hexes import Spread, apart, bits, flood, layered, mask_of, side_by_side

if TYPE_CHECKING:
    from fronte.ai.inferno.steady.attack import Plan
    from fronte.ai.inferno.steady.marches import Reach
    from fronte.ai.inferno.steady.terms import Terms

FAR = 60
"""Hexes of movement beyond which an objective pulls nobody."""
FADE = 0.82
"""What is left of an objective's pull one movement point further off."""
NEAR_FADE = 0.6
"""What is left of the need to guard an objective one hex further off."""
NEAR = 5
"""Hexes from an objective within which it is guarded."""
SIXTHS = 6
PARTS = 1000
NEARBY = 3
"""From farther away no enemy comes next to a post at once."""
HORIZON = 8
"""Enemies further off than this are simply far."""
MOST_KEPT = 2000
MOST_ABREAST = 32
"""So many maps are looked at side by side."""
MOST_RECALLED = 16
"""Of so many positions it is remembered where units can go in them."""
MOST_INTENTS, MOST_SITUATIONS = 32, 1000
"""For so many weights, and in so many situations, the best attacks are remembered."""
SHARES = (1.0, 1.0, 0.55, 0.2)
"""How much of a unit's strength is felt so many hexes away."""

Steps = list[tuple[int, int]]
"""Hexes, each with a number: what the step there costs, or how much is felt there."""


class Approach(NamedTuple):
    """7.8: what attacking a hex from a neighbour means, whoever does it."""

    higher: bool
    """The defender stands higher."""
    lower: bool
    hex_effect: bool
    side_effect: bool
    water: int
    mountain: bool
    """12.1: mountain troops are stronger in that hex."""


class Ranges(NamedTuple):
    """How far each hex is from some hexes, and by distance up to the horizon the hexes that are so far."""

    distance: list[int]
    at: list[int]


class Known(NamedTuple):
    """What has been found where enemies stand in one way, and friends too where they screen."""

    tables: dict[int, list[Steps | None]]
    """By kind of unit and hex the steps on land."""
    over: dict[tuple[int, bool, int], Steps]
    """The same by kind, size and hex where bridges lead over the Isonzo."""
    reached: dict[tuple[int, int, int, bool, bool, int], Reach]
    """Where units alike in the same hex can go, as long as no move changes it."""


def nothing_known() -> Known:
    """Of a position of which nothing has been found yet."""
    return Known({}, {}, {})


class Stand(NamedTuple):
    """All that decides what steps on land cost for a side, as long as no friends screen them."""

    bridges: Hashable
    enemies: int
    fighting: int
    exerting: int
    """Hexes with enemies, with such that fight, with such that exert a zone of control."""
    zone: int
    roadblock: int


NOTHING_KNOWN = Stand(None, 0, 0, 0, 0, 0)


class Chart:
    """What never changes on a board: for each objective, how strongly it is felt in every hex."""

    def __init__(self, rules: Inferno, terms: Terms) -> None:
        self.rules, self.terms = rules, terms
        board = rules.board
        size = board.grid.size
        self.values = terms.goals()
        """What each objective is worth, in victory points."""
        self.goals = mask_of(self.values)
        self.felt: dict[int, list[int]] = {}
        self._worth_felt: dict[int, list[int]] = {}
        """For each objective what it is worth in every hex: its points times how strongly it is felt."""
        self.close: dict[int, Steps] = {}
        """For each objective the hexes near it, and how much it is felt there for being near."""
        for goal in self.values:
            cost, _ = flood((goal,), FAR * SIXTHS, self._steps)
            self.felt[goal] = [round(PARTS * FADE ** (cost.get(h, FAR * SIXTHS) / SIXTHS)) for h in range(size)]
            self._worth_felt[goal] = [self.values[goal] * share for share in self.felt[goal]]
            self.close[goal] = [
                (h, round(PARTS * NEAR_FADE**d)) for h, d in enumerate(board.distances(goal)) if d <= NEAR
            ]
        self.works = [[unit for unit in mine if rules.immobile[unit]] for mine in rules.of_side]
        self.drm = {name: int(value) for name, value in rules.tables.lrt_drm.items() if name != "source"}
        self.banks = [tuple(e for e in edges if e.water != DRY) for edges in board.edges]
        self.lower = [
            mask_of(n for n in board.grid.adjacent[h] if board.peaks >> h & 1 or board.level[n] < board.level[h])
            for h in range(size)
        ]
        """For each hex the neighbours from which an attacker would climb; all of them below a peak."""
        self.bit = [1 << h for h in range(size)]
        self.steps_to = [mask_of(edges) for edges in board.edge_to]
        """For each hex the neighbours to which a step leads; there is none across a crag."""
        self.beside = [board.grid.within(h, 1) for h in range(size)]
        self.felt_from = [
            [board.grid.within(h, 2 if board.trench[1 - side] & self.beside[h] else 1) for h in range(size)]
            for side in (ITALIAN, AH)
        ]
        """For each side and hex, where enemies bar steps from there: beside it, or behind their trenches (6.3.1)."""
        self._beside = Spread([mask_of(e.to for e in edges) for edges in board.land])
        self._over: Memory[tuple[int, ...], Spread] = Memory()
        """The same with bridges, by which there are."""
        self._beyond = Spread([mask_of(e.to for e in edges) for edges in board.across])
        self.crossed = mask_of(h for h in range(size) if board.across[h])
        self.bridges = mask_of(h for h in range(size) if any(e.bridge >= 0 for e in board.edges[h]))
        self.cheapest = min(e.route or e.ground for edges in board.edges for e in edges)
        """4.2: no step costs less, in sixths."""
        self.kind = [
            (1 if gun else 0) + (2 if slips else 0) for gun, slips in zip(rules.gun, rules.infiltrates, strict=True)
        ]
        """4: units of one side and kind go alike but for what they cross."""
        self._recalled: dict[Hashable, Known] = {}
        self._latest: dict[int, tuple[Stand, Known]] = {}
        """By side how enemies stood when going was looked at last, and what has been found of it."""
        self._attacks: dict[tuple[type, Weights], dict[Hashable, Plan | None]] = {}
        self._quiet: dict[tuple[int, bool], list[Steps]] = {}
        self.swept: Memory[Hashable, int] = Memory(MOST_KEPT)
        """Where units of a kind in several hexes could go all together, in one position (`Marches.sweep`)."""
        self.priced: dict[tuple[int, ...], Steps] = {}
        """What steps near enemies have been found to cost (`Marches`)."""
        self._fields: dict[tuple[int, bool], list[float]] = {}
        self._last = {(side, close): (0, [0] * size) for side in (ITALIAN, AH) for close in (False, True)}
        self._ways_back: dict[int, list[tuple[int, int]]] = {}
        self._weights: dict[int, list[tuple[int, float]]] = {}
        self._pressed: dict[int, list[tuple[float, list[int]]]] = {}
        self._approaches: dict[tuple[int, int], Approach] = {}
        self._distances: dict[tuple[int, tuple[int, ...]], Ranges] = {}
        self._supplied: dict[tuple[int, int, int, int, tuple[int, ...]], Supplied] = {}
        width = -(-size // 8) * 8
        self._abreast: Memory[tuple[int, int, tuple[int, ...]], Net] = Memory(64)
        self._zone = [zone.abreast(MOST_ABREAST, width) for zone in board.zone]
        """What supply runs over, and the zones of each side, on many maps side by side (`hungry_if`)."""

    def recall(self, key: Hashable, side: int, stand: Stand) -> Known:
        """What was found of the going in a position that this key tells from others, to be added to.

        In a new one the steps of the one before hold, but for those near enemies who have come or gone.
        """
        found = self._recalled.get(key)
        if found is None:
            if len(self._recalled) >= MOST_RECALLED:
                self._recalled.clear()
            found = self._recalled[key] = nothing_known()
            before, known = self._latest.get(side, (NOTHING_KNOWN, found))
            if before.bridges == stand.bridges:
                changed = list(bits(self._changed(before, stand)))
                for kind, table in list(known.tables.items()):
                    found.tables[kind] = copy = table[:]
                    for h in changed:
                        copy[h] = None
            self._latest[side] = stand, found
        return found

    def _changed(self, one: Stand, other: Stand) -> int:
        """The hexes from which steps may cost something else than before (`Marches._price_land` has what counts)."""
        around = self.rules.board.around
        near = one.enemies ^ other.enemies | one.fighting ^ other.fighting
        near |= one.zone ^ other.zone | one.roadblock ^ other.roadblock
        felt = one.exerting ^ other.exerting
        return near | around(near | felt | around(felt)) | felt

    def attacks_known(self, judging: type, weights: Weights) -> dict[Hashable, Plan | None]:
        """By situation (`Assault.situation`) the best attacks that have been found, to be added to."""
        found = self._attacks.setdefault((judging, weights), {})
        if len(self._attacks) > MOST_INTENTS or len(found) > MOST_SITUATIONS:
            self._attacks.clear()
            found = self._attacks[judging, weights] = {}
        return found

    def field(self, goals: int, side: int, close: bool) -> list[float]:
        """The sum of what these objectives are worth in every hex, by way or by nearness.

        It is counted in whole thousandths from the last one that the side asked for: few objectives change hands at
        a time.
        """
        found = self._fields.get((goals, close))
        if found is None:
            before, counted = self._last[side, close]
            counted = counted[:]
            for goal in bits(goals ^ before):
                gained = goals >> goal & 1
                if close:
                    worth = self.values[goal] if gained else -self.values[goal]
                    for h, share in self.close[goal]:
                        counted[h] += worth * share
                else:
                    counted = list(map(add if gained else subtract, counted, self._worth_felt[goal]))
            self._last[side, close] = (goals, counted)
            found = [total / PARTS for total in counted]
            if len(self._fields) > MOST_KEPT:
                self._fields.clear()
            self._fields[goals, close] = found
        return found

    def approach(self, target: int, origin: int) -> Approach:
        """7.8: how the ground between two hexes counts."""
        found = self._approaches.get((target, origin))
        if found is None:
            rules = self.rules
            water = rules.board.edge_to[origin][target].water
            found = self._approaches[target, origin] = Approach(
                is_higher(rules, target, origin),
                is_lower(rules, target, origin),
                hex_effects(rules, target, (origin,)),
                water != DRY,
                water,
                rules.board.terrain[target] in rules.mountains,
            )
        return found

    def ways_back(self, h: int) -> list[tuple[int, int]]:
        """9.2.2.b: for each neighbour to which a step leads it and the hexes to which it is no farther from there."""
        found = self._ways_back.get(h)
        if found is None:
            board = self.rules.board
            found = self._ways_back[h] = [(1 << to, board.no_farther_from(to, h)) for to in board.edge_to[h]]
        return found

    def weight_of(self, h: int) -> list[tuple[int, float]]:
        """The hexes that a unit here presses upon, and how much: up to three hexes away."""
        found = self._weights.get(h)
        if found is None:
            grid = self.rules.board.grid
            found = [(there, SHARES[grid.distance(h, there)]) for there in bits(grid.within(h, 3))]
            self._weights[h] = found
        return found

    def bridged(self, state: State) -> tuple[int, ...]:
        """14.2.b: the hexsides of the Isonzo with a bridge or a pontoon."""
        sides = self.rules.board.sides
        numbers = dict.fromkeys([*self.rules.bridged_sides(state, ITALIAN), *self.rules.bridged_sides(state, AH)])
        return tuple([n for n in numbers if sides[n].water == ISONZO])

    def pressed(self, h: int) -> list[tuple[float, list[int]]]:
        """The same by how much it is: the hexes where so much of the strength of a unit here is felt."""
        found = self._pressed.get(h)
        if found is None:
            shares = sorted(set(SHARES))
            found = [(share, [there for there, felt in self.weight_of(h) if felt == share]) for share in shares]
            self._pressed[h] = found
        return found

    def supplied(self, state: State, side: int) -> Supplied:
        """11.3, 11.4: where supply reaches, kept for whenever all stand in the same way and the same bridges do."""
        bridged = tuple(self.rules.bridged_sides(state, side))
        key = side, state.occ[side], state.occ[1 - side], state.zocs[1 - side], bridged
        found = self._supplied.get(key)
        if found is None:
            if len(self._supplied) > MOST_KEPT:
                self._supplied.clear()
            found = self._supplied[key] = supplied(self.rules, state, side)
        return found

    def hungry(self, state: State, side: int) -> int:
        """11.4: units of a side by how short of supply they would be now: those out of it count twice."""
        found, zoccer = self.supplied(state, side), self.rules.zoccer
        total = 0
        for h in bits(state.zocs[side] & ~found.well):
            units = sum(1 for unit in state.stacks[h] if zoccer[unit])
            total += units if found.low >> h & 1 else 2 * units
        return total

    def hungry_if(self, state: State, side: int, stands: Sequence[tuple[int, int]]) -> list[int]:
        """The same if enemies stood otherwise: by each way to stand, the hexes with any of them and those with such
        that exert a zone of control. Many ways are looked at in one search, on as many maps side by side."""
        zoccer, by_units = self.rules.zoccer, dict[int, int]()
        for h in bits(state.zocs[side]):
            units = sum([zoccer[unit] for unit in state.stacks[h]])
            by_units[units] = by_units.get(units, 0) | 1 << h
        found = []
        for first in range(0, len(stands), MOST_ABREAST):
            for well, low in self._supplied_if(state, side, stands[first : first + MOST_ABREAST]):
                hungry = [(units, mask & ~well) for units, mask in by_units.items()]
                found.append(sum([n * (mask.bit_count() + (mask & ~low).bit_count()) for n, mask in hungry]))
        return found

    def _supplied_if(self, state: State, side: int, stands: Sequence[tuple[int, int]]) -> list[Supplied]:
        """11.3, 11.4: where supply reaches, for so many ways to stand."""
        rules, board, number = self.rules, self.rules.board, MOST_ABREAST
        width = -(-board.grid.size // 8) * 8
        key = side, rules.routes_cut(state), tuple(rules.bridged_sides(state, side))
        over = self._abreast.get(key) or self._abreast.keep(key, net(rules, state, side).abreast(number, width))
        rest = [(0, 0)] * (number - len(stands))
        enemies, exerting = (side_by_side(masks, width) for masks in zip(*stands, *rest, strict=True))
        zone = self._zone[1 - side](exerting)
        risky = zone & ~side_by_side([state.occ[side]] * number, width)
        found = reached(rules, over, over.routes.flood(over.flags, ~(enemies | risky)), enemies, risky)
        masks = zip(*(apart(mask, number, width) for mask in found), strict=True)
        return [Supplied(*both) for both, _ in zip(masks, stands, strict=False)]

    def distance_from(self, state: State, hexes: int) -> list[int]:
        """How many hexes each hex is from the nearest of these; the Isonzo without a bridge counts as two more."""
        return self.ranges(state, hexes).distance

    def ranges(self, state: State, hexes: int) -> Ranges:
        """The same, with the hexes at each distance."""
        bridged = self.bridged(state)
        found = self._distances.get((hexes, bridged))
        if found is None:
            found = self._measure(hexes, bridged)
            if len(self._distances) > MOST_KEPT:
                self._distances.clear()
            self._distances[hexes, bridged] = found
        return found

    def _measure(self, hexes: int, bridged: tuple[int, ...]) -> Ranges:
        beside = self._over.get(bridged)
        if beside is None:
            sides = self.rules.board.sides
            beside = self._over.keep(bridged, self._beside.joined((sides[n].a, sides[n].b) for n in bridged))
        due = [0] * (HORIZON + 4)
        due[0] = hexes
        at: list[int] = []
        seen = 0
        for length in range(HORIZON + 1):
            layer = due[length] & ~seen
            at.append(layer)
            seen |= layer
            due[length + 1] |= beside(layer)
            if layer & self.crossed:
                due[length + 3] |= self._beyond(layer)
        return Ranges(layered(at, self.rules.board.grid.size, HORIZON + 1), at)

    def quiet_steps(self, unit: int) -> list[Steps]:
        """4.2: for each hex where steps on land lead and what they cost while there is no enemy about.

        Steps over a bridge, which may fall, are left out.
        """
        rules = self.rules
        key = rules.side[unit], rules.gun[unit]
        found = self._quiet.get(key)
        if found is None:
            empty, land = rules.empty_state(), rules.board.land
            found = self._quiet[key] = [
                [
                    (edge.to, step_cost(rules, empty, unit, here, edge, 0, 0))
                    for edge in land[here]
                    if edge.bridge < 0 and rules.why_no_step(empty, unit, here, edge, 0) is None
                ]
                for here in range(rules.board.grid.size)
            ]
        return found

    def _steps(self, here: int) -> Steps:
        """Off the road and regardless of enemies; the Isonzo counts as two more points."""
        return [(e.to, e.ground + (12 if e.water == ISONZO else 0)) for e in self.rules.board.edges[here]]

    def worth(self, h: int) -> int:
        """Victory points that change hands if the hex does."""
        return self.values.get(h, 0)


class Picture:
    """The map as one side sees it at the beginning of a phase. Each part is worked out when it is first asked for."""

    def __init__(self, chart: Chart, state: State, side: int) -> None:
        rules = chart.rules
        self.chart, self.rules, self.state, self.side = chart, rules, state, side
        self.foe = 1 - side
        self.terms = chart.terms
        self.size = rules.board.grid.size
        self.ours = state.held if side == ITALIAN else rules.board.grid.everything & ~state.held
        self._pressure_on: dict[int, float] = {}

    @cached_property
    def last_word(self) -> bool:
        """1.4: may the game be over after this turn, with no enemy turn left in it? The attacker moves first."""
        return self.side != self.terms.attacker and self.terms.may_end(self.state)

    @cached_property
    def enemy_zoc(self) -> int:
        """6: the hexes in enemy zones of control."""
        return zoc(self.rules, self.state, self.foe)

    @cached_property
    def pull(self) -> list[float]:
        """How strongly each hex feels the objectives that are still to be won."""
        return self.chart.field(self.terms.wanted(self), self.side, False)

    @cached_property
    def guard(self) -> list[float]:
        """How near each hex is to objectives of one's own."""
        return self.chart.field(self.chart.goals & self.ours, self.side, True)

    @cached_property
    def _ranges(self) -> Ranges:
        return self.chart.ranges(self.state, self.state.zocs[self.foe])

    @cached_property
    def distance(self) -> list[int]:
        """Hexes to the nearest enemy that can move and fight."""
        return self._ranges.distance

    @cached_property
    def belt(self) -> int:
        """Hexes one or two from such an enemy."""
        return self._ranges.at[1] | self._ranges.at[2]

    @cached_property
    def near(self) -> int:
        """Hexes at most two from such an enemy."""
        return self._ranges.at[0] | self.belt

    @cached_property
    def nearby(self) -> int:
        """Hexes from which such an enemy could come next to a post at once."""
        return sum(self._ranges.at[: NEARBY + 1])

    @cached_property
    def pressure(self) -> list[float]:
        """Enemy attack strength that could fall on each hex: fully next to it, less from two or three hexes."""
        total = [0.0] * self.size
        for h in bits(self.state.zocs[self.foe]):
            strength = self._strength(h)
            for share, hexes in self.chart.pressed(h):
                felt = strength * share
                for there in hexes:
                    total[there] += felt
        return total

    def pressure_on(self, h: int) -> float:
        """The same of one hex, for who asks of few."""
        if "pressure" in self.__dict__:
            return self.pressure[h]
        found = self._pressure_on.get(h)
        if found is None:
            found, grid = 0.0, self.rules.board.grid
            for there in bits(self.state.zocs[self.foe] & grid.within(h, len(SHARES) - 1)):
                found += self._strength(there) * SHARES[grid.distance(h, there)]
            self._pressure_on[h] = found
        return found

    def _strength(self, h: int) -> int:
        """The attack strength of those in a hex."""
        rules, state = self.rules, self.state
        return sum([max(0, rules.face(state, u).attack - state.ce[u]) for u in state.stacks[h]])

    @cached_property
    def works(self) -> int:
        """Hexes with a fortress of one's own."""
        state = self.state
        return mask_of(state.at[u] for u in self.chart.works[self.side] if state.at[u] >= 0)

    @cached_property
    def supplied(self) -> Supplied:
        """11.4: where supply reaches one's own units."""
        return self.chart.supplied(self.state, self.side)

    def shortage(self, h: int) -> int:
        """11.4: the supply state that a unit would have in a hex: 0, 1 or 2."""
        found = self.supplied
        return 0 if found.well >> h & 1 else 1 if found.low >> h & 1 else 2

    def timely(self, weights: Weights) -> Weights:
        """The weights as they are this turn."""
        return late(weights) if self.terms.may_end(self.state) else weights

    def for_planning(self) -> Picture:
        """The same picture over a copy of the state, in which units can be moved: it shows how things were."""
        for part in (self.enemy_zoc, self.pull, self.guard, self.distance, self.pressure, self.supplied):
            assert part is not None
        twin = Picture(self.chart, self.state.copy(), self.side)
        twin.__dict__ |= {name: value for name, value in self.__dict__.items() if name != "state"}
        return twin

    def moats(self, h: int) -> int:
        """Water hexsides around a hex with an enemy on or near the other bank."""
        return sum(1 for e in self.chart.banks[h] if self.distance[e.to] <= 1)

    def rises(self, h: int) -> int:
        """Approaches from which an attacker would climb."""
        return (self.chart.lower[h] & self.near).bit_count()

    def is_prize(self, h: int) -> bool:
        """An objective that the other side holds."""
        return h in self.chart.felt and not self.ours >> h & 1


class Supplied(NamedTuple):
    """11.4: hexes where units of a side would be in supply, and where in low supply."""

    well: int
    low: int


def supplied(rules: Inferno, state: State, side: int) -> Supplied:
    """11.3, 11.4: where supply reaches. Hexes that a path cannot lead through may still be the end of one."""
    risky = zoc(rules, state, 1 - side) & ~state.occ[side]
    return reached(rules, net(rules, state, side), sources(rules, state, side), state.occ[1 - side], risky)


def reached(rules: Inferno, over: Net, start: int, enemies: int, risky: int) -> Supplied:
    """The same from these sources, with enemies in some hexes and others at risk in their zones."""
    if not rules.supply_gaps and not rules.supply_over_crags:
        first, due = whole_layers(rules, over, start, enemies | risky)
        well = low = first[0]
        for length in range(1, LOW_RANGE + 1):
            low |= due[length]
            if length <= IN_RANGE:
                well |= due[length]
        return Supplied(well, low & ~well)
    layers, end = path_layers(rules, over, start, enemies, risky), IN_RANGE + 1
    well = sum(layers[:end])
    well |= over.land(sum(layers[: end - 1])) | over.wet(sum(layers[: end - 1 - rules.river_supply]))
    low = sum(layers)
    low |= over.land(sum(layers[:-1])) | over.wet(sum(layers[: -1 - rules.river_supply]))
    return Supplied(well, low & ~well)
