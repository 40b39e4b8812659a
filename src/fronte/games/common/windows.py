"""Reaction windows: a move that others may answer before and after each of its steps.

A move runs as a frame of its own, hex by hex. Where somebody may react, `open_window` lays a decision on top; the frame
stays until it is closed, so that several pieces can react in the order their owner chooses. The rest of the move lies
below and goes on when the window is closed, if it still can: whoever wrote the move checks that again (`rest_waits`).
"""

from __future__ import annotations

from typing import Any

from fronte.engine.decision import AUTO, Frame


def open_window(state: Any, name: str, seat: int, *about: Any) -> None:
    """Ask a seat whether it reacts; `about` is what the window is about, and comes back with each answer."""
    state.frames.append(Frame(name, seat, about))


def rest_waits(state: Any, depth: int, name: str, *args: Any) -> bool:
    """If something was laid on the stack since it was so deep, put the rest of a move below it. True if it waits."""
    if len(state.frames) <= depth:
        return False
    state.frames.insert(depth, Frame(name, AUTO, args))
    return True
