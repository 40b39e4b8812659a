"""Ratings of a pool: known ones are found again, whatever the order, and a player that won everything has one too."""

from __future__ import annotations

import math
from itertools import combinations
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from fronte.ai import ratings
from fronte.ai.arena import Bout, margin_of, mirrored
from fronte.ai.ratings import AT, everybody, standings
from fronte.cli import app


def row(first: str, second: str, margin: int, seed: int = 0) -> dict[str, Any]:
    """A pair as a row, in which the first player takes two seconds and the second one."""
    games = [
        {"players": [first, second], "merits": [20 + margin, -20 - margin], "cpu": [2.0, 1.0]},
        {"players": [second, first], "merits": [20, -20], "cpu": [1.0, 2.0]},
    ]
    key = {"game": "isonzo", "scenario": "historical", "options": {}, "players": [first, second], "cpu": False}
    return {**key, "seats": ["italian", "ah"], "seed": seed, "margin": margin_of(games), "games": games}


def won(first: str, second: str, *tally: int) -> list[dict[str, Any]]:
    """Pairs won, even and lost."""
    return [row(first, second, margin) for margin, count in zip((5, 0, -5), tally, strict=True) for _ in range(count)]


def rated(rows: list[dict[str, Any]], players: list[str]) -> dict[str, int]:
    return {one["player"]: one["rating"] for one in standings(rows, players)["players"]}


@pytest.fixture(autouse=True)
def _fewer_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "RESAMPLES", 200)


TRUE = {"steady": 1500, "random": 1150, "raider": 1560, "planner:2s": 1740}


def made_up(seed: int, pairs: int) -> list[dict[str, Any]]:
    """Pairs of players of known strength."""
    rng = Random(seed)
    rows = []
    for first, second in combinations(TRUE, 2):
        share = 1 / (1 + 10 ** ((TRUE[second] - TRUE[first]) / 400))
        rows += [row(first, second, 5 if rng.random() < share else -5, k) for k in range(pairs)]
    return rows


def test_known_ratings_are_found_again() -> None:
    found = standings(made_up(3, 400), list(TRUE))
    assert [one["player"] for one in found["players"]] == ["planner:2s", "raider", "steady", "random"]
    for one in found["players"]:
        low, high = one["rating_95"]
        assert abs(one["rating"] - TRUE[one["player"]]) < 40, one
        assert low <= TRUE[one["player"]] <= high and high - low < 150, one
    assert found["anchor"] == "steady"


def test_the_interval_is_narrower_with_more_pairs() -> None:
    widths = []
    for pairs in (10, 160):
        found = standings(made_up(5, pairs), list(TRUE))["players"]
        widths.append({one["player"]: one["rating_95"][1] - one["rating_95"][0] for one in found})
    assert all(3 * widths[1][name] < 2 * widths[0][name] for name in TRUE if name != "steady"), widths


def test_two_players_have_the_rating_that_can_be_reckoned_by_hand() -> None:
    """One more pair is even: 16 won of 20 are 16.5 of 21."""
    above = 400 * math.log10(16.5 / 4.5)
    assert rated(won("a", "b", 16, 0, 4), ["a", "b"]) == {"a": AT, "b": round(AT - above)}
    assert rated(won("a", "steady", 15, 2, 3), ["a", "steady"]) == {"a": round(AT + above), "steady": AT}


def test_order_makes_no_difference_and_chance_has_no_part() -> None:
    rows, players = made_up(7, 12), list(TRUE)
    told = standings(rows, players)
    assert standings(rows, players) == told
    turned = [mirrored(one) if k % 3 else one for k, one in enumerate(rows)]
    Random(1).shuffle(turned)
    assert standings(turned, players[::-1]) == told, "the anchor is steady, wherever it is named"


def test_who_won_everything_has_a_rating_and_no_certainty() -> None:
    found = standings(won("steady", "random", 10, 0, 0), ["steady", "random"])["players"]
    low, high = found[1]["rating_95"]
    assert 900 < low <= found[1]["rating"] < high < 1500


def test_the_first_is_the_anchor_where_steady_does_not_play() -> None:
    found = standings(won("b", "a", 4, 0, 1), ["b", "a"])
    assert found["anchor"] == "b"
    assert (found["players"][0]["rating"], found["players"][0]["rating_95"]) == (AT, [AT, AT])


def test_the_table_tells_everybody_against_everybody() -> None:
    rows = won("a", "b", 2, 1, 0) + won("c", "a", 1, 0, 0) + won("b", "c", 0, 0, 2)
    found = {one["player"]: one for one in standings(rows, ["a", "b", "c"])["players"]}
    assert found["a"]["against"]["b"] == {"pairs": 3, "won": 2, "even": 1, "lost": 0, "margin": 3.33}
    assert found["b"]["against"]["a"] == {"pairs": 3, "won": 0, "even": 1, "lost": 2, "margin": -3.33}
    assert (found["c"]["pairs"], found["c"]["won"], found["c"]["lost"]) == (3, 3, 0)
    assert found["a"]["cpu_per_game"] == 1.75


def test_two_who_never_met_are_compared_by_those_whom_both_met() -> None:
    rows = won("a", "b", 6, 0, 2) + won("b", "c", 6, 0, 2)
    found = rated(rows, ["a", "b", "c"])
    assert found["a"] > found["b"] > found["c"]


def test_a_pool_is_every_two_players_on_the_same_seeds() -> None:
    bouts = everybody(Bout("isonzo", "", (), ("a", "b"), 7, True), ["a", "b", "c"], 2)
    assert [(bout.players, bout.seed) for bout in bouts] == [
        (two, seed) for seed in (7, 8) for two in (("a", "b"), ("a", "c"), ("b", "c"))
    ]
    assert all(bout.game == "isonzo" and bout.cpu for bout in bouts)


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ([], "name two players with --players, or two or more with --pool"),
        (["--players", "random,random", "--pool", "random,steady"], "name two players with --players"),
        (["--pool", "random"], "a pool has two players or more"),
        (["--pool", "random,steady,random"], "a pool has each player once"),
        (["--pool", "random,nobody"], "no player 'nobody'"),
    ],
)
def test_a_pool_that_cannot_be_is_refused(named: list[str], why: str) -> None:
    refused = CliRunner().invoke(app, ["arena", "isonzo", *named])
    assert refused.exit_code == 1 and refused.stderr.startswith(f"error: {why}"), refused.output
