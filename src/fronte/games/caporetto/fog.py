"""22, 7.2, 6.0: what each seat sees. Plans and logistic points are secret; with the option of 22 stacks are too."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from fronte.engine.view import View

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.state import State

ONLOOKER = -1


def view(rules: Caporetto, state: State, seat: int) -> View:
    """All that a seat may know."""
    raise NotImplementedError


def resample(rules: Caporetto, view: View, rng: Random) -> State:
    """A whole state that gives this view."""
    raise NotImplementedError


def imagine(rules: Caporetto, state: State, seat: int, rng: Random | None) -> State:
    """The same from the state itself."""
    raise NotImplementedError


def shuffle_hidden(rules: Caporetto, state: State, seat: int, rng: Random) -> State:
    """A state that differs only in what the seat may not know."""
    raise NotImplementedError
