"""The arithmetic of a combat as facts: what each unit is worth, and why it is not what stands on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fronte.engine.sheet import Fact
from fronte.games.inferno import cites
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.combat import attack_strength, defence_strength, is_higher, mountain_bonus
from fronte.games.inferno.ground import DRY, ISONZO
from fronte.games.inferno.state import State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

EACH = ("attack_of", "defence_of")
"""The keys of these facts."""


def each(rules: Inferno, state: State, battle: Battle) -> list[Fact]:
    """8.1.b/8.1: the strength of every unit in a combat, from its face to what counts."""
    found = []
    for unit, origin in zip(battle.attackers, battle.origins, strict=True):
        bonus = mountain_bonus(rules, battle.target, unit, battle.defenders)
        data = _data(rules, state, unit, rules.face(state, unit).attack, bonus)
        data["by"] = hindrance(rules, origin, battle.target, battle.terrain)
        data["n"] = attack_strength(rules, state, unit, origin, battle.target, battle.terrain, bonus)
        found.append(Fact("attack_of", data, "", rules.cite(cites.RATIO)))
    for unit in battle.defenders:
        bonus = mountain_bonus(rules, battle.target, unit, battle.attackers)
        data = _data(rules, state, unit, rules.face(state, unit).defence, bonus)
        data["more"] = rules.more_defence(state, unit)
        data["n"] = defence_strength(rules, state, unit, bonus)
        found.append(Fact("defence_of", data, "", rules.cite(cites.RATIO)))
    return found


def _data(rules: Inferno, state: State, unit: int, printed: int, bonus: int) -> dict[str, Any]:
    return {
        "unit": rules.ids[unit],
        "printed": printed,
        "ce": -state.ce[unit],
        "supply": -state.supply[unit],
        "mountain": bonus,
    }


def hindrance(rules: Inferno, origin: int, target: int, terrain: str) -> str:
    """7.8: what of the terrain weakens an attack from this hex, as `attack_strength` has it: a key of `[hindrance]`."""
    if terrain != "hexside" and rules.board.terrain[target] == "swamp":
        return "swamp"
    if terrain != "hexside" and is_higher(rules, target, origin):
        return "uphill"
    water = rules.board.edge_to[origin][target].water
    if terrain == "hex" or water == DRY:
        return ""
    return "great_river" if water == ISONZO else "water"
