"""12.2, 12.4.3: steps C and F: who may fire at whom, with which guns, once or again, and what S takes away."""

from __future__ import annotations

import pytest
from caporetto_battery import Battery
from caporetto_shots import FOG, parts

from fronte.engine.panel import checked
from fronte.games.caporetto import assault, volleys
from fronte.games.caporetto.bombarding import Hold
from fronte.games.caporetto.defending import Defend
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits


def near(field: Battery, h: int, direction: int) -> int:
    return field.rules.grid.neighbours[h][direction - 1]


class Line(Battery):
    """An Italian battalion in open ground, assaulted by one from the hex above it."""

    def __init__(self, turn: int = 5, **options: str) -> None:
        super().__init__(turn, **options)
        self.h = self.plain()
        self.source = near(self, self.h, 1)
        self.defender = self.with_mg(ITALIAN, self.h, 2)
        self.assaulter = self.unit(
            AHG, self.source, lambda u: self.rules.morale[u] > 4 and self.rules.full_steps[u] > 1
        )
        self.declare(self.assaulter)

    def declare(self, unit: int) -> None:
        self.state.assaults = (*self.state.assaults, (unit, self.h, 0))

    def fire(self, *pairs: tuple[int, int]) -> Defend:
        return Defend(tuple((self.name(unit), self.rules.grid.ids[h]) for unit, h in pairs))

    def begin(self, counter: int = 0) -> None:
        self.step("defend_step", counter)


# Who is asked


def test_who_is_assaulted_is_asked_and_fires() -> None:
    field = Line()
    field.begin()
    assert (field.waits, field.top.seat) == ("defend", field.rules.seat_index("italian"))
    assert field.state.step == "defend"
    shot = field.fire((field.defender, field.source))
    assert field.legal() == [Hold(), shot]
    field.samples()
    field.answer(shot)
    assert field.waits == "volley_die"
    assert field.top.args[3:5] == ((field.assaulter,), (field.defender,))
    assert field.told("aimed")[0].rules == ("12.2.9",)
    field.throw(6)  # 2-3: D1
    assert (field.waits, field.state.dp[field.assaulter], field.state.aims) == ("", 1, ())


def test_nobody_assaults_nobody_is_asked() -> None:
    field = Line()
    field.state.assaults = ()
    field.begin()
    assert field.waits == ""
    field.state.supports = ((field.assaulter, field.h),)
    field.begin()
    assert field.waits == "defend"  # 12.1.7: to the end of this step


def test_who_holds_fires_nothing() -> None:
    field = Line()
    field.begin()
    field.answer(Hold())
    assert (field.waits, field.state.answered) == ("", 0)


def test_s_takes_the_assault_marker() -> None:
    """12.2.10.S."""
    field = Line()
    second = field.with_mg(ITALIAN, field.h, 2)
    field.begin()
    field.answer(field.fire((field.defender, field.source), (second, field.source)))
    field.throw(6)  # 4-5: D1 S
    assert field.state.assaults == ()
    assert field.state.ooc >> field.assaulter & 1
    assert field.state.activated >> field.assaulter & 1


def test_only_those_who_assault_are_hit() -> None:
    """12.2.2."""
    field = Line()
    idle = field.unit(AHG, field.source)
    field.begin()
    field.answer(field.fire((field.defender, field.source)))
    field.throw(6)
    assert (field.state.dp[field.assaulter], field.state.dp[idle]) == (1, 0)


def test_a_neighbour_fires_too_and_chooses_one_hex() -> None:
    """12.2.1, 12.2.3."""
    field = Line()
    beside, other = near(field, field.h, 2), near(field, field.h, 3)
    second = field.unit(AHG, other, lambda u: field.rules.full_steps[u] > 1)
    field.declare(second)
    neighbour = field.with_mg(ITALIAN, beside, 2)
    field.begin()
    assert field.refused(field.fire((neighbour, field.source), (neighbour, other))) == ("12.2.1", "one_target")
    field.answer(field.fire((field.defender, field.source), (neighbour, other)))
    assert field.top.args[1] == field.source
    field.throw(1)
    assert field.top.args[1] == other
    field.throw(1)
    assert field.waits == ""


def test_refusals_name_their_rule() -> None:
    field = Line()
    far = field.with_mg(ITALIAN, near(field, field.h, 4), 2)
    field.begin()
    assert field.refused(field.fire((far, field.source))) == ("12.2.1", "not_adjacent")
    assert field.refused(field.fire((field.defender, near(field, field.h, 4)))) == ("12.2", "nobody_assaults")
    assert field.refused(field.fire((field.assaulter, field.source))) == ("12.2", "not_defending")
    assert field.refused(Defend(())) == ("12.2", "nobody_fires")
    assert field.refused(Defend(((field.name(field.defender), "0000b"),)))[1] == "no_hex"
    word = field.rules.grid.ids[field.source] + "b"
    assert field.refused(Defend(((field.name(field.defender), word),)))[1] == "no_hex"


def test_in_fog_only_who_is_assaulted_fires() -> None:
    """12.2.1.e1."""
    field = Battery(FOG)
    rules = field.rules
    low = rules.blind[FOG] & ~rules.ground.high
    h = next(field.hexes(lambda h: all(low >> one & 1 for one in (h, *rules.grid.adjacent[h]))))
    source, beside = near(field, h, 1), near(field, h, 2)
    defender, neighbour = field.with_mg(ITALIAN, h, 2), field.with_mg(ITALIAN, beside, 2)
    assaulter = field.unit(AHG, source)
    field.state.assaults = ((assaulter, h, 0),)
    field.step("defend_step", 0)
    shot = [Defend(((field.name(unit), rules.grid.ids[source]),)) for unit in (defender, neighbour)]
    assert field.legal() == [Hold(), shot[0]]
    assert field.refused(shot[1]) == ("12.2.1.e1", "not_assaulted")


def test_neighbours_fire_though_the_assaulted_hex_is_empty() -> None:
    """12.2.11: the bombardment has left nobody there."""
    field = Line()
    neighbour = field.with_mg(ITALIAN, near(field, field.h, 2), 2)
    field.put(field.defender, -1)
    field.begin()
    assert field.legal() == [Hold(), field.fire((neighbour, field.source))]


# 12.2.1: again, or once


@pytest.mark.parametrize(("option", "again"), [("per-step", "defend"), ("once-per-action", "")])
def test_a_unit_fires_in_every_step_or_once_in_an_action(option: str, again: str) -> None:
    field = Line(mobile_assault_df=option)
    field.begin()
    field.answer(field.fire((field.defender, field.source)))
    field.throw(1)
    field.begin()
    assert field.waits == again
    if again:
        field.state.frames.clear()
    assault.end_action(field.state)
    field.declare(field.assaulter)
    field.begin()
    assert field.waits == "defend"


def test_once_in_an_action_is_refused_by_its_rule() -> None:
    field = Line(mobile_assault_df="once-per-action")
    second = field.with_mg(ITALIAN, field.h, 2)
    field.state.answered = 1 << field.defender
    field.begin()
    assert field.refused(field.fire((field.defender, field.source))) == ("12.2.1", "has_answered")
    assert field.why_not(field.fire((second, field.source))) is None


def test_on_the_move_only_those_who_take_part_are_fired_at() -> None:
    """21.5.3."""
    field = Line()
    other = near(field, field.h, 3)
    second = field.unit(AHG, other)
    field.declare(second)
    field.state.mobile = 1 << second
    field.begin()
    assert field.state.step == "mobile_defend"
    assert field.legal() == [Hold(), field.fire((field.defender, other))]


# 12.2.4 to 12.2.8: guns


def corps_gun(field: Line, kind: str, h: int) -> int:
    return field.gun(kind, ITALIAN, h, division=False)


def test_a_gun_that_sees_the_hex_fires_once_a_turn() -> None:
    """12.2.4.B, 12.2.5, 12.2.7, 12.2.8."""
    field = Line()
    gun = corps_gun(field, "medium", near(field, field.h, 4))
    field.state.act = 1 << gun
    field.begin()
    both = field.fire((field.defender, field.source), (gun, field.source))
    assert both in field.legal()
    assert field.fire((gun, field.source)) in field.legal()
    field.samples()
    field.answer(both)
    made = volleys.volley_of(field.rules, field.state, field.top.args)
    assert made.total == parts(2) + parts(field.rules.factor[gun]) // 4
    assert field.state.def_fired == 1 << gun
    field.throw(1)
    field.begin()
    assert field.refused(field.fire((gun, field.source))) == ("12.2.7", "has_defended")


def test_guns_that_never_defend() -> None:
    field = Line()
    behind = near(field, field.h, 4)
    heavy = field.gun("heavy", ITALIAN, behind)
    gun = corps_gun(field, "medium", behind)
    field.begin()
    assert field.refused(field.fire((heavy, field.source))) == ("12.2.4", "too_heavy_to_defend")
    assert field.why_not(field.fire((gun, field.source))) is None
    field.state.emplaced &= ~(1 << gun)
    assert field.refused(field.fire((gun, field.source))) == ("18.1", "not_emplaced")
    field.state.emplaced |= 1 << gun
    field.state.dp[gun] = 2
    assert field.refused(field.fire((gun, field.source))) == ("18.6", "no_factor")
    field.state.dp[gun] = 0
    assert field.refused(field.fire((gun, near(field, field.h, 5)))) == ("12.2", "nobody_assaults")
    field.put(gun, next(field.hexes(lambda h: field.rules.grid.distance(h, field.source) == 7)))
    assert field.refused(field.fire((gun, field.source))) == ("12.2.4", "cannot_defend_there")


def test_groups_do_not_defend() -> None:
    """18.9.3: only AHG has them, so that Italians assault here."""
    field = Battery()
    field.state.active = field.rules.scene.forces.index("italian")
    h = field.plain()
    defender, assaulter = field.unit(AHG, h), field.unit(ITALIAN, near(field, h, 1))
    group = field.gun("medium", AHG, near(field, h, 4), group=True)
    field.state.assaults = ((assaulter, h, 0),)
    field.step("defend_step", 0)
    source = field.rules.grid.ids[near(field, h, 1)]
    assert field.legal() == [Hold(), Defend(((field.name(defender), source),))]
    assert field.refused(Defend(((field.name(group), source),))) == ("18.9.3", "groups_do_not_defend")


def test_guns_of_a_division_fire_with_its_units_only() -> None:
    """18.8."""
    field = Line()
    rules = field.rules
    field.put(field.defender, -1)
    gun = next(
        u
        for u in bits(rules.guns & rules.of_side[ITALIAN] & ~rules.groups)
        if rules.division[u] >= 0 and rules.tables.guns[rules.gun_class[u]].defends
    )
    field.put(gun, near(field, field.h, 4))
    own = next(
        u
        for formation in rules.formations_of_division[rules.division[gun]]
        for u in rules.formations[formation].members
        if u not in field.used and rules.zoc_makers >> u & 1
    )
    division = rules.division[gun]
    stranger = field.unit(
        ITALIAN, field.h, lambda u: (f := rules.formation_of[u]) >= 0 and rules.formations[f].division != division
    )
    field.begin()
    assert field.refused(field.fire((gun, field.source))) == ("18.8", "serves_others")
    assert field.refused(field.fire((stranger, field.source), (gun, field.source))) == ("18.8", "serves_others")
    assert not any(field.name(gun) in dict(action.aims) for action in field.legal() if isinstance(action, Defend))
    field.put(own, field.h)
    both = field.fire((own, field.source), (gun, field.source))
    assert field.why_not(both) is None
    assert any(field.name(gun) in dict(action.aims) for action in field.legal() if isinstance(action, Defend))
    field.samples(100)


def test_no_guns_fire_with_the_brigades_that_have_none() -> None:
    """24.9.2.e1: nor in a fire in which such a brigade takes part; its owner may leave it out."""
    field = Battery(scenario="historical")
    rules, state = field.rules, field.state
    state.active = rules.scene.forces.index("ahg-right")
    names = rules.scene.without_guns
    h = field.plain()
    source = near(field, h, 1)
    poor = field.unit(ITALIAN, h, lambda u: rules.counters[u].formation in names)
    other = field.unit(ITALIAN, h, lambda u: rules.formation_of[u] >= 0 and rules.counters[u].formation not in names)
    gun = field.put(
        next(
            u
            for u in bits(rules.guns & rules.of_force[rules.force[other]])
            if rules.division[u] < 0 and rules.tables.guns[rules.gun_class[u]].defends
        ),
        near(field, h, 4),
    )
    state.assaults = ((field.unit(AHG, source, lambda u: rules.force[u] == state.active), h, 0),)
    field.step("defend_step", 0)
    told = rules.grid.ids[source]

    def fire(*units: int) -> Defend:
        return Defend(tuple((field.name(unit), told) for unit in units))

    assert field.refused(fire(poor, gun)) == ("24.9.2.e1", "without_guns")
    assert field.refused(fire(poor, other, gun)) == ("24.9.2.e1", "without_guns")
    assert field.why_not(fire(other, gun)) is None
    assert field.why_not(fire(poor, other)) is None
    assert field.why_not(fire(gun)) is None
    field.samples(40)


# 12.4.3: step F


def test_at_counter_assaults_the_active_side_fires_without_guns() -> None:
    field = Battery()
    h = field.plain()
    holder, gun = field.with_mg(AHG, h, 4), field.gun("light", AHG, near(field, h, 2))
    counter = field.unit(ITALIAN, near(field, h, 1))
    field.state.assaults = ((holder, near(field, h, 3), 0), (counter, h, 0))
    field.step("defend_step", 1)
    assert (field.waits, field.top.seat) == ("defend", field.rules.seat_index("ahg"))
    assert field.state.step == "counter_defend"
    source = field.rules.grid.ids[near(field, h, 1)]
    assert field.legal() == [Hold(), Defend(((field.name(holder), source),))]
    assert field.refused(Defend(((field.name(gun), source),))) == ("12.4.3", "no_guns_at_counter_assaults")
    field.answer(Defend(((field.name(holder), source),)))
    assert field.top.args[3] == (counter,)
    assert field.top.args[6] == 1  # trenches do not count


# 24.3.zoc


@pytest.mark.parametrize("option", ["voluntary", "none", "mandatory"])
def test_fire_across_the_line(option: str) -> None:
    field = Battery(scenario="historical", boundary_defensive_fire=option)
    rules, state = field.rules, field.state
    state.active = rules.scene.forces.index("ahg-left")
    left, right = rules.homes[state.active], rules.homes[rules.scene.forces.index("ahg-right")]
    only_left = left & ~right
    defender = field.unit(ITALIAN, 0, lambda u: rules.force[u] == rules.scene.forces.index("italian-left"))
    assert rules.home(defender) == right
    h = next(field.hexes(lambda h: right >> h & 1 == 1 and not left >> h & 1 and bool(rules.grid.ring[h] & only_left)))
    field.put(defender, h)
    source = next(bits(rules.grid.ring[h] & only_left))
    assaulter = field.unit(AHG, source, lambda u: rules.force[u] == state.active)
    state.assaults = ((assaulter, next(bits(rules.grid.ring[source] & only_left)), 0),)
    field.step("defend_step", 0)
    shot = Defend(((field.name(defender), rules.grid.ids[source]),))
    assert (field.legal() if field.waits else []) == {"voluntary": [Hold(), shot], "none": [], "mandatory": [shot]}[
        option
    ]
    if option == "mandatory":
        assert field.refused(Hold()) == ("24.3.zoc", "must_fire")
        field.samples()


# The offer


def test_the_offer_says_who_reaches_what() -> None:
    field = Line()
    gun = corps_gun(field, "medium", near(field, field.h, 4))
    field.begin()
    choice = field.rules.choices["defend"]
    offer = choice.offer(field.rules, field.state, field.top)
    assert checked(field.rules.panels, choice.panel, offer)
    target = offer["targets"][field.rules.grid.ids[field.source]]
    assert target["factors"] == {field.name(field.defender): 2, field.name(gun): field.rules.factor[gun] / 4}
