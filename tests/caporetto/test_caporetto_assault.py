"""12.3, 10.2, 21.2, 21.4, 21.5, 21.6: who assaults, who fights, ratio, shifts, results and odds."""

from __future__ import annotations

import pytest
from caporetto_places import around, deploy, field, kinds, rule_of, ways

from fronte.engine.event import Event
from fronte.games.caporetto import assault, command, fire, flamethrowers, losses, morale, odds
from fronte.games.caporetto.odds import Clash, Shift
from fronte.games.caporetto.printed import SURRENDERED, CaporettoPrinted
from fronte.games.caporetto.state import NOBODY, State, put
from fronte.games.caporetto.tables import Outcome, outcome
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits, mask_of

FAR = 100
"""More points than anything costs."""
COLUMNS = ["1:2", "1:1.75", "1:1.5", "1:1.25", "1:1", "1.5:1", "2:1", "2.5:1", "3:1", "3.5:1", "4:1", "4.5:1", "5:1"]


def plain(*names: str, against: tuple[str, ...] = ("it-87-1",)) -> tuple[CaporettoPrinted, State, list[int], list[int]]:
    """Units of AHG beside Italians on open ground; the formations of the first ones act."""
    rules, state = field("what_if")
    here, there, *_ = around(rules)
    wave, men = deploy(rules, state, there, *names), deploy(rules, state, here, *against)
    let_act(rules, state, wave)
    return rules, state, wave, men


def let_act(rules: CaporettoPrinted, state: State, units: list[int]) -> None:
    state.formations = tuple(sorted({rules.formation_of[unit] for unit in units} - {-1}))
    state.attached = sum(1 << unit for unit in units if rules.formation_of[unit] < 0)
    state.attachments = ((rules.formation_of[units[0]], state.attached),)
    state.commanded = state.attached
    for formation in state.formations:
        state.commanded |= mask_of(command.members(rules, state, formation))


def column(rules: CaporettoPrinted, name: str) -> int:
    return rules.tables.assault.columns.index(name)


def shift_by(found: tuple[Shift, ...]) -> dict[str, int]:
    return {shift.key: shift.amount for shift in found}


# 12.3.3.A, B: the ratio


@pytest.mark.parametrize(
    ("attack", "defence", "name"),
    [(11, 3, "3.5:1"), (3, 5, "1:1.75"), (4, 4, "1:1"), (7, 2, "3.5:1"), (1, 2, "1:2"), (9, 5, "1.5:1"), (5, 1, "5:1")],
)
def test_ratios_are_rounded_down(attack: int, defence: int, name: str) -> None:
    """12.3.3.B: the printed examples first."""
    rules = field("what_if")[0]
    assert rules.tables.assault.column(attack, defence) == column(rules, name)


def test_strengths_are_those_of_who_fights_now() -> None:
    """12.3.3.A, 16.1."""
    rules, state, wave, men = plain("de-23-1", "de-23-2", against=("it-87-1", "it-mg-friuli"))
    state.lost[wave[0]], state.lost[men[0]] = 1, 1
    fight = odds.weigh(rules, state, Clash(state.at[men[0]], wave, men, wave[1], men[0]))
    assert (fight.attack, fight.defence) == (7, 2)


# 12.3.3.C: shifts


def test_four_columns_for_the_defender_are_three() -> None:
    """12.3.3.C: 3:1 goes to 1.5:1."""
    rules = field("what_if")[0]
    net = odds.net_shift(rules, [rules.number["ah-sch1-1"]], [Shift("trench", -2, ""), Shift("town", -2, "")])
    assert net == -3
    assert odds.shifted(rules, column(rules, "3:1"), net) == column(rules, "1.5:1")


def test_beyond_the_table_a_shift_is_a_whole_ratio() -> None:
    """12.3.3.C: the printed examples 7:1 to 6:1 and 1:4 to 1:3; 7:1 less three is 4.5:1."""
    rules = field("what_if")[0]
    table = rules.tables.assault
    assert odds.shifted(rules, table.column(7, 1), -1) == table.column(6, 1)
    assert odds.shifted(rules, table.column(7, 1), -3) == column(rules, "4.5:1")
    assert odds.shifted(rules, table.column(1, 4), 1) == table.column(1, 3) == -1
    assert odds.shifted(rules, table.column(1, 4), 2) == column(rules, "1:2")


def test_whole_ratios_inside_the_table_by_option(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = field("what_if")[0]
    monkeypatch.setitem(rules.option, "assault_shift_mode", "whole-ratio")
    table = rules.tables.assault
    for before, net, after in (("3.5:1", -1, "2.5:1"), ("3:1", -2, "1:1"), ("1.5:1", -1, "1:1.5"), ("1:1", 2, "3:1")):
        assert odds.shifted(rules, column(rules, before), net) == column(rules, after)
    assert odds.shifted(rules, table.column(7, 1), -1) == table.column(6, 1)
    assert odds.shifted(rules, table.column(7, 1), -3) == column(rules, "4:1")
    assert odds.shifted(rules, table.column(1, 4), 1) == -1
    assert odds.shifted(rules, column(rules, "1:1.75"), -1) == -1
    assert odds.shifted(rules, column(rules, "4.5:1"), 1) == column(rules, "5:1")
    assert odds.shifted(rules, column(rules, "1:2"), -3) == -3


def test_morale_of_the_leads_moves_a_column_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """15.3: 6 against 4 is two columns."""
    rules, state, (unit,), (man,) = plain("ah-sch26-1")
    h = state.at[man]
    state.dp[man] = 1
    found = odds.shifts(rules, state, Clash(h, [unit], [man], unit, man))
    assert found == (Shift("morale", 2, "15.3"),)
    state.dp[man], state.dp[unit] = 0, 4
    assert shift_by(odds.shifts(rules, state, Clash(h, [unit], [man], unit, man))) == {"morale": -3}
    monkeypatch.setitem(rules.option, "morale_shift", "capped-2")
    assert shift_by(odds.shifts(rules, state, Clash(h, [unit], [man], unit, man))) == {"morale": -2}
    monkeypatch.setitem(rules.option, "morale_shift", "none")
    assert odds.shifts(rules, state, Clash(h, [unit], [man], unit, man)) == ()


def test_german_superiority_has_no_limit_upwards() -> None:
    """21.5.4: six less one is five; with one Austrian it is three, and downwards three for all."""
    rules = field("what_if")[0]
    number = rules.number
    found = [Shift("morale", 6, ""), Shift("woods", -1, "")]
    germans = [number["de-23-1"], number["de-leib-1"]]
    assert odds.net_shift(rules, germans, found) == 5
    assert odds.net_shift(rules, [*germans, number["ah-st-216"]], found) == 3
    assert odds.net_shift(rules, germans, [Shift("town", -5, "")]) == -3
    assert odds.net_shift(rules, [number["ah-st-216"]], found) == 3


def between(rules: CaporettoPrinted, here: int, there: int, state: State) -> dict[str, int]:
    """The shifts of a battalion that assaults another one of the same morale from one hex to the next."""
    wave, men = deploy(rules, state, here, "ah-sch1-1"), deploy(rules, state, there, "it-87-1")
    return shift_by(odds.shifts(rules, state, Clash(there, wave, men, wave[0], men[0])))


def into(rules: CaporettoPrinted, hexes: int) -> tuple[int, int]:
    """A way into one of these hexes, which are no trenches."""
    open_hexes = hexes & ~(rules.ground.trench[0] | rules.ground.trench[1])
    return ways(rules, lambda way, here, there: bool(open_hexes >> there & 1))[0]


@pytest.mark.parametrize(
    ("mask", "key", "amount"),
    [("woods", "woods", -1), ("villages", "village", -1), ("towns", "town", -2), ("high", "high_mountain", -1)],
)
def test_terrain_of_the_hex(mask: str, key: str, amount: int) -> None:
    """12.3.3.C, table.assault: and of none of the others."""
    rules, state = field("what_if")
    found = between(rules, *into(rules, getattr(rules.ground, mask)), state)
    assert found[key] == amount
    assert set(found) & {"woods", "village", "town", "high_mountain"} == {key}


def test_terrain_of_hexsides() -> None:
    """12.3.3.C.e1: uphill, a river, an Isonzo bridge, a cliff."""
    rules, state = field("what_if")
    ground = rules.ground
    state.standing = ground.all_bridges
    for key, amount, pairs in (
        ("uphill", -1, ways(rules, lambda way, a, b: ground.level[b] > ground.level[a] and not ground.cliff[way])),
        ("river", -1, ways(rules, lambda way, a, b: ground.water[way] == "river")),
        ("isonzo_bridge", -2, ways(rules, lambda way, a, b: ground.water[way] == "isonzo" and ground.bridge[way] >= 0)),
        ("cliff", -2, ways(rules, lambda way, a, b: ground.cliff[way])),
    ):
        assert between(rules, *pairs[0], state)[key] == amount
        assert key not in between(rules, around(rules)[1], around(rules)[0], state)


def two_ways(rules: CaporettoPrinted, key: str) -> tuple[int, int, int]:
    """A hex, a neighbour across such a hexside, and one that is not."""
    ground = rules.ground
    fits = {
        "river": lambda way: ground.water[way] == "river",
        "uphill": lambda way: rules.prices.uphill[way] > 0,
        "cliff": lambda way: ground.cliff[way],
    }[key]
    for here, there in ways(rules, lambda way, a, b: fits(way)):
        for other in rules.grid.adjacent[there]:
            if ground.extent >> other & 1 and not fits(ground.way(other, there)):
                return there, here, other
    raise AssertionError("there is such a hex")


@pytest.mark.parametrize("key", ["river", "uphill", "cliff"])
def test_hexsides_count_only_if_all_cross_them(key: str) -> None:
    """12.3.3.C.e1."""
    rules, state = field("what_if")
    target, across, beside = two_ways(rules, key)
    (man,) = deploy(rules, state, target, "it-87-1")
    wave = deploy(rules, state, across, "ah-sch1-1", "ah-sch1-2")
    assert key in shift_by(odds.shifts(rules, state, Clash(target, wave, [man], wave[0], man)))
    put(rules, state, wave[1], beside)
    assert key not in shift_by(odds.shifts(rules, state, Clash(target, wave, [man], wave[0], man)))


def in_trench(level: int) -> tuple[CaporettoPrinted, State, int, int]:
    """A battalion of AHG before an Italian trench of a level, in open ground."""
    rules, state = field("what_if")
    ground = rules.ground
    here, there = ways(
        rules,
        lambda way, a, b: (
            bool(ground.trench[ITALIAN] >> b & 1)
            and ground.trench_level[b] == level
            and ground.terrain[b] == "clear"
            and not (ground.towns | ground.villages) >> b & 1
        ),
    )[0]
    return rules, state, here, there


def test_trenches_count_by_their_level_for_their_owner_alone() -> None:
    """17.4, 17.6, 17.8."""
    for level in (1, 2):
        rules, state, here, there = in_trench(level)
        assert between(rules, here, there, state)["trench"] == -level
    state.lowered = 1 << there
    assert between(rules, here, there, state)["trench"] == -1
    wave, men = deploy(rules, state, here, "it-88-1"), deploy(rules, state, there, "ah-sch1-2")
    assert "trench" not in shift_by(odds.shifts(rules, state, Clash(there, wave, men, wave[0], men[0])))


def test_in_a_counter_assault_nobody_has_a_trench() -> None:
    """12.4.3."""
    rules, state, here, there = in_trench(2)
    wave, men = deploy(rules, state, here, "ah-sch1-1"), deploy(rules, state, there, "it-87-1")
    assert "trench" in shift_by(odds.shifts(rules, state, Clash(there, wave, men, wave[0], men[0])))
    assert "trench" not in shift_by(odds.shifts(rules, state, Clash(there, wave, men, wave[0], men[0], counter=True)))


def test_a_trench_along_a_hexside_helps_against_those_who_cross_it() -> None:
    """17.9, 12.3.3.C.e1: all of them must."""
    rules, state = field("what_if")
    number, trench = next(
        (n, t) for n, t in enumerate(rules.ground.side_trenches) if not rules.ground.trench[t.owner] >> t.hex & 1
    )
    other = next(h for h in rules.grid.adjacent[trench.hex] if h != trench.against)
    assert trench.owner == ITALIAN
    (man,) = deploy(rules, state, trench.hex, "it-87-1")
    first, second = deploy(rules, state, trench.against, "ah-sch1-1", "ah-sch1-2")

    def level() -> int:
        clash = Clash(trench.hex, (first, second), (man,), first, man)
        return -shift_by(odds.shifts(rules, state, clash)).get("trench", 0)

    assert level() == trench.level
    put(rules, state, second, other)
    assert level() == 0
    put(rules, state, second, trench.against)
    levels = list(state.side_trenches)
    levels[number] = 0
    state.side_trenches = tuple(levels)
    assert level() == 0


def test_cavalry_has_no_trench_and_a_bonus_on_open_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    """21.2: the trench is lost only if all are cavalry (ours); one squadron in the wave is enough."""
    rules, state, here, there = in_trench(2)
    (horse,) = deploy(rules, state, there, "it-cav-iv")
    (unit,) = deploy(rules, state, here, "ah-sch1-1")
    assert "trench" not in shift_by(odds.shifts(rules, state, Clash(there, [unit], [horse], unit, horse)))
    (man,) = deploy(rules, state, there, "it-87-1")
    assert shift_by(odds.shifts(rules, state, Clash(there, [unit], [horse, man], unit, man)))["trench"] == -2
    target, near, *_ = around(rules)
    (foe,) = deploy(rules, state, target, "ah-sch1-2")
    wave = [*deploy(rules, state, near, "it-cav-iv"), *deploy(rules, state, near, "it-87-1")]
    assert shift_by(odds.shifts(rules, state, Clash(target, wave, [foe], wave[0], foe))) == {"cavalry": 1}
    monkeypatch.setitem(rules.option, "cavalry_bonus", "all")
    assert odds.shifts(rules, state, Clash(target, wave, [foe], wave[0], foe)) == ()
    assert shift_by(odds.shifts(rules, state, Clash(target, wave[:1], [foe], wave[0], foe))) == {"cavalry": 1}
    monkeypatch.undo()
    woods = into(rules, rules.ground.woods)
    put(rules, state, wave[0], woods[0])
    put(rules, state, foe, woods[1])
    assert "cavalry" not in shift_by(odds.shifts(rules, state, Clash(woods[1], wave[:1], [foe], wave[0], foe)))


def test_flamethrowers_help_against_trenches_and_towns() -> None:
    """21.4.e1: one in an assault; not against open ground, nor in a counter-assault against a trench."""
    rules, state, here, there = in_trench(1)
    (man,) = deploy(rules, state, there, "it-87-1")
    wave = deploy(rules, state, here, "de-leib-1", "de-23-1")
    fires = deploy(rules, state, here, "de-flame-ak", "de-flame-12")
    args = (wave, [man], wave[1], man)
    assert "flamethrower" not in shift_by(odds.shifts(rules, state, Clash(there, *args)))
    state.bearers = ((fires[0], wave[0]), (fires[1], wave[1]))
    assert shift_by(odds.shifts(rules, state, Clash(there, *args)))["flamethrower"] == 1
    assert "flamethrower" not in shift_by(odds.shifts(rules, state, Clash(there, *args, counter=True)))
    here, there = into(rules, rules.ground.towns)
    for unit in wave:
        put(rules, state, unit, here)
    put(rules, state, man, there)
    assert shift_by(odds.shifts(rules, state, Clash(there, *args)))["flamethrower"] == 1
    there, here, *_ = around(rules)
    for unit in wave:
        put(rules, state, unit, here)
    put(rules, state, man, there)
    assert "flamethrower" not in shift_by(odds.shifts(rules, state, Clash(there, *args)))


def test_a_blizzard_counts_once_into_it_or_out_of_it() -> None:
    """8.1.blizzard.assault: also if only some come out of it."""
    rules, state = field("what_if")
    high = rules.ground.high
    here, there = ways(rules, lambda way, a, b: bool(high >> a & 1 and high >> b & 1))[0]
    assert "blizzard" not in between(rules, here, there, state)
    state.turn = 1
    assert between(rules, here, there, state)["blizzard"] == -1
    here, there = ways(rules, lambda way, a, b: bool(high >> a & 1 and not high >> b & 1))[0]
    assert between(rules, here, there, state)["blizzard"] == -1
    (more,) = deploy(rules, state, next(h for h in rules.grid.adjacent[there] if not high >> h & 1), "ah-sch1-2")
    unit, man = rules.number["ah-sch1-1"], rules.number["it-87-1"]
    assert shift_by(odds.shifts(rules, state, Clash(there, [unit, more], [man], unit, man)))["blizzard"] == -1


# 12.3.3.C.e2, 12.3.6: the ends


def test_below_the_table_there_is_no_die() -> None:
    """12.3.3.C.e2: 1:3."""
    rules, state, (unit,), men = plain("ah-st-216", against=("it-87-1", "it-87-2"))
    fight = odds.weigh(rules, state, Clash(state.at[men[0]], [unit], men, unit, men[0]))
    assert (fight.base, fight.net, fight.column, fight.dice) == (-4, 1, -3, 0)
    found = odds.odds(rules, state, fight, [unit], men)
    assert found == odds.Odds(1, 0, ((0, 0, 1), (1,)), ((0, 1), (1,)), (1, 0))


def test_above_the_table_it_is_five_to_one_and_so_for_a_strength_of_nothing() -> None:
    """12.3.3.C.e2, 12.3.6."""
    rules, state, wave, (man,) = plain("de-23-1", "de-23-2", against=("it-eng-50",))
    h = state.at[man]
    fight = odds.weigh(rules, state, Clash(h, wave, [man], wave[0], man))
    assert fight.base > rules.tables.assault.last == fight.column
    fight = odds.weigh(rules, state, Clash(h, wave, [], wave[0], NOBODY))
    assert (fight.defence, fight.column, fight.shifts, fight.net) == (0, rules.tables.assault.last, (), 0)
    assert odds.odds(rules, state, fight, wave, [man]).wins == 6


def test_the_odds_of_an_even_assault_on_open_ground() -> None:
    """5.1: two chances in six, and what each side has to fear."""
    rules, state, wave, men = plain("ah-sch1-1")
    fight = odds.weigh(rules, state, Clash(state.at[men[0]], wave, men, wave[0], men[0]))
    assert (fight.attack, fight.defence, fight.base, fight.column) == (3, 3, column(rules, "1:1"), fight.base)
    found = odds.odds(rules, state, fight, wave, men)
    assert found == odds.Odds(6, 2, ((0, 6), (0, 6)), ((1, 5), (3, 3)), (2, 2))


@pytest.mark.parametrize("name", COLUMNS)
def test_who_is_on_a_column_wins_as_often_as_the_notes_say(name: str) -> None:
    """5.1: wins of six by column."""
    rules, state, wave, men = plain("ah-sch1-1", against=("it-87-1", "it-87-2"))
    fight = odds.Fight(1, 1, 0, (), 0, column(rules, name), 1)
    wins = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    assert odds.odds(rules, state, fight, wave, men).wins == wins[COLUMNS.index(name)]


def test_rommel_throws_two_dice_and_a_double_wounds_him() -> None:
    """21.6.2: of 36 ways those with one good die."""
    rules, state, wave, men = plain("de-wgb-1", "de-wgb-2", "ah-st-216", against=("it-87-1", "it-87-2"))
    assert odds.dice_of(rules, state, wave[:2]) == 1
    state.rommel = 1 << wave[0] | 1 << wave[1]
    assert odds.dice_of(rules, state, wave[:2]) == 2
    assert odds.dice_of(rules, state, wave) == 1
    state.attached |= 1 << wave[2]
    assert odds.dice_of(rules, state, wave) == 2
    fight = odds.Fight(1, 1, 0, (), 0, column(rules, "1:1"), 2)
    found = odds.odds(rules, state, fight, wave, men)
    assert (found.of, found.wins) == (36, 36 - 16)
    assert odds.best_die(rules, state, fight, men, (2, 5)) == 5
    out: list[Event] = []
    odds.wound(rules, state, (2, 5), out)
    odds.wound(rules, state, (4,), out)
    assert not state.wounded and not out
    odds.wound(rules, state, (4, 4), out)
    assert state.wounded and kinds(out) == ["rommel_wounded"]


# 15.4.2: who has won


@pytest.mark.parametrize(
    ("mine", "theirs", "lost", "wins"),
    [
        ("D1/1", "D2R/1", 0, True),
        ("D1/1", "D1/1", 0, False),
        ("D1/1", "D1/1", 1, True),
        ("D1R/1", "D1/1", 1, False),
        ("D2R/1", "-", 1, False),
    ],
)
def test_the_winner_is_found_from_the_printed_result(mine: str, theirs: str, lost: int, wins: bool) -> None:
    """15.4.2: R of the defender, or all his steps while the attacker stays."""
    rules, state, _, men = plain("ah-sch1-1")
    state.lost[men[0]] = lost
    assert odds.attacker_wins(rules, state, men, (outcome(mine), outcome(theirs))) == wins


def test_the_loser_may_surrender_and_the_winner_does_not() -> None:
    """12.3.4, 15.4.1, 15.4.2: points for each, before the steps."""
    rules, state, wave, men = plain("ah-sch1-1", "ah-sch1-2", against=("it-87-1", "it-87-2"))
    state.dp[wave[0]], state.dp[men[0]] = 4, 3
    out: list[Event] = []
    assert assault.strike(rules, state, wave, outcome("D1"), True, out) == ()
    assert [state.dp[unit] for unit in wave] == [4, 1]
    assert assault.strike(rules, state, men, outcome("D2R/1"), False, out) == (men[0],)
    assert state.at[men[0]] == SURRENDERED and state.dp[men[1]] == 2
    assert losses.assault_splits(rules, state, men[1:], men[0], 1) == [(men[1],)]
    assert assault.strike(rules, state, wave, Outcome(), False, out) == ()


def test_guns_in_the_hex_take_the_points() -> None:
    """12.3.4: emplaced ones too; flamethrowers none."""
    rules, state, wave, men = plain("ah-sch1-1")
    gun = next(u for u in range(len(rules.ids)) if rules.guns >> u & 1 and rules.side[u] == ITALIAN)
    put(rules, state, gun, state.at[men[0]])
    deploy(rules, state, state.at[wave[0]], "de-flame-ak")
    assert assault.defenders(rules, state, state.at[men[0]], ITALIAN) == (men[0], gun)
    assert assault.defenders(rules, state, state.at[wave[0]], AHG) == (wave[0],)


# 11.4: who fights


def test_two_battalions_fight_and_the_owner_chooses_which() -> None:
    """11.1.e1, 11.4, 12.3.3.A: three of a regiment; the strongest first."""
    rules, state, _, men = plain("ah-sch1-1", against=("it-87-1", "it-87-2", "it-87-3"))
    state.lost[men[0]] = 1
    h = state.at[men[0]]
    assert assault.groups(rules, state, h, ITALIAN) == [(men[1], men[2]), (men[0], men[1]), (men[0], men[2])]
    (mg,) = deploy(rules, state, h, "it-mg-friuli")
    assert (men[1], men[2], mg) in [tuple(sorted(group)) for group in assault.groups(rules, state, h, ITALIAN)]
    state.joined = 1 << men[2]
    assert assault.groups(rules, state, h, ITALIAN) == [(men[0], men[1], mg)]
    assert men[2] in assault.defenders(rules, state, h, ITALIAN)  # 12.3.7: it suffers


def test_in_high_mountain_one_battalion_fights_and_a_free_company() -> None:
    """11.4, 11.5."""
    rules, state = field("what_if")
    h = next(h for h in range(rules.grid.size) if rules.ground.high >> h & 1)
    plain_hex = around(rules)[0]
    number = [rules.number[name] for name in ("ah-sch26-1", "ah-sch26-2", "ah-st-216", "ah-st-43", "de-ciii-1")]
    for units, high, low in (
        (number[:1], True, True),
        (number[:2], False, True),
        ([number[0], number[2]], True, True),
        ([number[0], number[2], number[3]], False, True),
        (number[:3], False, True),
        (number[:4], False, False),
        ([*number[:2], number[4]], False, False),
    ):
        assert assault.fit_together(rules, state, h, units) == high
        assert assault.fit_together(rules, state, plain_hex, units) == low


def test_a_battalion_of_one_step_is_a_company() -> None:
    """21.10, 11.5."""
    rules, state = field("what_if")
    units = [rules.number[name] for name in ("de-23-1", "de-23-2", "de-63-1")]
    h = around(rules)[0]
    assert not assault.fit_together(rules, state, h, units)
    state.lost[units[2]] = 3
    assert assault.fit_together(rules, state, h, units)


def test_who_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    """12.3.4.e1: anybody who fights; by option the highest morale."""
    rules, state, _, men = plain("ah-sch1-1", against=("it-87-1", "it-87-2"))
    (alpini,) = deploy(rules, state, state.at[men[0]], "it-ceva")
    state.lost[men[0]] = 1
    assert assault.leads(rules, state, [*men, alpini]) == (alpini, men[1], men[0])
    monkeypatch.setitem(rules.option, "assault_lead", "highest-current")
    assert assault.leads(rules, state, [*men, alpini]) == (alpini,)
    state.dp[alpini] = 1
    assert assault.leads(rules, state, [*men, alpini]) == (men[1], alpini, men[0])
    assert assault.leads(rules, state, []) == ()


# 10.2: declarations


def test_who_may_assault_and_what_it_costs() -> None:
    """10.2.1, 10.2.5: the points for the hex, whatever zones there are."""
    rules, state, (unit,), (man,) = plain("ah-sch1-1")
    h = state.at[man]
    cost = assault.price(rules, state, unit, h, by_road=False)
    assert cost == rules.enter_cost[rules.foot[unit]][h]
    assert rule_of(assault.why_not_assault(rules, state, unit, h, cost, by_road=False)) == ""
    assert rule_of(assault.why_not_assault(rules, state, unit, h, cost - 1, by_road=False)) == "10.2.5"
    assert rule_of(assault.why_not_assault(rules, state, unit, h, FAR, by_road=True)) == "10.2.5"  # no road
    assert rule_of(assault.why_not_assault(rules, state, man, state.at[unit], FAR, by_road=False)) == "10.2.1"
    for name, mask in (("commanded", 0), ("activated", 1 << unit)):
        before = getattr(state, name)
        setattr(state, name, mask)
        assert rule_of(assault.why_not_assault(rules, state, unit, h, FAR, by_road=False)) == "10.2.1"
        setattr(state, name, before)
    out: list[Event] = []
    assault.declare(rules, state, unit, h, False, out)
    assert out[0].data == {"unit": "ah-sch1-1", "hex": rules.grid.ids[state.at[unit]], "target": "2102", "road": False}
    assert rule_of(assault.why_not_assault(rules, state, unit, h, FAR, by_road=False)) == "10.2.3"


def test_engineers_and_machine_guns_do_not_assault() -> None:
    """21.1, 21.3; German pioneers do."""
    rules, state, wave, (man,) = plain("ah-sap-i", "de-ciii-1", "de-wgb-mg-1")
    h = state.at[man]
    rulings = [rule_of(assault.why_not_assault(rules, state, unit, h, FAR, by_road=False)) for unit in wave]
    assert rulings == ["21.1.e1", "", "21.3"]


def test_guns_alone_are_no_target() -> None:
    """10.2.1, 18.3."""
    rules, state, (unit,), (man,) = plain("ah-sch1-1")
    h = state.at[man]
    gun = next(u for u in range(len(rules.ids)) if rules.guns >> u & 1 and rules.side[u] == ITALIAN)
    put(rules, state, gun, h)
    put(rules, state, man, around(rules)[3])
    assert rule_of(assault.why_not_assault(rules, state, unit, h, FAR, by_road=False)) == "10.2.1"


def test_one_battalion_of_a_hex_assaults_along_a_road() -> None:
    """10.2.5.e1: with the company that is free."""
    rules, state = field("what_if")
    here, there = ways(rules, lambda way, a, b: rules.ground.route[way] == "road" and rules.ground.bridge[way] < 0)[0]
    deploy(rules, state, there, "it-87-1")
    wave = deploy(rules, state, here, "ah-59-1", "ah-59-2", "ah-st-216")
    let_act(rules, state, wave)
    cost = assault.price(rules, state, wave[0], there, by_road=True)
    assert cost == 2
    assert rule_of(assault.why_not_assault(rules, state, wave[0], there, cost, by_road=True)) == ""
    assault.declare(rules, state, wave[0], there, True, [])
    assert rule_of(assault.why_not_assault(rules, state, wave[1], there, FAR, by_road=True)) == "10.2.5.e1"
    assert rule_of(assault.why_not_assault(rules, state, wave[2], there, FAR, by_road=True)) == ""


def test_across_a_cliff_it_takes_all_points_of_mountain_troops() -> None:
    """10.0.9, 10.2.5."""
    rules, state = field("what_if")
    here, there = ways(rules, lambda way, a, b: rules.ground.cliff[way])[0]
    deploy(rules, state, there, "it-87-1")
    climbers, others = deploy(rules, state, here, "ah-sch26-1", "ah-sch1-1")
    let_act(rules, state, [climbers, others])
    points = rules.points[climbers]
    assert rule_of(assault.why_not_assault(rules, state, climbers, there, points, by_road=False)) == ""
    assert rule_of(assault.why_not_assault(rules, state, climbers, there, points - 1, by_road=False)) == "10.2.5"
    assert rule_of(assault.why_not_assault(rules, state, others, there, FAR, by_road=False)) == "10.2.5"
    state.moved = 1 << climbers
    assert rule_of(assault.why_not_assault(rules, state, climbers, there, FAR, by_road=False)) == "10.0.9"


def test_nobody_assaults_across_the_line_of_the_sectors() -> None:
    """24.3: into his own sector he may."""
    rules, state = field("historical")
    left, right = rules.ground.inside["left"], rules.ground.inside["right"]
    unit = next(u for u in bits(rules.assaulting & rules.of_side[AHG]) if rules.home(u) == left and rules.foot[u] == 0)
    man = next(bits(rules.assaulting & rules.of_side[ITALIAN]))
    lines = ways(
        rules,
        lambda way, a, b: bool((left & ~right) >> a & 1 and (right & ~left) >> b & 1) and is_open(rules, unit, way),
    )
    inside = ways(rules, lambda way, a, b: bool((left & ~right) >> a & left >> b & 1) and is_open(rules, unit, way))
    for (here, there), rule in ((lines[0], "24.3"), (inside[0], "")):
        put(rules, state, unit, here)
        put(rules, state, man, there)
        assert rule_of(assault.why_not_assault(rules, state, unit, there, FAR, by_road=False, able=1 << unit)) == rule


def is_open(rules: CaporettoPrinted, unit: int, way: int) -> bool:
    return rules.prices.off_road[rules.foot[unit]][way] > 0


def test_waves_are_of_one_formation_and_within_the_limit() -> None:
    """10.2.3, 10.2.4, 7.10, 12.4.1."""
    rules, state, wave, men = plain("ah-sch1-1", "ah-sch1-2", "ah-sch1-3", "ah-sch14-1")
    h = state.at[men[0]]
    assert rule_of(assault.why_not_wave(rules, state, h, wave[:2])) == "10.2.3"
    for unit in wave:
        assault.declare(rules, state, unit, h, False, [])
    assert rule_of(assault.why_not_wave(rules, state, h, wave[:2])) == ""
    assert rule_of(assault.why_not_wave(rules, state, h, wave[:3])) == "11.4"
    assert rule_of(assault.why_not_wave(rules, state, h, [wave[0], wave[3]])) == "7.10"
    assert rule_of(assault.why_not_wave(rules, state, h, [wave[0], wave[3]], counter=True)) == ""
    assert rule_of(assault.why_not_wave(rules, state, h, [])) == "10.2.3"


def test_who_is_attached_acts_with_the_formation_and_others_with_nobody() -> None:
    """7.5, 10.2.6.e1; the Rommel detachment is a formation of its own (21.6)."""
    rules, state = field("what_if")
    one, other, alone, more = (rules.number[name] for name in ("ah-sch1-1", "ah-sch14-1", "de-ciii-1", "ah-sap-i"))
    assert not assault.are_one_formation(rules, state, [one, other])
    assert not assault.are_one_formation(rules, state, [one, alone])
    assert not assault.are_one_formation(rules, state, [alone, more])
    state.attached = 1 << alone | 1 << more
    state.attachments = ((rules.formation_of[one], 1 << alone | 1 << more),)
    assert assault.are_one_formation(rules, state, [one, alone, more])
    assert assault.are_one_formation(rules, state, [alone, more])
    state.attachments = ((rules.formation_of[one], 1 << alone), (rules.formation_of[other], 1 << more))  # 7.10
    assert assault.are_one_formation(rules, state, [one, alone]) and assault.are_one_formation(
        rules, state, [other, more]
    )
    assert not assault.are_one_formation(rules, state, [alone, more])
    assert not assault.are_one_formation(rules, state, [one, more])
    assert not assault.are_one_formation(rules, state, [one, alone, other])
    men = [rules.number[name] for name in ("de-wgb-1", "de-wgb-2")]
    assert assault.are_one_formation(rules, state, men)
    state.rommel = 1 << men[0]
    assert not assault.are_one_formation(rules, state, men)


def test_the_rommel_detachment_acts_apart_from_its_battalion() -> None:
    """21.6."""
    rules, state = field("what_if")
    men = deploy(rules, state, around(rules)[1], "de-wgb-1", "de-wgb-2")
    state.rommel = 1 << men[0]
    assert command.members(rules, state, rules.rommel) == [men[0]]
    assert command.members(rules, state, rules.formation_of[men[0]]) == [men[1]]
    assert command.acts_with(rules, state, men[0]) == rules.rommel != command.acts_with(rules, state, men[1])


def test_who_was_in_command_when_the_action_began_acts_to_its_end() -> None:
    """7.7, 12.1.5.S: also under a barrage that makes it Out of Command; other fire ends it (12.2.10.S)."""
    rules, state, (unit, other), (man,) = plain("ah-sch1-1", "ah-sch1-2")
    assert assault.acting(rules, state) == 1 << unit | 1 << other
    fire.suppress(rules, state, [unit], True, [])
    assert state.ooc >> unit & 1 and not state.activated
    assert assault.acting(rules, state) >> unit & 1
    assert rule_of(assault.why_not_assault(rules, state, unit, state.at[man], FAR, by_road=False)) == ""
    fire.suppress(rules, state, [other], False, [])
    assert assault.acting(rules, state) == 1 << unit
    state.commanded = 0
    assert not assault.acting(rules, state)


def test_support_fire() -> None:
    """10.2.6, 10.2.6.e1: for their own formation, one of a hex, none where an assault begins."""
    rules, state, (unit,), men = plain("ah-sch1-1")
    hexes = around(rules)
    h = hexes[0]
    first, second = deploy(rules, state, hexes[2], "ah-sch1-2", "ah-sch1-3")
    (other,) = deploy(rules, state, hexes[3], "ah-sch14-1")
    (far,) = deploy(rules, state, rules.grid.neighbours[hexes[1]][0], "de-wgb-mg-1")
    let_act(rules, state, [unit, other])

    def why(one: int) -> str:
        return rule_of(assault.why_not_support(rules, state, one, h))

    assert why(first) == "10.2.6"  # nobody assaults
    assault.declare(rules, state, unit, h, False, [])
    assert why(first) == "" and why(unit) == "10.2.6.e1"
    assert why(other) == "10.2.6"  # another formation
    assert why(far) == "10.2.6" and why(men[0]) == "10.2.6"
    state.supports = ((first, hexes[5]),)
    assert why(second) == ""  # at another hex
    state.supports = ((first, h),)
    assert why(second) == "10.2.6.e1" and why(first) == "10.2.6"
    state.supports = ()
    state.lost[first] = 2  # nothing left to fire with
    assert why(first) == "10.2.6" and why(second) == ""


# 21.5.3: on the move


def test_a_single_capable_unit_assaults_on_the_move() -> None:
    """21.5.3."""
    rules, state, (unit, other, plainer), (man,) = plain("de-leib-1", "de-leib-2", "ah-sch1-1")
    (fire,) = deploy(rules, state, state.at[unit], "de-flame-ak")
    h = state.at[man]

    def why(*units: int) -> str:
        return rule_of(assault.why_not_on_the_move(rules, state, units, h, FAR, by_road=False))

    assert why(unit) == why(unit, fire) == ""
    assert why(unit, other) == why(plainer) == why() == "21.5.3"
    companies = losses.detach(rules, state, unit, 3, [])
    assert why(unit, *companies) == ""
    state.activated = 1 << companies[1]
    assert why(unit, *companies) == "10.2.1"
    assert rule_of(assault.why_not_on_the_move(rules, state, [other], h, 0, by_road=False)) == "10.2.5"


# 21.5.2: the flank


@pytest.mark.parametrize(
    ("others", "flank"),
    [((), False), ((4,), True), ((3,), False), ((3, 5), True), ((2, 6), False), ((2, 5), False), ((2, 4), True)],
)
def test_where_others_must_be_for_a_flank_assault(others: tuple[int, ...], flank: bool) -> None:
    """21.5.2: a capable unit at 1; the opposite side, or two groups that are not next to it."""
    rules, state = field("what_if")
    hexes = around(rules)
    (man,) = deploy(rules, state, hexes[0], "it-87-1")
    (unit,) = deploy(rules, state, hexes[1], "de-23-1")
    names = ("ah-sch1-1", "ah-sch1-2")
    state.assaults = ((unit, hexes[0], 0),)
    for support, (name, place) in enumerate(zip(names, others, strict=False)):
        (one,) = deploy(rules, state, hexes[place], name)
        if support:
            state.supports = ((one, hexes[0]),)
        else:
            state.assaults = (*state.assaults, (one, hexes[0], 0))
    assert assault.is_flank_assault(rules, state, hexes[0]) == flank
    out: list[Event] = []
    for _ in range(2):  # once in an action
        assault.take_in_flank(rules, state, hexes[0], ITALIAN, out)
        assert state.dp[man] == flank
    assert [event.rules for event in out] == [("21.5.2",)] * flank


def test_without_a_capable_unit_there_is_no_flank() -> None:
    rules, state = field("what_if")
    hexes = around(rules)
    units = [*deploy(rules, state, hexes[1], "ah-sch1-1"), *deploy(rules, state, hexes[4], "ah-sch1-2")]
    state.assaults = tuple((unit, hexes[0], 0) for unit in units)
    assert not assault.is_flank_assault(rules, state, hexes[0])


# What it does


def test_a_wave_enters_and_remembers_where_it_came_from() -> None:
    """12.3.8, 12.3.5.6, 12.4."""
    rules, state, wave, (man,) = plain("de-leib-1", "de-leib-2")
    (fire,) = deploy(rules, state, state.at[wave[0]], "de-flame-ak")
    flamethrowers.take_up(rules, state, fire)
    here, h = state.at[wave[0]], state.at[man]
    put(rules, state, man, around(rules)[4])
    out: list[Event] = []
    assault.advance(rules, state, wave, h, out)
    assert {state.at[unit] for unit in (*wave, fire)} == {h}
    assert state.advanced == ((wave[0], here), (wave[1], here)) and state.fallen == (h,)
    assert kinds(out) == ["advanced", "advanced"]
    assert assault.launched_from(rules, state, AHG) == 1 << here
    assert assault.launched_from(rules, state, ITALIAN) == 0


def test_an_empty_hex_is_entered_up_to_the_stacking_limit() -> None:
    """10.2.3, 12.3.1.e1, 11.1.e1: three battalions of a regiment, but not of two."""
    rules, state, wave, (man,) = plain("ah-sch1-1", "ah-sch1-2", "ah-sch1-3", "ah-sch14-1")
    h = state.at[man]
    put(rules, state, man, around(rules)[4])
    assert assault.why_not_enter(rules, state, h, wave[:3]) == ""
    assert assault.why_not_enter(rules, state, h, wave[1:]) == "11.1"
    assault.advance(rules, state, wave[:1], h, [])
    assert assault.why_not_enter(rules, state, h, wave[2:]) == "11.1"
    assert assault.why_not_enter(rules, state, h, wave[3:]) == ""


def test_at_the_end_of_an_action_assaults_are_forgotten() -> None:
    """13."""
    rules, state, wave, (man,) = plain("de-leib-1", "de-leib-2")
    h = state.at[man]
    assault.declare(rules, state, wave[1], h, False, [])
    put(rules, state, man, around(rules)[4])
    assault.advance(rules, state, wave[:1], h, [])
    state.retreated = state.joined = 1 << man
    assault.end_action(state)
    assert not (state.assaults or state.advanced or state.fallen or state.retreated or state.joined)
    assert state.launched == [0, 0] and not assault.launched_from(rules, state, AHG)


def test_markers_that_are_lifted_leave_their_hex_closed() -> None:
    """12.3.5, 21.5.3."""
    rules, state, (unit,), (man,) = plain("de-leib-1")
    assault.declare(rules, state, unit, state.at[man], False, [])
    here = 1 << state.at[unit]
    assert assault.launched_from(rules, state, AHG) == here and not state.launched[AHG]
    assault.lift(rules, state, [unit])
    assert not state.assaults and state.launched[AHG] == here


def test_an_assault_frees_brigades_and_stops_engineers() -> None:
    """24.9, 24.9.2, 17.3."""
    rules, state, (unit,), (man,) = plain("de-ciii-1")
    h = state.at[man]
    (eng,) = deploy(rules, state, h, "it-eng-50")
    state.works = ((eng, h, h), (unit, state.at[unit], state.at[unit]))
    state.working = 1 << eng | 1 << unit
    assault.begin(rules, state, h, ITALIAN, [unit], [])
    assert not state.works and not state.working
    assert state.assaulted == state.attacked == 1 << rules.formation_of[man]


def test_morale_is_that_of_the_moment() -> None:
    """21.5.2, 15.3: the point of the flank counts in the odds."""
    rules, state, (unit,), (man,) = plain("ah-sch1-1")
    h = state.at[man]
    before = odds.weigh(rules, state, Clash(h, [unit], [man], unit, man))
    morale.disorganise(rules, state, [man], 1, [])
    assert odds.weigh(rules, state, Clash(h, [unit], [man], unit, man)).column == before.column + 1


def test_while_one_assaults_on_the_move_a_step_is_about_that_assault_alone() -> None:
    """21.5.3: markers that wait for step D are nobody's target, and make no flank for it."""
    rules, state, (unit, other), (man,) = plain("de-leib-1", "de-leib-2")
    h, here, _, _, behind, *_ = around(rules)
    put(rules, state, other, behind)
    state.assaults = ((unit, h, 0), (other, h, 0))
    state.supports = ((other, h),)
    assert assault.now(state) == state.assaults and assault.supports_now(state) == state.supports
    assert assault.is_flank_assault(rules, state, h)
    state.mobile = 1 << unit
    assert assault.now(state) == ((unit, h, 0),) and not assault.supports_now(state)
    assert not assault.is_flank_assault(rules, state, h)
    assert fire.aimed_at(rules, state, here) == (unit,) and fire.is_assault(state, here)
    assert not fire.aimed_at(rules, state, behind) and not fire.is_assault(state, behind)
    assert rule_of(fire.why_no_defence(rules, state, man, behind)) == "12.2"
    assert rule_of(assault.why_not_wave(rules, state, h, [unit, other])) == "10.2.3"
    state.mobile = 0
    assert assault.why_not_wave(rules, state, h, [unit, other]) is None
    assert fire.is_assault(state, behind)


def test_support_of_an_assault_that_is_over_is_lifted_too() -> None:
    """21.5.3.e1."""
    rules, state, (unit, other), (man,) = plain("de-leib-1", "de-leib-2")
    state.supports = ((unit, state.at[man]), (other, state.at[man]))
    assault.lift(rules, state, [unit])
    assert state.supports == ((other, state.at[man]),)
