"""How an action is asked for in small choices.

A dialogue is a generator: it yields the numbers that may be chosen next, is sent one of them, and returns the action
at the end. What it yields is never empty, every sequence of answers ends in a legal action, and every action that
`legal()` lists is spelled by exactly one sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence

from fronte.engine.decision import Action
from fronte.rl.alphabet import DONE, Alphabet

Dialogue = Generator[list[int], int, Action]
"""Yields what may be chosen, is sent the choice, returns the action."""


def listed(alphabet: Alphabet, actions: Iterable[Action], place: int = 0) -> Dialogue:
    """The dialogue of a decision whose legal actions can be listed: letter by letter towards one of them.

    `place` is the first letter that is asked for, where all are known to begin alike.
    """
    left = [(alphabet.remembered(action), action) for action in actions]
    while len(left) > 1:
        chosen = yield list(dict.fromkeys([spelled[place] for spelled, _ in left]))
        left = [entry for entry in left if entry[0][place] == chosen]
        place += 1
    return left[0][1]


def pick(
    items: Sequence[int],
    may_add: Callable[[list[int], int], bool] = lambda chosen, k: True,
    may_stop: Callable[[list[int]], bool] = lambda chosen: True,
) -> Generator[list[int], int, list[int]]:
    """Choose some of these numbers one at a time, in their order, until "done"; the places of those chosen.

    `may_add` says whether an item can follow those chosen, `may_stop` whether these are enough.
    """
    chosen: list[int] = []
    after = 0
    while True:
        open_ = [k for k in range(after, len(items)) if may_add(chosen, k)]
        choices = [items[k] for k in open_]
        if may_stop(chosen):
            choices.append(DONE)
        answer = yield choices
        if answer == DONE:
            return chosen
        chosen.append(open_[choices.index(answer)])
        after = chosen[-1] + 1
