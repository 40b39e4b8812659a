"""21.4: flamethrowers. Each is assigned to an infantry unit in its hex and shares its fate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fronte.engine.event import Event

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

NOBODY = -1


def bearer(state: State, flamethrower: int) -> int:
    """21.4: the unit to which it is assigned; NOBODY before it has come into play."""
    return next((unit for one, unit in state.bearers if one == flamethrower), NOBODY)


def carried(state: State, units: Iterable[int]) -> tuple[int, ...]:
    """21.4: the flamethrowers that are assigned to these units and go where they go."""
    units = tuple(units)
    return tuple([one for one, unit in state.bearers if unit in units])


def can_bear(rules: CaporettoPrinted, state: State, flamethrower: int, unit: int) -> bool:
    """21.4, 21.1, 21.3: infantry of the same side in its hex, engineers and machine guns among it."""
    infantry = rules.combat & ~rules.flamethrowers & ~rules.cavalry & rules.of_side[rules.side[flamethrower]]
    return bool(infantry >> unit & 1) and state.at[unit] == state.at[flamethrower] >= 0


def take_up(rules: CaporettoPrinted, state: State, flamethrower: int) -> None:
    """21.4, ours: who has it when it comes into play: the strongest of its formation, else of its division, else of
    all in its hex; of equals the first."""

    def fitness(unit: int) -> tuple[bool, bool, int]:
        mine = rules.formation_of[flamethrower] >= 0 and rules.formation_of[unit] == rules.formation_of[flamethrower]
        near = rules.division[flamethrower] >= 0 and rules.division[unit] == rules.division[flamethrower]
        return mine, near, rules.cf[unit][min(state.lost[unit], rules.full_steps[unit] - 1)]

    there = state.stacks.get(state.at[flamethrower], ())
    found = sorted(unit for unit in there if can_bear(rules, state, flamethrower, unit))
    if found:
        _give(state, flamethrower, max(found, key=fitness))


def can_assign(rules: CaporettoPrinted, state: State, flamethrower: int, unit: int) -> bool:
    """21.4.e3: at the end of a phase to another unit of its formation in the hex, once a turn; one without formation
    among those of the formation it was with, or of its division (ours)."""
    now = bearer(state, flamethrower)
    if state.handed >> flamethrower & 1 or unit == now or not can_bear(rules, state, flamethrower, unit):
        return False
    if rules.formation_of[flamethrower] >= 0:
        return rules.formation_of[unit] == rules.formation_of[flamethrower]
    same_formation = now != NOBODY and rules.formation_of[unit] == rules.formation_of[now] >= 0
    return same_formation or rules.division[unit] == rules.division[flamethrower] >= 0


def assign(rules: CaporettoPrinted, state: State, flamethrower: int, unit: int, out: list[Event]) -> None:
    """21.4.e3: another unit has it from now on."""
    _give(state, flamethrower, unit)
    state.handed |= 1 << flamethrower
    data = {"unit": rules.ids[flamethrower], "bearer": rules.ids[unit]}
    out.append(Event("assigned", ("21.4.e3",), data))


def follow(state: State, old: int, new: int) -> None:
    """21.10: a company that bore one is absorbed; the battalion has it, which is no new assignment (ours)."""
    for flamethrower in carried(state, (old,)):
        _give(state, flamethrower, new)


def _give(state: State, flamethrower: int, unit: int) -> None:
    others = [pair for pair in state.bearers if pair[0] != flamethrower]
    state.bearers = tuple(sorted([*others, (flamethrower, unit)]))


def drop(state: State, flamethrower: int) -> None:
    """21.4: it is out of the game."""
    state.bearers = tuple([pair for pair in state.bearers if pair[0] != flamethrower])
