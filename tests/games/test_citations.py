"""What the games cite: every rule is in the reference of its own game, and Altipiani cites as its booklet prints."""

from __future__ import annotations

import ast
import re
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import fronte
from fronte.engine.event import Event
from fronte.engine.rulebook import Rulebook
from fronte.games.inferno import cites
from fronte.games.inferno.combat import Attack
from fronte.games.registry import open_pack

LETTER = re.compile(r"\.[a-z]$")
PRINTED_LISTS = {"7.2": 2, "7.4": 2, "9.2.1": 2, "9.4.1": 5, "11.3": 2}
"""The rules of Altipiani whose paragraphs the booklet numbers (1), (2) and so on."""


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_the_parts_of_the_odds_cite_rules_of_their_own_book(game: str) -> None:
    match = fronte.new(game)
    rules = match.rules
    rng = Random(1)
    while (decision := match.decision) is not None and decision.kind != "combat":
        match.play("end" if decision.kind == "movement" else match.sample(rng))
    odds = (match.odds(action) for action in match.legal() if isinstance(action, Attack))
    sheets = [sheet for sheet in islice(odds, 200) if sheet.of]
    cited = {part.rule for sheet in sheets for part in (*sheet.facts, *sheet.rows)}
    assert len(cited) > 3 and [rule for rule in cited if rule not in rules.rulebook.rules] == []
    assert any(fact.key == "trench" for sheet in sheets for fact in sheet.facts) == (game == "isonzo")


def test_letters_of_ours_are_marked_and_printed_numbers_are_cited_in_altipiani() -> None:
    book = Rulebook.read(open_pack("altipiani"))
    for name in book.rules:
        label = book.label(name)
        if not LETTER.search(name):
            assert label == name
            continue
        head, letter = name.rsplit(".", 1)
        number = ord(letter) - ord("a") + 1
        printed = number <= PRINTED_LISTS.get(head, 0)
        assert label == (f"{head}({number})" if printed else f"{name}*")
        assert book.find(label) == name


def test_a_sentence_cites_as_the_booklet_does() -> None:
    texts = fronte.new("altipiani").rules.texts("en")
    event = Event("entered", ("9.4.1.b", "12.3.d", "9.4"), {"unit": "it-ivrea", "hex": "2509"})
    assert texts.event(event).endswith("[9.4.1(2), 12.3.d*, 9.4]")


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_all_that_a_game_tells_cites_rules_of_its_own_book(game: str) -> None:
    match, rng = fronte.new(game, seed=7), Random(7)
    told: set[str] = set()
    for _ in range(1500):
        if match.decision is None:
            break
        told.update(match.decision.rules)
        for event in match.play(match.sample(rng)):
            told.update(event.rules)
    assert len(told) > 20
    assert sorted(rule for rule in told if rule not in match.rules.rulebook.rules) == []


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_every_key_of_the_shared_chapters_has_a_number_of_the_book(game: str) -> None:
    rules = fronte.ruleset(game)
    assert [number for number in rules.citations.values() if number not in rules.rulebook.rules] == []
    keys = {value for name, value in vars(cites).items() if name.isupper()}
    assert keys >= set(rules.citations)
    of_one_game = keys - set(rules.citations)
    other = fronte.ruleset("altipiani" if game == "isonzo" else "isonzo")
    assert of_one_game <= set(other.citations) and len(of_one_game) < 10


def test_shared_chapters_cite_keys_and_no_numbers() -> None:
    number = re.compile(r"\d+(\.[\dA-Za-z]+)+(-\d)?")
    for file in sorted(Path(cites.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not number.fullmatch(node.value), f"{file.name}, line {node.lineno}: {node.value}"
