"""Positions of Caporetto: the state as readable data that can be written by hand, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.state import State


def write(rules: Caporetto, state: State) -> dict[str, Any]:
    """The state as readable data."""
    raise NotImplementedError


def read(rules: Caporetto, data: Mapping[str, Any]) -> State:
    """The state that such data describe."""
    raise NotImplementedError


def broken(rules: Caporetto, state: State) -> list[str]:
    """What no game can have."""
    return []
