"""Looking ahead: who will be in supply, where the enemy could come next turn, and what a move would leave behind.

Asked of what a seat may know: hidden units wait off the map there, and those that are seen have their full allowance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.card import Line
from fronte.engine.decision import Action
from fronte.engine.outlook import Outlook
from fronte.games.common.outlook import Foreseen, named, told
from fronte.games.inferno import cites, supply
from fronte.games.inferno.movement import SIXTHS, Going, Move
from fronte.games.inferno.results import Advance
from fronte.games.inferno.stacking import is_legal_stack
from fronte.games.inferno.state import ELIMINATED, State, place
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def outlook(rules: Inferno, state: State, seat: int) -> Outlook:
    """4, 7, 11, 15: supply of one's own units as they stand, sources of both sides, where seen enemies could come and
    whom they could attack, and objectives that nobody guards."""
    threat, strikes = threats(rules, state, seat)
    layers = supply.supply_layers(rules, state, seat)
    well, low = sum(layers[: supply.IN_RANGE + 1]), sum(layers[supply.IN_RANGE + 1 :])
    out, poor, starved = list[str](), list[str](), 0
    for unit in rules.of_side[seat]:
        stands = rules.supplied_in(state, unit)
        if stands and not stands & well:
            (poor if stands & low else out).append(rules.ids[unit])
            starved |= 0 if stands & low else stands
    short = (("supply_out", out), ("supply_low", poor))
    lines = [named(key, "units", units, cites.SUPPLY_STATE) for key, units in short if units]
    lines = lines or [Line("supply_all", {}, cites.SUPPLY)]
    sources = [(name, supply.sources(rules, state, side)) for side, name in enumerate(rules.seats)]
    vacant = _objectives(rules, state, seat) & ~state.occ[seat]
    ground = (state.held if seat == 0 else ~state.held) | rules.board.around(state.occ[seat])
    covered = _covered(rules, state, seat)
    found = Foreseen(threat, strikes, vacant, ground, covered, lines, starved, sources)
    return told(found, rules.hex_ids, rules.seats[1 - seat])


def threats(rules: Inferno, state: State, seat: int) -> tuple[int, dict[int, int]]:
    """4, 7: the hexes that seen enemies could enter with their full allowance, and by how many of them each hex of
    one's own could be attacked then."""
    enemy, going = 1 - seat, Going(rules, state, 1 - seat)
    threat, strikes = 0, dict[int, int]()
    for unit in rules.of_side[enemy]:
        here = state.at[unit]
        if here < 0 or rules.gun[unit]:
            continue
        still = rules.frozen(state, unit) is not None
        reached = {} if still else going.flood(unit, here, rules.face(state, unit).ma * SIXTHS)[0]
        hexes = mask_of(reached) | 1 << here
        threat |= hexes
        if rules.engineer[unit]:
            continue
        beside = 0
        for h in bits(hexes):
            beside |= rules.board.grid.ring[h]
        for h in bits(beside & state.fight[seat]):
            if any(edge.to in reached or edge.to == here for edge in rules.board.edges[h]):
                strikes[h] = strikes.get(h, 0) + 1
    return threat & ~state.occ[enemy], strikes


def _objectives(rules: Inferno, state: State, seat: int) -> int:
    """15/14.0: the hexes that count for victory and that this side holds."""
    held = state.held if seat == 0 else ~state.held
    return mask_of(rules.grid_index[name] for name in rules.setting.objectives) & held


def _covered(rules: Inferno, state: State, seat: int) -> Line | None:
    """5.4: in every stack of the enemy others may lie under the top unit."""
    hexes = state.occ[1 - seat].bit_count()
    return Line("under_tops", {"n": hexes}, cites.HIDDEN) if hexes else None


def cautions(rules: Inferno, state: State, seat: int, action: Action) -> tuple[Line, ...]:
    """4, 5.1, 9.3, 11, 12.3: what a move or an advance would leave behind, and how units would stand where they go."""
    then = state.copy()
    if isinstance(action, Move) and action.path:
        units, path = [rules.number[action.unit]], [rules.grid_index[name] for name in action.path]
    elif isinstance(action, Advance) and action.units and state.battle is not None:
        units, path = rules.known(action.units), [state.battle.target]
    else:
        return ()
    origins, goal = dict.fromkeys(state.at[unit] for unit in units), path[-1]
    for h in path:
        for gun in [one for one in then.stacks[h] if rules.side[one] != seat]:
            place(rules, then, gun, ELIMINATED)  # 12.3.f/12.3.e
    for unit in units:
        place(rules, then, unit, goal)
    found: list[Line] = []
    threat, _ = threats(rules, then, seat)
    objectives = _objectives(rules, then, seat)
    for h in origins:
        if not then.stacks[h] and threat >> h & 1 and objectives >> h & 1:
            found.append(Line("objective_empty", {"hex": rules.hex_id(h)}, cites.CONTROL))
    for h in dict.fromkeys((*origins, goal)):
        guns = [one for one in then.stacks[h] if rules.gun[one]]
        if guns and len(guns) == len(then.stacks[h]) and threat >> h & 1:
            found.append(Line("gun_alone", {"unit": rules.ids[guns[0]], "hex": rules.hex_id(h)}, cites.OVERRUN))
    if supply.supply_length(rules, then, units[0]) is None:
        found += [Line("no_supply", {"unit": rules.ids[one], "hex": rules.hex_id(goal)}, cites.SUPPLY) for one in units]
    if len(then.stacks[goal]) > 1 and not is_legal_stack(rules, then, goal, then.stacks[goal]):
        found.append(Line("overstacked", {"hex": rules.hex_id(goal)}, cites.STACKING_LIMIT))
    return tuple(found)
