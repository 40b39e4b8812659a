"""Garrisons: steady of Altipiani asks how likely a town survives the enemy's next turn, and sends several together."""

from __future__ import annotations

import pytest
from test_steady import rules_of

import fronte
from fronte.ai.inferno.garrisons import Garrisons
from fronte.ai.inferno.guards import Sentry
from fronte.ai.inferno.steady.danger import Danger
from fronte.ai.inferno.steady.games import chart
from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.holding import Holding
from fronte.ai.inferno.steady.weights import FIRST, weights_of
from fronte.engine.match import Match
from fronte.games.inferno.counters import AH
from fronte.games.inferno.state import State, place
from fronte.hexes import bits, mask_of

ASIAGO = "3111"
BESIDE = ("3011", "3112")
ITALIANS = ("it-ivrea", "it-salerno", "it-lambro", "it-campania")


@pytest.fixture
def match() -> Match:
    return fronte.new("altipiani", seed=1)


def asiago(match: Match, *garrison: str) -> tuple[Picture, int]:
    """These units in Asiago, with four Italian brigades around and no other Italian or Austro-Hungarian near."""
    rules = rules_of(match)
    state: State = match.state.copy()
    here = rules.grid_index[ASIAGO]
    for h in bits(rules.grid.within(here, 9) & (state.occ[0] | state.occ[1])):
        for unit in list(state.stacks[h]):
            place(rules, state, unit, -1)
    for number, name in enumerate(ITALIANS):
        place(rules, state, rules.number[name], rules.grid_index[("2911", "3113", "3213", "3311")[number]])
    for name in garrison:
        place(rules, state, rules.number[name], here)
    state.held &= ~(1 << here)
    state.turn = 6
    return Picture(chart(rules), state, AH), here


def chance(match: Match, *garrison: str, beside: int = 0) -> float:
    seen, here = asiago(match, *garrison)
    return Holding(seen, Danger(seen)).chance(here, seen.state.stacks[here], 1 << here | beside)


def test_a_town_survives_the_likelier_the_more_are_in_it(match: Match) -> None:
    found = [chance(match, *("ah-5inf", "ah-15inf", "ah-20inf")[:count]) for count in range(4)]
    assert found[0] == 0.0 and found == sorted(found) and found[3] > 0.5


def test_friends_beside_it_keep_it_from_being_flanked(match: Match) -> None:
    beside = mask_of(rules_of(match).grid_index[name] for name in BESIDE)
    alone, backed = (chance(match, "ah-5inf", "ah-15inf", beside=friends) for friends in (0, beside))
    assert backed > alone


def test_several_go_to_a_town_together(match: Match) -> None:
    """One brigade in Asiago draws others from two hexes behind it; to who has the weights of before it does not."""
    seen, here = asiago(match, "ah-5inf")
    rules, state = rules_of(match), seen.state
    for name, h in (("ah-15inf", "3109"), ("ah-20inf", "3009"), ("ah-21inf", "3209")):
        place(rules, state, rules.number[name], rules.grid_index[h])
    campaign = Sentry(Picture(chart(rules), state, AH), weights_of("altipiani")[AH])
    campaign.ready = campaign.at_the_front()
    told = Garrisons(campaign).post_all()
    assert len(told) >= 3 and sum(state.at[unit] == here for unit in told) >= 2


def test_those_who_are_kept_and_isonzo_do_not_ask() -> None:
    tables = [*weights_of("isonzo").values(), *weights_of("altipiani", file=FIRST).values()]
    assert all(weights.keep == 0.0 for weights in tables)
    assert weights_of("altipiani")[AH].keep > 0
