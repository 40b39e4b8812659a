"""Steady in Caporetto: fair, legal, the same for a seed, better than chance, with reasons that are open."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from random import Random

import pytest
from caporetto_packs import game
from msgspec import structs

from fronte.ai.caporetto import PLAYERS, USUAL, act, decide, fires, lead, posts, worths
from fronte.ai.caporetto.act import Action
from fronte.ai.caporetto.chart import chart_of
from fronte.ai.caporetto.distances import FAR
from fronte.ai.caporetto.fights import Help, hex_worth, judge
from fronte.ai.caporetto.paths import paths
from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.posts import Posts
from fronte.ai.caporetto.steady import Steady, _stretch
from fronte.ai.caporetto.weights import ATTACK, GARRISONED, STEADY, steady_weights
from fronte.ai.caporetto.worths import EXIT
from fronte.ai.random import random_player
from fronte.ai.reasons import Answer, Reason, tell, templates
from fronte.engine.decision import Frame
from fronte.engine.match import Match
from fronte.engine.seat import Seat
from fronte.engine.text import LANGUAGES
from fronte.games.caporetto import actions, assailants, command, forecasts, marching, movement, ways
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.moving import Done, Move, Moving
from fronte.games.caporetto.printed import ELIMINATED
from fronte.games.caporetto.seating import foe
from fronte.games.caporetto.state import State, put
from fronte.games.registry import FAMILIES
from fronte.hexes import bits, mask_of

SHORT = ("maggiore", "cividale")
EARLY = ("reinforcement", "command", "engineering", "artillery")
"""The phases of a turn before its actions."""
HIDDEN = re.compile(r"\{(unit|units)\b")
MAKERS = {"steady": PLAYERS["steady"], "random": random_player}


def begin(scenario: str, seed: int, **options: str | bool) -> Match:
    """A match of a scenario."""
    return Match.begin(game(scenario, **options), seed.to_bytes(32, "big"))


def play(scenario: str, names: tuple[str, str], seed: int, **options: str | bool) -> Match:
    """A whole game between two players."""
    match = begin(scenario, seed, **options)
    hands = [MAKERS[name](Random(f"{seed}/{seat}")) for name, seat in zip(names, match.rules.seats, strict=True)]
    seats = [Seat(match, seat) for seat in match.rules.seats]
    while match.seat >= 0:
        match.play(hands[match.seat](seats[match.seat]))
    return match


@pytest.fixture(scope="module", params=SHORT)
def whole(request: pytest.FixtureRequest) -> Match:
    """A whole game of steady against itself."""
    return play(request.param, ("steady", "steady"), 11)


@cache
def watched(scenario: str, seed: int = 11, each: int = 4) -> tuple[Match, list[tuple[str, Match, Reason]]]:
    """A game of steady against itself, of the campaigns a turn and the next plan, and decisions of it: some of each
    kind, each with why it was answered as it was."""
    match = begin(scenario, seed)
    hands = [Steady(Random(f"{seed}/{seat}")) for seat in match.rules.seats]
    seats = [Seat(match, seat) for seat in match.rules.seats]
    seen: Counter[str] = Counter()
    found = []
    first = match.state.turn
    while match.seat >= 0 and (scenario in SHORT or match.state.turn == first or match.state.phase in EARLY):
        kind, twin = match.state.frames[-1].name, None
        seen[kind] += 1
        if seen[kind] <= each:
            twin = match.copy()
        hand = hands[match.seat]
        action = hand(seats[match.seat])
        if twin is not None:
            found.append((kind, twin, hand.why))
        match.play(action)
    return match, found


def positions(scenario: str) -> list[tuple[str, Match, Reason]]:
    """The decisions of it."""
    return watched(scenario)[1]


# Whole games


def test_the_game_has_its_players() -> None:
    assert list(PLAYERS) == ["recruit", "steady", "raider", "stubborn", "planner"] and USUAL == "steady"


@pytest.mark.costly
def test_it_plays_to_the_end_by_the_rules(whole: Match) -> None:
    assert whole.result is not None
    assert whole.rules.broken(whole.state) == []


@pytest.mark.costly
def test_the_same_seed_plays_the_same_game(whole: Match) -> None:
    assert watched(whole.rules.header.scenario)[0].save() == whole.save()


def test_it_fights(whole: Match) -> None:
    kinds = Counter(event.kind for event in whole.events)
    assert kinds["assault"] >= 8 and kinds["advanced"] >= 4 and kinds["fired"] >= 10 and kinds["objective"] >= 1


def test_most_of_its_assaults_take_something(whole: Match) -> None:
    """They are laid by their odds."""
    won = Counter(event.data["won"] for event in whole.events if event.kind == "assault_result")
    assert won[True] > 0.35 * won.total()


@pytest.mark.costly
@pytest.mark.parametrize("scenario", SHORT)
def test_it_beats_chance_from_either_side(scenario: str) -> None:
    for seed in range(2):
        ahg = play(scenario, ("steady", "random"), seed).result
        italian = play(scenario, ("random", "steady"), seed).result
        assert ahg is not None and italian is not None
        assert ahg.score > italian.score and italian.winner == "italian"


@pytest.mark.parametrize("seed", range(3))
def test_it_answers_whatever_the_options_bring(seed: int) -> None:
    """Whole games against chance, which brings about what sensible play would not, with all options drawn at random."""
    rng = Random(f"caporetto {seed}")
    rules = game("maggiore")
    options = {option.name: rng.choice(option.values) for option in rules.rulebook.options}
    names = ("steady", "random") if seed else ("random", "steady")
    match = play(SHORT[seed % 2], names, seed, **options)
    assert match.result is not None, options


# Decisions


def test_every_kind_of_decision_is_its_own() -> None:
    """All kinds that the rules know are thought about; nothing is left to the first legal answer."""
    assert set(game("historical").choices) == set(decide.DECISIONS) | set(decide.PLANNED)


def test_every_answer_is_legal_without_help() -> None:
    """The answer that is thought of is legal itself, not only what is put in its place."""
    seen: Counter[str] = Counter()
    for scenario in (*SHORT, "historical"):
        for kind, match, _ in positions(scenario):
            if kind in decide.PLANNED:
                continue
            state = match.rules.imagine(match.state, match.seat, None)
            picture = decide.picture_of(chart_of(match.rules), state)
            answer = decide.DECISIONS[kind](picture, decide.weights_of(picture))
            assert match.why_not(answer.action) is None, (kind, answer.action)
            seen[kind] += 1
    assert {"plan", "activate", "place_hq", "defend", "wave", "retreat_to", "preparatory", "recover"} <= set(seen)


def test_a_decision_leaves_the_state_as_it_was() -> None:
    for kind, match, _ in positions("cividale"):
        rules = match.rules
        state = rules.imagine(match.state, match.seat, None)
        before = rules.to_position(state)
        if kind in decide.PLANNED:
            decide.plan(chart_of(rules), state)
            decide.close(chart_of(rules), state)
        else:
            decide.answer(chart_of(rules), state)
        assert rules.to_position(state) == before, kind


def test_nothing_hidden_changes_what_it_does() -> None:
    asked: Counter[str] = Counter()
    for scenario in SHORT:
        for kind, match, _ in positions(scenario):
            answers = []
            for shuffled in (None, 1, 2):
                twin = match.copy()
                if shuffled is not None:
                    twin.state = twin.rules.shuffle_hidden(twin.state, twin.seat, Random(shuffled))
                answers.append(Steady(Random(0))(Seat(twin, twin.rules.seats[twin.seat])))
            assert answers[1:] == answers[:1] * 2, kind
            asked[kind] += 1
    assert {"activate", "act", "react", "defend", "plan", "move_others"} <= set(asked)


def test_an_assault_is_judged_by_the_odds_of_the_rules() -> None:
    """Without fire before it the chance to win is that of the dice."""
    seen = 0
    for kind, match, _ in positions("cividale"):
        if kind != "wave":
            continue
        rules = chart_of(match.rules).rules
        h, counter = match.state.frames[-1].args
        units = assailants.waiting(rules, match.state, h, counter)[:1]
        exact = forecasts.odds_of(rules, match.state, h, units, True)
        picture = Picture(chart_of(rules), match.state.copy(), rules.force[units[0]])
        found = judge(picture, ATTACK, h, units, 1.0, counter=True)
        assert found.win == pytest.approx(exact.odds.wins / exact.odds.of)
        seen += 1
    assert seen


def test_ways_are_as_long_as_they_cost() -> None:
    """A way to an objective is never longer than a step and the way from there."""
    rules = game("cividale")
    chart = chart_of(rules)
    for goal in rules.scene.objectives:
        ways = chart.ways_to(goal)
        assert ways[goal] == 0 and sum(way < FAR for way in ways) > 300
        for here in range(0, rules.grid.size, 7):
            for step in rules.prices.leads[rules.tables.feet.index("foot")][here]:
                if step.off_road > 0:
                    assert ways[here] <= step.off_road + ways[step.there]


def test_it_goes_only_where_it_can() -> None:
    """Every way that is found out of the enemy's fire can be walked, with as much left as is thought."""
    seen = 0
    for kind, match, _ in positions("cividale"):
        if kind != "act":
            continue
        rules, state = chart_of(match.rules).rules, match.state.copy()
        picture = decide.picture_of(chart_of(rules), state)
        for unit in rules.known(choice_of(rules, state)):
            left = marching.left_of(rules, state, (unit,))
            found = paths(picture, unit, left, marching.manner_of(state, (unit,)))
            for h in sorted(found.left)[::7]:
                walked = ways.walk(rules, state, (unit,), found.way(h), False)
                assert walked.refusal is None and walked.left >= found.left[h], (rules.ids[unit], rules.grid.ids[h])
                seen += 1
    assert seen > 20


def choice_of(rules: Caporetto, state: State) -> tuple[str, ...]:
    """Who may move now, as the rules say."""
    choice = rules.choices["act"]
    assert isinstance(choice, Moving)
    return rules.unit_ids(bits(choice.able(rules, state, state.frames[-1])))


def test_fire_on_the_way_is_reckoned_with() -> None:
    """10.1.2: a step beside an enemy costs points, in fog or far from him none."""
    rules = game("cividale")
    state = begin("cividale", 1).state.copy()
    picture = Picture(chart_of(rules), state, 0)
    index, near = rules.grid.index, picture.near_foes
    close = [(a, b) for a in bits(near) for b in rules.grid.adjacent[a] if near >> b & 1]
    assert any(picture.passing(a, b)[0] > 0 for a, b in close)
    assert picture.passing(index["2412"], index["2411"]) == (0.0, 0.0)


def test_a_formation_leaves_together_or_not_at_all() -> None:
    """23.1.exit: its points are worth something only if all of it can leave in time."""
    rules = game("what_if")
    state = begin("what_if", 1).state.copy()
    units = rules.formations[rules.formation_number("de-ir23")].members
    state.turn = rules.scene.last_turn
    way_out = next(bits(rules.ground.exits))
    for unit in units:
        put(rules, state, unit, way_out)
    force = rules.force[units[0]]
    assert Picture(chart_of(rules), state, force).exit_worth(units[0]) == pytest.approx(EXIT / len(units))
    put(rules, state, units[-1], rules.grid.index["1524"])
    assert Picture(chart_of(rules), state, force).exit_worth(units[0]) == 0.0


# Reasons


def test_every_decision_has_a_reason_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAMILIES, "caporetto", "caporetto")
    found = [(why, match.rules) for scenario in (*SHORT, "historical") for _, match, why in positions(scenario)]
    for language in LANGUAGES:
        for why, rules in found:
            sentence = tell(why, rules.texts(language), "caporetto")
            assert len(sentence) > 15 and sentence[-1] == "." and sentence[0].upper() == sentence[0], sentence
            assert not set("{}[]") & set(sentence), sentence
            said = {
                str(value) for key, value in why.data.items() if key != "formation"
            }  # which gives its name to its HQ
            assert not set(rules.ids) & said  # type: ignore[attr-defined]
    assert len({why.key for why, _ in found}) > 25


def test_plans_and_barrages_are_nobody_elses_business() -> None:
    """7.2, 6.0.e1: what gives away plans or points is told to one's own side alone."""
    for kind, _, why in positions("historical"):
        if kind in ("plan", "repair", "interdict"):
            assert why.secret


def test_the_texts_of_both_languages_go_together() -> None:
    first, second = (templates("caporetto", language) for language in LANGUAGES)
    assert list(first) == list(second)
    for key in first:
        assert _fields(first[key]) == _fields(second[key]), key
        assert not HIDDEN.search(str(first[key]) + str(second[key]))


def _fields(entry: object) -> set[str]:
    return set(re.findall(r"\{(\w+)", str(entry)))


# The campaigns


def campaign(force: str) -> Picture:
    """The first morning of the historical campaign as a force sees it."""
    rules = game("historical")
    state = begin("historical", 1).state.copy()
    return Picture(chart_of(rules), state, rules.scene.forces.index(force))


def test_a_plan_that_something_has_stopped_is_made_anew() -> None:
    """Its next move has become impossible: the others of the formation still act."""
    match = begin("maggiore", 11)
    hands = [Steady(Random(f"11/{seat}")) for seat in match.rules.seats]
    seats = [Seat(match, seat) for seat in match.rules.seats]
    while match.state.frames[-1].name != "act":
        match.play(hands[match.seat](seats[match.seat]))
    hand, seat = hands[match.seat], seats[match.seat]
    first = Steady(Random("11"))(seat)
    assert not isinstance(first, Done)
    hand.stretch, hand.plans, hand.stale = _stretch(match.state), 1, False
    hand.moves = [Answer(Move("nobody", ("4716",)), Reason("push"))]
    assert hand(seat) == first


def test_nobody_stays_behind_a_bridge_that_others_have_to_cross() -> None:
    picture = campaign("ahg-left")
    index, unit = picture.rules.grid.index, picture.rules.number["de-leib-1"]
    assert picture.landings[index["1423"]] >= 4 and index["1324"] not in picture.landings
    jam, free = (Posts(picture, structs.replace(ATTACK, jam=jam))(unit, index["1423"]) for jam in (0.25, 0.0))
    assert jam < free - 0.9


def test_the_matajur_is_worth_its_points_whoever_is_near() -> None:
    """24.15: nobody takes them back; another common hex would be lost again in the same turn."""
    picture = campaign("ahg-right")
    rules, index = picture.rules, picture.rules.grid.index
    put(rules, picture.state, rules.number["it-277-1"], index["2702"])
    assert picture.lasting(index["3017"], 0.0) == 1.0 and picture.lasting(index["2602"], 4.0) < 0.0


def test_what_is_taken_when_nobody_assaults_any_more_is_safe_for_the_turn() -> None:
    picture = campaign("ahg-right")
    h = picture.rules.grid.index["2623"]
    assert picture.lasting(h, 2.0) < 0.5 < picture.lasting(h, 12.0)
    picture.state.phase = "movement"
    assert picture.lasting(h, 2.0) == 1.0


def test_each_keeps_to_its_own_zone() -> None:
    """The 12th Division to Caporetto, the Schützen to the Stol."""
    picture = campaign("ahg-right")
    index, rules = picture.rules.grid.index, picture.rules
    zones = picture.chart.zones(picture.force)
    valley, plezzo = rules.formation_number("de-ir63"), rules.formation_number("ah-sch3")
    assert zones[valley][index["3022"]] < zones[plezzo][index["3022"]]
    assert zones[plezzo][index["4217"]] < zones[valley][index["4217"]]


def test_a_forced_march_may_end_in_an_assault_on_an_objective() -> None:
    """10.4: where the way along the valley is free, a battalion that could not reach Caporetto assaults it."""
    picture = campaign("ahg-right")
    rules, state, index = picture.rules, picture.state, picture.rules.grid.index
    unit = rules.number["de-23-1"]
    kept = rules.hqs | mask_of(state.stacks[index["3022"]])
    for other in range(len(rules.ids)):  # nobody is in the way
        if rules.side[other] and state.at[other] >= 0 and not kept >> other & 1:
            put(rules, state, other, ELIMINATED)
    put(rules, state, unit, index["1823"])
    state.phase, state.kind, state.active = "action", "action", picture.force
    state.commanded = 1 << unit
    state.frames.append(Frame("act", rules.scene.seat_of[picture.force]))
    plan = Action(Picture(picture.chart, state, picture.force), ATTACK)
    plan._able = 1 << unit
    found = plan.options()[index["3022"]]
    assert {one.forced for one in found} == {True}
    put(rules, state, unit, index["2621"])
    near = Action(Picture(picture.chart, state, picture.force), ATTACK)
    near._able = 1 << unit
    assert not all(one.forced for one in near.options()[index["3022"]])


# What brings an offensive on


def attacker(scenario: str = "historical", seed: int = 11) -> tuple[Caporetto, Picture]:
    """The picture of the first force of the AHG before its first action."""
    match = next(one for kind, one, _ in watched(scenario, seed)[1] if kind == "activate")
    rules = chart_of(match.rules).rules
    return rules, decide.picture_of(chart_of(rules), match.state.copy())


def test_nobody_passes_before_he_has_looked_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """24.4: in the first turn nobody answers him, so that who passes has ended the morning of his sector."""
    rules, picture = attacker()
    weights = decide.weights_of(picture)
    able = [one for one in actions.open_formations(rules, picture.state, picture.force) if lead.urgency(picture, one)]
    ranked = sorted(able, key=lambda one: (-lead.urgency(picture, one), one))
    assert len(ranked) > lead.LOOKED
    monkeypatch.setattr(lead, "prospect", lambda picture, weights, one: float(one == ranked[-1]))
    found = lead.activate(picture, weights).action
    assert found == actions.Activate(rules.formations[ranked[-1]].id)
    monkeypatch.setattr(lead, "prospect", lambda picture, weights, one: 0.0)
    assert lead.activate(picture, weights).action == actions.Pass()


def test_who_turns_from_a_division_looks_for_the_best_of_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """7.9: he ends what has begun, so that it is not the first of the others that follows but the best."""
    rules, picture = attacker()
    state, weights = picture.state, decide.weights_of(picture)
    able = [one for one in actions.open_formations(rules, state, picture.force) if lead.urgency(picture, one)]
    division = {one: command.order_name(rules, one) for one in able}
    begun = next(one for one in able if list(division.values()).count(division[one]) > 1)
    state.division[picture.force] = (division[begun],)
    others = sorted(
        [one for one in able if division[one] != division[begun]], key=lambda one: (-lead.urgency(picture, one), one)
    )
    promises = {others[0]: 1.0, others[1]: 3.0}
    monkeypatch.setattr(lead, "within_reach", lambda picture, one: 0.0)
    monkeypatch.setattr(lead, "prospect", lambda picture, weights, one: promises.get(one, 0.0))
    assert lead.activate(picture, weights).action == actions.Activate(rules.formations[others[1]].id)
    promises[begun] = 0.5  # what has begun comes first even so
    assert lead.activate(picture, weights).action == actions.Activate(rules.formations[begun].id)


def test_on_the_first_day_nobody_gives_up_his_trench() -> None:
    """Caltanissetta and Alessandria left the Mrzli on the first evening, when the valley behind them had been lost."""
    rules, found = attacker()
    state, weights = found.state, decide.weights_of(found)
    unit = rules.number["it-147-1"]
    here, home = state.at[unit], rules.homes[rules.force[unit]]
    beyond = next(h for h in bits(rules.grid.within(here, 3) & home) if h not in state.stacks)

    def held(turn: int, h: int) -> bool:
        state.turn = turn
        return Posts(Picture(found.chart, state, rules.force[unit]), weights)._is_told_to_hold(unit, h)

    assert found.trench_at(here, rules.side[unit]) > 0
    assert held(1, here) and held(2, here) and not held(3, here)
    assert not held(1, beyond)
    state.turn = 1
    picture = Picture(found.chart, state, rules.force[unit])
    least = structs.replace(weights, front=0.0)
    assert Posts(picture, weights)(unit, here) == pytest.approx(Posts(picture, least)(unit, here) + weights.front)
    put(rules, state, unit, beyond)
    picture = Picture(found.chart, state, rules.force[unit])
    assert Posts(picture, weights)(unit, here) == Posts(picture, least)(unit, here)  # nobody goes back for it


def test_what_is_far_is_told_without_a_way() -> None:
    """The way to what is to be taken, with all that bars it, is never shorter than the march to it."""
    rules, picture = attacker()
    for unit in list(bits(rules.of_force[picture.force] & rules.combat))[::5]:
        h = picture.state.at[unit]
        if h >= 0:
            assert picture.nearest(h) <= picture.way_of(unit)[h]


def test_fire_wears_down_what_cannot_be_stormed_yet() -> None:
    """12.1.5: a hit stays, so guns go on at an objective before one's own and at what cuts the road."""
    _, picture = attacker()
    near = next(h for h in bits(picture.beside & picture.foes) if h not in picture.wanted and h not in picture.cutting)
    assert fires._siege(picture, (near, 0)) == 1.0
    picture.wanted[near] = 4.0
    assert fires._siege(picture, (near, 0)) == 1.0 + 4.0 * fires.BESIEGED
    assert fires._siege(picture, (near, 1)) == 1.0  # counter-battery fire wears down nobody
    far = next(h for h in picture.wanted if not picture.beside >> h & 1)
    assert fires._siege(picture, (far, 0)) == 1.0


def test_a_stray_unit_that_starves_many_is_shot_at_and_stormed() -> None:
    """9.2.1: one battalion beside a road starved a corps behind it for two days, and the guns fired elsewhere."""
    rules, picture = attacker()
    state, chart, force = picture.state, picture.chart, picture.force
    for h in bits(picture.foes):
        for unit in list(state.stacks[h]):
            put(rules, state, unit, ELIMINATED)
    assert not Picture(chart, state, force).relief
    stray = next(u for u in bits(rules.of_force[foe(rules, force)] & rules.assaulting) if rules.begins[u] >= 0)

    def starved(h: int) -> int:
        put(rules, state, stray, h)
        seen = Picture(chart, state, force)
        hungry = state.occ[seen.side] & rules.homes[force] & ~seen.fed
        return sum((rules.combat & mask_of(state.stacks[x])).bit_count() for x in bits(hungry))

    free = [h for h in bits(rules.homes[force]) if h not in state.stacks]
    h = max(free[::7], key=starved)
    hungry, seen = starved(h), Picture(chart, state, force)
    assert hungry >= 5 and seen.relief == {h: min(hungry, worths.MOST_FED)}
    weights = decide.weights_of(seen)
    unit = next(u for u in bits(rules.of_force[force] & rules.assaulting) if state.at[u] >= 0)
    bare = hex_worth(seen, structs.replace(weights, relief=0.0), h, state.at[unit], unit)
    assert hex_worth(seen, weights, h, state.at[unit], unit) == pytest.approx(bare + weights.relief * seen.relief[h])
    if not seen.beside >> h & 1:
        assert fires._siege(seen, (h, 0)) == 1.0 + fires.RELIEVED * seen.relief[h]
    assert fires._siege(seen, (h, 0)) >= 2.0 and fires._siege(seen, (h, 1)) == 1.0


def test_a_trench_that_guns_lay_low_is_reckoned_with() -> None:
    rules, picture = attacker()
    index, state = rules.grid.index, picture.state
    wave = [unit for unit in state.stacks[index["1523"]] if rules.combat >> unit & 1][:2]
    h = next(h for h in bits(rules.grid.ring[index["1523"]] & picture.foes) if picture.trench_at(h, 1))
    before, after = (judge(picture, ATTACK, h, wave, 2.0, Help(0.0, levels)) for levels in (0.0, 1.0))
    assert after.win > before.win and after.gain > before.gain


def test_who_passes_a_place_asks_who_can_come_back() -> None:
    """23.1.counter, 24.3: only who can be there in the same turn takes it back; who has acted does not."""
    rules, picture = attacker()
    goal, state = rules.grid.index["2602"], picture.state
    for h in bits(rules.grid.within(goal, 20) & picture.foes):
        for unit in list(state.stacks[h]):
            put(rules, state, unit, ELIMINATED)
    assert not Picture(picture.chart, state, picture.force).comes_back(goal)
    unit = rules.number["it-273-3"]
    put(rules, state, unit, rules.grid.index["2702"])
    near = Picture(picture.chart, state, picture.force)
    assert near.comes_back(goal) and near.lasting(goal, 0.0) == -1.0
    put(rules, state, unit, rules.grid.index["3303"])
    assert Picture(picture.chart, state, picture.force).comes_back(goal)  # strategically
    state.activated |= 1 << unit
    spent = Picture(picture.chart, state, picture.force)
    assert not spent.comes_back(goal) and spent.lasting(goal, 0.0) == 1.0


def test_a_place_behind_the_front_keeps_its_garrison() -> None:
    """10.3.2: battalions marched on out of places in which nobody threatened them at once, and Italians who had been
    passed by rode into them along empty roads."""
    rules, picture = attacker()
    state, chart, goal = picture.state, picture.chart, rules.grid.index["4217"]
    for h in bits(picture.foes):
        for unit in list(state.stacks[h]):
            put(rules, state, unit, ELIMINATED)
    battalion = next(unit for unit in bits(rules.of_force[picture.force] & rules.zoc_makers) if state.at[unit] >= 0)
    force = next(one for one, side in enumerate(chart.sides) if rules.homes[one] >> goal & 1 and not side)
    put(rules, state, battalion, goal)
    state.control[force] |= 1 << goal
    state.turn = 3  # nobody rides on the first (24.9)
    enemy, ways = foe(rules, force), chart.ways_to(goal)
    rider = next(u for u in bits(rules.of_force[enemy] & rules.assaulting & ~state.ooc) if rules.begins[u] >= 0)
    assert movement.allowance(rules, state, (rider,), worths.FORCED) < posts.SOON
    put(rules, state, rider, next(h for h in bits(rules.homes[force]) if posts.SOON < ways[h] < posts.SOON + 8))
    seen = Picture(chart, state, force)
    assert seen.arrival[goal] > posts.SOON and seen.comes_back(goal)  # he may ride, and sees no garrison that bars him
    assert state.stacks[goal] == (battalion,)
    weights = steady_weights(seen.side, seen.left)
    least = Posts(seen, structs.replace(weights, hold=0.0))(battalion, goal)
    assert Posts(seen, weights)(battalion, goal) == pytest.approx(least + GARRISONED * seen.kept[goal])
    assert steady_weights(1 - seen.side, 8).hold == STEADY[1 - seen.side].hold  # who defends holds as before
    state.activated |= 1 << rider  # who has acted rides nowhere
    assert not Posts(Picture(chart, state, force), weights)._may_be_lost(goal)


def test_before_a_halt_it_assaults_against_the_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """23.3: a second turn without a place ends the offensive, so a small chance is better than none."""
    match = next(one for kind, one, _ in positions("historical") if kind == "act")
    monkeypatch.setattr(act, "HOPELESS", 1.1)
    for quiet, fights in ((0, False), (1, True)):
        state = match.state.copy()
        state.quiet, state.captured = quiet, ()
        picture = decide.picture_of(chart_of(match.rules), state)
        plan = Action(picture, decide.weights_of(picture))
        assert picture.halting is fights
        plan.promise()
        assert bool(plan.targets) is fights


# What is spared, and what is left behind


def test_in_the_end_nobody_is_spared() -> None:
    """23.1: after the last turn of a campaign places and prisoners count, and no step that is left."""
    for scenario, spares in (("historical", False), ("cividale", True)):
        match = next(one for kind, one, _ in positions(scenario) if kind == "activate")
        state = match.state.copy()
        state.turn = match.rules.scene.last_turn
        last = decide.weights_of(decide.picture_of(chart_of(match.rules), state))
        assert last.prisoner == ATTACK.prisoner and last.take == ATTACK.take
        assert (last.step < ATTACK.step / 2) is not spares
    _, picture = attacker()
    assert decide.weights_of(picture) == structs.replace(ATTACK, hold=GARRISONED)


def test_who_wins_worn_out_holds_little() -> None:
    """23.1.counter: what is left of a battalion after an assault has to hold what it takes."""
    rules, picture = attacker()
    unit = next(one for one in bits(rules.of_force[picture.force] & rules.assaulting) if rules.morale[one] == 6)
    assert picture.vigour((unit,), act.SPENT_IN_IT) == picture.vigour((unit,))
    picture.state.dp[unit] = 4
    assert picture.vigour((unit,), act.SPENT_IN_IT) < picture.vigour((unit,)) / 2


def test_one_is_left_behind_in_a_place_that_was_taken() -> None:
    """23.1: who attacks leaves one to hold it, and a second only where the enemy is next to it."""
    rules, picture = attacker()
    place, state = Posts(picture, ATTACK), picture.state
    held = [h for h in bits(state.occ[picture.side] & picture.home) if picture.arrival[h] < posts.SOON]
    near = next(h for h in held if picture.near_foes >> h & 1)
    far = next(h for h in held if not picture.near_foes >> h & 1)
    firm = [unit for unit in bits(rules.of_force[picture.force] & rules.zoc_makers) if place._is_firm(unit)]
    company = next(u for u in bits(rules.of_force[picture.force] & rules.zoc_makers) if not place._is_firm(u))
    assert place._guard(far, firm[0], []) == place._guard(near, firm[0], []) == 1.0
    assert place._guard(far, firm[0], firm[1:2]) == 0.0 < place._guard(near, firm[0], firm[1:2])
    # a company alone is thrown out by anybody: the battalion beside it does not leave it behind
    assert place._guard(far, company, []) == posts.COMPANY < place._guard(far, firm[0], [company]) == 1.0
    assert place._guard(far, company, firm[:1]) == place._guard(far, company, [company]) == 0.0
    assert rules.scene.matajur not in picture.kept
    state.control[picture.force] |= 1 << rules.scene.matajur
    assert rules.scene.matajur in Picture(picture.chart, state, picture.force).kept
    state.matajur = picture.force  # 24.15: for good
    assert rules.scene.matajur not in Picture(picture.chart, state, picture.force).kept


def test_nobody_steps_into_what_would_be_lost_again_to_assault_from_there() -> None:
    """23.1.counter, 24.3: who goes through Cividale has taken it, and whoever walks through after him takes it back."""
    picture = campaign("ahg-right")
    rules, state, index = picture.rules, picture.state, picture.rules.grid.index
    goal, there = index["2602"], index["2702"]
    for h in bits(rules.grid.within(goal, 20) & picture.foes):
        for unit in list(state.stacks[h]):
            put(rules, state, unit, ELIMINATED)
    enemy, unit = rules.number["it-273-3"], rules.number["de-63-1"]
    put(rules, state, enemy, there)
    put(rules, state, unit, index["2603"])
    state.phase, state.kind, state.active = "action", "action", picture.force
    state.commanded = 1 << unit
    state.frames.append(Frame("act", rules.scene.seat_of[picture.force]))
    for acted, through in ((False, False), (True, True)):
        state.activated = 1 << enemy if acted else 0
        plan = Action(Picture(picture.chart, state, picture.force), ATTACK)
        plan._able = 1 << unit
        assert goal in plan.reach(unit).left
        assert any(one.here == goal for one in plan.options()[there]) is through


def test_a_way_over_the_edge_is_opened_for_those_who_can_still_leave() -> None:
    """23.1.exit: an enemy in it bars the points of every formation that could be there in time."""
    picture = campaign("ahg-right")
    rules, state, index = picture.rules, picture.state, picture.rules.grid.index
    door, formation = index["5201"], rules.formations[rules.formation_of[rules.number["ah-59-1"]]]
    put(rules, state, rules.number["it-273-3"], door)
    assert not Picture(picture.chart, state, picture.force).doors  # nobody leaves yet
    state.turn = rules.scene.last_turn - 1
    assert Picture(picture.chart, state, picture.force).doors[door] == 0.0
    for unit in formation.members:
        if state.at[unit] >= 0:
            put(rules, state, unit, index["5205"])
    near = Picture(picture.chart, state, picture.force)
    assert near.doors[door] > 0.0
    unit = formation.members[0]
    worth = hex_worth(near, ATTACK, door, index["5202"], unit)
    near.doors[door] = 0.0
    assert worth > hex_worth(near, ATTACK, door, index["5202"], unit)


def test_a_bridge_in_the_enemys_hands_is_not_counted_on() -> None:
    """19.2: what leads over the bridge of Caporetto seems farther as long as Italians are at both ends of it."""
    picture = campaign("ahg-right")
    rules, state = picture.rules, picture.state
    ends = {rules.grid.index["2923"], rules.grid.index["3022"]}
    number = next(n for n in bits(rules.ground.isonzo_bridges) if set(rules.ground.bridges[n][:2]) == ends)
    assert state.standing >> number & 1 and not picture.crossings >> number & 1
    unit, h = rules.number["de-63-1"], rules.grid.index["2923"]
    far = picture.way_of(unit)[h]
    state.control[picture.force] |= 1 << h
    near = Picture(picture.chart, state, picture.force)
    assert near.crossings >> number & 1 and near.way_of(unit)[h] < far
