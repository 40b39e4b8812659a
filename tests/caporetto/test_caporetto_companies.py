"""21.10.e3, 21.4.e3, 24.3.common: what is put in order between two actions."""

from __future__ import annotations

import pytest
from caporetto_places import deploy
from caporetto_play import legal, names, opened, play, ready, settle, why

from fronte.engine.decision import AUTO, Frame
from fronte.games.caporetto import actions, common_hexes, companies, flamethrowers, losses, sectors
from fronte.games.caporetto.actions import Pass
from fronte.games.caporetto.common_hexes import Go
from fronte.games.caporetto.companies import Absorb, Done, Hand
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.state import State, put
from fronte.games.caporetto.terrain import COMMON
from fronte.hexes import bits


def split(turn: int = 3) -> tuple[Caporetto, State, int, tuple[int, ...]]:
    """A German battalion and two companies that it has detached."""
    rules, state = ready("what_if")
    state.turn = turn
    unit = next(u for u in bits(rules.can_detach) if state.at[u] >= 0 and rules.full_steps[u] == 4)
    made = losses.detach(rules, state, unit, 2, [])
    return rules, state, unit, made


def test_before_the_first_action_a_battalion_may_take_back_companies() -> None:
    """21.10.e3: they may; who is whole takes nobody."""
    rules, state, unit, made = split()
    actions.begin(rules, state, [])
    settle(rules, state)
    assert state.frames[-1] == Frame("regroup", rules.scene.seat_of[0], (0,))
    name, ids = rules.ids[unit], rules.unit_ids(made)
    assert [one for one in legal(rules, state) if isinstance(one, Absorb)] == [
        Absorb(name, ids[:1]), Absorb(name, ids[1:]), Absorb(name, ids),
    ]  # fmt: skip
    state.dp[made[0]], state.dp[made[1]] = 1, 3
    twin = state.copy()
    play(rules, state, Absorb(name, ids))
    assert state.lost[unit] == 0 and state.dp[unit] == 1 and names(state)[-1] == "activate"
    play(rules, twin, Absorb(name, ids[:1]))
    assert names(twin)[-1] == "regroup"
    assert why(rules, twin, Absorb(name, ids[:1])) == "21.10.e3"  # it is gone
    play(rules, twin, Done())
    assert twin.lost[unit] == 1 and names(twin)[-1] == "activate"
    assert why(rules, twin, Absorb(name, ids[1:])) == ""  # between two actions as well
    play(rules, twin, Absorb(name, ids[1:]))
    assert twin.lost[unit] == 0 and names(twin)[-1] == "activate"


def test_a_battalion_cannot_take_more_points_than_it_bears() -> None:
    """21.10.e3, 15.4: companies of better troops may have them; far from the enemy it stays one below its morale."""
    rules, state, unit, _made = split()
    worn = next(u for u in bits(rules.can_detach) if state.at[u] >= 0 and rules.morale[u] > rules.morale[unit])
    (small,) = losses.detach(rules, state, worn, 1, [])
    put(rules, state, small, state.at[unit])
    state.dp[small] = rules.morale[unit]
    for enemy in [u for u in bits(rules.of_side[1] & rules.combat) if state.at[u] >= 0]:
        if rules.grid.distance(state.at[enemy], state.at[unit]) < 2:
            put(rules, state, enemy, -1)
    actions.begin(rules, state, [])
    settle(rules, state)
    play(rules, state, Absorb(rules.ids[unit], rules.unit_ids((small,))))
    assert state.dp[unit] == rules.morale[unit] - 1 and state.at[unit] >= 0


def test_after_every_action_it_is_asked_again_the_enemys_too() -> None:
    """21.10.e3."""
    rules, state, unit, made = split()
    formation = rules.formations_of_force[1][0]
    state.kind, state.formations, state.active = "action", (formation,), 1
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO), Frame("complete", AUTO)]
    settle(rules, state)
    assert state.frames[-1].name == "regroup" and state.frames[-1].seat == rules.scene.seat_of[0]
    other = next(u for u in bits(rules.can_detach) if u != unit and state.at[u] >= 0)
    assert why(rules, state, Absorb(rules.ids[other], rules.unit_ids(made))) == "21.10.e3"
    play(rules, state, Done())
    assert names(state)[-1] == "activate" and state.active == 1
    italian = rules.ids[next(bits(rules.of_side[1] & rules.combat))]
    assert why(rules, state, Absorb(italian, rules.unit_ids(made))) == "21.10.e3"


def test_flamethrowers_change_hands_once_a_turn() -> None:
    """21.4.e3: between two phases, to another unit of the formation in the hex."""
    rules, state = opened("what_if")
    one = next(u for u in bits(rules.flamethrowers) if state.at[u] >= 0 and rules.formation_of[u] >= 0)
    bearer = flamethrowers.bearer(state, one)
    mate = next(u for u in rules.formations[rules.formation_of[one]].members
                if u not in (bearer, one) and not rules.generic >> u & 1 and state.at[u] >= 0)  # fmt: skip
    put(rules, state, mate, state.at[one])
    hand = Hand(rules.ids[one], rules.ids[mate])
    assert hand in legal(rules, state)
    assert why(rules, state, Hand(rules.ids[one], rules.ids[bearer])) == "21.4.e3"
    assert why(rules, state, Hand(rules.ids[mate], rules.ids[bearer])) == "21.4"
    play(rules, state, hand)
    assert flamethrowers.bearer(state, one) == mate and names(state)[-1] == "activate"
    assert why(rules, state, Hand(rules.ids[one], rules.ids[bearer])) == "21.4.e3"


def test_italians_have_nothing_to_take_back() -> None:
    rules, state, unit, _made = split()
    assert companies.reduced(rules, state, 0) == [unit] and companies.reduced(rules, state, 1) == []
    state.dp[unit] = 0
    actions.begin(rules, state, [])
    settle(rules, state)
    play(rules, state, Done())
    play(rules, state, Pass())
    assert all(
        isinstance(one, actions.Activate | actions.Division | actions.Swap | Pass) for one in legal(rules, state)
    )


# 24.3.common


def in_common() -> tuple[Caporetto, State, int, int]:
    """An Italian battalion that combat has left in a hex of both sectors, with several ways home."""
    rules, state = opened("historical")
    unit = rules.number["it-87-1"]
    foes = state.occ[0] | state.guns[0]
    for h in bits(rules.ground.sector[COMMON] & ~foes):
        twin = state.copy()
        deploy(rules, twin, h, "it-87-1")
        if rules.begins[unit] != h and sectors.way_home(rules, twin, unit).bit_count() > 1:
            return rules, twin, unit, h
    raise AssertionError("there is no such hex")


def test_who_is_left_in_a_common_hex_is_taken_home() -> None:
    """24.3.common: at the end of the action, to the nearest hex; of several its owner chooses one."""
    rules, state, unit, h = in_common()
    found = sectors.way_home(rules, state, unit)
    assert unit in common_hexes.strays(rules, state)
    state.frames = [Frame("next_phase", AUTO), Frame("next_action", AUTO), Frame("go_home", AUTO)]
    settle(rules, state)
    assert state.frames[-1] == Frame("home", rules.scene.seat_of[rules.force[unit]], (unit,))
    assert legal(rules, state) == [Go(rules.grid.ids[one]) for one in bits(found)]
    assert why(rules, state, Go(rules.grid.ids[h])) == "24.3.common" and why(rules, state, Go("x")) == "2.1.e3"
    to = list(bits(found))[-1]
    out = play(rules, state, Go(rules.grid.ids[to]))
    assert state.at[unit] == to and "taken_home" in [e.kind for e in out]
    assert not common_hexes.strays(rules, state)


def test_who_begins_there_stays() -> None:
    """24.3.start."""
    rules, state = opened("historical")
    bound = [u for u, h in enumerate(rules.begins) if h >= 0 and rules.ground.sector[COMMON] >> h & 1]
    assert bound and not set(bound) & set(common_hexes.strays(rules, state))


@pytest.mark.parametrize("crowd", [False, True])
def test_too_many_in_a_hex_are_disorganised(crowd: bool) -> None:
    """24.3.common, 11.6, 15.4.3: all of them, and nobody surrenders."""
    rules, state, unit, _h = in_common()
    to = next(bits(sectors.way_home(rules, state, unit)))
    for other in state.stacks.get(to, ()):
        put(rules, state, other, -1)
    force = rules.force[unit]
    mates = [
        u
        for u in bits(rules.combat & rules.of_force[force])
        if rules.quarters[u] == 4 and rules.regiment[u] != rules.regiment[unit]
    ][:2]
    for mate in mates[: 2 if crowd else 1]:
        put(rules, state, mate, to)
        state.dp[mate] = rules.morale[mate] - 1
    out: list = []
    common_hexes.take_home(rules, state, unit, to, out)
    assert ("disorganised" in [e.kind for e in out]) == crowd
    assert state.dp[unit] == int(crowd) and state.at[mates[0]] == to
