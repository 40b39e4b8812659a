"""22: covered counters: what is seen of each, and who may lie there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from fronte.games.caporetto.roster import NO_ONE
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
    is_foggy,
)
from fronte.games.caporetto.state import State
from fronte.hexes import mask_of, nth

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

DRAWN = (UNIT, FLAMETHROWER, GUN, BATTERY)
"""Guns on the move are drawn before those in place, among which groups must be (18.9.1)."""
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


def covered_in(rules: Caporetto, h: int, stack: Sequence[Seen], depths: Depths | None, seat: int) -> list[Place]:
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
        companies = free & rules.generic
        count = companies.bit_count()
        for left in range(count, max(0, count - wanted), -1):
            one = 1 << nth(companies, 0 if rng is None else int(rng.random() * left))
            found |= one
            companies ^= one
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


def batteries_of(places: Sequence[Place], units: Sequence[int]) -> int:
    """18.1: of those who were drawn the guns in place."""
    return mask_of([unit for place, unit in zip(places, units, strict=True) if place.kind == BATTERY])


def depths_of(rules: Caporetto, state: State, seat: int) -> Depths | None:
    """22.3 by kinds of units: how deep one has looked everywhere."""
    levels = is_foggy(rules) and not rules.sighted.by_depth and seat != ONLOOKER
    return Depths(rules, state, seat) if levels else None
