"""Tiny boards and positions for the casebook: from a few lines of a case file to a pack and a state."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import AUTO, Frame
from fronte.engine.view import View
from fronte.games.inferno.counters import BOX, ITALIAN
from fronte.games.inferno.ground import Board
from fronte.games.inferno.state import ELIMINATED, FLAGS, SUPPLY, S, State, place
from fronte.hexes import Grid

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


class CaseError(ValueError):
    """A case file that says something impossible."""


def case_files(game: type[Inferno], board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The files of a pack for a tiny board and its counters."""
    grid = _grid(board)
    return {
        "board.toml": f"[grid]\nodd_columns_lower = {str(grid.odd_columns_lower).lower()}\n",
        "hexes.csv": _hexes(game, board, grid),
        "hexsides.csv": _hexsides(game.board_kind, board),
        "units.csv": _csv(game.counter_columns, [_unit(game, name, data) for name, data in units.items()]),
    }


def _grid(board: Mapping[str, Any]) -> Grid:
    span = str(board.get("span", ""))
    match = re.fullmatch(r"(\d\d)(\d\d)-(\d\d)(\d\d)", span)
    if not match:
        raise CaseError(f"board.span is {span!r}; it must be the first and last hex, such as '2210-2513'")
    c0, r0, c1, r1 = map(int, match.groups())
    odd_columns_lower = board.get("odd_columns_lower", True)
    if not isinstance(odd_columns_lower, bool):
        raise CaseError("board.odd_columns_lower is either true or false")
    return Grid.rectangle((c0, c1), (r0, r1), odd_columns_lower)


def _hexes(game: type[Inferno], board: Mapping[str, Any], grid: Grid) -> str:
    kind = game.board_kind
    fields = set(kind.hex_columns) - {"hex", "source"}
    given = board.get("hex", {})
    defaults = {"terrain": board.get("terrain", "clear"), "control": board.get("control", "italian")}
    defaults["level"] = board.get("level", game.terrain_levels.get(defaults["terrain"], 0))
    rows = []
    for name in given:
        if name not in grid.index:
            raise CaseError(f"board.hex.{name}: not within the span of the board")
    for name in grid.ids:
        data = dict(given.get(name, {}))
        _only(f"board.hex.{name}", data, fields)
        row = dict.fromkeys(kind.hex_columns, "") | {"hex": name, "source": "printed"}
        if "terrain" in data:
            data.setdefault("level", game.terrain_levels.get(data["terrain"], 0))
        merged: dict[str, Any] = (defaults if "terrain" not in data else {"control": defaults["control"]}) | data
        rows.append(row | {key: _cell(value) for key, value in merged.items()})
    return _csv(kind.hex_columns, rows)


def _hexsides(kind: type[Board], board: Mapping[str, Any]) -> str:
    fields = set(kind.side_columns) - {"a", "b", "bridge_hex", "source"} | {"bridge"}
    rows = []
    for name, data in board.get("side", {}).items():
        _only(f"board.side.{name}", data, fields)
        ends = sorted(name.split("/"))
        if len(ends) != 2:
            raise CaseError(f"board.side.{name}: a hexside is written as 1912/1913")
        row = dict.fromkeys(kind.side_columns, "") | {"a": ends[0], "b": ends[1], "source": "printed"}
        row |= {key: _cell(value) for key, value in data.items() if key != "bridge"}
        routed = any(data.get(route) for route in ("road", "trail", "railway"))
        if data.get("water") and routed and data.get("bridge", True):
            bridge = data.get("bridge", True)
            if "bridge_hex" in row:
                row["bridge_hex"] = ends[0] if bridge is True else str(bridge)
            else:
                row["bridge"] = "1"
        rows.append(row)
    return _csv(kind.side_columns, rows)


def _unit(game: type[Inferno], name: str, data: Mapping[str, Any]) -> dict[str, str]:
    _only(f"units.{name}", data, UNIT_FIELDS)
    kind = data.get("type", "infantry")
    gun = kind in ("artillery", "heavy_artillery")
    single = gun or kind in ("engineer", "infiltration", "fortress")
    face = data.get("face", FACES.get(kind, "5-5-6"))
    back = data.get("back", "" if single or "face" in data else "3-3-6")
    row = dict.fromkeys(game.counter_columns, "")
    row |= {
        "id": data.get("id", name),
        "side": data.get("side") or side_of(name),
        "name": data.get("name", name.upper()),
        "full_name": data.get("name", name),
        "size": data.get("size", SIZES.get(kind, "brigade")),
        "type": kind,
        "corps": str(data.get("corps", "")),
        "entry": _cell(data.get("entry", "")),
        "source": "printed",
    }
    for field in ("reserve", "frozen", "entry_hexes"):
        if field in data:
            row[field] = _cell(data[field])
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


def _only(where: str, data: Mapping[str, Any], fields: set[str]) -> None:
    unknown = sorted(set(data) - fields)
    if unknown:
        raise CaseError(f"{where}: unknown {', '.join(unknown)}; known are {', '.join(sorted(fields))}")


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else ""
    return str(value)


def _csv(columns: Sequence[str], rows: list[dict[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


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
