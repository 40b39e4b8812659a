"""12, 13.1.3: reactions to a move, and whether to go on after a loss."""

from __future__ import annotations

from fronte.ai.reasons import Answer, Reason
from fronte.ai.volturno.attack import fight, fire_drm, steadiness, worth_of
from fronte.ai.volturno.chart import Picture
from fronte.ai.volturno.ground import level_worth
from fronte.ai.volturno.odds import expected
from fronte.ai.volturno.posts import facing_score, post
from fronte.ai.volturno.weights import Weights
from fronte.engine.decision import Action
from fronte.games.volturno import counter_charges, movement, reactions, withdrawals
from fronte.games.volturno.assault import target_of
from fronte.games.volturno.counters import COMPASS

LEAST = 0.02
"""What a reaction has to promise."""


def react(picture: Picture, weights: Weights) -> Answer:
    """12.2: the reaction that promises most; nobody reacts where none promises anything."""
    rules, state = picture.rules, picture.state
    frame = state.frames[-1]
    best: tuple[float, Action, Reason] | None = None
    ids = rules.grid.ids
    for reactor in reactions.watchers(rules, state, frame):
        h = state.at[reactor]
        for action in reactions.reactions(rules, state, frame, reactor):
            worth = reaction_worth(picture, weights, reactor, action)
            if worth > LEAST and (best is None or worth > best[0] + 1e-9):
                key = REASONS.get(type(action).__name__, "react")
                best = worth, action, Reason(key, {"hex": ids[h]})
    if best is None:
        return Answer(reactions.Hold(), Reason("hold_fire", {"hex": ids[frame.args[2]]}))
    return Answer(best[1], best[2])


REASONS = {
    "Shoot": "shoot",
    "Counter": "counter",
    "CounterCharge": "counter",
    "Face": "face",
    "Withdraw": "give_way",
    "Change": "change",
}


def reaction_worth(picture: Picture, weights: Weights, reactor: int, action: Action) -> float:
    """What a reaction promises."""
    if isinstance(action, reactions.Shoot):
        return shot(picture, weights, reactor)
    if isinstance(action, reactions.Counter):
        return counter(picture, weights, reactor)
    if isinstance(action, counter_charges.CounterCharge):
        spent = weights.exhausted * picture.rules.counters[reactor].strength
        return counter(picture, weights, reactor, "charge") - spent if not action.path else 0.0
    if isinstance(action, reactions.Face):
        return face(picture, weights, reactor, COMPASS.index(action.facing))
    if isinstance(action, withdrawals.Withdraw):
        return give_way(picture, weights, reactor, picture.rules.grid.index[action.to])
    if isinstance(action, reactions.Change):
        return change(picture, weights, reactor, action.into)
    return 0.0


def mover_of(picture: Picture) -> int:
    """The unit that is reacted to."""
    unit: int = picture.state.frames[-1].args[0]
    return unit


def is_target(picture: Picture, h: int) -> bool:
    """Does the unit that is reacted to stand on a marker that points at this hex?"""
    state, rules = picture.state, picture.rules
    at = state.at[mover_of(picture)]
    return any(marker[1] == at and target_of(rules, marker) == h for marker in state.markers)


def peril(picture: Picture, weights: Weights, h: int) -> float:
    """What the attack that is to come would cost those in a hex."""
    rules, state = picture.rules, picture.state
    unit = mover_of(picture)
    if not is_target(picture, h) or picture.state.frames[-1].args[1] != "enter" or not state.stacks.get(h):
        return 0.0
    if rules.counters[unit].is_artillery:
        return 0.0
    theirs = picture.theirs
    return max(0.0, worth_of(theirs, weights, unit, h, fight(theirs, unit, h)))


def shot(picture: Picture, weights: Weights, reactor: int) -> float:
    """12.2.2: levels that fire takes, and what they take from an attack that is to come."""
    rules, state = picture.rules, picture.state
    unit = mover_of(picture)
    levels = expected(picture.chart.odds.fire(fire_drm(picture, reactor, unit)))
    if state.low >> reactor & 1:
        levels *= 2 / 3
    worth = levels * rules.counters[unit].strength * level_worth(picture, weights) * (1 + 0.5 * state.level[unit])
    if is_target(picture, state.at[reactor]):
        worth += 0.25 * levels * peril(picture, weights, state.at[reactor])
    return worth + 0.01


def check_cost(picture: Picture, weights: Weights, unit: int, extra: int = 0) -> tuple[float, float]:
    """13.1: the chance to pass a check, and what failing costs on average."""
    state, rules = picture.state, picture.rules
    spread = picture.chart.odds.check(steadiness(picture, unit, False) - extra)
    strong, level = rules.counters[unit].strength, state.level[unit]
    cost = 0.0
    for n, chance in enumerate(spread):
        if n + level >= 4:
            cost += chance * strong * weights.strength * picture.chart.worth
        else:
            cost += chance * n * strong * level_worth(picture, weights) * (1 + 0.5 * level)
    return spread[0], cost


def counter(picture: Picture, weights: Weights, reactor: int, table: str = "assault") -> float:
    """12.2.3: a counter-attack, which anticipates the enemy's own."""
    state = picture.state
    unit = mover_of(picture)
    h = state.at[unit]
    passed, cost = check_cost(picture, weights, reactor)
    outcome = fight(picture, reactor, h, table)
    gain = worth_of(picture, weights, reactor, h, outcome)
    here = state.at[reactor]
    gain += (outcome.win - 0.5 * outcome.loss) * peril(picture, weights, here)
    if here in picture.chart.values and picture.is_ours(here) and len(state.stacks[here]) == 1:
        gain -= outcome.win * 0.3 * weights.hold * picture.chart.values[here]  # who wins leaves his post
    return passed * gain - weights.caution * cost


def face(picture: Picture, weights: Weights, reactor: int, facing: int) -> float:
    """12.2.1: to turn to the enemy, if he is about to strike from behind."""
    rules, state = picture.rules, picture.state
    unit, here = mover_of(picture), state.at[reactor]
    before = rules.ground.facings.is_before
    there = state.at[unit]
    if before(here, state.facing[reactor], there) or not before(here, facing, there):
        return 0.0
    now = peril(picture, weights, here)
    if now <= 0:
        return 0.0
    was = state.facing[reactor]
    state.facing[reactor] = facing
    after = peril(picture, weights, here)
    state.facing[reactor] = was
    _, cost = check_cost(picture, weights, reactor)
    score = facing_score(picture, here)
    return now - after - weights.caution * cost + 0.01 * score[facing] / (sum(score) + 0.1)


def give_way(picture: Picture, weights: Weights, reactor: int, to: int) -> float:
    """12.2.5: to go back a hex before an attack that would cost more."""
    rules, state = picture.rules, picture.state
    here, unit = state.at[reactor], mover_of(picture)
    now = peril(picture, weights, here)
    if now <= 0:
        return 0.0
    _, cost = check_cost(picture, weights, reactor, reactions.swiftness(rules, unit, reactor))
    column = movement.is_column(state, reactor)
    shift = post(picture, weights, reactor, to, column) - post(picture, weights, reactor, here, column)
    lost = weights.take * picture.chart.values[here] if here in picture.chart.values and picture.is_ours(here) else 0.0
    ground = weights.ground if len(state.stacks[here]) == 1 else 0.0
    saved = now * weights.flight if len(state.stacks[here]) > 1 else now
    return saved - weights.caution * cost - lost - ground - weights.morale * 0.3 + min(0.0, shift)


def change(picture: Picture, weights: Weights, reactor: int, into: str) -> float:
    """12.1.t1: to leave column under fire; guns stay as they are."""
    if picture.rules.counters[reactor].is_artillery:
        return 0.0
    return 0.1 if into == "line" else 0.0


def break_off(picture: Picture, weights: Weights, legal: list[Action]) -> Answer:
    """13.1.3: to go on, unless what is before it has become bad."""
    rules, state = picture.rules, picture.state
    frame = state.frames[-1]
    (unit,) = frame.args
    here = rules.grid.ids[state.at[unit]]
    go_on = Answer(legal[0], Reason("go_on", {"hex": here}))
    targets = [
        target_of(rules, marker)
        for marker in state.markers
        if marker[1] == state.at[unit] and state.occ[1 - picture.side] >> target_of(rules, marker) & 1
    ]
    back = legal[1:]
    if not targets or not back:
        return go_on
    gain = max(worth_of(picture, weights, unit, h, fight(picture, unit, h)) for h in targets)
    return go_on if gain > -weights.least_gain else Answer(back[0], Reason("break_off", {"hex": here}))
