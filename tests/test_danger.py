"""What the enemy may do: steady of Altipiani reckons with it, and those kept to be played against do not."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from test_steady import rules_of

import fronte
from fronte.ai.inferno.intents import drawn
from fronte.ai.inferno.steady import policy
from fronte.ai.inferno.steady.danger import Danger
from fronte.ai.inferno.steady.games import chart
from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.inferno.steady.posts import Posts
from fronte.ai.inferno.steady.weights import FIRST, weights_of
from fronte.engine.match import Match
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.state import place

ROVERETO = "1211"
NEW, OLD = weights_of("altipiani"), weights_of("altipiani", file=FIRST)


@pytest.fixture
def match() -> Match:
    return fronte.new("altipiani", seed=1)


def picture(match: Match, side: int) -> Picture:
    return Picture(chart(rules_of(match)), match.state.copy(), side)


def test_a_worn_brigade_alone_is_in_more_danger_than_a_fresh_one_and_two_in_less(match: Match) -> None:
    rules = rules_of(match)
    seen = picture(match, AH)
    here, unit, other = rules.grid_index[ROVERETO], rules.number["ah-6geb"], rules.number["ah-9geb"]
    fresh = Danger(seen).cost(here, (unit,))
    assert fresh > 0
    assert Danger(seen).cost(here, (unit, other)) < fresh
    seen.state.ce[unit] = 2
    assert Danger(seen).cost(here, (unit,)) > fresh


def test_far_from_the_enemy_there_is_none(match: Match) -> None:
    rules = rules_of(match)
    assert Danger(picture(match, AH)).cost(rules.grid_index["2002"], (rules.number["ah-6geb"],)) == 0.0


@pytest.mark.parametrize(("weights", "counts"), [(NEW, True), (OLD, False)])
def test_what_friends_bar_could_be_walked_into_once_they_have_left(
    match: Match, weights: dict[int, object], counts: bool
) -> None:
    seen = picture(match, AH)
    posts = Posts(seen, weights[AH])  # type: ignore[arg-type]
    posts.watch()
    assert bool(posts.walk_in >> rules_of(match).grid_index[ROVERETO] & 1) is counts


def test_an_objective_is_walked_into_once(match: Match) -> None:
    """With Rovereto empty one Italian goes in; who knew no better sent everybody."""
    rules = rules_of(match)
    state = match.state.copy()
    here = rules.grid_index[ROVERETO]
    for unit in list(state.stacks[here]):
        if rules.zoccer[unit]:
            place(rules, state, unit, rules.grid_index["1205"])
    seen = Picture(chart(rules), state, ITALIAN)
    assert seen.is_prize(here)
    campaign = Campaign(seen, NEW[ITALIAN])
    worth = campaign.posts.ground[here]
    campaign.posts.take([here])
    assert not seen.is_prize(here)
    assert campaign.posts.ground[here] < worth


def test_who_is_worn_fights_on_at_a_price(match: Match) -> None:
    rules = rules_of(match)
    seen = policy.prepare(rules, match.state.copy(), AH).for_planning()
    unit = rules.number["ah-6geb"]
    here = seen.state.at[unit]
    fresh = Campaign(seen, NEW[AH])._strain(unit, here)
    seen.state.ce[unit] = 2
    assert Campaign(seen, NEW[AH])._strain(unit, here) == pytest.approx(fresh + 2 * NEW[AH].tired)
    assert Campaign(seen, OLD[AH])._strain(unit, here) == 0.0


def test_guns_are_planned_for_every_combat_where_they_fire_in_every_one(match: Match) -> None:
    """12.3: no limit is printed; an option has one."""
    for options, again in (({}, True), ({"artillery_once_per_phase": "true"}, False)):
        game = fronte.new("altipiani", seed=1, options=options)
        seen = policy.prepare(rules_of(game), game.state.copy(), AH).for_planning()
        campaign = Campaign(seen, NEW[AH])
        before = list(campaign.guns)
        campaign.plan()
        assert (campaign.guns == before) is again


def test_those_kept_draw_the_weights_they_drew() -> None:
    """A term that counts nothing takes no number from the generator."""
    first, names = OLD[AH], OLD[AH].__struct_fields__
    rng = Random(7)
    found = drawn(first, rng)
    again = Random(7)
    for name in names:
        if getattr(first, name):
            again.gauss(0.0, 0.6)
    assert rng.random() == again.random()
    assert msgspec.structs.asdict(found)["danger"] == 0.0
