"""Chapter 10, combat effectiveness and step losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.games.inferno import cites
from fronte.games.inferno.counters import RECOVERING
from fronte.games.inferno.state import IN_SUPPLY, MOVED, RECOVERED, State, fighting

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

WORST = 2


def reduce(rules: Inferno, state: State, unit: int, times: int, because: tuple[str, ...], out: list[Event]) -> None:
    """9.4.2.c/9.4.2.b, 10.2: take reductions one by one: -1, -2, then a step; at zero defence the unit dies (7.5.b)."""
    before = (state.ce[unit], state.steps[unit])
    dead = False
    for _ in range(times):
        if _next(rules, state, unit):
            dead = True
            break
    data = {
        "unit": rules.ids[unit],
        "hex": rules.hex_id(state.at[unit]),
        "reductions": times,
        "ce": -1 if dead else state.ce[unit],
        "steps": 0 if dead else state.steps[unit],
    }
    if (state.ce[unit], state.steps[unit]) != before or dead:
        seen = data if unit in fighting(state) else None  # 5.4.a/5.4: markers of units that do not fight stay hidden
        out.append(Event("reduced", because, data, 1 << rules.side[unit], seen))
    rules.steps_lost(state, unit, before[1] - state.steps[unit], out)
    if dead:
        rules.eliminate(state, unit, because, out)


def _next(rules: Inferno, state: State, unit: int) -> bool:
    """One reduction; True if the unit dies of it."""
    if state.ce[unit] < WORST:
        state.ce[unit] += 1
    else:
        state.ce[unit] = 0
        state.steps[unit] -= 1
    return is_dead(rules, state, unit)


def is_dead(rules: Inferno, state: State, unit: int) -> bool:
    """7.5.b, 10.2: it has no step left, or its effectiveness leaves it no defence; in a combat supply counts too."""
    if state.steps[unit] == 0:
        return True
    if not rules.dies_at_zero:
        return False
    loss = state.ce[unit] + (state.supply[unit] if rules.supply_kills else 0)
    if rules.face(state, unit).defence - loss <= 0:
        return True
    return bool(state.supply[unit]) and unit in fighting(state) and rules.defence_in_combat(state, unit) <= 0


def endurance(rules: Inferno, state: State, unit: int) -> int:
    """9.4.2.a: the reduction, counted from now, that would eliminate the unit."""
    ce, steps, supply = state.ce[unit], state.steps[unit], state.supply[unit]
    alone = state.battle is None or not supply  # else the combat at hand counts too, see `is_dead`
    known = rules.endures.get((unit, ce, steps, supply)) if alone else None
    if known is not None:
        return known
    count = 1
    while not _next(rules, state, unit):
        count += 1
    state.ce[unit], state.steps[unit] = ce, steps
    if alone:
        rules.endures[unit, ce, steps, supply] = count
    return count


def why_no_recovery(rules: Inferno, state: State, unit: int, left: int) -> Refusal | None:
    """10.3, 10.3.1, 14.3.1: may this unit, with these movement points left, recover where it stands?"""
    name = rules.ids[unit]
    counter = rules.counters[unit]
    if state.ce[unit] == 0:
        return Refusal(cites.RECOVERY, "nothing_to_recover", {"unit": name})
    if counter.type not in RECOVERING and not (rules.infiltrates[unit] and rules.infiltration_recovers):
        return Refusal(cites.RECOVERING_TYPES, "type_never_recovers", {"unit": name})
    if state.flags[unit] & RECOVERED and not rules.recovers_again:
        return Refusal(cites.RECOVERY_LIMIT, "recovered_already", {"unit": name})
    if state.flags[unit] & MOVED and not rules.recovery_then_move:
        return Refusal(cites.RECOVERY_COST, "moved_already", {"unit": name})
    if state.supply[unit] != IN_SUPPLY:
        return Refusal(cites.RECOVERY_SUPPLY, "recovery_supply", {"unit": name})
    if left < rules.mp["recover_ce"]:
        return Refusal(
            cites.RECOVERY_LIMIT, "recovery_points", {"unit": name, "need": rules.mp["recover_ce"], "have": left}
        )
    near = rules.board.grid.within(state.at[unit], 2)
    if near & state.occ[1 - rules.side[unit]]:
        return Refusal(cites.RECOVERY_AWAY, "enemy_near", {"unit": name})
    return rules.recovery_price(state, unit)
