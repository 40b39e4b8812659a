"""What planners of Volturno and Caporetto have learnt: signs of positions, nets over them, and weights of their own."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

import fronte
from fronte.ai import Seat
from fronte.ai.learning import SelfPlay, read_tables, write_sides
from fronte.ai.nets import Net
from fronte.ai.volturno import decide
from fronte.ai.volturno.planner import policy_of
from fronte.ai.volturno.steady import Steady
from fronte.ai.volturno.weights import STEADY
from fronte.games.volturno.formations import Attempt

np = pytest.importorskip("numpy")

CASES = [("volturno", "short"), ("volturno", "full"), ("caporetto", "cividale"), ("caporetto", "maggiore")]


def part(game: str, name: str) -> Any:
    return import_module(f"fronte.ai.{game}.{name}")


@pytest.mark.parametrize(("which", "scenario"), CASES)
def test_every_sign_has_a_name_of_its_own(which: str, scenario: str) -> None:
    match = fronte.new(which, scenario, 3)
    policy = part(which, "planner").policy_of(match.rules)
    found, names = part(which, "signs").signs(policy.chart, match.state), part(which, "signs").names(match.rules)
    assert len(found) == len(names) == len(set(names))
    assert found[names.index("guess")] == pytest.approx(
        part(which, "value").value(policy.chart, match.state, _mine(which))
    )


def _mine(game: str) -> int:
    """The seat that signs are told for."""
    return 1 if game == "volturno" else 0


@pytest.mark.parametrize(("which", "scenario"), CASES)
def test_a_net_that_knows_only_the_guess_judges_as_the_guess_does(
    which: str, scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = fronte.new(which, scenario, 3)
    chart, judge = part(which, "planner").policy_of(match.rules).chart, part(which, "judge")
    net: Net = part(which, "tune_net").line_of(which, scenario)
    monkeypatch.setattr(judge, "net_for", lambda rules: net)
    for seat in range(2):
        assert judge.value(chart, match.state, seat) == pytest.approx(
            part(which, "value").value(chart, match.state, seat)
        )


def test_a_game_of_the_pool_is_the_same_again_and_told_after_every_stretch() -> None:
    tune = part("volturno", "tune_net")
    row = tune.play(SelfPlay("volturno", "short", 11))
    assert row == tune.play(SelfPlay("volturno", "short", 11))
    assert len(row["turns"]) > 20 and row["merits"][0] == -row["merits"][1]
    games = tune.games_of([row])
    assert games.signs.shape == (len(row["turns"]), len(tune.names_of("volturno", "short")))
    assert games.scores.tolist() == [row["merits"][1]]


def test_the_surface_finds_what_a_weight_is_worth() -> None:
    from fronte.ai.surface import Side

    rng, side = np.random.default_rng(1), Side(4)
    for batch in range(4):
        points = side.centre + rng.normal(0, 0.4, (200, 4))
        scores = 0.8 * points[:, 0] - 0.8 * points[:, 1] + rng.normal(0, 1, 200)
        side.add(points, scores, np.full(200, batch), 1.0)
    good, bad, *nothing = side.centre
    assert good > 1.0 and bad < -1.0 and max(map(abs, nothing)) < 0.7


def test_a_point_and_its_mirror_meet_the_same_enemy_and_every_enemy_is_met_as_often() -> None:
    from fronte.ai.surface import Settings, _drawn, _trials

    settings = Settings("altipiani", games=36, against=("steady", "raider"))
    drawn = _drawn(np.zeros(3), 36, np.random.default_rng(1))
    trials = _trials(settings, 0, 100, drawn, np.ones(3))
    assert [one.other for one in trials[:18]] == [one.other for one in trials[18:36]]
    assert all(
        a == -b
        for one, other in zip(trials, trials[18:36], strict=False)
        for a, b in zip(one.point, other.point, strict=True)
    )
    met = [one.other for one in trials[:36]]
    assert met.count("steady") == met.count("raider") == met.count((1.0, 1.0, 1.0)) == 12
    assert {one.other for one in trials[36:]} == {"steady", "raider"}  # the centre shows what it makes of those named


def test_the_other_side_of_a_tuned_game_may_be_anybody_who_is_named() -> None:
    from fronte.ai.surface import Trial, play
    from fronte.ai.tuning import tuner

    names = tuner("altipiani", "tune_surface").names
    none, others = ((0.0,) * len(names(fronte.ruleset("altipiani"), seat)) for seat in (0, 1))
    found = {other: play(Trial("altipiani", "vallarsa", 0, 3, none, other)) for other in ("steady", "raider")}
    again = play(Trial("altipiani", "vallarsa", 0, 3, none, others))
    assert again == found["steady"]  # what changes nothing plays as steady does


def test_a_point_that_changes_nothing_plays_caporetto_as_a_planner_with_steadys_weights_would() -> None:
    from fronte.ai.surface import Trial, play
    from fronte.ai.tuning import tuner

    own, rules = tuner("caporetto", "tune_surface"), fronte.ruleset("caporetto", "maggiore")
    none = (0.0,) * len(own.names(rules, 1))
    assert own.weights(rules, 1, none) == dict.fromkeys(own.names(rules, 1), 1.0)
    assert not {"front", "woken"} & {*own.names(rules, 0), *own.names(rules, 1)}  # they count in the campaigns alone
    # the planner that cannot think answers as steady does, and maggiore has no weights of its own
    assert play(Trial("caporetto", "maggiore", 1, 3, none, "steady")) == play(
        Trial("caporetto", "maggiore", 1, 3, none, (0.0,) * len(own.names(rules, 0)))
    )


def test_weights_of_one_scenario_leave_those_of_others(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    write_sides(file, "short", {"garibaldini": {"pull": 1}, "napoletani": {"pull": 2}})
    write_sides(file, "full", {"garibaldini": {"pull": 3}})
    write_sides(file, "short", {"napoletani": {"pull": 4}})
    pulls = {name: {side: one["pull"] for side, one in sides.items()} for name, sides in read_tables(file)[1].items()}
    assert pulls == {"short": {"garibaldini": 1.0, "napoletani": 4.0}, "full": {"garibaldini": 3.0}}


@pytest.mark.parametrize("scenario", ["short", "full"])
def test_each_side_of_volturno_has_weights_of_its_own_which_are_not_steadys(scenario: str) -> None:
    first = [policy_of(fronte.ruleset("volturno", scenario)).usual(seat).weights for seat in range(2)]
    assert first[0] != first[1] and STEADY not in first


def test_steady_answers_only_what_the_match_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it sees may mislead it: whoever is taken to have an occasion may have none."""
    match = fronte.new("volturno", "short", 5)
    hands = [Steady(Random(seat)) for seat in range(2)]
    seats = [Seat(match, name) for name in match.rules.seats]
    while match.decision is None or match.decision.kind != "activate":
        match.play(hands[match.seat](seats[match.seat]))
    monkeypatch.setattr(decide, "small", lambda *_: decide.Answer(Attempt("nobody"), decide.Reason("attempt")))
    match.play(hands[match.seat](seats[match.seat]))
