"""Looking ahead: who will be in command, where the enemy could come next turn, and what a move would leave behind.

Asked of what a seat may know. Who somebody is may be unknown (8.6), but not what branch it is and how far it goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.card import Line
from fronte.engine.decision import Action
from fronte.engine.outlook import Outlook
from fronte.games.common.outlook import Foreseen, named, told
from fronte.games.volturno import assault, movement
from fronte.games.volturno.acting import Move
from fronte.games.volturno.command import radius
from fronte.games.volturno.counters import SIDES
from fronte.games.volturno.state import NOBODY, State, place
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

FAR = 3
"""So far from one's units and from objectives one looks where enemies could come: into the hexes next to a unit nobody
comes without a marker (3.1.2)."""


def outlook(rules: Volturno, state: State, seat: int) -> Outlook:
    """5.1, 8, 11, 1.3: who would be out of command now, where enemies could come and whom they could assault, and
    objectives that nobody guards."""
    threat, strikes = threats(rules, state, seat)
    lost = [rules.ids[unit] for unit in rules.units_of_side[seat] if is_astray(rules, state, unit)]
    lines = [named("command_out", "units", lost, "5.1")] if lost else [Line("command_all", {}, "5.1")]
    held = mask_of(h for h in rules.objectives if state.control[seat] >> h & 1)
    starved = mask_of(state.at[rules.number[name]] for name in lost)
    ground = state.control[seat] | rules.grid.near(state.occ[seat] | mask_of(rules.objectives), FAR)[FAR]
    found = Foreseen(threat, strikes, held & ~state.occ[seat], ground, lines=lines, starved=starved)
    return told(found, rules.hex_ids, SIDES[1 - seat])


def is_astray(rules: Volturno, state: State, unit: int) -> bool:
    """5.1, 5.2: would a unit on the map be out of its commander's reach if that were looked at now?"""
    leader = rules.leader_of[rules.counters[unit].formation]
    if state.at[unit] < 0:
        return False
    return state.at[leader] < 0 or state.at[unit] not in radius(rules, state, leader, rules.command_radius)


def threats(rules: Volturno, state: State, seat: int) -> tuple[int, dict[int, int]]:
    """8, 11.1: the hexes that enemies could enter if their formations acted, and by how many of them each hex of one's
    own could be assaulted."""
    then = state.copy()
    then.markers, then.mover, then.row = (), NOBODY, ""
    threat, strikes = 0, dict[int, int]()
    for unit in rules.units_of_side[1 - seat]:
        if then.at[unit] < 0 or unit in rules.gun_set:
            continue
        threat |= mask_of(movement.spread(rules, then, unit)[0]) | 1 << then.at[unit]
        for h in {target for _, target in assault.attacks(rules, then, unit, roomy=True)}:
            strikes[h] = strikes.get(h, 0) + 1
    return threat & ~state.occ[1 - seat], strikes


def cautions(rules: Volturno, state: State, seat: int, action: Action) -> tuple[Line, ...]:
    """1.3, 5.1, 11.4.1: what a move would leave behind, and how the unit would stand where it goes."""
    if not isinstance(action, Move) or not action.path:
        return ()
    unit, goal = rules.number[action.unit], rules.grid.index[action.path[-1]]
    left, then, ids = state.at[unit], state.copy(), rules.grid.ids
    if unit in rules.leader_set:
        then.at[unit] = goal  # commanders are in no stack
        formation = rules.counters[unit].formation
        led = rules.members[formation] if formation >= 0 else ()
        now = [u for u in led if is_astray(rules, then, u) and not is_astray(rules, state, u)]
        return (named("commander_leaves", "units", rules.unit_ids(now), "5.1"),) if now else ()
    place(then, unit, goal, seat)
    found: list[Line] = []
    threat, _ = threats(rules, then, seat)
    if left in rules.objectives and not then.occ[seat] >> left & 1 and threat >> left & 1:
        found.append(Line("objective_empty", {"hex": ids[left]}, "1.3.p1"))
    for h in dict.fromkeys((left, goal)):
        stack = then.stacks.get(h, ())
        if stack and all(one in rules.gun_set for one in stack) and threat & rules.grid.ring[h]:
            found.append(Line("gun_alone", {"unit": rules.ids[stack[0]], "hex": ids[h]}, "11.4.1"))
    if is_astray(rules, then, unit) and not is_astray(rules, state, unit):
        found.append(Line("no_command", {"unit": action.unit, "hex": ids[goal]}, "5.1"))
    return tuple(found)
