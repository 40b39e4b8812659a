"""12.1.6: interdiction barrages. How guns lay them, what they cost, and whom they are still to strike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fronte.games.caporetto import artillery, observation
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.artillery import Shot
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State


def lay(rules: CaporettoPrinted, state: State, h: int, shots: Iterable[Shot]) -> None:
    """12.1.6, 12.1.6.e4: guns fire a barrage at a hex; it is added to what already falls there, of either side."""
    shots = tuple(shots)
    for shot in shots:
        amount = artillery.strength(rules, state, shot, h)
        state.barrages = _added(state.barrages, h, amount)
        if not observation.sees(rules, state, shot.gun, h):
            state.loose = _added(state.loose, h, amount)
        if rules.tables.guns[rules.gun_class[shot.gun]].breaks:
            state.breaking |= 1 << h
    artillery.spend(rules, state, shots)


def _added(pairs: tuple[tuple[int, int], ...], h: int, amount: int) -> tuple[tuple[int, int], ...]:
    found = dict(pairs)
    found[h] = found.get(h, 0) + amount
    return tuple(sorted(found.items()))


def price(rules: CaporettoPrinted, guns: int) -> int:
    """12.1.6.e4, `interdiction_lp`: the logistic points that Italians pay for so many guns: one for full fives."""
    rounded = guns + rules.interdiction_each - 1 if rules.option["interdiction_lp"] == "round-up" else guns
    return rounded // rules.interdiction_each


def due(rules: CaporettoPrinted, state: State, h: int, units: Iterable[int]) -> tuple[int, ...]:
    """12.1.6.e2, 12.1.6.e3: those of these units, in a hex or entering it, that have its barrage still before them:
    once in a turn, and no guns in place."""
    for one, strength in state.barrages:
        if one == h and strength:
            break
    else:
        return ()
    spared = dict(state.struck).get(h, 0) | rules.guns & state.emplaced | rules.flamethrowers
    return tuple([unit for unit in units if not spared >> unit & 1])


def apart(rules: CaporettoPrinted, due: tuple[int, ...]) -> list[tuple[int, ...]]:
    """12.1.6.e2, `interdiction_roll`: who suffers a barrage by one die: each for himself, or all together."""
    together = rules.option["interdiction_roll"] == "stack"
    return [due] if together and due else [(unit,) for unit in due]


def note(state: State, h: int, units: Iterable[int]) -> None:
    """12.1.6.e2: these have suffered the barrage of a hex."""
    found = dict(state.struck)
    found[h] = found.get(h, 0) | mask_of(units)
    state.struck = tuple(sorted(found.items()))


def lift(state: State) -> None:
    """12.1.6.e4: at the end of a turn barrages are over."""
    state.barrages = state.loose = state.struck = ()
    state.breaking = 0
