"""The planner in Caporetto: fair, legal, the same for a seed, within its budget; it thinks about whole actions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from caporetto_packs import game

from fronte.ai import check_player, player, players_of
from fronte.ai.caporetto.chart import chart_of
from fronte.ai.caporetto.planner import CHANGES, RATE, ActionPlanner, policy_of, read_budget
from fronte.ai.caporetto.steady import Steady
from fronte.ai.caporetto.value import value
from fronte.ai.policy import PLANNED
from fronte.ai.reasons import tell
from fronte.engine.match import Match
from fronte.engine.seat import Seat


def begin(scenario: str, seed: int) -> Match:
    return Match.begin(game(scenario), seed.to_bytes(32, "big"))


@cache
def positions(scenario: str = "maggiore", seed: int = 3, each: int = 3) -> list[tuple[str, Match]]:
    """Decisions of a game of steady against itself, some of each kind; moves only where a plan begins."""
    match, found, seen = begin(scenario, seed), [], dict[str, int]()
    hands = [Steady(Random(f"{seed}/{seat}")) for seat in match.rules.seats]
    seats = [Seat(match, seat) for seat in match.rules.seats]
    before: object = None
    while match.seat >= 0:
        kind, stretch = match.state.frames[-1].name, policy_of(match.rules).stretch(match.state)
        if seen.get(kind, 0) < each and stretch != before:
            seen[kind] = seen.get(kind, 0) + 1
            found.append((kind, match.copy()))
        before = stretch if kind == "act" else None
        match.play(hands[match.seat](seats[match.seat]))
    return found


def asked(*kinds: str) -> Iterator[Match]:
    for kind, match in positions():
        if kind in kinds:
            yield match.copy()


def seat_of(match: Match) -> Seat:
    return Seat(match, match.rules.seats[match.seat])


def test_it_is_among_the_players_with_a_budget_of_its_own_pace() -> None:
    assert players_of("caporetto") == ["random", "recruit", "steady", "planner"]
    check_player("planner:2s", "caporetto")
    assert (read_budget("2s").playouts, read_budget("2s").seconds) == (round(2 * RATE), 2.0)
    assert isinstance(player("planner:3p", "x", game="caporetto"), ActionPlanner)


@pytest.mark.parametrize("kind", ["act", "move_others", "react", "activate"])
def test_what_it_answers_is_legal_and_the_same_for_a_seed(kind: str) -> None:
    tried = 0
    for match in asked(kind):
        answers = [player("planner:3p", "x", game="caporetto")(seat_of(match)) for _ in range(2)]
        assert answers[0] == answers[1]
        assert match.why_not(answers[0]) is None
        tried += 1
    assert tried


def test_nothing_hidden_changes_what_it_does() -> None:
    for kind in ("act", "react", "move_others"):
        match = next(asked(kind))
        answers = []
        for shuffled in (None, 1):
            twin = match.copy()
            if shuffled is not None:
                twin.state = twin.rules.shuffle_hidden(twin.state, twin.seat, Random(shuffled))
            answers.append(player("planner:3p", "fair", game="caporetto")(seat_of(twin)))
        assert answers[0] == answers[1], kind


def test_a_plan_covers_one_action() -> None:
    for match in asked("act"):
        policy, rng = policy_of(match.rules), Random(1)
        before, acting = policy.stretch(match.state), match.state.formations
        assert policy.way(match.state) == PLANNED
        while match.state.formations == acting and match.state.frames[-1].name != "react":
            assert policy.stretch(match.state) == before
            match.play(match.sample(rng))
        assert policy.stretch(match.state) != before


def test_it_compares_plans_and_says_so_to_its_own_side() -> None:
    for match in asked("act"):
        hand = player("planner:6p", "x", game="caporetto")
        assert isinstance(hand, ActionPlanner)
        hand(seat_of(match))
        if hand.meter.total:  # else all intentions come to the same moves
            break
    assert 2 <= hand.meter.total <= 6
    assert hand.why.key == "plan_moves" and hand.why.secret and hand.why.data["intent"] in (*CHANGES, "drawn")
    for language, word in (("en", "Compared"), ("it", "Confrontati")):
        assert tell(hand.why, match.rules.texts(language), "caporetto").startswith(word)


def test_the_clock_stops_it() -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += 0.4
        return now[0]

    match = next(asked("act"))
    hand = player("planner:2s", "x", clock=clock, game="caporetto")
    assert isinstance(hand, ActionPlanner)
    assert match.why_not(hand(seat_of(match))) is None
    assert hand.meter.total < 5


def test_a_position_is_worth_as_much_to_one_as_it_costs_the_other() -> None:
    for scenario in ("maggiore", "historical"):
        match = begin(scenario, 1)
        chart = chart_of(match.rules)
        assert value(chart, match.state, 0) == pytest.approx(-value(chart, match.state, 1))


def test_what_is_taken_and_what_bars_the_way_is_worth_something() -> None:
    match = begin("cividale", 1)
    chart, state = chart_of(match.rules), match.state.copy()
    before = value(chart, state, 0)
    goal = chart.rules.grid.index["2405"]
    bit = 1 << goal
    state.control = [state.control[0] | bit, state.control[1] & ~bit]
    assert value(chart, state, 0) > before, "an objective that is held is worth more than one in reach"
    state = match.state.copy()
    state.turn = 8
    assert value(chart, state, 0) < before, "with a turn less, less is in reach"
