"""Advice and judgement: the same where a seat sees the same, the same for a seed, and true to what it measures."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

import fronte
from fronte.ai import player
from fronte.ai.advice import Estimate, advise, cost, decided, estimate, outlook
from fronte.ai.budget import Budget
from fronte.ai.reasons import tell
from fronte.cli import app
from fronte.engine.match import Match
from fronte.engine.record import read
from fronte.engine.text import LANGUAGES
from fronte.games.inferno.combat import Attack
from fronte.games.inferno.movement import End

RECORDED = Path(__file__).parent / "recorded"
PLANNED = {"isonzo": "movement", "altipiani": "movement", "volturno": "act", "caporetto": "act"}
"""For each game a kind of decision for which plans are made."""
SCENARIOS = {"volturno": "short", "caporetto": "cividale"}
"""The short ones, where not the first is."""


def position(game: str) -> Match:
    """A game of steady in its second turn, where a plan is to be made."""
    match = fronte.new(game, SCENARIOS.get(game), seed=3)
    steady = player("steady", "x", game=game)
    while match.state.turn < 2 or match.state.frames[-1].name != PLANNED[game]:
        match.play(steady(match.seated(match.rules.seats[match.seat])))
    return match


def late(name: str, lines: int) -> Match:
    """A recorded game shortly before its end."""
    text = (RECORDED / f"{name}.jsonl").read_text(encoding="utf-8")
    return fronte.load(text, len(read(text)[1]) - lines)


def twin(match: Match, seat: int) -> Match:
    """The same match with other things hidden from a seat."""
    return Match(match.rules, match.rules.shuffle_hidden(match.state, seat, Random(5)), [])


def told(found: Any) -> bytes:
    return msgspec.json.encode(found)


@pytest.fixture(scope="module", params=sorted(PLANNED))
def match(request: pytest.FixtureRequest) -> Match:
    return position(request.param)


def test_a_planner_tells_what_it_would_do_and_what_it_weighed(match: Match) -> None:
    seat, game = match.seated(match.rules.seats[match.seat]), match.rules.header.game
    found = advise(seat, "planner:8p", "a")
    assert seat.why_not(found.action) is None
    assert len(found.options) > 1 and sum(option.tries for option in found.options) <= 8
    assert found.options[0].behind.mean == 0
    for language in LANGUAGES:
        words = match.rules.texts(language)
        assert tell(found.why, words, game)
        for option in found.options:
            assert option.moves and option.purpose is not None
            said = tell(option.purpose, words, game)
            assert said and not set("{}") & set(said)


def test_who_answers_at_once_has_a_reason_and_nothing_to_compare(match: Match) -> None:
    found = advise(match.seated(match.rules.seats[match.seat]), "steady", "a")
    assert found.why.key and not found.options


def test_what_is_hidden_changes_no_answer(match: Match) -> None:
    mine, other = match.seat, 1 - match.seat
    changed = twin(match, mine)
    assert match.rules.to_position(changed.state) != match.rules.to_position(match.state)
    first, second = (one.seated(match.rules.seats[mine]) for one in (match, changed))
    assert told(advise(first, "planner:4p", "s")) == told(advise(second, "planner:4p", "s"))
    done = [next(first.legal())]
    assert told(cost(first, done, Budget(4), "s")) == told(cost(second, done, Budget(4), "s"))
    for side in (mine, other):  # a position is judged by either side, whoever owes the decision
        name = match.rules.seats[side]
        one, two = match.seated(name), twin(match, side).seated(name)
        assert told(outlook(one, Budget(1), "s", 1)) == told(outlook(two, Budget(1), "s", 1))


def test_a_seed_decides_and_nothing_else_does(match: Match) -> None:
    seat = match.seated(match.rules.seats[match.seat])
    before = match.rules.to_position(match.state)
    first, again, other = (told(outlook(seat, Budget(1), seed, 1)) for seed in ("s", "s", "t"))
    assert first == again != other
    assert match.rules.to_position(match.state) == before


@pytest.mark.parametrize("name", ["isonzo-historical-steady", "volturno-short-steady"])
def test_an_outlook_counts_how_playouts_end(name: str) -> None:
    match = late(name, 12)
    both = [outlook(match.seated(seat), Budget(6), "s") for seat in match.rules.seats]
    for found in both:
        assert found.playouts == found.ended == 6
        assert sum(ending.share for ending in found.endings) == pytest.approx(1)
        assert found.score.low is not None and found.score.high is not None
        assert found.score.low <= found.score.mean <= found.score.high
        assert found.spread[0] <= found.score.mean <= found.spread[1]
        levels = match.rules.texts("en").tables["level"]
        assert all(ending.level in levels and ending.low <= ending.share <= ending.high for ending in found.endings)
    assert both[0].merit.mean * both[1].merit.mean <= 0  # what is good for one is bad for the other
    short = outlook(match.seated(match.rules.seats[0]), Budget(3), "s", ahead=0)
    assert short.ended == 0 and not short.endings and short.playouts == 3


def test_when_all_is_over_the_outlook_is_the_result() -> None:
    match = fronte.load((RECORDED / "volturno-short-steady.jsonl").read_text(encoding="utf-8"))
    result = match.result
    assert result is not None
    found = outlook(match.seated(match.rules.seats[0]), Budget(9), "s")
    assert found.score == Estimate(result.score) and found.playouts == 1
    assert [(ending.level, ending.winner, ending.share) for ending in found.endings] == [
        (result.level, result.winner, 1.0)
    ]


def test_the_clock_cuts_playouts_short_but_never_all_of_them() -> None:
    match = position("volturno")
    ticks = iter(range(1000))
    found = outlook(match.seated(match.rules.seats[0]), Budget(50, 3.0), "s", clock=lambda: float(next(ticks)))
    assert 1 <= found.playouts < 5 and found.ended < found.playouts


def test_throwing_a_turn_away_costs_something() -> None:
    """The Italians of Isonzo who do not attack at all on the first day give away what they could have taken."""
    match = fronte.new("isonzo", seed=4)
    steady = player("steady", "x", game="isonzo")
    while match.state.frames[-1].name != "combat":
        match.play(steady(match.seated(match.rules.seats[match.seat])))
    seat = match.seated("italian")
    found = cost(seat, [End()], Budget(24), "s")
    assert found.playouts <= 24
    assert found.best is not None and isinstance(found.best.moves[0], Attack)
    assert found.cost.low is not None and found.cost.low > 0
    assert found.best.expected - found.done == pytest.approx(found.cost.mean)


def test_what_was_done_is_read_from_the_record() -> None:
    text = (RECORDED / "isonzo-historical-steady.jsonl").read_text(encoding="utf-8")
    entries = read(text)[1]
    match = fronte.load(text, 0)
    while match.state.frames[-1].name != "movement":
        match = fronte.load(text, len(match.entries) + 1)
    here = len(match.entries)
    done = decided(match.rules, match.state, entries[here:])
    own = match.rules.seats[match.seat]
    assert len(done) > 3 and done[-1] == End()
    following = [entry.action for entry in entries[here:] if entry.seat == own][: len(done)]
    assert msgspec.json.encode(done) == msgspec.json.encode(following)
    after = next(n for n in range(here, len(entries)) if entries[n].action["do"] == "end") + 1
    ended = fronte.load(text, after)
    assert ended.state.phase == "combat"
    assert len(decided(ended.rules, ended.state, entries[after:])) == 1


def test_few_values_tell_no_interval_and_many_do() -> None:
    assert estimate([1.0, 2.0]) == Estimate(1.5)
    found = estimate([1.0, 2.0, 3.0, 4.0])  # Student with three degrees of freedom: 3.18 standard errors
    assert found.low == pytest.approx(2.5 - 3.18 * 1.291 / 2, abs=0.1)
    assert estimate([2.0] * 5) == Estimate(2.0, 2.0, 2.0)


def test_a_seat_that_owes_nothing_is_not_advised() -> None:
    match = fronte.new("isonzo", seed=1)
    other = match.seated(match.rules.seats[1 - match.seat])
    with pytest.raises(ValueError, match="owes no decision"):
        advise(other, "steady", "s")
    with pytest.raises(ValueError, match="owes no decision"):
        cost(other, [End()], Budget(4), "s")


def test_the_command_line_tells_it_in_both_languages(tmp_path: Path) -> None:
    match = late("volturno-short-steady", 30)
    entries = len(match.entries)
    seat = match.rules.seats[match.seat]
    match.play(player("steady", "x", game="volturno")(match.seated(seat)))
    file = tmp_path / "game.jsonl"
    file.write_text(match.save(), encoding="utf-8")
    runner = CliRunner()
    for language, would, expected in (("en", "would", "score expected"), ("it", "farebbe", "punteggio")):
        where = [str(file), "--at", str(entries), "--language", language]
        asked = runner.invoke(app, ["advise", *where, "--player", "planner:6p"])
        assert asked.exit_code == 0 and would in asked.output, asked.output
        judged = runner.invoke(app, ["judge", *where, "--playouts", "4"])
        assert judged.exit_code == 0 and expected in judged.output, judged.output
    assert "cost" in runner.invoke(app, ["judge", str(file), "--at", str(entries), "--playouts", "4", "--json"]).output
    wrong = runner.invoke(app, ["advise", str(file), "--player", "nobody"])
    assert wrong.exit_code == 1
