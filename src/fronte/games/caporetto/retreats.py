"""12.3.5: retreats. Where a unit may go, what it costs, who cannot; and back after a counter-assault."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.event import Event
from fronte.games.caporetto import engineers, flamethrowers, losses, morale, sectors, stacking
from fronte.games.caporetto.assault import launched_from
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.printed import ROUTED
from fronte.games.caporetto.state import NOBODY, put, units_of
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.games.caporetto.terrain import COMMON
from fronte.hexes import bits, mask_of, opposite

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

OPPOSITE, EMPTY, FRIENDS, CROWDED, NOWHERE = "A", "B", "C", "D", ""
"""12.3.5: the order in which hexes are taken."""


class Ways(NamedTuple):
    """Where a unit may retreat: by which letter of 12.3.5, to which hexes, and which of them lie across a cliff."""

    letter: str
    hexes: int
    cliffs: int


class Setting(NamedTuple):
    """What a retreat finds before the first unit goes: it is looked at once for the stack (ours)."""

    here: int
    """The hex that is left."""
    sources: int
    """The hexes from which the assault came."""
    empty: int
    """Hexes next to it with nobody in them,"""
    closed: int
    """and those into which nobody may."""


def setting(rules: CaporettoPrinted, state: State, here: int, side: int, sources: int, left: int = 0) -> Setting:
    """12.3.5: a retreat of this side out of a hex: not to the enemy, not where an assault came from in this action, and
    with a second hex not back to that which was `left`."""
    near, foes = rules.grid.ring[here], 1 - side
    taken = state.occ[0] | state.occ[1] | state.guns[0] | state.guns[1]
    closed = state.occ[foes] | state.guns[foes] | launched_from(rules, state, foes) | left
    return Setting(here, sources, near & ~taken, closed)


def second_setting(rules: CaporettoPrinted, state: State, here: int, side: int, left: int) -> Setting:
    """12.3.5.7, ours: one hex farther: the order is the same, away from the hex that was left first."""
    return setting(rules, state, here, side, 1 << left, 1 << left)


def must_retreat(rules: CaporettoPrinted, state: State, units: Iterable[int]) -> tuple[int, ...]:
    """12.3.5.3, 21.4: those of these units that go: no guns in fire mode; flamethrowers go with their bearers."""
    stay = (rules.guns & state.emplaced) | rules.flamethrowers
    return tuple([unit for unit in units if state.at[unit] >= 0 and not stay >> unit & 1])


def away_from(rules: CaporettoPrinted, here: int, sources: int) -> int:
    """12.3.5.A: the hexes opposite to those from which the assault came, and those next to them."""
    six, found = rules.grid.neighbours[here], 0
    for source in bits(sources & rules.grid.ring[here]):
        far = opposite(six.index(source))
        for turn in (-1, 0, 1):
            there = six[(far + turn) % len(six)]
            found |= 1 << there if there >= 0 else 0
    return found


def ways(rules: CaporettoPrinted, state: State, unit: int, where: Setting) -> Ways:
    """12.3.5, 12.3.5.1, 24.3: the hexes for one unit: in its sector if there is any, then by A to D. Mountain troops
    may take a hex across a cliff if it is as good as the best of the others; they need not (12.3.5.1.e1)."""
    near = rules.grid.ring[where.here] & ~where.closed
    for inside in _areas(rules, state, unit):
        found = _ways(rules, state, unit, where, near & inside)
        if found.hexes:
            return found
    return Ways(NOWHERE, 0, 0)


def _areas(rules: CaporettoPrinted, state: State, unit: int) -> tuple[int, ...]:
    """24.3, 24.3.start: which hexes come first: who begins in a common hex goes to the sector of his formation, and
    nobody across the line unless he must (ours)."""
    home = rules.home(unit)
    if not rules.scene.sectors:
        return (home,)
    if sectors.is_bound(rules, state, unit):
        return home & ~rules.ground.sector[COMMON], home, ~home
    return home, ~home


def _ways(rules: CaporettoPrinted, state: State, unit: int, where: Setting, near: int) -> Ways:
    flat = cliffs = 0
    for there in bits(near):
        price = entry(rules, state, unit, where.here, there)
        if price == WHOLE_ALLOWANCE:
            cliffs |= 1 << there
        elif price != CLOSED:
            flat |= 1 << there
    level, climb = _letters(rules, state, unit, where, flat), _letters(rules, state, unit, where, cliffs)
    best = min(level or climb, default=NOWHERE)
    if not best:
        return Ways(NOWHERE, 0, 0)
    up = 0
    for letter, hexes in climb.items():
        up |= hexes if letter <= best else 0
    return Ways(best, level.get(best, 0) | up, up)


def _letters(rules: CaporettoPrinted, state: State, unit: int, where: Setting, near: int) -> dict[str, int]:
    """12.3.5.A to D: these hexes by the letter under which they come; beyond the stacking limit all are D."""
    away = away_from(rules, where.here, where.sources)
    found: dict[str, int] = {}
    for there in bits(near):
        if not has_room(rules, state, unit, there):
            letter = CROWDED
        elif where.empty >> there & 1:
            letter = OPPOSITE if away >> there & 1 else EMPTY
        else:
            letter = FRIENDS
        found[letter] = found.get(letter, 0) | 1 << there
    return found


def entry(rules: CaporettoPrinted, state: State, unit: int, here: int, there: int) -> int:
    """12.3.5.1: what the step would cost, by road or not; CLOSED across what is impassable, WHOLE_ALLOWANCE across a
    cliff. The limits of roads are limits of movement (10.0.6)."""
    prices = [step_price(rules, state, unit, here, there, by_road) for by_road in (False, True)]
    return max(prices) if max(prices) >= 0 else min(prices)


def has_room(rules: CaporettoPrinted, state: State, unit: int, h: int) -> bool:
    """12.3.5.C, 11.1: would the hex hold it with the units of the same player that are there?"""
    return fit_together(rules, state, (unit,), h)


def is_crowded(rules: CaporettoPrinted, state: State, h: int, force: int) -> bool:
    """11.6: are there more units of a player in a hex than may be?"""
    return stacking.is_crowd(_excess(rules, state, _players(rules, state, h, force), h))


def _players(rules: CaporettoPrinted, state: State, h: int, force: int) -> tuple[int, ...]:
    """11.1: the units of one player in a hex, guns too."""
    return tuple([unit for unit in state.stacks.get(h, ()) if rules.force[unit] == force])


def _excess(rules: CaporettoPrinted, state: State, units: tuple[int, ...], h: int) -> str:
    return stacking.why_not(rules, h, units, rules.guns & ~state.emplaced, losses.singles(rules, state, units))


def fit_together(rules: CaporettoPrinted, state: State, units: Iterable[int], h: int) -> bool:
    """12.3.5.C, 11.1: would the hex hold all of these, who are of one player, with those of his who are there?"""
    units = tuple(units)
    comers = (*units, *flamethrowers.carried(state, units))
    return not _excess(rules, state, (*_players(rules, state, h, rules.force[units[0]]), *comers), h)


def busy(rules: CaporettoPrinted, state: State) -> int:
    """12.3.2.e1, 12.3.5.4: the units that do not fire at who retreats: those under an Assault marker, also where it has
    led them, those whose hex is assaulted, and those who have been driven out of one."""
    found = mask_of(unit for unit, _, _ in state.assaults) | mask_of(unit for unit, _ in state.advanced)
    found |= state.retreated
    for one, h, _ in state.assaults:
        found |= mask_of(units_of(rules, state, h, 1 - rules.side[one]))
    return found


# Going


def retreat(rules: CaporettoPrinted, state: State, unit: int, to: int, out: list[Event], rule: str = "12.3.5") -> bool:
    """12.3.5, 12.3.5.1.e1: a unit goes to a hex with its flamethrower; across a cliff for two points, and who reaches
    his morale by them surrenders. Tells whether it is still there. Whoever calls sees to the fire at it (12.3.5.4) and
    to what entering does."""
    here = state.at[unit]
    climbs = entry(rules, state, unit, here, to) == WHOLE_ALLOWANCE
    engineers.stop_work(rules, state, unit, out)
    for one in (unit, *flamethrowers.carried(state, (unit,))):
        put(rules, state, one, to)
    state.retreated |= 1 << unit
    if any(target == to and rules.side[one] != rules.side[unit] for one, target, _ in state.assaults):
        state.joined |= 1 << unit
    data = {"unit": rules.ids[unit], "hex": rules.hex_id(here), "to": rules.hex_id(to)}
    out.append(Event("retreated", (rule,), data))
    if climbs:
        morale.disorganise(rules, state, (unit,), rules.tables.number("retreat", "cliff_dp"), out, "12.3.5.1.e1")
        if morale.is_broken(rules, state, unit):
            morale.surrender(rules, state, unit, "12.3.5.1.e1", out)
    return state.at[unit] >= 0


def surrender(rules: CaporettoPrinted, state: State, unit: int, out: list[Event]) -> None:
    """12.3.5.2: there is no hex to retreat to."""
    morale.surrender(rules, state, unit, "12.3.5.2", out)


def rout(rules: CaporettoPrinted, state: State, unit: int, die: int, out: list[Event]) -> bool:
    """12.3.5.7: the die of who goes a hex farther: above its printed morale the unit is eliminated, and has not
    surrendered. Tells whether it is."""
    routed = die > rules.morale[unit]
    out.append(Event("rout_die", ("12.3.5.7",), {"unit": rules.ids[unit], "die": die, "routed": routed}))
    if routed:
        losses.remove(rules, state, unit, ROUTED, "12.3.5.7", out)
    return routed


def tire(rules: CaporettoPrinted, state: State, units: Iterable[int], out: list[Event]) -> None:
    """12.3.5.7: a point for the second hex when the retreat is over; nobody surrenders by it."""
    units = tuple([unit for unit in units if state.at[unit] >= 0])
    morale.disorganise(rules, state, units, rules.tables.number("retreat", "second_hex_dp"), out, "12.3.5.7")
    morale.test_surrenders(rules, state, units, out, spared="12.3.5.7")


def settle(rules: CaporettoPrinted, state: State, hexes: Iterable[int], force: int, out: list[Event]) -> None:
    """11.6, 15.4.3: at the end of a retreat every unit of the player in a hex that is too full takes a point."""
    for h in sorted(set(hexes)):
        if is_crowded(rules, state, h, force):
            morale.crowd(rules, state, _players(rules, state, h, force), out)


# 12.3.5.6: after a counter-assault


def origin(state: State, unit: int) -> int:
    """12.3.5.6: the hex from which a unit that has advanced began its assault; NOBODY if it has not."""
    return next((here for one, here in state.advanced if one == unit), NOBODY)


def fall_back(rules: CaporettoPrinted, state: State, units: Iterable[int], out: list[Event]) -> tuple[int, ...]:
    """12.3.5.6: those who took a hex and are driven out of it go back, each to where it began; with an enemy there they
    surrender (ours). Tells who is back; too many in a hex take a point each when all is over (`settle`)."""
    back = []
    for unit in units:
        here = origin(state, unit)
        foes = 1 - rules.side[unit]
        if here == NOBODY or (state.occ[foes] | state.guns[foes]) >> here & 1:
            surrender(rules, state, unit, out)
        elif retreat(rules, state, unit, here, out, "12.3.5.6"):
            back.append(unit)
            state.advanced = tuple([pair for pair in state.advanced if pair[0] != unit])
    return tuple(back)
