"""21.5.3: assaults on the move through their seven steps."""

from __future__ import annotations

from random import Random

from caporetto_assaults import Table

from fronte.engine.decision import AUTO, Frame
from fronte.games.caporetto import assault, losses, on_the_move
from fronte.games.caporetto.aftermath import Remain
from fronte.games.caporetto.countering import Counter, Declared
from fronte.games.caporetto.falling_back import Halt, Retreat
from fronte.games.caporetto.on_the_move import Cover, NoCover
from fronte.games.caporetto.printed import SURRENDERED
from fronte.games.caporetto.state import put
from fronte.games.caporetto.terrain import ITALIAN
from fronte.hexes import bits, mask_of

MOVING = Frame("act", 0)
"""The decision on which it lies."""


def moving(*names: str, men: tuple[str, ...] = ("it-87-1",)) -> tuple[Table, list[int], list[int]]:
    """Units at 1 in the middle of the movement of their formation, and Italians in the middle."""
    table = Table()
    units, there = table.put(1, *names), table.put(0, *men)
    act(table, units)
    return table, units, there


def act(table: Table, units: list[int]) -> None:
    rules, state = table.rules, table.state
    state.formations = tuple(sorted({rules.formation_of[unit] for unit in units}))
    state.commanded = mask_of(unit for one in state.formations for unit in rules.formations[one].members)
    state.frames = [MOVING]
    state.step = "move"


def declare(table: Table, units: list[int], dice: tuple[int, ...] = ()) -> None:
    on_the_move.begin(table.rules, table.state, units, table.hexes[0], False, table.out)
    table.go(dice)


def hold(table: Table, dice: tuple[int, ...] = ()) -> None:
    """Nobody fires defensively."""
    assert table.asked == "defend"
    table.play(table.legal()[0], dice)


def test_its_steps_in_order_before_anybody_else_moves() -> None:
    """21.5.3: declaration, (no support,) defensive fire, assault, and no counter-assault where nobody can."""
    table, (unit,), (man,) = moving("de-leib-1")
    declare(table, [unit])
    assert table.state.mobile == 1 << unit and table.told("assault_declared")[0]["unit"] == "de-leib-1"
    assert table.asked == "defend" and table.top.seat == 1 and table.state.step == "mobile_defend"
    hold(table, (6,))
    assert table.asked == "retreat_to" and table.state.step == "mobile_assault"
    table.play(Retreat(("it-87-1",), table.rules.grid.ids[table.hexes[4]]))
    table.play(Halt())
    assert table.asked == "counter_moves" and table.top.seat == 1 and table.state.step == "mobile_counter_declare"
    table.play(Declared())
    assert table.state.frames == [MOVING] and table.state.step == "move"
    assert (table.at(unit), table.at(man)) == (0, 4)


def test_afterwards_its_units_are_activated_and_their_markers_gone() -> None:
    """21.5.3.e1: that it came from there is kept (12.3.5)."""
    table, (unit,), _ = moving("de-leib-1")
    declare(table, [unit])
    hold(table, (1,))
    table.play(Remain())
    state = table.state
    assert state.frames == [MOVING] and state.activated == 1 << unit
    assert state.assaults == () and state.mobile == 0
    assert state.launched[0] >> table.hexes[1] & 1
    assert not assault.acting(table.rules, state) >> unit & 1


def test_markers_that_wait_for_step_d_are_left_alone() -> None:
    """21.5.3: they are resolved in their time."""
    table, (unit, other), _ = moving("de-leib-1", "de-leib-2")
    assault.declare(table.rules, table.state, other, table.hexes[0], False, [])
    declare(table, [unit])
    hold(table, (1,))
    assert table.told("assault")[0]["wave"] == ("de-leib-1",)
    table.play(Remain())
    assert table.state.assaults == ((other, table.hexes[0], 0),) and not table.state.fought >> other & 1
    assert not table.state.activated >> other & 1
    table.step("assault_step", 0, dice=[1])
    assert [told["wave"] for told in table.told("assault")] == [("de-leib-1",), ("de-leib-2",)]


def test_it_ends_though_who_made_it_is_gone() -> None:
    """21.5.3, 12.2.10: the others' markers are not resolved in its place."""
    table, (unit, other), _ = moving("de-leib-1", "de-leib-2", men=("it-87-1", "it-87-2"))
    assault.declare(table.rules, table.state, other, table.hexes[0], False, [])
    on_the_move.begin(table.rules, table.state, [unit], table.hexes[0], False, table.out)
    losses.remove(table.rules, table.state, unit, SURRENDERED, "15.4", [])
    table.go()
    assert table.state.frames == [MOVING] and not table.told("assault") and table.state.mobile == 0
    assert table.state.assaults == ((other, table.hexes[0], 0),)


# M2


def test_neighbours_of_the_formation_may_support_one_from_each_hex() -> None:
    """21.5.3, 10.2.6, 10.2.6.e1: a bombardment without guns, before the defensive fire."""
    table, (unit,), _ = moving("de-leib-1")
    helpers = [*table.put(3, "de-leib-2", "de-leib-3"), *table.put(4, "de-23-1")]
    act(table, [unit])
    declare(table, [unit])
    assert table.asked == "cover" and table.top.seat == 0 and table.state.step == "mobile_support"
    assert table.legal() == [NoCover(), Cover(("de-leib-2",)), Cover(("de-leib-3",))]
    assert table.why(Cover(("de-leib-2", "de-leib-3"))) == table.why(Cover(())) == "10.2.6.e1"
    assert table.why(Cover(("de-23-1",))) == table.why(Cover(("it-87-1",))) == "10.2.6" and table.why(Cover(("x",)))
    rng = Random(4)
    drawn = {str(table.choice.sample(table.rules, table.state, table.top, rng)) for _ in range(40)}
    assert drawn == {str(action) for action in table.legal()}
    table.play(Cover(("de-leib-2",)), [1])
    assert [told["fire"] for told in table.told("fired")] == ["bombardment"]
    assert table.state.mobile == mask_of([unit, helpers[0]]) and table.asked == "defend"
    hold(table, (1,))
    table.play(Remain())
    assert table.state.activated == mask_of([unit, helpers[0]]) and table.state.supports == ()


def test_supporters_on_the_opposite_side_make_a_flank() -> None:
    """21.5.2."""
    table, (unit,), (man,) = moving("de-leib-1")
    table.put(4, "de-leib-2")
    act(table, [unit])
    declare(table, [unit])
    table.play(Cover(("de-leib-2",)), [1])
    before = table.state.dp[man]
    hold(table, (1,))
    assert table.told("assault") and table.state.dp[man] > before


# M5 to M7


def test_the_counter_assault_comes_at_once_and_only_against_it() -> None:
    """21.5.3, 12.4: who makes it is Activated, and who is driven out goes back."""
    table, (unit,), (man,) = moving("de-leib-1")
    (reserve,) = table.put(3, "it-88-1")
    declare(table, [unit])
    hold(table, (6,))
    table.play(Retreat(("it-87-1",), table.rules.grid.ids[table.hexes[4]]))
    table.play(Halt())
    table.play(Counter(("it-88-1",), table.rules.grid.ids[table.hexes[0]]))
    assert table.state.mobile == mask_of([unit, reserve]) and table.asked == "counter_moves"
    table.play(Declared())
    assert table.asked == "defend" and table.top.seat == 0 and table.state.step == "mobile_counter_defend"
    hold(table, (1,))
    if table.asked == "withdraw":
        table.play(Remain())
    state = table.state
    assert state.frames == [MOVING] and state.mobile == 0 and state.assaults == ()
    assert state.activated >> reserve & 1 and state.activated >> unit & 1 and not state.activated >> man & 1


def test_guns_that_are_left_are_captured_when_it_is_over() -> None:
    """12.3.5.3: after its counter-assault."""
    table, (unit,), (man,) = moving("de-leib-1")
    rules = table.rules
    gun = next(u for u in bits(rules.guns & rules.of_side[ITALIAN]) if not rules.groups >> u & 1)
    put(rules, table.state, gun, table.hexes[0])
    table.state.emplaced |= 1 << gun
    put(rules, table.state, man, -1)
    table.state.frames = [MOVING, Frame("mobile_over", AUTO, (table.hexes[0], 6))]
    table.state.mobile = 1 << unit
    put(rules, table.state, unit, table.hexes[0])
    table.go()
    assert table.state.at[gun] == SURRENDERED
    assert table.state.activated == 1 << unit


def test_a_trench_goes_down_once_though_two_steps_look_at_it() -> None:
    """17.5: after M7, and not again at the end of step G."""
    table = Table()
    ground = table.rules.ground
    h = next(h for h in bits(ground.trench[ITALIAN] & ground.extent) if ground.trench_level[h] == 2)
    table.hexes = (h, *table.rules.grid.neighbours[h])
    (unit,) = table.put(1, "de-leib-1")
    act(table, [unit])
    declare(table, [unit])
    assert table.state.lowered >> h & 1 and table.at(unit) == 0
    table.state.lowered = 0
    table.step("assault_step", 1)
    assert table.state.lowered == 0
