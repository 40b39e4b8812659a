"""The frames of the probe game, each declared once: on what it can lie, who does it, and whose secrets it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Frame
from fronte.engine.frames import GROUND, NUMBER, Argument, Declared, anybody, by_chance, by_itself, open_to_all
from fronte.games.common.positions import HEX, HEXES, UNIT, UNITS, WORD

from .board import COMMAND, FORCES
from .state import GONE, State

if TYPE_CHECKING:
    from .game import Probe

MOST = 64
"""More pieces than can ever be on the field."""
PIECE = Argument("piece", UNIT)


def _mover(rules: Probe, state: State, frame: Frame) -> int:
    """The hits of a piece decide whether it can go on, and only its owner knows them."""
    return COMMAND[rules.force(state, frame.args[0])]


def _victim(rules: Probe, state: State, frame: Frame) -> int:
    """Whether a piece falls depends on the hits it has, which its owner knows."""
    target = frame.args[1] if frame.name == "snap_die" else state.stacks[frame.args[1]][-1]
    return COMMAND[rules.force(state, target)]


def _other_plan(rules: Probe, state: State, frame: Frame) -> int:
    """The second seat plans last, so what it has not known until now is the first one's plan."""
    return 0


def _known_piece(rules: Probe, state: State, frame: Frame) -> str:
    """A frame is about a piece that there is."""
    number = frame.args[0]
    return "" if number < len(state.at) else f"there is no piece {number}"


def _window(rules: Probe, state: State, frame: Frame) -> str:
    """3.5: before a hex or after it."""
    found = _known_piece(rules, state, frame)
    return found or ("" if frame.args[1] in ("before", "after") else "a window is before a hex or after it")


def _in_play(rules: Probe, state: State, frame: Frame) -> str:
    """A frame is about a piece on the field."""
    found = _known_piece(rules, state, frame)
    return found or ("" if state.at[frame.args[0]] != GONE else "the piece is out of play")


def _on(names: str) -> frozenset[str]:
    return frozenset(names.split())


FRAMES = {
    declared.name: declared
    for declared in (
        Declared("open_plans", frozenset((GROUND,)), by_itself, _other_plan, phases=("plan",)),
        Declared("plan", _on("open_plans plan"), anybody, open_to_all, once=False, phases=("plan",)),
        Declared("activate", frozenset((GROUND,)), anybody, open_to_all, phases=("action",)),
        Declared("next_seat", frozenset((GROUND,)), by_itself, open_to_all, phases=("action",)),
        Declared(
            "act",
            _on("next_seat"),
            anybody,
            open_to_all,
            (Argument("force", NUMBER, 0, len(FORCES) - 1),),
            phases=("action",),
        ),
        Declared(
            "march",
            _on("act"),
            by_itself,
            _mover,
            (PIECE, Argument("path", HEXES, 0, 20), Argument("asked", NUMBER, 0, 1)),
            _in_play,
        ),
        Declared(
            "react",
            _on("march act"),
            anybody,
            open_to_all,
            (PIECE, Argument("when", WORD), Argument("spent", UNITS, 0, MOST)),
            _window,
        ),
        Declared("snap_die", _on("react"), by_chance, _victim, (PIECE, Argument("target", UNIT)), _in_play),
        Declared("fire_dice", _on("act"), by_chance, _victim, (PIECE, Argument("target", HEX)), _in_play),
    )
}
