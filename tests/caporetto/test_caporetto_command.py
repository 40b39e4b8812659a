"""7, 14: command range, headquarters, what activations cost, who and what acts with a formation, and their order."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_packs import SCENARIOS, printed
from caporetto_positions import battalion, field, plain

from fronte.games.caporetto import command, supply
from fronte.games.caporetto.printed import CaporettoPrinted
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.state import NOBODY, begin, put, zone_of
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits


def italian(rules: CaporettoPrinted) -> int:
    """An Italian formation with a division and a range of four."""
    return next(n for n, f in enumerate(rules.formations) if f.side == ITALIAN and f.command == 4 and f.division >= 0)


def test_the_range_is_counted_in_hexes_without_the_headquarters() -> None:
    """7.1, 3.0."""
    rules, state = field()
    formation = italian(rules)
    here = plain(rules)[0]
    reached = command.reach(rules, state, formation, here)
    assert reached == rules.grid.within(here, 4) & rules.ground.extent


def test_it_goes_around_enemies_and_not_through_them() -> None:
    """7.1: a gun is an enemy unit too."""
    rules, state = field()
    formation, row = italian(rules), plain(rules)
    gun = next(u for u in bits(rules.guns) if rules.side[u] == AHG)
    put(rules, state, gun, row[1])
    missed = 1 << row[1] | 1 << row[4]  # right behind it the way around is too long
    around = rules.grid.within(row[0], 4) & rules.ground.extent
    assert command.reach(rules, state, formation, row[0]) == around & ~missed


def test_an_enemy_zone_stops_it_unless_a_friend_is_there_or_a_die_lets_it_pass() -> None:
    """7.1."""
    rules, state = field()
    formation, row = italian(rules), plain(rules)
    put(rules, state, battalion(rules, AHG), row[3])
    zone = zone_of(rules, state, AHG)
    assert zone >> row[2] & 1
    here = row[0]
    assert not command.reach(rules, state, formation, here) & zone
    assert command.reach(rules, state, formation, here, passed=zone) & zone
    put(rules, state, battalion(rules, ITALIAN, formation), row[2])
    assert command.reach(rules, state, formation, here) >> row[2] & 1


def test_a_die_is_thrown_only_for_a_zone_that_could_let_somebody_in() -> None:
    """7.1: from the headquarters outwards, each hex once; enemies stand all around but for one gap."""
    rules, state = field()
    formation, row = italian(rules), plain(rules)
    here, unit = row[0], battalion(rules, ITALIAN, formation)
    enemies = [u for u in bits(rules.combat & rules.of_side[AHG]) if rules.quarters[u] == 4]
    wall = rules.grid.within(here, 3) & ~rules.grid.within(here, 2) & ~(1 << row[3])
    for enemy, h in zip(enemies, bits(wall), strict=False):
        put(rules, state, enemy, h)
    put(rules, state, unit, row[4])
    assert state.occ[AHG] == wall
    assert not command.in_command(rules, state, formation, here)
    first = command.next_die(rules, state, formation, here, 0, 0)
    assert first == row[2]
    assert command.next_die(rules, state, formation, here, 0, 1 << first) == NOBODY
    second = command.next_die(rules, state, formation, here, 1 << first, 0)
    assert second == row[3]
    passed = 1 << first | 1 << second
    assert command.next_die(rules, state, formation, here, passed, 0) == NOBODY
    assert command.in_command(rules, state, formation, here, passed) == 1 << unit
    put(rules, state, unit, row[1])
    assert command.next_die(rules, state, formation, here, 0, 0) == NOBODY


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_headquarters_stand_where_they_are_supplied_and_command_somebody(scenario: str) -> None:
    """7.6: every hex that is offered, and no other, by the two rules one by one."""
    rules, rng = printed(scenario), Random(3)
    state = begin(rules, b"s")
    for formation in rng.sample(range(len(rules.formations)), 3):
        one = rules.formations[formation]
        there = command.members(rules, state, formation)
        offered = command.hq_hexes(rules, state, formation)
        if not there:
            assert not offered and not command.can_act(rules, state, formation)
            continue
        denied = supply.denied_to(rules, state, formation)
        fed = 0
        for inside in {supply.where_lines_run(rules, state, u) for u in there}:
            fed |= supply.supplied(rules.ground, supply.lines_of(rules, state, one.force, inside, denied))
        near = rules.grid.within(state.at[there[0]], one.command + 2)
        for h in rng.sample(list(bits(near)), 12):
            enemies = (state.occ[1 - one.side] | state.guns[1 - one.side]) >> h & 1
            commands = bool(command.in_command(rules, state, formation, h))
            assert bool(offered >> h & 1) == (bool(fed >> h & 1) and commands and not enemies)


def test_who_is_out_of_command_is_not_commanded_by_a_headquarters() -> None:
    """7.6, 7.8: a formation of which all are Out of Command is not activated."""
    rules = printed("maggiore")
    state = begin(rules, b"s")
    formation = next(n for n in rules.formations_of_force[AHG] if command.can_act(rules, state, n))
    first, *others = command.members(rules, state, formation)
    assert others
    state.ooc = sum(1 << unit for unit in others)
    near = command.hq_hexes(rules, state, formation)
    assert near and not near & ~rules.grid.within(state.at[first], rules.formations[formation].command)
    state.ooc |= 1 << first
    assert not command.can_act(rules, state, formation)


@pytest.mark.parametrize(("guns", "price"), [(0, 1), (1, 2), (5, 2), (6, 3), (13, 4), (15, 4)])
def test_a_plan_costs_a_point_and_one_for_each_five_guns(guns: int, price: int) -> None:
    """7.3: with its printed examples."""
    assert command.plan_price(printed("what_if"), guns) == price


def test_an_unplanned_reaction_costs_twice_and_brings_few_guns() -> None:
    """14: with its printed examples; the AHG pays nothing."""
    rules, state = field()
    formation = italian(rules)
    assert command.reaction_price(rules, state, formation, 0) == 2
    assert command.reaction_price(rules, state, formation, 3) == 4
    assert command.most_guns(rules, state, formation, reacts=True) == rules.formations[formation].initiative
    assert command.most_guns(rules, state, formation) == 0
    state.plan[formation] = 10
    assert command.reaction_price(rules, state, formation, 10) == 0
    assert command.most_guns(rules, state, formation, reacts=True) == 10
    german = next(n for n, f in enumerate(rules.formations) if f.side == AHG)
    assert command.reaction_price(rules, state, german, 15) == 0
    assert command.most_guns(rules, state, german, reacts=True) == 15


def test_guns_that_have_fired_or_do_not_belong_are_not_assigned() -> None:
    """18.8, 12.1.2."""
    rules = printed("what_if")
    state = begin(rules, b"s")
    formation = next(n for n, f in enumerate(rules.formations) if f.side == AHG and command.free_guns(rules, state, n))
    able = command.free_guns(rules, state, formation)
    gun = next(bits(able))
    assert not able & ~rules.guns_for(formation)
    state.act |= 1 << gun
    assert command.free_guns(rules, state, formation) == able & ~(1 << gun)
    state.act = 0
    state.emplaced &= ~(1 << gun)
    assert command.free_guns(rules, state, formation) == able & ~(1 << gun)
    state.emplaced = rules.guns
    state.ooc |= 1 << gun
    assert command.free_guns(rules, state, formation) == able & ~(1 << gun)


def test_two_battalions_of_nobody_and_any_number_of_the_division() -> None:
    """7.5, 7.5.e1, 7.5.e2."""
    rules, state = field()
    loose = rules.independents & rules.of_side[ITALIAN]
    battalions = [u for u in bits(loose) if rules.division[u] == NO_ONE and rules.quarters[u] == 4]
    battalions = [u for u in battalions if rules.counters[u].kind.branch not in command.BESIDES]
    machine_guns = [u for u in bits(loose & (rules.machine_guns | rules.engineers)) if rules.division[u] == NO_ONE]
    formation, row = italian(rules), plain(rules)
    for unit in (*battalions[:3], *machine_guns[:3]):
        put(rules, state, unit, row[1])
    reached = command.reach(rules, state, formation, row[0])

    def why(units: list[int]) -> str:
        refusal = command.why_not_attached(rules, state, formation, units, reached)
        return refusal.key if refusal else ""

    assert len(battalions) >= 3 and len(machine_guns) >= 3
    assert why([*battalions[:2], *machine_guns[:3]]) == ""
    assert why(battalions[:3]) == "too_many_independents"
    put(rules, state, battalions[0], row[5])
    assert why(battalions[:1]) == "not_attached"
    state.activated |= 1 << battalions[1]
    assert why(battalions[1:2]) == "not_attached"
    assert why(machine_guns[:1]) == ""
    state.attached = 1 << machine_guns[0]  # to another formation (7.10)
    assert why(machine_guns[:1]) == "not_attached"


def test_who_belongs_to_a_division_goes_with_it_alone() -> None:
    """7.5."""
    rules, state = field()
    loose = [u for u in bits(rules.independents) if rules.division[u] != NO_ONE]
    unit = next(u for u in loose if rules.formations_of_division[rules.division[u]])
    at = plain(rules)[0]
    put(rules, state, unit, at)
    own = rules.formations_of_division[rules.division[unit]][0]
    assert command.candidates(rules, state, own, 1 << at) >> unit & 1
    side, force = rules.side[unit], rules.force[unit]
    others = [n for n in rules.formations_of_force[force] if rules.formations[n].division != rules.division[unit]]
    assert others and side == rules.formations[others[0]].side
    assert not command.candidates(rules, state, others[0], 1 << at) >> unit & 1


def test_divisions_are_activated_one_after_the_other() -> None:
    """7.9."""
    rules, state = field()
    force = rules.scene.forces.index("ahg")
    formations = rules.formations_of_force[force]
    first = next(n for n in formations if len(rules.formations_of_division[rules.formations[n].division]) > 1)
    again = next(n for n in rules.formations_of_division[rules.formations[first].division] if n != first)
    other = next(
        n for n in formations if rules.formations[n].division not in (NO_ONE, rules.formations[first].division)
    )
    command.note_order(rules, state, first)
    assert command.keeps_order(rules, state, again) and command.keeps_order(rules, state, other)
    command.note_order(rules, state, other)
    assert not command.keeps_order(rules, state, again)
    assert command.keeps_order(rules, state, other)


@pytest.mark.parametrize(("option", "closes"), [("outside", False), ("own-division", True)])
def test_formations_without_a_division_are_outside_the_order(option: str, closes: bool) -> None:
    """7.9: unless by option."""
    rules, state = field(no_division=option)
    lone = next(n for n, f in enumerate(rules.formations) if f.division == NO_ONE and f.side == ITALIAN)
    first = next(
        n for n in rules.formations_of_force[rules.formations[lone].force] if rules.formations[n].division >= 0
    )
    command.note_order(rules, state, first)
    command.note_order(rules, state, lone)
    assert command.keeps_order(rules, state, first) != closes


def test_only_what_was_planned_is_activated_and_each_once() -> None:
    """7.3, 13."""
    rules = printed("maggiore")
    state = begin(rules, b"s")
    force = rules.scene.forces.index("ahg")
    assert command.activatable(rules, state, force) == []
    for formation in rules.formations_of_force[force]:
        state.plan[formation] = 0
    able = command.activatable(rules, state, force)
    assert able
    state.done |= 1 << able[0]
    assert command.activatable(rules, state, force) == able[1:]


def test_without_points_only_those_react_who_were_planned() -> None:
    """14, 6.1."""
    rules = printed("maggiore")
    state = begin(rules, b"s")
    force = rules.scene.forces.index("italian")
    assert len(command.able_to_react(rules, state, force)) > 1
    state.points[force] = 1
    assert command.able_to_react(rules, state, force) == []
    formation = next(n for n in rules.formations_of_force[force] if command.can_act(rules, state, n))
    state.plan[formation] = 0
    assert command.able_to_react(rules, state, force) == [formation]


def test_in_the_first_turn_only_assaulted_italians_react() -> None:
    """24.9."""
    rules = printed("historical")
    state = begin(rules, b"s")
    force = rules.scene.forces.index("italian-left")
    assert command.able_to_react(rules, state, force) == []
    formation = next(n for n in rules.formations_of_force[force] if command.can_act(rules, state, n))
    state.assaulted |= 1 << formation
    assert command.able_to_react(rules, state, force) == [formation]
