"""4.0-9, 4.0-10, 10.3: guns on the move, and units that were not activated."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from caporetto_marches import kinds, play, run, table, why
from caporetto_packs import game
from caporetto_positions import plain

from fronte.engine import flow
from fronte.engine.decision import AUTO, Action, Frame
from fronte.engine.event import Event
from fronte.games.caporetto import later_moves
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.marching import left_of
from fronte.games.caporetto.moving import Detach, Done, March, Move
from fronte.games.caporetto.state import State, begin, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits

POINT = 4


def key(rules: Caporetto, state: State, action: Action) -> str:
    refusal = why(rules, state, action)
    return refusal.key if refusal is not None else ""


def rule(rules: Caporetto, state: State, action: Action) -> str:
    refusal = why(rules, state, action)
    return refusal.rule if refusal is not None else ""


def moves(rules: Caporetto, state: State) -> list[Move]:
    frame = state.frames[-1]
    found = list(rules.choices[frame.name].legal(rules, state, frame))
    assert len(set(found)) == len(found)
    assert [one for one in found if why(rules, state, one) is not None] == []
    return [one for one in found if isinstance(one, Move)]


def ask(rules: Caporetto, state: State, phase: str, force: int) -> None:
    """The turn of a force in one of the two phases."""
    state.phase, state.active = phase, force
    state.frames = [Frame("next_phase", 0), Frame("later_turn", AUTO, (force,))]
    run(rules, state)


def battalions(rules: Caporetto, side: int, number: int = 1) -> list[int]:
    column = rules.tables.feet.index("foot")
    units = rules.combat & rules.of_side[side] & rules.assaulting & ~rules.infiltration
    return [u for u in bits(units) if rules.foot[u] == column and rules.quarters[u] == 4][:number]


def quiet(phase: str = "movement", scenario: str = "what_if") -> tuple[Caporetto, State, int, list[int]]:
    """An Italian battalion, or a gun, on open ground with nobody near."""
    rules, state = table(scenario)
    if phase == "movement":
        (unit,) = battalions(rules, ITALIAN)
    else:
        guns = rules.guns & rules.of_side[ITALIAN] & ~rules.wheeled & rules.of_class["light"]
        unit = next(bits(guns))
        state.emplaced &= ~(1 << unit)
    row = plain(rules)
    put(rules, state, unit, row[0])
    ask(rules, state, phase, rules.force[unit])
    return rules, state, unit, row


# Whose turn it is


def test_the_ahg_moves_first_and_who_can_move_nobody_is_not_asked() -> None:
    """4.0-9, 4.0-10."""
    rules, state = table()
    one, other = battalions(rules, AHG)[0], battalions(rules, ITALIAN)[0]
    row = plain(rules)
    put(rules, state, one, row[0])
    put(rules, state, other, row[5])
    state.phase = "movement"
    state.frames = [Frame("next_phase", 0)]
    later_moves.begin(rules, state)
    run(rules, state)
    assert (state.frames[-1].name, state.frames[-1].args) == ("move_others", (rules.force[one],))
    play(rules, state, Done())
    assert (state.frames[-1].name, state.active) == ("move_others", rules.force[other])
    play(rules, state, Done())
    assert [frame.name for frame in state.frames] == ["next_phase"]
    state.phase = "gun_movement"
    later_moves.begin(rules, state)
    run(rules, state)
    assert [frame.name for frame in state.frames] == ["next_phase"]


@pytest.mark.parametrize(
    ("drawn", "order"),
    [
        ("left", ["ahg-left", "ahg-right", "italian-right", "italian-left"]),
        ("right", ["ahg-right", "ahg-left", "italian-left", "italian-right"]),
    ],
)
def test_of_each_side_the_sector_that_was_drawn_comes_first(drawn: str, order: list[str]) -> None:
    """24.2: the Italian left wing stands in the right sector (24.1)."""
    rules, state = table("historical")
    state.drawn = drawn
    assert [rules.scene.forces[force] for force in later_moves.in_turn(rules, state)] == order


# Who moves


def test_units_that_were_activated_or_have_moved_stay() -> None:
    """10.3.1, 10.0.6; who is out of command moves."""
    rules, state, unit, row = quiet()
    step = Move(rules.ids[unit], rules.hex_ids(row[1:2]))
    assert key(rules, state, step) == ""
    for mask, expected in (("activated", "was_activated"), ("moved", "has_moved"), ("ooc", "")):
        twin = state.copy()
        setattr(twin, mask, 1 << unit)
        assert key(rules, twin, step) == expected
    gun = next(bits(rules.guns & rules.of_force[rules.force[unit]]))
    put(rules, state, gun, row[3])
    assert key(rules, state, Move(rules.ids[gun], rules.hex_ids(row[4:5]))) == "guns_moved_before"


def test_only_guns_in_movement_mode_have_their_phase() -> None:
    """4.0-9, 18.1."""
    rules, state, gun, row = quiet("gun_movement")
    (unit,) = battalions(rules, ITALIAN)
    put(rules, state, unit, row[3])
    assert rule(rules, state, Move(rules.ids[unit], rules.hex_ids(row[4:5]))) == "4.P9"
    assert {one.unit for one in moves(rules, state)} == {rules.ids[gun]}
    assert key(rules, state, March(rules.ids[gun])) == "guns_do_not_march"
    state.emplaced |= 1 << gun
    assert rule(rules, state, Move(rules.ids[gun], rules.hex_ids(row[1:2]))) == "18.1"


def test_nobody_enters_a_hex_of_enemy_guns() -> None:
    """10.3.1.e1."""
    rules, state, unit, row = quiet()
    gun = next(bits(rules.guns & rules.of_side[AHG]))
    put(rules, state, gun, row[1])
    assert rule(rules, state, Move(rules.ids[unit], rules.hex_ids(row[1:2]))) == "10.3.1.e1"


def test_guns_enter_an_enemy_zone_only_to_a_friend() -> None:
    """18.4."""
    rules, state, gun, row = quiet("gun_movement")
    (enemy,), (friend,) = battalions(rules, AHG), battalions(rules, ITALIAN)
    put(rules, state, enemy, row[2])
    step = Move(rules.ids[gun], rules.hex_ids(row[1:2]))
    assert rule(rules, state, step) == "18.4"
    put(rules, state, friend, row[1])
    assert rule(rules, state, step) == ""


def test_in_the_first_turn_only_independents_and_who_was_attacked_move() -> None:
    """24.9.e4: Italians; who has reacted does not."""
    rules, state = table("historical")
    unit = next(u for u in battalions(rules, ITALIAN, 40) if rules.formation_of[u] >= 0)
    formation = rules.formation_of[unit]
    home = [h for h in bits(rules.home(unit)) if rules.ground.extent >> h & 1]
    lone = next(u for u in bits(rules.independents & rules.of_force[rules.force[unit]] & ~rules.flamethrowers))
    here = next(h for h in home if not rules.ground.towns >> h & 1)
    put(rules, state, unit, here)
    put(rules, state, lone, here)
    state.turn = 1
    ask(rules, state, "movement", rules.force[unit])
    choice, frame = rules.choices["move_others"], state.frames[-1]

    def able() -> set[int]:
        assert isinstance(choice, later_moves.MoveOthers)
        return set(bits(choice.able(rules, state, frame)))

    assert able() == {lone}
    there = next(h for h in rules.grid.adjacent[here] if rules.home(unit) >> h & 1)
    assert rule(rules, state, Move(rules.ids[unit], rules.hex_ids((there,)))) == "24.9.e4"
    state.attacked |= 1 << formation
    assert able() == {lone, unit}
    state.done |= 1 << formation
    assert able() == {lone}
    state.done, state.attacked, state.turn = 0, 0, 2
    assert able() == {lone, unit}


# How far


def test_away_from_enemies_one_goes_twice_as_far() -> None:
    """10.3.2: whoever comes near one goes no farther than usual; in the Artillery Movement Phase too."""
    for phase in ("movement", "gun_movement"):
        rules, state, unit, row = quiet(phase)
        usual = left_of(rules, state, (unit,))
        assert left_of(rules, state, (unit,), strategic=True) == 2 * usual
        far = moves(rules, state)
        (enemy,) = battalions(rules, AHG)
        put(rules, state, enemy, row[2])
        near = moves(rules, state)
        assert len(near) < len(far)
        offered = rules.choices[state.frames[-1].name].offer(rules, state, state.frames[-1])
        assert offered["units"][rules.ids[unit]]["left"] == usual


def test_a_strategic_move_does_not_go_near_an_enemy_with_points_it_has_not() -> None:
    """10.3.2: the whole move, hex by hex or in one order."""
    rules, state, unit, row = quiet()
    (enemy,) = battalions(rules, AHG)
    goal = next(
        h for h in bits(rules.ground.extent) if rules.grid.distance(row[0], h) == 7 and rules.ground.extent >> h & 1
    )
    put(rules, state, enemy, goal)
    state.leftovers, state.rapid, state.moved = ((unit, -POINT),), 1 << unit, 1 << unit
    state.moving, state.mover = 1 << unit, unit
    near = rules.grid.within(goal, 2)
    ends = {rules.grid.index[one.path[-1]] for one in moves(rules, state)}
    assert ends
    assert not any(near >> h & 1 for h in ends)
    state.rapid = 0
    assert moves(rules, state) == []


def test_a_forced_march_is_paid_for_when_another_moves() -> None:
    """10.4: at its end."""
    rules, state, unit, row = quiet()
    (other,) = battalions(rules, ITALIAN, 2)[1:]
    put(rules, state, other, row[3])
    play(rules, state, March(rules.ids[unit]))
    play(rules, state, Move(rules.ids[unit], rules.hex_ids(row[1:2])))
    assert state.dp[unit] == 0
    play(rules, state, Move(rules.ids[other], rules.hex_ids(row[4:5])))
    assert state.dp[unit] == 1
    play(rules, state, March(rules.ids[other]))
    play(rules, state, Done())
    assert (state.dp[unit], state.dp[other]) == (1, 1)


def test_battalions_detach_companies_here_too() -> None:
    """21.10.e2: at the start of their movement."""
    rules, state = table()
    unit = next(u for u in bits(rules.can_detach) if rules.formation_of[u] >= 0)
    row = plain(rules)
    put(rules, state, unit, row[0])
    ask(rules, state, "movement", rules.force[unit])
    events = play(rules, state, Detach(rules.ids[unit], 1))
    assert kinds(events) == ["detached"]
    company = next(u for u in rules.companies_of[unit] if state.at[u] == row[0])
    assert key(rules, state, Move(rules.ids[company], rules.hex_ids(row[1:2]))) == ""


# The end


def test_reinforcements_that_stand_too_close_must_move_if_they_can() -> None:
    """5.1: the phase is not over before; where nobody can go, it is."""
    rules, state = table()
    found: dict[int, int] = {}
    for unit in battalions(rules, ITALIAN, 40):
        found.setdefault(rules.regiment[unit], unit)
    units = list(found.values())[:3]
    row = plain(rules)
    for unit in units:
        put(rules, state, unit, row[0])
    ask(rules, state, "movement", rules.force[units[0]])
    assert rule(rules, state, Done()) == ""
    state.arrived = 1 << units[2]
    assert rule(rules, state, Done()) == "11.2"
    for unit in units:
        state.leftovers = (*state.leftovers, (unit, 0))
        state.moved |= 1 << unit
    assert rule(rules, state, Done()) == ""
    state.leftovers, state.moved = (), 0
    play(rules, state, Move(rules.ids[units[0]], rules.hex_ids(row[1:2])))
    assert rule(rules, state, Done()) == ""


def test_the_vicenza_must_cross_the_line_as_soon_as_it_can() -> None:
    """24.3.e1: it only comes nearer; in turn 1 it stays (24.9.e4)."""
    rules = game("historical")
    state = begin(rules, b"s")
    state.turn, state.drawn = 2, "left"
    unit = next(bits(rules.crossing))
    for other, h in enumerate(state.at):
        if h >= 0 and other != unit:
            put(rules, state, other, -1)
    state.bearers = ()
    ask(rules, state, "movement", rules.force[unit])
    assert rule(rules, state, Done()) == "24.3"
    home = rules.home(unit)

    def away(h: int) -> int:
        return min(rules.grid.distance(h, there) for there in bits(home))

    start = away(state.at[unit])
    ends = {rules.grid.index[one.path[-1]] for one in moves(rules, state)}
    assert ends
    assert all(away(h) < start for h in ends)
    state.turn = 1
    ask(rules, state, "movement", rules.force[unit])
    assert state.frames[-1].name == "next_phase"


def test_reinforcements_leave_the_left_bank() -> None:
    """21.7.e1."""
    rules, state = table("historical")
    unit = next(u for u, h in enumerate(rules.entry) if h >= 0 and not rules.ground.extent >> h & 1)
    put(rules, state, unit, rules.entry[unit])
    ask(rules, state, "movement", rules.force[unit])
    found = moves(rules, state)
    assert found
    assert all(rules.ground.extent >> rules.grid.index[one.path[-1]] & 1 for one in found)
    assert rule(rules, state, Done()) == "21.7.e1"
    play(rules, state, found[0])
    assert rule(rules, state, Done()) == ""


# At random


@pytest.mark.parametrize("scenario", ["historical", "what_if", "cividale", "maggiore"])
@pytest.mark.parametrize("phase", ["gun_movement", "movement"])
def test_what_is_drawn_at_random_is_legal_and_offers_are_small(scenario: str, phase: str) -> None:
    """10.3: every force from where it begins, its guns limbered."""
    rules, rng = game(scenario), Random(3)
    state = begin(rules, b"s")
    state.turn, state.drawn = rules.scene.first_turn + 1, "left"
    state.emplaced = rules.groups
    for force in range(len(rules.scene.forces)):
        ask(rules, state, phase, force)
        for _ in range(15):
            frame = state.frames[-1]
            if frame.name == "next_phase":
                break
            choice = rules.choices[frame.name]
            action = choice.sample(rules, state, frame, rng)
            assert why(rules, state, action) is None, action
            assert len(msgspec.json.encode(choice.offer(rules, state, frame))) < 60_000
            out: list[Event] = []
            flow.act(rules, state, action, out)
            flow.roll_on(rules, state, out)
