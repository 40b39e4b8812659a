"""Standing orders that both games share: policies that answer the small decisions of combat for an absent player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from fronte.engine.decision import Action, Frame
from fronte.engine.standing import ONE_HEX, Policies, Policy, Value
from fronte.games.inferno.combat import defence_strength, terrain_choices, unit_av
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.procedure import Support, Terrain, Withhold, totals
from fronte.games.inferno.results import Losses
from fronte.games.inferno.retreats import GoOn, Retreat
from fronte.games.inferno.stacking import Eliminate
from fronte.games.inferno.state import State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def is_meant(rules: Inferno, h: int, given: Mapping[str, Value]) -> bool:
    """Is an order for this hex, or for any?"""
    return given["at"] in ("", rules.hex_id(h))


def every_gun(rules: Inferno, state: State, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """12.3.b: all artillery in range that has any value, whatever is attacked or for one hex."""
    assert state.battle is not None
    if not is_meant(rules, state.battle.target, given):
        return None
    guns = rules.choices["support"].guns(rules, state, frame)  # type: ignore[attr-defined]
    return Support(rules.unit_ids([gun for gun in guns if unit_av(rules, state, gun)]))


def no_gun(rules: Inferno, state: State, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """12.3.b: hold fire, whatever is attacked or for one hex."""
    assert state.battle is not None
    return Support() if is_meant(rules, state.battle.target, given) else None


def strongest_defence(rules: Inferno, state: State, frame: Frame) -> Action:
    """7.4: keep the highest total defence."""

    def lost(action: Action) -> int:
        assert isinstance(action, Withhold)
        return sum(defence_strength(rules, state, rules.number[name], 0) for name in action.units)

    return min(rules.choices["withhold"].listed(rules, state, frame), key=lost)


def weaker_attack(rules: Inferno, state: State, frame: Frame) -> Action:
    """Isonzo 7.8.b: whichever leaves the attacker weaker; the hex when equal."""
    battle = state.battle
    assert battle is not None
    choices = terrain_choices(rules, battle.target, battle.origins)

    def attack(use: str) -> int:
        return totals(rules, state, msgspec.structs.replace(battle, terrain=use)).attack

    return Terrain(min(choices, key=attack))


def first_way(rules: Inferno, state: State, frame: Frame) -> Action:
    """9.2.2/9.2.1: the first path of the best class; those withheld in an attacking hex stay."""
    for action in rules.choices["retreat"].legal(rules, state, frame):
        assert isinstance(action, Retreat)
        return action
    raise AssertionError("a retreat is asked only if there is a way")


def first_on(rules: Inferno, state: State, frame: Frame) -> Action:
    """9.2.2/9.2.1: the first units that may go on, the first hex."""
    for action in rules.choices["goon"].legal(rules, state, frame):
        assert isinstance(action, GoOn)
        return action
    raise AssertionError("going on is asked only if there is a way")


def strongest_first(rules: Inferno, state: State, frame: Frame) -> Action:
    """9.4.2: spread losses so that as few units as possible die and the strongest bear most."""
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

    return min(rules.choices["losses"].listed(rules, state, frame), key=cost)


def fewest_steps(rules: Inferno, state: State, frame: Frame) -> Action:
    """5.2: lose as few steps as possible."""

    def steps(action: Action) -> int:
        assert isinstance(action, Eliminate)
        return sum(state.steps[rules.number[name]] for name in action.units)

    return min(rules.choices["overstack"].listed(rules, state, frame), key=steps)


SHARED: Mapping[str, Policies] = {
    "withhold": {"strongest": strongest_defence},
    "support": {"all": Policy(every_gun, ONE_HEX), "none": Policy(no_gun, ONE_HEX)},
    "terrain": {"weaker_attack": weaker_attack},
    "retreat": {"first": first_way},
    "goon": {"first": first_on},
    "losses": {"strongest_first": strongest_first},
    "overstack": {"fewest_steps": fewest_steps},
}
