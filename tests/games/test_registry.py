"""The games on their shelf: imported when they are asked for; who sits at a scenario."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from fronte.games.registry import GAMES, data_folder, seats_of


def test_a_game_is_imported_when_it_is_first_asked_for() -> None:
    code = """
import sys, fronte
rules = ["fronte.games.%s.game" % game for game in fronte.GAMES]
assert len(rules) > 3 and not set(rules) & set(sys.modules), "nobody has asked yet"
fronte.new("isonzo")
assert [name for name in rules if name in sys.modules] == ["fronte.games.isonzo.game"]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_game_is_where_the_shelf_says() -> None:
    assert {game: kind.game for game, kind in GAMES.items()} == {game: game for game in GAMES}


def test_a_scenario_has_the_seats_of_its_game() -> None:
    assert seats_of("isonzo") == seats_of("isonzo", "surprise") == ("italian", "ah")


def test_a_scenario_may_name_seats_of_its_own(tmp_path: Path) -> None:
    text = (data_folder("volturno") / "scenarios.toml").read_text("utf-8")
    changed = text.replace("[short]", '[short]\nseats = ["west", "east"]', 1)
    (tmp_path / "scenarios.toml").write_text(changed, "utf-8")
    assert changed != text
    assert seats_of("volturno", "short", (tmp_path,)) == ("west", "east")
    assert seats_of("volturno", "full", (tmp_path,)) == seats_of("volturno")


def test_a_scenario_that_there_is_not_has_the_seats_of_the_game() -> None:
    assert seats_of("volturno", "no such") == seats_of("volturno")
