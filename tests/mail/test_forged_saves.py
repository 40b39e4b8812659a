"""`fronte verify` and saves from outside: whatever a file holds, there is a verdict, in words and in time."""

from __future__ import annotations

import json
import os
import time
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from forgeries import mutant
from typer.testing import CliRunner

import fronte
from fronte.cli import app
from fronte.engine import trust
from fronte.engine.match import Match
from fronte.engine.verify import MOST_LINES, Report, verify
from fronte.games.registry import for_header

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
SECRET, WORDS = bytes(range(32)), ("ciao 00", "servus 11")


@lru_cache(maxsize=4)
def lines(game: str) -> list[str]:
    """The lines of a finished match with everything shown."""
    match = Match.begin(fronte.ruleset(game), trust.match_seed(SECRET, WORDS))
    match.pledge = trust.pledge(SECRET, WORDS, [trust.seal(word) for word in WORDS])
    rng = Random(6)
    while match.result is None:
        match.play(match.sample(rng))
    heading, entries = fronte.engine.record.read(match.save())
    closed = trust.closed(heading, entries, match.state.seed, match.result, SECRET)
    return fronte.engine.record.write(closed, entries).splitlines()


def judged(text: str) -> Report:
    begun = time.process_time()
    report = verify(text, for_header)
    assert time.process_time() - begun < 20
    for check in report.checks:
        assert check.text.isprintable() and len(check.text) < 700, check
    return report


@pytest.mark.costly
@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_a_save_with_one_thing_changed_is_not_true(game: str) -> None:
    """But for who played, which nothing proves."""
    whole = lines(game)
    assert judged("\n".join(whole) + "\n").verdict == "true"
    rng = Random(3)
    for turn in range(1200 if NIGHTLY else 40):
        number = rng.randrange(len(whole)) if turn % 3 else 0
        changed, way = mutant(json.loads(whole[number]), rng)
        report = judged("\n".join([*whole[:number], json.dumps(changed), *whole[number + 1 :]]) + "\n")
        assert report.verdict != "true" or way.startswith("players"), (number, way, whole[number][:200])


def heading(game: str = "isonzo", **change: Any) -> str:
    return json.dumps(json.loads(lines(game)[0]) | change)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("\0", "line 1"),
        ('{"position":' + '{"a":' * 200_000, "nested"),
        ("{}", "line 1"),
        ("x" * 25_000_000, "characters"),
        ("{}\n" * (MOST_LINES + 2), "lines"),
    ],
)
def test_what_is_no_save_is_said_so(text: str, says: str) -> None:
    report = judged(text)
    assert report.verdict == "false" and says in report.checks[0].text


@pytest.mark.parametrize(
    "change",
    [
        {"opening": [[1] * 1_000_000]},
        {"opening": [[10**300]]},
        {"opening": [[]] * 50_000},
        {"position": {"rolled": 10**30}},
        {"position": {"rolled": -1}},
        {"position": {"rolled": True, "units": [[[]]]}},
        {"header": {"game": "../../etc", "scenario": "", "options": {}, "pack": "", "rules": ""}},
        {"header": {"game": "isonzo", "scenario": "x" * 10_000, "options": {"a": "b"}, "pack": "", "rules": ""}},
        {"seed": "zz"},
        {"commitment": "\x1b[2J" * 1000},
        {"end": {"level": "\x1b[31m" * 500, "score": 10**18, "winner": "\x07", "lines": -1}},
        {"pledge": {"house": "\x1b]0;x\x07", "words": ["a", "b", "c"], "secret": "ff" * 5000}},
        {"players": {"italian": "x" * 100_000}},
    ],
)
def test_headings_that_ask_too_much_are_judged(change: dict[str, Any]) -> None:
    report = judged("\n".join([heading(**change), *lines("isonzo")[1:]]) + "\n")
    assert report.verdict == "false" or "players" in change or "rules" in {check.name for check in report.checks}


@pytest.mark.parametrize(
    "entry",
    [
        {"seat": "italian", "action": {"do": "end", "keep": ["x"] * 100_000}},
        {"seat": "italian", "action": {"do": "move", "unit": "it-udine", "path": ["2412"] * 100_000}},
        {"seat": "\x1b[2J" * 1000, "action": {"do": "end"}},
        {"seat": "italian", "action": {"order": [], "policy": {}}},
        {"seat": "italian", "action": {"do": {"a": [1] * 1000}}},
        {"seat": "italian", "action": {"do": "end"}, "rolls": [[7, 0, -1]]},
        {"seat": "italian", "action": {"do": "end"}, "rolls": [[1] * 1_000_000]},
        {"seat": "italian", "action": {"do": "end"}, "standing": True},
    ],
)
def test_lines_that_ask_too_much_are_judged(entry: dict[str, Any]) -> None:
    whole = lines("isonzo")
    for number in (1, len(whole)):
        report = judged("\n".join([*whole[:number], json.dumps(entry), *whole[number:]]) + "\n")
        assert report.verdict == "false"
        wrong = next(check for check in report.checks if check.name == "actions")
        assert wrong.status == "false" and wrong.text.startswith(f"line {number + 1}: "), wrong


def test_the_command_says_it_in_lines(tmp_path: Path) -> None:
    rng = Random(1)
    file = tmp_path / "save"
    text = "\n".join(lines("isonzo")) + "\n"
    for content in (rng.randbytes(2000), b"\0", text[:5000].encode(), text.encode("utf-16"), b"{" * 300_000):
        file.write_bytes(content)
        answer = CliRunner().invoke(app, ["verify", str(file)], env={"COLUMNS": "300"})
        assert answer.exit_code == 1 and isinstance(answer.exception, SystemExit), answer.exception
        assert "save" in answer.output and "Traceback" not in answer.output
