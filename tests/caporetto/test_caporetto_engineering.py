"""4.0-5, 17, 19, 21.1: the Engineering Phase. Trenches, demolitions and bridges, step by step, the AHG first."""

from __future__ import annotations

import pytest
from caporetto_packs import game
from caporetto_turns import answer, asked, kinds, leave_out_the_fighting, play, why_not

from fronte.engine import flow
from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.games.caporetto.engineers import Blow, Build, Done, Repair, bridge_name
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import ELIMINATED
from fronte.games.caporetto.state import State, begin, put
from fronte.games.caporetto.terrain import AHG, ISONZO, ITALIAN
from fronte.hexes import bits


@pytest.fixture(autouse=True)
def _no_fighting(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_out_the_fighting(monkeypatch)


def before(scenario: str = "what_if", turn: int = 3, **options: str) -> tuple[Caporetto, State]:
    """Just before the Engineering Phase, with no engineer on the map."""
    rules = game(scenario, **options)
    state = begin(rules, b"s")
    state.turn, state.phase = turn, "command"
    state.frames = [Frame("next_phase", AUTO)]
    for unit in bits(rules.engineers):
        if state.at[unit] >= 0:
            put(rules, state, unit, ELIMINATED)
    return rules, state


def settle(rules: Caporetto, state: State) -> list[Event]:
    out: list[Event] = []
    flow.settle(rules, state, out)
    return out


def companies(rules: Caporetto, side: int, pontoon: bool | None = None) -> list[int]:
    """The engineers of a side, pontoons or not."""
    mine = rules.engineers & rules.of_side[side]
    if pontoon is not None:
        mine &= rules.pontoons if pontoon else ~rules.pontoons
    return list(bits(mine))


def damaged(rules: Caporetto, state: State, side: int, count: int) -> list[int]:
    """Trenches of a side that are a level down."""
    ground = rules.ground
    hexes = [h for h in bits(ground.trench[side]) if ground.trench_level[h] == 2 and not ground.high >> h & 1][:count]
    assert len(hexes) == count
    for h in hexes:
        state.lowered |= 1 << h
    return hexes


# 17: trenches


def test_engineers_repair_for_a_point_by_five_hexes() -> None:
    """17.2: one to five hexes 1, six hexes 2; for what is repaired at once."""
    rules, state = before()
    engineers = companies(rules, ITALIAN)[:6]
    assert len(engineers) == 6
    hexes = damaged(rules, state, ITALIAN, 6)
    for unit, h in zip(engineers, hexes, strict=True):
        put(rules, state, unit, h)
    settle(rules, state)
    assert asked(rules, state) == ("repair", "italian")
    assert state.step == "repair"
    names = rules.unit_ids(engineers)
    for count, price in ((0, 0), (1, 1), (5, 1), (6, 2)):
        twin = state.copy()
        out = answer(rules, twin, Repair(names[:count]))
        assert state.points[ITALIAN] - twin.points[ITALIAN] == price
        assert kinds(out).count("works") == count
        paid = [event for event in out if event.kind == "paid"]
        assert all(event.to(rules.seats.index("ahg")) is None for event in paid)
        assert len(paid) == bool(price)


def test_who_cannot_pay_does_not_repair() -> None:
    """17.2, 6.0: he is asked, as points are hidden, but may only let it be."""
    rules, state = before()
    (unit,) = companies(rules, ITALIAN)[:1]
    put(rules, state, unit, damaged(rules, state, ITALIAN, 1)[0])
    state.points[ITALIAN] = 0
    settle(rules, state)
    assert asked(rules, state) == ("repair", "italian")
    assert why_not(rules, state, Repair((rules.ids[unit],))) == ("17.2", "too_dear")
    offer = rules.choices["repair"].offer(rules, state, state.frames[-1])
    assert offer["actions"] == [{"do": "repair"}]
    play(rules, state, Repair())


def test_the_ahg_pays_nothing_and_is_first() -> None:
    """17.2, 4.0-5."""
    rules, state = before()
    for side in (AHG, ITALIAN):
        (unit,) = companies(rules, side)[:1]
        put(rules, state, unit, damaged(rules, state, side, 1)[0])
    points = list(state.points)
    settle(rules, state)
    assert asked(rules, state) == ("repair", "ahg")
    play(rules, state, Repair((rules.ids[companies(rules, AHG)[0]],)))
    assert state.points == points
    assert asked(rules, state) == ("repair", "italian")


def test_only_engineers_repair_and_only_what_is_damaged() -> None:
    """17.1, 17.10, 21.1."""
    rules, state = before()
    one, two, three = companies(rules, ITALIAN)[:3]
    hexes = damaged(rules, state, ITALIAN, 3)
    state.lowered &= ~(1 << hexes[1])
    for unit, h in zip((one, two, three), hexes, strict=True):
        put(rules, state, unit, h)
    state.working = 1 << three
    state.works = ((three, hexes[2], hexes[2] + 1),)  # at a bridge, which goes on
    state.phase = "engineering"
    state.frames.append(Frame("repair", rules.seats.index("italian"), (ITALIAN,)))
    assert why_not(rules, state, Repair((rules.ids[two],))) == ("17.1", "no_damaged_trench")
    assert why_not(rules, state, Repair((rules.ids[three],))) == ("17.3", "at_work")
    soldier = next(u for u in bits(rules.combat & rules.of_side[ITALIAN] & ~rules.engineers) if state.at[u] >= 0)
    assert why_not(rules, state, Repair((rules.ids[soldier],))) == ("21.1", "no_engineer")
    german = next(bits(rules.engineers & rules.of_side[AHG]))
    assert why_not(rules, state, Repair((rules.ids[german],))) == ("24.1", "not_yours")


def test_a_repair_is_complete_in_the_next_turn() -> None:
    """17.3, 4.0-5.1: unless it was interrupted; the engineer is free again."""
    for stays in (True, False):
        rules, state = before()
        (unit,) = companies(rules, ITALIAN)[:1]
        (h,) = damaged(rules, state, ITALIAN, 1)
        put(rules, state, unit, h)
        settle(rules, state)
        answer(rules, state, Repair((rules.ids[unit],)))
        assert state.working >> unit & 1
        assert state.lowered >> h & 1
        if not stays:
            state.works, state.working = (), 0
        again = state.copy()
        again.turn, again.phase = 4, "command"
        again.frames = [Frame("next_phase", AUTO)]
        out = settle(rules, again)
        assert ("trench_repaired" in kinds(out)) == stays
        assert bool(again.lowered >> h & 1) != stays
        assert not again.working >> unit & 1


def test_nobody_is_asked_who_has_nothing_to_build_or_blow() -> None:
    rules, state = before()
    settle(rules, state)
    assert state.phase != "engineering"


def test_each_wing_pays_for_its_own_hexes() -> None:
    """24.9.3."""
    rules, state = before("historical")
    paid = {}
    for force in ("italian-left", "italian-right"):
        number = rules.scene.forces.index(force)
        unit = next(bits(rules.engineers & rules.of_force[number]))
        home = rules.homes[number]
        h = next(h for h in bits(rules.ground.trench[ITALIAN] & home) if rules.ground.trench_level[h] == 2)
        state.lowered |= 1 << h
        put(rules, state, unit, h)
        paid[force] = unit
    points = list(state.points)
    settle(rules, state)
    for force, unit in paid.items():
        assert asked(rules, state) == ("repair", force)
        number = rules.scene.forces.index(force)
        answer(rules, state, Repair((rules.ids[unit],)))
        assert points[number] - state.points[number] == 1
        settle(rules, state)


# 19.2: demolitions


def near_a_bridge(rules: Caporetto, state: State, far: int) -> tuple[int, int]:
    """An Italian pontoon company so far from a standing bridge, and the bridge."""
    (unit,) = companies(rules, ITALIAN, pontoon=True)[:1]
    for number, bridge in enumerate(rules.ground.bridges):
        for h in bits(rules.ground.held[ITALIAN] & rules.ground.extent):
            away = min(rules.grid.distance(h, end) for end in (bridge.a, bridge.b))
            others = [
                min(rules.grid.distance(h, end) for end in (other.a, other.b))
                for n, other in enumerate(rules.ground.bridges)
                if n != number
            ]
            if away == far and min(others) > 3 and state.standing >> number & 1:
                put(rules, state, unit, h)
                return unit, number
    raise AssertionError("there is no such place")


def named(rules: Caporetto, bridge: int) -> str:
    """A printed bridge by its two hexes."""
    return bridge_name(rules, rules.ground.bridges[bridge][:2])


def test_a_bridge_is_blown_on_a_four_and_stands_on_a_five() -> None:
    """19.2: one attempt for a bridge and an engineer in a phase; who has none left is not asked again."""
    for die, down in ((4, True), (5, False)):
        rules, state = before()
        unit, bridge = near_a_bridge(rules, state, 1)
        settle(rules, state)
        assert asked(rules, state) == ("demolish", "italian")
        assert state.step == "demolition"
        out = play(rules, state, Blow(rules.ids[unit], named(rules, bridge)), die)
        assert bool(state.standing >> bridge & 1) != down
        assert ("bridge_blown" in kinds(out), "bridge_holds" in kinds(out)) == (down, not down)
        assert state.frames[-1].name != "demolish"


def test_two_hexes_are_near_enough_and_three_are_not() -> None:
    """19.2: and an enemy between forbids it."""
    rules, state = before()
    unit, bridge = near_a_bridge(rules, state, 2)
    settle(rules, state)
    play(rules, state, Blow(rules.ids[unit], named(rules, bridge)), 6)
    rules, state = before()
    unit, bridge = near_a_bridge(rules, state, 3)
    settle(rules, state)
    assert state.frames[-1].name != "demolish"


def test_attempts_that_are_refused() -> None:
    """19.2, 21.1.e2: who has no pontoons, what is down, what is out of reach, what was tried."""
    rules, state = before()
    unit, bridge = near_a_bridge(rules, state, 1)
    plain = companies(rules, ITALIAN, pontoon=False)[0]
    put(rules, state, plain, state.at[unit])
    settle(rules, state)
    name = named(rules, bridge)
    assert why_not(rules, state, Blow(rules.ids[plain], name)) == ("21.1.e2", "no_pontoons")
    assert why_not(rules, state, Blow(rules.ids[unit], "2602/2603x"))[1] == "no_such_bridge"
    down = next(bits(rules.ground.all_bridges & ~state.standing))
    assert why_not(rules, state, Blow(rules.ids[unit], named(rules, down))) == ("19.2.2", "bridge_is_down")
    far = next(b for b in bits(state.standing & ~(1 << bridge)))
    assert why_not(rules, state, Blow(rules.ids[unit], named(rules, far))) == ("19.2", "bridge_out_of_reach")
    german = companies(rules, AHG)[0]
    assert why_not(rules, state, Blow(rules.ids[german], name)) == ("24.1", "not_yours")
    one = rules.ground.bridges[bridge]
    state.frames[-1] = Frame("demolish", state.frames[-1].seat, (ITALIAN, (unit,), (one.a, one.b)))
    assert why_not(rules, state, Blow(rules.ids[unit], name)) == ("19.2", "tried_already")
    play(rules, state, Done())


def test_no_bridge_is_blown_in_turn_one_of_scenario_two() -> None:
    """25.9.1."""
    rules, state = before(turn=1)
    unit, bridge = near_a_bridge(rules, state, 1)
    state.phase = "engineering"
    state.frames.append(Frame("demolish", rules.seats.index("italian"), (ITALIAN, (), ())))
    assert why_not(rules, state, Blow(rules.ids[unit], named(rules, bridge))) == ("25.9.1", "no_demolition_yet")
    rules, state = before(turn=1)
    near_a_bridge(rules, state, 1)
    settle(rules, state)
    assert state.frames[-1].name != "demolish"


# 19.3: bridges are repaired and built


def at_a_gap(rules: Caporetto, state: State, unit: int, isonzo: bool) -> tuple[int, int]:
    """An engineer at a printed bridge that is down, and the hex beyond."""
    ground = rules.ground
    for number, bridge in enumerate(ground.bridges):
        if bridge.isonzo == isonzo:
            for here, there in ((bridge.a, bridge.b), (bridge.b, bridge.a)):
                free = not (state.occ[1 - rules.side[unit]] | state.guns[1 - rules.side[unit]]) & (
                    1 << here | 1 << there
                )
                if free and ground.extent >> here & 1 and ground.extent >> there & 1:
                    state.standing &= ~(1 << number)
                    put(rules, state, unit, here)
                    return number, there
    raise AssertionError("there is no such bridge")


def test_a_bridge_is_complete_in_the_next_turn() -> None:
    """19.3, 4.0-5.4: by any engineer over a river."""
    rules, state = before()
    unit = companies(rules, ITALIAN, pontoon=False)[0]
    bridge, there = at_a_gap(rules, state, unit, isonzo=False)
    settle(rules, state)
    assert asked(rules, state) == ("bridge", "italian")
    assert state.step == "bridging"
    out = answer(rules, state, Build(rules.ids[unit], rules.hex_id(there)))
    assert "works" in kinds(out)
    assert not state.standing >> bridge & 1
    assert state.works[0][0] == unit
    again = state.copy()
    again.turn, again.phase = 4, "command"
    again.frames = [Frame("next_phase", AUTO)]
    out = settle(rules, again)
    assert "bridge_ready" in kinds(out)
    assert again.standing >> bridge & 1


def test_over_the_isonzo_pontoons_are_needed() -> None:
    """21.1.e2: repaired, and by the option also built anew (21.1)."""
    rules, state = before()
    plain, pontoon = companies(rules, ITALIAN, pontoon=False)[0], companies(rules, ITALIAN, pontoon=True)[0]
    _, there = at_a_gap(rules, state, plain, isonzo=True)
    put(rules, state, pontoon, state.at[plain])
    settle(rules, state)
    while state.frames[-1].name != "bridge":
        play(rules, state, Done())
    assert why_not(rules, state, Build(rules.ids[plain], rules.hex_id(there))) == ("21.1.e2", "no_pontoons")
    dry = next(
        t
        for w, t in rules.ground.ways_from(state.at[plain])
        if not rules.ground.water[w] and rules.ground.extent >> t & 1
    )
    assert why_not(rules, state, Build(rules.ids[pontoon], rules.hex_id(dry))) == ("19.3", "no_river_there")
    answer(rules, state, Build(rules.ids[pontoon], rules.hex_id(there)))
    assert state.works[0][0] == pontoon


def test_no_enemy_may_be_on_the_other_bank() -> None:
    """19.3: and who works already does not begin anew."""
    rules, state = before()
    unit = companies(rules, ITALIAN, pontoon=True)[0]
    _, there = at_a_gap(rules, state, unit, isonzo=True)
    foe = next(u for u in bits(rules.combat & rules.of_side[AHG]) if rules.quarters[u] == 4)
    put(rules, state, foe, there)
    state.phase = "engineering"
    state.frames.append(Frame("bridge", rules.seats.index("italian"), (ITALIAN,)))
    name = rules.hex_id(there)
    assert why_not(rules, state, Build(rules.ids[unit], name)) == ("19.3", "enemy_on_the_bank")
    assert why_not(rules, state, Build(rules.ids[foe], name)) == ("24.1", "not_yours")
    soldier = next(u for u in bits(rules.combat & rules.of_side[ITALIAN] & ~rules.engineers) if state.at[u] >= 0)
    assert why_not(rules, state, Build(rules.ids[soldier], name)) == ("21.1", "no_engineer")
    state.working = 1 << unit
    assert why_not(rules, state, Build(rules.ids[unit], name)) == ("19.3", "at_work")


def test_new_bridges_are_the_pontoons_own_by_option() -> None:
    """21.1, new_bridges: where none is printed, over the Isonzo alone."""
    for option, built in (("true", True), ("false", False)):
        rules, state = before(new_bridges=option)
        unit = companies(rules, ITALIAN, pontoon=True)[0]
        ground = rules.ground
        here, there = next(
            (h, t)
            for h in bits(ground.held[ITALIAN] & ground.extent)
            for way, t in ground.ways_from(h)
            if ground.water[way] == ISONZO
            and ground.bridge[way] < 0
            and ground.extent >> t & 1
            and not (state.occ[AHG] | state.guns[AHG]) >> t & 1
        )
        put(rules, state, unit, here)
        state.phase = "engineering"
        state.frames.append(Frame("bridge", rules.seats.index("italian"), (ITALIAN,)))
        action = Build(rules.ids[unit], rules.hex_id(there))
        if built:
            play(rules, state, action)
        else:
            assert why_not(rules, state, action) == ("19.3", "no_bridge_to_build")


def test_two_engineers_do_not_work_at_one_bridge() -> None:
    """19.3: the second finds nothing to do, and the step goes on by itself."""
    rules, state = before("what_if", new_bridges="false")
    one, two = companies(rules, ITALIAN, pontoon=False)[:2]
    _, there = at_a_gap(rules, state, one, isonzo=False)
    put(rules, state, two, state.at[one])
    settle(rules, state)
    play(rules, state, Build(rules.ids[one], rules.hex_id(there)))
    assert state.frames[-1].name != "bridge"
