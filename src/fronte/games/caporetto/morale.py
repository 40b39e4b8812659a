"""15, 9.3, 20: disorganisation. Points, surrender, lack of supply, recovery."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fronte.engine.event import Event
from fronte.games.caporetto import engineers, losses, sectors
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.printed import SURRENDERED
from fronte.games.caporetto.state import units_of, zone_of
from fronte.games.caporetto.tables import CLOSED
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State


def current(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """15.1: morale now: as printed, less the points of disorganisation."""
    return rules.morale[unit] - state.dp[unit]


def is_broken(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """15.4, 18.6: have its points reached its printed morale? Flamethrowers have none, and none to lose (21.4)."""
    return bool(rules.morale[unit]) and state.dp[unit] >= rules.morale[unit]


def disorganise(
    rules: CaporettoPrinted, state: State, units: Iterable[int], points: int, out: list[Event], rule: str = "15.2"
) -> None:
    """15.2: each of these units takes so many points; who surrenders by them is another question (`test_surrenders`).

    Engineers at work on a bridge lay it down (19.3).
    """
    if not points:
        return
    for unit in units:
        if rules.morale[unit]:
            state.dp[unit] += points
            data = {"unit": rules.ids[unit], "points": points, "dp": state.dp[unit]}
            out.append(Event("disorganised", (rule,), data))
            if any(one == unit and a != b for one, a, b in state.works):
                engineers.stop_work(rules, state, unit, out)


# Surrender


def could_enter(rules: CaporettoPrinted, state: State, unit: int, h: int) -> bool:
    """15.4: do terrain and scenario let a unit into a hex next to it? Points, activation and who is there do not
    matter (ours)."""
    if not sectors.open_to(rules, state, unit) >> h & 1 or sectors.is_bound(rules, state, unit):
        return False
    here = state.at[unit]
    return any(step_price(rules, state, unit, here, h, by_road) != CLOSED for by_road in (False, True))


def is_threatened(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """15.4: is it next to an enemy that could move into its hex? No gun could, and no flamethrower by itself."""
    h, foes = state.at[unit], 1 - rules.side[unit]
    for there in bits(rules.grid.ring[h] & state.occ[foes]):
        for foe in units_of(rules, state, there, foes):
            if rules.zoc_makers >> foe & 1 and could_enter(rules, state, foe, h):
                return True
    return False


def test_surrenders(
    rules: CaporettoPrinted, state: State, units: Iterable[int], out: list[Event], rule: str = "15.4", spared: str = ""
) -> tuple[int, ...]:
    """15.4: who has reached his morale surrenders next to an enemy who could enter, else stays one below it. All are
    looked at before the first one goes (4.0). `spared` is the rule by which nobody surrenders: 15.4.2, 15.4.3."""
    broken = [unit for unit in units if state.at[unit] >= 0 and is_broken(rules, state, unit)]
    lost = () if spared else tuple([unit for unit in broken if is_threatened(rules, state, unit)])
    for unit in broken:
        if unit not in lost:
            state.dp[unit] = rules.morale[unit] - 1
            data = {"unit": rules.ids[unit], "dp": state.dp[unit]}
            out.append(Event("held", (spared or rule,), data))
    for unit in lost:
        surrender(rules, state, unit, rule, out)
    return lost


def surrender(rules: CaporettoPrinted, state: State, unit: int, rule: str, out: list[Event]) -> None:
    """15.4, 16.2: into the box of those that count for victory."""
    losses.remove(rules, state, unit, SURRENDERED, rule, out)


def starve(rules: CaporettoPrinted, state: State, units: Iterable[int], out: list[Event]) -> tuple[int, ...]:
    """9.3, 4.0: units without a supply line in phase 11, of both sides: first all points, then all tests, then those
    who surrender go."""
    units = tuple(units)
    disorganise(rules, state, units, rules.tables.number("supply", "dp"), out, "9.3")
    return test_surrenders(rules, state, units, out, "9.3")


def crowd(rules: CaporettoPrinted, state: State, units: Iterable[int], out: list[Event]) -> None:
    """11.6, 15.4.3: a point for each unit in a hex that is too full; nobody surrenders by it."""
    units = tuple(units)
    disorganise(rules, state, units, rules.tables.number("stacking", "overstacked_dp"), out, "11.6")
    test_surrenders(rules, state, units, out, spared="15.4.3")


# Recovery


def can_recover(rules: CaporettoPrinted, state: State, unit: int, fed: int) -> bool:
    """20.1: is it disorganised, supplied (one of `fed`), in command, out of enemy zones, and has it not marched?"""
    if state.at[unit] < 0 or not state.dp[unit] or not fed >> unit & 1:
        return False
    in_zone = zone_of(rules, state, 1 - rules.side[unit]) >> state.at[unit] & 1
    return not (state.ooc | state.marched) >> unit & 1 and not in_zone


def recover(rules: CaporettoPrinted, state: State, units: Iterable[int], out: list[Event]) -> None:
    """20.1: one point less for each of these units, which may."""
    for unit in units:
        state.dp[unit] = max(0, state.dp[unit] - rules.tables.number("recovery", "dp"))
        out.append(Event("recovered", ("20.1",), {"unit": rules.ids[unit], "dp": state.dp[unit]}))
