"""15.5: the reserve at Caserta. Other formations take a unit of it along, and once a game one of them goes by train."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fronte.engine.decision import Action, Refusal
from fronte.engine.event import Event
from fronte.games.volturno import movement
from fronte.games.volturno.command import radius
from fronte.games.volturno.counters import COMPASS, GARIBALDINI, RESERVE, SIDE_OF
from fronte.games.volturno.fog import tell, who_knows
from fronte.games.volturno.reaction_zones import in_enemy_zone, zone_of
from fronte.games.volturno.state import State, place

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno


class Call(Action, frozen=True):
    """15.5: a unit of the 15th Division is taken along by the formation that acts."""

    form = "call {unit}"
    unit: str


class Train(Action, frozen=True):
    """15.5.p2: a unit of the 15th Division goes by train."""

    form = "train {unit} to {to}[ facing {facing}]"
    unit: str
    to: str
    facing: str = ""


# Taking a unit along


def why_no_call(rules: Volturno, state: State, unit: int) -> Refusal | None:
    """15.5, 15.5.p1: one for each formation and turn, and nobody who has acted this turn."""
    data = {"unit": rules.ids[unit]}
    formation = state.formation
    if rules.side[unit] != SIDE_OF[formation]:
        return Refusal("1", "not_yours", data)
    if unit in rules.leader_set or rules.counters[unit].formation != RESERVE:
        return Refusal("15.5", "not_of_reserve", data)
    if formation == RESERVE or SIDE_OF[formation] != GARIBALDINI:
        return Refusal("15.5", "needs_no_call", data)
    if state.at[unit] < 0:
        return Refusal("2.4.p2", "gone", data)
    if state.stayed >> RESERVE & 1:
        return Refusal("15.2.p5", "stays_put", data)
    if state.along:
        return Refusal("15.5", "one_is_along", data)
    if state.called >> unit & 1:
        return Refusal("15.5.p1", "was_called", data)
    if state.acted >> unit & 1:
        return Refusal("15.5.p1", "has_acted", data)
    if rules.option["reserve_requires_command_range"] and state.at[unit] not in radius(
        rules, state, rules.leader_of[formation], rules.command_radius
    ):
        return Refusal("15.5.p1", "out_of_command", data)
    return None


def callable_ones(rules: Volturno, state: State) -> list[int]:
    """15.5: the units that the active formation could take along now."""
    if state.along or SIDE_OF[state.formation] != GARIBALDINI or state.formation == RESERVE:
        return []
    return [unit for unit in rules.members[RESERVE] if why_no_call(rules, state, unit) is None]


def call(rules: Volturno, state: State, unit: int, out: list[Event]) -> None:
    """15.5, 3.2: it acts with the formation from now on, and may find itself in an enemy zone like the others."""
    state.called |= 1 << unit
    state.along = 1 << unit
    if in_enemy_zone(rules, state, GARIBALDINI, state.at[unit]):
        state.threatened |= 1 << unit
    tell(rules, state, unit, "called", ("15.5",), {}, out)


# The railway


def stations(rules: Volturno, state: State, unit: int) -> list[int]:
    """15.5.p2, 15.5.p3: the hexes of the line to which a unit could go from its own, free of enemies and their zones
    all the way."""
    here, side = state.at[unit], rules.side[unit]
    closed = state.occ[1 - side] | zone_of(rules, state, 1 - side) | rules.ground.capua
    along = rules.ground.along_rails
    if not along[here] or closed >> here & 1:
        return []
    found, edge = {here}, [here]
    while edge:
        for there in along[edge.pop()]:
            if there not in found and not closed >> there & 1:
                found.add(there)
                edge.append(there)
    return sorted(found - {here})


def why_no_train(rules: Volturno, state: State, unit: int, action: Train) -> Refusal | None:
    """15.5.p2, 15.5.p3: why a unit that is acting does not go by train."""
    data = {"unit": rules.ids[unit]}
    if unit in rules.leader_set or rules.counters[unit].formation != RESERVE:
        return Refusal("15.5.p2", "not_of_reserve", data)
    if state.railed:
        return Refusal("15.5.p2", "train_is_gone", {})
    if movement.read_facing(action.facing) is None:
        return Refusal("3.1", "no_facing", {"facing": action.facing})
    to = rules.grid.index.get(action.to, -1)
    if to < 0:
        return rules.unknown_hex(action.to)
    if rules.ground.capua >> to & 1:
        return Refusal("15.6", "capua_closed", {"hex": action.to})
    if to not in stations(rules, state, unit):
        return Refusal("15.5.p2", "no_line", {"unit": rules.ids[unit], "hex": action.to})
    left = movement.left_of(rules, state, unit)
    if left < rules.rail_cost:
        return Refusal("15.5.p2", "too_dear", {"hex": action.to, "need": rules.rail_cost, "have": left})
    return movement.why_no_entry(rules, state, unit, to)


def trains(rules: Volturno, state: State, unit: int) -> Iterator[Train]:
    """15.5.p2: where a unit can go by train."""
    if state.railed or rules.counters[unit].formation != RESERVE or unit in rules.leader_set:
        return
    if movement.left_of(rules, state, unit) < rules.rail_cost:
        return
    for h in stations(rules, state, unit):
        if movement.why_no_entry(rules, state, unit, h) is None:
            yield Train(rules.ids[unit], rules.grid.ids[h])


def ride_train(rules: Volturno, state: State, unit: int, to: int, wanted: str, out: list[Event]) -> None:
    """15.5.p2, 8.2: it gets on, goes and gets off; it faces as it likes, or as the friends it comes to."""
    here, before = state.at[unit], who_knows(rules, state, unit)
    friends = state.stacks.get(to)
    if friends:
        state.facing[unit] = state.facing[friends[-1]]
    elif wanted:
        state.facing[unit] = COMPASS.index(wanted)
    place(state, unit, to, rules.side[unit])
    movement.spend(rules, state, unit, rules.rail_cost)
    state.railed = True
    state.steps += 1
    state.moved |= 1 << unit
    data = {"path": [rules.grid.ids[here], rules.grid.ids[to]]}
    tell(rules, state, unit, "by_train", ("15.5.p2",), data, out, before)
    movement.entered(rules, state, unit, out)
