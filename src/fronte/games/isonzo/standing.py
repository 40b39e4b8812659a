"""Standing orders: named policies that answer small decisions for an absent player (the decisions D1 to D11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import Action, Frame
from fronte.games.inferno.combat import defence_strength, terrain_choices, unit_av
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.movement import End
from fronte.games.inferno.procedure import Support, Terrain, Withhold, totals
from fronte.games.inferno.results import Losses
from fronte.games.inferno.retreats import GoOn, Retreat
from fronte.games.inferno.stacking import Eliminate
from fronte.games.isonzo.battleground import Blow, Hold
from fronte.games.isonzo.special import Accept, Land, Refuse, stand_strength
from fronte.games.isonzo.state import IsonzoState

if TYPE_CHECKING:
    from fronte.games.isonzo.game import Isonzo

Policy = Callable[[Any, Any, Frame], Action]

STRONG = 4
"""D7: the strength from which a refusal is tried."""


def blow(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D2: blow every bridge that may be blown."""
    return Blow()


def hold(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D2: leave bridges standing."""
    return Hold()


def end(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D1, D10: keep pontoons where they are; demolish nothing."""
    return End()


def every_gun(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D5: all artillery in range that has any value."""
    guns = rules.choices["support"].guns(rules, state, frame)  # type: ignore[attr-defined]
    return Support(rules.unit_ids([gun for gun in guns if unit_av(rules, state, gun)]))


def no_gun(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D5: hold fire."""
    return Support()


def if_strong(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D7: refuse a retreat of one hex when somebody strong is there."""
    assert state.battle is not None
    one = state.battle.defence_retreat == 1
    return Refuse() if one and stand_strength(rules, state) >= STRONG else Accept()


def always_refuse(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D7: always try."""
    return Refuse()


def never_refuse(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D7: never try."""
    return Accept()


def strongest_defence(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D4: keep the highest total defence."""

    def lost(action: Action) -> int:
        assert isinstance(action, Withhold)
        return sum(defence_strength(rules, state, rules.number[name], 0) for name in action.units)

    return min(rules.choices["withhold"].legal(rules, state, frame), key=lost)


def weaker_attack(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D6: whichever leaves the attacker weaker; the hex when equal."""
    battle = state.battle
    assert battle is not None
    choices = terrain_choices(rules, battle.target, battle.origins)

    def attack(use: str) -> int:
        return totals(rules, state, msgspec.structs.replace(battle, terrain=use)).attack

    return Terrain(min(choices, key=attack))


def first_way(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D8: the first path of the best class; those withheld in an attacking hex stay."""
    for action in rules.choices["retreat"].legal(rules, state, frame):
        assert isinstance(action, Retreat)
        return action
    raise AssertionError("a retreat is asked only if there is a way")


def first_on(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D8: the first units that may go on, the first hex."""
    for action in rules.choices["goon"].legal(rules, state, frame):
        assert isinstance(action, GoOn)
        return action
    raise AssertionError("going on is asked only if there is a way")


def own_bank(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D3: the bank with most units of one's own, else the one that was one's own side's at the start."""
    home = rules.board.control[frame.seat]

    def merit(action: Action) -> tuple[int, int]:
        assert isinstance(action, Land)
        h = rules.grid_index[action.hex]
        return len(state.stacks[h]), home >> h & 1

    return max(rules.choices["landing"].legal(rules, state, frame), key=merit)


def strongest_first(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D9: spread losses so that as few units as possible die and the strongest bear most."""
    units = frame.args[0]

    def cost(action: Action) -> tuple[int, int]:
        assert isinstance(action, Losses)
        hits = dict(action.hits)
        twin = state.copy()
        dead = 0
        for unit in units:
            if hits.get(rules.ids[unit], 0) >= endurance(rules, twin, unit):
                dead += 1
        borne = sum(n * rules.face(state, rules.number[name]).defence for name, n in action.hits)
        return dead, -borne

    return min(rules.choices["losses"].legal(rules, state, frame), key=cost)


def fewest_steps(rules: Isonzo, state: IsonzoState, frame: Frame) -> Action:
    """D11: lose as few steps as possible."""

    def steps(action: Action) -> int:
        assert isinstance(action, Eliminate)
        return sum(state.steps[rules.number[name]] for name in action.units)

    return min(rules.choices["overstack"].legal(rules, state, frame), key=steps)


POLICIES: Mapping[str, Mapping[str, Policy]] = {
    "pontoons": {"keep": end},
    "demolition": {"blow": blow, "hold": hold},
    "landing": {"own_bank": own_bank},
    "withhold": {"strongest": strongest_defence},
    "support": {"all": every_gun, "none": no_gun},
    "terrain": {"weaker_attack": weaker_attack},
    "refusal": {"if_strong": if_strong, "always": always_refuse, "never": never_refuse},
    "retreat": {"first": first_way},
    "goon": {"first": first_on},
    "losses": {"strongest_first": strongest_first},
    "demolish": {"none": end},
    "overstack": {"fewest_steps": fewest_steps},
}
