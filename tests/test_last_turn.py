"""What stands beside the turn: how many there are, where no dice say when it is over."""

from __future__ import annotations

from random import Random

import pytest

import fronte


@pytest.mark.parametrize(
    ("played", "scene", "last"),
    [
        ("isonzo", "historical", 0),
        ("isonzo", "canale", 3),
        ("altipiani", "vallarsa", 2),
        ("altipiani", "historical", 14),
    ]
    + [("volturno", "short", 8), ("volturno", "full", 15), ("caporetto", "cividale", 8)],
)
def test_the_last_turn_is_told_where_there_is_one(played: str, scene: str, last: int) -> None:
    assert fronte.ruleset(played, scene).setting.last_turn == last


@pytest.mark.parametrize(("played", "scene"), [("isonzo", "canale"), ("altipiani", "vallarsa")])
def test_no_game_goes_on_after_it(played: str, scene: str) -> None:
    match, rng = fronte.new(played, scenario=scene, seed=5), Random(5)
    while match.decision is not None:
        match.play(match.sample(rng))
    turn = match.rules.public_view(match.state).stage.turn
    assert turn == match.rules.setting.last_turn
