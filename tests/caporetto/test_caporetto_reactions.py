"""14: who may try to react, at what price, what the die does, and what comes after."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_play import legal, names, opened, play, settle, why

from fronte.engine.decision import AUTO, Frame
from fronte.games.caporetto import actions, artillery, command, reactions
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.headquarters import Hq
from fronte.games.caporetto.printed import DISPLAY
from fronte.games.caporetto.reactions import Decline, React
from fronte.games.caporetto.state import NOT_PLANNED, State
from fronte.hexes import bits

ITALIANS = 1


def asked(scenario: str = "what_if", turn: int = 3, **options: str | bool) -> tuple[Caporetto, State]:
    """The AHG has just acted, and nothing of the Italians was planned."""
    rules, state = opened(scenario, **options)
    state.turn = turn
    for formation in rules.formations_of_force[ITALIANS]:
        state.plan[formation] = NOT_PLANNED
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO), Frame("react_step", AUTO)]
    settle(rules, state)
    return rules, state


def gunned(rules: Caporetto, state: State) -> int:
    """An Italian formation that guns could serve, with an Initiative Value of up to five."""
    return next(
        n
        for n in rules.formations_of_force[ITALIANS]
        if command.can_act(rules, state, n)
        and artillery.serving(rules, state, n)
        and rules.formations[n].initiative <= 5
    )


def test_the_other_side_may_decline() -> None:
    """14: and then it is again the turn of who acted."""
    rules, state = asked()
    assert state.frames[-1].name == "react" and state.frames[-1].seat == rules.scene.seat_of[ITALIANS]
    assert state.step == "react"
    play(rules, state, Decline())
    assert names(state)[-1] == "activate" and state.active == 0


def test_an_unplanned_formation_pays_twice_and_has_few_guns() -> None:
    """14.0.lp2, with the printed prices: 2 without guns, 4 with up to five; no more than the Initiative Value."""
    rules, state = asked()
    formation = gunned(rules, state)
    one = rules.formations[formation]
    most = one.initiative
    state.points[ITALIANS] = 4
    assert reactions.shares(rules, state, formation) == [0, most]
    assert why(rules, state, React(one.id)) == "" and why(rules, state, React(one.id, most)) == ""
    assert why(rules, state, React(one.id, most + 1)) == "14.0.lp2"
    state.points[ITALIANS] = 3
    assert why(rules, state, React(one.id, most)) == "14.0.lp2" and why(rules, state, React(one.id)) == ""
    state.points[ITALIANS] = 1
    assert why(rules, state, React(one.id)) == "14.0.lp3"
    assert legal(rules, state) == [Decline()]  # asked all the same: how many points there are is secret
    state.plan[formation] = 0  # 14.0.lp1: what was planned has been paid
    assert why(rules, state, React(one.id)) == "" and why(rules, state, React(one.id, most)) == "14.0.lp2"


def attempt(rules: Caporetto, state: State, formation: int, guns: int, die: int) -> list[str]:
    play(rules, state, React(rules.formations[formation].id, guns))
    assert state.frames[-1].name == "place_hq" and state.active == ITALIANS
    h = next(bits(command.hq_hexes(rules, state, formation)))
    return [e.kind for e in play(rules, state, Hq(rules.grid.ids[h]), die)]


@pytest.mark.parametrize("timing", ["on-success", "on-attempt"])
@pytest.mark.parametrize("more", [0, 1])
def test_up_to_the_initiative_value_it_acts(timing: str, more: int) -> None:
    """14, 14.0.fail, `reaction_lp_timing`: else the headquarters goes back, and it may try another time."""
    rules, state = asked(reaction_lp_timing=timing)
    formation = gunned(rules, state)
    one = rules.formations[formation]
    state.points[ITALIANS] = 10
    kinds = attempt(rules, state, formation, one.initiative, one.initiative + more)
    paid = 10 - state.points[ITALIANS]
    if more:
        assert "does_not_react" in kinds and paid == (4 if timing == "on-attempt" else 0)
        assert state.at[one.hq] == DISPLAY and names(state)[-1] == "activate" and state.active == 0
        assert not state.done >> formation & 1 and state.plan[formation] == NOT_PLANNED
        assert reactions.why_not_react(rules, state, ITALIANS, one.id, 0) is None
    else:
        assert "reacts" in kinds and paid == 4
        assert state.kind == "reaction" and state.formations == (formation,) and state.active == ITALIANS
        assert "react_step" not in names(state) and state.at[one.hq] >= 0
        assert command.most_guns(rules, state, formation) == one.initiative
        while state.frames[-1].name != "act":
            frame = state.frames[-1]
            play(rules, state, rules.choices[frame.name].sample(rules, state, frame, Random(1)))
        assert sum(guns.bit_count() for _, guns in state.pool) <= one.initiative


def test_what_it_costs_is_told_to_who_pays() -> None:
    """6.0.e1, `lp_visibility`."""
    for visibility, seats in (("hidden", 1 << 1), ("open", -1)):
        rules, state = asked(lp_visibility=visibility)
        formation = gunned(rules, state)
        state.points[ITALIANS] = 10
        play(rules, state, React(rules.formations[formation].id))
        h = next(bits(command.hq_hexes(rules, state, formation)))
        out = play(rules, state, Hq(rules.grid.ids[h]), 1)
        assert [e.seats for e in out if e.kind == "paid"] == [seats]


def test_reactions_of_the_ahg_are_free() -> None:
    """14.0.ahg."""
    rules, state = opened("what_if")
    state.active = ITALIANS
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO), Frame("react_step", AUTO)]
    settle(rules, state)
    assert state.frames[-1].seat == 0
    formation = next(n for n in rules.formations_of_force[0] if command.can_act(rules, state, n))
    state.plan[formation] = NOT_PLANNED
    assert reactions.shares(rules, state, formation) == [0]
    assert why(rules, state, React(rules.formations[formation].id)) == ""
    assert command.most_guns(rules, state, formation, reacts=True) == rules.most_assigned


def test_who_has_acted_or_is_of_another_force_does_not_react() -> None:
    """13, 14; 7.9.e1: the order of divisions plays no part."""
    rules, state = asked()
    state.points[ITALIANS] = 10
    formation = gunned(rules, state)
    one = rules.formations[formation]
    state.closed = ((ITALIANS, command.order_name(rules, formation) or "x"),)
    assert why(rules, state, React(one.id)) == ""
    before = state.copy()
    state.done |= 1 << formation
    assert why(rules, state, React(one.id)) == "13.0"
    assert why(rules, state, React(rules.formations[rules.formations_of_force[0][0]].id)) == "14.0"
    assert why(rules, state, React("nobody")) == "2.2.3"
    for each in rules.formations_of_force[ITALIANS]:
        state.done |= 1 << each
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO), Frame("react_step", AUTO)]
    settle(rules, state)
    assert names(state)[-1] == "activate"  # nobody could react, which everybody sees
    attempt(rules, before, formation, 0, 1)
    assert before.division[ITALIANS] == ()


def test_in_turn_1_of_the_campaign_only_who_was_assaulted_reacts_and_in_this_sector() -> None:
    """24.9.e2, 24.4."""
    rules, state = opened("historical")
    for number, one in enumerate(rules.formations):
        if one.side:
            state.plan[number] = NOT_PLANNED
    ahg, italian = actions.forces_here(rules, state)
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO), Frame("react_step", AUTO)]
    twin = state.copy()
    settle(rules, state)
    assert names(state)[-1] == "activate"
    formation = next(n for n in rules.formations_of_force[italian] if command.can_act(rules, twin, n))
    twin.assaulted = 1 << formation
    settle(rules, twin)
    assert twin.frames[-1].name == "react" and twin.frames[-1].seat == rules.scene.seat_of[italian]
    found = {one.formation for one in legal(rules, twin) if isinstance(one, React)}
    assert found == {rules.formations[formation].id}
    other = next(n for n in rules.formations_of_force[italian] if n != formation and command.can_act(rules, twin, n))
    assert why(rules, twin, React(rules.formations[other].id)) == "24.9.e2"
    elsewhere = next(f for f in range(4) if f not in (ahg, italian) and rules.scene.force_side[f])
    stranger = rules.formations[rules.formations_of_force[elsewhere][0]].id
    assert why(rules, twin, React(stranger)) == "14.0"


def test_random_answers_are_legal() -> None:
    rules, state = asked()
    frame, rng = state.frames[-1], Random(4)
    drawn = {type(rules.choices["react"].sample(rules, state, frame, rng)) for _ in range(200)}
    assert drawn == {React, Decline}
    for _ in range(100):
        assert why(rules, state, rules.choices["react"].sample(rules, state, frame, rng)) == ""


def test_the_header_names_who_reacts_and_not_who_has_acted() -> None:
    """4.0-7.I: while it is decided nobody acts; whose headquarters is placed is named."""
    rules, state = asked()
    assert [rules.view(state, seat).stage.activation for seat in (0, 1)] == ["", ""]
    formation = next(n for n in command.able_to_react(rules, state, ITALIANS))
    name = rules.formations[formation].id
    play(rules, state, React(name, 0))
    assert names(state)[-1] == "place_hq"
    assert [rules.view(state, seat).stage.activation for seat in (0, 1)] == [name, name]
    assert rules.public_view(state).stage.active == rules.seats[1]
