"""Levels: other words for players, taken wherever a spec is; and the recruit, who makes a beginner's mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import fronte
from fronte.ai import Seat, check_player, offered, player, read_spec
from fronte.ai.levels import LEVELS, called, meant
from fronte.ai.reasons import tell
from fronte.ai.recruit import MISTAKES
from fronte.cli import app
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES
from fronte.games.registry import GAMES


def test_a_level_is_another_word_for_a_player() -> None:
    assert read_spec("officer") == read_spec("steady") == ("steady", "")
    assert read_spec("general") == ("planner", "8s")
    assert meant("planner:3s") == "planner:3s"
    with pytest.raises(ValueError, match="takes no budget"):
        read_spec("steady:2s")
    with pytest.raises(ValueError, match="no player 'officer'"):
        read_spec("officer:2s")
    for level in ("recruit", "officer"):
        for game in GAMES:
            check_player(level, game)


def test_whom_a_person_may_choose_is_described_in_both_languages(any_game: str) -> None:
    for language in LANGUAGES:
        told = [called(spec, language) for spec in offered(any_game)]
        assert len({one.name for one in told}) == len(told), "no two are called the same"
        assert all(one.about.endswith(".") for one in told)
    assert set(LEVELS) >= {"recruit", "officer", "staff", "general"}


def test_a_level_is_called_the_same_as_who_plays_it() -> None:
    assert [called(level, "en").name for level in LEVELS] == ["Recruit", "Officer", "Staff", "General"]
    assert [called(spec, "it").name for spec in LEVELS.values()] == [
        "Recluta",
        "Ufficiale",
        "Stato maggiore",
        "Generale",
    ]
    assert called("planner", "en").name == "Staff" and called("planner:5s", "en").name == "Staff (5s)"
    assert called("somebody:3", "en") == ("somebody (3)", "")


def beginning(game: str, decisions: int) -> tuple[Match, int]:
    """The first decisions of a game between recruits, and how many were mistakes."""
    match = fronte.new(game, seed=4)
    hands = [player("recruit", seat, game=game) for seat in match.rules.seats]
    texts = match.rules.texts("it")
    mistakes = 0
    while match.seat >= 0 and len(match.entries) < decisions:
        hand = hands[match.seat]
        match.play(hand(Seat(match, match.rules.seats[match.seat])))
        why = hand.why  # type: ignore[attr-defined]
        assert tell(why, texts, game)
        if why.key == "mistake":
            assert why.secret
            mistakes += 1
    return match, mistakes


@pytest.mark.parametrize("game", GAMES)
def test_a_recruit_plays_every_game_by_the_rules(game: str) -> None:
    match, mistakes = beginning(game, 30)
    assert len(match.entries) == 30 and 0 < mistakes < 4 * MISTAKES * 30


def test_the_same_seed_makes_the_same_mistakes() -> None:
    assert beginning("isonzo", 30)[0].save() == beginning("isonzo", 30)[0].save()


def test_the_terminal_names_the_level(tmp_path: Path) -> None:
    asked = ["--seat", "italian", "--opponent", "officer", "--language", "it", "--save", str(tmp_path / "a.fronte")]
    told = CliRunner().invoke(app, ["text", "isonzo", *asked], input="esci\n")
    assert "Ufficiale" in told.stdout, told.output
