"""What each seat sees: enemies show force, kind, facing and column; who they are and how they fare only next to one."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import Frame
from fronte.engine.view import Moving, Piece, Stage, Track, View
from fronte.games.common import positions

from .board import COMMAND, FORCES, KINDS
from .state import GONE, State, place

if TYPE_CHECKING:
    from .game import Probe

ONLOOKER = -1


def knows(rules: Probe, state: State, seat: int, piece: int) -> bool:
    """5: one's own pieces, those next to one's own, and the dead."""
    here = state.at[piece]
    if COMMAND[rules.force(state, piece)] == seat or here == GONE:
        return True
    if seat == ONLOOKER:
        return False
    return bool(rules.grid.ring[here] & state.occ[seat])


def name_of(rules: Probe, state: State, seat: int, piece: int) -> str:
    """How a seat names a piece: by its id, or as a piece in a hex."""
    if knows(rules, state, seat, piece):
        return rules.id_of(state, piece)
    return f"?{rules.grid.ids[state.at[piece]]}"


def view(rules: Probe, state: State, seat: int) -> View:
    """5: all that a seat may know."""
    frame = state.frames[-1] if state.frames else None
    hidden_plan = state.phase == "plan"
    plans = [state.plans[k] if k == seat or not hidden_plan else -1 for k in range(2)]
    moving = None
    march = next((frame for frame in reversed(state.frames) if frame.name == "march"), None)
    if march is not None and knows(rules, state, seat, march.args[0]):
        moving = Moving(rules.id_of(state, march.args[0]), state.left)
    return View(
        rules.header.game,
        rules.header.scenario,
        Stage(
            state.turn,
            state.phase,
            rules.seats[state.active] if state.phase == "action" else "",
            activation=next((FORCES[f.args[0]] for f in state.frames if f.name == "act"), ""),
            decides=rules.seats[frame.seat] if frame else "",
            decision=frame.name if frame else "",
            moving=moving,
        ),
        "" if seat == ONLOOKER else rules.seats[seat],
        tuple(_piece(rules, state, seat, piece) for piece in _ordered(rules, state, seat)),
        tracks=tuple(Track("strength", rules.strength(state, force), name) for force, name in enumerate(FORCES)),
        family={
            "plans": plans,
            "done": state.done,
            "passed": state.passed,
            "outcome": state.outcome,
            "given": [plan >= 0 for plan in state.plans],
            "made": [list(made) for made in state.made],
            "frames": [_shown(rules, state, seat, frame) for frame in state.frames],
        },
    )


def _shown(rules: Probe, state: State, seat: int, frame: Frame) -> list[Any]:
    """A frame in names; where an enemy means to go on to is for him to know."""
    found = positions.write_frame(rules, frame, lambda piece: _label(rules, state, seat, piece))
    if frame.name == "march" and rules.seat_of(state, frame.args[0]) != seat:
        found[2][1] = []
    return found


def _label(rules: Probe, state: State, seat: int, piece: int) -> str:
    """A piece by its id, or as the so-manieth in a hex."""
    if knows(rules, state, seat, piece):
        return rules.id_of(state, piece)
    here = state.at[piece]
    return f"?{rules.grid.ids[here]}.{state.stacks[here].index(piece)}"


def _ordered(rules: Probe, state: State, seat: int) -> list[int]:
    """In an order that tells nothing: by hex and height, one's own and known ones as well."""
    there = [piece for stack in state.stacks for piece in stack]
    return there + [piece for piece, at in enumerate(state.at) if at == GONE]


def _piece(rules: Probe, state: State, seat: int, piece: int) -> Piece:
    force, at = rules.force(state, piece), state.at[piece]
    mine = COMMAND[force] == seat
    if at == GONE:
        return Piece(FORCES[force], "gone", rules.id_of(state, piece), mine)
    known = knows(rules, state, seat, piece)
    values: dict[str, int | str] = {"kind": KINDS[rules.kind(state, piece)]}
    marks = ["column"] if state.column[piece] else []
    if known:
        values["hits"] = state.hits[piece]
    if mine and state.acted[piece]:
        marks.append("acted")
    return Piece(
        FORCES[force],
        rules.grid.ids[at],
        rules.id_of(state, piece) if known else "",
        mine,
        0,
        values,
        tuple(marks),
        state.facing[piece],
        state.stacks[at].index(piece),
    )


# A whole state that a seat cannot tell from the real one


def shuffle_hidden(rules: Probe, state: State, seat: int, rng: Random) -> State:
    """Pieces that the seat cannot tell apart change their names, hits and duties; a secret plan changes too."""
    twin = state.copy()
    unknown = [piece for piece in range(len(state.at)) if not knows(rules, state, seat, piece)]
    for one in unknown:
        kind = rules.force(state, one), rules.kind(state, one)
        alike = [other for other in unknown if (rules.force(state, other), rules.kind(state, other)) == kind]
        _swap(twin, one, rng.choice(alike))
        twin.hits[one] = rng.randrange(rules.most_hits)
    if state.phase == "plan" and state.plans[1 - seat] >= 0:
        twin.plans[1 - seat] = rng.choice([f for f, owner in enumerate(COMMAND) if owner == 1 - seat])
    return twin


def _swap(state: State, one: int, two: int) -> None:
    """Let two pieces change places in all that shows, and in what is being done with them."""
    columns: tuple[list[Any], ...] = (state.at, state.facing, state.column)
    for column in columns:
        column[one], column[two] = column[two], column[one]
    names = {one: two, two: one}
    for h in {state.at[one], state.at[two]}:
        state.stacks[h] = tuple(names.get(piece, piece) for piece in state.stacks[h])
    for place_, frame in enumerate(state.frames):
        if frame.name in ("march", "react", "snap_die", "fire_dice"):
            args = [names.get(frame.args[0], frame.args[0]), *frame.args[1:]]
            if frame.name == "react":
                args[2] = tuple(names.get(piece, piece) for piece in args[2])
            if frame.name == "snap_die":
                args[1] = names.get(args[1], args[1])
            state.frames[place_] = Frame(frame.name, frame.seat, tuple(args))


def resample(rules: Probe, known: View, rng: Random | None) -> State:
    """A whole state that gives this view: strangers are given names and hits."""
    seat = rules.seat_index(known.seat)
    state = State()
    state.turn, state.phase = known.stage.turn, known.stage.phase
    state.active = rules.seats.index(known.stage.active) if known.stage.active else 0
    family = known.family
    state.plans, state.done, state.passed = list(family["plans"]), family["done"], family["passed"]
    state.outcome = family["outcome"]
    if state.phase == "plan" and state.plans[1 - seat] < 0 and family["given"][1 - seat]:
        theirs = [force for force, owner in enumerate(COMMAND) if owner != seat]
        state.plans[1 - seat] = theirs[0] if rng is None else rng.choice(theirs)
    for name, force in family["made"]:
        state.made.append((name, force))
    rules.blank_columns(state)
    free: dict[tuple[int, int], list[int]] = {}
    named = {piece.id for piece in known.pieces if piece.id}
    for piece in range(len(state.at)):
        if rules.id_of(state, piece) not in named:
            free.setdefault((rules.force(state, piece), rules.kind(state, piece)), []).append(piece)
    for strangers in free.values():
        if rng is not None:
            rng.shuffle(strangers)
    for shown in known.pieces:
        _put(rules, state, shown, free, rng)
    state.frames = [
        positions.read_frame(rules, data, "frames", lambda label: _find(rules, state, label))
        for data in family["frames"]
    ]
    state.left = known.stage.moving.left if known.stage.moving else 0
    state.seed = b"" if rng is None else rng.randbytes(32)
    return state


def _put(rules: Probe, state: State, shown: Piece, free: dict[tuple[int, int], list[int]], rng: Random | None) -> None:
    if shown.id:
        piece = rules.find(state, shown.id)
    else:
        piece = free[FORCES.index(shown.force), KINDS.index(str(shown.values["kind"]))].pop()
    if shown.at == "gone":
        return
    state.facing[piece] = shown.facing or 0
    state.column[piece] = "column" in shown.marks
    state.acted[piece] = "acted" in shown.marks
    unknown = 0 if rng is None else rng.randrange(rules.most_hits)
    state.hits[piece] = int(shown.values.get("hits", unknown))
    place(rules, state, piece, rules.grid.index[shown.at])


def _find(rules: Probe, state: State, label: str) -> int:
    """The piece that a seat names so."""
    if not label.startswith("?"):
        return rules.find(state, label)
    hex_id, height = label[1:].split(".")
    return state.stacks[rules.grid.index[hex_id]][int(height)]
