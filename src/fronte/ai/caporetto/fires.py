"""Fire: who bombards what, who fires at those who assault, barrages, the morning of 24 October, the modes of guns."""

from __future__ import annotations

from collections.abc import Sequence

from fronte.ai.caporetto.costs import points_cost
from fronte.ai.caporetto.fights import legal
from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.games.caporetto import (
    aims,
    artillery,
    assault,
    bombarding,
    defending,
    fire,
    gunnery,
    losses,
    marching,
    observation,
    on_the_move,
    seating,
    volleys,
)
from fronte.games.caporetto.aims import Barrel, Pair, Target
from fronte.games.caporetto.artillery import PARTS
from fronte.games.caporetto.fire import Volley
from fronte.hexes import bits, mask_of

FREE_GUNS = 4
"""12.1.6.e4: so many guns lay barrages for nothing."""
ENOUGH = 40
"""More factors than this on one target bring nothing more."""
RESERVE = 0.006
"""What a factor has to bring, for which another formation may have better use later in the turn."""
SALVO = 20
"""So many are thought enough for one target of the preparatory bombardment."""
LEAST = 0.04
"""What a salvo has to promise."""
SILENT = 2
"""18.6: a gun with so many points has nothing left to fire with."""
AIMED_AT = 2.2
"""How much more a hit is worth where an assault follows."""

BESIEGED, CUT_OFF, RELIEVED = 0.25, 0.5, 0.2
"""What is added for each point of an objective before one's own, for what keeps supply from going on, and for each
unit that would be supplied again if it were gone."""


def hit_worth(picture: Picture, weights: Weights, units: Sequence[int], total: float, shift: int) -> float:
    """What so many factors bring against these."""
    if not units:
        return 0.0
    found = picture.chart.hit(total, shift)
    rules, state = picture.rules, picture.state
    worth = 0.0
    for unit in units:
        worth += points_cost(picture, weights, unit, found.points)
        if rules.guns & state.emplaced & 1 << unit and state.dp[unit] < SILENT:
            worth += weights.silence * rules.factor[unit] * found.points
    worth += weights.suppressed * found.suppressed * min(2, len(units))
    return worth + weights.step * found.steps


class Range:
    """What can be fired at: by target the volley that fell with one gun, and what has been laid on it already."""

    def __init__(
        self, picture: Picture, weights: Weights, made: dict[Target, Volley], weight: dict[Target, float]
    ) -> None:
        self.picture, self.weights, self.made, self.weight = picture, weights, made, weight
        self.laid: dict[Target, float] = {}
        for target, volley in made.items():
            self.laid[target] = sum(fact.amount for fact in volley.factors if fact.key == "support") / PARTS

    def worth(self, target: Target, total: float) -> float:
        """What so many factors on a target are worth."""
        volley = self.made[target]
        found = hit_worth(self.picture, self.weights, volley.targets, min(total, ENOUGH), volley.shift)
        return found * self.weight.get(target, 1.0)

    def best(self, gun: int, targets: Sequence[Target]) -> tuple[float, Target] | None:
        """The target to which a gun adds most; among equals what it begins to fill."""
        found: tuple[float, Target] | None = None
        for target in targets:
            factor = self.factor(gun, target)
            gain = self.worth(target, self.laid[target] + factor) - self.worth(target, self.laid[target])
            gain += (
                0.35 * (self.worth(target, self.laid[target] + 3 * factor) - self.worth(target, self.laid[target])) / 3
            )
            if found is None or gain > found[0] + 1e-9:
                found = gain, target
        return found

    def factor(self, gun: int, target: Target) -> float:
        """What a gun is worth on a target."""
        rules, state = self.picture.rules, self.picture.state
        return artillery.strength(rules, state, artillery.all_of(rules, state, gun), target[0]) / PARTS


def _order(picture: Picture, able: Sequence[Barrel]) -> list[Barrel]:
    """Those with few targets first, then the strong."""
    rules = picture.rules
    return sorted(able, key=lambda one: (len(one.targets) > 1, -rules.factor[one.unit], one.unit))


def bombard(picture: Picture, weights: Weights) -> Answer:
    """12.1.3: above all what is assaulted."""
    rules, state = picture.rules, picture.state
    able = bombarding.all_barrels(rules, state)
    made = bombarding.volleys_at(rules, state, able)
    wanted = {target for _, target, _ in assault.now(state)}
    weight = {target: _siege(picture, target) for target in made}
    weight |= {target: AIMED_AT + weight[target] - 1.0 for target in made if target[0] in wanted and not target[1]}
    found = Range(picture, weights, made, weight)
    pairs: list[Pair] = []
    for barrel in _order(picture, able):
        best = found.best(barrel.unit, barrel.targets)
        if best is None or best[0] <= RESERVE * found.factor(barrel.unit, best[1]):
            continue
        found.laid[best[1]] += found.factor(barrel.unit, best[1])
        pairs.append((rules.ids[barrel.unit], aims.word(rules, best[1])))
    if not pairs:
        return Answer(bombarding.Hold(), Reason("hold_fire"))
    return Answer(bombarding.Bombard(tuple(pairs)), Reason("bombard", {"guns": len(pairs)}))


def _siege(picture: Picture, target: Target) -> float:
    """What a hit is worth on a hex that one cannot storm yet: what is to be taken and lies before one's own, and what
    keeps supply from going on, is worn down until it can be; what starves many, wherever it is."""
    h, guns = target
    if guns:
        return 1.0
    starves = RELIEVED * picture.relief.get(h, 0)
    if not picture.beside >> h & 1:
        return 1.0 + starves
    return 1.0 + starves + BESIEGED * picture.wanted.get(h, 0.0) + CUT_OFF * min(1.0, picture.cutting.get(h, 0.0))


def fire_order(picture: Picture, weights: Weights) -> Answer:
    """12.1.4: as they were named."""
    return Answer(legal(picture, 1)[0], Reason("fire_order"))


def preparatory(picture: Picture, weights: Weights) -> Answer:
    """24.12: the next target of the morning: where the front is to break, with guns that are enough for it."""
    rules, state = picture.rules, picture.state
    side = picture.side
    observed = observation.in_preparation(rules, state, side)
    barred = mask_of(state.mines) | mask_of(state.gas)
    mine = rules.of_force[picture.force]
    fields = bombarding.fields(rules, state, mine, 1 - side, observed, barred)
    reaching: dict[int, list[int]] = {}
    near = (
        rules.ground.around(state.occ[side]) & picture.home
    )  # 24.3: what the other wing has before it is its own affair
    for gun, (hexes, _) in fields:
        for h in bits(hexes & near & state.occ[1 - side]):
            reaching.setdefault(h, []).append(gun)
    best: tuple[float, int, list[tuple[int, int]]] | None = None
    for h, guns in reaching.items():
        shots: list[tuple[int, int]] = []
        total = 0.0
        rank = {gun: artillery.strength(rules, state, artillery.all_of(rules, state, gun), h) for gun in guns}
        for gun in sorted(guns, key=lambda gun: (-rank[gun], gun)):
            if total >= SALVO:
                break
            share, points = rank[gun] / PARTS, 0
            if rules.groups >> gun & 1 and share > SALVO - total + 1:
                whole = artillery.left(rules, state, gun) / PARTS
                points = max(1, round((SALVO - total) * whole / share))
                share *= points / whole
            shots.append((gun, points))
            total += share
        volley = fire.bombardment(rules, state, h, [artillery.all_of(rules, state, shots[0][0])])
        worn = max((state.dp[unit] for unit in volley.targets), default=0)
        worth = hit_worth(picture, weights, volley.targets, min(total, ENOUGH), volley.shift)
        worth *= (0.25 + _importance(picture, h)) * 0.6**worn / (6 + total)
        if best is None or worth > best[0]:
            best = worth, h, shots
    if best is None:
        return Answer(bombarding.Hold(), Reason("guns_done"))
    _, h, firing = best
    pairs = tuple([(rules.ids[gun], aims.word(rules, (h, 0), points)) for gun, points in firing])
    return Answer(bombarding.Bombard(pairs), Reason("preparation", {"hex": rules.grid.ids[h]}))


def _importance(picture: Picture, h: int) -> float:
    """How much a hex of the front is in the way: the sooner the goal behind it, and the more of one's own before it."""
    state, rules = picture.state, picture.rules
    strong = sum(picture.strength_at(there, picture.side) for there in rules.grid.adjacent[h])
    way = picture.way
    ahead = [way[there] - way[h] for there in rules.grid.adjacent[h] if state.occ[picture.side] >> there & 1]
    gate = max(ahead, default=0) / 40
    return min(2.0, strong / 12) * max(0.2, min(1.5, gate))


def defend(picture: Picture, weights: Weights) -> Answer:
    """12.2.9: each where it adds most; guns join those of their division."""
    rules, state = picture.rules, picture.state
    (counter,), seat = state.frames[-1].args, state.frames[-1].seat
    if not counter and seat == seating.active_seat(rules, state):  # 24.3: one's Italians before one's own attack
        return Answer(bombarding.Hold(), Reason("hold_fire"))
    able = defending.units(rules, state, counter, seat)
    laid: dict[int, list[int]] = {}
    pairs: list[tuple[int, int]] = []
    shift: dict[int, int] = {}

    def shift_of(h: int, unit: int) -> int:
        if h not in shift:
            shift[h] = fire.defence(rules, state, h, [unit], (), bool(counter)).shift
        return shift[h]

    def worth(h: int, total: float, by: int) -> float:
        units = fire.aimed_at(rules, state, h)
        bonus = 1.3 if fire.is_assault(state, h) else 0.8
        return bonus * hit_worth(picture, weights, units, total, by)

    sums: dict[int, float] = {}
    for unit, targets, _ in sorted(able, key=lambda one: (len(one.targets), one.unit)):
        guns = losses.machine_guns(rules, state, unit) / (2 if state.ooc >> unit & 1 else 1)
        best, most = -1, -1.0
        for h, _ in targets:
            by, before = shift_of(h, unit), sums.get(h, 0.0)
            gain = worth(h, before + guns, by) - worth(h, before, by)
            gain += 0.2 * worth(h, before + 3 * max(guns, 1), by)
            if gain > most:
                best, most = h, gain
        sums[best] = sums.get(best, 0.0) + guns
        laid.setdefault(best, []).append(unit)
        pairs.append((unit, best))
    for gun, targets, _ in defending.guns(rules, state, counter, able, seat):
        fit = [h for h, _ in targets if artillery.why_no_help(rules, gun, laid.get(h, ())) is None]
        if fit:
            h = max(fit, key=lambda h: (sums.get(h, 0.0), -h))
            sums[h] = sums.get(h, 0.0) + rules.factor[gun] / 4
            pairs.append((gun, h))
    if not pairs:
        return Answer(bombarding.Hold(), Reason("hold_fire"))
    told = tuple([(rules.ids[unit], rules.grid.ids[h]) for unit, h in pairs])
    return Answer(defending.Defend(told), Reason("defend", {"many": len(told)}))


def infiltration(picture: Picture, weights: Weights) -> Answer:
    """10.1.2: whoever passes is fired at by all."""
    rules, state = picture.rules, picture.state
    frame = state.frames[-1]
    own = seating.seat_of(rules, rules.force[frame.args[0][0]]) == frame.seat
    units = [] if own else marching.firers(rules, state, frame)
    data = {"hex": rules.grid.ids[frame.args[2]]}
    if not units:
        return Answer(marching.Hold(), Reason("let_pass", data))
    return Answer(marching.Shoot(rules.unit_ids(units)), Reason("shoot", data))


def cover(picture: Picture, weights: Weights) -> Answer:
    """21.5.3: one of each hex supports, the one with most machine guns."""
    rules, state = picture.rules, picture.state
    h = state.frames[-1].args[0]
    best: dict[int, int] = {}
    for unit in on_the_move.supporters(rules, state, h):
        other = best.get(state.at[unit])
        if other is None or losses.machine_guns(rules, state, unit) > losses.machine_guns(rules, state, other):
            best[state.at[unit]] = unit
    data = {"hex": rules.grid.ids[h]}
    # who has a better target before it stays free for it
    units = [unit for unit in best.values() if (rules.grid.ring[state.at[unit]] & picture.foes).bit_count() <= 1]
    if not units:
        return Answer(on_the_move.NoCover(), Reason("no_support", data))
    return Answer(on_the_move.Cover(rules.unit_ids(sorted(units))), Reason("support", data))


def share(picture: Picture, weights: Weights) -> Answer:
    """12.1.5.D: as little strength gone as possible."""
    rules, state = picture.rules, picture.state
    _, _, units, steps = state.frames[-1].args
    splits = losses.even_splits(rules, state, units, steps)
    return Answer(volleys.Share(rules.unit_ids(losses.best_split(rules, state, splits))), Reason("losses"))


# 12.1.6: barrages


def interdict(picture: Picture, weights: Weights) -> Answer:
    """12.1.6: Italians lay as many as cost nothing on the strongest that stand before them; the AHG keeps its guns for
    its actions."""
    rules, state, side = picture.rules, picture.state, picture.side
    hold = Answer(bombarding.Hold(), Reason("no_barrage", secret=True))
    if picture.force not in rules.scene.logistics:
        return hold
    observed = observation.in_barrage(rules, state, side)
    guns = sorted(bits(gunnery.layers(rules, state, picture.force)), key=lambda gun: (-rules.factor[gun], gun))
    laid: dict[int, float] = {}
    pairs: list[Pair] = []
    for gun in guns:
        if len(pairs) == FREE_GUNS:
            break
        hexes = gunnery.barrage_hexes(rules, state, gun, observed) & picture.foes
        shot = artillery.all_of(rules, state, gun)
        best, most = -1, LEAST
        for h in bits(hexes):
            targets = [unit for unit in state.stacks[h] if rules.combat & ~rules.flamethrowers & 1 << unit]
            factor = artillery.strength(rules, state, shot, h) / PARTS / 2
            before = laid.get(h, 0.0)
            shift = -rules.tables.fire.trench_cover[0] - picture.chart.cover[h]
            gain = hit_worth(picture, weights, targets, before + factor, shift)
            gain -= hit_worth(picture, weights, targets, before, shift)
            gain += 0.05 * before
            if gain > most:
                best, most = h, gain
        if best >= 0:
            laid[best] = laid.get(best, 0.0) + artillery.strength(rules, state, shot, best) / PARTS / 2
            pairs.append((rules.ids[gun], rules.grid.ids[best]))
    if not pairs:
        return hold
    return Answer(gunnery.Interdict(tuple(pairs)), Reason("barrage", {"guns": len(pairs)}, secret=True))


# 18.1: modes


def gun_modes(picture: Picture, weights: Weights) -> Answer:
    """18.1: who has nobody in range limbers up; who has comes into battery."""
    rules, state = picture.rules, picture.state
    foes = picture.foes
    turned: list[int] = []
    for gun in gunnery.turnable(rules, state, picture.force):
        here, far = state.at[gun], rules.range[gun]
        in_range = bool(rules.grid.within(here, max(1, far - 1)) & foes)
        placed = bool(state.emplaced >> gun & 1)
        if placed == in_range or (placed and picture.side != 0 and not _unsafe(picture, here)):
            continue
        if artillery.why_no_turns(rules, state, (*turned, gun)) is None:
            turned.append(gun)
    if not turned:
        return Answer(gunnery.Keep(), Reason("keep_guns"))
    return Answer(gunnery.Turn(rules.unit_ids(turned)), Reason("turn_guns", {"guns": len(turned)}))


def _unsafe(picture: Picture, h: int) -> bool:
    """Is the enemy so close to Italian guns that have no target that they had better go?"""
    return picture.arrival[h] < 30
