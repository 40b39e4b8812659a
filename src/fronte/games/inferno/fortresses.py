"""Fortresses (chapter 12.2 of Altipiani; Isonzo has none): they fight, and never leave their hex.

That they exert no zone and do not count for stacking (12.2.b) is said of their counters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fronte.engine.event import Event
from fronte.games.inferno import cites
from fronte.games.inferno.state import ELIMINATED, State
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def protects(rules: Inferno, defenders: Sequence[int]) -> bool:
    """12.2.c: nobody who defends together with a fortress is flanked. A fortress alone is, like any unit."""
    return len(defenders) > 1 and any(rules.immobile[unit] for unit in defenders)


def stay_behind(rules: Inferno, state: State, units: Sequence[int], out: list[Event]) -> tuple[int, ...]:
    """12.2.d: those of a stack that can retreat; a fortress stays where it is, or by option falls."""
    for unit in units:
        if rules.immobile[unit] and rules.fortresses_fall:
            rules.eliminate(state, unit, (cites.FORTRESS_FALLS,), out)
    return tuple(unit for unit in units if not rules.immobile[unit])


def retreat_penalty(rules: Inferno, units: Sequence[int]) -> int:
    """12.2.d: a fortress in a stack that must retreat counts as unable to, unless it falls."""
    return rules.unable_penalty if not rules.fortresses_fall and any(rules.immobile[unit] for unit in units) else 0


def standing(rules: Inferno, state: State) -> int:
    """12.2.d: the hexes of fortresses that stand. They never move, and all know which have fallen."""
    return mask_of(
        rules.grid_index[name]
        for unit, counter in enumerate(rules.counters)
        if counter.type == "fortress" and state.at[unit] != ELIMINATED
        for name in counter.setup
    )
