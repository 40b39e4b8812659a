"""Guards: who raids thinks of what raiders come for, pontoons and guns of his own."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from test_raider import only
from test_steady import at_decision, rules_of

import fronte
from fronte.ai import Seat, player
from fronte.ai.inferno.guards import Guarded, Watchful
from fronte.ai.inferno.intents import Intent, raiding
from fronte.ai.inferno.planner import policy_of as planner_of
from fronte.ai.inferno.raids import Raid
from fronte.ai.inferno.steady import policy
from fronte.ai.inferno.steady.charges import STAKE, span_ends
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.inferno.steady.weights import FIRST, weights_of
from fronte.ai.inferno.stubborn import Bulwark
from fronte.engine.match import Match
from fronte.games.inferno.counters import ITALIAN
from fronte.games.inferno.state import DONE
from fronte.hexes import bits


def planned(match: Match, side: int, kind: type[Campaign]) -> Campaign:
    """A Movement Phase as it is planned by who is of this kind, with all its moves made."""
    picture = policy.prepare(rules_of(match), match.state.copy(), side).for_planning()
    campaign = kind(picture, raiding(weights_of("isonzo", file=FIRST)[side]).weights)
    campaign.plan()
    return campaign


def counters_of_then(folder: Path) -> Path:
    """A pack with the counters of the day when the game below was looked at: weaker brigades and reduced faces."""
    rows = list(csv.DictReader(io.StringIO(fronte.ruleset("isonzo").pack.text("units.csv"))))
    for row in rows:
        if (row["attack"], row["defence"]) == ("4", "6"):
            row["defence"] = "5"
        if row["defence"] == "4" and row["defence2"]:
            row["defence2"] = "2"
    with (folder / "units.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return folder


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Match]:
    """Turns 4, 5 and 8 of a game between raiders, before the Italians move."""
    match = fronte.new("isonzo", seed=4242, packs=(counters_of_then(tmp_path_factory.mktemp("then")),))
    hands = [player("raider", f"4242 {seat}", game="isonzo") for seat in match.rules.seats]
    found: dict[int, Match] = {}
    for turn in (4, 5, 8):
        while (match.state.turn, match.seat, match.state.frames[-1].name) != (turn, ITALIAN, "movement"):
            match.play(hands[match.seat](Seat(match, match.rules.seats[match.seat])))
        found[turn] = Match.resume(match.rules, match.state.copy())
    return found


@pytest.fixture
def fifth(turns: dict[int, Match]) -> Match:
    """Turn 5: three pontoons of the Italians end in 1710."""
    return turns[5]


def left_open(campaign: Campaign, hexes: Iterable[int]) -> set[str]:
    """Which of these hexes an enemy could walk into after a plan has been carried out."""
    campaign.posts.watch()
    alone = campaign.posts.threat & ~campaign.state.zocs[campaign.side]
    return {campaign.rules.hex_id(h) for h in hexes if alone >> h & 1}


@pytest.mark.parametrize(("turn", "end"), [(4, "1709"), (5, "1710"), (8, "1811")])
def test_in_three_positions_no_end_of_a_pontoon_is_left_to_the_enemy(
    turns: dict[int, Match], turn: int, end: str
) -> None:
    """The planner was seen to leave them; a plan that thinks of them above all is now among its candidates."""
    match = turns[turn]
    ends = set(span_ends(policy.prepare(rules_of(match), match.state.copy(), ITALIAN), ITALIAN))
    assert left_open(planned(match, ITALIAN, Campaign), ends) == {end}
    assert left_open(planned(match, ITALIAN, Watchful), ends) == set()
    assert any(intent.kind is Watchful for intent in candidates(match))


def candidates(match: Match) -> list[Intent]:
    """The first plans that the planner thinks of."""
    state = match.state.copy()
    return list(islice(planner_of(match.rules).intents(state, ITALIAN, Random(1)), 4))


def test_what_is_taken_can_be_held(turns: dict[int, Match]) -> None:
    """On turn 5 a raid leaves five objectives open behind it, and who lets go of nothing leaves none."""
    match = turns[5]
    goals = list(bits(policy.prepare(rules_of(match), match.state.copy(), ITALIAN).chart.goals))
    ours = [h for h in goals if match.state.held >> h & 1]
    raid, firm = (left_open(planned(match, ITALIAN, kind), ours) for kind in (Raid, Bulwark))
    assert raid == {"1710", "1907", "2412", "2911", "3010"} and not firm


def test_somebody_stays_at_the_end_of_pontoons(fifth: Match) -> None:
    head = rules_of(fifth).grid_index["1710"]
    picture = policy.prepare(rules_of(fifth), fifth.state.copy(), ITALIAN)
    assert span_ends(picture, ITALIAN).count(head) == 3
    raid, watchful = (planned(fifth, ITALIAN, kind) for kind in (Raid, Watchful))
    assert not raid.state.zocs[ITALIAN] >> head & 1
    raid.posts.watch()
    assert raid.posts.threat >> head & 1, "one unit of the enemy could break all three"
    assert watchful.state.zocs[ITALIAN] >> head & 1


def test_ends_of_pontoons_count_as_objectives_do(fifth: Match) -> None:
    rules = rules_of(fifth)
    stakes = planned(fifth, ITALIAN, Guarded).posts.stakes
    assert stakes[rules.grid_index["1710"]] == 3 * STAKE
    assert not planned(fifth, ITALIAN, Raid).posts.stakes


@pytest.mark.parametrize("stays", [True, False])
def test_standing_with_guns_that_stay_is_worth_more(stays: bool) -> None:
    base = at_decision("isonzo", "movement", "italian", 2)
    match = only(base, {"it-art-4-1": "1409", "it-alessandria": "1411", "ah-3geb": "1407", "it-spezia": "3014"})
    rules = rules_of(match)
    gun, unit = rules.number["it-art-4-1"], rules.number["it-alessandria"]
    if stays:
        match.state.flags[gun] |= DONE
    worth = []
    for kind in (Raid, Guarded):
        campaign = kind(policy.prepare(rules, match.state.copy(), ITALIAN), weights_of("isonzo", file=FIRST)[ITALIAN])
        campaign.posts.stakes = campaign.stakes()
        campaign.posts.watch()
        campaign.posts.lift(unit)
        worth.append(campaign.posts.value(unit, match.state.at[gun]))
    more = weights_of("isonzo", file=FIRST)[ITALIAN].occupy * STAKE if stays else 0.0
    assert worth[1] - worth[0] == pytest.approx(more)
