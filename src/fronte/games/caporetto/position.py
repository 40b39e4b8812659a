"""Positions of Caporetto: the state as readable data that can be written by hand, and back.

Every field of the state has one row in a table that says of what kind it is. It is written only where it is not as in
an empty state, and read with every value checked before anything is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from fronte.engine.given import PositionError, listed, said, whole, word
from fronte.games.caporetto import values
from fronte.games.caporetto.printed import DISPLAY, UNMADE
from fronte.games.caporetto.sequence import PHASES
from fronte.games.caporetto.state import MASKS, NOT_PLANNED, State, put
from fronte.games.caporetto.terrain import LEFT, RIGHT
from fronte.games.caporetto.validation import broken
from fronte.games.caporetto.values import (
    BIT,
    BRIDGE,
    FLAG,
    FORCE,
    FORMATION,
    HEX,
    HEXSIDE,
    SITE,
    UNIT,
    Kind,
    Names,
    by,
    by_force,
    by_side,
    each,
    entry,
    mask,
    number,
    table,
)
from fronte.games.caporetto.victory import ENDS
from fronte.games.common import positions
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

__all__ = ["broken", "read", "write"]

KINDS = ("", "action", "division", "swap", "reaction")
"""7.10, 7.11, 14: what sort of action is going on."""
END = "end"
"""The phase of a game that is over."""
MOST_POINTS, MOST_GUNS, MOST_LEFT, MOST_PARTS = 99, 15, 200, 20_000
MOST_DP, MOST_LOST = 30, 4
UNIT_FIELDS = ("at", "height", "dp", "lost", "marks")


class Row(NamedTuple):
    """A field of the state, its kind, and its name in a position where that is another."""

    field: str
    kind: Kind
    name: str = ""

    @property
    def key(self) -> str:
        """How a position calls it."""
        return self.name or self.field


def _steps(rules: Caporetto) -> tuple[str, ...]:
    return ("", *rules.pack.toml("text.en.toml")["step"])


def _divisions(rules: Caporetto) -> tuple[str, ...]:
    """7.9: the divisions by name, and the formations that may count as one."""
    return (*(name for _, name in rules.divisions), *(one.id for one in rules.formations))


def _trenches(rules: Caporetto) -> list[str]:
    """17.9: the trenches along hexsides, each by the hex that it protects and where it looks."""
    return [values.hexside(rules, one.hex, one.against) for one in rules.ground.side_trenches]


SECTOR = values.word(lambda rules: ("", LEFT, RIGHT))
DIVISION = values.word(_divisions)
PARTS = number(0, MOST_PARTS)
TABLE = (
    Row("sector", SECTOR),
    Row("order", each(SECTOR, 2)),
    Row("drawn", SECTOR),
    Row("step", values.word(_steps)),
    Row("passed", FORCE),
    Row("control", by_force(mask(HEX), 0)),
    Row("lowered", mask(HEX)),
    Row("side_trenches", by(_trenches, number(0, 2), 0)),
    Row("standing", mask(BRIDGE)),
    Row("tested", mask(BRIDGE)),
    Row("built", each(HEXSIDE)),
    Row("works", each(entry(UNIT, SITE))),
    Row("barrages", table(HEX, PARTS)),
    Row("loose", table(HEX, PARTS)),
    Row("breaking", mask(HEX)),
    Row("struck", table(HEX, mask(UNIT))),
    Row("spent", table(UNIT, PARTS)),
    Row("points", by_force(number(0, MOST_POINTS), 0)),
    Row("plan", by(lambda rules: [one.id for one in rules.formations], number(0, MOST_GUNS), NOT_PLANNED)),
    Row("done", mask(FORMATION)),
    Row("assaulted", mask(FORMATION)),
    Row("attacked", mask(FORMATION)),
    Row("division", by_force(each(DIVISION, 2), ())),
    Row("closed", each(entry(FORCE, DIVISION))),
    Row("kind", values.word(lambda rules: KINDS)),
    Row("formations", each(FORMATION)),
    Row("pool", table(FORMATION, mask(UNIT))),
    Row("attachments", table(FORMATION, mask(UNIT))),
    Row("reach", mask(HEX)),
    Row("aims", each(entry(UNIT, HEX, PARTS, BIT))),
    Row("leftovers", table(UNIT, number(-MOST_LEFT, MOST_LEFT))),
    Row("assaults", each(entry(UNIT, HEX, BIT))),
    Row("supports", each(entry(UNIT, HEX))),
    Row("advanced", each(entry(UNIT, HEX))),
    Row("launched", by_side(mask(HEX), 0)),
    Row("fallen", each(HEX)),
    Row("flanked", mask(HEX)),
    Row("bearers", table(UNIT, UNIT)),
    Row("mover", UNIT),
    Row("left", number(0, MOST_LEFT)),
    Row("steps", number(0, MOST_LEFT)),
    Row("captured", each(entry(HEX, FORCE))),
    Row("quiet", number(0, positions.MOST_TURNS)),
    Row("retaken", by_force(number(0, MOST_POINTS), 0)),
    Row("centres", mask(HEX)),
    Row("matajur", FORCE),
    Row("wounded", FLAG),
    Row("mines", each(HEX)),
    Row("gas", each(HEX)),
)
"""One row for each field that is not of a unit, of the stage, or worked out from others."""
OF_UNITS = ("at", "dp", "lost", *MASKS)
STAGE = ("turn", "phase", "active", "outcome", "frames", "rolled", "forced")
WORKED_OUT = ("stacks", "occ", "guns", "present", "zoc")
"""They follow from where units are."""
NOT_TOLD = ("seed",)
"""The record keeps it."""
REQUIRED = ("game", "turn", "phase", "active", "units", "frames")


# Writing


def write(rules: Caporetto, state: State) -> dict[str, Any]:
    """The state as readable data; what is as in an empty state is left out."""
    empty = empty_state(rules)
    names = values.printed_names(rules)
    marks = _marks(state)
    filled = [row for row in TABLE if getattr(state, row.field) != getattr(empty, row.field)]
    return {
        "game": rules.header.game,
        "turn": state.turn,
        "phase": state.phase,
        "active": rules.scene.forces[state.active],
        "units": {
            rules.ids[u]: data
            for u in range(len(state.at))
            if _is_told(rules, state, u, data := _unit(rules, state, u, marks))
        },
        **{row.key: told(names, state, row) for row in filled},
        "frames": [positions.write_frame(rules, frame, rules.ids.__getitem__) for frame in state.frames],
        "rolled": state.rolled,
        **({"outcome": state.outcome} if state.outcome else {}),
        **({"forced": list(state.forced)} if state.forced else {}),
    }


def empty_state(rules: Caporetto) -> State:
    """A state in which nothing is anywhere."""
    state = State(len(rules.counters), len(rules.scene.forces), len(rules.formations))
    state.side_trenches = (0,) * len(rules.ground.side_trenches)
    return state


def told(names: Names, state: State, row: Row) -> Any:
    """A field as it is written."""
    value = getattr(state, row.field)
    if row.field == "works":
        value = [(unit, (a, b)) for unit, a, b in value]
    return row.kind.write(names, value)


def take_up(names: Names, state: State, row: Row, data: Any) -> None:
    """A field as it was written."""
    value = row.kind.read(names, data, row.key)
    if row.field == "works":
        value = tuple([(unit, *site) for unit, site in value])
    elif row.field == "side_trenches":
        value = tuple(value)
    setattr(state, row.field, value)


def _kept(rules: Caporetto, unit: int) -> int:
    """7.2, 21.10: where a headquarters or a company is kept which is not in use; 0 for everybody else."""
    return DISPLAY if rules.hqs >> unit & 1 else UNMADE if rules.generic >> unit & 1 else 0


def _is_told(rules: Caporetto, state: State, unit: int, data: Mapping[str, Any]) -> bool:
    """Companies that are not detached are in no position (21.10)."""
    return not rules.generic >> unit & 1 or state.at[unit] != _kept(rules, unit) or len(data) > 1


def _marks(state: State) -> dict[int, list[str]]:
    """The marks of all units that have any."""
    found: dict[int, list[str]] = {}
    for name in MASKS:
        for unit in bits(getattr(state, name)):
            found.setdefault(unit, []).append(name)
    return found


def _unit(rules: Caporetto, state: State, unit: int, marks: Mapping[int, list[str]]) -> dict[str, Any]:
    at = state.at[unit]
    data: dict[str, Any] = {"at": rules.hex_id(at)}
    stack = state.stacks.get(at, ())
    if unit in stack[1:]:
        data["height"] = stack.index(unit)
    if state.dp[unit]:
        data["dp"] = state.dp[unit]
    if state.lost[unit]:
        data["lost"] = state.lost[unit]
    if unit in marks:
        data["marks"] = marks[unit]
    return data


# Reading


def read(rules: Caporetto, data: Mapping[str, Any]) -> State:
    """The state that such data describe; PositionError with the place of what cannot be."""
    keys = [row.key for row in TABLE]
    return positions.read_position(rules, data, keys, REQUIRED, lambda given: _read(rules, given))


def _read(rules: Caporetto, data: dict[str, Any]) -> State:
    state = empty_state(rules)
    # who acts is a force here, and the seat of a force has another name where there are sectors (24.1)
    names = values.printed_names(rules)
    active = FORCE.read(names, data["active"], "active")
    positions.read_stage(rules, state, {**data, "active": rules.seats[0]}, (*PHASES, END))
    state.active = active
    if not rules.scene.first_turn <= state.turn <= rules.scene.last_turn:
        raise PositionError(f"turn: it is between {rules.scene.first_turn} and {rules.scene.last_turn}")
    word(state.outcome, "outcome", ("", *ENDS))
    _read_units(rules, state, data["units"])
    for row in TABLE:
        if row.key in data:
            take_up(names, state, row, data[row.key])
    state.frames = positions.read_frames(
        data["frames"], lambda frame, at: positions.read_frame(rules, frame, at, rules.find_unit)
    )
    return state


def _read_units(rules: Caporetto, state: State, data: Any) -> None:
    heights: dict[int, dict[int, int]] = {}
    found = 0
    for unit, at, here, told in positions.read_units(rules, data, UNIT_FIELDS, rules.find_unit):
        found |= 1 << unit
        state.at[unit] = at
        state.dp[unit] = whole(told.get("dp", 0), f"{here}.dp", 0, MOST_DP)
        state.lost[unit] = whole(told.get("lost", 0), f"{here}.lost", 0, MOST_LOST)
        for mark in listed(told.get("marks", ()), f"{here}.marks", len(MASKS)):
            name = word(mark, f"{here}.marks", MASKS)
            setattr(state, name, getattr(state, name) | 1 << unit)
        height = whole(told.get("height", 0), f"{here}.height", 0, len(state.at))
        if at < 0 or rules.hqs >> unit & 1:
            if height:
                raise PositionError(f"{here}.height: it lies in no stack")
            continue
        state.at[unit] = UNMADE  # until the stacks are made, from the bottom up
        if heights.setdefault(at, {}).setdefault(height, unit) != unit:
            raise PositionError(f"{here}.height: another unit lies at {height} in {said(told['at'])}")
    _fill_in(rules, state, found)
    for at, stack in heights.items():
        if sorted(stack) != [*range(len(stack))]:
            raise PositionError(f"units: the heights in {rules.grid.ids[at]} leave gaps")
        for height in sorted(stack):
            put(rules, state, stack[height], at)


def _fill_in(rules: Caporetto, state: State, found: int) -> None:
    """Headquarters and companies of which nothing is said are where they are kept; everybody else must be told."""
    for unit in bits(~found & ((1 << len(state.at)) - 1)):
        state.at[unit] = _kept(rules, unit)
        if not state.at[unit]:
            raise PositionError(f"units: {rules.ids[unit]} is missing")
