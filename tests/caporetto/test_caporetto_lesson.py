"""The first lesson of Caporetto: it goes as its text says, from a reaction to the plan of the next turn."""

from __future__ import annotations

from typing import Any

import pytest
from learner import Learner

from fronte.server.lessons import read_lesson

PLAYED = (
    ("react", "react de-leib"),
    ("place_hq", "hq 2408"),
    ("act", "move de-leib-1 2407 with de-leib-2"),
    ("act", "move de-leib-3 2407-2307"),
    ("act", "assault de-leib-1 2406 with de-leib-2"),
    ("act", "assault de-leib-3 2406"),
    ("bombard", "bombard de-geb-ak-a=2406"),
    ("wave", "wave de-leib-1,de-leib-2 led by de-leib-1"),
)
"""What the lesson tells the learner to do, up to the assault."""
USUAL = {"activate": "pass", "move_guns": "done", "move_others": "done"}
"""How the turn is brought to its end."""


@pytest.fixture
def lesson() -> dict[str, Any]:
    return read_lesson("caporetto")


def begun(lesson: dict[str, Any]) -> Learner:
    """Somebody who has read the first step."""
    learner = Learner(lesson)
    learner.turn_page()
    return learner


def test_it_goes_as_its_text_says_to_the_plan_of_the_next_turn(lesson: dict[str, Any]) -> None:
    learner = begun(lesson)
    match = learner.match
    for kind, action in PLAYED:
        assert learner.asked == kind
        learner.play(action)
    told = [event for event in match.events if event.kind == "fired"]
    assert [event.data["fire"] for event in told] == ["infiltration", "bombardment", "defence", "defence"]
    assert all(event.data["points"] for event in told[:2]), "fire that does something"
    assert learner.asked == "activate"
    (result,) = [event for event in match.events if event.kind == "assault_result"]
    assert result.data["won"]
    assert [piece.at for piece in match.view("ahg").pieces if piece.id in ("de-leib-1", "de-leib-2")] == ["2406"] * 2
    while learner.asked != "plan":
        learner.play(USUAL.get(learner.asked) or next(iter(match.legal())))
    assert match.state.turn == 8
    learner.play("plan de-leib,de-jr3")
    assert learner.steps[learner.step].get("last"), "and the lesson is over"
    assert learner.passed == list(range(len(learner.steps) - 1))


def test_it_is_told_what_a_learner_sees(lesson: dict[str, Any]) -> None:
    learner = begun(lesson)
    match = learner.match
    assert learner.asked == "react"
    odds = match.odds("react de-leib")
    assert odds.of == 6 and sum(row.counts[1] for row in odds.rows) == 5, "it needs 1 to 5"
    for kind, action in PLAYED[:2]:
        assert learner.asked == kind
        learner.play(action)
    assert learner.asked == "act"
    assert match.why_not("move de-leib-3 2407-2406") is not None
    three = [piece for piece in match.view("ahg").pieces if piece.id.startswith("de-leib-") and piece.at == "2408"]
    assert len(three) == 4, "three battalions and the headquarters"
