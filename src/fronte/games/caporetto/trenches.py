"""17: trenches. What level protects whom, what lowers it, which hexes they connect. Engineers mend it (`engineers`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fronte.engine.event import Event
from fronte.games.caporetto.state import forget_zones
from fronte.games.caporetto.terrain import SIDES
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State


def level(rules: CaporettoPrinted, state: State, h: int, side: int) -> int:
    """17.6, 17.8: the level of the trench that fills a hex; 0 for whoever does not own it."""
    ground = rules.ground
    return ground.trench_level[h] - (state.lowered >> h & 1) if ground.trench[side] >> h & 1 else 0


def towards(rules: CaporettoPrinted, state: State, h: int, against: int, side: int) -> int:
    """17.9: the level of the trench of a side along the hexside by which a hex looks at another."""
    number = rules.ground.trench_towards.get((h, against, side))
    return 0 if number is None else state.side_trenches[number]


def against_assault(rules: CaporettoPrinted, state: State, h: int, source: int, side: int) -> int:
    """17.4, 17.9: what protects a side in a hex against those who come from another: also what lies on that hexside.

    The same serves those who fire out of the hex at the other one.
    """
    return max(level(rules, state, h, side), towards(rules, state, h, source, side))


def against_bombardment(rules: CaporettoPrinted, state: State, h: int, side: int) -> int:
    """17.9: a trench along any hexside is like one that fills the hex; the highest counts."""
    found = level(rules, state, h, side)
    for number in along(rules, h, side):
        found = max(found, state.side_trenches[number])
    return found


def against_fire(rules: CaporettoPrinted, state: State, h: int, sources: Iterable[int], side: int) -> int:
    """12.1.7, 12.2.9.C, 17.9: the same for fire of machine guns out of these hexes: where it comes through a trench by
    one way and not by another, that which is better for who fires."""
    return min([against_assault(rules, state, h, source, side) for source in sources], default=0)


def along(rules: CaporettoPrinted, h: int, side: int) -> tuple[int, ...]:
    """17.9: the trenches of a side along the hexsides of a hex, by their numbers."""
    return rules.ground.trenches_along.get((h, side), ())


def connected(rules: CaporettoPrinted, here: int, there: int, side: int) -> bool:
    """17.7: does the line of a side's trenches run on from a hex to the next?"""
    return rules.ground.link[rules.ground.way(here, there)] == side


# What lowers them


def batter(rules: CaporettoPrinted, state: State, h: int, loser: int, rule: str, out: list[Event]) -> None:
    """12.1.5.T, 17.5: the trench of a hex loses a level, whosever it is, and so does each of the loser along its
    hexsides."""
    _lower_hex(rules, state, h, rule, out)
    for number in along(rules, h, loser):
        _lower_side(rules, state, number, rule, out)


def after_assault(rules: CaporettoPrinted, state: State, h: int, assaulter: int, out: list[Event]) -> None:
    """17.5: at the end of the counter-assault, if who had assaulted has a unit in the assaulted hex."""
    if (state.occ[assaulter] | state.guns[assaulter]) >> h & 1:
        batter(rules, state, h, 1 - assaulter, "17.5", out)


def enter(rules: CaporettoPrinted, state: State, units: Iterable[int], h: int, out: list[Event]) -> None:
    """17.6.e2: units have moved into a trench hex of the enemy in which nobody was; guns there are captured before."""
    units = tuple(units)
    side = rules.side[units[0]]
    others = mask_of(state.stacks.get(h, ())) & ~mask_of(units) & ~rules.flamethrowers
    if rules.ground.trench[1 - side] >> h & 1 and not others:
        _lower_hex(rules, state, h, "17.6.e2", out)


def may_demolish(rules: CaporettoPrinted, state: State, side: int) -> int:
    """17.6.e1: the hexes with units of a side that are no guns, in which a trench of anybody can lose a level."""
    ground = rules.ground
    hexes = ground.deep & ~state.lowered
    for number, trench in enumerate(ground.side_trenches):
        if state.side_trenches[number]:
            hexes |= 1 << trench.hex
    return hexes & state.occ[side]


def demolish(rules: CaporettoPrinted, state: State, h: int, out: list[Event]) -> None:
    """17.6.e1: who is in a hex lowers the trenches there."""
    for side in range(len(SIDES)):
        for number in along(rules, h, side):
            _lower_side(rules, state, number, "17.6.e1", out)
    _lower_hex(rules, state, h, "17.6.e1", out)


def _lower_hex(rules: CaporettoPrinted, state: State, h: int, rule: str, out: list[Event]) -> None:
    """17.8: never below 1."""
    if rules.ground.trench_level[h] > 1 and not state.lowered >> h & 1:
        state.lowered |= 1 << h
        out.append(
            Event("trench", (rule, "17.8"), {"hex": rules.grid.ids[h], "level": rules.ground.trench_level[h] - 1})
        )


def _lower_side(rules: CaporettoPrinted, state: State, number: int, rule: str, out: list[Event]) -> None:
    """17.8: a trench along a hexside can be destroyed; zones then change."""
    trench, now = rules.ground.side_trenches[number], state.side_trenches[number] - 1
    if now < 0:
        return
    state.side_trenches = (*state.side_trenches[:number], now, *state.side_trenches[number + 1 :])
    if not now:
        forget_zones(state)
    ends = [rules.grid.ids[trench.hex], rules.grid.ids[trench.against]]
    out.append(Event("trench", (rule, "17.8"), {"hex": ends[0], "towards": ends[1], "level": now}))
