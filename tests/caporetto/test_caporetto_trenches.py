"""17: levels of trenches for their side, what lowers them, along hexsides too, and what they connect."""

from __future__ import annotations

import pytest
from caporetto_packs import changed
from caporetto_shots import Field

from fronte.engine.event import Event
from fronte.games.caporetto import trenches
from fronte.games.caporetto.state import zone_of
from fronte.games.caporetto.terrain import AHG, ITALIAN, Ground
from fronte.hexes import bits


@pytest.fixture
def field() -> Field:
    return Field()


def trench_hex(field: Field, level: int) -> int:
    ground = field.rules.ground
    return next(h for h in bits(ground.trench[ITALIAN]) if ground.trench_level[h] == level)


def along_side(field: Field) -> tuple[int, int, int]:
    """A trench along a hexside whose hex has no other: its number, its hex and what it looks at."""
    sides = field.rules.ground.side_trenches
    return next((n, t.hex, t.against) for n, t in enumerate(sides) if not field.rules.ground.trench_level[t.hex])


def test_a_trench_serves_its_own_side_only(field: Field) -> None:
    h = trench_hex(field, 2)
    assert trenches.level(field.rules, field.state, h, ITALIAN) == 2
    assert trenches.level(field.rules, field.state, h, AHG) == 0


def test_a_trench_that_fills_a_hex_never_goes_below_one(field: Field) -> None:
    out: list[Event] = []
    for level in (1, 2):
        h = trench_hex(field, level)
        for _ in range(3):
            trenches.batter(field.rules, field.state, h, ITALIAN, "12.1.5.T", out)
        assert trenches.level(field.rules, field.state, h, ITALIAN) == 1
    assert [event.data["level"] for event in out] == [1]


def test_a_trench_along_a_hexside_counts_by_direction_and_can_be_destroyed(field: Field) -> None:
    rules, state, out = field.rules, field.state, []
    number, h, against = along_side(field)
    elsewhere = next(n for n in rules.grid.adjacent[h] if n != against)
    assert trenches.against_assault(rules, state, h, against, ITALIAN) == 1
    assert trenches.against_assault(rules, state, h, elsewhere, ITALIAN) == 0
    assert trenches.against_bombardment(rules, state, h, ITALIAN) == 1
    assert trenches.against_bombardment(rules, state, h, AHG) == 0
    assert trenches.against_fire(rules, state, h, [against], ITALIAN) == 1
    assert trenches.against_fire(rules, state, h, [against, elsewhere], ITALIAN) == 0
    trenches.batter(rules, state, h, AHG, "12.1.5.T", out)
    assert not out
    trenches.batter(rules, state, h, ITALIAN, "12.1.5.T", out)
    trenches.batter(rules, state, h, ITALIAN, "12.1.5.T", out)
    assert state.side_trenches[number] == 0
    assert trenches.against_bombardment(rules, state, h, ITALIAN) == 0
    assert out == [
        Event(
            "trench", ("12.1.5.T", "17.8"), {"hex": rules.grid.ids[h], "towards": rules.grid.ids[against], "level": 0}
        )
    ]


def test_zones_are_worked_out_anew_when_a_hexside_is_levelled(field: Field) -> None:
    _, h, _ = along_side(field)
    zone_of(field.rules, field.state, AHG)
    trenches.demolish(field.rules, field.state, h, [])
    assert field.state.zoc == [-1, -1]


def test_after_an_assault_the_trench_is_lower_if_the_assaulter_is_in_it(field: Field) -> None:
    h = trench_hex(field, 2)
    trenches.after_assault(field.rules, field.state, h, AHG, [])
    assert trenches.level(field.rules, field.state, h, ITALIAN) == 2
    field.unit(AHG, h)
    trenches.after_assault(field.rules, field.state, h, AHG, [])
    assert trenches.level(field.rules, field.state, h, ITALIAN) == 1


def test_who_moves_into_an_empty_enemy_trench_lowers_it(field: Field) -> None:
    rules, state = field.rules, field.state
    h = trench_hex(field, 2)
    mine = field.unit(ITALIAN, h)
    trenches.enter(rules, state, (mine,), h, [])
    assert trenches.level(rules, state, h, ITALIAN) == 2
    field.put(mine, -1)
    field.put(next(bits(rules.flamethrowers & rules.of_side[AHG])), h)
    first = field.unit(AHG, h)
    second = field.unit(AHG, h)
    trenches.enter(rules, state, (second,), h, [])
    assert trenches.level(rules, state, h, ITALIAN) == 2
    trenches.enter(rules, state, (first, second), h, [])
    assert trenches.level(rules, state, h, ITALIAN) == 1
    _, side, _ = along_side(field)
    trenches.enter(rules, state, (field.unit(AHG, side),), side, [])
    assert trenches.against_bombardment(rules, state, side, ITALIAN) == 1


def test_occupiers_may_lower_trenches_but_guns_do_not(field: Field) -> None:
    rules, state = field.rules, field.state
    two, one = trench_hex(field, 2), trench_hex(field, 1)
    field.gun("light", AHG, two)
    field.unit(AHG, one)
    assert not trenches.may_demolish(rules, state, AHG)
    field.unit(AHG, two)
    assert trenches.may_demolish(rules, state, AHG) == 1 << two
    trenches.demolish(rules, state, two, [])
    assert not trenches.may_demolish(rules, state, AHG)
    assert trenches.level(rules, state, two, ITALIAN) == 1


def test_trenches_are_connected_along_the_printed_line(field: Field) -> None:
    rules, ground = field.rules, field.rules.ground
    pairs = [
        (h, there) for h in bits(ground.trench[ITALIAN]) for _, there in ground.ways_from(h)
        if ground.trench[ITALIAN] >> there & 1
    ]  # fmt: skip
    joined = [pair for pair in pairs if trenches.connected(rules, *pair, ITALIAN)]
    assert joined
    assert not any(trenches.connected(rules, *pair, AHG) for pair in pairs)
    assert not any(ground.water[ground.way(*pair)] for pair in joined)
    assert [pair for pair in pairs if pair not in joined]


def test_trenches_are_never_connected_across_a_river() -> None:
    """17.7: also where somebody's own board says so."""
    line = "0623,0624,river,,,,,,,,,,,"
    pack = changed("hexsides.csv", line, line.replace("river,,,,,,,,,,,", "river,,,,,,,,,,italian,"))
    ground = Ground(pack, 1)
    assert ground.link[ground.way(ground.grid.index["0623"], ground.grid.index["0624"])] == -1
