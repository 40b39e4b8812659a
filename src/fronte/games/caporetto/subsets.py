"""Decisions that name some of several units, or nobody: who comes in, who repairs, who recovers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec

from fronte.engine import panel
from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.games.caporetto.state import State

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

T = TypeVar("T")
LIKELY = 0.7
"""How often a player by chance names all of them: as people do where it costs nothing."""


def listed(found: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """All of them first, since that is what people mostly want, then smaller sets before larger ones."""
    yield tuple(found)
    for size in range(len(found)):
        yield from combinations(found, size)


def drawn(found: Sequence[T], rng: Random, fits: Callable[[tuple[T, ...]], bool]) -> tuple[T, ...]:
    """All of them or some; where they do not fit, as many of the first in a random order as do."""
    if rng.random() < LIKELY and fits(tuple(found)):
        return tuple(found)
    order = rng.sample(range(len(found)), rng.randint(0, len(found)))
    while order and not fits(tuple([found[n] for n in sorted(order)])):
        order.pop()
    return tuple([found[n] for n in sorted(order)])


class Some(Action, frozen=True):
    """Some units of a force; nobody, if none is named."""

    units: tuple[str, ...] = ()


class SomeUnits(Choice["Caporetto", State]):
    """One answer for all: any of those who are able, in any number that fits. The force is the frame's first word."""

    verb: ClassVar[type[Some]]
    panel = panel.SUBSET

    @abstractmethod
    def able(self, rules: Caporetto, state: State, force: int) -> list[int]:
        """Those of whom it is asked."""

    @abstractmethod
    def why_not_able(self, rules: Caporetto, state: State, force: int, unit: int) -> Refusal:
        """Why another unit is not one of them."""

    def why_too_many(self, rules: Caporetto, state: State, force: int, units: Sequence[int]) -> Refusal | None:
        """Why these, each of whom is able, cannot all be named."""
        return None

    @abstractmethod
    def carry_out(self, rules: Caporetto, state: State, force: int, units: Sequence[int], out: list[Event]) -> None:
        """They do it."""

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        (force,) = frame.args
        for units in listed(self.able(rules, state, force)):
            if self.why_too_many(rules, state, force, units) is None:
                yield self.verb(rules.unit_ids(units))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        (force,) = frame.args

        def fits(units: tuple[int, ...]) -> bool:
            return self.why_too_many(rules, state, force, units) is None

        return self.verb(rules.unit_ids(drawn(self.able(rules, state, force), rng, fits)))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Some)
        (force,) = frame.args
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        able = self.able(rules, state, force)
        for unit in units:
            if unit not in able:
                strange = rules.force[unit] != force
                data = {"unit": rules.ids[unit]}
                return Refusal("24.1", "not_yours", data) if strange else self.why_not_able(rules, state, force, unit)
        return self.why_too_many(rules, state, force, units)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Some)
        state.frames.pop()
        self.carry_out(rules, state, frame.args[0], sorted(rules.known(action.units)), out)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        """Any set may be named; the answers listed are all of them, if that fits, and nobody."""
        (force,) = frame.args
        able = self.able(rules, state, force)
        whole = [able] if self.why_too_many(rules, state, force, able) is None else []
        actions = [msgspec.to_builtins(self.verb(rules.unit_ids(units))) for units in (*whole, ())]
        shape = {"verb": self.verb.__struct_config__.tag, "field": "units", "pieces": list(rules.unit_ids(able))}
        return {"actions": actions, "more": True, "free": True, **shape}

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"force": rules.scene.forces[frame.args[0]]}
