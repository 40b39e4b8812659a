"""The small decisions that both games have: the defender in a combat, losses, retreats, advances, what comes in."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fronte.ai.inferno.steady.charges import charges
from fronte.ai.inferno.steady.ground import PARTS, Picture
from fronte.ai.inferno.steady.posts import Posts
from fronte.ai.inferno.steady.terms import Small
from fronte.ai.inferno.steady.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Action
from fronte.games.inferno.combat import defence_strength, terrain_choices, unit_av
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.procedure import Support, Terrain, Withhold, totals
from fronte.games.inferno.results import Advance, Losses, may_advance, why_not_advance
from fronte.games.inferno.retreats import Course, GoOn, Retreat, has_room, retreat_ways
from fronte.games.inferno.stacking import Eliminate

FULL_FIRE = 9
"""9.4.1.b: more artillery value than this adds nothing."""
MOST_SUPPORT = 2
"""Guns that answer one attack; the others wait for the next."""
COMPANY = 0.5
"""What falling back upon friends is worth, if there is room with them; without room it costs more."""
NO_ROOM = 3.0
PRICE = 0.5
"""9.4.1.d: what a point on the loss roll costs."""


def legal(picture: Picture) -> list[Action]:
    """The legal answers to the decision that is owed; not all of them where they are beyond counting."""
    frame = picture.state.frames[-1]
    return picture.rules.choices[frame.name].listed(picture.rules, picture.state, frame)


# In a combat, the defender


def withhold(picture: Picture, weights: Weights) -> Answer:
    """7.4: keep the highest total defence."""
    rules, state = picture.rules, picture.state

    def lost(action: Action) -> int:
        assert isinstance(action, Withhold)
        return sum(defence_strength(rules, state, rules.number[name], 0) for name in action.units)

    return Answer(min(legal(picture), key=lost), Reason("withhold", _where(picture), secret=True))


def _where(picture: Picture) -> dict[str, str]:
    """The hex that is fought for."""
    battle = picture.state.battle
    assert battle is not None
    return {"hex": picture.rules.hex_id(battle.target)}


def support(picture: Picture, weights: Weights) -> Answer:
    """12.3.b: the fewest guns that raise the attacker's losses most; the best first, as long as each adds something."""
    rules, state = picture.rules, picture.state
    battle, frame = state.battle, state.frames[-1]
    assert battle is not None
    guns: list[int] = rules.choices["support"].guns(rules, state, frame)  # type: ignore[attr-defined]
    tables = rules.tables
    most = MOST_SUPPORT if rules.fires_once or not weights.reckons else len(guns)
    av = totals(rules, state, battle).defence_av if battle.defenders else 0
    chosen: list[int] = []
    for gun in sorted(guns, key=lambda g: (-unit_av(rules, state, g), g)):
        more = av + unit_av(rules, state, gun)
        if len(chosen) < most and tables.av_drm(more) > tables.av_drm(av) and av < FULL_FIRE:
            chosen.append(gun)
            av = more
    data = _where(picture) | {"guns": len(chosen)}
    return Answer(Support(rules.unit_ids(chosen)), Reason("fire" if chosen else "silent", data, secret=not chosen))


def terrain(picture: Picture, weights: Weights) -> Answer:
    """7.8.b: whichever gives the attacker the lower column, then the more artillery value to the defence."""
    rules, state, battle = picture.rules, picture.state, picture.state.battle
    assert battle is not None

    def use(choice: str) -> tuple[int, int, int]:
        found = totals(rules, state, msgspec.structs.replace(battle, terrain=choice))
        return found.column, -found.defence_av, found.attack

    best = min(terrain_choices(rules, battle.target, battle.origins), key=use)
    return Answer(Terrain(best), Reason("terrain", _where(picture) | {"use": best}))


# In a combat, either side


def losses(picture: Picture, weights: Weights) -> Answer:
    """9.4.2: lose no unit if that can be, then no step, then spare the units with the best attack."""
    rules, state = picture.rules, picture.state
    fatal = {rules.ids[unit]: endurance(rules, state, unit) for unit in state.frames[-1].args[0]}

    def cost(action: Action) -> tuple[float, int]:
        assert isinstance(action, Losses)
        total = 0.0
        for name, hits in action.hits:
            unit = rules.number[name]
            face = rules.face(state, unit)
            if hits >= fatal[name]:
                total += 6 + face.attack
            elif state.ce[unit] + hits > 2:
                total += 3 + 0.3 * face.attack
            total += 0.1 * hits * (state.ce[unit] + hits)
        return total, len(action.hits)

    best = min(legal(picture), key=cost)
    assert isinstance(best, Losses)
    dead = sum(1 for name, hits in best.hits if hits >= fatal[name])
    return Answer(best, Reason("losses", {"dead": dead, "hits": sum(hits for _, hits in best.hits)}))


def retreat(picture: Picture, weights: Weights) -> Answer:
    """9.2.2: end on the best post of all ways on offer; withheld units of an attacking hex stay."""
    rules, state = picture.rules, picture.state
    posts = Posts(picture, weights)
    units, hexes, _, been = state.frames[-1].args
    in_order = retreat_ways(rules, state, state.at[units[0]], picture.side, Course(hexes, been), units).prices

    def value(action: Action) -> tuple[float, int]:
        assert isinstance(action, Retreat)
        path = tuple(rules.grid_index[name] for name in action.path)
        end = path[-1]
        total = posts.ground[end] - PRICE * in_order.get(path, rules.failed_penalty)
        if not has_room(rules, state, end, picture.side, units):
            total -= NO_ROOM
        if state.stacks[end]:
            total += COMPANY
        if posts.keeps:
            total += posts.keeping(end, state.stacks[end], units)
        return total, -len(action.join)

    best = max(legal(picture), key=value)
    assert isinstance(best, Retreat)
    end = rules.grid_index[best.path[-1]]
    friends = bool(state.occ[picture.side] >> end & 1)
    return Answer(best, Reason("fall_back", {"hex": best.path[-1], "friends": friends}))


def go_on(picture: Picture, weights: Weights) -> Answer:
    """9.2.2: as few as possible go on, to the best post with room for them."""
    rules, state = picture.rules, picture.state
    posts = Posts(picture, weights)
    units, been, _ = state.frames[-1].args
    in_order = retreat_ways(rules, state, state.at[units[0]], picture.side, Course(1, (), been)).prices

    def value(action: Action) -> float:
        assert isinstance(action, GoOn)
        to = rules.grid_index[action.to]
        total = posts.ground[to] - len(action.units) - PRICE * in_order.get((to,), rules.failed_penalty)
        return total if has_room(rules, state, to, picture.side, rules.known(action.units)) else total - NO_ROOM

    best = max(legal(picture), key=value)
    assert isinstance(best, GoOn)
    return Answer(best, Reason("go_on", {"hex": best.to}))


def overstack(picture: Picture, weights: Weights) -> Answer:
    """5.2: lose as little strength as possible."""
    rules, state = picture.rules, picture.state

    def strength(action: Action) -> int:
        assert isinstance(action, Eliminate)
        numbers = [rules.number[name] for name in action.units]
        return sum(rules.face(state, u).attack + rules.face(state, u).defence - state.ce[u] for u in numbers)

    data = {"hex": rules.hex_id(state.frames[-1].args[0])}
    return Answer(min(legal(picture), key=strength), Reason("overstack", data))


def advance(picture: Picture, weights: Weights) -> Answer:
    """9.3: those advance for whom the hex that was won is a better post than the one they hold."""
    rules, state, battle = picture.rules, picture.state, picture.state.battle
    assert battle is not None
    posts = Posts(picture, weights)
    kept = charges(picture, posts) if weights.charge else {}
    able = may_advance(rules, state, battle)
    here = {unit: state.at[unit] for unit in able}

    def go(together: int) -> tuple[float, list[int]]:
        """Who advances, the first so many whether it pays for each of them or not, and what it is worth."""
        chosen: list[int] = []
        total = 0.0
        for unit in sorted(able, key=lambda u: (state.ce[u], -rules.faces[u][-1].attack, u)):
            if why_not_advance(rules, state, [*chosen, unit], battle.target) is not None:
                continue
            posts.lift(unit)
            gain = posts.value(unit, battle.target) - posts.value(unit, here[unit]) - posts.hold(here[unit])
            if not state.zocs[picture.side] >> here[unit] & 1:
                gain -= weights.charge * kept.get(here[unit], 0.0)
            goes = gain > 0 or len(chosen) < together
            posts.put(unit, battle.target if goes else here[unit])
            if goes:
                chosen.append(unit)
                total += gain
        for unit in chosen:
            posts.lift(unit)
            posts.put(unit, here[unit])
        return total, chosen

    most = len(able) if posts.keeps and picture.is_prize(battle.target) else 0
    chosen = max((go(together) for together in range(most + 1)), key=lambda found: found[0])[1]
    action = Advance(rules.unit_ids([unit for unit in able if unit in chosen]))
    prize = picture.chart.worth(battle.target) if picture.is_prize(battle.target) else 0
    return Answer(action, Reason("advance" if chosen else "stand_fast", _where(picture) | {"vp": prize}))


# What comes in


def wanted(picture: Picture, h: int) -> float:
    """How much a new unit is wanted around a hex: enemies pressing on objectives that are not far."""
    total = 0.0
    for goal, felt in picture.chart.felt.items():
        ours = picture.ours >> goal & 1
        weight = picture.pressure[goal] * 0.05 + 0.2 if ours else 1.0
        total += weight * picture.chart.worth(goal) * felt[h] / PARTS
    return total


SMALL: Mapping[str, Small] = {
    "withhold": withhold,
    "support": support,
    "terrain": terrain,
    "losses": losses,
    "retreat": retreat,
    "goon": go_on,
    "overstack": overstack,
    "advance": advance,
}
