"""Chapter 1, preparation for play: counters go where they say, and a set-up that breaks the rules is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.pack import PackError
from fronte.games.inferno import cites
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.stacking import is_legal_stack
from fronte.games.inferno.state import IN_BOX, RESERVE, State, place
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def set_up(rules: Inferno, state: State) -> None:
    """1.1, table.setup: place every counter that has one set-up hex; areas and later entries wait."""
    state.held = rules.board.control[ITALIAN]
    for unit, counter in enumerate(rules.counters):
        if counter.reserve:
            state.flags[unit] |= RESERVE
        if counter.in_box:
            place(rules, state, unit, IN_BOX)
        hexes = [_setup_hex(rules, state, counter.id, name, counter.side) for name in counter.setup]
        if len(hexes) == 1:
            place(rules, state, unit, hexes[0])
    for side in (ITALIAN, AH):
        for h in bits(state.occ[side]):
            if not is_legal_stack(rules, state, h, state.stacks[h]):
                why = f"hex {rules.hex_id(h)} is overstacked at set-up (5.1, table.setup)"
                raise PackError("units.csv", None, why)


def _setup_hex(rules: Inferno, state: State, unit: str, name: str, side: int) -> int:
    if name not in rules.grid_index:
        raise PackError("units.csv", None, f"unit {unit}: set-up hex {name} is not on the board (1.1)")
    h = rules.grid_index[name]
    if state.occ[1 - side] >> h & 1:
        raise PackError(
            "units.csv", None, f"unit {unit}: an enemy is set up in {name} too ({rules.cite(cites.ONE_SIDE)})"
        )
    return h
