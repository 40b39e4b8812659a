"""12.4: counter-assault. Who may try to retake a hex that was just lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from fronte.engine.event import Event
from fronte.games.caporetto import sectors
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.state import NOT_PLANNED, units_of
from fronte.games.caporetto.tables import CLOSED
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State


def lost_hexes(rules: CaporettoPrinted, state: State, side: int) -> tuple[int, ...]:
    """12.4: the hexes that a side has lost by assault in this action and the enemy still holds."""
    return tuple([h for h in state.fallen if state.occ[1 - side] >> h & 1 and not state.occ[side] >> h & 1])


def has_means(rules: CaporettoPrinted, state: State, force: int) -> bool:
    """6.1: a force that lives on logistic points has some, or a formation that was paid for and has not acted yet;
    otherwise its units move in phase 10 alone."""
    if force not in rules.scene.logistics or state.points[force] > 0:
        return True
    return any(
        state.plan[number] != NOT_PLANNED and not state.done >> number & 1
        for number in rules.formations_of_force[force]
    )


def why_not(rules: CaporettoPrinted, state: State, unit: int, h: int) -> str:
    """12.4, 12.4.1: the rule by which a unit may not counter-assault a hex; empty if it may try, points permitting."""
    if not rules.assaulting >> unit & 1:
        return "21.1" if rules.engineers >> unit & 1 else "21.3"
    rule = why_not_part(rules, state, unit, h)
    if rule:
        return rule
    if sectors.is_bound(rules, state, unit):
        return "24.3.start"
    if not sectors.open_to(rules, state, unit) >> h & 1:
        return "24.3"
    if sectors.is_frozen(rules, state, unit) and not _from_here(rules, state, unit, h):
        return "24.9.2"
    return ""


def why_not_part(rules: CaporettoPrinted, state: State, unit: int, h: int) -> str:
    """12.4, 12.4.1, 6.1: the rule by which a unit has no part in a counter-assault, as supporter neither (12.4.2)."""
    here, foes = state.at[unit], 1 - rules.side[unit]
    if here < 0 or h not in lost_hexes(rules, state, rules.side[unit]) or (state.activated | state.ooc) >> unit & 1:
        return "12.4"
    if rules.grid.distance(here, h) > rules.counter_assault_reach:
        return "12.4.1"
    enemies = (state.occ[foes] | state.guns[foes]) & ~(1 << h)
    if not state.retreated >> unit & 1 and rules.grid.ring[here] & enemies:
        return "12.4"
    return "" if has_means(rules, state, rules.force[unit]) else "6.1"


def _from_here(rules: CaporettoPrinted, state: State, unit: int, h: int) -> bool:
    """24.9.2: who may not move counter-assaults a neighbour from where he stands."""
    here = state.at[unit]
    if not rules.grid.ring[here] >> h & 1:
        return False
    return any(step_price(rules, state, unit, here, h, by_road) != CLOSED for by_road in (False, True))


def who_may(rules: CaporettoPrinted, state: State, h: int, side: int) -> int:
    """12.4: the units of a side that may counter-assault a hex, as a set for `assault.why_not_assault`."""
    return _among(rules, state, h, side, why_not)


def who_may_support(rules: CaporettoPrinted, state: State, h: int, side: int) -> int:
    """12.4.2: those that may support one, as a set for `assault.why_not_support`; machine guns too."""
    return _among(rules, state, h, side, why_not_part)


def _among(
    rules: CaporettoPrinted, state: State, h: int, side: int, bars: Callable[[CaporettoPrinted, State, int, int], str]
) -> int:
    found = 0
    for there in bits(rules.grid.within(h, rules.counter_assault_reach) & state.occ[side]):
        for unit in units_of(rules, state, there, side):
            if not rules.guns >> unit & 1 and not bars(rules, state, unit, h):
                found |= 1 << unit
    return found


def finish(rules: CaporettoPrinted, state: State, units: Iterable[int], out: list[Event]) -> None:
    """12.4.4: who has counter-assaulted, or given support fire for it, is Activated. The trenches are 17.5."""
    for unit in units:
        if state.at[unit] >= 0:
            state.activated |= 1 << unit
            out.append(Event("activated", ("12.4.4",), {"unit": rules.ids[unit]}))
