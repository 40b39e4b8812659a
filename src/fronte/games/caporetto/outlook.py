"""Looking ahead: who will be in supply, where the enemy could come next turn, and what a move would leave behind.

Asked of what a seat may know: counters that are covered are left out, and it is said how many they are (22.0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.card import Line
from fronte.engine.decision import Action
from fronte.engine.outlook import Outlook
from fronte.games.caporetto import movement
from fronte.games.caporetto import supply as supplying
from fronte.games.caporetto.moving import Move
from fronte.games.caporetto.seating import seat_of
from fronte.games.caporetto.sightings import known
from fronte.games.caporetto.state import State, put
from fronte.games.common.outlook import Foreseen, named, told
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

FAR = 12
"""Enemies farther than this from every unit and objective of one's own are not looked at."""
TACTICAL = movement.Manner()


def outlook(rules: Caporetto, state: State, seat: int) -> Outlook:
    """9.2, 10, 10.2, 23.1: supply of one's own units as they stand, sources of both sides, where known enemies could
    come and whom they could assault, and objectives that nobody guards."""
    threat, strikes, covered = threats(rules, state, seat)
    own = _own(rules, state, seat)
    hungry = [unit for unit in bits(own) if not _is_supplied(rules, state, unit)]
    lines = [named("supply_out", "units", rules.unit_ids(hungry), "9.2")] if hungry else [Line("supply_all", {}, "9.2")]
    stands = mask_of(state.at[unit] for unit in bits(own))
    sources = [
        (name, rules.ground.sources[rules.scene.force_side[force]] & rules.homes[force] & rules.ground.extent)
        for force, name in enumerate(rules.scene.forces)
    ]
    starved = mask_of(state.at[unit] for unit in hungry)
    ground = _held(rules, state, seat) | rules.ground.around(stands)
    vacant = _objectives(rules, state, seat) & ~stands
    unknown = Line("covered", {"n": covered}, "22.0") if covered else None
    found = Foreseen(threat, strikes, vacant, ground, unknown, lines, starved, sources)
    return told(found, rules.hex_ids, _foe(rules, seat))


def _foe(rules: Caporetto, seat: int) -> str:
    """A force that another seat commands, for its colour."""
    return next(name for force, name in enumerate(rules.scene.forces) if seat_of(rules, force) != seat)


def _own(rules: Caporetto, state: State, seat: int) -> int:
    """The units on the map that this seat commands."""
    found = 0
    for force in range(len(rules.scene.forces)):
        if seat_of(rules, force) == seat:
            found |= rules.of_force[force]
    return mask_of(unit for unit in bits(found & state.present) if state.at[unit] >= 0)


def _is_supplied(rules: Caporetto, state: State, unit: int) -> bool:
    """9.2: would a unit be supplied where it stands?"""
    lines = supplying.lines_of(rules, state, rules.force[unit], supplying.where_lines_run(rules, state, unit))
    return bool(supplying.supplied(rules.ground, lines) >> state.at[unit] & 1)


def _objectives(rules: Caporetto, state: State, seat: int) -> int:
    """23.1: the hexes that count for victory and that forces of this seat hold."""
    return mask_of(rules.scene.objectives) & _held(rules, state, seat)


def _held(rules: Caporetto, state: State, seat: int) -> int:
    found = 0
    for force, hexes in enumerate(state.control):
        found |= hexes if seat_of(rules, force) == seat else 0
    return found


def threats(rules: Caporetto, state: State, seat: int) -> tuple[int, dict[int, int], int]:
    """10, 10.2: the hexes that known enemies could enter if they acted, by how many of them each hex of one's own could
    be assaulted, and how many are not known. Enemies of a unit are those of the other side (24.1)."""
    own, sees = _own(rules, state, seat), known(rules, state, seat)
    sides = {rules.side[unit] for unit in bits(own)}
    stands = mask_of(state.at[unit] for unit in bits(own))
    near = rules.grid.near(stands | _objectives(rules, state, seat), FAR)[FAR]
    others = [u for u in bits(state.present & ~own) if state.at[u] >= 0 and near >> state.at[u] & 1]
    enemies = [u for u in others if 1 - rules.side[u] in sides]
    threat, strikes = 0, dict[int, int]()
    alike: dict[tuple[object, ...], tuple[int, int]] = {}
    for unit in enemies:
        if not sees >> unit & 1 or rules.guns >> unit & 1:
            continue
        kind = state.at[unit], rules.force[unit], rules.foot[unit], rules.points[unit], rules.infiltration >> unit & 1
        if kind not in alike:
            alike[kind] = _reach(rules, state, unit, stands)
        hexes, struck = alike[kind]
        threat |= hexes
        if rules.assaulting >> unit & 1:
            for h in bits(struck):
                strikes[h] = strikes.get(h, 0) + 1
    covered = sum(1 for unit in enemies if not sees >> unit & 1)
    return threat & ~mask_of(state.at[unit] for unit in enemies), strikes, covered


def _reach(rules: Caporetto, state: State, unit: int, stands: int) -> tuple[int, int]:
    """10, 10.2.1: where a unit could go, and the hexes next to these in which it would find somebody."""
    here = state.at[unit]
    if not rules.points[unit]:
        return 1 << here, 0
    points = movement.allowance(rules, state, (unit,), TACTICAL)
    hexes = mask_of(movement.spread(rules, state, (unit,), points, TACTICAL).left) | 1 << here
    beside = 0
    for h in bits(hexes):
        beside |= rules.grid.ring[h]
    side = 1 - rules.side[unit]
    return hexes, beside & stands & state.occ[side]


def cautions(rules: Caporetto, state: State, seat: int, action: Action) -> tuple[Line, ...]:
    """9.2, 18.3, 23.1: what a move would leave behind, and how the units would stand where they go."""
    if not isinstance(action, Move) or not action.path:
        return ()
    units = [rules.number[name] for name in (action.unit, *action.along)]
    left, goal, then = state.at[units[0]], rules.grid.index[action.path[-1]], state.copy()
    for unit in units:
        put(rules, then, unit, goal)
    found: list[Line] = []
    threat, _, _ = threats(rules, then, seat)
    if _objectives(rules, then, seat) >> left & 1 and left not in then.stacks and threat >> left & 1:
        found.append(Line("objective_empty", {"hex": rules.hex_id(left)}, "23.1"))
    for h in dict.fromkeys((left, goal)):
        stack = then.stacks.get(h, ())
        if stack and all(rules.guns >> unit & 1 for unit in stack) and threat >> h & 1:
            found.append(Line("gun_alone", {"unit": rules.ids[stack[0]], "hex": rules.hex_id(h)}, "18.3"))
    if not _is_supplied(rules, then, units[0]) and _is_supplied(rules, state, units[0]):
        found.append(Line("no_supply", {"unit": action.unit, "hex": rules.hex_id(goal)}, "9.2"))
    return tuple(found)
