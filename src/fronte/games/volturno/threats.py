"""12.1: what an enemy who is reacted to is about to do, and what comes of it if nobody stops him or fire does."""

from __future__ import annotations

from math import gcd, lcm
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.decision import Frame
from fronte.engine.sheet import Row, Sheet
from fronte.games.volturno import assault, charge, cohesion, odds
from fronte.games.volturno.counters import SIDES
from fronte.games.volturno.reaction_zones import look
from fronte.games.volturno.state import State, place

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
    unit, h, _ = threat
    side, before = SIDES[rules.side[unit]], state.level[unit]
    if assault.is_only_guns(rules, state, h):
        gone = sum(levels[cohesion.ROUT - before :])
        return Row("overrun", (gone, sum(levels) - gone), SIDES[1 - rules.side[unit]], "11.4.1")
    fought = []
    for lost in range(len(levels)):
        if before + lost < cohesion.ROUT:
            twin = state.copy()
            twin.level[unit] = before + lost
            fought.append(_fought(rules, twin, threat))
        else:
            fought.append(SAFE)
    return Row("victory", _mixed(levels, fought), side, "11.2")


def turned(rules: Volturno, state: State, threat: Threat, reactor: int, facing: int, levels: tuple[int, ...]) -> Row:
    """12.2.1, 11.2: who wins if somebody in the hex under attack turns, which takes 0, 1, 2 ... levels from him in so
    many ways; whom that routs defends nothing."""
    unit, h, _ = threat
    fought = []
    for lost in range(len(levels)):
        twin = state.copy()
        look(rules, twin, reactor, facing)
        twin.level[reactor] += lost
        if twin.level[reactor] >= cohesion.ROUT:
            place(twin, reactor, -1, rules.side[reactor])
        fought.append(_fought(rules, twin, threat) if h in twin.stacks else FALLEN)
    return Row("victory", _mixed(levels, fought), SIDES[rules.side[unit]], "11.2")


Fought = tuple[int, tuple[int, ...]]
"""Of so many ways, how many each victor has."""
SAFE: Fought = (1, tuple(int(who == odds.DEFENDER) for who in range(3)))
FALLEN: Fought = (1, tuple(int(who == odds.ATTACKER) for who in range(3)))


def _fought(rules: Volturno, state: State, threat: Threat) -> Fought:
    unit, h, how = threat
    if assault.is_only_guns(rules, state, h):  # 11.4.1: they are overrun
        return FALLEN
    found = odds.of_combat(rules, state, unit, h, how, assault.total(assault.modifiers(rules, state, unit, h, how=how)))
    return found.of, found.victory


def _mixed(levels: tuple[int, ...], fought: list[Fought]) -> tuple[int, ...]:
    """The fights after 0, 1, 2 ... levels were lost, each as often as that many are."""
    common = lcm(*[of for of, _ in fought])
    return tuple(
        sum(ways * victory[who] * (common // of) for ways, (of, victory) in zip(levels, fought, strict=True))
        for who in range(3)
    )


def with_threat(fired: Sheet, row: Row) -> Sheet:
    """A sheet of what comes first with what then becomes of the attack; all rows are counted over the same dice."""
    times = sum(row.counts) // fired.of
    rows = [Row(one.what, tuple(n * times for n in one.counts), one.who, one.rule) for one in fired.rows] + [row]
    least = gcd(*(n for one in rows for n in one.counts))
    whole = tuple(Row(one.what, tuple(n // least for n in one.counts), one.who, one.rule) for one in rows)
    return Sheet(fired.heading, fired.of * times // least, fired.data, fired.facts, whole, fired.unknown)
