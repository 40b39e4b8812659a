"""Who sits at a scenario: the seats of the game, unless the scenario names its own."""

from __future__ import annotations

from pathlib import Path

from fronte.games.registry import data_folder, seats_of


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
