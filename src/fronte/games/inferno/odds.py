"""Exact odds of an attack: all 216 ways the dice can fall, no sampling."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.capabilities import NotOffered
from fronte.engine.recollection import NOTHING, Recollection
from fronte.games.inferno.arithmetic import each
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.combat import (
    Attack,
    defence_command,
    defence_strength,
    defending_sets,
    mountain_bonus,
    terrain_choices,
)
from fronte.games.inferno.fog import visible
from fronte.games.inferno.procedure import (
    attackers_penalty,
    defence_candidates,
    defenders_penalty,
    loss_modifiers,
    may_stand,
    retreating_origins,
    totals,
    who_defends,
)
from fronte.games.inferno.retreats import is_certain
from fronte.games.inferno.state import IN_SUPPLY, MOV, S, State, place

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}


def attack_odds(
    rules: Inferno, state: State, action: Attack, seat: int, recalled: Recollection = NOTHING
) -> dict[str, Any]:
    """The distribution of results of an attack, as far as the seat can know it.

    What the seat does not know is left out and said: units under the top one that it does not remember, effectiveness
    and supply of all, and what the defender will decide (artillery, of which it is said how much could fire; hex or
    hexside, of which the choice best for him by strength is assumed). Where the unit on top cannot defend (7.a/7.0)
    and those below are hidden, nothing can be told.
    """
    there = [rules.number[name] for name in recalled if recalled[name].at == action.target]
    back = [unit for unit in there if rules.side[unit] != seat and not visible(rules, state, unit)]
    found = _attack_odds(rules, remembered(rules, state, seat, back, recalled) if back else state, action, seat, back)
    fire = guns_in_sight(rules, state, rules.grid_index[action.target], seat)
    if fire:
        found |= {"enemy_guns": fire, "unknown": [*found["unknown"], "guns of the enemy"]}
    counted = [rules.ids[unit] for unit in back if rules.combat[unit]]
    return found | {"recalled": counted} if counted else found


def remembered(rules: Inferno[S], state: S, seat: int, units: Sequence[int], recalled: Recollection) -> S:
    """5.4: what the seat sees, and these units where it saw them last, with the steps they had then."""
    twin = rules.imagine(state, seat, None)
    for unit in units:
        seen = recalled[rules.ids[unit]]
        twin.steps[unit] = max(1, rules.counters[unit].steps - seen.lost)
        place(rules, twin, unit, rules.grid_index[seen.at])
    return twin


def _attack_odds(rules: Inferno, state: State, action: Attack, seat: int, back: Sequence[int]) -> dict[str, Any]:
    """The same in a state in which those who are remembered lie where they were."""
    target = rules.grid_index[action.target]
    units = tuple(rules.number[name] for name in action.units)
    defenders, others, unknown = known_defenders(rules, state, target, seat, back)
    if not defenders:
        return {"void": False, "hidden": True, "unknown": unknown}
    state = _as_known(rules, state, defenders, seat) if unknown else state
    battle = Battle(
        target=target,
        attackers=units,
        origins=tuple(state.at[unit] for unit in units),
        guns=tuple(rules.number[name] for name in action.guns),
    )
    standing = _standing(rules, state, battle, defenders, others)
    if not standing:
        return {"void": False, "collapse": True, "unknown": unknown}
    battle = best_terrain(rules, state, msgspec.structs.replace(battle, defenders=standing))
    found = forecast(rules, state, battle)
    if retreats_are_open(rules, state, battle):
        unknown = [*unknown, "how retreats end"]
    return found | {"unknown": unknown, "each": [] if battle.column < 0 else each(rules, state, battle)}


def retreats_are_open(rules: Inferno, state: State, battle: Battle) -> bool:
    """9.4.1.d: can a retreat in this combat cost more than is counted, because of what happens on its way?"""
    if battle.column < 0:
        return False
    cells = [rules.tables.result(battle.column, total) for total in WAYS]
    back = {(battle.target, 1 - rules.side[battle.attackers[0]], cell.defence_retreat) for cell in cells}
    for origin in retreating_origins(rules, battle):
        back |= {(origin, rules.side[battle.attackers[0]], cell.attack_retreat) for cell in cells}
    return not all(is_certain(rules, state, start, side, hexes) for start, side, hexes in sorted(back) if hexes)


def known_defenders(
    rules: Inferno, state: State, target: int, seat: int, back: Sequence[int] = ()
) -> tuple[list[int], list[int], list[str]]:
    """5.4: the units that a seat can see defend or remembers there, those it knows to take no part, and what it does
    not know."""
    able, others = defence_candidates(rules, state, target)
    if able and rules.side[able[0]] == seat:
        return able, others, []
    if back:  # nobody lies there but whom the seat sees or remembers
        return able, others, ["whoever has joined them", "effectiveness and supply of the defenders"]
    seen = [unit for unit in able if visible(rules, state, unit)]
    return seen, [], ["stack below the top unit", "effectiveness and supply of the defenders"]


def guns_in_sight(rules: Inferno, state: State, target: int, seat: int) -> int:
    """12.3.b, 12.3.c, 5.4: the most artillery value with which enemies in this seat's sight could support a defence.

    Only what their counters show is asked: whether a gun that keeps its side has fired before is not.
    """
    defender = 1 - state.active
    if seat == defender:
        return 0
    hexes = rules.in_range(target, ())
    found = 0
    for gun in rules.supporters_of[defender]:
        here = state.at[gun]
        if not visible(rules, state, gun) or state.flags[gun] & MOV or (rules.combat[gun] and here == target):
            continue
        fires = rules.counters[gun].type != "heavy_artillery" and rules.silenced(state, gun) is None
        if fires and rules.board.grid.within(here, rules.gun_reach) & hexes:
            found += rules.face(state, gun).av
    return found


def _as_known(rules: Inferno, state: State, defenders: Sequence[int], seat: int) -> State:
    """The state with defenders as fresh as their faces show."""
    twin = state.copy()
    for unit in defenders:
        if rules.side[unit] != seat:
            twin.ce[unit] = 0
            twin.supply[unit] = IN_SUPPLY
    return twin


def _standing(rules: Inferno, state: State, battle: Battle, eligible: list[int], others: list[int]) -> tuple[int, ...]:
    """7.4.c/7.4, 7.5.b: above the command limit the strongest set is assumed; of that set those with strength left."""

    def strength(unit: int) -> int:
        return defence_strength(rules, state, unit, mountain_bonus(rules, battle.target, unit, battle.attackers))

    able = tuple(may_stand(rules, state, battle, eligible, others))
    if not defence_command(rules, able):
        able = max(defending_sets(rules, able), key=lambda group: sum(max(0, strength(unit)) for unit in group))
    rest = [unit for unit in (*eligible, *others) if unit not in able]
    return tuple(who_defends(rules, state, battle, list(able), rest).defenders)


def best_terrain(rules: Inferno, state: State, battle: Battle) -> Battle:
    """Isonzo 7.8.b: of two terrain choices the one that leaves the attacker weaker; the hex when equal."""
    best: Battle | None = None
    for choice in terrain_choices(rules, battle.target, battle.origins):
        found = totals(rules, state, msgspec.structs.replace(battle, terrain=choice))
        if best is None or found.attack < best.attack:
            best = found
    assert best is not None
    return best


def forecast(rules: Inferno, state: State, battle: Battle) -> dict[str, Any]:
    """The exact distribution of results for a combat whose totals are known.

    What a retreat adds to losses is counted for the best way there is now (9.4.1.d); it may end otherwise.
    """
    if battle.column < 0:
        return {"column": rules.tables.column_name(battle.column) if battle.attack else None, "void": True}
    tables = rules.tables
    penalties: dict[tuple[bool, int], int] = {}
    attack_retreat = [0] * 5
    defence_retreat = [0] * 5
    attack_loss = [0] * 6
    defence_loss = [0] * 6
    for total, ways in WAYS.items():
        cell = tables.result(battle.column, total)
        drm = loss_modifiers(rules, battle, cell.attack_drm, cell.defence_drm)
        attack, defence = drm
        if cell.attack_retreat:
            key = (True, cell.attack_retreat)
            if key not in penalties:
                penalties[key] = attackers_penalty(rules, state, battle, cell.attack_retreat)
            attack += penalties[key]
        if cell.defence_retreat:
            key = (False, cell.defence_retreat)
            if key not in penalties:
                penalties[key] = defenders_penalty(rules, state, battle, cell.defence_retreat)
            defence += penalties[key]
        attack_retreat[cell.attack_retreat] += 6 * ways
        defence_retreat[cell.defence_retreat] += 6 * ways
        for die in range(1, 7):
            attack_loss[tables.reductions(battle.steps, die + attack)] += ways
            defence_loss[tables.reductions(battle.steps, die + defence)] += ways
    return {
        "void": False,
        "attack": battle.attack,
        "defence": battle.defence,
        "column": tables.column_name(battle.column),
        "base": tables.column_name(tables.column(battle.attack, battle.defence)),
        "over": tables.over(battle.column),
        "flanked": battle.flanked,
        "flanked_by": rules.flanked_by(state, battle) if battle.flanked else (),
        "trench": battle.trench,
        "terrain": battle.terrain,
        "attack_av": battle.attack_av,
        "defence_av": battle.defence_av,
        "steps": battle.steps,
        "of": 216,
        "attack_retreat": attack_retreat,
        "defence_retreat": defence_retreat,
        "attack_loss": attack_loss,
        "defence_loss": defence_loss,
    }


def is_hopeless(rules: Inferno, state: State, target: int, units: Sequence[int], guns: Sequence[int]) -> bool:
    """8.2.b/8.2: would the final ratio be below 1:3, all being known?"""
    able, others = defence_candidates(rules, state, target)
    battle = Battle(
        target=target,
        attackers=tuple(units),
        origins=tuple(state.at[unit] for unit in units),
        guns=tuple(guns),
    )
    standing = _standing(rules, state, battle, able, others)
    return bool(standing) and best_terrain(rules, state, msgspec.structs.replace(battle, defenders=standing)).column < 0


def bare_odds(rules: Inferno, numbers: Mapping[str, int], shifts: Collection[str]) -> dict[str, Any]:
    """8.1 to 9.4: the distribution of results for bare totals; every retreat finds a free way."""
    if "trench" in shifts and not rules.trench_shift:
        raise NotOffered(rules.game, "trenches")
    if "infiltration" in shifts and "infiltration" not in rules.unit_types:
        raise NotOffered(rules.game, "assault troops")
    tables = rules.tables
    flanked, trench = bool({"flanked", "infiltration"} & set(shifts)), "trench" in shifts
    column = tables.column(numbers["attack"], numbers["defence"])
    column += (rules.flank_shift if flanked else 0) + (rules.trench_shift if trench else 0)
    given = {**numbers, "flanked": flanked, "trench": trench}
    if column < 0:
        return given | {"void": True, "column": tables.column_name(column)}
    fought = Battle(
        target=0,
        attackers=(),
        origins=(),
        guns=(),
        column=column,
        flanked=flanked,
        infiltration="infiltration" in shifts,
        trench=trench,
        attack=numbers["attack"],
        defence=numbers["defence"],
        attack_av=numbers["attack_av"],
        defence_av=numbers["defence_av"],
        steps=numbers["steps"],
    )
    counts = {"attack_retreat": [0] * 5, "defence_retreat": [0] * 5, "attack_loss": [0] * 6, "defence_loss": [0] * 6}
    for total, ways in WAYS.items():
        cell = tables.result(column, total)
        drm = loss_modifiers(rules, fought, cell.attack_drm, cell.defence_drm)
        counts["attack_retreat"][cell.attack_retreat] += 6 * ways
        counts["defence_retreat"][cell.defence_retreat] += 6 * ways
        for die in range(1, 7):
            counts["attack_loss"][tables.reductions(fought.steps, die + drm.attack)] += ways
            counts["defence_loss"][tables.reductions(fought.steps, die + drm.defence)] += ways
    more = {"void": False, "column": tables.column_name(column), "over": tables.over(column), "of": 216}
    return given | more | counts
