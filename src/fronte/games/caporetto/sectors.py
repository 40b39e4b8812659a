"""24.3, 24.9.2: who may be where in the historical campaign: sectors, common hexes, brigades that stay in place."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from fronte.games.caporetto.terrain import COMMON
from fronte.games.common.memory import Memory
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State


def open_to(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """24.3: the hexes that a unit may enter: its sector and the common ones. The Vicenza may be anywhere until it has
    crossed the line; where there are no sectors so may everybody."""
    home, here = rules.home(unit), state.at[unit]
    if here >= 0 and not home >> here & 1 and rules.crossing >> unit & 1:
        return rules.ground.extent
    return home


def may_go(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """24.3, 24.3.e1: the hexes into which a unit may move: its sector and the common ones. Who is across the line,
    driven there or as the Vicenza begins, also goes where he comes nearer to them (ours): he must return as soon as he
    can."""
    home, here = rules.home(unit), state.at[unit]
    if here < 0 or home >> here & 1 or not rules.ground.extent >> here & 1:
        return home
    nearer = home
    while True:
        wider = nearer | rules.ground.around(nearer)
        if wider >> here & 1 or wider == nearer:
            return nearer
        nearer = wider


def is_astray(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """24.3, 24.3.e1, 21.7.e1: is it across the line, or on the left bank that is out of play, and has to go away?"""
    here = state.at[unit]
    return here >= 0 and not rules.home(unit) >> here & 1


def this_side(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """24.3: the hexes on a unit's side of the line: its sector and the common ones; of who stands across it the other
    sector."""
    home, here = rules.home(unit), state.at[unit]
    if not rules.scene.sectors or home >> here & 1:
        return home
    return next((part for part in rules.ground.inside.values() if part >> here & 1), home)


def is_common(rules: CaporettoPrinted, h: int) -> bool:
    """24.3.common: does a hex belong to both sectors?"""
    return bool(rules.scene.sectors) and bool(rules.ground.sector[COMMON] >> h & 1)


def is_at_line(rules: CaporettoPrinted, h: int) -> bool:
    """24.3.inf: does the line between the sectors run along a hex?"""
    if not rules.scene.sectors:
        return False
    near = rules.grid.ring[h] & rules.ground.extent
    return any(mask >> h & 1 and near & ~mask for mask in rules.ground.sector.values())


def is_bound(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """24.3.start: does it begin in a common hex and stand there still? It neither moves nor assaults."""
    here = state.at[unit]
    if not rules.scene.sectors or here < 0 or rules.begins[unit] != here:
        return False
    return bool(rules.ground.sector[COMMON] >> here & 1)


def is_frozen(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """24.9.2: is it of a brigade that does not move before turn 5, unless it was assaulted? It may assault a neighbour
    from where it stands."""
    formation = rules.formation_of[unit]
    if formation < 0 or state.turn >= rules.scene.frozen_until:
        return False
    return rules.formations[formation].id in rules.scene.frozen and not state.assaulted >> formation & 1


def held_back(rules: CaporettoPrinted, state: State) -> int:
    """24.3.start, 24.9.2: all units that do not move now: who is bound to a common hex, and the frozen brigades."""
    if not rules.scene.sectors:
        return 0
    found = bound(rules, state)
    if state.turn < rules.scene.frozen_until:
        for number, mask in _frozen_brigades(rules):
            if not state.assaulted >> number & 1:
                found |= mask
    return found


def bound(rules: CaporettoPrinted, state: State) -> int:
    """24.3.start: all units that stand in the common hex in which they began."""
    places, begun = _beginners(rules)
    now = places(state.at)
    found = begun.get(now)
    if found is None:
        found = begun.keep(now, mask_of([unit for unit, h in _begun(rules) if state.at[unit] == h]))
    return found


@lru_cache(maxsize=32)
def _beginners(rules: CaporettoPrinted) -> tuple[Callable[[list[int]], Any], Memory[Any, int]]:
    """24.3.start: where the units are that begin in common hexes, out of where all are; and who still stands there, by
    that."""
    units = [unit for unit, _ in _begun(rules)]
    return itemgetter(*units) if units else len, Memory()


def _begun(rules: CaporettoPrinted) -> list[tuple[int, int]]:
    """24.3.start: the units that begin in common hexes, and these."""
    common = rules.ground.sector[COMMON] if rules.scene.sectors else 0
    return [(unit, h) for unit, h in enumerate(rules.begins) if h >= 0 and common >> h & 1]


def astray(rules: CaporettoPrinted, state: State, units: int, force: int) -> int:
    """24.3, 24.3.e1, 21.7.e1: those of these units of a force that have to go away from where they are."""
    side, home, at = rules.scene.force_side[force], rules.homes[force], state.at
    if not (state.occ[side] | state.guns[side]) & ~home:
        return 0
    return mask_of([unit for unit in bits(units & state.present) if not home >> at[unit] & 1])


@lru_cache(maxsize=32)
def _frozen_brigades(rules: CaporettoPrinted) -> tuple[tuple[int, int], ...]:
    """24.9.2: the brigades that do not move at first, with their units."""
    named = [(number, one) for number, one in enumerate(rules.formations) if one.id in rules.scene.frozen]
    return tuple((number, one.mask) for number, one in named)


def way_home(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """24.3.common: the hexes to one of which a unit is taken that combat has left in a common hex: the nearest of its
    sector, without enemies in them; of equal ones its owner chooses."""
    here, foes = state.at[unit], 1 - rules.side[unit]
    common, inside = rules.ground.sector[COMMON], rules.home(unit)
    if not rules.scene.sectors or not common >> here & 1 or is_bound(rules, state, unit):
        return 0
    free = inside & ~common & ~state.occ[foes] & ~state.guns[foes]
    for reach in range(1, rules.grid.span):
        found = rules.grid.within(here, reach) & free
        if found:
            return found
    return 0
