"""Could a state be one of a game? Units, scalars, the combat at hand, then the stack of frames.

Play never asks this. It is asked of positions that come from outside, before anything of them is kept, and by tests
of every state that play reaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from fronte.engine import frames
from fronte.engine.decision import Frame
from fronte.games.inferno import cites, infiltration
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.combat import defence_strength, mountain_bonus, terrain_choices
from fronte.games.inferno.frames import BATTLE, BEATEN, MOST_AFTER, MOST_TOGETHER
from fronte.games.inferno.movement import SIXTHS
from fronte.games.inferno.procedure import loss_modifiers, totals
from fronte.games.inferno.state import AS_BRIDGE, ELIMINATED, FIRED, IN_BOX, MOV, RESERVE, WAITING, WORKED, State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def faults(rules: Inferno, state: State) -> Iterator[str]:
    """Everything that no game can have, each with its place in a position."""
    for unit in range(len(rules.ids)):
        why = why_no_unit(rules, state, unit)
        if why:
            yield f"units.{rules.ids[unit]}: {why}"
    if state.occ[0] & state.occ[1]:
        yield f"units: both sides are in one hex ({rules.cite(cites.ONE_SIDE)})"
    for h, units in enumerate(state.stacks):
        if any(state.at[unit] != h for unit in units):
            yield f"units: the stack in {rules.hex_id(h)} holds a unit that is elsewhere"
    yield from _scalars(rules, state)


def stack_faults(rules: Inferno, state: State) -> Iterator[str]:
    """The combat at hand and the frames, once the units and scalars are known to be sound."""
    crammed = next(iter(_crammed(rules, state)), -1)
    if crammed >= 0:
        where, number = rules.hex_id(crammed), len(state.stacks[crammed])
        yield f"units: {number} in {where}, where stacks have been checked ({rules.cite(cites.STACKING_CHECK)})"
        return
    why = _why_no_combat(rules, state)
    if why:
        yield f"battle: {why}"
        return
    yield from frames.faults(rules.frames, rules, state)


def _crammed(rules: Inferno, state: State) -> Iterator[int]:
    """5.1.b/5.1: hexes with more units than there can be once stacks have been checked.

    Until a side has moved it may pile up units as it likes, and those who are beaten crowd a hex for a moment.
    """
    piles = state.active if state.phase in ("supply", "reinforcement", "movement") else -1
    beaten = {unit for frame in state.frames if BEATEN in rules.frames[frame.name].marks for unit in _named(frame)}
    for h, units in enumerate(state.stacks):
        if len(units) > MOST_TOGETHER and rules.side[units[0]] != piles and state.phase != "setup":
            if sum(1 for unit in units if unit not in beaten) > MOST_TOGETHER or len(units) > MOST_AFTER:
                yield h


def _named(frame: Frame) -> Iterator[int]:
    """The units that a frame is about."""
    first = next((value for value in frame.args if isinstance(value, tuple)), ())
    yield from first


def why_no_unit(rules: Inferno, state: State, unit: int) -> str:
    """2, 10, 11: the condition of one counter."""
    at, counter, flags = state.at[unit], rules.counters[unit], state.flags[unit]
    steps, ce = state.steps[unit], state.ce[unit]
    if at == ELIMINATED:
        marked = ce or state.supply[unit] or flags
        return "it is eliminated but has steps (10.2)" if steps else "it is eliminated but marked" if marked else ""
    if not 1 <= steps <= counter.steps:
        return f"it has {steps} steps ({rules.cite(cites.STEPS)})"
    if at >= 0 and unit not in state.stacks[at]:
        return "it is missing from its stack"
    if counter.is_gun and ce:
        return f"it is artillery and has no effectiveness ({rules.cite(cites.ATTRITION_LOSS)})"
    if at in (WAITING, IN_BOX) and (ce or state.supply[unit] or flags & ~RESERVE):
        return "it has not come in yet but is marked"
    if at == IN_BOX and not counter.in_box:
        return "it is not one of those in the box"
    if at == AS_BRIDGE and not rules.engineer[unit]:
        return "it is no engineer and cannot be a bridge (12.2)"
    if at >= 0 and rules.combat[unit] and _is_spent(rules, state, unit):
        return f"it has no defence left and would be eliminated ({rules.cite(cites.NO_DEFENCE)})"
    return _why_no_marks(rules, unit, flags)


def _is_spent(rules: Inferno, state: State, unit: int) -> bool:
    """7.5.b, 10.2: has the unit, fighting or not, no defence left?"""
    loss = state.ce[unit] + (state.supply[unit] if rules.supply_kills else 0)
    return rules.dies_at_zero and rules.face(state, unit).defence <= loss


def _why_no_marks(rules: Inferno, unit: int, flags: int) -> str:
    if flags & MOV and not rules.gun[unit]:
        return f"only artillery has a Mov side ({rules.cite(cites.TO_MOV)})"
    if flags & RESERVE and not rules.counters[unit].reserve:
        return "it is no reserve (13.1)"
    if flags & WORKED and not rules.engineer[unit]:
        return "only engineers work (12.2.b)"
    if flags & FIRED and not rules.supports[unit]:
        return f"only artillery fires ({rules.cite(cites.FIRES_ONCE)})"
    return ""


def _scalars(rules: Inferno, state: State) -> Iterator[str]:
    """Turn, who moves, and the end."""
    first, last = rules.turns()
    if not first <= state.turn <= last:
        yield f"turn: {state.turn} is not between {first} and {last}"
    if state.outcome and state.frames:
        yield "outcome: the game is over, but somebody has still to do something"
    if not state.outcome and not state.frames:
        yield "frames: nobody owes a decision and the game is not over"
    if state.outcome and state.battle is not None:
        yield "battle: the game is over"
    mover = state.mover
    if mover < 0:
        if state.left:
            yield "moving: nobody moves"
        return
    most = rules.face(state, mover).ma * SIXTHS
    if rules.side[mover] != state.active or (state.at[mover] < 0 and not state.outcome):
        yield f"moving.unit: {rules.ids[mover]} cannot be moving now"
    elif not state.outcome and not any(frame.name == "movement" for frame in state.frames):
        yield "moving: it is no Movement Phase"
    elif not 0 <= state.left <= most:
        yield f"moving.left: {state.left} is not between 0 and {most}"


# The combat at hand


def _why_no_combat(rules: Inferno, state: State) -> str:
    """7, 8: there is a combat if and only if frames of one are on the stack, and it has come as far as they say."""
    battle = state.battle
    names = {frame.name for frame in state.frames}
    wanted = any(BATTLE in rules.frames[name].marks for name in names)
    if battle is None:
        return "it is missing, and the frames are those of a combat" if wanted else ""
    if not wanted:
        return "there is no frame of a combat"
    why = _why_not_these(rules, state, battle)
    if why:
        return why
    bare = Battle(battle.target, battle.attackers, battle.origins, battle.guns)
    if "reveal" in names:
        bare = msgspec.structs.replace(bare, withheld=battle.withheld)
        return "" if battle == bare else "nothing of it can be known yet"
    bare = msgspec.structs.replace(
        bare, defenders=battle.defenders, withheld=battle.withheld, support=battle.support, terrain=battle.terrain
    )
    if "ratio" in names:
        if battle != bare or not battle.defenders:
            return "the ratio cannot be known yet, and somebody must defend"
        return _why_too_weak(rules, state, battle)
    if "combat_dice" in names:
        if not battle.defenders:
            return "defenders: dice fall only where somebody defends"
        weak = _why_too_weak(rules, state, battle)
        if weak:
            return weak
        return "" if totals(rules, state, battle) == battle and battle.column >= 0 else "its totals are wrong (8.1)"
    if battle.fought:
        return _why_no_result(rules, battle)
    bare = msgspec.structs.replace(bare, advance_offered=battle.advance_offered)
    return "" if battle == bare and not battle.defenders else "no dice have fallen, so nobody can be left to defend"


def _why_not_these(rules: Inferno, state: State, battle: Battle) -> str:
    """7.1: who takes part, on which side and from where."""
    attack, defence = state.active, 1 - state.active
    early = not battle.fought
    if not battle.attackers or len(battle.attackers) != len(battle.origins):
        return "attackers: there must be some, each with the hex it attacks from in origins"
    for origin in battle.origins:
        if battle.target not in rules.board.edge_to[origin]:
            return f"origins: {rules.hex_id(battle.target)} cannot be attacked from {rules.hex_id(origin)}"
    if battle.terrain not in (*terrain_choices(rules, battle.target, battle.origins), "hex"):
        return f"terrain: {battle.terrain[:20]!r} is no choice here (7.8.b)"
    everybody = (*battle.attackers, *battle.guns, *battle.defenders, *battle.withheld, *battle.support)
    if len(set(everybody)) < len(everybody):
        return "a unit takes part twice"
    places = dict(zip(battle.attackers, battle.origins, strict=True))
    for field, side, fights in (
        ("attackers", attack, rules.combat),
        ("guns", attack, rules.supports),
        ("defenders", defence, rules.combat),
        ("withheld", defence, rules.combat),
        ("support", defence, rules.supports),
    ):
        for unit in getattr(battle, field):
            if rules.side[unit] != side or not fights[unit]:
                return f"{field}: {rules.ids[unit]} cannot take part so"
            where = places.get(unit, battle.target) if fights is rules.combat else state.at[unit]
            if early and (state.at[unit] != where or where < 0) and not _is_gone(state, unit, field):
                return f"{field}: {rules.ids[unit]} is elsewhere"
    if not set(battle.retreated) <= set(battle.attackers):
        return "retreated: a unit did not attack"
    return ""


def _is_gone(state: State, unit: int, field: str) -> bool:
    """7.7.c: where nobody was left to defend, those withheld go back; guns may have been overrun."""
    names = {frame.name for frame in state.frames}
    return bool(names & {"close", "finish"}) and field in ("withheld", "guns", "attackers")


def _why_too_weak(rules: Inferno, state: State, battle: Battle) -> str:
    """7.5.b: who has no strength to defend does not."""
    for unit in battle.defenders:
        bonus = mountain_bonus(rules, battle.target, unit, battle.attackers)
        if defence_strength(rules, state, unit, bonus) <= 0:
            return f"defenders: {rules.ids[unit]} has no strength left to defend ({rules.cite(cites.NO_DEFENCE)})"
    return ""


def _why_no_result(rules: Inferno, battle: Battle) -> str:
    """8.1 to 8.5: ratio, column, and a result that some throw gives."""
    numbers = battle.attack, battle.defence, battle.steps
    if min(numbers) < 1 or max(numbers) > 999 or not 0 <= min(battle.attack_av, battle.defence_av) <= 999:
        return "its strengths are impossible (8.1)"
    if not battle.defenders:
        return "defenders: dice fall only where somebody defends"
    side = rules.side[battle.attackers[0]]
    column = rules.tables.column(battle.attack, battle.defence)
    column += rules.flank_shift if battle.flanked else 0
    column += rules.trench_shift if battle.trench else 0
    infiltrates = infiltration.takes_part(rules, battle.attackers)
    trench = bool(rules.board.trench[1 - side] >> battle.target & 1)
    if battle.column != column or column < 0 or battle.infiltration != infiltrates or battle.trench != trench:
        return "its column is not that of its strengths (8.2)"
    if not 1 <= battle.lrt_die <= 6:
        return f"lrt_die: {battle.lrt_die} is no throw"
    penalties = {0, rules.failed_penalty, rules.unable_penalty, rules.partial_retreat_penalty}
    if not {battle.attack_penalty, battle.defence_penalty} <= penalties:
        return "no retreat costs so much (9.4.1.d)"
    if not any(_fits(rules, battle, roll) for roll in range(2, 13)):
        return "no throw gives this result (8.3)"
    return ""


def _fits(rules: Inferno, battle: Battle, roll: int) -> bool:
    """8.3, 9.4.1, 12.5.1.a: could this throw have given the result? One hex of retreat may have been refused."""
    cell = rules.tables.result(battle.column, roll)
    refused = 1 if battle.refusing else 0
    if battle.attack_retreat != cell.attack_retreat:
        return False
    if battle.defence_retreat not in (cell.defence_retreat, cell.defence_retreat - refused):
        return False
    drm = loss_modifiers(rules, battle, cell.attack_drm, cell.defence_drm)
    return (battle.attack_drm, battle.defence_drm) == (drm.attack, drm.defence)
