"""The charts of Caporetto: their printed ends, their exact values, and that they rise and fall as they must."""

from __future__ import annotations

from itertools import pairwise

import pytest
from caporetto_packs import printed

from fronte.engine.pack import PackError
from fronte.games.caporetto.tables import (
    BLIZZARD,
    CLEAR,
    CLOSED,
    FOG,
    NOTHING,
    RAIN,
    WHOLE_ALLOWANCE,
    Fraction,
    Outcome,
    outcome,
)
from fronte.hexes import bits
from fronte.hexes.sight import Reach

HERE = printed("historical")
ASSAULT, FIRE = HERE.tables.assault, HERE.tables.fire
DICE = range(1, 7)


class TestAssault:
    """12.3.3, 12.3.4."""

    def test_columns(self) -> None:
        expected = "1:2 1:1.75 1:1.5 1:1.25 1:1 1.5:1 2:1 2.5:1 3:1 3.5:1 4:1 4.5:1 5:1"
        assert ASSAULT.columns == tuple(expected.split())
        for name, ratio in zip(ASSAULT.columns, ASSAULT.ratio, strict=True):
            attack, defence = map(float, name.split(":"))
            assert attack / defence == pytest.approx(ratio.part / ratio.of)

    @pytest.mark.parametrize(
        ("attack", "defence", "column"),
        [
            (11, 3, "3.5:1"), (3, 5, "1:1.75"),  # the printed examples
            (1, 2, "1:2"), (4, 7, "1:1.75"), (5, 9, "1:2"), (2, 3, "1:1.5"), (1, 1, "1:1"), (5, 4, "1:1"),
            (3, 2, "1.5:1"), (19, 4, "4.5:1"), (5, 1, "5:1"), (29, 5, "5:1"), (7, 0, "5:1"),
        ],
    )  # fmt: skip
    def test_ratios_are_rounded_down(self, attack: int, defence: int, column: str) -> None:
        assert ASSAULT.columns[ASSAULT.column(attack, defence)] == column

    @pytest.mark.parametrize(
        ("attack", "defence", "beyond"),
        [(1, 3, -1), (3, 8, -1), (2, 5, -1), (1, 4, -2), (2, 9, -3), (6, 1, 13), (13, 2, 13), (7, 1, 14)],
    )
    def test_beyond_the_table_ratios_are_whole(self, attack: int, defence: int, beyond: int) -> None:
        assert ASSAULT.column(attack, defence) == beyond

    def test_below_and_above(self) -> None:
        for die in DICE:
            assert ASSAULT.result(-1, die) == ASSAULT.result(-9, die) == (outcome("D2R/1"), NOTHING)
            assert ASSAULT.result(15, die) == ASSAULT.result(12, die)

    def test_the_chance_to_take_the_hex(self) -> None:
        taken = [sum(ASSAULT.result(column, die)[1].retreat for die in DICE) for column in range(13)]
        assert taken == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]

    def test_cells_depend_on_twice_the_die_and_the_column(self) -> None:
        by_sum: dict[int, set[tuple[Outcome, Outcome]]] = {}
        for die in DICE:
            for column in range(13):
                by_sum.setdefault(2 * die + column, set()).add(ASSAULT.result(column, die))
        assert all(len(cells) == 1 for cells in by_sum.values())
        assert len(set(map(tuple, zip(*ASSAULT.defender, strict=True)))) == 13 or len(by_sum) == 23

    def test_to_the_right_and_with_higher_dice_nothing_is_worse_for_the_attacker(self) -> None:
        def badness(cell: Outcome) -> tuple[int, ...]:
            return cell.dp, cell.steps, int(cell.retreat)

        for die in DICE:
            for one, other in pairwise(range(13)):
                self._no_worse(ASSAULT.result(one, die), ASSAULT.result(other, die), badness)
        for column in range(13):
            for low, high in pairwise(DICE):
                self._no_worse(ASSAULT.result(column, low), ASSAULT.result(column, high), badness)

    def _no_worse(self, before, after, badness) -> None:  # type: ignore[no-untyped-def]
        for was, now in zip(badness(before[0]), badness(after[0]), strict=True):
            assert now <= was
        for was, now in zip(badness(before[1]), badness(after[1]), strict=True):
            assert now >= was

    def test_nobody_retreats_on_both_lines(self) -> None:
        for die in DICE:
            for column in range(13):
                attacker, defender = ASSAULT.result(column, die)
                assert not (attacker.retreat and defender.retreat)
                assert not (attacker.suppressed or defender.suppressed or attacker.again or defender.again)

    def test_expected_losses(self) -> None:
        """Steps of attacker and defender in six dice, column for column."""
        steps = [
            [sum(ASSAULT.result(column, die)[who].steps for die in DICE) for column in range(13)] for who in (0, 1)
        ]
        assert steps == [[6, 6, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1], [1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 9]]
        points = [[sum(ASSAULT.result(column, die)[who].dp for die in DICE) for column in range(13)] for who in (0, 1)]
        assert points == [[8, 8, 7, 7, 6, 6, 6, 6, 6, 5, 5, 4, 4], [5, 5, 6, 6, 6, 7, 7, 8, 8, 9, 9, 11, 11]]

    def test_shifts(self) -> None:
        assert ASSAULT.most_shift == 3
        assert ASSAULT.trench == [0, -1, -2]
        assert ASSAULT.shift == {
            **{"woods": -1, "village": -1, "town": -2, "high_mountain": -1, "uphill": -1, "river": -1},
            **{"isonzo_bridge": -2, "cliff": -2, "blizzard": -1, "flamethrower": 1, "cavalry": 1, "morale": 1},
        }


class TestFire:
    """12.1.4, 12.1.5, 12.2.9."""

    def test_columns(self) -> None:
        assert FIRE.columns == ("1", "2-3", "4-5", "6-8", "9-12", "13-17", "18-23", "24-30", "31-39", "40+")
        for name, low in zip(FIRE.columns, FIRE.start, strict=True):
            assert int(name.rstrip("+").split("-")[0]) == low
        ends = [int(name.split("-")[-1]) for name in FIRE.columns[:-1]]
        assert [end + 1 for end in ends] == FIRE.start[1:]

    @pytest.mark.parametrize(
        ("total", "parts", "column"),
        [
            (0, 1, -1),
            (3, 4, -1),
            (1, 1, 0),
            (7, 4, 0),
            (2, 1, 1),
            (8, 1, 3),
            (35, 4, 3),
            (36, 4, 4),
            (39, 1, 8),
            (99, 1, 9),
        ],
    )
    def test_totals_are_never_rounded_up(self, total: int, parts: int, column: int) -> None:
        assert FIRE.column(total, parts) == column

    def test_left_of_the_chart_there_is_nothing_and_right_of_it_the_last_column(self) -> None:
        for die in DICE:
            assert FIRE.result(-1, die) == FIRE.result(-3, die) == NOTHING
            assert FIRE.result(12, die) == FIRE.result(9, die)
        assert FIRE.result(4, 7) == FIRE.result(4, 6)

    def test_exact_cells(self) -> None:
        written = {
            (1, 0): "-",
            (5, 0): "*",
            (6, 2): "D1 S",
            (4, 5): "D1 S",
            (6, 5): "D1/1 T",
            (1, 9): "D1",
            (6, 9): "D3/2 T",
        }
        for (die, column), word in written.items():
            assert FIRE.result(column, die) == outcome(word)
        assert outcome("D3/2 T") == Outcome(3, 2, False, True, True, False)

    def test_a_card_may_have_a_letter_alone(self) -> None:
        """12.1.5, 12.3.4: the booklet tells of each by itself."""
        assert outcome("S") == Outcome(0, 0, False, True, False)
        assert outcome("T") == Outcome(0, 0, False, True, True)
        assert outcome("R") == Outcome(0, 0, True)
        assert outcome("D1S") == outcome("D1 S")
        for word in ("", "D", "D0", "RS1", "S T", "/", "x"):
            with pytest.raises(PackError, match="no result of a chart"):
                outcome(word)

    def test_it_rises_in_both_directions(self) -> None:
        def weight(cell: Outcome) -> tuple[float, ...]:
            return cell.dp + cell.again / 2, cell.steps, cell.suppressed, cell.trench

        for die in DICE:
            for one, other in pairwise(range(10)):
                assert all(
                    a <= b for a, b in zip(weight(FIRE.result(one, die)), weight(FIRE.result(other, die)), strict=True)
                )
        for column in range(10):
            for low, high in pairwise(DICE):
                assert all(
                    a <= b
                    for a, b in zip(weight(FIRE.result(column, low)), weight(FIRE.result(column, high)), strict=True)
                )

    def test_what_is_to_be_expected(self) -> None:
        """In six dice: points in halves, steps, S or T, T."""
        found = []
        for column in range(10):
            cells = [FIRE.result(column, die) for die in DICE]
            halves = sum(2 * cell.dp + cell.again for cell in cells)
            found.append(
                (halves, sum(c.steps for c in cells), sum(c.suppressed for c in cells), sum(c.trench for c in cells))
            )
        assert found == [
            *[(2, 0, 0, 0), (4, 0, 0, 0), (6, 0, 1, 0), (7, 1, 1, 0), (8, 1, 2, 0)],
            *[(9, 2, 3, 1), (13, 2, 3, 1), (13, 3, 4, 2), (16, 5, 5, 3), (20, 6, 5, 3)],
        ]

    def test_shifts(self) -> None:
        assert FIRE.cover == {"woods": -1, "village": -1, "town": -2}
        assert (FIRE.trench_cover, FIRE.trench_help) == ([0, -1, -2], [0, 1, 2])
        assert (FIRE.cavalry, FIRE.crossing, FIRE.blind, FIRE.road_die, FIRE.most_shift) == (1, 1, -2, 1, 3)
        assert (FIRE.again, FIRE.friendly_fire) == (3, 6)
        assert FIRE.friendly_fire_part == FIRE.interdiction_part == Fraction(1, 2)

    def test_gas_and_mines(self) -> None:
        """24.13."""
        scene = HERE.scene
        assert HERE.hex_ids(scene.mines.hexes) == ("2528", "2628", "2828", "2928")
        assert HERE.hex_ids(scene.gas.hexes) == ("3928",)
        assert (FIRE.columns[scene.mines.column], FIRE.columns[scene.gas.column]) == ("13-17", "40+")
        assert (scene.mines.moved, printed("what_if").scene.mines.moved) == (0, 1)


class TestTerrain:
    """10.0.2: quarters of a point for foot, mountain, cavalry, bicycle and guns from mountain to heavy."""

    def test_columns(self) -> None:
        expected = "foot mountain cavalry bicycle art_mountain art_light art_medium art_heavy"
        assert HERE.tables.feet == tuple(expected.split())

    @pytest.mark.parametrize(
        ("table", "word", "costs"),
        [
            ("hex", "clear", "1 1 1 1.5 1.5 2 3 P"), ("hex", "woods", "2 2 3 3 3 P P P"),
            ("hex", "high_mountain", "3 2 P P 4 P P P"), ("settlement", "town", "1 1 1 1 1 1 1 1"),
            ("settlement", "village", "1 1 1 1 1.5 2 3 P"), ("route", "road", ".5 .5 .5 .5 .5 .5 .5 1"),
            ("route", "railway", "1 1 1 1 1 1 1.5 2"), ("route", "trail", "1 1 1 1 1 1.5 2 3"),
            ("route", "trench", "1 1 1 1 1 1.5 2 3"), ("route", "footbridge", "1 1 1 1 P P P P"),
            ("side", "uphill", "1 0 1 1 1 P P P"), ("side", "level", "0 0 0 0 0 P P P"),
            ("side", "river", "2 2 2 P P P P P"), ("side", "isonzo", "P P P P P P P P"),
            ("side", "cliff", "P W P P P P P P"),
        ],
    )  # fmt: skip
    def test_costs(self, table: str, word: str, costs: str) -> None:
        words = {"P": CLOSED, "W": WHOLE_ALLOWANCE}
        expected = tuple(words[cost] if cost in words else int(float(cost) * 4) for cost in costs.split())
        assert getattr(HERE.tables, f"{table}_cost")[word] == expected

    @pytest.mark.parametrize(
        ("hex_id", "foot", "cost"),
        [("2602", 0, 4), ("2602", 7, 4), ("2728", 0, 12), ("2728", 1, 8), ("2728", 2, CLOSED), ("2728", 4, 16)],
    )
    def test_what_a_hex_costs(self, hex_id: str, foot: int, cost: int) -> None:
        assert HERE.enter_cost[foot][HERE.grid.index[hex_id]] == cost


class TestWeather:
    """8.1, 24.11, 26.1, 27.1."""

    @pytest.mark.parametrize(
        ("turn", "hex_id", "told"),
        [
            (1, "1624", FOG), (1, "4028", FOG), (1, "2728", BLIZZARD), (1, "4330", BLIZZARD), (1, "2320", RAIN),
            (2, "1624", RAIN), (2, "2728", RAIN), (3, "1624", CLEAR), (8, "2728", CLEAR),
        ],
    )  # fmt: skip
    def test_by_turn_and_level(self, turn: int, hex_id: str, told: str) -> None:
        assert HERE.weather_at(turn, HERE.grid.index[hex_id]) == told

    def test_masks(self) -> None:
        for h in bits(HERE.ground.extent):
            assert bool(HERE.blind[1] >> h & 1) == (HERE.weather_at(1, h) in (FOG, BLIZZARD))
            assert bool(HERE.snow[1] >> h & 1) == (HERE.weather_at(1, h) == BLIZZARD)
        assert HERE.blind[2] == 0 and len(HERE.blind) == 9
        assert HERE.bands[0] & HERE.bands[1] == HERE.bands[1] & HERE.bands[2] == 0
        assert HERE.bands[0] | HERE.bands[1] | HERE.bands[2] == HERE.grid.everything

    def test_sight(self) -> None:
        """12.1.1, 12.1.1.2."""
        assert HERE.reach[CLEAR] == Reach(6, 1, 10)
        assert HERE.reach[RAIN] == Reach(2) and HERE.reach["cloudy"] == Reach(4) and HERE.reach[FOG] == Reach(0)
        assert HERE.reach[CLEAR].allows(10, 4) and not HERE.reach[CLEAR].allows(10, 3)
        assert not HERE.reach[RAIN].allows(3, 5)

    def test_days(self) -> None:
        """2.1.1."""
        assert HERE.half_day(1) == ("1917-10-24", "am")
        assert HERE.half_day(4) == ("1917-10-25", "pm")
        assert HERE.half_day(8) == ("1917-10-27", "pm")
        small = printed("cividale")
        assert (small.scene.first_turn, small.scene.last_turn) == (7, 8)


class TestNumbers:
    """What the rules print."""

    @pytest.mark.parametrize(
        ("table", "key", "value"),
        [
            ("stacking", "most", 8), ("stacking", "high_mountain", 4), ("stacking", "guns", 2),
            ("command", "zone_blocks", 3), ("command", "independents", 8), ("command", "guns", 15),
            ("logistics", "formation", 1), ("logistics", "guns_each", 5), ("logistics", "reaction", 2),
            ("logistics", "interdiction_each", 5), ("logistics", "repair_each", 5), ("logistics", "centre", 5),
            ("supply", "off_road", 5), ("supply", "dp", 1), ("march", "uphill", 4), ("march", "leave_zone", 4),
            ("march", "forced_dp", 1), ("march", "strategic_distance", 3), ("march", "blizzard", 4),
            ("march", "blizzard_guns", 2), ("guns", "morale", 5), ("guns", "defensive_range", 6),
            ("guns", "defensive_least", 1), ("retreat", "cliff_dp", 2), ("retreat", "second_hex_dp", 1),
            ("reaction", "counter_assault", 2), ("trenches", "lowest_hex", 1), ("trenches", "lowest_hexside", 0),
            ("bridges", "reach", 2), ("bridges", "blown", 4), ("bridges", "approach", 3), ("recovery", "dp", 1),
            ("companies", "marker_cf", 1), ("companies", "marker_mg", 2), ("companies", "rommel", 4),
            ("companies", "rommel_mp", 4), ("companies", "flank_dp", 1), ("victory", "exit", 5),
            ("victory", "steps", 10), ("victory", "battalion", 2),
            ("victory", "company", 1), ("victory", "cavalry", 1), ("victory", "gun", 5),
            ("victory", "retaken", 2), ("victory", "halt", 2),
        ],
    )  # fmt: skip
    def test_number(self, table: str, key: str, value: int) -> None:
        assert HERE.tables.number(table, key) == value

    def test_fractions(self) -> None:
        part = HERE.tables.part
        assert (part("march", "forced"), part("march", "strategic")) == (Fraction(3, 2), Fraction(2, 1))
        assert part("guns", "defensive_part") == Fraction(1, 4)
        assert part("guns", "lost_by_dp") == part("command", "out_of_command_fire") == Fraction(1, 2)

    def test_what_guns_can_do(self) -> None:
        """12.1, 12.2.4, 18.2."""
        light, medium, heavy, bombarda = HERE.tables.guns
        assert (light.indirect, medium.indirect, heavy.indirect) == (Fraction(0, 1), Fraction(1, 2), Fraction(1, 1))
        assert [gun.defends for gun in HERE.tables.guns] == [True, True, False, False]
        assert [gun.breaks for gun in HERE.tables.guns] == [False, True, True, True]
        assert [gun.emplaced_dp for gun in HERE.tables.guns] == [0, 2, 4, 0]
        assert bombarda.indirect == heavy.indirect
        assert HERE.tables.boxes == (0, 5, 10, 15)
