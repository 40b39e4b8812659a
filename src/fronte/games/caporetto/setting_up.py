"""24.8 to 27.4: set-up. Both sides place the units of which they may choose the hex, or take what is listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter
from fronte.games.caporetto import engineers, flamethrowers, panels, stacking
from fronte.games.caporetto.printed import WAITING
from fronte.games.caporetto.seating import FORCE, of_its_force
from fronte.games.caporetto.state import State, put, units_of
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.games.caporetto.zones import chained
from fronte.hexes import bits, nth

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.printed import CaporettoPrinted

CHAPTER = Chapter()
MOST_OFFERED = 60
"""How many placings an offer lists; the panel has the zones of all units."""
LISTED = 0.4
"""How often a player by chance leaves the rest as it is listed."""


class Place(Action, frozen=True):
    """24.8, 25.8: a unit is put into a hex, or into another one."""

    form = "place {unit} at {hex}"
    unit: str
    hex: str


class Lay(Action, frozen=True):
    """25.13: a mine or the gas, known by the hex printed on it, is moved to a trench next to it."""

    form = "lay {marker} at {hex}"
    marker: str
    hex: str


class Listed(Action, frozen=True):
    """24.8: all that is not yet placed goes where the cards have it."""

    form = "listed"


class Clear(Action, frozen=True):
    """24.8: what was placed is taken up again."""

    form = "clear"


class Ready(Action, frozen=True):
    """24.8: the set-up is done; 25.8: with an engineer that begins the game at work on its bridge."""

    form = "ready[ building {works}]"
    works: str = ""


# Who may be put where


@lru_cache(maxsize=32)
def movable(rules: CaporettoPrinted, force: int) -> tuple[int, ...]:
    """24.8, 25.8: the units of a force of which the owner chooses the hex: those with a zone, by the option
    setup_by_type those that are like another of their formation."""
    alike = likes(rules, force) if rules.option["setup_by_type"] else {}
    return tuple([unit for unit in bits(rules.of_force[force]) if unit in rules.zone_of_unit or unit in alike])


@lru_cache(maxsize=32)
def likes(rules: CaporettoPrinted, force: int) -> Mapping[int, tuple[int, ...]]:
    """24.8.e4: for each unit without a zone those of its formation that are of the same type and value, itself among
    them, if they are listed in more than one hex."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for unit in bits(rules.of_force[force]):
        formation = rules.formation_of[unit]
        if formation < 0 or rules.begins[unit] < 0 or unit in rules.zone_of_unit:
            continue
        counter = rules.counters[unit]
        values = rules.morale[unit], rules.points[unit], rules.cf[unit], rules.mg[unit], rules.quarters[unit]
        worn = rules.reduced >> unit & 1
        groups.setdefault((formation, counter.kind.name, *values, worn), []).append(unit)
    several = [tuple(units) for units in groups.values() if len({rules.begins[unit] for unit in units}) > 1]
    return {unit: units for units in several for unit in units}


def asks(rules: CaporettoPrinted, state: State, force: int) -> bool:
    """24.8, 25.8, 25.13: is there anything that a force may choose?"""
    return bool(movable(rules, force) or markers(rules, force))


def begin(rules: CaporettoPrinted, state: State) -> None:
    """24.8, 25.8: all of whom the owner chooses the hex are taken up from where they are listed."""
    for force in range(len(rules.scene.forces)):
        take_up(rules, state, force)


def take_up(rules: CaporettoPrinted, state: State, force: int) -> None:
    """24.8: all that a force may place waits to be put somewhere."""
    for unit in movable(rules, force):
        if state.at[unit] != WAITING:
            put(rules, state, unit, WAITING)
    _assign(rules, state, force)


def _assign(rules: CaporettoPrinted, state: State, force: int) -> None:
    """21.4: each flamethrower is with the unit that would have it if the game began now."""
    for unit in bits(rules.flamethrowers & rules.of_force[force]):
        flamethrowers.drop(state, unit)
        if state.at[unit] >= 0:
            flamethrowers.take_up(rules, state, unit)


def waiting(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """The units of a force that are still to be set up."""
    return [unit for unit in movable(rules, force) if state.at[unit] == WAITING]


def open_to(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """24.8, 25.8, 24.8.e4: the hexes in which a unit may be put if there is room: its zone and, in a chain, those next
    to units placed before, behind the own front; or the listed hexes of those like it."""
    zone = rules.zone_of_unit.get(unit)
    if zone is None:
        found = 0
        for one in likes(rules, rules.force[unit]).get(unit, ()):
            found |= 1 << rules.begins[one]
        return found
    if not zone.chained:
        return zone.hexes
    side, others = rules.side[unit], _others(rules, state, unit)
    chain = chained(rules.grid, zone.hexes, others) & others
    near = rules.ground.around(chain) & rules.ground.held[side] & rules.ground.extent
    return zone.hexes | near


def _others(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """The hexes in which somebody else of a unit's side is."""
    side, here = rules.side[unit], state.at[unit]
    found = state.occ[side] | state.guns[side]
    alone = here >= 0 and len(units_of(rules, state, here, side)) == 1
    return found & ~(1 << here) if alone else found


def why_no_place(rules: CaporettoPrinted, state: State, unit: int, h: int) -> Refusal | None:
    """24.8, 25.8, 11.1, 21.4: why a unit cannot be put into a hex."""
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
    zone = rules.zone_of_unit.get(unit)
    if not open_to(rules, state, unit) >> h & 1:
        return Refusal(zone.rule if zone else "24.8.e4", "not_in_its_zone", data)
    if zone is None and _in_its_place(rules, state, unit, h):
        return None  # they change places
    rule = _why_full(rules, state, unit, h)
    return Refusal(rule, "full", data) if rule else None


def _why_full(rules: CaporettoPrinted, state: State, unit: int, h: int) -> str:
    """11.1, 21.4: the rule by which a unit does not fit into a hex with those who are there."""
    there = [one for one in units_of(rules, state, h, rules.side[unit]) if one != unit]
    return stacking.why_not(rules, h, (*there, unit), set_up=True)


def _in_its_place(rules: CaporettoPrinted, state: State, unit: int, h: int) -> list[int]:
    """24.8.e4: those of its kind in a hex, if all that are listed there stand there already."""
    alike = likes(rules, rules.force[unit]).get(unit)
    if not alike:
        return []
    there = [one for one in alike if one != unit and state.at[one] == h]
    if not there:
        return there
    return there if len(there) == sum(rules.begins[one] == h for one in alike) else []


def _has_room(rules: CaporettoPrinted, state: State, unit: int, h: int) -> bool:
    """24.8: may a unit be put into a hex that is open to it so that nobody has to leave it?"""
    return not _in_its_place(rules, state, unit, h) and not _why_full(rules, state, unit, h)


def _put(rules: CaporettoPrinted, state: State, unit: int, h: int) -> None:
    """24.8.e4: it is put there; where all places of its kind are taken, one of them goes where it was."""
    if unit not in rules.zone_of_unit:
        for one in _in_its_place(rules, state, unit, h)[:1]:
            put(rules, state, one, state.at[unit])
    put(rules, state, unit, h)


def why_not_listed(rules: CaporettoPrinted, state: State, force: int) -> Refusal | None:
    """11.1, 24.8: what was placed by hand may leave no room for the rest as it is listed."""
    left = waiting(rules, state, force)
    if not left:
        return Refusal("24.8", "all_placed", {"force": rules.scene.forces[force]})
    after = state.copy()
    _put_as_listed(rules, after, left)
    return _why_not_so(rules, after, force)


def _put_as_listed(rules: CaporettoPrinted, state: State, left: list[int]) -> None:
    """24.8, 24.8.e4: each into its listed hex; whose place is taken by one of its kind into the first that is free."""
    for unit in left:
        if not _in_its_place(rules, state, unit, rules.begins[unit]):
            put(rules, state, unit, rules.begins[unit])
    for unit in left:
        if state.at[unit] == WAITING:
            alike = likes(rules, rules.force[unit])[unit]
            free = [rules.begins[one] for one in alike if not _in_its_place(rules, state, unit, rules.begins[one])]
            put(rules, state, unit, free[0])


def _why_not_so(rules: CaporettoPrinted, state: State, force: int) -> Refusal | None:
    """11.1, 24.8, 21.4: why the units of a force cannot stand as they do now."""
    units, special = movable(rules, force), rules.guns | rules.flamethrowers
    for h in sorted({state.at[unit] for unit in units}):
        if len(state.stacks[h]) == 1 and not special >> state.stacks[h][0] & 1:  # one alone has room
            continue
        stack = units_of(rules, state, h, rules.scene.force_side[force])
        rule = "" if stacking.has_room(rules, h, stack) else stacking.why_not(rules, h, stack, set_up=True)
        if rule:
            return Refusal(rule, "full", {"unit": rules.ids[stack[-1]], "hex": rules.grid.ids[h]})
    return _why_loose(rules, state, units) or _why_alone(rules, state, force)


def _why_loose(rules: CaporettoPrinted, state: State, units: Iterable[int]) -> Refusal | None:
    """24.8: who was put next to others that stand elsewhere now."""
    chains: dict[str, int] = {}
    for unit in units:
        zone = rules.zone_of_unit.get(unit)
        if zone is not None and zone.chained:
            side = rules.side[unit]
            if zone.name not in chains:
                chains[zone.name] = chained(rules.grid, zone.hexes, state.occ[side] | state.guns[side])
            if not chains[zone.name] >> state.at[unit] & 1:
                return Refusal(
                    zone.rule, "not_in_its_zone", {"unit": rules.ids[unit], "hex": rules.grid.ids[state.at[unit]]}
                )
    return None


def _why_alone(rules: CaporettoPrinted, state: State, force: int) -> Refusal | None:
    """21.4: a flamethrower is always with infantry."""
    for unit in bits(rules.flamethrowers & rules.of_force[force]):
        there = state.stacks.get(state.at[unit], ())
        if state.at[unit] >= 0 and not any(flamethrowers.can_bear(rules, state, unit, one) for one in there):
            data = {"unit": rules.ids[unit], "hex": rules.grid.ids[state.at[unit]]}
            return Refusal("21.4", "flamethrower_alone", data)
    return None


# 25.13: mines and gas


def markers(rules: CaporettoPrinted, force: int) -> dict[int, int]:
    """25.13: for each mine and gas of the AHG, by the hex printed on it, the Italian trenches where it may be laid."""
    if rules.scene.force_side[force] != AHG:
        return {}
    trenches = rules.ground.trench[ITALIAN] & rules.ground.extent
    return {
        h: rules.grid.within(h, kind.moved) & trenches
        for kind in (rules.scene.mines, rules.scene.gas)
        for h in kind.hexes
        if kind.moved
    }


def lies_in(rules: CaporettoPrinted, state: State, marker: int) -> int:
    """25.13: where a marker lies now."""
    scene = rules.scene
    return dict(zip((*scene.mines.hexes, *scene.gas.hexes), (*state.mines, *state.gas), strict=True))[marker]


def _lay(rules: CaporettoPrinted, state: State, marker: int, h: int) -> None:
    scene = rules.scene
    state.mines = tuple([h if m == marker else at for m, at in zip(scene.mines.hexes, state.mines, strict=True)])
    state.gas = tuple([h if m == marker else at for m, at in zip(scene.gas.hexes, state.gas, strict=True)])


# The decision


@CHAPTER.choice(on="next_phase ask", seats=of_its_force, takes=(FORCE,), phases="setup")
class SetUp(Choice["Caporetto", State]):
    """24.8, 25.8, 26.4, 27.4: a force sets up what is not fixed by its card; Italians first."""

    name = "set_up"
    rules = ("24.8", "25.8")
    verbs = (Place, Lay, Listed, Clear, Ready)
    panel = panels.SET_UP

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        (force,) = frame.args
        left = waiting(rules, state, force)
        if left and why_not_listed(rules, state, force) is None:
            yield Listed()
        if not left and _why_not_so(rules, state, force) is None:
            yield Ready()
            builder = _builder(rules, state, force)
            if builder >= 0:
                yield Ready(rules.ids[builder])
        for unit in left:  # who stands can be put elsewhere too, which is not listed: chance would never begin to play
            for h in bits(open_to(rules, state, unit)):
                if _has_room(rules, state, unit, h):
                    yield Place(rules.ids[unit], rules.grid.ids[h])
        for marker, hexes in markers(rules, force).items():
            for h in bits(hexes & ~(1 << lies_in(rules, state, marker))):
                yield Lay(rules.grid.ids[marker], rules.grid.ids[h])
        if len(left) < len(movable(rules, force)):
            yield Clear()

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        """Some units by hand, then the rest as listed where that is possible; if nobody finds room, all over again."""
        (force,) = frame.args
        left = waiting(rules, state, force)
        if not left:
            return self._sample_end(rules, state, force, rng)
        if rng.random() < LISTED and why_not_listed(rules, state, force) is None:
            return Listed()
        unit = rng.choice(left)
        hexes = open_to(rules, state, unit)
        while hexes:
            h = nth(hexes, rng.randrange(hexes.bit_count()))
            if _has_room(rules, state, unit, h):
                return Place(rules.ids[unit], rules.grid.ids[h])
            hexes &= ~(1 << h)
        return Clear() if len(left) < len(movable(rules, force)) else Listed()

    def _sample_end(self, rules: Caporetto, state: State, force: int, rng: Random) -> Action:
        if _why_not_so(rules, state, force) is not None:
            return Clear()
        found = markers(rules, force)
        if found and rng.random() < LISTED:
            marker = rng.choice(list(found))
            others = list(bits(found[marker] & ~(1 << lies_in(rules, state, marker))))
            if others:
                return Lay(rules.grid.ids[marker], rules.grid.ids[rng.choice(others)])
        builder = _builder(rules, state, force)
        return Ready(rules.ids[builder]) if builder >= 0 and rng.random() < 0.5 else Ready()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        (force,) = frame.args
        if isinstance(action, Listed):
            return why_not_listed(rules, state, force)
        if isinstance(action, Clear):
            placed = len(waiting(rules, state, force)) < len(movable(rules, force))
            return None if placed else Refusal("24.8", "nothing_placed", {"force": rules.scene.forces[force]})
        if isinstance(action, Ready):
            return self._why_not_ready(rules, state, force, action)
        if isinstance(action, Lay):
            return self._why_not_laid(rules, state, force, action)
        assert isinstance(action, Place)
        unit, h = rules.number.get(action.unit, -1), rules.grid.index.get(action.hex, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        if h < 0:
            return rules.unknown_hex(action.hex)
        data = {"unit": action.unit}
        if rules.force[unit] != force:
            return Refusal("24.1", "not_yours", data)
        if unit not in movable(rules, force):
            return Refusal("24.8", "has_its_hex", data)
        return why_no_place(rules, state, unit, h)

    def _why_not_ready(self, rules: Caporetto, state: State, force: int, action: Ready) -> Refusal | None:
        left = waiting(rules, state, force)
        if left:
            return Refusal("24.8", "not_all_placed", {"unit": rules.ids[left[0]]})
        if action.works and rules.number.get(action.works, -1) != _builder(rules, state, force):
            return Refusal("25.8.e2", "cannot_begin_at_work", {"name": action.works})
        return _why_not_so(rules, state, force)

    def _why_not_laid(self, rules: Caporetto, state: State, force: int, action: Lay) -> Refusal | None:
        found = markers(rules, force)
        data = {"marker": action.marker, "hex": action.hex}
        marker, h = rules.grid.index.get(action.marker, -1), rules.grid.index.get(action.hex, -1)
        if h < 0:
            return rules.unknown_hex(action.hex)
        if marker not in found:
            return Refusal("25.13", "no_such_marker", data)
        if not found[marker] >> h & 1:
            return Refusal("25.13", "not_next_to_marker", data)
        return Refusal("25.13", "lies_there", data) if lies_in(rules, state, marker) == h else None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        (force,) = frame.args
        told = {"force": rules.scene.forces[force]}
        if isinstance(action, Place):
            _put(rules, state, rules.number[action.unit], rules.grid.index[action.hex])
            _assign(rules, state, force)
            out.append(Event("placed", ("24.8",), {"unit": action.unit, "hex": action.hex}))
        elif isinstance(action, Lay):
            _lay(rules, state, rules.grid.index[action.marker], rules.grid.index[action.hex])
            out.append(Event("marker_laid", ("25.13",), {"marker": action.marker, "hex": action.hex}))
        elif isinstance(action, Listed):
            _put_as_listed(rules, state, waiting(rules, state, force))
            _assign(rules, state, force)
            out.append(Event("set_up_as_listed", ("24.8",), told))
        elif isinstance(action, Clear):
            take_up(rules, state, force)
            out.append(Event("set_up_cleared", ("24.8",), told))
        else:
            assert isinstance(action, Ready)
            state.frames.pop()
            self._finish(rules, state, force, action, out)

    def _finish(self, rules: Caporetto, state: State, force: int, action: Ready, out: list[Event]) -> None:
        """25.8: an engineer may be at work."""
        out.append(Event("set_up_done", ("24.8",), {"force": rules.scene.forces[force]}))
        if action.works:
            a, b = sorted(rules.grid.index[name] for name in rules.scene.building.split("/"))
            engineers.begin_work(rules, state, rules.number[action.works], (a, b), out)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        """Some placings, and the zones of all units, of those that stand already too."""
        (force,) = frame.args
        actions = list(islice(self.legal(rules, state, frame), MOST_OFFERED))
        zones: dict[str, tuple[str, ...]] = {}
        named: dict[int, str] = {}
        units: dict[str, str] = {}
        for unit in movable(rules, force):
            hexes = open_to(rules, state, unit)
            if hexes not in named:
                named[hexes] = str(len(named) + 1)
                zones[named[hexes]] = rules.hex_ids(bits(hexes))
            units[rules.ids[unit]] = named[hexes]
        laid = {rules.grid.ids[m]: rules.hex_ids(bits(hexes)) for m, hexes in markers(rules, force).items()}
        return {
            "actions": [msgspec.to_builtins(action) for action in actions],
            "more": len(actions) == MOST_OFFERED,
            "zones": zones,
            "units": units,
            "markers": laid,
        }

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        (force,) = frame.args
        return {"force": rules.scene.forces[force], "left": len(waiting(rules, state, force))}


def _builder(rules: CaporettoPrinted, state: State, force: int) -> int:
    """25.8.e2: the engineer of a force that may begin at work; -1 for none."""
    found = engineers.may_begin_building(rules, state)
    return found if found >= 0 and rules.force[found] == force else -1
