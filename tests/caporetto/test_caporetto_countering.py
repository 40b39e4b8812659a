"""4.0-7.E, 12.4: counter-assaults through their decisions: who, from where, by which way, and with whose support."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_assaults import Table

from fronte.engine.decision import AUTO, Frame
from fronte.games.caporetto import artillery, assault, countering, forecasts, losses
from fronte.games.caporetto.countering import Assist, Counter, Declared
from fronte.games.caporetto.marching import Hold, Shoot
from fronte.games.caporetto.state import NOBODY, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import mask_of

BEST = 6
"""At 1:1 it is D1 and D1R/1."""


def lost(
    *names: str, side: int = AHG, at: int = 4, far: bool = False, taker: str = "ah-sch1-1"
) -> tuple[Table, int, list[int]]:
    """The middle has been lost to an assault that came from 1; the other side has units beside it, or two hexes off."""
    table = Table(side=side)
    (unit,) = table.put(1, taker if side == AHG else "it-88-1")
    table.assaults(unit)
    assault.advance(table.rules, table.state, [unit], table.hexes[0], [])
    units = table.put(at, *names)
    if far:
        for one in units:
            put(table.rules, table.state, one, beyond(table, at))
    return table, unit, units


def beyond(table: Table, place: int) -> int:
    """The hex two from the middle, in the same direction."""
    return table.rules.grid.neighbours[table.hexes[place]][place - 1]


def ids(table: Table, *hexes: int) -> tuple[str, ...]:
    return table.rules.hex_ids(hexes)


def middle(table: Table) -> str:
    return table.rules.grid.ids[table.hexes[0]]


# Who is asked


def test_nobody_is_asked_where_nothing_was_lost_or_nobody_may() -> None:
    """4.0-7.E, 12.4, 12.4.1."""
    table, _, (man,) = lost("it-87-1")
    table.state.activated = 1 << man
    table.step("counter_step")
    assert table.asked == "" and table.state.step == "counter_declare"
    table, unit, _ = lost("it-87-1")
    put(table.rules, table.state, unit, table.hexes[1])
    table.step("counter_step")
    assert table.asked == ""
    table, _, (man,) = lost("it-mg-friuli")  # 21.3
    table.step("counter_step")
    assert table.asked == ""


def test_the_other_seat_is_asked_and_may_decline() -> None:
    """12.4."""
    table, _, _ = lost("it-87-1")
    table.step("counter_step")
    assert table.asked == "counter_moves" and table.top.seat == 1
    assert table.legal()[:2] == [Declared(), Counter(("it-87-1",), middle(table))]
    table.play(Declared())
    assert table.state.frames == [] and len(table.state.assaults) == 1


def test_a_hex_lost_on_the_move_is_not_asked_about_again() -> None:
    """21.5.3: it had a counter-assault of its own."""
    table, unit, _ = lost("it-87-1")
    assault.lift(table.rules, table.state, [unit])
    table.step("counter_step")
    assert table.asked == ""


# From where they stand


def test_who_stands_beside_it_assaults_and_is_not_asked_again() -> None:
    """12.4.1, 12.4.2."""
    table, _, (man,) = lost("it-87-1")
    table.step("counter_step")
    assert table.why(Counter(("it-87-1",), ids(table, table.hexes[4])[0])) == "12.4"
    assert table.why(Counter(("x",), middle(table))) and table.why(Counter(("it-87-1",), "9999"))
    assert table.why(Counter((), middle(table))) == "10.0"
    assert table.why(Counter(("ah-sch1-1",), middle(table))) == "12.4"
    table.play(Counter(("it-87-1",), middle(table)))
    assert table.state.frames == [] and table.state.assaults[-1] == (man, table.hexes[0], 0)
    assert not table.state.moved


def test_of_a_stack_some_go_or_all() -> None:
    """12.4.1, 10.2.2: of any formation."""
    table, _, men = lost("it-87-1", "it-88-1")
    table.step("counter_step")
    found = [action.units for action in table.legal() if isinstance(action, Counter) and not action.path]
    assert found == [("it-87-1",), ("it-88-1",), ("it-87-1", "it-88-1")]
    table.play(Counter(("it-88-1",), middle(table)))
    assert table.asked == "counter_moves"
    assert table.why(Counter(("it-88-1",), middle(table))) == "10.2.3"
    table.play(Counter(("it-87-1",), middle(table)))
    assert {one for one, _, _ in table.state.assaults[1:]} == set(men) and table.asked == ""


def test_next_to_another_enemy_only_who_has_just_retreated() -> None:
    """12.4."""
    table, _, (man,) = lost("it-87-1")
    table.put(3, "ah-sch14-1")
    table.step("counter_step")
    assert table.asked == ""
    table.state.retreated = 1 << man
    table.step("counter_step")
    assert table.asked == "counter_moves"


# By a way


def test_a_reserve_two_hexes_off_comes_up_and_assaults() -> None:
    """12.4.1: one order takes it there and declares."""
    table, _, (man,) = lost("it-87-1", far=True)
    table.step("counter_step")
    ends = {action.path[-1] for action in table.legal() if isinstance(action, Counter)}
    assert set(ids(table, table.hexes[4])) <= ends
    path = ids(table, table.hexes[4])
    assert table.why(Counter(("it-87-1",), middle(table))) == "12.4.1"  # from where it is it cannot
    assert table.why(Counter(("it-87-1",), middle(table), ids(table, table.hexes[0]))) != ""
    table.play(Counter(("it-87-1",), middle(table), path))
    assert table.at(man) == 4 and table.state.assaults[-1] == (man, table.hexes[0], 0)
    assert table.state.moved == 1 << man and table.state.leftovers == () and table.asked == ""


def test_three_hexes_are_too_far() -> None:
    """12.4.1."""
    table, _, (man,) = lost("it-87-1", far=True)
    put(table.rules, table.state, man, table.rules.grid.neighbours[beyond(table, 4)][3])
    table.step("counter_step")
    assert table.asked == ""


def test_points_are_enough_or_a_forced_march_is_needed() -> None:
    """10.2.5, 10.4: with 6 points nothing here is too dear; with one and a half only a march, which costs a point."""
    table, _, (man,) = lost("it-87-1", far=True)
    rules = table.rules
    before = rules.points[man]
    path = ids(table, table.hexes[4])
    try:
        rules.points[man] = 6  # quarters of a point: one for the hex, and not two
        table.step("counter_step")
        assert table.why(Counter(("it-87-1",), middle(table), path)) == "10.2.5"
        hard = Counter(("it-87-1",), middle(table), path, "hard")
        assert {action.forced for action in table.legal() if isinstance(action, Counter)} == {"hard"}
        table.state.dp[man] = 4
        assert table.why(hard) == "10.4"
        table.state.dp[man] = 0
        table.play(hard)
        assert table.state.dp[man] == 1 and table.state.marched >> man & 1
        assert table.state.assaults[-1][0] == man
    finally:
        rules.points[man] = before


def test_who_is_stopped_on_the_way_declares_nothing() -> None:
    """10.1.2, 12.2.10.S: the enemies that he passes fire; suppressed he stays where he is."""
    table, unit, (man,) = lost("it-87-1", taker="de-leib-1")
    table.step("counter_step")
    table.play(Counter(("it-87-1",), middle(table), ids(table, table.hexes[5])))
    assert table.asked == "infiltration" and table.top.seat == 0
    table.play(Shoot(("de-leib-1",)), [6])
    assert table.state.ooc >> man & 1 and table.at(man) == 5
    assert [one for one, _, _ in table.state.assaults] == [unit]


def test_who_is_missed_goes_on() -> None:
    table, _, (man,) = lost("it-87-1", at=4)
    table.state.retreated = 1 << man
    table.step("counter_step")
    table.play(Counter(("it-87-1",), middle(table), ids(table, table.hexes[5])))
    assert table.asked == "infiltration"
    table.play(Hold())
    assert table.at(man) == 5 and table.state.assaults[-1][0] == man


def test_a_hex_that_is_full_is_no_place_to_assault_from() -> None:
    """11.2."""
    table, _, (man,) = lost("it-87-1", far=True)
    table.put(4, "it-88-1", "it-88-2")
    table.step("counter_step")
    assert table.why(Counter(("it-87-1",), middle(table), ids(table, table.hexes[4]))) == "11.2"
    assert table.at(man) != 4


# 12.4.2: support


def test_a_unit_of_the_ahg_supports_and_the_fire_falls_when_all_is_declared() -> None:
    """12.4.2, 12.1.7: it must be of the formation of one who counter-assaults."""
    table, _, _ = lost("ah-sch1-1", side=ITALIAN)
    table.put(3, "ah-sch1-2")
    table.put(5, "ah-sch14-1")
    table.step("counter_step")
    assert table.asked == "counter_moves" and table.top.seat == 0
    assert table.why(Assist("ah-sch1-2", middle(table))) == "10.2.6"  # nobody to support yet
    table.play(Counter(("ah-sch1-1",), middle(table)))
    assert table.why(Assist("ah-sch14-1", middle(table))) == "10.2.6"
    assert table.why(Assist("it-88-1", middle(table))) == "12.4" and table.why(Assist("x", middle(table)))
    table.play(Assist("ah-sch1-2", middle(table)))
    assert table.asked == "counter_moves" and not table.told("fired")
    assert table.why(Counter(("ah-sch1-2",), middle(table))) == "10.2.6"
    table.play(Declared(), [1])
    assert [told["fire"] for told in table.told("fired")] == ["bombardment"]
    assert table.told("fired")[0]["units"] == ("it-88-1",)
    table.step("assault_step", 1, dice=[1])
    assert table.asked == "withdraw"


def test_italians_do_not_support() -> None:
    """12.4.2."""
    table, _, _ = lost("it-87-1")
    table.put(3, "it-87-2")
    table.step("counter_step")
    table.play(Counter(("it-87-1",), middle(table)))
    assert table.why(Assist("it-87-2", middle(table))) == "10.2.6"


def test_supporters_are_activated_with_the_others() -> None:
    """12.4.4."""
    table, _, (man,) = lost("ah-sch1-1", side=ITALIAN)
    (helper,) = table.put(3, "ah-sch1-2")
    table.step("counter_step")
    table.play(Counter(("ah-sch1-1",), middle(table)))
    table.play(Assist("ah-sch1-2", middle(table)), [1])  # nobody is left to declare
    table.step("assault_step", 1, dice=[6])
    assert table.state.activated == mask_of([man, helper])


# Odds, logistics, and what is drawn


def test_the_odds_are_those_from_the_end_of_the_way() -> None:
    """12.3.3, 12.4.3: and nobody has moved by asking."""
    table, _, (man,) = lost("it-87-1", far=True)
    table.step("counter_step")
    order = Counter(("it-87-1",), middle(table), ids(table, table.hexes[4]))
    found = countering.foresee(table.rules, table.state, order)
    assert found.clash.counter and found.odds.of == 6 and table.state.at[man] == beyond(table, 4)
    table.play(order)
    assert forecasts.odds_of(table.rules, table.state, table.hexes[0], [man], counter=True).odds == found.odds


def test_who_is_taken_on_the_way_moves_no_more() -> None:
    """10.1.2, 15.4: nothing is left of his move."""
    table, _, (man,) = lost("it-87-1", taker="de-leib-1")
    table.state.dp[man] = 4
    table.step("counter_step")
    table.play(Counter(("it-87-1",), middle(table), ids(table, table.hexes[5])))
    table.play(Shoot(("de-leib-1",)), [6])
    assert table.state.at[man] < 0 and table.state.mover == NOBODY and table.state.frames == []


def test_without_means_nobody_counter_assaults() -> None:
    """6.1."""
    table, _, _ = lost("it-87-1")
    force = table.rules.force[table.rules.number["it-87-1"]]
    assert force in table.rules.scene.logistics
    table.state.points[force] = 0
    table.step("counter_step")
    assert table.asked == ""


def test_drawn_answers_are_legal() -> None:
    table, _, _ = lost("it-87-1", "it-88-1")
    table.put(3, "it-88-2")
    table.step("counter_step")
    legal, rng = table.legal(), Random(3)
    drawn = [table.choice.sample(table.rules, table.state, table.top, rng) for _ in range(60)]
    assert all(action in legal for action in drawn) and len({str(action) for action in drawn}) > 3


def test_a_pile_of_companies_is_listed_without_a_way_for_each_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """21.10: eight like companies are 255 sets, but eight kinds of them."""
    table, _, units = lost("de-23-1", "de-23-2", side=ITALIAN, far=True)
    for unit in units:
        losses.detach(table.rules, table.state, unit, 3, [])
    table.step("counter_step")
    asked: list[int] = []
    plain = countering.ways
    monkeypatch.setattr(countering, "ways", lambda *args: asked.append(1) or plain(*args))
    found = {action.units for action in table.legal() if isinstance(action, Counter)}
    assert len(found) > 200 and len(asked) < 40


def test_a_barrage_on_the_way_strikes() -> None:
    """12.1.6: counter-assaults are movement (10.0)."""
    table, _, (man,) = lost("it-87-1", far=True)
    table.state.barrages = ((table.hexes[4], artillery.PARTS * 6),)
    table.step("counter_step")
    table.play(Counter(("it-87-1",), middle(table), ids(table, table.hexes[4])), [1])
    assert table.told("fired")[0]["fire"] == "barrage" and table.state.assaults[-1][0] == man


def test_the_whole_of_steps_e_to_g() -> None:
    """12.4: declared, fired at, resolved; the hex is taken back."""
    table, unit, (man,) = lost("it-87-1")
    table.state.frames = [
        Frame("assault_step", AUTO, (1,)),
        Frame("defend_step", AUTO, (1,)),
        Frame("counter_step", AUTO),
    ]
    table.go()
    table.play(Counter(("it-87-1",), middle(table)))
    assert table.asked == "defend" and table.top.seat == 0 and table.state.step == "counter_defend"
    table.play(table.legal()[0], [BEST])
    assert (table.at(unit), table.at(man)) == (1, 0) and table.state.frames == []
    assert table.state.activated == 1 << man and table.state.step == "counter"
