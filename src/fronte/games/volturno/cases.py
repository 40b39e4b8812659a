"""Tiny boards and beginnings of cases for Volturno 1860."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, CHANCE, Frame
from fronte.engine.view import View
from fronte.games.common.tiny import CaseError, board_toml, hexes_csv, hexsides_csv, only, tiny_grid, units_csv
from fronte.games.volturno import actions, sequence, special
from fronte.games.volturno.command import check_command
from fronte.games.volturno.counters import COLUMNS, COMPASS, FORMATIONS, SIDE_OF, SIDES
from fronte.games.volturno.fog import LEVELS, MARKERS
from fronte.games.volturno.state import AWAY, LOST, MASKS, State, place, set_column
from fronte.games.volturno.terrain import HEX_COLUMNS, SIDE_COLUMNS
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

STARTS = frozenset(
    [
        "turn",
        "phase",
        "active",
        "formation",
        "row",
        "markers",
        "orders",
        "morale",
        "seen",
        "initiative",
        "passes",
        "control",
        "activated",
        "declare",
        "mover",
        "left",
        "stopped",
    ]
)
PRINTED = ("kind", "size", "formation", "strength", "cohesion", "ma", "stacking", "command", "name")
UNIT_FIELDS = ("at", "facing", "level", "marks")
DEFAULT_FORMATION = ("G16", "NG")
VALUES = {"line": 5, "light": 6, "cavalry": 8, "field_artillery": 6, "horse_artillery": 8}
SCENARIOS = """
[short]
source = "printed"
turns = 8
columns = [0, 99]
victory = "majority"
needed = 4
objectives = {{ {objectives} }}
zones = {{}}
[full]
source = "printed"
turns = 15
columns = [0, 99]
victory = "points"
levels = {{ garibaldian = 4, draw = 19 }}
objectives = {{ {objectives} }}
zones = {{}}
"""


def files(board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The files of a pack for a tiny board and its counters; a counter is of the side that its name begins with."""
    grid = tiny_grid(board)
    whole = _with_leaders(units)
    base = {"terrain": board.get("terrain", "clear"), "level": board.get("level", 0)}
    objectives = ", ".join(f"{name} = {vp}" for name, vp in board.get("objectives", {}).items())
    return {
        "board.toml": board_toml(grid),
        "hexes.csv": hexes_csv(board, grid, HEX_COLUMNS, lambda name, data: {**base, **data}),
        "hexsides.csv": hexsides_csv(board, SIDE_COLUMNS, SIDE_COLUMNS[2:-1], lambda name, data: data),
        "units.csv": units_csv(whole, COLUMNS, (*PRINTED, *UNIT_FIELDS), _counter),
        "scenarios.toml": SCENARIOS.format(objectives=objectives),
    }


def _formation(name: str, data: Mapping[str, Any]) -> str:
    if data.get("kind") == "cic":
        return ""
    return str(data.get("formation", DEFAULT_FORMATION[_side(name)]))


def _side(name: str) -> int:
    if name[:2] not in ("g-", "n-"):
        raise CaseError(f"units.{name}: a name begins with g- or n-")
    return "gn".index(name[0])


def _with_leaders(units: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """6: every formation has a commander; one of whom a case says nothing is with the first of its units."""
    found = dict(units)
    led = {_formation(name, data) for name, data in units.items() if data.get("kind") == "cdf"}
    for name, data in units.items():
        formation = _formation(name, data)
        if formation and formation not in led:
            led.add(formation)
            at = data.get("at", "waiting")
            found[f"{name[0]}-{formation.lower()}"] = {
                "kind": "cdf",
                "formation": formation,
                "at": at if at not in AWAY.values() else "waiting",
            }
    return found


def _counter(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    kind = str(data.get("kind", "line"))
    shown = {"side": SIDES[_side(name)], "name": data.get("name", name), "full_name": name, "kind": kind}
    shown["formation"] = _formation(name, data)
    if kind in ("cdf", "cic"):
        return shown | {"ma": 8, "command": data.get("command", 3), "at": data.get("at", "")}
    guns = kind.endswith("artillery")
    return shown | {
        "size": data.get("size", "battery" if guns else "regiment"),
        "strength": data.get("strength", 3),
        "cohesion": data.get("cohesion", 8),
        "ma": data.get("ma", VALUES.get(kind, 5)),
        "stacking": data.get("stacking", 1 if guns else 3),
        "at": data.get("at", ""),
        "facing": data.get("facing", "n"),
    }


def state_of(rules: Volturno, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> State:
    """The counters where a case puts them. `phase` is act (with a `formation`), activate, initiative, regroup or
    stragglers; by day if no turn is named."""
    state = State(len(rules.counters))
    state.turn = int(start.get("turn", 5))
    whole = {name: data for name, data in _with_leaders(units).items() if name in rules.number or name in units}
    for name, data in whole.items():
        put(rules, state, name, {field: value for field, value in data.items() if field in UNIT_FIELDS})
    for unit, name in enumerate(rules.ids):  # on the printed board those of whom nobody speaks are out of play
        if name not in whole and unit not in rules.leader_set:
            state.at[unit] = LOST
    _scalars(rules, state, start)
    phase = start.get("phase", "act")
    special.look_out(rules, state, [])
    if phase == "initiative":
        state.phase = "initiative"
        state.frames = [Frame("initiative_dice", CHANCE)]
        return state
    if "ooc" not in {mark for data in units.values() for mark in data.get("marks", ())}:
        check_command(rules, state, [])
    if phase in ("regroup", "stragglers"):
        state.phase = phase
        state.frames = [Frame("phase_c" if phase == "regroup" else "phase_d", AUTO, (0,))]
        return state
    state.phase = "activation"
    if phase == "activate":
        state.active = SIDES.index(start.get("active", SIDES[0]))
        state.frames = [Frame("next_go", AUTO), Frame("activate", state.active)]
    elif phase == "act":
        formation = FORMATIONS.index(start.get("formation", DEFAULT_FORMATION[0]))
        state.frames = [Frame("next_go", AUTO)]
        state.active = SIDE_OF[formation]
        state.seen |= 1 << formation if state.active == 0 else 0
        actions.begin(rules, state, formation, str(start.get("row", "")), [])
        if not start.get("declare", False):
            state.frames = [frame for frame in state.frames if frame.name != "declare"]
        _markers(rules, state, start)
    else:
        raise CaseError(f"start.phase is {phase!r}, none of act, activate, initiative, regroup, stragglers")
    return state


def _scalars(rules: Volturno, state: State, start: Mapping[str, Any]) -> None:
    state.initiative = SIDES.index(start.get("initiative", SIDES[0]))
    state.passes = int(start.get("passes", 0))
    state.stopped = bool(start.get("stopped", False))
    for field in ("orders", "morale"):
        for name, value in start.get(field, {}).items():
            getattr(state, field)[FORMATIONS.index(name)] = int(value)
    for field in ("seen", "activated"):
        for name in start.get(field, ()):
            setattr(state, field, getattr(state, field) | 1 << FORMATIONS.index(name))
    state.seen |= state.activated & mask_of(rules.formations[0])
    for side, hexes in start.get("control", {}).items():
        for h in hexes:
            state.control[SIDES.index(side)] |= 1 << rules.read_hex(h)
    for side in range(2):  # 1.3.p1: who stands in a hex holds it
        state.control[side] = (state.control[side] | state.occ[side]) & ~state.occ[1 - side]


def _markers(rules: Volturno, state: State, start: Mapping[str, Any]) -> None:
    """Markers are written as a table: hex, with the kind, the direction and the unit: `2312 = "assault n g-a"`;
    several in one hex with commas between them."""
    found = []
    for h, text in start.get("markers", {}).items():
        for kind, direction, unit in map(str.split, text.split(",")):
            found.append((MARKERS.index(kind), rules.read_hex(h), COMPASS.index(direction), rules.find_unit(unit)))
    state.markers = tuple(found)


def change(rules: Volturno, state: State, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
    """The printed scenario with what a case changes in it; `phase = "turn"` sets all up as it was and begins."""
    only("start", start, ("turn", "phase", "seen"))
    state.turn = int(start.get("turn", state.turn))
    if start.get("phase") == "turn":
        from fronte.games.volturno.scenarios import put as set_up

        for unit, counter in enumerate(rules.counters):
            set_up(rules, state, unit, rules.begins[unit], counter.facing, counter.column)
        state.frames.clear()
        for name, data in units.items():
            put(rules, state, name, data)
        for side in range(2):
            state.control[side] |= state.occ[side]
            state.control[1 - side] &= ~state.occ[side]
        _scalars(rules, state, {"seen": start.get("seen", ())})
        sequence.begin_turn(rules, state, [])
        return
    for name, data in units.items():
        put(rules, state, name, data)


def put(rules: Volturno, state: State, name: str, data: Mapping[str, Any]) -> None:
    """A counter where a case says, and how."""
    only(f"units.{name}", data, UNIT_FIELDS)
    unit = rules.find_unit(name)
    if "at" in data:
        at = rules.read_where(str(data["at"]))
        if unit in rules.leader_set:
            state.at[unit] = at
        else:
            place(state, unit, at, rules.side[unit])
    if "facing" in data:
        state.facing[unit] = COMPASS.index(data["facing"])
    state.level[unit] = LEVELS.index(data["level"]) if "level" in data else state.level[unit]
    for mark in data.get("marks", ()):
        if mark not in MASKS:
            raise CaseError(f"units.{name}.marks: {mark!r} is none of {', '.join(MASKS)}")
        setattr(state, mark, getattr(state, mark) | 1 << unit)
        if mark == "column":
            set_column(state, unit, rules.side[unit], True)


def facts(rules: Volturno, view: View) -> dict[str, Any]:
    """8.6, 8.6.1: what a seat knows, and under `strangers` by hex the backs of those it cannot name, with markers."""
    strangers: dict[str, list[dict[str, Any]]] = {}
    for piece in view.pieces:
        if not piece.id:
            marks = {"marks": list(piece.marks)} if piece.marks else {}
            strangers.setdefault(piece.at, []).append({**piece.values, **marks})
    return view.facts() | view.family | {"strangers": strangers}
