"""11: stacking. How many battalion-equivalents some units are, and whether they may be together in a hex."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from fronte.games.caporetto.counters import BATTALION, QUARTERS, Counter
from fronte.games.caporetto.terrain import AHG
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted

FIRST_DIVISION = "1"
"""24.8: of Austria-Hungary."""
FLAMETHROWERS = "21.4"
"""One of them in a hex; but they do not count for stacking (11.5)."""


def quarters(
    printed: CaporettoPrinted, units: Iterable[int], limbered: int = 0, single: int = 0, free: bool = True
) -> int:
    """3.0, 11.1, 11.5: the battalion-equivalents of these units, in quarters.

    `limbered` are the guns in movement mode, each a battalion, `single` the German battalions with one step left, which
    are companies (21.10). With `free` the companies that stack free are left out.
    """
    total = spared = 0
    for u in units:
        bit = 1 << u
        if bit & printed.guns:
            total += QUARTERS if bit & limbered else 0
        elif bit & printed.uncounted:
            continue
        elif bit & (single | printed.companies):
            total += 1
            if free:
                spared |= printed.free_kind[u]
        else:
            total += printed.quarters[u]
    if printed.option["free_companies"] == "one-total":
        return total - bool(spared)
    return total - spared.bit_count()


def limit(printed: CaporettoPrinted, h: int) -> int:
    """11.1, 11.4: how many may be in a hex, and fight in it, in quarters of a battalion-equivalent."""
    return printed.most_high if printed.ground.high >> h & 1 else printed.most_stacked


def has_room(printed: CaporettoPrinted, h: int, units: Sequence[int]) -> bool:
    """11.1: are these so few that they may be together in a hex, whatever they are? Guns and flamethrowers, for which
    there are other limits, are not looked at here."""
    if len(units) * QUARTERS > limit(printed, h):
        return False
    return not mask_of(units) & (printed.guns | printed.flamethrowers)


def why_not(
    printed: CaporettoPrinted, h: int, units: Iterable[int], limbered: int = 0, single: int = 0, set_up: bool = False
) -> str:
    """11.1: the rule by which these units of one player may not be together in a hex; empty if they may.

    `set_up`: three battalions of the 1st Division of Austria-Hungary are like a regiment (24.8).
    """
    units = tuple(units)
    there, high = mask_of(units), printed.ground.high >> h & 1
    placed = there & printed.guns & ~limbered
    if placed:
        most = int(printed.option["placed_guns_high_mountain"]) if high else printed.most_guns
        if placed.bit_count() > most:
            return "11.1.e3"
        if placed & printed.groups and placed.bit_count() > 1:
            return "18.9.1"
    elif there.bit_count() * QUARTERS <= limit(printed, h) and not there & printed.flamethrowers:
        return ""  # whatever they are
    key = units, limbered & there, single & there, high, set_up
    found = printed.stacked.get(key)
    if found is None:
        found = printed.stacked.keep(key, _why_not(printed, h, units, limbered, single, set_up))
    return found


def _why_not(
    printed: CaporettoPrinted, h: int, units: tuple[int, ...], limbered: int, single: int, set_up: bool
) -> str:
    """11.1, 24.8: the same, where one has to look at who they are."""
    there, high = mask_of(units), printed.ground.high >> h & 1
    if quarters(printed, units, limbered, single) > limit(printed, h):
        free = printed.uncounted | printed.guns & ~limbered
        counted = [u for u in units if not free >> u & 1 and printed.quarters[u]]
        joined = printed.option["high_mountain_regiment_stack"] or not high
        if not joined or not (one_regiment(printed, counted, single) or (set_up and _first_division(printed, counted))):
            return "11.1.e4" if high else "11.1"
    return FLAMETHROWERS if (there & printed.flamethrowers).bit_count() > 1 else ""


def is_crowd(rule: str) -> bool:
    """11.6, 11.5: does this rule (`why_not`) forbid so many units, so that each has a point where it cannot be helped?
    A second flamethrower is none of them."""
    return rule not in ("", FLAMETHROWERS)


def one_regiment(printed: CaporettoPrinted, units: Iterable[int], single: int = 0) -> bool:
    """11.1.e1, 11.5: are all of them of one regiment, but for the company that stacks free? `single` as above."""
    units = tuple(units)
    found = {printed.regiment[u] for u in units} - {-1}
    return any(_may_join(printed, [u for u in units if printed.regiment[u] != one], single) for one in found)


def _first_division(printed: CaporettoPrinted, units: list[int]) -> bool:
    """24.8."""
    joined = [u for u in units if not _of_first_division(printed.counters[u])]
    return len(units) - len(joined) <= printed.set_up_battalions and _may_join(printed, joined)


def _of_first_division(c: Counter) -> bool:
    return c.side == AHG and c.division == FIRST_DIVISION and c.size == BATTALION


def _may_join(printed: CaporettoPrinted, others: list[int], single: int = 0) -> bool:
    """11.5, 21.10: are these no more than the companies that stack free?"""
    kinds = [printed.free_kind[u] for u in others]
    if not all(kinds) or any(not (single | printed.companies) >> u & 1 for u in others):
        return False
    if printed.option["free_companies"] == "one-total":
        return len(others) <= 1
    return len(set(kinds)) == len(others)


def largest(
    units: Sequence[int], fits: Callable[[tuple[int, ...]], bool], chosen: tuple[int, ...] = (), number: int = 0
) -> Iterator[tuple[int, ...]]:
    """The sets of these to which none can be added, those with the first of them first."""
    if number == len(units):
        if not any(fits((*chosen, unit)) for unit in units if unit not in chosen):
            yield chosen
        return
    if fits((*chosen, units[number])):
        yield from largest(units, fits, (*chosen, units[number]), number + 1)
    yield from largest(units, fits, chosen, number + 1)
