"""7.1, 11: which assaults promise enough, by their exact odds and by what is shot at on the way to them."""

from __future__ import annotations

from typing import NamedTuple

from fronte.ai.volturno.chart import Picture
from fronte.ai.volturno.ground import guarded, level_worth, others
from fronte.ai.volturno.odds import Fighter, Outcome, expected
from fronte.ai.volturno.weights import Weights
from fronte.games.volturno import assault, charge, cohesion, declarations, fire, movement
from fronte.games.volturno.assault import target_of
from fronte.games.volturno.movement import ASSAULT, CHARGE
from fronte.games.volturno.reaction_zones import is_in_front, projecting

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
    drm = sum(m.amount for m in assault.modifiers(rules, state, unit, target, how=table))
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
    felt = picture.danger(target) - gone
    mine = picture.support(target) + 0.1
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


def judge(picture: Picture, weights: Weights, unit: int, at: int, target: int, kind: int = ASSAULT) -> Attack:
    """What an assault or a charge from a hex promises, with all that may be shot at who comes there."""
    table = "charge" if kind == CHARGE else "assault"
    state = picture.state
    was, column = state.at[unit], state.column
    state.at[unit] = at
    state.column = column & ~(1 << unit)
    levels = 0.0 if was == at else sum(shots_at(picture, unit))
    outcome = fight(picture, unit, target, table)
    gain = worth_of(picture, weights, unit, target, outcome)
    win = outcome.win
    if levels > 0.05 and state.level[unit] < 3:
        worse = fight(picture, unit, target, table, hurt=1)
        part = min(1.0, levels)
        gain += part * (worth_of(picture, weights, unit, target, worse) - gain)
        win += part * (worse.win - win)
    own = picture.rules.counters[unit].strength * level_worth(picture, weights) * (1 + 0.5 * state.level[unit])
    gain -= weights.caution * levels * own
    state.at[unit], state.column = was, column
    gain -= left_open(picture, weights, unit)
    if kind == CHARGE:
        gain -= weights.exhausted * picture.rules.counters[unit].strength
    return Attack(unit, at, target, gain, win, kind)


def left_open(picture: Picture, weights: Weights, unit: int) -> float:
    """What it costs that the only garrison of an own objective, or guard of guns, goes to attack elsewhere."""
    h = picture.state.at[unit]
    found = guarded(picture, weights, unit, h)
    value = picture.chart.values.get(h, 0.0)
    if value and picture.is_ours(h) and not others(picture, unit, h):
        found += weights.hold * value * min(1.0, picture.threat[h])
    return found


def attacks_of(picture: Picture, weights: Weights, unit: int) -> list[Attack]:
    """All assaults that a unit could be named for, the most promising first."""
    rules, state = picture.rules, picture.state
    reach = rules.counters[unit].ma + 1
    if not rules.grid.within(state.at[unit], reach) & state.occ[1 - picture.side]:
        return []
    found = [judge(picture, weights, unit, at, target) for at, target in assault.attacks(rules, state, unit)]
    if rules.counters[unit].is_cavalry:
        found += [judge(picture, weights, unit, at, h, CHARGE) for at, h in charge.attacks(rules, state, unit)]
    return sorted(found, key=lambda one: (-one.gain, one.at, one.target))


def must_go(picture: Picture, unit: int) -> bool:
    """3.2: does it have to attack or to leave?"""
    return bool(picture.state.threatened >> unit & 1)


def best_markers(picture: Picture, weights: Weights, compelled: bool) -> list[Attack]:
    """7.1: the markers to lay: one after the other the assault that promises most, as long as it promises enough."""
    rules, state = picture.rules, picture.state
    free = declarations.markers_allowed(rules, state) - len(state.markers)
    named = {marker[3] for marker in state.markers}
    hexes = {marker[1] for marker in state.markers}
    struck = {target_of(rules, marker) for marker in state.markers}
    units = [
        u
        for u in rules.members[state.formation]
        if state.at[u] >= 0 and not state.ooc >> u & 1 and u not in named and assault.can_assault(rules, u)
    ]
    open_ones = [one for u in units for one in attacks_of(picture, weights, u)]
    found: list[Attack] = []
    while free > 0 and open_ones:
        best = max(open_ones, key=lambda one: (_now(picture, weights, one, struck), -one.unit, -one.at))
        worth = _now(picture, weights, best, struck)
        if worth < weights.least_gain and not (compelled and not found and not state.markers):
            break
        found.append(best)
        hexes.add(best.at)
        struck.add(best.target)
        free -= 1
        open_ones = [one for one in open_ones if one.unit != best.unit and one.at not in hexes]
    return found


def _now(picture: Picture, weights: Weights, one: Attack, struck: set[int]) -> float:
    """What an assault promises beside those that are declared."""
    gain = one.gain * AGAIN if one.target in struck and one.gain > 0 else one.gain
    return gain + weights.stay if must_go(picture, one.unit) and one.at == picture.state.at[one.unit] else gain
