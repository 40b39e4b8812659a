"""How far back a match can go: a few states on the way, the rest is played again from the record.

What can be taken back has no throw in it, so the actions of the record give the same states again. However many
actions there are, only so many states are kept, further apart the more there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from fronte.engine import flow
from fronte.engine.record import Entry
from fronte.engine.rules import Rules, S

MOST_KEPT = 32
"""How many states are kept at most."""
APART = 4
"""How many actions lie between two of them at first: to play a few again takes less than to copy every state."""


class Undo:
    """The actions that can be taken back: those of one seat since something last happened that stays."""

    def __init__(self) -> None:
        self.seat = -1
        self.number = 0
        """How many actions can be taken back."""
        self._states: dict[int, Any] = {}
        """States before actions, by how many actions could be taken back then."""
        self._every = APART

    @property
    def kept(self) -> int:
        """How many states are kept."""
        return len(self._states)

    def close(self) -> None:
        """From now on nothing before this can be taken back."""
        self.seat, self.number, self._every = -1, 0, APART
        self._states.clear()

    def before(self, seat: int, state: Any) -> None:
        """A seat is about to act in this state."""
        if seat != self.seat:
            self.close()
            self.seat = seat
        if self.number % self._every == 0:
            self._states[self.number] = state.copy()

    def done(self) -> None:
        """The action can be taken back."""
        self.number += 1
        if len(self._states) > MOST_KEPT:
            self._every *= 2
            self._states = {number: state for number, state in self._states.items() if number % self._every == 0}

    def back(self, rules: Rules[Any], entries: Sequence[Entry]) -> tuple[Any, int]:
        """The state before the last action that can be taken back, and the place of that action in the record."""
        places = []
        for place in range(len(entries) - 1, -1, -1):
            if "order" not in entries[place].action:
                places.append(place)
                if len(places) == self.number:
                    break
        places.reverse()
        goal = self.number - 1
        start = goal - goal % self._every
        state = self._states[start]
        if start == goal:
            del self._states[start]
        else:
            state = state.copy()
        for number in range(start, goal):
            _replay(rules, state, entries[places[number]].action)
        self.number = goal
        return state, places[goal]


def _replay(rules: Rules[S], state: S, data: dict[str, Any]) -> None:
    verbs = rules.choices[state.frames[-1].name].verbs
    verb = next(verb for verb in verbs if verb.__struct_config__.tag == data.get("do"))
    flow.act(rules, state, msgspec.convert(data, verb), [])
