"""The planner plays a game of any family whose rooms hold a policy: the probe game, which the program does not know."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import fronte
from fronte import ai
from fronte.ai import Seat, check_player, player, players_of, ratings, usual_player
from fronte.ai.arena import Bout, play_pair, read_rows, strength
from fronte.ai.luck import Luck
from fronte.ai.planner import Planner, Thought
from fronte.ai.playout import Playout
from fronte.ai.policy import PLANNED, Policy
from fronte.ai.reasons import tell
from fronte.cli import app
from fronte.games import registry

PAIRS = 8


@pytest.fixture
def thinking(probe: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The probe game with a room for players."""
    for known in (registry._ROOMS, ai._ENTERED):
        monkeypatch.setitem(known, probe, None)  # type: ignore[arg-type]
        del known[probe]
    monkeypatch.setitem(registry._ROOMS, probe, "probe_rooms")
    return probe


def policy(match: fronte.Match) -> Policy[object, int]:
    """The probe's policy."""
    from probe_rooms.ai import policy_of

    return policy_of(match.rules)  # type: ignore[return-value]


def test_a_family_outside_the_program_brings_its_players(thinking: str) -> None:
    assert players_of(thinking) == ["random", "planner"] and usual_player(thinking) == "planner"
    check_player("planner:20p", thinking)
    assert players_of("isonzo") == [
        "random",
        "recruit",
        "steady",
        "raider",
        "stubborn",
        "planner",
        "planner-1",
        "planner-2",
    ]
    with pytest.raises(ValueError, match="steady does not play probe"):
        check_player("steady", thinking)


def test_each_family_has_its_own_planner(thinking: str) -> None:
    mine, theirs = (player("planner:8p", "1", game=game) for game in (thinking, "isonzo"))
    assert isinstance(mine, Planner) and isinstance(theirs, Planner)
    assert mine.policy_of is not theirs.policy_of
    match = fronte.new(thinking, seed=1)
    with pytest.raises(ValueError, match="steady plays isonzo, altipiani and not probe"):
        theirs(Seat(match, match.rules.seats[match.seat]))


@pytest.mark.costly
@pytest.mark.parametrize("scenario", ["ford", "farm"])
def test_it_beats_random_play(thinking: str, scenario: str) -> None:
    """By pairs of games with the seats swapped: a margin that is no luck."""
    pairs = [play_pair(Bout(thinking, scenario, (), ("planner:24p", "random"), seed)) for seed in range(PAIRS)]
    found = strength(pairs)
    assert found["margin_95"][0] > 0, found
    assert found["won"] >= 3 * found["lost"] and found["won"] > PAIRS / 2, found


def test_looking_ahead_is_better_than_the_policy_alone(thinking: str) -> None:
    bouts = [Bout(thinking, "ford", (), ("planner:24p", "planner:1p"), seed) for seed in range(PAIRS)]
    found = strength([play_pair(bout) for bout in bouts])
    assert found["margin_95"][0] > 0, found


def test_a_pool_is_rated_by_the_command(thinking: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody against everybody; kept pairs are not played again, whoever of two is named first."""
    monkeypatch.setattr(ratings, "RESAMPLES", 200)
    file = tmp_path / "pool.jsonl"
    told = ["arena", thinking, "--scenario", "ford", "--pairs", "3", "--out", str(file)]
    first = CliRunner().invoke(app, [*told, "--pool", "random,planner:1p,planner:6p", "--json"])
    assert first.exit_code == 0, first.output
    found = json.loads(first.stdout)
    assert found["pairs"] == 9 == len(read_rows(file)) and found["anchor"] == "random"
    assert found["players"][-1]["player"] == "random" and found["players"][-1]["rating"] == 1500
    assert found["players"][0]["rating_95"][0] > 1500
    kept = file.read_bytes()
    again = CliRunner().invoke(app, [*told, "--pool", "planner:6p,random,planner:1p", "--language", "it"])
    assert file.read_bytes() == kept
    assert "3 giocatori, tutti contro tutti: 9 coppie" in again.stdout and "forza" in again.stdout
    assert "finora" in again.stderr


def at_act(game: str, seed: int) -> fronte.Match:
    """The first activation of a game, some random decisions in."""
    match = fronte.new(game, seed=seed)
    rng = Random(seed)
    while match.state.frames[-1].name != "act" or match.state.turn < 2:
        match.play(match.sample(rng))
    return match


def test_a_plan_ends_with_its_activation_and_looks_stop_where_they_should(thinking: str) -> None:
    for seed in range(6):
        match = at_act(thinking, seed)
        thought = Thought(player("planner:9p", "x", game=thinking), Seat(match, _seat(match)), policy(match))  # type: ignore[arg-type]
        playout = thought.playout(0, -1)
        playout.carry_out((), thought.side)
        assert playout.over or playout.state.frames[-1].name != "act"
        before = playout.stretch
        if playout.over:
            continue
        playout.go_on(0, thought.met(0))
        assert playout.over or (playout.stretch != before and playout.state.frames[-1].name in ("activate", "plan"))


def test_the_same_seed_plays_the_same_game(thinking: str) -> None:
    games = [play_pair(Bout(thinking, "ford", (), ("planner:8p", "planner:3p"), 5)) for _ in range(2)]
    for pair in games:
        for game in pair["games"]:
            game["cpu"] = 0
    assert games[0] == games[1]


def test_nothing_hidden_changes_what_it_does(thinking: str) -> None:
    asked = 0
    for seed in range(4):
        match = at_act(thinking, seed)
        for _ in range(4):
            if match.seat < 0:
                break
            answers = []
            for shuffled in (None, 1, 2):
                twin = match.copy()
                if shuffled is not None:
                    twin.state = twin.rules.shuffle_hidden(twin.state, twin.seat, Random(shuffled))
                answers.append(player("planner:8p", "fair", game=thinking)(Seat(twin, _seat(twin))))
            assert answers[1:] == answers[:1] * 2
            asked += 1
            match.play(answers[0])
    assert asked > 12


def test_a_plan_is_told_in_both_languages_where_a_family_has_no_words(thinking: str) -> None:
    match = at_act(thinking, 2)
    sits = player("planner:9p", "x", game=thinking)
    assert isinstance(sits, Planner) and policy(match).way(match.state) == PLANNED
    sits(Seat(match, _seat(match)))
    english, italian = (tell(sits.why, match.rules.texts(language), thinking) for language in ("en", "it"))
    assert english != italian and english and italian


def test_a_playout_plays_the_probe_to_its_end(thinking: str) -> None:
    match = fronte.new(thinking, seed=3)
    mine = policy(match)
    playout = Playout(mine, match.state.copy(), {0: mine.usual(0), 1: mine.usual(1)}, Luck("x", 0))
    playout.go_on(999, playout.intents)
    assert playout.over and match.rules.broken(playout.state) == []


def _seat(match: fronte.Match) -> str:
    return match.rules.seats[match.seat]
