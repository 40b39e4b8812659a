"""Any game for learners, as plainly as can be: choices are the listed legal actions, sight is the view in numbers.

A number of a choice means another action at every decision (`alphabet.name` says which), so this is for trying out a
game and for learners that look at the actions themselves; a family's own room is for learning.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from fronte.engine.decision import MOST_LISTED, Action
from fronte.engine.match import Match
from fronte.engine.notation import to_text
from fronte.engine.rules import Rules
from fronte.engine.view import View
from fronte.rl.alphabet import Alphabet
from fronte.rl.dialogue import Dialogue
from fronte.rl.room import Observation, Room, Sight

OF_A_FORCE = ("pieces", "known", "facing", "control")
"""For each force: how many pieces stand in a hex, how many of them the seat can name, one more than where the topmost
looks, and whether the force holds it."""


class ListedAlphabet(Alphabet):
    """The legal actions of the decision at hand, by their place in the list."""

    size = MOST_LISTED

    def __init__(self) -> None:
        self.listed: list[Action] = []
        self.remembered = self.spell

    def name(self, choice: int | None) -> str:
        """The action as a player would write it."""
        if choice is None or not 0 <= choice < len(self.listed):
            return repr(choice)
        return to_text(self.listed[choice])

    def spell(self, action: Action) -> tuple[int, ...]:
        if action not in self.listed:
            raise KeyError(self.name(None))
        return (self.listed.index(action),)


class PlainSight(Sight[Any]):
    """A view as planes and scalars. All that is in it is in the view, and much of the view is not in it."""

    def __init__(self, rules: Rules[Any], seat: int, state: Any) -> None:
        self.rules, self.seat = rules, seat
        grid = rules.grid
        left, top = min(grid.column), min(grid.row)
        self.shape = (max(grid.row) - top + 1, max(grid.column) - left + 1)
        self.cells = {
            name: (row - top, column - left) for name, row, column in zip(grid.ids, grid.row, grid.column, strict=True)
        }
        setting = rules.setting
        mine = [force for force, seat_ in setting.forces.items() if seat_ == rules.seats[seat]]
        self.forces = [*mine, *(force for force in setting.forces if force not in mine)]
        """One's own first, so that one network can play all seats."""
        self.plane_names = (
            "in play",
            "objective",
            *(f"{what} {k}" for k in range(len(self.forces)) for what in OF_A_FORCE),
        )
        self._printed = np.zeros((2, *self.shape), np.int16)
        for name in setting.extent or grid.ids:
            self._printed[(0, *self.cells[name])] = 1
        for name, worth in setting.objectives.items():
            self._printed[(1, *self.cells[name])] = worth
        self._tracks = [(track.name, track.force) for track in rules.view(state, seat).tracks]
        self.scalar_names = (
            *("turn", "own turn", "deciding"),
            *(f"track {name} {force}".rstrip() for name, force in self._tracks),
            *(f"decision {name}" for name in rules.choices),
        )

    def spaces(self) -> dict[str, spaces.Space[Any]]:
        bounds = np.iinfo(np.int16)
        return {
            "observation": spaces.Box(bounds.min, bounds.max, (len(self.plane_names), *self.shape), np.int16),
            "scalars": spaces.Box(bounds.min, bounds.max, (len(self.scalar_names),), np.int16),
        }

    def observe(self, state: Any, chosen: Sequence[int]) -> Observation:
        view = self.rules.view(state, self.seat)
        return {"observation": self._planes(view), "scalars": self._scalars(view)}

    def _planes(self, view: View) -> NDArray[np.int16]:
        planes = np.zeros((len(self.plane_names), *self.shape), np.int16)
        planes[:2] = self._printed
        first = {force: 2 + k * len(OF_A_FORCE) for k, force in enumerate(self.forces)}
        for piece in sorted(view.pieces, key=lambda piece: piece.order):
            cell = self.cells.get(piece.at)
            if cell is None or piece.force not in first:
                continue
            at = first[piece.force]
            planes[(at, *cell)] += 1
            planes[(at + 1, *cell)] += bool(piece.id)
            planes[(at + 2, *cell)] = 0 if piece.facing is None else 1 + piece.facing
        for force, hexes in view.control.items():
            for name in hexes:
                if name in self.cells and force in first:
                    planes[(first[force] + 3, *self.cells[name])] = 1
        return planes

    def _scalars(self, view: View) -> NDArray[np.int16]:
        stage, seat = view.stage, self.rules.seats[self.seat]
        kinds = [stage.decision == name for name in self.rules.choices]
        tracks = [view.track(name, force) for name, force in self._tracks]
        return np.array([stage.turn, stage.active == seat, stage.decides == seat, *tracks, *kinds], np.int16)


class PlainRoom(Room[Any]):
    """Any game."""

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules
        self.alphabet: ListedAlphabet = ListedAlphabet()
        state = Match.begin(rules, bytes(32)).state
        self.sights = [PlainSight(rules, seat, state) for seat in range(len(rules.seats))]

    def begin(self, match: Match) -> None:
        """Nothing is remembered."""

    def played(self, match: Match) -> None:
        """Nothing is remembered."""

    def dialogue(self, match: Match) -> Dialogue:
        return self._one_of(list(islice(match.legal(), MOST_LISTED)))

    def _one_of(self, actions: list[Action]) -> Dialogue:
        self.alphabet.listed = actions
        chosen = yield list(range(len(actions)))
        return actions[chosen]
