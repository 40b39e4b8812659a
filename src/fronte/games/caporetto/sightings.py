"""22: which enemy units a seat knows by name.

Of an enemy stack one sees the top unit; stacks lie in the order of 22.1 (ours where that is not in use). With fog of
war one looks into them down to a level (22.3) instead. What lies deeper is covered: one sees that it is there, and
whether it is a unit, a gun in place or on the move, or a flamethrower (ours: zones and the room in a hex depend on it).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from fronte.games.caporetto import observation, seating
from fronte.games.caporetto.printed import UNMADE
from fronte.games.common.memory import Memory
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.engine.decision import Frame
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

ONLOOKER = -1
"""Who sits on no side: he knows what both seats do."""
GUNS_IN_PLACE, WITH_MACHINE_GUNS, OTHERS = LEVELS = (1, 2, 3)
"""22.1, 22.3: from the top: what everybody sees, what is observed, what is next to oneself."""
BATTERY, UNIT, FLAMETHROWER, GUN = COVERED = ("battery", "unit", "flamethrower", "gun")
"""What a covered counter shows: a gun in fire mode, a unit, a flamethrower, a gun on the move."""
RANKS = (
    (GUNS_IN_PLACE, BATTERY),
    (WITH_MACHINE_GUNS, UNIT),
    (OTHERS, UNIT),
    (OTHERS, FLAMETHROWER),
    (OTHERS, GUN),
)
"""22.1: what a stack is made of from the top, each with its level and with what it shows when it is covered. Of those
at the bottom flamethrowers come after combat units and guns on the move after them (ours)."""
IN_PLACE, ARMED, UNARMED, FIRE, ON_THE_MOVE = range(len(RANKS))


MOST_STACKS = 1 << 13
"""Of so many stacks it is remembered how they lie."""


class Counters:
    """What is printed, as far as sightings ask for it again and again."""

    def __init__(self, rules: CaporettoPrinted) -> None:
        self.everybody = (1 << len(rules.counters)) - 1
        self.is_open = bool(rules.option["open_counters"])
        """All counters lie open, as the two have agreed."""
        self.is_foggy = not self.is_open and rules.option["fog_of_war"] == "on"
        """22.1 to 22.3 are in use."""
        self.by_depth = rules.option["fow_levels"] == "depth"
        self.seat = [rules.scene.seat_of[force] for force in rules.force]
        """24.1: who commands each unit."""
        self.forces = [rules.scene.forces[force] for force in rules.force]
        """The name of the force of each unit,"""
        self.of_seat = [mask_of(u for u, one in enumerate(self.seat) if one == seat) for seat in range(2)]
        """and the units that each seat commands."""
        self.ranks = [self._ranks(rules, unit) for unit in range(len(rules.counters))]
        """22.1: for each unit its rank in a stack by the steps that it has lost; that of a gun on the move."""
        steps = [self.ranks[u][: max(1, full)] for u, full in enumerate(rules.full_steps)]
        self.can_be_armed = mask_of(u for u, ranks in enumerate(steps) if ranks[0] == ARMED)
        self.can_be_unarmed = mask_of(u for u, ranks in enumerate(steps) if ranks[0] != ARMED or UNARMED in ranks)
        """22.1: the units with machine guns, and those that have none or lose them with their steps."""
        formations = [rules.formations[one].mask if one >= 0 else 0 for one in rules.formation_of]
        self.formation_mates = (*formations, 0)
        """For each unit those of its formation,"""
        self.division_mates = (*[rules.of_division[one] if one >= 0 else 0 for one in rules.division], 0)
        """and those of its division; for nobody, the last, nobody."""
        self.companies, self.regulars = tuple(bits(rules.generic)), self.everybody & ~rules.generic
        """21.10: generic companies, and everybody else."""
        self._company_places: Callable[[list[int]], Any] = itemgetter(*self.companies) if self.companies else len
        self._made: Memory[Any, int] = Memory()
        self.is_gun = [bool(rules.guns >> unit & 1) for unit in range(len(rules.counters))]
        self.held: dict[int, tuple[int, tuple[str, ...]]] = {}
        """The names of the hexes that each force held when they were last asked for,"""
        self.printed: dict[tuple[int, int], dict[str, int | str]] = {}
        """and what each unit shows, by the steps it has lost."""
        self.glimpse: tuple[State, State] | None = None
        """The state of the last decision or throw, and what it was like before (`veils`)."""
        self.arranged: Memory[Hashable, tuple[tuple[int, ...], Sequence[int]]] = Memory(MOST_STACKS)
        """22.1: how stacks lie, by all on which that depends."""
        self._looks: dict[tuple[int, int], int] = {}
        self._watched: dict[int, tuple[int, list[int]]] = {}
        weather = [(), *rules.tables.weather]
        self._alike = [weather.index(one) for one in weather]
        """24.11: for each turn the first with the same weather."""

    def _ranks(self, rules: CaporettoPrinted, unit: int) -> tuple[int, ...]:
        if rules.guns >> unit & 1:
            return (ON_THE_MOVE, ON_THE_MOVE)
        if rules.flamethrowers >> unit & 1:
            return (FIRE, FIRE)
        faces = (*rules.mg[unit], *(0,) * (rules.full_steps[unit] + 1))
        return tuple([ARMED if guns else UNARMED for guns in faces])

    def made(self, state: State) -> int:
        """21.10: the generic companies that have come into play."""
        places = self._company_places(state.at)
        found = self._made.get(places)
        if found is None:
            found = self._made.keep(places, mask_of([u for u in self.companies if state.at[u] != UNMADE]))
        return found

    def looks(self, rules: CaporettoPrinted, state: State, h: int) -> int:
        """12.1.1: what is seen from a hex in the weather of the turn."""
        key = self._alike[state.turn], h
        found = self._looks.get(key)
        if found is None:
            found = self._looks[key] = observation.seen_from(rules, state, h)
        return found

    def watched(self, rules: CaporettoPrinted, state: State, there: int) -> list[int]:
        """12.1.1: by hex, from which hexes it is seen in the weather of the turn, these among them."""
        known, found = self._watched.get(self._alike[state.turn], (0, []))
        if there & ~known:
            found = found or [0] * rules.grid.size
            for post in bits(there & ~known):
                for h in bits(self.looks(rules, state, post)):
                    found[h] |= 1 << post
            self._watched[self._alike[state.turn]] = known | there, found
        return found


def is_open(rules: Caporetto) -> bool:
    """`open_counters`: does everybody see everything but plans and points?"""
    return rules.sighted.is_open


def is_foggy(rules: Caporetto) -> bool:
    """22.0: is the optional rule in use?"""
    return rules.sighted.is_foggy


def of_seat(rules: Caporetto, seat: int) -> int:
    """24.1: the units that a seat commands."""
    return rules.sighted.of_seat[seat] if seat != ONLOOKER else 0


# 22.1: how stacks lie


def rank(rules: Caporetto, state: State, unit: int) -> int:
    """22.1: how far down in its stack it lies, as `RANKS` has it."""
    if rules.guns >> unit & 1:
        return IN_PLACE if state.emplaced >> unit & 1 else ON_THE_MOVE
    return rules.sighted.ranks[unit][state.lost[unit]]


def level_of(rules: Caporetto, state: State, unit: int) -> int:
    """22.1: guns in fire mode, combat units with machine guns, all others."""
    return RANKS[rank(rules, state, unit)][0]


def covered_as(rules: Caporetto, state: State, unit: int) -> str:
    """What a counter shows that lies too deep to be looked at."""
    return RANKS[rank(rules, state, unit)][1]


def lying(rules: Caporetto, state: State, h: int) -> tuple[int, ...]:
    """22.1: the stack of a hex from the bottom up; of equals the last that came lies on top."""
    stack = state.stacks.get(h, ())
    if len(stack) < 2 or rules.sighted.is_open:
        return stack
    return arranged(rules.sighted, state, stack)[0]


def arranged(sighted: Counters, state: State, stack: tuple[int, ...]) -> tuple[tuple[int, ...], Sequence[int]]:
    """A stack as it lies, and the ranks of those in it. Most stacks stay as they are for long, so it is remembered."""
    key = stack, state.emplaced, *map(state.lost.__getitem__, stack)
    found = sighted.arranged.get(key)
    return sighted.arranged.keep(key, _arranged(sighted, state, stack)) if found is None else found


def is_arranged(sighted: Counters, state: State, stack: tuple[int, ...]) -> bool:
    """22.1: does a stack lie as it should?"""
    ranks, is_gun, lost = sighted.ranks, sighted.is_gun, state.lost
    last = len(RANKS)
    for unit in stack:
        if is_gun[unit]:
            rank = IN_PLACE if state.emplaced >> unit & 1 else ON_THE_MOVE
        else:
            rank = ranks[unit][lost[unit]]
        if rank > last:
            return False
        last = rank
    return True


def _arranged(sighted: Counters, state: State, stack: tuple[int, ...]) -> tuple[tuple[int, ...], Sequence[int]]:
    ranks, is_gun, lost = sighted.ranks, sighted.is_gun, state.lost
    order = [
        ranks[unit][lost[unit]] if not is_gun[unit] else IN_PLACE if state.emplaced >> unit & 1 else ON_THE_MOVE
        for unit in stack
    ]
    proper = sorted(order, reverse=True)
    if order == proper:
        return stack, tuple(order)
    mixed = sorted(zip(order, range(len(stack), 0, -1), stack, strict=True), reverse=True)
    return tuple([unit for _, _, unit in mixed]), tuple(proper)


# 22.0, 22.3: what may be looked at


def in_charge(rules: Caporetto, state: State, seat: int) -> int:
    """24.3.start: the units of the other person about whom a seat is asked something now: it looks at them for that
    long, and at nobody else."""
    frame = state.frames[-1] if rules.scene.sectors and state.frames else None
    if frame is None or frame.seat != seat or frame.name not in CHARGES:
        return 0
    return CHARGES[frame.name](rules, state, frame) & ~rules.sighted.of_seat[seat]


def _named(number: int) -> Charge:
    """Those of an argument who are decided about."""
    return lambda rules, state, frame: mask_of(frame.args[number])


def _going(rules: Caporetto, state: State, frame: Frame) -> int:
    """12.3.5: of those who retreat the ones for whom this seat says where to."""
    return mask_of(unit for unit in frame.args[4] if seating.decider(rules, state, unit) == frame.seat)


def _defending(rules: Caporetto, state: State, frame: Frame) -> int:
    """12.3: those who hold the hex that is assaulted."""
    h, counter = frame.args[:2]
    side = rules.scene.force_side[state.active] ^ counter
    return mask_of(unit for unit in state.stacks.get(h, ()) if rules.side[unit] != side)


def _beside(rules: Caporetto, state: State, frame: Frame) -> int:
    """12.2.1, 10.1.2: of those who are handed over the ones next to whom they could fire at."""
    if frame.name == "infiltration":
        near = mask_of(frame.args[1:3])
    else:
        near = mask_of(state.at[one[0]] for one in (*state.assaults, *state.supports) if state.at[one[0]] >= 0)
    near = rules.ground.around(near)
    handed = (unit for h in bits(near) for unit in state.stacks.get(h, ()))
    return mask_of(unit for unit in handed if seating.is_handed_over(rules, state, unit))


Charge = Callable[["Caporetto", "State", "Frame"], int]
CHARGES: Mapping[str, Charge] = MappingProxyType(
    {
        "share_losses": _named(2),
        "assault_losses": _named(0),
        "retreat_to": _going,
        "second_hex": _named(1),
        "home": lambda rules, state, frame: 1 << frame.args[0],
        "stand": _defending,
        "withdraw": _defending,
        "defend": _beside,
        "infiltration": _beside,
    }
)
"""24.3.start: the decisions that one person may owe about units of the other, and who these are."""


def known(rules: Caporetto, state: State, seat: int) -> int:
    """22.0, 22.3: the units that a seat knows by name: its own, those off the map, and of the others what it may look
    at, who is at work on a bridge or a trench, where a marker shows it (ours), and for whom it has to decide."""
    sighted = rules.sighted
    found = sighted.everybody
    if sighted.is_open:
        return found
    for one in range(len(rules.seats)) if seat == ONLOOKER else (seat,):
        for pile in piles(rules, state, one):
            for unit in pile.covered:
                found &= ~(1 << unit)
    return found | state.working | in_charge(rules, state, seat)


class Pile(NamedTuple):
    """22.1: what lies in a hex from the bottom up, the rank of each, and those whom a seat may not look at."""

    h: int
    units: Sequence[int]
    ranks: Sequence[int]
    covered: Sequence[int]


def piles(rules: Caporetto, state: State, seat: int) -> Iterator[Pile]:
    """22.0, 22.3: the stacks with units of somebody else than this seat in which somebody may be covered."""
    sighted, charge = rules.sighted, in_charge(rules, state, seat)
    owner = sighted.seat
    depths = Depths(rules, state, seat) if sighted.is_foggy else None
    for h, stack in state.stacks.items():
        if len(stack) == 1 and depths is None:
            continue
        for unit in stack:
            if owner[unit] != seat:
                break
        else:
            continue
        units, ranks = arranged(sighted, state, stack)
        others = [unit for unit in units if owner[unit] != seat]
        covered = others[:-1] if depths is None else _deeper(rules, state, others, depths.at(h))
        if charge:
            covered = [unit for unit in covered if not charge >> unit & 1]
        yield tuple.__new__(Pile, (h, units, ranks, covered))


def _deeper(rules: Caporetto, state: State, pile: Sequence[int], depth: int) -> Sequence[int]:
    """22.3, `fow_levels`: those of a pile, given from the bottom up, that lie deeper."""
    if rules.sighted.by_depth:
        return pile[: max(0, len(pile) - depth)]
    if depth == OTHERS:
        return ()
    return [unit for unit in pile if level_of(rules, state, unit) > depth]


def knows(rules: Caporetto, state: State, seat: int, unit: int) -> bool:
    """22.0, 22.3: does a seat know one unit by name?"""
    sighted, h = rules.sighted, state.at[unit]
    if h < 0 or sighted.seat[unit] == seat or sighted.is_open or state.working >> unit & 1:
        return True
    stack = state.stacks.get(h, ())
    if unit not in stack:  # a headquarters is in none
        return True
    if not sighted.is_foggy and (len(stack) == 1 or unit == _topmost(sighted, state, stack, seat)):
        return True
    if rules.scene.sectors and in_charge(rules, state, seat) >> unit & 1:
        return True
    if not sighted.is_foggy:
        return False
    if sighted.by_depth:
        pile = [one for one in lying(rules, state, h) if sighted.seat[one] != seat]
        return len(pile) - pile.index(unit) <= depth_at(rules, state, seat, h)
    level = level_of(rules, state, unit)
    return level == GUNS_IN_PLACE or level <= depth_at(rules, state, seat, h)


def _topmost(sighted: Counters, state: State, stack: tuple[int, ...], seat: int) -> int:
    """22.1: of a stack the unit of somebody else than this seat that lies highest, as `arranged` has them."""
    ranks, is_gun, owner, lost = sighted.ranks, sighted.is_gun, sighted.seat, state.lost
    top, least = stack[0], len(RANKS)
    for unit in reversed(stack):
        if owner[unit] != seat:
            if is_gun[unit]:
                rank = IN_PLACE if state.emplaced >> unit & 1 else ON_THE_MOVE
            else:
                rank = ranks[unit][lost[unit]]
            if rank < least:
                top, least = unit, rank
    return top


def hides_unit(rules: Caporetto, state: State, force: int, h: int) -> bool:
    """22: does a combat unit of a force lie covered in a hex, as the other seat sees it? It could be any of those whom
    that seat does not see elsewhere."""
    other = 1 - rules.scene.seat_of[force]
    able = rules.of_force[force] & rules.combat & ~rules.flamethrowers
    return any(able >> unit & 1 and not knows(rules, state, other, unit) for unit in state.stacks.get(h, ()))


def suspects(rules: Caporetto, state: State, force: int, units: int, hexes: int) -> bool:
    """22: must the other seat reckon with one of these units of a force in one of these hexes? One at least lies
    covered somewhere, and in one of the hexes somebody does."""
    if not hides_any(rules, state, force, units):
        return False
    return any(hides_unit(rules, state, force, h) for h in bits(hexes))


def hides_any(rules: Caporetto, state: State, force: int, units: int) -> bool:
    """22: does one at least of these units of a force lie covered, as the other seat sees it?"""
    other = 1 - rules.scene.seat_of[force]
    return any(not knows(rules, state, other, unit) for unit in bits(units & rules.of_force[force]))


def depth_at(rules: Caporetto, state: State, seat: int, h: int) -> int:
    """22.3: down to which level a seat may look into the stack of one hex."""
    owner, stacks = rules.sighted.seat, state.stacks
    for near in (h, *rules.grid.adjacent[h]):
        for unit in stacks.get(near, ()):
            if owner[unit] == seat:
                return OTHERS
    for side in range(len(state.occ)):
        there = posts(rules, state, side)
        for post in bits(there and there & rules.sighted.watched(rules, state, there)[h]):
            if any(owner[unit] == seat and rules.side[unit] == side for unit in stacks[post]):
                return WITH_MACHINE_GUNS
    return GUNS_IN_PLACE


def posts(rules: Caporetto, state: State, side: int) -> int:
    """12.1.1: where a side would observe from: a place, a mountain top or a gun of its own."""
    return (state.occ[side] | state.guns[side]) & (rules.ground.observers | state.guns[side])


class Depths:
    """22.3: down to which level a seat may look into the stacks of each hex: next to its own units, what any of them
    observes, in command or not (12.1.1), and elsewhere."""

    def __init__(self, rules: Caporetto, state: State, seat: int) -> None:
        sighted, side = rules.sighted, rules.side
        owner = sighted.seat
        places = [posts(rules, state, one) for one in range(len(state.occ))]
        here = seen = 0
        for h, stack in state.stacks.items():
            for unit in stack:
                if owner[unit] == seat:
                    here |= 1 << h
                    if places[side[unit]] >> h & 1:
                        seen |= sighted.looks(rules, state, h)
                        break
        self.near, self.seen = here | rules.ground.around(here), seen

    def at(self, h: int) -> int:
        """The level of one hex."""
        return OTHERS if self.near >> h & 1 else WITH_MACHINE_GUNS if self.seen >> h & 1 else GUNS_IN_PLACE
