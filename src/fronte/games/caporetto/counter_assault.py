"""12.4: counter-assault. Who may try to retake a hex that was just lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.games.caporetto import engineers, sectors
from fronte.games.caporetto.assault import why_never
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.seating import foe
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


def why_not(rules: CaporettoPrinted, state: State, unit: int, h: int) -> Refusal | None:
    """12.4, 12.4.1, 10.0.6: why a unit may not counter-assault a hex; None if it may try, points permitting."""
    refusal = why_never(rules, unit) or why_no_part(rules, state, unit, h)
    if refusal is not None:
        return refusal
    data = {"unit": rules.ids[unit]}
    if sectors.is_bound(rules, state, unit):
        return Refusal("24.3.start", "bound_to_hex", data)
    if not sectors.open_to(rules, state, unit) >> h & 1:
        return Refusal("24.3", "other_sector", data | {"hex": rules.grid.ids[h]})
    if state.moved >> unit & 1:  # for a counter-assault to which it has not come
        return Refusal("10.0.6", "has_moved", data)
    why = why_stays(rules, state, unit)
    return why if why is not None and not _from_here(rules, state, unit, h) else None


def why_stays(rules: CaporettoPrinted, state: State, unit: int) -> Refusal | None:
    """24.9.2, 19.3: why a unit counter-assaults from where it stands or not at all: it is of a frozen brigade, or works
    at a bridge."""
    if sectors.is_frozen(rules, state, unit):
        return Refusal("24.9.2", "does_not_move", {"unit": rules.ids[unit]})
    if engineers.bridging(state) >> unit & 1:
        return Refusal("19.3", "at_work", {"unit": rules.ids[unit]})
    return None


def why_no_part(rules: CaporettoPrinted, state: State, unit: int, h: int) -> Refusal | None:
    """12.4, 12.4.1, 6.1: why a unit has no part in a counter-assault, as supporter neither (12.4.2)."""
    here, foes, data = state.at[unit], 1 - rules.side[unit], {"unit": rules.ids[unit]}
    if h not in lost_hexes(rules, state, rules.side[unit]):
        return Refusal("12.4", "not_just_lost", {"hex": rules.grid.ids[h]})
    if here < 0 or (state.activated | state.ooc) >> unit & 1:
        return Refusal("12.4", "does_not_act", data)
    if rules.force[unit] != foe(rules, state.active):  # 24.1: his own Italians do not fight against who acts
        return Refusal("12.4", "does_not_act", data)
    if rules.grid.distance(here, h) > rules.counter_assault_reach:
        return Refusal("12.4.1", "too_far", data)
    enemies = (state.occ[foes] | state.guns[foes]) & ~(1 << h)
    if not state.retreated >> unit & 1 and rules.grid.ring[here] & enemies:
        return Refusal("12.4", "next_to_enemies", data)
    return None if has_means(rules, state, rules.force[unit]) else Refusal("6.1", "no_points", data)


def _from_here(rules: CaporettoPrinted, state: State, unit: int, h: int) -> bool:
    """24.9.2, 19.3: who may not move counter-assaults a neighbour from where he stands."""
    here = state.at[unit]
    if not rules.grid.ring[here] >> h & 1:
        return False
    return any(step_price(rules, state, unit, here, h, by_road) != CLOSED for by_road in (False, True))


def who_may(rules: CaporettoPrinted, state: State, h: int, side: int) -> int:
    """12.4: the units of a side that may counter-assault a hex, as a set for `assault.why_not_assault`."""
    return _among(rules, state, h, side, why_not)


def who_may_support(rules: CaporettoPrinted, state: State, h: int, side: int) -> int:
    """12.4.2: those that may support one, as a set for `assault.why_not_support`; machine guns too."""
    return _among(rules, state, h, side, why_no_part)


def _among(
    rules: CaporettoPrinted,
    state: State,
    h: int,
    side: int,
    bars: Callable[[CaporettoPrinted, State, int, int], Refusal | None],
) -> int:
    found = 0
    for there in bits(rules.grid.within(h, rules.counter_assault_reach) & state.occ[side]):
        for unit in units_of(rules, state, there, side):
            if not rules.guns >> unit & 1 and bars(rules, state, unit, h) is None:
                found |= 1 << unit
    return found


def finish(rules: CaporettoPrinted, state: State, units: Iterable[int], out: list[Event]) -> None:
    """12.4.4: who has counter-assaulted, or given support fire for it, is Activated. The trenches are 17.5."""
    for unit in units:
        if state.at[unit] >= 0:
            state.activated |= 1 << unit
            out.append(Event("activated", ("12.4.4",), {"unit": rules.ids[unit]}))
