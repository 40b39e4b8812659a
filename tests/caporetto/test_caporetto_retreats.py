"""12.3.5, 11.6, 24.3: where who must retreat goes, what it costs him, and who has nowhere to go."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from caporetto_places import around, deploy, field, kinds, ways

from fronte.engine.event import Event
from fronte.games.caporetto import assault, flamethrowers, retreats, sectors
from fronte.games.caporetto.printed import ROUTED, SURRENDERED, CaporettoPrinted
from fronte.games.caporetto.retreats import Setting
from fronte.games.caporetto.state import State, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits, mask_of

FOES = ("ah-sch1-1", "ah-sch1-2", "ah-sch1-3", "ah-sch14-1", "ah-sch14-2", "ah-sch14-3")
FRIENDS = ("it-97-1", "it-147-1", "it-155-1", "it-223-1", "it-98-1", "it-148-1")


def assaulted(
    *directions: int, men: Iterable[str] = ("it-87-1",)
) -> tuple[CaporettoPrinted, State, list[int], Setting]:
    """Italians on open ground, assaulted from these directions."""
    rules, state = field("what_if")
    hexes = around(rules)
    units = deploy(rules, state, hexes[0], *men)
    for direction in directions:
        (foe,) = deploy(rules, state, hexes[direction], FOES[direction - 1])
        assault.declare(rules, state, foe, hexes[0], False, [])
    return rules, state, units, look(rules, state, directions)


def look(rules: CaporettoPrinted, state: State, directions: Iterable[int]) -> Setting:
    hexes = around(rules)
    return retreats.setting(rules, state, hexes[0], ITALIAN, mask_of(hexes[d] for d in directions))


def ways_of(rules: CaporettoPrinted, state: State, unit: int, where: Setting) -> tuple[str, list[int]]:
    """The letter, and the directions."""
    found = retreats.ways(rules, state, unit, where)
    return found.letter, [around(rules).index(h) for h in bits_in_order(rules, found.hexes)]


def bits_in_order(rules: CaporettoPrinted, hexes: int) -> list[int]:
    return [h for h in around(rules)[1:] if hexes >> h & 1]


@pytest.mark.parametrize(
    ("sources", "hexes"),
    [((1,), [3, 4, 5]), ((1, 2), [3, 4, 5, 6]), ((1, 4), [2, 3, 5, 6]), ((1, 3, 5), [2, 4, 6])],
)
def test_first_the_empty_hexes_on_the_other_side(sources: tuple[int, ...], hexes: list[int]) -> None:
    """12.3.5.A: opposite or next to that, and never where an assault came from."""
    rules, state, (unit,), where = assaulted(*sources)
    assert ways_of(rules, state, unit, where) == ("A", hexes)


def test_then_other_empty_hexes_then_friends_then_too_many_friends() -> None:
    """12.3.5.A to D."""
    rules, state, (unit,), _ = assaulted(1)
    hexes = around(rules)
    for direction in (3, 4, 5):
        deploy(rules, state, hexes[direction], FRIENDS[direction - 1])
    assert ways_of(rules, state, unit, look(rules, state, [1])) == ("B", [2, 6])
    for direction in (2, 6):
        deploy(rules, state, hexes[direction], FRIENDS[direction - 1])
    assert ways_of(rules, state, unit, look(rules, state, [1])) == ("C", [2, 3, 4, 5, 6])
    more = ["it-87-2", "it-98-2", "it-98-3", "it-97-2", "it-97-3"]
    for direction, name in zip((2, 3, 4, 5, 6), more, strict=True):
        if direction != 4:
            deploy(rules, state, hexes[direction], name)
    assert ways_of(rules, state, unit, look(rules, state, [1])) == ("C", [4])
    deploy(rules, state, hexes[4], "it-88-2")
    assert ways_of(rules, state, unit, look(rules, state, [1])) == ("D", [2, 3, 4, 5, 6])


def test_an_assault_that_began_in_an_empty_hex_keeps_it_closed() -> None:
    """12.3.5, 12.3.1.e1: also when who assaulted has gone on."""
    rules, state, (unit,), _ = assaulted(1)
    foe = rules.number[FOES[0]]
    hexes = around(rules)
    assault.lift(rules, state, [foe])
    put(rules, state, foe, rules.grid.index["1203"])
    for direction in (2, 3, 4, 5, 6):
        deploy(rules, state, hexes[direction], FOES[direction - 1])
    assert ways_of(rules, state, unit, look(rules, state, [1])) == ("", [])


def test_enemies_and_their_guns_bar_a_hex_but_their_zones_do_not() -> None:
    """12.3.5, ours."""
    rules, state, (unit,), _ = assaulted(1)
    hexes = around(rules)
    deploy(rules, state, hexes[3], "de-geb-12")
    deploy(rules, state, rules.grid.neighbours[hexes[4]][3], "de-23-1")
    assert ways_of(rules, state, unit, look(rules, state, [1])) == ("A", [4, 5])


def test_several_units_may_part_and_the_order_is_found_once() -> None:
    """12.3.5.1: a hex that was empty is so for the next of the stack too."""
    rules, state, units, where = assaulted(1, men=("it-87-1", "it-88-1", "it-97-1"))
    hexes = around(rules)
    out: list[Event] = []
    assert retreats.retreat(rules, state, units[0], hexes[4], out)
    assert ways_of(rules, state, units[1], where) == ("A", [3, 4, 5])
    assert retreats.retreat(rules, state, units[1], hexes[4], out)
    assert ways_of(rules, state, units[2], where) == ("A", [3, 5])  # a third would be one too many there
    assert retreats.retreat(rules, state, units[2], hexes[5], out)
    assert kinds(out) == ["retreated"] * 3
    assert out[0].data == {"unit": "it-87-1", "hex": "2102", "to": rules.grid.ids[hexes[4]]}
    assert all(state.retreated >> unit & 1 for unit in units) and not state.joined


def test_nobody_retreats_across_the_isonzo_unless_on_a_bridge() -> None:
    """12.3.5.1."""
    rules, state = field("what_if")
    ground = rules.ground
    for here, there in ways(rules, lambda way, a, b: ground.water[way] == "isonzo" and ground.bridge[way] < 0)[:5]:
        (unit,) = deploy(rules, state, here, "it-87-1")
        where = retreats.setting(rules, state, here, ITALIAN, 0)
        assert not retreats.ways(rules, state, unit, where).hexes >> there & 1
    state.built = ((here, there),)
    assert retreats.ways(rules, state, unit, retreats.setting(rules, state, here, ITALIAN, 0)).hexes >> there & 1


def cliff_alone(name: str) -> tuple[CaporettoPrinted, State, int, int, Setting]:
    """A unit whose only way out is a cliff."""
    rules, state = field("what_if")
    here, there = ways(rules, lambda way, a, b: rules.ground.cliff[way])[0]
    (unit,) = deploy(rules, state, here, name)
    others = [h for h in rules.grid.adjacent[here] if h != there]
    for h, foe in zip(others, FOES, strict=False):
        deploy(rules, state, h, foe)
    where = retreats.setting(rules, state, here, ITALIAN, mask_of(others))
    return rules, state, unit, there, where


@pytest.mark.parametrize(("dp", "stays"), [(3, True), (4, False)])
def test_mountain_troops_climb_down_a_cliff_for_two_points(dp: int, stays: bool) -> None:
    """12.3.5.1.e1: morale 6; who reaches it surrenders, whoever is near."""
    rules, state, unit, there, where = cliff_alone("it-ceva")
    state.dp[unit] = dp
    found = retreats.ways(rules, state, unit, where)
    assert found.hexes == found.cliffs == 1 << there
    assert retreats.retreat(rules, state, unit, there, []) == stays
    assert (state.at[unit], state.dp[unit]) == ((there, 5) if stays else (SURRENDERED, 0))


def test_others_have_no_way_there_and_surrender() -> None:
    """12.3.5.1, 12.3.5.2: the steps have been lost before, and the battalion counts two."""
    rules, state, unit, _, where = cliff_alone("it-87-1")
    state.lost[unit] = 1
    assert not retreats.ways(rules, state, unit, where).hexes
    out: list[Event] = []
    retreats.surrender(rules, state, unit, out)
    assert (state.at[unit], state.lost[unit], out[0].rules) == (SURRENDERED, 1, ("12.3.5.2",))


def test_a_cliff_is_a_choice_where_there_is_another_way() -> None:
    """12.3.5.1.e1: they may; it forces nobody, and does not come before a better hex."""
    rules, state = field("what_if")
    here, there = ways(rules, lambda way, a, b: rules.ground.cliff[way])[0]
    (unit,) = deploy(rules, state, here, "it-ceva")
    found = retreats.ways(rules, state, unit, retreats.setting(rules, state, here, ITALIAN, 0))
    assert found.letter == "B" and found.cliffs >> there & 1 and found.hexes & ~found.cliffs
    deploy(rules, state, there, "it-87-1")
    found = retreats.ways(rules, state, unit, retreats.setting(rules, state, here, ITALIAN, 0))
    assert found.letter == "B" and not found.hexes >> there & 1


def test_emplaced_guns_stay_and_flamethrowers_go_with_their_bearers() -> None:
    """12.3.5.3, 21.4."""
    rules, state, units, _ = assaulted(1, men=("it-87-1",))
    guns = list(bits(rules.guns & rules.of_side[ITALIAN]))[:2]
    state.emplaced = 1 << guns[0]
    for gun in guns:
        put(rules, state, gun, state.at[units[0]])
    assert retreats.must_retreat(rules, state, (units[0], *guns)) == (units[0], guns[1])
    (bearer, fire) = deploy(rules, state, around(rules)[4], "de-leib-1", "de-flame-ak")
    flamethrowers.take_up(rules, state, fire)
    assert retreats.must_retreat(rules, state, (bearer, fire)) == (bearer,)
    retreats.retreat(rules, state, bearer, around(rules)[5], [])
    assert state.at[fire] == state.at[bearer] == around(rules)[5]


def test_who_comes_into_a_hex_under_assault_does_not_fight_there() -> None:
    """12.3.7."""
    rules, state, (unit,), _ = assaulted(1)
    hexes = around(rules)
    deploy(rules, state, hexes[4], "it-88-1")
    (foe,) = deploy(rules, state, rules.grid.neighbours[hexes[4]][3], "ah-sch24-1")
    assault.declare(rules, state, foe, hexes[4], False, [])
    retreats.retreat(rules, state, unit, hexes[4], [])
    assert state.joined == 1 << unit
    assert assault.groups(rules, state, hexes[4], ITALIAN) == [(rules.number["it-88-1"],)]


def test_engineers_that_are_driven_out_stop_working() -> None:
    """19.3, 17.3."""
    rules, state, (unit,), _ = assaulted(1, men=("it-eng-50",))
    state.works, state.working = ((unit, state.at[unit], state.at[unit]),), 1 << unit
    retreats.retreat(rules, state, unit, around(rules)[4], [])
    assert not state.works and not state.working


def test_too_many_in_a_hex_take_a_point_each_and_nobody_surrenders() -> None:
    """11.6, 15.4.3."""
    rules, state, (unit,), _ = assaulted(1)
    h = around(rules)[4]
    there = deploy(rules, state, h, "it-97-1", "it-147-1")
    assert not retreats.is_crowded(rules, state, h, rules.force[unit])
    state.dp[there[0]] = 4
    retreats.retreat(rules, state, unit, h, [])
    out: list[Event] = []
    retreats.settle(rules, state, [h, h], rules.force[unit], out)
    assert [state.dp[one] for one in (unit, *there)] == [1, 4, 1]
    assert kinds(out) == ["disorganised"] * 3 + ["held"]


def test_a_regiment_and_a_free_company_are_not_too_many() -> None:
    """11.1.e1, 11.5."""
    rules, state, units, _ = assaulted(men=("it-87-1", "it-87-2", "it-87-3", "it-mg-friuli"))
    assert not retreats.is_crowded(rules, state, state.at[units[0]], rules.force[units[0]])
    deploy(rules, state, state.at[units[0]], "it-88-1")
    assert retreats.is_crowded(rules, state, state.at[units[0]], rules.force[units[0]])


# 12.3.5.7: farther


def test_a_second_hex_leads_on_and_not_back() -> None:
    """12.3.5.7, ours: by the same order, away from the first."""
    rules, state, (unit,), _ = assaulted(1)
    hexes = around(rules)
    retreats.retreat(rules, state, unit, hexes[4], [])
    where = retreats.second_setting(rules, state, hexes[4], ITALIAN, hexes[0])
    found = retreats.ways(rules, state, unit, where)
    ahead = rules.grid.neighbours[hexes[4]]
    open_hexes = mask_of(
        h for h in (ahead[2], ahead[3], ahead[4]) if h >= 0 and retreats.entry(rules, state, unit, hexes[4], h) > 0
    )
    assert found.letter == "A" and found.hexes == open_hexes
    assert not found.hexes >> hexes[0] & 1


@pytest.mark.parametrize(("die", "routed"), [(5, False), (6, True)])
def test_the_die_of_the_second_hex_is_held_against_printed_morale(die: int, routed: bool) -> None:
    """12.3.5.7: eliminated, and not surrendered; disorganisation does not matter."""
    rules, state, (unit,), _ = assaulted(1)
    state.dp[unit] = 3
    out: list[Event] = []
    assert retreats.rout(rules, state, unit, die, out) == routed
    assert (state.at[unit] == ROUTED) == routed
    assert kinds(out) == ["rout_die", "routed"][: 1 + routed]


def test_the_point_of_the_second_hex_makes_nobody_surrender() -> None:
    """12.3.5.7."""
    rules, state, (unit, other), _ = assaulted(1, men=("it-87-1", "it-87-2"))
    state.dp[unit] = 4
    retreats.tire(rules, state, [unit, other], [])
    assert [state.dp[one] for one in (unit, other)] == [4, 1] and state.at[unit] >= 0


# 12.3.5.6: back


def advanced(*origins: int) -> tuple[CaporettoPrinted, State, list[int]]:
    """Units of AHG that have taken a hex, from these directions."""
    rules, state = field("what_if")
    hexes = around(rules)
    units = []
    for direction in origins:
        (unit,) = deploy(rules, state, hexes[direction], FOES[direction - 1])
        units.append(unit)
    assault.advance(rules, state, units, hexes[0], [])
    return rules, state, units


def test_who_is_driven_out_again_goes_back_to_where_he_began() -> None:
    """12.3.5.6: each to its own hex."""
    rules, state, units = advanced(1, 3)
    hexes = around(rules)
    out: list[Event] = []
    retreats.fall_back(rules, state, units, out)
    assert [state.at[unit] for unit in units] == [hexes[1], hexes[3]]
    assert [event.rules for event in out] == [("12.3.5.6",)] * 2 and not state.advanced


def test_going_back_to_an_enemy_is_surrender_and_to_a_full_hex_a_point() -> None:
    """12.3.5.6, 12.3.5.2, 11.6."""
    rules, state, units = advanced(1, 3)
    hexes = around(rules)
    deploy(rules, state, hexes[1], "it-87-1")
    full = deploy(rules, state, hexes[3], "ah-sch14-1", "ah-sch24-1")
    assert retreats.fall_back(rules, state, units, []) == (units[1],)
    assert state.at[units[0]] == SURRENDERED
    retreats.settle(rules, state, [hexes[3]], rules.force[units[1]], [])
    assert [state.dp[unit] for unit in (units[1], *full)] == [1, 1, 1]


# 24.3: sectors


def test_nobody_crosses_the_line_of_the_sectors_unless_he_must() -> None:
    """24.3: any hex of one's own sector comes first, ours."""
    rules, state = field("historical")
    left, right = rules.ground.inside["left"], rules.ground.inside["right"]
    only_left, only_right = left & ~right, right & ~left
    unit = next(u for u in bits(rules.combat & rules.of_side[ITALIAN]) if rules.home(u) == left and rules.foot[u] == 0)

    def is_border(way: int, here: int, there: int) -> bool:
        free = retreats.entry(rules, state, unit, here, there) > 0
        return bool(only_left >> here & 1 and only_right >> there & 1) and free

    here, there = ways(rules, is_border)[0]
    put(rules, state, unit, here)
    where = retreats.setting(rules, state, here, ITALIAN, 0)
    found = retreats.ways(rules, state, unit, where)
    assert found.hexes and not found.hexes & only_right
    near = [h for h in rules.grid.adjacent[here] if left >> h & 1]
    foes = list(bits(rules.combat & rules.of_side[AHG] & ~rules.flamethrowers))[: len(near)]
    for h, foe in zip(near, foes, strict=True):
        put(rules, state, foe, h)
    found = retreats.ways(rules, state, unit, retreats.setting(rules, state, here, ITALIAN, 0))
    assert found.hexes >> there & 1 and not found.hexes & left


def beginner(rules: CaporettoPrinted, state: State) -> int:
    """An Italian unit in the common hex in which it begins."""
    common = rules.ground.sector["common"]
    unit = next(
        u
        for u in bits(rules.assaulting & rules.of_side[ITALIAN])
        if rules.begins[u] >= 0 and common >> rules.begins[u] & 1
    )
    put(rules, state, unit, rules.begins[unit])
    return unit


def test_who_begins_in_a_common_hex_retreats_to_the_sector_of_his_formation() -> None:
    """24.3.start."""
    rules, state = field("historical")
    unit = beginner(rules, state)
    found = retreats.ways(rules, state, unit, retreats.setting(rules, state, state.at[unit], ITALIAN, 0))
    own = rules.home(unit) & ~rules.ground.sector["common"]
    assert found.hexes and not found.hexes & ~own


def test_who_is_left_in_a_common_hex_is_taken_to_the_nearest_of_his_sector() -> None:
    """24.3.common: not who began there, nor who is elsewhere, nor to an enemy."""
    rules, state = field("historical")
    unit = beginner(rules, state)
    assert sectors.way_home(rules, state, unit) == 0
    other = next(
        u for u in bits(rules.combat & rules.of_side[ITALIAN]) if rules.home(u) == rules.home(unit) and u != unit
    )
    put(rules, state, other, state.at[unit])
    found = sectors.way_home(rules, state, other)
    own = rules.home(other) & ~rules.ground.sector["common"]
    assert found and not found & ~own
    assert len({rules.grid.distance(state.at[other], h) for h in bits(found)}) == 1
    h = next(bits(found))
    put(rules, state, next(bits(rules.combat & rules.of_side[AHG])), h)
    assert not sectors.way_home(rules, state, other) >> h & 1
    put(rules, state, other, next(bits(own)))
    assert sectors.way_home(rules, state, other) == 0


def test_who_does_not_fire_at_those_who_retreat() -> None:
    """12.3.2.e1, 12.3.5.4: who assaults, where that has led him, and who is assaulted; supporters may."""
    rules, state, (unit,), _ = assaulted(1, 2)
    first, second = (rules.number[FOES[n]] for n in (0, 1))
    (helper,) = deploy(rules, state, around(rules)[6], "ah-sch24-1")
    state.supports = ((helper, state.at[unit]),)
    assert retreats.busy(rules, state) == mask_of((first, second, unit))
    h = state.at[unit]
    put(rules, state, unit, around(rules)[4])
    assault.advance(rules, state, [first], h, [])
    assault.lift(rules, state, [first, second])
    assert retreats.busy(rules, state) == 1 << first
