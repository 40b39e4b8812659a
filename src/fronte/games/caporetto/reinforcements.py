"""5: reinforcements, and the logistic points that come with a turn (6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count
from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.event import EVERYONE, Event
from fronte.engine.frames import Chapter
from fronte.games.caporetto import victory
from fronte.games.caporetto.printed import DUE
from fronte.games.caporetto.seating import FORCE, of_its_force, seat_of
from fronte.games.caporetto.state import State, put, zone_of
from fronte.games.caporetto.subsets import Some, SomeUnits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.printed import CaporettoPrinted

CHAPTER = Chapter()


class Arrive(Some, frozen=True):
    """5.1, 5.2: these reinforcements come in; the others wait for another turn."""

    form = "arrive[ {units}]"


def due(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """5.1, 5.2: the units of a force that may come in now: of this turn, and those that were delayed."""
    return [
        unit
        for unit in compress(count(), rules.arrives)
        if rules.arrives[unit] <= state.turn and state.at[unit] == DUE and rules.force[unit] == force
    ]


def why_not_placed(rules: CaporettoPrinted, state: State, unit: int) -> Refusal | None:
    """5.2: why a unit cannot come in: it is not its turn, an enemy is in its hex, or a zone of his that no friend
    annuls. Stacking plays no part (5.1)."""
    if state.at[unit] != DUE or rules.arrives[unit] > state.turn:
        return Refusal("5.1", "not_due", {"unit": rules.ids[unit]})
    h, side = rules.entry[unit], rules.side[unit]
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
    if (state.occ[1 - side] | state.guns[1 - side]) >> h & 1:
        return Refusal("5.2", "enemy_in_entry", data)
    friends = state.occ[side] | state.guns[side]
    if zone_of(rules, state, 1 - side) >> h & 1 and not friends >> h & 1:
        return Refusal("5.2", "zone_in_entry", data)
    return None


def place(rules: CaporettoPrinted, state: State, unit: int, out: list[Event]) -> None:
    """5.1: it is put into its hex, which it has then entered (23.1); guns come in ready to move (18.1)."""
    put(rules, state, unit, rules.entry[unit])
    state.arrived |= 1 << unit
    if rules.guns >> unit & 1:
        state.emplaced &= ~(1 << unit)
    out.append(Event("arrives", ("5.1",), {"unit": rules.ids[unit], "hex": rules.grid.ids[rules.entry[unit]]}))
    if rules.combat >> unit & 1:
        victory.enter(rules, state, rules.force[unit], rules.entry[unit], out)


def income(rules: CaporettoPrinted, state: State, out: list[Event]) -> None:
    """6.0, 24.14, 25.14: the points that each Italian force receives."""
    for force, logistics in rules.scene.logistics.items():
        if logistics.income and state.turn >= logistics.since:
            state.points[force] += logistics.income
            data = {"force": rules.scene.forces[force], "points": logistics.income}
            out.append(Event("income", ("6.0",), data))


def pay(rules: CaporettoPrinted, state: State, force: int, points: int, rule: str, out: list[Event]) -> None:
    """6.0, 6.0.e1: points are spent at once; what is left is known to their owner alone, unless all show theirs."""
    if not points:
        return
    state.points[force] -= points
    data = {"force": rules.scene.forces[force], "points": points, "left": state.points[force]}
    seats = 1 << seat_of(rules, force) if rules.option["lp_visibility"] == "hidden" else EVERYONE
    out.append(Event("paid", (rule,), data, seats))


def ready(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """5.1, 5.2: the units of a force that could come in now."""
    return [unit for unit in due(rules, state, force) if why_not_placed(rules, state, unit) is None]


def asks(rules: CaporettoPrinted, state: State, force: int) -> bool:
    """4.0-1: can anybody of a force come in?"""
    return bool(ready(rules, state, force))


@CHAPTER.choice(on="next_phase ask", seats=of_its_force, takes=(FORCE,), phases="reinforcement")
class ArrivalsChoice(SomeUnits):
    """4.0-1, 5.1, 5.2: which of the reinforcements that are due come in; the owner may delay any of them."""

    name = "arrivals"
    rules = ("5.1", "5.2")
    verbs = (Arrive,)
    verb = Arrive

    def able(self, rules: Caporetto, state: State, force: int) -> list[int]:
        return ready(rules, state, force)

    def why_not_able(self, rules: Caporetto, state: State, force: int, unit: int) -> Refusal:
        found = why_not_placed(rules, state, unit)
        assert found is not None
        return found

    def carry_out(self, rules: Caporetto, state: State, force: int, units: Sequence[int], out: list[Event]) -> None:
        for unit in units:
            place(rules, state, unit, out)
        waiting = ready(rules, state, force)
        if waiting:
            out.append(Event("delayed", ("5.2",), {"units": list(rules.unit_ids(waiting))}))
