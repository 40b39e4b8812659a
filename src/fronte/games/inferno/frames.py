"""The frames of the shared chapters: one declaration for each decision, throw and step, in the order of the chapters.

What runs a frame is in its chapter; what must be true while it waits is said here, once, and held against every
position that comes from outside.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from fronte.engine.decision import Frame
from fronte.engine.frames import (
    GROUND,
    NOBODY,
    NUMBER,
    Argument,
    Declared,
    Fault,
    Seats,
    Secrets,
    by_chance,
    by_itself,
    nothing_wrong,
    open_to_all,
)
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.combat import terrain_choices
from fronte.games.inferno.results import may_advance, spreads
from fronte.games.inferno.stacking import is_legal_stack, least_removals
from fronte.games.inferno.state import State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

UNIT, UNITS, HEX, HEXES, HEXSIDE, BRIDGES = "unit", "units", "hex", "hexes", "hexside", "bridges"
MOST_UNITS = 400
"""More than there are counters."""
MOST_TOGETHER = 12
"""More than ever fight or go back together from one hex: stacks are legal when a Combat Phase begins."""
MOST_AFTER = 40
"""More than ever lie in one hex where some fell back upon others."""
LONGEST_PATH = 80
"""More hexes than any unit can enter in one move."""
BATTLE = "battle"
"""The mark of frames that lie on the stack only while a combat is resolved."""
BEATEN = "beaten"
"""The mark of frames of those who go back, and may crowd a hex while they do."""
CLEARS = "clears"
"""The mark of steps that wipe marks off the units of both sides."""

# Who decides, and whose secrets are read


def phasing(rules: Inferno, state: State, frame: Frame) -> Collection[int]:
    """3: the side whose turn it is."""
    return (state.active,)


def the_other(rules: Inferno, state: State, frame: Frame) -> Collection[int]:
    """3: the side whose turn it is not; in a combat the defender."""
    return (1 - state.active,)


def owner(rules: Inferno, state: State, frame: Frame) -> Collection[int]:
    """The side of the units that the frame names."""
    return (units_side(rules, state, frame),)


def units_side(rules: Inferno, state: State, frame: Frame) -> int:
    """The side of the first unit that a frame names: the stacks of that side are read."""
    for argument, value in zip(rules.frames[frame.name].takes, frame.args, strict=True):
        if argument.kind == UNIT or (argument.kind == UNITS and value):
            unit: int = value if argument.kind == UNIT else value[0]
            return rules.side[unit]
    raise AssertionError(f"{frame.name} names no unit")


def phasing_side(rules: Inferno, state: State, frame: Frame) -> int:
    """What lies in the stacks of the side whose turn it is."""
    return state.active


def defending_side(rules: Inferno, state: State, frame: Frame) -> int:
    """What lies under the defending stack."""
    return 1 - state.active


def named_side(rules: Inferno, state: State, frame: Frame) -> int:
    """The side that is the frame's argument."""
    return int(frame.args[0])


def losing_side(rules: Inferno, state: State, frame: Frame) -> int:
    """9.4: a loss of nothing reads no secret."""
    battle = state.battle
    assert battle is not None
    attacks = frame.name == "attack_losses"
    if not reductions(rules, battle, attacks):
        return NOBODY
    return state.active if attacks else 1 - state.active


def reductions(rules: Inferno, battle: Battle, attacks: bool) -> int:
    """9.4, 9.4.1.d: what the result costs a side, with what its retreats added."""
    attack, defence = battle.attack_drm + battle.attack_penalty, battle.defence_drm + battle.defence_penalty
    return rules.tables.reductions(battle.steps, battle.lrt_die + (attack if attacks else defence))


def left_side(rules: Inferno, state: State, frame: Frame) -> int:
    """7.7.c: the end of a combat whose defenders stand or went back reads no secret."""
    battle = state.battle
    assert battle is not None
    stands = any(state.at[unit] == battle.target for unit in battle.defenders)
    gone = bool(battle.defence_retreat) or not state.occ[1 - state.active] >> battle.target & 1
    return NOBODY if stands or gone else 1 - state.active


# What must be true of the state


def why_no_stack(rules: Inferno, state: State, units: Sequence[int], side: int, waiting: bool = False) -> str:
    """9.2.1: units that go back together stand together; of those that wait some may be lost meanwhile."""
    alive = [unit for unit in units if state.at[unit] >= 0]
    if len(set(units)) < len(units):
        return "a unit is named twice"
    for unit in units:
        if rules.side[unit] != side:
            return f"{rules.ids[unit]} is not of {rules.seats[side]}"
        if not rules.combat[unit] or rules.immobile[unit]:
            return f"{rules.ids[unit]} never retreats"
        if state.at[unit] < 0 and not waiting:
            return f"{rules.ids[unit]} is not on the map"
    if len({state.at[unit] for unit in alive}) > 1:
        return "the units are not in one hex"
    return ""


def why_no_way(rules: Inferno, here: int, path: Sequence[int]) -> str:
    """4.2: every hex of a way lies next to the one before."""
    for there in path:
        if there not in rules.board.edge_to[here]:
            return f"no step leads from {rules.hex_id(here)} to {rules.hex_id(there)}"
        here = there
    return ""


def _is_active(rules: Inferno, state: State, frame: Frame) -> str:
    return "" if frame.args[0] == state.active else "it is the turn of the other side"


def _march(rules: Inferno, state: State, frame: Frame) -> str:
    """4: the unit that moves, and the rest of its way. Of an enemy that moves unseen neither is known."""
    unit, path, _ = frame.args
    unseen = state.mover < 0 and not path
    if (unit != state.mover and not unseen) or rules.side[unit] != state.active or state.at[unit] < 0:
        return f"{rules.ids[unit]} is not moving"
    return why_no_way(rules, state.at[unit], path)


def _overstack(rules: Inferno, state: State, frame: Frame) -> str:
    """5.2: a crowded hex, and units in it whose removal helps."""
    h, units = frame.args
    where = rules.hex_id(h)
    if any(state.at[unit] != h for unit in units) or len(set(units)) < len(units):
        return f"the units are not all in {where}, or one is named twice"
    if is_legal_stack(rules, state, h, state.stacks[h]):
        return f"{where} is not overstacked"
    return "" if any(least_removals(rules, state, h, units)) else f"{where} stays overstacked without these units"


def _terrain(rules: Inferno, state: State, frame: Frame) -> str:
    battle = state.battle
    assert battle is not None
    choices = terrain_choices(rules, battle.target, battle.origins)
    return "" if len(choices) > 1 else "there is no choice of terrain"


def _attackers_back(rules: Inferno, state: State, frame: Frame) -> str:
    """7.7.a: units of one attacking hex, and the retreat of the result."""
    battle = state.battle
    assert battle is not None
    units, hexes = frame.args
    if any(unit not in battle.attackers for unit in units):
        return "a unit has not attacked"
    if hexes != battle.attack_retreat:
        return f"{hexes} is not the retreat of the attackers"
    alive = [unit for unit in units if state.at[unit] >= 0]
    return "" if len({state.at[unit] for unit in alive}) < 2 else "the units are not in one hex"


def _defence_retreat(rules: Inferno, state: State, frame: Frame) -> str:
    assert state.battle is not None
    return "" if frame.args[0] == state.battle.defence_retreat else "it is not the retreat of the defenders"


def _fall_back(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2: a stack and its way."""
    units, path, *_ = frame.args
    why = why_no_stack(rules, state, units, rules.side[units[0]], waiting=True)
    alive = [unit for unit in units if state.at[unit] >= 0]
    return why or (why_no_way(rules, state.at[alive[0]], path) if alive else "")


def _go_on_back(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2: a stack that was stopped, and the rest of its way."""
    units, hexes, rest, been, price = frame.args
    if len(rest) > hexes - len(been):
        return f"{hexes - len(been)} hexes are left, and the rest of the way has {len(rest)}"
    return _fall_back(rules, state, Frame(frame.name, frame.seat, (units, rest, been, hexes, price)))


def _settle_in(rules: Inferno, state: State, frame: Frame) -> str:
    units, _, gone = frame.args
    side = rules.side[units[0]]
    return why_no_stack(rules, state, units, side, waiting=True) or _why_not_gone(rules, units, gone)


def _why_not_gone(rules: Inferno, units: Sequence[int], gone: Sequence[int]) -> str:
    """9.2.1.a: those of the stack who have gone on already were of it."""
    if len({*gone, *units}) < len(gone) + len(units) or any(rules.side[unit] != rules.side[units[0]] for unit in gone):
        return "those who went on before are named twice or not of this side"
    return ""


def _retreat(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2.2, 7.7.a: a stack that has ways to go, and who may join it."""
    units, hexes, joiners, been = frame.args
    side = frame.seat
    battle = state.battle
    assert battle is not None
    why = why_no_stack(rules, state, [*units, *joiners], side)
    if why:
        return why
    if joiners and (side != state.active or any(unit in battle.retreated for unit in joiners)):
        return "a unit that joins has to retreat itself"
    most = max(1, battle.attack_retreat if side == state.active else battle.defence_retreat)
    if not 1 <= hexes - len(been) <= most:
        return f"{hexes - len(been)} hexes are not what the result says"
    return "" if any(rules.choices["retreat"].legal(rules, state, frame)) else "there is no way to retreat"


def _goon(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2.1.a: a stack in a crowded hex of which some can go on."""
    units, _, gone = frame.args
    why = why_no_stack(rules, state, units, frame.seat) or _why_not_gone(rules, units, gone)
    if why:
        return why
    here = state.at[units[0]]
    if is_legal_stack(rules, state, here, state.stacks[here]):
        return f"{rules.hex_id(here)} is not overstacked"
    return "" if any(rules.choices["goon"].legal(rules, state, frame)) else "nobody can go on"


def _advance(rules: Inferno, state: State, frame: Frame) -> str:
    battle = state.battle
    assert battle is not None
    if state.stacks[battle.target] or not battle.advance_offered:
        return "the hex is not free to advance into"
    return "" if may_advance(rules, state, battle) else "nobody can advance"


def _losses(rules: Inferno, state: State, frame: Frame) -> str:
    """9.4.2: those of one side who fight, the reductions of the result, and more than one way to spread them."""
    battle = state.battle
    assert battle is not None
    units, number, first = frame.args
    attacks = frame.seat == state.active
    fighting = battle.attackers if attacks else battle.defenders
    if any(unit not in fighting or state.at[unit] < 0 for unit in units) or len(set(units)) < len(units):
        return "a unit does not fight, or is named twice"
    due = reductions(rules, battle, attacks)
    if number not in ((due, 1) if battle.refusing and not attacks else (due,)):
        return f"{number} reductions, where the result gives {due}"
    if first != tuple(unit for unit in units if attacks and rules.infiltrates[unit]):
        return "those who bear the first losses are others (12.4.f)"
    return "" if len(spreads(rules, state, units, number, first)) > 1 else "there is no choice of losses"


# The declarations

Bounds = tuple[str, str, int, int]
SIDE: Bounds = ("side", NUMBER, 0, 1)
BEEN: Bounds = ("been", HEXES, 0, LONGEST_PATH)
WAY: Bounds = ("way", HEXES, 1, LONGEST_PATH)
LENGTH: Bounds = ("hexes", NUMBER, 1, LONGEST_PATH)
PRICE: Bounds = ("price", NUMBER, 0, 99)
GONE: Bounds = ("gone", UNITS, 0, MOST_TOGETHER)
REST: Bounds = ("way", HEXES, 0, LONGEST_PATH)
"""The rest of a move; where a moving enemy means to go on to is not known, so there may be none."""
HERE: Bounds = ("units", UNITS, 1, MOST_TOGETHER)


def _declare(
    name: str,
    on: str,
    seats: Seats,
    secrets: Secrets,
    *takes: Bounds,
    fault: Fault = nothing_wrong,
    phases: str = "",
    once: bool = True,
    marks: str = "",
) -> Declared:
    below = frozenset(GROUND if word == "ground" else word for word in on.split())
    arguments = tuple(Argument(*bounds) for bounds in takes)
    return Declared(
        name, below, seats, secrets, arguments, fault, once, tuple(phases.split()), frozenset(marks.split())
    )


def step(
    name: str,
    on: str,
    secrets: Secrets,
    *takes: Bounds,
    fault: Fault = nothing_wrong,
    phases: str = "",
    once: bool = True,
    marks: str = "",
) -> Declared:
    """A step that the rules take by themselves."""
    return _declare(name, on, by_itself, secrets, *takes, fault=fault, phases=phases, once=once, marks=marks)


def throw(
    name: str,
    on: str,
    secrets: Secrets,
    *takes: Bounds,
    fault: Fault = nothing_wrong,
    phases: str = "",
    once: bool = True,
    marks: str = "",
) -> Declared:
    """A throw of dice."""
    return _declare(name, on, by_chance, secrets, *takes, fault=fault, phases=phases, once=once, marks=marks)


def asks(
    name: str,
    on: str,
    seats: Seats,
    *takes: Bounds,
    fault: Fault = nothing_wrong,
    phases: str = "",
    once: bool = True,
    marks: str = "",
) -> Declared:
    """A decision. What it reads is its seat's own: it is that seat which is asked."""

    def own(rules: Inferno, state: State, frame: Frame) -> int:
        return frame.seat

    return _declare(name, on, seats, own, *takes, fault=fault, phases=phases, once=once, marks=marks)


RETREATING = "attack_losses attackers_back settle_in advance_if_empty"
"""What the frames of a retreat can lie on: what is still to come of the combat, or others that have to go back."""

SHARED = (
    # Chapter 3, the sequence of play
    step("player_turn", "ground", open_to_all, SIDE),
    step("player_turn_ends", "ground", open_to_all, SIDE, fault=_is_active),
    step("supply_phase", "reinforcement_phase", phasing_side),
    step("movement_phase", "combat_phase", phasing_side, marks=CLEARS),
    step("movement_begins", "combat_phase", phasing_side, phases="movement"),
    step("combat_phase", "player_turn_ends", phasing_side, marks=CLEARS),
    # Chapter 4, movement
    asks("movement", "combat_phase", phasing, phases="movement"),
    step(
        "march",
        "movement",
        units_side,
        ("unit", UNIT, 0, 0),
        REST,
        ("down", BRIDGES, 0, 0),
        fault=_march,
        phases="movement",
    ),
    step("unlimber", "combat_phase overstack", named_side, SIDE, phases="movement"),
    # Chapter 5, stacking
    step("stack_check", "player_turn_ends stack_check", named_side, SIDE, phases="combat", once=False),
    asks(
        "overstack",
        f"combat_phase player_turn_ends stack_check overstack {RETREATING}",
        owner,
        ("hex", HEX, 0, 0),
        ("units", UNITS, 1, MOST_UNITS),
        fault=_overstack,
        once=False,
        marks=BEATEN,
    ),
    # Chapters 7 and 8, combat
    asks("combat", "player_turn_ends", phasing, phases="combat"),
    step("reveal", "combat", defending_side, phases="combat", marks=BATTLE),
    step("ask_withhold", "reveal", defending_side, phases="combat", marks=BATTLE),
    asks("withhold", "reveal", the_other, phases="combat", marks=BATTLE),
    step("collapse", "combat", defending_side, phases="combat", marks=BATTLE),
    step("ratio", "combat", defending_side, phases="combat", marks=BATTLE),
    step("ask_terrain", "ratio", open_to_all, phases="combat", marks=BATTLE),
    step("ask_support", "ask_terrain", defending_side, phases="combat", marks=BATTLE),
    asks("support", "ask_terrain", the_other, phases="combat", marks=BATTLE),
    asks("terrain", "ratio", the_other, fault=_terrain, phases="combat", marks=BATTLE),
    throw("combat_dice", "combat", open_to_all, phases="combat", marks=BATTLE),
    # Chapter 9, results
    step("close", "combat", left_side, phases="combat", marks=BATTLE),
    step("finish", "combat", open_to_all, phases="combat", marks=BATTLE),
    step("defence_losses", "close stand", losing_side, phases="combat", marks=BATTLE),
    step("attack_losses", "defence_losses", losing_side, phases="combat", marks=BATTLE),
    step("attack_retreat", "attack_losses", phasing_side, phases="combat", marks=BATTLE),
    step(
        "attackers_back",
        "attack_losses attackers_back settle_in",
        units_side,
        HERE,
        ("hexes", NUMBER, 1, LONGEST_PATH),
        fault=_attackers_back,
        phases="combat",
        once=False,
        marks=f"{BATTLE} {BEATEN}",
    ),
    step(
        "defence_retreat",
        "advance_if_empty",
        defending_side,
        ("hexes", NUMBER, 0, LONGEST_PATH),
        fault=_defence_retreat,
        phases="combat",
        marks=BATTLE,
    ),
    step("advance_if_empty", "attack_losses close finish", open_to_all, phases="combat", marks=BATTLE),
    asks("advance", "attack_losses close finish", phasing, fault=_advance, phases="combat", marks=BATTLE),
    asks(
        "losses",
        "defence_losses close stand defence_retreat",
        owner,
        HERE,
        ("number", NUMBER, 1, 99),
        ("first", UNITS, 0, MOST_UNITS),
        fault=_losses,
        phases="combat",
        marks=BATTLE,
    ),
    # Chapter 9.2, retreats
    asks(
        "retreat",
        RETREATING,
        owner,
        HERE,
        LENGTH,
        ("joiners", UNITS, 0, MOST_TOGETHER),
        BEEN,
        fault=_retreat,
        phases="combat",
        marks=f"{BATTLE} {BEATEN}",
    ),
    step(
        "fall_back",
        RETREATING,
        units_side,
        HERE,
        WAY,
        BEEN,
        LENGTH,
        PRICE,
        fault=_fall_back,
        phases="combat",
        marks=f"{BATTLE} {BEATEN}",
    ),
    step(
        "go_on_back",
        RETREATING,
        units_side,
        HERE,
        LENGTH,
        WAY,
        BEEN,
        PRICE,
        fault=_go_on_back,
        phases="combat",
        marks=f"{BATTLE} {BEATEN}",
    ),
    step(
        "settle_in",
        RETREATING,
        units_side,
        HERE,
        BEEN,
        GONE,
        fault=_settle_in,
        phases="combat",
        once=False,
        marks=f"{BATTLE} {BEATEN}",
    ),
    asks("goon", RETREATING, owner, HERE, BEEN, GONE, fault=_goon, phases="combat", marks=f"{BATTLE} {BEATEN}"),
)
"""What both games have."""
