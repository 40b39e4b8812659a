"""10: where units can go, by which way, and why a path cannot be walked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fronte.engine.decision import Refusal
from fronte.games.caporetto import marching, movement
from fronte.games.caporetto.marching import left_of, manner_of
from fronte.games.caporetto.movement import Going, Manner, Reached
from fronte.games.caporetto.state import State
from fronte.games.caporetto.tables import WHOLE_ALLOWANCE

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto


class Ways(NamedTuple):
    """Where units can go: by hex what they have left there, and the way."""

    left: dict[int, int]
    before: dict[int, int]

    def way(self, h: int) -> list[int]:
        """The hexes to be entered, in order."""
        path = [h]
        while path[-1] in self.before:
            path.append(self.before[path[-1]])
        return path[-2::-1]

    def named(self, ids: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """The ways to all hexes in printed numbers: each is the way to the hex before, and one step more."""
        known: dict[int, tuple[str, ...]] = {}

        def way(h: int) -> tuple[str, ...]:
            if h not in known:
                prior = self.before[h]
                known[h] = (*way(prior), ids[h]) if prior in self.before else (ids[h],)
            return known[h]

        return map(way, self.left)


def reach(rules: Caporetto, state: State, units: Sequence[int], start: int = -1, spent: int = 0) -> list[Reached]:
    """10, 10.3.2: where units can go by the cheapest way; strategically first, where they may."""
    found = []
    if marching.may_be_strategic(rules, state, units):
        left = left_of(rules, state, units, strategic=True) - spent
        found.append(movement.spread(rules, state, units, left, manner_of(state, units, strategic=True), start))
    left = left_of(rules, state, units) - spent
    if left > 0:
        found.append(movement.spread(rules, state, units, left, manner_of(state, units), start))
    return found


def ways(rules: Caporetto, state: State, units: Sequence[int]) -> list[Ways]:
    """The same, each hex once: by the way that leaves most."""
    found: list[Ways] = []
    seen: set[int] = set()
    for one in reach(rules, state, units):
        found.append(Ways({h: left for h, left in one.left.items() if h not in seen}, one.before))
        seen |= one.left.keys()
    return found


class Walked(msgspec.Struct, frozen=True):
    """What a path leads to: what is left at its end, or why it cannot be walked."""

    left: int
    refusal: Refusal | None = None


def walk(rules: Caporetto, state: State, units: Sequence[int], path: Sequence[int], across: bool) -> Walked:
    """10.0, 10.0.3, 10.1.1, 10.3.2: can these units go along a path? Who stays away from enemies goes twice as far."""
    if marching.may_be_strategic(rules, state, units):
        manner = manner_of(state, units, across, strategic=True)
        found = _walk(rules, state, units, path, left_of(rules, state, units, strategic=True), manner)
        if found.refusal is None:
            return found
    return _walk(rules, state, units, path, left_of(rules, state, units), manner_of(state, units, across))


def single_steps(
    rules: Caporetto, state: State, units: Sequence[int], hexes: Iterable[int]
) -> Iterator[tuple[int, Walked]]:
    """What `walk` says of the single step to each of these hexes; what does not hang on the hex is asked once."""
    efforts = (True, False) if marching.may_be_strategic(rules, state, units) else (False,)
    ready = []
    for strategic in efforts:
        going = movement.going(rules, state, units, manner_of(state, units, strategic=strategic))
        ready.append((left_of(rules, state, units, strategic), going))
    for h in hexes:
        for left, going in ready:
            walked = _along(rules, state, units, (h,), left, going)
            if walked.refusal is None:
                break
        yield h, walked


def _walk(
    rules: Caporetto, state: State, units: Sequence[int], path: Sequence[int], left: int, manner: Manner
) -> Walked:
    return _along(rules, state, units, path, left, movement.going(rules, state, units, manner))


def _along(
    rules: Caporetto, state: State, units: Sequence[int], path: Sequence[int], left: int, going: Going
) -> Walked:
    here, fresh, stopped = state.at[units[0]], marching.is_fresh(state, units), False
    for there in path:
        if stopped:
            rule = "10.1.1" if going.stops >> here & 1 else "24.10"
            return Walked(0, Refusal(rule, "stops_there", {"hex": rules.hex_id(here)}))
        step = marching.step(rules, state, units, here, there, left, going, fresh)
        if isinstance(step, Refusal):
            return Walked(0, step)
        left = 0 if step.paid == WHOLE_ALLOWANCE else left - step.paid
        stopped = movement.must_stop(rules, state, units, here, there, going)
        here, fresh = there, False
    return Walked(left)


def leg(rules: Caporetto, state: State, units: Sequence[int], path: Sequence[int], start: int, goal: int) -> list[int]:
    """The cheapest way from a hex to another; straight there, which is then refused, where there is none."""
    spent = 0
    if path:
        walked = walk(rules, state, units, path, across=False)
        if walked.refusal is not None:
            return [goal]
        strategic = marching.may_be_strategic(rules, state, units)
        spent = left_of(rules, state, units, strategic) - walked.left
    for found in reach(rules, state, units, start, spent):
        if goal in found.left:
            return Ways(found.left, found.before).way(goal)
    return [goal]
