"""Moves that go hex by hex and can be interrupted, and the windows in which others react to them.

A move runs as a frame of its own. Where something interrupts it, what is owed first lies on top and the rest of the
move below (`rest_waits`); when its turn comes again, whoever wrote the move asks anew whether it still can go on.
Where somebody may react, a window is opened (`open_window`): a decision of the reacting side, which names one piece
after another in the order it likes (`react`) and then closes it. Whether a piece still can react is asked each time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fronte.engine.decision import AUTO, Frame
from fronte.engine.rules import State

# A move and its rest


def rest_waits(state: State, depth: int, name: str, *args: Any) -> bool:
    """If something was laid on the stack since it was so deep, put the rest of a move below it. True if it waits."""
    if len(state.frames) <= depth:
        return False
    lay_below(state, depth, name, *args)
    return True


def lay_below(state: State, depth: int, name: str, *args: Any) -> None:
    """Let the rules do something as soon as all is done that was laid on the stack since it was so deep."""
    state.frames.insert(depth, Frame(name, AUTO, args))


def forget_rest(state: State, name: str, piece: int) -> None:
    """A piece goes no further: what waits of its move, as frames of this name with the piece first, is dropped."""
    state.frames[:] = [frame for frame in state.frames if frame.name != name or frame.args[0] != piece]


# Windows


def open_window(state: State, name: str, seat: int, *about: Any) -> None:
    """Ask a seat whether it reacts. `about` comes back with each answer; after it come those that have reacted."""
    state.frames.append(Frame(name, seat, (*about, ())))


def unspent(window: Frame, pieces: Iterable[int]) -> list[int]:
    """Those of the pieces that could react now which have not yet reacted in this window."""
    spent = window.args[-1]
    return [piece for piece in pieces if piece not in spent]


def react(state: State, piece: int) -> None:
    """A piece reacts in the window on top: the window is asked again, without it, after what is laid upon it now."""
    window = state.frames.pop()
    *about, spent = window.args
    state.frames.append(Frame(window.name, window.seat, (*about, (*spent, piece))))
