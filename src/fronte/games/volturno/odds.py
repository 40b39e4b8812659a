"""11.2, 13.1: what dice can bring, counted exactly: in how many of the ways they can fall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.dice import outcomes
from fronte.games.volturno import assault, cohesion
from fronte.games.volturno.state import NOBODY, State

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

TWO_DICE = Counter(sum(dice) for dice in outcomes(2))
WAYS = 36
DEFENDER, DRAW, ATTACKER = range(3)
"""11.2: who wins."""


class Combat(NamedTuple):
    """What a combat brings: of so many ways, how many each victor, so many levels lost and units routed has."""

    of: int
    victory: tuple[int, ...]
    levels: tuple[tuple[int, ...], tuple[int, ...]]
    """Of the attacker and of the defender with all that is in his hex (11.4)."""
    routs: tuple[tuple[int, ...], tuple[int, ...]]


def of_check(rules: Volturno, state: State, unit: int, extra: int) -> tuple[int, ...]:
    """13.1: the ways of two dice in which a unit that checks loses 0, 1, 2 ... levels; with the last it routs."""
    drm = extra + sum(modifier.amount for modifier in cohesion.modifiers(rules, state, unit))
    now, most = cohesion.current(rules, state, unit), cohesion.ROUT - state.level[unit]
    found = [0] * (most + 1)
    for total, ways in TWO_DICE.items():
        found[min(most, cohesion.levels_for(rules, total + drm - now))] += ways
    return tuple(found)


def of_result(
    rules: Volturno, state: State, unit: int, result: str, source: int, charged: bool = False
) -> tuple[int, ...]:
    """11.2.p7: the same for what the table says of a unit."""
    if result.startswith("cc"):
        return of_check(rules, state, unit, assault.check_drm(rules, state, unit, result, source, charged))
    most = cohesion.ROUT - state.level[unit]
    lost = min(most, 0 if result == "-" else int(result))
    return tuple(WAYS if levels == lost else 0 for levels in range(most + 1))


def of_combat(rules: Volturno, state: State, unit: int, h: int, how: str, drm: int, against: int = NOBODY) -> Combat:
    """11.2: everything that can come of a combat before anybody retreats; `against` counts for the defender, if it is
    said."""
    defenders, side = state.stacks[h], rules.side[unit]
    against = assault.reference(rules, state, unit, h, how) if against == NOBODY else against
    charged = assault.is_charge(how)
    of = WAYS ** (2 + len(defenders))
    victory = [0, 0, 0]
    levels: list[Counter[int]] = [Counter(), Counter()]
    routs: list[Counter[int]] = [Counter(), Counter()]
    for total, ways in TWO_DICE.items():
        mine, theirs, colour = assault.result_of(rules, how, total + drm)
        own = of_result(rules, state, unit, mine, NOBODY)
        other = _of_hex(rules, state, defenders, against, theirs, state.at[unit], charged)
        for lost, some in enumerate(own):
            for (taken, resists, gone, fallen), more in other.items():
                both = ways * some * more
                if not both:
                    continue
                alive = lost + state.level[unit] < cohesion.ROUT
                losses = (lost, taken) if not side else (taken, lost)
                won = assault.winner(losses, side, colour, alive, resists)
                victory[DRAW if won is None else ATTACKER if won else DEFENDER] += both
                levels[0][lost] += both
                levels[1][gone] += both
                routs[0][int(not alive)] += both
                routs[1][fallen] += both
    return _reduced(of, victory, levels, routs)


def _of_hex(
    rules: Volturno, state: State, defenders: Sequence[int], against: int, result: str, source: int, charged: bool
) -> Counter[tuple[int, bool, int, int]]:
    """11.2.p4, 11.4.p2: of a defender's hex the levels that decide, whether anybody is left to resist, all levels lost,
    and the units routed, with the ways of all their dice."""
    found: Counter[tuple[int, bool, int, int]] = Counter({(0, False, 0, 0): 1})
    for unit in defenders:
        guns = rules.counters[unit].is_artillery
        counted = not guns and (unit == against or not rules.counts_reference)
        after: Counter[tuple[int, bool, int, int]] = Counter()
        for lost, ways in enumerate(of_result(rules, state, unit, result, source, charged)):
            if not ways:
                continue
            routed = lost + state.level[unit] >= cohesion.ROUT
            for (taken, resists, gone, fallen), more in found.items():
                key = taken + lost * counted, resists or not (guns or routed), gone + lost, fallen + routed
                after[key] += ways * more
        found = after
    return found


def _reduced(of: int, victory: list[int], levels: list[Counter[int]], routs: list[Counter[int]]) -> Combat:
    """The same chances in smaller numbers, as far as two dice stay whole."""
    numbers = [*victory, *(n for row in (*levels, *routs) for n in row.values())]
    least = gcd(of // WAYS, *numbers)

    def row(found: Counter[int]) -> tuple[int, ...]:
        return tuple(found[n] // least for n in range(max(1, *found) + 1))

    return Combat(
        of // least,
        tuple(n // least for n in victory),
        (row(levels[0]), row(levels[1])),
        (row(routs[0]), row(routs[1])),
    )
