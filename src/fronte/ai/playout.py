"""Playouts: an imagined state is played on, a policy deciding for all seats, and without a match around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic

from fronte.ai.luck import Luck
from fronte.ai.policy import PLANNED, I, Policy, S, is_legal
from fronte.engine import flow
from fronte.engine.decision import CHANCE, Action
from fronte.engine.event import Event

REPLANS = 10
"""How often the rest of a plan is planned anew after dice have fallen."""


class Discarded(list[Event]):
    """Where the events of a playout go: nobody reads them."""

    def append(self, event: Event) -> None:
        """Forget it."""

    def extend(self, events: Iterable[Event]) -> None:
        """Forget them."""

    def __iadd__(self, events: Iterable[Event]) -> Discarded:  # type: ignore[misc, override]
        return self


DISCARDED = Discarded()


class Playout(Generic[S, I]):
    """One way in which things may go on from an imagined state, which it changes."""

    def __init__(self, policy: Policy[S, I], state: S, intents: Mapping[int, I], luck: Luck) -> None:
        self.policy, self.rules, self.state, self.luck = policy, policy.rules, state, luck
        self.intents = dict(intents)
        """What each seat means to do."""
        self.stretch = policy.stretch(state)

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return not self.state.frames

    def act(self, action: Action) -> None:
        """Carry out a legal action and all that follows by itself."""
        rules, state = self.rules, self.state
        flow.act(rules, state, action, DISCARDED)
        while state.frames and state.frames[-1].seat == CHANCE:
            dice = rules.chances[state.frames[-1].name].dice
            flow.fall(rules, state, self.luck.throw(dice, self.policy.occasion(state)), DISCARDED)

    def carry_out(self, moves: Iterable[Action], seat: int) -> None:
        """A seat's planned decisions of this stretch, those left out that have become impossible, up to its end."""
        rest, plans = iter(moves), 0
        while self.is_next(seat):
            move = next(rest, None)
            if move is None:
                self.act(self.policy.close(self.state, seat).action)
                return
            if not is_legal(self.rules, self.state, move):
                continue
            self.act(move)
            if isinstance(move, self.policy.fateful) and plans < REPLANS and self.is_next(seat):
                plans += 1
                rest = self._unfolded(seat)

    def is_next(self, seat: int) -> bool:
        """Is a planned decision of this seat next, once all is answered that comes up in between?"""
        policy, state = self.policy, self.state
        while state.frames and policy.stretch(state) == self.stretch:
            if state.frames[-1].seat == seat and policy.way(state) == PLANNED:
                return True
            self._go_on()
        return False

    def _go_on(self) -> None:
        """By one decision, or by all that are planned together."""
        policy, state = self.policy, self.state
        seat = state.frames[-1].seat
        if policy.way(state) == PLANNED:
            self.carry_out(self._unfolded(seat), seat)
        else:
            self.act(policy.decide(state, seat, self.intents[seat], self.luck.rng))

    def _unfolded(self, seat: int) -> Iterator[Action]:
        """What a seat does by its intent from here on; it is asked here and now about the state as it is."""
        answers = self.policy.unfold(self.state, seat, self.intents[seat])
        return (answer.action for answer in answers)

    def go_on(self, stretches: int, after: Mapping[int, I]) -> None:
        """To the end of this stretch and so many more; `after` are the intents that hold from the next on."""
        policy, state = self.policy, self.state
        while not self.over:
            now = policy.stretch(state)
            if now != self.stretch:
                self.stretch = now
                if stretches == 0:
                    return
                stretches -= 1
                self.intents = dict(after)
            self._go_on()
