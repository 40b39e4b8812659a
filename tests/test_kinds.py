"""Raider and stubborn of Volturno and Caporetto: legal, the same for a seed, and each true to its kind."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import pytest

import fronte
from fronte.ai import Seat, offered, player
from fronte.ai.reasons import tell
from fronte.engine.decision import Action
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES, texts_of
from fronte.games.caporetto.acting import Assault, Storm
from fronte.games.volturno.declarations import Declare

GAMES = [("volturno", "short"), ("caporetto", "cividale")]
KINDS = ("raider", "stubborn")
SEEDS = (1, 2)
ATTACKERS = {"volturno": 1, "caporetto": 0}


class Played(NamedTuple):
    """A whole game: the match, and by decision whose it was, what was answered, and why."""

    match: Match
    told: list[tuple[int, Action, Any]]


def play(game: str, scenario: str, seed: int, hands: tuple[str, str]) -> Played:
    match = fronte.new(game, scenario, seed)
    players: list[Any] = [player(name, f"{seed} {seat}", game=game) for seat, name in enumerate(hands)]
    seats = [Seat(match, name) for name in match.rules.seats]
    told = []
    while match.seat >= 0:
        seat = match.seat
        action = players[seat](seats[seat])
        told.append((seat, action, players[seat].why))
        match.play(action)
    return Played(match, told)


played = cache(play)


@pytest.mark.parametrize("table", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_they_play_by_the_rules_and_say_why(table: tuple[str, str], kind: str) -> None:
    assert kind in offered(table[0])
    match, told = played(*table, 1, (kind, "steady"))
    assert match.result is not None and match.rules.broken(match.state) == []
    for language in LANGUAGES:
        texts = texts_of(match.rules.pack, language)  # type: ignore[attr-defined]
        for _, _, why in told:
            sentence = tell(why, texts, table[0])
            assert sentence[-1] in ".:" and not set("{}[]") & set(sentence), sentence


@pytest.mark.parametrize("table", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_plays_the_same_game_and_not_steadys(table: tuple[str, str], kind: str) -> None:
    first = played(*table, 1, (kind, "steady")).match.save()
    assert first == play(*table, 1, (kind, "steady")).match.save()
    assert first != played(*table, 1, ("steady", "steady")).match.save()


@pytest.mark.parametrize(("table", "attacks"), [(GAMES[0], (Declare,)), (GAMES[1], (Assault, Storm))])
def test_the_stubborn_attacks_less_often_than_the_raider(table: tuple[str, str], attacks: tuple[type, ...]) -> None:
    def count(kind: str) -> int:
        """How often the side that has to take places attacks, over some games."""
        seat = ATTACKERS[table[0]]
        hands = ("steady", kind) if seat else (kind, "steady")
        told = [one for seed in SEEDS for one in played(*table, seed, hands).told]
        return sum(own == seat and isinstance(action, attacks) for own, action, _ in told)

    assert count("stubborn") < count("raider")
