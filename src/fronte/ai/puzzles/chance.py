"""The exact chance to reach a goal: every throw is counted in all its ways, and nothing is drawn.

What the other side answers, and what one's own side does after the throws, is what the policy of the game does (see
`Policy.pursuits`), so a chance is that of a line of play gone on with in this way. Where a position has more ways than
are counted, those left out are taken to fail, and the chance is one that is reached at least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from fronte.ai.playout import DISCARDED
from fronte.ai.policy import Policy, is_legal
from fronte.ai.puzzles.goals import Goal
from fronte.engine import flow
from fronte.engine.decision import CHANCE, Action
from fronte.engine.dice import outcomes

MOST_NODES = 40_000
"""So many falls of dice and decisions are counted at most."""
NEVER, SURE = Fraction(0), Fraction(1)
MUTABLE = (list, dict, set)
NOT_COMPARED = ("seed", "rolled", "forced")
"""Fields of a state that tell of the dice of the match, which are not asked here."""


class Tree:
    """All that may come of positions up to the end of an errand, for one goal of one seat. It keeps what it has found.

    A state that is given is left as it is.
    """

    def __init__(self, policy: Policy[Any, Any], seat: int, goal: Goal, start: Any, most: int = MOST_NODES) -> None:
        self.policy, self.rules = policy, policy.rules
        self.seat, self.goal, self.most = seat, goal, most
        self.errand = policy.errand(start)
        self.nodes = 0
        self.found: dict[Hashable, Fraction] = {}

    @property
    def whole(self) -> bool:
        """Has everything been counted?"""
        return self.nodes <= self.most

    def over(self, state: Any) -> bool:
        """Is the errand over, so that the goal is reached or missed?"""
        return not state.frames or (state.frames[-1].seat != CHANCE and self.policy.errand(state) != self.errand)

    def chance(self, state: Any) -> Fraction:
        """The chance from here on."""
        return self._chance(state.copy())

    def _chance(self, state: Any) -> Fraction:
        """The same; the state is used up."""
        while not self.over(state):
            self.nodes += 1
            if self.nodes > self.most:
                return NEVER
            frame = state.frames[-1]
            if frame.seat == CHANCE:
                return self._kept(state, self._thrown)
            tried = self._tried(state, frame.seat)
            if not tried:
                break
            if len(tried) > 1:
                return self._kept(state, lambda here, tried=tried: self._best(here, tried))
            flow.act(self.rules, state, tried[0], DISCARDED)
        return SURE if self.goal.reached(self.rules, state, self.seat) else NEVER

    def _tried(self, state: Any, seat: int) -> list[Action]:
        """What is answered: one thing by the other side; by one's own whatever is tried for the goal, if anything."""
        policy = self.policy
        if seat != self.seat:
            return [policy.reply(state, seat)]
        found = policy.pursuits(state, seat, self.rules.grid.index[self.goal.hex])
        return [action for action in dict.fromkeys(found) if is_legal(self.rules, state, action)]

    def _kept(self, state: Any, work: Any) -> Fraction:
        key = frozen(state)
        found = self.found.get(key)
        if found is None:
            found = work(state)
            if self.whole:
                self.found[key] = found
        return found

    def _best(self, state: Any, tried: list[Action]) -> Fraction:
        best = NEVER
        for action in tried:
            after = state.copy()
            flow.act(self.rules, after, action, DISCARDED)
            best = max(best, self._chance(after))
            if best == SURE:
                break
        return best

    def _thrown(self, state: Any) -> Fraction:
        """Every fall of the dice; those that come to the same state are followed once."""
        dice = self.rules.chances[state.frames[-1].name].dice
        counts: Counter[Hashable] = Counter()
        states: dict[Hashable, Any] = {}
        for fallen, ways in _alike(self.policy, dice):
            after = state.copy()
            flow.fall(self.rules, after, fallen, DISCARDED)
            key = frozen(after)
            counts[key] += ways
            states.setdefault(key, after)
        return sum((count * self._chance(states[key]) for key, count in counts.items()), NEVER) / sum(counts.values())


@lru_cache
def _alike(policy: Policy[Any, Any], dice: int) -> list[tuple[tuple[int, ...], int]]:
    """One of all falls that are alike in what is read off them, and how many there are of its kind."""
    kinds: dict[Hashable, list[tuple[int, ...]]] = {}
    for fallen in outcomes(dice):
        kinds.setdefault(policy.read_off(fallen), []).append(fallen)
    return [(falls[0], len(falls)) for falls in kinds.values()]


@lru_cache
def _fields(kind: Any) -> tuple[str, ...]:
    found = [name for one in kind.__mro__ for name in getattr(one, "__slots__", ())]
    return tuple(name for name in dict.fromkeys(found) if name not in NOT_COMPARED and not name.startswith("__"))


def frozen(state: Any) -> Hashable:
    """A state as a key: equal for equal positions."""
    kind: Any = type(state)
    names = _fields(kind) or tuple(name for name in vars(state) if name not in NOT_COMPARED)
    return tuple(_frozen(getattr(state, name)) for name in names)


def _frozen(value: Any) -> Hashable:
    if isinstance(value, list):
        return tuple(map(_frozen, value)) if value and isinstance(value[0], MUTABLE) else tuple(value)
    if isinstance(value, dict):
        return tuple((key, _frozen(one)) for key, one in value.items())
    if isinstance(value, bytearray):
        return bytes(value)
    return frozenset(value) if isinstance(value, set) else value
