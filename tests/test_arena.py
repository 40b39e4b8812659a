"""The arena and the tuning: pairs, intervals, runs that are broken off, and an evolution that finds what is there."""

from __future__ import annotations

import gc
import json
import tomllib
from pathlib import Path
from random import Random

import msgspec
import pytest
from typer.testing import CliRunner

import fronte
from fronte.ai import check_player, player, players_of, usual_player
from fronte.ai.arena import Bout, bootstrap, many, margin_of, measure, play_pair, read_rows, strength, wilson
from fronte.ai.equations import solve
from fronte.ai.evolve import begin, draw, learn, population
from fronte.ai.inferno.steady.weights import Weights, scaled, weights_of
from fronte.ai.inferno.tune import Settings, tune, write_weights
from fronte.ai.inferno.tune_value import SelfPlay, explained, fit, gather, other_weights, write_worth
from fronte.ai.inferno.value import BASE, TERMS
from fronte.cli import app
from fronte.engine.rules import Result


def row(margin: int, seed: int = 0) -> dict[str, object]:
    """A pair as a row."""
    games = [
        {"players": ["a", "b"], "merits": [20 + margin, -20 - margin], "cpu": [2.0, 1.0]},
        {"players": ["b", "a"], "merits": [20, -20], "cpu": [1.0, 2.0]},
    ]
    key = {"game": "isonzo", "scenario": "historical", "options": {}, "players": ["a", "b"], "cpu": False}
    return {**key, "seats": ["italian", "ah"], "seed": seed, "margin": margin_of(games), "games": games}


def test_the_collector_is_as_it_was_after_many_games() -> None:
    before = gc.get_threshold()
    with pytest.raises(ZeroDivisionError), many(1) as run:
        assert list(run(str, [1, 2])) == ["1", "2"]
        assert gc.get_threshold()[0] > before[0]
        raise ZeroDivisionError
    assert gc.get_threshold() == before


def test_the_interval_of_wilson_is_the_known_one() -> None:
    assert wilson(42, 60) == pytest.approx((0.5749, 0.8014), abs=1e-3)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == pytest.approx(1.0)
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_bootstrap_is_the_same_for_the_same_values_and_holds_the_mean() -> None:
    values = [float(x) for x in range(-5, 25)]
    low, high = bootstrap(values)
    assert low < 9.5 < high
    assert (low, high) == bootstrap(values)


def test_strength_counts_pairs() -> None:
    found = strength([row(5), row(0), row(-3), row(10)])
    assert (found["won"], found["even"], found["lost"]) == (2, 1, 1)
    assert found["share"] == 0.5
    assert found["margin"] == 3.0
    assert found["cpu_per_game"] == [2.0, 1.0]
    assert found["merits"] == {"italian": [23.0, 20.0], "ah": [-20.0, -23.0]}


def test_a_margin_compares_players_whatever_the_seats_are_worth() -> None:
    def games(*merits: tuple[int, int]) -> list[dict[str, object]]:
        return [{"merits": list(pair)} for pair in merits]

    assert margin_of(games((7, -7), (7, -7))) == 0
    assert margin_of(games((9, -9), (4, -4))) == 5
    assert margin_of(games((-4, 4), (-9, 9))) == 5, "also where the second seat is the better one"
    assert margin_of(games((10, 10), (10, 10))) == 0, "both may win much"
    assert margin_of(games((10, 3), (4, 4))) == 3.5


def test_a_pair_of_any_game(any_game: str) -> None:
    scenario = list(fronte.games.registry.open_pack(any_game).toml("scenarios.toml"))[-1]
    found = play_pair(Bout(any_game, scenario, (), ("random", "random"), 3))
    rules = fronte.ruleset(any_game, scenario)
    for game in found["games"]:
        result = Result(game["level"], game["score"], game["winner"], ())
        assert game["merits"] == [rules.merit(result, seat) for seat in range(2)]
        assert game["turns"] >= 1 and len(game["cpu"]) == 2
    assert found["margin"] == found["games"][0]["merits"][0] + found["games"][1]["merits"][1]
    assert strength([found])["merits"].keys() == set(rules.seats)


def test_pairs_of_a_game_outside_the_program_with_two_processes(probe: str, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    bouts = [Bout(probe, "farm", (), ("random", "random"), seed) for seed in range(3)]
    together = list(measure(bouts, 2, file))
    told = [[{**game, "cpu": 0} for game in row["games"]] for row in together]
    assert told == [[{**game, "cpu": 0} for game in row["games"]] for row in map(play_pair, bouts)]
    assert list(measure(bouts, 2, file)) == together == read_rows(file)


def test_a_player_that_does_not_know_a_game_is_refused(probe: str) -> None:
    assert players_of(probe) == ["random"] and usual_player(probe) == "random"
    assert (
        players_of("isonzo")
        == players_of("altipiani")
        == ["random", "recruit", "steady", "raider", "stubborn", "planner", "planner-1", "planner-2"]
    )
    why = "planner does not play probe; the players that do are random"
    with pytest.raises(ValueError, match=why):
        check_player("planner:2s", probe)
    with pytest.raises(ValueError, match=why):
        player("planner", "1", game=probe)
    for command in (["arena", "--players", "random,planner"], ["simulate", "--players", "random,planner"]):
        refused = CliRunner().invoke(app, [command[0], probe, *command[1:]])
        assert refused.exit_code == 1 and refused.stderr.strip() == f"error: {why}"


def test_a_game_with_nothing_to_tune_is_refused(probe: str) -> None:
    for command, what in (
        (["weights", probe, "--seat", "north"], "weights of players to tune"),
        (["value", probe], "values"),
    ):
        refused = CliRunner().invoke(app, ["tune", *command])
        assert refused.exit_code == 1 and refused.stderr.startswith(f"error: probe has no {what}")


def test_a_pair_swaps_the_sides_and_compares_the_score() -> None:
    found = play_pair(Bout("isonzo", "", (), ("steady", "random"), 3))
    assert [game["players"] for game in found["games"]] == [["steady", "random"], ["random", "steady"]]
    assert found["margin"] == found["games"][0]["merits"][0] - found["games"][1]["merits"][0]
    assert found["margin"] > 0


def test_in_altipiani_the_austro_hungarians_score() -> None:
    found = play_pair(Bout("altipiani", "", (), ("random", "random"), 3))
    assert [game["merits"][1] for game in found["games"]] == [game["score"] for game in found["games"]]
    assert found["margin"] == found["games"][1]["score"] - found["games"][0]["score"]


def test_a_run_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    bouts = [Bout("isonzo", "", (), ("random", "random"), seed) for seed in (1, 2)]
    first = list(measure(bouts[:1], file=file))
    with file.open("a", encoding="utf-8") as out:
        out.write('{"game": "isonzo", "cut off')
    assert read_rows(file) == first
    file.write_text(file.read_text(encoding="utf-8").partition("\n")[0] + "\n", encoding="utf-8")
    kept = json.loads(file.read_text(encoding="utf-8")) | {"margin": 77}
    file.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    again = list(measure(bouts, file=file))
    assert again[0]["margin"] == 77, "a pair that is known is not played again"
    assert read_rows(file) == again


def test_other_pairs_in_the_file_are_not_mistaken(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    old = {**row(77, 1), "players": ["random", "random"]}
    del old["seats"]  # as such files were before they told what each seat made of a game
    kept = [{**row(77, 1), "players": ["random", "steady"]}, old]
    file.write_text("".join(json.dumps(one) + "\n" for one in kept), encoding="utf-8")
    found = list(measure([Bout("isonzo", "", (), ("random", "random"), 1)], file=file))
    assert found[0]["margin"] != 77
    assert len(read_rows(file)) == 3


# Tuning


def test_the_evolution_finds_a_minimum_through_noise() -> None:
    rng = Random(1)
    target = [0.5, -0.3, 0.8, 0.0, -0.6, 0.2]

    def cost(x: list[float]) -> float:
        return sum((a - b) ** 2 for a, b in zip(x, target, strict=True)) + rng.gauss(0, 0.02)

    state = begin(6, 0.3)
    for _ in range(80):
        drawn = draw(state, population(6), rng)
        state = learn(state, sorted(drawn, key=cost))
    assert state.generation == 80
    assert max(abs(a - b) for a, b in zip(state.mean, target, strict=True)) < 0.2


def test_weights_are_scaled_by_logarithms() -> None:
    base = Weights()
    size = len(base.__struct_fields__)
    assert scaled(base, [0.0] * size) == base
    assert scaled(base, [0.6931472, *[0.0] * (size - 1)]).vp == pytest.approx(2 * base.vp, abs=1e-3)


def test_tuning_is_reproducible_and_can_be_broken_off(tmp_path: Path) -> None:
    settings = Settings("isonzo", "ah", "canale", seed=40, games=1, candidates=2)
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    rows = list(tune(settings, 2, file=whole))
    parts.write_text(whole.read_text(encoding="utf-8").splitlines(keepends=True)[0], encoding="utf-8")
    assert list(tune(settings, 2, file=parts)) == rows
    assert parts.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")
    assert [r["generation"] for r in rows] == [1, 2]
    assert Weights(**rows[-1]["weights"]) != weights_of("isonzo", "canale")[1]
    with pytest.raises(ValueError, match="other settings"):
        list(tune(Settings("isonzo", "italian", seed=40), 2, file=parts))


def test_tuned_weights_are_written_beside_the_others(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("# head\n\n[isonzo.ah]\nvp = 9.0\n\n[altipiani.ah]\nvp = 3.0\n", encoding="utf-8")
    write_weights(file, "isonzo", "historical", "italian", {"vp": 4.25})
    assert file.read_text(encoding="utf-8").startswith("# head\n")
    assert tomllib.loads(file.read_text(encoding="utf-8")) == {
        "isonzo": {"ah": {"vp": 9.0}, "italian": {"vp": 4.25}},
        "altipiani": {"ah": {"vp": 3.0}},
    }


def test_a_scenario_with_weights_of_its_own_keeps_them(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("[isonzo.ah]\nvp = 9.0\n\n[isonzo-canale.ah]\nvp = 3.0\n", encoding="utf-8")
    write_weights(file, "isonzo", "canale", "ah", {"vp": 2.0})
    write_weights(file, "isonzo", "surprise", "ah", {"vp": 8.0})
    found = {scenario: weights_of("isonzo", scenario, file)[1].vp for scenario in ("", "historical", "canale")}
    assert found == {"": 8.0, "historical": 8.0, "canale": 2.0}


def test_equations_are_solved() -> None:
    assert solve([[0.0, 2.0], [3.0, 1.0]], [4.0, 5.0]) == pytest.approx([1.0, 2.0])
    with pytest.raises(ValueError, match="too few"):
        solve([[1.0, 1.0], [1.0, 1.0]], [1.0, 1.0])


def made_up(seed: int) -> dict[str, object]:
    """A game in which the score in the end is the score so far and half of what is threatened, and luck."""
    rng = Random(seed)
    score, turns = 0.0, []
    threat = rng.uniform(0, 20)
    for turn in range(1, 11):
        for active in (0, 1):
            gain = rng.uniform(0, 0.1) * threat
            score, threat = score + gain, max(0.0, threat - 2 * gain)
            noise = [rng.uniform(0, 5) for _ in TERMS[2:]]
            turns.append({"turn": turn, "active": active, "terms": [score, threat, *noise]})
    return {"job": {}, "score": score + 0.5 * threat, "turns": turns}


def test_values_are_learnt_from_games(tmp_path: Path) -> None:
    rows = [made_up(seed) for seed in range(120)]
    worth = fit(rows)
    assert set(worth.base) == set(BASE)
    middle = {name: worth.end[name] + 0.5 * (worth.left[name] + worth.second[name]) for name in TERMS}
    assert middle["score"] == pytest.approx(1.0, abs=0.15)
    assert middle["threat"] == pytest.approx(0.5, abs=0.15)
    assert all(abs(middle[name]) < 0.1 for name in TERMS[2:])
    assert explained(rows, worth) > 0.8
    file = tmp_path / "value.toml"
    write_worth(file, "isonzo", worth)
    write_worth(file, "altipiani", worth)
    assert set(tomllib.loads(file.read_text(encoding="utf-8"))) == {"isonzo", "altipiani"}


def test_self_play_is_kept_in_its_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    jobs = [SelfPlay("isonzo", "", 5)]
    first = list(gather(jobs, 1, file))
    assert len(first[0]["turns"]) > 10
    assert all(len(turn["terms"]) == len(TERMS) for turn in first[0]["turns"])
    assert list(gather(jobs, 1, file)) == first
    assert list(gather(jobs, 1, None)) == first


def test_self_play_tries_other_intentions_too() -> None:
    weights = weights_of("isonzo")[0]
    others = [other_weights(weights, Random(seed)) for seed in range(20)]
    assert weights not in others
    assert len({tuple(msgspec.structs.astuple(one)) for one in others}) > 10


# The command


def test_the_command_prints_the_strength(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    told = ["arena", "isonzo", "--players", "random,random", "--pairs", "2", "--out", str(file)]
    result = CliRunner().invoke(app, [*told, "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["pairs"] == 2
    assert len(read_rows(file)) == 2
    again = CliRunner().invoke(app, told)
    assert "pairs won" in again.stdout
    wrong = CliRunner().invoke(app, ["arena", "isonzo", "--players", "random,planner:soon"])
    assert wrong.exit_code == 1
    assert "no budget" in wrong.stderr
