"""15, 9.3, 20: points of disorganisation, who surrenders and who only nearly, and who recovers."""

from __future__ import annotations

import pytest
from caporetto_places import around, deploy, field, kinds, ways

from fronte.engine.event import Event
from fronte.games.caporetto import morale, sectors
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.printed import ELIMINATED, SURRENDERED, CaporettoPrinted
from fronte.games.caporetto.state import State, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits

FRIULI, ALPINI, GERMANS = "it-87-1", "it-ceva", "de-23-1"


def beside(scenario: str = "what_if") -> tuple[CaporettoPrinted, State, int, int]:
    """An Italian battalion of morale 5 next to a German one, on open ground."""
    rules, state = field(scenario)
    hexes = around(rules)
    (mine,) = deploy(rules, state, hexes[0], FRIULI)
    (foe,) = deploy(rules, state, hexes[1], GERMANS)
    return rules, state, mine, foe


def test_current_morale_is_what_is_printed_less_the_points() -> None:
    """15.1."""
    rules, state, mine, _ = beside()
    out: list[Event] = []
    morale.disorganise(rules, state, [mine], 2, out)
    assert (rules.morale[mine], morale.current(rules, state, mine)) == (5, 3)
    assert out == [Event("disorganised", ("15.2",), {"unit": FRIULI, "points": 2, "dp": 2})]
    morale.disorganise(rules, state, [mine], 0, out)
    assert len(out) == 1


@pytest.mark.parametrize(("points", "ends"), [(4, 0), (5, 1), (7, 1)])
def test_who_reaches_his_morale_next_to_an_enemy_surrenders(points: int, ends: int) -> None:
    """15.4: at the threshold and above it, not below."""
    rules, state, mine, _ = beside()
    out: list[Event] = []
    morale.disorganise(rules, state, [mine], points, out)
    assert morale.test_surrenders(rules, state, [mine], out) == ((mine,) if ends else ())
    assert (state.at[mine] == SURRENDERED) == bool(ends)
    if ends:
        assert out[-1] == Event("surrendered", ("15.4",), {"unit": FRIULI, "hex": "2102"})


def test_alone_he_stays_one_below() -> None:
    """15.4."""
    rules, state, mine, foe = beside()
    put(rules, state, foe, ELIMINATED)
    state.dp[mine] = 6
    out: list[Event] = []
    assert morale.test_surrenders(rules, state, [mine], out) == ()
    assert out == [Event("held", ("15.4",), {"unit": FRIULI, "dp": 4})]
    assert state.at[mine] >= 0


def test_an_enemy_across_the_isonzo_frightens_nobody_unless_there_is_a_bridge() -> None:
    """15.4: he must be able to enter the hex."""
    rules, state = field("what_if")
    ground = rules.ground
    here, there = ways(rules, lambda way, a, b: ground.water[way] == "isonzo" and ground.bridge[way] < 0)[0]
    (mine,), (foe,) = deploy(rules, state, here, FRIULI), deploy(rules, state, there, GERMANS)
    state.dp[mine] = 5
    assert not morale.is_threatened(rules, state, mine)
    state.built = ((here, there),)
    assert morale.is_threatened(rules, state, mine) and morale.could_enter(rules, state, foe, here)
    state.built = ()
    number = next(n for n, bridge in enumerate(ground.bridges) if bridge.isonzo)
    bridge = ground.bridges[number]
    put(rules, state, mine, bridge.a)
    put(rules, state, foe, bridge.b)
    state.standing = ground.all_bridges
    assert morale.is_threatened(rules, state, mine)
    state.standing &= ~(1 << number)
    assert not morale.is_threatened(rules, state, mine)


def test_cliffs_let_only_mountain_troops_in() -> None:
    """15.4, 10.0.9."""
    rules, state = field("what_if")
    here, there = ways(rules, lambda way, a, b: rules.ground.cliff[way])[0]
    (mine,) = deploy(rules, state, here, FRIULI)
    (plain,) = deploy(rules, state, there, GERMANS)
    assert not morale.is_threatened(rules, state, mine)
    put(rules, state, plain, ELIMINATED)
    deploy(rules, state, there, "de-leib-1")
    assert morale.is_threatened(rules, state, mine)


def test_no_gun_and_no_flamethrower_alone_takes_prisoners() -> None:
    """15.4."""
    rules, state, mine, foe = beside()
    put(rules, state, foe, ELIMINATED)
    deploy(rules, state, around(rules)[1], "de-flame-ak")
    deploy(rules, state, around(rules)[2], "de-geb-12")
    state.dp[mine] = 5
    assert not morale.is_threatened(rules, state, mine)


def infantry_of(rules: CaporettoPrinted, side: int, home: int) -> int:
    """A battalion on foot of a side, whose sector this is."""
    units = bits(rules.zoc_makers & rules.of_side[side])
    return next(unit for unit in units if rules.foot[unit] == 0 and rules.home(unit) == home)


def test_enemies_of_the_other_sector_take_none_and_have_no_zone() -> None:
    """24.3, 24.3.zoc: across the yellow line."""
    rules, state = field("historical")
    left, right = rules.ground.inside["left"], rules.ground.inside["right"]
    zone = rules.ground.zone[AHG]

    def meets_line(way: int, here: int, there: int) -> bool:
        return bool((left & ~right) >> here & 1 and (right & ~left) >> there & 1 and zone(1 << there) >> here & 1)

    here, there = ways(rules, meets_line)[0]
    mine = infantry_of(rules, ITALIAN, left)
    put(rules, state, mine, here)
    state.dp[mine] = rules.morale[mine]
    put(rules, state, infantry_of(rules, AHG, right), there)
    assert not morale.is_threatened(rules, state, mine)
    state.dp[mine] = 1
    assert morale.can_recover(rules, state, mine, -1)
    put(rules, state, infantry_of(rules, AHG, left), next(bits(rules.grid.ring[here] & left & zone(1 << here))))
    assert morale.is_threatened(rules, state, mine)
    assert not morale.can_recover(rules, state, mine, -1)


def test_who_begins_in_a_common_hex_is_bound_to_it() -> None:
    """24.3.start: until he is driven out of it; he enters no other hex."""
    rules, state = field("historical")
    unit = next(
        u
        for u in bits(rules.combat & rules.of_side[ITALIAN])
        if rules.begins[u] >= 0 and rules.ground.sector["common"] >> rules.begins[u] & 1
    )
    put(rules, state, unit, rules.begins[unit])
    near = next(
        h
        for h in rules.grid.adjacent[rules.begins[unit]]
        if rules.home(unit) >> h & 1 and step_price(rules, state, unit, rules.begins[unit], h, by_road=False) > 0
    )
    assert sectors.is_bound(rules, state, unit) and not morale.could_enter(rules, state, unit, near)
    put(rules, state, unit, near)
    assert not sectors.is_bound(rules, state, unit)


def test_the_winner_of_an_assault_and_who_is_crowded_do_not_surrender() -> None:
    """15.4.2, 15.4.3, 11.6."""
    rules, state, mine, _ = beside()
    state.dp[mine] = 5
    out: list[Event] = []
    assert morale.test_surrenders(rules, state, [mine], out, spared="15.4.2") == ()
    assert (state.dp[mine], out[-1].rules) == (4, ("15.4.2",))
    morale.crowd(rules, state, [mine], out)
    assert state.dp[mine] == 4 and state.at[mine] >= 0
    assert [(event.kind, event.rules) for event in out[-2:]] == [("disorganised", ("11.6",)), ("held", ("15.4.3",))]
    state.dp[mine] = 1
    morale.crowd(rules, state, [mine], out)
    assert state.dp[mine] == 2


def test_guns_surrender_at_five_points() -> None:
    """18.6, 18.2: next to an enemy who could enter, else they have four."""
    rules, state = field("what_if")
    hexes = around(rules)
    (gun,) = deploy(rules, state, hexes[0], next(name for name in rules.ids if is_gun(rules, name, ITALIAN)))
    state.dp[gun] = 5
    morale.test_surrenders(rules, state, [gun], [])
    assert state.dp[gun] == 4
    deploy(rules, state, hexes[1], GERMANS)
    state.dp[gun] = 5
    morale.test_surrenders(rules, state, [gun], [])
    assert state.at[gun] == SURRENDERED


def is_gun(rules: CaporettoPrinted, name: str, side: int) -> bool:
    return bool((rules.guns & rules.of_side[side]) >> rules.number[name] & 1)


def test_flamethrowers_have_no_morale_to_lose() -> None:
    """21.4."""
    rules, state, _, foe = beside()
    (fire,) = deploy(rules, state, state.at[foe], "de-flame-ak")
    out: list[Event] = []
    morale.disorganise(rules, state, [fire], 3, out)
    assert not state.dp[fire] and not out and not morale.is_broken(rules, state, fire)


def test_without_supply_all_take_a_point_before_anybody_goes() -> None:
    """9.3, 4.0: two that would make each other surrender both do; who is alone stays one below."""
    rules, state, mine, foe = beside()
    (alone,) = deploy(rules, state, rules.grid.index["1203"], ALPINI)
    state.dp[mine], state.dp[foe], state.dp[alone] = 4, 5, 5
    out: list[Event] = []
    assert morale.starve(rules, state, [mine, foe, alone], out) == (mine, foe)
    assert kinds(out) == ["disorganised"] * 3 + ["held"] + ["surrendered"] * 2
    assert state.dp[alone] == 5 and state.at[alone] >= 0
    assert out[-1].rules == ("9.3",)


def test_who_may_recover() -> None:
    """20.1: supplied, in command, not marched, in no enemy zone; guns and Italians in the same way."""
    rules, state, mine, foe = beside()
    bit = 1 << mine
    assert not morale.can_recover(rules, state, mine, bit)  # nothing to recover
    state.dp[mine] = 3
    assert not morale.can_recover(rules, state, mine, bit)  # the enemy's zone
    put(rules, state, foe, around(rules)[0] + 300)
    assert morale.can_recover(rules, state, mine, bit)
    assert not morale.can_recover(rules, state, mine, 0)
    for name in ("ooc", "marched"):
        setattr(state, name, bit)
        assert not morale.can_recover(rules, state, mine, bit)
        setattr(state, name, 0)
    out: list[Event] = []
    morale.recover(rules, state, [mine], out)
    assert out == [Event("recovered", ("20.1",), {"unit": FRIULI, "dp": 2})]


def test_a_friend_in_the_hex_does_not_help_to_recover() -> None:
    """20.1, ours."""
    rules, state, mine, _ = beside()
    deploy(rules, state, state.at[mine], "it-87-2")
    state.dp[mine] = 1
    assert not morale.can_recover(rules, state, mine, -1)


def test_engineers_that_are_disorganised_leave_their_bridge_but_not_their_trench() -> None:
    """19.3, 17.3."""
    rules, state = field("what_if")
    here, there, *_ = around(rules)
    (eng,) = deploy(rules, state, here, "it-eng-50")
    for work, goes_on in (((eng, here, there), False), ((eng, here, here), True)):
        state.works, state.working = (work,), 1 << eng
        morale.disorganise(rules, state, [eng], 1, [])
        assert (bool(state.works), bool(state.working)) == (goes_on, goes_on)
