"""Nets that judge positions: what they are, how they are learnt, and that what is stored fits its game."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import fronte
from fronte.ai import Seat, netfit, offered, player, players_of
from fronte.ai.arena import add_row
from fronte.ai.inferno import judge, tune_net, value
from fronte.ai.inferno.planner import first_policy_of, line_policy_of, policy_of
from fronte.ai.inferno.signs import names, signs
from fronte.ai.nets import Net, read_net, told, write_net
from fronte.ai.random import random_player
from fronte.cli import app

SMALL = Net("by hand", ("a", "b"), 1.0, (2.0, -1.0), (0.5,), ((1.0, -1.0),), (4.0,))
STORED = ("altipiani",)
"""The games whose net is stored: those where it was found to be stronger than the line."""


def played(game: str, decisions: int) -> Any:
    """A match after so many decisions of a random player."""
    match = fronte.new(game, "", 7)
    hand = random_player(Random(7))
    seats = [Seat(match, seat) for seat in match.rules.seats]
    for _ in range(decisions):
        match.play(hand(seats[match.seat]))
    return match


def test_a_hidden_unit_counts_what_is_above_zero() -> None:
    assert told(SMALL, [1.0, 2.0]) == 1.0 + 2.0 - 2.0
    assert told(SMALL, [2.0, 1.0]) == 1.0 + 4.0 - 1.0 + 4.0 * 1.5
    rows = [[1.0, 2.0], [2.0, 1.0], [-3.0, 0.25]]
    assert netfit.tell(SMALL, rows) == pytest.approx([told(SMALL, row) for row in rows])


def test_a_net_is_kept_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "net.json"
    assert read_net(file) is None
    write_net(file, SMALL)
    assert read_net(file) == SMALL
    file.write_text(file.read_text(encoding="utf-8").replace("[0.5]", "[0.5,1.0]"), encoding="utf-8")
    with pytest.raises(ValueError, match="do not fit"):
        read_net(file)


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_signs_have_names_and_the_line_is_among_them(game: str) -> None:
    match = played(game, 60)
    listed, found = names(match.rules), signs(match.rules, match.state)
    assert len(listed) == len(found) == len(set(listed))
    line = tune_net.line_of(game, "")
    mine = value.value(match.rules, match.state, match.rules.scorer)
    assert told(line, found) == pytest.approx(mine), "the terms are what the line has"


def test_signs_tell_of_what_the_line_passes_over() -> None:
    match = played("isonzo", 0)
    rules, state = match.rules, match.state.copy()
    before = dict(zip(names(rules), signs(rules, state), strict=True))
    goal = next(int(h) for h in rules.grid_index.values() if f"held {rules.hex_id(h)}" in before)
    state.held ^= 1 << goal
    after = dict(zip(names(rules), signs(rules, state), strict=True))
    own = f"held {rules.hex_id(goal)}"
    assert before[own] == 1 - after[own]
    others = [name for name in before if name.startswith("held") and name != own]
    assert [before[name] for name in others] == [after[name] for name in others]
    assert after["hungry"] >= 0 and after["lone"] >= after["lone_near"]


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_a_stored_net_judges_and_those_who_are_kept_do_without(game: str) -> None:
    match = played(game, 60)
    net = judge.net_for(match.rules)
    assert (net is not None) == (game in STORED)
    assert policy_of(match.rules).net is net
    values = [policy_of(match.rules).value(match.state, seat) for seat in (0, 1)]
    assert values[0] == -values[1] and abs(values[0]) < 250
    for kept in (line_policy_of, first_policy_of):
        assert kept(match.rules).net is None
        assert kept(match.rules).value(match.state, 0) == value.value(match.rules, match.state, 0)
    assert "planner-2" in players_of(game) and "planner-2" not in offered(game)
    assert player("planner-2:3p", "x", game=game)


@pytest.mark.parametrize("game", STORED)
def test_a_stored_net_says_how_it_was_made_and_is_small_and_quick(game: str) -> None:
    file = judge.FOLDER / f"net.{game}.json"
    net = read_net(file)
    assert net is not None and net.made.startswith(f"fronte tune net {game} ")
    assert file.stat().st_size < 1_000_000
    match = played(game, 0)
    found = signs(match.rules, match.state)
    spent = []
    for _ in range(20):
        since = time.perf_counter()
        told(net, found)
        spent.append(time.perf_counter() - since)
    assert min(spent) < 0.002


def test_another_set_of_objectives_is_left_to_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    rules: Any = fronte.ruleset("altipiani")
    assert judge.net_for(rules) is not None
    monkeypatch.setattr(judge, "net_of", lambda game: SMALL)
    assert judge.net_for(rules) is None


def made_up(count: int, seed: int) -> netfit.Games:
    """Games whose score is the larger of two signs, what the players are worth, and luck; a third sign says nothing."""
    rng = np.random.default_rng(seed)
    rows, players, scores = [], [], []
    for _ in range(count):
        good = float(rng.random() < 0.5)
        at = rng.normal(0, 2, 3)
        for left in range(8, 0, -1):
            at[:2] += rng.normal(0, 0.3, 2)
            rows.append(at.copy())
            players.append([good, good * left / 8])
        scores.append(10 * max(at[0], at[1]) + 15 * good + rng.normal(0, 2))
    return netfit.Games(np.array(rows), np.array(players), [8] * count, np.array(scores))


@pytest.mark.parametrize("library", ["numpy", "as installed"])
def test_a_net_learns_what_a_line_cannot(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if library == "numpy":
        monkeypatch.setattr(netfit, "library", lambda: None)
    fitted, held = made_up(300, 1), made_up(150, 2)
    listed = ("a", "b", "c")
    line = netfit.fit(fitted, listed, netfit.How(hidden=0))
    net = netfit.fit(fitted, listed, netfit.How(nets=2, hidden=8, epochs=60, batch=128))
    assert not line.hidden and len(net.hidden) == 16
    shares = [netfit.explained(held, netfit.tell(one, held.signs)) for one in (line, net)]
    assert shares[1] > shares[0] + 0.03 and shares[1] > 0.85
    turns = [
        netfit.foretold(fitted, held, netfit.tell(one, fitted.signs), netfit.tell(one, held.signs))
        for one in (line, net)
    ]
    assert turns[1] > turns[0] > 0
    assert told(net, [0.0, 0.0, 0.0]) == pytest.approx(0, abs=6), "who plays is no part of a position"


def test_what_comes_after_counts_the_nearer_the_more() -> None:
    values, ends = np.array([1.0, 2.0, 4.0, 9.0]), np.array([3, 4])
    found = netfit.returns(values, ends, np.array([10.0, 20.0]), 0.5)
    assert found.tolist() == [0.5 * 2 + 0.5 * (0.5 * 4 + 0.5 * 10), 0.5 * 4 + 0.5 * 10, 10.0, 20.0]
    assert netfit.returns(values, ends, np.array([10.0, 20.0]), 1.0).tolist() == [10.0, 10.0, 10.0, 20.0]


def test_the_pool_plays_at_the_table_and_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune_net, "PLANNER", "planner-2:1p")
    monkeypatch.setattr(tune_net, "POOL", ("planner-2:1p", *tune_net.QUICK))
    rows = []
    for share in (0.0, 1.0):
        monkeypatch.setattr(tune_net, "PLANNERS", share)
        rows.append(tune_net.play(tune_net.SelfPlay("isonzo", "", 3)))
    assert rows[1] == tune_net.play(tune_net.SelfPlay("isonzo", "", 3)), "the same game for the same seed"
    assert [any("planner" in name for name in row["players"]) for row in rows] == [False, True]
    games = tune_net.games_of(rows)
    assert games.signs.shape == (sum(games.lengths), len(tune_net.names_of("isonzo", "")))
    assert games.players.shape[1] == 2 * 2 * len(tune_net.QUICK) and len(games.scores) == 2


def test_the_command_learns_and_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune_net, "PLANNERS", 0.0)
    games, file = tmp_path / "games.jsonl", tmp_path / "net.json"
    row = tune_net.play(tune_net.SelfPlay("isonzo", "", 40))
    rng = Random(0)
    for seed in range(40, 60):  # one game told twenty times, a little differently
        turns = [{**turn, "signs": [x + rng.gauss(0, 1) for x in turn["signs"]]} for turn in row["turns"]]
        job = {**row["job"], "seed": seed}
        add_row(games, {**row, "job": job, "score": row["score"] + rng.randrange(9), "turns": turns})
    call = ["tune", "net", "isonzo", "--games", "20", "--seed", "40", "--hidden", "2", "--nets", "1"]
    call += ["--out", str(games)]
    done = CliRunner().invoke(app, [*call, "--into", str(file)])
    assert done.exit_code == 0, done.output
    net = read_net(file)
    assert net is not None and len(net.hidden) == 2 and net.names == tune_net.names_of("isonzo", "")
    assert net.made == "fronte tune net isonzo --games 20 --seed 40 --hidden 2 --nets 1 --trace 0.9"
    refused = CliRunner().invoke(app, ["tune", "net", "waterloo"])
    assert refused.exit_code != 0 and "waterloo" in refused.output
