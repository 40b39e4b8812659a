"""12.4, 6.1, 24.9.2: who may try to retake a hex that was just lost, and who not."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_packs import printed
from caporetto_places import around, deploy, field, kinds, rule_of, ways

from fronte.engine.event import Event
from fronte.games.caporetto import assault, counter_assault, losses, odds, retreats, sectors
from fronte.games.caporetto.odds import Clash
from fronte.games.caporetto.printed import CaporettoPrinted
from fronte.games.caporetto.state import NOBODY, NOT_PLANNED, State, begin, put, units_of
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits, mask_of


def lost(*reserves: str, scenario: str = "what_if") -> tuple[CaporettoPrinted, State, int, list[int]]:
    """A hex that AHG has just taken from the east, and Italians two hexes from it on the other side."""
    rules, state = field(scenario)
    hexes = around(rules)
    wave = deploy(rules, state, hexes[1], "ah-sch1-1")
    assault.advance(rules, state, wave, hexes[0], [])
    return rules, state, hexes[0], deploy(rules, state, two_away(rules), *reserves)


def two_away(rules: CaporettoPrinted) -> int:
    """The hex two hexes from that which was lost, on the other side."""
    return rules.grid.neighbours[around(rules)[4]][3]


def why(rules: CaporettoPrinted, state: State, unit: int, h: int) -> str:
    return rule_of(counter_assault.why_not(rules, state, unit, h))


def test_a_reserve_within_two_hexes_may() -> None:
    """12.4, 12.4.1."""
    rules, state, h, (unit,) = lost("it-87-1")
    assert rules.grid.distance(state.at[unit], h) == 2
    assert why(rules, state, unit, h) == "" and counter_assault.who_may(rules, state, h, ITALIAN) == 1 << unit
    put(rules, state, unit, next(x for x in range(rules.grid.size) if rules.grid.distance(x, h) == 3))
    assert why(rules, state, unit, h) == "12.4.1" and not counter_assault.who_may(rules, state, h, ITALIAN)


def test_only_a_hex_just_lost_and_still_held_by_the_enemy() -> None:
    """12.4."""
    rules, state, h, (unit,) = lost("it-87-1")
    other = around(rules)[4]
    deploy(rules, state, other, "ah-sch1-2")
    assert counter_assault.lost_hexes(rules, state, ITALIAN) == (h,)
    assert counter_assault.lost_hexes(rules, state, AHG) == ()
    assert why(rules, state, unit, other) == "12.4"
    put(rules, state, rules.number["ah-sch1-1"], -1)
    assert counter_assault.lost_hexes(rules, state, ITALIAN) == ()
    assert why(rules, state, unit, h) == "12.4"


@pytest.mark.parametrize("name", ["activated", "ooc"])
def test_who_has_acted_or_is_out_of_command_may_not(name: str) -> None:
    """12.4."""
    rules, state, h, (unit,) = lost("it-87-1")
    setattr(state, name, 1 << unit)
    assert why(rules, state, unit, h) == "12.4"


@pytest.mark.parametrize("enemy", ["ah-sch14-1", "de-geb-12"])
def test_next_to_other_enemies_only_who_has_just_retreated(enemy: str) -> None:
    """12.4: guns are units too."""
    rules, state, h, (unit,) = lost("it-87-1")
    near = next(x for x in rules.grid.adjacent[state.at[unit]] if rules.grid.distance(x, h) == 3)
    deploy(rules, state, near, enemy)
    assert why(rules, state, unit, h) == "12.4"
    state.retreated = 1 << unit
    assert why(rules, state, unit, h) == ""


def test_those_in_the_lost_hex_do_not_hinder() -> None:
    """12.4."""
    rules, state, h, (unit,) = lost("it-87-1")
    put(rules, state, unit, around(rules)[4])
    assert why(rules, state, unit, h) == ""


def test_machine_guns_and_engineers_do_not() -> None:
    """21.1, 21.3."""
    rules, state, h, units = lost("it-mg-friuli", "it-eng-50")
    assert [why(rules, state, unit, h) for unit in units] == ["21.3", "21.1.e1"]


def test_without_logistic_points_nobody_does() -> None:
    """6.1: unless a formation was paid for that has not acted."""
    rules, state, h, (unit,) = lost("it-87-1")
    force, other = rules.force[unit], rules.formation_number("it-genova")
    state.points[force] = 0
    assert why(rules, state, unit, h) == "6.1"
    state.plan[other] = 0
    assert why(rules, state, unit, h) == ""
    state.done = 1 << other
    assert why(rules, state, unit, h) == "6.1"
    state.plan[other], state.points[force] = NOT_PLANNED, 1
    assert why(rules, state, unit, h) == ""
    assert counter_assault.has_means(rules, state, rules.force[rules.number["ah-sch1-1"]])


def test_counter_assaulters_declare_like_others_and_may_be_of_several_formations() -> None:
    """12.4.1, 10.2.5: they must be able to pay."""
    rules, state, h, units = lost("it-87-1", "it-97-1")
    for unit in units:
        put(rules, state, unit, around(rules)[4])
    able = counter_assault.who_may(rules, state, h, ITALIAN)
    assert able == mask_of(units)
    for unit in units:
        assert rule_of(assault.why_not_assault(rules, state, unit, h, 4, by_road=False)) == "10.2.1"
        assert rule_of(assault.why_not_assault(rules, state, unit, h, 3, by_road=False, able=able)) == "10.2.5"
        assert rule_of(assault.why_not_assault(rules, state, unit, h, 4, by_road=False, able=able)) == ""
        assault.declare(rules, state, unit, h, False, [])
    assert rule_of(assault.why_not_wave(rules, state, h, units, counter=True)) == ""


def test_support_fire_for_a_counter_assault_is_ahgs_alone() -> None:
    """12.4.2."""
    rules, state = field("what_if")
    state.active = ITALIAN
    hexes = around(rules)
    taker = deploy(rules, state, hexes[1], "it-87-1")
    assault.advance(rules, state, taker, hexes[0], [])
    units = [*deploy(rules, state, hexes[4], "ah-59-1"), *deploy(rules, state, hexes[5], "ah-59-2")]
    (stranger,) = deploy(rules, state, hexes[6], "ah-sch14-1")
    able = counter_assault.who_may_support(rules, state, hexes[0], AHG)
    assault.declare(rules, state, units[0], hexes[0], False, [])
    assert rule_of(assault.why_not_support(rules, state, units[1], hexes[0], able)) == ""
    assert rule_of(assault.why_not_support(rules, state, stranger, hexes[0], able)) == "10.2.6"
    state.activated = 1 << units[1]
    able = counter_assault.who_may_support(rules, state, hexes[0], AHG)
    assert rule_of(assault.why_not_support(rules, state, units[1], hexes[0], able)) == "10.2.6"


def test_machine_guns_may_support_one() -> None:
    """12.4.2, 21.3."""
    rules, state = field("what_if")
    state.active = ITALIAN
    hexes = around(rules)
    assault.advance(rules, state, deploy(rules, state, hexes[1], "it-87-1"), hexes[0], [])
    (mg,) = deploy(rules, state, hexes[4], "de-wgb-mg-1")
    assert counter_assault.who_may_support(rules, state, hexes[0], AHG) == 1 << mg
    assert counter_assault.who_may(rules, state, hexes[0], AHG) == 0


def test_it_ends_with_everybody_activated() -> None:
    """12.4.4."""
    rules, state, _, units = lost("it-87-1", "it-87-2")
    put(rules, state, units[1], -1)
    out: list[Event] = []
    counter_assault.finish(rules, state, units, out)
    assert state.activated == 1 << units[0] and kinds(out) == ["activated"]


# 24.9.2, 24.3: the historical campaign


def frozen_unit(rules: CaporettoPrinted) -> int:
    """A battalion of the Salerno brigade that does not begin in a common hex."""
    formation = rules.formation_number("it-salerno")
    mask = rules.formations[formation].mask & rules.assaulting
    return next(u for u in bits(mask) if not rules.ground.sector["common"] >> max(0, rules.begins[u]) & 1)


def test_frozen_brigades_counter_assault_a_neighbour_from_where_they_stand() -> None:
    """24.9.2: until turn 5, or until they have been assaulted."""
    rules, state = field("historical")
    unit = frozen_unit(rules)
    home = rules.home(unit)
    foe = next(u for u in bits(rules.zoc_makers & rules.of_side[AHG]) if rules.home(u) == home and rules.foot[u] == 0)
    here, near = ways(
        rules,
        lambda way, a, b: bool(home >> a & 1 and home >> b & 1) and rules.prices.off_road[rules.foot[unit]][way] > 0,
    )[0]
    put(rules, state, unit, here)
    far = next(x for x in bits(rules.grid.within(here, 2) & home) if rules.grid.distance(x, here) == 2)
    state.points = [20] * len(state.points)
    state.turn = 3
    assert sectors.is_frozen(rules, state, unit)
    for h, rule in ((near, ""), (far, "24.9.2")):
        put(rules, state, foe, h)
        state.fallen = (h,)
        assert why(rules, state, unit, h) == rule
    state.assaulted = 1 << rules.formation_of[unit]
    assert why(rules, state, unit, far) == "" and not sectors.is_frozen(rules, state, unit)
    state.assaulted, state.turn = 0, 5
    assert why(rules, state, unit, far) == ""


def test_nobody_counter_assaults_across_the_line_or_out_of_a_common_hex() -> None:
    """24.3, 24.3.start."""
    rules, state = field("historical")
    state.points = [20] * len(state.points)
    unit = next(
        u
        for u in bits(rules.assaulting & rules.of_side[ITALIAN])
        if rules.begins[u] >= 0 and rules.ground.sector["common"] >> rules.begins[u] & 1
    )
    put(rules, state, unit, rules.begins[unit])
    home = rules.home(unit)
    inside = next(h for h in rules.grid.adjacent[state.at[unit]] if home >> h & 1)
    foe = next(bits(rules.zoc_makers & rules.of_side[AHG]))
    put(rules, state, foe, inside)
    state.fallen = (inside,)
    assert why(rules, state, unit, inside) == "24.3.start"
    outside = next(
        h
        for h in bits(rules.ground.extent & ~home)
        if any(home >> n & 1 and n != rules.begins[unit] for n in rules.grid.adjacent[h])
    )
    put(rules, state, foe, outside)
    put(rules, state, unit, next(n for n in rules.grid.adjacent[outside] if home >> n & 1))
    state.fallen = (outside,)
    assert why(rules, state, unit, outside) == "24.3"


# All together


def fight(rules: CaporettoPrinted, state: State, rng: Random, h: int, wave: list[int], counter: bool) -> None:
    """An assault of a wave on a hex from the flank to the advance, with random dice and choices."""
    side = 1 - rules.side[wave[0]]
    assault.take_in_flank(rules, state, h, side, [])
    assault.begin(rules, state, h, side, wave, [])
    group = rng.choice(assault.groups(rules, state, h, side))
    against = rng.choice(assault.leads(rules, state, group)) if group else NOBODY
    lead = rng.choice(assault.leads(rules, state, wave))
    found = odds.weigh(rules, state, Clash(h, wave, group, lead, against, counter))
    dice = [rng.randint(1, 6) for _ in range(found.dice)] or [0]
    men = assault.defenders(rules, state, h, side)
    result = rules.tables.assault.result(found.column, odds.best_die(rules, state, found, men, dice))
    wins = odds.attacker_wins(rules, state, men, result)
    for units, line, won, first in ((wave, result[0], wins, lead), (men, result[1], not wins, against)):
        assault.strike(rules, state, units, line, won, [])
        left = [unit for unit in units if state.at[unit] >= 0]
        losses.take(rules, state, rng.choice(losses.assault_splits(rules, state, left, first, line.steps)), [])
    goers = retreats.must_retreat(rules, state, men)
    if result[1].retreat and counter:
        retreats.fall_back(rules, state, goers, [])
    elif result[1].retreat:
        go(rules, state, rng, h, goers, mask_of(state.at[unit] for unit in wave if state.at[unit] >= 0))
    losses.capture(rules, state, h, side, [])
    if not state.occ[side] >> h & 1:
        assault.advance(rules, state, wave, h, [])


def go(rules: CaporettoPrinted, state: State, rng: Random, h: int, units: tuple[int, ...], sources: int) -> None:
    """Units retreat, now and then by two hexes."""
    side = rules.side[units[0]] if units else 0
    where, ends = retreats.setting(rules, state, h, side, sources), set[int]()
    for unit in units:
        hexes = list(bits(retreats.ways(rules, state, unit, where).hexes))
        if not hexes:
            retreats.surrender(rules, state, unit, [])
        elif retreats.retreat(rules, state, unit, rng.choice(hexes), []) and rng.random() < 0.3:
            farther = retreats.second_setting(rules, state, state.at[unit], side, h)
            hexes = list(bits(retreats.ways(rules, state, unit, farther).hexes))
            if hexes and not retreats.rout(rules, state, unit, rng.randint(1, 6), []):
                retreats.retreat(rules, state, unit, rng.choice(hexes), [])
                retreats.tire(rules, state, [unit], [])
        if state.at[unit] >= 0:
            ends.add(state.at[unit])
    for force in sorted({rules.force[unit] for unit in units}):
        retreats.settle(rules, state, ends, force, [])


def declared(rules: CaporettoPrinted, state: State, h: int, able: int) -> list[int]:
    """A wave of those who may assault a hex, as many as fit."""
    wave: list[int] = []
    for unit in bits(able):
        if assault.why_not_assault(rules, state, unit, h, 999, by_road=False, able=able) is None:
            if assault.fit_together(rules, state, h, [*wave, unit]):
                assault.declare(rules, state, unit, h, False, [])
                wave.append(unit)
    return wave


def is_sound(rules: CaporettoPrinted, state: State) -> bool:
    """Nobody is disorganised beyond his morale, stacks are where their units are, flamethrowers with their bearers, and
    no hex has infantry of both sides."""
    there = [unit for unit, h in enumerate(state.at) if h >= 0 and not rules.hqs >> unit & 1]
    steady = all(state.dp[unit] < rules.morale[unit] for unit in there if rules.morale[unit])
    alive = all(state.lost[unit] < rules.full_steps[unit] for unit in there if not rules.flamethrowers >> unit & 1)
    stacked = sorted(unit for stack in state.stacks.values() for unit in stack) == there
    borne = all(state.at[fire] == state.at[unit] >= 0 for fire, unit in state.bearers)
    return steady and alive and stacked and borne and not state.occ[0] & state.occ[1]


@pytest.mark.parametrize("scenario", ["what_if", "historical"])
def test_a_hundred_assaults_and_counter_assaults_leave_a_sound_position(scenario: str) -> None:
    """12.3, 12.4: from the first positions on, until little is left of the front."""
    rules, rng = printed(scenario), Random(7)
    state = begin(rules, b"s")
    fought = countered = taken = 0
    for _ in range(100):
        targets = list(bits(state.occ[ITALIAN] & rules.ground.around(state.occ[AHG])))
        h = rng.choice(targets)
        near = [u for x in rules.grid.adjacent[h] for u in units_of(rules, state, x, AHG)]
        wave = declared(rules, state, h, mask_of(near))
        if not wave:
            continue
        fought += 1
        fight(rules, state, rng, h, wave, counter=False)
        if h in state.fallen:
            taken += 1
            state.assaults = ()
            back = declared(rules, state, h, counter_assault.who_may(rules, state, h, ITALIAN))
            if back:
                countered += 1
                fight(rules, state, rng, h, back, counter=True)
                counter_assault.finish(rules, state, back, [])
                state.activated = 0
        losses.capture(rules, state, h, ITALIAN, [], all_guns=True)
        assault.end_action(state)
        assert is_sound(rules, state)
    assert fought > 60 and taken > 20 and countered > 5
    assert losses.surrendered_steps(rules, state, ITALIAN if scenario == "what_if" else 1) > 0
