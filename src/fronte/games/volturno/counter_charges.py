"""10.4, 12.2.3, 12.2.4: counter-charge. Cavalry checks, and if it passes charges who comes near."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fronte.engine.decision import AUTO, Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, open_to_all
from fronte.games.common.positions import HEXES
from fronte.games.volturno import assault, charge, charging, movement
from fronte.games.volturno.charge import RIDING
from fronte.games.volturno.charging import TARGET, WHO, why_no_rider
from fronte.games.volturno.fog import tell, who_knows
from fronte.games.volturno.movement import KEPT, LONGEST
from fronte.games.volturno.reaction_zones import is_in_front, zone_of
from fronte.games.volturno.retreats import AMID
from fronte.games.volturno.state import State, place
from fronte.hexes import trace

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()


class CounterCharge(Action, frozen=True):
    """10.4, 12.2.3: cavalry checks, and if it passes charges the hex of the unit that caused the reaction."""

    form = "countercharge {unit}[ by {path:-}]"
    odds = True
    unit: str
    path: tuple[str, ...] = ()


def why_no_countercharge(rules: Volturno, state: State, unit: int, reactor: int, path: list[int]) -> Refusal | None:
    """10.4, 12.2.3.p2, 12.2.4.p1: as a charge, without a marker and a hex between; by option only next to it."""
    why = charge.why_cannot(rules, state, reactor)
    if why is None and rules.is_night(state.turn) and rules.option["night_reaction_combat"] == "forbid":
        why = Refusal("15.2.p3", "no_attack_at_night", {"unit": rules.ids[reactor]})
    if why is None and path and rules.option["countercharge_range"] == "adjacent":
        why = Refusal(
            "12.2.3.p2", "cannot_counter", {"unit": rules.ids[reactor], "hex": rules.grid.ids[state.at[unit]]}
        )
    return why or charge.why_no_ride(rules, state, reactor, path, state.at[unit], False, movement.NO_MARKER)


def countercharges(rules: Volturno, state: State, unit: int, reactor: int) -> Iterator[CounterCharge]:
    """10.4: the counter-charges that a unit can make, by the cheapest way to each hex next to the enemy."""
    if not charge.can_charge(rules, state, reactor):
        return
    side, target = rules.side[reactor], state.at[unit]
    start, left = state.at[reactor], movement.left_of(rules, state, reactor)
    found = [
        at
        for at in charge.aims(rules, state, reactor, target)
        if (at == start or is_in_front(rules, state, reactor, at))
        and charge.why_no_aim(rules, state, reactor, at, target, False, left) is None
    ]
    if not found:
        return
    opened = 0 if rules.is_night(state.turn) else zone_of(rules, state, 1 - side)
    far = rules.option["countercharge_range"] == "as-charge"
    away = far and found != [start]
    cost, before = charge.ride(rules, state, reactor, opened, opened, goal=target) if away else ({start: 0}, {})
    for at in found:
        way = trace(before, at) if at in cost else []
        if at in cost and why_no_countercharge(rules, state, unit, reactor, way) is None:
            yield CounterCharge(rules.ids[reactor], rules.hex_ids(way))


@CHAPTER.step(
    "12.2.3",
    "10.4",
    on="watch",
    secrets=open_to_all,
    takes=(WHO, TARGET, Argument("level", NUMBER, 0, 3), Argument("path", HEXES, 0, LONGEST)),
    fault=why_no_rider,
)
def counter_charge(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.2.3, 12.2.4: a unit that has passed its check, so that it has lost nothing, rides and fights; nobody of the
    active side reacts to it."""
    unit, target, level, path = frame.args
    side = rules.side[unit]
    if state.at[unit] < 0 or state.level[unit] != level or not state.occ[1 - side] >> target & 1:
        return
    tell(rules, state, unit, "charges", ("12.2.4",), {"target": rules.grid.ids[target]}, out)
    state.frames.append(Frame("counter_ridden", AUTO, (unit,)))
    state.frames.append(Frame("counter_onset", AUTO, (unit, target)))
    go(rules, state, unit, path, KEPT, out)


def go(rules: Volturno, state: State, unit: int, path: tuple[int, ...], facing: int, out: list[Event]) -> None:
    """10.4, 12.2.4: a unit of the side that does not act rides along a way; nobody reacts to it."""
    for there in path:
        here, before = state.at[unit], who_knows(rules, state, unit)
        state.facing[unit] = movement.facing_on_entry(rules, state, unit, here, there, facing)
        place(state, unit, there, rules.side[unit])
        state.moved |= 1 << unit
        data = {"path": [rules.grid.ids[here], rules.grid.ids[there]]}
        tell(rules, state, unit, "moved", ("10.4",), data, out, before)
        movement.entered(rules, state, unit, out)


@CHAPTER.step("12.2.4", on="counter_ridden", secrets=open_to_all, takes=(WHO, TARGET), fault=why_no_rider)
def counter_onset(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.2.4: the counter-charge comes to blows."""
    unit, target = frame.args
    if state.at[unit] >= 0 and state.occ[1 - rules.side[unit]] >> target & 1:
        assault.engage(rules, state, unit, target, "charge_counter")


@CHAPTER.step("12.2.4", "10.4.1", on=AMID, secrets=open_to_all, takes=(WHO,), fault=why_no_rider)
def counter_ridden(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """10.4.1, 12.2.4: the counter-charge is over; its exhausted move comes after that of a charge that it met."""
    (unit,) = frame.args
    if state.at[unit] < 0:
        return
    charging.exhaust(rules, state, unit, out)
    lowest = next((n for n, f in enumerate(state.frames) if f.name in RIDING and f.name != "spent"), len(state.frames))
    state.frames.insert(lowest, Frame("spent", AUTO, (unit, 1)))
