"""Puzzles: every stored line is legal and has the chance that it says, and odds are counted and not drawn."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

import msgspec
import pytest

import fronte
from fronte.ai.advice import known_policy
from fronte.ai.puzzles import collection
from fronte.ai.puzzles.chance import Tree, frozen
from fronte.ai.puzzles.collection import Puzzle, PuzzleError
from fronte.ai.puzzles.goals import DESTROY, KINDS, Goal
from fronte.ai.puzzles.judging import best_line, judge, stars, stated
from fronte.ai.puzzles.making import goals, naive_chance
from fronte.engine import flow
from fronte.engine.dice import outcomes
from fronte.engine.match import Match
from fronte.games.registry import GAMES, ruleset

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
ALL = [(game, name) for game in GAMES for name in collection.names(game)]
LEAST = {"isonzo": 7, "altipiani": 6, "volturno": 6, "caporetto": 6}
FIRSTS = [(game, next(iter(collection.names(game)))) for game in GAMES if collection.names(game)]
every_puzzle = pytest.mark.parametrize(("game", "name"), ALL)
some_puzzles = pytest.mark.parametrize(("game", "name"), ALL if NIGHTLY else FIRSTS)


def first(game: str = "isonzo") -> tuple[Puzzle, Any]:
    found = collection.read(game, next(iter(collection.names(game))))
    return found, ruleset(game, found.scenario)


def decided(puzzle: Puzzle, rules: Any) -> Any:
    """The state in which the dice of the best line are about to fall."""
    seat, state, policy = rules.seat_index(puzzle.seat), rules.from_position(puzzle.position), known_policy(rules)

    def answered() -> None:
        while not flow.waits_for_dice(state) and state.frames[-1].seat != seat:
            other = state.frames[-1].seat
            flow.act(rules, state, policy.reply(state, other), [])

    for text in puzzle.best:
        answered()
        flow.act(rules, state, Match(rules, state, []).read(text), [])
    answered()
    return state


@pytest.mark.parametrize("game", GAMES)
def test_there_are_puzzles(game: str) -> None:
    files = collection.names(game).values()
    assert len(files) >= LEAST.get(game, 0)
    assert [file.partition("-")[0] for file in files] == [str(n + 1) for n in range(len(files))]


def test_puzzles_of_every_kind_are_found_and_kept() -> None:
    kept = {collection.read(game, name).goal.kind for game in GAMES for name in collection.names(game)}
    assert kept == set(KINDS)
    puzzle, rules = first()
    state = rules.from_position(puzzle.position)
    lone = goals(rules, state, rules.seat_index(puzzle.seat), kind=DESTROY)
    assert lone and all(not goal.wrong(rules) for goal in lone)
    at = {piece.id: piece.at for piece in rules.view(state, 1 - rules.seat_index(puzzle.seat)).pieces if piece.mine}
    assert all(at[goal.piece] == goal.hex and list(at.values()).count(goal.hex) == 1 for goal in lone)


@some_puzzles
def test_the_best_line_has_the_chance_that_is_stated(game: str, name: str) -> None:
    puzzle = collection.read(game, name)
    rules = ruleset(game, puzzle.scenario)
    assert puzzle.game == game
    assert stated(puzzle, rules) == puzzle.best_chance
    assert naive_chance(puzzle, rules) == Fraction(puzzle.naive)
    assert collection.parsed(collection.written(puzzle)) == puzzle


@every_puzzle
def test_the_best_line_is_legal_up_to_its_dice(game: str, name: str) -> None:
    puzzle = collection.read(game, name)
    rules = ruleset(game, puzzle.scenario)
    assert len(best_line(puzzle, rules)) == len(puzzle.best)
    assert flow.waits_for_dice(decided(puzzle, rules))


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


def test_who_plays_the_best_line_is_judged_alike_whatever_the_other_side_answers() -> None:
    puzzle = collection.read("volturno", "2024")
    rules = ruleset("volturno", puzzle.scenario)
    for answer in ("hold", "face n-9-line ne"):  # as was reckoned with, and otherwise, with dice before the attack's
        match = fronte.position(puzzle.game, puzzle.position, puzzle.scenario, "1")
        for action in puzzle.best[:3]:
            match.play(action, puzzle.seat)
        match.play(answer)
        while match.seat != rules.seat_index(puzzle.seat):
            match.play("hold")
        match.play(puzzle.best[3], puzzle.seat)
        assert judge(puzzle, rules, match.entries).chance == puzzle.best_chance, answer


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


@pytest.mark.parametrize(("game", "name"), FIRSTS)
def test_falls_that_are_read_alike_come_to_the_same(game: str, name: str) -> None:
    puzzle = collection.read(game, name)
    rules = ruleset(game, puzzle.scenario)
    state, policy = decided(puzzle, rules), known_policy(rules)
    found: dict[Any, Any] = {}
    for dice in outcomes(rules.chances[state.frames[-1].name].dice):
        after = state.copy()
        flow.fall(rules, after, dice, [])
        assert found.setdefault(policy.read_off(dice), frozen(after)) == frozen(after)


def test_in_volturno_one_combat_is_counted_and_another_is_not() -> None:
    puzzle, rules = first("volturno")
    state, policy = decided(puzzle, rules), known_policy(rules)
    seat, target = rules.seat_index(puzzle.seat), rules.grid.index[puzzle.goal.hex]
    assert policy.pursuits(rules.from_position(puzzle.position), seat, target)
    act = next(k for k, frame in enumerate(state.frames) if frame.name == "act")
    del state.frames[act + 1 :]
    state.fulfilled = 1  # somebody has attacked from the marker
    assert not policy.pursuits(state, seat, target)


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
