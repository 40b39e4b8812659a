"""The planner in Caporetto: fair, legal, the same for a seed, within its budget; it thinks about whole actions."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from caporetto_packs import game

from fronte.ai import check_player, player, players_of
from fronte.ai.caporetto.chart import chart_of
from fronte.ai.caporetto.places import TERMS, chance, worth_of
from fronte.ai.caporetto.planner import CHANGES, LAST, RATE, USUAL, ActionPlanner, Intent, policy_of, read_budget
from fronte.ai.caporetto.steady import Steady
from fronte.ai.caporetto.tune_value import SelfPlay, explained, fit, gather, write_worth
from fronte.ai.caporetto.value import value
from fronte.ai.caporetto.weights import STEADY
from fronte.ai.luck import Luck
from fronte.ai.playout import Playout
from fronte.ai.policy import PLANNED
from fronte.ai.reasons import tell
from fronte.engine.decision import Action
from fronte.engine.match import Match
from fronte.engine.seat import Seat
from fronte.games.caporetto.acting import Assault, Storm
from fronte.games.caporetto.actions import Pass
from fronte.games.caporetto.moving import Move
from fronte.games.caporetto.reactions import Decline


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
    assert players_of("caporetto") == ["random", "recruit", "steady", "raider", "stubborn", "planner"]
    check_player("planner:2s", "caporetto")
    assert (read_budget("2s").playouts, read_budget("2s").seconds) == (round(2 * RATE), 2.0)
    assert isinstance(player("planner:3p", "x", game="caporetto"), ActionPlanner)


@pytest.mark.costly
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


def test_a_playout_goes_on_after_an_assault_on_the_move() -> None:
    """As steady does at the table: who takes a hex on the move has not ended his action with it (21.5.3)."""
    stormed, after = 0, 0
    for kind, match in positions("cividale", each=12):
        policy = policy_of(match.rules)
        moves = [answer.action for answer in policy.plan(match.state, match.seat, USUAL)] if kind == "act" else []
        if not moves or not isinstance(moves[-1], Storm):
            continue
        usual = {seat: policy.usual(seat) for seat in (0, 1)}
        playout = Playout(policy, match.state.copy(), usual, Luck("on the move", 0))
        played: list[Action] = []
        act = playout.act
        playout.act = lambda action, act=act, played=played: (played.append(action), act(action))  # type: ignore[method-assign]
        playout.carry_out(moves, match.seat)
        stormed += 1
        rest = played[1 + max(n for n, action in enumerate(played) if action == moves[-1]) :]
        after += any(isinstance(action, Move | Storm) for action in rest)
    assert stormed >= 2
    assert after >= stormed / 2


def test_it_compares_plans_and_says_so_to_its_own_side() -> None:
    for match in asked("act"):
        hand = player("planner:6p", "x", game="caporetto")
        assert isinstance(hand, ActionPlanner)
        hand(seat_of(match))
        if hand.meter.total:  # else all intentions come to the same moves
            break
    assert 2 <= hand.meter.total <= 6
    assert (
        hand.why.key == "plan_moves"
        and hand.why.secret
        and hand.why.data["purpose"].data["intent"] in (*CHANGES, "aim", "elsewhere", "all", "drawn")
    )
    for language, word in (("en", "Compared"), ("it", "Confrontati")):
        assert tell(hand.why, match.rules.texts(language), "caporetto").startswith(word)


def test_an_action_has_plans_that_differ() -> None:
    """Other weights alone come to the same moves: an objective before all others, or nothing where steady begins."""
    numbers = []
    for kind, match in positions("cividale", each=4):
        if kind != "act":
            continue
        policy, state = policy_of(match.rules), match.state
        intents = list(islice(policy.intents(state, match.seat, Random(1)), policy.named))
        assert intents[0] == policy.usual(match.seat) != USUAL  # Cividale has weights of its own
        plans = [tuple(a.action for a in policy.plan(state, match.seat, one)) for one in intents]
        numbers.append(len({(moves, one.focus) for moves, one in zip(plans, intents, strict=True)}))
        for one, moves in zip(intents, plans, strict=True):
            targets = {move.target for move in moves if isinstance(move, Storm | Assault)}
            if one.name == "elsewhere":
                assert not any(one.spared >> match.rules.grid.index[target] & 1 for target in targets)
            if one.name == "march":
                assert not targets
    assert numbers and sum(numbers) / len(numbers) >= 3


def test_who_might_act_is_weighed_with_doing_nothing() -> None:
    for match in asked("react", "activate"):
        policy, seat = policy_of(match.rules), seat_of(match)
        listed = list(islice(seat.legal(), 64))
        others = policy.others(match.state, match.seat, listed)
        assert sum(isinstance(one, Pass | Decline) for one in others) == 1
        assert 1 <= len(others) <= 3 and all(one in listed for one in others)


def test_in_the_last_turn_no_loss_is_dear() -> None:
    match = next(asked("act"))
    policy, state = policy_of(match.rules), match.state.copy()

    def names() -> list[str]:
        return [one.name for one in islice(policy.intents(state, match.seat, Random(1)), 8)]

    assert "all" not in names() and "march" in names()
    assert policy.weights(state, USUAL) is None, "as steady has them"
    before = policy.edge(state)
    state.turn = match.rules.scene.last_turn
    assert "all" in names() and "march" not in names()
    weights = policy.weights(state, Intent("all", LAST))
    assert weights is not None and weights.caution < STEADY[policy.chart.sides[state.active]].caution / 2
    assert policy.edge(state) < before, "what is seen at once is believed sooner"


def made_up(seed: int) -> dict[str, Any]:
    """A game in which places fall to who comes in time, and nothing else matters."""
    rng, held, places = Random(seed), dict[str, int](), dict[str, list[float]]()
    for name in ("1010", "2020", "3030"):
        values = [rng.uniform(-1.5, 1.5) for _ in TERMS]
        values[0] = 1.0
        held[name] = int(rng.random() < chance(3.0 * values[TERMS.index("spare")]))
        places[name] = [0, *values]
    position = {"turn": 8, "phase": "action", "places": places}
    score, worth = sum(held.values()), dict.fromkeys(held, 1)
    return {"scenario": "made_up", "score": score, "held": held, "worth": worth, "positions": [position]}


def test_what_places_are_worth_is_learnt_from_games(tmp_path: Path) -> None:
    rows = [made_up(seed) for seed in range(500)]
    worth = fit(rows)
    assert worth.taken["spare"] == pytest.approx(3.0, abs=0.8)
    assert all(abs(worth.taken[name]) < 0.6 for name in TERMS if name != "spare")
    assert explained(rows, worth) > 0.3
    file = tmp_path / "value.toml"
    write_worth(file, "caporetto", worth)
    assert tomllib.loads(file.read_text(encoding="utf-8"))["made_up"]["taken"]["spare"] == worth.taken["spare"]


def test_self_play_tells_of_every_place_after_every_action() -> None:
    row = next(gather([SelfPlay("caporetto", "maggiore", 5)], 1, None))
    assert len(row["positions"]) > 10
    assert all(len(values) == 1 + len(TERMS) for one in row["positions"] for values in one["places"].values())
    assert row["score"] == sum(row["held"].values())


def test_places_of_the_short_scenarios_have_their_worth() -> None:
    for scenario in ("cividale", "maggiore"):
        match, worth = begin(scenario, 1), worth_of(scenario)
        names = {match.rules.grid.ids[h] for h in match.rules.scene.objectives}
        assert worth is not None and set(worth.places) == names and set(worth.taken) == set(worth.kept) == set(TERMS)
    assert worth_of("historical") is None


def test_it_says_why_in_both_languages() -> None:
    match = begin("maggiore", 1)
    policy = policy_of(match.rules)
    goal = next(iter(match.rules.scene.objectives))
    for name in (*CHANGES, "aim", "elsewhere", "all", "drawn"):
        why = policy.why_planned(Intent(name, {}, goal if name == "aim" else -1), 5, 16)
        told = [tell(why, match.rules.texts(language), "caporetto") for language in ("en", "it")]
        assert why.secret and told[0] != told[1]
        assert all("5" in words and "16" in words for words in told)


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
