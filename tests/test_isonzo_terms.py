"""What a good player of Isonzo thinks of, each shown in a real position.

The positions are those before the Italians move on turns 4, 5, 8 and 10 of a game of seed 4242, planner-2:32p against
the raider.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from test_steady import rules_of

import fronte
from fronte.ai import Seat, player
from fronte.ai.inferno.guards import Guarded, Sentry
from fronte.ai.inferno.intents import reweighed
from fronte.ai.inferno.raids import BOLDER, MOST_RAIDS, Raid
from fronte.ai.inferno.steadfast import Steadfast
from fronte.ai.inferno.steady import policy
from fronte.ai.inferno.steady.charges import span_ends
from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.inferno.steady.posts import Posts
from fronte.ai.inferno.steady.weights import FIRST, Weights, late, weights_of
from fronte.engine.match import Match
from fronte.games.inferno.combat import Attack
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.movement import Move, Recover
from fronte.games.isonzo.reinforcements import Return

FOLDER = Path(__file__).parent / "positions"
TURNS = (4, 5, 8, 10)


def at_turn(turn: int) -> Match:
    data = json.loads((FOLDER / f"isonzo-4242-turn-{turn}.json").read_text(encoding="utf-8"))
    return fronte.position("isonzo", data, seed=5)


def planned(turn: int, kind: type[Campaign], weights: Weights) -> Campaign:
    """The Italians' Movement Phase of a turn with all its moves made."""
    return whole(at_turn(turn), kind, weights)


def whole(match: Match, kind: type[Campaign], weights: Weights) -> Campaign:
    """The Italians' Movement Phase that a match has come to, with all its moves made."""
    campaign = kind(policy.prepare(rules_of(match), match.state.copy(), ITALIAN).for_planning(), weights)
    campaign.plan()
    return campaign


def steady(turn: int) -> Campaign:
    return planned(turn, Steadfast.kind, weights_of("isonzo")[ITALIAN])


def raider(turn: int) -> Campaign:
    return planned(turn, Raid, reweighed(weights_of("isonzo", file=FIRST)[ITALIAN], BOLDER))


def alone(posts: Posts) -> int:
    """Hexes that an enemy could walk into after his next move."""
    posts.watch()
    return posts.threat & ~posts.state.zocs[posts.side]


def lone_guns(campaign: Campaign) -> int:
    """Guns that an enemy could walk into."""
    open_to = alone(campaign.posts)
    at = [campaign.state.at[gun] for gun in campaign.rules.guns_of[ITALIAN]]
    return sum(1 for h in at if h >= 0 and open_to >> h & 1)


@cache
def turn_of(spec: str, turn: int) -> tuple[Match, tuple[dict[str, Any], ...]]:
    """A whole Italian player turn, and what was said of its attacks."""
    match = at_turn(turn)
    hands = [player(spec, "a", game="isonzo"), player("steady", "b", game="isonzo")]
    told = []
    while match.state.active == ITALIAN:
        action = hands[match.seat](Seat(match, match.rules.seats[match.seat]))
        if isinstance(action, Attack):
            told.append(dict(hands[ITALIAN].why.data))  # type: ignore[attr-defined]
        match.play(action)
    return match, tuple(told)


def test_supply_is_seen_ahead_who_stands_at_three_pontoons_does_not_march_off_to_attack() -> None:
    """Turn 4: the only two brigades at 1710, where three pontoons end, both went to an attack from 1811."""
    found = raider(4)
    end = found.rules.grid_index["1710"]
    assert span_ends(found.picture, ITALIAN).count(end) == 3
    assert alone(found.posts) >> end & 1
    assert not alone(steady(4).posts) >> end & 1


def test_nor_does_who_stands_there_advance_after_combat() -> None:
    match, _ = turn_of("steady", 4)
    picture = policy.prepare(rules_of(match), match.state.copy(), ITALIAN)
    posts = Posts(picture, weights_of("isonzo")[ITALIAN])
    assert not any(alone(posts) >> h & 1 for h in span_ends(picture, ITALIAN))


@pytest.mark.parametrize("turn", TURNS)
def test_guns_are_not_left_to_whoever_comes_by(turn: int) -> None:
    assert lone_guns(steady(turn)) <= lone_guns(raider(turn))


def test_who_has_not_moved_when_all_have_posts_looks_again() -> None:
    """Turn 3 of a game of steady: one unit more moves, nobody twice, and all else is as it was."""
    match = fronte.new("isonzo", seed=2)
    hands = [player("steady", f"2 {seat}", game="isonzo") for seat in match.rules.seats]
    while (match.state.turn, match.state.frames[-1].name) != (3, "movement"):
        match.play(hands[match.seat](Seat(match, match.rules.seats[match.seat])))
    weights = weights_of("isonzo")[ITALIAN]
    before, after = ([answer.action for answer in whole(match, kind, weights).actions] for kind in (Guarded, Sentry))
    more = [action for action in after if action not in before]
    assert [action for action in after if action in before] == before
    (unit,) = (action.unit for action in more if isinstance(action, Move))
    assert unit not in [action.unit for action in before if isinstance(action, (Move, Recover))]


@pytest.mark.parametrize("turn", TURNS)
def test_nobody_can_come_next_to_gorizia_after_the_turn(turn: int) -> None:
    """15.e: what ends the game at once."""
    match, _ = turn_of("steady", turn)
    rules = rules_of(match)
    campaign = Campaign(policy.prepare(rules, match.state.copy(), ITALIAN), weights_of("isonzo")[ITALIAN])
    assert rules.board.gorizia
    assert not campaign.terms.laid_open(campaign)


def hopeless(attacks: tuple[dict[str, Any], ...], trenches: int, rules: Any) -> list[str]:
    """Hexes of trenches that were attacked with hardly a chance and more to lose than to inflict."""
    return [
        told["hex"]
        for told in attacks
        if trenches >> rules.grid_index[told["hex"]] & 1 and told["win"] < 15 and told["own"] > told["enemy"]
    ]


def test_a_trench_is_not_run_against_without_a_chance() -> None:
    """Turn 4: 2412 at 1:1.5, 3413 at 1:1 and 1208 at 1.5:1, each won in 7 or 8 % of cases and costing more than it
    inflicts, were attacked turn after turn."""
    rules = rules_of(at_turn(4))
    trenches = rules.board.trench[AH]
    assert hopeless(turn_of("raider", 4)[1], trenches, rules)
    for turn in (4, 5, 8):
        assert not hopeless(turn_of("steady", turn)[1], trenches, rules)


def test_when_the_game_may_end_terms_count_otherwise() -> None:
    """1.4: from turn 8 on, and only then."""
    weights = weights_of("isonzo")[ITALIAN]
    assert late(weights) != weights
    assert late(late(weights)) == late(weights)
    for turn in TURNS:
        match = at_turn(turn)
        picture = policy.prepare(rules_of(match), match.state.copy(), ITALIAN)
        assert isinstance(picture, Picture)
        assert picture.timely(weights) == (late(weights) if turn >= 8 else weights)
        assert picture.timely(weights_of("isonzo", file=FIRST)[ITALIAN]) == weights_of("isonzo", file=FIRST)[ITALIAN]


def defended(turn: int, weights: Weights) -> Campaign:
    """The Austro-Hungarians' Movement Phase, as if it were their turn, with all its moves made."""
    match = at_turn(turn)
    campaign = Sentry(policy.prepare(rules_of(match), match.state.copy(), AH).for_planning(), weights)
    campaign.plan()
    return campaign


def guns_in_the_line(campaign: Campaign) -> int:
    """12.3: guns with an escort that the enemy could attack: if it has to retreat, they are lost."""
    campaign.posts.watch()
    state, ring = campaign.state, campaign.rules.board.grid.ring
    near = campaign.posts.threat | state.zocs[ITALIAN]
    at = [state.at[gun] for gun in campaign.rules.guns_of[AH]]
    return sum(1 for h in at if h >= 0 and state.zocs[AH] >> h & 1 and ring[h] & near)


def test_guns_of_the_defender_leave_the_line_in_time() -> None:
    weights = weights_of("isonzo")[AH]
    before = guns_in_the_line(defended(5, msgspec.structs.replace(weights, limber=0.0)))
    assert guns_in_the_line(defended(5, weights)) < before


@pytest.mark.parametrize(("turn", "side", "all_may"), [(5, AH, False), (8, AH, True), (8, ITALIAN, False)])
def test_who_moves_last_sends_everybody_when_the_game_may_be_over(turn: int, side: int, all_may: bool) -> None:
    """1.4: from turn 8 on; what he walks into cannot be taken back if it ends."""
    match = at_turn(turn)
    campaign = Sentry(policy.prepare(rules_of(match), match.state.copy(), side), weights_of("isonzo")[side])
    campaign.ready = campaign.at_the_front()
    assert len(campaign.ready) > MOST_RAIDS
    assert campaign.most_raids == (len(campaign.ready) if all_may else MOST_RAIDS)


@pytest.mark.parametrize(("recall", "comes"), [(2.0, True), (9.0, False), (0.0, False)])
def test_an_emergency_unit_comes_for_what_it_can_walk_back(recall: float, comes: bool) -> None:
    """13.2, 15: turn 10, two and three points lie open near the edge, and the unit costs one."""
    match = at_turn(10)
    weights = dict(weights_of("isonzo"))
    weights[AH] = msgspec.structs.replace(weights[AH], recall=recall)
    hands = [Steadfast(Random("a"), weights), Steadfast(Random("b"), weights)]
    answers = []
    while match.state.turn == 10 and (match.state.active, match.state.phase) != (AH, "movement"):
        answers.append(hands[match.seat](Seat(match, match.rules.seats[match.seat])))
        match.play(answers[-1])
    assert any(isinstance(action, Return) for action in answers) == comes
