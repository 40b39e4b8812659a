"""The small decisions that only Isonzo has: refusals, bridges and pontoons, reserves, set-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fronte.ai.inferno.steady.ground import FADE, PARTS, Picture
from fronte.ai.inferno.steady.small import legal, wanted
from fronte.ai.inferno.steady.terms import Small
from fronte.ai.inferno.steady.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Action
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.ground import ISONZO
from fronte.games.inferno.movement import End
from fronte.games.inferno.reinforcements import Enter
from fronte.games.isonzo.battleground import Blow, Hold
from fronte.games.isonzo.game import Isonzo
from fronte.games.isonzo.reinforcements import Place, Release, Return
from fronte.games.isonzo.special import Accept, Build, Exchange, Land, Refuse, Repair, stand_strength
from fronte.games.isonzo.standing import outlives_exchange
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits

SPARE_POINTS = 1
"""Ris/Rimp points kept for recovery beyond the trenches."""
STAND = 3
"""12.5.1: the strength with which a retreat is refused; one less for an objective."""
WITHIN_A_MOVE = PARTS * FADE**6
"""How strongly an objective is felt that a unit with six movement points comes to."""
REPAIR = 50.0
IDLE = 0.5
"""12.2.b: what an engineer's work must be worth."""


def _of(picture: Picture) -> tuple[Isonzo, IsonzoState]:
    return cast(Isonzo, picture.rules), cast(IsonzoState, picture.state)


def refusal(picture: Picture, weights: Weights) -> Answer:
    """12.5.1.a: a retreat of one hex is refused if that will probably succeed and somebody will be left."""
    rules, state = _of(picture)
    battle = state.battle
    assert battle is not None
    data: dict[str, object] = {"hex": rules.hex_id(battle.target)}
    if battle.defence_retreat != 1:
        return Answer(Accept(), Reason("give_way", data))
    lost = rules.tables.reductions(battle.steps, battle.lrt_die + battle.defence_drm)
    life = sum(endurance(rules, state, u) for u in battle.defenders if state.at[u] == battle.target)
    strength = stand_strength(rules, state)
    left = strength - (lost + 1) // max(1, len(battle.defenders))
    held = picture.chart.worth(battle.target)
    if lost + 1 < life and left >= (STAND - 1 if held else STAND):
        return Answer(Refuse(), Reason("stand", data))
    return Answer(Accept(), Reason("give_way", data))


def exchange(picture: Picture, weights: Weights) -> Answer:
    """12.5.1.a: the hex is given for a reduction as long as somebody is left to hold it."""
    rules, state = _of(picture)
    assert state.battle is not None
    data: dict[str, object] = {"hex": rules.hex_id(state.battle.target)}
    if outlives_exchange(rules, state):
        return Answer(Exchange(), Reason("hold_on", data))
    return Answer(Accept(), Reason("give_way", data))


# Bridges


def demolition(picture: Picture, weights: Weights) -> Answer:
    """14.4.b: the Austro-Hungarian blows what leads to him; the Italian needs his bridges."""
    data = {"hex": picture.rules.hex_id(picture.state.frames[-1].args[0])}
    if picture.side == AH:
        return Answer(Blow(), Reason("blow", data))
    return Answer(Hold(), Reason("spare", data))


def landing(picture: Picture, weights: Weights) -> Answer:
    """12.2.c: the bank with most friends."""
    rules, state = _of(picture)

    def friends(action: Action) -> int:
        assert isinstance(action, Land)
        return len(state.stacks[rules.grid_index[action.hex]])

    best = max(legal(picture), key=friends)
    assert isinstance(best, Land)
    return Answer(best, Reason("land", {"hex": best.hex}))


def works(picture: Picture, weights: Weights) -> Answer:
    """12.2.b: repair bridges of roads first, then build where the far bank leads to most."""
    rules, state = _of(picture)
    side = picture.side

    def value(action: Action) -> float:
        if isinstance(action, End):
            return IDLE
        assert isinstance(action, (Build, Repair))
        hexside = rules.board.sides[rules.board.hexside(action.bridge)]
        if isinstance(action, Repair):
            return REPAIR
        if hexside.water != ISONZO or side != ITALIAN:
            return 0.0
        far = hexside.a if rules.board.east >> hexside.a & 1 else hexside.b
        open_bank = picture.distance[far] <= 1 and not state.zocs[side] >> far & 1
        return picture.pull[far] - (5.0 if open_bank else 0.0)

    best = max(legal(picture), key=value)
    if isinstance(best, (Build, Repair)):
        key = "repair" if isinstance(best, Repair) else "build"
        return Answer(best, Reason(key, {"bridge": best.bridge}))
    return Answer(best, Reason("no_works", secret=True))


def pontoons(picture: Picture, weights: Weights) -> Answer:
    """12.2.d: pontoons stay."""
    return Answer(End(), Reason("keep_pontoons"))


def demolish(picture: Picture, weights: Weights) -> Answer:
    """14.4.c: bridges stand."""
    return Answer(End(), Reason("keep_bridges"))


# What comes in


def reinforcement(picture: Picture, weights: Weights) -> Answer:
    """13: due units come in where they are wanted; reserves and emergency units while they earn what they cost."""
    rules, state = _of(picture)
    near: dict[str, float] = {"": 0.0}
    left = sum(1 for u in rules.of_side[AH] if rules.zoccer[u] and state.at[u] >= 0)

    def value(action: Action) -> tuple[float, float]:
        if isinstance(action, End):
            return 0.0, 0.0
        assert isinstance(action, (Enter, Release, Return))
        unit = rules.number[action.unit]
        if action.hex not in near:
            near[action.hex] = wanted(picture, rules.grid_index[action.hex])
        if isinstance(action, Enter):
            return 3.0, near[action.hex]
        if isinstance(action, Release):
            return (_release_value(picture, weights, unit, bool(action.hex)), near[action.hex])
        return (_return_value(picture, weights, unit, left, action.hex), near[action.hex])

    best = max(legal(picture), key=value)
    if isinstance(best, Enter):
        return Answer(best, Reason("enter", {"hex": best.hex}))
    if isinstance(best, Release):
        return Answer(best, Reason("release"))
    if isinstance(best, Return):
        return Answer(best, Reason("return", {"hex": best.hex}))
    return Answer(best, Reason("no_more", secret=True))


def _release_value(picture: Picture, weights: Weights, unit: int, from_box: bool) -> float:
    """13.1.d: a fresh brigade for a point and a victory point."""
    rules, state = _of(picture)
    if state.turn > weights.last_release - (2 if from_box else 0) or state.released >= weights.reserves:
        return -1.0
    if state.points <= SPARE_POINTS:
        return -1.0
    strength = rules.faces[unit][-1].attack
    front = 0.0 if from_box else max(0.0, 6.0 - picture.distance[state.at[unit]])
    return 0.5 + 0.1 * strength + 0.1 * front


def _return_value(picture: Picture, weights: Weights, unit: int, left: int, into: str) -> float:
    """13.2: an emergency unit when the line has grown thin, with so many units left, or for what it walks back."""
    rules = picture.rules
    if not rules.zoccer[unit]:
        return -1.0
    strength = 0.1 * rules.faces[unit][0].defence
    if weights.recall and picture.terms.may_end(picture.state):
        regained = _walked_back(picture, rules.grid_index[into])
        if regained >= weights.recall:
            return strength + 0.1 * regained
    return strength if left < weights.thin_line else -1.0


def _walked_back(picture: Picture, h: int) -> int:
    """15: victory points in objectives that nobody stands in, within a move from here."""
    chart, state = picture.chart, picture.state
    open_goals = bits(picture.terms.wanted(picture) & ~state.zocs[picture.foe])
    return sum(chart.worth(goal) for goal in open_goals if chart.felt[goal][h] >= WITHIN_A_MOVE)


def setup(picture: Picture, weights: Weights) -> Answer:
    """1.1: into the hex of its area that feels most danger, or leads to most."""
    rules = picture.rules

    def value(action: Action) -> float:
        assert isinstance(action, Place)
        return wanted(picture, rules.grid_index[action.hex])

    return Answer(max(legal(picture), key=value), Reason("setup", secret=True))


ISONZO_SMALL: Mapping[str, Small] = {
    "refusal": refusal,
    "exchange": exchange,
    "demolition": demolition,
    "landing": landing,
    "works": works,
    "pontoons": pontoons,
    "demolish": demolish,
    "reinforcement": reinforcement,
    "setup": setup,
}
