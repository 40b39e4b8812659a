"""12.1.4 to 12.1.6, 12.2.9, 12.2.10, 10.1.2, 24.13: the dice of a fire, friendly fire, and who loses the steps."""

from __future__ import annotations

from collections import Counter

import pytest
from caporetto_battery import Battery
from caporetto_shots import FOG, parts

from fronte.games.caporetto import fire, volleys
from fronte.games.caporetto.printed import ELIMINATED
from fronte.games.caporetto.state import put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.games.caporetto.volleys import Share


def near(field: Battery, h: int, direction: int) -> int:
    """The hex beside another to which a die points."""
    return field.rules.grid.neighbours[h][direction - 1]


def battalions(field: Battery, side: int, h: int, number: int) -> list[int]:
    """Battalions of two steps and good morale."""
    return [
        field.unit(side, h, lambda u: field.rules.full_steps[u] == 2 and field.rules.morale[u] > 3)
        for _ in range(number)
    ]


def under_fire(field: Battery, factors: float, number: int = 1, sees: bool = True) -> tuple[int, list[int]]:
    """So many Italian battalions in open ground, at which a group fires with so many factors."""
    h = field.plain()
    units = battalions(field, ITALIAN, h, number)
    group = field.gun("heavy", AHG, near(field, h, 1), group=True)
    if not sees:  # in a hex to which no line of sight leads
        seen = fire.observation.sees
        field.put(group, next(field.hexes(lambda there: not seen_from(field, group, there, h))))
        assert not seen(field.rules, field.state, group, h)
    field.state.aims = ((group, h, parts(factors), 0),)
    return h, units


def seen_from(field: Battery, gun: int, there: int, h: int) -> bool:
    field.put(gun, there)
    return fire.observation.sees(field.rules, field.state, gun, h)


def fires(field: Battery, h: int, battery: bool = False) -> None:
    volleys.bombard(field.rules, field.state, h, battery)
    field.settle()


# 12.1.4, 12.1.5: one die, or two


def test_one_die_reads_the_chart() -> None:
    field = Battery()
    h, (unit,) = under_fire(field, 20)
    fires(field, h)
    assert (field.waits, field.rules.chances["volley_die"].dice) == ("volley_die", 1)
    field.throw(4)  # D1 S
    assert (field.state.dp[unit], field.state.ooc >> unit & 1, field.waits) == (1, 1, "")
    assert not field.state.aims
    (told,) = field.told("fired")
    assert (told.data["dice"], told.data["points"], told.rules) == ([4], 1, ("12.1.4",))


@pytest.mark.parametrize(("second", "points"), [(3, 1), (4, 0)])
def test_a_star_asks_for_a_second_die(second: int, points: int) -> None:
    field = Battery()
    h, (unit,) = under_fire(field, 20)
    fires(field, h)
    field.throw(1)
    assert field.waits == "volley_star"
    field.throw(second)
    assert (field.state.dp[unit], field.waits) == (points, "")
    assert field.told("fired")[0].data["dice"] == [1, second]


def test_no_die_where_none_could_bring_anything() -> None:
    field = Battery()
    h, _ = under_fire(field, 0.5)
    fires(field, h)
    assert (field.waits, field.told("fired")[0].data["dice"]) == ("", [])
    field = Battery()
    h, _ = under_fire(field, 1)
    fires(field, h)
    assert field.waits == "volley_die"


def test_who_is_gone_is_not_fired_at() -> None:
    field = Battery()
    h, (unit,) = under_fire(field, 20)
    volleys.bombard(field.rules, field.state, h, False)
    field.put(unit, ELIMINATED)
    field.settle()
    assert (field.waits, field.events, field.state.aims) == ("", [], ())


def test_guns_in_place_and_others_are_two_targets() -> None:
    """12.1.3: each kind has its own guns, its own die and its own losses."""
    field = Battery()
    h, (unit,) = under_fire(field, 20)
    gun, other = field.gun("medium", ITALIAN, h), field.gun("heavy", AHG, near(field, h, 2), group=True)
    field.state.aims = (*field.state.aims, (other, h, parts(13), 1))
    fires(field, h, battery=True)
    assert field.top.args[3:5] == ((gun,), (other,))
    field.throw(3)
    assert (field.state.dp[gun], field.state.dp[unit]) == (1, 0)
    fires(field, h)
    field.throw(3)
    assert (field.state.dp[gun], field.state.dp[unit]) == (1, 1)


def test_who_supports_fires_with_the_guns() -> None:
    """12.1.7."""
    field = Battery()
    h, _ = under_fire(field, 5)
    supporter = field.with_mg(AHG, near(field, h, 3), 4)
    field.state.supports = ((supporter, h),)
    fires(field, h)
    assert volleys.volley_of(field.rules, field.state, field.top.args).total == parts(9)
    field = Battery()
    h, _ = under_fire(field, 5)
    field.state.aims = ()
    supporter = field.with_mg(AHG, near(field, h, 3), 4)
    field.state.supports = ((supporter, h),)
    fires(field, h)
    assert volleys.volley_of(field.rules, field.state, field.top.args).total == parts(4)


# 12.1.5.D: who loses the steps


def test_the_owner_shares_steps_as_evenly_as_can_be() -> None:
    field = Battery()
    h, (one, other) = under_fire(field, 40, 2)
    fires(field, h)
    field.throw(2)  # D1/1 S
    assert (field.waits, field.top.seat) == ("share_losses", field.rules.seat_index("italian"))
    assert {action.units for action in field.legal()} == {field.names(one), field.names(other)}
    assert field.refused(Share(())) == ("12.1.5.D", "not_even")
    assert field.refused(Share(field.names(one, other))) == ("12.1.5.D", "not_even")
    assert field.refused(Share(("nobody",)))[1] == "no_unit"
    field.samples()
    field.answer(Share(field.names(other)))
    assert (field.state.lost[one], field.state.lost[other], field.waits) == (0, 1, "")


def test_two_steps_of_two_units_are_not_asked() -> None:
    field = Battery()
    h, units = under_fire(field, 40, 2)
    fires(field, h)
    field.throw(6)  # D3/2 T, and the gun sees
    assert (field.waits, [field.state.lost[unit] for unit in units]) == ("", [1, 1])


def test_losses_of_the_active_side_are_its_own_to_share() -> None:
    field = Battery()
    h = field.plain()
    attackers = battalions(field, AHG, h, 2)
    lost = fire.Losses(tuple(attackers), 1)
    volleys.ask_losses(field.rules, field.state, fire.DEFENCE, h, lost, field.events)
    assert field.top.seat == field.rules.seat_index("ahg")
    assert field.refused(Share(())) == ("12.2.10", "not_even")


def test_who_begins_in_a_common_hex_is_in_the_hands_of_the_attackers_opponent() -> None:
    """24.1, 24.3.start: all others are their commander's, his Italians too whom he meets at the line; a barrage attacks
    nobody."""
    field = Battery(scenario="historical")
    rules, state = field.rules, field.state
    state.active = rules.scene.forces.index("ahg-left")
    left, right = rules.seat_index("left"), rules.seat_index("right")
    found = {}
    for name in ("italian-left", "italian-right", "ahg-left"):
        force = rules.scene.forces.index(name)
        side = rules.scene.force_side[force]
        found[name] = field.unit(side, field.plain(), lambda u, force=force: rules.force[u] == force)
    seats = {name: volleys.owner(rules, state, [unit]) for name, unit in found.items()}
    assert seats == {"italian-left": left, "italian-right": right, "ahg-left": left}
    bound = [u for u, h in enumerate(rules.begins) if h >= 0 and rules.ground.sector["common"] >> h & 1]
    for unit in bound:
        put(rules, state, unit, rules.begins[unit])
    assert {volleys.owner(rules, state, [unit]) for unit in bound if rules.side[unit] == ITALIAN} == {right}
    state.active = rules.scene.forces.index("ahg-right")
    assert {volleys.owner(rules, state, [unit]) for unit in bound if rules.side[unit] == ITALIAN} == {left}
    state.phase = "artillery"
    mine = {unit: rules.scene.seat_of[rules.force[unit]] for unit in bound}
    assert {unit: volleys.owner(rules, state, [unit]) for unit in bound} == mine


# 12.1.5.6: friendly fire


def test_a_six_goes_astray_by_the_same_die() -> None:
    """12.1.5.6: 20 factors that do not see the hex: 10 fall beside it, with the six that was thrown."""
    field = Battery()
    h, (unit,) = under_fire(field, 20, sees=False)
    (friend,) = battalions(field, AHG, near(field, h, 3), 1)
    fires(field, h)
    field.throw(6)
    assert (field.waits, field.state.lost[unit]) == ("astray_die", 1)
    field.throw(3)
    assert (field.state.dp[friend], field.state.lost[friend], field.waits) == (1, 1, "")  # 9-12, D1/1 S
    assert [event.data["dice"] for event in field.told("fired")] == [[6], [6]]
    assert field.told("astray")[0].data["units"] == field.names(friend)


def test_a_six_goes_astray_by_a_new_die() -> None:
    field = Battery(friendly_fire_roll="new-roll")
    h, _ = under_fire(field, 20, sees=False)
    (friend,) = battalions(field, AHG, near(field, h, 3), 1)
    fires(field, h)
    field.throw(6, 3)
    assert field.waits == "volley_die"
    field.throw(6)
    assert (field.state.lost[friend], field.waits) == (1, "")  # and does not go astray again


def test_nobody_there_and_no_six_and_guns_that_see() -> None:
    field = Battery()
    h, _ = under_fire(field, 20, sees=False)
    fires(field, h)
    field.throw(6, 2)
    assert field.waits == ""
    field = Battery()
    h, _ = under_fire(field, 20, sees=False)
    fires(field, h)
    field.throw(5)
    assert field.waits == ""
    field = Battery()
    h, _ = under_fire(field, 20)
    fires(field, h)
    field.throw(6)
    assert field.waits == ""


def test_in_turn_1_nothing_goes_astray() -> None:
    field = Battery(FOG)
    h, _ = under_fire(field, 20, sees=False)
    fires(field, h)
    field.throw(6)
    assert field.waits == ""


def test_losses_come_before_what_goes_astray() -> None:
    field = Battery()
    h, (one, _) = under_fire(field, 20, 2, sees=False)
    fires(field, h)
    field.throw(6)
    assert field.waits == "share_losses"
    field.answer(Share(field.names(one)))
    assert field.waits == "astray_die"


# 12.1.6: barrages


@pytest.mark.parametrize(("option", "throws"), [("unit", 2), ("stack", 1)])
def test_each_unit_suffers_a_barrage_by_a_die_of_its_own(option: str, throws: int) -> None:
    field = Battery(interdiction_roll=option)
    rules, state, h = field.rules, field.state, field.plain()
    units = battalions(field, AHG, h, 2)
    state.barrages = ((h, parts(26)),)
    volleys.barrage(rules, state, h, units)
    field.settle()
    field.throw(*[4] * throws)  # 13, D1 S
    assert ([state.dp[unit] for unit in units], field.waits) == ([1, 1], "")
    volleys.barrage(rules, state, h, units)
    assert not state.frames
    assert field.told("fired")[0].rules == ("12.1.6",)


def test_no_barrage_no_volley() -> None:
    field = Battery()
    h = field.plain()
    volleys.barrage(field.rules, field.state, h, battalions(field, AHG, h, 1))
    assert not field.state.frames


# 10.1.2, 24.13


def test_infiltration_fire_stops_who_is_suppressed() -> None:
    field = Battery()
    h = field.plain()
    here, there = near(field, h, 1), near(field, h, 2)
    watchers = [field.with_mg(ITALIAN, h, 2) for _ in range(2)]
    (mover,) = battalions(field, AHG, there, 1)
    volleys.infiltration(field.rules, field.state, (mover,), here, there, watchers, False)
    field.settle()
    field.throw(6)  # 4-5, D1 S
    assert field.state.ooc >> mover & 1
    assert field.state.activated >> mover & 1
    assert field.told("fired")[0].rules == ("10.1.2",)


@pytest.mark.parametrize("mines", [True, False])
def test_mines_hit_everybody_of_the_hex_and_gas_spares_trenches(mines: bool) -> None:
    field = Battery(FOG)
    ground = field.rules.ground
    h = next(field.hexes(lambda h: ground.trench[ITALIAN] >> h & 1 == 1 and ground.trench_level[h] == 2))
    (unit,), gun = battalions(field, ITALIAN, h, 1), field.gun("medium", ITALIAN, h)
    level = fire.trenches.level(field.rules, field.state, h, ITALIAN)
    assert level == 2
    volleys.blow(field.rules, field.state, h, 5, mines)
    field.settle()
    field.throw(6)  # 13-17: D1/1 T, no shift
    assert field.waits == "share_losses"
    assert (field.state.dp[unit], field.state.dp[gun]) == (1, 1)
    assert fire.trenches.level(field.rules, field.state, h, ITALIAN) == level - mines


# The odds of the throw on top


def test_the_forecast_is_what_the_dice_bring() -> None:
    field = Battery()
    h, _ = under_fire(field, 20, sees=False)
    battalions(field, AHG, near(field, h, 3), 1)
    fires(field, h)
    found = volleys.forecast(field.rules, field.state)
    assert found is not None
    assert found == fire.odds(field.rules, volleys.volley_of(field.rules, field.state, field.top.args))
    start = field.state.copy()
    field.throw(1)
    star = volleys.forecast(field.rules, field.state)
    assert star is not None
    assert (star.of, star.points) == (6, (3, 3))
    field.state = start.copy()
    field.throw(6)
    beside = volleys.forecast(field.rules, field.state)
    assert beside is not None
    points: Counter[int] = Counter()
    for direction in range(1, 7):
        again = Battery()
        again.state = field.state.copy()
        again.throw(direction)
        told = again.told("fired")
        points[told[0].data["points"] if told else 0] += 1
    assert (beside.of, beside.points) == (36, tuple(6 * points[n] for n in range(2)))
    field.state.frames.clear()
    assert volleys.forecast(field.rules, field.state) is None
