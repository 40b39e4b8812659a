"""The rules reference of Volturno: whole in both languages, cited as printed, its defaults the letter of the book."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

import fronte.games
from fronte.engine.pack import Pack
from fronte.engine.rulebook import Rule, Rulebook

PACK = Pack([Path(fronte.games.__file__).parent / "volturno" / "data"])
BOOK = Rulebook.read(PACK)
RULES: list[dict[str, Any]] = PACK.toml("rules.toml")["rule"]
ITALIAN: dict[str, dict[str, str]] = PACK.toml("rules.it.toml")
LANGUAGES = ("en", "it")
CHAPTERS = [*map(str, range(1, 20)), "tables", "gaps"]
OURS = re.compile(r"\.(p\d+|ex|[gn]\d|[bc]\d)$")
"""Ids of paragraphs to which the booklet gives no number."""
LINE, SCREEN = 100, 24
"""A screen is that many lines of that many characters."""

LETTER = {
    "city_as_village": "zor-and-front",
    "pass_through_marker_hexes": "same-target",
    "orders_marker_carryover": "true",
    "road_command_cost": "any-road-hex",
    "trace_through_enemy_hex": "true",
    "overrun_counts_for_morale": "false",
    "one_marker_per_hex": "false",
    "attacker_faces_marker": "false",
    "same_hex_same_target_actions": "allow",
    "los_woods": "clear",
    "los_elevation": "none",
    "sighting_range_day": "unlimited",
    "exhaustion_recovery": "full-turn",
    "retreat_away": "false",
    "retreat_reaction_by_active": "all",
    "artillery_rescue_trigger": "extended",
    "countercharge_range": "as-charge",
    "recovery_after_withdrawal": "1",
    "gt15_light": "day",
    "night_reaction_combat": "allow",
    "ruiz_march": "must",
    "ruiz_arrival_test": "all-units",
    "short_scenario_initial_control": "nobody",
    "eliminated_counts_as_routed_for_vp": "false",
}
"""Options whose default is easily taken for another reading than the printed words."""


def said(rule: Rule) -> list[str]:
    """What is shown of a rule, part by part."""
    return [part for part in (rule.title, rule.must, rule.issue, rule.ruling, rule.note) if part]


def test_every_rule_stands_once_and_335_are_enforced() -> None:
    ids = [rule["id"] for rule in RULES]
    assert len(ids) == len(set(ids)) == len(BOOK.rules) == 343
    assert len(BOOK.enforced()) == 335
    assert {rule.software for rule in BOOK.rules.values()} == {"enforce", "display", "not-applicable"}


def test_rules_come_chapter_by_chapter() -> None:
    chapters = [rule.chapter for rule in BOOK.rules.values()]
    assert list(dict.fromkeys(chapters)) == CHAPTERS
    assert chapters == sorted(chapters, key=CHAPTERS.index)
    named = {"table": "tables", "gap": "gaps"}
    for name, rule in BOOK.rules.items():
        head = name.split(".")[0]
        assert rule.chapter == named.get(head, head), name


def test_what_a_rule_refers_to_exists() -> None:
    assert [(rule.id, ref) for rule in BOOK.rules.values() for ref in rule.refs if ref not in BOOK.rules] == []
    assert [rule.id for rule in BOOK.rules.values() if rule.id in rule.refs] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_named_in_the_text_exist(language: str) -> None:
    number = re.compile(r"\b(?:\d{1,2}(?:\.(?:\d{1,2}|[A-E]))+(?:\.p\d+)?|(?:gap|table)\.[a-z-]+)")
    clock = re.compile(r"(?<=GT 1 è alle )5\.00|(?<=alle )19\.00|\b\d\.5 MP|\bB-\d")
    unknown = []
    for name in BOOK.rules:
        for part in said(BOOK.rule(name, language)):
            unknown += [(name, found) for found in number.findall(clock.sub("", part)) if found not in BOOK.rules]
    assert unknown == []


def test_paragraphs_of_ours_are_cited_with_a_star_and_printed_ones_as_printed() -> None:
    for name in BOOK.rules:
        label = BOOK.label(name)
        if found := re.fullmatch(r"12\.1\.t(\d)|11\.3\.p([123])", name):
            assert label == f"{name.rsplit('.', 1)[0]}({found[1] or found[2]})"
        else:
            printed = re.sub(r"^4\.B(\d)", r"4.B-\1", name)
            ours = OURS.search(name) or name.startswith("gap.")
            assert label == (f"{printed}*" if ours else printed)
        assert BOOK.find(label) == name
    assert len({BOOK.label(name) for name in BOOK.rules}) == len(BOOK.rules)


@pytest.mark.parametrize(
    ("name", "label"),
    [("3.p1", "3.p1*"), ("4.B1", "4.B-1"), ("4.B2.a", "4.B-2.a"), ("4.B2.c1", "4.B-2.c1*"), ("12.1.t3", "12.1(3)")],
)
def test_labels(name: str, label: str) -> None:
    assert BOOK.label(name) == label


def test_the_italian_is_complete() -> None:
    assert list(ITALIAN) == list(BOOK.rules)
    for name, rule in BOOK.rules.items():
        told = ITALIAN[name]
        assert set(told) == {"title", "must", *(["ruling"] if rule.ruling else [])}, name
        assert all(told.values())
        assert told["must"] != rule.must


def test_the_same_hexes_stand_in_both_languages() -> None:
    hexes = re.compile(r"\b\d{4}\b")
    for name, rule in BOOK.rules.items():
        assert set(hexes.findall(rule.must)) - {"1860"} == set(hexes.findall(ITALIAN[name]["must"])) - {"1860"}, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rule_is_longer_than_a_screen(language: str) -> None:
    for name in BOOK.rules:
        lines = [line for part in said(BOOK.rule(name, language)) for line in textwrap.wrap(part, LINE)]
        assert len(lines) < SCREEN, name


def test_options_name_a_rule_that_names_them_and_a_default_among_their_values() -> None:
    names = [option.name for option in BOOK.options]
    assert len(names) == len(set(names)) == 54
    for option in BOOK.options:
        assert option.default == option.values[0]
        assert len(set(option.values)) == len(option.values) > 1
        assert f"Option {option.name}, default {option.default}." in BOOK.rules[option.rule].ruling
        italian = f"Opzione {option.name}, valore predefinito {option.default}."
        assert italian in BOOK.rule(option.rule, "it").ruling


def test_the_defaults_are_the_letter_of_the_book() -> None:
    assert {option.name: option.default for option in BOOK.options if option.name in LETTER} == LETTER


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_and_their_readings_have_words(language: str) -> None:
    texts = PACK.toml(f"text.{language}.toml")
    assert set(texts["option"]) == {option.name for option in BOOK.options}
    values = {value for option in BOOK.options for value in option.values}
    plain = {value for value in values if value.isdigit() or value in ("true", "false")}
    assert set(texts["reading"]) == values - plain
    assert all(texts["option"].values()) and all(texts["reading"].values())


def test_the_glossary_has_the_abbreviations_of_the_booklet_in_both_languages() -> None:
    glossary = PACK.toml("glossary.toml")
    terms = glossary["term"]
    for field in ("abbreviation", "label_it"):
        labels = [term[field] for term in terms]
        assert len(labels) == len(set(labels))
    assert all(term["english"] and term["italian"] for term in (*terms, *glossary["unit_name"]))
    booklet = "GT MP MA SP CdF CiC OOC ZoR EZoR LoS DRM BCV CCV TEC TMF CCMT VP"
    assert set(booklet.split()) <= {term["label_it"] for term in terms}
