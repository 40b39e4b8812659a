"""12.1, 7.1: the chance that a unit for which an attack is declared arrives, and what comes of it then.

Reckoned against the worst that is known: every enemy who could fire at it on the way does, as often as he may. Who
could counter-attack instead is named, not reckoned, since nobody knows whether he will.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.decision import AUTO, Frame
from fronte.engine.sheet import Fact, Row, Sheet
from fronte.games.volturno import assault, charge, cohesion, fire, movement, odds, reactions, retreats
from fronte.games.volturno.counters import SIDES
from fronte.games.volturno.reaction_zones import projecting, zone_of
from fronte.games.volturno.state import State, place, set_column
from fronte.hexes import trace

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno


ASSAULT = "assault"


class Journey(NamedTuple):
    """What can befall a unit on its way: of so many ways, in how many it loses so many levels."""

    of: int
    levels: dict[int, int]
    shots: int
    counters: frozenset[int]
    """The enemies who could counter-attack instead."""


def way_to(rules: Volturno, state: State, unit: int, at: int, how: str = ASSAULT) -> list[int]:
    """10.1, 11.1, 7.1.3: the cheapest way to the hex of a marker, as if friends on it made room; nowhere to go for who
    stands there."""
    if state.at[unit] == at:
        return []
    zones = zone_of(rules, state, 1 - rules.side[unit])
    find = charge.ride if assault.is_charge(how) else movement.spread
    _, before = find(rules, state, unit, zones, roomy=True)
    return trace(before, at) if at in before else []


def journey(
    rules: Volturno,
    state: State,
    unit: int,
    path: Sequence[int],
    facing: int = movement.AS_IT_GOES,
    watched: Frame | None = None,
) -> Journey:
    """12.1.t2, 12.1.t3, 12.2.2: all shots that could fall as the unit goes; it is moved there in this state. A window
    that is open (`watched`) comes first, without those who have fired in it."""
    side, found = rules.side[unit], Journey(1, {state.level[unit]: 1}, 0, frozenset())
    if watched is not None:
        found = _meet(rules, state, watched, found)
    left = watched is not None and watched.args[1] == "leave"
    for there in path:
        along = movement.facing_on_entry(rules, state, unit, state.at[unit], there, facing)
        if not left:
            found = _meet(rules, state, Frame("watch", AUTO, (unit, "leave", there, (), ())), found)
        place(state, unit, there, side)
        state.facing[unit], left = along, False
        found = _meet(rules, state, Frame("watch", AUTO, (unit, "enter", there, (), ())), found)
    return found


def _meet(rules: Volturno, state: State, window: Frame, found: Journey) -> Journey:
    """12.1: what came before, and then every shot of one window."""
    unit, trigger, there, fired, passed = window.args
    of, levels, shots, counters = found
    for reactor in reactions.watchers(rules, state, window):
        frame = Frame("watch", AUTO, (unit, trigger, there, fired, passed))
        if reactions.why_no_counter(rules, state, frame, reactor) is None:
            counters |= {reactor}
        if reactions.why_no_shot(rules, state, frame, reactor) is None:
            fired, shots = (*fired, state.at[reactor]), shots + 1
            ways, taken = _shot(rules, state, reactor, unit)
            of, levels = of * ways, _worse(levels, taken)
            state.low |= 1 << reactor
    return Journey(of, levels, shots, counters)


def _shot(rules: Volturno, state: State, unit: int, target: int) -> tuple[int, Counter[int]]:
    """9.3, 9.4.3.p1: of so many ways the levels that a shot takes; who has fired before may have nothing left."""
    drm = sum(modifier.amount for modifier in fire.modifiers(rules, state, unit, target))
    empty = int(rules.tables["ammunition"]["out"]) if state.low >> unit & 1 else 0
    dice = 6 if state.low >> unit & 1 else 1
    taken: Counter[int] = Counter({0: empty * odds.WAYS})
    for total, ways in odds.TWO_DICE.items():
        taken[fire.levels_of(rules, total + drm)] += ways * (dice - empty)
    return odds.WAYS * dice, taken


def _worse(levels: dict[int, int], taken: Counter[int]) -> dict[int, int]:
    found: Counter[int] = Counter()
    for level, ways in levels.items():
        for lost, more in taken.items():
            found[min(cohesion.ROUT, level + lost)] += ways * more
    return {level: ways for level, ways in found.items() if ways}


def sheet(rules: Volturno, state: State, unit: int, at: int, target: int, how: str = ASSAULT) -> Sheet:
    """7.1, 11.2: whether a declared attack arrives, and who wins; who does not arrive has not won. Who comes there only
    in the other form takes it first (8.3.p1)."""
    if not _can(rules, state, unit, at, target, how):
        _change(rules, state, unit)
    path = way_to(rules, state, unit, at, how)
    found = journey(rules, state, unit, path, movement.KEPT if assault.is_charge(how) else movement.AS_IT_GOES)
    return _fought(rules, state, unit, target, how, found, _facts(found, path))


def comes(rules: Volturno, state: State, unit: int, at: int, target: int, how: str) -> bool:
    """7.1, 8.3.p1: can a unit attack a hex from another, as it stands or in the other form?"""
    if _can(rules, state, unit, at, target, how):
        return True
    other = state.copy()
    _change(rules, other, unit)
    return _can(rules, other, unit, at, target, how)


def _can(rules: Volturno, state: State, unit: int, at: int, target: int, how: str) -> bool:
    find = charge.attacks(rules, state, unit) if assault.is_charge(how) else assault.attacks(rules, state, unit, True)
    return (at, target) in find


def _change(rules: Volturno, state: State, unit: int) -> None:
    set_column(state, unit, rules.side[unit], not movement.is_column(state, unit))


def onward(rules: Volturno, state: State, unit: int, path: Sequence[int], facing: int, watched: Frame | None) -> Sheet:
    """13.1.3: what awaits a unit that goes on: the shots on the rest of its way, and the assault at the end of it."""
    before = state.level[unit]
    found = journey(rules, state, unit, path, facing, watched)
    facts, goals = _facts(found, path), assault.targets(rules, state, unit)
    if goals:
        return _fought(rules, state, unit, goals[0], ASSAULT, found, facts)
    side, lost = SIDES[rules.side[unit]], found.levels.get(cohesion.ROUT, 0)
    levels = tuple(found.levels.get(level, 0) for level in range(before, cohesion.ROUT + 1))
    rows = (Row("arrival", (lost, found.of - lost), side, "12.1"), Row("levels", levels, side, "9.4"))
    return Sheet("declare", found.of, {}, facts, rows)


def back(rules: Volturno, state: State, unit: int, to: int, fought: tuple[int, ...] = ()) -> Sheet:
    """11.3, 11.3.6: what can befall a unit in the hex to which it goes back: the check of a ford, and then every shot.

    Only of this hex: whoever has to go on from there is asked again.
    """
    side, before, here = rules.side[unit], state.level[unit], state.at[unit]
    found = Journey(1, {before: 1}, 0, frozenset())
    fords = movement.is_ford(rules, state, unit, here, to)
    state.facing[unit] = movement.facing_on_entry(rules, state, unit, here, to, movement.AS_IT_GOES)
    place(state, unit, to, side)
    if fords:
        ways = odds.of_check(rules, state, unit, 0)
        found = Journey(odds.WAYS, {before + lost: n for lost, n in enumerate(ways) if n}, 0, frozenset())
    if projecting(rules, state, 1 - side, to) and retreats.is_reacted_to(rules, state, side, fought):
        found = _meet(rules, state, Frame("watch", AUTO, (unit, "retreat", to, (), fought)), found)
    if not fords and not found.shots and not found.counters:
        return Sheet("retreat", 1, {}, (Fact("unharmed", {}, "", "11.3.6"),))
    levels = tuple(found.levels.get(level, 0) for level in range(before, cohesion.ROUT + 1))
    routs = (found.of - levels[-1], levels[-1])
    rows = (Row("levels", levels, SIDES[side], "9.4"), Row("routs", routs, SIDES[side], "13.2"))
    wet = (Fact("ford", {}, "", "14.1.p1"),) if fords else ()
    return Sheet("retreat", found.of, {}, (*wet, *_facts(found, (to,))), rows)


def _fought(
    rules: Volturno, state: State, unit: int, target: int, how: str, found: Journey, facts: tuple[Fact, ...]
) -> Sheet:
    """11.2, 11.4.1: the combat at the end of a way; who does not arrive has not won."""
    lost = found.levels.get(cohesion.ROUT, 0)
    side, arrival = SIDES[rules.side[unit]], (lost, found.of - lost)
    if assault.is_only_guns(rules, state, target):
        rows = (Row("overrun", arrival, SIDES[1 - rules.side[unit]], "11.4.1"), Row("arrival", arrival, side, "12.1"))
        return Sheet("declare", found.of, {}, facts, rows)
    fought = {}
    for level in found.levels:
        if level < cohesion.ROUT:
            state.level[unit] = level
            drm = assault.total(assault.modifiers(rules, state, unit, target, how=how))
            fought[level] = odds.of_combat(rules, state, unit, target, how, drm)
    common = max((combat.of for combat in fought.values()), default=1)
    for combat in fought.values():
        common = common * combat.of // gcd(common, combat.of)
    victory = [lost * common, 0, 0]
    for level, combat in fought.items():
        for who, ways in enumerate(combat.victory):
            victory[who] += found.levels[level] * ways * (common // combat.of)
    of, whole = found.of * common, (lost * common, (found.of - lost) * common)
    least = gcd(of, *victory, *whole)
    rows = (
        Row("victory", tuple(n // least for n in victory), side, "11.2"),
        Row("arrival", tuple(n // least for n in whole), side, "12.1"),
    )
    return Sheet("declare", of // least, {}, facts, rows)


def _facts(found: Journey, path: Sequence[int]) -> tuple[Fact, ...]:
    facts = [Fact("shots_on_the_way", {"n": found.shots}, "", "12.2.2")] if path else []
    if found.counters:
        facts.append(Fact("counters_on_the_way", {"n": len(found.counters)}, "", "12.2.3"))
    return tuple(facts)


def with_ride(
    rules: Volturno, state: State, unit: int, path: Sequence[int], fought: Sheet, watched: Frame | None = None
) -> Sheet:
    """10.1.2: the odds of a charge that is fought as they are, with the chance that it arrives before all."""
    found = journey(rules, state, unit, path, movement.KEPT, watched)
    lost = found.levels.get(cohesion.ROUT, 0)
    side = SIDES[rules.side[unit]]
    rows = [Row(row.what, tuple(n * found.of for n in row.counts), row.who, row.rule) for row in fought.rows]
    rows.append(Row("arrival", (lost * fought.of, (found.of - lost) * fought.of), side, "12.1"))
    least = gcd(*(n for row in rows for n in row.counts))
    whole = tuple(Row(row.what, tuple(n // least for n in row.counts), row.who, row.rule) for row in rows)
    of = fought.of * found.of // least
    return Sheet(fought.heading, of, fought.data, (*fought.facts, *_facts(found, path)), whole)
