"""Texts: every kind of event and decision can be told in every language, and nothing hidden is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import fronte
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.text import LANGUAGES, Names, Texts, missing, sixths
from fronte.games.registry import GAMES

GAME_LANGUAGES = [(game, language) for game in GAMES for language in LANGUAGES]


def scenarios(game: str) -> list[str]:
    rules: Any = fronte.ruleset(game)
    return list(rules.scenarios)


def random_match(game: str, scenario: str, seed: int) -> Iterator[Match]:
    """A random game, at every decision of it."""
    match = fronte.new(game, scenario, seed)
    rng = Random(seed)
    while match.decision is not None:
        yield match
        match.play(match.sample(rng))
    yield match


def texts_of(game: str, language: str) -> Texts:
    rules: Any = fronte.ruleset(game)
    return Texts.read(rules.pack, language)


@pytest.mark.parametrize(("game", "language"), GAME_LANGUAGES)
def test_every_decision_and_policy_has_a_text(game: str, language: str) -> None:
    texts, rules = texts_of(game, language), fronte.ruleset(game)
    assert missing(texts, [], list(rules.choices)) == []
    for kind, policies in rules.standing.items():
        assert set(policies) <= set(texts.tables["policy"][kind]), kind
    assert set(rules.chances) <= set(texts.tables["die"])


@pytest.mark.parametrize("game", GAMES)
def test_the_languages_tell_the_same_things(game: str) -> None:
    keys = [_keys(texts_of(game, language).tables) for language in LANGUAGES]
    assert all(other == keys[0] for other in keys)


def _keys(table: dict[str, Any], path: str = "") -> set[str]:
    found = set()
    for key, value in table.items():
        found |= _keys(value, f"{path}{key}.") if isinstance(value, dict) else {f"{path}{key}"}
    return found


@pytest.mark.parametrize(("game", "language"), GAME_LANGUAGES)
def test_random_games_can_be_told(game: str, language: str) -> None:
    texts = texts_of(game, language)
    for seed, scenario in enumerate(scenarios(game)):
        asked: set[str] = set()
        for match in random_match(game, scenario, seed):
            decision = match.decision
            if decision is not None and decision.kind not in asked:
                asked.add(decision.kind)
                _is_clean(texts.ask(decision))
                assert texts.hint(decision)
        for event in match.events:
            for told in (event, *(event.to(seat) for seat in range(len(match.rules.seats)))):
                if told is not None:
                    _is_clean(texts.event(told, cite=False))


def _is_clean(sentence: str) -> None:
    """A sentence: something is said, nothing is left of the template, no gap where a name should be."""
    assert re.match(r"\S.*[.!?:]$", sentence), sentence
    assert not re.search(r"[{}\[\]|]|  |\(\)| ,| ;", sentence), sentence


@pytest.mark.parametrize("game", GAMES)
def test_veiled_events_name_no_unit(game: str) -> None:
    texts = texts_of(game, "en")
    *_, match = random_match(game, scenarios(game)[0], 3)
    veiled = [event for event in match.events if event.veiled is not None and event.veiled.get("unit") == ""]
    assert veiled
    for event in veiled:
        other = Event(event.kind, event.rules, event.veiled or {})
        assert "a unit" in texts.event(other).lower()
        assert texts.unit(event.data["unit"]) not in texts.event(other)


def test_templates() -> None:
    texts = texts_of("isonzo", "en")
    assert texts.fill("{n:#hex|hexes}", {"n": 1}) == "1 hex"
    assert texts.fill("{n:#hex|hexes}", {"n": 2}) == "2 hexes"
    assert texts.fill("{n:#none|hex|hexes}", {"n": 0}) == "none"
    assert texts.fill("{u:=goes|go}", {"u": ["a", "b"]}) == "go"
    assert texts.fill("a[ b {x}][{x:!} c]", {"x": ""}) == "a c"
    assert texts.fill("a[ b {x}][{x:!} c]", {"x": 1}) == "a b 1"
    assert texts.fill("{a.b:signed}", {"a": {"b": 3}}) == "+3"
    assert [sixths(n) for n in (0, 2, 6, 21)] == ["0", "1/3", "1", "3 1/2"]


def test_names() -> None:
    texts = texts_of("isonzo", "en")
    assert texts.unit("") == "a unit"
    assert texts.unit("?2312") == "a unit"
    assert texts.unit("it-forli") == "FORLI"
    assert texts.unit("ah-art-24-1") != texts.unit("it-art-24-1")
    assert texts.hex("2215") == "2215 (Plava)"
    assert texts.where("box") == "in the reserve box"
    assert texts.units([]) == "some units"


def test_a_sentence_cites_its_rules() -> None:
    texts = texts_of("isonzo", "en")
    event = Event("taken", ("15.b",), {"hex": "2215", "side": "ah", "name": "Plava"})
    assert texts.event(event) == "The Austro-Hungarians take 2215 (Plava). [15.b]"
    assert texts_of("isonzo", "it").event(event) == "Gli austro-ungarici prendono 2215 (Plava). [15.b]"


def test_what_is_missing_is_named() -> None:
    texts = texts_of("isonzo", "en")
    found = missing(texts, ["moved", "landslide"], ["movement", "parley"])
    assert found == [
        "no text for the event landslide",
        "no ask for the decision parley",
        "no hint for the decision parley",
    ]
    with pytest.raises(KeyError, match="landslide"):
        texts.event(Event("landslide", (), {}))
    with pytest.raises(ValueError, match="no language 'de'"):
        Texts.read(fronte.ruleset("isonzo").pack, "de")  # type: ignore[attr-defined]


def test_names_of_a_board() -> None:
    rules: Any = fronte.ruleset("isonzo")
    names = Names(rules.pack)
    assert names.side["it-forli"] == "italian"
    assert names.water["2215/2314"] == names.water["2314/2215"] == "Isonzo"
