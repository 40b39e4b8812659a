"""Chapter 5.4, what a side may suspect: what can lie hidden in the other's stacks, by what is seen of them.

A decision that is asked only where something hidden is so would tell the other side of it by being asked. So it is
asked wherever the other side must reckon with it, and what is hidden decides only how it can be answered.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from fronte.games.inferno.combat import defence_command, why_no_fire
from fronte.games.inferno.fog import seen_units
from fronte.games.inferno.stacking import top_unit
from fronte.games.inferno.state import AS_BRIDGE, ELIMINATED, WAITING, State
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def unseen(rules: Inferno, state: State, side: int, seen: Collection[int]) -> list[int]:
    """5.4, 13: the units of a side that the other does not see, and of which it cannot know that they are elsewhere.

    Those that begin on the map and yet wait beside it have no part in the match at all, as in a position of few units.
    """
    away = (ELIMINATED, AS_BRIDGE)
    rest = [unit for unit in rules.of_side[side] if unit not in seen and state.at[unit] not in away]
    entry = [rules.counters[unit].entry for unit in rest]
    return [u for u, turn in zip(rest, entry, strict=True) if turn <= state.turn and (turn or state.at[u] != WAITING)]


def covers(rules: Inferno, state: State, side: int, seen: Collection[int]) -> int:
    """5.4: the hexes of a side in which more may lie than is seen; by option the sizes of stacks are known."""
    if not rules.option["fog_stack_size"]:
        return state.occ[side]
    return mask_of(h for h in bits(state.occ[side]) if any(unit not in seen for unit in state.stacks[h]))


def may_lie_under(rules: Inferno, state: State, unit: int, h: int) -> bool:
    """5.3: could this combat unit lie under what is on top in a hex? It may have lost steps."""
    top = top_unit(rules, state, h)
    if rules.engineer[unit] or rules.engineer[top]:
        return rules.engineer[unit]
    return min(face.attack for face in rules.faces[unit]) <= rules.face(state, top).attack


def may_hide_others(rules: Inferno, state: State, side: int, h: int) -> bool:
    """7.7.a: may there be combat units in a hex that the other side does not see?"""
    seen = seen_units(rules, state, side)
    if not covers(rules, state, side, seen) >> h & 1:
        return False
    mobile = (unit for unit in unseen(rules, state, side, seen) if rules.combat[unit] and not rules.immobile[unit])
    return any(may_lie_under(rules, state, unit, h) for unit in mobile)


def may_need_withholding(rules: Inferno, state: State, h: int) -> bool:
    """7.4, 5.1: may an attacked hex, as far as the attacker sees, have more units than may defend it?"""
    side = 1 - state.active
    seen = seen_units(rules, state, side)
    top = top_unit(rules, state, h)
    if rules.engineer[top] or not covers(rules, state, side, seen) >> h & 1:
        return False
    able = [unit for unit in unseen(rules, state, side, seen) if rules.combat[unit] and not rules.engineer[unit]]
    others = [unit for unit in able if may_lie_under(rules, state, unit, h)]
    if rules.option["fog_stack_size"]:
        room = len(state.stacks[h]) - 1
    else:
        free = 1 if rules.free_battalion else 0
        room = rules.board.stacking[h] - state.steps[top] + free + sum(1 for unit in others if not rules.counts[unit])
    return room > 1 and not defence_command(rules, (top, *others))


def may_be_supported(rules: Inferno, state: State, h: int) -> bool:
    """12.3.b: may artillery, as far as the attacker sees, fire for the defence of this hex?"""
    side = 1 - state.active
    seen = seen_units(rules, state, side)
    battle = state.battle
    defends = battle.defenders if battle is not None else ()
    hexes = rules.in_range(h, ())
    guns = rules.supporters_of[side]
    if any(why_no_fire(rules, state, gun, hexes, False) is None for gun in guns if gun in seen and gun not in defends):
        return True
    near = covers(rules, state, side, seen) & rules.board.grid.within(h, rules.gun_reach)
    hidden = [gun for gun in unseen(rules, state, side, seen) if rules.supports[gun]]
    light = [gun for gun in hidden if rules.counters[gun].type != "heavy_artillery"]
    return bool(near) and any(rules.silenced(state, gun) is None for gun in light)
