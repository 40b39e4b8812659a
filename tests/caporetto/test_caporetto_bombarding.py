"""12.1.3, 12.1.4, 12.1.7, 18.9: step B: who may designate what, in which order it is resolved, and by whose dice."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_battery import Battery
from caporetto_packs import game
from caporetto_shots import FOG, parts

from fronte.engine import flow
from fronte.engine.decision import AUTO, CHANCE, Decision, Frame
from fronte.engine.event import Event
from fronte.engine.frames import faults
from fronte.engine.notation import from_text, to_text
from fronte.engine.panel import checked
from fronte.games.caporetto import aims, artillery, fire, volleys
from fronte.games.caporetto.bombarding import Bombard, Hold, Resolve, some_target
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.state import State
from fronte.games.caporetto.state import begin as start
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits, mask_of


def near(field: Battery, h: int, direction: int) -> int:
    return field.rules.grid.neighbours[h][direction - 1]


def assign(field: Battery, *guns: int) -> None:
    """These guns act with the first formation of AHG, whose headquarters reaches every hex."""
    field.state.pool = ((0, mask_of(guns)),)
    field.state.reach = field.rules.ground.extent


def aimed(field: Battery, *pairs: tuple[int, int]) -> Bombard:
    return Bombard(tuple((field.name(gun), field.rules.grid.ids[h]) for gun, h in pairs))


def at(field: Battery, h: int, battery: bool = False, points: int = 0) -> str:
    return aims.word(field.rules, (h, int(battery)), points)


def begin(field: Battery) -> None:
    field.step("bombard_step")


class Front(Battery):
    """A battalion in open ground and a medium gun beside it, which is assigned."""

    def __init__(self, turn: int = 5, **options: str) -> None:
        super().__init__(turn, **options)
        self.h = self.plain()
        self.defender = self.unit(ITALIAN, self.h)
        self.medium = self.gun("medium", AHG, near(self, self.h, 1))
        assign(self, self.medium)


# Who is asked


def test_who_has_a_target_designates_it_and_it_is_resolved() -> None:
    field = Front()
    begin(field)
    assert (field.waits, field.top.seat, field.state.step) == ("bombard", field.rules.seat_index("ahg"), "bombard")
    assert field.legal() == [Hold(), aimed(field, (field.medium, field.h))]
    field.samples()
    field.answer(aimed(field, (field.medium, field.h)))
    assert field.waits == "volley_die"
    assert field.state.act >> field.medium & 1
    (told,) = field.told("aimed")
    assert (told.data["units"], told.rules) == (field.names(field.medium), ("12.1.3",))
    field.throw(2)
    assert (field.waits, field.state.aims) == ("", ())


def test_who_holds_fires_nothing_and_may_fire_later() -> None:
    field = Front()
    begin(field)
    field.answer(Hold())
    assert (field.waits, field.state.act) == ("", 0)


def test_nobody_is_asked_where_nothing_can_be_fired_at() -> None:
    for spoil in (
        lambda field: field.put(field.defender, -1),
        lambda field: assign(field),
        lambda field: setattr(field.state, "act", 1 << field.medium),
        lambda field: setattr(field.state, "ooc", 1 << field.medium),
        lambda field: setattr(field.state, "emplaced", 0),
    ):
        field = Front()
        spoil(field)
        begin(field)
        assert field.waits == ""


def test_in_turn_1_guns_of_ahg_are_done_with_the_preparation() -> None:
    """24.12."""
    field = Front(FOG)
    begin(field)
    assert field.waits == ""
    field.state.turn = 3
    begin(field)
    assert field.waits == "bombard"


# Refusals


def test_each_refusal_names_its_rule() -> None:
    field = Front()
    rules, state, h, medium = field.rules, field.state, field.h, field.medium
    far = next(field.hexes(lambda there: rules.grid.distance(h, there) > rules.range[medium] + 1))
    field.unit(ITALIAN, far)
    stranger = field.gun("medium", AHG, near(field, h, 1))
    begin(field)
    assert field.refused(aimed(field, (medium, far))) == ("12.1", "out_of_range")
    assert field.refused(aimed(field, (stranger, h))) == ("12.1.3", "not_assigned")
    assert field.refused(aimed(field, (medium, near(field, h, 4)))) == ("12.1.3", "nobody_there")
    assert field.refused(Bombard(((field.name(medium), at(field, h, battery=True)),))) == ("12.1.3", "no_guns_there")
    assert field.refused(Bombard(())) == ("12.1.3", "nobody_fires")
    assert field.refused(aimed(field, (medium, h), (medium, near(field, h, 4)))) == ("12.1.3", "one_target")
    assert field.refused(Bombard(((field.name(medium), at(field, h, points=1)),))) == ("12.1.3", "not_divided")
    assert field.refused(Bombard((("nobody", at(field, h)),)))[1] == "no_unit"
    assert field.refused(Bombard(((field.name(medium), "here"),)))[1] == "no_hex"
    state.act |= 1 << medium
    assert field.refused(aimed(field, (medium, h))) == ("12.1.2", "has_fired")


def test_a_target_must_be_observed() -> None:
    """12.1.1: a heavy gun behind a mountain fires at what somebody in reach of the headquarters sees."""
    field = Battery()
    rules, state, h = field.rules, field.state, field.plain()
    field.unit(ITALIAN, h)
    heavy = field.gun("heavy", AHG, h, group=True)
    hidden = next(field.hexes(lambda there: _is_behind(field, heavy, there, h)))
    field.put(heavy, hidden)
    assign(field, heavy)
    begin(field)
    assert field.waits == ""
    gun = field.gun("light", AHG, near(field, h, 2))  # a post, though it is not assigned itself
    begin(field)
    assert field.waits == "bombard"
    assert field.why_not(aimed(field, (heavy, h))) is None
    state.reach = 0
    assert field.refused(aimed(field, (heavy, h))) == ("12.1.1", "not_observed")
    state.reach, state.ooc = rules.ground.extent, 1 << gun
    assert field.refused(aimed(field, (heavy, h))) == ("12.1.1", "not_observed")


def _is_behind(field: Battery, gun: int, there: int, h: int) -> bool:
    field.put(gun, there)
    near_enough = 1 < field.rules.grid.distance(there, h) <= field.rules.range[gun]
    return near_enough and not fire.observation.sees(field.rules, field.state, gun, h)


# 12.1.3: two kinds of target in a hex


def test_guns_in_place_are_a_target_of_their_own() -> None:
    field = Front()
    h = field.h
    placed, other = field.gun("light", ITALIAN, h), field.gun("medium", AHG, near(field, h, 2))
    assign(field, field.medium, other)
    begin(field)
    first, second = field.name(field.medium), field.name(other)
    assert Bombard(((first, at(field, h, battery=True)),)) in field.legal()
    field.answer(Bombard(((first, at(field, h)), (second, at(field, h, battery=True)))))
    assert field.waits == "fire_order"
    assert field.legal() == [Resolve((at(field, h), at(field, h, True))), Resolve((at(field, h, True), at(field, h)))]
    field.samples(5)
    assert field.refused(Resolve((at(field, h),))) == ("12.1.4", "not_the_targets")
    field.answer(Resolve((at(field, h, battery=True), at(field, h))))
    assert field.top.args[3] == (placed,)
    field.throw(1)
    assert field.top.args[3] == (field.defender,)
    field.throw(1)
    assert (field.waits, field.state.aims) == ("", ())


def test_the_order_is_asked_only_where_it_can_matter() -> None:
    """12.1.4: guns that see their targets: nothing of one can fall on the other, and nobody is asked."""
    field = Front()
    h, other = field.h, near(field, field.h, 3)
    field.unit(ITALIAN, other)
    second = field.gun("medium", AHG, near(field, h, 2))
    assign(field, field.medium, second)
    begin(field)
    field.answer(aimed(field, (field.medium, h), (second, other)))
    assert field.waits == "volley_die"
    assert field.top.args[1] == h
    field.throw(1)
    assert field.top.args[1] == other


def test_the_order_matters_where_something_can_go_astray() -> None:
    field = Battery()
    h = field.plain()
    field.unit(ITALIAN, h)
    field.unit(ITALIAN, near(field, h, 4))
    heavy = field.gun("heavy", AHG, h, group=True)
    field.put(heavy, next(field.hexes(lambda there: _is_behind(field, heavy, there, h))))
    post = field.gun("medium", AHG, near(field, h, 1))
    assign(field, heavy, post)
    begin(field)
    field.answer(aimed(field, (heavy, h), (post, near(field, h, 4))))
    assert field.waits == "fire_order"


# 18.9: groups


def test_a_group_divides_its_points() -> None:
    field = Battery()
    h = field.plain()
    there = near(field, h, 3)
    for one in (h, there):
        field.unit(ITALIAN, one)
    group = field.gun("heavy", AHG, near(field, h, 2), group=True)
    assign(field, group)
    most = field.rules.factor[group]
    begin(field)
    name = field.name(group)
    parted = Bombard(((name, at(field, h, points=2)), (name, at(field, there, points=1))))
    assert parted in field.legal()
    assert len(set(field.legal())) == len(field.legal())
    assert all(field.why_not(action) is None for action in field.legal(500))
    field.samples(100)
    over = Bombard(((name, at(field, h, points=most)), (name, at(field, there, points=1))))
    assert field.refused(over) == ("18.9", "too_many_points")
    nothing_left = Bombard(((name, at(field, h, points=most)), (name, at(field, there))))
    assert field.refused(nothing_left) == ("18.9", "too_many_points")
    twice = Bombard(((name, at(field, h, points=1)), (name, at(field, h, points=2))))
    assert field.refused(twice)[1] == "named_twice"
    field.answer(Bombard(((name, at(field, h, points=2)), (name, at(field, there)))))
    totals = []
    while field.waits == "volley_die":
        totals.append(volleys.volley_of(field.rules, field.state, field.top.args).total)
        field.throw(1)
        if field.waits == "volley_star":
            field.throw(6)
    assert totals == [parts(2), parts(most - 2)]
    assert field.state.act >> group & 1


def test_a_group_keeps_what_it_has_not_fired() -> None:
    """18.9, `group_split`: in another activation, or by the option in this one alone."""
    for option, done in (("pool-per-turn", 0), ("one-activation", 1)):
        field = Front(group_split=option)
        group = field.gun("heavy", AHG, near(field, field.h, 2), group=True)
        assign(field, group)
        begin(field)
        field.answer(Bombard(((field.name(group), at(field, field.h, points=2)),)))
        field.throw(1)
        assert field.waits == ""
        assert field.state.act >> group & 1 == done
        left = field.rules.factor[group] - 2
        assert artillery.left(field.rules, field.state, group) == (0 if done else parts(left))


# 12.1.7: support fire


def test_support_is_fired_without_a_question() -> None:
    field = Front()
    assign(field)
    supporter = field.with_mg(AHG, near(field, field.h, 3), 4)
    field.state.supports = ((supporter, field.h),)
    begin(field)
    assert (field.waits, field.top.args[4]) == ("volley_die", (supporter,))
    field.throw(1)
    assert field.waits == ""
    assert field.state.supports == ((supporter, field.h),)  # to be fired at in step C


def test_support_joins_the_guns_at_the_same_units() -> None:
    field = Front()
    supporter = field.with_mg(AHG, near(field, field.h, 3), 4)
    field.state.supports = ((supporter, field.h),)
    begin(field)
    field.answer(aimed(field, (field.medium, field.h)))
    assert field.top.args[4] == (field.medium, supporter)
    field.throw(1)
    if field.waits == "volley_star":
        field.throw(6)
    assert field.waits == ""


# The offer


def test_the_offer_says_who_reaches_what_and_the_column() -> None:
    field = Front()
    supporter = field.with_mg(AHG, near(field, field.h, 3), 4)
    field.state.supports = ((supporter, field.h),)
    begin(field)
    choice = field.rules.choices["bombard"]
    offer = choice.offer(field.rules, field.state, field.top)
    assert checked(field.rules.panels, choice.panel, offer)
    target = offer["targets"][at(field, field.h)]
    factor = field.rules.factor[field.medium]
    assert target["factors"] == {field.name(field.medium): factor}
    assert target["support"] == 4
    fired = fire.bombardment(
        field.rules, field.state, field.h, [artillery.all_of(field.rules, field.state, field.medium)], [supporter]
    )
    assert target["column"] == field.rules.tables.fire.columns[fired.column]


# At random, with everybody on the map


@pytest.mark.parametrize(("scenario", "turn"), [("historical", 5), ("what_if", 3)])
def test_every_state_of_both_steps_of_fire_is_sound(scenario: str, turn: int) -> None:
    """12.1.3, 12.2: whatever is drawn is legal and can be written in a line; every state comes back from its position,
    and everything that happens has words."""
    rules, asked = game(scenario), set()
    for seed in range(12):
        rng, events = Random(seed), list[Event]()
        state = _about_to_bombard(rules, turn, rng)
        while state.frames[-1].name != "assault_step":
            frame = state.frames[-1]
            if frame.seat == AUTO:
                state.frames.pop()
                rules.steps[frame.name](rules, state, frame, events)
                continue
            assert list(faults(rules.frames, rules, state)) == []
            assert rules.to_position(state)["frames"]
            if frame.seat == CHANCE:
                state.frames.pop()
                rules.chances[frame.name].fall(rules, state, frame, flow.draw(state, 1), events)
                continue
            asked.add(frame.name)
            choice = rules.choices[frame.name]
            assert checked(rules.panels, choice.panel, choice.offer(rules, state, frame))
            action = choice.sample(rules, state, frame, rng)
            assert choice.why_not(rules, state, frame, action) is None
            assert from_text(to_text(action), choice.verbs) == action
            for language in ("en", "it"):
                told = Decision(rules.seats[frame.seat], frame.name, (), choice.about(rules, state, frame))
                assert rules.texts(language).ask(told)
            choice.apply(rules, state, frame, action, events)
        assert state.aims == ()
        for language in ("en", "it"):
            assert all(rules.texts(language).event(event) for event in events)
    assert {"bombard", "defend"} <= asked


def _about_to_bombard(rules: Caporetto, turn: int, rng: Random) -> State:
    """A formation next to the enemy acts with all guns that it can have, and everybody assaults whom he can."""
    state = start(rules, rng.randbytes(32))
    state.turn, state.phase, state.kind, state.reach = turn, "action", "action", rules.ground.extent
    ready: dict[int, list[tuple[int, int, int]]] = {}
    for number, one in enumerate(rules.formations):
        for unit in one.members:
            here = state.at[unit]
            beside = [h for h in rules.grid.adjacent[here] if state.occ[1 - one.side] >> h & 1] if here >= 0 else []
            if beside and rules.assaulting >> unit & 1:
                ready.setdefault(number, []).append((unit, rng.choice(beside), 0))
    acting = rng.choice(list(ready))
    state.active, state.formations = rules.formations[acting].force, (acting,)
    state.assaults = tuple(ready[acting])
    guns = list(bits(artillery.serving(rules, state, acting)))
    state.pool = ((acting, mask_of(rng.sample(guns, min(len(guns), rules.most_assigned)))),)
    names = (
        ("next_phase",),
        ("next_action",),
        ("complete",),
        ("assault_step", 0),
        ("defend_step", 0),
        ("bombard_step",),
    )
    state.frames = [Frame(str(one[0]), AUTO, one[1:]) for one in names]
    return state


@pytest.mark.parametrize(("fog", "told"), [("off", 1), ("on", None)])
def test_the_offer_does_not_tell_who_is_covered(fog: str, told: int | None) -> None:
    """22.3: cavalry shifts the column; far from the enemy nobody knows that it is there."""
    field = Front(fog_of_war=fog)
    rules, state, h = field.rules, field.state, field.h
    for unit in (field.medium, field.defender):
        field.put(unit, -1)
    field.unit(ITALIAN, h, mask=rules.cavalry)
    group = field.gun("heavy", AHG, h, group=True)
    field.put(group, next(field.hexes(lambda there: _is_behind(field, group, there, h))))
    made = {(h, 0): fire.bombardment(rules, state, h, [artillery.all_of(rules, state, group)])}
    seat = rules.seat_index("ahg")
    (target,) = aims.offered(rules, state, seat, [aims.Barrel(group, ((h, 0),))], made).values()
    assert target.shift == told


@pytest.mark.parametrize("hexes", [((3, 90, 1400), (3, 7)), ((), (5, 6)), ((2,), ())])
def test_every_target_of_a_gun_has_its_chance(hexes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    """12.1.3: units and guns in place, and nothing else."""
    rng, field = Random(2), (mask_of(hexes[0]), mask_of(hexes[1]))
    targets = {(h, battery) for battery, some in enumerate(hexes) for h in some}
    assert {some_target(field, rng) for _ in range(40 * len(targets))} == targets
