"""24.8, 25.8, 25.13: set-up. Who chooses what, where units may be put, mines, gas and the bridge at Tolmino."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_packs import game
from caporetto_turns import asked, kinds, leave_out_the_fighting, play, started, why_not

from fronte.engine import flow
from fronte.games.caporetto import flamethrowers, setting_up
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import WAITING
from fronte.games.caporetto.setting_up import Clear, Lay, Listed, Place, Ready
from fronte.games.caporetto.state import State, begin, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits


@pytest.fixture(autouse=True)
def _no_fighting(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_out_the_fighting(monkeypatch)


def italian() -> tuple[Caporetto, State]:
    """Scenario 2 with the Italians at set-up."""
    rules = game("what_if")
    state, _ = started(rules)
    return rules, state


def ahg() -> tuple[Caporetto, State]:
    """Scenario 2 with the AHG at set-up."""
    rules, state = italian()
    play(rules, state, Listed())
    play(rules, state, Ready())
    assert asked(rules, state) == ("set_up", "ahg")
    return rules, state


# Who is asked


@pytest.mark.parametrize("scenario", ["maggiore", "cividale", "historical"])
def test_who_has_nothing_to_choose_is_not_asked(scenario: str) -> None:
    """24.8, 26.4, 27.4: all hexes are listed there; everybody stands in his own."""
    rules = game(scenario)
    state, _ = started(rules)
    assert state.phase != "setup"
    assert all(state.at[unit] == h for unit, h in enumerate(rules.begins) if h >= 0)


def test_italians_set_up_before_the_ahg() -> None:
    """25.8: and only what has a zone waits; the rest stands where it is listed."""
    rules, state = italian()
    assert asked(rules, state) == ("set_up", "italian")
    waiting = {unit for unit, at in enumerate(state.at) if at == WAITING}
    assert waiting == set(rules.zone_of_unit)
    play(rules, state, Listed())
    play(rules, state, Ready())
    assert asked(rules, state) == ("set_up", "ahg")
    play(rules, state, Listed())
    out = play(rules, state, Ready())
    assert "turn" in kinds(out)


def test_both_italian_wings_are_first_where_kinds_may_be_exchanged() -> None:
    """24.8, 24.8.e4."""
    rules = game("historical", setup_by_type="true")
    state, _ = started(rules)
    forces = []
    while state.phase == "setup":
        forces.append(asked(rules, state)[1])
        play(rules, state, Listed())
        play(rules, state, Ready())
    assert forces == ["italian-left", "italian-right", "ahg-left", "ahg-right"]


def test_what_is_listed_is_the_position_of_the_cards() -> None:
    rules, state = ahg()
    play(rules, state, Listed())
    play(rules, state, Ready())
    cards = begin(rules, b"s")
    assert state.at == cards.at
    assert (state.occ, state.guns, state.bearers) == (cards.occ, cards.guns, cards.bearers)
    assert {h: sorted(units) for h, units in state.stacks.items()} == {
        h: sorted(units) for h, units in cards.stacks.items()
    }


# Where


def test_a_front_unit_stands_in_a_trench_of_its_line_or_next_to_others() -> None:
    """24.8, 25.8: a chain of units leads back from the trenches; one hex without it is refused."""
    rules, state = italian()
    zone = next(zone for zone in rules.zones if zone.name == "belluno")
    one, two, three = rules.unit_ids(zone.units[:3])
    first = next(bits(zone.hexes))
    behind = rules.ground.held[ITALIAN] & rules.ground.extent & ~zone.hexes & ~rules.ground.high
    second = next(bits(rules.grid.ring[first] & behind & ~rules.ground.around(zone.hexes & ~(1 << first))), -1)
    if second < 0:
        second = next(bits(rules.grid.ring[first] & behind))
    third = next(bits(rules.grid.ring[second] & behind & ~rules.ground.around(zone.hexes)))
    assert why_not(rules, state, Place(two, rules.hex_id(second))) == ("25.8", "not_in_its_zone")
    play(rules, state, Place(one, rules.hex_id(first)))
    assert why_not(rules, state, Place(three, rules.hex_id(third))) == ("25.8", "not_in_its_zone")
    play(rules, state, Place(two, rules.hex_id(second)))
    play(rules, state, Place(three, rules.hex_id(third)))
    beyond = next(bits(rules.ground.held[AHG] & rules.ground.around(rules.ground.held[ITALIAN])))
    assert why_not(rules, state, Place(three, rules.hex_id(beyond))) == ("25.8", "not_in_its_zone")


def test_a_chain_that_is_broken_afterwards_is_seen_at_the_end() -> None:
    """24.8: who was put next to a unit that stands elsewhere now has to be put elsewhere too."""
    rules, state = italian()
    zone = next(zone for zone in rules.zones if zone.name == "belluno")
    one, two = rules.unit_ids(zone.units[:2])
    first = next(bits(zone.hexes))
    off = rules.ground.held[ITALIAN] & rules.ground.extent & ~zone.hexes
    second = next(h for h in bits(rules.grid.ring[first] & off))
    play(rules, state, Place(one, rules.hex_id(first)))
    play(rules, state, Place(two, rules.hex_id(second)))
    play(rules, state, Listed())
    near = [h for h in bits(rules.ground.around(1 << second)) if state.occ[ITALIAN] >> h & 1]
    for unit in [u for u in bits(rules.of_side[ITALIAN]) if state.at[u] in near]:
        put(rules, state, unit, rules.grid.index["2602"])
    assert why_not(rules, state, Ready()) == ("25.8", "not_in_its_zone")


def test_the_reserve_stays_on_its_bank_three_hexes_from_enemy_trenches() -> None:
    """25.8: two hexes away is too near."""
    rules, state = italian()
    zone = next(zone for zone in rules.zones if zone.name == "reserve")
    unit = rules.ids[zone.units[0]]
    reach = {
        far: [
            h
            for h in bits(rules.ground.held[ITALIAN] & rules.ground.extent)
            if min(rules.grid.distance(h, t) for t in bits(rules.ground.trench[AHG])) == far
        ]
        for far in (2, 3)
    }
    assert why_not(rules, state, Place(unit, rules.hex_id(reach[2][0]))) == ("25.8", "not_in_its_zone")
    good = next(h for h in reach[3] if zone.hexes >> h & 1)
    play(rules, state, Place(unit, rules.hex_id(good)))


def test_guns_need_an_enemy_trench_that_they_can_fire_at() -> None:
    """25.8: in range; and they stand in battery."""
    rules, state = italian()
    zone = next(zone for zone in rules.zones if zone.name == "italian_guns")
    gun = zone.units[0]
    far = rules.grid.index["2602"]
    assert why_not(rules, state, Place(rules.ids[gun], "2602")) == ("25.8", "not_in_its_zone")
    assert min(rules.grid.distance(far, t) for t in bits(rules.ground.trench[AHG])) > rules.range[gun]
    play(rules, state, Place(rules.ids[gun], rules.hex_id(next(bits(zone.hexes)))))
    assert state.emplaced >> gun & 1


def test_stacking_holds_at_set_up() -> None:
    """11.1, 11.1.e1: two battalions, and more of one regiment only."""
    rules, state = italian()
    zone = next(zone for zone in rules.zones if zone.name == "reserve")
    battalions = [u for u in zone.units if rules.quarters[u] == 4 and rules.regiment[u] >= 0]
    by_regiment: dict[int, list[int]] = {}
    for unit in battalions:
        by_regiment.setdefault(rules.regiment[unit], []).append(unit)
    one, other = [units for units in by_regiment.values() if len(units) == 3][:2]
    h = next(h for h in bits(zone.hexes & ~rules.ground.high) if h not in state.stacks)
    for unit in one[:2]:
        play(rules, state, Place(rules.ids[unit], rules.hex_id(h)))
    assert why_not(rules, state, Place(rules.ids[other[0]], rules.hex_id(h))) == ("11.1", "full")
    play(rules, state, Place(rules.ids[one[2]], rules.hex_id(h)))


def test_who_has_his_hex_and_who_is_the_enemys_stays_where_he_is() -> None:
    """24.8."""
    rules, state = ahg()
    fixed = next(u for u in bits(rules.combat & rules.of_side[AHG]) if u not in rules.zone_of_unit and state.at[u] >= 0)
    here = rules.hex_id(state.at[fixed])
    assert why_not(rules, state, Place(rules.ids[fixed], here)) == ("24.8", "has_its_hex")
    theirs = next(bits(rules.combat & rules.of_side[ITALIAN]))
    assert why_not(rules, state, Place(rules.ids[theirs], here)) == ("24.1", "not_yours")
    assert why_not(rules, state, Place("nobody", here))[1] == "no_unit"
    assert why_not(rules, state, Place(rules.ids[fixed], "9999"))[1] == "no_hex"


def test_nobody_begins_before_all_are_placed_and_all_can_be_taken_up_again() -> None:
    rules, state = italian()
    assert why_not(rules, state, Ready()) == ("24.8", "not_all_placed")
    assert why_not(rules, state, Clear()) == ("24.8", "nothing_placed")
    play(rules, state, Listed())
    assert why_not(rules, state, Listed()) == ("24.8", "all_placed")
    play(rules, state, Clear())
    assert {unit for unit, at in enumerate(state.at) if at == WAITING} == set(rules.zone_of_unit)
    play(rules, state, Listed())
    play(rules, state, Ready())


def test_what_stands_already_can_be_put_elsewhere() -> None:
    rules, state = italian()
    play(rules, state, Listed())
    zone = next(zone for zone in rules.zones if zone.name == "reserve")
    unit = zone.units[0]
    h = next(h for h in bits(zone.hexes & ~rules.ground.high) if h not in state.stacks)
    play(rules, state, Place(rules.ids[unit], rules.hex_id(h)))
    assert state.at[unit] == h
    play(rules, state, Ready())


def test_a_flamethrower_is_always_with_infantry() -> None:
    """21.4: and whoever it stands with has it."""
    rules, state = ahg()
    play(rules, state, Listed())
    flame = rules.number["de-flame-ak"]
    zone = rules.zone_of_unit[flame]
    assert rules.ids[flamethrowers.bearer(state, flame)] == "de-leib-1"
    empty = next(h for h in bits(rules.ground.held[AHG] & ~rules.ground.high) if h not in state.stacks)
    put(rules, state, flame, empty)
    assert why_not(rules, state, Ready()) == ("21.4", "flamethrower_alone")
    mate = next(u for u in zone.units if rules.formation_of[u] == rules.formation_of[flame] and u != flame)
    put(rules, state, flame, WAITING)
    play(rules, state, Place(rules.ids[flame], rules.hex_id(state.at[mate])))
    assert rules.formation_of[flamethrowers.bearer(state, flame)] == rules.formation_of[flame]
    play(rules, state, Ready())


# 25.13: mines and gas


def test_mines_and_gas_may_be_laid_in_a_trench_next_to_their_hex() -> None:
    """25.13: an Italian one, next to it; the printed hex stays a choice."""
    rules, state = ahg()
    printed = rules.scene.mines.hexes[0]
    name = rules.hex_id(printed)
    near = rules.grid.ring[printed]
    trench = next(bits(near & rules.ground.trench[ITALIAN]))
    bare = next(bits(near & ~rules.ground.trench[ITALIAN]))
    far = next(h for h in bits(rules.ground.trench[ITALIAN]) if rules.grid.distance(h, printed) == 2)
    assert why_not(rules, state, Lay(name, rules.hex_id(bare))) == ("25.13", "not_next_to_marker")
    assert why_not(rules, state, Lay(name, rules.hex_id(far))) == ("25.13", "not_next_to_marker")
    assert why_not(rules, state, Lay(name, name)) == ("25.13", "lies_there")
    assert why_not(rules, state, Lay(rules.hex_id(bare), name)) == ("25.13", "no_such_marker")
    play(rules, state, Lay(name, rules.hex_id(trench)))
    assert state.mines == (trench, *rules.scene.mines.hexes[1:])
    gas = rules.scene.gas.hexes[0]
    other = next(bits(rules.grid.ring[gas] & rules.ground.trench[ITALIAN]))
    play(rules, state, Lay(rules.hex_id(gas), rules.hex_id(other)))
    assert state.gas == (other,)
    play(rules, state, Lay(name, name))
    assert state.mines == rules.scene.mines.hexes


def test_italians_lay_no_mines() -> None:
    rules, state = italian()
    name = rules.hex_id(rules.scene.mines.hexes[0])
    assert why_not(rules, state, Lay(name, name)) == ("25.13", "no_such_marker")


def test_in_the_historical_campaign_mines_are_where_they_are_printed() -> None:
    """24.13."""
    rules = game("historical")
    state, _ = started(rules)
    assert (state.mines, state.gas) == (rules.scene.mines.hexes, rules.scene.gas.hexes)


# 25.8: the bridge


def test_the_pioneers_may_begin_the_game_at_work_and_the_bridge_stands_in_turn_one() -> None:
    """25.8.e2, 19.3: complete in phase 5 of turn 1; without work it stays down."""
    for works in ("de-ciii-1", ""):
        rules, state = ahg()
        bridge = next(n for n, b in enumerate(rules.ground.bridges) if set(rules.hex_ids(b[:2])) == {"1524", "1624"})
        play(rules, state, Listed())
        out = play(rules, state, Ready(works))
        assert ("works" in kinds(out)) == bool(works)
        assert not state.standing >> bridge & 1
        while state.phase in ("setup", "reinforcement", "command"):
            frame = state.frames[-1]
            play(rules, state, rules.choices[frame.name].sample(rules, state, frame, Random(1)))
        assert bool(state.standing >> bridge & 1) == bool(works)


def test_nobody_builds_against_an_italian_on_the_other_bank() -> None:
    """25.8.e2: and nobody else begins at work."""
    rules, state = ahg()
    play(rules, state, Listed())
    assert why_not(rules, state, Ready("de-flame-ak")) == ("25.8.e2", "cannot_begin_at_work")
    foe = next(u for u in bits(rules.combat & rules.of_side[ITALIAN]) if rules.quarters[u] == 4)
    put(rules, state, foe, rules.grid.index["1624"])
    assert why_not(rules, state, Ready("de-ciii-1")) == ("25.8.e2", "cannot_begin_at_work")
    play(rules, state, Ready())


# 24.8.e4: by type and value


def test_units_of_one_kind_and_formation_may_change_places() -> None:
    """24.8.e4: by option; another kind, and another formation, may not."""
    rules = game("historical", setup_by_type="true")
    state, _ = started(rules)
    force = rules.scene.forces.index("italian-left")
    alike = setting_up.likes(rules, force)
    one = next(u for u in alike if len({rules.begins[o] for o in alike[u]}) > 1)
    other = next(u for u in alike[one] if rules.begins[u] != rules.begins[one])
    stranger = next(u for u in alike if u not in alike[one])
    here, there = rules.hex_id(rules.begins[one]), rules.hex_id(rules.begins[other])
    strange = next(
        rules.hex_id(rules.begins[u])
        for u in alike[stranger]
        if rules.begins[u] not in {rules.begins[o] for o in alike[one]}
    )
    play(rules, state, Listed())
    assert why_not(rules, state, Place(rules.ids[one], strange)) == ("24.8.e4", "not_in_its_zone")
    play(rules, state, Place(rules.ids[one], there))
    assert rules.hex_id(state.at[one]) == there
    assert sorted(state.at[u] for u in alike[one]) == sorted(rules.begins[u] for u in alike[one])
    moved = [u for u in alike[one] if rules.hex_id(state.at[u]) == here and rules.hex_id(rules.begins[u]) == there]
    assert len(moved) == 1
    play(rules, state, Ready())


def test_the_rest_takes_the_places_of_its_kind_that_are_left() -> None:
    """24.8.e4: of three, where one stands in another's place, the listed set-up fills all three."""
    rules = game("historical", setup_by_type="true")
    state, _ = started(rules)
    alike = setting_up.likes(rules, rules.scene.forces.index("italian-left"))
    one = next(iter(alike))
    other = next(u for u in alike[one] if rules.begins[u] != rules.begins[one])
    for _ in range(2):
        play(rules, state, Place(rules.ids[one], rules.hex_id(rules.begins[other])))
        play(rules, state, Listed())
        assert state.at[one] == rules.begins[other]
        assert sorted(state.at[u] for u in alike[one]) == sorted(rules.begins[u] for u in alike[one])
        play(rules, state, Clear())


def test_without_the_option_everybody_keeps_to_his_number() -> None:
    rules = game("historical")
    assert [setting_up.movable(rules, force) for force in range(4)] == [(), (), (), ()]


# By chance


@pytest.mark.parametrize(("scenario", "by_type"), [("what_if", "false"), ("what_if", "true"), ("historical", "true")])
def test_set_up_by_chance_comes_to_an_end_with_all_in_order(scenario: str, by_type: str) -> None:
    rules = game(scenario, setup_by_type=by_type)
    for seed in range(4):
        rng = Random(seed)
        state, _ = started(rules)
        for _ in range(3000):
            if state.phase != "setup":
                break
            frame = state.frames[-1]
            choice = rules.choices[frame.name]
            action = choice.sample(rules, state, frame, rng)
            assert choice.why_not(rules, state, frame, action) is None, action
            flow.act(rules, state, action, [])
            if not rng.randrange(8):
                assert rules.broken(state) == []
        assert state.phase != "setup"
        assert WAITING not in state.at
        assert len(state.bearers) == rules.flamethrowers.bit_count()
