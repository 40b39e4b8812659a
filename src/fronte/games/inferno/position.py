"""Positions: a state as readable data that can be written by hand, and back, with every error named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine import frames
from fronte.engine.decision import Frame
from fronte.engine.given import PositionError, listed, mapping, said, text, whole
from fronte.games.common.positions import (
    Finder,
    Namer,
    read_frames,
    read_position,
    read_stage,
    read_units,
    read_value,
    write_position,
    write_value,
)
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.state import ELIMINATED, FLAGS, PHASES, SUPPLY, S, State, place
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

BATTLE_KINDS = {
    "target": "hex",
    "attackers": "units",
    "origins": "hexes",
    "guns": "units",
    "defenders": "units",
    "withheld": "units",
    "support": "units",
    "retreated": "units",
}
FIELDS = ("held", "moving", "battle")
"""The fields that positions of this family have besides."""
REQUIRED = ("turn", "phase", "active", "units", "held", "frames")
UNIT_FIELDS = ("at", "steps", "ce", "supply", "marks")
MOST_LEFT = 1_000
"""More than any unit has left of its movement points."""


def _write(rules: Inferno, kind: str, value: Any, name: Namer) -> Any:
    if kind == "hexside":
        return rules.board.hexside_name(value)
    if kind == "bridges":
        return [rules.board.hexside_name(rules.board.bridges[bridge]) for bridge in bits(value)]
    return write_value(rules, kind, value, name)


def _read(rules: Inferno, kind: str, value: Any, place: str, find: Finder) -> Any:
    """What a word or a list of words means; PositionError with the place."""
    if kind == "bridges":
        return _read_bridges(rules, value, place)
    if kind != "hexside":
        return read_value(rules, kind, value, place, find)
    number = rules.board.hexside(text(value, place))
    if number < 0:
        raise PositionError(f"{place}: there is nothing on the hexside {said(value)}")
    return number


def _read_bridges(rules: Inferno, value: Any, place: str) -> int:
    """A mask over the numbers of bridges."""
    found = 0
    for name in listed(value, place, len(rules.board.bridges)):
        number = rules.board.hexside(text(name, place))
        if number not in rules.board.bridge_at:
            raise PositionError(f"{place}: there is no bridge on {said(name)} (14.4.a)")
        found |= 1 << rules.board.bridge_at[number]
    return found


def write_frame(rules: Inferno, frame: Frame, name: Namer) -> list[Any]:
    """A frame with names instead of numbers."""
    return frames.write_frame(rules.frames, frame, lambda kind, value: _write(rules, kind, value, name))


def read_frame(rules: Inferno, data: Any, find: Finder, where: str = "frames") -> Frame:
    """The frame that such data describe."""
    return frames.read_frame(rules.frames, data, where, lambda kind, value, at: _read(rules, kind, value, at, find))


def write_battle(rules: Inferno, battle: Battle, name: Namer) -> dict[str, Any]:
    """The combat at hand with names instead of numbers."""
    return {
        field: _write(rules, BATTLE_KINDS.get(field, ""), getattr(battle, field), name)
        for field in battle.__struct_fields__
    }


def read_battle(rules: Inferno, data: Any, find: Finder) -> Battle:
    """The combat that such data describe."""
    given = mapping(data, "battle", Battle.__struct_fields__, ("target", "attackers", "origins", "guns"))
    read = {
        field: _read(rules, BATTLE_KINDS[field], value, f"battle.{field}", find) if field in BATTLE_KINDS else value
        for field, value in given.items()
    }
    try:
        return msgspec.convert(read, Battle)
    except msgspec.ValidationError as wrong:
        raise PositionError(f"battle: {wrong}") from None


def to_position(rules: Inferno, state: State) -> dict[str, Any]:
    """The state as readable data."""
    units = {}
    for unit, name in enumerate(rules.ids):
        data: dict[str, Any] = {"at": rules.where(state, unit)}
        if state.steps[unit] != rules.counters[unit].steps:
            data["steps"] = state.steps[unit]
        if state.ce[unit]:
            data["ce"] = state.ce[unit]
        if state.supply[unit]:
            data["supply"] = SUPPLY[state.supply[unit]]
        marks = [mark for mark, flag in FLAGS.items() if state.flags[unit] & flag]
        if marks:
            data["marks"] = marks
        units[name] = data
    more: dict[str, Any] = {}
    if state.mover >= 0:
        more["moving"] = {"unit": rules.ids[state.mover], "left": state.left}
    if state.battle is not None:
        more["battle"] = write_battle(rules, state.battle, rules.ids.__getitem__)
    held = {"held": [rules.hex_id(h) for h in bits(state.held)]}
    names = rules.ids.__getitem__
    found = write_position(rules, state, units, held, more, lambda frame: write_frame(rules, frame, names))
    return found | rules.position_more(state)


def from_position(rules: Inferno[S], data: Any) -> S:
    """The state that a position describes; PositionError names the place of what cannot be."""
    fields = (*FIELDS, *rules.position_fields)
    return read_position(rules, data, fields, REQUIRED, lambda given: _from_position(rules, given))


def _from_position(rules: Inferno[S], data: dict[str, Any]) -> S:
    state = rules.empty_state()
    read_stage(rules, state, data, PHASES)
    for unit, where, here, given in read_units(rules, data["units"], UNIT_FIELDS, rules.find_unit):
        _read_unit(rules, state, unit, where, here, given)
    index = rules.grid_index
    for h in listed(data["held"], "held", rules.board.grid.size):
        if not isinstance(h, str) or h not in index:
            raise PositionError(f"held: there is no hex {said(h)} on the board")
        state.held |= 1 << index[h]
    if "moving" in data:
        moving = mapping(data["moving"], "moving", ("unit", "left"), ("unit", "left"))
        state.mover = _read(rules, "unit", moving["unit"], "moving.unit", rules.find_unit)
        state.left = whole(moving["left"], "moving.left", 0, MOST_LEFT)
    rules.read_position_more(state, data)
    state.frames = read_frames(data["frames"], lambda frame, at: read_frame(rules, frame, rules.find_unit, at))
    if "battle" in data:
        state.battle = read_battle(rules, data["battle"], rules.find_unit)
    return state


def _read_unit(rules: Inferno, state: State, unit: int, where: int, here: str, data: Mapping[str, Any]) -> None:
    most = rules.counters[unit].steps
    steps, ce = data.get("steps", most if where != ELIMINATED else 0), data.get("ce", 0)
    if not isinstance(steps, int) or isinstance(steps, bool) or not 0 <= steps <= most:
        raise PositionError(f"{here}: steps must be 0 to {most} (2.5.c), not {said(steps)}")
    if not isinstance(ce, int) or isinstance(ce, bool) or not 0 <= ce <= 2:
        raise PositionError(f"{here}: ce must be 0, 1 or 2 (10), not {said(ce)}")
    state.steps[unit], state.ce[unit] = steps, ce
    supply = data.get("supply", "in")
    if not isinstance(supply, str) or supply not in SUPPLY:
        raise PositionError(f"{here}: supply {said(supply)} is none of {', '.join(SUPPLY)} (11.a)")
    state.supply[unit] = SUPPLY.index(supply)
    for mark in listed(data.get("marks", ()), f"{here}.marks", len(FLAGS)):
        if not isinstance(mark, str) or mark not in FLAGS:
            raise PositionError(f"{here}: mark {said(mark)} is none of {', '.join(FLAGS)} (2.4)")
        state.flags[unit] |= FLAGS[mark]
    if where >= 0 and state.occ[1 - rules.side[unit]] >> where & 1:
        raise PositionError(f"{here}: an enemy unit is already in {data['at']} (5)")
    place(rules, state, unit, where)


def whole_number(data: Mapping[str, Any], field: str, low: int, high: int, place: str = "") -> int:
    """A field of a position that must be a whole number within bounds."""
    return whole(data[field], place or field, low, high)
