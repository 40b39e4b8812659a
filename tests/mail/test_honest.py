"""Honest matches by file, many of them: no letter is refused on the way and every match is found true at its end."""

from __future__ import annotations

import os
from random import Random

import pytest
from correspondents import Player, at_random, fiercely, pair, play, posted, quietly, verdict

import fronte
from fronte.ai import Player as Machine
from fronte.ai import Seat, player
from fronte.engine.decision import Action
from fronte.mail import letter as letters
from fronte.mail.letter import Letter, MailError, in_order
from fronte.mail.table import Table

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
MATCHES = 150 if NIGHTLY else 1
"""How many matches of each scenario are played in each manner."""


def true_to_the_end(game: str, scenario: str, seed: int, manner: Player, **options: str) -> list[Letter]:
    """Play a match and let the referee judge it; its letters."""
    posts = pair(game, scenario, seed, **options)
    play(posts, Random(seed), player=manner)
    done = posts[0] if posts[0].complete else posts[1]
    assert verdict(done) == ("true", ""), (game, scenario, seed, manner.__name__, options)
    return done.desk.letters


@pytest.mark.costly
@pytest.mark.parametrize("manner", [at_random, quietly, fiercely])
@pytest.mark.needs("by_file")
def test_honest_matches_are_true(game: str, scenario: str, manner: Player) -> None:
    for seed in range(100, 100 + MATCHES):
        true_to_the_end(game, scenario, seed, manner)


@pytest.mark.costly
@pytest.mark.needs("by_file")
def test_hard_fought_matches_are_true(game: str, scenario: str) -> None:
    """Machines that fight: many hundred letters. In short runs the first of them."""
    for seed in range(1, 9 if NIGHTLY else 2):
        makers = {seat: player("steady", f"{seed} {seat}") for seat in fronte.ruleset(game, scenario).seats}

        def steadily(table: Table, rng: Random, makers: dict[str, Machine] = makers) -> Action:
            name = table.rules.seats[table.mine]
            return makers[name](Seat(table, name))

        posts = pair(game, scenario, seed)
        play(posts, Random(seed), turns=10_000 if NIGHTLY else 100, player=steadily)
        done = posts[0] if posts[0].complete else posts[1]
        over = NIGHTLY or done.table.result is not None
        assert verdict(done)[0] == ("true" if over else "open"), (game, scenario, seed)


def test_honest_matches_are_true_under_options() -> None:
    """Every value of every option that can be played by file at all; in short runs every ninth of them."""
    choices = [
        (game, option.name, value)
        for game in ("isonzo", "altipiani")
        for option in fronte.ruleset(game).rulebook.options  # type: ignore[attr-defined]
        for value in option.values
        if value != option.default
    ]
    played = 0
    for number, (game, name, value) in enumerate(choices[:: 1 if NIGHTLY else 9]):
        try:
            pair(game, "", 1, **{name: value})
        except (MailError, ValueError) as unfit:  # needs one table, or an owner's own tables
            assert "by file" in str(unfit) or "stand-in" in str(unfit)
            continue
        true_to_the_end(game, "", 200 + number, at_random, **{name: value})
        played += 1
    assert played > 3


def test_shares_are_taken_in_the_order_of_their_throws() -> None:
    """A letter that opens the shares of throws 9 and 10 has them in its file as 10 and 9."""
    for seed in range(4, 30):
        for letter in true_to_the_end("isonzo", "historical", seed, quietly):
            if list(posted(letter).body.get("links", {})) == ["10", "9"]:
                return
    raise AssertionError("no letter opened both shares at once")


def test_what_is_no_number_of_a_throw_is_refused() -> None:
    assert in_order({"10": "0a", "9": "09"}) == [(9, b"\x09"), (10, b"\x0a")]
    for name in ("x", "", "-1", "01", "1.0", " 1", "\u0661", "\u00b2", "9" * 5000):
        with pytest.raises(MailError, match="number of a throw"):
            in_order({name: "00"})
    with pytest.raises(MailError, match="hexadecimal"):
        letters.in_order({"1": "zz"})
