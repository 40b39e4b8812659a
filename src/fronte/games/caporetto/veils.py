"""22: what happens is told to each seat without the names of units that it does not know.

Chapters tell events as if all lay open. Here every decision, throw and step of a ruleset is run with a list of its
own, and what it tells is veiled from whoever knew a unit neither after it nor before the decision or the throw that led
to it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fronte.engine.decision import Choice, Frame
from fronte.engine.event import EVERYONE, Event
from fronte.engine.frames import ByName, Chance, Step
from fronte.games.caporetto.sightings import is_foggy, knows
from fronte.games.caporetto.state import State
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

UNTOLD = ("dp", "left")
"""Points of disorganisation now, and steps left: what a counter shows."""
READ_IN = ("column", "drm")
"""12.1.4, 12.2.9: of a fire: what it is read in tells how strong they are who fire, and at whom it is aimed."""
LISTS = (list, tuple)

UNHEARD = ("recovered",)
"""What nobody hears of who does not know the unit: it would tell how many are disorganised."""


def step(run: Step) -> Step:
    """A step whose events are veiled."""

    def veiled_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
        seen = rules.sighted.glimpse
        told: list[Event] = []
        before = seen[1] if seen is not None and seen[0] is state else glimpse(rules, state)
        run(rules, state, frame, told)
        if told:
            out += veiled(rules, before, state, told)

    return veiled_step


def chance(one: Chance) -> Chance:
    """A throw whose events are veiled."""

    def fall(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
        before = glimpse(rules, state)
        told: list[Event] = []
        one.fall(rules, state, frame, dice, told)
        if told:
            out += veiled(rules, before, state, told)

    return Chance(one.dice, one.rules, fall)


def choice(one: Choice[Any, State]) -> Choice[Any, State]:
    """A decision whose events are veiled."""
    twin = copy.copy(one)

    def apply(rules: Caporetto, state: State, frame: Frame, action: Any, out: list[Event]) -> None:
        before = glimpse(rules, state)
        told: list[Event] = []
        one.apply(rules, state, frame, action, told)
        if told:
            out += veiled(rules, before, state, told)

    vars(twin)["apply"] = apply
    return twin


def every(kind: str, found: Mapping[str, Any], wrap: Any) -> ByName[Any]:
    """All frames of a kind, each veiled."""
    return ByName(kind, {name: wrap(run) for name, run in found.items()})


def glimpse(rules: Caporetto, state: State) -> State:
    """A state as it is now, as far as it says who knows whom. It is kept for the steps that follow by themselves."""
    twin = State.__new__(State)
    twin.at, twin.lost, twin.stacks = state.at.copy(), state.lost.copy(), state.stacks
    state.stacks = twin.stacks.copy()  # a copy is without the gaps of hexes that were left, and quicker to copy again
    twin.occ, twin.guns, twin.turn = state.occ.copy(), state.guns.copy(), state.turn
    twin.emplaced, twin.working = state.emplaced, state.working
    if rules.scene.sectors:  # 24.3.start: who is asked about units of the other person sees them for that long
        twin.frames, twin.active, twin.phase, twin.step = state.frames.copy(), state.active, state.phase, state.step
        twin.retreated, twin.assaults, twin.supports = state.retreated, state.assaults, state.supports
    rules.sighted.glimpse = state, twin
    return twin


def veiled(rules: Caporetto, before: State, state: State, told: list[Event]) -> list[Event]:
    """Events as each seat may hear them: those who know all that are named hear all, the others no names."""
    strangers: dict[int, int] = {}
    found = []
    for event in told:
        named = _units(rules.number, event.data) if event.seats == EVERYONE else ()
        found.append(_veiled(rules, before, state, event, named, strangers) if named else event)
    return found


def _veiled(
    rules: Caporetto, before: State, state: State, event: Event, named: Sequence[int], strangers: dict[int, int]
) -> Event:
    """One event that names units; of each is kept who does not know it."""
    strange = 0
    for unit in named:
        if unit not in strangers:
            other = 1 - rules.sighted.seat[unit]
            is_known = knows(rules, state, other, unit) or knows(rules, before, other, unit)
            strangers[unit] = 0 if is_known else 1 << other
        strange |= strangers[unit]
    if not strange and not rules.sighted.is_foggy:
        return event
    everybody = (1 << len(rules.seats)) - 1
    if is_foggy(rules) and any(key in event.data for key in UNTOLD):  # 22.2: for the owner alone, known or not
        for unit in named:
            strange |= everybody & ~(1 << rules.sighted.seat[unit])
    if not strange:
        return event
    if event.kind in UNHEARD:
        return replace(event, seats=everybody & ~strange)
    public, apart = _share(rules, event, [unit for unit in named if strangers[unit]]), {}
    for seat in bits(strange) if is_foggy(rules) or strange & (strange - 1) else ():  # of one alone it is the same
        data = _share(rules, event, [unit for unit in named if strangers[unit] >> seat & 1])
        if data != public:
            apart[seat] = data
    return replace(event, seats=everybody & ~strange, veiled=public, apart=apart)


def _share(rules: Caporetto, event: Event, covered: Iterable[int]) -> dict[str, Any]:
    """What is told to who does not know these units."""
    hidden = {rules.ids[unit] for unit in covered}
    untold = UNTOLD + READ_IN if event.kind == "fired" else UNTOLD  # of an assault ratio and shifts are told (22.3)
    told = {key: _without(value, hidden) for key, value in event.data.items() if key not in untold}
    if "by" in told:  # nor how many of them fire
        told["by"] = [name for name in told["by"] if name]
    return told


def _units(number: Mapping[str, int], data: Mapping[str, Any]) -> list[int]:
    """The units that are named in what is told."""
    found: list[int] = []
    for value in data.values():
        kind = type(value)
        if kind is str:
            if value in number:
                found.append(number[value])
        elif kind is tuple or kind is list:
            for one in value:
                if type(one) is not str:
                    _find(number, one, found)
                elif one in number:
                    found.append(number[one])
        elif kind is not int and kind is not bool:
            _find(number, value, found)
    return found


def _find(number: Mapping[str, int], value: Any, found: list[int]) -> None:
    """Those in one value, however deep."""
    if isinstance(value, str):
        if value in number:
            found.append(number[value])
    elif isinstance(value, LISTS):
        for one in value:
            if type(one) is not str:
                _find(number, one, found)
            elif one in number:
                found.append(number[one])
    elif isinstance(value, dict):
        for key, one in value.items():
            _find(number, key, found)
            _find(number, one, found)


def _without(value: Any, hidden: set[str]) -> Any:
    """A value without some names."""
    if isinstance(value, str):
        return "" if value in hidden else value
    if isinstance(value, LISTS):
        return [_without(one, hidden) for one in value]
    if isinstance(value, dict):
        return {key: _without(one, hidden) for key, one in value.items() if key not in hidden}
    return value
