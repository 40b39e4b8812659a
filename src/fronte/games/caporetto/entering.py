"""10.2.3, 12.3.8: a hex that nobody defends, or that was left, is entered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, anybody
from fronte.games.caporetto import (
    assault,
    losses,
    marching,
    seating,
    stacking,
)
from fronte.games.caporetto.assailants import (
    WAVE,
    attacker,
    clash_fault,
    declared,
)
from fronte.games.caporetto.state import State
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()


class Occupy(Action, frozen=True):
    """10.2.3: these units enter the hex that is empty."""

    form = "occupy with {units}"
    units: tuple[str, ...]


def enter_empty(rules: Caporetto, state: State, h: int, counter: int, out: list[Event]) -> None:
    """10.2.3, 12.3.1.e1: nobody is there to fight; who has declared the assault enters, up to the stacking limit."""
    units = declared(rules, state, h, counter)
    state.fought |= mask_of(units)
    if not state.occ[attacker(rules, state, counter)] >> h & 1 and units:
        go_in(rules, state, h, counter, units, out)


def go_in(rules: Caporetto, state: State, h: int, counter: int, units: tuple[int, ...], out: list[Event]) -> None:
    """10.2.3, 12.3.8, 21.4: these enter the hex, as many as it holds; of two with a flamethrower one stays where he is
    (ours). Where it can be done in several ways their player says who."""
    first, *more = islice(parties(rules, state, h, units), 2)
    if more:
        state.frames.append(Frame("occupy", seating.decides(rules, state, units), (h, counter, units)))
    else:
        advance(rules, state, first, h, out)


def parties(rules: Caporetto, state: State, h: int, units: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """10.2.3: the sets of these units that can enter a hex, to which none can be added."""
    if assault.why_not_enter(rules, state, h, units):
        found = stacking.largest(units, lambda party: not assault.why_not_enter(rules, state, h, party))
        yield from filter(None, found)
    else:
        yield tuple(units)


def _could_follow(rules: Caporetto, state: State, h: int, chosen: Sequence[int], units: Iterable[int]) -> bool:
    """10.2.3: is there room for another of these units besides those who enter?"""
    others = [unit for unit in units if unit not in chosen]
    return any(not assault.why_not_enter(rules, state, h, (*chosen, unit)) for unit in others)


def advance(rules: Caporetto, state: State, units: Iterable[int], h: int, out: list[Event]) -> None:
    """12.3.8, 18.3, 12.3.5.3: these enter the hex; guns on the move that are left alone there are captured at once,
    those in place at the end of the action."""
    units = [unit for unit in units if state.at[unit] >= 0]
    if not units:
        return
    assault.advance(rules, state, units, h, out)
    losses.capture(rules, state, h, 1 - rules.side[units[0]], out)
    marching.arrive(rules, state, units, h, out)


@CHAPTER.choice(on="assault_step storm", seats=anybody, takes=WAVE, fault=clash_fault)
class OccupyChoice(Choice["Caporetto", State]):
    """10.2.3, 12.3.8: who enters an empty hex that cannot hold all who have assaulted it."""

    name = "occupy"
    rules = ("10.2.3", "12.3.8", "21.4")
    verbs = (Occupy,)

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        h, _, able = frame.args
        for units in parties(rules, state, h, able):
            yield Occupy(rules.unit_ids(units))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        h, _, able = frame.args
        units = list(able)
        rng.shuffle(units)
        chosen: list[int] = []
        for unit in units:
            if not assault.why_not_enter(rules, state, h, (*chosen, unit)):
                chosen.append(unit)
        return Occupy(rules.unit_ids(sorted(chosen)))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Occupy)
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        h, _, able = frame.args
        if not set(units) <= set(able):
            return Refusal("10.2.3", "not_declared", {"hex": rules.grid.ids[h]})
        rule = assault.why_not_enter(rules, state, h, units)
        if rule:
            return Refusal(rule, "too_many_enter", {"hex": rules.grid.ids[h]})
        if not units or _could_follow(rules, state, h, units, able):
            return Refusal("10.2.3", "more_must_enter", {"hex": rules.grid.ids[h]})
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Occupy)
        state.frames.pop()
        advance(rules, state, rules.known(action.units), frame.args[0], out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"hex": rules.grid.ids[frame.args[0]]}
