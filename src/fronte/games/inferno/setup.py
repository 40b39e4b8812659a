"""Chapter 1, preparation for play: counters go where they say, and a set-up that breaks the rules is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.pack import PackError, is_number, value
from fronte.games.inferno import cites
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.stacking import is_legal_stack
from fronte.games.inferno.state import IN_BOX, RESERVE, State, place
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def sector(rules: Inferno) -> int:
    """The hexes of the columns that a scenario of ours is about (`columns`), as a mask; all where it names none."""
    columns = rules.scenario.get("columns")
    if columns is None:
        return rules.board.grid.everything
    if not isinstance(columns, list) or len(columns) != 2 or not all(map(is_number, columns)):
        raise PackError("scenarios.toml", None, f"columns is {columns!r}, not the first and the last column")
    first, last = columns
    return mask_of(h for h, name in enumerate(rules.board.grid.ids) if first <= int(name[:2]) <= last)


def places(rules: Inferno) -> dict[int, int]:
    """What places are worth in a scenario of ours, where that is not what the book says (`places`)."""
    named = rules.scenario.get("places", {})
    if not isinstance(named, dict):
        raise PackError("scenarios.toml", None, f"places is {named!r}, not victory points by hex")
    found = {}
    for name in named:
        worth = value(named, "scenarios.toml, places", name, is_number, "a whole number")
        if name not in rules.grid_index or not rules.sector >> rules.grid_index[name] & 1:
            raise PackError("scenarios.toml", None, f"places: hex {name} has no part in the scenario")
        found[rules.grid_index[name]] = worth
    return found


def absent(rules: Inferno) -> frozenset[int]:
    """Who has no part in a scenario of some columns: all that are not set up there."""
    if "columns" not in rules.scenario:
        return frozenset()
    here = set(rules.hex_ids(bits(rules.sector)))
    return frozenset(unit for unit, counter in enumerate(rules.counters) if not here.intersection(counter.setup))


def set_up(rules: Inferno, state: State) -> None:
    """1.1, table.setup: place every counter that has one set-up hex; areas and later entries wait."""
    state.held = rules.board.control[ITALIAN]
    for unit, counter in enumerate(rules.counters):
        if unit in rules.absent:
            continue
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
