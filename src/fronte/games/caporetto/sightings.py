"""22: fog of war. Which enemy units a seat knows by name, with the optional rule; without it units lie open to all.

Stacks have an order then (22.1), and one may look into those of the enemy down to a level (22.3). What lies deeper is
covered: one sees that it is there, and whether it is a unit, a gun in place or on the move, or a flamethrower (ours:
zones and the room in a hex depend on that).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.games.caporetto import losses, observation
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

ONLOOKER = -1
"""Who sits on no side: he knows what both seats do."""
GUNS_IN_PLACE, WITH_MACHINE_GUNS, OTHERS = LEVELS = (1, 2, 3)
"""22.1, 22.3: from the top: what everybody sees, what is observed, what is next to oneself."""
BATTERY, UNIT, FLAMETHROWER, GUN = COVERED = ("battery", "unit", "flamethrower", "gun")
"""What a covered counter shows: a gun in fire mode, a unit, a flamethrower, a gun on the move."""


def is_foggy(rules: CaporettoPrinted) -> bool:
    """22.0: is the optional rule in use?"""
    return bool(rules.option["fog_of_war"] == "on")


def of_seat(rules: CaporettoPrinted, seat: int) -> int:
    """24.1: the units that a seat commands."""
    found = 0
    for force, one in enumerate(rules.scene.seat_of):
        found |= rules.of_force[force] if one == seat else 0
    return found


def level_of(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """22.1: guns in fire mode, combat units with machine guns, all others."""
    if rules.guns & state.emplaced & 1 << unit:
        return GUNS_IN_PLACE
    return WITH_MACHINE_GUNS if losses.machine_guns(rules, state, unit) else OTHERS


def rank(rules: CaporettoPrinted, state: State, unit: int) -> tuple[int, int]:
    """22.1: how far down in its stack it lies. Of those at the bottom flamethrowers come after combat units and guns on
    the move after them (ours)."""
    return level_of(rules, state, unit), COVERED.index(covered_as(rules, state, unit))


def covered_as(rules: CaporettoPrinted, state: State, unit: int) -> str:
    """What a counter shows that lies too deep to be looked at."""
    if rules.guns >> unit & 1:
        return BATTERY if state.emplaced >> unit & 1 else GUN
    return FLAMETHROWER if rules.flamethrowers >> unit & 1 else UNIT


def lying(rules: CaporettoPrinted, state: State, h: int) -> tuple[int, ...]:
    """22.1: the stack of a hex from the bottom up; with the optional rule in the order that it prescribes."""
    stack = state.stacks.get(h, ())
    if not is_foggy(rules) or len(stack) < 2:
        return stack
    return tuple(sorted(stack, key=lambda unit: rank(rules, state, unit), reverse=True))


def known(rules: CaporettoPrinted, state: State, seat: int) -> int:
    """22.3: the units that a seat knows by name: its own, those off the map, and of the others what it may look at, and
    who is at work on a bridge or a trench, where a marker shows it (ours)."""
    everybody = (1 << len(state.at)) - 1
    if not is_foggy(rules):
        return everybody
    if seat == ONLOOKER:
        return known(rules, state, 0) & known(rules, state, 1)
    mine = of_seat(rules, seat)
    depth = Depths(rules, state, seat)
    found = everybody
    for h, stack in state.stacks.items():
        others = mask_of(stack) & ~mine
        if others:
            found &= ~_covered(rules, state, h, others, depth.at(h))
    return found | state.working


class Depths:
    """22.3: down to which level a seat may look into the stacks of each hex."""

    def __init__(self, rules: CaporettoPrinted, state: State, seat: int) -> None:
        mine = of_seat(rules, seat)
        self.near, self.seen = _around(rules, state, mine), _observed(rules, state, mine)

    def at(self, h: int) -> int:
        """The level of one hex."""
        return OTHERS if self.near >> h & 1 else WITH_MACHINE_GUNS if self.seen >> h & 1 else GUNS_IN_PLACE


def _covered(rules: CaporettoPrinted, state: State, h: int, units: int, depth: int) -> int:
    """22.3, `fow_levels`: those of the units in a hex that lie deeper."""
    pile = [unit for unit in reversed(lying(rules, state, h)) if units >> unit & 1]
    if rules.option["fow_levels"] == "depth":
        return mask_of(pile[depth:])
    return mask_of(unit for unit in pile if level_of(rules, state, unit) > depth)


def _around(rules: CaporettoPrinted, state: State, mine: int) -> int:
    """The hexes with units of one's own, and those next to them."""
    here = mask_of(h for h, stack in state.stacks.items() if mask_of(stack) & mine)
    return here | rules.ground.around(here)


def _observed(rules: CaporettoPrinted, state: State, mine: int) -> int:
    """12.1.1: what any unit of one's own observes, in command or not."""
    found = 0
    for side in range(len(state.occ)):
        for h in bits(observation.posts(rules, state, side, mine)):
            found |= observation.seen_from(rules, state, h)
    return found
