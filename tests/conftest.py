"""What tests share: how many random games to play, and the games there are."""

from __future__ import annotations

import gc
import os
import tomllib
import zlib
from pathlib import Path

import pytest
from every import ANY_GAME, PROBE, PROBE_DATA, TESTS
from hypothesis import settings

from fronte.engine.capabilities import Capabilities
from fronte.games import registry
from fronte.games.registry import FAMILIES, GAMES, OWN_GAMES, data_folder

LONG = {("caporetto", "historical"), ("caporetto", "what_if"), ("volturno", "full")}
"""Scenarios of whole campaigns. What is costly runs for them at night alone."""
COLLECTED_AFTER = 20_000
NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
# The same examples every time in `./test`, so that it says something about the change at hand; new ones every night.
settings.register_profile("fronte", derandomize=not NIGHTLY)
settings.load_profile("fronte")


def scenarios() -> list[tuple[str, str]]:
    """Every scenario of every game, the probe game among them."""
    packs = {game: data_folder(game) for game in GAMES} | {PROBE: PROBE_DATA}
    found = []
    for game, folder in packs.items():
        data = tomllib.loads((folder / "scenarios.toml").read_text(encoding="utf-8"))
        found += [(game, name) for name, scenario in data.items() if isinstance(scenario, dict)]
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What runs by game and scenario runs for all of them, or for those whose family or capabilities it is about."""
    if {"game", "scenario"} <= set(metafunc.fixturenames):
        family = metafunc.definition.get_closest_marker("family")
        needs = metafunc.definition.get_closest_marker("needs")
        chosen = [
            (game, scenario)
            for game, scenario in scenarios()
            if (family is None or FAMILIES.get(game) == family.args[0])
            and (needs is None or all(getattr(capabilities(game), name) for name in needs.args))
        ]
        metafunc.parametrize(("game", "scenario"), chosen)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is costly runs by day for one scenario of one game, or of `each` game, and for the probe game if it does at
    all; where it does not run by game, for one of its cases; at night for all. Which one goes by the name of the test,
    so that the games share such tests and each run is the same; never one of the `LONG`."""
    costly: dict[str, dict[str, list[pytest.Item]]] = {}
    left_out: list[pytest.Item] = []
    for item in items:
        callspec = getattr(item, "callspec", None)
        mark = item.get_closest_marker("costly")
        if NIGHTLY or mark is None or callspec is None:
            continue
        game = str(callspec.params.get("game", callspec.params.get("any_game", "")))
        scenario = str(callspec.params.get("scenario", ""))
        if game in GAMES or not (game or mark.kwargs.get("each")):
            shared = item.nodeid.partition("[")[0] + (game if mark.kwargs.get("each") else "")
            place = f"{game} {scenario}" if game else callspec.id
            costly.setdefault(shared, {}).setdefault(place, []).append(item)
    for name, places in costly.items():
        short = [place for place in places if tuple(place.split(" ")) not in LONG] or list(places)
        kept = short[zlib.crc32(name.encode()) % len(short)]
        left_out += [item for place, found in places.items() if place != kept for item in found]
    if left_out:
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]
        config.hook.pytest_deselected(items=left_out)


gc.disable()  # until all has been loaded


def pytest_collection_finish() -> None:
    """What has been loaded for all tests stays: Python need not look through it for cycles again and again, and for new
    ones seldom. With hundreds of thousands of objects that took a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER)
    gc.enable()


def capabilities(game: str) -> Capabilities:
    """What a game can do, the probe game among them."""
    if game != PROBE:
        return GAMES[game].capabilities
    from probe.board import CAPABILITIES

    return CAPABILITIES


@pytest.fixture(autouse=True)
def _probe_where_it_is_asked_for(request: pytest.FixtureRequest) -> None:
    """A test that runs by game gets the probe game entered when its turn comes."""
    callspec = getattr(request.node, "callspec", None)
    params = callspec.params if callspec is not None else {}
    file = params.get("file")
    if params.get("game") == PROBE or (isinstance(file, Path) and PROBE in (file.parent.name, file.name.split("-")[0])):
        request.getfixturevalue(PROBE)


@pytest.fixture
def games_to_play() -> int:
    """1,000 random games a scenario in nightly runs, fewer otherwise."""
    return 1000 if NIGHTLY else 10


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> str:
    """The probe game, entered for one test and for all processes that it starts."""
    for known in (registry.GAMES, registry.FAMILIES, registry._DATA):
        monkeypatch.setitem(known, PROBE, None)  # whatever there was before is there again afterwards
    from probe.game import Probe

    registry.register(PROBE, Probe, PROBE_DATA)
    monkeypatch.setenv(OWN_GAMES, "probe.game")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH", "")])))
    return PROBE


@pytest.fixture(params=ANY_GAME)
def any_game(request: pytest.FixtureRequest) -> str:
    """Each game of the program in turn, and then the probe game: what is asked of it is asked of every game."""
    return str(request.getfixturevalue(PROBE) if request.param == PROBE else request.param)
