"""7.1, 11: which assaults promise enough, by their exact odds and by what is shot at on the way to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from fronte.ai.volturno.chart import Picture
from fronte.ai.volturno.ground import guarded, level_worth, others, walled
from fronte.ai.volturno.odds import Fighter, Outcome, expected
from fronte.ai.volturno.weights import Weights
from fronte.games.volturno import assault, charge, cohesion, declarations, fire, movement
from fronte.games.volturno.assault import target_of
from fronte.games.volturno.movement import ASSAULT, CHARGE
from fronte.games.volturno.reaction_zones import is_in_front, projecting
from fronte.games.volturno.state import NOBODY, units_in

T = TypeVar("T")
AGAIN = 0.5
"""What is left of the worth of a second attack on a hex, which the first may clear."""
SURE = Outcome(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Attack(NamedTuple):
    """A unit, the hex it attacks from, the hex it attacks, what that promises, the chance to win, and the marker."""

    unit: int
    at: int
    target: int
    gain: float
    win: float
    kind: int = ASSAULT


def steadiness(picture: Picture, unit: int, behind: bool, charged: bool = False) -> int:
    """13.1: the cohesion of a unit less all that is added to its checks."""
    rules, state = picture.rules, picture.state
    added = sum(m.amount for m in cohesion.modifiers(rules, state, unit))
    rear = int(rules.tables["cohesion_modifiers"]["rear"]) if behind else 0
    if charged and rules.counters[unit].is_infantry:
        rear += int(rules.tables["cohesion_modifiers"]["charged"])
    return cohesion.current(rules, state, unit) - added - rear


def fight(picture: Picture, unit: int, target: int, table: str = "assault", hurt: int = 0) -> Outcome:
    """How a combat goes for a unit, attacking from where it is; `hurt` levels more than it has lost now."""
    rules, state = picture.rules, picture.state
    foes = [u for u in state.stacks[target] if not rules.counters[u].is_artillery]
    if not foes:
        lone = sum(rules.counters[u].strength for u in state.stacks[target])
        return SURE._replace(enemy_routed=float(lone))
    was = state.level[unit]
    state.level[unit] = min(3, was + hurt)
    able = assault.strongest(rules, state, target)
    counts = able[0] if len(able) == 1 else NOBODY
    drm = assault.total(assault.modifiers(rules, state, unit, target, counts, table))
    me = Fighter(steadiness(picture, unit, False), state.level[unit], rules.counters[unit].strength)
    state.level[unit] = was
    here = state.at[unit]
    them = tuple(
        Fighter(
            steadiness(picture, u, not is_in_front(rules, state, u, here), table == "charge"),
            state.level[u],
            rules.counters[u].strength,
        )
        for u in foes
    )
    return picture.chart.odds.combat(table, drm, me, them)


def shots_at(picture: Picture, unit: int) -> list[float]:
    """12.2.2: levels that each hex of enemies takes on average from a unit that has come to where it is."""
    rules, state = picture.rules, picture.state
    best: dict[int, float] = {}
    for foe in projecting(rules, state, 1 - picture.side, state.at[unit]):
        at = state.at[foe]
        if (
            is_in_front(rules, state, foe, state.at[unit])
            and fire.why_no_shot(rules, state, foe, state.at[unit]) is None
        ):
            levels = expected(picture.chart.odds.fire(fire_drm(picture, foe, unit)))
            if state.low >> foe & 1:
                levels *= 2 / 3
            best[at] = max(best.get(at, 0.0), levels)
    return list(best.values())


def fire_drm(picture: Picture, shooter: int, target: int) -> int:
    """9.3: what is added to the dice of a shot."""
    return sum(m.amount for m in fire.modifiers(picture.rules, picture.state, shooter, target))


def worth_of(picture: Picture, weights: Weights, unit: int, target: int, outcome: Outcome) -> float:
    """What a combat promises to who attacks."""
    chart, rules, state = picture.chart, picture.rules, picture.state
    per_level, per_point = level_worth(picture, weights), weights.strength * chart.worth
    gained = outcome.enemy_levels * per_level + outcome.enemy_routed * per_point
    paid = outcome.own_levels * per_level + outcome.own_routed * per_point
    prize = weights.ground
    if target in chart.values and not picture.is_ours(target):
        prize += weights.take * chart.values[target]
    elif target in chart.values:
        prize += 0.5 * weights.take * chart.values[target]
    stack = state.stacks[target]
    guns = sum(rules.counters[u].strength for u in stack if rules.counters[u].is_artillery)
    prize += guns * per_level
    if not has_way_out(picture, stack[-1], target, state.at[unit]):
        prize += per_point * sum(rules.counters[u].strength for u in stack)
    return (
        gained
        + outcome.win * (prize + weights.morale)
        - outcome.loss * weights.morale
        - weights.caution * paid
        - weights.caution * outcome.win * thrust(picture, weights, unit, target)
    )


def thrust(picture: Picture, weights: Weights, unit: int, target: int) -> float:
    """What it costs to stand where the enemy was, if others of his are all around."""
    state, rules = picture.state, picture.rules
    gone = sum(rules.counters[u].strength for u in state.stacks[target])
    felt = picture.danger[target] - gone
    mine = picture.support[target] + 0.1
    return 0.5 * weights.exposed * rules.counters[unit].strength * max(0.0, min(2.0, felt / mine - 1.2))


def has_way_out(picture: Picture, foe: int, h: int, taken: int) -> bool:
    """11.3.3: can a beaten enemy go anywhere?"""
    rules, state = picture.rules, picture.state
    ours = state.occ[picture.side] | 1 << taken
    for other in rules.grid.adjacent[h]:
        if not ours >> other & 1 and (
            rules.counters[foe].is_artillery or movement.step_cost(rules, state, foe, h, other)
        ):
            return True
    return False


def judge(
    picture: Picture, weights: Weights, unit: int, at: int, target: int, kind: int = ASSAULT, least: float = -99.0
) -> Attack:
    """What an assault or a charge from a hex promises, with all that may be shot at who comes there; that is not looked
    at where less than `least` is promised without it."""
    table = "charge" if kind == CHARGE else "assault"
    state, strength = picture.state, picture.rules.counters[unit].strength
    gone = left_open(picture, weights, unit) + (weights.exhausted * strength if kind == CHARGE else 0.0)
    was, column = state.at[unit], state.column
    state.at[unit] = at
    state.column = column & ~(1 << unit)
    outcome = fight(picture, unit, target, table)
    gain = worth_of(picture, weights, unit, target, outcome)
    win = outcome.win
    levels = 0.0 if was == at or gain - gone < least else sum(shots_at(picture, unit))
    if levels > 0.05 and state.level[unit] < 3:
        worse = fight(picture, unit, target, table, hurt=1)
        part = min(1.0, levels)
        gain += part * (worth_of(picture, weights, unit, target, worse) - gain)
        win += part * (worse.win - win)
    own = strength * level_worth(picture, weights) * (1 + 0.5 * state.level[unit])
    gain -= weights.caution * levels * own
    state.at[unit], state.column = was, column
    return Attack(unit, at, target, gain - gone, win, kind)


def left_open(picture: Picture, weights: Weights, unit: int) -> float:
    """What it costs that the only garrison of an own objective, of houses next to it, or guard of guns, goes to attack
    elsewhere."""
    h = picture.state.at[unit]
    found = guarded(picture, weights, unit, h) + walled(picture, weights, unit, h)
    value = picture.chart.values.get(h, 0.0)
    if value and picture.is_ours(h) and not others(picture, unit, h):
        found += weights.hold * value * min(1.0, picture.threat[h])
    return found


def parting(picture: Picture, weights: Weights, unit: int) -> float:
    """12.1.t3: what it costs to leave the zones of enemies: their fire, and the counter-attack that would hurt most."""
    rules, state = picture.rules, picture.state
    here, theirs = state.at[unit], picture.theirs
    worst = 0.0
    for foe in projecting(rules, state, 1 - picture.side, here):
        if not assault.can_assault(rules, foe) or not movement.step_cost(rules, state, foe, state.at[foe], here):
            continue
        passed = picture.chart.odds.check(steadiness(picture, foe, False))[0]
        worst = max(worst, passed * worth_of(theirs, weights, foe, here, fight(theirs, foe, here)))
    own = rules.counters[unit].strength * level_worth(picture, weights) * (1 + 0.5 * state.level[unit])
    return worst + sum(shots_at(picture, unit)) * own


def attacks_of(picture: Picture, weights: Weights, unit: int, least: float = -99.0) -> list[Attack]:
    """All assaults that a unit could be named for, the most promising first."""
    rules, state = picture.rules, picture.state
    reach = rules.counters[unit].ma + 1
    if not rules.grid.within(state.at[unit], reach) & state.occ[1 - picture.side]:
        return []
    pairs = in_line(picture, unit, lambda: assault.attacks(rules, state, unit))
    found = [judge(picture, weights, unit, at, target, least=least) for at, target in pairs]
    if rules.counters[unit].is_cavalry:
        found += [judge(picture, weights, unit, at, h, CHARGE, least) for at, h in charge.attacks(rules, state, unit)]
    return sorted(found, key=lambda one: (-one.gain, one.at, one.target))


def in_line(picture: Picture, unit: int, find: Callable[[], T]) -> T:
    """8.3.p1: what is found for a unit that leaves column when its action begins, as it does for an attack."""
    column = movement.is_column(picture.state, unit)
    return movement.in_other_form(picture.state, unit, find) if column else find()


def must_go(picture: Picture, unit: int) -> bool:
    """3.2: does it have to attack or to leave?"""
    return bool(picture.state.threatened >> unit & 1)


def best_markers(picture: Picture, weights: Weights, compelled: bool) -> list[Attack]:
    """7.1: the markers to lay: one after the other the assault that promises most, as long as it promises enough; who
    has to attack or leave (3.2) spares himself what leaving costs."""
    rules, state = picture.rules, picture.state
    free = declarations.markers_allowed(rules, state) - len(state.markers)
    named = {marker[3] for marker in state.markers}
    hexes = {marker[1] for marker in state.markers}
    struck = {target_of(rules, marker) for marker in state.markers}
    if free <= 0:
        return []
    units = [
        u
        for u in units_in(declarations.named_ones(rules, state))
        if state.at[u] >= 0 and u not in named and assault.can_assault(rules, u)
    ]
    spared = {u: weights.stay + parting(picture, weights, u) if must_go(picture, u) else 0.0 for u in units}
    least = {u: -99.0 if compelled else weights.least_gain - spared[u] for u in units}
    open_ones = [one for u in units for one in attacks_of(picture, weights, u, least[u])]

    def worth(one: Attack) -> float:
        gain = one.gain * AGAIN if one.target in struck and one.gain > 0 else one.gain
        return gain + spared[one.unit] if one.at == state.at[one.unit] else gain

    found: list[Attack] = []
    while free > 0 and open_ones:
        best = max(open_ones, key=lambda one: (worth(one), -one.unit, -one.at))
        if worth(best) < weights.least_gain and not (compelled and not found and not state.markers):
            break
        found.append(best)
        hexes.add(best.at)
        struck.add(best.target)
        free -= 1
        open_ones = [one for one in open_ones if one.unit != best.unit and one.at not in hexes]
    return found
