"""12.1: what an enemy who is reacted to is about to do, and what comes of it if nobody stops him or fire does."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.decision import Frame
from fronte.engine.sheet import Row, Sheet
from fronte.games.volturno import assault, charge, cohesion, odds
from fronte.games.volturno.counters import SIDES
from fronte.games.volturno.state import State

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno


class Threat(NamedTuple):
    """A unit, the hex it is about to fight for, and how."""

    unit: int
    hex: int
    how: str


def of_unit(rules: Volturno, state: State, unit: int) -> Threat | None:
    """7.1.p2, 10.1.2, 11.1.1: the combat that a unit is in the middle of, or the one that a marker where it stands
    tells of; None where it only moves."""
    if state.at[unit] < 0:
        return None
    for frame in reversed(state.frames):
        if frame.name in ("storm", "overrun", "onset") and frame.args[0] == unit:
            if frame.args[1] not in state.stacks:  # 12.2: whoever was attacked has gone
                return None
            return Threat(unit, frame.args[1], "charge" if frame.name == "onset" else frame.args[2])
    if charge.is_charging(state, unit):
        return None
    goals = assault.targets(rules, state, unit) if state.mover == unit else []
    return Threat(unit, goals[0], "assault") if goals else None


def of_window(rules: Volturno, state: State, frame: Frame) -> Threat | None:
    """12.1: that of the unit to which one may react, unless it is about to leave or goes back."""
    return None if frame.args[1] in ("leave", "retreat") else of_unit(rules, state, frame.args[0])


def under_fire(rules: Volturno, state: State, threat: Threat, levels: tuple[int, ...]) -> Row:
    """9.3, 11.2: who wins if fire takes 0, 1, 2 ... levels from the attacker in so many ways; who routs has not won."""
    unit, h, how = threat
    side, before = SIDES[rules.side[unit]], state.level[unit]
    if assault.is_only_guns(rules, state, h):
        gone = sum(levels[cohesion.ROUT - before :])
        return Row("overrun", (gone, sum(levels) - gone), SIDES[1 - rules.side[unit]], "11.4.1")
    fought = {}
    for lost, ways in enumerate(levels):
        if ways and before + lost < cohesion.ROUT:
            twin = state.copy()
            twin.level[unit] = before + lost
            drm = assault.total(assault.modifiers(rules, twin, unit, h, how=how))
            fought[lost] = odds.of_combat(rules, twin, unit, h, how, drm)
    common = 1
    for combat in fought.values():
        common = common * combat.of // gcd(common, combat.of)
    victory = [0, 0, 0]
    for lost, ways in enumerate(levels):
        if lost not in fought:
            victory[odds.DEFENDER] += ways * common
            continue
        for who, many in enumerate(fought[lost].victory):
            victory[who] += ways * many * (common // fought[lost].of)
    return Row("victory", tuple(victory), side, "11.2")


def with_threat(fired: Sheet, row: Row) -> Sheet:
    """A sheet of fire with what then becomes of the attack; all rows are counted over the same dice."""
    times = sum(row.counts) // fired.of
    rows = [Row(one.what, tuple(n * times for n in one.counts), one.who, one.rule) for one in fired.rows] + [row]
    least = gcd(*(n for one in rows for n in one.counts))
    whole = tuple(Row(one.what, tuple(n // least for n in one.counts), one.who, one.rule) for one in rows)
    return Sheet(fired.heading, fired.of * times // least, fired.data, fired.facts, whole, fired.unknown)
