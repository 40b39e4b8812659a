"""Positions of the probe game: written in names, and read with every field checked before anything is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fronte.engine.frames import faults, read_frame, write_frame
from fronte.engine.given import PositionError, flag, listed, said, table, text, whole, word

from .board import COMMAND, FORCES
from .state import GONE, State, place

if TYPE_CHECKING:
    from .game import Probe

FIELDS = ("game", "turn", "phase", "active", "units", "made", "plans", "done", "passed", "left")
FIELDS += ("outcome", "frames", "rolled", "forced")
UNIT_FIELDS = ("at", "facing", "height", "hits", "column", "acted")
PHASES = ("plan", "action", "end")
OUTCOMES = ("", "time", "farm")
MOST_DICE = 10**6
OUT_OF_PLAY = "gone"


def write(rules: Probe, state: State) -> dict[str, Any]:
    """All of a state, readable."""

    def argument(kind: str, value: Any) -> Any:
        if kind == "hex":
            return rules.grid.ids[value]
        if kind == "hexes":
            return list(rules.hex_ids(value))
        if kind == "piece":
            return rules.id_of(state, value)
        if kind == "pieces":
            return [rules.id_of(state, piece) for piece in value]
        return value

    return {
        "game": rules.game,
        "turn": state.turn,
        "phase": state.phase,
        "active": rules.seats[state.active],
        "units": {rules.id_of(state, piece): _unit(rules, state, piece) for piece in range(len(state.at))},
        "made": [[name, FORCES[force]] for name, force in state.made],
        "plans": [FORCES[plan] if plan >= 0 else "" for plan in state.plans],
        "done": [force for number, force in enumerate(FORCES) if state.done >> number & 1],
        "passed": [seat for number, seat in enumerate(rules.seats) if state.passed >> number & 1],
        "left": state.left,
        "outcome": state.outcome,
        "frames": [write_frame(rules.frames, frame, argument) for frame in state.frames],
        "rolled": state.rolled,
        "forced": list(state.forced),
    }


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
    data = table(given, "", FIELDS, FIELDS)
    word(data["game"], "game", (rules.game,))
    state = State()
    state.turn = whole(data["turn"], "turn", 1, rules.last_turn)
    state.phase = word(data["phase"], "phase", PHASES)
    state.active = rules.seats.index(word(data["active"], "active", rules.seats))
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
    state.outcome = word(data["outcome"], "outcome", OUTCOMES)
    state.rolled = whole(data["rolled"], "rolled", 0, MOST_DICE)
    state.forced = tuple(whole(die, "forced", 1, 6) for die in listed(data["forced"], "forced", 1000))
    _read_frames(rules, state, data["frames"])
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
    names = [rules.id_of(state, piece) for piece in range(len(state.at))]
    units = table(value, "units", names, names)
    there: dict[int, dict[int, int]] = {}
    for piece, name in enumerate(names):
        place_ = f"units.{name}"
        unit = table(units[name], place_, UNIT_FIELDS, ("at",))
        if unit["at"] == OUT_OF_PLAY:
            table(unit, place_, ("at",))
            continue
        h = _hex(rules, unit["at"], f"{place_}.at")
        state.facing[piece] = whole(unit.get("facing"), f"{place_}.facing", 0, 5)
        state.hits[piece] = whole(unit.get("hits", 0), f"{place_}.hits", 0, rules.most_hits - 1)
        state.column[piece] = flag(unit.get("column", False), f"{place_}.column")
        state.acted[piece] = flag(unit.get("acted", False), f"{place_}.acted")
        height = whole(unit.get("height"), f"{place_}.height", 0, len(names))
        if there.setdefault(h, {}).setdefault(height, piece) != piece:
            raise PositionError(f"{place_}.height: another piece lies at {height} in {unit['at']}")
    for h, stack in there.items():
        if [*sorted(stack)] != [*range(len(stack))]:
            raise PositionError(f"units: the heights in {rules.grid.ids[h]} leave gaps")
        for height in sorted(stack):
            place(state, stack[height], h)


def _hex(rules: Probe, value: Any, place_: str) -> int:
    name = text(value, place_)
    if name not in rules.grid.index or not rules.extent >> rules.grid.index[name] & 1:
        raise PositionError(f"{place_}: {said(name)} is no hex of the field")
    return rules.grid.index[name]


def _read_frames(rules: Probe, state: State, value: Any) -> None:
    known = {rules.id_of(state, piece): piece for piece in range(len(state.at))}

    def argument(kind: str, found: Any, place_: str) -> Any:
        if kind == "hex":
            return _hex(rules, found, place_)
        if kind == "hexes":
            return tuple(_hex(rules, name, place_) for name in listed(found, place_, 64))
        if kind == "piece":
            return known[word(found, place_, known)]
        if kind == "pieces":
            return tuple(known[word(name, place_, known)] for name in listed(found, place_, len(known)))
        if kind == "when":
            return word(found, place_, ("before", "after"))
        return whole(found, place_, 0, 99)

    for number, frame in enumerate(listed(value, "frames", 64)):
        state.frames.append(read_frame(rules.frames, frame, f"frames[{number}]", argument))


def broken(rules: Probe, state: State) -> list[str]:
    """What is impossible about a state, each with its place."""
    found = []
    for piece, at in enumerate(state.at):
        name = rules.id_of(state, piece)
        if at != GONE and piece not in state.stacks.get(at, ()):
            found.append(f"units.{name}: it is missing from its stack")
        if at != GONE and not 0 <= state.hits[piece] < rules.most_hits:
            found.append(f"units.{name}: it has {state.hits[piece]} hits (4)")
    for h, stack in state.stacks.items():
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
