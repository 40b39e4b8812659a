"""What an action has changed: found by comparing a state with what it was, so that nothing need be worked out twice."""

from __future__ import annotations

from itertools import compress
from operator import ne
from typing import Any, NamedTuple

from fronte.games.inferno.battle import Battle
from fronte.games.inferno.state import MOV, ON_TOP, RESERVE, STRUCK, State, fighting

COLUMNS = ("at", "steps", "ce", "supply", "flags")


_PAINTED = MOV | ON_TOP | RESERVE | STRUCK
"""Flags that can change how a hex looks to somebody."""


class Changes(NamedTuple):
    """What has changed, as masks."""

    units: int
    """The units of which anything has."""
    shown: int
    """Those of which more has than flags that show in no hex."""
    hexes: int
    """The hexes that may look different to somebody."""


class Watch:
    """Remembers a state and says what has changed since it looked last."""

    def __init__(self, state: State) -> None:
        slots = [slot for kind in type(state).__mro__ for slot in getattr(kind, "__slots__", ())]
        self._columns: dict[str, list[int]] = {name: list(getattr(state, name)) for name in COLUMNS}
        self._all = range(len(state.at))
        self._battle: Battle | None = state.battle
        self._fighting = fighting(state)
        self._more = {slot: _fixed(getattr(state, slot)) for slot in slots if slot not in State.__slots__}
        self.version = 0
        """Counts the changes of what only this game has in its state: bridges, points and the like."""

    def look(self, state: State) -> Changes:
        """What has changed since the last look."""
        units = shown = hexes = 0
        columns, at, was_at = self._columns, state.at, self._columns["at"]
        for name in COLUMNS:
            new: list[int] = getattr(state, name)
            old = columns[name]
            if new == old:
                continue
            columns[name] = new[:]
            for unit in compress(self._all, map(ne, new, old)):
                bit = 1 << unit
                units |= bit
                if name == "flags":
                    changed = new[unit] ^ old[unit]
                    if not changed & _PAINTED:
                        continue
                shown |= bit
                if at[unit] >= 0:
                    hexes |= 1 << at[unit]
                if was_at[unit] >= 0:
                    hexes |= 1 << was_at[unit]
        if state.battle is not self._battle:
            now_fighting = fighting(state)
            for unit in (*self._fighting, *now_fighting):
                if at[unit] >= 0:
                    hexes |= 1 << at[unit]
            self._battle, self._fighting = state.battle, now_fighting
        for slot, known in self._more.items():
            value = getattr(state, slot)
            if value != known:
                self._more[slot] = _fixed(value)
                self.version += 1
        return Changes(units, shown, hexes)


def _fixed(value: Any) -> Any:
    """A value that later changes leave alone."""
    if isinstance(value, dict):
        return dict(value)
    return list(value) if isinstance(value, list) else value
