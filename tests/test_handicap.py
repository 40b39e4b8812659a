"""A handicap: points that a side is given before a match, in every game, in the record, and in what people are told."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import fronte
from fronte.ai.inferno.value import value as inferno_value
from fronte.ai.volturno.planner import policy_of as volturno_policy
from fronte.cli import app
from fronte.engine.handicap import Handicap, read_handicap
from fronte.engine.match import Match
from fronte.games.registry import GAMES
from fronte.server.words import said

ENDED = {"isonzo": "time", "altipiani": "time", "volturno": "time", "caporetto": "last_turn"}
SCENARIOS = [(game, scenario) for game in ENDED for scenario in fronte.ruleset(game).scenarios]


def ended(game: str, scenario: str, handicap: str = "") -> Match:
    """A match of which the first turn was the last."""
    match = fronte.new(game, scenario, 1, {"handicap": handicap} if handicap else {})
    match.state.outcome = ENDED[game]
    match.state.frames.clear()
    return match


def test_every_game_is_held_to_it() -> None:
    assert set(ENDED) == set(GAMES)


@pytest.mark.costly(each=True)
@pytest.mark.parametrize(("which", "scenario"), SCENARIOS)
def test_it_counts_in_score_level_and_result(which: str, scenario: str) -> None:
    plain = ended(which, scenario)
    for number, seat in enumerate(plain.rules.seats):
        given = ended(which, scenario, f"{seat}:200")
        before, after = plain.result, given.result
        assert before is not None and after is not None
        assert given.rules.merit(after, number) - plain.rules.merit(before, number) == 200
        assert after.winner == seat, "so many points decide every game"
        assert given.rules.score(given.state) == after.score, "what is shown on the way is what counts in the end"
        told = {track.name: track.value for track in given.rules.public_view(given.state).tracks}
        assert told["score"] == after.score


def test_a_few_points_make_a_draw_of_a_defeat() -> None:
    """17.1.3: with 10 points the Neapolitans, who begin with none, are between 4 and 20."""
    plain, given = (ended("volturno", "full", handicap).result for handicap in ("", "napoletani:10"))
    assert plain is not None and plain.winner == "garibaldini" and plain.score == 0
    assert given is not None and (given.level, given.score, given.winner) == ("draw", 10, None)


def test_objectives_that_are_given_count_among_those_held() -> None:
    """16.1.3: who has four wins, and where both have as many, who has more."""
    match = ended("volturno", "short", "napoletani:5")
    held = sorted(match.rules.objectives)
    match.state.control = [sum(1 << h for h in held[:4]), sum(1 << h for h in held[4:])]
    assert match.result is not None and match.result.winner == "napoletani" and match.result.score == 3
    match.state.control = [sum(1 << h for h in held[:5]), 0]
    assert match.result.winner is None and match.result.level == "draw"


def test_the_record_keeps_it_and_has_nothing_of_it_elsewhere() -> None:
    assert "handicap" not in fronte.new("isonzo", seed=1).rules.header.options
    match = fronte.new("isonzo", seed=1, options={"handicap": "ah:7"})
    again = fronte.load(match.save())
    assert again.rules.handicap == Handicap("ah", 7)
    assert again.rules.head_start == -7, "the Italians score"
    assert str(Handicap("ah", 7)) == json.loads(match.save().splitlines()[0])["header"]["options"]["handicap"]


@pytest.mark.parametrize("wrong", ["", "ah", "ah:0", "ah:-3", "ah:201", "ah:1.5", "ah: 3", "ah:٣", "ah:3 ", "ah:03"])
def test_what_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"no handicap .*; write a seat and 1 to 200 points, as italian:10"):
        fronte.new("isonzo", options={"handicap": wrong})
    with pytest.raises(ValueError, match="no seat 'wing'; the seats are italian, ah"):
        read_handicap("wing:3", ("italian", "ah"))


def test_a_machine_plays_the_same_with_it() -> None:
    """A value is what may be expected in the end, so it moves by just as much."""
    plain, given = fronte.new("altipiani", seed=3), fronte.new("altipiani", seed=3, options={"handicap": "italian:20"})
    values = [inferno_value(match.rules, match.state, match.rules.seat_index("italian")) for match in (plain, given)]
    assert values[1] - values[0] == pytest.approx(20)
    short = [fronte.new("volturno", "short", 3, options) for options in ({}, {"handicap": "garibaldini:2"})]
    expected = [volturno_policy(match.rules).value(match.state, 0) for match in short]
    assert expected[1] - expected[0] == pytest.approx(2)


def test_the_terminal_says_it_in_both_languages(tmp_path: Path) -> None:
    for language, words in (("en", "Handicap: the Austro-Hungarians"), ("it", "Vantaggio: ")):
        asked = ["text", "isonzo", "--open", "--seed", "1", "--handicap", "ah:5", "--language", language]
        save = ["--save", str(tmp_path / f"{language}.fronte")]
        told = " ".join(CliRunner().invoke(app, [*asked, *save], input="score\nquit\n").output.split())
        assert told.count(words) == 2, "when it begins, and when one asks for the score"
        assert "+5" in told
    refused = CliRunner().invoke(app, ["text", "isonzo", "--handicap", "ah:500"])
    assert refused.exit_code == 1 and "no handicap 'ah:500'" in refused.output


def test_the_server_refuses_in_italian() -> None:
    why = "no handicap 'x'; write a seat and 1 to 200 points, as ah:10"
    assert said(why, "it") == "nessun vantaggio 'x'; scrivi un posto e da 1 a 200 punti, come ah:10"


def test_a_match_with_it_is_played_as_one_without() -> None:
    matches = [fronte.new("caporetto", "cividale", 5, options) for options in ({}, {"handicap": "italian:3"})]
    for match in matches:
        rng = Random(2)
        for _ in range(12):
            match.play(match.sample(rng))
    told = [[line for line in match.save().splitlines()[1:] if line] for match in matches]
    assert told[0] == told[1] and len(told[0]) >= 12
