"""Recorded games must replay for ever, to the same result.

A recorded game that no longer replays means that a change of rules or data breaks the matches people have stored:
then give the rules or the pack a new version, and say in CHANGELOG what `fronte migrate` does with old matches.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fronte

FOLDER = Path(__file__).parent.parent / "recorded"
GAMES = sorted(FOLDER.glob("*.jsonl"))


def test_there_are_recorded_games_of_every_scenario(game: str, scenario: str) -> None:
    assert any(file.name.startswith(f"{game}-{scenario}") for file in GAMES)


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_a_recorded_game_replays_to_its_result(file: Path) -> None:
    match = fronte.load(file.read_text(encoding="utf-8"))
    expected = json.loads(file.with_suffix(".result.json").read_text(encoding="utf-8"))
    assert match.result is not None
    assert {"level": match.result.level, "score": match.result.score} == expected
