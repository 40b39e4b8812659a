"""4.0-7.D, 12.3: assaults through their decisions: order, waves, leads, dice, losses, advance."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from caporetto_assaults import Table

from fronte.engine.decision import AUTO, Frame
from fronte.engine.flow import act, settle
from fronte.games.caporetto import aftermath, assailants, assault, forecasts
from fronte.games.caporetto.aftermath import Remain, Suffer, Withdraw
from fronte.games.caporetto.assaulting import Next, Pick, Stand, Wave
from fronte.games.caporetto.entering import Occupy
from fronte.games.caporetto.falling_back import Halt, Retreat
from fronte.games.caporetto.printed import SURRENDERED
from fronte.games.caporetto.state import put
from fronte.games.caporetto.tables import outcome
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits, mask_of

BEST, WORST = 6, 1


def against(*names: str, men: tuple[str, ...] = ("it-87-1",)) -> tuple[Table, list[int], list[int]]:
    """Units of AHG at 1 that have declared the assault of Italians in the middle, on open ground."""
    table = Table()
    wave, there = table.put(1, *names), table.put(0, *men)
    table.assaults(*wave)
    return table, wave, there


def hexes_open(table: Table) -> set[int]:
    """The directions to which those may go who are asked."""
    assert table.asked == "retreat_to"
    ids = [table.rules.grid.ids[h] for h in table.hexes]
    return {ids.index(action.hex) for action in table.legal() if isinstance(action, Retreat)}


def back(table: Table, *names: str, to: int = 4, dice: tuple[int, ...] = ()) -> None:
    """These retreat to the hex of a direction, and no farther."""
    table.play(Retreat(names, table.rules.grid.ids[table.hexes[to]]), dice)
    if table.asked == "second_hex":
        table.play(Halt())


# One assault


def test_one_against_one_asks_nothing_before_the_die() -> None:
    """12.3.3: who is alone leads."""
    table, wave, _ = against("ah-sch1-1")
    table.step("assault_step", 0, dice=[WORST])
    assert table.state.step == "assault" and table.asked == "withdraw"
    (told,) = table.told("assault")
    assert (told["attack"], told["defence"], told["ratio"], told["net"], told["column"]) == (3, 3, "1:1", 0, "1:1")
    assert told["wave"] == ("ah-sch1-1",) and told["group"] == ("it-87-1",)
    (result,) = table.told("assault_result")
    assert result == {"hex": "2102", "attacker": "D1R/1", "defender": "D1", "won": False, "die": 1}
    assert table.state.fought == mask_of(wave)


def test_both_lines_then_the_retreat_then_the_advance() -> None:
    """12.3.4, 12.3.5, 12.3.8: 2:1 and a six: D1 for each of the wave, D2R/1 for the defender."""
    table, wave, (man,) = against("ah-sch1-1", "ah-sch1-2")
    table.step("assault_step", 0)
    assert table.asked == "wave" and table.top.seat == 0
    table.play(Wave(table.names(wave), "ah-sch1-2"), [BEST])
    assert hexes_open(table) == {3, 4, 5} and table.top.seat == 1
    assert [table.state.dp[unit] for unit in (*wave, man)] == [1, 1, 2]
    assert [table.state.lost[unit] for unit in (*wave, man)] == [0, 0, 1]
    assert [table.at(unit) for unit in wave] == [1, 1]
    back(table, "it-87-1")
    assert table.at(man) == 4 and [table.at(unit) for unit in wave] == [0, 0]
    assert table.state.frames == [] and table.state.fallen == (table.hexes[0],)
    assert table.state.retreated == mask_of([man])
    assert table.state.control[table.rules.force[wave[0]]] >> table.hexes[0] & 1


def test_an_attacker_that_must_retreat_stays_where_it_began() -> None:
    """12.3.5: D1R/1 and D1."""
    table, (unit,), (man,) = against("ah-sch1-1")
    table.step("assault_step", 0, dice=[WORST])
    table.play(Remain())
    assert (table.at(unit), table.at(man)) == (1, 0) and table.state.frames == []
    assert (table.state.dp[unit], table.state.lost[unit], table.state.dp[man]) == (1, 1, 1)


def test_below_the_table_no_die_is_thrown() -> None:
    """12.3.3.C.e2: each assaulter takes two points, one step is lost, and nothing happens to the defender."""
    table, (unit,), (man, _) = against("ah-sch1-1", men=("it-87-1", "it-87-2"))
    table.state.lost[unit], table.state.dp[unit] = 1, 2
    table.step("assault_step", 0)
    table.play(Stand(("it-87-1", "it-87-2"), "it-87-1"))
    (told,) = table.told("assault")
    assert (told["ratio"], told["net"], told["column"]) == ("1:3", -2, "1:5")
    assert "die" not in table.told("assault_result")[0] and not table.told("rolled")
    assert table.state.at[unit] < 0 and table.state.dp[man] == 0


# The order


def test_hexes_one_after_the_other_in_the_order_of_the_attacker() -> None:
    """12.3.2, 12.3.3.D: the second is not begun before the first is over."""
    table = Table()
    units = [*table.put(1, "ah-sch1-1"), *table.put(3, "ah-sch1-2")]
    first, second = [*table.put(0, "it-87-1"), *table.put(2, "it-88-1")]
    table.assaults(units[0], on=0)
    table.assaults(units[1], on=2)
    table.step("assault_step", 0)
    ids = table.rules.grid.ids
    here, there = ids[table.hexes[0]], ids[table.hexes[2]]
    assert table.asked == "next_assault" and table.top.seat == 0
    assert {action.hex for action in table.legal() if isinstance(action, Next)} == {here, there}
    assert table.why(Next(ids[table.hexes[4]])) == "12.3.2" and table.why(Next("9999")) != ""
    table.play(Next(there), [WORST])
    assert table.asked == "withdraw" and not table.state.fought >> units[0] & 1
    table.play(Remain(), [WORST])
    assert table.asked == "withdraw" and table.state.fought == mask_of(units)
    table.play(Remain())
    assert table.state.frames == [] and [table.state.dp[man] for man in (first, second)] == [1, 1]


# Waves


def test_five_battalions_go_in_waves_of_two_two_and_one() -> None:
    """10.2.4, 12.3.2: as long as the defender holds, all must go; the last is not asked for."""
    table = Table()
    wave = [*table.put(1, "ah-sch1-1", "ah-sch1-2", "ah-sch1-3"), *table.put(2, "ah-sch14-1", "ah-sch14-2")]
    men = ("it-87-1", "it-87-2")
    table.put(0, *men)
    table.assaults(*wave)
    table.step("assault_step", 0)
    assert table.why(Wave(table.names(wave[:3]), "ah-sch1-1")) == "11.4"
    assert table.why(Wave((), "ah-sch1-1")) == "10.2.3" and table.why(Wave(("it-87-1",), "it-87-1")) == "10.2.3"
    assert table.why(Wave(("ah-sch1-1", "ah-sch1-1"), "ah-sch1-1")) != ""
    for lead, waves in ((0, ("ah-sch1-1", "ah-sch1-3")), (1, ("ah-sch14-1", "ah-sch14-2"))):
        assert table.asked == "wave"
        table.play(Wave(waves, waves[lead]))
        assert table.asked == "stand"
        table.play(Stand(men, "it-87-2"), [WORST])
        assert table.asked == "withdraw" and table.state.lost[table.rules.number[waves[lead]]] == 1
        table.play(Remain())
    assert table.asked == "stand" and table.top.args[2] == (wave[1],)
    table.play(Stand(men, "it-87-1"), [WORST])
    assert table.choice.about(table.rules, table.state, table.top)["waiting"] == ()
    table.play(Remain())
    assert table.state.frames == [] and table.state.fought == mask_of(wave)
    assert [len(told["wave"]) for told in table.told("assault")] == [2, 2, 1]  # type: ignore[arg-type]


def test_who_has_assaulted_does_not_go_again_and_formations_do_not_mix() -> None:
    """10.2.4, 7.10: another wave may be another formation's."""
    table = Table()
    wave = [*table.put(1, "ah-sch1-1", "ah-sch1-2"), *table.put(2, "ah-sch14-1", "ah-sch14-2")]
    men = table.put(0, "it-87-1", "it-87-2")
    table.assaults(*wave)
    table.step("assault_step", 0)
    assert table.why(Wave(("ah-sch1-1", "ah-sch14-1"), "ah-sch1-1")) == "7.10"
    actions = table.legal()
    assert Wave(("ah-sch1-1", "ah-sch14-1"), "ah-sch1-1") not in actions
    sizes = [len(action.units) for action in actions if isinstance(action, Wave)]
    assert sizes == sorted(sizes)
    table.play(Wave(("ah-sch1-1",), "ah-sch1-1"))
    table.play(Stand(table.names(men), "it-87-1"), [WORST])
    table.play(Remain())
    assert table.why(Wave(("ah-sch1-1", "ah-sch1-2"), "ah-sch1-2")) == "10.2.4"
    table.play(Wave(("ah-sch14-1", "ah-sch14-2"), "ah-sch14-1"))
    assert table.asked == "stand"


def test_in_high_mountain_one_battalion_goes_at_a_time() -> None:
    """11.4, 10.2.4."""
    table = Table()
    grid, ground = table.rules.grid, table.rules.ground
    h = next(h for h in bits(ground.high & ground.extent) if all(x >= 0 for x in grid.neighbours[h]))
    table.hexes = (h, *grid.neighbours[h])
    wave = table.put(1, "ah-sch1-1", "ah-sch1-2")
    table.put(0, "it-87-1")
    table.assaults(*wave)
    table.step("assault_step", 0)
    assert table.why(Wave(table.names(wave), "ah-sch1-1")) == "11.4"
    assert [len(action.units) for action in table.legal() if isinstance(action, Wave)] == [1, 1]


def test_who_leads_is_the_owners_choice_or_by_option_the_highest() -> None:
    """12.3.4.e1."""
    table, wave, _ = against("ah-sch1-1", "ah-sch1-2")
    table.state.dp[wave[0]] = 1
    table.step("assault_step", 0)
    both = table.names(wave)
    assert table.why(Wave(both, "ah-sch1-1")) == table.why(Wave(both, "ah-sch1-2")) == ""
    assert table.why(Wave(both, "it-87-1")) == "12.3.4.e1" and table.why(Wave(both, "x")) != ""
    table = Table(assault_lead="highest-current")
    wave = table.put(1, "ah-sch1-1", "ah-sch1-2")
    table.put(0, "it-87-1")
    table.assaults(*wave)
    table.state.dp[wave[0]] = 1
    table.step("assault_step", 0)
    assert table.why(Wave(both, "ah-sch1-1")) == "12.3.4.e1" and table.why(Wave(both, "ah-sch1-2")) == ""


# Who stands


def test_of_three_battalions_of_a_regiment_two_stand() -> None:
    """11.4, 11.1.e1: those whom their owner names, and nobody is left out for whom there is room."""
    table, _, men = against("ah-sch1-1", men=("it-87-1", "it-87-2", "it-87-3"))
    table.step("assault_step", 0)
    assert table.asked == "stand" and table.top.seat == 1
    assert len({action.units for action in table.legal() if isinstance(action, Stand)}) == 3
    assert table.why(Stand(table.names(men), "it-87-1")) == "11.4"
    assert table.why(Stand(("it-87-1",), "it-87-1")) == "11.4"
    assert table.why(Stand(("it-87-1", "it-87-3"), "it-87-2")) == "12.3.4.e1"
    table.play(Stand(("it-87-1", "it-87-3"), "it-87-3"), [BEST])
    assert table.told("assault")[0]["defence"] == 6
    assert [table.state.dp[man] for man in men] == [1, 1, 1]  # 12.3.4: all in the hex


def test_who_has_retreated_into_the_hex_suffers_but_does_not_stand() -> None:
    """12.3.7, 12.3.6: alone it is a strength of 0, on 5:1 with no shifts."""
    table, _, (man,) = against("ah-sch1-1")
    table.state.joined = 1 << man
    table.step("assault_step", 0, dice=[WORST])
    told = table.told("assault")[0]
    assert (told["defence"], told["column"], told["group"]) == (0, "5:1", ())
    assert table.asked == "retreat_to" and (table.state.dp[man], table.state.lost[man]) == (1, 1)


# Losses


def losing(steps: int, lead: bool = True) -> tuple[Table, list[int]]:
    """Two Italian battalions that have to lose so many steps."""
    table, wave, men = against("ah-sch1-1", men=("it-87-1", "it-87-2"))
    table.state.fought = mask_of(wave)
    table.state.frames = [Frame("storm", AUTO, (table.hexes[0], 0))]
    table.state.frames.append(Frame("take_losses", AUTO, (1, tuple(men), tuple(men[:lead]), steps)))
    settle(table.rules, table.state, table.out)
    return table, men


def test_the_first_step_is_the_leads_and_the_next_as_the_owner_likes() -> None:
    """12.3.4.e1; evenness is printed for fire alone."""
    table, men = losing(2)
    assert table.asked == "assault_losses" and table.top.seat == 1
    assert table.legal() == [Suffer(("it-87-1", "it-87-1")), Suffer(("it-87-1", "it-87-2"))]
    assert table.why(Suffer(("it-87-2", "it-87-2"))) == "12.3.4.e1"
    assert table.why(Suffer(("it-87-1",))) == "12.3.4" and table.why(Suffer(("x", "y"))) != ""
    table.play(Suffer(("it-87-1", "it-87-2")))
    assert [table.state.lost[man] for man in men] == [1, 1]


def test_one_step_of_the_lead_and_all_steps_are_no_question() -> None:
    """12.3.4.e1: and without a lead the first is anybody's."""
    table, men = losing(1)
    assert table.asked == "" and [table.state.lost[man] for man in men] == [1, 0]
    table, men = losing(4)
    assert [table.state.at[man] for man in men] == [table.state.at[men[0]]] * 2 and table.state.at[men[0]] < 0
    table, men = losing(1, lead=False)
    assert len(table.legal()) == 2


def test_the_winner_does_not_surrender() -> None:
    """15.4.2: an attacker at one below its morale that wins stays so; a defender that holds likewise."""
    table, (unit,), (man,) = against("ah-sch1-1")
    table.state.dp[unit] = table.state.dp[man] = 4
    table.step("assault_step", 0, dice=[BEST])
    assert table.state.dp[unit] == 4 and table.at(unit) == 0
    assert table.state.at[man] == SURRENDERED  # 15.4: the loser
    table, (unit,), (man,) = against("ah-sch1-1")
    table.state.dp[unit] = table.state.dp[man] = 4
    table.step("assault_step", 0, dice=[WORST])
    assert table.state.dp[man] == 4 and table.state.at[unit] == SURRENDERED


def test_who_surrenders_takes_no_step() -> None:
    """15.4.1: a unit of one step that reaches its morale is in the box of those who surrendered."""
    table, wave, men = against("ah-sch1-1", "ah-sch1-2", men=("it-87-1", "it-87-2"))
    table.state.dp[men[0]], table.state.lost[men[0]] = 4, 1
    table.step("assault_step", 0)
    table.play(Wave(table.names(wave), "ah-sch1-1"))
    table.play(Stand(("it-87-1", "it-87-2"), "it-87-2"), [5])
    assert table.told("assault_result")[0]["defender"] == "D1R/1"
    assert table.state.at[men[0]] == SURRENDERED and table.state.lost[men[1]] == 1


# Rommel


def rommel() -> tuple[Table, list[int], int]:
    table, wave, (man,) = against("de-wgb-1", "de-wgb-2", "de-wgb-3", "de-wgb-4")
    table.state.rommel = mask_of(wave)
    table.step("assault_step", 0)
    return table, wave, man


def test_of_rommels_two_dice_either_counts() -> None:
    """21.6.2."""
    table, wave, _ = rommel()
    table.play(Wave(table.names(wave), "de-wgb-1"), [2, 5])
    assert table.asked == "rommel_die" and table.top.seat == 0
    assert table.legal() == [Pick(2), Pick(5)] and table.why(Pick(3)) == "21.6.2"
    lines = table.choice.about(table.rules, table.state, table.top)["lines"]
    assert set(lines) == {"2", "5"}
    table.play(Pick(2))
    result = table.told("assault_result")[0]
    assert result["die"] == 2 and [result["attacker"], result["defender"]] == lines["2"]
    assert not table.state.wounded


def test_a_double_wounds_rommel_and_leaves_no_choice() -> None:
    """21.6.2."""
    table, wave, _ = rommel()
    table.play(Wave(table.names(wave), "de-wgb-1"), [4, 4])
    assert table.state.wounded and table.asked != "rommel_die" and table.told("assault_result")[0]["die"] == 4


# The flank


def test_the_flank_comes_before_the_odds_and_may_end_the_assault() -> None:
    """21.5.2: a point less of morale is a column more; who surrenders by it is not fought."""
    table = Table()
    wave = [*table.put(1, "de-leib-1"), *table.put(4, "de-leib-2")]
    (man,) = table.put(0, "it-87-1")
    table.assaults(*wave)
    table.step("assault_step", 0)
    assert table.asked == "wave" and table.state.dp[man] == 1
    table.play(Wave(("de-leib-1",), "de-leib-1"), [WORST])
    assert dict(map(tuple, table.told("assault")[0]["shifts"])) == {"morale": 3}  # type: ignore[call-overload]
    table = Table()
    wave = [*table.put(1, "de-leib-1"), *table.put(4, "de-leib-2")]
    (man,) = table.put(0, "it-87-1")
    table.state.dp[man] = 4
    table.assaults(*wave)
    table.step("assault_step", 0)
    assert table.state.at[man] == SURRENDERED and not table.told("assault")
    assert [table.at(unit) for unit in wave] == [0, 0] and table.state.frames == []


# 10.2.3: empty hexes


def test_a_hex_that_fire_has_emptied_is_entered_without_a_die() -> None:
    """10.2.3, 12.3.1.e1."""
    table, wave, (man,) = against("ah-sch1-1", "ah-sch1-2")
    put(table.rules, table.state, man, -1)
    table.step("assault_step", 0)
    assert [table.at(unit) for unit in wave] == [0, 0] and table.state.frames == []
    assert table.state.fallen == (table.hexes[0],)


def test_as_many_enter_as_there_is_room_for() -> None:
    """10.2.3, 11.1: which of them their owner says, and not fewer."""
    table = Table()
    wave = [*table.put(1, "ah-sch1-1", "ah-sch1-2"), *table.put(2, "ah-sch14-1")]
    (man,) = table.put(0, "it-87-1")
    table.assaults(*wave)
    put(table.rules, table.state, man, -1)
    table.step("assault_step", 0)
    assert table.asked == "occupy" and table.top.seat == 0
    assert table.why(Occupy(table.names(wave))) == "11.1"
    assert table.why(Occupy(("ah-sch1-1",))) == "10.2.3" and table.why(Occupy(("it-87-1",))) == "10.2.3"
    assert len(table.legal()) == 3
    drawn = {str(table.choice.sample(table.rules, table.state, table.top, Random(n))) for n in range(40)}
    assert drawn == {str(action) for action in table.legal()}
    table.play(Occupy(("ah-sch1-2", "ah-sch14-1")))
    assert [table.at(unit) for unit in wave] == [1, 0, 0] and table.state.frames == []


def test_who_has_lost_his_marker_enters_nothing() -> None:
    """12.2.10.S: nobody advances even if the hex is empty."""
    table, (unit,), (man,) = against("ah-sch1-1")
    put(table.rules, table.state, man, -1)
    table.state.assaults = ()
    table.step("assault_step", 0)
    assert table.at(unit) == 1 and table.state.frames == []


# Guns


def gun_of(table: Table) -> int:
    rules = table.rules
    return next(u for u in bits(rules.guns & rules.of_side[ITALIAN]) if not rules.groups >> u & 1)


def test_guns_in_place_take_the_points_and_stay_and_are_not_captured_yet() -> None:
    """12.3.4, 12.3.5.3: their capture waits for the end of the action."""
    table, (unit,), (man,) = against("ah-sch1-1")
    gun = gun_of(table)
    put(table.rules, table.state, gun, table.hexes[0])
    table.state.emplaced |= 1 << gun
    table.step("assault_step", 0, dice=[BEST])
    back(table, "it-87-1")
    assert table.at(gun) == 0 and table.state.dp[gun] == 1 and table.at(unit) == 0 and table.at(man) == 4
    assert table.state.lost[gun] == 0


def test_guns_on_the_move_that_are_left_alone_are_captured_at_once() -> None:
    """18.3, 12.3.5.3: where all others are gone and no R takes them along."""
    table, (unit,), (man,) = against("ah-sch1-1")
    gun = gun_of(table)
    put(table.rules, table.state, gun, table.hexes[0])
    table.state.emplaced &= ~(1 << gun)
    put(table.rules, table.state, man, -1)
    table.step("assault_step", 0)
    assert table.state.at[gun] == SURRENDERED and table.at(unit) == 0


def test_guns_on_the_move_retreat_like_others() -> None:
    """12.3.5.3."""
    table, _, _ = against("ah-sch1-1")
    gun = gun_of(table)
    put(table.rules, table.state, gun, table.hexes[0])
    table.state.emplaced &= ~(1 << gun)
    table.step("assault_step", 0, dice=[BEST])
    assert table.asked == "retreat_to"
    names = {action.units for action in table.legal() if isinstance(action, Retreat)}
    assert ("it-87-1",) in names and (table.rules.ids[gun],) in names


# 10.2.4: the defender leaves


def test_after_the_last_assault_too_the_defender_may_leave() -> None:
    """10.2.4, 10.2.3, corrections: the hex so left must be entered."""
    table, (unit,), (man,) = against("ah-sch1-1")
    table.step("assault_step", 0, dice=[WORST])
    assert table.asked == "withdraw" and table.top.seat == 1 and table.legal() == [Remain(), Withdraw()]
    table.play(Withdraw())
    back(table, "it-87-1", to=3)
    assert (table.at(man), table.at(unit)) == (3, 0) and table.state.frames == []


def test_who_has_nowhere_to_go_is_not_asked_whether_he_leaves() -> None:
    """12.3.5.2: he would have to surrender."""
    table, _, (man,) = against("ah-sch1-1")
    for place, name in enumerate(("ah-sch1-2", "ah-sch14-1", "ah-sch14-2", "ah-sch24-1", "ah-sch24-2"), 2):
        table.put(place, name)
    table.step("assault_step", 0, dice=[WORST])
    assert table.state.frames == [] and table.at(man) == 0


def test_before_the_first_assault_nobody_leaves() -> None:
    """10.2.4."""
    table, _, _ = against("ah-sch1-1", "ah-sch1-2", "ah-sch1-3")
    table.step("assault_step", 0)
    assert table.asked == "wave"


# What an advance meets


def test_an_advance_enters_a_barrage() -> None:
    """12.1.6, 10.0.6: but it lowers no trench and takes no guns in place."""
    table, _, (man,) = against("ah-sch1-1")
    put(table.rules, table.state, man, -1)
    table.state.barrages = ((table.hexes[0], 10_000_000),)
    table.step("assault_step", 0, dice=[6])
    assert table.told("fired")[0]["fire"] == "barrage" and table.told("fired")[0]["units"] == ("ah-sch1-1",)


# 17.5, 12.4.4: the end of step G


@pytest.mark.parametrize("held", [True, False])
def test_trenches_go_down_at_the_end_where_the_assaulter_holds_the_hex(held: bool) -> None:
    """17.5: also where no counter-assault was declared."""
    table = Table()
    ground = table.rules.ground
    h = next(h for h in bits(ground.trench[ITALIAN] & ground.extent) if ground.trench_level[h] == 2)
    table.hexes = (h, *table.rules.grid.neighbours[h])
    (unit,) = table.put(1, "ah-sch1-1")
    table.assaults(unit)
    if held:
        assault.advance(table.rules, table.state, [unit], h, [])
    table.step("assault_step", 1)
    assert table.state.step == "counter"
    assert bool(table.state.lowered >> h & 1) == held and table.state.frames == []
    assert not table.state.activated


def test_who_has_counter_assaulted_is_activated() -> None:
    """12.4.4."""
    table = Table()
    (unit,), (man,) = table.put(1, "ah-sch1-1"), table.put(3, "it-87-1")
    table.assaults(unit)
    assault.advance(table.rules, table.state, [unit], table.hexes[0], [])
    table.assaults(man)
    table.state.supports = ()
    table.step("assault_step", 1, dice=[WORST])
    assert table.asked == "withdraw" and table.top.seat == 0
    table.play(Remain())
    assert table.state.activated == 1 << man and table.state.frames == []


def test_the_counter_assault_drives_the_others_back_to_where_they_began() -> None:
    """12.4.3, 12.3.5.6: the roles are changed, and the hex is taken back."""
    table = Table()
    (unit,), (man,) = table.put(1, "ah-sch1-1"), table.put(3, "it-87-1")
    table.assaults(unit)
    assault.advance(table.rules, table.state, [unit], table.hexes[0], [])
    table.assaults(man)
    table.step("assault_step", 1, dice=[BEST])
    assert (table.at(unit), table.at(man)) == (1, 0) and table.state.frames == []
    assert table.state.retreated == 1 << unit and table.state.activated == 1 << man


# Odds


def test_the_odds_are_those_of_the_table_and_of_the_best_defence() -> None:
    """12.3.3: over all dice; a defender takes the lead that serves him best."""
    table, wave, men = against("ah-sch1-1", "ah-sch1-2", men=("it-87-1", "it-87-2"))
    table.state.dp[men[0]] = 2
    found = forecasts.odds_of(table.rules, table.state, table.hexes[0], wave)
    assert found.clash.against == men[1] and found.fight.column == table.rules.tables.assault.column(1, 1)
    lines = [table.rules.tables.assault.result(found.fight.column, die) for die in range(1, 7)]
    assert found.odds.of == 6 and found.odds.wins == sum(theirs.retreat for _, theirs in lines)
    worse = forecasts.odds_of(table.rules, table.state, table.hexes[0], wave, lead=wave[0])
    assert worse.fight == found.fight
    table.state.dp[wave[0]] = 1
    assert forecasts.odds_of(table.rules, table.state, table.hexes[0], wave, lead=wave[0]).fight.net == -1


def test_odds_of_rommel_and_of_a_counter_assault() -> None:
    """21.6.2, 12.4.3: 36 ways; no trenches."""
    table, wave, _ = against("de-wgb-1", "de-wgb-2", "de-wgb-3", "de-wgb-4")
    table.state.rommel = mask_of(wave)
    found = forecasts.odds_of(table.rules, table.state, table.hexes[0], wave)
    table_of = table.rules.tables.assault
    best = [
        any(table_of.result(found.fight.column, die)[1].retreat for die in pair)
        for pair in product(range(1, 7), repeat=2)
    ]
    assert found.odds.of == 36 and found.odds.wins == sum(best)
    ground = table.rules.ground
    h = next(
        h
        for h in bits(ground.trench[ITALIAN] & ground.extent)
        if ground.trench_level[h] == 2 and all(x >= 0 for x in table.rules.grid.neighbours[h])
    )
    table = Table()
    table.hexes = (h, *table.rules.grid.neighbours[h])
    wave = table.put(1, "ah-sch1-1")
    table.put(0, "it-87-1")
    keys = [
        {shift.key for shift in forecasts.odds_of(table.rules, table.state, h, wave, counter).fight.shifts}
        for counter in (False, True)
    ]
    assert "trench" in keys[0] and "trench" not in keys[1]


def test_odds_of_an_answer_and_of_the_throw_that_waits_agree() -> None:
    """12.3.3: what the wave was told, the defender is told if he stands as well as he can, and so says the die."""
    table, wave, men = against("ah-sch1-1", "ah-sch1-2", men=("it-87-1", "it-87-2"))
    table.state.dp[men[0]] = 2
    table.step("assault_step", 0)
    first = Wave(table.names(wave), "ah-sch1-2")
    told = forecasts.foresee(table.rules, table.state, table.top, first)
    assert told is not None and told.clash.lead == wave[1]
    act(table.rules, table.state, first, table.out)
    best, worse = Stand(table.names(men), "it-87-2"), Stand(table.names(men), "it-87-1")
    held = forecasts.foresee(table.rules, table.state, table.top, best)
    lost = forecasts.foresee(table.rules, table.state, table.top, worse)
    assert held is not None and lost is not None and held.odds == told.odds and lost.odds.wins > held.odds.wins
    assert forecasts.foresee(table.rules, table.state, table.top) is None
    act(table.rules, table.state, best, table.out)
    thrown = forecasts.foresee(table.rules, table.state, table.top)
    assert table.asked == "assault_die" and thrown is not None and thrown.odds == told.odds
    assert set(thrown.clash.group) == set(men) and thrown.clash.against == men[1]


@pytest.mark.parametrize("word", ["-", "D1", "D1/1", "D2R/1"])
def test_lines_are_told_as_they_are_printed(word: str) -> None:
    assert aftermath.line_of(outcome(word)) == word


def test_drawn_answers_are_legal() -> None:
    """What is drawn without listing is listed."""
    table = Table()
    wave = [*table.put(1, "ah-sch1-1", "ah-sch1-2"), *table.put(2, "ah-sch14-1", "ah-sch14-2")]
    table.put(0, "it-87-1", "it-87-2")
    table.assaults(*wave)
    table.step("assault_step", 0)
    legal, rng = table.legal(), Random(1)
    drawn = [table.choice.sample(table.rules, table.state, table.top, rng) for _ in range(60)]
    assert all(action in legal for action in drawn) and len({str(action) for action in drawn}) > 6


def test_the_sides_of_an_assault() -> None:
    """12.4.3: roles are reversed."""
    table = Table()
    assert [assailants.attacker(table.rules, table.state, counter) for counter in (0, 1)] == [AHG, ITALIAN]
    table = Table(side=ITALIAN)
    assert [assailants.attacker(table.rules, table.state, counter) for counter in (0, 1)] == [ITALIAN, AHG]
