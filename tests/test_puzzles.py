"""Puzzles: every stored line is legal and has the chance that it says, and odds are counted and not drawn."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import msgspec
import pytest

import fronte
from fronte.ai.advice import known_policy
from fronte.ai.puzzles import collection
from fronte.ai.puzzles.chance import Tree, frozen
from fronte.ai.puzzles.collection import Puzzle, PuzzleError
from fronte.ai.puzzles.goals import Goal
from fronte.ai.puzzles.judging import judge, stars, stated
from fronte.engine import flow
from fronte.engine.match import Match
from fronte.games.registry import GAMES, ruleset

ALL = [(game, name) for game in GAMES for name in collection.names(game)]
LEAST = {"isonzo": 6, "altipiani": 3}
every_puzzle = pytest.mark.parametrize(("game", "name"), ALL)


def first(game: str = "isonzo") -> tuple[Puzzle, Any]:
    found = collection.read(game, next(iter(collection.names(game))))
    return found, ruleset(game, found.scenario)


def decided(puzzle: Puzzle, rules: Any) -> Any:
    """The state in which the dice of the best line are about to fall."""
    seat, state, policy = rules.seat_index(puzzle.seat), rules.from_position(puzzle.position), known_policy(rules)
    for text in puzzle.best:
        flow.act(rules, state, Match(rules, state, []).read(text), [])
    while not flow.waits_for_dice(state):
        other = state.frames[-1].seat
        assert other != seat
        flow.act(rules, state, policy.decide(state, other, policy.usual(other), Random(0)), [])
    return state


@pytest.mark.parametrize("game", GAMES)
def test_there_are_puzzles(game: str) -> None:
    files = collection.names(game).values()
    assert len(files) >= LEAST.get(game, 0)
    assert [file.partition("-")[0] for file in files] == [str(n + 1) for n in range(len(files))]


@every_puzzle
def test_the_best_line_has_the_chance_that_is_stated(game: str, name: str) -> None:
    puzzle = collection.read(game, name)
    rules = ruleset(game, puzzle.scenario)
    assert puzzle.game == game
    assert stated(puzzle, rules) == puzzle.best_chance
    assert collection.parsed(collection.written(puzzle)) == puzzle


@every_puzzle
def test_it_is_told_in_both_languages(game: str, name: str) -> None:
    puzzle = collection.read(game, name)
    rules = ruleset(game, puzzle.scenario)
    asked, report = collection.title(puzzle, rules), collection.report(puzzle, rules)
    assert asked["en"] and asked["it"] and asked["en"] != asked["it"]
    assert len(report["en"]) == len(report["it"]) > 0
    assert any(line.startswith(puzzle.goal.hex) for line in report["en"])
    assert set(collection.corner(puzzle, rules)) <= set(rules.grid.index)


def test_who_plays_the_best_line_is_judged_alike_however_his_dice_fall() -> None:
    puzzle, rules = first()
    for seed in ("1", "2"):
        match = fronte.position(puzzle.game, puzzle.position, puzzle.scenario, seed)
        for action in puzzle.best:
            match.play(action, puzzle.seat)
        while not any(entry.rolls for entry in match.entries):
            match.play(next(match.legal()))
        assert judge(puzzle, rules, match.entries).chance == puzzle.best_chance
    assert stars(puzzle.best_chance, puzzle.best_chance) == 3


def test_nothing_is_judged_before_dice_fall_and_who_does_nothing_has_no_chance() -> None:
    puzzle, rules = first()
    match = fronte.position(puzzle.game, puzzle.position, puzzle.scenario, "1")
    match.play(puzzle.best[0])
    assert judge(puzzle, rules, match.entries).chance is None
    seat, errand = rules.seat_index(puzzle.seat), known_policy(rules).errand
    begun = errand(match.state)
    while match.seat == seat and errand(match.state) == begun:
        match.play("end")
    found = judge(puzzle, rules, match.entries)
    assert (found.chance, found.reached) == (0, False)
    assert stars(Fraction(0), puzzle.best_chance) == 0


def test_a_chance_is_the_mean_of_what_comes_of_every_throw() -> None:
    puzzle, rules = first()
    state = decided(puzzle, rules)
    tree = Tree(known_policy(rules), rules.seat_index(puzzle.seat), puzzle.goal, state)
    before = frozen(state)
    total = Fraction(0)
    for crt in range(36):
        for loss in range(1, 7):
            after = state.copy()
            flow.fall(rules, after, (crt // 6 + 1, crt % 6 + 1, loss), [])
            total += tree.chance(after)
    assert total / 216 == tree.chance(state) == puzzle.best_chance
    assert frozen(state) == before


def test_what_is_not_counted_is_taken_to_fail() -> None:
    puzzle, rules = first()
    state = decided(puzzle, rules)
    tree = Tree(known_policy(rules), rules.seat_index(puzzle.seat), puzzle.goal, state, most=40)
    assert tree.chance(state) < puzzle.best_chance
    assert not tree.whole


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seat": "nobody"}, "no seat"),
        ({"goal": Goal("win", "2612")}, "is none of"),
        ({"goal": Goal("take", "9999")}, "there is no hex"),
        ({"goal": Goal("destroy", "2612")}, "a piece is named"),
        ({"chance": "1/0"}, "Fraction"),
        ({"chance": "0"}, "is not more than"),
        ({"best": ()}, "no line"),
        ({"position": {}}, "missing"),
    ],
)
def test_what_is_no_puzzle_is_refused(change: dict[str, Any], why: str) -> None:
    puzzle, _ = first()
    with pytest.raises(PuzzleError, match=why):
        collection.parsed(msgspec.json.encode(msgspec.structs.replace(puzzle, **change)))
