"""The casebook of Caporetto: its tiny boards carry what a case says, and a wrong case is caught."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fronte.casebook.core import CaseFile, begin, read_file, run_case
from fronte.engine.match import Match
from fronte.games import registry
from fronte.games.caporetto.game import Caporetto

CASES = sorted((Path(__file__).parents[1] / "cases" / "caporetto").glob("*.toml"))
HEAD = 'rule = "10.0"\ngame = "caporetto"\nboard.span = "2001-2808"\n[[case]]\nname = "one"\n'


def book_of(tmp_path: Path, text: str) -> CaseFile:
    file = tmp_path / "10.0.toml"
    file.write_text(HEAD + text, encoding="utf-8")
    return read_file(file)


def begun(tmp_path: Path, text: str) -> Match:
    book = book_of(tmp_path, text)
    return begin(book, book.case[0])


ENEMY = 'units.ah-x = { at = "2001" }\nunits.it-x = { at = "2808", formation = "it-zeta" }\n'


def test_counters_are_printed_ones_or_usual_ones(tmp_path: Path) -> None:
    """By their id, by their class, and with what a case says; each formation has a headquarters."""
    match = begun(
        tmp_path,
        ENEMY
        + 'units.it-88-1 = { at = "2404", formation = "it-friuli" }\n'
        + 'units.de-a = { at = "2105", cf = 3, steps = 3, cf2 = 2 }\n'
        + 'units.it-g = { at = "2505", class = "heavy", factor = 12 }\n'
        + 'units.it-m = { at = "2405", class = "iM" }\n'
        + 'start.phase = "command"\n',
    )
    rules = match.rules
    assert isinstance(rules, Caporetto)
    book, unit = Caporetto(registry.open_pack("caporetto"), "what_if", {}), rules.number["it-88-1"]
    assert rules.counters[unit].faces == book.counters[book.number["it-88-1"]].faces
    assert rules.full_steps[rules.number["de-a"]] == 3 and len(rules.companies_of[rules.number["de-a"]]) == 2
    assert rules.factor[rules.number["it-g"]] == 12
    assert rules.counters[rules.number["it-m"]].size == "co"
    assert {"it-friuli-hq", "ah-alfa-hq", "it-zeta-hq"} <= set(rules.number)


STARTS: dict[str, tuple[str, str]] = {
    "action": ('start = { step = "activate", active = "ahg", plan = { ah-alfa = 15 } }', "activate"),
    "movement": ('start = { step = "move", formations = ["ah-alfa"] }', "act"),
    "preparing": ('start = { step = "prepare", formations = ["ah-alfa"] }', "place_hq"),
    "plans": ('start = { phase = "command" }', "plan"),
}


@pytest.mark.parametrize("start", STARTS)
def test_a_case_begins_where_it_says(start: str, tmp_path: Path) -> None:
    told, owed = STARTS[start]
    road = 'board.span = "2001-2808"\nboard.hex = { 2003 = { flag = "ahg", control = "ahg" } }\n'
    road += 'board.side = { "2001/2002" = { road = true }, "2002/2003" = { road = true } }\n'
    match = begun(tmp_path, ENEMY + road + told + "\n")
    assert match.decision is not None and match.decision.kind == owed


def test_who_is_in_command_is_who_the_headquarters_reaches(tmp_path: Path) -> None:
    text = ENEMY + 'units.ah-a = { at = "2404" }\nunits.ah-b = { at = "2008" }\n'
    text += 'units.ah-alfa-hq = { class = "hq", formation = "ah-alfa", command = 2 }\n'
    match = begun(tmp_path, text + 'start = { step = "move", formations = ["ah-alfa"], hq = "2405" }\n')
    rules, state = match.rules, match.state
    assert [name for name in ("ah-a", "ah-b", "ah-x") if state.commanded >> rules.number[name] & 1] == ["ah-a"]
    assert rules.view(state, 0).piece("ah-alfa-hq").at == "2405"


def test_the_board_has_what_a_case_draws(tmp_path: Path) -> None:
    board = """
board.span = "2001-2808"
board.level = 2
[case.board.hex]
2404 = { terrain = "woods", level = 4, trench = "italian", trench_level = 2, vp = 5 }
2405 = { settlement = "town", name = "Caporetto", flag = "italian", exit = true }
[case.board.side]
"2404/2405" = { water = "isonzo", road = true, bridge = "bridge", charged = true }
"2304/2404" = { cliff = true, side_trench = "italian", side_trench_level = 1, side_trench_hex = "2404" }
[case.start]
phase = "command"
down = ["2404/2405"]
"""
    match = begun(tmp_path, ENEMY + board)
    rules, state = match.rules, match.state
    ground, h = rules.ground, rules.grid.index["2404"]
    assert (ground.terrain[h], ground.level[h], ground.trench_level[h]) == ("woods", 4, 2)
    assert ground.level[rules.grid.index["2402"]] == 2
    assert state.standing == 0 and state.side_trenches == (1,)
    assert ground.bridges[0].charged and ground.towns >> rules.grid.index["2405"] & 1


def test_sectors_and_first_turns_are_those_of_the_scenario(tmp_path: Path) -> None:
    text = 'scenario = "historical"\n'
    text += 'units.ah-x = { at = "2001" }\nunits.it-x = { at = "2404" }\n'
    text += 'start = { step = "activate", active = "ahg-left", sector = "left", plan = { ah-alfa = 15 } }\n'
    match = begun(tmp_path, text)
    assert match.rules.seats == ("left", "right") and match.decision is not None
    assert match.decision.seat == "left"
    opening = match.rules.scene.opening
    assert opening.preparation and not opening.italians_planned


def test_flamethrowers_are_borne(tmp_path: Path) -> None:
    text = ENEMY + 'units.de-f = { at = "2404", class = "gF" }\nunits.de-a = { at = "2404" }\n'
    text += 'units.de-b = { at = "2404" }\nstart = { phase = "command" }\n'
    text += 'steps = [{ expect = { unit = "de-f", bearer = "de-a" } }]\n'
    book = book_of(tmp_path, text)
    assert run_case(book, book.case[0]) == ""
    other = book_of(tmp_path, text.replace('class = "gF" }', 'class = "gF", bearer = "de-b" }'))
    assert "who has de-f is 'de-b'" in run_case(other, other.case[0])


WRONG: dict[str, tuple[str, str]] = {
    "a name of nobody": ('units.x = { at = "2404" }', "a name begins with it-, ah- or de-"),
    "a word that is not known": ('units.it-a = { at = "2404", hat = 1 }', "unknown hat"),
    "a mark that is not known": ('units.it-a = { at = "2404", marks = ["tired"] }', "'tired' is none of"),
    "a hex off the board": ('units.it-a = { at = "9999" }', "no hex '9999'"),
    "a step that is none": ('start.step = "tea"', "start.step is 'tea', none of activate, prepare, move"),
    "a phase that is none": ('start.phase = "tea"', "start.phase is 'tea'"),
    "an action of nobody": ('start.step = "move"', "an action is of some formation"),
    "a start that is not known": ("start.tea = 1", "unknown tea"),
    "a formation that is none": ("start.plan = { it-none = 1 }", "unknown fields it-none"),
    "a bridge that is none": ('start.down = ["2404/2405"]', "no bridge is printed at '2404/2405'"),
    "enemies in one hex": ('units.it-a = { at = "2001" }', "both sides are in 2001 (10.0.5)"),
    "too worn": ('units.it-a = { at = "2404", dp = 5 }', "its points have reached its morale (15.4)"),
    "a work of nobody": ('units.it-e = { at = "2404", class = "iE", marks = ["working"] }', "has one work"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_beginning_is_caught(name: str, tmp_path: Path) -> None:
    text, why = WRONG[name]
    phase = "" if "start" in text else 'start = { phase = "command" }\n'
    book = book_of(tmp_path, ENEMY + phase + text + "\nsteps = [{ expect = { turn = 5 } }]\n")
    assert why in run_case(book, book.case[0])


EXPECTED: dict[str, str] = {
    'unit = "ah-x", dp = 1': "dp of ah-x is 0, not 1",
    'unit = "ah-x", steps = 1': "steps of ah-x is 2, not 1",
    'trench = "2404", depth = 1': "the trench at 2404 is 0, not 1",
    "points = { italian = 9 }": "points of italian is 5, not 9",
    "plan = { ah-alfa = 3 }": "plan of ah-alfa is -1, not 3",
    "vp = { ahg = 1 }": "victory points of ahg is 0, not 1",
    'step = "move"': "the step is '', not 'move'",
    'bridge = "2404/2405", standing = true': "the bridge at 2404/2405 standing is False, not True",
    'trench = "9999", depth = 1': "there is no hex or hexside '9999'",
    "standing = true": "`standing` goes with `bridge`",
}


@pytest.mark.parametrize("words", EXPECTED)
def test_a_wrong_expectation_is_caught(words: str, tmp_path: Path) -> None:
    text = ENEMY + 'start = { phase = "command" }\n' + f"steps = [{{ expect = {{ {words} }} }}]\n"
    book = book_of(tmp_path, text)
    assert EXPECTED[words] in run_case(book, book.case[0])


def test_the_printed_board_takes_what_a_case_changes(tmp_path: Path) -> None:
    text = 'board = "printed"\nscenario = "maggiore"\nstart = { phase = "command", points = { italian = 2 } }\n'
    match = begun(tmp_path, text)
    assert match.decision is not None and match.decision.kind == "plan"
    told: dict[str, Any] = match.rules.to_position(match.state)
    assert told["points"] == {"italian": 2}
