"""Playouts: an imagined state is played on, with steady deciding for both sides, and without a match around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from random import Random
from typing import Any

from fronte.ai.steady import policy
from fronte.ai.steady.weights import Weights
from fronte.engine import flow
from fronte.engine.decision import CHANCE, Action
from fronte.engine.event import Event
from fronte.games.inferno.movement import End
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State

STRATA = 8
"""So many successive playouts share out all ways that a throw can fall among them."""
FALLS = {n: sorted(product(range(1, 7), repeat=n), key=lambda dice: (sum(dice), dice)) for n in (1, 2)}
"""All ways that one or two dice can fall, from the lowest sum on."""


class Nobody(list[Event]):
    """Where the events of a playout go: nobody reads them."""

    def append(self, event: Event) -> None:
        """Forget it."""

    def extend(self, events: Iterable[Event]) -> None:
        """Forget them."""

    def __iadd__(self, events: Iterable[Event]) -> Nobody:  # type: ignore[misc, override]
        return self


NOBODY = Nobody()


class Luck:
    """The dice of one playout, which fall by what they are thrown for and not by how many were thrown before.

    So whatever two plans have in common meets the same luck in both, and of successive playouts one has good luck where
    another has bad, in fair shares for every throw (Latin hypercube sampling).
    """

    def __init__(self, seed: str, number: int) -> None:
        self.block, self.place = divmod(number, STRATA)
        self.seed = seed
        self.rng = Random(f"{seed} {number}")
        self.thrown: dict[object, int] = {}

    def throw(self, dice: int, what: object = None) -> tuple[int, ...]:
        """The next throw for this; 8.3: of three dice the first two count together, the third by itself."""
        again = self.thrown[what] = self.thrown.get(what, 0) + 1
        rng = Random(f"{self.seed} {self.block} {what} {again}")
        fallen: tuple[int, ...] = ()
        while dice:
            together = FALLS[min(2, dice)]
            shares = [(place + rng.random()) / STRATA for place in rng.sample(range(STRATA), STRATA)]
            fallen += together[int(shares[self.place] * len(together))]
            dice -= min(2, dice)
        return fallen


class Playout:
    """One way in which things may go on from an imagined state, which it changes."""

    def __init__(self, rules: Inferno, state: State, weights: Mapping[int, Weights], luck: Luck) -> None:
        self.rules, self.state, self.luck = rules, state, luck
        self.weights = dict(weights)

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return not self.state.frames

    def act(self, action: Action) -> None:
        """Carry out a legal action and all that follows by itself."""
        rules, state = self.rules, self.state
        flow.act(rules, state, action, NOBODY)
        while state.frames and state.frames[-1].seat == CHANCE:
            frame, battle = state.frames[-1], state.battle
            what = state.turn, state.active, frame.name, frame.args, -1 if battle is None else battle.target
            flow.fall(rules, state, self.luck.throw(rules.chances[frame.name].dice, what), NOBODY)

    def carry_out(self, moves: Iterable[Action]) -> None:
        """A Movement Phase by these moves, those left out that have become impossible, up to its end."""
        for move in moves:
            self._interrupts()
            if self.over:
                return
            if policy.is_legal(self.rules, self.state, move):
                self.act(move)
        self._interrupts()
        if not self.over:
            self.act(End())

    def _interrupts(self) -> None:
        """Answer what comes up in the middle of a move."""
        while not self.over and self.state.frames[-1].name != "movement":
            self._decide()

    def _decide(self) -> None:
        state = self.state
        side = state.frames[-1].seat
        self.act(policy.decide(self.rules, state, side, self.luck.rng, self.weights[side]))

    def go_on(self, turns: int, after: Mapping[int, Weights]) -> None:
        """To the end of this player turn and so many more; `after` are the weights that hold from the next turn on."""
        state = self.state
        now: tuple[Any, ...] = state.turn, state.active
        while not self.over:
            if (state.turn, state.active) != now:
                if turns == 0:
                    return
                turns -= 1
                now = state.turn, state.active
                self.weights = dict(after)
            frame = state.frames[-1]
            if frame.name == "movement":
                moves = policy.movement(self.rules, state, frame.seat, self.weights[frame.seat])
                self.carry_out(answer.action for answer in moves)
            else:
                self._decide()
