"""The referee's own reading, held against what the booklet works out itself."""

from __future__ import annotations

from fractions import Fraction

import pytest
from book_board import Book, distance, line
from book_world import Unit, World

from fronte.games import registry

DATA = registry.HERE / "caporetto" / "data"
CAMPAIGN = Book(DATA, "historical")


def world(turn: int, **where: str) -> World:
    """Some counters of the campaign, each in a hex: `it_87_1="4028"`."""
    units = []
    for name, at in where.items():
        unit = Unit(CAMPAIGN.counters[name.replace("_", "-")], at)
        unit.emplaced = unit.c.gun
        units.append(unit)
    return World(CAMPAIGN, {"turn": turn}, units)


def test_hexes_lie_as_the_named_bridges_want_it() -> None:
    for a, b in (("1524", "1624"), ("3926", "3927"), ("1324", "1423"), ("2923", "3022")):
        assert distance(a, b) == 1
    assert distance("1019", "1006") == 13


def test_a_crest_between_hexes_of_one_level_is_uphill_either_way() -> None:
    """10.0.8."""
    assert CAMPAIGN.hexes["3628"].level == CAMPAIGN.hexes["3629"].level
    assert CAMPAIGN.uphill("3628", "3629")
    assert CAMPAIGN.uphill("3629", "3628")


def test_a_summit_is_always_uphill() -> None:
    """10.0.10."""
    peak = next(h for h in CAMPAIGN.hexes.values() if h.peak)
    assert all(CAMPAIGN.uphill(n, peak.name) for n in CAMPAIGN.next_to[peak.name])


def test_a_line_along_a_hexside_has_a_hex_on_either_hand() -> None:
    """12.1.1.4."""
    assert line("1020", "1220") == ([], ["1120", "1121"])


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(11, 3, "3.5:1"), (3, 5, "1:1.75"), (1, 1, "1:1"), (12, 2, "5:1"), (4, 0, "5:1"), (1, 2, "1:2")],
)
def test_odds_are_rounded_down(attack: int, defence: int, column: str) -> None:
    """12.3.3, 12.3.6."""
    found = world(3).ratio_column(attack, defence)
    assert found is not None
    assert CAMPAIGN.tables["assault"]["columns"][found] == column


def test_two_points_silence_a_gun() -> None:
    """18.6, with the fractions kept."""
    gun = next(c for c in CAMPAIGN.counters.values() if c.kind == "medium" and not c.group)
    unit = Unit(gun, "2424")
    unit.emplaced = True
    here = World(CAMPAIGN, {"turn": 3}, [unit])
    assert here.factor(unit) == 3
    unit.dp = 1
    assert here.factor(unit) == Fraction(3, 2)
    unit.dp = 2
    assert here.factor(unit) == 0


def test_steps_of_a_german_battalion() -> None:
    """21.10: front, back, back with a marker, company."""
    counter = next(c for c in CAMPAIGN.counters.values() if c.kind == "gL")
    assert [(Unit(counter, lost=n).cf, Unit(counter, lost=n).mg) for n in range(4)] == [(4, 8), (3, 6), (2, 4), (1, 2)]
    weak = next(c for c in CAMPAIGN.counters.values() if c.kind == "gM")
    assert [(Unit(weak, lost=n).cf, Unit(weak, lost=n).mg) for n in range(3)] == [(3, 6), (2, 4), (1, 2)]


def test_no_zone_in_the_fog() -> None:
    """8.1: turn 1 has fog on the two lowest levels."""
    low = next(n for n, h in CAMPAIGN.hexes.items() if h.level == 1 and not h.barred and h.terrain == "clear")
    unit = Unit(CAMPAIGN.counters["it-87-1"], low)
    assert not World(CAMPAIGN, {"turn": 1}, [unit]).zone("italian")
    assert World(CAMPAIGN, {"turn": 3}, [unit]).zone("italian")


def test_three_battalions_crowd_a_hex_unless_they_are_one_regiment() -> None:
    """11.1, exception 1."""
    assert not world(3, it_87_1="4027", it_87_2="4027", it_87_3="4027").crowded("4027", "italian")
    assert world(3, it_87_1="4027", it_87_2="4027", it_88_3="4027").crowded("4027", "italian")


def test_the_whole_front_is_in_supply_at_the_start() -> None:
    """9.2: as the data promise of every unit of the campaign."""
    units = []
    for counter in CAMPAIGN.counters.values():
        if counter.start[:4].isdigit() and not counter.hq:
            unit = Unit(counter, counter.start[:4])
            unit.emplaced = counter.gun
            units.append(unit)
    here = World(CAMPAIGN, {"turn": 1}, units)
    sector = {
        ("ahg", "left"): "left",
        ("ahg", "right"): "right",
        ("italian", "left"): "right",
        ("italian", "right"): "left",
    }
    cut = [
        u.id
        for u in units
        if u.c.formation != "it-vicenza" and not here.supplied(u.at, u.side, sector.get(f"{u.side} {u.c.wing}", ""))
    ]
    assert not cut
