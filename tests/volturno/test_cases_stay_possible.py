"""The casebook of Volturno once more: after every step of every case the position is one that a game can have."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from fronte.casebook import read_file, run_case
from fronte.engine.match import Match

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
FILES = sorted((Path(__file__).parents[1] / "cases" / "volturno").glob("*.toml"))


def test_a_case_comes_to_no_position_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """By day for every fourth file and the chapters of combat, in which most lies on the stack."""
    play, found = Match.play, list[str]()

    def watched(match: Match, *args: Any, **more: Any) -> Any:
        told = play(match, *args, **more)
        found.extend(match.rules.broken(match.state))
        return told

    monkeypatch.setattr(Match, "play", watched)
    seen = 0
    for number, file in enumerate(FILES):
        if not (NIGHTLY or number % 4 == 0 or file.stem.startswith(("10", "11", "13"))):
            continue
        book = read_file(file)
        for case in book.case:
            if case.made_up:
                continue
            found.clear()
            run_case(book, case)
            assert found == [], f"{file.stem}: {case.name}"
            seen += 1
    assert seen > 150
