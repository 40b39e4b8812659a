"""4.0: sequence of play. The phases of a turn, one after another, and its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.games.caporetto.state import State, begin

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
PHASES = (
    "setup",
    "reinforcement",
    "command",
    "engineering",
    "artillery",
    "action",
    "gun_movement",
    "movement",
    "supply",
)
"""4.0: those in which something is asked or done; initiative and weather are fixed (4.0-3, 4.0-4)."""


def start(rules: Caporetto, seed: bytes, out: list[Event]) -> State:
    """The first position, before set-up."""
    state = begin(rules, seed)
    state.frames = [Frame("next_phase", AUTO)]
    return state


@CHAPTER.step("4.0", on="ground", secrets=open_to_all)
def next_phase(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0: the next phase begins; what it asks lies above this frame."""
    raise NotImplementedError
