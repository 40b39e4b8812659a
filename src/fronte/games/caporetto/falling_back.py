"""12.3.5: retreats, unit by unit, and what meets them on the way.

A retreat begins with `give_way`, or with `go_home` for those whom a counter-assault drives out (12.3.5.6). Units that
go to the same hex go together if their owner likes: one fire at them, and one question. When all have gone, each group
may go a hex farther (12.3.5.7); what too many in a hex suffer comes at the end (11.6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.caporetto import marching, retreats, seating
from fronte.games.caporetto.retreats import CROWDED, NOWHERE, Setting, Ways
from fronte.games.caporetto.state import State
from fronte.games.common.positions import HEX, HEXES, UNIT, UNITS
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
MOST = 40
"""More units than are in a hex."""
AFTER = "after_assault storm"
"""What a retreat lies on."""
TAKES = (
    Argument("hex", HEX),
    Argument("sources", HEXES, 0, 6),
    Argument("empty", HEXES, 0, 6),
    Argument("closed", HEXES, 0, 6),
    Argument("units", UNITS, 0, MOST),
    Argument("gone", UNITS, 0, MOST),
    Argument("second", NUMBER, 0, 1),
)
"""The hex that is left and what was found around it when the first unit went (`retreats.Setting`), who is still to go
and who has gone, and whether it is the second hex."""


class Retreat(Action, frozen=True):
    """12.3.5: these units go to this hex."""

    form = "retreat {units} to {hex}"
    odds = True
    units: tuple[str, ...]
    hex: str


class Farther(Action, frozen=True):
    """12.3.5.7: those who have retreated to these hexes go one farther."""

    form = "farther from {hexes}"
    odds = True
    hexes: tuple[str, ...]


class Halt(Action, frozen=True):
    """12.3.5.7: nobody goes farther."""

    form = "halt"


# 12.3.5: one hex


def give_way(rules: Caporetto, state: State, units: Iterable[int], here: int, sources: int) -> None:
    """12.3.5: these units leave a hex that was assaulted out of those of `sources`."""
    units = tuple(units)
    if units:
        where = retreats.setting(rules, state, here, rules.side[units[0]], sources)
        state.frames.append(Frame("pull_back", AUTO, (*_written(rules, where), units, (), 0)))


def _written(rules: Caporetto, where: Setting) -> tuple[Any, ...]:
    near = rules.grid.ring[where.here]
    return where.here, *[tuple(bits(mask & near)) for mask in (where.sources, where.empty, where.closed)]


def _setting(frame: Frame) -> Setting:
    here, sources, empty, closed = frame.args[:4]
    return Setting(here, mask_of(sources), mask_of(empty), mask_of(closed))


def _fault(rules: Caporetto, state: State, frame: Frame) -> str:
    here, *around, units, gone, _ = frame.args
    near = rules.grid.ring[here]
    if any(not near >> h & 1 for hexes in around for h in hexes):
        return "it names a hex that is not next to that which is left"
    if any(state.at[unit] != here for unit in units) or len({rules.side[unit] for unit in units}) > 1:
        return "it names who is not there"
    return "" if set(gone).isdisjoint(units) else "who has gone is still to go"


@CHAPTER.step("12.3.5", on=f"{AFTER} retreat_over rout_die", secrets=open_to_all, takes=TAKES, fault=_fault)
def pull_back(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.5, 12.3.5.2: who has no hex to go to surrenders; the others choose, where they have a choice."""
    units, gone, second = frame.args[4:]
    where = _setting(frame)
    units = tuple([unit for unit in units if state.at[unit] == where.here])
    found = {unit: retreats.ways(rules, state, unit, where) for unit in units}
    for unit in units:
        if found[unit].letter == NOWHERE and not second:
            retreats.surrender(rules, state, unit, out)
    units = tuple([unit for unit in units if found[unit].letter != NOWHERE])
    args = (*frame.args[:4], units, gone, second)
    if not units:
        if not second:
            _look_farther(rules, state, where.here, gone)
        return
    first = found[units[0]].hexes
    to = next(bits(first))
    alone = first.bit_count() == 1 and all(found[unit].hexes == first for unit in units)
    if alone and why_not_together(rules, state, units, to, found) is None:
        _go(rules, state, args, units, to, out)
    else:
        state.frames.append(Frame("retreat_to", owner(rules, state, units[0]), args))


def owner(rules: Caporetto, state: State, unit: int) -> int:
    """12.3.5, 24.3.start: who decides for a unit that retreats."""
    return seating.decider(rules, state, unit)


def why_not_together(
    rules: Caporetto, state: State, units: Sequence[int], h: int, found: dict[int, Ways]
) -> Refusal | None:
    """12.3.5, 12.3.5.C: why these do not go to a hex together: one may not go there, or one of them would make it too
    full and has to look for another."""
    for unit in units:
        if not found[unit].hexes >> h & 1:
            return Refusal("12.3.5", "no_way_there", {"unit": rules.ids[unit], "hex": rules.grid.ids[h]})
    if len(units) == 1 or all(found[unit].letter == CROWDED for unit in units):
        return None
    one_player = len({rules.force[unit] for unit in units}) == 1
    if one_player and retreats.fit_together(rules, state, units, h):
        return None
    return Refusal("12.3.5.C", "no_room_together", {"hex": rules.grid.ids[h]})


def _go(rules: Caporetto, state: State, args: tuple[Any, ...], units: Sequence[int], to: int, out: list[Event]) -> None:
    """12.3.5, 12.3.5.4: these go; what the hex does to them comes first, then whoever may fire at them."""
    *around, waiting, gone, second = args
    here = around[0]
    rule = "12.3.5.7" if second else "12.3.5"
    there = tuple([unit for unit in units if retreats.retreat(rules, state, unit, to, out, rule)])
    rest = tuple([unit for unit in waiting if unit not in units])
    state.frames.append(Frame("pull_back", AUTO, (*around, rest, (*gone, *there), second)))
    _meet(rules, state, there, here, to, out)


def _meet(rules: Caporetto, state: State, units: tuple[int, ...], here: int, to: int, out: list[Event]) -> None:
    """12.3.5.4, 12.3.5.5: fire comes after what is laid last, so it is laid first."""
    if units:
        marching.watch(rules, state, units, here, to, retreat=True)
        marching.arrive(rules, state, units, to, out)


@CHAPTER.choice(on=f"{AFTER} retreat_over rout_die", seats=anybody, takes=TAKES, fault=_fault)
class RetreatTo(Choice["Caporetto", State]):
    """12.3.5, 12.3.5.1: each unit chooses among the hexes that are equally good for it."""

    name = "retreat_to"
    rules = ("12.3.5",)
    verbs = (Retreat,)

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        found = _found(rules, state, frame)
        hexes = [h for h in rules.grid.adjacent[frame.args[0]] if any(ways.hexes >> h & 1 for ways in found.values())]
        for number in range(1, len(found) + 1):
            for h in hexes:
                able = [unit for unit in found if found[unit].hexes >> h & 1]
                for units in combinations(able, number):
                    if why_not_together(rules, state, units, h, found) is None:
                        yield Retreat(rules.unit_ids(units), rules.grid.ids[h])

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        found = _found(rules, state, frame)
        unit = rng.choice(list(found))
        h = rng.choice(list(bits(found[unit].hexes)))
        units = [one for one in found if found[one].hexes >> h & 1]
        if why_not_together(rules, state, units, h, found) is not None:
            units = [unit]
        return Retreat(rules.unit_ids(units), rules.grid.ids[h])

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Retreat)
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        h = rules.grid.index.get(action.hex, -1)
        if h < 0:
            return rules.unknown_hex(action.hex)
        found = _found(rules, state, frame)
        other = next((unit for unit in units if unit not in found), None)
        if other is not None or not units:
            return Refusal("12.3.5", "does_not_retreat", {"unit": "" if other is None else rules.ids[other]})
        return why_not_together(rules, state, units, h, found)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Retreat)
        state.frames.pop()
        _go(rules, state, frame.args, rules.known(action.units), rules.grid.index[action.hex], out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        found = _found(rules, state, frame)
        hexes = {rules.ids[unit]: list(rules.hex_ids(bits(ways.hexes))) for unit, ways in found.items()}
        return {"hex": rules.grid.ids[frame.args[0]], "units": rules.unit_ids(found), "hexes": hexes}


def _found(rules: Caporetto, state: State, frame: Frame) -> dict[int, Ways]:
    where = _setting(frame)
    mine = [unit for unit in frame.args[4] if owner(rules, state, unit) == frame.seat]
    return {unit: retreats.ways(rules, state, unit, where) for unit in mine}


# 12.3.5.7: a second hex


def groups(rules: Caporetto, state: State, left: int, units: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """12.3.5.7: by hex those who have retreated there, where all of them could go a hex farther."""
    found: dict[int, tuple[int, ...]] = {}
    for unit in units:
        h = state.at[unit]
        if h >= 0:
            found[h] = (*found.get(h, ()), unit)
    for h, there in tuple(found.items()):
        where = retreats.second_setting(rules, state, h, rules.side[there[0]], left)
        if any(retreats.ways(rules, state, unit, where).letter == NOWHERE for unit in there):
            del found[h]
    return dict(sorted(found.items()))


def _look_farther(rules: Caporetto, state: State, left: int, gone: tuple[int, ...]) -> None:
    gone = tuple([unit for unit in gone if state.at[unit] >= 0])
    if groups(rules, state, left, gone):
        state.frames.append(Frame("second_hex", seating.decides(rules, state, gone), (left, gone)))
    elif gone:
        state.frames.append(Frame("retreat_over", AUTO, (gone, ())))


def _gone_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    left, gone = frame.args
    if any(state.at[unit] < 0 for unit in gone) or len({rules.side[unit] for unit in gone}) > 1:
        return "it names who is not on the map"
    return "" if groups(rules, state, left, gone) else "nobody can go farther"


@CHAPTER.choice(
    on=AFTER, seats=anybody, takes=(Argument("hex", HEX), Argument("units", UNITS, 1, MOST)), fault=_gone_fault
)
class SecondHex(Choice["Caporetto", State]):
    """12.3.5.7: which groups go a hex farther, for a die each and a point."""

    name = "second_hex"
    rules = ("12.3.5.7",)
    verbs = (Farther, Halt)

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Halt()
        hexes = rules.hex_ids(groups(rules, state, *frame.args))
        for chosen in chain.from_iterable(combinations(hexes, n) for n in range(1, len(hexes) + 1)):
            yield Farther(chosen)

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Halt):
            return None
        assert isinstance(action, Farther)
        hexes = rules.hexes(action.hexes)
        if isinstance(hexes, Refusal):
            return hexes
        able = groups(rules, state, *frame.args)
        bad = next((h for h in hexes if h not in able), -1)
        if bad >= 0:
            return Refusal("12.3.5.7", "no_second_hex", {"hex": rules.grid.ids[bad]})
        if not hexes or len(set(hexes)) < len(hexes):
            return Refusal("12.3.5.7", "no_group_named", {})
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        left, gone = frame.args
        if isinstance(action, Halt):
            state.frames.append(Frame("retreat_over", AUTO, (gone, ())))
            return
        assert isinstance(action, Farther)
        able = groups(rules, state, left, gone)
        chosen = [rules.grid.index[name] for name in action.hexes]
        tired = tuple([unit for h in chosen for unit in able[h]])
        state.frames.append(Frame("retreat_over", AUTO, (gone, tired)))
        for h in sorted(chosen, reverse=True):
            state.frames.append(Frame("go_on", AUTO, (left, h, able[h])))
            state.frames += [Frame("rout_die", CHANCE, (unit,)) for unit in reversed(able[h])]

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        found = groups(rules, state, *frame.args)
        return {"groups": {rules.grid.ids[h]: list(rules.unit_ids(units)) for h, units in found.items()}}


@CHAPTER.throw(1, "12.3.5.7", on="go_on rout_die", secrets=open_to_all, takes=(Argument("unit", UNIT),), once=False)
def rout_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """12.3.5.7: each unit of the group throws for itself."""
    if state.at[frame.args[0]] >= 0:
        retreats.rout(rules, state, frame.args[0], dice[0], out)


@CHAPTER.step(
    "12.3.5.7",
    on="retreat_over rout_die",
    secrets=open_to_all,
    takes=(Argument("left", HEX), Argument("hex", HEX), Argument("units", UNITS, 1, MOST)),
    once=False,
)
def go_on(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.5.7: those whom the die has spared go on."""
    left, here, units = frame.args
    units = tuple([unit for unit in units if state.at[unit] == here])
    if units:
        where = retreats.second_setting(rules, state, here, rules.side[units[0]], left)
        state.frames.append(Frame("pull_back", AUTO, (*_written(rules, where), units, (), 1)))


@CHAPTER.step(
    "11.6",
    "12.3.5.7",
    on=AFTER,
    secrets=open_to_all,
    takes=(Argument("units", UNITS, 0, MOST), Argument("tired", UNITS, 0, MOST)),
)
def retreat_over(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.5.7, 11.6: at the end of the retreat a point for the second hex, and one where too many have come
    together."""
    units, tired = frame.args
    retreats.tire(rules, state, tired, out)
    units = [unit for unit in units if state.at[unit] >= 0]
    for force in sorted({rules.force[unit] for unit in units}):
        hexes = [state.at[unit] for unit in units if rules.force[unit] == force]
        retreats.settle(rules, state, hexes, force, out)


# 12.3.5.6: out of a hex that is lost again


def go_home(rules: Caporetto, state: State, units: Iterable[int], here: int) -> None:
    """12.3.5.6: these have taken a hex in this action and leave it."""
    units = tuple(units)
    if units:
        state.frames.append(Frame("go_back", AUTO, (here, units, ())))


@CHAPTER.step(
    "12.3.5.6",
    on=AFTER,
    secrets=open_to_all,
    takes=(Argument("hex", HEX), Argument("units", UNITS, 0, MOST), Argument("gone", UNITS, 0, MOST)),
)
def go_back(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.5.6: all who began in the same hex go back to it together; then those who began elsewhere."""
    here, units, gone = frame.args
    units = tuple([unit for unit in units if state.at[unit] == here])
    if not units:
        if gone:
            state.frames.append(Frame("retreat_over", AUTO, (gone, ())))
        return
    to = retreats.origin(state, units[0])
    group = tuple([unit for unit in units if retreats.origin(state, unit) == to])
    back = retreats.fall_back(rules, state, group, out)
    rest = tuple([unit for unit in units if unit not in group])
    state.frames.append(Frame("go_back", AUTO, (here, rest, (*gone, *back))))
    _meet(rules, state, back, here, to, out)
