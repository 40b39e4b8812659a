"""Steady's decisions in a state that is already imagined: no seat, no match, no memory. For playouts and for steady.

    answer = decide(rules, state, side, rng, weights)      one decision
    plan = movement(rules, state, side, weights)           the moves of a whole phase, each with its reason
    plans = attacks(rules, state, side, weights)           the attacks that can be made now, the most promising first

The state must hold nothing that the side may not know: `Rules.imagine` makes such a state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random
from typing import Any

import msgspec

from fronte.ai.inferno.steady.attack import Plan, best_from_contact, targets
from fronte.ai.inferno.steady.games import chart
from fronte.ai.inferno.steady.ground import Picture, Supplied
from fronte.ai.inferno.steady.move import Campaign, plan_moves
from fronte.ai.inferno.steady.small import SMALL
from fronte.ai.inferno.steady.weights import Weights, usual
from fronte.ai.policy import is_legal
from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Action
from fronte.games.inferno.combat import Attack, attackers_on, first_attackers, why_no_fire
from fronte.games.inferno.movement import End
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import IN_SUPPLY, LOW_SUPPLY, OUT_OF_SUPPLY, State


def prepare(rules: Inferno, state: State, side: int, enemy: Supplied | None = None) -> Picture:
    """A drawn state made fit for planning, in place: what can be inferred of the enemy is; and the picture of it.

    `enemy` says where supply reaches the enemy, if that is known already.
    """
    found = chart(rules)
    found.terms.settle(state)
    infer_supply(rules, state, 1 - side, enemy)
    return Picture(found, state, side)


def infer_supply(rules: Inferno, state: State, foe: int, found: Supplied | None = None) -> None:
    """11.4: enemy supply is not seen, but where units stand is, and so is whether supply can reach them."""
    if found is None:
        found = chart(rules).supplied(state, foe)
    for unit in rules.of_side[foe]:
        h = state.at[unit]
        if h >= 0 and rules.zoccer[unit]:
            state.supply[unit] = (
                IN_SUPPLY if found.well >> h & 1 else LOW_SUPPLY if found.low >> h & 1 else OUT_OF_SUPPLY
            )


def movement(
    rules: Inferno, state: State, side: int, weights: Weights | None = None, kind: type[Campaign] = Campaign
) -> list[Answer]:
    """The moves of a Movement Phase, without its end. The state is left as it is."""
    picture = prepare(rules, state.copy(), side)
    return plan_moves(picture, weights or usual(rules)[side], kind)


def attacks(rules: Inferno, state: State, side: int, weights: Weights | None = None) -> list[Plan]:
    """The best attack on each hex that can be attacked now, the most promising first; no gain is too small."""
    return attacks_in(prepare(rules, state.copy(), side), weights or usual(rules)[side])


def attacks_in(
    picture: Picture, weights: Weights, kind: type[Campaign] = Campaign, recalling: bool = False
) -> list[Plan]:
    """The same in a picture that is prepared.

    `recalling` is for playouts, in which the same situations come up again and again; at the table they hardly do, as
    what is hidden is imagined anew each time.
    """
    assault = kind.judging(picture, weights)
    guns = picture.rules.supporters_of[picture.side]
    known = picture.chart.attacks_known(kind.judging, weights) if recalling else {}
    plans = []
    for target in targets(assault):
        situation: Hashable = assault.situation(target) if recalling else target
        if situation not in known:
            known[situation] = best_from_contact(assault, target, guns)
        plans.append(known[situation])
    return sorted((p for p in plans if p is not None), key=lambda p: (-p.gain, p.target))


WIN = {"ground": 40.0, "bleed": 0.01, "thrown_back": 0.0, "each": 0.01}
"""Factors for who wants one hex and asks for no price."""


def attacks_on(rules: Inferno, state: State, side: int, target: int) -> list[tuple[Attack, float]]:
    """Attacks from contact on one hex, and how likely each is to win it by steady's reckoning: for the hex alone, as
    steady would make it, and with all who can."""
    plain = usual(rules)[side]
    win = msgspec.structs.replace(plain, **{key: getattr(plain, key) * factor for key, factor in WIN.items()})
    picture = Picture(chart(rules), state.copy(), side)
    found: dict[Attack, float] = {}
    for weights in (win, plain):
        assault = Campaign.judging(picture, weights)
        plan = best_from_contact(assault, target, rules.supporters_of[side]) if target in targets(assault) else None
        if plan is not None:
            found.setdefault(as_action(rules, plan), plan.outlook.win)
    units = first_attackers(rules, state, target, attackers_on(rules, state, target)) if found else []
    if units:
        near = rules.in_range(target, [state.at[unit] for unit in units])
        able = [gun for gun in rules.supporters_of[side] if gun not in units]
        guns = [gun for gun in able if why_no_fire(rules, state, gun, near, True) is None]
        found.setdefault(Attack(rules.hex_id(target), rules.unit_ids(sorted(units)), rules.unit_ids(sorted(guns))), 0.0)
    return [(action, chance) for action, chance in found.items() if is_legal(rules, state, action)]


def next_attack(
    picture: Picture,
    weights: Weights,
    is_allowed: Callable[[Action], bool],
    kind: type[Campaign] = Campaign,
    recalling: bool = False,
) -> Answer:
    """The most promising attack that is allowed and promises enough; else the end of the phase."""
    for plan in attacks_in(picture, weights, kind, recalling):
        if plan.gain < weights.least_gain:
            break
        action = as_action(picture.rules, plan)
        if is_allowed(action):
            return Answer(action, why_attack(picture, plan))
    return Answer(End(), Reason("no_attack"))


def as_action(rules: Inferno, plan: Plan) -> Attack:
    """An attack as it is declared."""
    units, guns = rules.unit_ids(sorted(plan.units)), rules.unit_ids(sorted(plan.guns))
    return Attack(rules.hex_id(plan.target), units, guns)


def why_attack(picture: Picture, plan: Plan) -> Reason:
    """The odds, what it hopes to win, and what it expects to lose."""
    look = plan.outlook
    prize = picture.chart.worth(plan.target) if picture.is_prize(plan.target) else 0
    data: dict[str, Any] = {
        "hex": picture.rules.hex_id(plan.target),
        "odds": picture.rules.tables.column_name(plan.column),
        "win": round(100 * look.win),
        "vp": prize,
        "own": round(look.attack_loss, 1),
        "enemy": round(look.defence_loss, 1),
    }
    return Reason("attack", data)


def small(rules: Inferno, state: State, side: int, weights: Weights | None = None) -> Answer:
    """Any decision other than the two big ones. The state comes back as it was."""
    picture = Picture(chart(rules), state, side)
    kind = state.frames[-1].name
    mine = picture.timely(weights or usual(rules)[side])
    return (SMALL.get(kind) or picture.terms.small[kind])(picture, mine)


def decide(
    rules: Inferno,
    state: State,
    side: int,
    rng: Random,
    weights: Weights | None = None,
    campaign: type[Campaign] = Campaign,
) -> Action:
    """One action for the decision on top of an imagined state. Steady leaves nothing to the generator.

    A Movement Phase is planned anew for every move: whoever plays one out takes the moves from `movement`.
    """
    kind = state.frames[-1].name
    if kind == "movement":
        for answer in movement(rules, state, side, weights, campaign):
            if is_legal(rules, state, answer.action):
                return answer.action
        return End()
    if kind == "combat":
        picture = prepare(rules, state.copy(), side)
        mine = weights or usual(rules)[side]
        return next_attack(picture, mine, lambda action: is_legal(rules, state, action), campaign, True).action
    return small(rules, state, side, weights).action
