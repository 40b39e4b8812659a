"""States that a seat cannot tell from the real one, made from its view or from the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import Frame
from fronte.engine.given import PositionError
from fronte.engine.recollection import Recollection
from fronte.engine.view import Piece, View
from fronte.games.caporetto import position
from fronte.games.caporetto.covered import LEAST, SHOWN, Place, Seen, batteries_of, covered_in, depths_of, draw
from fronte.games.caporetto.fog import RECOVERY, SEEN, SUPPLY, hidden
from fronte.games.caporetto.printed import UNMADE
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.seating import seat_of
from fronte.games.caporetto.sightings import (
    FLAMETHROWER,
    GUN,
    ONLOOKER,
    OTHERS,
    RANKS,
    UNIT,
    Pile,
    arranged,
    is_arranged,
    is_foggy,
    is_open,
    known,
    of_seat,
    piles,
    rank,
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
ASKED = ("plan", "ask")
"""4.0-2: the frames of a plan that is to be made."""
BEFORE_PLANS = ("setup", "reinforcement")
"""4.0: phases in which nobody has planned anything yet."""
ROWS = ("aims", "assaults", "supports", "advanced", "works")
"""What is kept in rows that begin with a unit."""
new_tuple = tuple.__new__
"""A named tuple made at once: there are a hundred of them in each state that is imagined."""


# From a view


def resample(rules: Caporetto, seen: View, rng: Random | None) -> State:
    """A whole state that gives this view: covered counters are given names, plans and points are guessed."""
    family, table = seen.family, seen.family["table"]
    seat = rules.seats.index(seen.seat) if seen.seat else ONLOOKER
    called, worn, batteries = _called(rules, seen, seat, rng)
    state = _placed(rules, seen, called)

    def find(name: str) -> int:
        if name not in called:
            raise PositionError(f"nobody is called {name}")
        return called[name]

    names = Names(rules, rules.ids.__getitem__, find)
    for unit, lost in worn.items():
        state.lost[unit] = lost
    for name, (lost, dp) in family["worn"].items():
        state.lost[called[name]], state.dp[called[name]] = lost, dp
    for name, told in family["marks"].items():
        setattr(state, name, mask(ONE).read(names, told, name))
    state.emplaced |= batteries
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
    if state.phase == RECOVERY:
        state.phase = SUPPLY
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


def _called(rules: Caporetto, seen: View, seat: int, rng: Random | None) -> tuple[dict[str, int], dict[int, int], int]:
    """Every name of a view with its unit; of those that were drawn the steps lost, and the guns in place."""
    called = {piece.id: rules.number[piece.id] for piece in seen.pieces if piece.id}
    worn: dict[int, int] = {}
    batteries = 0
    if any(not piece.id for piece in seen.pieces):
        state = _placed(rules, seen, called)
        state.emplaced = mask_of(rules.number[name] for name in seen.family["marks"].get("emplaced", ()))
        for name, (lost, _) in seen.family["worn"].items():
            state.lost[rules.number[name]] = lost
        commanded = set(seen.family["marks"].get("commanded", ()))
        stacks: dict[int, list[Seen]] = {}
        names = []
        for name, piece in named(seen):
            at = rules.grid.index.get(piece.at, -1)
            unit = rules.number[piece.id] if piece.id else NO_ONE
            if at >= 0 and not (unit >= 0 and rules.hqs >> unit & 1):
                force = rules.scene.forces.index(piece.force)
                shown = SHOWN[str(piece.values["covered"])] if unit < 0 else rank(rules, state, unit)
                stacks.setdefault(at, []).append((unit, force, shown, name in commanded))
                if unit < 0:
                    names.append(name)
        depths = depths_of(rules, state, seat)
        places = [place for h, stack in stacks.items() for place in covered_in(rules, h, stack, depths, seat)]
        acting = {rules.formation_number(name) for name in seen.family["table"].get("formations", ())}
        units, lost, _ = draw(rules, places, mask_of(called.values()), acting, rng)
        called |= dict(zip(names, units, strict=True))
        worn, batteries = dict(zip(units, lost, strict=True)), batteries_of(places, units)
    # what is told of a company that is not in play goes by its own name
    rest = rules.generic & ~mask_of(called.values())
    return called | {rules.ids[unit]: unit for unit in bits(rest)}, worn, batteries


# What nobody tells


def _guess(rules: Caporetto, state: State, seat: int, rng: Random | None) -> None:
    """7.2, 6.0: what the seat cannot know: that everybody of the AHG was planned who can be, and of the Italians, who
    pay for it, some; the points of a turn."""
    eyes = Secrets(rules, state, seat)
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


class Secrets:
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
        foreign = [self._foreign(force) for force in range(len(self.rules.scene.forces))]
        return [
            number
            for number, one in enumerate(self.rules.formations)
            if foreign[one.force]
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
        return bool(one.mask & state.present)

    def points(self) -> list[int]:
        """6.0.e1, `lp_visibility`."""
        if self.rules.option["lp_visibility"] == "open":
            return []
        return [force for force in self.rules.scene.logistics if self._foreign(force)]


# From a state


def imagine(rules: Caporetto, state: State, seat: int, rng: Random | None) -> State:
    """The state that `resample` makes of the seat's view, without the way through names."""
    twin = state.copy()
    if not is_open(rules):
        _recast(rules, state, twin, seat, rng)
    twin.frames = [hidden(rules, state, seat, frame) for frame in twin.frames]
    _guess(rules, twin, seat, rng)
    twin.rolled, twin.forced = 0, ()
    twin.seed = b"" if rng is None else rng.randbytes(32)
    return twin


def remembered(rules: Caporetto, state: State, seat: int, recalled: Recollection) -> tuple[State, int]:
    """22: of a state that was imagined for a seat the same with covered counters that are those whom the seat remembers
    in their place, as far as they look alike; and who these are."""
    fixed = 0
    if is_open(rules):
        return state, fixed
    strange = rules.sighted.everybody & ~known(rules, state, seat)
    for name in sorted(recalled):
        unit, seen = rules.number[name], recalled[name]
        h = rules.grid.index[seen.at]
        kind = _kind_of(rules, unit)
        alike = [
            one
            for one in state.stacks.get(h, ())
            if strange & ~fixed & 1 << one and rules.force[one] == rules.force[unit] and _kind_of(rules, one) == kind
        ]
        if not alike or not (strange >> unit & 1 or state.at[unit] == UNMADE):
            continue
        other = unit if unit in alike else alike[0]
        if other != unit:
            state = _swapped(rules, state, unit, other)
            strange |= 1 << unit
        state.lost[unit] = min(seen.lost, max(0, rules.full_steps[unit] - 1))
        fixed |= 1 << unit
    return state, fixed


def _kind_of(rules: Caporetto, unit: int) -> str:
    """What a counter is for whoever cannot look at it, a gun in either mode."""
    return GUN if rules.guns >> unit & 1 else FLAMETHROWER if rules.flamethrowers >> unit & 1 else UNIT


def _swapped(rules: Caporetto, state: State, one: int, two: int) -> State:
    """The same state with the parts of two counters played by each other."""
    twin, names = state.copy(), {one: two, two: one}
    for column in (twin.at, twin.lost, twin.dp):
        column[one], column[two] = column[two], column[one]
    for h in {state.at[one], state.at[two]} & state.stacks.keys():
        twin.stacks[h] = tuple([names.get(unit, unit) for unit in state.stacks[h]])
    here = [state.present >> unit & 1 for unit in (one, two)]
    twin.present = state.present & ~(1 << one | 1 << two) | here[0] << two | here[1] << one
    emplaced = [state.emplaced >> unit & 1 for unit in (one, two)]
    _rename(rules, twin, 1 << one | 1 << two, names)
    twin.emplaced = state.emplaced & ~(1 << one | 1 << two) | emplaced[0] << two | emplaced[1] << one
    forget_zones(twin)
    return twin


def _recast(rules: Caporetto, state: State, twin: State, seat: int, rng: Random | None) -> None:
    """22: others take the places of covered counters, with what was seen of these and nothing else."""
    places, stacks, covered = _hidden_places(rules, state, seat)
    sighted, owner = rules.sighted, rules.sighted.seat
    strangers = mask_of(covered)
    played = sighted.regulars | sighted.made(state)
    units, steps, drawn = draw(rules, places, played & ~strangers, state.formations, rng)
    at, lost, dp = twin.at, twin.lost, twin.dp
    for unit in covered:
        at[unit], lost[unit], dp[unit] = UNMADE, 0, 0
    for place, unit, worn in zip(places, units, steps, strict=True):
        at[unit], lost[unit] = place.h, worn
    twin.present = twin.present & ~strangers | drawn
    swap = dict(zip(covered, units, strict=True))
    for pile in stacks:
        twin.stacks[pile.h] = tuple([swap.get(unit, unit) for unit in pile.units])
    after = twin.stacks
    for h, stack in state.stacks.items():  # one's own too lie in the order that a view tells
        if len(stack) > 1 and owner[stack[0]] == seat and not is_arranged(sighted, twin, after[h]):
            after[h] = arranged(sighted, twin, after[h])[0]
    if is_foggy(rules):  # 22.2
        mine = of_seat(rules, seat)
        twin.dp = bytearray([points if points and mine >> unit & 1 else 0 for unit, points in enumerate(dp)])
    if covered:
        _rename(rules, twin, strangers, swap)
        twin.emplaced |= batteries_of(places, units)


def _hidden_places(rules: Caporetto, state: State, seat: int) -> tuple[list[Place], list[Pile], list[int]]:
    """The covered counters that a seat sees, hex by hex from the bottom up, the stacks of others, and who is covered in
    these places."""
    if seat == ONLOOKER:
        strange = ~known(rules, state, seat)
        both = {pile.h: pile for one in range(2) for pile in piles(rules, state, one)}
        found = [pile._replace(covered=[unit for unit in pile.units if strange >> unit & 1]) for pile in both.values()]
    else:
        found = list(piles(rules, state, seat))
    found.sort()
    depths = depths_of(rules, state, seat)
    commanded, working, force = state.commanded, frozenset(bits(state.working)), rules.force
    places: list[Place] = []
    covered: list[int] = []
    for h, units, ranks, deep in found:
        if depths is None and len(deep) == len(units) - 1 and working.isdisjoint(deep):  # what is usual, quickly
            top, least = units[-1], LEAST[ranks[-1]]
            for unit, shown in zip(deep, ranks, strict=False):
                acts = commanded > 0 and commanded >> unit & 1 > 0
                places.append(new_tuple(Place, (h, force[unit], RANKS[shown][1], least, OTHERS, acts, top)))
            covered += deep
        elif deep:
            hidden = [unit for unit in deep if unit not in working]
            stack: list[Seen] = [
                (NO_ONE if unit in hidden else unit, force[unit], shown, commanded >> unit & 1 > 0)
                for unit, shown in zip(units, ranks, strict=True)
            ]
            places += covered_in(rules, h, stack, depths, seat)
            covered += hidden
    return places, found, covered


def _rename(rules: Caporetto, twin: State, covered: int, swap: Mapping[int, int]) -> None:
    """What is said of covered units is said of those who took their places, as far as it was seen."""
    for name in MASKS:
        marked = getattr(twin, name)
        if marked & covered:
            seen = mask_of(swap[unit] for unit in bits(marked & covered)) if name in SEEN else 0
            setattr(twin, name, marked & ~covered | seen)

    def new(unit: int) -> int:
        return swap.get(unit, unit)

    def news(units: int) -> int:
        return units & ~covered | mask_of(swap[unit] for unit in bits(units & covered)) if units & covered else units

    for name in ROWS:
        rows = getattr(twin, name)
        if rows:
            setattr(twin, name, tuple([(new(row[0]), *row[1:]) for row in rows]))
    twin.bearers = tuple([(new(one), new(unit)) for one, unit in twin.bearers])
    twin.struck = tuple([(h, news(units)) for h, units in twin.struck])
    twin.pool = tuple([(formation, news(units)) for formation, units in twin.pool])
    twin.attachments = tuple([(formation, units & ~covered) for formation, units in twin.attachments])
    twin.leftovers = tuple([row for row in twin.leftovers if not covered >> row[0] & 1])
    twin.spent = tuple([row for row in twin.spent if not covered >> row[0] & 1])
    if twin.mover >= 0 and covered >> twin.mover & 1:
        twin.mover, twin.left = new(twin.mover), 0
    twin.frames = [_renamed(rules, frame, new) for frame in twin.frames]


def _renamed(rules: Caporetto, frame: Frame, new: Callable[[int], int]) -> Frame:
    """A frame with other units in it."""
    if not frame.args:
        return frame
    args = []
    for told, value in zip(rules.frames[frame.name].takes, frame.args, strict=True):
        if told.kind == positions.UNIT:
            value = new(value)
        elif told.kind == positions.UNITS:
            value = tuple([new(unit) for unit in value])
        args.append(value)
    return Frame(frame.name, frame.seat, tuple(args))
