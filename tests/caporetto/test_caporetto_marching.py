"""10.0.e1: marches hex by hex, what entering does, infiltration fire on the way, and forced marches."""

from __future__ import annotations

import pytest
from caporetto_marches import acting, kinds, play, run, table, throw, why
from caporetto_positions import battalion, plain

from fronte.engine.decision import AUTO, CHANCE, Frame
from fronte.engine.event import Event
from fronte.engine.standing import Policy
from fronte.games.caporetto import marching, sectors, sightings, volleys
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.marching import Hold, Shoot, left_of, set_out, tire
from fronte.games.caporetto.movement import Manner, watchers
from fronte.games.caporetto.printed import SURRENDERED
from fronte.games.caporetto.state import NOBODY, State, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits

POINT = 4


def foot(rules: Caporetto, side: int, number: int = 1, *, infiltration: bool = False) -> list[int]:
    """Battalions on foot of a side."""
    column = rules.tables.feet.index("foot")
    found = [
        u
        for u in bits(rules.combat & rules.of_side[side])
        if rules.foot[u] == column and rules.quarters[u] == 4 and bool(rules.infiltration >> u & 1) == infiltration
    ]
    return found[:number]


def go(rules: Caporetto, state: State, units: list[int], path: list[int], manner: Manner | None = None) -> list[Event]:
    out: list[Event] = []
    set_out(rules, state, units, path, manner or Manner(), out)
    return [*out, *run(rules, state)]


def row_of(rules: Caporetto) -> list[int]:
    return plain(rules)


def beside(rules: Caporetto, one: int, other: int) -> int:
    """A hex next to both."""
    return next(bits(rules.grid.ring[one] & rules.grid.ring[other]))


def fires(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What would be fired, instead of the dice."""
    found: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        volleys, "infiltration", lambda r, s, *args: found.append(("infiltration", *args)), raising=False
    )
    monkeypatch.setattr(volleys, "barrage", lambda r, s, *args: found.append(("barrage", *args)), raising=False)
    return found


# Points


def test_a_march_pays_hex_by_hex_and_stays_open() -> None:
    """10.0, 10.0.6."""
    rules, state = table()
    (unit,) = foot(rules, ITALIAN)
    row = row_of(rules)
    put(rules, state, unit, row[0])
    acting(rules, state, unit)
    before = left_of(rules, state, [unit])
    events = go(rules, state, [unit], row[1:3])
    assert kinds(events) == ["moved", "moved"]
    assert state.at[unit] == row[2]
    assert state.moved >> unit & 1
    assert state.mover == unit
    assert state.moving == 1 << unit
    spent = before - left_of(rules, state, [unit])
    assert spent >= 2 * POINT
    assert state.left == before - spent
    go(rules, state, [unit], row[3:4])
    assert state.at[unit] == row[3]
    assert state.steps == 3


def test_another_move_closes_the_first_and_leaves_it_its_points() -> None:
    """10.0.6, 4.0-7.A."""
    rules, state = table()
    one, other = foot(rules, ITALIAN, 2)
    row = row_of(rules)
    put(rules, state, one, row[0])
    put(rules, state, other, row[3])
    acting(rules, state, one, other)
    go(rules, state, [one], row[1:2])
    kept = left_of(rules, state, [one])
    go(rules, state, [other], row[4:5])
    assert state.moving == 1 << other
    assert left_of(rules, state, [one]) == kept == dict(state.leftovers)[one]
    assert not marching.is_open(state, [one])
    marching.forget(state)
    assert state.leftovers == ()
    assert state.mover == NOBODY


def test_of_a_stack_some_go_on_and_nobody_is_picked_up() -> None:
    """10.0, ruling: units may be dropped, not picked up."""
    rules, state = table()
    one, other = foot(rules, ITALIAN, 2)
    row = row_of(rules)
    for unit in (one, other):
        put(rules, state, unit, row[0])
    acting(rules, state, one, other)
    go(rules, state, [one, other], row[1:2])
    assert state.at[one] == state.at[other] == row[1]
    assert marching.is_open(state, [other])
    go(rules, state, [one], row[2:3])
    assert (state.at[one], state.at[other]) == (row[2], row[1])
    assert marching.is_open(state, [one])
    assert not marching.is_open(state, [other])
    assert dict(state.leftovers)[other] > dict(state.leftovers)[one]


def test_a_march_that_cannot_be_paid_ends_where_it_is() -> None:
    """10.0.3: no minimum move."""
    rules, state = table()
    (unit,) = foot(rules, ITALIAN)
    row = row_of(rules)
    put(rules, state, unit, row[0])
    acting(rules, state, unit)
    state.leftovers = ((unit, 0),)
    assert go(rules, state, [unit], row[1:2]) == []
    assert state.at[unit] == row[0]
    assert not state.moved >> unit & 1


def test_a_forced_march_gives_half_as_much_again_and_its_point_comes_later() -> None:
    """10.4."""
    rules, state = table()
    (unit,) = foot(rules, ITALIAN)
    row = row_of(rules)
    put(rules, state, unit, row[0])
    acting(rules, state, unit)
    assert left_of(rules, state, [unit]) == 6 * POINT
    events = go(rules, state, [unit], row[1:2], Manner(forced=True))
    assert kinds(events)[0] == "forced_march"
    assert state.marched >> unit & 1
    assert state.dp[unit] == 0
    assert dict(state.leftovers)[unit] + 3 * POINT == left_of(rules, state, [unit])
    out: list[Event] = []
    tire(rules, state, out)
    assert state.dp[unit] == 1
    tire(rules, state, out)
    assert state.dp[unit] == 1


def test_who_reaches_his_morale_on_a_forced_march_surrenders_next_to_the_enemy() -> None:
    """10.4, 15.4: hit on the way, one below his morale, and then the point of the march."""
    for near in (True, False):
        rules, state = table()
        (unit,), (enemy,) = foot(rules, ITALIAN), foot(rules, AHG)
        row = row_of(rules)
        put(rules, state, unit, row[0])
        put(rules, state, enemy, row[1] if near else row[4])
        acting(rules, state, unit)
        out: list[Event] = []
        marching.force(rules, state, [unit], out)
        state.dp[unit] = rules.morale[unit] - 1
        tire(rules, state, out)
        assert (state.at[unit] < 0) == near
        assert near or state.dp[unit] == rules.morale[unit] - 1


def test_who_is_too_worn_or_has_climbed_does_not_march_by_force() -> None:
    """10.4.e1, 10.0.9."""
    rules, state = table()
    (unit,) = foot(rules, ITALIAN)
    put(rules, state, unit, row_of(rules)[0])
    assert marching.why_not_forced(rules, state, unit) is None
    state.dp[unit] = rules.morale[unit] - 1
    refusal = marching.why_not_forced(rules, state, unit)
    assert refusal is not None
    assert refusal.key == "too_worn_to_march"
    state.dp[unit] = 0
    state.climbed |= 1 << unit
    refusal = marching.why_not_forced(rules, state, unit)
    assert refusal is not None
    assert refusal.rule == "10.0.9"
    state.climbed = 0
    marching.force(rules, state, [unit], [])
    refusal = marching.why_not_forced(rules, state, unit)
    assert refusal is not None
    assert refusal.key == "marches_already"


def cliff(rules: Caporetto) -> tuple[int, int]:
    """A cliff without a road, in clear weather and far from water."""
    ground = rules.ground
    for h in bits(ground.extent):
        for way, there in ground.ways_from(h):
            if ground.cliff[way] and not ground.route[way] and ground.extent >> there & 1 and not ground.water[way]:
                return h, there
    raise AssertionError("there is no cliff")


def test_a_cliff_takes_all_that_one_has_and_only_at_first() -> None:
    """10.0.9: also what a forced march would have added."""
    rules, state = table()
    unit = next(u for u in bits(rules.mountain & rules.of_side[AHG] & ~rules.flamethrowers) if rules.quarters[u] == 4)
    here, there = cliff(rules)
    put(rules, state, unit, here)
    acting(rules, state, unit)
    go(rules, state, [unit], [there])
    assert state.at[unit] == there
    assert left_of(rules, state, [unit]) == 0
    assert state.climbed >> unit & 1
    rules, state = table()
    put(rules, state, unit, here)
    acting(rules, state, unit)
    go(rules, state, [unit], [there], Manner(forced=True))
    assert state.at[unit] == there
    assert left_of(rules, state, [unit]) == 0
    rules, state = table()
    put(rules, state, unit, here)
    acting(rules, state, unit)
    state.leftovers = ((unit, rules.points[unit] - 1),)
    go(rules, state, [unit], [there])
    assert state.at[unit] == here


# Zones


def test_who_enters_an_enemy_zone_stops_and_keeps_what_is_left() -> None:
    """10.1.1, 21.5.1."""
    for capable in (False, True):
        rules, state = table()
        (unit,), (enemy,) = foot(rules, AHG, infiltration=capable), foot(rules, ITALIAN)
        row = row_of(rules)
        put(rules, state, unit, row[0])
        put(rules, state, enemy, beside(rules, row[2], row[1]))
        acting(rules, state, unit)
        go(rules, state, [unit], row[1:4])
        stopped = state.at[unit] == row[1]
        assert stopped != capable
        if stopped:
            assert state.moving == 0
            assert left_of(rules, state, [unit]) > 0
            assert not marching.is_open(state, [unit])


# What entering does


def test_entering_a_hex_of_guns_takes_them_and_the_hex() -> None:
    """18.3, 23.1: and work is laid down (17.3)."""
    rules, state = table()
    (unit,) = foot(rules, AHG)
    gun = next(u for u in bits(rules.guns) if rules.side[u] == ITALIAN)
    row = row_of(rules)
    put(rules, state, unit, row[0])
    put(rules, state, gun, row[1])
    state.works, state.working = ((unit, row[0], row[0]),), 1 << unit
    state.control = [0, 1 << row[1]]
    acting(rules, state, unit)
    go(rules, state, [unit], row[1:2])
    assert state.at[gun] == SURRENDERED
    assert state.control[rules.force[unit]] >> row[1] & 1
    assert not state.working >> unit & 1


def test_an_advance_takes_the_hex_but_no_guns_and_lowers_no_trench() -> None:
    """10.0.6, 17.6: only those who move."""
    for moves in (True, False):
        rules, state = table()
        (unit,) = foot(rules, AHG)
        gun = next(u for u in bits(rules.guns) if rules.side[u] == ITALIAN)
        trench = next(h for h in bits(rules.ground.trench[ITALIAN]) if rules.ground.trench_level[h] == 2)
        put(rules, state, gun, trench)
        put(rules, state, unit, trench)
        state.frames = [Frame("act", 0)]
        marching.arrive(rules, state, [unit], trench, [], moves=moves)
        assert (state.at[gun] < 0) == moves
        assert bool(state.lowered >> trench & 1) == moves
        assert state.control[rules.force[unit]] >> trench & 1


def test_guns_do_not_take_a_hex() -> None:
    """23.1."""
    rules, state = table()
    gun = next(u for u in bits(rules.guns & ~rules.groups) if rules.side[u] == AHG)
    h = row_of(rules)[0]
    put(rules, state, gun, h)
    state.control = [0, 1 << h]
    marching.arrive(rules, state, [gun], h, [], moves=True)
    assert not state.control[rules.force[gun]] >> h & 1


def charged_bridge(rules: Caporetto) -> int:
    """A charged bridge between two hexes in play."""
    inside = rules.ground.extent
    return next(n for n, b in enumerate(rules.ground.bridges) if b.charged and inside >> b.a & 1 and inside >> b.b & 1)


def test_the_first_unit_of_the_ahg_at_a_charged_bridge_throws_for_it_before_it_goes_on() -> None:
    """19.2.1: on a 3 it is blown and the way over it closed; on a 4 it stands, and nobody throws again."""
    for die, blown in ((3, True), (4, False)):
        rules, state = table()
        number = charged_bridge(rules)
        bridge = rules.ground.bridges[number]
        (unit,) = foot(rules, AHG)
        put(rules, state, unit, bridge.a)
        acting(rules, state, unit)
        out: list[Event] = []
        state.moving, state.mover = 1 << unit, unit
        state.frames.append(Frame("march", AUTO, ((unit,), (bridge.b,), 0)))
        marching.arrive(rules, state, [unit], bridge.a, out, moves=True)
        assert state.frames[-1] == Frame("approach_die", CHANCE, (number,))
        throw(rules, state, out, die)
        assert bool(state.standing >> number & 1) != blown
        assert state.tested >> number & 1
        assert (state.at[unit] == bridge.a) == blown
        marching.arrive(rules, state, [unit], bridge.a, out, moves=True)
        assert [frame.name for frame in state.frames if frame.name == "approach_die"] == []


def test_italians_throw_for_no_bridge_and_an_advance_does_not() -> None:
    """19.2.1, 10.0.6."""
    rules, state = table()
    bridge = next(b for b in rules.ground.bridges if b.charged)
    for side, moves in ((ITALIAN, True), (AHG, False)):
        unit = battalion(rules, side)
        put(rules, state, unit, bridge.a)
        marching.arrive(rules, state, [unit], bridge.a, [], moves=moves)
        assert state.frames == []
        put(rules, state, unit, -1)


def test_a_barrage_falls_on_who_enters_before_anybody_fires_at_him(monkeypatch: pytest.MonkeyPatch) -> None:
    """10.0.e1, 12.1.6."""
    rules, state = table()
    found = fires(monkeypatch)
    (unit,), (enemy,) = foot(rules, AHG, infiltration=True), foot(rules, ITALIAN)
    row = row_of(rules)
    put(rules, state, unit, row[0])
    put(rules, state, enemy, beside(rules, row[0], row[1]))
    acting(rules, state, unit)
    state.barrages = ((row[1], 32),)
    go(rules, state, [unit], row[1:2])
    assert found == [("barrage", row[1], [unit])]
    assert state.frames[-1].name == "infiltration"


# Infiltration fire


def passing_by(
    *, number: int = 1, scenario: str = "what_if"
) -> tuple[Caporetto, State, list[int], list[int], list[int]]:
    """Units that have gone past enemies who are next to both hexes, with a third hex before them."""
    rules, state = table(scenario)
    units, enemies = foot(rules, AHG, number, infiltration=True), foot(rules, ITALIAN, 2)
    row = row_of(rules)
    for unit in units:
        put(rules, state, unit, row[0])
    for enemy in enemies:
        put(rules, state, enemy, beside(rules, row[0], row[1]))
    acting(rules, state, *units)
    go(rules, state, units, row[1:3])
    return rules, state, units, enemies, row


def test_those_who_see_both_hexes_are_asked_once_for_all_of_them() -> None:
    """10.1.2, 10.1.2.e3."""
    rules, state, units, enemies, row = passing_by()
    frame = state.frames[-1]
    assert (frame.name, frame.seat) == ("infiltration", rules.scene.seat_of[rules.force[enemies[0]]])
    assert state.at[units[0]] == row[1]
    assert frame.args == (tuple(units), row[0], row[1], frame.args[3], 0)
    choice = rules.choices["infiltration"]
    names = rules.unit_ids(enemies)
    assert list(choice.legal(rules, state, frame)) == [Hold(), Shoot(names[:1]), Shoot(names[1:]), Shoot(names)]
    assert choice.offer(rules, state, frame)["pieces"] == list(names)
    assert all(why(rules, state, action) is None for action in choice.legal(rules, state, frame))
    for action, key in (
        (Shoot(()), "nobody_named"),
        (Shoot(("nobody",)), "no_unit"),
        (Shoot((names[0], names[0])), "named_twice"),
        (Shoot(rules.unit_ids(units)), "does_not_see_them"),
    ):
        refusal = why(rules, state, action)
        assert refusal is not None
        assert refusal.key == key


def test_whoever_is_let_pass_goes_on() -> None:
    """10.1.2.e3."""
    rules, state, units, _, row = passing_by()
    moving, answer = rules.windows["infiltration"](rules, state, state.frames[-1])
    assert (moving, answer) == (tuple(units), Hold())
    play(rules, state, Hold())
    assert state.at[units[0]] == row[2]
    assert state.frames[-1].name == "act"


def test_those_named_fire_at_all_who_made_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """10.1.2, 10.1.2.e2."""
    found = fires(monkeypatch)
    rules, state, units, enemies, row = passing_by(number=2)
    by_road = bool(state.frames[-1].args[3])
    play(rules, state, Shoot(rules.unit_ids(enemies[:1])))
    assert found == [("infiltration", units, row[0], row[1], enemies[:1], by_road)]


def test_who_is_suppressed_on_the_way_stops_and_his_company_goes_on() -> None:
    """10.1.2, 12.2.10.S: S makes him Out of Command and Activated; a barrage does not stop (12.1.5.S)."""
    for marks, stops in (("activated", True), ("ooc", False)):
        rules, state, units, _, row = passing_by(number=2)
        setattr(state, marks, getattr(state, marks) | 1 << units[0])
        play(rules, state, Hold())
        assert (state.at[units[0]] == row[1]) == stops
        assert state.at[units[1]] == row[2]


def test_nobody_is_asked_who_is_next_to_one_hex_only_or_blind() -> None:
    """10.1.2, 8.1: from a hex next to the same enemy to another; not in fog."""
    rules, state = table()
    (unit,), (enemy,) = foot(rules, AHG, infiltration=True), foot(rules, ITALIAN)
    row = row_of(rules)
    put(rules, state, unit, row[0])
    far = next(h for h in rules.grid.adjacent[row[1]] if not rules.grid.ring[row[0]] >> h & 1 and h not in row)
    put(rules, state, enemy, far)
    acting(rules, state, unit)
    go(rules, state, [unit], row[1:2])
    assert state.frames[-1].name == "act"
    assert state.at[unit] == row[1]


def test_fire_that_can_do_nothing_is_not_asked_about() -> None:
    """12.2.1: machine guns of 0 against a unit without anything against it."""
    rules, state = table()
    (unit,) = foot(rules, AHG, infiltration=True)
    weak = next(
        (u for u in bits(rules.combat & rules.of_side[ITALIAN] & ~rules.flamethrowers) if not rules.mg[u][0]), -1
    )
    assert weak >= 0
    row = row_of(rules)
    put(rules, state, unit, row[0])
    put(rules, state, weak, beside(rules, row[0], row[1]))
    acting(rules, state, unit)
    assert watchers(rules, state, [unit], row[0], row[1]) == [weak]
    set_out(rules, state, [unit], row[1:2], Manner(by_road=False), [])
    run(rules, state)
    assert state.frames[-1].name == "act"


def test_at_the_line_between_the_sectors_all_must_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    """24.3.inf, 10.1.2.e3: without being asked; elsewhere they may."""
    asked = {}
    for at_line in (True, False):
        rules, state = table("historical")
        found = fires(monkeypatch)
        step = _step_past(rules, at_line)
        unit = next(
            u
            for u in foot(rules, AHG, 60, infiltration=True)
            if rules.home(u) >> step[0] & rules.home(u) >> step[1] & 1
        )
        (enemy,) = foot(rules, ITALIAN)
        put(rules, state, unit, step[0])
        put(rules, state, enemy, step[2])
        acting(rules, state, unit)
        go(rules, state, [unit], [step[1]])
        asked[at_line] = state.frames[-1].name == "infiltration"
        assert bool(found) == at_line
    assert asked == {True: False, False: True}


def _step_past(rules: Caporetto, at_line: bool) -> tuple[int, int, int]:
    """A step in the left sector, at the line or not, on ground without trenches, and a hex next to both ends."""
    ground, side = rules.ground, rules.ground.inside["left"]
    plain_ground = side & ~(ground.trench[0] | ground.trench[1] | ground.woods | ground.towns | ground.villages)
    for here in bits(plain_ground):
        for there in bits(rules.grid.ring[here] & plain_ground):
            way = ground.way(here, there)
            if sectors.is_at_line(rules, there) != at_line or ground.water[way] or ground.cliff[way]:
                continue
            if ground.sector["common"] >> there & 1:
                continue
            for near in bits(rules.grid.ring[here] & rules.grid.ring[there] & ground.inside["left"]):
                ways = (ground.way(near, here), ground.way(near, there))
                if not any(ground.cliff[one] or ground.water[one] for one in ways):
                    return here, there, near
    raise AssertionError("there is no such step")


def test_at_a_retreat_nobody_fires_who_takes_part_in_an_assault() -> None:
    """12.3.2.e1, 12.3.5.4."""
    rules, state = table()
    (unit,), enemies = foot(rules, ITALIAN), foot(rules, AHG, 2)
    row = row_of(rules)
    put(rules, state, unit, row[1])
    for enemy in enemies:
        put(rules, state, enemy, beside(rules, row[0], row[1]))
    state.assaults = ((enemies[0], row[0], 0),)
    state.active = rules.force[enemies[0]]
    state.frames = [Frame("act", 0)]
    marching.watch(rules, state, [unit], row[0], row[1], retreat=True)
    run(rules, state)
    frame = state.frames[-1]
    assert (frame.name, frame.seat) == ("infiltration", rules.scene.seat_of[rules.force[enemies[0]]])
    assert marching.firers(rules, state, frame) == enemies[1:]


def test_whoever_is_gone_is_not_fired_at() -> None:
    """10.0.e1: the barrage before has eliminated him."""
    rules, state, units, _, _ = passing_by()
    frame = state.frames.pop()
    put(rules, state, units[0], -1)
    assert marching.firers(rules, state, frame) == []
    state.frames.append(Frame("passing", AUTO, frame.args))
    run(rules, state)
    assert state.frames[-1].name == "act"


def test_fire_at_a_march_is_resolved_before_it_goes_on() -> None:
    """10.1.2, 12.2.10: a six of many machine guns disorganises and suppresses: the unit stops where it was hit."""
    rules, state, units, enemies, row = passing_by()
    before = state.dp[units[0]]
    out = play(rules, state, Shoot(rules.unit_ids(enemies)), 6)
    assert state.dp[units[0]] > before
    told = next(event for event in out if event.kind == "fired")
    assert told.data["fire"] == "infiltration"
    stopped = bool(told.data["suppressed"])
    assert (state.at[units[0]] == row[1]) == stopped
    assert state.frames[-1].name == "act"


def test_a_standing_order_answers_for_those_who_watch() -> None:
    """10.1.2.e3."""
    rules, state, _, enemies, _ = passing_by()
    orders, frame = rules.standing["infiltration"], state.frames[-1]
    fire, hold = orders["fire"], orders["hold"]
    assert isinstance(fire, Policy) and isinstance(hold, Policy)
    assert fire.answer(rules, state, frame, {"at": ""}) == Shoot(rules.unit_ids(enemies))
    assert hold.answer(rules, state, frame, {"at": ""}) == Hold()


def test_in_the_fog_of_war_only_those_are_named_whom_the_seat_knows() -> None:
    """22."""
    rules, state = table(fog_of_war="on")
    units, (enemy,) = foot(rules, AHG, 2, infiltration=True), foot(rules, ITALIAN)
    row = row_of(rules)
    for unit in units:
        put(rules, state, unit, row[0])
    put(rules, state, enemy, beside(rules, row[0], row[1]))
    acting(rules, state, *units)
    go(rules, state, units, row[1:2])
    frame = state.frames[-1]
    assert frame.name == "infiltration"
    seen = sightings.known(rules, state, frame.seat)
    named = rules.choices["infiltration"].about(rules, state, frame)["units"]
    assert named == rules.unit_ids(unit for unit in units if seen >> unit & 1)
