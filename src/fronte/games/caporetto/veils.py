"""22: with fog of war, what happens is told to each seat without the names of units that it does not know.

Chapters tell events as if all lay open. Here every decision, throw and step of a ruleset is run with a list of its
own, and what it tells is veiled from whoever knew a unit neither before it nor after it.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import Choice, Frame
from fronte.engine.event import EVERYONE, Event
from fronte.engine.frames import ByName, Chance, Step
from fronte.games.caporetto.sightings import known
from fronte.games.caporetto.state import State

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

UNTOLD = ("dp", "left")
"""22.2: points of disorganisation now, and steps left, of units of somebody else."""


def step(run: Step) -> Step:
    """A step whose events are veiled."""

    def veiled_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
        before, told = _known(rules, state), list[Event]()
        run(rules, state, frame, told)
        out += veiled(rules, state, before, told)

    return veiled_step


def chance(one: Chance) -> Chance:
    """A throw whose events are veiled."""

    def fall(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
        before, told = _known(rules, state), list[Event]()
        one.fall(rules, state, frame, dice, told)
        out += veiled(rules, state, before, told)

    return Chance(one.dice, one.rules, fall)


def choice(one: Choice[Any, State]) -> Choice[Any, State]:
    """A decision whose events are veiled."""
    twin = copy.copy(one)

    def apply(rules: Caporetto, state: State, frame: Frame, action: Any, out: list[Event]) -> None:
        before, told = _known(rules, state), list[Event]()
        one.apply(rules, state, frame, action, told)
        out += veiled(rules, state, before, told)

    vars(twin)["apply"] = apply
    return twin


def every(kind: str, found: Mapping[str, Any], wrap: Any) -> ByName[Any]:
    """All frames of a kind, each veiled."""
    return ByName(kind, {name: wrap(run) for name, run in found.items()})


def _known(rules: Caporetto, state: State) -> list[int]:
    return [known(rules, state, seat) for seat in range(len(rules.seats))]


def veiled(rules: Caporetto, state: State, before: list[int], told: list[Event]) -> list[Event]:
    """Events as each seat may hear them: those who know all that are named hear all, the others no names."""
    if not told:
        return told
    now = [one | other for one, other in zip(before, _known(rules, state), strict=True)]
    return [_veiled(rules, now, event) for event in told]


def _veiled(rules: Caporetto, now: list[int], event: Event) -> Event:
    if event.seats != EVERYONE:
        return event
    named = [rules.number[name] for name in _names(event.data) if name in rules.number]
    strange = 0
    for seat, one in enumerate(now):
        strange |= (not all(one >> unit & 1 for unit in named)) << seat
    owners = {rules.scene.seat_of[rules.force[unit]] for unit in named}
    if any(key in event.data for key in UNTOLD):  # 22.2: for the owner alone, known or not
        strange |= sum(1 << seat for seat in range(len(now)) if owners - {seat})
    if not strange:
        return event
    hidden = {rules.ids[unit] for unit in named if not all(one >> unit & 1 for one in now)}
    data = {key: _without(value, hidden) for key, value in event.data.items() if key not in UNTOLD}
    everybody = (1 << len(now)) - 1
    return msgspec.structs.replace(event, seats=everybody & ~strange, veiled=data)


def _names(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [name for key, one in value.items() for name in (*_names(key), *_names(one))]
    if isinstance(value, list | tuple):
        return [name for one in value for name in _names(one)]
    return []


def _without(value: Any, hidden: set[str]) -> Any:
    """A value without some names."""
    if isinstance(value, str):
        return "" if value in hidden else value
    if isinstance(value, Mapping):
        return {key: _without(one, hidden) for key, one in value.items() if key not in hidden}
    if isinstance(value, list | tuple):
        return [_without(one, hidden) for one in value]
    return value
