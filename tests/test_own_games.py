"""Games that are no part of the program: entered by a module of their own, also in other processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from fronte.games.registry import FAMILIES, GAMES, data_folder, family_package, register, ruleset


def told(code: str, games: str) -> subprocess.CompletedProcess[str]:
    """What a fresh interpreter says with this in its environment."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"FRONTE_GAMES": games}
    )


def test_the_environment_names_modules_of_games(probe: str) -> None:
    say = "import fronte; print(*fronte.GAMES, fronte.new('probe').decision.kind)"
    assert told(say, "probe.game").stdout.split() == [*(game for game in GAMES if game != probe), probe, "plan"]
    assert told(say, " probe.game , ").stdout.split()[-2] == probe


def test_a_game_may_import_the_program_first(probe: str) -> None:
    assert told("import probe.game, fronte; print(*fronte.GAMES)", "probe.game").stdout.split()[-1] == probe


def test_a_module_that_is_not_there_is_named(probe: str) -> None:
    done = told("import fronte", "probe.nowhere")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "error: FRONTE_GAMES names probe.nowhere, but there is no module probe.nowhere"
    )
    assert len(done.stderr.splitlines()) == 1, "no traceback"


def test_a_module_without_a_game_is_named(probe: str) -> None:
    done = told("import fronte", "probe.state")
    assert done.returncode == 1
    assert done.stderr == "error: FRONTE_GAMES names probe.state, but that module registered no game\n"
    command = subprocess.run(
        [sys.executable, "-m", "fronte", "--version"],
        capture_output=True,
        text=True,
        env=os.environ | {"FRONTE_GAMES": "probe.state"},
    )
    assert (command.returncode, command.stderr) == (1, done.stderr)


def test_a_game_that_is_entered_again_takes_the_place_of_the_first(probe: str) -> None:
    first, folder = ruleset(probe), data_folder(probe)
    kind = GAMES[probe]
    again = type("Again", (kind,), {"version": "again"})
    try:
        register(probe, again, folder)
        assert type(ruleset(probe)) is again and ruleset(probe) is not first
    finally:
        register(probe, kind, folder)
    assert type(ruleset(probe)) is kind


def test_the_probe_is_there_only_where_it_is_asked_for() -> None:
    assert "probe" not in GAMES
    with pytest.raises(ValueError, match="no game 'probe'"):
        data_folder("probe")


def test_a_family_is_looked_for_by_its_name(probe: str) -> None:
    assert family_package("fronte.games", FAMILIES["altipiani"]) is sys.modules["fronte.games.inferno"]
    assert family_package("fronte.games", FAMILIES[probe]) is None
    assert family_package("fronte.games", "registry") is None, "a module is no package of a family"
    assert family_package("fronte.games", "no name") is None
