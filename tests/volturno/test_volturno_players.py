"""Steady and planner in Volturno: fair, legal, the same for a seed, better than chance, with reasons that are open."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

import fronte
from fronte.ai import Seat, player, players_of, usual_player
from fronte.ai.arena import Bout, play_pair, strength
from fronte.ai.policy import is_legal
from fronte.ai.reasons import Reason, tell, templates
from fronte.ai.volturno import decide
from fronte.ai.volturno.act import Activation
from fronte.ai.volturno.attack import fight, parting
from fronte.ai.volturno.chart import Picture, chart_of
from fronte.ai.volturno.odds import Fighter, Odds, expected
from fronte.ai.volturno.planner import CHANGES, FIRST, USUAL, Intent, policy_of
from fronte.ai.volturno.posts import Post, rest
from fronte.ai.volturno.steady import Steady
from fronte.ai.volturno.value import value
from fronte.ai.volturno.weights import STEADY, spirited
from fronte.engine.dice import outcomes
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES
from fronte.games.volturno import assault
from fronte.games.volturno.acting import Done
from fronte.games.volturno.cohesion import levels_for
from fronte.games.volturno.counters import FORMATIONS
from fronte.games.volturno.formations import Pass
from fronte.games.volturno.movement import is_column, spread
from fronte.games.volturno.reaction_zones import projecting
from fronte.games.volturno.reserve import Call

SCENARIOS = ("short", "full")
HIDDEN = re.compile(r"\{(unit|units)\b")


def play(scenario: str, names: tuple[str, str], seed: int, options: dict[str, str] | None = None) -> Match:
    """A whole game between two players."""
    match = fronte.new("volturno", scenario, seed, options)
    hands = [
        player(name, f"{seed}/{seat}", game="volturno") for name, seat in zip(names, match.rules.seats, strict=True)
    ]
    seats = [Seat(match, seat) for seat in match.rules.seats]
    while match.seat >= 0:
        match.play(hands[match.seat](seats[match.seat]))
    return match


@pytest.fixture(scope="module", params=SCENARIOS)
def whole(request: pytest.FixtureRequest) -> Match:
    """A whole game of steady against itself."""
    return play(request.param, ("steady", "steady"), 11)


def positions(scenario: str, each: int) -> list[tuple[str, Match]]:
    """Decisions of a game of steady against itself, some of each kind."""
    seen: Counter[str] = Counter()
    found = []
    for kind, match in _positions(scenario):
        seen[kind] += 1
        if seen[kind] <= each:
            found.append((kind, match.copy()))
    return found


def of_kind(kind: str, scenario: str, each: int) -> list[tuple[str, Match]]:
    """Those of one kind."""
    return [(found, match) for found, match in positions(scenario, each) if found == kind]


@cache
def _positions(scenario: str, seed: int = 5, each: int = 24) -> list[tuple[str, Match]]:
    match = fronte.new("volturno", scenario, seed=seed)
    hands = [Steady(Random(f"{seed}/{seat}")) for seat in match.rules.seats]
    seats = [Seat(match, seat) for seat in match.rules.seats]
    seen: Counter[str] = Counter()
    found = []
    while match.seat >= 0:
        kind = match.state.frames[-1].name
        if seen[kind] < each and match.state.turn >= 2:
            seen[kind] += 1
            found.append((kind, match.copy()))
        match.play(hands[match.seat](seats[match.seat]))
    return found


# Posts


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_hex_is_passed_over_that_is_worth_more_than_staying(scenario: str) -> None:
    """Most hexes are left out before enemies and friends are looked at; to look at all of them finds the same."""
    looked = kept = 0
    for number, (_, match) in enumerate(of_kind("act", scenario, 6)):
        chart, side, rng = chart_of(match.rules), match.seat, Random(number)
        intents = policy_of(match.rules).intents(match.state, side, rng)
        for weights in [next(intents).weights for _ in range(7)] + [spirited(replace(STEADY, dash=1.7), 1.0)]:
            picture = Picture(chart, match.rules.imagine(match.state, side, None), side)
            state, plan = picture.state, Activation(picture, weights)
            for unit in chart.rules.units_of_side[side]:
                if state.at[unit] < 0:
                    continue
                column = is_column(state, unit)
                cost, _ = spread(chart.rules, state, unit)
                at_post = Post(picture, plan.weights, unit, column)
                worth = {h: at_post(h) + rest(picture, plan.weights, unit, h, cost[h], False) for h in cost}
                floor = at_post(state.at[unit])
                slow = sorted((-worth[h], h) for h in cost if worth[h] > floor)
                assert plan.ranked(unit, cost, column, floor) == [(-less, h) for less, h in slow]
                looked, kept = looked + len(cost), kept + len(slow)
    assert looked > 2 * kept > 1000


# Whole games


def test_the_game_has_its_players() -> None:
    assert players_of("volturno") == ["random", "recruit", "steady", "raider", "stubborn", "planner"]
    assert usual_player("volturno") == "steady"


def test_it_plays_to_the_end_by_the_rules(whole: Match) -> None:
    assert whole.result is not None
    assert whole.rules.broken(whole.state) == []


def test_the_same_seed_plays_the_same_game(whole: Match) -> None:
    assert play(whole.rules.header.scenario, ("steady", "steady"), 11).save() == whole.save()


def test_it_fights(whole: Match) -> None:
    kinds = Counter(event.kind for event in whole.events)
    assert kinds["declared"] >= 5 and kinds["fought"] >= 8 and kinds["advanced"] >= 3 and kinds["fired"] >= 8
    assert kinds["rode"] >= 5 and kinds["recovered"] >= 3


def test_its_assaults_are_good_ones(whole: Match) -> None:
    """Most assaults by action are won: they are laid by their odds."""
    won = Counter(event.data["side"] for event in whole.events if event.kind == "combat_won")
    assert won["nobody"] < won.total() / 3


@pytest.mark.parametrize("seed", [1, 10])
def test_it_takes_nobody_along_who_may_not_leave_his_hex(seed: int) -> None:
    """15.5.p1, 6.2: who is taken along has had its action; where the commander holds it would be in vain."""
    match = fronte.new("volturno", "full", seed)
    hands, seats = [Steady(Random(0)) for _ in range(2)], [Seat(match, seat) for seat in match.rules.seats]
    calls = 0
    while match.seat >= 0:
        action = hands[match.seat](seats[match.seat])
        if isinstance(action, Call):
            calls += 1
            assert match.state.row != "hold"
        match.play(action)
    assert calls > 3


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_beats_chance_from_either_side(scenario: str) -> None:
    pair = play_pair(Bout("volturno", scenario, (), ("steady", "random"), 0))
    assert pair["margin"] > (1 if scenario == "short" else 20)


@pytest.mark.parametrize("seed", range(3))
def test_it_answers_whatever_the_options_bring(seed: int) -> None:
    """Whole games against chance, which brings about what sensible play would not, with all options drawn at random."""
    rng = Random(f"volturno {seed}")
    rules = fronte.ruleset("volturno")
    options = {option.name: rng.choice(option.values) for option in rules.rulebook.options}  # type: ignore[attr-defined]
    names = ("steady", "random") if seed else ("random", "steady")
    match = play(SCENARIOS[seed % 2], names, seed, options)
    assert match.result is not None, options


# What it is for


@pytest.mark.parametrize(("formation", "town"), [("G16", "2425"), ("G17", "2515")])
def test_infantry_stands_in_the_towns_at_dawn(formation: str, town: str) -> None:
    """16.1.4: nobody walks into Santa Maria or Sant'Angelo while the Garibaldini may not act yet (15.3)."""
    match = fronte.new("volturno", "short", seed=1)
    match.play("historical")
    rules, state = chart_of(match.rules).rules, match.state
    there = [rules.counters[unit] for unit in state.stacks[rules.grid.index[town]]]
    assert any(counter.is_infantry and FORMATIONS[counter.formation] == formation for counter in there)


def test_bixio_and_von_meckel_keep_to_their_valley() -> None:
    """Who has a task of his own is not drawn away to Santa Maria as long as the enemy is before him."""
    seen = 0
    for _, match in positions("full", 24):
        rules, state = chart_of(match.rules).rules, match.state
        for name in ("G18", "NM"):
            units = [u for u in rules.members[FORMATIONS.index(name)] if state.at[u] >= 0]
            assert all(rules.grid.column[state.at[unit]] >= 50 for unit in units), name
            seen += len(units)
    assert seen > 500


def test_only_who_is_bound_is_moved_for_what_is_owed() -> None:
    """3.2, 7.1.4, 15.8.1: nobody leaves his post because somebody else still has something to do."""
    seen = 0
    for seed in range(2):
        match = fronte.new("volturno", "full", seed=seed)
        hands = [Steady(Random(f"{seed}/{seat}")) for seat in match.rules.seats]
        seats = [Seat(match, seat) for seat in match.rules.seats]
        while match.seat >= 0:
            hand, kind = hands[match.seat], match.state.frames[-1].name
            action = hand(seats[match.seat])
            if hand.why.key == "owed" and kind == "act":
                refusal = match.why_not(Done())
                assert refusal is not None and refusal.data["unit"] == getattr(action, "unit", "")
                seen += 1
            match.play(action)
    assert seen


def test_leaving_a_zone_is_dear_and_nothing_else_is() -> None:
    """12.1.t3: enemies react to who leaves their zone; so who has to attack or to leave (3.2) rather attacks."""
    dear = 0
    for _, match in positions("short", 24):
        chart, state = chart_of(match.rules), match.rules.imagine(match.state, match.seat, None)
        picture = Picture(chart, state, match.seat)
        for unit in chart.rules.units_of_side[match.seat]:
            if state.at[unit] < 0:
                continue
            cost = parting(picture, STEADY, unit)
            if projecting(chart.rules, state, 1 - match.seat, state.at[unit]):
                dear += cost > 0
            else:
                assert cost == 0
    assert dear


def test_the_bolder_the_less_a_loss_counts() -> None:
    """Who has more troops near what he is to take is bolder; a formation that is to take nothing is not."""
    shy, bold = spirited(STEADY, 0.0), spirited(STEADY, 1.0)
    assert shy == STEADY and bold.caution < STEADY.caution and bold.exposed < STEADY.exposed
    found: set[bool] = set()
    for _, match in positions("full", 24):
        state = match.rules.imagine(match.state, match.seat, None)
        picture = Picture(chart_of(match.rules), state, match.seat)
        for formation in picture.rules.formations[match.seat]:
            boldness = picture.boldness(formation)
            assert 0.0 <= boldness <= 1.0
            found.add(boldness > 0)
            if picture.goal(formation) < 0:
                assert boldness == 0
    assert found == {True, False}


# Fair


def test_nothing_hidden_changes_what_it_does() -> None:
    asked: Counter[str] = Counter()
    for scenario in SCENARIOS:
        for kind, match in positions(scenario, 3):
            answers = []
            for shuffled in (None, 1, 2):
                twin = match.copy()
                if shuffled is not None:
                    twin.state = twin.rules.shuffle_hidden(twin.state, twin.seat, Random(shuffled))
                answers.append(Steady(Random(0))(Seat(twin, twin.rules.seats[twin.seat])))
            assert answers[1:] == answers[:1] * 2, kind
            asked[kind] += 1
    assert {"activate", "declare", "act", "react", "retreat", "stragglers"} <= set(asked)


def test_a_decision_leaves_the_state_as_it_was() -> None:
    for _, match in positions("short", 3):
        rules, side = match.rules, match.seat
        state = rules.imagine(match.state, side, None)
        before = rules.to_position(state)
        if state.frames[-1].name in decide.PLANNED:
            decide.plan(chart_of(rules), state, side, Steady(Random(0))._weights(side))
        else:
            decide.small(chart_of(rules), state, side, Steady(Random(0))._weights(side))
        assert rules.to_position(state) == before


# Reasons


def test_every_decision_has_a_reason_in_both_languages() -> None:
    found: list[Reason] = []
    for scenario, seed in (("short", 8), ("full", 3)):
        match = fronte.new("volturno", scenario, seed=seed)
        hands = [Steady(Random(seat)) for seat in match.rules.seats]
        seats = [Seat(match, seat) for seat in match.rules.seats]
        while match.seat >= 0:
            hand = hands[match.seat]
            match.play(hand(seats[match.seat]))
            found.append(hand.why)
    ids = set(match.rules.ids)  # type: ignore[attr-defined]
    for language in LANGUAGES:
        texts = match.rules.texts(language)
        for why in found:
            sentence = tell(why, texts, "volturno")
            assert len(sentence) > 15 and sentence[-1] == "." and sentence[0].upper() == sentence[0], sentence
            assert not set("{}[]") & set(sentence), sentence
            assert not ids & set(map(str, why.data.values()))
    assert len({why.key for why in found}) > 20


def test_the_texts_of_both_languages_go_together() -> None:
    first, second = (templates("volturno", language) for language in LANGUAGES)
    assert list(first) == list(second)
    for key in first:
        assert _fields(first[key]) == _fields(second[key]), key
        assert not HIDDEN.search(str(first[key]) + str(second[key]))
    assert set(CHANGES) | {FIRST, USUAL.name, "aim", "drawn", "by"} == set(first["purpose"])


def _fields(entry: object) -> set[str]:
    if isinstance(entry, dict):
        return {f"{case}:{name}" for case, text in entry.items() for name in _fields(text)} | set(entry)
    return set(re.findall(r"\{(\w+)", str(entry)))


# Odds


def test_odds_of_a_combat_are_those_of_all_dice() -> None:
    """Every fall of the combat dice and of the checks that follow, one by one."""
    rules = chart_of(fronte.ruleset("volturno")).rules
    odds = Odds(rules)
    rows, lowest = rules.tables["assault"]["assault"], int(rules.tables["assault"]["lowest"])
    for drm, mine, theirs in ((0, 8, 8), (2, 9, 7), (-2, 7, 9), (1, 8, 6)):
        wins = 0.0
        for dice in outcomes(2):
            own, other, colour = rows[max(0, min(len(rows) - 1, sum(dice) + drm - lowest))]
            for first in outcomes(2):
                for second in outcomes(2):
                    lost = _levels(rules, own, sum(first), mine)
                    taken = _levels(rules, other, sum(second), theirs)
                    wins += (colour == "B" or (colour == "W" and lost < taken)) / 36**3
        found = odds.combat("assault", drm, Fighter(mine, 0, 3), (Fighter(theirs, 0, 3),))
        assert found.win == pytest.approx(wins)
        assert found.win + found.draw + found.loss == pytest.approx(1.0)


def _levels(rules: object, result: str, dice: int, cohesion: int) -> int:
    if result == "-":
        return 0
    if result.startswith("cc"):
        return levels_for(rules, dice + int(result[2:]) - cohesion)  # type: ignore[arg-type]
    return int(result)


def test_fire_is_weighed_by_all_dice() -> None:
    odds = chart_of(fronte.ruleset("volturno")).odds
    assert odds.fire(0) == pytest.approx((21 / 36, 12 / 36, 3 / 36, 0, 0))
    assert expected(odds.fire(0)) == pytest.approx(18 / 36)
    assert expected(odds.fire(-8)) == 0


def test_an_attack_from_behind_promises_more() -> None:
    """3.1.1, 11.2: the same attack is better where the enemy does not look."""
    seen = 0
    for _, match in positions("short", 24):
        chart, state = chart_of(match.rules), match.rules.imagine(match.state, match.seat, None)
        picture = Picture(chart, state, match.seat)
        for unit in chart.rules.units_of_side[match.seat]:
            if state.at[unit] < 0 or chart.is_gun[unit]:
                continue
            for h in chart.rules.grid.adjacent[state.at[unit]]:
                stack = state.stacks.get(h, ())
                if not stack or not state.occ[1 - match.seat] >> h & 1 or chart.rules.ground.built_up >> h & 1:
                    continue
                if all(chart.is_gun[u] for u in stack):
                    continue
                others = assault.strongest(chart.rules, state, h)
                wins = []
                for facing in range(6):
                    for other in others:
                        state.facing[other] = facing
                    wins.append(fight(picture, unit, h).win)
                assert max(wins) > min(wins)
                seen += 1
    assert seen


# The planner


def test_the_planner_plays_by_the_rules_and_the_same_for_a_seed() -> None:
    pairs = [play_pair(Bout("volturno", "short", (), ("planner:3p", "steady"), 5)) for _ in range(2)]
    for pair in pairs:
        for game in pair["games"]:
            game["cpu"] = [0, 0]
    assert pairs[0] == pairs[1]
    assert strength(pairs)["pairs"] == 2


def test_a_plan_that_is_worked_out_as_it_is_carried_out_is_the_plan() -> None:
    """Of a plan a playout asks for no more than dice leave of it; the state goes on meanwhile."""
    told = 0
    for scenario in SCENARIOS:
        for kind, match in positions(scenario, 6):
            if kind not in decide.PLANNED:
                continue
            policy, state, usual = policy_of(match.rules), match.state.copy(), USUAL
            whole = policy.plan(state, match.seat, usual)
            unfolding = policy.unfold(state, match.seat, usual)
            for unit in range(len(state.at)):
                state.at[unit], state.level[unit] = -1, 0
            state.stacks.clear()
            assert list(unfolding) == whole
            told += len(whole)
    assert told > 20


def test_nothing_hidden_changes_what_the_planner_does() -> None:
    for kind, match in positions("short", 2):
        if kind not in ("declare", "act", "activate"):
            continue
        answers = []
        for shuffled in (None, 1):
            twin = match.copy()
            if shuffled is not None:
                twin.state = twin.rules.shuffle_hidden(twin.state, twin.seat, Random(shuffled))
            hand = player("planner:4p", "fair", game="volturno")
            answers.append(hand(Seat(twin, twin.rules.seats[twin.seat])))
        assert answers[0] == answers[1], kind


def test_an_action_of_another_decision_is_not_legal() -> None:
    """A plan may reach a decision for which its next action is not made: a declaration is still owed, say."""
    for kind, match in positions("full", 1):
        assert is_legal(match.rules, match.state, Done()) == (match.why_not(Done()) is None), kind
        assert is_legal(match.rules, match.state, Pass()) == (match.why_not(Pass()) is None), kind


def test_a_plan_covers_one_activation() -> None:
    for kind, match in positions("full", 3):
        policy = policy_of(match.rules)
        if kind in ("declare", "act"):
            assert policy.way(match.state) == "planned"
            twin = match.copy()
            before = policy.stretch(twin.state)
            formation = twin.state.formation
            while twin.state.formation == formation:
                assert policy.stretch(twin.state) == before
                twin.play(twin.sample(Random(1)))
            assert policy.stretch(twin.state) != before


def test_a_position_is_worth_as_much_to_one_as_it_costs_the_other(whole: Match) -> None:
    chart = chart_of(whole.rules)
    assert whole.result is not None
    assert value(chart, whole.state, 1) == whole.result.score == -value(chart, whole.state, 0)
    start = fronte.new("volturno", whole.rules.header.scenario, seed=1)
    for _ in range(4):
        start.play(decide.small(chart, start.state.copy(), start.seat, Steady(Random(0))._weights(0)).action)
    assert value(chart, start.state, 0) == -value(chart, start.state, 1)


def test_a_formation_may_be_sent_elsewhere() -> None:
    """The objective at hand, and two others that are worth going to; whoever is sent there plans other moves."""
    different = 0
    for kind, match in positions("full", 6):
        if kind not in ("declare", "act"):
            continue
        policy, state = policy_of(match.rules), match.state
        intents = list(islice(policy.intents(state, match.seat, Random(1)), policy.named))
        assert intents[0].name == "press"
        own = Picture(policy.chart, state.copy(), match.seat).goal(state.formation)
        mine = policy.plan(state, match.seat, intents[0])
        for one in intents:
            if one.name == "aim":
                assert one.focus in policy.chart.values and one.focus != own
                different += policy.plan(state, match.seat, one) != mine
    assert different


def test_the_planner_says_why_in_both_languages() -> None:
    match = fronte.new("volturno", "short", seed=1)
    policy = policy_of(match.rules)
    goal = next(iter(policy.chart.values))
    for name in (*CHANGES, "aim", "drawn"):
        intent = Intent(name, STEADY, goal if name == "aim" else -1)
        why = policy.why_planned(intent, 5, 16)
        told = [tell(why, match.rules.texts(language), "volturno") for language in LANGUAGES]
        assert why.secret and len(set(told)) == len(LANGUAGES)
        assert all("5" in words and "16" in words for words in told)
