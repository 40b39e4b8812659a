"""The small decisions: the defender in a combat, retreats, losses, bridges, and what comes in from the rear."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from fronte.ai.seat import Seat
from fronte.ai.steady.ground import PARTS, Picture, worth
from fronte.ai.steady.posts import Posts
from fronte.ai.steady.weights import Weights
from fronte.engine.decision import Action
from fronte.games.inferno.combat import defence_strength, terrain_choices, unit_av
from fronte.games.inferno.counters import AH, ITALIAN, SIDES
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.ground import ISONZO
from fronte.games.inferno.movement import End
from fronte.games.inferno.procedure import Support, Terrain, Withhold, totals
from fronte.games.inferno.reinforcements import Enter
from fronte.games.inferno.results import Advance, Losses
from fronte.games.inferno.retreats import GoOn, Retreat
from fronte.games.inferno.stacking import Eliminate, is_legal_stack
from fronte.games.isonzo.battleground import Blow, Hold
from fronte.games.isonzo.game import Isonzo
from fronte.games.isonzo.reinforcements import Release, Return
from fronte.games.isonzo.special import Accept, Build, Land, Refuse, Repair, stand_strength
from fronte.games.isonzo.state import IsonzoState

Small = Callable[[Isonzo, IsonzoState, Seat, Weights], Action]

FULL_FIRE = 9
"""9.4.1.b: more artillery value than this adds nothing."""
MOST_SUPPORT = 2
"""Guns that answer one attack; the others wait for the next."""
SPARE_POINTS = 1
"""Ris/Rimp points kept for recovery beyond the trenches."""


def side_of(rules: Isonzo, seat: Seat) -> int:
    """The side that a seat plays."""
    return rules.seat_index(seat.name)


# In a combat, the defender


def withhold(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """D4: keep the highest total defence."""

    def lost(action: Action) -> int:
        assert isinstance(action, Withhold)
        return sum(defence_strength(rules, state, rules.number[name], 0) for name in action.units)

    return min(seat.legal(), key=lost)


def support(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """D5: the fewest guns that raise the attacker's losses most; the best first, as long as each adds something."""
    battle = state.battle
    assert battle is not None
    guns = [rules.number[name] for name in seat.offer["guns"]]
    tables = rules.tables
    av = totals(rules, state, battle).defence_av if battle.defenders else 0
    chosen: list[int] = []
    for gun in sorted(guns, key=lambda g: (-unit_av(rules, state, g), g)):
        more = av + unit_av(rules, state, gun)
        if len(chosen) < MOST_SUPPORT and tables.av_drm(more) > tables.av_drm(av) and av < FULL_FIRE:
            chosen.append(gun)
            av = more
    return Support(rules.unit_ids(chosen))


def terrain(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """D6: whichever gives the attacker the lower column, then the more artillery value to the defence."""
    battle = state.battle
    assert battle is not None

    def use(choice: str) -> tuple[int, int, int]:
        found = totals(rules, state, msgspec.structs.replace(battle, terrain=choice))
        return found.column, -found.defence_av, found.attack

    return Terrain(min(terrain_choices(rules, battle.target, battle.origins), key=use))


def refusal(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """D7: a retreat of one hex is refused if that will probably succeed and somebody will be left."""
    battle = state.battle
    assert battle is not None
    if battle.defence_retreat != 1:
        return Accept()
    lost = rules.tables.reductions(battle.steps, battle.lrt_die + battle.defence_drm)
    life = sum(endurance(rules, state, u) for u in battle.defenders if state.at[u] == battle.target)
    strength = stand_strength(rules, state) - (lost + 1) // max(1, len(battle.defenders))
    held = worth(rules, battle.target)
    return Refuse() if lost + 1 < life and strength >= (2 if held else 3) else Accept()


# In a combat, either side


def losses(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """D9: lose no unit if that can be, then no step, then spare the units with the best attack."""

    def cost(action: Action) -> tuple[float, int]:
        assert isinstance(action, Losses)
        total = 0.0
        for name, hits in action.hits:
            unit = rules.number[name]
            face = rules.face(state, unit)
            if hits >= endurance(rules, state, unit):
                total += 6 + face.attack
            elif state.ce[unit] + hits > 2:
                total += 3 + 0.3 * face.attack
            total += 0.1 * hits * (state.ce[unit] + hits)
        return total, len(action.hits)

    return min(seat.legal(), key=cost)


def retreat(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """D8: end on the best post of all ways on offer; withheld units of an attacking hex stay."""
    side = side_of(rules, seat)
    posts = Posts(Picture(rules, state, side), weights)
    units = state.frames[-1].args[0]

    def value(action: Action) -> tuple[float, int]:
        assert isinstance(action, Retreat)
        end = rules.grid_index[action.path[-1]]
        total = posts.of_ground(end)
        if not is_legal_stack(rules, state, end, (*state.stacks[end], *units)):
            total -= 3.0
        if state.stacks[end]:
            total += 0.5
        return total, -len(action.join)

    return max(seat.legal(), key=value)


def go_on(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """D8: as few as possible go on, to the best post."""
    side = side_of(rules, seat)
    posts = Posts(Picture(rules, state, side), weights)

    def value(action: Action) -> float:
        assert isinstance(action, GoOn)
        return posts.of_ground(rules.grid_index[action.to]) - len(action.units)

    return max(seat.legal(), key=value)


def overstack(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """D11: lose as little strength as possible."""

    def strength(action: Action) -> int:
        assert isinstance(action, Eliminate)
        numbers = [rules.number[name] for name in action.units]
        return sum(rules.face(state, u).attack + rules.face(state, u).defence - state.ce[u] for u in numbers)

    return min(seat.legal(), key=strength)


def advance(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """9.3: those advance for whom the hex that was won is a better post than the one they hold."""
    battle = state.battle
    assert battle is not None
    side = side_of(rules, seat)
    posts = Posts(Picture(rules, state, side), weights)
    ways: list[Advance] = [action for action in seat.legal() if isinstance(action, Advance)]
    allowed = {action.units for action in ways}
    able = sorted({name for action in ways for name in action.units})
    fresh_first = sorted(able, key=lambda n: (state.ce[rules.number[n]], -rules.faces[rules.number[n]][-1].attack, n))
    chosen: tuple[str, ...] = ()
    for name in fresh_first:
        unit = rules.number[name]
        more = _in_order((*chosen, name), ways)
        if more not in allowed:
            continue
        here = state.at[unit]
        posts.lift(unit)
        gain = posts.value(unit, battle.target) - posts.value(unit, here) - posts.hold(here)
        posts.put(unit, battle.target if gain > 0 else here)
        if gain > 0:
            chosen = more
    return Advance(chosen)


def _in_order(names: Iterable[str], ways: list[Advance]) -> tuple[str, ...]:
    """The same units in the order in which the offer names them."""
    wanted = set(names)
    return next((action.units for action in ways if set(action.units) == wanted), ())


# Bridges


def demolition(seat: Seat) -> Action:
    """D2: the Austro-Hungarian blows what leads to him; the Italian needs his bridges."""
    return Blow() if seat.name == SIDES[AH] else Hold()


def landing(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """D3: the bank with most friends."""

    def friends(action: Action) -> int:
        assert isinstance(action, Land)
        return len(state.stacks[rules.grid_index[action.hex]])

    return max(seat.legal(), key=friends)


def works(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """12.2.b: repair bridges of roads first, then build where the far bank leads to most."""
    side = side_of(rules, seat)
    picture = Picture(rules, state, side)

    def value(action: Action) -> float:
        if isinstance(action, End):
            return 0.5
        assert isinstance(action, Build | Repair)
        hexside = rules.board.sides[rules.board.hexside(action.bridge)]
        if isinstance(action, Repair):
            return 50.0
        if hexside.water != ISONZO or side != ITALIAN:
            return 0.0
        far = hexside.a if rules.board.east >> hexside.a & 1 else hexside.b
        return picture.pull[far] - (5.0 if picture.distance[far] <= 1 and not state.zocs[side] >> far & 1 else 0.0)

    return max(seat.legal(), key=value)


def keep(seat: Seat) -> Action:
    """D1, D10: pontoons stay, bridges stand."""
    return End()


# What comes in


def reinforcement(rules: Isonzo, state: IsonzoState, seat: Seat, weights: Weights) -> Action:
    """13: due units come in where they are wanted; reserves and emergency units while they earn what they cost."""
    side = side_of(rules, seat)
    picture = Picture(rules, state, side)

    def value(action: Action) -> tuple[float, float]:
        if isinstance(action, End):
            return 0.0, 0.0
        assert isinstance(action, Enter | Release | Return)
        unit = rules.number[action.unit]
        near = _wanted(picture, rules.grid_index[action.hex]) if action.hex else 0.0
        if isinstance(action, Enter):
            return 3.0, near
        if isinstance(action, Release):
            return (_release_value(picture, weights, unit, bool(action.hex)), near)
        return (_return_value(picture, weights, unit), near)

    return max(seat.legal(), key=value)


def _wanted(picture: Picture, h: int) -> float:
    """How much a new unit is wanted around a flag hex: enemies pressing on objectives that are not far."""
    total = 0.0
    for goal, felt in picture.chart.felt.items():
        ours = picture.ours >> goal & 1
        weight = picture.pressure[goal] * 0.05 + 0.2 if ours else 1.0
        total += weight * picture.chart.value(goal) * felt[h] / PARTS
    return total


def _release_value(picture: Picture, weights: Weights, unit: int, from_box: bool) -> float:
    """13.1.d: a fresh brigade for a point and a victory point."""
    state = picture.state
    if state.turn > weights.last_release - (2 if from_box else 0) or state.released >= weights.reserves:
        return -1.0
    if state.points <= SPARE_POINTS:
        return -1.0
    strength = picture.rules.faces[unit][-1].attack
    front = 0.0 if from_box else max(0.0, 6.0 - picture.distance[state.at[unit]])
    return 0.5 + 0.1 * strength + 0.1 * front


def _return_value(picture: Picture, weights: Weights, unit: int) -> float:
    """13.2: an emergency unit when the line has grown thin."""
    rules, state = picture.rules, picture.state
    left = sum(1 for u in rules.of_side[AH] if rules.zoccer[u] and state.at[u] >= 0)
    if left >= weights.thin_line or not rules.zoccer[unit]:
        return -1.0
    return 0.1 * rules.faces[unit][0].defence


SMALL: dict[str, Small] = {
    "withhold": withhold,
    "support": support,
    "terrain": terrain,
    "refusal": refusal,
    "losses": losses,
    "retreat": retreat,
    "goon": go_on,
    "overstack": overstack,
    "advance": advance,
    "landing": landing,
    "works": works,
    "reinforcement": reinforcement,
}

BLIND: dict[str, Callable[[Seat], Action]] = {"demolition": demolition, "pontoons": keep, "demolish": keep}
"""Decisions that are answered without a look at the map."""
