"""12.1.1, 8.1: who observes which hexes for the guns, and what a gun sees itself.

Posts are sets of hexes. Where an order must reach them, the hexes in range of the headquarters that act are
given with the question (7.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.games.caporetto.tables import CLEAR
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State


def seen_from(rules: CaporettoPrinted, state: State, h: int) -> int:
    """8.1, 12.1.1, 12.1.1.2: the hexes to which a line of sight leads from here in the weather of the turn; none out of
    fog and blizzard or into them, not even next to it."""
    found = rules.sights[state.turn].get(h)
    if found is None:
        blind = rules.blind[state.turn]
        seen = 0 if blind >> h & 1 else rules.ground.sight.seen(h, rules.reach[rules.weather_at(state.turn, h)])
        found = rules.sights[state.turn][h] = seen & ~blind
    return found


def look_around(rules: CaporettoPrinted) -> None:
    """12.1, 12.1.1: what is seen from all places and mountain tops in clear weather, and the shapes of the lines of
    direct fire, as far as guns reach: found out beforehand, it keeps no question about guns waiting."""
    ground, far = rules.ground, max(rules.range, default=0)
    for h in bits(ground.observers & ground.extent):
        ground.sight.seen(h, rules.reach[CLEAR])
    middle = sorted(bits(ground.extent), key=rules.grid.place.__getitem__)[ground.extent.bit_count() // 2]
    ground.direct.among(middle, mask_of(rules.grid.disc(middle, far)), far)


def sees(rules: CaporettoPrinted, state: State, gun: int, h: int) -> bool:
    """12.1.5.6.e1, 12.2.4: has a gun a line of sight of its own to a hex?"""
    return bool(seen_from(rules, state, state.at[gun]) >> h & 1)


def is_direct(rules: CaporettoPrinted, here: int, there: int) -> bool:
    """12.1: is there a straight line over which no ground is higher than both ends? Weather and woods do not count."""
    return rules.ground.direct.sees(here, there)


def directly(rules: CaporettoPrinted, here: int, hexes: int, far: int) -> int:
    """12.1: those of these hexes, none of them farther than this, to which such a line leads."""
    return rules.ground.direct.among(here, hexes, far)


def posts(rules: CaporettoPrinted, state: State, side: int, fit: int) -> int:
    """12.1.1: the observer hexes of a side: with a place, a mountain top or a gun of its own, and in it one of the
    units that are fit to observe."""
    there = (state.occ[side] | state.guns[side]) & (rules.ground.observers | state.guns[side])
    others = rules.of_side[side] & state.present & ~fit
    unfit = mask_of([state.at[unit] for unit in bits(others)]) if others else 0
    for h in bits(there & unfit):
        if not mask_of(state.stacks[h]) & fit & rules.of_side[side]:
            there &= ~(1 << h)
    return there


def in_bombardment(rules: CaporettoPrinted, state: State, side: int, command: int) -> int:
    """12.1.1, 7.8, `observer_command`: the hexes observed for a bombardment: by units that are not Out of Command, in
    the hexes `command`, to which the range of the headquarters of this action reaches."""
    found = posts(rules, state, side, ~state.ooc)
    if rules.option["observer_command"] == "active-hq":
        found &= command
    return _seen(rules, state, found)


def for_gun(rules: CaporettoPrinted, state: State, gun: int, observed: int) -> int:
    """12.1.1: the same for a gun of the action, which observes for itself wherever it is."""
    return observed | seen_from(rules, state, state.at[gun])


def in_defence(rules: CaporettoPrinted, state: State, side: int) -> int:
    """12.1.1, 12.2.4: the hexes observed for defensive fire, when no headquarters of the side acts."""
    return _seen(rules, state, posts(rules, state, side, ~state.ooc))


def in_barrage(rules: CaporettoPrinted, state: State, side: int) -> int:
    """12.1.6.e1: the hexes observed for an interdiction barrage: by anybody."""
    return _seen(rules, state, posts(rules, state, side, -1))


def in_preparation(rules: CaporettoPrinted, state: State, side: int) -> int:
    """24.12.e1: the hexes observed for the preparatory bombardment: no headquarters acts yet, and what is on every map
    counts as observed, in fog too."""
    return in_defence(rules, state, side) | considered(rules, state)


def considered(rules: CaporettoPrinted, state: State) -> int:
    """24.12.e1: hexes with a trench, guns, a place, a mountain top, any road, or a bridge at one of their hexsides."""
    ground = rules.ground
    trenches = ground.trench[0] | ground.trench[1] | mask_of(trench.hex for trench in ground.side_trenches)
    guns = state.guns[0] | state.guns[1]
    return (trenches | guns | ground.observers | ground.roads | ground.bridged) & ground.extent


def _seen(rules: CaporettoPrinted, state: State, hexes: int) -> int:
    found = rules.seen.get((state.turn, hexes))
    if found is None:
        found = 0
        for h in bits(hexes):
            found |= seen_from(rules, state, h)
        rules.seen.keep((state.turn, hexes), found)
    return found
