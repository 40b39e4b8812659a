"""Levels: other words for players, taken wherever a spec is; and the recruit, who makes a beginner's mistakes."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import fronte
from fronte.ai import Seat, check_player, offered, player, read_spec
from fronte.ai.levels import LEVELS, RATINGS, called, described, meant, rating
from fronte.ai.ratings import AT
from fronte.ai.reasons import tell
from fronte.ai.recruit import MISTAKES
from fronte.cli import app
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES
from fronte.games.registry import GAMES
from fronte.server.printed import games


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
    match, mistakes = beginning(game, 60)
    assert len(match.entries) == 60 and 0 < mistakes < 4 * MISTAKES * 60


def test_the_same_seed_makes_the_same_mistakes() -> None:
    assert beginning("isonzo", 30)[0].save() == beginning("isonzo", 30)[0].save()


def test_the_terminal_names_the_level(tmp_path: Path) -> None:
    asked = ["--seat", "italian", "--opponent", "officer", "--language", "it", "--save", str(tmp_path / "a.fronte")]
    told = CliRunner().invoke(app, ["text", "isonzo", *asked], input="esci\n")
    assert "Ufficiale" in told.stdout, told.output


def test_a_rating_stands_beside_a_level_where_it_was_measured() -> None:
    measured = ("isonzo", "altipiani", "volturno", "caporetto")
    assert [rating("officer", game) for game in measured] == [AT] * 4 and rating("general", "isonzo") is None
    for game in measured:
        weak, usual = rating("recruit", game), rating("officer", game)
        assert weak is not None and usual is not None and weak < usual
        for language in LANGUAGES:
            told = described("recruit", game, language).about
            assert str(weak) in told and told.endswith(f"{AT}.")
    assert described("general", "isonzo", "en") == called("general", "en")
    assert described("officer", "isonzo", "en").about.endswith("Rating 1500, by which the others are measured.")


def test_what_is_rated_can_be_played() -> None:
    for game, measured in tomllib.loads(RATINGS.read_text(encoding="utf-8")).items():
        for spec in measured:
            check_player(spec, game)


def test_the_browser_is_told_the_rating() -> None:
    page = json.loads(games(tuple(() for _ in GAMES)).body)
    players = {one["id"]: one for one in next(game for game in page["games"] if game["id"] == "isonzo")["players"]}
    assert str(AT) in players["steady"]["about"]["it"] and str(AT) not in players["random"]["about"]["it"]
