"""16, 21.4, 21.10, 23.1: steps, how they are spread, what goes with whom, and the companies of German battalions."""

from __future__ import annotations

import pytest
from caporetto_places import around, deploy, field, kinds

from fronte.engine.event import Event
from fronte.games.caporetto import flamethrowers, losses
from fronte.games.caporetto.prices import is_company
from fronte.games.caporetto.printed import ELIMINATED, ROUTED, SURRENDERED, UNMADE, CaporettoPrinted
from fronte.games.caporetto.state import State, begin, put
from fronte.games.caporetto.terrain import AHG, ITALIAN


def stand(*names: str, scenario: str = "what_if") -> tuple[CaporettoPrinted, State, list[int]]:
    """These units in one hex."""
    rules, state = field(scenario)
    return rules, state, deploy(rules, state, around(rules)[0], *names)


def values(rules: CaporettoPrinted, state: State, unit: int) -> tuple[int, int]:
    return losses.strength(rules, state, unit), losses.machine_guns(rules, state, unit)


def test_two_steps_turn_a_battalion_and_then_end_it() -> None:
    """16.1."""
    rules, state, (unit,) = stand("it-87-1")
    out: list[Event] = []
    assert values(rules, state, unit) == (3, 2)
    losses.lose_step(rules, state, unit, out)
    assert values(rules, state, unit) == (1, 1) and state.at[unit] >= 0
    losses.lose_step(rules, state, unit, out)
    assert state.at[unit] == ELIMINATED and values(rules, state, unit) == (0, 0)
    assert out == [
        Event("step_lost", ("16.1",), {"unit": "it-87-1", "left": 1}),
        Event("eliminated", ("16.1",), {"unit": "it-87-1", "hex": "2102"}),
    ]


@pytest.mark.parametrize("name", ["it-mg-friuli", "it-eng-50", "it-cav-iv", "de-geb-12"])
def test_one_step_is_the_end_of_companies_cavalry_and_guns(name: str) -> None:
    """16.1, 16.3: engineers have construction on their back."""
    rules, state, (unit,) = stand(name)
    losses.lose_step(rules, state, unit, [])
    assert state.at[unit] == ELIMINATED


@pytest.mark.parametrize(
    ("name", "faces"),
    [("de-23-1", [(4, 8), (3, 6), (2, 4), (1, 2)]), ("de-jr11-1", [(3, 6), (2, 4), (1, 2)])],
)
def test_german_battalions_lose_a_company_at_a_time(name: str, faces: list[tuple[int, int]]) -> None:
    """21.10, 21.10.e1: back, marker, company; of three points the company comes one loss earlier."""
    rules, state, (unit,) = stand(name)
    for number, face in enumerate(faces):
        assert values(rules, state, unit) == face
        last = number == len(faces) - 1
        assert is_company(rules, state, unit) == last == losses.is_generic(rules, state, unit)
        losses.lose_step(rules, state, unit, [])
    assert state.at[unit] == ELIMINATED


def test_who_leaves_takes_his_marks_along() -> None:
    """12.3.1.e1: but that an assault came from his hex is not forgotten."""
    rules, state, (unit, other) = stand("it-87-1", "it-87-2")
    h, target = around(rules)[:2]
    state.assaults = ((unit, target, 0), (other, target, 0))
    state.supports, state.works, state.advanced = ((unit, target),), ((unit, h, h),), ((unit, target),)
    state.activated = state.ooc = 1 << unit | 1 << other
    state.dp[unit] = 2
    losses.remove(rules, state, unit, SURRENDERED, "15.4", [])
    assert state.assaults == ((other, target, 0),) and state.launched[ITALIAN] == 1 << h
    assert not state.supports and not state.works and not state.advanced and not state.dp[unit]
    assert state.activated == state.ooc == 1 << other


# Spreading


def named(rules: CaporettoPrinted, splits: list[tuple[int, ...]]) -> list[list[str]]:
    return sorted(list(rules.unit_ids(split)) for split in splits)


def test_fire_spreads_losses_as_evenly_as_it_can() -> None:
    """12.1.5.D, 12.2.10."""
    rules, state, units = stand("it-87-1", "it-87-2", "it-mg-friuli")
    assert named(rules, losses.even_splits(rules, state, units, 0)) == [[]]
    assert named(rules, losses.even_splits(rules, state, units, 1)) == [["it-87-1"], ["it-87-2"], ["it-mg-friuli"]]
    two = [["it-87-1", "it-87-2"], ["it-87-1", "it-mg-friuli"], ["it-87-2", "it-mg-friuli"]]
    assert named(rules, losses.even_splits(rules, state, units, 2)) == two
    four = losses.even_splits(rules, state, units, 4)
    assert named(rules, four) == [
        ["it-87-1", "it-87-1", "it-87-2", "it-mg-friuli"],
        ["it-87-1", "it-87-2", "it-87-2", "it-mg-friuli"],
    ]
    assert named(rules, losses.even_splits(rules, state, units, 9)) == [
        ["it-87-1", "it-87-1", "it-87-2", "it-87-2", "it-mg-friuli"]
    ]
    assert losses.even_splits(rules, state, [], 2) == [()]


def test_in_an_assault_the_lead_unit_loses_the_first_step() -> None:
    """12.3.4.e1: the rest as the owner likes."""
    rules, state, (a, b) = stand("it-87-1", "it-87-2")
    assert losses.assault_splits(rules, state, [a, b], a, 1) == [(a,)]
    assert sorted(losses.assault_splits(rules, state, [a, b], a, 2)) == [(a, a), (a, b)]
    state.lost[a] = 1
    assert losses.assault_splits(rules, state, [a, b], a, 2) == [(a, b)]
    assert losses.assault_splits(rules, state, [a, b], a, 9) == [(a, b, b)]
    assert losses.assault_splits(rules, state, [a, b], a, 0) == [()]
    assert sorted(losses.assault_splits(rules, state, [b], a, 1)) == [(b,)]  # 15.4.1: the lead has surrendered


def test_guns_lose_no_step_in_an_assault() -> None:
    """16.3."""
    rules, state, (a,) = stand("it-87-1")
    gun = next(u for u in range(len(rules.ids)) if rules.guns >> u & 1 and rules.side[u] == ITALIAN)
    put(rules, state, gun, state.at[a])
    assert losses.assault_splits(rules, state, [a, gun], a, 5) == [(a, a)]
    assert losses.even_splits(rules, state, [a, gun], 5) == [tuple(sorted((a, a, gun)))]


def test_the_usual_way_to_lose_keeps_units_alive() -> None:
    rules, state, units = stand("it-87-1", "it-87-2", "it-mg-friuli")
    best = losses.best_split(rules, state, losses.even_splits(rules, state, units, 1))
    assert rules.unit_ids(best) == ("it-87-1",)
    state.lost[units[0]] = 1
    assert losses.best_split(rules, state, losses.even_splits(rules, state, units, 1)) == (units[1],)
    out: list[Event] = []
    losses.take(rules, state, (units[1], units[1], units[1]), out)
    assert kinds(out) == ["step_lost", "eliminated"]


# Flamethrowers


def test_a_flamethrower_begins_with_one_of_its_formation() -> None:
    """21.4."""
    rules = field("what_if")[0]
    state = begin(rules, b"s")
    fires = [u for u in range(len(rules.ids)) if rules.flamethrowers >> u & 1 and state.at[u] >= 0]
    assert fires
    for fire in fires:
        unit = flamethrowers.bearer(state, fire)
        assert state.at[unit] == state.at[fire] and not rules.flamethrowers >> unit & 1
        if rules.formation_of[fire] >= 0:
            assert rules.formation_of[unit] == rules.formation_of[fire]


def test_a_flamethrower_is_lost_with_its_bearer_however_he_goes() -> None:
    """21.4."""
    for box in (ELIMINATED, SURRENDERED, ROUTED):
        rules, state, (unit, other, fire) = stand("de-leib-1", "de-leib-2", "de-flame-ak")
        flamethrowers.take_up(rules, state, fire)
        assert flamethrowers.bearer(state, fire) == unit
        losses.remove(rules, state, other, box, "15.4", [])
        assert state.at[fire] >= 0
        out: list[Event] = []
        losses.remove(rules, state, unit, box, "15.4", out)
        assert state.at[fire] == ELIMINATED and state.bearers == ()
        assert out[-1] == Event("eliminated", ("21.4",), {"unit": "de-flame-ak", "hex": "2102"})


def test_a_step_lost_by_defensive_fire_ends_it_whoever_lost_it() -> None:
    """21.4.e2."""
    rules, state, (unit, other, fire) = stand("de-leib-1", "de-leib-2", "de-flame-ak")
    flamethrowers.take_up(rules, state, fire)
    losses.lose_step(rules, state, unit, [])
    assert state.at[fire] >= 0
    losses.burn(rules, state, [other], [])
    assert state.at[fire] >= 0
    losses.burn(rules, state, [unit, other], [])
    assert state.at[fire] == ELIMINATED and not state.bearers


def test_a_flamethrower_changes_hands_once_a_turn_within_its_formation() -> None:
    """21.4.e3."""
    rules, state, (a, b, c, fire) = stand("de-leib-1", "de-leib-2", "de-23-1", "de-flame-ak")
    (away,) = deploy(rules, state, around(rules)[1], "de-leib-3")
    flamethrowers.take_up(rules, state, fire)
    assert not flamethrowers.can_assign(rules, state, fire, a)  # has it already
    assert not flamethrowers.can_assign(rules, state, fire, c)  # another formation
    assert not flamethrowers.can_assign(rules, state, fire, away)  # another hex
    assert flamethrowers.can_assign(rules, state, fire, b)
    out: list[Event] = []
    flamethrowers.assign(rules, state, fire, b, out)
    assert out[0].data == {"unit": "de-flame-ak", "bearer": "de-leib-2"}
    assert flamethrowers.carried(state, [b]) == (fire,) and flamethrowers.carried(state, [a]) == ()
    assert not flamethrowers.can_assign(rules, state, fire, a)
    state.handed = 0
    assert flamethrowers.can_assign(rules, state, fire, a)


# Guns


def test_guns_left_alone_are_captured_at_once_or_at_the_end() -> None:
    """18.3, 12.3.5.3."""
    rules, state, (unit,) = stand("it-87-1")
    h = state.at[unit]
    guns = [u for u in range(len(rules.ids)) if rules.guns >> u & 1 and rules.side[u] == ITALIAN][:2]
    for gun in guns:
        put(rules, state, gun, h)
    state.emplaced = 1 << guns[0]
    losses.capture(rules, state, h, ITALIAN, [])
    assert all(state.at[gun] == h for gun in guns)  # not alone
    put(rules, state, unit, around(rules)[1])
    losses.capture(rules, state, h, ITALIAN, [])
    assert [state.at[gun] for gun in guns] == [h, SURRENDERED]
    losses.capture(rules, state, h, ITALIAN, [], all_guns=True)
    assert state.at[guns[0]] == h  # the counter-assault has cleared the hex
    deploy(rules, state, h, "de-23-1")
    losses.capture(rules, state, h, ITALIAN, [], all_guns=True)
    assert state.at[guns[0]] == SURRENDERED


# Companies


def test_a_battalion_detaches_companies_with_its_points_and_marks() -> None:
    """21.10.e2."""
    rules, state, (unit,) = stand("de-23-1")
    state.dp[unit], state.attached, state.attachments = 1, 1 << unit, ((3, 1 << unit), (5, 0))
    assert losses.most_detached(rules, state, unit) == 3
    out: list[Event] = []
    made = losses.detach(rules, state, unit, 2, out)
    assert [state.at[one] for one in made] == [state.at[unit]] * 2
    assert [state.dp[one] for one in made] == [1, 1] and all(state.attached >> one & 1 for one in made)
    assert state.attachments == ((3, 1 << unit | sum(1 << one for one in made)), (5, 0))
    assert [values(rules, state, one) for one in (unit, *made)] == [(2, 4), (1, 2), (1, 2)]
    assert out[0].data == {"unit": "de-23-1", "companies": ["de-23-1-co1", "de-23-1-co2"], "left": 2}
    assert losses.most_detached(rules, state, unit) == 1
    losses.detach(rules, state, unit, 1, [])
    assert is_company(rules, state, unit) and losses.most_detached(rules, state, unit) == 0


def test_nobody_detaches_after_he_has_moved_nor_who_is_no_german_battalion() -> None:
    """21.10.e2."""
    rules, state, (unit, other, co) = stand("de-23-1", "ah-sch1-1", "de-wgb-1")
    assert losses.most_detached(rules, state, other) == losses.most_detached(rules, state, co) == 0
    state.moved = 1 << unit
    assert losses.most_detached(rules, state, unit) == 0


def test_companies_come_back_with_the_lowest_of_their_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """21.10.e3: the check of the book: 2 of 4 steps and companies with 1 and 3 points."""
    for option, points in (("text", 1), ("worst", 4)):
        rules, state, (unit,) = stand("de-23-1")
        monkeypatch.setitem(rules.option, "absorb_dl", option)
        made = losses.detach(rules, state, unit, 2, [])
        state.dp[made[0]], state.dp[made[1]], state.dp[unit] = 1, 3, 4
        assert sorted(losses.absorbable(rules, state, unit)) == list(made)
        assert losses.can_absorb(rules, state, unit, made)
        losses.absorb(rules, state, unit, made, [])
        assert (losses.steps_left(rules, state, unit), state.dp[unit]) == (4, points)
        assert [state.at[one] for one in made] == [UNMADE, UNMADE]
        assert not losses.can_absorb(rules, state, unit, made)


def test_who_absorbs_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    """21.10.e3: a reduced battalion any generic company in its hex, by option of its own kind; a full one none, and a
    battalion that is a company itself can be absorbed."""
    rules, state, (unit, other, guards) = stand("de-23-1", "de-63-1", "de-leib-1")
    (small,) = losses.detach(rules, state, guards, 1, [])
    assert not losses.can_absorb(rules, state, unit, (small,))  # not reduced
    state.lost[unit] = 2
    assert losses.can_absorb(rules, state, unit, (small,))
    monkeypatch.setitem(rules.option, "absorb_match", "same")
    assert not losses.can_absorb(rules, state, unit, (small,))
    assert losses.can_absorb(rules, state, guards, (small,))
    state.lost[other] = 3
    assert losses.can_absorb(rules, state, unit, (other,)) and not losses.can_absorb(rules, state, other, (unit,))
    monkeypatch.undo()
    assert not losses.can_absorb(rules, state, other, (small,))  # a company itself
    assert not losses.can_absorb(rules, state, unit, (other, other)) and not losses.can_absorb(rules, state, unit, ())
    put(rules, state, other, around(rules)[1])
    assert not losses.can_absorb(rules, state, unit, (other,))
    assert not losses.can_absorb(rules, state, unit, (rules.number["de-wgb-1"],))


def test_a_battalion_that_was_a_company_is_gone_when_it_is_absorbed() -> None:
    """21.10: a company of its own may come back, it may not."""
    rules, state = field("what_if")
    unit, other = deploy(rules, state, around(rules)[0], "de-leib-1", "de-leib-2")
    state.lost[unit], state.lost[other], state.dp[other] = 1, rules.full_steps[other] - 1, 1
    losses.absorb(rules, state, unit, (other,), [])
    assert (state.lost[unit], state.dp[unit]) == (0, 1)
    assert (state.at[other], state.lost[other], state.dp[other]) == (ELIMINATED, rules.full_steps[other], 0)


def test_a_flamethrower_stays_when_its_company_is_absorbed() -> None:
    """21.4, 21.10, ours."""
    rules, state, (unit, fire) = stand("de-leib-1", "de-flame-ak")
    (small,) = losses.detach(rules, state, unit, 1, [])
    state.bearers = ((fire, small),)
    losses.absorb(rules, state, unit, (small,), [])
    assert flamethrowers.bearer(state, fire) == unit and not state.handed


def test_up_to_four_companies_together_are_one_unit() -> None:
    """11.1.2, 21.6."""
    rules, state, (unit, fire) = stand("de-leib-1", "de-flame-ak")
    made = losses.detach(rules, state, unit, 3, [])
    assert losses.one_unit(rules, state, (unit, *made)) and losses.one_unit(rules, state, (made[0], fire))
    (other,) = deploy(rules, state, state.at[unit], "de-leib-2")
    assert losses.one_unit(rules, state, (other,)) and not losses.one_unit(rules, state, (other, made[0]))
    more = losses.detach(rules, state, other, 1, [])
    assert not losses.one_unit(rules, state, (unit, *made, *more))
    put(rules, state, made[0], around(rules)[1])
    assert not losses.one_unit(rules, state, made)
    men = deploy(rules, state, around(rules)[2], "de-wgb-1", "de-wgb-2")
    assert not losses.one_unit(rules, state, men)
    state.rommel = 1 << men[0] | 1 << men[1]
    assert losses.one_unit(rules, state, men)


# What counts


def test_steps_of_those_who_surrendered() -> None:
    """23.1.losses: a battalion two even if reduced, company and cavalry one, a gun five, the eliminated nothing."""
    rules, state, units = stand("it-87-1", "it-mg-friuli", "it-cav-iv", "it-87-2", "it-87-3", "it-eng-50")
    gun = next(u for u in range(len(rules.ids)) if rules.guns >> u & 1 and rules.side[u] == ITALIAN)
    put(rules, state, gun, state.at[units[0]])
    state.lost[units[0]] = 1
    for unit in (*units[:3], gun):
        losses.remove(rules, state, unit, SURRENDERED, "15.4", [])
    losses.remove(rules, state, units[3], ELIMINATED, "16.1", [])
    losses.remove(rules, state, units[4], ROUTED, "12.3.5.7", [])
    assert losses.surrendered_steps(rules, state, ITALIAN) == 2 + 1 + 1 + 5
    assert losses.surrendered_steps(rules, state, AHG) == 0


@pytest.mark.parametrize(("lost", "steps"), [(0, 2), (2, 2), (3, 1)])
def test_a_german_battalion_counts_two_and_as_a_company_one(lost: int, steps: int) -> None:
    """23.1.losses, 21.10."""
    rules, state, (unit,) = stand("de-23-1")
    state.lost[unit] = lost
    losses.remove(rules, state, unit, SURRENDERED, "15.4", [])
    assert losses.surrendered_steps(rules, state, AHG) == steps
