"""Positions: a state as readable data that can be written by hand, and back, with every error named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import AUTO, CHANCE, Frame
from fronte.engine.rules import PositionError
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.state import ELIMINATED, FLAGS, PHASES, SUPPLY, State, place
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

FRAME_SHAPES: dict[str, tuple[str, ...]] = {
    "attackers_back": ("units", "number"),
    "defence_retreat": ("number",),
    "fall_back": ("units", "hexes", "hexes", "number", "number"),
    "go_on_back": ("units", "number", "hexes", "hexes", "number"),
    "goon": ("units", "hexes", "units"),
    "losses": ("units", "number", "units"),
    "march": ("unit", "hexes", "bridges"),
    "overstack": ("hex", "units"),
    "player_turn": ("number",),
    "player_turn_ends": ("number",),
    "retreat": ("units", "number", "units", "hexes"),
    "settle_in": ("units", "hexes", "units"),
    "stack_check": ("number",),
}
"""What the arguments of a frame are, so that they can be written with names. Frames not listed have none."""

BATTLE_SHAPES = {
    "target": "hex",
    "attackers": "units",
    "origins": "hexes",
    "guns": "units",
    "defenders": "units",
    "withheld": "units",
    "support": "units",
    "retreated": "units",
}

Namer = Callable[[int], str]
Finder = Callable[[str], int]


def _write(rules: Inferno, shape: str, value: Any, name: Namer) -> Any:
    if shape == "unit":
        return name(value)
    if shape == "units":
        return list(dict.fromkeys(name(unit) for unit in value))
    if shape == "hex":
        return rules.hex_id(value)
    if shape == "hexes":
        return list(rules.hex_ids(value))
    if shape == "hexside":
        return rules.board.hexside_name(value)
    if shape == "bridges":
        return [rules.board.hexside_name(rules.board.bridges[bridge]) for bridge in bits(value)]
    return value


def _read(rules: Inferno, shape: str, value: Any, find: Finder) -> Any:
    if shape == "unit":
        return find(value)
    if shape == "units":
        return tuple(find(name) for name in value)
    if shape == "hex":
        return rules.read_hex(value)
    if shape == "hexes":
        return tuple(rules.read_hex(name) for name in value)
    if shape == "hexside":
        return rules.board.hexside(value)
    if shape == "bridges":
        return mask_of(rules.board.bridge_at[rules.board.hexside(name)] for name in value)
    if shape == "number" and not isinstance(value, int):
        raise PositionError(f"frames: {value!r} is not a number")
    return value


def write_frame(rules: Inferno, frame: Frame, name: Namer) -> list[Any]:
    """A frame with names instead of numbers."""
    shapes = rules.frame_shapes.get(frame.name, ())
    args = [_write(rules, shape, value, name) for shape, value in zip(shapes, frame.args, strict=True)]
    return [frame.name, frame.seat, args]


def read_frame(rules: Inferno, data: Any, find: Finder) -> Frame:
    """The frame that such data describe."""
    name, seat, args = data
    known = name in rules.choices or name in rules.chances or name in rules.steps
    shapes = rules.frame_shapes.get(name, ())
    if not known or len(args) != len(shapes):
        raise PositionError(f"frames: {name!r} with {len(args)} arguments is no frame of this game")
    right = (0, 1) if name in rules.choices else (CHANCE,) if name in rules.chances else (AUTO,)
    if isinstance(seat, bool) or seat not in right:
        raise PositionError(f"frames: {seat!r} is not who does {name}")
    return Frame(name, seat, tuple(_read(rules, shape, value, find) for shape, value in zip(shapes, args, strict=True)))


def write_battle(rules: Inferno, battle: Battle, name: Namer) -> dict[str, Any]:
    """The combat at hand with names instead of numbers."""
    return {
        field: _write(rules, BATTLE_SHAPES.get(field, ""), getattr(battle, field), name)
        for field in battle.__struct_fields__
    }


def read_battle(rules: Inferno, data: Mapping[str, Any], find: Finder) -> Battle:
    """The combat that such data describe."""
    read = {field: _read(rules, BATTLE_SHAPES.get(field, ""), value, find) for field, value in data.items()}
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
    position: dict[str, Any] = {
        "game": rules.header.game,
        "turn": state.turn,
        "phase": state.phase,
        "active": rules.seats[state.active],
        "units": units,
        "held": [rules.hex_id(h) for h in bits(state.held)],
        "frames": [write_frame(rules, frame, rules.ids.__getitem__) for frame in state.frames],
        "rolled": state.rolled,
    }
    if state.mover >= 0:
        position["moving"] = {"unit": rules.ids[state.mover], "left": state.left}
    if state.battle is not None:
        position["battle"] = write_battle(rules, state.battle, rules.ids.__getitem__)
    if state.outcome:
        position["outcome"] = state.outcome
    if state.forced:
        position["forced"] = list(state.forced)
    return position | rules.position_more(state)


def from_position(rules: Inferno, data: Mapping[str, Any]) -> State:
    """The state that a position describes; PositionError names what cannot be."""
    try:
        state = _from_position(rules, data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as wrong:
        if isinstance(wrong, PositionError):
            raise
        raise PositionError(f"the position cannot be read: {type(wrong).__name__}: {wrong}") from None
    broken = rules.broken(state)
    if broken:
        raise PositionError("; ".join(broken))
    return state


def _from_position(rules: Inferno, data: Mapping[str, Any]) -> State:
    state = rules.empty_state()
    if data.get("game", rules.header.game) != rules.header.game:
        raise PositionError(f"game: the position is of {data['game']}, not of {rules.header.game}")
    state.turn = whole_number(data, "turn", 1, 60)
    state.phase = data["phase"]
    if state.phase not in PHASES:
        raise PositionError(f"phase: {state.phase!r} is none of {', '.join(PHASES)}")
    state.active = rules.seat_index(data["active"])
    for name, unit in data["units"].items():
        if name not in rules.number:
            raise PositionError(f"units: there is no unit {name!r}")
        _read_unit(rules, state, rules.number[name], unit)
    for h in data["held"]:
        state.held |= 1 << rules.read_hex(h)
    state.rolled = whole_number({"rolled": 0, **data}, "rolled", 0, 1_000_000)
    state.forced = tuple(data.get("forced", ()))
    if any(die not in range(1, 7) for die in state.forced):
        raise PositionError("forced: dice fall from 1 to 6")
    state.outcome = data.get("outcome", "")
    if "moving" in data:
        state.mover, state.left = rules.find_unit(data["moving"]["unit"]), int(data["moving"]["left"])
    state.frames = [read_frame(rules, frame, rules.find_unit) for frame in data["frames"]]
    if "battle" in data:
        state.battle = read_battle(rules, data["battle"], rules.find_unit)
    rules.read_position_more(state, data)
    return state


def _read_unit(rules: Inferno, state: State, unit: int, data: Mapping[str, Any]) -> None:
    name = rules.ids[unit]
    unknown = set(data) - {"at", "steps", "ce", "supply", "marks"}
    if unknown:
        raise PositionError(f"units.{name}: unknown fields {', '.join(sorted(unknown))}")
    where = rules.read_where(data["at"])
    most = rules.counters[unit].steps
    state.steps[unit] = data.get("steps", most if where != ELIMINATED else 0)
    state.ce[unit] = data.get("ce", 0)
    if not (isinstance(state.steps[unit], int) and 0 <= state.steps[unit] <= most):
        raise PositionError(f"units.{name}: steps must be 0 to {most} (2.5.c)")
    if state.ce[unit] not in (0, 1, 2):
        raise PositionError(f"units.{name}: ce must be 0, 1 or 2 (10)")
    supply = data.get("supply", "in")
    if supply not in SUPPLY:
        raise PositionError(f"units.{name}: supply {supply!r} is none of {', '.join(SUPPLY)} (11.a)")
    state.supply[unit] = SUPPLY.index(supply)
    for mark in data.get("marks", ()):
        if mark not in FLAGS:
            raise PositionError(f"units.{name}: mark {mark!r} is none of {', '.join(FLAGS)} (2.4)")
        state.flags[unit] |= FLAGS[mark]
    if where >= 0 and state.occ[1 - rules.side[unit]] >> where & 1:
        raise PositionError(f"units.{name}: an enemy unit is already in {data['at']} (5)")
    place(rules, state, unit, where)


def whole_number(data: Mapping[str, Any], field: str, low: int, high: int) -> int:
    """A field of a position that must be a whole number within bounds."""
    value = data[field]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise PositionError(f"{field}: {value!r} is not a whole number between {low} and {high}")
    return value
