"""Positions of the probe game: written in names, and read with every field checked before anything is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fronte.engine.frames import faults
from fronte.engine.given import PositionError, flag, listed, said, whole, word
from fronte.games.common import positions

from .board import COMMAND, FORCES
from .state import GONE, State, place

if TYPE_CHECKING:
    from .game import Probe

FIELDS = ("made", "plans", "done", "passed", "left")
REQUIRED = ("game", "turn", "phase", "active", "units", "frames", *FIELDS)
UNIT_FIELDS = ("at", "facing", "height", "hits", "column", "acted")
PHASES = ("plan", "action", "end")
OUTCOMES = ("", "time", "farm")
OUT_OF_PLAY = "gone"


def write(rules: Probe, state: State) -> dict[str, Any]:
    """All of a state, readable."""

    def name(piece: int) -> str:
        return rules.id_of(state, piece)

    more = {
        "made": [[name, FORCES[force]] for name, force in state.made],
        "plans": [FORCES[plan] if plan >= 0 else "" for plan in state.plans],
        "done": [force for number, force in enumerate(FORCES) if state.done >> number & 1],
        "passed": [seat for number, seat in enumerate(rules.seats) if state.passed >> number & 1],
        "left": state.left,
    }
    units = {name(piece): _unit(rules, state, piece) for piece in range(len(state.at))}

    return positions.write_position(
        rules, state, units, {}, more, lambda frame: positions.write_frame(rules, frame, name)
    )


def _unit(rules: Probe, state: State, piece: int) -> dict[str, Any]:
    at = state.at[piece]
    data: dict[str, Any] = {"at": rules.grid.ids[at] if at != GONE else OUT_OF_PLAY}
    if at != GONE:
        data |= {"facing": state.facing[piece], "height": state.stacks[at].index(piece)}
        data |= {"hits": state.hits[piece]} if state.hits[piece] else {}
        data |= {mark: True for mark in ("column", "acted") if getattr(state, mark)[piece]}
    return data


def read(rules: Probe, given: Mapping[str, Any]) -> State:
    """The state that a position describes; PositionError with the place of what cannot be."""
    return positions.read_position(rules, given, FIELDS, REQUIRED, lambda data: _read(rules, data))


def _read(rules: Probe, data: dict[str, Any]) -> State:
    state = State()
    positions.read_stage(rules, state, data, PHASES)
    if state.turn > rules.last_turn:
        raise PositionError(f"turn: the last is {rules.last_turn}")
    word(state.outcome, "outcome", OUTCOMES)
    _read_made(rules, state, data["made"])
    rules.blank_columns(state)
    _read_units(rules, state, data["units"])
    plans = listed(data["plans"], "plans", 2)
    if len(plans) != 2:
        raise PositionError("plans: each seat has one, or none yet")
    for seat, plan in enumerate(plans):
        theirs = [force for force, owner in zip(FORCES, COMMAND, strict=True) if owner == seat]
        state.plans[seat] = FORCES.index(plan) if word(plan, "plans", ("", *theirs)) else -1
    state.done = _mask(data["done"], "done", FORCES)
    state.passed = _mask(data["passed"], "passed", rules.seats)
    state.left = whole(data["left"], "left", 0, max(int(points) for points in rules.tables["points"].values()))

    def find(name: str) -> int:
        return rules.find(state, name)

    state.frames = positions.read_frames(data["frames"], lambda frame, at: positions.read_frame(rules, frame, at, find))
    return state


def _mask(value: Any, place_: str, names: tuple[str, ...]) -> int:
    """Some of these names, as a mask."""
    found = 0
    for name in listed(value, place_, len(names)):
        found |= 1 << names.index(word(name, place_, names))
    return found


def _read_made(rules: Probe, state: State, value: Any) -> None:
    """3.4: patrols have the names that they are given in play, in that order."""
    most = int(rules.tables["patrols"]["most"])
    counts = dict.fromkeys(FORCES, 0)
    for number, entry in enumerate(listed(value, "made", most * len(FORCES))):
        place_ = f"made[{number}]"
        parts = listed(entry, place_, 2)
        if len(parts) != 2:
            raise PositionError(f"{place_}: a patrol is its name and its force")
        force = word(parts[1], place_, FORCES)
        counts[force] += 1
        if counts[force] > most:
            raise PositionError(f"{place_}: {force} has more than {most} patrols (3.4)")
        name = word(parts[0], place_, (f"{force}-p{counts[force]}",))
        state.made.append((name, FORCES.index(force)))


def _read_units(rules: Probe, state: State, value: Any) -> None:
    there: dict[int, dict[int, int]] = {}
    found = set()
    for piece, h, here, unit in positions.read_units(rules, value, UNIT_FIELDS, lambda name: rules.find(state, name)):
        found.add(piece)
        if h == GONE:
            if len(unit) > 1:
                raise PositionError(f"{here}: it is out of play, and nothing else can be said of it")
            continue
        if not rules.extent >> h & 1:
            raise PositionError(f"{here}.at: {said(unit['at'])} is no hex of the field")
        state.facing[piece] = whole(unit.get("facing"), f"{here}.facing", 0, 5)
        state.hits[piece] = whole(unit.get("hits", 0), f"{here}.hits", 0, rules.most_hits - 1)
        state.column[piece] = flag(unit.get("column", False), f"{here}.column")
        state.acted[piece] = flag(unit.get("acted", False), f"{here}.acted")
        height = whole(unit.get("height"), f"{here}.height", 0, len(state.at))
        if there.setdefault(h, {}).setdefault(height, piece) != piece:
            raise PositionError(f"{here}.height: another piece lies at {height} in {unit['at']}")
    if len(found) < len(state.at):
        raise PositionError("units: some are missing")
    for h, stack in there.items():
        if [*sorted(stack)] != [*range(len(stack))]:
            raise PositionError(f"units: the heights in {rules.grid.ids[h]} leave gaps")
        for height in sorted(stack):
            place(rules, state, stack[height], h)


def broken(rules: Probe, state: State) -> list[str]:
    """What is impossible about a state, each with its place."""
    found = []
    for piece, at in enumerate(state.at):
        name = rules.id_of(state, piece)
        if at != GONE and piece not in state.stacks[at]:
            found.append(f"units.{name}: it is missing from its stack")
        if at != GONE and not 0 <= state.hits[piece] < rules.most_hits:
            found.append(f"units.{name}: it has {state.hits[piece]} hits (4)")
    for h, stack in enumerate(state.stacks):
        if len({COMMAND[rules.force(state, piece)] for piece in stack}) > 1:
            found.append(f"units: both sides are in {rules.grid.ids[h]} (3)")
        if len(stack) > int(rules.tables["stack"]["most"]):
            found.append(f"units: too many are in {rules.grid.ids[h]} (3)")
    if bool(state.outcome) != (state.phase == "end"):
        found.append("outcome: a game that is over is in no phase, and one in no phase is over (6)")
    if not state.frames and not state.outcome:
        found.append("frames: nobody owes a decision and the game is not over")
    if state.frames and state.outcome:
        found.append("frames: the game is over")
    return [*found, *_plans(state), *faults(rules.frames, rules, state)]


def _plans(state: State) -> list[str]:
    """1: a seat whose turn to plan is still to come has no plan; when forces act both are there."""
    owing = {frame.seat for frame in state.frames if frame.name == "plan"}
    if state.phase == "plan":
        wrong = [seat for seat in range(2) if (state.plans[seat] < 0) != (seat in owing)]
    else:
        wrong = [seat for seat in range(2) if state.plans[seat] < 0]
    return [f"plans: that of seat {seat} does not fit the {state.phase} phase (1)" for seat in wrong]
