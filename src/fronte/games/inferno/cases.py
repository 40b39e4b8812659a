"""Tiny boards and positions for the casebook: from a few lines of a case file to a pack and a state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import AUTO, Frame
from fronte.engine.view import View
from fronte.games.common.tiny import CaseError, board_toml, hexes_csv, hexsides_csv, tiny_grid, units_csv
from fronte.games.inferno.counters import BOX, ITALIAN
from fronte.games.inferno.ground import Board
from fronte.games.inferno.state import ELIMINATED, FLAGS, SUPPLY, S, State, place

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

FACE = re.compile(r"(\d+)-(\d+)-(\d+)(?:\((\d+)\))?")
UNIT_FIELDS = {
    *(["side", "type", "size", "corps", "face", "back", "at", "steps", "ce", "supply", "marks"]),
    *(["entry", "reserve", "setup", "name", "pontoon", "id", "entry_hexes", "frozen"]),
}
FACES = {
    "artillery": "0-0-4(3)",
    "heavy_artillery": "0-0-4(3)",
    "engineer": "0-1-6",
    "fortress": "0-3-0(2)",
}
SIZES = {
    "artillery": "regiment",
    "heavy_artillery": "regiment",
    "fortress": "regiment",
    "engineer": "battalion",
    "infiltration": "battalion",
}


def case_facts(rules: Inferno, view: View) -> dict[str, Any]:
    """What a seat knows, field by field."""
    found = view.facts() | view.family
    found["moving"] = view.stage.moving and msgspec.structs.asdict(view.stage.moving)
    found |= {kind: [sign.at for sign in view.on(kind)] for kind in ("attacked", "destroyed")}
    if rules.option["fog_stack_size"]:
        found["sizes"] = dict(Counter(piece.at for piece in view.pieces if not piece.mine))
    others = [piece for piece in view.pieces if piece.id and not piece.mine]
    found["eliminated"] = [piece.id for piece in others if piece.at == "eliminated"]
    found["seen"] = [piece.id for piece in others if piece.at != "eliminated"]
    return {field: value for field, value in found.items() if value is not None}


def case_files(game: type[Inferno], board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The files of a pack for a tiny board and its counters."""
    kind, grid = game.board_kind, tiny_grid(board)
    side_fields = set(kind.side_columns) - {"a", "b", "bridge_hex", "source"} | {"bridge"}
    return {
        "board.toml": board_toml(grid),
        "hexes.csv": hexes_csv(board, grid, kind.hex_columns, lambda name, data: _hex(game, board, data)),
        "hexsides.csv": hexsides_csv(board, kind.side_columns, side_fields, partial(_hexside, kind)),
        "units.csv": units_csv(units, game.counter_columns, UNIT_FIELDS, _unit),
    }


def _hex(game: type[Inferno], board: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """The level of a hex goes with its terrain, where neither the case nor the board says another."""
    terrain = data.get("terrain", board.get("terrain", "clear"))
    level = game.terrain_levels.get(terrain, 0)
    if "terrain" not in data:
        level = board.get("level", level)
    return {"control": board.get("control", "italian"), "terrain": terrain, "level": level, **data}


def _hexside(kind: type[Board], name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """A route across water has a bridge, unless the case says that it has none."""
    row = {field: value for field, value in data.items() if field != "bridge"}
    bridge = data.get("bridge", True)
    if data.get("water") and bridge and any(data.get(route) for route in ("road", "trail", "railway")):
        if "bridge_hex" in kind.side_columns:
            row["bridge_hex"] = name.split("/")[0] if bridge is True else bridge
        else:
            row["bridge"] = True
    return row


def _unit(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    kind = data.get("type", "infantry")
    gun = kind in ("artillery", "heavy_artillery")
    single = gun or kind in ("engineer", "infiltration", "fortress")
    face = data.get("face", FACES.get(kind, "5-5-6"))
    back = data.get("back", "" if single or "face" in data else "3-3-6")
    row: dict[str, Any] = {
        "id": data.get("id", name),
        "side": data.get("side") or side_of(name),
        "name": data.get("name", name.upper()),
        "full_name": data.get("name", name),
        "size": data.get("size", SIZES.get(kind, "brigade")),
        "type": kind,
        "corps": data.get("corps", ""),
        "entry": data.get("entry", ""),
    }
    row |= {field: data[field] for field in ("reserve", "frozen", "entry_hexes") if field in data}
    row |= _face(name, face, "") | (_face(name, back, "2") if back else {})
    if not row["entry"] or "setup" in data:
        row["setup"] = data.get("setup", BOX if data.get("at") == "box" else "0000")
    return row


def _face(name: str, text: str, suffix: str) -> dict[str, str]:
    """A face written as attack-defence-movement(artillery value). Parts that are missing stay empty."""
    match = FACE.fullmatch(text)
    if not match:
        parts = (text.split("-") + ["", "", ""])[:3]
        attack, defence, ma, av = parts[0], parts[1], parts[2], "0"
    else:
        attack, defence, ma, av = match[1], match[2], match[3], match[4] or "0"
    return {f"attack{suffix}": attack, f"defence{suffix}": defence, f"ma{suffix}": ma, f"av{suffix}": av}


def side_of(name: str) -> str:
    """The side that a unit's name begins with: it-... or ah-..."""
    prefix = name.split("-")[0]
    found = {"it": "italian", "ah": "ah"}.get(prefix)
    if found is None:
        raise CaseError(f"units.{name}: give a side, or a name that begins with it- or ah-")
    return found


def case_state(rules: Inferno[S], units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> S:
    """A state with these units where the case puts them, at the beginning of the phase it names."""
    state = rules.empty_state()
    state.turn = int(start.get("turn", 3))
    state.active = rules.seat_index(start.get("active", "italian"))
    state.held = rules.board.control[ITALIAN]
    for name, data in units.items():
        put_unit(rules, state, rules.number[name], data)
    hand_over(rules, state, start)
    phase = start.get("phase", "movement")
    if phase == "end":
        state.active = rules.second_player
    state.frames = phase_frames(rules, state.active, phase)
    state.phase = PHASE_BEFORE.get(phase, state.phase)
    return state


def hand_over(rules: Inferno, state: State, start: Mapping[str, Any]) -> None:
    """Let the sides hold the hexes that `start.held` gives them."""
    for side, hexes in start.get("held", {}).items():
        for h in hexes:
            bit = 1 << rules.read_hex(h)
            state.held = state.held | bit if rules.seat_index(side) == ITALIAN else state.held & ~bit


def put_unit(rules: Inferno, state: State, unit: int, data: Mapping[str, Any]) -> None:
    """Put a unit where a case says, in the condition it says."""
    if "at" in data or not rules.counters[unit].entry:
        where = rules.read_where(str(data.get("at", "waiting")))
        place(rules, state, unit, where)
        if where == ELIMINATED:
            state.steps[unit] = 0
            return
        elif where >= 0:
            rules.take(state, rules.side[unit], where, [])
    if "steps" in data:
        state.steps[unit] = int(data["steps"])
    state.ce[unit] = int(data.get("ce", 0))
    state.supply[unit] = SUPPLY.index(data.get("supply", "in"))
    for mark in data.get("marks", ()):
        if mark not in FLAGS:
            raise CaseError(f"mark {mark!r} is none of {', '.join(FLAGS)}")
        state.flags[unit] |= FLAGS[mark]
    if rules.counters[unit].reserve:
        state.flags[unit] |= FLAGS["reserve"]


PHASE_BEFORE = {"works": "reinforcement", "combat": "combat", "end": "combat"}
"""The phase that a case begins in where no step says it."""
PHASE_STEPS = {
    "supply": "supply_phase",
    "reinforcement": "reinforcement_phase",
    "works": "works_phase",
    "movement": "movement_phase",
}


def phase_frames(rules: Inferno, side: int, phase: str) -> list[Frame]:
    """The frames of a match that stands at the beginning of a phase of a player's turn."""
    if phase == "end":
        return [Frame("player_turn_ends", AUTO, (rules.second_player,))]
    frames = [Frame("player_turn_ends", AUTO, (side,))]
    order = list(rules.phase_order)
    if phase == "combat":
        return [*frames, Frame("combat", side)]
    if phase not in PHASE_STEPS:
        raise CaseError(f"start.phase {phase!r} is none of {', '.join(PHASE_STEPS)}, combat, end")
    rest = order[order.index(PHASE_STEPS[phase]) :]
    return frames + [Frame(name, AUTO) for name in reversed(rest)]
