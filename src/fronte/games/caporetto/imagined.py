"""States that a seat cannot tell from the real one: made from its view, or by changing what it may not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from fronte.engine.decision import Frame
from fronte.engine.given import PositionError
from fronte.engine.view import Piece, View
from fronte.games.caporetto import position
from fronte.games.caporetto.fog import Eyes, hidden, view
from fronte.games.caporetto.seating import seat_of
from fronte.games.caporetto.sightings import (
    BATTERY,
    FLAMETHROWER,
    GUN,
    ONLOOKER,
    OTHERS,
    UNIT,
    WITH_MACHINE_GUNS,
    Depths,
    covered_as,
    is_foggy,
    level_of,
)
from fronte.games.caporetto.state import MASKS, NOT_PLANNED, State, forget_zones, put
from fronte.games.caporetto.terrain import AHG
from fronte.games.caporetto.values import UNIT as ONE
from fronte.games.caporetto.values import Names, mask
from fronte.games.common import positions
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

GUESSED_GUNS = 5
"""7.3: as many as a point brings along: what one reckons with who cannot know."""
MOST_SHUFFLED = 60
DRAWN = (UNIT, FLAMETHROWER, GUN, BATTERY)
"""Guns on the move are drawn before those in place, among which groups must be (18.9.1)."""
ASKED = ("plan", "ask")
"""4.0-2: the frames of a plan that is to be made."""
BEFORE_PLANS = ("setup", "reinforcement")
"""4.0: phases in which nobody has planned anything yet."""


# From a view


def resample(rules: Caporetto, seen: View, rng: Random | None) -> State:
    """A whole state that gives this view: covered counters are given names, plans and points are guessed."""
    family, table = seen.family, seen.family["table"]
    seat = rules.seats.index(seen.seat) if seen.seat else ONLOOKER
    draw = _Draw(rules, seen, seat, rng)
    called = draw.names()
    state = _placed(rules, seen, called)

    def find(name: str) -> int:
        if name not in called:
            raise PositionError(f"nobody is called {name}")
        return called[name]

    names = Names(rules, rules.ids.__getitem__, find)
    for unit, lost in draw.worn.items():
        state.lost[unit] = lost
    for name, (lost, dp) in family["worn"].items():
        state.lost[called[name]], state.dp[called[name]] = lost, dp
    for name, told in family["marks"].items():
        setattr(state, name, mask(ONE).read(names, told, name))
    state.emplaced |= draw.emplaced
    for row in position.TABLE:
        if row.key in table:
            position.take_up(names, state, row, table[row.key])
    state.left = family["left"]
    state.leftovers = tuple([(called[name], left) for name, left in family["leftovers"].items()])
    state.attachments = tuple(
        [
            (rules.formation_number(name), mask_of(called[one] for one in units))
            for name, units in family["attachments"].items()
        ]
    )
    for force, name in enumerate(rules.scene.forces):
        state.control[force] = mask_of(rules.grid.index[h] for h in seen.control.get(name, ()))
    state.frames = [positions.read_frame(rules, data, "frames", find) for data in family["frames"]]
    for name, guns in family["plan"].items():
        state.plan[rules.formation_number(name)] = guns
    for name, points in family["points"].items():
        state.points[rules.scene.forces.index(name)] = points
    _guess(rules, state, seat, rng)
    forget_zones(state)
    state.seed = b"" if rng is None else rng.randbytes(32)
    return state


def _placed(rules: Caporetto, seen: View, called: Mapping[str, int]) -> State:
    """The stage of a view and its pieces, as far as they have a name."""
    state = position.empty_state(rules)
    state.turn, state.phase, state.outcome = seen.stage.turn, seen.stage.phase, seen.family["outcome"]
    state.active = rules.scene.forces.index(seen.family["force"])
    for name, piece in named(seen):
        unit = called.get(name, -1)
        at = rules.read_where(piece.at)
        if unit < 0:
            continue
        if at >= 0 and not rules.hqs >> unit & 1:
            put(rules, state, unit, at)
        else:
            state.at[unit] = at
    return state


def named(seen: View) -> Iterator[tuple[str, Piece]]:
    """The pieces of a view, each by its id or by its place in the stack."""
    height: dict[str, int] = {}
    for piece in seen.pieces:
        n = height[piece.at] = height.get(piece.at, -1) + 1
        yield piece.id or f"?{piece.at}.{n}", piece


class _Place(NamedTuple):
    """A covered counter: what it is called, where it is, of what level at least it is, and whether it acts."""

    name: str
    h: int
    least: int
    acts: bool


class _Draw:
    """Units for the covered counters of a view.

    All that are named nowhere are among them, and companies (21.10) make up the rest. Who acts is of a formation that
    does; where one has looked down to a level whoever is covered is of a deeper one.
    """

    def __init__(self, rules: Caporetto, seen: View, seat: int, rng: Random | None) -> None:
        self.rules, self.rng = rules, rng
        self.called = {piece.id: rules.number[piece.id] for piece in seen.pieces if piece.id}
        self.taken = mask_of(self.called.values()) | rules.hqs
        self.acting = frozenset(seen.family["table"].get("formations", ()))
        self.worn: dict[int, int] = {}
        self.emplaced = 0
        self.places: dict[tuple[str, str], list[_Place]] = {}
        if any(not piece.id for piece in seen.pieces):
            self._find_places(seen, seat)

    def _find_places(self, seen: View, seat: int) -> None:
        rules = self.rules
        state = _placed(rules, seen, self.called)
        state.emplaced = mask_of(rules.number[name] for name in seen.family["marks"].get("emplaced", ()))
        for name, (lost, _) in seen.family["worn"].items():
            state.lost[rules.number[name]] = lost
        commanded = set(seen.family["marks"].get("commanded", ()))
        depths = None if seat == ONLOOKER else Depths(rules, state, seat)
        for name, piece in named(seen):
            if piece.id:
                continue
            h = rules.grid.index[piece.at]
            if depths is None:
                least = WITH_MACHINE_GUNS
            elif rules.option["fow_levels"] == "depth":
                force = rules.scene.forces.index(piece.force)
                above = [unit for unit in state.stacks.get(h, ()) if rules.force[unit] == force]
                least = max([WITH_MACHINE_GUNS, *(level_of(rules, state, unit) for unit in above)])
            else:
                least = depths.at(h) + 1
            place = _Place(name, h, least, name in commanded)
            self.places.setdefault((piece.force, str(piece.values["covered"])), []).append(place)

    def names(self) -> dict[str, int]:
        """Every name of the view with its unit."""
        for (force, kind), places in sorted(self.places.items(), key=lambda item: DRAWN.index(item[0][1])):
            free = self._pool(force, kind, len(places))
            for place in sorted(places, key=lambda place: (-place.least, not place.acts)):
                unit = self._pick(free, place)
                free.remove(unit)
                self.called[place.name] = unit
                self.taken |= 1 << unit
                self.worn[unit] = self._lost(unit, place.least)
                self.emplaced |= (kind == BATTERY) << unit
            self._settle(places)
        rest = self.rules.generic & ~mask_of(self.called.values())
        # what is told of a company that is not in play goes by its own name
        return self.called | {self.rules.ids[unit]: unit for unit in bits(rest)}

    def _pool(self, force: str, kind: str, size: int) -> list[int]:
        rules = self.rules
        mine = rules.of_force[rules.scene.forces.index(force)] & ~self.taken
        kinds = {
            BATTERY: rules.guns,
            GUN: rules.guns & ~rules.groups,
            FLAMETHROWER: rules.flamethrowers,
            UNIT: rules.zoc_makers,
        }
        found = list(bits(mine & kinds[kind] & ~rules.generic))
        companies = list(bits(mine & rules.generic)) if kind == UNIT else []
        if self.rng is not None:
            self.rng.shuffle(companies)
        found += companies[: max(0, size - len(found))]
        if self.rng is not None:
            self.rng.shuffle(found)
        return found

    def _pick(self, free: list[int], place: _Place) -> int:
        def fitness(unit: int) -> tuple[bool, bool]:
            acts = self.rules.counters[unit].formation in self.acting
            return self._level(unit, self._lost(unit, place.least)) >= place.least, acts == place.acts

        return max(free, key=fitness)

    def _level(self, unit: int, lost: int) -> int:
        guns = self.rules.mg[unit]
        return WITH_MACHINE_GUNS if lost < len(guns) and guns[lost] else OTHERS

    def _lost(self, unit: int, least: int) -> int:
        """How many steps it must have lost to be of such a level, if it can be."""
        steps = range(max(1, self.rules.full_steps[unit]))
        return next((lost for lost in steps if self._level(unit, lost) >= least), 0)

    def _settle(self, places: list[_Place]) -> None:
        """22.1: in each hex those without machine guns lie below."""
        by_hex: dict[int, list[_Place]] = {}
        for place in places:
            by_hex.setdefault(place.h, []).append(place)
        for there in by_hex.values():
            units = [self.called[place.name] for place in there]
            units.sort(key=lambda unit: -self._level(unit, self.worn[unit]))
            for place, unit in zip(there, units, strict=True):
                self.called[place.name] = unit


def _guess(rules: Caporetto, state: State, seat: int, rng: Random | None) -> None:
    """7.2, 6.0: what the seat cannot know: that everybody of the AHG was planned who can be, and of the Italians, who
    pay for it, some; the points of a turn."""
    eyes = _Secrets(rules, state, seat)
    for formation in eyes.plans():
        planned = eyes.may_plan(formation)
        one = rules.formations[formation]
        if planned and rng is not None and one.side != AHG:
            planned = rng.random() < 0.5
        guns = rules.most_assigned if one.side == AHG else GUESSED_GUNS
        state.plan[formation] = guns if planned else NOT_PLANNED
    for force in eyes.points():
        logistics = rules.scene.logistics[force]
        usual = logistics.start if state.turn < logistics.since else max(logistics.income, 1)
        state.points[force] = usual if rng is None else rng.randint(0, 2 * usual)


def _words(frame: Frame) -> tuple[Any, ...]:
    return (frame.name, *frame.args)


class _Secrets:
    """Which of the plans and points a seat may not know."""

    def __init__(self, rules: Caporetto, state: State, seat: int) -> None:
        self.rules, self.state, self.seat = rules, state, seat
        self.unplanned = {frame.args[0] for frame in state.frames if frame.name in ASKED and "plan" in _words(frame)}
        """Forces that still owe their plan, which all can see."""

    def _foreign(self, force: int) -> bool:
        return self.seat == ONLOOKER or seat_of(self.rules, force) != self.seat

    def plans(self) -> list[int]:
        """7.2: formations of others that have not come to act."""
        state = self.state
        return [
            number
            for number, one in enumerate(self.rules.formations)
            if self._foreign(one.force)
            and number != self.rules.rommel  # 21.6: declared openly
            and not state.done >> number & 1
            and number not in state.formations
        ]

    def may_plan(self, formation: int) -> bool:
        """4.0-2, 24.9: could it have been planned by now?"""
        state, one = self.state, self.rules.formations[formation]
        if state.phase in BEFORE_PLANS or one.force in self.unplanned:
            return False
        opening = self.rules.scene.opening
        if one.side != AHG and state.turn == self.rules.scene.first_turn and not opening.italians_planned:
            return False
        return any(state.at[unit] >= 0 for unit in one.members)

    def points(self) -> list[int]:
        """6.0.e1, `lp_visibility`."""
        if self.rules.option["lp_visibility"] == "open":
            return []
        return [force for force in self.rules.scene.logistics if self._foreign(force)]


# From a state


def imagine(rules: Caporetto, state: State, seat: int, rng: Random | None) -> State:
    """The state that `resample` makes of the seat's view; where units lie open without the way through names."""
    if is_foggy(rules):
        return resample(rules, view(rules, state, seat), rng)
    twin = state.copy()
    eyes = Eyes(rules, state, seat)
    twin.frames = [hidden(eyes, frame) for frame in state.frames]
    _guess(rules, twin, seat, rng)
    twin.rolled, twin.forced = 0, ()
    twin.seed = b"" if rng is None else rng.randbytes(32)
    return twin


def shuffle_hidden(rules: Caporetto, state: State, seat: int, rng: Random) -> State:
    """A state that differs only in what the seat may not know: plans that others have made change hands, their points
    change, and covered counters that look alike change places."""
    twin = state.copy()
    secrets = _Secrets(rules, state, seat)
    by_force: dict[int, list[int]] = {}
    for formation in secrets.plans():
        if secrets.may_plan(formation):
            by_force.setdefault(rules.formations[formation].force, []).append(formation)
    for alike in by_force.values():
        guns = [state.plan[formation] for formation in alike]
        rng.shuffle(guns)
        for formation, planned in zip(alike, guns, strict=True):
            twin.plan[formation] = planned
    for force in secrets.points():
        twin.points[force] = rng.randint(0, MOST_SHUFFLED)
    if is_foggy(rules):
        _change_places(rules, twin, seat, rng)
    return twin


def _change_places(rules: Caporetto, state: State, seat: int, rng: Random) -> None:
    """22: covered counters of one level, which nothing tells apart, change places with all that is true of the place.

    Each keeps its own losses; those of which more is said than marks stay where they are.
    """
    eyes = Eyes(rules, state, seat)
    pinned = _spoken_of(rules, state)
    alike: dict[Any, list[int]] = {}
    for unit in bits(~eyes.known & ~pinned & ((1 << len(state.at)) - 1)):
        signature = tuple(getattr(state, name) >> unit & 1 for name in MASKS)
        acts = rules.formation_of[unit] in state.formations
        key = (rules.force[unit], covered_as(rules, state, unit), level_of(rules, state, unit), acts, signature)
        alike.setdefault(key, []).append(unit)
    for units in alike.values():
        mixed = units.copy()
        rng.shuffle(mixed)
        places = [state.at[unit] for unit in units]
        swap = dict(zip(units, mixed, strict=True))
        for h in dict.fromkeys(places):
            state.stacks[h] = tuple([swap.get(unit, unit) for unit in state.stacks[h]])
        for unit, place in zip(units, places, strict=True):
            state.at[swap[unit]] = place
    forget_zones(state)


def _spoken_of(rules: Caporetto, state: State) -> int:
    """The units that are named anywhere but in marks."""
    found = mask_of(unit for frame in state.frames for unit in _in_frame(rules, frame.name, frame.args))
    found |= mask_of(unit for pair in state.bearers for unit in pair) | (1 << state.mover if state.mover >= 0 else 0)
    for name in ("works", "spent", "aims", "leftovers", "assaults", "supports", "advanced"):
        found |= mask_of(row[0] for row in getattr(state, name))
    for _, units in (*state.struck, *state.pool, *state.attachments):
        found |= units
    return found


def _in_frame(rules: Caporetto, name: str, args: tuple[Any, ...]) -> list[int]:
    units: list[int] = []
    for told, value in zip(rules.frames[name].takes, args, strict=True):
        if told.kind == positions.UNIT:
            units.append(value)
        elif told.kind == positions.UNITS:
            units += value
    return units
