"""Why a unit cannot go to a hex, attack it or do anything now: asked of what a seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from fronte.engine.card import Line
from fronte.engine.decision import Refusal
from fronte.engine.whynot import MOST_TOLD, Idle, Obstacle, Part, WhyNot
from fronte.games.common.made import Made
from fronte.games.common.relaxed import Found, March, Step, arrives, barred, commonest, explained, way
from fronte.games.inferno import cites
from fronte.games.inferno.combat import guns_on, why_no_fire, why_no_target, why_not_attacker
from fronte.games.inferno.effectiveness import why_no_recovery
from fronte.games.inferno.movement import (
    SIXTHS,
    is_fresh,
    points_left,
    reach,
    step_cost,
    why_no_edge,
    why_no_move,
)
from fronte.games.inferno.state import RECOVERED, State
from fronte.games.inferno.zoc import road_barrier, zoc
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

QUIET = ("move_over", "has_recovered", "no_enemy_next_to", "nothing_in_range", "has_attacked", "has_fired")
"""Reasons that go without saying."""


def why_not_there(rules: Inferno, state: State, seat: int, unit: int, goal: int) -> WhyNot:
    """4, 7: what stands between a unit of this seat and a hex, in this phase or in the next of its kind."""
    name, where = rules.ids[unit], rules.hex_id(goal)
    own = _why_not_now(rules, state, seat, unit)
    attack = _attack(rules, state, seat, unit, goal)
    known = reach(rules, state, unit).get(goal) if own is None else None
    if known is not None:
        return WhyNot(name, where, rules.hex_ids(known[1]), len(known[1]), attack=attack)
    march = _march(rules, state, unit, begins=state.phase != "movement" or state.active != seat)
    found = _way(rules, march, goal)
    zones = _zones_help(rules, state, unit, march, goal)
    way_part = msgspec.structs.replace(found.part, helps=(*zones, *found.part.helps)[:MOST_TOLD])
    path = rules.hex_ids([step.to for step in found.path])
    return WhyNot(name, where, path, found.gone if own is None else 0, barred(own), way_part, attack)


def _why_not_now(rules: Inferno, state: State, seat: int, unit: int) -> Refusal | None:
    """3.1, 4: why the unit itself does not move now, wherever to."""
    if state.active != seat or state.phase != "movement":
        return rules.frozen(state, unit) or Refusal(cites.PLAYER_TURN, "only_in_movement")
    return why_no_move(rules, state, unit) or _why_rests(rules, state, unit)


def _why_rests(rules: Inferno, state: State, unit: int) -> Refusal | None:
    """4.4, 10.3: by option who has recovered does nothing else."""
    if state.flags[unit] & RECOVERED and not rules.recovery_then_move:
        return Refusal(cites.RECOVERY_COST, "has_recovered", {"unit": rules.ids[unit]})
    return None


def _march(rules: Inferno, state: State, unit: int, begins: bool, zones: bool = True) -> March:
    """The unit with all steps of the board; with a whole allowance where its phase is yet to come."""
    side = rules.side[unit]
    ezoc = zoc(rules, state, 1 - side) if zones else 0
    block = road_barrier(rules, state, side) if zones else 0
    usual = rules.face(state, unit).ma * SIXTHS
    spent = not begins and not is_fresh(rules, state, unit)
    left = usual if begins else points_left(rules, state, unit)
    steps = Made(lambda h: _steps(rules, state, unit, h, ezoc, block))
    return March(state.at[unit], left, usual, not spent, steps, least=True)


def _steps(rules: Inferno, state: State, unit: int, here: int, ezoc: int, block: int) -> list[Step]:
    """4.2: the steps out of a hex, also those that something bars; across a crag there is none."""
    found, edges = [], rules.board.edge_to[here]
    for there in rules.board.grid.adjacent[here]:
        edge = edges.get(there)
        if edge is None:
            found.append(Step(there, SIXTHS, why_no_edge(rules, here, there)))
            continue
        bar = rules.why_no_step(state, unit, here, edge, block)
        whole = rules.takes_whole_move(state, unit, here, edge, block)
        found.append(Step(there, step_cost(rules, state, unit, here, edge, ezoc, block), bar, whole))
    return found


def _way(rules: Inferno, march: March, goal: int) -> Found:
    ids = rules.board.grid.ids

    def dear(step: Step, left: int) -> Refusal:
        if step.whole:
            return Refusal(cites.RIVER_CROSSING, "crossing_is_whole_move")
        return Refusal(cites.MOVEMENT_POINTS, "too_dear", {"to": ids[step.to], "need": step.cost, "have": left})

    return explained(march, goal, ids, dear, rules.hexside_name)


def _zones_help(rules: Inferno, state: State, unit: int, march: March, goal: int) -> list[Line]:
    """6.3: would the points be enough but for enemy zones? Prohibitions stay as they are."""
    one = way(march, goal, ())
    if one is None or arrives(march, one):
        return []
    free = _march(rules, state, unit, march.left == march.usual and march.fresh, zones=False)
    return [Line("zones", {}, cites.ZONES)] if arrives(free, way(free, goal, ())) else []


# Attacks


def _attack(rules: Inferno, state: State, seat: int, unit: int, goal: int) -> Part | None:
    """7, 12.3: why a unit cannot attack a hex with enemies or support that, and whence it could."""
    if not state.occ[1 - seat] >> goal & 1:
        return None
    if state.active != seat:
        return barred(Refusal(cites.PLAYER_TURN, "attacks_on_own_turn"))
    why = why_no_target(rules, state, goal) or _why_no_part(rules, state, seat, unit, goal)
    found = barred(why, rules.hex_id(goal))
    if state.phase == "combat":
        return found
    later = Obstacle(Refusal(cites.COMBAT_PHASE, "only_in_combat"))
    whence = _whence(rules, state, unit, goal) if why is not None and why.key == "unit_not_adjacent" else []
    return msgspec.structs.replace(found, obstacles=(*found.obstacles, later), helps=(*found.helps, *whence))


def _whence(rules: Inferno, state: State, unit: int, goal: int) -> list[Line]:
    """7: the hexes in reach from which a unit could attack."""
    if state.phase != "movement" or why_no_move(rules, state, unit) is not None:
        return []
    ring = rules.board.grid.ring[goal]
    near = [h for h in reach(rules, state, unit) if ring >> h & 1 and goal in rules.board.edge_to[h]]
    return [Line("attack_from", {"hexes": list(rules.hex_ids(sorted(near)))}, cites.COMBAT)] if near else []


def _why_no_part(rules: Inferno, state: State, seat: int, unit: int, goal: int) -> Refusal | None:
    if not rules.supports[unit]:
        return why_not_attacker(rules, state, unit, goal)
    origins = list(bits(state.fight[seat] & rules.board.grid.ring[goal]))
    if not origins and rules.gun[unit]:
        return Refusal(cites.ARTILLERY, "nobody_to_support", {"hex": rules.hex_id(goal)})
    why = why_no_fire(rules, state, unit, rules.in_range(goal, origins), attacking=True)
    return None if why is None or (not rules.gun[unit] and why_not_attacker(rules, state, unit, goal) is None) else why


# Who can do nothing


def idle(rules: Inferno, state: State, seat: int) -> dict[str, Idle]:
    """4, 7: of the units of this seat on the map those that can do nothing in a Movement or Combat Phase of its own."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or frame.seat != seat or frame.name not in ("movement", "combat"):
        return {}
    own = [unit for unit in rules.of_side[seat] if state.at[unit] >= 0]
    if frame.name == "movement":
        block, ezoc = road_barrier(rules, state, seat), zoc(rules, state, 1 - seat)
        found = {unit: _why_stuck(rules, state, unit, ezoc, block) for unit in own}
    else:
        targets = rules.choices["combat"].targets(rules, state)  # type: ignore[attr-defined]
        fire = {gun for target in targets for gun in guns_on(rules, state, seat, target, True)}
        fire |= {gun for gun, _ in rules.bombardments(state)}
        found = {unit: _why_no_fight(rules, state, unit, targets) for unit in own if unit not in fire}
    return {rules.ids[unit]: Idle(why, why.key in QUIET) for unit, why in found.items() if why is not None}


def _why_stuck(rules: Inferno, state: State, unit: int, ezoc: int, block: int) -> Refusal | None:
    """4: why a unit neither moves nor recovers: what bars it itself, or else most of the steps around it."""
    why = why_no_move(rules, state, unit)
    if why is not None:
        return why
    left = points_left(rules, state, unit)
    if why_no_recovery(rules, state, unit, left) is None:
        return None
    why = _why_rests(rules, state, unit)
    if why is not None:
        return why
    fresh, bars = is_fresh(rules, state, unit), list[Refusal]()
    for step in _steps(rules, state, unit, state.at[unit], ezoc, block):
        if step.bar is not None:
            bars.append(step.bar)
        elif fresh or (not step.whole and step.cost <= left):
            return None
        else:
            data = {"to": rules.hex_id(step.to), "need": step.cost, "have": left}
            bars.append(Refusal(cites.MOVEMENT_POINTS, "too_dear", data))
    return commonest(bars)


def _why_no_fight(rules: Inferno, state: State, unit: int, targets: Sequence[int]) -> Refusal | None:
    """7, 12.3: why a unit attacks nobody and supports no attack now."""
    if rules.gun[unit]:
        hexes = sum(1 << target for target in targets)
        why = why_no_fire(rules, state, unit, hexes, attacking=True)
        far = why is None or why.key == "out_of_range"
        return Refusal(cites.GUN_RANGE, "nothing_in_range", {"unit": rules.ids[unit]}) if far else why
    near = [target for target in targets if rules.board.grid.ring[target] >> state.at[unit] & 1]
    reasons = [why_not_attacker(rules, state, unit, target) for target in near]
    if not near:
        return Refusal(cites.COMBAT, "no_enemy_next_to", {"unit": rules.ids[unit]})
    return commonest([why for why in reasons if why is not None]) if None not in reasons else None
