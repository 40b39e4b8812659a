"""4.0-7.A: who acts moves and declares: what is offered, refused and done in step A."""

from __future__ import annotations

from random import Random
from time import process_time
from timeit import repeat

import msgspec
import pytest
from caporetto_marches import acting, kinds, play, run, table, why
from caporetto_packs import game
from caporetto_positions import plain

from fronte.casebook.core import Case, CaseFile
from fronte.casebook.core import begin as begin_case
from fronte.engine import flow, panel
from fronte.engine.decision import Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.rules import Way
from fronte.games.caporetto import assault, marching, on_the_move
from fronte.games.caporetto.acting import Assault, Storm, Support, nearest_enemy
from fronte.games.caporetto.acting import begin as begin_step
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.marching import left_of
from fronte.games.caporetto.moving import Detach, Done, Exit, March, Move
from fronte.games.caporetto.printed import EXITED
from fronte.games.caporetto.state import State, begin, put
from fronte.games.caporetto.terrain import AHG, COMMON, ITALIAN
from fronte.hexes import bits

POINT = 4


def battalions(
    rules: Caporetto, side: int, number: int = 1, *, infiltration: bool = False, formation: int = -1
) -> list[int]:
    """Battalions on foot of a side, of one formation where one is named."""
    column = rules.tables.feet.index("foot")
    found = [
        u
        for u in bits(rules.combat & rules.of_side[side] & rules.assaulting)
        if rules.foot[u] == column
        and rules.quarters[u] == 4
        and rules.formation_of[u] >= 0
        and bool(rules.infiltration >> u & 1) == infiltration
        and formation in (-1, rules.formation_of[u])
    ]
    assert len(found) >= number
    return found[:number]


def key(rules: Caporetto, state: State, action: Action) -> str:
    refusal = why(rules, state, action)
    return refusal.key if refusal is not None else ""


def listed(rules: Caporetto, state: State) -> list[Action]:
    """All that may be answered: none of it refused, none twice."""
    frame = state.frames[-1]
    found = list(rules.choices[frame.name].legal(rules, state, frame))
    assert len(set(found)) == len(found)
    assert [one for one in found if why(rules, state, one) is not None] == []
    return found


def ask_again(rules: Caporetto, state: State) -> None:
    """4.0-7.A: nobody could do anything more, so that the step was over; what would be said if it were not."""
    assert [frame.name for frame in state.frames] == ["bombard_step"]
    state.frames.append(Frame("act", rules.scene.seat_of[state.active]))


def name(rules: Caporetto, unit: int) -> str:
    return rules.ids[unit]


def hexes(rules: Caporetto, *path: int) -> tuple[str, ...]:
    return rules.hex_ids(path)


def alone(*, side: int = ITALIAN, infiltration: bool = False) -> tuple[Caporetto, State, int, list[int]]:
    """One battalion that acts, at the end of a row of open ground."""
    rules, state = table()
    (unit,) = battalions(rules, side, infiltration=infiltration)
    row = plain(rules)
    put(rules, state, unit, row[0])
    acting(rules, state, unit)
    return rules, state, unit, row


# Moves


def test_every_hex_in_reach_and_every_single_step_is_listed() -> None:
    """10: by the cheapest way; each is legal, and the offer tells the same hexes."""
    rules, state, unit, row = alone()
    found = [one for one in listed(rules, state) if isinstance(one, Move)]
    goals = {one.path[-1] for one in found}
    steps = {one.path[0] for one in found if len(one.path) == 1}
    assert steps == set(hexes(rules, *[h for h in rules.grid.adjacent[row[0]] if rules.ground.extent >> h & 1]))
    choice = rules.choices["act"]
    offer = choice.offer(rules, state, state.frames[-1])
    assert set(offer["units"][name(rules, unit)]["reach"]) == goals
    assert offer["units"][name(rules, unit)]["left"] == 6 * POINT
    told = panel.checked(rules.panels, choice.panel, offer)
    assert isinstance(told, panel.Move)
    assert {one["do"] for one in told.actions} == {"march", "done"}


def test_a_move_that_leads_nowhere_is_refused_with_its_rule() -> None:
    """10.0, 10.0.3, 10.0.5, 10.1.1."""
    rules, state, unit, row = alone()
    (enemy,) = battalions(rules, AHG)
    put(rules, state, enemy, row[4])
    one = name(rules, unit)
    far = next(h for h in bits(rules.ground.extent) if rules.grid.distance(h, row[0]) > 20)
    for path, expected in (
        ((), "no_path"),
        ((row[2],), "not_next"),
        (tuple(row[1:5]), "stops_there"),
        ((row[1], row[0], row[1], row[0], row[1], row[0], row[1]), "step_too_dear"),
        ((far,), "not_next"),
    ):
        assert key(rules, state, Move(one, hexes(rules, *path))) == expected
    assert key(rules, state, Move(one, ("9999",))) == "no_hex"
    assert key(rules, state, Move("nobody", hexes(rules, row[1]))) == "no_unit"
    assert key(rules, state, Move(one, hexes(rules, row[1]), by="train")) == "no_such_way"
    put(rules, state, enemy, row[1])
    assert key(rules, state, Move(one, hexes(rules, row[1]))) == "enemy_there"


def test_who_has_moved_moves_no_more_once_another_has() -> None:
    """10.0.6."""
    rules, state, unit, row = alone()
    (other,) = [u for u in battalions(rules, ITALIAN, 2) if u != unit]
    put(rules, state, other, row[3])
    acting(rules, state, unit, other)
    play(rules, state, Move(name(rules, unit), hexes(rules, row[1])))
    assert key(rules, state, Move(name(rules, unit), hexes(rules, row[2]))) == ""
    play(rules, state, Move(name(rules, other), hexes(rules, row[4])))
    assert key(rules, state, Move(name(rules, unit), hexes(rules, row[2]))) == "has_moved"
    assert not any(isinstance(one, Move) and one.unit == name(rules, unit) for one in listed(rules, state))


def test_only_those_who_act_move() -> None:
    """7.7, 10.0."""
    rules, state, unit, row = alone()
    (other,) = [u for u in battalions(rules, ITALIAN, 2) if u != unit]
    (enemy,) = battalions(rules, AHG)
    put(rules, state, other, row[3])
    assert key(rules, state, Move(name(rules, other), hexes(rules, row[4]))) == "does_not_act"
    put(rules, state, enemy, row[5])
    assert key(rules, state, Move(name(rules, enemy), hexes(rules, row[4]))) == "not_yours"
    put(rules, state, other, -1)
    assert key(rules, state, Move(name(rules, other), hexes(rules, row[4]))) == "off_the_map"
    state.activated |= 1 << unit
    assert key(rules, state, Move(name(rules, unit), hexes(rules, row[1]))) == "does_not_act"
    assert listed(rules, state) == [Done()]


def test_a_stack_moves_together_and_picks_up_nobody() -> None:
    """10.0."""
    rules, state = table()
    formation = next(n for n, f in enumerate(rules.formations) if f.side == ITALIAN and len(f.members) >= 3)
    one, two, three = battalions(rules, ITALIAN, 3, formation=formation)
    row = plain(rules)
    for unit, h in ((one, row[0]), (two, row[0]), (three, row[1])):
        put(rules, state, unit, h)
    acting(rules, state, one, two, three)
    both = Move(name(rules, one), hexes(rules, row[1]), (name(rules, two),))
    assert key(rules, state, Move(both.unit, both.path, (name(rules, three),))) == "not_together"
    assert any(isinstance(found, Move) and found.along == both.along for found in listed(rules, state))
    # three of one regiment are together only if they are of one regiment (11.1.e1)
    aside = next(h for h in rules.grid.adjacent[row[0]] if h not in row)
    play(rules, state, Move(both.unit, hexes(rules, aside), both.along))
    assert state.at[one] == state.at[two] == aside
    back = Move(both.unit, hexes(rules, row[0]), both.along)
    assert key(rules, state, back) == ""
    play(rules, state, Move(name(rules, one), hexes(rules, row[0])))
    assert state.at[two] == aside
    put(rules, state, three, row[0])
    together = Move(name(rules, one), hexes(rules, row[1]), (name(rules, three),))
    assert key(rules, state, together) == "not_picked_up"


def test_flamethrowers_go_with_their_bearer() -> None:
    """21.4."""
    rules, state, unit, row = alone(side=AHG)
    thrower = next(u for u in bits(rules.flamethrowers) if rules.force[u] == rules.force[unit])
    put(rules, state, thrower, row[0])
    state.bearers = ((thrower, unit),)
    state.commanded |= 1 << thrower
    assert key(rules, state, Move(name(rules, thrower), hexes(rules, row[1]))) == "goes_with_bearer"
    play(rules, state, Move(name(rules, unit), hexes(rules, row[1])))
    assert state.at[thrower] == row[1]


def test_a_road_may_be_left_out() -> None:
    """10.0.4, 10.0.4.e3: across country it costs more, and is listed where an enemy looks on."""
    rules, state = table()
    (unit,), (enemy,) = battalions(rules, AHG, infiltration=True), battalions(rules, ITALIAN)
    ground = rules.ground
    here, there, near = next(
        (a, b, c)
        for a in bits(ground.extent)
        for way, b in ground.ways_from(a)
        if ground.route[way] == "road" and not ground.water[way] and ground.extent >> b & 1
        for c in bits(rules.grid.ring[a] & rules.grid.ring[b] & ground.extent & ~ground.woods)
        if 0 < rules.prices.off_road[rules.foot[unit]][way] <= 6 * POINT
        and not any(ground.cliff[ground.way(c, h)] for h in (a, b))
        and not (ground.trench[0] | ground.trench[1]) >> b & 1
    )
    put(rules, state, unit, here)
    put(rules, state, enemy, near)
    acting(rules, state, unit)
    short = Move(name(rules, unit), hexes(rules, there))
    across = Move(name(rules, unit), hexes(rules, there), by="country")
    found = listed(rules, state)
    assert short in found
    assert across in found
    spent = {}
    for move in (short, across):
        twin = state.copy()
        play(rules, twin, move)
        spent[move.by] = 6 * POINT - left_of(rules, twin, (unit,))
        assert twin.frames[-1].name == "infiltration"
        assert bool(twin.frames[-1].args[3]) == (move.by == "")
    assert spent[""] < spent["country"]


# Forced marches


def test_a_forced_march_is_declared_and_paid_for_before_the_bombardment() -> None:
    """10.4, 10.4.e1: the point falls after all declarations, when the step is over."""
    rules, state, unit, row = alone()
    before = {one.path[-1] for one in listed(rules, state) if isinstance(one, Move)}
    play(rules, state, March(name(rules, unit)))
    after = {one.path[-1] for one in listed(rules, state) if isinstance(one, Move)}
    assert before < after
    assert left_of(rules, state, (unit,)) == 9 * POINT
    assert key(rules, state, March(name(rules, unit))) == "marches_already"
    play(rules, state, Move(name(rules, unit), hexes(rules, row[1])))
    assert state.dp[unit] == 0
    play(rules, state, Done())
    assert state.dp[unit] == 1
    assert state.marched >> unit & 1
    assert state.frames[-1].name != "act"


def test_who_has_too_few_points_to_assault_marches_by_force_for_it() -> None:
    """10.2.5, 10.4."""
    rules, state, unit, row = alone()
    (enemy,) = battalions(rules, AHG)
    put(rules, state, enemy, row[1])
    state.leftovers, state.moved = ((unit, 0),), 1 << unit
    attack = Assault(name(rules, unit), rules.hex_id(row[1]))
    assert key(rules, state, attack) == "cannot_enter"
    assert listed(rules, state) == [March(name(rules, unit)), Done()]
    put(rules, state, enemy, row[2])
    assert key(rules, state, March(name(rules, unit))) == "nobody_to_assault"
    assert listed(rules, state) == [Done()]
    put(rules, state, enemy, row[1])
    play(rules, state, March(name(rules, unit)))
    assert key(rules, state, attack) == ""
    assert key(rules, state, March(name(rules, unit))) == "marches_already"


# Assaults


def facing(number: int = 1, **which: bool) -> tuple[Caporetto, State, list[int], int, list[int]]:
    """Battalions of one formation of the AHG that act, next to an Italian battalion."""
    rules, state = table()
    formation = next(
        n
        for n, f in enumerate(rules.formations)
        if f.side == AHG
        and len([u for u in f.members if bool(rules.infiltration >> u & 1) == which.get("infiltration", False)]) >= 3
        and any(rules.quarters[u] == 4 and rules.foot[u] == rules.tables.feet.index("foot") for u in f.members)
        and len(_fit(rules, n, which.get("infiltration", False))) >= number
    )
    units = _fit(rules, formation, which.get("infiltration", False))[:number]
    (enemy,) = battalions(rules, ITALIAN)
    row = plain(rules)
    for unit in units:
        put(rules, state, unit, row[0])
    put(rules, state, enemy, row[1])
    acting(rules, state, *units)
    return rules, state, units, enemy, row


def _fit(rules: Caporetto, formation: int, infiltration: bool) -> list[int]:
    column = rules.tables.feet.index("foot")
    return [
        u
        for u in rules.formations[formation].members
        if rules.quarters[u] == 4
        and rules.foot[u] == column
        and rules.assaulting >> u & 1
        and bool(rules.infiltration >> u & 1) == infiltration
    ]


def test_an_assault_is_declared_and_its_unit_moves_no_more() -> None:
    """10.2.1, 10.2.3."""
    rules, state, (unit,), _, row = facing()
    attack = Assault(name(rules, unit), rules.hex_id(row[1]))
    assert attack in listed(rules, state)
    events = play(rules, state, attack)
    assert kinds(events) == ["assault_declared"]
    assert state.assaults == ((unit, row[1], 0),)
    ask_again(rules, state)
    assert key(rules, state, attack) == "assaults_already"
    assert key(rules, state, Move(name(rules, unit), hexes(rules, row[0]))) == "has_declared"
    assert listed(rules, state) == [Done()]


def test_a_unit_whose_move_is_over_still_declares() -> None:
    """10.2.1, 4.0-7.A: with what it has left."""
    rules, state, (one, other), _, row = facing(2)
    aside = next(h for h in rules.grid.adjacent[row[0]] if not rules.grid.ring[row[1]] >> h & 1)
    for unit in (one, other):
        put(rules, state, unit, aside)
    play(rules, state, Move(name(rules, one), hexes(rules, row[0])))
    play(rules, state, Move(name(rules, other), hexes(rules, row[0])))
    attack = Assault(name(rules, one), rules.hex_id(row[1]))
    assert key(rules, state, attack) == ""
    state.leftovers = tuple((unit, 0) for unit, _ in state.leftovers)
    assert key(rules, state, attack) == "cannot_enter"


def test_two_battalions_at_most_assault_out_of_a_hex() -> None:
    """11.1.e1: though a regiment may be there."""
    rules, state, units, _, row = facing(3)
    target = rules.hex_id(row[1])
    play(rules, state, Assault(name(rules, units[0]), target, (name(rules, units[1]),)))
    assert len(state.assaults) == 2
    assert key(rules, state, Assault(name(rules, units[2]), target)) == "too_many_assault"
    together = Assault(name(rules, units[0]), target, rules.unit_ids(units[1:]))
    rules, state, units, _, row = facing(3)
    assert key(rules, state, together) == "too_many_assault"


def test_along_a_road_one_battalion_assaults() -> None:
    """10.2.5, 10.2.5.e1."""
    rules, state, units, enemy, _ = facing(2)
    ground = rules.ground
    here, there = next(
        (a, b)
        for a in bits(ground.extent)
        for way, b in ground.ways_from(a)
        if ground.route[way] == "road"
        and not ground.water[way]
        and ground.extent >> b & 1
        and rules.prices.off_road[rules.foot[units[0]]][way] > 2 * POINT
    )
    for unit in units:
        put(rules, state, unit, here)
    put(rules, state, enemy, there)
    target = rules.hex_id(there)
    state.leftovers = tuple(sorted((unit, 2 * POINT) for unit in units))
    assert key(rules, state, Assault(name(rules, units[0]), target)) == "cannot_enter"
    assert key(rules, state, Assault(name(rules, units[0]), target, by="air")) == "no_such_way"
    by_road = Assault(name(rules, units[0]), target, by="road")
    assert by_road in listed(rules, state)
    assert key(rules, state, Assault(by_road.unit, target, (name(rules, units[1]),), "road")) == "road_is_full"
    play(rules, state, by_road)
    assert state.assaults == ((units[0], there, 1),)
    assert key(rules, state, Assault(name(rules, units[1]), target, by="road")) == "road_is_full"


def test_nobody_assaults_where_no_enemy_is() -> None:
    """10.2.1: guns alone are taken by moving in."""
    rules, state, (unit,), enemy, row = facing()
    gun = next(u for u in bits(rules.guns) if rules.side[u] == ITALIAN)
    put(rules, state, enemy, -1)
    put(rules, state, gun, row[1])
    assert key(rules, state, Assault(name(rules, unit), rules.hex_id(row[1]))) == "no_enemy_there"
    assert key(rules, state, Assault(name(rules, unit), "9999")) == "no_hex"
    play(rules, state, Move(name(rules, unit), hexes(rules, row[1])))
    assert state.at[gun] < 0


def test_support_fire_is_for_an_assault_of_the_formation_from_another_hex() -> None:
    """10.2.6, 10.2.6.e1."""
    rules, state, (one, other), _, row = facing(2)
    aside = next(bits(rules.grid.ring[row[0]] & rules.grid.ring[row[1]]))
    put(rules, state, other, aside)
    target = rules.hex_id(row[1])
    helped = Support(name(rules, other), target)
    assert key(rules, state, helped) == "nobody_to_support"
    play(rules, state, Assault(name(rules, one), target))
    assert key(rules, state, Support(name(rules, one), target)) == "has_declared"
    assert helped in listed(rules, state)
    events = play(rules, state, helped)
    assert kinds(events) == ["support_declared"]
    assert state.supports == ((other, row[1]),)
    ask_again(rules, state)
    assert key(rules, state, Move(name(rules, other), hexes(rules, row[0]))) == "has_declared"
    assert key(rules, state, Assault(name(rules, other), target)) == "supports_already"
    assert listed(rules, state) == [Done()]
    put(rules, state, one, aside)
    state.assaults = ()
    assert key(rules, state, Assault(name(rules, one), target)) == "support_from_here"


def test_an_assault_on_the_move_is_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """21.5.3, 10.4: by one unit that can infiltrate; its forced march is paid for before anybody fires."""
    begun = []

    def begin_it(rules: Caporetto, state: State, units: list[int], h: int, by_road: bool, out: list[Event]) -> None:
        begun.append((units, h, by_road, [state.dp[unit] for unit in units]))

    monkeypatch.setattr(on_the_move, "begin", begin_it, raising=False)
    rules, state, (one, other), _, row = facing(2, infiltration=True)
    target = rules.hex_id(row[1])
    assert key(rules, state, Storm(name(rules, one), target, (name(rules, other),))) == "one_unit_on_the_move"
    storm = Storm(name(rules, one), target)
    assert storm in listed(rules, state)
    play(rules, state, March(name(rules, one)))
    play(rules, state, storm)
    assert begun == [([one], row[1], False, [0])]
    assert state.dp[one] == 1
    rules, state, (plain_one,), _, row = facing(1)
    assert key(rules, state, Storm(name(rules, plain_one), rules.hex_id(row[1]))) == "cannot_infiltrate"


# Companies and the edge


def test_a_german_battalion_detaches_companies_before_it_moves() -> None:
    """21.10.e2: they act with it; the last step is the battalion itself."""
    rules, state = table()
    unit = next(u for u in bits(rules.can_detach) if rules.formation_of[u] >= 0 and rules.full_steps[u] == 4)
    row = plain(rules)
    put(rules, state, unit, row[0])
    acting(rules, state, unit)
    most = rules.full_steps[unit] - 1
    assert [one for one in listed(rules, state) if isinstance(one, Detach)] == [
        Detach(name(rules, unit), number) for number in range(1, most + 1)
    ]
    assert key(rules, state, Detach(name(rules, unit), most + 1)) == "detaches_fewer"
    assert key(rules, state, Detach(name(rules, unit), 0)) == "detaches_fewer"
    play(rules, state, Detach(name(rules, unit), 1))
    company = next(u for u in rules.companies_of[unit] if state.at[u] == row[0])
    play(rules, state, March(name(rules, unit)))
    play(rules, state, Detach(name(rules, unit), 1))
    tired = next(u for u in rules.companies_of[unit] if state.at[u] == row[0] and u != company)
    assert [state.weary >> u & 1 for u in (unit, company, tired)] == [1, 0, 1]
    play(rules, state, Move(name(rules, company), hexes(rules, row[1])))
    assert state.at[company] == row[1]
    assert key(rules, state, Detach(name(rules, unit), 1)) == ""
    play(rules, state, Move(name(rules, unit), hexes(rules, row[1])))
    assert key(rules, state, Detach(name(rules, unit), 1)) == "detaches_fewer"


def test_a_unit_leaves_the_map_by_road_if_it_can_pay() -> None:
    """21.9."""
    rules, state, unit, _ = alone()
    edge = next(bits(rules.ground.exits))
    leave = Exit(name(rules, unit))
    assert key(rules, state, leave) == "no_way_out"
    put(rules, state, unit, edge)
    assert leave in listed(rules, state)
    state.leftovers = ((unit, 0),)
    state.moving, state.mover = 1 << unit, unit
    assert key(rules, state, leave) == "no_way_out"
    state.leftovers = ((unit, POINT),)
    events = play(rules, state, leave)
    assert kinds(events) == ["left_map"]
    assert state.at[unit] == EXITED
    assert state.moving == 0
    ask_again(rules, state)
    assert listed(rules, state) == [Done()]


# Stacking at the end


def crowd(number: int) -> tuple[Caporetto, State, list[int], list[int]]:
    """Italian battalions of as many regiments, two of them in one hex of open ground and the others beside it."""
    rules, state = table()
    found: dict[int, int] = {}
    for unit in battalions(rules, ITALIAN, 40):
        found.setdefault(rules.regiment[unit], unit)
    units = list(found.values())[:number]
    row = plain(rules)
    for unit, h in zip(units, [row[1], row[1], *[row[0]] * number], strict=False):
        put(rules, state, unit, h)
    return rules, state, units, row


def test_a_move_does_not_end_in_a_hex_that_is_too_full_but_goes_through() -> None:
    """11.1, 11.2."""
    rules, state, units, row = crowd(3)
    acting(rules, state, units[2])
    one = name(rules, units[2])
    refusal = why(rules, state, Move(one, hexes(rules, row[1])))
    assert refusal is not None
    assert (refusal.rule, refusal.key) == ("11.1", "too_full")
    assert key(rules, state, Move(one, hexes(rules, row[1], row[2]))) == ""
    put(rules, state, units[1], row[3])
    assert key(rules, state, Move(one, hexes(rules, row[1]))) == ""


def test_where_somebody_may_still_leave_one_may_come_and_the_step_waits_for_him() -> None:
    """11.2: the limit holds at the end of the step."""
    rules, state, units, row = crowd(3)
    acting(rules, state, *units)
    state.active = rules.force[units[0]]
    play(rules, state, Move(name(rules, units[2]), hexes(rules, row[1])))
    refusal = why(rules, state, Done())
    assert refusal is not None
    assert (refusal.rule, refusal.key) == ("11.2", "still_too_full")
    assert Done() not in listed(rules, state)
    play(rules, state, Move(name(rules, units[0]), hexes(rules, row[2])))
    assert key(rules, state, Done()) == ""


def test_whoever_fire_has_stopped_in_a_full_hex_costs_each_a_point() -> None:
    """11.6: there was no alternative."""
    rules, state, units, row = crowd(3)
    acting(rules, state, units[2])
    put(rules, state, units[2], row[1])
    state.leftovers, state.moved, state.activated = ((units[2], 4),), 1 << units[2], 1 << units[2]
    play(rules, state, Done())
    assert [state.dp[unit] for unit in units] == [1, 1, 1]


def test_when_the_step_is_over_nothing_of_the_moves_is_left() -> None:
    """10.0.1."""
    rules, state, unit, row = alone()
    play(rules, state, Move(name(rules, unit), hexes(rules, row[1])))
    play(rules, state, Done())
    assert (state.leftovers, state.moving, state.left, state.steps) == ((), 0, 0, 0)
    assert state.moved >> unit & 1


# Formations change places


def swapping() -> tuple[Caporetto, State, int, int, list[int]]:
    """An Italian unit in front of an enemy, one of another formation behind it."""
    rules, state = table()
    front = battalions(rules, ITALIAN)[0]
    rear = next(u for u in battalions(rules, ITALIAN, 40) if rules.formation_of[u] != rules.formation_of[front])
    (enemy,) = battalions(rules, AHG)
    row = plain(rules)
    put(rules, state, enemy, row[5])
    put(rules, state, front, row[4])
    put(rules, state, rear, row[2])
    acting(rules, state, front, rear, kind="swap")
    state.formations = (rules.formation_of[front], rules.formation_of[rear])
    return rules, state, front, rear, row


def test_those_behind_go_only_to_those_in_front() -> None:
    """7.11: and nobody fights."""
    rules, state, front, rear, row = swapping()
    assert key(rules, state, Move(name(rules, rear), hexes(rules, row[3]))) == "not_to_the_front"
    assert key(rules, state, Move(name(rules, rear), hexes(rules, row[3], row[4]))) == ""
    assert key(rules, state, Assault(name(rules, front), rules.hex_id(row[5]))) == "swap_only_moves"
    assert {
        one.path[-1] for one in listed(rules, state) if isinstance(one, Move) and one.unit == name(rules, rear)
    } == {rules.hex_id(row[4])}
    play(rules, state, Move(name(rules, rear), hexes(rules, row[3], row[4])))
    assert state.at[rear] == row[4]


def test_those_in_front_go_back_and_then_nobody_comes_from_behind() -> None:
    """7.11: farther from the nearest enemy, if they can."""
    rules, state, front, rear, row = swapping()
    side = nearest_enemy(rules, state, ITALIAN, row[4])
    assert side == 1
    level = next(bits(rules.grid.ring[row[4]] & rules.grid.ring[row[5]]))
    assert key(rules, state, Move(name(rules, front), hexes(rules, level))) == "not_farther"
    play(rules, state, Move(name(rules, front), hexes(rules, row[3])))
    assert key(rules, state, Move(name(rules, rear), hexes(rules, row[3]))) == "front_has_moved"


def test_too_many_are_together_only_until_the_exchange_is_over() -> None:
    """7.11, 11.2."""
    rules, state, front, rear, row = swapping()
    second = next(
        u
        for u in battalions(rules, ITALIAN, 40)
        if rules.formation_of[u] == rules.formation_of[front] and rules.regiment[u] != rules.regiment[front]
    )
    put(rules, state, second, row[4])
    state.commanded |= 1 << second
    play(rules, state, Move(name(rules, rear), hexes(rules, row[3], row[4])))
    refusal = why(rules, state, Done())
    assert refusal is not None
    assert (refusal.rule, refusal.key) == ("11.2", "still_too_full")
    play(rules, state, Move(name(rules, front), hexes(rules, row[3])))
    assert key(rules, state, Done()) == ""


# Sectors


def sector_table() -> tuple[Caporetto, State]:
    return table("historical")


def of_the_left(rules: Caporetto) -> int:
    """A battalion of the left wing of the AHG."""
    mine = rules.of_force[rules.scene.forces.index("ahg-left")] & rules.assaulting
    return next(u for u in bits(mine) if rules.quarters[u] == 4 and rules.formation_of[u] >= 0)


def test_no_move_ends_in_a_common_hex_unless_an_assault_begins_there() -> None:
    """24.3.common."""
    rules, state = sector_table()
    common = rules.ground.sector[COMMON]
    unit = of_the_left(rules)
    inside = rules.ground.inside["left"]

    def cheap(one: int, other: int) -> bool:
        return 0 < rules.prices.off_road[rules.foot[unit]][rules.ground.way(one, other)] <= 3 * POINT

    start, h, target = next(
        (a, b, c)
        for b in bits(common)
        for a in rules.grid.adjacent[b]
        for c in rules.grid.adjacent[b]
        if inside >> a & inside >> c & 1 and not common >> a & 1 and c != a and cheap(a, b) and cheap(b, c)
    )
    put(rules, state, unit, start)
    acting(rules, state, unit)
    move = Move(name(rules, unit), hexes(rules, h))
    refusal = why(rules, state, move)
    assert refusal is not None
    assert (refusal.rule, refusal.key) == ("24.3.common", "common_hex")
    (enemy,) = battalions(rules, ITALIAN)
    put(rules, state, enemy, target)
    assert key(rules, state, move) == ""
    play(rules, state, move)
    while state.frames[-1].name != "act":
        flow.roll_on(rules, state, [])
        if state.frames[-1].name == "infiltration":
            play(rules, state, marching.Hold())
    refusal = why(rules, state, Done())
    assert refusal is not None
    assert refusal.rule == "24.3.common"
    play(rules, state, Assault(name(rules, unit), rules.hex_id(target)))
    ask_again(rules, state)
    assert key(rules, state, Done()) == ""


def test_nobody_crosses_the_line() -> None:
    """24.3."""
    rules, state = sector_table()
    ground = rules.ground
    unit = of_the_left(rules)
    here, there = next(
        (a, b)
        for a in bits(ground.sector["left"])
        for way, b in ground.ways_from(a)
        if ground.sector["right"] >> b & 1 and 0 < rules.prices.off_road[rules.foot[unit]][way] <= 6 * POINT
    )
    put(rules, state, unit, here)
    acting(rules, state, unit)
    refusal = why(rules, state, Move(name(rules, unit), hexes(rules, there)))
    assert refusal is not None
    assert (refusal.rule, refusal.key) == ("24.3", "other_sector")


def test_who_was_driven_across_the_line_must_return() -> None:
    """24.3: he goes only nearer to his sector, and the step is not over before he has."""
    rules, state = sector_table()
    ground = rules.ground
    unit = of_the_left(rules)
    home = rules.home(unit)
    border = ground.around(home) & ~home & ground.extent
    h = next(
        h
        for h in bits(border)
        if any(
            home >> there & 1 and 0 < rules.prices.off_road[rules.foot[unit]][way] <= 4 * POINT
            for way, there in ground.ways_from(h)
        )
    )
    put(rules, state, unit, h)
    acting(rules, state, unit)
    refusal = why(rules, state, Done())
    assert refusal is not None
    assert (refusal.rule, refusal.key) == ("24.3", "must_return")
    moves = [one for one in listed(rules, state) if isinstance(one, Move)]
    assert moves
    assert all(home >> rules.grid.index[one.path[-1]] & 1 for one in moves)
    play(rules, state, moves[0])
    assert key(rules, state, Done()) == ""


def test_who_begins_in_a_common_hex_and_frozen_brigades_do_not_move() -> None:
    """24.3.start, 24.9.2: the frozen may assault a neighbour."""
    rules = game("historical")
    state = begin(rules, b"s")
    state.phase, state.turn = "action", 3
    bound = next(
        u for u in range(len(rules.counters)) if state.at[u] >= 0 and rules.ground.sector[COMMON] >> state.at[u] & 1
    )
    acting(rules, state, bound)
    around = [h for h in rules.grid.adjacent[state.at[bound]] if rules.home(bound) >> h & 1]
    assert {key(rules, state, Move(name(rules, bound), hexes(rules, h))) for h in around} == {"bound_to_hex"}
    frozen = next(
        u
        for u in rules.formations[rules.formation_number(rules.scene.frozen[0])].members
        if state.at[u] >= 0 and not rules.ground.sector[COMMON] >> state.at[u] & 1
    )
    acting(rules, state, frozen)
    there = next(h for h in rules.grid.adjacent[state.at[frozen]] if rules.home(frozen) >> h & 1)
    assert key(rules, state, Move(name(rules, frozen), hexes(rules, there))) == "does_not_move"
    (enemy,) = battalions(rules, AHG)
    put(rules, state, enemy, there)
    if assault.price(rules, state, frozen, there, False) > 0:
        assert key(rules, state, Assault(name(rules, frozen), rules.hex_id(there))) == ""
    put(rules, state, enemy, -1)
    state.turn = 5
    assert key(rules, state, Move(name(rules, frozen), hexes(rules, there))) == ""


def test_in_turn_1_italians_stop_behind_a_bridge_of_the_isonzo() -> None:
    """24.10."""
    rules, state = sector_table()
    ground = rules.ground
    bridge = next(
        b
        for n, b in enumerate(ground.bridges)
        if b.isonzo and not b.foot and state.standing >> n & 1 and ground.extent >> b.a & ground.extent >> b.b & 1
    )
    unit = next(u for u in battalions(rules, ITALIAN, 90) if rules.home(u) >> bridge.a & rules.home(u) >> bridge.b & 1)
    beyond = next(h for h in rules.grid.adjacent[bridge.b] if h != bridge.a and not rules.grid.ring[bridge.a] >> h & 1)
    put(rules, state, unit, bridge.a)
    acting(rules, state, unit)
    over = Move(name(rules, unit), hexes(rules, bridge.b, beyond))
    for turn, expected in ((1, "stops_there"), (2, "")):
        state.turn = turn
        assert key(rules, state, over) in (expected, "no_way" if turn == 2 else expected)
    state.turn = 1
    play(rules, state, Move(name(rules, unit), hexes(rules, bridge.b)))
    assert state.moving == 0


# For the rooms


def test_a_way_through_hexes_is_found_for_who_plans() -> None:
    """10."""
    rules, state, unit, row = alone()
    found = rules.path_through(state, name(rules, unit), [rules.hex_id(row[3])])
    assert isinstance(found, Way)
    assert found.path[-1] == rules.hex_id(row[3])
    aside = next(h for h in rules.grid.adjacent[row[1]] if h not in row and not rules.grid.ring[row[0]] >> h & 1)
    through = rules.path_through(state, name(rules, unit), [rules.hex_id(aside), rules.hex_id(row[2])])
    assert isinstance(through, Way)
    assert rules.hex_id(aside) in through.path
    assert through.path[-1] == rules.hex_id(row[2])
    play(rules, state, Move(name(rules, unit), through.path))
    assert left_of(rules, state, (unit,)) == through.left
    assert isinstance(rules.path_through(state, "nobody", ["1001"]), Refusal)
    assert isinstance(rules.path_through(state, name(rules, unit), ["9999"]), Refusal)
    far = next(h for h in bits(rules.ground.extent) if rules.grid.distance(h, row[0]) > 20)
    assert isinstance(rules.path_through(state, name(rules, unit), [rules.hex_id(far)]), Refusal)


@pytest.mark.parametrize("scenario", ["historical", "what_if", "cividale", "maggiore"])
def test_what_is_drawn_at_random_is_legal(scenario: str) -> None:
    """4.0-7.A: every formation, from where it begins."""
    rules, rng = game(scenario), Random(7)
    state = begin(rules, b"s")
    state.phase = "action"
    for formation in rules.formations[::3]:
        units = [unit for unit in formation.members if state.at[unit] >= 0]
        if not units:
            continue
        twin = state.copy()
        acting(rules, twin, *units)
        for _ in range(12):
            frame = twin.frames[-1]
            if frame.name not in ("act", "infiltration", "share_losses"):
                break
            action = rules.choices[frame.name].sample(rules, twin, frame, rng)
            assert why(rules, twin, action) is None, action
            if isinstance(action, Storm | Done):
                break
            out: list[Event] = []
            flow.act(rules, twin, action, out)
            flow.roll_on(rules, twin, out)


def test_offers_are_small_and_moves_are_found_quickly() -> None:
    """60 kB, and 20 ms of work for all moves of the formation with most of them."""
    rules = game("what_if")
    state = begin(rules, b"s")
    state.phase = "action"
    formation = rules.formations[rules.formation_number("it-vicenza")]
    acting(rules, state, *[unit for unit in formation.members if state.at[unit] >= 0])
    frame, choice = state.frames[-1], rules.choices["act"]
    assert len(msgspec.json.encode(choice.offer(rules, state, frame))) < 60_000
    spent = repeat(lambda: list(choice.legal(rules, state, frame)), number=1, repeat=5, timer=process_time)
    assert min(spent) < 0.020
    assert run(rules, state) == []


@pytest.mark.parametrize("scenario", ["what_if", "historical"])
def test_a_move_that_nobody_interrupts_leads_where_it_was_offered(scenario: str) -> None:
    """10: with the points left that were told."""
    rules, rng = game(scenario), Random(11)
    state = begin(rules, b"s")
    state.phase, state.turn = "action", 3
    tried = 0
    for formation in rules.formations[::4]:
        units = [unit for unit in formation.members if state.at[unit] >= 0]
        if not units:
            continue
        acting(rules, state, *units)
        offer = rules.choices["act"].offer(rules, state, state.frames[-1])
        told = [(one, h) for one, found in offer["units"].items() for h in found["reach"]]
        for one, h in rng.sample(told, min(4, len(told))):
            twin = state.copy()
            found = offer["units"][one]["reach"][h]
            play(rules, twin, Move(one, tuple(found["path"])))
            if twin.frames[-1].name == "act":
                tried += 1
                assert rules.hex_id(twin.at[rules.number[one]]) == h
                assert left_of(rules, twin, (rules.number[one],)) == found["left"]
    assert tried > 10


def test_a_step_in_which_nobody_can_do_anything_is_not_asked_about() -> None:
    """4.0-7.A: a formation whose one unit may not move and has no enemy beside it."""
    for frozen in (True, False):
        rules, state = sector_table()
        state.turn = 3
        formation = rules.formation_number(rules.scene.frozen[0])
        unit = next(u for u in rules.formations[formation].members if rules.quarters[u] == 4)
        put(rules, state, unit, next(h for h in plain(rules) if rules.home(unit) >> h & 1))
        acting(rules, state, unit)
        state.assaulted = 0 if frozen else 1 << formation
        begin_step(rules, state, [])
        assert state.step == "move"
        assert (state.frames[-1].name == "bombard_step") == frozen


def test_who_must_go_on_in_a_common_hex_keeps_others_from_making_room() -> None:
    """24.3.common before 11.2: nobody else is drawn while a unit has still to assault out of a common hex."""
    edge = {"2201": {"control": "ahg"}, "2701": {"control": "ahg"}, "2403": {"terrain": "woods"}}
    case = Case(
        name="",
        scenario="historical",
        board={"span": "2201-2705", "sectors": {"common": "2401-2405", "right": "2501-2705"}, "hex": edge},
        units={name: {"at": at} for name, at in (("ah-a", "2303"), ("ah-b", "2201"), ("it-x", "2304"))}
        | {name: {"at": "2202"} for name in ("ah-c", "ah-d")},
        start={"step": "move", "formations": ["ah-alfa"], "sector": "left"},
    )
    match = begin_case(CaseFile("24.3.common", "caporetto", (case,)), case)
    match.play("move ah-b 2202", "left")
    match.play("move ah-a 2403", "left")
    frame, rng = match.state.frames[-1], Random(3)
    choice = match.rules.choices[frame.name]
    drawn = [choice.sample(match.rules, match.state, frame, rng) for _ in range(120)]
    assert {why(match.rules, match.state, action) for action in drawn} == {None}
    assert {getattr(action, "unit", "") for action in drawn} == {"ah-a"}
