"""Standing orders: named policies that answer small decisions for an absent player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fronte.engine.decision import Action, Frame
from fronte.engine.standing import NUMBER, ONE_HEX, Parameter, Policies, Policy, Value
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.movement import End
from fronte.games.inferno.standing import SHARED, is_meant
from fronte.games.isonzo.battleground import Blow, Hold, demolishable
from fronte.games.isonzo.special import Accept, Exchange, Land, Refuse, stand_strength
from fronte.games.isonzo.state import IsonzoState

if TYPE_CHECKING:
    from fronte.games.isonzo.game import Isonzo

NEAR = 2
"""14.4.c: an enemy so many hexes from an end of a bridge may come over it in his next turn."""
STRONG = 4
"""12.5.1.a: the strength from which a refusal is tried, where the order does not say."""


def blow(rules: Isonzo, state: IsonzoState, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """14.4.b: blow every bridge that may be blown, or those of one hex."""
    return Blow() if is_meant(rules, frame.args[0], given) else None


def hold(rules: Isonzo, state: IsonzoState, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """14.4.b: leave bridges standing, or those of one hex."""
    return Hold() if is_meant(rules, frame.args[0], given) else None


def end(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """12.2.d, 14.4.c: keep pontoons where they are; demolish nothing."""
    return End()


def end_in_rear(rules: Isonzo, state: IsonzoState, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """14.4.c: demolish nothing while no enemy is near any bridge that could be."""
    enemies = state.occ[1 - frame.seat]
    for number in demolishable(rules, state, frame.seat):
        side = rules.board.sides[number]
        if (rules.grid.within(side.a, NEAR) | rules.grid.within(side.b, NEAR)) & enemies:
            return None
    return End()


def if_strong(rules: Isonzo, state: IsonzoState, frame: Frame, given: Mapping[str, Value]) -> Action:
    """12.5.1.a: refuse a retreat that is not too long when somebody strong is there."""
    assert state.battle is not None
    short = state.battle.defence_retreat <= int(given["hexes"])
    return Refuse() if short and stand_strength(rules, state) >= int(given["strength"]) else Accept()


def always_refuse(rules: Isonzo, state: IsonzoState, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """12.5.1.a: always try, or in one hex."""
    assert state.battle is not None
    return Refuse() if is_meant(rules, state.battle.target, given) else None


def go_back(rules: Isonzo, state: IsonzoState, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """12.5.1.a: never try, or not in one hex."""
    assert state.battle is not None
    return Accept() if is_meant(rules, state.battle.target, given) else None


def never_refuse(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """12.5.1.a: never try; rather the whole retreat than one more reduction."""
    return Accept()


def exchange(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """12.5.1.a: the hex is worth the reduction."""
    return Exchange()


def if_it_lives(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """12.5.1.a: the hex is worth the reduction, unless that kills the last defender."""
    return Exchange() if outlives_exchange(rules, state) else Accept()


def outlives_exchange(rules: Isonzo, state: IsonzoState) -> bool:
    """12.5.1.a: would a defender be left after one more reduction?"""
    battle = state.battle
    assert battle is not None
    left = [unit for unit in battle.defenders if state.at[unit] == battle.target]
    return sum(endurance(rules, state, unit) for unit in left) > 1


def own_bank(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """12.2.c: the bank with most friendly units, else the one that was friendly at the start."""
    home = rules.board.control[frame.seat]

    def merit(action: Action) -> tuple[int, int]:
        assert isinstance(action, Land)
        h = rules.grid_index[action.hex]
        return len(state.stacks[h]), home >> h & 1

    return max(rules.choices["landing"].legal(rules, state, frame), key=merit)


IF_STRONG = (Parameter("strength", NUMBER, 1, 20, default=STRONG), Parameter("hexes", NUMBER, 1, 6, default=1))
"""12.5.1.a: how strong somebody must be, and how long the retreat may be for it to be tried."""
POLICIES: Mapping[str, Policies] = {
    **SHARED,
    "pontoons": {"keep": end},
    "demolition": {"blow": Policy(blow, ONE_HEX), "hold": Policy(hold, ONE_HEX)},
    "landing": {"own_bank": own_bank},
    "refusal": {
        "if_strong": Policy(if_strong, IF_STRONG),
        "always": Policy(always_refuse, ONE_HEX),
        "never": Policy(go_back, ONE_HEX),
    },
    "exchange": {"if_it_lives": if_it_lives, "always": exchange, "never": never_refuse},
    "demolish": {"none": end, "in_rear": Policy(end_in_rear)},
}
ROUTINE: Mapping[str, str] = {
    "withhold": "strongest",
    "terrain": "weaker_attack",
    "landing": "own_bank",
    "demolish": "in_rear",
}
"""What one hardly answers otherwise: 7.4, 7.8.b, 12.2.c; bridges far behind the front, 14.4.c."""
