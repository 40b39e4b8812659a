"""Tiny boards and beginnings of cases for Caporetto 1917.

A counter that has the id of a printed one is as that; any other has what its class usually has. What else a case says
of the beginning goes by the names of a position (`position.TABLE`).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Frame
from fronte.engine.pack import Pack
from fronte.engine.view import View
from fronte.games.caporetto import actions, command, flamethrowers, position
from fronte.games.caporetto.counters import COLUMNS, PIECE, SCENARIOS
from fronte.games.caporetto.headquarters import ACTION
from fronte.games.caporetto.printed import ELIMINATED
from fronte.games.caporetto.scenarios import MAJORITY
from fronte.games.caporetto.seating import active_seat
from fronte.games.caporetto.sequence import PHASES
from fronte.games.caporetto.state import MASKS, State, begin, forget_zones, put
from fronte.games.caporetto.terrain import AHG, COMMON, HEX_COLUMNS, ITALIAN, LEFT, RIGHT, SIDE_COLUMNS, SIDES
from fronte.games.caporetto.values import BRIDGE, FORCE, HEX, mask, printed_names
from fronte.games.common.tiny import CaseError, board_toml, hexes_csv, hexsides_csv, only, tiny_grid, units_csv
from fronte.hexes import Grid, bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

DATA = Path(__file__).parent / "data"
NATION = {"it": "italian", "ah": "ah", "de": "german"}
"""What the name of a counter begins with."""
USUAL_CLASS = {"it": "iL", "ah": "aG", "de": "gL"}
COMPANIES = ("gW", "gX", "gP", "aT", "aP", "iM", "iE", "iP")
GUNS = ("light", "medium", "heavy", "bombarda")
BATTALION = {"size": "bn", "cf": 4, "mg": 2, "cf2": 2, "mg2": 1, "morale": 5, "ma": 6, "steps": 2}
GERMAN = BATTALION | {"mg": 8, "cf2": 3, "mg2": 6, "steps": 4}
COMPANY = {"size": "co", "cf": 1, "mg": 1, "cf2": "", "mg2": "", "morale": 5, "ma": 6, "steps": 1}
GUN = {"morale": 5, "ma": 4, "factor": 8, "range": 8}
HEADQUARTERS = {"initiative": 3, "command": 5}
PRINTED = (
    *("class", "size", "corps", "division", "formation", "regiment", "cf", "mg", "cf2", "mg2", "morale", "ma", "steps"),
    *("factor", "range", "initiative", "command", "traits", "wing", "name"),
)
OF_SETUP = ("begins", "worn", "entry", "arrives")
"""24.8, 5.1: where it begins in the set-up, perhaps reduced; where and when it comes in."""
IN_PLAY = ("at", "dp", "lost", "marks", "limbered", "bearer")
LAST = 8
KEPT = ("source", "rule", "seats", "forces", "sectors", "victory", "levels", "logistics", "first_turn", "title")
"""What a tiny board takes over of the printed scenarios."""
STEPS = {
    "react": ("react_step",),
    "complete": ("complete",),
    "counter": ("assault_step", 1),
    "counter_defend": ("defend_step", 1),
    "counter_declare": ("counter_step",),
    "assault": ("assault_step", 0),
    "defend": ("defend_step", 0),
    "bombard": ("bombard_step",),
    "move": ("act",),
}
"""4.0-7: the steps of an action from the last to the first, with their frames."""
ACTIVATE, PREPARE = "activate", "prepare"
"""Before an action, and its beginning: headquarters, attachments and guns."""
ROWS = {row.key: row for row in position.TABLE if row.key != "step"}
STARTS = frozenset(["turn", "phase", "active", "step", "hq", "down", *ROWS])


# Files


def files(board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The files of a pack for a tiny board and its counters."""
    grid = tiny_grid(board)
    held = _fronts(board, grid)
    sector = _sectors(board, grid)
    base = {"terrain": board.get("terrain", "clear"), "level": board.get("level", 3)}

    def fill_hex(name: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
        areas = {"control": held[name], "sector": sector[name], "scenario3": True, "scenario4": True}
        whole = {**base, **areas, **data}
        flag = whole.get("flag", "")
        return {"control27": whole["control"], "flag3": flag, "flag4": flag, **whole}

    entries = _Entries(grid, board, held, sector)
    counters = {name: data for name, data in units.items() if not _is_made(name, units)}
    return {
        "board.toml": board_toml(grid) + _sight(board),
        "hexes.csv": hexes_csv(board, grid, HEX_COLUMNS, fill_hex),
        "hexsides.csv": hexsides_csv(board, SIDE_COLUMNS, SIDE_COLUMNS[2:-1], lambda name, data: data),
        "units.csv": units_csv(
            _with_headquarters(counters),
            COLUMNS,
            (*PRINTED, *OF_SETUP, *IN_PLAY),
            lambda n, data: _line(n, data, entries),
        ),
        "scenarios.toml": _scenarios(board),
    }


def _sight(board: Mapping[str, Any]) -> str:
    """12.1.1.e1: the hexsides to which places are drawn."""
    told = board.get("sight", {})
    return "[sight]\n" + "".join(f"{name} = {_inline(sides)}\n" for name, sides in told.items()) if told else ""


def _fronts(board: Mapping[str, Any], grid: Grid) -> dict[str, str]:
    """24.8: whose side of the front each hex is. Both sides have one at least: the first hex is AHG's and the last
    Italian if nothing else is said."""
    usual = str(board.get("control", SIDES[ITALIAN]))
    told = board.get("hex", {})
    held = {name: str(told.get(name, {}).get("control", usual)) for name in grid.ids}
    for side, corner in ((AHG, grid.ids[0]), (ITALIAN, grid.ids[-1])):
        if SIDES[side] not in held.values():
            held[corner] = SIDES[side]
    return held


def _sectors(board: Mapping[str, Any], grid: Grid) -> dict[str, str]:
    """24.3: the sector of each hex: what is said of it, or of a part of the board by its first and last hex, else the
    left one."""
    found = dict.fromkeys(grid.ids, LEFT)
    for sector, span in board.get("sectors", {}).items():
        found |= dict.fromkeys(tiny_grid({"span": span}).ids, str(sector))
    return found | {name: str(data["sector"]) for name, data in board.get("hex", {}).items() if "sector" in data}


class _Entries:
    """5.1: the hexes in which counters of each side and wing could come in."""

    def __init__(
        self, grid: Grid, board: Mapping[str, Any], held: Mapping[str, str], sector: Mapping[str, str]
    ) -> None:
        told = board.get("hex", {})
        self.free = [(name, held[name], sector[name]) for name in grid.ids if not told.get(name, {}).get("out_of_play")]

    def hex(self, side: str, wing: str) -> str:
        """One in which a counter may come in; 24.1: the Italian left wing stands in the right sector."""
        sector = wing if side == SIDES[AHG] else LEFT if wing == RIGHT else RIGHT
        fitting = [name for name, owner, there in self.free if owner == side and there in (sector, COMMON)]
        return next(iter(fitting or [name for name, owner, _ in self.free if owner == side]))


def _scenarios(board: Mapping[str, Any]) -> str:
    """The scenarios as they are printed, over eight turns and without what names places; `board.scenario` says more."""
    lines = []
    for name, data in Pack([DATA]).toml("scenarios.toml").items():
        told = {key: data[key] for key in KEPT if key in data}
        told |= {"number": 1 if data.get("sectors") else 2, "turns": [1, LAST]}
        if data["victory"] == MAJORITY:
            objectives = dict(board.get("objectives", {}))
            told |= {"held": SIDES[ITALIAN], "objectives": objectives, "needed": sum(objectives.values()) // 2 + 1}
        told |= board.get("scenario", {})
        lines += [f"[{name}]", *(f"{key} = {_inline(value)}" for key, value in told.items())]
    return "\n".join(lines) + "\n"


def _inline(value: Any) -> str:
    """A value as TOML has it on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f'"{key}" = {_inline(one)}' for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else '"' + str(value).replace('"', '\\"') + '"'


# Counters


@cache
def _printed_rows() -> Mapping[str, Mapping[str, str]]:
    with (DATA / "units.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def _is_made(name: str, units: Mapping[str, Mapping[str, Any]]) -> bool:
    """21.10: is it a company that a battalion of the case has detached, and no counter of its own?"""
    battalion, piece, number = name.rpartition(f"-{PIECE}")
    return bool(piece) and number.isdigit() and battalion in units


def _nation(name: str) -> str:
    if name[:3] not in ("it-", "ah-", "de-"):
        raise CaseError(f"units.{name}: a name begins with it-, ah- or de-")
    return name[:2]


def _usual(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """What a counter has of which a case does not say it: as printed, or as its class has it."""
    printed = _printed_rows().get(name)
    if printed is not None and "class" not in data:
        return {field: printed[field] for field in PRINTED if printed[field]}
    nation = _nation(name)
    kind = str(data.get("class", USUAL_CLASS[nation]))
    usual: dict[str, Any]
    if kind == "hq":
        usual = HEADQUARTERS
    elif kind == "gF":
        usual = {"ma": 6, "formation": f"{nation}-alfa"}
    elif kind in GUNS:
        usual = GUN | ({"ma": 0} if "group" in str(data.get("traits", "")) else {})
    else:
        base = COMPANY if kind in COMPANIES else GERMAN if nation == "de" else BATTALION
        usual = base | {"formation": f"{nation}-alfa"}
        if data.get("steps") == 1:
            usual |= {"cf2": "", "mg2": ""}
    return {"class": kind, **usual}


def _values(name: str, data: Mapping[str, Any]) -> dict[str, Any]:
    return _usual(name, data) | {field: value for field, value in data.items() if field in PRINTED}


def _with_headquarters(units: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """2.2.3: every formation has a headquarters; of whom a case says nothing it is a usual one."""
    found = dict(units)
    values = {name: _values(name, data) for name, data in units.items()}
    led = {one["formation"] for one in values.values() if one["class"] == "hq"}
    for one in values.values():
        formation = str(one.get("formation", ""))
        if formation and formation not in led and one["class"] != "hq":
            led.add(formation)
            same = {field: one[field] for field in ("division", "corps", "wing") if one.get(field)}
            printed = _printed_rows().get(f"{formation}-hq")
            if printed is None:
                found[f"{formation}-hq"] = {"class": "hq", "formation": formation, **same}
            else:
                found[f"{formation}-hq"] = {}
    return found


def _line(name: str, data: Mapping[str, Any], entries: _Entries) -> dict[str, Any]:
    """The line of a counter. It is there in all scenarios, still to come unless it `begins` somewhere."""
    values = _values(name, data)
    side = SIDES[ITALIAN] if _nation(name) == "it" else SIDES[AHG]
    wing = str(values.get("wing") or (LEFT if side == SIDES[AHG] else RIGHT))
    if values["class"] == "hq":
        cell = "hq"
    elif "begins" in data:
        cell = f"{data['begins']}{' r' if data.get('worn') else ''}"
    else:
        cell = f"{data.get('entry') or entries.hex(side, wing)} GT{data.get('arrives', LAST)}"
    shown = {"side": side, "nation": NATION[_nation(name)], "full_name": name, "name": name}
    return shown | values | {"wing": wing} | dict.fromkeys(SCENARIOS, cell)


# The beginning


def state_of(rules: Caporetto, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> State:
    """The counters where a case puts them, and what else it says; in turn 5, when the weather is clear, if no turn is
    named. Who is put nowhere is still to come; on the printed board those of whom nobody speaks are out of play."""
    state = begin(rules, b"")
    state.turn = 5
    for unit, name in enumerate(rules.ids):
        if name not in units and state.at[unit] >= 0:
            put(rules, state, unit, ELIMINATED)
    state.bearers = ()  # whom they were assigned to in the set-up is gone
    _place(rules, state, units)
    _change(rules, state, start)
    _lay(rules, state, start)
    return state


def change(rules: Caporetto, state: State, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
    """The printed scenario with what a case changes in it; without `phase` or `step` it goes on from its set-up."""
    _place(rules, state, units)
    _change(rules, state, start)
    if "phase" in start or "step" in start:
        _lay(rules, state, start)


def _place(rules: Caporetto, state: State, units: Mapping[str, Mapping[str, Any]]) -> None:
    for name, data in units.items():
        here = f"units.{name}"
        only(here, data, (*PRINTED, *OF_SETUP, *IN_PLAY))
        unit, bit = rules.find_unit(name), 1 << rules.find_unit(name)
        if "at" in data:
            at = rules.read_where(str(data["at"]))
            if rules.hqs & bit:
                state.at[unit] = at
            else:
                put(rules, state, unit, at)
        state.dp[unit] = int(data.get("dp", state.dp[unit]))
        state.lost[unit] = int(data.get("lost", state.lost[unit]))
        if data.get("limbered"):
            state.emplaced &= ~bit
        for mark in data.get("marks", ()):
            if mark not in MASKS:
                raise CaseError(f"{here}.marks: {mark!r} is none of {', '.join(MASKS)}")
            setattr(state, mark, getattr(state, mark) | bit)
    for one in bits(rules.flamethrowers):
        if state.at[one] < 0:
            continue
        bearer = units.get(rules.ids[one], {}).get("bearer")
        if bearer is not None:
            state.bearers = tuple(sorted({**dict(state.bearers), one: rules.find_unit(bearer)}.items()))
        elif flamethrowers.bearer(state, one) < 0:
            flamethrowers.take_up(rules, state, one)


def _change(rules: Caporetto, state: State, start: Mapping[str, Any]) -> None:
    names = printed_names(rules)
    state.turn = int(start.get("turn", state.turn))
    if "active" in start:
        state.active = FORCE.read(names, start["active"], "start.active")
    if "control" not in start:
        _hold(rules, state)
    for key, row in ROWS.items():
        if key in start:
            position.take_up(names, state, row, start[key])
    if isinstance(start.get("control"), Mapping):  # whoever is not named holds what he held
        for force, name in enumerate(rules.scene.forces):
            if name not in start["control"]:
                state.control[force] = rules.empty.control[force]
    state.standing &= ~mask(BRIDGE).read(names, start.get("down", []), "start.down")
    forget_zones(state)


def _hold(rules: Caporetto, state: State) -> None:
    """23.1: who stands in a hex holds it."""
    for unit in bits(rules.combat):
        if state.at[unit] >= 0:
            bit = 1 << state.at[unit]
            state.control = [held & ~bit for held in state.control]
    for unit in bits(rules.combat):
        if state.at[unit] >= 0:
            state.control[rules.force[unit]] |= 1 << state.at[unit]


def _lay(rules: Caporetto, state: State, start: Mapping[str, Any]) -> None:
    """The frames: of a phase, which begins; or in the action phase of a step."""
    state.frames = [Frame("next_phase", AUTO)]
    phase, step = str(start.get("phase", "action")), str(start.get("step", ""))
    if phase not in PHASES[1:]:
        raise CaseError(f"start.phase is {phase!r}, none of {', '.join(PHASES[1:])}")
    if phase != "action":
        if step:
            raise CaseError("start.step is a step of an action, and goes with no phase but that of actions")
        state.phase = PHASES[PHASES.index(phase) - 1]
        return
    if not step:
        state.phase = PHASES[PHASES.index(phase) - 1]
        return
    state.phase = phase
    if step == ACTIVATE:
        state.step = step
        state.frames += [Frame("next_action", AUTO), Frame("activate", active_seat(rules, state))]
        return
    if step != PREPARE and step not in STEPS:
        raise CaseError(f"start.step is {step!r}, none of {', '.join((ACTIVATE, PREPARE, *reversed(STEPS)))}")
    _act(rules, state, start, step)


def _act(rules: Caporetto, state: State, start: Mapping[str, Any], step: str) -> None:
    """4.0-7: an action of `formations` that has come to a step. All of them are in command, and the guns of `pool` and
    the units of `attachments` with them; with `hq`, the hex of the headquarters, only whom it reaches."""
    names = printed_names(rules)
    acting = state.formations
    if not acting:
        raise CaseError("start.formations: an action is of some formation")
    state.active = rules.formations[acting[0]].force
    kept = {name: getattr(state, name) for name in ROWS_OF_ACTION}
    marked = {name: getattr(state, name) for name in MASKS}
    state.frames.append(Frame("next_action", AUTO))
    depth = len(state.frames)
    actions.begin_action(rules, state, state.kind or ACTION, acting, [])
    if step == PREPARE:
        return
    for name, value in (*kept.items(), *marked.items()):
        setattr(state, name, value)
    while len(state.frames) > depth and (state.frames[-1].name, *state.frames[-1].args) != STEPS[step]:
        state.frames.pop()
    state.step = step
    at = HEX.read(names, start["hq"], "start.hq") if "hq" in start else -1
    state.reach = state.reach or (command.reach(rules, state, acting[0], at) if at >= 0 else rules.ground.extent)
    for _, units in state.attachments:
        state.attached |= units
    for formation in acting:
        hq = rules.formations[formation].hq
        if at >= 0:
            state.at[hq] = at
        for unit in command.members(rules, state, formation):
            state.commanded |= (state.reach >> state.at[unit] & 1) << unit
    state.commanded |= state.attached


ROWS_OF_ACTION = (
    *("pool", "attachments", "aims", "leftovers", "reach", "assaults", "supports", "advanced", "launched", "fallen"),
    *("flanked", "mover", "left", "steps"),
)
"""What beginning an action forgets and a case may have said."""


def facts(rules: Caporetto, view: View) -> dict[str, Any]:
    """22.3: what a seat knows, and under `covered` by hex what it sees of those it cannot name."""
    covered: dict[str, list[Any]] = {}
    for piece in view.pieces:
        if not piece.id:
            covered.setdefault(piece.at, []).append(piece.values["covered"])
    return view.facts() | view.family | {"covered": covered}
