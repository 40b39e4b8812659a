"""5 and 6: reinforcements come in or wait, and logistic points come with the turn."""

from __future__ import annotations

import pytest
from caporetto_packs import game
from caporetto_turns import asked, kinds, leave_out_the_fighting, play, why_not

from fronte.engine import flow
from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import DUE
from fronte.games.caporetto.reinforcements import Arrive
from fronte.games.caporetto.state import State, begin, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits


@pytest.fixture(autouse=True)
def _no_fighting(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_out_the_fighting(monkeypatch)


def at_the_beginning(rules: Caporetto, turn: int) -> tuple[State, list[Event]]:
    """The first decision of a turn, with everybody where the game begins."""
    state = begin(rules, b"s")
    state.turn, state.phase = turn, "supply"
    state.frames = [Frame("next_phase", AUTO)]
    out: list[Event] = []
    flow.settle(rules, state, out)
    return state, out


def of_turn(rules: Caporetto, turn: int, side: int) -> list[int]:
    return [unit for unit in rules.reinforcements[turn] if rules.side[unit] == side]


def test_reinforcements_of_the_turn_come_in_where_the_card_says() -> None:
    """5.1: all at once; guns ready to move (18.1)."""
    rules = game("what_if")
    state, _ = at_the_beginning(rules, 5)
    side = AHG if asked(rules, state)[1] == "ahg" else ITALIAN
    due = [u for u in range(len(state.at)) if 0 < rules.arrives[u] <= 5 and rules.side[u] == side]
    out = play(rules, state, Arrive(rules.unit_ids(due)))
    assert [state.at[unit] for unit in due] == [rules.entry[unit] for unit in due]
    assert kinds(out).count("arrives") == len(due)
    assert all(state.arrived >> unit & 1 for unit in due)


def test_the_ahg_is_asked_first_and_nobody_without_arrivals() -> None:
    """4.0-1: who has nobody to place is not asked."""
    rules = game("historical")
    asked_for = []
    state, _ = at_the_beginning(rules, 5)
    while state.frames[-1].name == "arrivals":
        asked_for.append(asked(rules, state)[1])
        play(rules, state, Arrive())
    have = {rules.scene.forces[rules.force[u]] for u in range(len(rules.ids)) if 0 < rules.arrives[u] <= 5}
    assert asked_for == [force for force in ("ahg-left", "ahg-right", "italian-left", "italian-right") if force in have]
    state, _ = at_the_beginning(game("maggiore"), 8)
    assert state.frames[-1].name != "arrivals"


def test_who_is_delayed_may_come_in_a_later_turn() -> None:
    """5.2: without penalty."""
    rules = game("what_if")
    state, _ = at_the_beginning(rules, 5)
    force = asked(rules, state)[1]
    first, *rest = [
        u for u in range(len(state.at)) if 0 < rules.arrives[u] <= 5 and rules.scene.forces[rules.force[u]] == force
    ]
    out = play(rules, state, Arrive((rules.ids[first],)))
    assert state.at[first] == rules.entry[first]
    assert all(state.at[unit] == DUE for unit in rest)
    assert next(e for e in out if e.kind == "delayed").data["units"] == list(rules.unit_ids(rest))
    again, _ = at_the_beginning(rules, 6)
    play(rules, again, Arrive(rules.unit_ids(rest)))
    assert all(again.at[unit] == rules.entry[unit] for unit in rest)


def test_who_is_not_due_or_whose_hex_the_enemy_holds_stays_out() -> None:
    """5.1, 5.2: an enemy in the hex, or a zone of his that nobody annuls; with a friend there it is open."""
    rules = game("what_if")
    state, _ = at_the_beginning(rules, 5)
    force = asked(rules, state)[1]
    mine = [u for u in range(len(state.at)) if rules.arrives[u] and rules.scene.forces[rules.force[u]] == force]
    late = next(u for u in mine if rules.arrives[u] > 5)
    due = next(u for u in mine if rules.arrives[u] <= 5 and not rules.ground.towns >> rules.entry[u] & 1)
    assert why_not(rules, state, Arrive((rules.ids[late],))) == ("5.1", "not_due")
    there = next(u for u in bits(rules.combat & rules.of_side[rules.side[due]]) if state.at[u] >= 0)
    assert why_not(rules, state, Arrive((rules.ids[there],))) == ("5.1", "not_due")
    foe = next(u for u in bits(rules.zoc_makers & rules.of_side[1 - rules.side[due]]) if rules.quarters[u] == 4)
    assert why_not(rules, state, Arrive((rules.ids[foe],))) == ("24.1", "not_yours")
    home = state.at[foe]
    put(rules, state, foe, rules.entry[due])
    assert why_not(rules, state, Arrive((rules.ids[due],))) == ("5.2", "enemy_in_entry")
    for h in rules.grid.adjacent[rules.entry[due]]:
        put(rules, state, foe, h)
        if why_not_now(rules, state, due) == ("5.2", "zone_in_entry"):
            break
    else:
        raise AssertionError("no zone reaches the hex")
    mate = next(u for u in bits(rules.zoc_makers & rules.of_side[rules.side[due]]) if state.at[u] >= 0)
    put(rules, state, mate, rules.entry[due])
    play(rules, state, Arrive((rules.ids[due],)))
    assert home >= 0


def why_not_now(rules: Caporetto, state: State, unit: int) -> tuple[str, str]:
    frame = state.frames[-1]
    found = rules.choices["arrivals"].why_not(rules, state, frame, Arrive((rules.ids[unit],)))
    return (found.rule, found.key) if found else ("", "")


def test_they_may_come_into_a_hex_that_is_full() -> None:
    """5.1: placing violates stacking if it must."""
    rules = game("what_if")
    state, _ = at_the_beginning(rules, 5)
    force = asked(rules, state)[1]
    due = [u for u in range(len(state.at)) if 0 < rules.arrives[u] <= 5 and rules.scene.forces[rules.force[u]] == force]
    by_hex: dict[int, list[int]] = {}
    for unit in due:
        by_hex.setdefault(rules.entry[unit], []).append(unit)
    h, most = max(by_hex.items(), key=lambda pair: len(pair[1]))
    assert sum(rules.quarters[u] for u in most) > 8
    play(rules, state, Arrive(rules.unit_ids(most)))
    assert all(state.at[unit] == h for unit in most)


@pytest.mark.parametrize(("scenario", "turn", "points"), [("historical", 2, 2), ("what_if", 2, 5), ("what_if", 1, 0)])
def test_points_come_with_the_turn(scenario: str, turn: int, points: int) -> None:
    """6.0, 24.14, 25.14: from turn 2 on, for each Italian force."""
    rules = game(scenario)
    start = begin(rules, b"s").points
    state = begin(rules, b"s")
    state.turn, state.phase = turn, "supply"
    state.frames = [Frame("next_phase", AUTO)]
    out: list[Event] = []
    flow.settle(rules, state, out)
    for force, side in enumerate(rules.scene.force_side):
        assert state.points[force] == start[force] + (points if side == ITALIAN else 0)
    assert ("income" in kinds(out)) == bool(points)


def test_the_27th_brings_no_points() -> None:
    """26.5, 27.5: five, and no more."""
    rules = game("maggiore")
    state, out = at_the_beginning(rules, 8)
    assert state.points[ITALIAN] == 5
    assert "income" not in kinds(out)
