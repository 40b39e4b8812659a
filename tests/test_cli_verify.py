"""`fronte verify` and `fronte luck`: plain verdicts, exit codes, JSON."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

import fronte
from fronte.cli import app
from fronte.engine import trust
from fronte.engine.match import Match
from fronte.engine.record import read, write
from fronte.engine.rules import Result as Won

SECRET = bytes(range(32))
WORDS = ("ciao 00", "servus 11")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})


@pytest.fixture(scope="module")
def saves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished match, one without its secret and one in play."""
    folder = tmp_path_factory.mktemp("saves")
    match = Match.begin(fronte.ruleset("isonzo"), trust.match_seed(SECRET, WORDS))
    match.pledge = trust.pledge(SECRET, WORDS)
    rng = Random(4)
    while match.result is None:
        if len(match.entries) == 60:
            (folder / "playing").write_text(match.save(with_seed=False), encoding="utf-8")
            heading, entries = read(match.save())
            seat = match.rules.seats[1 - match.seat]
            early = trust.closed(heading, entries, match.state.seed, Won("time", 0, seat, ()), SECRET, "time")
            (folder / f"on time {seat}").write_text(write(early, entries), encoding="utf-8")
        match.play(match.sample(rng))
    (folder / "hidden").write_text(match.save(with_seed=False), encoding="utf-8")
    heading, entries = read(match.save())
    closed = trust.closed(heading, entries, match.state.seed, match.result, SECRET)
    (folder / "true").write_text(write(closed, entries), encoding="utf-8")
    return folder


def test_a_true_match(saves: Path) -> None:
    answer = run("verify", str(saves / "true"))
    assert answer.exit_code == 0
    assert "everything was checked and holds" in answer.output
    assert trust.house_commitment(SECRET) in answer.output
    noted = ("--house", trust.house_commitment(SECRET), "--word", f"italian={WORDS[0]}")
    assert run("verify", str(saves / "true"), *noted).exit_code == 0


def test_a_win_on_time_is_told(saves: Path) -> None:
    file = next(saves.glob("on time *"))
    winner = file.name.removeprefix("on time ")
    answer = run("verify", str(file))
    assert answer.exit_code == 0
    assert f"True: everything was checked and holds. {winner} won on time" in answer.output
    assert f"{winner} won on time after 60 actions" in answer.output
    data = json.loads(run("verify", str(file), "--json").output)
    assert data["ended"] == {"by": "time", "winner": winner} and data["result"] is None


def test_a_changed_die_is_told_with_its_line(saves: Path, tmp_path: Path) -> None:
    lines = (saves / "true").read_text(encoding="utf-8").splitlines()
    number = next(k for k, line in enumerate(lines) if '"rolls":[[' in line)
    first = json.loads(lines[number])["rolls"][0][0]
    lines[number] = lines[number].replace(f'"rolls":[[{first}', f'"rolls":[[{first % 6 + 1}', 1)
    file = tmp_path / "changed"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    answer = run("verify", str(file))
    assert answer.exit_code == 1
    assert f"line {number + 1}: the record says" in answer.output
    assert "this file is not the match as it was played" in answer.output


@pytest.mark.parametrize(
    ("name", "says"),
    [("hidden", "the house has not shown its secret"), ("playing", "lines cut off at its end would not show")],
)
def test_what_cannot_be_checked_is_said(saves: Path, name: str, says: str) -> None:
    answer = run("verify", str(saves / name))
    assert answer.exit_code == 3
    assert says in answer.output and "not everything could be checked" in answer.output


def test_json_for_programs(saves: Path) -> None:
    data = json.loads(run("verify", str(saves / "true"), "--json").output)
    assert data["verdict"] == "true" and {check["status"] for check in data["checks"]} == {"true"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--word", "ciao"], "not written seat=word"),
        (["--noted", "abc"], "not written actions:fingerprint"),
    ],
)
def test_a_note_that_cannot_be_read(saves: Path, words: list[str], says: str) -> None:
    answer = run("verify", str(saves / "true"), *words)
    assert answer.exit_code == 1 and says in answer.output


def test_a_note_that_differs(saves: Path) -> None:
    for words in (["--house", "00"], ["--word", "ah=Prosit"], ["--noted", "10:00"]):
        assert run("verify", str(saves / "true"), *words).exit_code == 1


def test_a_file_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "none"
    file.write_text("hello", encoding="utf-8")
    answer = run("verify", str(file))
    assert answer.exit_code == 1 and "the file is damaged: line 1" in answer.output
    assert run("verify", str(tmp_path / "missing")).exit_code == 1
    assert run("luck", str(file)).exit_code == 1


def test_luck_is_told_for_each_side(saves: Path) -> None:
    answer = run("luck", str(saves / "hidden"), "--combats")
    assert answer.exit_code == 0
    assert "italian" in answer.output and "80 % of matches" in answer.output and "better than" in answer.output
    assert "reductions inflicted" in answer.output and "steps" not in answer.output  # what is counted is called so
    told = run("luck", str(saves / "hidden"), "--language", "it").output
    assert "riduzioni subite" in told and "livelli" not in told
    data = json.loads(run("luck", str(saves / "true"), "--seat", "ah", "--json").output)
    assert data["seats"].keys() == {"ah"} and data["combats"]
    assert run("luck", str(saves / "true"), "--seat", "nobody").exit_code == 1
