"""The casebook: every case passes, every enforced rule has one, and a wrong case is caught."""

from __future__ import annotations

from pathlib import Path

import pytest
from every import ANY_GAME, every_game

from fronte.casebook import coverage, read_file, run_file

CASES = Path(__file__).parent / "cases"
FILES = [file for file in sorted(CASES.rglob("*.toml")) if file.parent.name in ANY_GAME]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_cases(file: Path) -> None:
    assert [outcome.why for outcome in run_file(file) if not outcome.passed] == []


@every_game
def test_case_files_are_named_after_their_rule_and_game(game: str) -> None:
    files = [file for file in FILES if file.parent.name == game]
    assert files
    books = {file: read_file(file) for file in files}
    assert [(book.game, book.rule) for book in books.values()] == [(game, file.stem) for file in files]


@every_game
def test_every_enforced_rule_has_a_case(game: str) -> None:
    """A game whose casebook is being written has a list of the rules that still wait, and nothing else may be on it."""
    _, missing = coverage(game, CASES / game)
    waiting = CASES / f"{game}.waiting.txt"
    assert missing == (waiting.read_text("utf-8").split() if waiting.exists() else [])


WRONG = {
    "a legal move called illegal": ('{ refuse = "move it-a 2411", rule = "4" }', "is allowed"),
    "an illegal move called legal": ('{ allow = "move it-a 2499" }', "is refused by 4.2"),
    "another rule than the one that forbids": ('{ refuse = "move it-a 2499", rule = "6.3.1" }', "not 6.3.1"),
    "a unit elsewhere": ('{ expect = { unit = "it-a", at = "2411" } }', "is '2412', not '2411'"),
    "an event that did not happen": ('{ play = "move it-a 2411" }, { expect = { event = "over" } }', "no event over"),
    "a step that the format does not know": ('{ hope = "for the best" }', "hope"),
    "a word that nobody knows": ('{ expect = { unit = "it-a", morale = 3 } }', "morale"),
    "a unit that is not there": ('{ expect = { unit = "it-z", at = "2412" } }', "no unit 'it-z'"),
    "a unit that nobody sees because it is not there": ('{ expect = { seat = "ah", not_sees = "it-z" } }', "'it-z'"),
    "a hex off the board": ('{ expect = { hex = "9999", control = "ah" } }', "no hex '9999'"),
    "a mark that there is not": ('{ expect = { unit = "it-a", no_mark = "tired" } }', "no mark 'tired'"),
    "an event that there is not": ('{ expect = { no_event = "celebrated" } }', "no event 'celebrated'"),
    "a rule that the book does not have": ('{ refuse = "move it-a 2499", rule = "99.9" }', "no rule 99.9"),
    "a field without the one it goes with": ('{ expect = { turn = 3, by = "ah" } }', "`by` goes with `owes`"),
    "a rule where nothing is refused": ('{ allow = "move it-a 2411", rule = "4" }', "`rule` goes with `refuse`"),
    "a refused action that nobody can read": ('{ refuse = "dance it-a", rule = "4" }', "cannot be read"),
    "an expectation of nothing": ("{ expect = {} }", "nothing is checked"),
    "a step that does nothing": ('{ seat = "ah" }', "does nothing"),
    "an illegal action played": ('{ play = "move it-a 2499" }', "there is no hex"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_case_is_caught(name: str, tmp_path: Path) -> None:
    steps, why = WRONG[name]
    file = tmp_path / "4.toml"
    file.write_text(
        'rule = "4"\ngame = "isonzo"\nboard.span = "2310-2514"\n\n[[case]]\nname = "wrong"\n'
        f'units.it-a.at = "2412"\nsteps = [{steps}]\n'
    )
    (outcome,) = run_file(file)
    assert why in outcome.why


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("dice = [7]", "cannot fall"),
        ('start.weather = "rain"', "start: unknown weather"),
        ('units.ah-x.at = "2412"', "both sides"),
        ('units.it-b = { at = "2411", steps = 9 }', "steps"),
    ],
)
def test_an_impossible_beginning_is_caught(line: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "4.toml"
    file.write_text(
        'rule = "4"\ngame = "isonzo"\nboard.span = "2310-2514"\n\n[[case]]\nname = "wrong"\n'
        f'units.it-a.at = "2412"\n{line}\nsteps = [{{ undo = false }}]\n'
    )
    (outcome,) = run_file(file)
    assert why in outcome.why


def test_a_case_that_checks_nothing_fails(tmp_path: Path) -> None:
    file = tmp_path / "4.toml"
    file.write_text('rule = "4"\ngame = "isonzo"\nboard.span = "2310-2514"\n\n[[case]]\nname = "empty"\n')
    (outcome,) = run_file(file)
    assert "checks nothing" in outcome.why


COLUMNS = """
rule = "4"
game = "isonzo"
board.span = "2209-2614"
{board}

[[case]]
name = "one step to the lower left"
units.it-a = {{ at = "2412", face = "5-5-1", back = "3-3-1" }}
steps = [{{ {verb} = "move it-a 2313", rule = "{rule}" }}]
"""


@pytest.mark.parametrize(
    ("board", "verb", "rule"),
    [
        ("", "refuse", "4.2"),
        ("board.odd_columns_lower = true", "refuse", "4.2"),
        ("board.odd_columns_lower = false", "allow", ""),
    ],
)
def test_a_tiny_board_has_the_columns_of_the_game_or_those_it_says(
    board: str, verb: str, rule: str, tmp_path: Path
) -> None:
    file = tmp_path / "4.toml"
    file.write_text(COLUMNS.format(board=board, verb=verb, rule=rule))
    (outcome,) = run_file(file)
    assert outcome.why == ""


def test_columns_that_are_neither_lower_nor_not_are_caught(tmp_path: Path) -> None:
    file = tmp_path / "4.toml"
    file.write_text(COLUMNS.format(board='board.odd_columns_lower = "some"', verb="allow", rule=""))
    (outcome,) = run_file(file)
    assert "either true or false" in outcome.why


def test_a_board_of_an_unknown_name_is_caught(tmp_path: Path) -> None:
    file = tmp_path / "4.toml"
    file.write_text(
        'rule = "4"\ngame = "isonzo"\n\n[[case]]\nname = "wrong"\nboard = "painted"\nsteps = [{ undo = false }]\n'
    )
    (outcome,) = run_file(file)
    assert "'painted'" in outcome.why
