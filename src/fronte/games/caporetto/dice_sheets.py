"""7.1, 14, 19.2, 19.2.1: the odds of single dice as sheets: command through enemy zones, reactions, charges.

What lies before a decision is counted over all dice that may follow it, as far as they are few enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fronte.engine.sheet import Fact, Row, Sheet
from fronte.games.caporetto import command
from fronte.games.caporetto.state import NOBODY, State
from fronte.games.caporetto.tables import DIE
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.engine.decision import Frame
    from fronte.games.caporetto.game import Caporetto

MOST_DICE = 7
"""7.1: where more dice than these may have to be thrown, only where they are is told."""


def forecast(rules: Caporetto, frame: Frame) -> Sheet | None:
    """What one die on top of the stack can bring; None where it is none of these."""
    if frame.name in ("charge_die", "approach_die"):
        return charge(rules, on_approach=frame.name == "approach_die")
    if frame.name in ("command_die", "command_unit_die"):
        return _passes(rules, frame.args[0])
    return reaction(rules, frame.args[0]) if frame.name == "reaction_die" else None


def _one(heading: str, what: str, able: int, who: str, fact: Fact) -> Sheet:
    """A die that brings something in so many of its ways."""
    return Sheet(heading, DIE, {}, (fact,), (Row(what, (DIE - able, able), who, fact.rule),))


# 14: reactions


def reaction(rules: Caporetto, formation: int) -> Sheet:
    """14: a die up to the Initiative Value."""
    one = rules.formations[formation]
    able = max(0, min(DIE, one.initiative))
    fact = Fact("initiative", {}, str(one.initiative), "14.0")
    return _one("reaction", "reacts", able, rules.scene.forces[one.force], fact)


# 19.2: bridges


def charge(rules: Caporetto, force: int = NOBODY, on_approach: bool = False) -> Sheet:
    """19.2, 19.2.1: a low die blows the bridge; whose engineers try, or nobody's where the enemy comes to it."""
    able, rule = (rules.bridge_approach, "19.2.1") if on_approach else (rules.bridge_blown, "19.2")
    who = "" if force == NOBODY else rules.scene.forces[force]
    return _one("charge", "blown", able, who, Fact("needed", {}, f"1-{able}", rule))


# 7.1: command


def _passes(rules: Caporetto, formation: int) -> Sheet:
    """7.1: a high die lets the range through one enemy zone, or to one unit beyond such."""
    stopped, force = rules.command_blocked, rules.formations[formation].force
    needed = Fact("needed", {}, f"{stopped + 1}-{DIE}", "7.1")
    return _one("command", "through", DIE - stopped, rules.scene.forces[force], needed)


def headquarters(rules: Caporetto, state: State, formation: int, here: int) -> Sheet:
    """7.1, 7.6: how many units of a formation are in command if its headquarters is placed in a hex."""
    off = state.ooc | state.activated
    there = [unit for unit in command.members(rules, state, formation) if not off >> unit & 1]
    free = command.reach(rules, state, formation, here)
    sure = sum(free >> state.at[unit] & 1 for unit in there)
    who = rules.scene.forces[rules.formations[formation].force]
    facts = [Fact("in_range", {"n": sure}, "", "7.1")]
    trace = _units(rules, state, formation, here) if _by_unit(rules) else _zones(rules, state, formation, here)
    found = list(trace)
    deepest = max(depth for depth, _, _ in found)
    if not deepest:
        return Sheet("command", 0, {}, tuple(facts))
    facts.append(Fact("needed", {}, f"{rules.command_blocked + 1}-{DIE}", "7.1"))
    if deepest > MOST_DICE:
        facts.append(Fact("many_dice", {"n": MOST_DICE}, "", "7.1"))
        return Sheet("command", 0, {}, tuple(facts))
    counts = [0] * (len(there) + 1)
    for depth, ways, reached in found:
        inside = sum(reached(unit) for unit in there)
        counts[inside] += ways * DIE ** (deepest - depth)
    facts.append(Fact("dice", {"n": deepest}, "", "7.1"))
    return Sheet("command", DIE**deepest, {}, tuple(facts), (Row("commanded", tuple(counts), who, "7.7"),))


def _by_unit(rules: Caporetto) -> bool:
    return bool(rules.option["command_zoc_roll"] == "per-unit")


Leaf = tuple[int, int, Callable[[int], bool]]
"""So many dice were thrown, in so many ways did they fall so, and this says which units are then in command."""


def _zones(rules: Caporetto, state: State, formation: int, here: int) -> Iterator[Leaf]:
    """7.1: a die for each enemy zone that could bring somebody into command, the next one by how the last fell."""
    stopped = rules.command_blocked
    waiting = [(0, 1, 0, 0)]
    while waiting:
        depth, ways, passed, shut = waiting.pop()
        h = command.next_die(rules, state, formation, here, passed, shut)
        if h == NOBODY or depth > MOST_DICE:
            reached = command.reach(rules, state, formation, here, passed)
            yield depth, ways, lambda unit, reached=reached: bool(reached >> state.at[unit] & 1)  # type: ignore[misc]
            if depth > MOST_DICE:
                return
            continue
        waiting.append((depth + 1, ways * (DIE - stopped), passed | 1 << h, shut))
        waiting.append((depth + 1, ways * stopped, passed, shut | 1 << h))


def _units(rules: Caporetto, state: State, formation: int, here: int) -> Iterator[Leaf]:
    """7.1, `command_zoc_roll` = per-unit: a die for each unit that is in range but for enemy zones."""
    free, tried = command.reach(rules, state, formation, here), command.diced(rules, state, formation, here)
    if len(tried) > MOST_DICE:
        yield len(tried), 0, lambda unit: False
        return
    stopped = rules.command_blocked
    for number in range(1 << len(tried)):
        lucky = mask_of(unit for n, unit in enumerate(tried) if number >> n & 1)
        many = number.bit_count()
        ways = (DIE - stopped) ** many * stopped ** (len(tried) - many)
        yield len(tried), ways, lambda unit, lucky=lucky: bool((free >> state.at[unit] | lucky >> unit) & 1)  # type: ignore[misc]
