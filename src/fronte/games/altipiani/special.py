"""Chapter 12, special rules: fortresses, the first turn with its barrage and frozen units; and 6.4, mountain zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.games.altipiani.state import AltipianiState
from fronte.games.inferno import fortresses
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.combat import is_flanked
from fronte.games.inferno.counters import AH
from fronte.games.inferno.ground import Edge
from fronte.games.inferno.movement import why_not_enter, why_not_there

if TYPE_CHECKING:
    from fronte.games.altipiani.game import Altipiani


def why_no_step(rules: Altipiani, state: AltipianiState, unit: int, a: int, edge: Edge) -> Refusal | None:
    """4.1.a, 6.4, 12.4.c: enemy combat units, an enemy that looks down on both hexes, and units that may not move."""
    if rules.beyond >> edge.to & 1:
        return why_not_there(rules, edge.to)
    side = rules.side[unit]
    if state.turn in rules.frozen_turns and is_frozen(rules, state, unit):
        return Refusal("12.4.c", "frozen", {"unit": rules.ids[unit], "turn": state.turn})
    if state.occ[1 - side] >> edge.to & 1:
        refusal = why_not_enter(rules, state, unit, edge.to)
        if refusal is not None:
            return refusal
    if rules.board.overlooks[1 - side][a][edge.to] & state.zocs[1 - side]:
        if not _has_company(rules, state, unit, a) and not _has_company(rules, state, unit, edge.to):
            return Refusal("6.4", "overlooked", {"from": rules.hex_id(a), "to": rules.hex_id(edge.to)})
    return None


def _has_company(rules: Altipiani, state: AltipianiState, unit: int, h: int) -> bool:
    """6.4: does another friend stand in this hex?"""
    side = rules.side[unit]
    return any(other != unit and rules.side[other] == side for other in state.stacks[h])


def flanked(rules: Altipiani, state: AltipianiState, battle: Battle) -> bool:
    """7.9, 12.2.c, 12.4.b: never beside a fortress; on the first turn under the barrage always; else by position.

    Fortresses exert no zone (12.2.b), so those that attack do not surround anybody.
    """
    if fortresses.protects(rules, battle.defenders):
        return False
    if under_barrage(rules, state, battle):
        return True
    side = rules.side[battle.attackers[0]]
    pairs = zip(battle.attackers, battle.origins, strict=True)
    return is_flanked(rules, state, side, battle.target, [origin for unit, origin in pairs if rules.zoccer[unit]])


def under_barrage(rules: Altipiani, state: AltipianiState, battle: Battle) -> bool:
    """12.4.b: on the first turn, does Austro-Hungarian artillery support this attack? A fortress is none."""
    if state.turn not in rules.barrage_turns or rules.side[battle.attackers[0]] != AH:
        return False
    return any(rules.gun[gun] for gun in battle.guns)


def is_frozen(rules: Altipiani, state: AltipianiState, unit: int) -> bool:
    """12.4.c: is this one of the units that stay where they are on the first turns, and has it not been attacked?"""
    return state.turn in rules.frozen_turns and rules.counters[unit].frozen and not state.roused >> unit & 1


def why_frozen(rules: Altipiani, state: AltipianiState, unit: int) -> Refusal | None:
    """12.2.d, 12.4.c: fortresses never move; a unit that is frozen on the first turns may only recover."""
    if rules.immobile[unit]:
        return Refusal("12.2.d", "fortress", {"unit": rules.ids[unit]})
    if is_frozen(rules, state, unit) and not state.ce[unit]:
        return Refusal("12.4.c", "frozen", {"unit": rules.ids[unit], "turn": state.turn})
    return None
