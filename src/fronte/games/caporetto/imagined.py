"""States that a seat cannot tell from the real one: made from its view, or by changing what it may not know."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from fronte.engine.decision import Frame
from fronte.engine.given import PositionError
from fronte.engine.view import Piece, View
from fronte.games.caporetto import position
from fronte.games.caporetto.fog import SEEN, hidden
from fronte.games.caporetto.printed import UNMADE
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.seating import seat_of
from fronte.games.caporetto.sightings import (
    ARMED,
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
    is_open,
    known,
    level_of,
    of_seat,
    piles,
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
ROWS = ("aims", "assaults", "supports", "advanced", "works")
"""What is kept in rows that begin with a unit."""


# From a view


def resample(rules: Caporetto, seen: View, rng: Random | None) -> State:
    """A whole state that gives this view: covered counters are given names, plans and points are guessed."""
    family, table = seen.family, seen.family["table"]
    seat = rules.seats.index(seen.seat) if seen.seat else ONLOOKER
    called, drawn = _called(rules, seen, seat, rng)
    state = _placed(rules, seen, called)

    def find(name: str) -> int:
        if name not in called:
            raise PositionError(f"nobody is called {name}")
        return called[name]

    names = Names(rules, rules.ids.__getitem__, find)
    for one in drawn:
        state.lost[one.unit] = one.lost
    for name, (lost, dp) in family["worn"].items():
        state.lost[called[name]], state.dp[called[name]] = lost, dp
    for name, told in family["marks"].items():
        setattr(state, name, mask(ONE).read(names, told, name))
    state.emplaced |= mask_of(one.unit for one in drawn if one.place.kind == BATTERY)
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


def _called(rules: Caporetto, seen: View, seat: int, rng: Random | None) -> tuple[dict[str, int], list[Drawn]]:
    """Every name of a view with its unit, and who was drawn for those that are covered."""
    called = {piece.id: rules.number[piece.id] for piece in seen.pieces if piece.id}
    drawn: list[Drawn] = []
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
                covered = str(piece.values["covered"]) if unit < 0 else ""
                stacks.setdefault(at, []).append((unit, force, covered, name in commanded))
                if unit < 0:
                    names.append(name)
        depths = _depths(rules, state, seat)
        places = [place for h, stack in stacks.items() for place in _covered_in(rules, state, h, stack, depths, seat)]
        acting = {rules.formation_number(name) for name in seen.family["table"].get("formations", ())}
        drawn = draw(rules, places, mask_of(called.values()), acting, rng)
        called |= {name: one.unit for name, one in zip(names, drawn, strict=True)}
    # what is told of a company that is not in play goes by its own name
    rest = rules.generic & ~mask_of(called.values())
    return called | {rules.ids[unit]: unit for unit in bits(rest)}, drawn


def _depths(rules: Caporetto, state: State, seat: int) -> Depths | None:
    """22.3 by kinds of units: how deep one has looked everywhere."""
    levels = is_foggy(rules) and not rules.sighted.by_depth and seat != ONLOOKER
    return Depths(rules, state, seat) if levels else None


# Who may lie there


Seen = tuple[int, int, str, bool]
"""A counter of a stack as it is seen: who it is (-1: covered), its force, what it shows, and whether it acts."""


class Place(NamedTuple):
    """A covered counter: where it is, what it shows, of what level it is at least and at most, whether it acts, and who
    lies above it."""

    h: int
    force: int
    kind: str
    least: int
    most: int
    acts: bool
    above: int


class Drawn(NamedTuple):
    """Who was drawn for a place, and how many steps it has lost."""

    place: Place
    unit: int
    lost: int


def _covered_in(
    rules: Caporetto, state: State, h: int, stack: Sequence[Seen], depths: Depths | None, seat: int
) -> list[Place]:
    """The covered counters of a stack, from the bottom up, as a seat sees it."""
    if seat != ONLOOKER:
        return [place for _, place in _places(rules, state, h, stack, depths, 1 - seat)]
    both = [one for owner in range(2) for one in _places(rules, state, h, stack, depths, owner)]
    return [place for _, place in sorted(both, key=lambda one: one[0])]


def _places(
    rules: Caporetto, state: State, h: int, stack: Sequence[Seen], depths: Depths | None, owner: int
) -> list[tuple[int, Place]]:
    """22.1: the covered counters of one owner in a stack, each with its height, and what follows from whom one knows
    above and below: nobody has a unit of a higher level under him."""
    found: list[tuple[int, Place]] = []
    least, above = WITH_MACHINE_GUNS if depths is None else depths.at(h) + 1, NO_ONE
    seat_of = rules.scene.seat_of
    height = len(stack)
    known_below = False
    for unit, force, kind, acts in reversed(stack):
        height -= 1
        if seat_of[force] != owner:
            continue
        if unit < 0:
            found.append((height, Place(h, force, kind, least, OTHERS, acts, above)))
        else:
            known_below = bool(found)
            least, above = max(least, level_of(rules, state, unit)), unit
    found.reverse()
    return _bounded(rules, state, stack, found, owner) if known_below else found


def _bounded(
    rules: Caporetto, state: State, stack: Sequence[Seen], places: Sequence[tuple[int, Place]], owner: int
) -> list[tuple[int, Place]]:
    """The same with the level that each has at most, for who is known below it."""
    found = []
    for height, place in places:
        below = [unit for unit, force, _, _ in stack[:height] if unit >= 0 and rules.scene.seat_of[force] == owner]
        most = min([OTHERS, *(level_of(rules, state, unit) for unit in below)])
        found.append((height, place._replace(most=most)))
    return found


def draw(
    rules: Caporetto, places: Sequence[Place], known: int, acting: Collection[int], rng: Random | None
) -> list[Drawn]:
    """Units for covered counters. All that are named nowhere are among them, and companies (21.10) make up the rest.
    Who acts is of a formation that does, and as far as possible each is of the formation or division of who lies above
    him."""
    units = [NO_ONE] * len(places)
    taken = known | rules.hqs
    groups: dict[tuple[int, int], list[int]] = {}
    for number, place in enumerate(places):
        groups.setdefault((DRAWN.index(place.kind), place.force), []).append(number)
    for (kind, force), numbers in sorted(groups.items()):
        free = _free(rules, force, DRAWN[kind], len(numbers), taken, rng)
        _deal(rules, places, numbers, free, acting, rng, units)
        taken |= mask_of(units[number] for number in numbers)
    found = [Drawn(place, unit, _lost(rules, unit, place.least)) for place, unit in zip(places, units, strict=True)]
    _settle(rules, found)
    return found


def _free(rules: Caporetto, force: int, kind: str, size: int, taken: int, rng: Random | None) -> int:
    """Who is among so many covered counters of a kind."""
    kinds = {
        BATTERY: rules.guns,
        GUN: rules.guns & ~rules.groups,
        FLAMETHROWER: rules.flamethrowers,
        UNIT: rules.zoc_makers,
    }
    free = rules.of_force[force] & ~taken & kinds[kind]
    found = free & ~rules.generic
    wanted = size - found.bit_count()
    if wanted > 0:
        companies = list(bits(free & rules.generic))
        if rng is not None:
            rng.shuffle(companies)
        found |= mask_of(companies[:wanted])
    return found


def _deal(
    rules: Caporetto,
    places: Sequence[Place],
    numbers: Sequence[int],
    free: int,
    acting: Collection[int],
    rng: Random | None,
    units: list[int],
) -> None:
    """Give to each of these places one who is free: first where little fits, and there first who goes with who lies
    above."""
    sighted = rules.sighted
    acts = 0
    for formation in acting:
        acts |= rules.formations[formation].mask

    def pick(among: int) -> int:
        if rng is None:
            return (among & -among).bit_length() - 1
        return rng.choice(list(bits(among)))

    strict = [n for n in numbers if places[n].least == places[n].most]
    others = [n for n in numbers if places[n].least != places[n].most] if strict else numbers
    for some in (strict, others):
        for akin in (sighted.formation_mates, sighted.division_mates, None):
            left = []
            for n in some:
                _, _, _, least, most, is_acting, above = places[n]
                fit = free
                if least == most:
                    fit &= sighted.can_be_unarmed if least == OTHERS else sighted.can_be_armed
                right = fit & (acts if is_acting else ~acts)
                if akin is None:
                    right = right or fit or free
                else:
                    right &= akin[above]
                if right:
                    units[n] = pick(right)
                    free ^= 1 << units[n]
                else:
                    left.append(n)
            some = left


def _lost(rules: Caporetto, unit: int, least: int) -> int:
    """How many steps it must have lost to be of such a level, if it can be."""
    ranks = rules.sighted.ranks[unit]
    if least < OTHERS or ranks[0] != ARMED:
        return 0
    steps = range(max(1, rules.full_steps[unit]))
    return next((lost for lost in steps if ranks[lost] != ARMED), 0)


def _settle(rules: Caporetto, drawn: list[Drawn]) -> None:
    """22.1: in each hex those without machine guns lie below."""
    ranks = rules.sighted.ranks
    start = 0
    for end in range(1, len(drawn) + 1):
        if end < len(drawn) and drawn[end].place.h == drawn[start].place.h:
            continue
        if end - start > 1:
            among = [n for n in range(start, end) if drawn[n].place.kind == UNIT]
            order = sorted([drawn[n] for n in among], key=lambda one: -ranks[one.unit][one.lost])
            for n, one in zip(among, order, strict=True):
                drawn[n] = Drawn(drawn[n].place, one.unit, one.lost)
        start = end


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
    """The state that `resample` makes of the seat's view, without the way through names."""
    twin = state.copy()
    if not is_open(rules):
        _recast(rules, state, twin, seat, rng)
    twin.frames = [hidden(rules, state, seat, frame) for frame in twin.frames]
    _guess(rules, twin, seat, rng)
    twin.rolled, twin.forced = 0, ()
    twin.seed = b"" if rng is None else rng.randbytes(32)
    return twin


def _recast(rules: Caporetto, state: State, twin: State, seat: int, rng: Random | None) -> None:
    """22: others take the places of covered counters, with what was seen of these and nothing else."""
    covered, places, stacks = _hidden_places(rules, state, seat)
    sighted = rules.sighted
    companies = mask_of(unit for unit in sighted.companies if state.at[unit] != UNMADE)
    drawn = draw(rules, places, (sighted.regulars | companies) & ~covered, state.formations, rng)
    swap: dict[int, int] = {}
    at, lost, dp = twin.at, twin.lost, twin.dp
    for unit in bits(covered):
        at[unit], lost[unit], dp[unit] = UNMADE, 0, 0
    numbers = iter(drawn)
    for h, pile in stacks:
        there = []
        for unit in pile:
            if covered >> unit & 1:
                _, other, steps = next(numbers)
                swap[unit] = other
                at[other], lost[other] = h, steps
                there.append(other)
            else:
                there.append(unit)
        twin.stacks[h] = tuple(there)
    if is_foggy(rules):  # 22.2
        mine = of_seat(rules, seat)
        twin.dp = [points if points and mine >> unit & 1 else 0 for unit, points in enumerate(dp)]
    if covered:
        _rename(rules, twin, covered, swap)
        twin.emplaced |= mask_of(one.unit for one in drawn if one.place.kind == BATTERY)


def _hidden_places(
    rules: Caporetto, state: State, seat: int
) -> tuple[int, list[Place], list[tuple[int, Sequence[int]]]]:
    """Who is covered from a seat, the places of these hex by hex from the bottom up, and the stacks of others as they
    lie."""
    found: list[tuple[int, Sequence[int], Sequence[int]]]
    if seat == ONLOOKER:
        both = {h: pile for one in range(2) for h, pile, _ in piles(rules, state, one)}
        strange = ~known(rules, state, seat)
        found = [(h, pile, [unit for unit in pile if strange >> unit & 1]) for h, pile in both.items()]
    else:
        found = list(piles(rules, state, seat))
    found.sort(key=lambda one: one[0])
    depths = _depths(rules, state, seat)
    commanded, working, force = state.commanded, state.working, rules.force
    covered, places = 0, list[Place]()
    for h, pile, deep in found:
        hidden = mask_of(deep) & ~working
        if hidden:
            covered |= hidden
            stack: list[Seen] = [
                (NO_ONE, force[unit], covered_as(rules, state, unit), bool(commanded >> unit & 1))
                if hidden >> unit & 1
                else (unit, force[unit], "", False)
                for unit in pile
            ]
            places += _covered_in(rules, state, h, stack, depths, seat)
    return covered, places, [(h, pile) for h, pile, _ in found]


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
    if not is_open(rules):
        _change_places(rules, twin, seat, rng)
    return twin


def _change_places(rules: Caporetto, state: State, seat: int, rng: Random) -> None:
    """22: covered counters of one level, which nothing tells apart, change places with all that is true of the place.

    Each keeps its own losses; those of which more is said than marks stay where they are.
    """
    pinned = _spoken_of(rules, state)
    alike: dict[Any, list[int]] = {}
    for unit in bits(~known(rules, state, seat) & ~pinned & rules.sighted.everybody):
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
