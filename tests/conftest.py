"""What tests share: how many random games to play, and the games there are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from fronte.games import registry
from fronte.games.registry import GAMES, OWN_GAMES, open_pack

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
TESTS = str(Path(__file__).parent)
# The same examples every time in `./test`, so that it says something about the change at hand; new ones every night.
settings.register_profile("fronte", derandomize=not NIGHTLY)
settings.load_profile("fronte")
PROBE = "probe"
ANY_GAME = (*GAMES, PROBE)
"""The games of the program, and one of a family of its own that the program does not know."""


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


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> str:
    """The probe game, entered for one test and for all processes that it starts."""
    for known in (registry.GAMES, registry.FAMILIES, registry._DATA):
        monkeypatch.setitem(known, PROBE, None)  # whatever there was before is there again afterwards
    from probe.game import Probe

    registry.register(PROBE, Probe, Path(TESTS) / "probe" / "data")
    monkeypatch.setenv(OWN_GAMES, "probe.game")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [TESTS, os.environ.get("PYTHONPATH", "")])))
    return PROBE


@pytest.fixture(params=ANY_GAME)
def any_game(request: pytest.FixtureRequest) -> str:
    """Each game of the program in turn, and then the probe game: what is asked of it is asked of every game."""
    return str(request.getfixturevalue(PROBE) if request.param == PROBE else request.param)
