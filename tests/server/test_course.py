"""Every lesson of every game can be taken to its end, by whoever does what it says and by whoever does not."""

from __future__ import annotations

from typing import Any

import pytest
from learner import Learner

import fronte
from fronte.games.registry import GAMES
from fronte.server.lessons import can_be_done, course, read_lesson, told

LESSONS = [(game, lesson) for game in GAMES for lesson in course(game)]
every_lesson = pytest.mark.parametrize(("game", "lesson"), LESSONS)
SHORTEST, LONGEST = 6, 14
KNOWN = {"en", "it", "show", "rules", "until", "ahead", "last", "do", "free"}


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_course_of_every_game(game: str) -> None:
    assert len(course(game)) >= 2
    assert [file.partition("-")[0] for file in course(game).values()] == [str(n + 1) for n in range(len(course(game)))]


@every_lesson
@pytest.mark.parametrize("machine", ["one", "two"])
def test_it_can_be_taken_as_it_says(game: str, lesson: str, machine: str) -> None:
    learner = Learner(read_lesson(game, lesson), machine)
    learner.take()
    assert learner.passed == list(range(len(learner.steps) - 1))


@every_lesson
def test_what_is_pointed_at_lies_in_the_lit_part_of_the_board(game: str, lesson: str) -> None:
    data = read_lesson(game, lesson)
    grid = fronte.ruleset(game, data["scenario"]).grid
    (left, top), (right, foot) = sorted(grid.place[grid.index[name]] for name in data["corner"])
    for step in data["steps"]:
        for name in step.get("show", ()):
            column, row = grid.place[grid.index[name]]
            assert left <= column <= right, name
            assert min(top, foot) <= row <= max(top, foot), name


@every_lesson
def test_nobody_is_left_behind_who_does_otherwise(game: str, lesson: str) -> None:
    learner = Learner(read_lesson(game, lesson), obeys=False)
    learner.take()
    assert learner.is_done


@every_lesson
def test_what_is_asked_is_what_brings_the_next_step(game: str, lesson: str) -> None:
    """No step is over before the learner has done anything for it, as far as the rules know."""
    learner = Learner(read_lesson(game, lesson))
    while not learner.is_done:
        now, step = learner.step, learner.steps[learner.step]
        learner.wait()
        if step.get("do") and learner.step > now:
            raise AssertionError(f"step {now + 1} was over before anything of {step['do']} was done")
        learner.do_step()


@every_lesson
def test_whoever_does_as_it_says_is_never_told_that_it_cannot_be_done(game: str, lesson: str) -> None:
    """Nor between two things that one step asks for, or when both are done."""

    class Asking(Learner):
        def wait(self) -> None:
            super().wait()
            assert can_be_done(self.match, self.seat, self.steps[self.step]), self.step + 1

    Asking(read_lesson(game, lesson)).take()


def test_whoever_ends_before_a_reserve_is_released_is_told_and_can_go_back() -> None:
    learner = Learner(read_lesson("isonzo", "reserves"))
    learner.turn_page()
    learner.wait()
    learner.play("end")
    learner.wait()
    step = learner.steps[learner.step]
    assert step["do"] == ["move it-sassari 2517-2516-2515-2416-2315-2215"]
    assert not can_be_done(learner.match, learner.seat, step), "SASSARI has not been released"
    assert learner.match.can_undo(learner.seat)
    learner.match.undo()
    assert can_be_done(learner.match, learner.seat, learner.steps[1])


@every_lesson
def test_it_names_what_there_is(game: str, lesson: str) -> None:
    found = read_lesson(game, lesson)
    rules: Any = fronte.ruleset(game, found["scenario"])
    steps = found["steps"]
    assert SHORTEST <= len(steps) <= LONGEST
    assert all(set(step) <= KNOWN for step in steps)
    shown = [name for step in steps for name in step.get("show", [])] + found["corner"]
    untils = [until for step in steps for until in step.get("until", [])]
    assert set(shown) <= set(rules.grid.index)
    assert {until["picked"] for until in untils if "picked" in until} <= set(rules.number)
    assert {until["decision"] for until in untils if "decision" in until} <= set(rules.choices)
    assert {until["event"] for until in untils if "event" in until} <= set(rules.texts("en").tables["event"])
    assert {rule for step in steps for rule in step.get("rules", [])} <= set(rules.rulebook.rules)
    assert all(step["en"].strip() and step["it"].strip() and step["en"] != step["it"] for step in steps)
    assert all(found["title"][language] for language in ("en", "it"))
    assert [bool(step.get("last")) for step in steps] == [False] * (len(steps) - 1) + [True]


@every_lesson
def test_a_browser_is_not_told_what_to_do(game: str, lesson: str) -> None:
    found = read_lesson(game, lesson)
    shown = told(found)
    assert not any({"do", "free"} & set(step) for step in shown["steps"])
    assert [step["en"] for step in shown["steps"]] == [step["en"] for step in found["steps"]]
