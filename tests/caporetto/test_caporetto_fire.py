"""12.1.4 to 12.1.7, 12.2, 10.1.2, 24.13: totals, columns, shifts, results and odds of every fire, and what it does."""

from __future__ import annotations

import pytest
from caporetto_shots import CLEAR, FOG, RAIN, Field, parts

from fronte.engine.event import Event
from fronte.games.caporetto import artillery, fire, movement, observation, trenches
from fronte.games.caporetto.artillery import OBSERVED, SEEN, Shot
from fronte.games.caporetto.fire import Volley
from fronte.games.caporetto.printed import ELIMINATED, SURRENDERED
from fronte.games.caporetto.tables import NOTHING, Outcome
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits


def shifts(volley: Volley) -> dict[str, int]:
    return {fact.key: fact.amount for fact in volley.shifts}


def assault(field: Field, unit: int, target: int, by_road: bool = False) -> None:
    field.state.assaults = (*field.state.assaults, (unit, target, int(by_road)))


def near(field: Field, h: int, step: int = 0) -> int:
    return field.rules.grid.adjacent[h][step]


def trench_hex(field: Field, side: int, level: int) -> int:
    """A trench in open ground that is never in fog or blizzard."""
    rules, ground = field.rules, field.rules.ground
    bare = ~(ground.woods | ground.towns | ground.villages | rules.blind[FOG])
    return next(h for h in bits(ground.trench[side] & bare) if ground.trench_level[h] == level)


def bombarded(field: Field, h: int, *kinds: str, points: int | None = None) -> Volley:
    """Guns next to a hex bombard who is in it; a group with so many points, if they are said."""
    rules, state = field.rules, field.state
    if points is not None:
        group = field.gun("heavy", AHG, near(field, h), group=True)
        return fire.bombardment(rules, state, h, [Shot(group, parts(points))])
    guns = [field.gun(kind, AHG, near(field, h), group=kind in ("heavy", "bombarda")) for kind in kinds]
    return fire.bombardment(rules, state, h, [artillery.all_of(rules, state, gun) for gun in guns])


# 12.1.4: totals and columns


def test_factors_are_added_after_all_halves() -> None:
    """12.1.4.A: 6 of a direct gun, 8 of a heavy group, 4 with a point, and support of 4."""
    field = Field()
    rules, state, h = field.rules, field.state, field.plain()
    field.unit(ITALIAN, h)
    group = field.gun("heavy", AHG, near(field, h), group=True)
    medium, light = field.gun("medium", AHG, near(field, h)), field.gun("light", AHG, near(field, h))
    state.dp[medium] = 1
    shots = [Shot(group, parts(8)), *(artillery.all_of(rules, state, gun) for gun in (medium, light))]
    alone = fire.bombardment(rules, state, h, shots)
    assert alone.total == parts(8 + 1.5 + 2)
    supporter = field.with_mg(AHG, near(field, h, 1), 4)
    both = fire.bombardment(rules, state, h, shots, [supporter])
    assert both.total == parts(8 + 1.5 + 2 + 4)
    assert [(fact.key, fact.rule) for fact in both.factors][-1] == ("support", "12.1.7")


@pytest.mark.parametrize(
    ("factors", "column"), [(0.5, -1), (1, 0), (8, 3), (8.5, 3), (9, 4), (12.5, 4), (13, 5), (36, 8)]
)
def test_the_column_is_never_rounded_up(factors: float, column: int) -> None:
    field = Field()
    h = field.plain()
    field.unit(ITALIAN, h)
    group = field.gun("heavy", AHG, near(field, h), group=True)
    volley = fire.bombardment(field.rules, field.state, h, [Shot(group, parts(factors))])
    assert (volley.column, volley.shift) == (column, 0)


def test_the_net_shift_has_a_limit_to_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    rules, state = field.rules, field.state
    assert rules.tables.fire.most_shift == 3
    h = trench_hex(field, ITALIAN, 2)
    defender, assaulter = field.with_mg(ITALIAN, h, 2), field.with_mg(AHG, near(field, h), 4)
    assault(field, assaulter, h)
    for most, net in ((3, 2), (2, 2), (1, 1)):
        monkeypatch.setattr(rules.tables.fire, "most_shift", most)
        assert bombarded(field, h, "light").shift == -net
        assert fire.defence(rules, state, near(field, h), [defender]).shift == net


def test_a_trench_is_for_its_own_side_and_adds_to_the_ground() -> None:
    field = Field()
    rules, ground, state = field.rules, field.rules.ground, field.state
    h = next(h for h in bits(ground.trench[ITALIAN] & ground.woods) if ground.trench_level[h] == 1)
    unit = field.unit(ITALIAN, h)
    volley = bombarded(field, h, points=20)
    assert (volley.shift, shifts(volley)) == (-2, {"woods": -1, "trench": -1})
    field.put(unit, -1)
    field.unit(AHG, h)
    assert shifts(fire.bombardment(rules, state, h, [], [field.with_mg(ITALIAN, near(field, h), 2)])) == {"woods": -1}


@pytest.mark.parametrize(("place", "amount"), [("towns", -2), ("villages", -1), ("woods", -1)])
def test_cover_of_the_hex(place: str, amount: int) -> None:
    field = Field()
    ground = field.rules.ground
    h = next(field.hexes(lambda h: bool(getattr(ground, place) >> h & 1) and not ground.trench_level[h]))
    field.unit(ITALIAN, h)
    volley = bombarded(field, h, points=20)
    assert volley.shift == amount == sum(shifts(volley).values())


def test_cavalry_draws_fire_and_has_nothing_of_trenches() -> None:
    field = Field()
    rules, h = field.rules, trench_hex(field, ITALIAN, 2)
    field.unit(ITALIAN, h, mask=rules.cavalry)
    assert shifts(bombarded(field, h, points=20)) == {"cavalry": 1}
    field.unit(ITALIAN, h, lambda u: not rules.cavalry >> u & 1)
    assert shifts(bombarded(field, h, points=20)) == {"cavalry": 1, "trench": -2}


def test_guns_in_place_and_other_units_are_hit_apart() -> None:
    field = Field()
    rules, state, h = field.rules, field.state, field.plain()
    unit, placed, moving = field.unit(AHG, h), field.gun("light", AHG, h), field.gun("light", AHG, h)
    group = field.gun("heavy", AHG, h, group=True)
    flamethrower = field.put(next(bits(rules.flamethrowers & rules.of_side[AHG])), h)
    state.emplaced &= ~(1 << moving)
    assert fire.targets_in(rules, state, h, AHG, battery=True) == (placed,)
    assert fire.targets_in(rules, state, h, AHG, battery=False) == (unit, moving)
    assert not {group, flamethrower} & {*fire.targets_in(rules, state, h, AHG, battery=False)}
    for battery in (True, False):
        assert fire.hexes_to_bombard(rules, state, AHG, battery) == 1 << h
        assert not fire.hexes_to_bombard(rules, state, ITALIAN, battery)
    for one in (unit, placed, moving, flamethrower):
        field.put(one, -1)
    assert not fire.hexes_to_bombard(rules, state, AHG, True) | fire.hexes_to_bombard(rules, state, AHG, False)


def test_support_fire_alone_meets_only_the_hexside_trench_it_crosses() -> None:
    field = Field()
    rules, state = field.rules, field.state
    trench = next(t for t in rules.ground.side_trenches if not rules.ground.trench_level[t.hex])
    field.unit(ITALIAN, trench.hex)
    through = field.with_mg(AHG, trench.against, 6)
    beside = field.with_mg(AHG, next(n for n in rules.grid.adjacent[trench.hex] if n != trench.against), 6)

    def trench_shift(*supports: int, shots: tuple[Shot, ...] = ()) -> int:
        return shifts(fire.bombardment(rules, state, trench.hex, shots, supports)).get("trench", 0)

    assert trench_shift(through) == -1
    assert trench_shift(beside) == 0
    assert trench_shift(through, beside) == 0
    group = field.gun("heavy", AHG, near(field, trench.against), group=True)
    assert trench_shift(beside, shots=(Shot(group, parts(4)),)) == -1


def test_support_fire_is_not_halved_by_a_blizzard_but_guns_are() -> None:
    field = Field(FOG)
    rules, state = field.rules, field.state
    h = next(field.hexes(lambda h: bool(rules.ground.high >> h & 1) and not rules.ground.trench_level[h]))
    field.unit(ITALIAN, h)
    group = field.gun("heavy", AHG, near(field, h), group=True)
    supporter = field.with_mg(AHG, near(field, h, 1), 4)
    assert fire.bombardment(rules, state, h, [Shot(group, parts(20))]).total == parts(10)
    assert fire.bombardment(rules, state, h, [Shot(group, parts(20))], [supporter]).total == parts(14)


# 12.1.5: results and odds


def test_a_star_is_one_point_in_half_of_the_cases() -> None:
    field = Field()
    h = field.plain()
    field.unit(ITALIAN, h)
    volley = bombarded(field, h, points=1)
    assert fire.cell(field.rules, volley, 5).again
    assert fire.result(field.rules, volley, 5, 3) == Outcome(dp=1)
    assert fire.result(field.rules, volley, 5, 4) == NOTHING
    assert fire.result(field.rules, volley, 4) == NOTHING


@pytest.mark.parametrize(
    ("points", "dp", "steps", "suppressed", "trench"),
    [
        (0.5, 0, 0, 0, 0),
        (1, 6, 0, 0, 0),
        (4, 18, 0, 6, 0),
        (9, 24, 6, 12, 0),
        (13, 27, 12, 18, 6),
        (24, 39, 18, 24, 12),
        (36, 8, 5, 5, 3),
    ],
)
def test_odds_are_those_of_the_chart(points: float, dp: int, steps: int, suppressed: int, trench: int) -> None:
    """Points and steps are sums over all ways of the dice; with 36 factors no star is left, and one die does."""
    field = Field()
    h = field.plain()
    field.unit(ITALIAN, h)
    group = field.gun("heavy", AHG, near(field, h), group=True)
    found = fire.odds(field.rules, fire.bombardment(field.rules, field.state, h, [Shot(group, parts(points))]))
    assert found.of == (6 if points in (0.5, 36) else 36)
    assert sum(found.points) == sum(found.steps) == found.of
    assert sum(n * ways for n, ways in enumerate(found.points)) == dp
    assert sum(n * ways for n, ways in enumerate(found.steps)) == steps
    assert (found.suppressed, found.trench) == (suppressed, trench)


def test_left_of_the_chart_nothing_and_right_of_it_the_last_column() -> None:
    field = Field()
    h = trench_hex(field, ITALIAN, 2)
    field.unit(ITALIAN, h)
    volley = bombarded(field, h, points=2)
    assert volley.column + volley.shift == -1
    assert all(fire.result(field.rules, volley, die) == NOTHING for die in range(1, 7))
    most = volley._replace(column=9, shift=3)
    assert fire.result(field.rules, most, 6) == fire.result(field.rules, most._replace(shift=0), 6)


@pytest.mark.parametrize(("kind", "broken"), [("light", False), ("medium", True), ("bombarda", True), ("heavy", True)])
def test_a_trench_is_broken_by_medium_guns_and_more(kind: str, broken: bool) -> None:
    field = Field()
    rules, state, h = field.rules, field.state, trench_hex(field, ITALIAN, 2)
    unit = field.unit(ITALIAN, h)
    volley = bombarded(field, h, kind)
    assert fire.odds(rules, volley._replace(column=9, shift=0)).trench == (3 if broken else 0)
    fire.strike(rules, state, volley, Outcome(1, 0, suppressed=True, trench=True), (5,), [])
    assert trenches.level(rules, state, h, ITALIAN) == (1 if broken else 2)
    assert state.ooc >> unit & 1


def test_points_are_for_each_unit_and_steps_for_all_together() -> None:
    field = Field()
    rules, state, h, out = field.rules, field.state, field.plain(), []
    units = field.unit(ITALIAN, h), field.unit(ITALIAN, h)
    idle = field.unit(ITALIAN, near(field, h, 3))
    losses = fire.strike(rules, state, bombarded(field, h, points=30), Outcome(2, 1), (5,), out)
    assert [state.dp[unit] for unit in (*units, idle)] == [2, 2, 0]
    assert losses == (units, 1)
    assert not state.ooc
    assert out[0] == Event(
        "fired",
        ("12.1.4",),
        {
            "fire": "bombardment", "hex": rules.grid.ids[h], "units": rules.unit_ids(units),
            "dice": [5], "points": 2, "steps": 1, "suppressed": False,
            "by": out[0].data["by"], "column": "24-30", "drm": 0,
        },
    )  # fmt: skip
    assert state.attacked == 1 << rules.formation_of[units[0]] | 1 << rules.formation_of[units[1]]


def test_who_is_suppressed_by_bombardment_keeps_its_marker() -> None:
    """12.1.5.S: who was activated before stays so; who acts is Activated when the action is over (13)."""
    field = Field()
    rules, state, h = field.rules, field.state, field.plain()
    idle, acting = field.unit(ITALIAN, h), field.unit(AHG, near(field, h, 3), lambda u: rules.formation_of[u] >= 0)
    earlier = field.unit(AHG, near(field, h, 3), lambda u: rules.formation_of[u] != rules.formation_of[acting])
    state.commanded, state.activated = 1 << acting, 1 << earlier
    assault(field, acting, h)
    for unit in (idle, acting, earlier):
        fire.suppress(rules, state, (unit,), True, [])
    assert state.ooc == 1 << idle | 1 << acting | 1 << earlier
    assert state.activated == 1 << earlier
    assert state.assaults == ((acting, h, 0),)


def test_who_surrenders_by_the_points_takes_no_step() -> None:
    """15.4.1: next to an enemy who could enter; the other unit has to lose the step."""
    field = Field()
    rules, state, h, out = field.rules, field.state, field.plain(), []
    weary, fresh = field.unit(ITALIAN, h), field.unit(ITALIAN, h)
    volley = bombarded(field, h, points=20)
    state.dp[weary] = rules.morale[weary] - 1
    alone = state.copy()
    assert fire.strike(rules, alone, volley, Outcome(1, 1), (5,), []) == ((weary, fresh), 1)
    assert alone.dp[weary] == rules.morale[weary] - 1
    field.unit(AHG, near(field, h, 2), lambda u: bool(rules.home(u) >> h & 1))
    assert fire.strike(rules, state, volley, Outcome(1, 1, suppressed=True), (5,), out) == ((fresh,), 1)
    assert state.at[weary] == SURRENDERED
    assert state.ooc == 1 << fresh
    assert [event.kind for event in out] == ["fired", "disorganised", "disorganised", "surrendered", "suppressed"]


def test_a_step_by_defensive_fire_burns_the_flamethrower_of_a_target() -> None:
    field, assaulter, defender, h = defended()
    rules, state = field.rules, field.state
    flamethrower = field.put(next(bits(rules.flamethrowers & rules.of_side[AHG])), h)
    state.bearers = ((flamethrower, assaulter),)
    volley = fire.defence(rules, state, h, [defender])
    fire.strike(rules, state, volley, Outcome(1), (5,), [])
    assert state.at[flamethrower] == h
    fire.strike(rules, state, volley, Outcome(1, 1), (6,), [])
    assert state.at[flamethrower] == ELIMINATED
    assert state.at[assaulter] == h


def test_engineers_at_work_are_interrupted_by_any_result() -> None:
    field = Field()
    rules, state, h, out = field.rules, field.state, field.plain(), []
    unit = field.unit(ITALIAN, h, mask=rules.engineers)
    state.working, state.works = 1 << unit, ((unit, h, h),)
    volley = bombarded(field, h, points=10)
    fire.strike(rules, state, volley, NOTHING, (1,), out)
    assert state.works
    fire.strike(rules, state, volley, Outcome(1), (4,), out)
    assert (state.working, state.works) == (0, ())
    assert [event.kind for event in out] == ["fired", "fired", "disorganised", "work_stopped"]


# 12.1.5.6: friendly fire


def test_on_a_six_what_nobody_sees_goes_astray() -> None:
    """12.1.5.6.e1: of 10 factors that see the target and 6 that do not, half of the 6."""
    field = Field()
    rules, state, h = field.rules, field.state, field.plain()
    field.unit(ITALIAN, h)
    seeing = field.gun("heavy", AHG, near(field, h), group=True)
    far = next(
        a for a in rules.grid.disc(h, 12)
        if rules.grid.distance(a, h) > 10 and not observation.seen_from(rules, state, a) >> h & 1
    )  # fmt: skip
    blind = field.gun("heavy", AHG, far, group=True)
    seen = fire.bombardment(rules, state, h, [Shot(seeing, parts(10))])
    assert not fire.goes_astray(rules, state, seen, 6)
    volley = fire.bombardment(rules, state, h, [Shot(seeing, parts(10)), Shot(blind, parts(6))])
    assert fire.goes_astray(rules, state, volley, 6)
    assert not fire.goes_astray(rules, state, volley, 5)
    assert fire.astray(rules, state, volley, 5) is None
    mine, theirs = field.unit(AHG, near(field, h, 2)), field.gun("light", AHG, near(field, h, 2))
    found = fire.astray(rules, state, volley, 3)
    assert found is not None
    assert (found.total, found.targets, found.hex) == (parts(3), (mine, theirs), near(field, h, 2))
    assert not fire.goes_astray(rules, state, found, 6)
    state.turn = 1
    assert not fire.goes_astray(rules, state, volley, 6)
    supported = fire.bombardment(rules, state, h, [], [field.with_mg(AHG, near(field, h), 6)])
    assert not supported.loose


def test_the_first_direction_is_the_top_of_the_map() -> None:
    field = Field()
    rules, state = field.rules, field.state
    h = field.hex("2010")
    volley = Volley(fire.BOMBARDMENT, h, (), parts(20), 6, 0, loose=parts(20))
    found = []
    for direction in range(1, 7):
        field.unit(ITALIAN, rules.grid.neighbours[h][direction - 1])
        struck = fire.astray(rules, state, volley, direction)
        assert struck is not None
        found.append(rules.grid.ids[struck.hex])
    assert found == ["2009", "2110", "2111", "2011", "1911", "1910"]


# 12.1.6: barrages


def test_a_barrage_falls_at_half_its_strength() -> None:
    field = Field()
    rules, state, h = field.rules, field.state, field.plain()
    unit = field.unit(AHG, h)
    state.barrages, state.loose, state.breaking = ((h, parts(16)),), ((h, parts(6)),), 1 << h
    volley = fire.interdiction(rules, state, h, (unit,))
    assert (volley.total, volley.loose, volley.breaks, volley.targets) == (parts(8), parts(3), True, (unit,))
    assert fire.goes_astray(rules, state, volley, 6)
    fire.strike(rules, state, volley, NOTHING, (1,), [])
    assert dict(state.struck) == {h: 1 << unit}


# 12.2: defensive fire


def defended(turn: int = CLEAR, mg: int = 2) -> tuple[Field, int, int, int]:
    """An AHG unit that assaults an Italian one with so many machine guns next to it: the field, both, and its hex."""
    field = Field(turn)
    h = field.plain()
    assaulter, defender = field.with_mg(AHG, h, 4), field.with_mg(ITALIAN, near(field, h), mg)
    assault(field, assaulter, near(field, h))
    return field, assaulter, defender, h


def italian_guns(field: Field, h: int, case: str, *factors: int) -> list[tuple[int, str]]:
    """Guns of 3 and 2 factors, printed, by a case of 12.2.4."""
    kinds = {3: "medium", 2: "light"}
    return [(field.gun(kinds[factor], ITALIAN, near(field, h, 3)), case) for factor in factors]


def test_the_first_printed_example() -> None:
    """12.2.5: machine guns of 2 can have 8 factors of guns with them, which are 2 more; more guns are of no use."""
    field, _, defender, h = defended()
    guns = italian_guns(field, h, OBSERVED, 3, 3, 2)
    assert fire.defence(field.rules, field.state, h, [defender], guns).total == parts(4)
    more = [*guns, *italian_guns(field, h, OBSERVED, 2, 2)]
    volley = fire.defence(field.rules, field.state, h, [defender], more)
    assert volley.total == parts(4)
    assert [(fact.key, fact.amount, fact.rule) for fact in volley.factors][-1] == ("limit", -parts(1), "12.2.5")


def test_the_second_printed_example() -> None:
    """12.2.5: a unit with 0 can have 4 factors of guns, which are 1; so can guns alone."""
    field, _, defender, h = defended(mg=0)
    rules, state = field.rules, field.state
    four = italian_guns(field, h, OBSERVED, 2, 2)
    assert fire.defence(rules, state, h, [defender], four).total == parts(1)
    eight = [*four, *italian_guns(field, h, OBSERVED, 2, 2)]
    assert fire.defence(rules, state, h, [defender], eight).total == parts(1)
    assert fire.defence(rules, state, h, [], eight).total == parts(1)
    assert fire.defence(rules, state, h, [], eight[:1]).total == parts(0.5)


def test_guns_that_see_the_target_have_no_limit_and_keep_fractions() -> None:
    field, _, defender, h = defended()
    seeing, blind = italian_guns(field, h, SEEN, 3, 3, 3, 2), italian_guns(field, h, OBSERVED, 2)
    volley = fire.defence(field.rules, field.state, h, [defender], [*seeing, *blind])
    assert volley.total == parts(2 + 2.75 + 0.5)


def test_printed_factors_count_whatever_the_points() -> None:
    field, _, defender, h = defended()
    guns = italian_guns(field, h, SEEN, 2, 2)
    field.state.dp[guns[0][0]] = 1
    assert fire.defence(field.rules, field.state, h, [defender], guns).total == parts(3)


def test_out_of_command_half_rounded_up_for_each() -> None:
    field, _, first, h = defended(mg=3)
    rules, state = field.rules, field.state
    second = field.with_mg(ITALIAN, near(field, h), 2)
    state.ooc = 1 << first
    assert fire.defence(rules, state, h, [first, second]).total == parts(2 + 2)
    guns = italian_guns(field, h, SEEN, 3)
    state.ooc |= 1 << guns[0][0]
    assert fire.defence(rules, state, h, [second], guns).total == parts(2 + 1)


def test_a_unit_without_machine_guns_may_fire_with_help() -> None:
    field, _, _, h = defended(mg=2)
    rules, state = field.rules, field.state
    weak = field.with_mg(ITALIAN, near(field, h), 0)
    volley = fire.defence(rules, state, h, [weak])
    assert fire.odds(rules, volley).points == (6,)
    assert fire.odds(rules, volley._replace(shift=1)).points == (30, 6)


def test_who_may_fire_at_whom() -> None:
    field, assaulter, defender, h = defended()
    rules, state = field.rules, field.state
    flank = field.with_mg(ITALIAN, near(field, h, 3), 2)
    away = field.with_mg(ITALIAN, near(field, near(field, h, 3), 3), 2)
    idle = field.unit(AHG, h)

    def rule(unit: int) -> str:
        why = fire.why_no_defence(rules, state, unit, h)
        return why.rule if why else ""

    assert [rule(unit) for unit in (defender, flank, away)] == ["", "", "12.2.1"]
    assert fire.aimed_at(rules, state, h) == (assaulter,)
    assert idle not in fire.defence(rules, state, h, [defender]).targets
    assert rule(field.put(next(bits(rules.flamethrowers)), near(field, h))) == "12.2.1"
    state.assaults = ()
    assert rule(defender) == "12.2"


def foggy(field: Field) -> int:
    """A hex in fog, like all around it, with nothing else in it."""
    rules, ground = field.rules, field.rules.ground
    odd = ground.trench[0] | ground.trench[1] | ground.woods | ground.towns | ground.villages
    dim = rules.blind[FOG]

    def fits(h: int) -> bool:
        hexes = (h, *rules.grid.adjacent[h])
        water = any(ground.water[way] or ground.cliff[way] for way, _ in ground.ways_from(h))
        return not water and all(dim >> n & 1 and not odd >> n & 1 for n in hexes)

    return next(field.hexes(fits))


def test_in_fog_only_the_assaulted_fire_and_two_columns_left() -> None:
    field = Field(FOG)
    rules, state, h = field.rules, field.state, foggy(field)
    assaulter, defender = field.with_mg(AHG, h, 4), field.with_mg(ITALIAN, near(field, h), 2)
    beside, flank = field.with_mg(ITALIAN, near(field, h), 2), field.with_mg(ITALIAN, near(field, h, 3), 2)
    assault(field, assaulter, near(field, h))
    assert fire.why_no_defence(rules, state, defender, h) is None
    why = fire.why_no_defence(rules, state, flank, h)
    assert why is not None
    assert why.rule == "12.2.1.e1"
    volley = fire.defence(rules, state, h, [defender, beside])
    assert (volley.total, volley.column, volley.shift, shifts(volley)) == (parts(4), 2, -2, {"blind": -2})
    state.assaults, state.supports = (), ((assaulter, near(field, h)),)
    assert fire.why_no_defence(rules, state, flank, h) is None
    assert fire.defence(rules, state, h, [flank]).shift == -2
    state.turn = RAIN
    assert fire.defence(rules, state, h, [flank]).shift == 0


def test_fire_out_of_fog_is_shifted_only_if_all_who_fire_are_in_it() -> None:
    field = Field(FOG)
    rules, state = field.rules, field.state
    dim = rules.blind[FOG]
    h = next(
        field.hexes(
            lambda h: not dim >> h & 1 and {bool(dim >> n & 1) for n in rules.grid.adjacent[h]} == {True, False}
        )
    )
    inside = next(n for n in rules.grid.adjacent[h] if dim >> n & 1)
    outside = next(n for n in rules.grid.adjacent[h] if not dim >> n & 1)
    assaulter = field.with_mg(AHG, h, 4)
    assault(field, assaulter, outside)
    low, high = field.with_mg(ITALIAN, inside, 2), field.with_mg(ITALIAN, outside, 2)
    assert shifts(fire.defence(rules, state, h, [low])).get("blind") == -2
    assert "blind" not in shifts(fire.defence(rules, state, h, [low, high]))


def test_the_best_trench_of_those_who_fire_counts_once() -> None:
    field = Field()
    rules, ground, state = field.rules, field.rules.ground, field.state
    trench = ground.trench[ITALIAN]
    h, one, two = next(
        (h, a, b)
        for h in field.hexes(lambda h: not trench >> h & 1)
        for a in rules.grid.adjacent[h]
        for b in rules.grid.adjacent[h]
        if (trench >> a & trench >> b & 1) and (ground.trench_level[a], ground.trench_level[b]) == (1, 2)
    )
    assault(field, field.with_mg(AHG, h, 4), one)
    low, high = field.with_mg(ITALIAN, one, 2), field.with_mg(ITALIAN, two, 2)
    assert shifts(fire.defence(rules, state, h, [low]))["own_trench"] == 1
    assert shifts(fire.defence(rules, state, h, [low, high]))["own_trench"] == 2
    assert shifts(fire.defence(rules, state, h, [high]))["own_trench"] == 2
    assert "own_trench" not in shifts(fire.defence(rules, state, h, [high], counter=True))


@pytest.mark.parametrize(("place", "key"), [("trench", "trench"), ("woods", "woods")])
def test_assaulters_have_no_cover_and_supporters_have(place: str, key: str) -> None:
    field = Field()
    rules, state, ground = field.rules, field.state, field.rules.ground
    h = trench_hex(field, AHG, 1) if place == "trench" else next(field.hexes(lambda h: bool(ground.woods >> h & 1)))
    unit = field.with_mg(AHG, h, 4)
    firer = field.with_mg(ITALIAN, near(field, h), 2)
    assault(field, unit, near(field, h))
    assert key not in shifts(fire.defence(rules, state, h, [firer]))
    state.assaults, state.supports = (), ((unit, near(field, h)),)
    assert shifts(fire.defence(rules, state, h, [firer]))[key] == -1
    assert (key in shifts(fire.defence(rules, state, h, [firer], counter=True))) == (key == "woods")


def test_crossing_a_river_and_coming_by_road() -> None:
    field = Field()
    rules, ground, state = field.rules, field.rules.ground, field.state
    h, there = next((w // 6, t) for h in field.hexes(lambda _: True) for w, t in ground.ways_from(h) if ground.water[w])
    assaulter, firer = field.with_mg(AHG, h, 4), field.with_mg(ITALIAN, there, 2)
    assault(field, assaulter, there, by_road=True)
    volley = fire.defence(rules, state, h, [firer])
    assert shifts(volley)["crossing"] == 1
    assert volley.drm == 1
    assert fire.result(rules, volley, 4) == fire.result(rules, volley._replace(drm=0), 5)
    assert fire.result(rules, volley, 6) == fire.result(rules, volley._replace(drm=0), 6)


def test_suppressed_by_defensive_fire_one_does_not_assault() -> None:
    field, assaulter, defender, h = defended()
    rules, state, out = field.rules, field.state, []
    volley = fire.defence(rules, state, h, [defender])
    assert not volley.breaks
    losses = fire.strike(rules, state, volley, Outcome(1, 1, suppressed=True, trench=True), (6,), out)
    assert losses == ((assaulter,), 1)
    assert state.assaults == ()
    assert state.ooc == state.activated == 1 << assaulter
    assert not state.attacked
    assert not state.lowered
    assert [event.rules[0] for event in out] == ["12.2.9", "12.2.10", "12.2.10.S"]


# 10.1.2: infiltration fire


def test_only_who_is_next_to_both_hexes_fires() -> None:
    field = Field()
    rules, state, here = field.rules, field.state, field.plain()
    there = near(field, here)
    ring = rules.grid.ring
    both = next(bits(ring[here] & ring[there]))
    only = next(h for h in bits(ring[there] & ~ring[here]) if h != here)
    mover = field.with_mg(AHG, there, 4)
    friend = field.with_mg(AHG, there, 4)
    firers = field.with_mg(ITALIAN, both, 2), field.with_mg(ITALIAN, both, 3)
    field.with_mg(ITALIAN, only, 2)
    field.gun("light", ITALIAN, both)
    assert movement.watchers(rules, state, (mover,), here, there) == [*firers]
    state.ooc = 1 << firers[1]
    volley = fire.infiltration(rules, state, (mover,), here, there, firers)
    assert (volley.total, volley.targets, volley.shift) == (parts(2 + 2), (mover,), 0)
    fire.strike(rules, state, volley, Outcome(1, 1, suppressed=True), (6,), [])
    assert (state.dp[mover], state.dp[friend]) == (1, 0)
    assert state.activated == 1 << mover


def test_guns_on_the_move_suffer_infiltration_fire_but_lose_no_step() -> None:
    field = Field()
    rules, state, here = field.rules, field.state, field.plain()
    there = near(field, here)
    both = next(bits(rules.grid.ring[here] & rules.grid.ring[there]))
    gun, firer = field.gun("light", AHG, there), field.with_mg(ITALIAN, both, 3)
    state.emplaced &= ~(1 << gun)
    assert movement.watchers(rules, state, (gun,), here, there) == [firer]
    volley = fire.infiltration(rules, state, (gun,), here, there, (firer,), by_road=True)
    assert volley.drm == 1
    assert fire.strike(rules, state, volley, Outcome(1, 1), (6,), []) == ((), 0)
    assert state.dp[gun] == 1


# 24.13: mines and gas


def test_mines_and_gas_strike_by_their_column_alone() -> None:
    field = Field(FOG)
    rules, state = field.rules, field.state
    for blow, mines, level in ((rules.scene.gas, False, 2), (rules.scene.mines, True, 1)):
        h = next((h for h in blow.hexes if rules.ground.trench_level[h] == 2), blow.hexes[0])
        unit, gun = field.unit(ITALIAN, h), field.gun("medium", ITALIAN, h)
        volley = fire.blow(rules, state, h, blow.column, mines, ITALIAN)
        assert (volley.targets, volley.column, volley.shift) == ((unit, gun), blow.column, 0)
        assert not fire.goes_astray(rules, state, volley, 6)
        printed = rules.ground.trench_level[h]
        fire.strike(rules, state, volley, Outcome(2, 1, suppressed=True, trench=True), (6,), [])
        assert trenches.level(rules, state, h, ITALIAN) == (printed if not mines else min(printed, level))
        assert state.attacked >> rules.formation_of[unit] & 1
