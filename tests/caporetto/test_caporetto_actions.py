"""4.0-7, 7.9 to 7.11, 13, 24.2: who is next, what is activated, the steps of an action and its end."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_play import legal, names, opened, play, ready, settle, why

from fronte.engine.decision import AUTO, Action, Frame
from fronte.engine.event import Event
from fronte.games.caporetto import actions, assault, command
from fronte.games.caporetto.actions import Activate, Division, Pass, Swap
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import DISPLAY, SURRENDERED
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.state import NOBODY, NOT_PLANNED, State, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits

STEPS = [
    *("next_phase", "next_action", "react_step", "complete", "assault_step", "defend_step"),
    *("counter_step", "assault_step", "defend_step", "bombard_step", "act"),
]


def test_the_ahg_is_first_and_two_passes_end_it() -> None:
    """4.0-7, 4.0-8."""
    rules, state = opened()
    assert names(state) == ["next_phase", "next_action", "activate"]
    assert rules.scene.force_side[state.active] == AHG
    play_on = state.copy()
    assert [e.kind for e in play(rules, state, Pass())] == ["passed"]
    assert names(state)[-1] == "activate" and rules.scene.force_side[state.active] == ITALIAN
    frame = state.frames[-1]
    rules.choices["activate"].apply(rules, state, frame, Pass(), [])
    assert names(state) == ["next_phase"]
    # who passed may act again if the other acts
    play(rules, play_on, Pass())
    done(rules, play_on, acts(rules, play_on))
    assert play_on.passed == NOBODY and rules.scene.force_side[play_on.active] == ITALIAN
    play(rules, play_on, Pass())
    assert rules.scene.force_side[play_on.active] == AHG and names(play_on)[-1] == "activate"


def acts(rules: Caporetto, state: State) -> int:
    """The first formation of the force that is next."""
    first = next(one for one in legal(rules, state) if isinstance(one, Activate))
    return actions.find(rules, first.formation)


def done(rules: Caporetto, state: State, formation: int) -> None:
    """It has acted, and nobody reacts."""
    state.done |= 1 << formation
    state.passed = NOBODY
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO)]
    settle(rules, state)


def test_who_has_nothing_left_passes_without_being_asked() -> None:
    """4.0-8: all its formations have acted, which everybody sees. What was planned is secret: that is asked."""
    rules, state = ready()
    for formation in rules.formations_of_force[AHG_FORCE]:
        state.done |= 1 << formation
    actions.begin(rules, state, [])
    settle(rules, state)
    assert names(state)[-1] == "activate" and state.active == ITALIAN_FORCE
    rules, state = ready()
    for formation in rules.formations_of_force[ITALIAN_FORCE]:
        state.plan[formation] = NOT_PLANNED
    actions.begin(rules, state, [])
    settle(rules, state)
    play(rules, state, Pass())
    assert state.active == ITALIAN_FORCE and legal(rules, state) == [Pass()]


AHG_FORCE, ITALIAN_FORCE = 0, 1


def test_in_the_first_turn_italians_are_not_asked() -> None:
    """24.9.e2: everybody knows that they have planned nothing."""
    rules, state = ready("what_if")
    assert not rules.scene.opening.italians_planned
    actions.begin(rules, state, [])
    settle(rules, state)
    assert not actions.could_act(rules, state, ITALIAN_FORCE)
    frame = state.frames[-1]
    rules.choices["activate"].apply(rules, state, frame, Pass(), [])
    out = settle_steps(rules, state)
    assert "actions_over" in out and names(state) == ["next_phase"]
    state.turn = 2
    assert actions.could_act(rules, state, ITALIAN_FORCE)


def settle_steps(rules: Caporetto, state: State) -> list[str]:
    """Run next_action alone."""
    out: list[Event] = []
    frame = state.frames.pop()
    actions.next_action(rules, state, frame, out)
    return [event.kind for event in out]


def test_an_action_lies_on_the_stack_step_by_step() -> None:
    """4.0-7: on top what comes before; a reaction has no step I (14)."""
    rules, state = opened()
    formation = acts(rules, state)
    frame = state.frames.pop()
    assert frame.name == "activate"
    out: list[Event] = []
    twin = state.copy()
    actions.begin_action(rules, state, "action", (formation,), out)
    assert names(state)[: len(STEPS)] == STEPS
    assert [f.args for f in state.frames[len(STEPS) :]] == [(s, formation) for s in ("guns", "trace", "place")]
    assert [f.args for f in state.frames if f.name in ("assault_step", "defend_step")] == [(1,), (1,), (0,), (0,)]
    assert state.frames[len(STEPS) - 1].seat == rules.scene.seat_of[state.active]
    assert state.division[AHG_FORCE] == tuple(filter(None, [command.order_name(rules, formation)]))
    actions.begin_action(rules, twin, "reaction", (formation,), [])
    assert "react_step" not in names(twin) and twin.division[AHG_FORCE] == ()


@pytest.mark.parametrize(
    ("change", "rule"),
    [("", ""), ("done", "13.0"), ("plan", "7.4"), ("order", "7.9"), ("gone", "7.7"), ("lost", "7.6")],
)
def test_what_can_be_activated(change: str, rule: str) -> None:
    """7.4, 7.6, 7.7, 7.9, 13."""
    rules, state = opened()
    formation = next(
        n
        for n in rules.formations_of_force[AHG_FORCE]
        if command.order_name(rules, n) and command.can_act(rules, state, n)
    )
    one = rules.formations[formation]
    if change == "done":
        state.done |= 1 << formation
    elif change == "plan":
        state.plan[formation] = NOT_PLANNED
    elif change == "order":
        state.closed = ((AHG_FORCE, command.order_name(rules, formation)),)
    elif change == "gone":
        for unit in command.members(rules, state, formation):
            put(rules, state, unit, SURRENDERED)
    elif change == "lost":
        for unit in command.members(rules, state, formation):
            state.ooc |= 1 << unit
    assert why(rules, state, Activate(one.id)) == rule
    assert (Activate(one.id) in legal(rules, state)) == (not rule)


def test_what_is_not_there_or_not_ones_own_is_not_activated() -> None:
    rules, state = opened()
    assert why(rules, state, Activate("nobody")) == "2.2.3"
    italian = rules.formations[rules.formations_of_force[ITALIAN_FORCE][0]].id
    assert why(rules, state, Activate(italian)) == "4.0"


def test_a_division_acts_together() -> None:
    """7.10: all its formations that were planned, at least two."""
    rules, state = opened("what_if")
    found = [one for one in legal_fast(rules, state) if isinstance(one, Division)]
    assert found
    division = actions._find_division(rules, state, found[0].division)
    formations = actions.together(rules, state, division)
    assert len(formations) > 1
    state.plan[formations[0]] = NOT_PLANNED
    assert actions.together(rules, state, division) == (formations[1:] if len(formations) > 2 else ())
    state.plan[formations[0]] = 15
    out = play(rules, state, found[0])
    assert state.kind == "division" and state.formations == formations
    assert [e.data["formation"] for e in out if e.kind == "acts"] == [rules.formations[f].id for f in formations]
    asked = {frame.args[0] for frame in state.frames if frame.name in ("call_up", "place_hq")}
    assert names(state)[-1] in ("place_hq", "attach", "assign_guns", "act") and asked
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO), Frame("activate", 0)]
    for formation in formations[1:]:
        state.done |= 1 << formation
    assert why(rules, state, found[0]) == "7.10"
    assert why(rules, state, Division("none")) == "7.10"


def legal_fast(rules: Caporetto, state: State) -> list[Action]:
    """What is listed, not judged one by one."""
    frame = state.frames[-1]
    return rules.choices[frame.name].listed(rules, state, frame)


def test_one_in_front_and_one_behind_change_places() -> None:
    """7.11: who is in front has a unit next to an enemy or in his zone; who is behind has none next to one."""
    rules, state = opened("what_if")
    swaps = [one for one in legal_fast(rules, state) if isinstance(one, Swap)]
    foes = state.occ[ITALIAN] | state.guns[ITALIAN]
    near = rules.ground.around(foes)
    able = [n for n in rules.formations_of_force[AHG_FORCE] if command.can_act(rules, state, n)]
    touching = [n for n in able if any(near >> state.at[u] & 1 for u in command.members(rules, state, n))]
    behind = [n for n in able if n not in touching]
    for front in touching[:3]:
        for rear in touching[:3]:
            assert why(rules, state, Swap(rules.formations[front].id, rules.formations[rear].id)) == "7.11"
    swap = Swap(rules.formations[touching[0]].id, rules.formations[behind[0]].id)
    assert swap in swaps
    assert Swap(swap.rear, swap.front) not in swaps
    play(rules, state, swap)
    assert state.kind == "swap" and state.formations == (touching[0], behind[0])


def test_by_option_only_formations_of_one_division_change_places() -> None:
    """`swap_same_division`."""
    rules, state = opened("what_if", swap_same_division=True)
    swaps = [one for one in legal_fast(rules, state) if isinstance(one, Swap)]
    for swap in swaps:
        divisions = {rules.formations[actions.find(rules, name)].division for name in (swap.front, swap.rear)}
        assert len(divisions) == 1 and NO_ONE not in divisions
    rules, state = opened("what_if")
    assert len([one for one in legal_fast(rules, state) if isinstance(one, Swap)]) > len(swaps)


def test_divisions_that_change_places_are_both_the_current_one() -> None:
    """7.9, 7.11 (ours): whichever goes on closes the other."""
    rules, state = opened("what_if")
    found: dict[int, int] = {}
    for formation in rules.formations_of_force[AHG_FORCE]:
        found.setdefault(rules.formations[formation].division, formation)
    one, two, three = [formation for division, formation in found.items() if division != NO_ONE][:3]
    command.note_order(rules, state, one, two)
    assert command.keeps_order(rules, state, one) and command.keeps_order(rules, state, two)
    twin = state.copy()
    command.note_order(rules, twin, one)
    assert command.keeps_order(rules, twin, one) and not command.keeps_order(rules, twin, two)
    command.note_order(rules, state, three)
    assert not command.keeps_order(rules, state, one) and not command.keeps_order(rules, state, two)


# The end of an action


def test_when_an_action_is_over_everybody_of_it_is_activated() -> None:
    """13, 18.3, 12.1.5.S: the headquarters goes back, guns beside enemies are captured, nothing is left of it."""
    rules, state = opened()
    formation = acts(rules, state)
    one = rules.formations[formation]
    first, second = command.members(rules, state, formation)[:2]
    state.kind, state.formations = "action", (formation,)
    state.commanded, state.ooc = 1 << first | 1 << second, 1 << second
    state.at[one.hq] = state.at[first]
    gun = next(g for g in bits(rules.guns & rules.of_side[ITALIAN] & ~rules.groups) if state.at[g] >= 0)
    target = next(
        h for h in rules.grid.adjacent[state.at[gun]] if rules.ground.extent >> h & 1 and h not in state.stacks
    )
    put(rules, state, gun, target)
    put(rules, state, first, target)
    state.assaults, state.fallen, state.reach = ((second, target, 0),), (target,), 1 << target
    state.pool, state.attached, state.attachments = ((formation, 0),), 0, ((formation, 0),)
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO), Frame("complete", AUTO)]
    out = settle(rules, state)
    assert state.at[gun] == SURRENDERED and state.at[one.hq] == DISPLAY
    assert state.activated == 1 << first | 1 << second and state.done == 1 << formation
    assert (state.kind, state.formations, state.assaults, state.fallen) == ("", (), (), ())
    assert not (state.reach or state.commanded or state.pool or state.attachments)
    assert [e.kind for e in out] == ["surrendered", "action_over"]
    assert names(state)[-1] == "activate" and state.active == AHG_FORCE
    assert not assault.acting(rules, state)
    assert why(rules, state, Activate(one.id)) == "13.0"


def test_after_a_reaction_the_other_side_goes_on() -> None:
    """14.0.end."""
    rules, state = opened()
    state.kind, state.formations, state.active = "reaction", (rules.formations_of_force[ITALIAN_FORCE][0],), 1
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO), Frame("complete", AUTO)]
    settle(rules, state)
    assert state.active == AHG_FORCE and names(state)[-1] == "activate"


# 24.2: sectors


@pytest.mark.parametrize(("die", "first"), [(3, "left"), (4, "right")])
def test_a_die_draws_the_first_sector(die: int, first: str) -> None:
    """24.2, 24.1: in it its wing of the AHG and the Italians opposite."""
    rules, state = ready("historical")
    actions.begin(rules, state, [])
    assert names(state) == ["next_phase", "sector_die"]
    out = settle(rules, state, die)
    assert state.sector == first == state.drawn and len(state.order) == 1
    assert "sector_drawn" in [e.kind for e in out]
    ahg, italian = actions.forces_here(rules, state)
    assert rules.scene.forces[ahg] == f"ahg-{first}" and state.active == ahg
    assert rules.scene.forces[italian] == f"italian-{'right' if first == 'left' else 'left'}"
    assert all(rules.formations[actions.find(rules, one.formation)].force == ahg for one in legal_fast(rules, state)
               if isinstance(one, Activate))  # fmt: skip


def test_then_the_other_sector_is_played() -> None:
    """24.2: when both have passed. In turn 1 Italians have nothing to activate (24.9.e2)."""
    rules, state = ready("historical")
    state.turn = 2
    actions.begin(rules, state, [])
    settle(rules, state, 1)
    seats = [state.frames[-1].seat]
    play(rules, state, Pass())
    seats.append(state.frames[-1].seat)
    play(rules, state, Pass())
    assert state.sector == "right" and state.order == ()
    seats.append(state.frames[-1].seat)
    play(rules, state, Pass())
    seats.append(state.frames[-1].seat)
    assert seats == [0, 1, 1, 0]
    frame = state.frames[-1]
    rules.choices["activate"].apply(rules, state, frame, Pass(), [])
    assert names(state) == ["next_phase"] and state.sector == ""


@pytest.mark.parametrize(("option", "second"), [("each-turn", None), ("once", "left"), ("alternate", "right")])
def test_how_often_it_is_drawn_is_an_option(option: str, second: str | None) -> None:
    """`sector_draw`."""
    rules, state = ready("historical", sector_draw=option)
    actions.begin(rules, state, [])
    settle(rules, state, 2)
    state.frames = [Frame("next_phase", AUTO)]
    actions.begin(rules, state, [])
    if second is None:
        assert names(state)[-1] == "sector_die"
    else:
        settle(rules, state)
        assert state.sector == second and names(state)[-1] == "activate"


@pytest.mark.parametrize("scenario", ["maggiore", "cividale", "what_if"])
def test_random_answers_are_legal(scenario: str) -> None:
    rules, state = opened(scenario)
    frame, rng = state.frames[-1], Random(1)
    for _ in range(30):
        action = rules.choices["activate"].sample(rules, state, frame, rng)
        assert why(rules, state, action) == "", action
