"""Command: what is planned, who acts, where headquarters are, who and what acts along; reactions."""

from __future__ import annotations

from fronte.ai.caporetto.act import Action
from fronte.ai.caporetto.chart import TURN
from fronte.ai.caporetto.fights import legal
from fronte.ai.caporetto.fires import FREE_GUNS
from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Frame
from fronte.games.caporetto import actions, artillery, command, headquarters, losses, planning, reactions, rommel
from fronte.games.caporetto.terrain import AHG
from fronte.hexes import bits, mask_of

REACH = TURN
"""Who can be beside an enemy within so many quarters of a point has something to do."""
KEPT = 2
"""6.1: logistic points that are kept for counter-assaults and reactions, as long as turns are to come."""
LEAST = 0.5
"""What a formation must have to do to be worth a point."""
PRESSED, DEAR = 6.0, 0.8
"""How much a formation must have to do, and what it must promise, to be worth points for a reaction."""
BEFORE_ALL = 8.0
"""How much more is to be done by who is within reach of what cuts the enemy off, for each point of it: he goes for it
before the enemy has reacted to others."""
LOOKED = 6
"""So many formations are looked at closely before one is activated."""
TRIED = 14
"""So many hexes are looked at for a headquarters."""


# How much there is to do


def urgency(picture: Picture, formation: int) -> float:
    """How much a formation could do now: its strength that is, or can come, next to enemies."""
    rules, state = picture.rules, picture.state
    found, arrival = 0.0, picture.arrival
    for unit in command.members(rules, state, formation):
        if (state.ooc | state.activated) >> unit & 1:
            continue
        h, strong = state.at[unit], losses.strength(rules, state, unit)
        if picture.near_foes >> h & 1:
            found += strong * (1.0 if rules.assaulting >> unit & 1 else 0.4)
        elif arrival[h] <= REACH:
            found += 0.7 * strong
        elif picture.side == AHG and picture.nearest(h) <= REACH and picture.way_of(unit)[h] <= REACH:
            found += 0.5 * strong  # there may be something to take with nobody in it
    return found


def within_reach(picture: Picture, formation: int) -> float:
    """The most that is within a march of a formation of what cuts the enemy off."""
    rules, state = picture.rules, picture.state
    units = [one for one in command.members(rules, state, formation) if not (state.ooc | state.activated) >> one & 1]
    ways_to = picture.chart.ways_to
    near = [worth for h, worth in picture.cuts.items() if any(ways_to(h)[state.at[one]] <= REACH for one in units)]
    return max(near, default=0.0)


def guns_of(picture: Picture, formation: int) -> int:
    """18.8: how many guns could bombard for a formation: in place and with an enemy in range."""
    rules, state = picture.rules, picture.state
    foes = picture.foes
    return sum(
        bool(rules.grid.within(state.at[gun], rules.range[gun]) & foes)
        for gun in bits(artillery.serving(rules, state, formation))
    )


# 7.2 to 7.4: the plan


def plan(picture: Picture, weights: Weights) -> Answer:
    """7.2: the AHG plans all; Italians those before the enemy, with guns where they have any."""
    rules, state = picture.rules, picture.state
    able = planning.plannable(rules, state, picture.force)
    if picture.side == AHG:
        units = next(rommel.detachments(rules, state, picture.force), ())
        names = tuple([rules.formations[one].id for one in able])
        return Answer(planning.Plan(names, rules.unit_ids(units)), Reason("plan_all", secret=True))
    points = state.points[picture.force]
    turns = rules.scene.last_turn - state.turn
    budget = points - (KEPT if turns else 0)
    if turns:
        income = rules.scene.logistics[picture.force].income
        budget = min(budget, max(2, points // (turns + 1) + income + 2))
    ranked = sorted((-urgency(picture, one), one) for one in able)
    chosen: list[tuple[int, int]] = []
    for less, formation in ranked:
        if -less < LEAST:
            break
        guns = min(guns_of(picture, formation) - FREE_GUNS, 10)
        box = max((size for size in planning.boxes(rules, formation) if size < guns + 5 and size <= 10), default=0)
        for size in sorted({box, 0}, reverse=True):
            price = command.plan_price(rules, size)
            if price <= budget:
                chosen.append((formation, size))
                budget -= price
                break
    boxes = tuple([(rules.formations[formation].id, guns) for formation, guns in sorted(chosen)])
    return Answer(planning.Prepare(boxes), Reason("plan_some", {"formations": len(boxes)}, secret=True))


# 4.0-7: who acts


def activate(picture: Picture, weights: Weights) -> Answer:
    """4.0-7, 7.9: who has the best assaults, so that others find the way open; of a division that has begun all before
    another begins. Nobody is activated only to march: he does so in phase 10, perhaps farther, and the enemy has no
    reaction to it; and who defends and has acted neither moves later nor counter-assaults."""
    rules, state = picture.rules, picture.state
    begun = state.division[picture.force]
    ranked = []
    for formation in actions.open_formations(rules, state, picture.force):
        worth = urgency(picture, formation)
        if worth > LEAST:
            worth += BEFORE_ALL * within_reach(picture, formation)
            ranked.append((command.order_name(rules, formation) not in begun, -worth, formation))
    ranked.sort()
    best, most, looked, enough = -1, 0.0, 0, LOOKED
    inside = bool(ranked) and not ranked[0][0]
    for other, less, formation in ranked:
        if other and inside:  # what has begun is finished first; who goes elsewhere ends it (7.9)
            if best >= 0:
                break
            inside, looked, enough = False, 0, 1 if picture.short else LOOKED
        if best >= 0 and looked >= enough:
            break  # but nobody passes before he has looked at all
        if not command.can_act(rules, state, formation):
            continue
        looked += 1
        promise = prospect(picture, weights, formation)
        if promise <= weights.least:
            continue
        worth = promise + 0.01 * -less
        if worth > most:
            best, most = formation, worth
    if best < 0:
        return Answer(actions.Pass(), Reason("pass"))
    name = rules.formations[best].id
    return Answer(actions.Activate(name), Reason("activate", {"formation": name}))


def prospect(picture: Picture, weights: Weights, formation: int) -> float:
    """What the assaults of a formation promise that would act now, and its guns."""
    rules, state = picture.rules, picture.state.copy()
    state.kind, state.formations, state.active = headquarters.ACTION, (formation,), picture.force
    units = mask_of(command.members(rules, state, formation))
    state.commanded = units & ~(state.ooc | state.activated)
    guns = artillery.serving(rules, state, formation) if command.most_guns(rules, state, formation) else 0
    state.pool = ((formation, guns),) if guns else ()
    state.assaults = state.supports = ()
    state.frames.append(Frame("act", picture.rules.scene.seat_of[picture.force]))
    plan = Action(picture.twin(state), weights)
    found = plan.promise() + plan.spoils()
    if picture.side == AHG and not found and not any(picture.near_foes >> state.at[unit] & 1 for unit in bits(units)):
        return 0.0  # for its guns alone nobody gives up his march
    return found + 0.05 * min(guns_of(picture, formation), guns.bit_count())


def react(picture: Picture, weights: Weights) -> Answer:
    """14: who has most to do, if it costs nothing; for points only who is pressed hard."""
    rules, state = picture.rules, picture.state
    last = picture.left == 1  # what is left of the points then is lost
    force, points = picture.force, max(0, state.points[picture.force] - (0 if last else KEPT))
    ranked = []
    for formation in rules.formations_of_force[force]:
        price = command.reaction_price(rules, state, formation, 0)
        if price > points or reactions.why_never(rules, state, force, formation) is not None:
            continue
        worth = urgency(picture, formation)
        if worth > (PRESSED if price and not last else LEAST):
            ranked.append((bool(price), -worth, formation))
    best: tuple[float, int, int] | None = None
    for paid, less, formation in sorted(ranked)[:LOOKED]:
        if not command.can_act(rules, state, formation):
            continue
        worth = -less
        if picture.side != AHG:
            worth = prospect(picture, weights, formation)
            if worth <= (DEAR if paid and not last else weights.least):
                continue
        shares = reactions.shares(rules, state, formation)
        able = [n for n in shares if command.reaction_price(rules, state, formation, n) <= points]
        if able and (best is None or worth > best[0]):
            best = worth, formation, max(able) if paid and guns_of(picture, formation) else 0
    if best is None:
        return Answer(reactions.Decline(), Reason("decline", secret=True))
    name = rules.formations[best[1]].id
    return Answer(reactions.React(name, best[2]), Reason("react", {"formation": name}))


# 7.5 to 7.7


def place_hq(picture: Picture, weights: Weights) -> Answer:
    """7.6: where most are in command, and of such hexes the one nearest to them."""
    rules, state = picture.rules, picture.state
    (formation,) = state.frames[-1].args
    units = [unit for unit in command.members(rules, state, formation) if not state.ooc >> unit & 1]
    hexes = list(bits(command.hq_hexes(rules, state, formation)))
    far = {h: sum(rules.grid.distance(h, state.at[unit]) for unit in units) for h in hexes}
    best, most = hexes[0], (-1.0, 0)
    for h in sorted(hexes, key=lambda h: (far[h], h))[:TRIED]:
        reached = command.in_command(rules, state, formation, h)
        strong = sum(losses.strength(rules, state, unit) + 0.5 for unit in bits(reached & ~state.ooc))
        if (strong, -far[h]) > most:
            best, most = h, (strong, -far[h])
    name = rules.grid.ids[best]
    return Answer(headquarters.Hq(name), Reason("place_hq", {"hex": name}))


def attach(picture: Picture, weights: Weights) -> Answer:
    """7.5: all who can come along and have no work in hand, the strongest first."""
    rules, state = picture.rules, picture.state
    formation, passed = state.frames[-1].args
    open_hexes = 0
    for h in passed:
        open_hexes |= 1 << h
    here = state.at[rules.formations[formation].hq]
    reached = command.reach(rules, state, formation, here, open_hexes)
    able = [u for u in headquarters.independents(rules, state, formation, reached) if not state.working >> u & 1]
    able = [u for u in able if not rules.engineers >> u & 1 or rules.assaulting >> u & 1]
    chosen: list[int] = []
    for unit in sorted(able, key=lambda unit: (-losses.strength(rules, state, unit), unit)):
        if picture.arrival[state.at[unit]] > 2 * TURN:
            continue
        if command.why_not_attached(rules, state, formation, [*chosen, unit], reached) is None:
            chosen.append(unit)
    name = rules.formations[formation].id
    key = "attach" if chosen else "no_attach"
    return Answer(headquarters.Attach(rules.unit_ids(sorted(chosen))), Reason(key, {"formation": name}))


def assign_guns(picture: Picture, weights: Weights) -> Answer:
    """7.3, 7.4: the heaviest that have an enemy in range of those who act."""
    rules, state = picture.rules, picture.state
    (formation,) = state.frames[-1].args
    most = command.most_guns(rules, state, formation)
    units = command.members(rules, state, formation)
    near = 0
    for unit in units:
        near |= rules.grid.within(state.at[unit], 4)
    foes = picture.foes

    def rank(gun: int) -> tuple[int, int, int]:
        within = rules.grid.within(state.at[gun], rules.range[gun]) & foes
        return -bool(within & near), -bool(within) * rules.factor[gun], gun

    able = sorted(bits(headquarters.serving(rules, state, formation)), key=rank)
    chosen = sorted([gun for gun in able[:most] if rank(gun)[1]])
    data = {"formation": rules.formations[formation].id, "guns": len(chosen)}
    return Answer(headquarters.Assign(rules.unit_ids(chosen)), Reason("assign_guns", data))


def first(picture: Picture, weights: Weights) -> Answer:
    """The first legal answer: rules list first what changes least."""
    return Answer(legal(picture, 1)[0], Reason("other"))
