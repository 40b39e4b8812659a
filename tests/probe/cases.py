"""Tiny boards and beginnings of cases for the probe game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Frame
from fronte.games.common.tiny import CaseError, board_toml, hexes_csv, hexsides_csv, only, tiny_grid, units_csv

from .board import COMMAND, FORCES, HEX_COLUMNS, SIDE_COLUMNS, UNIT_COLUMNS
from .state import State, place

if TYPE_CHECKING:
    from .game import Probe

STARTS = frozenset(("turn", "active", "phase", "force", "plans"))
PRINTED = ("kind", "name")
UNIT_FIELDS = ("at", "facing", "hits", "column", "acted")


def files(board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The files of a pack for a tiny board and its pieces; a piece is of the force that its name begins with."""
    grid = tiny_grid(board)
    return {
        "board.toml": board_toml(grid),
        "hexes.csv": hexes_csv(board, grid, HEX_COLUMNS, lambda name, data: {"terrain": "clear", **data}),
        "hexsides.csv": hexsides_csv(board, SIDE_COLUMNS, ("ford",), lambda name, data: {"water": "river", **data}),
        "units.csv": units_csv(units, UNIT_COLUMNS, (*PRINTED, *UNIT_FIELDS), _counter),
    }


def _counter(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    force = name.split("-")[0]
    if force not in FORCES:
        raise CaseError(f"units.{name}: a name begins with {', '.join(FORCES)}")
    label = data.get("name", name)
    return {"side": force, "name": label, "full_name": label, "kind": data.get("kind", "company")}


def state_of(rules: Probe, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> State:
    """The pieces where the case puts them; `phase` is plan, activate or act, with a `force` that acts."""
    state = State()
    rules.blank_columns(state)
    state.turn = int(start.get("turn", 1))
    for name, data in units.items():
        put(rules, state, name, {field: value for field, value in data.items() if field not in PRINTED})
    force = str(start.get("force", "red"))
    if force not in FORCES:
        raise CaseError(f"start.force is {force!r}, none of {', '.join(FORCES)}")
    owner = COMMAND[FORCES.index(force)]
    phase = start.get("phase", "act")
    if phase == "plan":
        rules.plan(state)
        return state
    state.phase = "action"
    plans = start.get("plans", ["red", "blue"])
    state.plans = [FORCES.index(plan) for plan in plans]
    if phase == "activate":
        state.active = rules.seat_index(start.get("active", "north"))
        state.frames = [Frame("activate", state.active)]
    elif phase == "act":
        state.active, state.done = owner, 1 << FORCES.index(force)
        state.frames = [Frame("next_seat", AUTO), Frame("act", owner, (FORCES.index(force),))]
    else:
        raise CaseError(f"start.phase is {phase!r}, none of plan, activate, act")
    return state


def change(rules: Probe, state: State, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
    """The printed set-up with what a case changes in it."""
    only("start", start, ("turn",))
    state.turn = int(start.get("turn", state.turn))
    for name, data in units.items():
        put(rules, state, name, data)


def put(rules: Probe, state: State, name: str, data: Mapping[str, Any]) -> None:
    """A piece where a case says, and how."""
    only(f"units.{name}", data, UNIT_FIELDS)
    piece = rules.find(state, name)
    if "at" in data:
        place(rules, state, piece, rules.read_where(str(data["at"])))
    for field in ("facing", "hits", "column", "acted"):
        if field in data:
            getattr(state, field)[piece] = data[field]
