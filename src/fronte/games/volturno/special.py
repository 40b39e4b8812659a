"""15: special rules of the battle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fronte.engine.event import Event
from fronte.games.volturno.command import is_near
from fronte.games.volturno.counters import FORMATIONS, GARIBALDINI, HALVES, NAPOLETANI, RUIZ
from fronte.games.volturno.state import State
from fronte.hexes import bits, mask_of
from fronte.hexes.sight import FAR, Reach

if TYPE_CHECKING:
    from fronte.games.volturno.printed import VolturnoPrinted

CASTEL_MORRONE, CASERTA_VECCHIA = "5213", "5320"


def sight_of(rules: VolturnoPrinted, turn: int, sighting: bool = False) -> Reach:
    """15.2: how far one sees this turn; by day without limit, but for sighting (15.3.p1) an option may set one."""
    limit = rules.sight_limit[turn] or (rules.day_sight if sighting else 0)
    return Reach(limit) if limit else FAR


def sees(rules: VolturnoPrinted, state: State, a: int, b: int, reach: Reach) -> bool:
    """9.4.4: a free line between two hexes; units between them block it."""
    occupied = (state.occ[0] | state.occ[1]) & ~(1 << a | 1 << b)
    return rules.ground.sight.sees(a, b, reach, occupied)


def look_out(rules: VolturnoPrinted, state: State, out: list[Event], units: Sequence[int] = ()) -> None:
    """15.3, 15.3.p1: Garibaldian formations that see an enemy now are free to act for the rest of the game.

    Without units everybody looks. After a step only those who moved need be looked at where one sees no farther than
    the next hex; where one sees farther a unit that goes away may open a line between two others.
    """
    blind = [f for f in rules.formations[GARIBALDINI] if not state.seen >> f & 1]
    if not blind:
        return
    reach = sight_of(rules, state.turn, sighting=True)
    moved = {unit: state.at[unit] for unit in units} if reach.hexes == 1 else {}
    theirs = state.occ[NAPOLETANI]
    came = mask_of([h for unit, h in moved.items() if rules.side[unit] == NAPOLETANI and h >= 0])
    for formation in blind:
        for unit in rules.members[formation]:
            at = state.at[unit]
            watched = theirs if not moved or unit in moved else came
            if at < 0 or not watched:
                continue
            if reach is not FAR:
                watched &= rules.grid.within(at, reach.hexes)
            if watched and any(sees(rules, state, at, h, reach) for h in bits(watched)):
                state.seen |= 1 << formation
                out.append(Event("sighted", ("15.3",), {"formation": FORMATIONS[formation]}))
                break


def gets_no_orders(rules: VolturnoPrinted, state: State, formation: int) -> bool:
    """15.8: Ruiz gets no Orders marker while Garibaldini hold Castel Morrone."""
    h = rules.grid.index.get(CASTEL_MORRONE, -1)
    return formation == RUIZ and h >= 0 and bool(state.occ[GARIBALDINI] >> h & 1)


def note_arrival(rules: VolturnoPrinted, state: State, out: list[Event]) -> None:
    """15.8.1.p1: once Ruiz's units (all, or one by option) are within a hex of Caserta Vecchia the column stops."""
    goal = rules.grid.index.get(CASERTA_VECCHIA, -1)
    there = [u for u in rules.members[RUIZ] if state.at[u] >= 0]
    if state.stopped or goal < 0 or not there:
        return
    near = [rules.grid.distance(state.at[u], goal) <= 1 for u in there]
    if all(near) if rules.option["ruiz_arrival_test"] == "all-units" else any(near):
        state.stopped = True
        out.append(Event("ruiz_stops", ("15.8.1.p1",), {}))


def is_stopped(rules: VolturnoPrinted, state: State, formation: int) -> bool:
    """15.8.1.p1: then it is activated only while Ruiz is in the radius of Ritucci or von Meckel."""
    if formation != RUIZ or not state.stopped:
        return False
    ruiz, meckel = rules.leader_of[RUIZ], rules.leader_of[FORMATIONS.index("NM")]
    chief = rules.chief[NAPOLETANI]
    if chief >= 0 and is_near(rules, state, chief, ruiz, rules.counters[chief].command):
        return False
    return meckel < 0 or not is_near(rules, state, meckel, ruiz, rules.command_radius // HALVES)
