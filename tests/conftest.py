"""What tests share: how many random games to play, and the games there are."""

from __future__ import annotations

import os

import pytest

from fronte.games.registry import GAMES, open_pack

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))


def scenarios() -> list[tuple[str, str]]:
    """Every scenario of every registered game."""
    found = []
    for game in GAMES:
        data = open_pack(game).toml("scenarios.toml")
        found += [(game, name) for name, scenario in data.items() if isinstance(scenario, dict)]
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"game", "scenario"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("game", "scenario"), scenarios())


@pytest.fixture
def games_to_play() -> int:
    """1,000 random games a scenario in nightly runs, fewer otherwise."""
    return 1000 if NIGHTLY else 25
