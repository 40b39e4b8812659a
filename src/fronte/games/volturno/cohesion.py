"""13: cohesion. Checks, levels lost, rout, recovery."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.decision import AUTO, CHANCE, Frame
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, open_to_all
from fronte.games.common.positions import UNIT, WORD
from fronte.games.volturno.counters import FORMATIONS
from fronte.games.volturno.fog import tell
from fronte.games.volturno.reaction_zones import is_adjacent_to_enemy
from fronte.games.volturno.state import LOST, ROUTED, State, end_action, place

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
ROUT = 4
"""13.2: so many levels lost are rout."""
REASONS = {
    "combat": "11.2.p7",
    "counter": "12.2.3",
    "call_off": "10.2.2",
    "ford": "14.1.p1",
    "face": "12.2.1",
    "withdrawal": "8.7.2",
    "reaction_withdrawal": "12.2.5",
}
"""Why a unit checks, and the rule that asks for it."""
MOST_DRM = 20


class Modifier(NamedTuple):
    """Something that changes a throw."""

    key: str
    amount: int


def current(rules: Volturno, state: State, unit: int) -> int:
    """13: cohesion now: as printed, less what its status takes (2.4)."""
    return rules.counters[unit].cohesion + rules.status[state.level[unit]]


def modifiers(rules: Volturno, state: State, unit: int) -> list[Modifier]:
    """table.cohesion-modifiers: what the situation of a unit adds to its check."""
    told, bit = rules.tables["cohesion_modifiers"], 1 << unit
    found = []
    if state.column & bit:
        found.append(Modifier("column", int(told["column"])))
    if state.ooc & bit:
        found.append(Modifier("out_of_command", int(told["out_of_command"])))
    if state.exhausted & bit:
        found.append(Modifier("exhausted", int(told["exhausted"])))
    if state.at[unit] >= 0 and rules.ground.built_up >> state.at[unit] & 1:
        found.append(Modifier("built_up", int(told["built_up"])))
    return found


def levels_for(rules: Volturno, margin: int) -> int:
    """table.cohesion-effects: levels lost by who fails by so much; none who does not fail."""
    found = 0
    for least, levels in rules.tables["cohesion_effects"]["levels"]:
        if margin >= least:
            found = int(levels)
    return found


def call_check(state: State, unit: int, why: str, extra: int = 0) -> None:
    """13.1: a unit has to check, for a reason and with what that adds."""
    state.frames.append(Frame("check_dice", CHANCE, (unit, why, extra)))


def _fault(rules: Volturno, state: State, frame: Frame) -> str:
    unit, why, _ = frame.args
    if state.at[unit] < 0:
        return "the unit is off the map"
    return "" if why in REASONS else f"{why} is no reason for a check"


@CHAPTER.throw(
    2,
    "13.1",
    on="act stragglers watch march carry_on withdrawals phase_c phase_d combat_over attacker_suffers check_dice "
    "strike_back recoil displaced called_off counter_charge fall_away dressing accompany emptied",
    once=False,
    secrets=open_to_all,
    takes=(Argument("unit", UNIT), Argument("why", WORD), Argument("extra", NUMBER, -MOST_DRM, MOST_DRM)),
    fault=_fault,
)
def check_dice(rules: Volturno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """13.1, 13.1.1: two dice and modifiers, at most its cohesion; who fails loses levels by the margin."""
    unit, why, extra = frame.args
    drm = extra + sum(m.amount for m in modifiers(rules, state, unit))
    margin = sum(dice) + drm - current(rules, state, unit)
    levels = levels_for(rules, margin)
    data = {"dice": list(dice), "drm": drm, "why": why, "levels": levels}
    tell(rules, state, unit, "checked", ("13.1", REASONS[why]), data, out)
    h = state.at[unit]
    lose(rules, state, unit, levels, "13.1.2", out)
    fled = why in ("face", "counter", "reaction_withdrawal") and state.markers and not state.stacks.get(h)
    if fled and rules.side[unit] != state.active:  # 7.1.5: its reaction has cost it the hex
        state.frames.append(Frame("emptied", AUTO, (h,)))


def lose(rules: Volturno, state: State, unit: int, levels: int, rule: str, out: list[Event]) -> None:
    """13.1.2, 9.4.1: levels are lost at once; with the fourth the unit routs (13.2).

    13.1.3: a unit whose action is not over may then break it off.
    """
    if not levels:
        return
    combat = next((n for n in reversed(range(len(state.frames))) if state.frames[n].name == "combat_over"), -1)
    if combat >= 0:
        count(rules, state, unit, levels, state.frames[combat])
    state.level[unit] += levels
    if state.level[unit] >= ROUT:
        rout(rules, state, unit, out)
        return
    tell(rules, state, unit, "worsened", (rule, "2.4"), {"level": state.level[unit]}, out)
    called_off = any(f.name == "called_off" for f in state.frames)  # 10.2.2: it is fought all the same
    if unit == state.mover and rules.is_acting(state) and not called_off:
        asked = Frame("break_off", rules.side[unit], (unit,))
        if combat < 0:
            state.frames.append(asked)
        elif asked not in state.frames and state.frames[combat].args[0] != unit:
            state.frames.insert(combat, asked)  # who is attacked breaks off when the combat is over


def count(rules: Volturno, state: State, unit: int, levels: int, combat: Frame) -> None:
    """11.2.p4, 11.4.p2: levels lost decide an uncertain combat; not those of guns, nor beyond rout, and by an option
    only those of the unit that counts for the defender."""
    attacker, against, defenders = combat.args[0], combat.args[3], combat.args[5]
    counted = (against,) if rules.counts_reference else defenders
    if unit in (attacker, *counted) and not rules.counters[unit].is_artillery:
        lost = list(state.losses)
        lost[rules.side[unit]] += min(levels, ROUT - state.level[unit])
        state.losses = (lost[0], lost[1])


def rout(rules: Volturno, state: State, unit: int, out: list[Event]) -> None:
    """13.2, 2.4.p2: a routed unit leaves the map at once and for good."""
    h = state.at[unit]
    remove(rules, state, unit, ROUTED)
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h], "strength": rules.counters[unit].strength}
    out.append(Event("routed", ("13.2",), data))


def remove(rules: Volturno, state: State, unit: int, to: int) -> None:
    """A unit leaves the map, with all that was marked on it; what it was doing ends."""
    here = state.at[unit]
    place(state, unit, to, rules.side[unit])
    keep = ~(1 << unit)
    for name in ("column", "ooc", "low", "out", "exhausted", "threatened", "far", "withdrew"):
        setattr(state, name, getattr(state, name) & keep)
    state.level[unit] = state.facing[unit] = 0
    if state.mover == unit:
        end_action(state)
    over = ("march", "break_off", "storm", "overrun", "fall_away", "dressing", "ride_off", "check_dice")
    state.frames[:] = [f for f in state.frames if f.name not in over or f.args[0] != unit]
    if here not in state.stacks:  # 2.2.p3: there is nobody with whom a commander could advance
        state.frames[:] = [f for f in state.frames if f.name != "accompany" or f.args[1] != here]


def eliminate(rules: Volturno, state: State, unit: int, rule: str, out: list[Event]) -> None:
    """11.3.3, 11.4.1: a unit is lost in another way than by rout."""
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[state.at[unit]]}
    remove(rules, state, unit, LOST)
    out.append(Event("eliminated", (rule,), data))


def recover(rules: Volturno, state: State, units: Sequence[int], rule: str, out: list[Event]) -> None:
    """13.3, 13.3.1: who did nothing recovers two levels, who moved half its allowance at most one; never next to an
    enemy. A withdrawal counts as such a move (13.3.1.p2)."""
    told = rules.tables["recovery"]
    at_once = rules.option["exhaustion_recovery"] == "recovery-step"
    for unit in units:
        bit = 1 << unit
        if at_once and state.at[unit] >= 0 and state.exhausted & ~state.moved & bit:
            rest(rules, state, unit, out)
        if state.at[unit] < 0 or not state.level[unit] or state.far & bit or is_adjacent_to_enemy(rules, state, unit):
            continue
        levels = int(told["half"]) if state.acted & bit else int(told["rested"])
        if state.withdrew & bit:
            levels = rules.after_withdrawal
        if not levels:
            continue
        state.level[unit] = max(0, state.level[unit] - levels)
        tell(rules, state, unit, "recovered", (rule,), {"level": state.level[unit]}, out)


def rest(rules: Volturno, state: State, unit: int, out: list[Event]) -> None:
    """10.3.1, 13.3.p2: cavalry that has rested is no longer exhausted."""
    state.exhausted &= ~(1 << unit)
    tell(rules, state, unit, "rested", ("10.3.1",), {}, out)


def shift_morale(rules: Volturno, state: State, formation: int, by: int, out: list[Event]) -> None:
    """6.2.1: a combat won or lost moves the marker of a formation one space; it stops at the ends of the track."""
    found = max(-rules.most_morale, min(rules.most_morale, state.morale[formation] + by))
    if found != state.morale[formation]:
        state.morale[formation] = found
        rule = "6.2.1.p1" if by > 0 else "6.2.1.p2"
        out.append(Event("morale", (rule,), {"formation": FORMATIONS[formation], "morale": found}))
