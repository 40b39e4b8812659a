"""What a throw could be expected to bring, and what it brought: read from the sheets that the rules make of it.

`Rules.weigh` tells for every way the dice can fall what it costs each seat, so what fell can be read from it.
`Rules.forecast` tells more (what, and to which force), but only how often each number comes: such a row has an
expectation, and what fell only where it says the same of a seat as the weighing does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fronte.engine import flow
from fronte.engine.dice import SIDES
from fronte.engine.rules import Rules, S, Weighing
from fronte.engine.sheet import Row, Sheet
from fronte.study.rows import Throw

LOSS = "loss"
"""What a weighing counts, where no sheet has a word for it."""


class Fallen(NamedTuple):
    """A throw as it was about to fall, and the dice."""

    kind: str
    sheet: Sheet | None
    weighed: Weighing | None
    dice: tuple[int, ...]


def fallen(rules: Rules[S], state: S, rolls: Sequence[tuple[int, ...]]) -> list[Fallen]:
    """The throws that a state waits for, falling thus, one after another. The state goes on with them."""
    found = []
    for dice in rolls:
        found.append(Fallen(state.frames[-1].name, rules.forecast(state), rules.weigh(state), dice))
        flow.fall(rules, state, dice, [])
    return found


def rows_of(rules: Rules[Any], throw: Fallen, number: int, turn: int) -> Iterator[Throw]:
    """A row for each thing that the throw could bring to somebody."""
    sheet, weighed = throw.sheet, throw.weighed
    told = [row for row in sheet.rows if sum(row.counts)] if sheet is not None else []
    where = weighed.where if weighed is not None else None
    seat = rules.seats[weighed.attacker] if weighed is not None else None
    turn = weighed.turn if weighed is not None else turn
    for loser, costs, fell in _costs(rules, throw):
        row = _row_of(rules, told, loser, costs)
        if row is not None:
            told.remove(row)
        elif not any(costs):
            continue
        what, force = (row.what, row.who) if row is not None else (LOSS, _only_force(rules, loser))
        expected = round(sum(costs) / len(costs), 6)
        yield Throw(number, turn, throw.kind, where, seat, loser, force, what, expected, fell, len(costs))
    for row in told:
        victim = rules.setting.forces.get(row.who)
        of = sum(row.counts)
        yield Throw(
            number, turn, throw.kind, where, seat, victim, row.who or None, row.what, round(row.mean, 6), None, of
        )


def _costs(rules: Rules[Any], throw: Fallen) -> Iterator[tuple[str, list[int], int]]:
    """For each seat what every way to fall costs it, and what this one did."""
    if throw.weighed is None:
        return
    place = 0
    for pips in throw.dice:
        place = place * SIDES + pips - 1
    for number, seat in enumerate(rules.seats):
        costs = [losses[number] for losses in throw.weighed.losses]
        yield seat, costs, costs[place]


def _row_of(rules: Rules[Any], told: Sequence[Row], seat: str, costs: Sequence[int]) -> Row | None:
    """The row of a sheet that counts what the weighing counts; None where that is not certain."""
    counts = _counts(costs)
    found = [row for row in told if rules.setting.forces.get(row.who) == seat and _trimmed(row) == counts]
    named = [row for row in found if row.what == LOSS]
    return named[0] if len(named) == 1 else found[0] if len(found) == 1 else None


def _only_force(rules: Rules[Any], seat: str) -> str | None:
    """The force of a seat that has but one."""
    forces = [force for force, owner in rules.setting.forces.items() if owner == seat]
    return forces[0] if len(forces) == 1 else None


def _counts(costs: Sequence[int]) -> list[int]:
    return [costs.count(number) for number in range(max(costs) + 1)]


def _trimmed(row: Row) -> list[int]:
    counts = list(row.counts)
    while counts and not counts[-1]:
        counts.pop()
    return counts
