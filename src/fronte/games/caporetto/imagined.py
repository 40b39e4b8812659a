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
    RANKS,
    UNIT,
    WITH_MACHINE_GUNS,
    Depths,
    Pile,
    arranged,
    covered_as,
    is_arranged,
    is_foggy,
    is_open,
    known,
    level_of,
    lying,
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
MOST_SHUFFLED = 60
DRAWN = (UNIT, FLAMETHROWER, GUN, BATTERY)
"""Guns on the move are drawn before those in place, among which groups must be (18.9.1)."""
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
        depths = _depths(rules, state, seat)
        places = [place for h, stack in stacks.items() for place in _covered_in(rules, h, stack, depths, seat)]
        acting = {rules.formation_number(name) for name in seen.family["table"].get("formations", ())}
        units, lost, _ = draw(rules, places, mask_of(called.values()), acting, rng)
        called |= dict(zip(names, units, strict=True))
        worn, batteries = dict(zip(units, lost, strict=True)), _batteries(places, units)
    # what is told of a company that is not in play goes by its own name
    rest = rules.generic & ~mask_of(called.values())
    return called | {rules.ids[unit]: unit for unit in bits(rest)}, worn, batteries


def _batteries(places: Sequence[Place], units: Sequence[int]) -> int:
    """18.1: of those who were drawn the guns in place."""
    return mask_of([unit for place, unit in zip(places, units, strict=True) if place.kind == BATTERY])


def _depths(rules: Caporetto, state: State, seat: int) -> Depths | None:
    """22.3 by kinds of units: how deep one has looked everywhere."""
    levels = is_foggy(rules) and not rules.sighted.by_depth and seat != ONLOOKER
    return Depths(rules, state, seat) if levels else None


# Who may lie there


Seen = tuple[int, int, int, bool]
"""A counter of a stack as it is seen: who it is (NO_ONE: covered), its force, its rank or one that looks like it, and
whether it acts."""
SHOWN = {kind: shown for shown, (_, kind) in reversed(list(enumerate(RANKS)))}


LEAST = tuple([max(WITH_MACHINE_GUNS, level) for level, _ in RANKS])
"""22.0: by the rank of who lies on top, of what level those below are at least."""


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


def _covered_in(rules: Caporetto, h: int, stack: Sequence[Seen], depths: Depths | None, seat: int) -> list[Place]:
    """The covered counters of a stack, from the bottom up, as a seat sees it."""
    if seat != ONLOOKER:
        return [place for _, place in _places(rules, h, stack, depths, 1 - seat)]
    both = [one for owner in range(2) for one in _places(rules, h, stack, depths, owner)]
    return [place for _, place in sorted(both, key=lambda one: one[0])]


def _places(
    rules: Caporetto, h: int, stack: Sequence[Seen], depths: Depths | None, owner: int
) -> list[tuple[int, Place]]:
    """22.1: the covered counters of one owner in a stack, each with its height, and what follows from whom one knows
    above and below: nobody has a unit of a higher level under him."""
    found: list[tuple[int, Place]] = []
    least, above = WITH_MACHINE_GUNS if depths is None else depths.at(h) + 1, NO_ONE
    seat_of = rules.scene.seat_of
    height = len(stack)
    known_below = False
    for unit, force, shown, acts in reversed(stack):
        height -= 1
        if seat_of[force] != owner:
            continue
        if unit < 0:
            found.append((height, Place(h, force, RANKS[shown][1], least, OTHERS, acts, above)))
        else:
            known_below = bool(found)
            least, above = max(least, RANKS[shown][0]), unit
    found.reverse()
    return _bounded(rules, stack, found, owner) if known_below else found


def _bounded(
    rules: Caporetto, stack: Sequence[Seen], places: Sequence[tuple[int, Place]], owner: int
) -> list[tuple[int, Place]]:
    """The same with the level that each has at most, for who is known below it."""
    found = []
    for height, place in places:
        below = [shown for unit, force, shown, _ in stack[:height] if unit >= 0 and rules.scene.seat_of[force] == owner]
        found.append((height, place._replace(most=min([OTHERS, *(RANKS[shown][0] for shown in below)]))))
    return found


def draw(
    rules: Caporetto, places: Sequence[Place], known: int, acting: Collection[int], rng: Random | None
) -> tuple[list[int], list[int], int]:
    """Units for covered counters, how many steps each has lost, and all of these units as a set.

    All that are named nowhere are among them, and companies (21.10) make up the rest. Who acts is of a formation that
    does, and as far as possible each is of the formation or division of who lies above him.
    """
    units = [NO_ONE] * len(places)
    taken = known | rules.hqs
    groups: dict[tuple[int, str], list[int]] = {}
    hollow = False
    for number, (_, force, kind, least, _, _, _) in enumerate(places):
        groups.setdefault((force, kind), []).append(number)
        hollow = hollow or least == OTHERS
    for (force, kind), numbers in sorted(groups.items(), key=lambda one: (DRAWN.index(one[0][1]), one[0][0])):
        free = _free(rules, force, kind, len(numbers), taken, rng)
        taken |= free & ~_deal(rules, places, numbers, free, acting, rng, units)
    lost = [0] * len(places)
    for number, place in enumerate(places) if hollow else ():
        if place.least == OTHERS:
            lost[number] = _lost(rules, units[number])
    _settle(rules, places, units, lost)
    return units, lost, taken & ~(known | rules.hqs)


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
) -> int:
    """Give to each of these places one who is free: first where little fits, and there first who goes with who lies
    above. Who is free still comes back."""
    sighted = rules.sighted
    acts = 0
    for formation in acting:
        acts |= rules.formations[formation].mask

    idle = free & ~acts
    strict = [n for n in numbers if places[n][3] == places[n][4]]  # least and most
    others = [n for n in numbers if places[n][3] != places[n][4]] if strict else numbers
    for some in (strict, others):
        for akin in (sighted.formation_mates, sighted.division_mates, None):
            left = []
            for n in some:
                _, _, _, least, most, is_acting, above = places[n]
                right = free & acts if is_acting else idle
                if least == most:
                    right &= sighted.can_be_unarmed if least == OTHERS else sighted.can_be_armed
                if akin is not None:
                    right &= akin[above]
                elif not right:
                    right = free & (sighted.can_be_unarmed if least == OTHERS else sighted.can_be_armed) or free
                if right:
                    if rng is not None:  # without the lowest, so many times: most are few, and a list would take longer
                        for _ in range(int(rng.random() * right.bit_count())):
                            right &= right - 1
                    one = right & -right
                    units[n] = one.bit_length() - 1
                    free ^= one
                    if idle & one:
                        idle ^= one
                else:
                    left.append(n)
            some = left
            if not some:
                break
    return free


def _lost(rules: Caporetto, unit: int) -> int:
    """How many steps it must have lost to have no machine guns, if it can be so."""
    ranks = rules.sighted.ranks[unit]
    steps = range(max(1, rules.full_steps[unit]))
    return next((lost for lost in steps if ranks[lost] != ARMED), 0)


def _settle(rules: Caporetto, places: Sequence[Place], units: list[int], lost: list[int]) -> None:
    """22.1: in each hex those without machine guns lie below."""
    ranks = rules.sighted.ranks
    here, last = NO_ONE, 0
    mixed: dict[int, None] = {}
    for place, unit, steps in zip(places, units, lost, strict=True):
        if place[2] == UNIT:
            now = ranks[unit][steps]
            if place[0] == here and now > last:
                mixed[here] = None
            here, last = place[0], now
    for h in mixed:
        among = [n for n, place in enumerate(places) if place.h == h and place.kind == UNIT]
        proper = sorted([(units[n], lost[n]) for n in among], key=lambda one: -ranks[one[0]][one[1]])
        for n, (unit, steps) in zip(among, proper, strict=True):
            units[n], lost[n] = unit, steps


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
        twin.emplaced |= _batteries(places, units)


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
    depths = _depths(rules, state, seat)
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
            places += _covered_in(rules, h, stack, depths, seat)
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
    """22: covered counters that nothing tells apart change places with all that is true of the place.

    Each keeps its own losses; those of which more is said than marks stay where they are.
    """
    strange = ~known(rules, state, seat) & rules.sighted.everybody
    pinned = _spoken_of(rules, state)
    alike: dict[Any, list[int]] = {}
    for stack in state.stacks.values():
        covered = [unit for unit in stack if strange >> unit & 1]
        looks = {unit: _looks(rules, state, unit) for unit in covered}
        level = _level_shown(rules, state, seat, stack, covered)
        is_plain = level < OTHERS and len(set(looks.values())) == 1 and not mask_of(covered) & pinned
        for unit in covered:
            if not pinned >> unit & 1:
                key = (*looks[unit], 0 if is_plain else level_of(rules, state, unit))
                alike.setdefault(key, []).append(unit)
    for units in alike.values():
        units.sort()
        mixed = units.copy()
        rng.shuffle(mixed)
        places = [state.at[unit] for unit in units]
        swap = dict(zip(units, mixed, strict=True))
        for h in dict.fromkeys(places):  # as they lie, so that of equals the same stays on top
            state.stacks[h] = tuple([swap.get(unit, unit) for unit in lying(rules, state, h)])
        for unit, place in zip(units, places, strict=True):
            state.at[swap[unit]] = place
    forget_zones(state)


def _looks(rules: Caporetto, state: State, unit: int) -> tuple[Any, ...]:
    """What is seen of a covered counter, and what is not but goes with its place."""
    signature = tuple(getattr(state, name) >> unit & 1 for name in MASKS)
    acts = rules.formation_of[unit] in state.formations
    return rules.force[unit], covered_as(rules, state, unit), acts, signature


def _level_shown(rules: Caporetto, state: State, seat: int, stack: Sequence[int], covered: Sequence[int]) -> int:
    """22.1: what follows from who lies on top: below him nobody is of a higher level. Levels are looked into one by one
    with fog of war, so that there each stays in its own."""
    if not covered or is_foggy(rules) or any(covered_as(rules, state, unit) != UNIT for unit in covered):
        return OTHERS
    owner = rules.sighted.seat
    pile = [unit for unit in stack if unit not in covered and owner[unit] == owner[covered[0]]]
    return max([level_of(rules, state, unit) for unit in pile], default=OTHERS)


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
