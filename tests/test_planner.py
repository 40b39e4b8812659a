"""The planner: fair, legal, the same for a seed, within its budget, and thinking more when it may."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest

import fronte
from fronte.ai import Player, Seat, check_player, offered, player, players_of, read_spec
from fronte.ai.budget import RATE, Budget, Meter, read_budget
from fronte.ai.inferno.intents import CHANGES, DRAWN, contested, intents, plan, raiding
from fronte.ai.inferno.planner import (
    COMPARED,
    DOUBT,
    QUICKER,
    InfernoPolicy,
    LinePolicy,
    first_policy_of,
    line_policy_of,
    policy_of,
)
from fronte.ai.inferno.raids import Raid
from fronte.ai.inferno.steady import Steady, policy
from fronte.ai.inferno.steady.weights import FIRST, unthinking_of, usual, weights_of
from fronte.ai.inferno.value import TERMS, terms, value
from fronte.ai.luck import STRATA, Luck
from fronte.ai.planner import Plan, Planner, Thought, distinct, spread
from fronte.ai.playout import Playout
from fronte.ai.reasons import Reason, tell
from fronte.ai.search import best_of
from fronte.engine.match import Match
from fronte.engine.rules import Result
from fronte.games.inferno.rules import Inferno
from fronte.games.registry import FAMILIES

GAMES = [game for game, family in FAMILIES.items() if family == "inferno" and "planner" in players_of(game)]


def sit(match: Match, specs: tuple[str, str], seed: int) -> list[tuple[Player, Seat]]:
    """Players at the table."""
    seats = match.rules.seats
    return [(player(spec, f"{seed} {seat}"), Seat(match, seat)) for spec, seat in zip(specs, seats, strict=True)]


def play(match: Match, hands: list[tuple[Player, Seat]], until: int = 99) -> Match:
    """A game to its end, or to the beginning of a turn."""
    while match.seat >= 0 and match.state.turn < until:
        decide, seat = hands[match.seat]
        match.play(decide(seat))
    return match


def positions(
    game: str, kinds: tuple[str, ...], each: int, seed: int = 3, first: bool = False
) -> Iterator[tuple[str, Match]]:
    """Decisions of these kinds from a game of steady against itself, some of each; of steady as it was at first."""
    match = fronte.new(game, seed=seed)
    hands = sit(match, ("steady", "steady"), seed)
    if first:
        hands = [(Steady(Random(f"{seed} {s.name}"), weights_of(game, file=FIRST)), s) for _, s in hands]
    left = dict.fromkeys(kinds, each)
    while match.seat >= 0 and any(left.values()):
        kind = match.state.frames[-1].name
        # the first turns have little to hide, and every move of a phase follows from the first
        if match.state.turn >= 2 and left.get(kind) and match.state.mover < 0:
            left[kind] -= 1
            yield kind, match
        decide, seat = hands[match.seat]
        match.play(decide(seat))


# The budget


def test_budgets_are_read() -> None:
    assert read_budget("200p") == Budget(200, None)
    assert read_budget("2s") == Budget(round(2 * RATE), 2.0)
    assert read_budget("0.01s").playouts == 1


@pytest.mark.parametrize("text", ["", "2", "s", "-1s", "0s", "0p", "1.5p", "2m", "1e3s", "99999s"])
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no budget"):
        read_budget(text)


def test_players_are_named_by_specs() -> None:
    assert read_spec("planner:2s") == ("planner", "2s")
    assert read_spec("steady") == ("steady", "")
    for spec, why in (("nobody", "no player"), ("steady:2s", "takes no budget"), ("planner:x", "no budget")):
        with pytest.raises(ValueError, match=why):
            read_spec(spec)
    check_player("planner:5s", "isonzo")
    planner = player("planner:7p", "x")
    assert isinstance(planner, Planner)
    assert planner.meter.budget == Budget(7)


class Clock:
    """A clock that goes on by itself each time somebody looks."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_a_meter_stops_at_its_share_and_refills_with_the_phase() -> None:
    meter = Meter(Budget(10), Clock(1.0))
    meter.begin("movement", 0.4)
    while not meter.empty:
        meter.count()
    assert (meter.done, meter.left) == (4, 6)
    meter.end()
    meter.begin("movement", 1.0)
    assert meter.share == 6
    meter.begin("combat", 1.0)
    assert meter.share == 10


def test_the_clock_stops_what_runs_late() -> None:
    meter = Meter(Budget(1000, 2.0), Clock(0.1))
    meter.begin("movement", 1.0)
    while not meter.empty:
        meter.count()
    assert meter.done < 20
    assert meter.late


def test_what_was_prepared_is_no_playout() -> None:
    clock = Clock(0.01)
    meter = Meter(Budget(1000, 2.0), clock)
    meter.begin("movement", 1.0)
    clock.now += 1.0  # plans are made
    best_of("ab", lambda c, k: 0.0, meter)
    assert clock.now > 1.9


# The search


def test_the_best_is_found_among_noise() -> None:
    rng = Random(5)
    meter = Meter(Budget(400), Clock(0.0))
    meter.begin("x", 1.0)
    ranked = best_of(range(8), lambda c, k: (1.0 if c == 5 else 0.0) + rng.gauss(0, 1), meter)
    assert ranked[0].candidate == 5
    assert meter.done <= 400
    assert ranked[0].tries > ranked[-1].tries


def test_who_doubts_keeps_to_the_first_unless_another_is_better_for_sure() -> None:
    def chosen(gains: list[float], doubt: float, edge: float = 0.0) -> int:
        """Which of two is taken if the second is better by so much in one trial after the other."""
        meter = Meter(Budget(2 * len(gains)), Clock(0.0))
        meter.begin("x", 1.0)
        return best_of(range(2), lambda c, k: gains[k] if c else 0.0, meter, doubt, edge)[0].candidate

    unsure, sure = [3.0, -2.0, 2.0, -1.0], [0.5, 0.4, 0.6, 0.5]
    assert (chosen(unsure, 0.0), chosen(unsure, 1.0)) == (1, 0)
    assert (chosen(sure, 0.0), chosen(sure, 1.0)) == (1, 1)
    assert (chosen(sure, 1.0, 0.3), chosen(sure, 1.0, 0.6)) == (1, 0), "and it has to be worth while"
    assert chosen([0.5], 1.0) == 0, "once is not enough to be sure"


def test_who_doubts_tries_the_first_as_often_as_the_best() -> None:
    meter = Meter(Budget(40), Clock(0.0))
    meter.begin("x", 1.0)
    ranked = best_of(range(8), lambda c, k: float(c), meter, 1.0)
    tries = {trial.candidate: trial.tries for trial in ranked}
    assert ranked[0].candidate == 7
    assert tries[0] >= tries[7] > tries[1]


def test_without_a_budget_the_first_candidate_is_taken() -> None:
    meter = Meter(Budget(1), Clock(0.0))
    meter.begin("x", 0.0)
    assert best_of("abc", lambda c, k: float(ord(c)), meter)[0].candidate == "a"
    assert meter.done == 0


def test_answers_are_spread_over_the_list() -> None:
    actions: list[int] = list(range(30))
    assert spread(actions, 4) == [0, 10, 19, 29]  # type: ignore[arg-type, comparison-overlap]
    assert spread(actions[:3], 4) == [0, 1, 2]  # type: ignore[arg-type, comparison-overlap]


def test_dice_fall_by_what_they_are_thrown_for() -> None:
    one, other = Luck("s", 3), Luck("s", 3)
    other.throw(3, "another attack")
    assert one.throw(3, "an attack") == other.throw(3, "an attack")
    again = [one.throw(3, "an attack") for _ in range(20)]
    assert len(set(again)) > 5 and all(1 <= die <= 6 for dice in again for die in dice)


def test_successive_playouts_share_out_good_and_bad_luck() -> None:
    thrown = [Luck("s", number).throw(3, "an attack") for number in range(2 * STRATA)]
    for block in (thrown[:STRATA], thrown[STRATA:]):
        assert abs(sum(a + b for a, b, _ in block) / STRATA - 7) < 0.7
        assert abs(sum(c for _, _, c in block) / STRATA - 3.5) < 0.5
    assert [a + b for a, b, _ in thrown[:STRATA]] != [a + b for a, b, _ in thrown[STRATA:]]
    sums = [[a + b for a, b, _ in (Luck("s", n).throw(3, what) for n in range(STRATA))] for what in ("one", "two")]
    assert sums[0] != sums[1]  # not all luck of a playout is good or bad


# The value of a position


@pytest.mark.parametrize("game", GAMES)
def test_value_is_of_opposite_sign_for_the_other_side(game: str) -> None:
    rules = fronte.ruleset(game)
    match = fronte.new(game, seed=1)
    assert len(terms(rules, match.state)) == len(TERMS)  # type: ignore[arg-type]
    values = [value(rules, match.state, side) for side in (0, 1)]  # type: ignore[arg-type]
    assert values[0] == -values[1]


def test_losses_and_gains_count_in_the_right_direction() -> None:
    match = fronte.new("isonzo", seed=1)
    rules, state = match.rules, match.state
    before = value(rules, state, 0)  # type: ignore[arg-type]
    hurt = state.copy()
    for unit in rules.of_side[1]:  # type: ignore[attr-defined]
        hurt.ce[unit] = 1
    assert value(rules, hurt, 0) > before  # type: ignore[arg-type]
    won = state.copy()
    for goal in rules.objectives:  # type: ignore[attr-defined]
        won.held |= 1 << goal
    assert value(rules, won, 0) > before  # type: ignore[arg-type]


def test_a_score_belongs_to_the_side_that_wins_with_it() -> None:
    for game, scorer in (("isonzo", 0), ("altipiani", 1)):
        rules = fronte.ruleset(game)
        highest = Result(rules.setting.levels[-1][0], 90, rules.seats[scorer], ())
        assert (rules.merit(highest, scorer), rules.merit(highest, 1 - scorer)) == (90, -90)


def test_a_game_decided_otherwise_counts_as_its_level() -> None:
    rules = fronte.ruleset("isonzo")
    name, most = rules.setting.levels[0]
    assert most is not None
    assert rules.merit(Result(name, 40, "ah", ("15.e",)), 0) == most
    assert rules.merit(Result(rules.level(40), 40, None, ()), 0) == 40
    least = (rules.setting.levels[-2][1] or 0) + 1
    assert rules.merit(Result(rules.setting.levels[-1][0], 0, None, ()), 0) == least


# Plans


@pytest.mark.parametrize("game", GAMES)
def test_intentions_lead_to_different_plans(game: str) -> None:
    _, match = next(positions(game, ("movement",), 1))
    rules, side = match.rules, match.seat
    state = Seat(match, rules.seats[side]).imagine(Random(1))
    picture = policy.prepare(rules, state, side)  # type: ignore[arg-type]
    meant = list(islice(intents(picture, weights_of(game)[side], 2, Random(1)), len(CHANGES) + 8))
    plans = [Plan(intent, plan(rules, state, side, intent)) for intent in meant]  # type: ignore[arg-type]
    assert meant[0].weights == weights_of(game)[side]
    assert [a.action for a in plans[0].moves] == [a.action for a in policy.movement(rules, state, side)]  # type: ignore[arg-type]
    assert len(distinct(plans)) >= 5
    assert len({intent.weights for intent in meant if intent.name == DRAWN}) >= 6
    assert distinct([plans[0], plans[0]]) == [plans[0]]
    goals = contested(picture)
    assert all(not picture.ours >> goal & 1 for goal in goals)


@pytest.mark.parametrize("game", GAMES)
def test_a_playout_goes_as_far_as_it_is_told(game: str) -> None:
    match = fronte.new(game, seed=2)
    rules, policy = match.rules, policy_of(match.rules)
    ends = []
    for turns in (0, 1, 2, 99):
        playout = Playout(policy, match.state.copy(), policy.base, Luck("x", 0))
        playout.go_on(turns, policy.base)
        ends.append((playout.state.turn, playout.state.active, playout.over))
        assert rules.broken(playout.state) == []
    turn, first = match.state.turn, match.state.active
    assert ends[:3] == [(turn, 1 - first, False), (turn + 1, first, False), (turn + 1, 1 - first, False)]
    assert ends[3][2]


# The player


@pytest.mark.costly
@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_plays_the_same_game_to_its_end(game: str) -> None:
    match, again = fronte.new(game, seed=6), fronte.new(game, seed=6)
    play(match, sit(match, ("planner:2p", "steady"), 6))
    assert match.result is not None
    assert match.rules.broken(match.state) == []
    play(again, sit(again, ("planner:2p", "steady"), 6), match.state.turn // 2)
    assert len(again.entries) > 100
    assert again.entries == match.entries[: len(again.entries)]


def test_it_plays_the_surprise_scenario_too() -> None:
    match = fronte.new("isonzo", "surprise", seed=4)
    play(match, sit(match, ("planner:2p", "steady"), 4))
    assert match.result is not None


@pytest.mark.costly
@pytest.mark.parametrize("game", GAMES)
def test_nothing_hidden_changes_a_decision(game: str) -> None:
    tested = set()
    for kind, match in positions(game, ("movement", "combat", *COMPARED, "support", "losses"), 2):
        seat = match.rules.seats[match.seat]
        answers = []
        for shuffled in (None, 1, 2):
            twin = match.copy()
            if shuffled is not None:
                twin.state = twin.rules.shuffle_hidden(twin.state, twin.seat, Random(shuffled))
            answers.append(player("planner:8p", "fair")(Seat(twin, seat)))
        assert answers[1:] == answers[:1] * 2, f"{kind} of turn {match.state.turn}"
        tested.add(kind)
    assert {"movement", "combat", "retreat", "losses"} <= tested


def test_it_keeps_its_clock() -> None:
    """A slow machine, where everything takes a second: the planner stops long before its playouts are used up."""
    _, match = next(positions("isonzo", ("movement",), 1))
    clock = Clock(0.05)
    planner = Planner(policy_of, Random(1), Budget(500, 2.0), clock)
    planner(Seat(match.copy(), match.rules.seats[match.seat]))
    assert clock.now < 2.5
    assert 0 < planner.meter.total < 40


def test_more_budget_means_more_thinking() -> None:
    *_, (_, match) = islice(positions("isonzo", ("movement",), 5), 5)  # early on the first plans come to the same
    done = []
    for spec in ("planner:5p", "planner:20p"):
        planner = player(spec, "x")
        assert isinstance(planner, Planner)
        planner(Seat(match.copy(), match.rules.seats[match.seat]))
        done.append(planner.meter.total)
    assert done[0] == 5
    assert 16 <= done[1] <= 20


def test_a_plan_is_judged_after_the_enemys_answer_and_the_next_turn_of_its_own() -> None:
    _, match = next(positions("isonzo", ("movement",), 1))
    seat = Seat(match, match.rules.seats[match.seat])
    thought = Thought(Planner(policy_of, Random(1), Budget(9)), seat, policy_of(match.rules))
    ends, looks = [], []
    for ahead in (thought.policy.near, thought.policy.far):
        playout = thought.playout(0, thought.met(0)[thought.side])
        looks.append(thought.outlook(playout, ahead))
        ends.append((playout.state.turn, playout.state.active))
    turn, active = match.state.turn, match.state.active
    assert ends == [(turn + 1, active), (turn + 1, 1 - active)]
    assert looks[1] == (looks[0] + value(match.rules, playout.state, thought.side)) / 2  # type: ignore[arg-type]


def test_a_phase_has_one_budget() -> None:
    _, match = next(positions("isonzo", ("retreat",), 1))
    planner = Planner(policy_of, Random(1), Budget(20))
    seat = match.seat
    turn = match.state.turn, match.state.active, match.state.phase
    enemy = player("steady", "enemy")
    while match.seat >= 0 and (match.state.turn, match.state.active, match.state.phase) == turn:
        mine = match.seat == seat
        match.play((planner if mine else enemy)(Seat(match, match.rules.seats[match.seat])))
    assert 0 < planner.meter.total <= 20 * QUICKER


@pytest.mark.parametrize("game", GAMES)
def test_it_attacks_as_the_intention_of_its_plan_has_it(game: str) -> None:
    match = fronte.new(game, seed=4)
    hands = sit(match, ("planner:4p", "planner:4p"), 4)
    fought = 0
    while match.seat >= 0 and match.state.turn < 3:
        decide, seat = hands[match.seat]
        assert isinstance(decide, Planner)
        action = decide(seat)
        if decide.why.key == "attack" and decide.planned == (match.state.turn, match.state.active):
            assert decide.intent is not None
            thought = Thought(decide, seat, policy_of(match.rules))
            assert decide.meant(thought) is decide.intent
            fought += 1
        match.play(action)
    assert fought


def test_its_reasons_can_be_told_in_both_languages() -> None:
    told: dict[str, str] = {}
    match = fronte.new("isonzo", seed=8)
    hands = sit(match, ("planner:6p", "planner:6p"), 8)
    while match.seat >= 0 and match.state.turn < 3:
        decide, seat = hands[match.seat]
        action = decide(seat)
        assert isinstance(decide, Planner)
        english, italian = (tell(decide.why, match.rules.texts(language), "isonzo") for language in ("en", "it"))
        assert english and italian and english != italian
        told[decide.why.key] = english
        match.play(action)
    assert {"plan_moves", "attack"} <= set(told)
    other = msgspec.structs.replace(decide.why, key="plan_answer", data={"answers": 4})
    assert "4" in tell(other, match.rules.texts("en"), "isonzo") and "4" in tell(
        other, match.rules.texts("it"), "isonzo"
    )
    for intent in (*CHANGES, "raid", "watch", DRAWN):
        purpose = Reason("purpose", {"intent": intent, "hex": "2413"})
        reason = Reason("plan_moves", {"plans": 3, "tries": 12, "purpose": purpose})
        assert "12" in tell(reason, match.rules.texts("en"), "isonzo")


# Raids


@pytest.mark.parametrize("game", GAMES)
def test_both_sides_raid_in_plans_and_in_every_second_playout(game: str) -> None:
    _, match = next(positions(game, ("movement",), 1))
    mine = policy_of(match.rules)
    state = Seat(match, match.rules.seats[match.seat]).imagine(Random(1))
    meant = list(islice(mine.intents(state, match.seat, Random(1)), mine.named))
    assert all(issubclass(intent.kind, Raid) for intent in meant)
    assert meant[0] == mine.usual(match.seat)
    thought = Thought(Planner(policy_of, Random(1), Budget(9)), Seat(match, match.rules.seats[match.seat]), mine)
    answers = [thought.playout(number, meant[0]).intents[1 - match.seat] for number in range(4)]
    met = [mine.first[1 - match.seat], raiding(weights_of(game, file=FIRST)[1 - match.seat])]
    assert answers == met * 2


def test_what_seems_better_than_steadys_own_must_be_so_by_more_than_luck() -> None:
    assert {policy_of(fronte.ruleset(game)).doubt for game in GAMES} == {DOUBT}
    assert line_policy_of(fronte.ruleset("isonzo")).doubt == first_policy_of(fronte.ruleset("isonzo")).doubt == 0.0


@pytest.mark.parametrize("scenario", ["historical", "surprise", "canale"])
def test_a_planner_begins_with_what_it_does_unthinking_in_its_scenario(scenario: str) -> None:
    """The planners that are kept have what steady had before, in every scenario."""
    rules = fronte.ruleset("isonzo", scenario)
    assert isinstance(rules, Inferno)
    own, kept = InfernoPolicy(rules), LinePolicy(rules)
    state = fronte.new("isonzo", scenario, 1).state
    for side in range(2):
        assert own.usual(side).weights == unthinking_of("isonzo", scenario)[side]
        assert own.base[side].weights == weights_of("isonzo", scenario)[side] == usual(rules)[side]
        assert next(own.intents(state, side, Random(1))) == own.usual(side)
        assert kept.usual(side).weights == weights_of("isonzo", file=FIRST)[side]
    assert (usual(rules) == weights_of("isonzo")) == (scenario != "canale")


# The first planner


@pytest.mark.costly
@pytest.mark.parametrize("game", GAMES)
def test_the_first_planner_decides_as_it_did(game: str) -> None:
    """It is kept as an opponent: what it decided on the day that it was put aside is in the file."""
    recorded = json.loads((Path(__file__).parent / "recorded" / "planner-1.json").read_text(encoding="utf-8"))[game]
    found = []
    for (kind, match), then in zip(positions(game, ("movement", "retreat"), 2, first=True), recorded, strict=False):
        seat = match.rules.seats[match.seat]
        decide = player(f"planner-1:{then['budget']}", "first", game=game)
        assert isinstance(decide, Planner)
        actions = [decide(Seat(match.copy(), seat)), *(answer.action for answer in decide.moves)]
        at = [match.state.turn, seat, kind]
        found.append({"at": at, "budget": then["budget"], "why": decide.why.data, "actions": actions})
    assert msgspec.json.decode(msgspec.json.encode(found)) == recorded


def test_nobody_is_offered_the_first_planner() -> None:
    assert "planner-1" in players_of("isonzo") and "planner-1" not in offered("isonzo")
