"""7: command. Where a headquarters may be placed, whom it reaches, who and what may act with its formation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.games.caporetto import supply
from fronte.games.caporetto.counters import ENGINEER, FLAMETHROWER, MACHINE_GUN
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.state import NOBODY, NOT_PLANNED, State, zone_of
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted

BESIDES = (ENGINEER, FLAMETHROWER, MACHINE_GUN)
"""7.5.e1: independents of these branches are attached in any number."""


# 7.1: command range


def reach(rules: CaporettoPrinted, state: State, formation: int, here: int, passed: int = 0) -> int:
    """7.1: the hexes to which the command range of a headquarters in this hex extends.

    It goes through no enemy unit, and through an enemy zone only where a friendly unit annuls it or a die has let it
    pass (`passed`, a set of hexes). Such a hex is not reached itself: nobody of one's own is in it. It reaches onto the
    left bank, where reinforcements may stand, and leads through none of its hexes (21.7).
    """
    one = rules.formations[formation]
    closed = _shut(state, one.side) | _contested(rules, state, one.side) & ~passed
    return _within(rules, here, one.command, closed)


def _within(rules: CaporettoPrinted, here: int, far: int, closed: int) -> int:
    """A hex, and those at most so many steps away, through none that is closed, nor on from the left bank."""
    ground = rules.ground
    key = here, far, closed & rules.grid.within(here, far)
    known = rules.in_range.get(key)
    if known is not None:
        return known
    found = layer = 1 << here
    for _ in range(far):
        near = ground.around(layer) & ~closed & ~found
        found |= near & (ground.extent | ground.left_bank)
        layer = near & ground.extent
        if not layer:
            break
    return rules.in_range.keep(key, found)


def _shut(state: State, side: int) -> int:
    """7.1: the hexes of enemy units, guns among them."""
    return state.occ[1 - side] | state.guns[1 - side]


def _contested(rules: CaporettoPrinted, state: State, side: int) -> int:
    """7.1: enemy zones that no friendly unit annuls."""
    return zone_of(rules, state, 1 - side) & ~(state.occ[side] | state.guns[side])


def in_command(rules: CaporettoPrinted, state: State, formation: int, here: int, passed: int = 0) -> int:
    """7.1, 7.7: the units of a formation that a headquarters in this hex commands."""
    reached, found = reach(rules, state, formation, here, passed), 0
    for unit in members(rules, state, formation):
        if reached >> state.at[unit] & 1:
            found |= 1 << unit
    return found


def members(rules: CaporettoPrinted, state: State, formation: int) -> list[int]:
    """2.2.3, 21.6: the units of a formation that are on the map; companies that follow Rommel are his."""
    return list(bits(mustered(rules, state, formation)))


def mustered(rules: CaporettoPrinted, state: State, formation: int) -> int:
    """2.2.3, 21.6: the same as a set."""
    if formation == rules.rommel:
        return state.rommel & state.present
    return rules.formations[formation].mask & ~state.rommel & state.present


def next_die(rules: CaporettoPrinted, state: State, formation: int, here: int, passed: int, stopped: int) -> int:
    """7.1, 7.6: the enemy zone for which a die is thrown next; NOBODY where none could bring a unit into command, or an
    independent into range.

    One die for each hex and activation, and only for units that no free way reaches: the way with the fewest dice is
    tried, from the headquarters outwards. `passed` and `stopped` are the hexes whose dice have fallen.
    """
    one, ground = rules.formations[formation], rules.ground
    dear = _contested(rules, state, one.side) & ~passed
    if not dear & rules.grid.within(here, one.command):
        return NOBODY
    others = candidates(rules, state, formation, ground.extent) & ~rules.flamethrowers
    goals = _places(state, mustered(rules, state, formation) | others)
    closed = _shut(state, one.side) | stopped | ~ground.extent
    free = _within(rules, here, one.command, closed | dear)
    goals &= ~free
    if not goals & _within(rules, here, one.command, closed):
        return NOBODY
    # by hex the fewest dice of any way so far, with the first hex on it that needs one
    best = {here: (0, NOBODY)}
    edge = best
    for _ in range(one.command):
        grown: dict[int, tuple[int, int]] = {}
        for h, (dice, first) in edge.items():
            for there in rules.grid.adjacent[h]:
                if closed >> there & 1:
                    continue
                if dear >> there & 1:
                    way = dice + 1, there if first == NOBODY else first
                else:
                    way = dice, first
                if (there not in best or way < best[there]) and (there not in grown or way < grown[there]):
                    grown[there] = way
        best |= grown
        edge = grown
    return min([best[h] for h in bits(goals) if h in best])[1]


def diced(rules: CaporettoPrinted, state: State, formation: int, here: int) -> list[int]:
    """7.1, 7.6, `command_zoc_roll` = per-unit: who is in range but for enemy zones, and has a die: each unit of the
    formation, and of the independents that could be attached one for all in its hex (ours)."""
    able = reach(rules, state, formation, here, passed=rules.grid.everything) & ~reach(rules, state, formation, here)
    found = [unit for unit in members(rules, state, formation) if able >> state.at[unit] & 1]
    others = bits(candidates(rules, state, formation, able) & ~rules.flamethrowers)
    return found + list({state.at[unit]: unit for unit in others}.values())


# 7.6: where a headquarters is placed


def fields(rules: CaporettoPrinted, state: State, formation: int) -> list[int]:
    """7.1, 7.7: of each unit of a formation that can be commanded, the hexes from which its headquarters does so
    without a die."""
    one = rules.formations[formation]
    there = [unit for unit in members(rules, state, formation) if not state.ooc >> unit & 1]
    return [_from_which(rules, state, one.side, one.command, 1 << state.at[unit]) for unit in there]


def hq_hexes(rules: CaporettoPrinted, state: State, formation: int) -> int:
    """7.6, 9.4, 9.4.1: the hexes in which the headquarters of a formation may be placed: supplied, without enemies, and
    with a unit of its own in command, whatever the dice."""
    one = rules.formations[formation]
    denied = supply.denied_to(rules, state, formation)
    there = mustered(rules, state, formation) & ~state.ooc
    fed = 0
    for inside in supply.where_all_run(rules, state, one.force, there):
        fed |= supply.supplied(rules.ground, supply.lines_of(rules, state, one.force, inside, denied))
    near = _from_which(rules, state, one.side, one.command, _places(state, there))
    return fed & near & rules.ground.extent & ~_shut(state, one.side)


def _places(state: State, units: int) -> int:
    """The hexes of units that are on the map."""
    found, at = 0, state.at
    for unit in bits(units):
        found |= 1 << at[unit]
    return found


def _from_which(rules: CaporettoPrinted, state: State, side: int, far: int, goals: int) -> int:
    """7.1: the hexes from which a range of so many hexes reaches a unit in one of these without a die. The hex of the
    headquarters is not counted, so that it may lie in an enemy zone itself (7.6)."""
    around = rules.grid.near(goals, far)[far]
    shut, contested = (_shut(state, side) | rules.ground.outside) & around, _contested(rules, state, side) & around
    key = goals, far, shut, contested
    known = rules.commanding.get(key)
    if known is not None:
        return known
    found = layer = goals
    for _ in range(far):
        near = rules.ground.around(layer) & ~shut & ~found
        found |= near
        layer = near & ~contested
        if not layer:
            break
    return rules.commanding.keep(key, found)


# 7.3, 7.4, 14: what it costs


def plan_price(rules: CaporettoPrinted, guns: int) -> int:
    """7.3: logistic points for a formation with so many guns: one for itself and one for each five or fewer."""
    number = rules.tables.number
    return number("logistics", "formation") + -(-guns // number("logistics", "guns_each"))


def reaction_price(rules: CaporettoPrinted, state: State, formation: int, guns: int) -> int:
    """14: what it costs a formation to react with so many guns: nothing of who was planned, and nothing to the AHG."""
    if rules.formations[formation].side == AHG or state.plan[formation] != NOT_PLANNED:
        return 0
    return plan_price(rules, guns) * rules.tables.number("logistics", "reaction")


def most_guns(rules: CaporettoPrinted, state: State, formation: int, reacts: bool = False) -> int:
    """7.3, 7.4, 14: how many guns a formation may have with it: what was planned; of an Italian one that reacts and was
    not planned the Initiative Value of its headquarters."""
    one = rules.formations[formation]
    if one.side == AHG:
        return rules.most_assigned
    if state.plan[formation] != NOT_PLANNED:
        return state.plan[formation]
    return one.initiative if reacts else 0


# 7.5, 18.8: who and what acts with a formation


def free_guns(rules: CaporettoPrinted, state: State, formation: int) -> int:
    """18.8, 12.1.2, 7.8: the guns that can be assigned to a formation: in fire mode, in command, not yet fired."""
    return rules.guns_for(formation) & state.emplaced & state.present & ~(state.act | state.ooc)


def candidates(rules: CaporettoPrinted, state: State, formation: int, reached: int) -> int:
    """7.5: the independents that could be attached to a formation whose range covers these hexes: not activated, not
    out of command, attached to no other (7.10), of its own force, and those of a division only to its own."""
    one, found = rules.formations[formation], 0
    taken = state.activated | state.ooc | state.attached
    for unit in bits(rules.independents & rules.of_force[one.force] & state.present & ~taken):
        if reached >> state.at[unit] & 1:
            fits = rules.division[unit] in (NO_ONE, one.division)
            found |= fits << unit
    return found


def why_not_attached(
    rules: CaporettoPrinted, state: State, formation: int, units: Iterable[int], reached: int
) -> Refusal | None:
    """7.5, 7.5.e1, 7.5.e2: why these independents cannot all be attached: at most two battalions, besides those of the
    division, engineers, flamethrowers and machine guns."""
    able, total = candidates(rules, state, formation, reached), 0
    for unit in units:
        if not able >> unit & 1:
            return Refusal("7.5", "not_attached", {"unit": rules.ids[unit]})
        if rules.division[unit] == NO_ONE and rules.counters[unit].kind.branch not in BESIDES:
            total += rules.quarters[unit]
    if total > rules.most_independents:
        return Refusal("7.5", "too_many_independents", {"most": rules.most_independents // 4})
    return None


def acts_with(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """7.5, 7.10, 21.6: the formation with which a unit acts: its own, Rommel's, or that to which it is attached.
    NO_ONE for an independent that is not attached."""
    if state.rommel >> unit & 1:
        return rules.rommel
    if state.attached >> unit & 1:
        return next((formation for formation, units in state.attachments if units >> unit & 1), NO_ONE)
    return rules.formation_of[unit]


# 7.7, 7.9, 7.10: which formations can be activated


def is_planned(rules: CaporettoPrinted, state: State, formation: int) -> bool:
    """7.3, 7.4: was it chosen in the Command Phase?"""
    return state.plan[formation] != NOT_PLANNED


def plan_rule(rules: CaporettoPrinted, formation: int) -> str:
    """7.3, 7.4: the rule by which it is chosen and has its guns: Italians pay for it, the AHG does not."""
    return "7.4" if rules.formations[formation].side == AHG else "7.3"


def can_act(rules: CaporettoPrinted, state: State, formation: int) -> bool:
    """7.6, 7.7, 13: has it not been activated, and is there a hex for its headquarters?"""
    if state.done >> formation & 1 or not mustered(rules, state, formation):
        return False
    return bool(hq_hexes(rules, state, formation))


def keeps_order(rules: CaporettoPrinted, state: State, formation: int) -> bool:
    """7.9: may it be activated now, as far as the order of divisions goes? Formations without a division are outside
    of it, unless by option each is a division of its own."""
    if not state.closed:
        return True
    name = order_name(rules, formation)
    return not name or (rules.formations[formation].force, name) not in state.closed


def order_name(rules: CaporettoPrinted, formation: int) -> str:
    """7.9: the division to which a formation counts; empty for none."""
    one = rules.formations[formation]
    if one.division != NO_ONE:
        return rules.divisions[one.division][1]
    return one.id if rules.option["no_division"] == "own-division" else ""


def note_order(rules: CaporettoPrinted, state: State, *formations: int) -> None:
    """7.9: formations are activated together; the divisions before are closed for their force, as far as these are
    others. Two that change places are of two divisions at once (7.11, ours). Reactions are not noted."""
    force = rules.formations[formations[0]].force
    names = tuple(name for name in dict.fromkeys(order_name(rules, formation) for formation in formations) if name)
    if not names:
        return
    for before in state.division[force]:
        if before not in names and (force, before) not in state.closed:
            state.closed = (*state.closed, (force, before))
    state.division[force] = names


def activatable(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """4.0, 7.3, 7.4, 7.9: the formations that a force can activate in an action phase, in the sector in which it is."""
    found = []
    for formation in rules.formations_of_force[force]:
        if is_planned(rules, state, formation) and keeps_order(rules, state, formation):
            if can_act(rules, state, formation):
                found.append(formation)
    return found


def able_to_react(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """14, 6.1, 24.9: the formations with which a force can try to react; in turn 1 of scenario 1 Italians only with
    those that were assaulted."""
    opening = rules.scene.opening
    narrow = opening.react_if_assaulted and state.turn == rules.scene.first_turn
    found = []
    for formation in rules.formations_of_force[force]:
        italian = rules.formations[formation].side == ITALIAN
        if narrow and italian and not state.assaulted >> formation & 1:
            continue
        if reaction_price(rules, state, formation, 0) <= state.points[force] and can_act(rules, state, formation):
            found.append(formation)
    return found
