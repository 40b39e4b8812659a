"""8.7: withdrawals. A unit that has to go back does so hex by hex, until it is out of enemy zones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter, anybody, open_to_all
from fronte.games.common.positions import HEXES
from fronte.games.volturno.cohesion import call_check, eliminate
from fronte.games.volturno.fog import tell, who_knows
from fronte.games.volturno.movement import LONGEST, UNIT_ARG, entered, is_column, is_ford, step_cost, why_no_entry
from fronte.games.volturno.reaction_zones import in_enemy_zone, look
from fronte.games.volturno.state import State, place, set_column

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
LIMBER = "limber-and-withdraw"
"""8.7.p2: what unlimbered guns do that have to withdraw, unless an option says otherwise."""


class Withdraw(Action, frozen=True):
    """8.7: a unit goes back a hex without paying; without a hex it stays where it is and checks. Commanders who are
    with it may go along (gap.leader-move)."""

    form = "withdraw {unit}[ to {to}][ with {along}]"
    odds = True
    unit: str
    to: str = ""
    along: tuple[str, ...] = ()


def places(rules: Volturno, state: State, unit: int, visited: Sequence[int], away_from: int = -1) -> list[int]:
    """8.7.p1, 12.2.5.p2: the hexes into which a unit can withdraw, those out of enemy zones alone if there are any.

    In reaction it goes a hex farther from the unit that caused it (`away_from`). Guns limber first, or do not go by
    option (8.7.p2). At night nobody withdraws into a zone (15.2.p4).
    """
    here, side = state.at[unit], rules.side[unit]
    guns = rules.counters[unit].is_artillery
    was = state.column
    if away_from < 0 and guns and not is_column(state, unit) and rules.guns_withdraw != LIMBER:
        return []
    if guns:
        state.column |= 1 << unit
    near = rules.grid.distance(here, away_from) if away_from >= 0 else 0
    found = [
        h
        for h in rules.grid.adjacent[here]
        if h not in visited
        and why_no_entry(rules, state, unit, h) is None
        and step_cost(rules, state, unit, here, h)
        and (away_from < 0 or rules.grid.distance(h, away_from) > near)
    ]
    state.column = was
    clear = [h for h in found if not in_enemy_zone(rules, state, side, h)]
    return clear if clear or rules.is_night(state.turn) else found  # 15.2.p4


def companies(rules: Volturno, state: State, unit: int) -> list[tuple[str, ...]]:
    """gap.leader-move: the commanders with whom a unit may withdraw: none, any one, all that are there."""
    here, side = state.at[unit], rules.side[unit]
    there = tuple(rules.ids[u] for u in rules.leaders if state.at[u] == here and rules.side[u] == side)
    return [(), *((name,) for name in there), *([there] if len(there) > 1 else [])]


def ways(rules: Volturno, state: State, unit: int, visited: Sequence[int]) -> Iterator[Action]:
    """8.7.p1: the ways in which a unit can withdraw; staying is the only one where there is no hex for it."""
    hexes = places(rules, state, unit, visited)
    for h in hexes:
        for along in companies(rules, state, unit):
            yield Withdraw(rules.ids[unit], rules.grid.ids[h], along)
    if not hexes:
        yield Withdraw(rules.ids[unit])


def why_no_withdrawal(
    rules: Volturno, state: State, unit: int, visited: Sequence[int], action: Withdraw
) -> Refusal | None:
    """8.7.p1: why a unit cannot withdraw to this hex."""
    hexes = rules.hex_ids(places(rules, state, unit, visited))
    if action.to in hexes or (not action.to and not hexes):
        return why_not_along(rules, state, unit, action)
    if action.to and action.to not in rules.grid.index:
        return rules.unknown_hex(action.to)
    return Refusal("8.7.p1", "no_withdrawal", {"unit": action.unit, "hex": action.to})


def why_not_along(rules: Volturno, state: State, unit: int, action: Withdraw) -> Refusal | None:
    """gap.leader-move: a commander goes along from the hex in which the unit is."""
    there = companies(rules, state, unit)[-1] if action.to else ()
    for name in action.along:
        if name not in there or action.along.count(name) > 1:
            return Refusal("gap.leader-move", "leader_not_there", {"unit": name})
    return None


def withdraw(rules: Volturno, state: State, action: Withdraw, visited: Sequence[int], out: list[Event]) -> None:
    """8.7, 8.7.2: one hex with the same facing, then a check; then again, until it is out of enemy zones."""
    unit = rules.number[action.unit]
    state.withdrew |= 1 << unit
    state.acted |= 1 << unit
    here, fords = state.at[unit], False
    if not action.to:
        tell(rules, state, unit, "cannot_withdraw", ("8.7.p1",), {}, out)
        if is_lost(rules, state, unit):
            eliminate(rules, state, unit, "8.7.p1", out)
            return
    else:
        to = rules.grid.index[action.to]
        fords = is_ford(rules, state, unit, here, to)
        fall_back(rules, state, unit, to, "8.7.2", out)
        follow(rules, state, unit, [rules.number[name] for name in action.along], out)
        if rules.option["withdrawal_multi_hex"] == "until-clear":
            state.frames.append(Frame("carry_on", AUTO, (unit, (*visited, here))))
    call_check(state, unit, "withdrawal")
    if fords:
        call_check(state, unit, "ford")  # 14.1.p1: it lies on top, for it comes with the crossing


def is_lost(rules: Volturno, state: State, unit: int) -> bool:
    """8.7.p1, 8.7.p2: is a unit that has to withdraw and cannot eliminated (by option)?"""
    stuck = rules.counters[unit].is_artillery and not is_column(state, unit) and rules.guns_withdraw != LIMBER
    return (rules.guns_withdraw if stuck else rules.option["withdrawal_blocked"]) == "eliminate"


def follow(rules: Volturno, state: State, unit: int, along: Sequence[int], out: list[Event]) -> None:
    """gap.leader-move: the commanders who are named go where the unit has gone."""
    to = state.at[unit]
    for leader in along:
        here, before = state.at[leader], who_knows(rules, state, leader)
        state.at[leader] = to
        data = {"path": [rules.grid.ids[here], rules.grid.ids[to]]}
        tell(rules, state, leader, "rode", ("gap.leader-move",), data, out, before)


def fall_back(rules: Volturno, state: State, unit: int, to: int, rule: str, out: list[Event]) -> None:
    """8.7.2, 8.7.p2: a unit goes a hex back and keeps its facing; guns limber."""
    here, side = state.at[unit], rules.side[unit]
    if rules.counters[unit].is_artillery and not is_column(state, unit):
        set_column(state, unit, side, True)
    before, friends = who_knows(rules, state, unit), state.stacks.get(to)
    place(state, unit, to, side)
    if friends and rules.one_facing:
        look(rules, state, unit, state.facing[friends[-1]])
    state.moved |= 1 << unit
    data = {"path": [rules.grid.ids[here], rules.grid.ids[to]]}
    tell(rules, state, unit, "withdrew", (rule,), data, out, before)
    entered(rules, state, unit, out)


@CHAPTER.step(
    "8.7",
    on="phase_c phase_d_over stragglers displaced",
    secrets=open_to_all,
    takes=(UNIT_ARG, Argument("visited", HEXES, 1, LONGEST)),
)
def carry_on(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """8.7: a unit that is still in an enemy zone goes on withdrawing, not back to where it has been."""
    unit, visited = frame.args
    if state.at[unit] < 0 or not in_enemy_zone(rules, state, rules.side[unit], state.at[unit]):
        return
    if places(rules, state, unit, visited):
        state.frames.append(Frame("withdrawal", rules.side[unit], frame.args))
    elif is_lost(rules, state, unit):
        eliminate(rules, state, unit, "8.7.p1", out)


@CHAPTER.choice(
    on="phase_c phase_d_over stragglers displaced",
    seats=anybody,
    takes=(UNIT_ARG, Argument("visited", HEXES, 1, LONGEST)),
)
class Withdrawal(Choice["Volturno", State]):
    """8.7: where a unit goes on to that is still in an enemy zone."""

    name = "withdrawal"
    rules = ("8.7", "8.7.2")
    verbs = (Withdraw,)

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        return ways(rules, state, *frame.args)

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Withdraw)
        unit, visited = frame.args
        if action.unit != rules.ids[unit]:
            return Refusal("8.7", "need_not_withdraw", {"unit": action.unit})
        return why_no_withdrawal(rules, state, unit, visited, action)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Withdraw)
        state.frames.pop()
        withdraw(rules, state, action, frame.args[1], out)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]]}
