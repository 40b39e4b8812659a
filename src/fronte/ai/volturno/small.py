"""All but the plan of an activation: which formation, where to withdraw or retreat, and whatever else is asked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from fronte.ai.reasons import Answer, Reason
from fronte.ai.volturno.act import Activation
from fronte.ai.volturno.attack import fight, judge, worth_of
from fronte.ai.volturno.chart import Picture
from fronte.ai.volturno.posts import FRONT, Post, best_facing, facing_score
from fronte.ai.volturno.react import break_off, react
from fronte.ai.volturno.weights import Weights
from fronte.engine.decision import Action
from fronte.games.volturno import assault, charge, charging, cohesion, formations, movement, retreats, scenarios
from fronte.games.volturno.acting import Done, Move
from fronte.games.volturno.counters import COMPASS, FORMATIONS, GARIBALDINI, RESERVE
from fronte.games.volturno.movement import CHARGE
from fronte.games.volturno.reaction_zones import in_enemy_zone
from fronte.games.volturno.sequence import must_withdraw
from fronte.games.volturno.withdrawals import Withdraw, places
from fronte.hexes import trace

MOST = 64
"""So many legal answers are looked at."""
MARCH = 40
"""Who is more hexes than this from his commander does not look for him."""
CLOSE, NEAR, DISTANT = 2, 5, 9
"""How near the enemy is to troops that should act soon."""


def legal(picture: Picture) -> list[Action]:
    """What may be answered."""
    frame = picture.state.frames[-1]
    choice = picture.rules.choices[frame.name]
    return list(islice(choice.legal(picture.rules, picture.state, frame), MOST))


# Set-up


def set_up(picture: Picture, weights: Weights) -> Answer:
    """16.1.4: as it was; what was placed by hand before stays."""
    rules, state = picture.rules, picture.state
    if not scenarios.waiting(rules, state, picture.side):
        return Answer(scenarios.Ready(), Reason("ready"))
    if scenarios.why_no_default(rules, state, picture.side) is None:
        return Answer(scenarios.Historical(), Reason("set_up"))
    return Answer(legal(picture)[0], Reason("set_up"))


# Activation


def urgency(picture: Picture, weights: Weights, formation: int) -> float:
    """How much is to be done for a formation now."""
    rules, state = picture.rules, picture.state
    found = 0.0
    for unit in rules.members[formation]:
        h = state.at[unit]
        if h < 0 or state.ooc >> unit & 1:
            continue
        near, strong = picture.nearest_foe(h), rules.counters[unit].strength
        if in_enemy_zone(rules, state, picture.side, h):
            found += weights.contact * strong
        elif near <= CLOSE:
            found += weights.close * strong
        elif near <= NEAR:
            found += strong
        elif near <= DISTANT:
            found += weights.distant * strong
        elif picture.goal(formation) >= 0:
            found += weights.march * strong
    return found


def activate(picture: Picture, weights: Weights) -> Answer:
    """6.1: the formation with most to do, weighed by the chance that it obeys."""
    rules, state = picture.rules, picture.state
    best, most = -1, 0.0
    for formation in formations.able(rules, state, picture.side):
        needed = rules.counters[rules.leader_of[formation]].command - formations.drm(rules, state, formation)
        chance = max(0, min(5, needed)) / 6
        worth = urgency(picture, weights, formation) * (weights.unruly + chance)
        if picture.side == GARIBALDINI:
            worth += 0.05  # 15.7: as long as one of theirs waits, the Neapolitans need not fear for their phase
        if worth > most:
            best, most = formation, worth
    if best < 0:
        return Answer(formations.Pass(), Reason("pass"))
    name = FORMATIONS[best]
    near = min(picture.nearest_foe(state.at[u]) for u in rules.members[best] if state.at[u] >= 0)
    return Answer(formations.Attempt(name), Reason("attempt" if near <= NEAR else "attempt_march", {"formation": name}))


# Withdrawals, retreats, commanders


def _best_hex(picture: Picture, weights: Weights, unit: int, hexes: list[int]) -> int:
    at_post = Post(picture, weights, unit, movement.is_column(picture.state, unit))
    return max(hexes, key=lambda h: (at_post(h), -h))


def withdrawals(picture: Picture, weights: Weights) -> Answer:
    """8.7: the first that must, to the best hex."""
    rules, state = picture.rules, picture.state
    frame = state.frames[-1]
    unit, visited = (must_withdraw(rules, state, picture.side)[0], ()) if frame.name != "withdrawal" else frame.args
    return withdrawal_of(picture, weights, unit, visited)


def withdrawal_of(picture: Picture, weights: Weights, unit: int, visited: tuple[int, ...]) -> Answer:
    """8.7: where a unit goes back to."""
    rules, state = picture.rules, picture.state
    hexes = places(rules, state, unit, visited)
    name = rules.ids[unit]
    if not hexes:
        return Answer(Withdraw(name), Reason("no_way_back", {"hex": rules.grid.ids[state.at[unit]]}))
    to = rules.grid.ids[_best_hex(picture, weights, unit, hexes)]
    return Answer(Withdraw(name, to), Reason("withdraw", {"hex": to}))


def retreat(picture: Picture, weights: Weights) -> Answer:
    """11.3: of equally good hexes the best post."""
    rules = picture.rules
    unit = picture.state.frames[-1].args[0]
    answers = {rules.grid.index[action.to]: action for action in legal(picture) if hasattr(action, "to")}
    if not answers:
        return anything(picture, weights)
    best = _best_hex(picture, weights, unit, list(answers))
    return Answer(answers[best], Reason("fall_back", {"hex": rules.grid.ids[best]}))


def displaced(picture: Picture, weights: Weights) -> Answer:
    """2.2.p4: a commander flees to where the enemy is felt least."""
    rules = picture.rules
    answers = {rules.grid.index[action.to]: action for action in legal(picture) if hasattr(action, "to")}
    if not answers:
        return anything(picture, weights)
    best = min(answers, key=lambda h: (picture.danger[h], h))
    return Answer(answers[best], Reason("flee", {"hex": rules.grid.ids[best]}))


# How units stand after a combat, and who counts in it


def dress(picture: Picture, weights: Weights) -> Answer:
    """11.3.5, 11.2.p11: a unit looks at the enemy, and leaves column if he is near."""
    rules, state = picture.rules, picture.state
    unit = state.frames[-1].args[0]
    here = state.at[unit]
    best, score = best_facing(picture, here), facing_score(picture, here)
    turned = best >= 0 and score[best] > score[state.facing[unit]] + 1e-9
    found = [action for action in legal(picture) if isinstance(action, retreats.Dress)]
    wanted = COMPASS[best] if turned else ""
    answers = [action for action in found if action.facing == wanted] or found[:1]
    in_line = [action for action in answers if action.into == "line"]
    chosen = in_line[0] if in_line and picture.nearest_foe(here) <= FRONT else answers[0]
    key = "turn" if chosen.facing else "form_line" if chosen.into else "stays"
    return Answer(chosen, Reason(key, {"hex": rules.grid.ids[here]}))


def oppose(picture: Picture, weights: Weights) -> Answer:
    """11.2.p1: of equally strong units the steadiest counts."""
    rules, state = picture.rules, picture.state
    found = [action for action in legal(picture) if isinstance(action, assault.Oppose)]
    best = max(found, key=lambda action: cohesion.current(rules, state, rules.number[action.unit]))
    return Answer(best, Reason("oppose", {"hex": rules.grid.ids[state.frames[-1].args[1]]}))


def follow(picture: Picture, weights: Weights) -> Answer:
    """11.3.4: a commander goes with the strongest."""
    rules = picture.rules
    found = [action for action in legal(picture) if isinstance(action, retreats.Follow)]
    best = max(found, key=lambda action: rules.counters[rules.number[action.unit]].strength)
    return Answer(best, Reason("follow"))


def accompany(picture: Picture, weights: Weights) -> Answer:
    """2.2.p3: a commander goes with an advance only where he would be left alone."""
    rules, state = picture.rules, picture.state
    leader, there = state.frames[-1].args
    if state.occ[picture.side] >> state.at[leader] & 1:
        return Answer(retreats.Remain(), Reason("remain", {"hex": rules.grid.ids[state.at[leader]]}))
    return Answer(retreats.Accompany(), Reason("accompany", {"hex": rules.grid.ids[there]}))


def chiefs(picture: Picture, weights: Weights) -> Answer:
    """gap.leader-move: by option the commander in chief rides before all else."""
    plan = Activation(Picture(picture.chart, picture.state.copy(), picture.side, weights), weights)
    plan.ride(picture.rules.chief[picture.side])
    return plan.answers[0] if plan.answers else Answer(Done(), Reason("done"))


# Markers


def redirect(picture: Picture, weights: Weights) -> Answer:
    """7.1.5: a marker whose target is gone points at the enemy against whom somebody near it promises most."""
    rules, state = picture.rules, picture.state
    number: int = state.frames[-1].args[0]
    kind, here = state.markers[number][:2]
    near = [
        u
        for u in rules.members[state.formation]
        if state.at[u] >= 0
        and (u == state.mover or not state.acted >> u & 1)
        and not state.ooc >> u & 1
        and assault.can_assault(rules, u)
        and (kind != CHARGE or rules.counters[u].is_cavalry)
    ]
    found = legal(picture)
    best, most = Answer(found[0], Reason("leave_marker", {"hex": rules.grid.ids[here]})), weights.least_gain
    for action in found[1:]:
        aim, to = str(getattr(action, "target", "")), str(getattr(action, "to", ""))
        target, at = rules.grid.index.get(aim, -1), rules.grid.index.get(to, here)
        if target < 0 or not state.occ[1 - picture.side] >> target & 1:
            continue
        for unit in near:
            if rules.grid.distance(state.at[unit], at) > rules.counters[unit].ma:
                continue
            one = judge(picture, weights, unit, at, target, kind)
            if one.gain > most:
                best, most = Answer(action, Reason("redirect", {"hex": rules.grid.ids[target]})), one.gain
    return best


# Charges


def call_off(picture: Picture, weights: Weights) -> Answer:
    """10.2.2: a charge goes on, unless it has become a bad one."""
    rules, state = picture.rules, picture.state
    unit, target, _ = state.frames[-1].args
    told = {"hex": rules.grid.ids[target]}
    gain = worth_of(picture, weights, unit, target, fight(picture, unit, target, "charge"))
    if gain < -weights.least_gain:
        return Answer(charging.CallOff(), Reason("call_off", told))
    return Answer(charging.RideOn(), Reason("ride_on", told))


def onward(picture: Picture, weights: Weights) -> Answer:
    """10.2: the next charge, if one promises enough."""
    rules, state = picture.rules, picture.state
    unit = state.frames[-1].args[0]
    best, most = None, weights.least_gain
    for action in legal(picture):
        if isinstance(action, charge.Charge):
            at = rules.grid.index[action.path[-1]] if action.path else state.at[unit]
            one = judge(picture, weights, unit, at, rules.grid.index[action.target], CHARGE)
            if one.gain > most:
                best, most = (
                    Answer(action, Reason("charge", {"hex": action.target, "win": round(100 * one.win)})),
                    one.gain,
                )
    return best or Answer(charging.Halt(), Reason("halt", {"hex": rules.grid.ids[state.at[unit]]}))


def ride_off(picture: Picture, weights: Weights) -> Answer:
    """10.3: exhausted cavalry goes to the best hex in reach."""
    rules, state = picture.rules, picture.state
    frame = state.frames[-1]
    unit = frame.args[0]
    choice: Any = rules.choices[frame.name]
    ways = choice.ways(rules, state, unit)
    here = state.at[unit]
    done = choice.why_not(rules, state, frame, Done()) is None
    at_post = Post(picture, weights, unit, False)
    best = max(ways, key=lambda h: (at_post(h), -h), default=here)
    if best != here and not (done and at_post(best) < at_post(here)):
        facing = best_facing(picture, best)
        word = COMPASS[facing] if facing >= 0 else ""
        action = Move(rules.ids[unit], rules.hex_ids(ways[best][1]), word)
        if choice.why_not(rules, state, frame, action) is None:
            return Answer(action, Reason("ride_off", {"hex": rules.grid.ids[best]}))
    return Answer(Done(), Reason("stays", {"hex": rules.grid.ids[here]})) if done else anything(picture, weights)


# Those out of command


def stragglers(picture: Picture, weights: Weights) -> Answer:
    """4.D: who must withdraws; the others go to their commander, if there is a way and no post to hold."""
    rules, state = picture.rules, picture.state
    frame = state.frames[-1]
    bound = must_withdraw(rules, state, picture.side)
    if bound:
        return withdrawal_of(picture, weights, bound[0], ())
    choice: Any = rules.choices[frame.name]
    for unit in choice.able(rules, state, frame):
        found = _rejoin(picture, choice, unit)
        if found is not None:
            return found
    return Answer(Done(), Reason("stay_put"))


def _rejoin(picture: Picture, choice: Any, unit: int) -> Answer | None:
    rules, state = picture.rules, picture.state
    here = state.at[unit]
    leader = state.at[rules.leader_of[rules.counters[unit].formation]]
    if leader < 0 or here in picture.chart.values or here in picture.chart.walls or state.mover == unit:
        return None
    if rules.counters[unit].formation == RESERVE and picture.nearest_foe(here) <= NEAR:
        return None  # 15.5: other commanders have brought it there
    banks = rules.ground.bank[here], rules.ground.bank[leader]
    if all(banks) and banks[0] != banks[1]:
        return None  # the way round by the bridge leads away from him at first, and 5.1.1 forbids that
    far = rules.grid.distance
    if far(here, leader) > MARCH:
        return None
    cost, before = movement.spread(rules, state, unit)
    nearer = [h for h in cost if far(h, leader) < far(here, leader)]
    for h in sorted(nearer, key=lambda h: (far(h, leader) + 0.25 * picture.danger[h], h))[:6]:
        action = Move(rules.ids[unit], rules.hex_ids(trace(before, h)))
        if choice.why_not(rules, state, state.frames[-1], action) is None:
            return Answer(action, Reason("rejoin", {"hex": rules.grid.ids[h]}))
    return None


# Whatever else may be asked


def anything(picture: Picture, weights: Weights) -> Answer:
    """The first legal answer: rules list first what changes least."""
    return Answer(legal(picture)[0], Reason("other"))


def _break_off(picture: Picture, weights: Weights) -> Answer:
    return break_off(picture, weights, legal(picture))


SMALL: dict[str, Callable[[Picture, Weights], Answer]] = {
    "set_up": set_up,
    "activate": activate,
    "react": react,
    "break_off": _break_off,
    "withdrawals": withdrawals,
    "withdrawal": withdrawals,
    "retreat": retreat,
    "displaced": displaced,
    "stragglers": stragglers,
    "dress": dress,
    "oppose": oppose,
    "follow": follow,
    "accompany": accompany,
    "redirect": redirect,
    "chiefs": chiefs,
    "call_off": call_off,
    "onward": onward,
    "ride_off": ride_off,
}
