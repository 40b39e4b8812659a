"""The rules reference of Caporetto: whole in both languages, cited as printed, its defaults the letter of the book."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest
from caporetto_packs import PACK

from fronte.engine.rulebook import Rule, Rulebook
from fronte.games import caporetto

BOOK = Rulebook.read(PACK)
RULES: list[dict[str, Any]] = PACK.toml("rules.toml")["rule"]
ITALIAN: dict[str, dict[str, str]] = {k: v for k, v in PACK.toml("rules.it.toml").items() if k != "option"}
LANGUAGES = ("en", "it")
CHAPTERS = [*map(str, range(1, 29)), "appendix", "tables"]
LINE, SCREEN = 100, 24
"""A screen is that many lines of that many characters."""
NOT_THERE = {"20.6", "20.3", "11.1.1", "19.1.1"}
"""Numbers that the booklet cites or skips, and that it has not."""
STEPS = {"5.3", "5.4", "6.2", "6.3", "6.4"}
"""Numbers of steps within 4.0."""

NUMBERS = """
1.0 2.0 2.1 2.1.1 2.2 2.2.1 2.2.2 2.2.3 2.2.4 2.2.5 2.2.6 2.2.7 5.0 5.1 5.2 6.0 6.1 6.2 7.0 7.1 7.2 7.3 7.4 7.5 7.6
7.7 7.8 7.9 7.10 7.11 8.0 8.1 9.0 9.1 9.2 9.2.1 9.2.2 9.2.3 9.3 9.4 9.4.1 10.0 10.0.1 10.0.2 10.0.3 10.0.4 10.0.5
10.0.6 10.0.7 10.0.8 10.0.9 10.0.10 10.1 10.1.1 10.1.2 10.2 10.2.1 10.2.2 10.2.3 10.2.4 10.2.5 10.2.6 10.3 10.3.1
10.3.2 10.4 11.0 11.1 11.1.2 11.2 11.3 11.4 11.5 11.6 12.0 12.1 12.1.1 12.1.1.1 12.1.1.2 12.1.1.3 12.1.1.4 12.1.2
12.1.3 12.1.4 12.1.5 12.1.5.6 12.1.6 12.1.7 12.2 12.2.1 12.2.2 12.2.3 12.2.4 12.2.5 12.2.6 12.2.7 12.2.8 12.2.9
12.2.10 12.2.11 12.3 12.3.1 12.3.2 12.3.3 12.3.4 12.3.5 12.3.5.1 12.3.5.2 12.3.5.3 12.3.5.4 12.3.5.5 12.3.5.6
12.3.5.7 12.3.6 12.3.7 12.3.8 12.4 12.4.1 12.4.2 12.4.3 12.4.4 13.0 14.0 15.0 15.1 15.2 15.3 15.4 15.4.1 15.4.2
15.4.3 16.0 16.1 16.2 16.3 17.0 17.1 17.2 17.3 17.4 17.5 17.6 17.7 17.7.1 17.7.2 17.8 17.9 17.10 18.0 18.1 18.2 18.3
18.4 18.5 18.6 18.7 18.8 18.9 18.9.1 18.9.2 18.9.3 18.9.4 19.0 19.1 19.1.2 19.2 19.2.1 19.2.2 19.3 19.4 20.0 20.1
21.0 21.1 21.2 21.3 21.4 21.5 21.5.1 21.5.2 21.5.3 21.5.4 21.6 21.7 21.8 21.9 21.10 21.11 22.0 22.1 22.2 22.3 23.0
23.1 23.2 23.3 24.0 24.1 24.2 24.3 24.4 24.5 24.6 24.7 24.8 24.9 24.9.1 24.9.2 24.9.3 24.10 24.11 24.12 24.13 24.14
24.15 24.16 25.0 25.5 25.6 25.7 25.8 25.9 25.9.1 25.10 25.11 25.12 25.13 25.14 25.15 26.0 26.1 26.2 26.3 26.4 26.5
27.0 27.1 27.2 27.3 27.4 27.5 28.0
"""
"""What the booklet prints, but for the phases of 4.0."""

LETTER = {
    "hq_interdiction_needs_factor": "false",
    "infiltration_trench": "any-friendly-trench",
    "placed_guns_high_mountain": "2",
    "high_mountain_regiment_stack": "true",
    "friendly_fire_roll": "same-roll",
    "group_split": "pool-per-turn",
    "new_bridges": "true",
    "cavalry_bonus": "any",
    "rommel_gt1": "false",
    "cross_sector_fire": "free",
    "boundary_defensive_fire": "voluntary",
    "cividale_counts": "once",
    "late_overstack": "false",
    "no_division": "outside",
    "ezoc_companion": "present",
    "interdiction_roll": "unit",
    "interdiction_lp": "full-fives",
    "absorb_match": "any",
    "vicenza_defence": "owner",
}
"""Options whose default is easily taken for another reading than the printed words."""
OTHERS = {
    **{"mg_stacking": "one-free", "lp_visibility": "hidden", "command_zoc_roll": "per-hex"},
    **{"swap_same_division": "false", "supply_road_adjacency": "any-unit", "uphill_cost": "flat"},
    **{"forced_strategic": "multiply", "free_companies": "one-total", "observer_command": "active-hq"},
    **{"mobile_assault_df": "per-step", "assault_shift_mode": "printed-columns", "assault_lead": "owner-choice"},
    **{"reaction_lp_timing": "on-success", "morale_shift": "one-per-point", "bridge_adjacent": "bank-hex"},
    **{
        "absorb_dl": "text",
        "fog_of_war": "off",
        "open_counters": "false",
        "fow_levels": "category",
        "halt_result_s2": "it-wins",
    },
    **{"sector_draw": "each-turn", "setup_by_type": "false", "vp_90": "it-win"},
}
"""The rest: clear, or silent and ours."""


def said(rule: Rule) -> list[str]:
    """What is shown of a rule, part by part."""
    return [part for part in (rule.title, rule.must, rule.issue, rule.ruling, rule.note) if part]


def test_every_rule_stands_once_and_412_are_enforced() -> None:
    ids = [rule["id"] for rule in RULES]
    assert len(ids) == len(set(ids)) == len(BOOK.rules) == 441
    assert len(BOOK.enforced()) == 412
    software = [rule.software for rule in BOOK.rules.values()]
    assert (software.count("display"), software.count("not-applicable")) == (18, 11)


def test_rules_come_chapter_by_chapter() -> None:
    chapters = [rule.chapter for rule in BOOK.rules.values()]
    assert list(dict.fromkeys(chapters)) == CHAPTERS
    named = {"table": "tables", "abbr": "appendix", "seq": "appendix"}
    for name, rule in BOOK.rules.items():
        head = name.split(".")[0]
        assert rule.chapter == named.get(head, head), name


def test_every_numbered_rule_of_the_booklet_is_there() -> None:
    """The numbers that the booklet prints, chapter by chapter; 25 begins with 25.5."""
    for number in NUMBERS.split():
        assert BOOK.find(number) == number
        assert BOOK.label(number) == number


def test_what_a_rule_refers_to_exists() -> None:
    assert [(rule.id, ref) for rule in BOOK.rules.values() for ref in rule.refs if ref not in BOOK.rules] == []
    assert [rule.id for rule in BOOK.rules.values() if rule.id in rule.refs] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_named_in_the_text_exist(language: str) -> None:
    number = re.compile(r"(?<![\d:,.])\b\d{1,2}(?:\.\d{1,2})+(?![\d:])")
    ratio = re.compile(r"\d(?:[.,]\d+)?:\d(?:[.,]\d+)?")
    unknown = []
    for name in BOOK.rules:
        for part in said(BOOK.rule(name, language)):
            found = set(number.findall(ratio.sub("", part))) - STEPS - NOT_THERE
            unknown += [(name, one) for one in found if one not in BOOK.rules]
    assert unknown == []


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("4.P5.1", "4.0-5.1"), ("4.P12", "4.0-12"), ("4.P7.A", "4.0-7A"), ("4.P7.pass", "4.0-7.pass*"),
        ("7.5.e1", "7.5.e1*"),
        ("3.0.be", "3.0.be*"), ("8.1.fog.df", "8.1.fog.df*"), ("12.1.4.C", "12.1.4.C"), ("12.1.5.S", "12.1.5.S*"),
        ("12.3.5.A", "12.3.5.A"), ("21.6.2", "21.6(2)"), ("24.14.loss", "24.14.loss*"), ("table.tec", "table.tec"),
        ("12.1.5.6", "12.1.5.6"), ("abbr", "abbr*"),
    ],
)  # fmt: skip
def test_labels(name: str, label: str) -> None:
    assert BOOK.label(name) == label
    assert BOOK.find(label) == name


def test_labels_are_different() -> None:
    assert len({BOOK.label(name) for name in BOOK.rules}) == len(BOOK.rules)


def test_the_italian_is_complete() -> None:
    assert list(ITALIAN) == list(BOOK.rules)
    for name, rule in BOOK.rules.items():
        told = ITALIAN[name]
        assert set(told) == {"title", "must", *(["ruling"] if rule.ruling else [])}, name
        assert all(told.values())
        assert told["must"] != rule.must


def test_where_something_is_open_there_is_a_ruling() -> None:
    assert [rule.id for rule in BOOK.rules.values() if rule.issue and not rule.ruling] == []


def test_the_same_hexes_and_dice_stand_in_both_languages() -> None:
    hexes = re.compile(r"\b\d{4}\b")
    for name, rule in BOOK.rules.items():
        assert set(hexes.findall(rule.must)) - {"1917"} == set(hexes.findall(ITALIAN[name]["must"])) - {"1917"}, name


def test_what_is_ours_is_marked_in_both_languages() -> None:
    for name, rule in BOOK.rules.items():
        ours = bool(re.search(r"\b[Oo]urs\b", rule.ruling))
        told = BOOK.rule(name, "it").ruling
        assert bool(re.search(r"nostr[ae] scelt[ae]|Ricostruzione nostra|sono nostra", told)) == ours, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_rule_is_longer_than_a_screen(language: str) -> None:
    for name in BOOK.rules:
        lines = [line for part in said(BOOK.rule(name, language)) for line in textwrap.wrap(part, LINE)]
        assert len(lines) < SCREEN, name


def test_options_name_a_rule_that_names_them_and_a_default_among_their_values() -> None:
    names = [option.name for option in BOOK.options]
    assert len(names) == len(set(names)) == 42
    for option in BOOK.options:
        assert option.default == option.values[0]
        assert len(set(option.values)) == len(option.values) > 1
        assert f"Option {option.name}, default {option.default}." in BOOK.rules[option.rule].ruling
        italian = f"Opzione {option.name}, valore predefinito {option.default}."
        assert italian in BOOK.rule(option.rule, "it").ruling
        assert PACK.toml("rules.it.toml")["option"][option.name]["why"] not in ("", option.why)


def test_the_defaults_are_the_letter_of_the_book() -> None:
    assert {option.name: option.default for option in BOOK.options} == LETTER | OTHERS


def test_every_option_is_read_and_each_of_its_readings_makes_a_difference() -> None:
    """An option that nobody asks for promises what is not there. One reading of each may be what is left over."""
    trees = [ast.parse(file.read_text("utf-8")) for file in sorted(Path(caporetto.__file__).parent.glob("*.py"))]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    words = {node.value for node in nodes if isinstance(node, ast.Constant)}
    read = {
        node.slice.value
        for node in nodes
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
        if isinstance(node.value, ast.Attribute) and node.value.attr == "option"
    }
    assert {option.name for option in BOOK.options} == read
    for option in BOOK.options:
        plain = [value for value in option.values if value.isdigit() or value in ("true", "false")]
        named = [value for value in option.values if value in words or value in plain]
        assert len(named) >= len(option.values) - 1, option.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_and_their_readings_have_words(language: str) -> None:
    texts = PACK.toml(f"text.{language}.toml")
    assert set(texts["option"]) == {option.name for option in BOOK.options}
    values = {value for option in BOOK.options for value in option.values}
    plain = {value for value in values if value.isdigit() or value in ("true", "false")}
    assert set(texts["reading"]) == values - plain
    assert all(texts["option"].values()) and all(texts["reading"].values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_pack_names_has_words(language: str) -> None:
    texts, tables = PACK.toml(f"text.{language}.toml"), PACK.toml("tables.toml")
    assert set(texts["class"]) == set(tables["classes"]) - {"source"}
    assert set(texts["weather"]) == set(tables["weather"]["sight"])
    assert set(texts["terrain"]) == set(tables["terrain"]) - {"source"}
    assert {data["branch"] for data in tables["classes"].values() if isinstance(data, dict)} == set(texts["branch"])
    scenarios = PACK.toml("scenarios.toml").values()
    forces = {force for data in scenarios for force in data["forces"]} | {
        seat for data in scenarios for seat in data["seats"]
    }
    assert (
        forces <= set(texts["side"])
        and forces <= set(texts["side_short"])
        and forces <= set(PACK.toml("pack.toml")["sides"])
    )
    assert {seat for data in scenarios for seat in data["seats"]} == set(texts["player"])


def test_both_languages_have_the_same_words() -> None:
    """But for what people type, which are words of their own language."""
    english, italian = (
        {table: set(words) for table, words in PACK.toml(f"text.{language}.toml").items() if "typed" not in table}
        for language in LANGUAGES
    )
    assert english == italian


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_formation_has_a_name(language: str) -> None:
    rows = [line.split(",") for line in PACK.text("units.csv").splitlines()]
    column = rows[0].index("formation")
    formations = {row[column] for row in rows[1:] if row[0].endswith("-hq")}
    assert len(formations) == 71
    names = PACK.toml(f"text.{language}.toml")["formation"]
    assert set(names) == formations and len(set(names.values())) == 71


def test_the_glossary_has_the_abbreviations_of_the_booklet_in_both_languages() -> None:
    glossary = PACK.toml("glossary.toml")
    terms = glossary["term"]
    for field in ("abbreviation", "label_it"):
        labels = [term[field] for term in terms]
        assert len(labels) == len(set(labels))
    assert all(term["english"] and term["italian"] for term in (*terms, *glossary["unit_name"]))
    booklet = "AHG IT GT MP BE MG ZoC EZoC LP LPT GTRT FD HQ LoS TEC DRM VP"
    assert set(booklet.split()) <= {term["label_it"] for term in terms}
    listed = "Gebirgs|GbSch|FJ|H|LW|LS|NK|RGF|Inf.|MG|Ing|Brs., Bers.|Bers. Cicl.|Cav.|Dism. Cav.|Mt.|Fld.|Hv."
    assert {*listed.split("|"), "Bde", "Btn", "Abt.", "B.", "U", "D", "C"} <= {
        name["abbreviation"] for name in glossary["unit_name"]
    }
