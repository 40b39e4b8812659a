"""4.0-6: the Artillery Phase: trenches given up, modes, barrages, the preparatory bombardment, gas and mines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from caporetto_battery import Battery
from caporetto_packs import game
from caporetto_shots import CLEAR, FOG, parts

import fronte
from fronte.engine import flow
from fronte.engine.decision import AUTO, CHANCE, Decision, Frame
from fronte.engine.event import Event
from fronte.engine.frames import faults
from fronte.engine.notation import from_text, to_text
from fronte.engine.panel import checked
from fronte.games.caporetto import artillery, gunnery, seating, trenches
from fronte.games.caporetto.bombarding import Bombard, Hold
from fronte.games.caporetto.gunnery import Interdict, Keep, Lower, Turn
from fronte.games.caporetto.state import begin as start
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits


def near(field: Battery, h: int, direction: int) -> int:
    return field.rules.grid.neighbours[h][direction - 1]


class Phase(Battery):
    """The Artillery Phase, with nobody on the map yet."""

    def __init__(self, turn: int = CLEAR, scenario: str = "what_if", **options: str) -> None:
        super().__init__(turn, scenario, **options)
        self.state.phase = "artillery"

    def force(self, name: str) -> int:
        return self.rules.scene.forces.index(name)

    def begin(self) -> None:
        gunnery.begin(self.rules, self.state)
        self.settle()

    def until(self, name: str) -> None:
        """Go on to the next decision of a kind; others are answered by leaving everything as it is."""
        if not self.state.frames:
            self.begin()
        while self.waits and self.waits != name:
            self.answer(Hold() if self.waits in ("interdict", "preparatory") else Keep())

    def id(self, h: int) -> str:
        return self.rules.grid.ids[h]

    def trench(self, side: int, level: int = 2) -> int:
        """A trench of a side in which nobody is, that no fog reaches."""
        return next(self.trenches(side, level))

    def trenches(self, side: int, level: int = 2) -> Iterator[int]:
        ground = self.rules.ground
        held = self.state.occ[0] | self.state.occ[1] | self.rules.blind[FOG]
        fits = ground.trench[side] & ~held
        return self.hexes(lambda h: fits >> h & 1 == 1 and ground.trench_level[h] == level)


# The course


def test_ahg_comes_first_and_only_who_has_something_is_asked() -> None:
    field = Phase()
    field.begin()
    assert field.waits == ""
    h = field.plain()
    for side, at in ((ITALIAN, h), (AHG, near(field, h, 1))):
        field.gun("medium", side, at)
    asked = []
    field.begin()
    while field.waits:
        asked.append((field.waits, field.rules.seats[field.top.seat], field.state.step))
        field.answer(Hold() if field.waits == "interdict" else Keep())
    assert asked == [
        ("gun_modes", "ahg", "modes"),
        ("gun_modes", "italian", "modes"),
        ("interdict", "ahg", "interdiction"),
        ("interdict", "italian", "interdiction"),
    ]


def test_only_turn_1_of_the_campaigns_has_a_preparation() -> None:
    """4.0-6.3, 4.0-6.4, 24.12, 25.12."""
    for scenario, turn, prepared in (("what_if", 1, 1), ("what_if", 2, 0), ("historical", 1, 2), ("maggiore", 7, 0)):
        field = Phase(turn, scenario)
        names = [name for name, _ in gunnery.course(field.rules, field.state)]
        assert (names.count("prepare_step"), names.count("gas_and_mines")) == (prepared, bool(prepared))
        forces = [force for name, force in gunnery.course(field.rules, field.state) if name == "interdict"]
        assert forces == seating.forces_in_order(field.rules)


# 17.6.e1: trenches


def test_units_lower_the_trench_they_are_in() -> None:
    field = Phase()
    h = field.trench(ITALIAN)
    field.unit(AHG, h)
    field.begin()
    assert (field.waits, field.rules.seats[field.top.seat], field.state.step) == (
        "lower_trenches",
        "ahg",
        "trench_demolition",
    )
    assert field.legal() == [Keep(), Lower((field.id(h),))]
    field.samples()
    offer = field.rules.choices["lower_trenches"].offer(field.rules, field.state, field.top)
    assert checked(field.rules.panels, "subset", offer)
    assert field.refused(Lower(())) == ("17.6.e1", "nothing_named")
    assert field.refused(Lower((field.id(near(field, h, 1)),))) == ("17.6.e1", "no_trench_to_lower")
    assert field.refused(Lower((field.id(h), field.id(h)))) == ("17.6.e1", "no_trench_to_lower")
    field.answer(Lower((field.id(h),)))
    assert trenches.level(field.rules, field.state, h, ITALIAN) == 1
    field.state.frames.clear()
    field.begin()
    assert field.waits == ""  # 17.8: never below 1


def test_guns_lower_no_trench_and_level_1_stays() -> None:
    field = Phase()
    field.gun("light", AHG, field.trench(ITALIAN))
    field.unit(AHG, field.trench(ITALIAN, level=1))
    assert not gunnery.trenches_held(field.rules, field.state, field.force("ahg"))
    h = field.trench(ITALIAN)
    field.unit(ITALIAN, h)
    assert gunnery.trenches_held(field.rules, field.state, field.force("italian")) == 1 << h
    assert not gunnery.trenches_held(field.rules, field.state, field.force("ahg"))


def test_in_scenario_1_each_force_has_its_own_hexes() -> None:
    field = Phase(scenario="historical")
    h = field.trench(ITALIAN)
    unit = field.unit(ITALIAN, h)
    for force in range(4):
        found = gunnery.trenches_held(field.rules, field.state, force)
        assert found == (1 << h if force == field.rules.force[unit] else 0)


# 18.1: modes


def test_guns_are_turned_in_one_answer() -> None:
    """18.1, 18.2: a medium gun that is put in place cannot fire this turn."""
    field = Phase()
    h = field.plain()
    medium, light = field.gun("medium", AHG, h), field.gun("light", AHG, h)
    field.state.emplaced &= ~(1 << medium)
    field.until("gun_modes")
    assert set(field.legal()) == {
        Keep(),
        Turn(field.names(medium)),
        Turn(field.names(light)),
        Turn(field.names(*sorted((medium, light)))),
    }
    field.samples()
    offer = field.rules.choices["gun_modes"].offer(field.rules, field.state, field.top)
    assert checked(field.rules.panels, "subset", offer)
    field.answer(Turn(field.names(medium, light)))
    assert (field.state.emplaced >> medium & 1, field.state.emplaced >> light & 1) == (1, 0)
    assert (field.state.dp[medium], field.state.dp[light]) == (2, 0)
    assert field.waits == ""  # neither can lay a barrage now


def test_turns_that_are_refused() -> None:
    field = Phase()
    h = field.plain()
    guns = [field.gun("light", AHG, h) for _ in range(3)]
    group = field.gun("heavy", AHG, near(field, h, 1), group=True)
    foreign, unit = field.gun("light", ITALIAN, near(field, h, 3)), field.unit(AHG, h)
    for gun in guns:
        field.state.emplaced &= ~(1 << gun)
    field.until("gun_modes")
    assert field.refused(Turn(field.names(*guns))) == ("11.1.e3", "too_many_guns")
    assert field.why_not(Turn(field.names(*guns[:2]))) is None
    assert field.refused(Turn(field.names(group))) == ("18.9.1", "group_stays")
    assert field.refused(Turn(field.names(foreign))) == ("18.1", "no_gun_of_yours")
    assert field.refused(Turn(field.names(unit))) == ("18.1", "no_gun_of_yours")
    assert field.refused(Turn(())) == ("18.1", "nothing_named")
    assert field.refused(Turn(field.names(guns[0], guns[0])))[1] == "named_twice"
    field.samples()
    field.state.emplaced |= 1 << guns[0] | 1 << guns[1]
    assert field.refused(Turn(field.names(guns[2]))) == ("11.1.e3", "too_many_guns")
    assert field.why_not(Turn(field.names(guns[2], guns[0]))) is None  # one goes, one comes


def test_in_turn_1_italian_guns_stay_in_place() -> None:
    """24.9.e1."""
    field = Phase(FOG)
    gun = field.gun("light", ITALIAN, field.plain())
    assert not gunnery.turnable(field.rules, field.state, field.force("italian"))
    assert field.rules.scene.opening.limber is False
    field.state.turn = 2
    assert gunnery.turnable(field.rules, field.state, field.force("italian")) == [gun]


# 12.1.6: barrages


def test_barrages_of_both_sides_are_added_and_fall_when_all_are_laid() -> None:
    field = Phase()
    state, h = field.state, field.plain()
    mine, theirs = field.gun("medium", AHG, near(field, h, 1)), field.gun("medium", ITALIAN, near(field, h, 4))
    victim = field.unit(AHG, h)
    before = state.points[field.force("italian")]
    field.until("interdict")
    assert Interdict(((field.name(mine), field.id(h)),)) in field.legal()
    field.samples(20)
    field.answer(Interdict(((field.name(mine), field.id(h)),)))
    assert (field.waits, field.rules.seats[field.top.seat]) == ("interdict", "italian")
    assert dict(state.barrages) == {h: parts(field.rules.factor[mine])}
    assert state.act == 1 << mine
    field.answer(Interdict(((field.name(theirs), field.id(h)),)))
    both = field.rules.factor[mine] + field.rules.factor[theirs]
    assert dict(state.barrages) == {h: parts(both)}
    assert (field.waits, field.top.args[3]) == ("volley_die", (victim,))
    assert state.points[field.force("italian")] == before  # one gun is no full five
    field.throw(2)
    assert (field.waits, dict(state.struck)) == ("", {h: 1 << victim})
    assert [event.data["factors"] for event in field.told("interdicted")] == [field.rules.factor[mine], both]


def test_everybody_in_the_hexes_suffers_once() -> None:
    field = Phase()
    state, h = field.state, field.plain()
    other = near(field, h, 3)
    units = [field.unit(AHG, h), field.unit(AHG, h), field.unit(ITALIAN, other)]
    placed = field.gun("light", AHG, h)
    state.barrages = tuple(sorted([(h, parts(40)), (other, parts(40))]))
    field.begin()
    hit = []
    while field.waits:
        assert field.waits in ("volley_die", "gun_modes", "interdict"), field.waits
        if field.waits == "volley_die":
            hit.append(field.top.args[3])
            field.throw(1)
            if field.waits == "volley_star":
                field.throw(6)
        else:
            field.answer(Keep() if field.waits == "gun_modes" else Hold())
    assert sorted(hit) == sorted((unit,) for unit in units)
    assert (placed,) not in hit


def test_who_is_under_no_barrage_is_left_alone() -> None:
    field = Phase()
    field.unit(AHG, field.plain())
    field.begin()
    assert (field.waits, field.events) == ("", [])


@pytest.mark.parametrize(("option", "prices"), [("full-fives", {4: 0, 5: 1, 6: 1}), ("round-up", {4: 1, 5: 1, 6: 2})])
def test_italians_pay_for_their_barrages(option: str, prices: dict[int, int]) -> None:
    """12.1.6.e4, `interdiction_lp`."""
    for number, price in prices.items():
        field = Phase(interdiction_lp=option)
        h, force = field.plain(), field.force("italian")
        guns = [field.gun("medium", ITALIAN, near(field, h, k % 6 + 1)) for k in range(number)]
        action = Interdict(tuple((field.name(gun), field.id(h)) for gun in guns))
        field.until("interdict")
        field.state.points[force] = price
        field.answer(action)
        assert field.state.points[force] == 0
        (paid,) = field.told("paid") or [None]
        assert (paid is None) == (not price)
        if paid is not None:
            assert paid.seats == 1 << field.rules.seat_index("italian")  # lp_visibility
        if price:
            field = Phase(interdiction_lp=option)
            guns = [field.gun("medium", ITALIAN, near(field, h, k % 6 + 1)) for k in range(number)]
            field.until("interdict")
            field.state.points[force] = price - 1
            assert field.refused(action) == ("12.1.6.e4", "too_dear")
            field.samples(20)


def test_ahg_pays_nothing() -> None:
    field = Phase()
    h = field.plain()
    guns = [field.gun("light", AHG, near(field, h, k % 6 + 1)) for k in range(6)]
    field.until("interdict")
    field.answer(Interdict(tuple((field.name(gun), field.id(h)) for gun in guns)))
    assert not field.told("paid")


def test_barrages_that_are_refused() -> None:
    field = Phase()
    h = field.plain()
    gun, foreign = field.gun("medium", AHG, near(field, h, 1)), field.gun("medium", ITALIAN, near(field, h, 4))
    limbered = field.gun("light", AHG, near(field, h, 1))
    field.state.emplaced &= ~(1 << limbered)
    far = next(field.hexes(lambda there: field.rules.grid.distance(h, there) > field.rules.range[gun] + 1))
    field.until("interdict")
    name = field.name(gun)
    assert field.refused(Interdict(((name, field.id(far)),))) == ("12.1", "out_of_range")
    assert field.refused(Interdict(((field.name(foreign), field.id(h)),))) == ("12.1.6", "no_gun_of_yours")
    assert field.refused(Interdict(((field.name(limbered), field.id(h)),))) == ("18.1", "not_emplaced")
    assert field.refused(Interdict(((name, field.id(h) + "b"),)))[1] == "no_hex"
    assert field.refused(Interdict(())) == ("12.1.6", "nobody_fires")
    unseen = next(
        there
        for there in bits(artillery.covers(field.rules, field.state, gun))
        if not gunnery.barrage_hexes(field.rules, field.state, gun, 0) >> there & 1
    )
    assert field.refused(Interdict(((name, field.id(unseen)),))) == ("12.1.1", "not_observed")


def test_who_is_out_of_command_observes_for_barrages() -> None:
    """12.1.6.e1."""
    field = Phase()
    h = field.plain()
    group = field.gun("heavy", AHG, h, group=True)
    gun = field.gun("light", AHG, near(field, h, 2))
    field.put(group, next(field.hexes(lambda there: _behind(field, group, there, h))))
    field.until("interdict")
    field.state.ooc = 1 << gun
    action = Interdict(((field.name(group), f"{field.id(h)}:2"),))
    assert field.why_not(action) is None
    field.answer(action)
    assert dict(field.state.loose) == {h: parts(2)}
    assert not field.state.act >> group & 1


def _behind(field: Battery, gun: int, there: int, h: int) -> bool:
    field.put(gun, there)
    near_enough = 1 < field.rules.grid.distance(there, h) <= field.rules.range[gun]
    return near_enough and not artillery.observation.sees(field.rules, field.state, gun, h)


def test_the_offer_of_barrages_has_the_column_at_half_strength() -> None:
    field = Phase()
    h = field.plain()
    gun = field.gun("medium", AHG, near(field, h, 1))
    field.until("interdict")
    choice = field.rules.choices["interdict"]
    offer = choice.offer(field.rules, field.state, field.top)
    assert checked(field.rules.panels, choice.panel, offer)
    factor = field.rules.factor[gun]
    fire = field.rules.tables.fire
    told = _told(offer, field.id(h))
    assert told == {
        "factors": {field.name(gun): factor},
        "column": fire.columns[fire.column(parts(factor / 2), 32)],
    }


def _told(offer: dict[str, Any], target: str) -> dict[str, Any]:
    """What an offer says of a target, or of that which is like it."""
    found: dict[str, Any] = offer["targets"][target]
    if "like" not in found:
        return found
    other = _told(offer, found["like"])
    factors = {name: factor for name, factor in other["factors"].items() if name not in found.get("less", ())}
    return {"factors": factors | found.get("more", {}), "column": found.get("column", other["column"])}


@pytest.mark.parametrize(("scenario", "size"), [("historical", 30_000), ("what_if", 50_000)])
def test_the_offer_of_barrages_tells_once_what_is_true_of_many_hexes(scenario: str, size: int) -> None:
    match, rng = fronte.new("caporetto", scenario, seed=0), Random(0)
    while match.decision is None or match.decision.kind != "interdict" or len(match.offer["targets"]) < 300:
        match.play(match.sample(rng))
    offer, rules, state = match.offer, match.rules, match.state
    assert len(match.offer_json()) < size, "88,000 and more when each hex had a line for each gun"
    force = state.frames[-1].args[0]
    observed = artillery.observation.in_barrage(rules, state, rules.scene.force_side[force])
    mine = list(bits(gunnery.layers(rules, state, force)))
    hexes = {rules.ids[gun]: gunnery.barrage_hexes(rules, state, gun, observed) for gun in mine}
    for target in offer["targets"]:
        h, factors = rules.grid.index[target], _told(offer, target)["factors"]
        assert sorted(factors) == sorted(name for name in hexes if hexes[name] >> h & 1)
        for name, factor in factors.items():
            shot = artillery.all_of(rules, state, rules.number[name])
            assert artillery.strength(rules, state, shot, h) == parts(factor)


# 24.12: the preparatory bombardment


class Eve(Phase):
    """The morning of 24 October: two trenches with a battalion each, and guns that reach both through the fog."""

    def __init__(self) -> None:
        super().__init__(FOG)
        ground = self.rules.ground
        held = ground.trench[ITALIAN]
        self.h = next(self.hexes(lambda h: held >> h & 1 == 1 and bool(held & self.rules.grid.ring[h])))
        self.other = next(bits(held & self.rules.grid.ring[self.h]))
        self.battalions = [self.unit(ITALIAN, h) for h in (self.h, self.other)]
        beside = next(h for h in self.rules.grid.adjacent[self.h] if not held >> h & 1)
        self.first, self.second = (self.gun("heavy", AHG, beside, group=True) for _ in range(2))
        self.state.mines = self.state.gas = ()

    def shells(self, gun: int, h: int, points: int = 0) -> Bombard:
        return Bombard(((self.name(gun), f"{self.id(h)}:{points}" if points else self.id(h)),))


def test_bombardments_are_resolved_one_after_another() -> None:
    field = Eve()
    field.until("preparatory")
    assert (field.state.step, field.rules.seats[field.top.seat]) == ("preparation", "ahg")
    assert field.shells(field.first, field.h) in field.legal(50)
    field.samples()
    split = Bombard(((field.name(field.first), field.id(field.h)), (field.name(field.second), field.id(field.other))))
    assert field.refused(split) == ("24.12", "one_after_another")
    assert field.refused(Bombard(())) == ("24.12", "nobody_fires")
    field.answer(field.shells(field.first, field.h))
    assert field.waits == "volley_die"
    both = 1 << field.first
    assert (field.state.act, field.state.def_fired) == (both, both)
    field.throw(1)
    while field.waits in ("volley_star", "share_losses"):
        field.throw(6)
    assert field.waits == "preparatory"
    assert field.refused(field.shells(field.first, field.h)) == ("12.1.2", "has_fired")
    field.answer(field.shells(field.second, field.other))
    field.throw(1)
    while field.waits == "volley_star":
        field.throw(6)
    assert field.waits == ""  # nobody has anything left


def test_a_group_is_spread_over_targets_and_then_done() -> None:
    """18.9, 24.12.e2."""
    field = Eve()
    field.until("preparatory")
    field.answer(field.shells(field.first, field.h, 2))
    field.throw(1)
    assert field.waits == "preparatory"
    assert not field.state.act >> field.first & 1
    field.answer(field.shells(field.first, field.other, 2))
    field.throw(1)
    field.answer(Hold())
    assert (field.waits, field.state.act) == ("", 1 << field.first)
    assert field.state.def_fired == 1 << field.first


def test_who_does_not_fire_may_still_defend() -> None:
    """24.12.e2: the others are not marked."""
    field = Eve()
    field.until("preparatory")
    field.answer(Hold())
    assert (field.waits, field.state.act, field.state.def_fired) == ("", 0, 0)


def test_hexes_of_mines_and_gas_are_no_targets() -> None:
    """24.12.e3."""
    for word in ("mines", "gas"):
        field = Eve()
        setattr(field.state, word, (field.h,))
        field.until("preparatory")
        assert field.refused(field.shells(field.first, field.h)) == ("24.12.e3", "mined")
        assert field.why_not(field.shells(field.first, field.other)) is None
        assert not any(field.id(field.h) in dict(action.aims).values() for action in field.legal(50)[1:])
        field.samples(20)


def test_ground_that_is_on_no_map_must_be_observed() -> None:
    """24.12.e1."""
    field = Eve()
    rules, ground = field.rules, field.rules.ground
    known = gunnery.observation.considered(rules, field.state) | rules.ground.trench[ITALIAN]
    reach = artillery.covers(rules, field.state, field.first)
    h = next(h for h in bits(reach & ~known & rules.blind[FOG] & ground.extent))
    field.unit(ITALIAN, h)
    field.until("preparatory")
    assert field.refused(field.shells(field.first, h)) == ("12.1.1", "not_observed")


def test_nothing_goes_astray_in_turn_1() -> None:
    """12.1.5.6.e2."""
    field = Eve()
    field.until("preparatory")
    field.answer(field.shells(field.first, field.h))
    field.throw(6)
    assert field.waits != "astray_die"


# 24.13: gas and mines


def test_mines_and_gas_after_the_preparation() -> None:
    field = Eve()
    field.state.mines, field.state.gas = (field.h,), (field.other,)
    field.until("volley_die")  # the preparation has no other targets, and nobody is asked about the order
    assert field.state.step == "gas_and_mines"
    scene = field.rules.scene
    assert (field.top.args[1], field.top.args[5:]) == (field.h, (scene.mines.column, 1))
    field.throw(3)
    assert (field.top.args[1], field.top.args[5:]) == (field.other, (scene.gas.column, 0))
    field.throw(2)
    assert field.waits == ""


def test_the_historical_campaign_has_five_attacks() -> None:
    field = Battery(FOG, "historical")
    assert (len(field.state.mines), len(field.state.gas)) == (4, 1)
    field.state.phase = "artillery"
    for h in (*field.state.mines, *field.state.gas):
        field.unit(ITALIAN, h, lambda u: field.rules.full_steps[u] > 1)
    gunnery.begin(field.rules, field.state)
    field.settle()
    thrown = 0
    while field.waits:
        if field.waits == "volley_die":
            thrown += 1
            field.throw(1)
        elif field.waits == "volley_star":
            field.throw(6)
        else:
            field.answer(Hold() if field.waits in ("interdict", "preparatory") else Keep())
    assert thrown == 5


# At random, with everybody on the map


@pytest.mark.parametrize(("scenario", "turn"), [("historical", 1), ("what_if", 1), ("historical", 3), ("cividale", 7)])
def test_every_state_of_the_phase_is_sound(scenario: str, turn: int) -> None:
    """Whatever is drawn is legal, every state comes back from its position, and everything that happens has words."""
    rules, rng, events = game(scenario), Random(turn), list[Event]()
    state = start(rules, bytes(32))
    state.turn, state.phase, state.frames = turn, "artillery", [Frame("next_phase", AUTO)]
    gunnery.begin(rules, state)
    asked = set()
    while len(state.frames) > 1:
        frame = state.frames[-1]
        if frame.seat == AUTO:
            state.frames.pop()
            rules.steps[frame.name](rules, state, frame, events)
            continue
        assert rules.broken(state) == []
        assert rules.from_position(json.loads(json.dumps(rules.to_position(state)))).frames == state.frames
        if frame.seat == CHANCE:
            state.frames.pop()
            rules.chances[frame.name].fall(rules, state, frame, flow.draw(state, 1), events)
            continue
        asked.add(frame.name)
        choice = rules.choices[frame.name]
        action = choice.sample(rules, state, frame, rng)
        assert choice.why_not(rules, state, frame, action) is None
        for language in ("en", "it"):
            about = choice.about(rules, state, frame)
            assert rules.texts(language).ask(Decision(rules.seats[frame.seat], frame.name, (), about))
        assert from_text(to_text(action), choice.verbs) == action
        choice.apply(rules, state, frame, action, events)
    assert {"gun_modes", "interdict"} <= asked
    assert ("preparatory" in asked) == (turn == 1)
    for language in ("en", "it"):
        assert all(rules.texts(language).event(event) for event in events)


def test_frames_that_cannot_be_are_found() -> None:
    field = Eve()
    state = field.state
    state.frames = [Frame("next_phase", AUTO), Frame("artillery_step", AUTO, (10,))]
    good = list(state.frames)
    for name, args in (
        ("prepare_step", (3,)),
        ("volley", (3, field.h, field.h, (), (), 99, 1)),
        ("volley", (5, field.h, field.h, (field.battalions[0],), (field.first,), 0, 0)),
    ):
        state.frames = [*good, Frame(name, AUTO, args)]
        assert any(name in found for found in faults(field.rules.frames, field.rules, state)), name
    throw = (0, field.h, field.h, (field.battalions[0],), (field.first,), 0, 0)
    state.frames = [*good, Frame("prepare_step", AUTO, (0,)), Frame("volley_die", CHANCE, throw)]
    assert any("volley_die" in found for found in faults(field.rules.frames, field.rules, state))  # nobody aims
    state.aims = ((field.first, field.h, parts(5), 0),)
    assert not any("volley_die" in found for found in faults(field.rules.frames, field.rules, state))
