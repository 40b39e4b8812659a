"""12.3.5: retreats through their decisions: together or apart, past the enemy, a hex farther, and nowhere to go."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from caporetto_assaults import Table
from caporetto_places import ways
from test_caporetto_assaulting import hexes_open

from fronte.games.caporetto import artillery, assault, falling_back
from fronte.games.caporetto.aftermath import Withdraw
from fronte.games.caporetto.assaulting import Stand, Wave
from fronte.games.caporetto.falling_back import Farther, Halt, Retreat
from fronte.games.caporetto.marching import Hold, Shoot
from fronte.games.caporetto.printed import ROUTED, SURRENDERED
from fronte.games.caporetto.state import put
from fronte.hexes import mask_of

BEST = 6
"""At 1:1 it is D1 and D1R/1."""


Beside = Mapping[int, tuple[str, ...]]


def beaten(*men: str, foes: Beside | None = None, friends: Beside | None = None) -> tuple[Table, list[int], list[int]]:
    """Italians in the middle, beaten by an assault that came from 1; others beside them."""
    table = Table()
    wave, there = table.put(1, "ah-sch1-1", "ah-sch1-2")[: len(men)], table.put(0, *men)
    for place, names in {**(foes or {}), **(friends or {})}.items():
        table.put(place, *names)
    table.assaults(*wave)
    table.step("assault_step", 0, dice=[BEST] if len(men) == 1 else [])
    if len(men) > 1:
        table.play(Wave(table.names(wave), "ah-sch1-1"))
        table.play(Stand(men[:2], men[0]), [BEST])
        if table.asked == "assault_losses":
            table.play(table.legal()[0])
    return table, wave, there


def to(table: Table, place: int) -> str:
    return table.rules.grid.ids[table.hexes[place]]


# Where to


def test_each_may_take_another_hex_and_some_go_together() -> None:
    """12.3.5.1: one answer for all who go to the same hex."""
    table, _, men = beaten("it-87-1", "it-87-2")
    assert hexes_open(table) == {3, 4, 5} and table.top.seat == 1
    assert len(table.legal()) == 9
    assert table.why(Retreat(("it-87-1",), to(table, 2))) == "12.3.5"
    assert table.why(Retreat(("ah-sch1-1",), to(table, 4))) == "12.3.5" and table.why(Retreat((), to(table, 4)))
    assert table.why(Retreat(("x",), to(table, 4))) and table.why(Retreat(("it-87-1",), "9999"))
    table.play(Retreat(("it-87-1",), to(table, 3)))
    assert table.asked == "retreat_to" and table.at(men[0]) == 3 and hexes_open(table) == {3, 4, 5}
    table.play(Retreat(("it-87-2",), to(table, 5)))
    assert table.asked == "second_hex"
    table, _, men = beaten("it-87-1", "it-87-2")
    table.play(Retreat(("it-87-1", "it-87-2"), to(table, 4)))
    assert [table.at(man) for man in men] == [4, 4] and table.asked == "second_hex"


def test_a_single_hex_is_no_question() -> None:
    """12.3.5.A: for one, and for two who have room there together."""
    friends = {3: ("it-88-1",), 5: ("it-88-2",)}
    table, _, (man,) = beaten("it-87-1", friends=friends)
    assert table.at(man) == 4 and table.asked == "second_hex"
    table, _, men = beaten("it-87-1", "it-87-2", friends=friends)
    assert [table.at(man) for man in men] == [4, 4] and table.asked == "second_hex"


def test_what_was_empty_before_the_first_went_is_empty_for_all() -> None:
    """12.3.5: the order is found once for the stack, ours."""
    table, _, men = beaten("it-87-1", "it-87-2", friends={3: ("it-88-1",)})
    assert hexes_open(table) == {4, 5}
    table.play(Retreat(("it-87-1",), to(table, 4)))
    assert hexes_open(table) == {4, 5}
    table.play(Retreat(("it-87-2",), to(table, 4)))
    assert [table.at(man) for man in men] == [4, 4]


def test_where_there_is_no_room_for_both_one_of_them_crowds_the_hex() -> None:
    """12.3.5.C, 12.3.5.D, 11.6: they cannot go together, and all there take a point at the end."""
    names = {2: ("ah-sch14-1",), 3: ("ah-sch14-2",), 5: ("ah-sch24-1",), 6: ("ah-sch24-2",)}
    table, _, men = beaten("it-87-1", "it-87-2", foes=names, friends={4: ("it-88-1",)})
    friend = table.rules.number["it-88-1"]
    assert hexes_open(table) == {4} and len(table.legal()) == 2
    assert table.why(Retreat(("it-87-1", "it-87-2"), to(table, 4))) == "12.3.5.C"
    points = [table.state.dp[man] for man in men]
    table.play(Retreat(("it-87-1",), to(table, 4)))
    for _ in men:  # those at 3 and 5 see each of them pass
        assert table.asked == "infiltration"
        table.play(Hold())
    assert [table.at(man) for man in men] == [4, 4] and table.state.dp[friend] == 0
    if table.asked == "second_hex":
        table.play(Halt())
    assert table.state.frames == []
    assert [table.state.dp[man] for man in men] == [n + 1 for n in points] and table.state.dp[friend] == 1


def test_who_has_no_hex_loses_his_step_first_and_then_surrenders() -> None:
    """12.3.5.2."""
    names = {place: (name,) for place, name in zip(range(2, 7), FIVE, strict=True)}
    table, (unit,), (man,) = beaten("it-87-1", foes=names)
    assert table.state.at[man] == SURRENDERED and table.at(unit) == 0 and table.state.frames == []
    kinds = [event.kind for event in table.out]
    assert kinds.index("step_lost") < kinds.index("surrendered")


FIVE = ("ah-sch14-1", "ah-sch14-2", "ah-sch24-1", "ah-sch24-2", "ah-sch1-3")


@pytest.mark.parametrize(("name", "dp", "stays"), [("it-ceva", 3, True), ("it-ceva", 4, False), ("it-87-1", 0, False)])
def test_a_cliff_is_the_last_way_of_mountain_troops(name: str, dp: int, stays: bool) -> None:
    """12.3.5.1.e1: for two points, by which one may surrender; others have no way at all."""
    table = Table()
    here, there = ways(table.rules, lambda way, a, b: table.rules.ground.cliff[way])[0]
    table.hexes = (here, *table.rules.grid.neighbours[here])
    (man,) = table.put(0, name)
    table.state.dp[man] = dp
    others = [h for h in table.rules.grid.adjacent[here] if h != there]
    for h, foe in zip(others, FIVE, strict=True):
        put(table.rules, table.state, table.rules.number[foe], h)
    table.state.frames = []
    falling_back.give_way(table.rules, table.state, [man], here, mask_of(others))
    table.go()
    while table.asked == "infiltration":
        table.play(Hold())
    if table.asked == "second_hex":
        table.play(Halt())
    assert table.state.frames == []
    assert (table.state.at[man], table.state.dp[man]) == ((there, dp + 2) if stays else (SURRENDERED, 0))


def test_drawn_retreats_are_legal() -> None:
    table, _, _ = beaten("it-87-1", "it-87-2")
    legal, rng = table.legal(), Random(2)
    drawn = [table.choice.sample(table.rules, table.state, table.top, rng) for _ in range(30)]
    assert all(action in legal for action in drawn) and len({str(action) for action in drawn}) == 3


# What they meet


def test_an_enemy_that_is_not_in_the_fight_may_fire_at_who_passes() -> None:
    """12.3.5.4: he is next to the hex that is left and to that which is entered."""
    table, _, (man,) = beaten("it-87-1", foes={2: ("ah-sch14-1",)})
    table.play(Retreat(("it-87-1",), to(table, 3)))
    assert table.asked == "infiltration" and table.top.seat == 0
    table.play(Shoot(("ah-sch14-1",)), [4])
    assert table.told("fired")[0]["units"] == ("it-87-1",) and table.asked == "second_hex"
    table, _, (man,) = beaten("it-87-1", foes={2: ("ah-sch14-1",)})
    table.play(Retreat(("it-87-1",), to(table, 5)))
    assert table.asked == "second_hex" and table.at(man) == 5


def test_who_assaults_does_not_fire_at_who_retreats() -> None:
    """12.3.5.4, 12.3.2.e1: nor who has a marker against another hex."""
    table = Table()
    wave, other = table.put(1, "ah-sch1-1"), table.put(2, "ah-sch1-2")
    table.put(0, "it-87-1")
    far = next(h for h in table.rules.grid.adjacent[table.hexes[2]] if h not in table.hexes)
    put(table.rules, table.state, table.rules.number["it-88-1"], far)
    table.assaults(*wave)
    assault.declare(table.rules, table.state, other[0], far, False, [])
    table.state.fought = mask_of(other)
    table.step("assault_step", 0, dice=[BEST])
    table.play(Retreat(("it-87-1",), to(table, 3)))
    assert table.asked == "second_hex"


def test_a_barrage_strikes_before_the_fire() -> None:
    """10.0.e1, 12.1.6."""
    table, _, _ = beaten("it-87-1", foes={2: ("ah-sch14-1",)})
    table.state.barrages = ((table.hexes[3], artillery.PARTS * 12),)
    table.play(Retreat(("it-87-1",), to(table, 3)), [4])
    assert [told["fire"] for told in table.told("fired")] == ["barrage"] and table.asked == "infiltration"
    table.play(Hold())
    assert table.asked == "second_hex"


def test_the_fire_hits_only_who_retreats() -> None:
    """12.3.5.5."""
    table, _, (man,) = beaten(
        "it-87-1",
        foes={2: ("ah-sch14-1",), 4: ("ah-sch14-2",), 5: ("ah-sch24-1",), 6: ("ah-sch24-2",)},
        friends={3: ("it-88-1",)},
    )
    assert table.asked == "infiltration" and table.at(man) == 3
    table.play(table.legal()[-1], [6])
    assert table.told("fired")[0]["units"] == ("it-87-1",)
    assert table.state.dp[table.rules.number["it-88-1"]] == 0


# 12.3.5.7


@pytest.mark.parametrize(("die", "routed"), [(5, False), (6, True)])
def test_a_hex_farther_for_a_die_and_a_point(die: int, routed: bool) -> None:
    """12.3.5.7: above the printed morale of 5 it is routed, which is no surrender."""
    table, _, (man,) = beaten("it-87-1")
    table.play(Retreat(("it-87-1",), to(table, 4)))
    assert table.legal() == [Halt(), Farther((to(table, 4),))]
    assert table.why(Farther((to(table, 3),))) == table.why(Farther(())) == "12.3.5.7" and table.why(Farther(("x",)))
    table.play(Farther((to(table, 4),)), [die])
    if routed:
        assert table.state.at[man] == ROUTED and table.state.frames == []
        return
    assert table.asked == "retreat_to" and table.state.dp[man] == 1
    hexes = {action.hex for action in table.legal() if isinstance(action, Retreat)}
    assert to(table, 0) not in hexes and len(hexes) == 3
    table.play(Retreat(("it-87-1",), min(hexes)))
    assert table.state.dp[man] == 2 and table.rules.grid.ids[table.state.at[man]] == min(hexes)
    assert table.state.frames == []


def test_each_group_decides_for_itself() -> None:
    """12.3.5.7: those who went to one hex go farther, the others stay."""
    table, _, men = beaten("it-87-1", "it-87-2")
    table.play(Retreat(("it-87-1",), to(table, 3)))
    table.play(Retreat(("it-87-2",), to(table, 5)))
    assert len(table.legal()) == 4
    points = [table.state.dp[man] for man in men]
    table.play(Farther((to(table, 3),)), [1])
    table.play(table.legal()[0])
    assert table.at(men[1]) == 5 and table.at(men[0]) not in (0, 3, 5)
    assert [table.state.dp[man] for man in men] == [points[0] + 1, points[1]]


def test_two_groups_go_on_one_after_the_other() -> None:
    """12.3.5.7: the dice of a group, its way, then the next; the points come at the end."""
    table, _, men = beaten("it-87-1", "it-87-2")
    table.play(Retreat(("it-87-1",), to(table, 3)))
    table.play(Retreat(("it-87-2",), to(table, 5)))
    points = [table.state.dp[man] for man in men]
    table.play(Farther(tuple(sorted([to(table, 3), to(table, 5)]))), [1])
    assert table.asked == "retreat_to" and len(table.told("rout_die")) == 1
    table.play(table.legal()[0], [1])
    assert table.asked == "retreat_to" and len(table.told("rout_die")) == 2
    assert [table.state.dp[man] for man in men] == points
    table.play(table.legal()[0])
    assert [table.state.dp[man] for man in men] == [n + 1 for n in points] and table.state.frames == []


def test_the_point_of_the_second_hex_comes_last_and_nobody_surrenders_by_it() -> None:
    """12.3.5.7: next to an enemy, one below his morale."""
    table, _, (man,) = beaten("it-87-1")
    table.play(Retreat(("it-87-1",), to(table, 4)))
    table.state.dp[man] = 4
    table.play(Farther((to(table, 4),)), [1])
    table.play(table.legal()[0])
    assert table.state.dp[man] == 4 and table.state.at[man] >= 0 and table.state.frames == []


def test_who_leaves_of_his_own_will_retreats_alike() -> None:
    """10.2.4, 12.3.5."""
    table = Table()
    wave, _ = table.put(1, "ah-sch1-1"), table.put(0, "it-87-1")
    table.assaults(*wave)
    table.step("assault_step", 0, dice=[1])
    table.play(Withdraw())
    assert hexes_open(table) == {3, 4, 5}
    table.play(Retreat(("it-87-1",), to(table, 5)))
    assert table.asked == "second_hex"


# 12.3.5.6


def test_all_who_began_in_the_same_hex_go_back_together_past_the_enemy() -> None:
    """12.3.5.6, 12.4.3, 12.3.5.4: the others fire who are not in the fight; nobody goes farther."""
    table = Table()
    units = [*table.put(1, "ah-sch1-1", "ah-sch1-2"), *table.put(3, "ah-sch14-1")]
    table.assaults(*units)
    for unit in units:
        assault.advance(table.rules, table.state, [unit], table.hexes[0], [])
    (man,) = table.put(5, "it-87-1")
    table.put(6, "it-88-1")
    table.assaults(man)
    for unit in units:
        table.state.dp[unit], table.state.lost[unit] = 1, 1
    table.step("assault_step", 1)
    assert table.asked == "stand" and table.top.seat == 0
    table.play(Stand(("ah-sch1-1", "ah-sch14-1"), "ah-sch14-1"), [BEST])
    assert table.asked == "infiltration" and table.top.seat == 1
    assert [table.at(unit) for unit in units[:2]] == [1, 1] and table.at(man) == 5
    table.play(Shoot(("it-88-1",)), [1])
    assert table.state.frames == [] and table.at(man) == 0
    assert table.told("fired")[0]["units"] == ("ah-sch1-1", "ah-sch1-2")
    assert not table.state.advanced or {unit for unit, _ in table.state.advanced} == {man}


def test_each_goes_back_to_his_own_hex_and_who_finds_an_enemy_there_surrenders() -> None:
    """12.3.5.6, 12.3.5.2."""
    table = Table()
    units = [*table.put(1, "ah-sch1-1"), *table.put(3, "ah-sch1-2")]
    table.assaults(*units)
    for unit in units:
        assault.advance(table.rules, table.state, [unit], table.hexes[0], [])
    (man,) = table.put(5, "it-87-1")
    table.put(3, "it-88-1")
    table.assaults(man)
    table.state.dp[units[0]] = table.state.dp[units[1]] = 2
    table.step("assault_step", 1)
    table.play(Stand(("ah-sch1-1", "ah-sch1-2"), "ah-sch1-1"), [BEST])
    assert table.at(units[0]) == 1 and table.state.at[units[1]] == SURRENDERED and table.at(man) == 0
