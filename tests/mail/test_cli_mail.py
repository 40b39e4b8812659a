"""`fronte mail`: from the invitation to the verdict, as two people with a terminal each would do it."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

import fronte
from fronte.cli import app
from fronte.engine.notation import to_text
from fronte.games.registry import for_header
from fronte.mail import desk as desks
from fronte.mail.desk import Post


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(words), input=typed, env={"COLUMNS": "200"})


def sent(answer: Result) -> str:
    """The letter that a command says is to be sent."""
    line = next(line for line in answer.output.splitlines() if "Send this file" in line)
    return line.split(": ", 1)[1].strip()


@pytest.fixture
def players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Two desks after invitation and answer."""
    monkeypatch.chdir(tmp_path)
    made = run("mail", "new", "isonzo", "--desk", "it.desk")
    assert made.exit_code == 0, made.output
    joined = run("mail", "join", sent(made), "--desk", "ah.desk")
    assert joined.exit_code == 0 and "you play ah" in joined.output
    read = run("mail", "import", "it.desk", sent(joined))
    assert read.exit_code == 0 and "fronte mail play it.desk" in read.output
    digits = [next(line for line in text.splitlines() if "Safety" in line) for text in (joined.output, read.output)]
    assert digits[0] == digits[1]
    return {"italian": "it.desk", "ah": "ah.desk"}


def opened(file: str) -> Post:
    found = desks.read(Path(file).read_text(encoding="utf-8"))
    return Post(found, for_header(found.header))


def test_two_people_play_some_turns(players: dict[str, str]) -> None:
    assert stat.S_IMODE(Path("it.desk").stat().st_mode) == 0o600
    rng = Random(1)
    seat, letter = "italian", ""
    automatic = 0
    for _ in range(12):
        post = opened(players[seat])
        if post.table.decision is not None:
            lines = []
            while post.table.decision is not None:
                kind = post.table.decision.kind  # nobody moves, so that nobody is asked about overstacking
                action = post.table.read("end") if kind == "movement" else post.table.sample(rng)
                lines.append(to_text(action))
                post.table.play(action)
            done = run("mail", "play", players[seat], "--yes", typed="\n".join(lines) + "\n")
            assert done.exit_code == 0, done.output
            letter = sent(done)
        seat = "ah" if seat == "italian" else "italian"
        read = run("mail", "import", players[seat], letter)
        assert read.exit_code == 0, read.output
        if "asks nothing of you" in read.output:
            automatic += 1
            letter = sent(read)
    assert automatic
    assert run("mail", "verify", players[seat]).exit_code == 3
    assert "letters so far" in run("mail", "status", players[seat]).output


def test_a_turn_can_be_left_and_taken_back(players: dict[str, str]) -> None:
    post = opened("it.desk")
    line = to_text(post.table.sample(Random(3)))
    left = run("mail", "play", "it.desk", typed=f"{line}\nquit\n")
    assert left.exit_code == 0 and "It is for you to decide" in left.output
    assert len(opened("it.desk").table.actions) == 1
    back = run("mail", "play", "it.desk", "--undo", typed="quit\n")
    assert back.exit_code == 0 and opened("it.desk").table.actions == []
    assert run("mail", "play", "it.desk", "--undo").exit_code == 1
    early = run("mail", "export", "it.desk")
    assert early.exit_code == 1 and "still to decide" in early.output


def test_what_cannot_be_done_is_said_in_a_line(players: dict[str, str], tmp_path: Path) -> None:
    letters = sorted(tmp_path.glob("*.letter"))
    invitation, answer = str(letters[0]), str(letters[1])
    for words, says in (
        (("mail", "import", "it.desk", answer), "read already"),
        (("mail", "import", "it.desk", invitation), "letter of your own"),
        (("mail", "import", "ah.desk", answer), "letter of your own"),
        (("mail", "join", answer), "no invitation"),
        (("mail", "join", "missing"), "missing"),
        (("mail", "import", answer, answer), "no desk"),
        (("mail", "new", "chess"), "no game 'chess'"),
        (("mail", "new", "isonzo", "--seat", "russian"), "no seat"),
        (("mail", "new", "isonzo", "--desk", "it.desk"), "a file of this name"),
        (("mail", "new", "isonzo", "--option", "illegal_odds_attack=forbid_before_reveal"), "cannot be played by file"),
    ):
        answered = run(*words)
        assert answered.exit_code == 1 and says in answered.output, words
    assert run("mail", "play", "ah.desk").output.strip() == "It is for the other side to write."
    again = run("mail", "export", "ah.desk")
    assert again.exit_code == 0 and sent(again) == Path(answer).name


def test_a_finished_match_is_verified_and_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rules = fronte.ruleset("altipiani")
    entropy, rng = Random(4).randbytes, Random(4)
    one = desks.invite(rules, "ah", entropy)
    two = desks.answer(one.letters[0], for_header, entropy)
    posts = [Post(one, rules), Post(two, rules)]
    posts[0].receive(two.letters[1])
    turn = 0
    while not posts[turn].complete:
        while posts[turn].table.decision is not None:
            posts[turn].table.play(posts[turn].table.sample(rng))
        posts[1 - turn].receive(posts[turn].write())
        turn = 1 - turn
    Path("end.desk").write_text(posts[turn].desk.write(), encoding="utf-8")
    checked = run("mail", "verify", "end.desk", "--save", "end.fronte")
    assert checked.exit_code == 0 and "everything was checked and holds" in checked.output
    assert json.loads(run("mail", "verify", "end.desk", "--json").output)["verdict"] == "true"
    assert fronte.load(Path("end.fronte").read_text(encoding="utf-8")).result == posts[turn].table.result
    assert run("luck", "end.fronte").exit_code == 0
    assert "over and both secrets are open" in run("mail", "status", "end.desk").output
