"""9: fire. Who may shoot at whom, what helps and hinders, ammunition, line of sight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fronte.engine.decision import AUTO, CHANCE, Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, open_to_all
from fronte.games.common.positions import UNIT
from fronte.games.volturno import cohesion, declarations, retreats, special
from fronte.games.volturno.cohesion import Modifier
from fronte.games.volturno.counters import COMPASS, LIGHT
from fronte.games.volturno.fog import tell
from fronte.games.volturno.reaction_zones import is_in_front, look
from fronte.games.volturno.state import State, end_action

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
INFANTRY_RANGE = 1


class Fire(Action, frozen=True):
    """9, 9.2.2: a unit turns, if it has to, and fires at a unit in a hex: the top one, or the one so high in the stack.
    Guns that have not turned may do so afterwards."""

    form = "fire {unit} at {target}[ piece {piece}][ facing {facing}]"
    odds = True
    unit: str
    target: str
    piece: str = ""
    facing: str = ""


def reach_of(rules: Volturno, unit: int) -> int:
    """9.1, 9.1.1: guns five hexes, infantry one, cavalry none."""
    counter = rules.counters[unit]
    if counter.is_artillery:
        return len(rules.tables["fire"]["artillery_range"])
    return INFANTRY_RANGE if counter.is_infantry else 0


def why_no_shot(rules: Volturno, state: State, unit: int, h: int) -> Refusal | None:
    """9.p2, 9.1, 9.4.3.p2, 9.4.4, 15.2.p2: why a unit cannot shoot into a hex, whichever way it looks."""
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
    counter, here = rules.counters[unit], state.at[unit]
    if rules.is_night(state.turn):
        return Refusal("15.2.p2", "no_fire_at_night", data)
    if counter.is_cavalry:
        return Refusal("9.p2", "cannot_fire", data)
    if counter.is_artillery and state.column >> unit & 1:
        return Refusal("8.4.p3", "limbered", data)
    if state.out >> unit & 1:
        return Refusal("9.4.3.p2", "out_of_ammo", data)
    distance = rules.grid.distance(here, h)
    if not 0 < distance <= reach_of(rules, unit):
        return Refusal("9.1" if counter.is_artillery else "9.1.1", "out_of_range", data)
    if distance > 1 and not special.sees(rules, state, here, h, special.sight_of(rules, state.turn)):
        return Refusal("9.4.4", "no_sight", data)
    return None


def towards(rules: Volturno, state: State, unit: int, h: int) -> int:
    """9.2.2: the facing nearest to its own with a hex before it."""
    facings, at, now = rules.ground.facings, state.at[unit], state.facing[unit]
    turns = sorted(range(6), key=lambda f: (min((f - now) % 6, (now - f) % 6), f))
    return next(f for f in turns if facings.is_before(at, f, h))


def why_no_fire(rules: Volturno, state: State, unit: int, action: Fire) -> Refusal | None:
    """9, 9.p3, 9.2.2, 9.2.3: why a unit cannot fire so as its action."""
    counter, data = rules.counters[unit], {"unit": action.unit, "hex": action.target}
    if not (counter.is_artillery or counter.kind == LIGHT):
        return Refusal("9", "cannot_fire", data)
    if state.row == "fall_back" or (state.row == "retire" and not counter.is_artillery):
        return Refusal("table.initiative", "may_not_fire", data)
    h = rules.grid.index.get(action.target, -1)
    if h < 0:
        return rules.unknown_hex(action.target)
    if state.mover == unit and state.steps and (counter.is_artillery or not _on_marker(state, unit)):
        return Refusal("9.2.2" if counter.is_artillery else "9.2.3", "moved_already", data)
    if not state.occ[1 - counter.side] >> h & 1:
        return Refusal("9.p4", "nobody_there", data)
    if action.piece and action.piece not in _pieces(state, h):
        return Refusal("9.p4", "nobody_there", data)
    if (state.at[unit], target_of(state, h, action.piece)) in state.aimed:
        return Refusal("9.2.1.p1", "hex_has_fired", data)
    why = why_no_shot(rules, state, unit, h)
    if why is not None:
        return why
    facing = (
        state.facing[unit] if not action.facing else COMPASS.index(action.facing) if action.facing in COMPASS else -1
    )
    if facing < 0:
        return Refusal("3.1", "no_facing", {"facing": action.facing})
    if not rules.ground.facings.is_before(state.at[unit], facing, h):
        return Refusal("9.p3", "not_in_front", data)
    return None


def _on_marker(state: State, unit: int) -> bool:
    """9.2.3: light infantry that has moved fires from the hex of an Assault marker."""
    return any(marker[0] == 0 and marker[1] == state.at[unit] for marker in state.markers)


def _pieces(state: State, h: int) -> list[str]:
    """How units of a stack are named to be fired at: 1 is the lowest."""
    return [str(number) for number in range(1, len(state.stacks[h]) + 1)]


def target_of(state: State, h: int, piece: str) -> int:
    """9.p4: the one unit of a hex that is fired at."""
    stack = state.stacks[h]
    return stack[int(piece) - 1] if piece else stack[-1]


def shots(rules: Volturno, state: State, unit: int) -> Iterator[Fire]:
    """9.p4: every target of a unit that may fire as its action, with a turn where it needs one."""
    counter = rules.counters[unit]
    if not (counter.is_artillery or counter.kind == LIGHT):
        return
    near = rules.grid.within(state.at[unit], reach_of(rules, unit)) & state.occ[1 - counter.side]
    while near:
        low = near & -near
        near ^= low
        h = low.bit_length() - 1
        facing = "" if is_in_front(rules, state, unit, h) else COMPASS[towards(rules, state, unit, h)]
        pieces = _pieces(state, h)
        for piece in reversed(pieces):
            action = Fire(rules.ids[unit], rules.grid.ids[h], "" if piece == pieces[-1] else piece, facing)
            why = why_no_fire(rules, state, unit, action)
            if why is None:
                yield action
            elif why.rule != "9.2.1.p1":
                break


def open_fire(rules: Volturno, state: State, unit: int, action: Fire, out: list[Event]) -> None:
    """9.2.2: a unit turns and fires."""
    if action.facing:
        look(rules, state, unit, COMPASS.index(action.facing))
    target = target_of(state, rules.grid.index[action.target], action.piece)
    state.threatened &= ~(1 << unit)
    if rules.option["same_hex_same_target_actions"] == "forbid":
        state.aimed = (*state.aimed, (state.at[unit], target))
    shoot(state, unit, target, reaction=False, turns=rules.counters[unit].is_artillery and not action.facing)


def shoot(state: State, unit: int, target: int, reaction: bool, turns: bool = False) -> None:
    """9.4.3.p1: who has fired before this turn looks first whether there is ammunition left."""
    name = "ammo_die" if state.low >> unit & 1 else "fire_dice"
    state.frames.append(Frame(name, CHANCE, (unit, target, int(reaction), int(turns))))


def modifiers(rules: Volturno, state: State, unit: int, target: int) -> list[Modifier]:
    """table.fire: all that changes a shot."""
    told, shooter, aim = rules.tables["fire"], rules.counters[unit], rules.counters[target]
    here, there = state.at[unit], state.at[target]
    found = [Modifier("strength", next(n for least, n in reversed(told["strength"]) if shooter.strength >= least))]
    if shooter.kind == LIGHT:
        found.append(Modifier("light_infantry", told["light_infantry"]))
    if shooter.is_artillery:
        found.append(Modifier("range", told["artillery_range"][rules.grid.distance(here, there) - 1]))
    if rules.stacked(state, there) >= told["massed_from"]:
        found.append(Modifier("massed", told["massed"]))
    if state.column >> target & 1:
        found.append(Modifier("column", told["column"]))
    elif aim.is_artillery:
        found.append(Modifier("guns", told["guns"]))
    if aim.is_cavalry:
        found.append(Modifier("cavalry", told["cavalry"]))
    if not is_in_front(rules, state, target, here):
        found.append(Modifier("rear", told["rear"]))
    found.append(Modifier("terrain", told["terrain"].get(rules.ground.terrain[there], 0)))
    return [modifier for modifier in found if modifier.amount]


def levels_of(rules: Volturno, total: int) -> int:
    """9.4: levels that a modified throw takes; 7 and less none."""
    return next((int(levels) for least, levels in reversed(rules.tables["fire"]["levels"]) if total >= least), 0)


def _fault(rules: Volturno, state: State, frame: Frame) -> str:
    unit, target = frame.args[:2]
    return "" if state.at[unit] >= 0 and state.at[target] >= 0 else "a unit is off the map"


TAKES = (
    Argument("unit", UNIT),
    Argument("target", UNIT),
    Argument("reaction", NUMBER, 0, 1),
    Argument("turns", NUMBER, 0, 1),
)
"""Who fires at whom, whether in reaction, and whether it may turn afterwards (9.2.2)."""


@CHAPTER.throw(1, "9.4.3.p1", on="act watch", secrets=open_to_all, takes=TAKES, fault=_fault)
def ammo_die(rules: Volturno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """9.4.3.p1: on a low die there is nothing left, and the unit does not fire."""
    unit = frame.args[0]
    empty = dice[0] <= int(rules.tables["ammunition"]["out"])
    tell(rules, state, unit, "ammunition", ("9.4.3.p1",), {"die": dice[0], "empty": empty}, out)
    if empty:
        state.out |= 1 << unit
        state.low &= ~(1 << unit)
        take_back(state, *frame.args[:3])
        if not frame.args[2]:
            end_action(state)
    else:
        state.frames.append(Frame("fire_dice", CHANCE, frame.args))


def take_back(state: State, unit: int, target: int, reaction: int) -> None:
    """9.2.1.p1: who could not fire has not: another unit of its hex may fire at the same one."""
    here, under = state.at[unit], state.frames[-1]
    if not reaction:
        state.aimed = tuple(pair for pair in state.aimed if pair != (here, target))
    elif under.name == "watch":
        *window, fired, spent = under.args
        left = tuple(h for h in fired if h != here)
        state.frames[-1] = Frame(under.name, under.seat, (*window, left, spent))


@CHAPTER.throw(2, "9.3", on="act watch", secrets=open_to_all, takes=TAKES, fault=_fault)
def fire_dice(rules: Volturno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """9.3, 9.4.1, 9.4.3: two dice and all modifiers; what they take is taken at once, then the target may react."""
    unit, target, reaction, turns = frame.args
    drm = sum(modifier.amount for modifier in modifiers(rules, state, unit, target))
    levels = levels_of(rules, sum(dice) + drm)
    if not state.out >> unit & 1:
        state.low |= 1 << unit
    data = {"at": rules.grid.ids[state.at[target]], "dice": list(dice), "levels": levels}
    tell(rules, state, unit, "fired", ("12.2.2" if reaction else "9.3",), data, out, secret={"drm": drm})
    if not reaction:
        declarations.fulfil_by_fire(rules, state, unit, state.at[target])
        end_action(state)
        if turns:
            retreats.set_in_order(state, unit, "fire")
        others = tuple(other for other in state.stacks[state.at[target]] if other != target)
        state.frames.append(Frame("watch", AUTO, (unit, "fire", state.at[target], (), others)))
    cohesion.lose(rules, state, target, levels, "9.4.1", out)
