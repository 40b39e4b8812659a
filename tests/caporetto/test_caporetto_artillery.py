"""18, 12.1, 12.2.4: what guns are worth, who may fire at what, groups, modes, defensive fire, capture, barrages."""

from __future__ import annotations

import pytest
from caporetto_shots import CLEAR, FOG, Field, parts

from fronte.games.caporetto import artillery, barrages, observation
from fronte.games.caporetto.artillery import OBSERVED, SEEN, Shot
from fronte.games.caporetto.printed import SURRENDERED
from fronte.games.caporetto.terrain import AHG, ITALIAN

EVERYWHERE = -1


def pair(field: Field, distance: int, direct: bool, snow: bool = False) -> tuple[int, int]:
    """Two hexes so far apart, with or without a direct line, the second in High Mountain or not."""
    rules = field.rules
    for here in field.hexes(lambda h: not rules.ground.high >> h & 1):
        for there in rules.grid.disc(here, distance):
            fits = rules.grid.distance(here, there) == distance and bool(rules.ground.high >> there & 1) == snow
            if fits and rules.ground.extent >> there & 1 and observation.is_direct(rules, here, there) == direct:
                return here, there
    raise AssertionError("no such hexes")


def rule_of(field: Field, gun: int, h: int, points: int | None = None, observed: int = EVERYWHERE) -> str:
    shot = artillery.all_of(field.rules, field.state, gun)
    shot = shot if points is None else Shot(gun, points)
    why = artillery.why_no_shot(field.rules, field.state, shot, h, observed)
    return why.rule if why else ""


# 18.6, 12.1.type, 8.1: factors


def test_each_point_takes_half_of_the_printed_factor() -> None:
    field = Field()
    gun = field.gun("bombarda", ITALIAN, field.plain())
    assert field.rules.factor[gun] == 5
    for points, factor in ((0, 5), (1, 2.5), (2, 0), (4, 0)):
        field.state.dp[gun] = points
        assert artillery.factor(field.rules, field.state, gun) == parts(factor)
    field.state.dp[gun] = 0
    field.state.emplaced &= ~(1 << gun)
    assert artillery.factor(field.rules, field.state, gun) == 0


@pytest.mark.parametrize(
    ("kind", "direct", "part"),
    [
        *(("light", True, 1), ("light", False, 0), ("medium", True, 1), ("medium", False, 0.5)),
        *(("heavy", True, 1), ("heavy", False, 1), ("bombarda", True, 1), ("bombarda", False, 1)),
    ],
)
def test_what_direct_and_indirect_fire_is_worth(kind: str, direct: bool, part: float) -> None:
    field = Field()
    here, there = pair(field, 2, direct)
    gun = field.gun(kind, ITALIAN, here)
    shot = artillery.all_of(field.rules, field.state, gun)
    assert artillery.strength(field.rules, field.state, shot, there) == parts(field.rules.factor[gun] * part)
    assert rule_of(field, gun, there) == ("" if part else "12.1.type")


def test_halves_of_halves_are_kept() -> None:
    """8.1, 18.6: one point, indirect, into a blizzard: an eighth of 3."""
    field = Field(FOG)
    here, there = pair(field, 4, False, snow=True)
    gun = field.gun("medium", ITALIAN, here)
    field.state.dp[gun] = 1
    shot = artillery.all_of(field.rules, field.state, gun)
    assert artillery.strength(field.rules, field.state, shot, there) == parts(3 / 8)
    field.state.turn = CLEAR
    assert artillery.strength(field.rules, field.state, shot, there) == parts(3 / 4)


# 12.1: who may fire


def test_range_ends_where_it_is_printed() -> None:
    field = Field()
    for distance, rule in ((8, ""), (9, "12.1")):
        here, there = pair(field, distance, True)
        assert rule_of(field, field.gun("medium", ITALIAN, here), there) == rule
    gun = field.gun("medium", ITALIAN, here)
    assert rule_of(field, gun, here) == "12.1"


def test_a_target_must_be_observed_and_a_gun_ready() -> None:
    field = Field()
    state = field.state
    here, there = pair(field, 3, True)
    gun = field.gun("medium", ITALIAN, here)
    bit = 1 << gun
    assert rule_of(field, gun, there, observed=1 << there) == ""
    assert rule_of(field, gun, there, observed=~(1 << there)) == "12.1.1"
    assert artillery.ready(field.rules, state, ITALIAN) == bit
    for name, rule in (("act", "12.1.2"), ("ooc", "12.1.3.e1")):
        setattr(state, name, bit)
        assert rule_of(field, gun, there) == rule
        assert not artillery.ready(field.rules, state, ITALIAN)
        setattr(state, name, 0)
    state.def_fired = bit
    assert rule_of(field, gun, there) == ""
    state.dp[gun] = 2
    assert rule_of(field, gun, there) == "18.6"
    state.dp[gun] = 1
    assert rule_of(field, gun, there) == ""
    state.emplaced &= ~bit
    assert rule_of(field, gun, there) == "18.1"


def test_guns_of_a_division_serve_its_formations_only() -> None:
    field = Field()
    rules, state = field.rules, field.state
    gun = field.gun("medium", ITALIAN, field.plain(), division=True)
    corps = field.gun("heavy", ITALIAN, field.plain(), division=False)
    for number, formation in enumerate(rules.formations):
        if formation.side != ITALIAN:
            continue
        found = artillery.serving(rules, state, number)
        same = formation.division == rules.division[gun] and formation.id not in rules.scene.without_guns
        assert bool(found >> gun & 1) == same
        own = formation.force == rules.force[corps] and formation.id not in rules.scene.without_guns
        assert bool(found >> corps & 1) == own
        state.dp[gun] = 2
        assert not artillery.serving(rules, state, number) >> gun & 1
        state.dp[gun] = 0


def test_fire_into_the_other_sector_is_free_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    rules = field.rules
    for here in field.hexes(lambda h: True):
        gun = field.gun("heavy", ITALIAN, here)
        home = rules.home(gun)
        there = next((h for h in rules.grid.disc(here, 3) if home >> here & 1 and not home >> h & 1), -1)
        if there >= 0:
            break
        field.used.discard(gun)
    assert rule_of(field, gun, there) == ""
    monkeypatch.setitem(rules.option, "cross_sector_fire", "common-only")
    assert rule_of(field, gun, there) == "24.3"


def test_in_the_first_turn_the_attacker_bombards_in_the_artillery_phase_only() -> None:
    field = Field(FOG)
    assert not artillery.bombards_in_actions(field.rules, field.state, AHG)
    assert artillery.bombards_in_actions(field.rules, field.state, ITALIAN)
    field.state.turn = 2
    assert artillery.bombards_in_actions(field.rules, field.state, AHG)


@pytest.mark.parametrize("kind", ["light", "medium"])
def test_what_a_gun_covers_is_what_it_could_fire_at(kind: str) -> None:
    field = Field()
    here, _ = pair(field, 3, False)
    gun = field.gun(kind, ITALIAN, here)
    found = artillery.covers(field.rules, field.state, gun)
    assert 0 < found.bit_count() < len(field.rules.grid.disc(here, field.rules.range[gun])) + (kind == "medium")
    for h in field.rules.grid.disc(here, field.rules.range[gun] + 1):
        assert bool(found >> h & 1) == (not rule_of(field, gun, h) and bool(field.rules.ground.extent >> h & 1))


def test_at_the_end_of_a_turn_all_is_as_before() -> None:
    field = Field()
    rules, state = field.rules, field.state
    here, there = pair(field, 3, True)
    guns = field.gun("medium", AHG, here), field.gun("heavy", AHG, here, group=True)
    barrages.lay(rules, state, there, [artillery.all_of(rules, state, gun) for gun in guns])
    barrages.note(state, there, [field.unit(AHG, there)])
    state.def_fired = 1 << guns[0]
    artillery.rest(state)
    barrages.lift(state)
    assert artillery.ready(rules, state, AHG) == 1 << guns[0] | 1 << guns[1]
    assert artillery.ready_to_defend(rules, state, AHG) == 1 << guns[0]
    assert artillery.left(rules, state, guns[1]) == parts(36)
    assert (state.barrages, state.loose, state.breaking, state.struck) == ((), (), 0, ())


# 18.9: groups


def test_a_group_divides_its_points_and_spends_each_once() -> None:
    field = Field()
    rules, state = field.rules, field.state
    here, there = pair(field, 3, False)
    group = field.gun("heavy", AHG, here, group=True)
    assert rules.factor[group] == 36
    assert rule_of(field, group, there, parts(14)) == ""
    artillery.spend(rules, state, [Shot(group, parts(14))])
    assert artillery.left(rules, state, group) == parts(22)
    assert rule_of(field, group, there, parts(23)) == "18.9"
    assert rule_of(field, group, there, 0) == "18.9"
    artillery.close(rules, state)
    assert artillery.ready(rules, state, AHG) == 1 << group
    artillery.spend(rules, state, [Shot(group, parts(12)), Shot(group, parts(10))])
    assert state.act >> group & 1
    assert rule_of(field, group, there) == "12.1.2"


def test_a_group_may_be_bound_to_one_activation(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    group = field.gun("heavy", AHG, field.plain(), group=True)
    monkeypatch.setitem(field.rules.option, "group_split", "one-activation")
    artillery.spend(field.rules, field.state, [Shot(group, parts(14))])
    assert artillery.ready(field.rules, field.state, AHG)
    artillery.close(field.rules, field.state)
    assert not artillery.ready(field.rules, field.state, AHG)


def test_other_guns_are_not_divided() -> None:
    field = Field()
    here, there = pair(field, 3, True)
    gun = field.gun("heavy", ITALIAN, here)
    assert rule_of(field, gun, there, parts(4)) == "12.1.3"
    artillery.spend(field.rules, field.state, [artillery.all_of(field.rules, field.state, gun)])
    assert field.state.act == 1 << gun
    assert not field.state.spent


def test_the_preparatory_bombardment_uses_guns_up() -> None:
    field = Field(FOG)
    rules, state = field.rules, field.state
    gun = field.gun("medium", AHG, field.plain())
    group = field.gun("heavy", AHG, field.plain(), group=True)
    artillery.spend_in_preparation(rules, state, [artillery.all_of(rules, state, gun), Shot(group, parts(6))])
    assert artillery.ready(rules, state, AHG) == 1 << group
    assert not artillery.ready_to_defend(rules, state, AHG)
    artillery.close_preparation(state)
    assert not artillery.ready(rules, state, AHG)


# 18.1, 18.2, 18.3: modes


@pytest.mark.parametrize(("kind", "points"), [("light", 0), ("medium", 2), ("heavy", 4), ("bombarda", 0)])
def test_medium_and_heavy_guns_need_time_to_be_in_place(kind: str, points: int) -> None:
    field = Field()
    rules, state, out = field.rules, field.state, []
    gun = field.gun(kind, ITALIAN, field.plain())
    assert artillery.why_no_turn(rules, state, gun) is None
    artillery.turn(rules, state, gun, out)
    assert state.dp[gun] == 0
    assert not artillery.ready(rules, state, ITALIAN)
    artillery.turn(rules, state, gun, out)
    assert state.dp[gun] == points
    assert bool(artillery.ready(rules, state, ITALIAN)) == (not points)
    assert [event.data["emplaced"] for event in out if event.kind == "gun_turned"] == [False, True]


@pytest.mark.parametrize("near", [False, True])
def test_a_heavy_gun_with_a_point_may_surrender_when_it_is_put_in_place(near: bool) -> None:
    """18.2, 18.6, 15.4: five points in all; next to an enemy who could enter, else it stays at four."""
    field = Field()
    rules, state, h = field.rules, field.state, field.plain()
    gun = field.gun("heavy", ITALIAN, h)
    state.emplaced, state.dp[gun] = state.emplaced & ~(1 << gun), 1
    if near:
        field.unit(AHG, rules.grid.adjacent[h][0], lambda u: bool(rules.home(u) >> h & 1))
    artillery.turn(rules, state, gun, [])
    assert (state.at[gun], state.dp[gun]) == ((SURRENDERED, 0) if near else (h, 4))


def test_who_cannot_be_turned() -> None:
    field = Field(FOG)
    rules, state, h = field.rules, field.state, field.plain()
    group = field.gun("heavy", AHG, h, group=True)
    mine, theirs = field.gun("light", ITALIAN, h), field.gun("light", AHG, h)

    def rule(gun: int) -> str:
        why = artillery.why_no_turn(rules, state, gun)
        return why.rule if why else ""

    assert rule(group) == "18.9.1"
    assert rule(mine) == "24.9.e1"
    assert rule(theirs) == ""
    state.turn = 2
    assert rule(mine) == ""
    state.emplaced &= ~(1 << theirs)
    assert rule(theirs) == "18.9.1"
    field.put(group, -1)
    assert rule(theirs) == ""
    field.gun("light", AHG, h)
    assert rule(theirs) == ""
    field.gun("light", AHG, h)
    assert rule(theirs) == "11.1.e3"


def test_guns_surrender_when_the_enemy_comes_in() -> None:
    field = Field()
    h, out = field.plain(), []
    gun, group = field.gun("medium", AHG, h), field.gun("heavy", AHG, h, group=True)
    other = field.unit(AHG, h)
    artillery.capture(field.rules, field.state, h, AHG, out)
    assert [field.state.at[unit] for unit in (gun, group)] == [SURRENDERED] * 2
    assert field.state.at[other] == h
    assert [event.kind for event in out] == ["surrendered"] * 2


# 12.2.4, 18.8: defensive fire


@pytest.mark.parametrize(("kind", "may"), [("light", True), ("medium", True), ("heavy", False), ("bombarda", False)])
def test_light_and_medium_guns_defend(kind: str, may: bool) -> None:
    field = Field()
    gun = field.gun(kind, AHG if kind == "bombarda" else ITALIAN, field.plain(), group=kind == "bombarda")
    side = field.rules.side[gun]
    assert bool(artillery.ready_to_defend(field.rules, field.state, side)) == may


def test_who_has_fired_or_is_disorganised_does_not_defend() -> None:
    field = Field()
    rules, state = field.rules, field.state
    gun = field.gun("medium", AHG, field.plain())
    field.gun("medium", AHG, field.plain(), group=True)
    assert artillery.ready_to_defend(rules, state, AHG) == 1 << gun
    state.act = state.ooc = 1 << gun
    assert artillery.ready_to_defend(rules, state, AHG) == 1 << gun
    for points, ready in ((1, True), (2, False)):
        state.dp[gun] = points
        assert bool(artillery.ready_to_defend(rules, state, AHG)) == ready
    state.dp[gun] = 0
    state.def_fired = 1 << gun
    assert not artillery.ready_to_defend(rules, state, AHG)


def test_the_two_cases_of_defensive_fire() -> None:
    field = Field()
    rules, state = field.rules, field.state
    here, there = pair(field, 6, False)
    gun = field.gun("medium", ITALIAN, here)

    def case(assault: bool, observed: int, of: int = gun) -> str:
        return artillery.defence_case(rules, state, of, there, assault, observed)

    assert case(True, 1 << there) == OBSERVED
    assert case(True, 0) == ""
    assert case(False, 1 << there) == ""
    near = rules.grid.adjacent[there][0]
    close = field.gun("medium", ITALIAN, near)
    assert case(False, 0, close) == SEEN
    here, there = pair(field, 7, True)
    assert case(True, EVERYWHERE, field.gun("medium", ITALIAN, here)) == ""
    here, there = pair(field, 4, False)
    assert case(True, EVERYWHERE, field.gun("light", ITALIAN, here)) == ""
    here, there = pair(field, 5, True)
    assert case(True, EVERYWHERE, field.gun("light", ITALIAN, here)) == ""


def test_whom_guns_help_in_defence() -> None:
    field = Field()
    rules = field.rules
    h = field.plain()
    gun = field.gun("medium", ITALIAN, h, division=True)
    friend = field.unit(
        ITALIAN, h, lambda u: rules.formation_of[u] >= 0 and rules.division[u] == rules.division[gun],
    )  # fmt: skip
    stranger = field.unit(
        ITALIAN, h,
        lambda u: rules.force[u] == rules.force[gun] and rules.division[u] not in (-1, rules.division[gun])
        and rules.counters[u].formation not in rules.scene.without_guns,
    )  # fmt: skip
    bare = field.unit(ITALIAN, h, lambda u: rules.counters[u].formation in rules.scene.without_guns)

    def rule(of: int, *firers: int) -> str:
        why = artillery.why_no_help(rules, of, firers)
        return why.rule if why else ""

    assert rule(gun, friend) == ""
    assert rule(gun, stranger, friend) == ""
    assert rule(gun, stranger) == "18.8"
    assert rule(gun) == "18.8"
    assert rule(gun, friend, bare) == "24.9.2.e1"
    corps = field.gun("heavy", ITALIAN, h, division=False)
    assert rule(corps) == ""
    own = field.unit(ITALIAN, h, lambda u: rules.force[u] == rules.force[corps] and rules.formation_of[u] == -1)
    assert rule(corps, own) == ""
    other = field.unit(ITALIAN, h, lambda u: rules.force[u] != rules.force[corps] and rules.formation_of[u] == -1)
    assert rule(corps, other) == "18.8"


# 12.1.6: barrages


def test_barrages_of_both_sides_add_up() -> None:
    field = Field()
    rules, state = field.rules, field.state
    here, there = pair(field, 2, True)
    heavy, own = field.gun("heavy", ITALIAN, here), field.gun("bombarda", ITALIAN, here)
    group = field.gun("heavy", AHG, here, group=True)
    barrages.lay(rules, state, there, [artillery.all_of(rules, state, gun) for gun in (heavy, own)])
    assert dict(state.barrages) == {there: parts(11)}
    assert state.act == 1 << heavy | 1 << own
    barrages.lay(rules, state, there, [Shot(group, parts(5))])
    assert dict(state.barrages) == {there: parts(16)}
    assert state.breaking == 1 << there
    assert artillery.left(rules, state, group) == parts(31)


def test_only_guns_that_do_not_see_the_hex_go_astray_with_a_barrage() -> None:
    field = Field()
    rules, state = field.rules, field.state
    here, there = pair(field, 5, False)
    near = rules.grid.adjacent[there][0]
    blind, light = field.gun("heavy", ITALIAN, here), field.gun("light", ITALIAN, near)
    barrages.lay(rules, state, there, [artillery.all_of(rules, state, light)])
    assert not state.loose
    assert not state.breaking
    barrages.lay(rules, state, there, [artillery.all_of(rules, state, blind)])
    assert dict(state.loose) == {there: parts(6)}
    assert dict(state.barrages) == {there: parts(8)}


@pytest.mark.parametrize(
    ("guns", "full", "rounded"), [(0, 0, 0), (4, 0, 1), (5, 1, 1), (6, 1, 2), (9, 1, 2), (10, 2, 2)]
)
def test_what_barrages_cost(guns: int, full: int, rounded: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Field().rules
    assert barrages.price(rules, guns) == full
    monkeypatch.setitem(rules.option, "interdiction_lp", "round-up")
    assert barrages.price(rules, guns) == rounded


def test_a_barrage_strikes_each_unit_once_and_no_guns_in_place() -> None:
    field = Field()
    rules, state = field.rules, field.state
    h = field.plain()
    units = mover, gun, placed = field.unit(AHG, h), field.gun("light", AHG, h), field.gun("light", AHG, h)
    state.emplaced &= ~(1 << gun)
    assert barrages.due(rules, state, h, units) == ()
    state.barrages = ((h, parts(6)),)
    assert barrages.due(rules, state, h, units) == (mover, gun)
    barrages.note(state, h, [mover])
    assert barrages.due(rules, state, h, units) == (gun,)
    assert placed not in barrages.due(rules, state, h, units)
    elsewhere = rules.grid.adjacent[h][0]
    state.barrages = ((h, parts(6)), (elsewhere, parts(6)))
    assert barrages.due(rules, state, elsewhere, [mover]) == (mover,)
